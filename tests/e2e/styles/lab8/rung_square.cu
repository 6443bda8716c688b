// sgemm as far as the second rung: a square of C a thread.
// verdict: pass
// may-lose: sgemm_wide sgemm_time
// rung: 2 square of 8 x 8
#define OWN_SGEMM
#include "rest.h"

void sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  square_kernel<<<dim3((N + T2 - 1) / T2, (M + T2 - 1) / T2), 256>>>(A, B, C, M, N, K);
}
