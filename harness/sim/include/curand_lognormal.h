/* curand_lognormal.h: numbers whose logarithm is normally distributed. */
#ifndef KIT_CURAND_LOGNORMAL_H
#define KIT_CURAND_LOGNORMAL_H

#pragma GCC system_header

#include "curand_normal.h"

#ifdef __CUDA__
template <class State>
KIT_CURAND float2 curand_log_normal2(State *state, float mean, float stddev) {
  float2 pair = curand_normal2(state);
  return float2{expf(mean + stddev * pair.x), expf(mean + stddev * pair.y)};
}
KIT_CURAND float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float stddev) {
  float4 x = curand_normal4(state);
  return float4{expf(mean + stddev * x.x), expf(mean + stddev * x.y), expf(mean + stddev * x.z),
                expf(mean + stddev * x.w)};
}
template <class State>
KIT_CURAND double2 curand_log_normal2_double(State *state, double mean, double stddev) {
  double2 pair = curand_normal2_double(state);
  return double2{exp(mean + stddev * pair.x), exp(mean + stddev * pair.y)};
}
KIT_CURAND double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state, double mean,
                                             double stddev) {
  double4 x = curand_normal4_double(state);
  return double4{exp(mean + stddev * x.x), exp(mean + stddev * x.y), exp(mean + stddev * x.z),
                 exp(mean + stddev * x.w)};
}

template <class State>
KIT_CURAND float curand_log_normal(State *state, float mean, float stddev) {
  if (state->boxmuller_flag == KIT_CURAND_LOG_NORMAL) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  float2 pair = curand_log_normal2(state, mean, stddev);
  state->boxmuller_extra = pair.y;
  state->boxmuller_flag = KIT_CURAND_LOG_NORMAL;
  return pair.x;
}
template <class State>
KIT_CURAND double curand_log_normal_double(State *state, double mean, double stddev) {
  if (state->boxmuller_flag_double == KIT_CURAND_LOG_NORMAL) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  double2 pair = curand_log_normal2_double(state, mean, stddev);
  state->boxmuller_extra_double = pair.y;
  state->boxmuller_flag_double = KIT_CURAND_LOG_NORMAL;
  return pair.x;
}
#endif

#endif
