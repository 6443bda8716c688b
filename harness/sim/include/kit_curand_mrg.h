/* kit_curand_mrg.h: cuRAND's generator MRG32k3a, for device code and, in C, for the host library.
 * L'Ecuyer, Good parameters and implementations for combined multiple recursive random number
 * generators (Operations Research 47(1), 1999); its streams are in L'Ecuyer, Simard, Chen, Kelton,
 * An object-oriented random-number package with many long streams and substreams (2002): 2^127
 * numbers a sequence, 2^76 a subsequence. */
#ifndef KIT_CURAND_MRG_H
#define KIT_CURAND_MRG_H

#pragma GCC system_header

#include "kit_curand_xorwow.h"

struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3]; /* the last three numbers of both parts, the oldest first */
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

#define KIT_MRG_M1 4294967087u
#define KIT_MRG_M2 4294944443u
#define KIT_MRG_NORM 2.3283065498378288e-10 /* 1 / M1 */

KIT_CURAND unsigned kit_mrg_times(unsigned a, unsigned b, unsigned m) {
  return (unsigned)((unsigned long long)a * b % m);
}

/* From 1 to M1. */
KIT_CURAND double kit_mrg_next(struct curandStateMRG32k3a *state) {
  unsigned *a = state->s1, *b = state->s2;
  unsigned p = (unsigned)((1403580ull * a[1] + 810728ull * (KIT_MRG_M1 - a[0])) % KIT_MRG_M1);
  unsigned q = (unsigned)((527612ull * b[2] + 1370589ull * (KIT_MRG_M2 - b[0])) % KIT_MRG_M2);
  a[0] = a[1], a[1] = a[2], a[2] = p;
  b[0] = b[1], b[1] = b[2], b[2] = q;
  return p - q + (p <= q ? KIT_MRG_M1 : 0);
}

KIT_CURAND unsigned kit_mrg_integer(struct curandStateMRG32k3a *state) {
  return (unsigned)(kit_mrg_next(state) * 1.000000048662);
}

/* v = power^(2^doublings n) v mod m; power is changed. */
KIT_CURAND void kit_mrg_skip(unsigned v[3], unsigned power[3][3], unsigned m, int doublings,
                             unsigned long long n) {
  while (n) {
    if (doublings == 0 && n & 1) {
      unsigned sum[3];
      for (int i = 0; i < 3; i++) {
        unsigned long long row = 0;
        for (int k = 0; k < 3; k++) row += kit_mrg_times(power[i][k], v[k], m);
        sum[i] = (unsigned)(row % m);
      }
      for (int i = 0; i < 3; i++) v[i] = sum[i];
    }
    if (doublings)
      doublings--;
    else if (!(n >>= 1))
      break;
    unsigned square[3][3];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        unsigned long long row = 0;
        for (int k = 0; k < 3; k++) row += kit_mrg_times(power[i][k], power[k][j], m);
        square[i][j] = (unsigned)(row % m);
      }
    for (int i = 0; i < 9; i++) power[i / 3][i % 3] = square[i / 3][i % 3];
  }
}

/* n times 2^doublings numbers. */
KIT_CURAND void kit_mrg_skip_by(struct curandStateMRG32k3a *state, int doublings,
                                unsigned long long n) {
  unsigned first[3][3] = {{0, 1, 0}, {0, 0, 1}, {KIT_MRG_M1 - 810728u, 1403580u, 0}};
  unsigned second[3][3] = {{0, 1, 0}, {0, 0, 1}, {KIT_MRG_M2 - 1370589u, 0, 527612u}};
  kit_mrg_skip(state->s1, first, KIT_MRG_M1, doublings, n);
  kit_mrg_skip(state->s2, second, KIT_MRG_M2, doublings, n);
}

enum { KIT_MRG_SUBSEQUENCE = 76, KIT_MRG_SEQUENCE = 127 };

KIT_CURAND void kit_mrg_init(struct curandStateMRG32k3a *state, unsigned long long seed,
                             unsigned long long subsequence, unsigned long long offset) {
  unsigned factors[2] = {(unsigned)seed ^ 0x55555555u, (unsigned)(seed >> 32) ^ 0xaaaaaaaau};
  for (int i = 0; i < 3; i++) {
    state->s1[i] = seed ? kit_mrg_times(12345, factors[i & 1], KIT_MRG_M1) : 12345;
    state->s2[i] = seed ? kit_mrg_times(12345, factors[!(i & 1)], KIT_MRG_M2) : 12345;
  }
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  kit_mrg_skip_by(state, KIT_MRG_SUBSEQUENCE, subsequence);
  kit_mrg_skip_by(state, 0, offset);
}

#endif
