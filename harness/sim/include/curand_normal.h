/* curand_normal.h: normally distributed numbers, by Box and Muller: two at a time, of which
 * curand_normal keeps one in the state for its next call. */
#ifndef KIT_CURAND_NORMAL_H
#define KIT_CURAND_NORMAL_H

#pragma GCC system_header

#include "curand_uniform.h"

/* What boxmuller_extra holds. */
enum { KIT_CURAND_NORMAL = 1, KIT_CURAND_LOG_NORMAL = 2 };

#ifdef __CUDA__
KIT_CURAND float2 kit_box_muller(float u, float angle) {
  float2 pair, scaled;
  __sincosf(angle, &pair.x, &pair.y);
  float radius = sqrtf(-2.0f * logf(u));
  scaled.x = pair.x * radius;
  scaled.y = pair.y * radius;
  return scaled;
}
KIT_CURAND float2 kit_normal_pair(unsigned x, unsigned y) {
  const float turn = 0x1p-32f * 6.2831855f;
  return kit_box_muller(kit_uniform(x), (float)y * turn + turn / 2);
}
KIT_CURAND double2 kit_box_muller_double(double u, double half_turns) {
  double radius = sqrt(-2.0 * log(u));
  return double2{sinpi(half_turns) * radius, cospi(half_turns) * radius};
}
KIT_CURAND double2 kit_normal_pair_double(uint4 x) {
  return kit_box_muller_double(kit_uniform_53(x.x, x.y), 2 * kit_uniform_53(x.z, x.w));
}

template <class State>
KIT_CURAND float2 curand_normal2(State *state) {
  unsigned x = curand(state);
  return kit_normal_pair(x, curand(state));
}
KIT_CURAND float2 curand_normal2(curandStateMRG32k3a_t *state) {
  float u = curand_uniform(state);
  return kit_box_muller(u, curand_uniform(state) * 6.2831855f);
}
KIT_CURAND float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  float2 a = kit_normal_pair(x.x, x.y), b = kit_normal_pair(x.z, x.w);
  return float4{a.x, a.y, b.x, b.y};
}
KIT_CURAND double2 curand_normal2_double(curandStateXORWOW_t *state) {
  uint4 x;
  x.x = curand(state);
  x.y = curand(state);
  x.z = curand(state);
  x.w = curand(state);
  return kit_normal_pair_double(x);
}
KIT_CURAND double2 curand_normal2_double(curandStatePhilox4_32_10_t *state) {
  return kit_normal_pair_double(curand4(state));
}
KIT_CURAND double2 curand_normal2_double(curandStateMRG32k3a_t *state) {
  double u = curand_uniform_double(state);
  return kit_box_muller_double(u, 2 * curand_uniform_double(state));
}
KIT_CURAND double4 curand_normal4_double(curandStatePhilox4_32_10_t *state) {
  double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return double4{a.x, a.y, b.x, b.y};
}

template <class State>
KIT_CURAND float curand_normal(State *state) {
  if (state->boxmuller_flag == KIT_CURAND_NORMAL) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  float2 pair = curand_normal2(state);
  state->boxmuller_extra = pair.y;
  state->boxmuller_flag = KIT_CURAND_NORMAL;
  return pair.x;
}
template <class State>
KIT_CURAND double curand_normal_double(State *state) {
  if (state->boxmuller_flag_double == KIT_CURAND_NORMAL) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  double2 pair = curand_normal2_double(state);
  state->boxmuller_extra_double = pair.y;
  state->boxmuller_flag_double = KIT_CURAND_NORMAL;
  return pair.x;
}
#endif

#endif
