/* curand_mtgp32.h: the parameters and the state of cuRAND's generator MTGP32, a Mersenne twister
 * for GPUs with the period 2^11213 - 1 (M. Saito, M. Matsumoto, Variants of Mersenne Twister
 * suitable for graphic processors, ACM TOMS 39(2), 2013). A state is one block's: its threads draw
 * together. */
#ifndef KIT_CURAND_MTGP32_H
#define KIT_CURAND_MTGP32_H
#define CURAND_MTGP32_H

#pragma GCC system_header

#define MTGPDC_MEXP 11213
#define MTGPDC_N 351 /* words of the recurrence */
#define MTGP32_STATE_SIZE 1024
#define MTGP32_STATE_MASK 1023
#define CURAND_NUM_MTGP32_PARAMS 200
#define TBL_SIZE 16

/* A set of parameters, as the authors' program that searches for them writes it, without its digest
 * of the characteristic polynomial. */
struct mtgp32_params_fast {
  int mexp, pos, sh1, sh2;
  unsigned int tbl[TBL_SIZE], tmp_tbl[TBL_SIZE]; /* by four bits: of the recurrence, of tempering */
  unsigned int flt_tmp_tbl[TBL_SIZE];            /* of tempering to a float in [1, 2) */
  unsigned int mask;
};
typedef struct mtgp32_params_fast mtgp32_params_fast_t;

/* The sets for kernels. */
struct mtgp32_kernel_params {
  unsigned int pos_tbl[CURAND_NUM_MTGP32_PARAMS];
  unsigned int param_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
  unsigned int temper_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
  unsigned int single_temper_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
  unsigned int sh1_tbl[CURAND_NUM_MTGP32_PARAMS];
  unsigned int sh2_tbl[CURAND_NUM_MTGP32_PARAMS];
  unsigned int mask[1];
};
typedef struct mtgp32_kernel_params mtgp32_kernel_params_t;

struct curandStateMtgp32 {
  unsigned int s[MTGP32_STATE_SIZE]; /* a ring: the next number's oldest word is at offset */
  int offset;
  int pIdx; /* its set of parameters */
  mtgp32_kernel_params_t *k;
};
typedef struct curandStateMtgp32 curandStateMtgp32_t;

#endif
