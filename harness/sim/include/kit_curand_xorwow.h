/* kit_curand_xorwow.h: cuRAND's generator XORWOW, for device code and, in C, for the host library:
 * G. Marsaglia's xorwow (Xorshift RNGs, J. Stat. Softw. 8(14), 2003), section 3.1. The words v go
 * by a map that is linear over bits, d by a counter. */
#ifndef KIT_CURAND_XORWOW_H
#define KIT_CURAND_XORWOW_H

#pragma GCC system_header

#ifdef __CUDA__
#include "cuda_runtime.h"
#define KIT_CURAND __kit_device__
#else
#define KIT_CURAND static inline
#endif

/* What becomes of v's 160 bits, one by one, after 4^k numbers, or subsequences of 2^67 each. */
enum { KIT_XORWOW_POWERS = 32 };
struct kit_xorwow_matrices {
  unsigned numbers[KIT_XORWOW_POWERS][160][5], subsequences[KIT_XORWOW_POWERS][160][5];
};
#ifdef __CUDA__
static __device__ struct kit_xorwow_matrices kit_xorwow_matrices; /* the simulator fills it */
#define KIT_XORWOW_MATRICES (&kit_xorwow_matrices)
#else
const struct kit_xorwow_matrices *kit_xorwow_find_matrices(void);
#define KIT_XORWOW_MATRICES kit_xorwow_find_matrices()
#endif

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

/* v moves on by as many steps as the matrix stands for. The loop over words stays one, that over
 * bits has 16 turns at a time: what cuRAND is, compiled by nvcc 13. */
KIT_CURAND void kit_xorwow_move(unsigned v[5], const unsigned (*matrix)[5]) {
  unsigned sum[5] = {0, 0, 0, 0, 0};
#ifdef __CUDA__
#pragma unroll 1
#endif
  for (int word = 0; word < 5; word++) {
#ifdef __CUDA__
#pragma unroll 16
#endif
    for (int bit = 0; bit < 32; bit++)
      if (v[word] & 1u << bit)
        for (int k = 0; k < 5; k++) sum[k] ^= matrix[32 * word + bit][k];
  }
  for (int k = 0; k < 5; k++) v[k] = sum[k];
}

/* Two bits of n at a time, as cuRAND does: up to three moves by the same matrix. */
KIT_CURAND void kit_xorwow_skip(unsigned v[5], unsigned long long n,
                                const unsigned (*matrices)[160][5]) {
  for (; n; n >>= 2, matrices++)
    for (unsigned times = 0; times < (n & 3); times++) kit_xorwow_move(v, *matrices);
}

KIT_CURAND void kit_xorwow_skip_numbers(struct curandStateXORWOW *state, unsigned long long n) {
  kit_xorwow_skip(state->v, n, KIT_XORWOW_MATRICES->numbers);
  state->d += KIT_CURAND_WEYL * (unsigned)n;
}

/* 2^67 numbers each: d comes round to what it was. */
KIT_CURAND void kit_xorwow_skip_subsequences(struct curandStateXORWOW *state,
                                             unsigned long long n) {
  kit_xorwow_skip(state->v, n, KIT_XORWOW_MATRICES->subsequences);
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
