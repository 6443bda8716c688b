/* kit_curand_philox.h: cuRAND's generator Philox4x32-10, for device code and, in C, for the host
 * library. Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3 (SC11). A number
 * is a word of a counter's cipher: the low half of the counter counts blocks of four numbers, the
 * high half is the subsequence, the key is the seed. */
#ifndef KIT_CURAND_PHILOX_H
#define KIT_CURAND_PHILOX_H

#pragma GCC system_header

#include "kit_curand_xorwow.h"
#include "vector_types.h"

struct curandStatePhilox4_32_10 {
  uint4 ctr, output; /* output: the numbers of ctr */
  uint2 key;
  unsigned int STATE; /* how many of them have been given out, 0 to 3 */
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

KIT_CURAND uint4 kit_philox_cipher(uint4 c, uint2 key) {
  for (int round = 0; round < 10; round++) {
    unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
    c.x = (unsigned)(b >> 32) ^ c.y ^ key.x;
    c.y = (unsigned)b;
    c.z = (unsigned)(a >> 32) ^ c.w ^ key.y;
    c.w = (unsigned)a;
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return c;
}

KIT_CURAND void kit_philox_refresh(struct curandStatePhilox4_32_10 *state) {
  state->output = kit_philox_cipher(state->ctr, state->key);
}

/* The counter goes on by n blocks, without the cipher. */
KIT_CURAND void kit_philox_count(struct curandStatePhilox4_32_10 *state, unsigned long long n) {
  unsigned low = (unsigned)n, high = (unsigned)(n >> 32);
  state->ctr.x += low;
  high += state->ctr.x < low;
  state->ctr.y += high;
  if (state->ctr.y < high && !++state->ctr.z) ++state->ctr.w;
}

KIT_CURAND unsigned kit_philox_next(struct curandStatePhilox4_32_10 *state) {
  uint4 out = state->output;
  unsigned at = state->STATE++;
  unsigned number = at == 0 ? out.x : at == 1 ? out.y : at == 2 ? out.z : out.w;
  if (state->STATE == 4) {
    kit_philox_count(state, 1);
    kit_philox_refresh(state);
    state->STATE = 0;
  }
  return number;
}

KIT_CURAND uint4 kit_philox_next4(struct curandStatePhilox4_32_10 *state) {
  uint4 a = state->output;
  kit_philox_count(state, 1);
  kit_philox_refresh(state);
  uint4 b = state->output;
  switch (state->STATE) {
    case 1:
      return (uint4){a.y, a.z, a.w, b.x};
    case 2:
      return (uint4){a.z, a.w, b.x, b.y};
    case 3:
      return (uint4){a.w, b.x, b.y, b.z};
    default:
      return a;
  }
}

KIT_CURAND void kit_philox_skip_numbers(struct curandStatePhilox4_32_10 *state,
                                        unsigned long long n) {
  unsigned within = state->STATE + (unsigned)(n & 3);
  state->STATE = within & 3;
  kit_philox_count(state, n / 4 + within / 4);
  kit_philox_refresh(state);
}

/* 2^66 numbers each. */
KIT_CURAND void kit_philox_skip_subsequences(struct curandStatePhilox4_32_10 *state,
                                             unsigned long long n) {
  unsigned low = (unsigned)n;
  state->ctr.z += low;
  state->ctr.w += (unsigned)(n >> 32) + (state->ctr.z < low);
  kit_philox_refresh(state);
}

KIT_CURAND void kit_philox_init(struct curandStatePhilox4_32_10 *state, unsigned long long seed,
                                unsigned long long subsequence, unsigned long long offset) {
  state->ctr = (uint4){0, 0, (unsigned)subsequence, (unsigned)(subsequence >> 32)};
  state->key = (uint2){(unsigned)seed, (unsigned)(seed >> 32)};
  state->STATE = 0;
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  kit_philox_skip_numbers(state, offset);
}

#endif
