/* kit_curand_xorwow.h: cuRAND's generator XORWOW, for device code and, in C, for the host library:
 * G. Marsaglia's xorwow (Xorshift RNGs, J. Stat. Softw. 8(14), 2003), section 3.1. The words v go
 * by a map that is linear over bits, d by a counter. */
#ifndef KIT_CURAND_XORWOW_H
#define KIT_CURAND_XORWOW_H

#pragma GCC system_header

#ifdef __CUDA__
#include "cuda_runtime.h"
#define KIT_CURAND __kit_device__
#define KIT_CURAND_TABLE static __constant__ const unsigned
#else
#define KIT_CURAND static inline
#define KIT_CURAND_TABLE static const unsigned
#endif

#include "kit_curand_jump.h"

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double; /* one of KIT_CURAND_KEPT, where the extra is valid */
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;

enum { KIT_CURAND_WEYL = 362437 };

KIT_CURAND void kit_xorwow_step(unsigned v[5]) {
  unsigned t = v[0] ^ v[0] >> 2;
  for (int i = 0; i < 4; i++) v[i] = v[i + 1];
  v[4] ^= v[4] << 4 ^ t ^ t << 1;
}

KIT_CURAND unsigned kit_xorwow_next(struct curandStateXORWOW *state) {
  kit_xorwow_step(state->v);
  state->d += KIT_CURAND_WEYL;
  return state->v[4] + state->d;
}

/* v moves on by as many steps as the row of the table stands for. */
KIT_CURAND void kit_xorwow_jump(unsigned v[5], const unsigned row[5]) {
  unsigned sum[5] = {0, 0, 0, 0, 0};
  for (int word = 0; word < 5; word++) {
    unsigned bits = row[word];
    for (int i = 0; i < 32; i++, bits >>= 1) {
      unsigned taken = -(bits & 1);
      for (int k = 0; k < 5; k++) sum[k] ^= v[k] & taken;
      kit_xorwow_step(v);
    }
  }
  for (int k = 0; k < 5; k++) v[k] = sum[k];
}

KIT_CURAND void kit_xorwow_skip(unsigned v[5], unsigned long long n,
                                const unsigned (*jumps)[1 << KIT_CURAND_WINDOW][5]) {
  enum { DIGIT = (1 << KIT_CURAND_WINDOW) - 1 };
  for (int place = 0; n; place++, n >>= KIT_CURAND_WINDOW)
    if (n & DIGIT) kit_xorwow_jump(v, jumps[place][n & DIGIT]);
}

KIT_CURAND void kit_xorwow_skip_numbers(struct curandStateXORWOW *state, unsigned long long n) {
  kit_xorwow_skip(state->v, n, kit_curand_offset_jumps);
  state->d += KIT_CURAND_WEYL * (unsigned)n;
}

/* 2^67 numbers each: d comes round to what it was. */
KIT_CURAND void kit_xorwow_skip_subsequences(struct curandStateXORWOW *state,
                                             unsigned long long n) {
  kit_xorwow_skip(state->v, n, kit_curand_subsequence_jumps);
}

/* Marsaglia's state, changed by the two halves of the seed. */
KIT_CURAND void kit_xorwow_init(struct curandStateXORWOW *state, unsigned long long seed,
                                unsigned long long subsequence, unsigned long long offset) {
  unsigned low = ((unsigned)seed ^ 0xaad26b49u) * 1099087573u;
  unsigned high = ((unsigned)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
  state->d = 6615241u + low + high;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  kit_xorwow_skip_subsequences(state, subsequence);
  kit_xorwow_skip_numbers(state, offset);
}

#endif
