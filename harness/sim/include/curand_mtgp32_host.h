/* curand_mtgp32_host.h: how a program sets up MTGP32 for its kernels (cuRAND, "Device API", "Bit
 * generation with the MTGP32 generator"): parameters and states, into memory of the device. */
#ifndef KIT_CURAND_MTGP32_HOST_H
#define KIT_CURAND_MTGP32_HOST_H
#define CURAND_MTGP32_HOST_H

#pragma GCC system_header

#include <stdlib.h>

#include "cuda_runtime.h"
#include "curand.h"
#include "curand_mtgp32dc_p_11213.h"

/* A state of a set of parameters from a seed (Knuth's generator for seeds, TAOCP 2, 3rd ed., p.
 * 106, over a filling that goes by the set). */
static inline void mtgp32_init_state(unsigned int state[], const mtgp32_params_fast_t *set,
                                     unsigned int seed) {
  unsigned int hidden = set->tbl[4] ^ set->tbl[8] << 16, fill = hidden;
  fill += fill >> 16;
  fill += fill >> 8;
  fill = (fill & 0xff) * 0x01010101u;
  state[0] = seed;
  for (unsigned int i = 1; i < MTGPDC_N; i++)
    state[i] = (i == 1 ? hidden : fill) ^
               (1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i);
}

/* CURAND_NUM_MTGP32_PARAMS sets, to *to in memory of the device. */
static inline curandStatus_t curandMakeMTGP32Constants(const mtgp32_params_fast_t sets[],
                                                       mtgp32_kernel_params_t *to) {
  mtgp32_kernel_params_t *made = (mtgp32_kernel_params_t *)malloc(sizeof *made);
  if (!made) return CURAND_STATUS_ALLOCATION_FAILED;
  made->mask[0] = sets[0].mask;
  for (int i = 0; i < CURAND_NUM_MTGP32_PARAMS; i++) {
    made->pos_tbl[i] = (unsigned int)sets[i].pos;
    made->sh1_tbl[i] = (unsigned int)sets[i].sh1;
    made->sh2_tbl[i] = (unsigned int)sets[i].sh2;
    for (int k = 0; k < TBL_SIZE; k++) {
      made->param_tbl[i][k] = sets[i].tbl[k];
      made->temper_tbl[i][k] = sets[i].tmp_tbl[k];
      made->single_temper_tbl[i][k] = sets[i].flt_tmp_tbl[k];
    }
  }
  cudaError_t error = cudaMemcpy(to, made, sizeof *made, cudaMemcpyHostToDevice);
  free(made);
  return error ? CURAND_STATUS_INITIALIZATION_FAILED : CURAND_STATUS_SUCCESS;
}

/* n states, of the first n sets, to `to`; both, and `constants`, in memory of the device. */
static inline curandStatus_t curandMakeMTGP32KernelState(curandStateMtgp32_t *to,
                                                         mtgp32_params_fast_t sets[],
                                                         mtgp32_kernel_params_t *constants, int n,
                                                         unsigned long long seed) {
  curandStateMtgp32_t *made = (curandStateMtgp32_t *)calloc((size_t)n, sizeof *made);
  if (!made) return CURAND_STATUS_ALLOCATION_FAILED;
  for (int i = 0; i < n; i++) {
    mtgp32_init_state(made[i].s, &sets[i],
                      (unsigned int)(seed ^ seed >> 32) + (unsigned int)i + 1);
    made[i].pIdx = i;
    made[i].k = constants;
  }
  cudaError_t error = cudaMemcpy(to, made, (size_t)n * sizeof *made, cudaMemcpyHostToDevice);
  free(made);
  return error ? CURAND_STATUS_INITIALIZATION_FAILED : CURAND_STATUS_SUCCESS;
}

#endif
