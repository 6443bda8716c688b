/* curand_mtgp32_kernel.h: MTGP32 in device code. All threads of a block, at most 256, draw at the
 * same time from one state; only one block may use it. */
#ifndef KIT_CURAND_MTGP32_KERNEL_H
#define KIT_CURAND_MTGP32_KERNEL_H
#define CURAND_MTGP32_KERNEL_H

#pragma GCC system_header

#include "cuda_runtime.h"
#include "curand.h"
#include "curand_mtgp32.h"
#include "kit_curand_xorwow.h"

#ifdef __CUDA__
/* Number t from the state's offset on. All of them move it on by n. */
KIT_CURAND unsigned kit_mtgp_next(curandStateMtgp32_t *state, unsigned t, unsigned n) {
  const mtgp32_kernel_params_t *k = state->k;
  int set = state->pIdx, pos = k->pos_tbl[set];
  unsigned *s = state->s, at = t + state->offset;
  unsigned x = (s[at & MTGP32_STATE_MASK] & k->mask[0]) ^ s[(at + 1) & MTGP32_STATE_MASK];
  x ^= x << k->sh1_tbl[set];
  unsigned y = x ^ s[(at + pos) & MTGP32_STATE_MASK] >> k->sh2_tbl[set];
  unsigned made = y ^ k->param_tbl[set][y & 15];
  s[(at + MTGPDC_N) & MTGP32_STATE_MASK] = made;
  unsigned helper = s[(at + pos - 1) & MTGP32_STATE_MASK];
  helper ^= helper >> 16;
  helper ^= helper >> 8;
  unsigned number = made ^ k->temper_tbl[set][helper & 15];
  __syncthreads();
  if (t == 0) state->offset = (state->offset + n) & MTGP32_STATE_MASK;
  __syncthreads();
  return number;
}

/* A thread's place is cuRAND's, which is its rank for blocks of one or two dimensions. */
KIT_CURAND unsigned curand(curandStateMtgp32_t *state) {
  return kit_mtgp_next(state,
                       blockDim.z * blockDim.y * threadIdx.z + blockDim.x * threadIdx.y +
                           threadIdx.x,
                       blockDim.x * blockDim.y * blockDim.z);
}
/* Number `index` of n; every thread of the block calls it. */
KIT_CURAND unsigned curand_mtgp32_specific(curandStateMtgp32_t *state, unsigned char index,
                                           unsigned char n) {
  return kit_mtgp_next(state, index, n);
}

#define KIT_NO_SINGLE KIT_LACKS("curand_mtgp32_single; use curand_uniform, in (0, 1]")
KIT_NO_SINGLE __device__ float curand_mtgp32_single(curandStateMtgp32_t *state);
KIT_NO_SINGLE __device__ float curand_mtgp32_single_specific(curandStateMtgp32_t *state,
                                                             unsigned char index, unsigned char n);
#undef KIT_NO_SINGLE
#endif

#endif
