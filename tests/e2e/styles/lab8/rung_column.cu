// sgemm as far as the first rung: a column of C a thread.
// verdict: pass
// may-lose: sgemm_wide sgemm_time
// rung: 1 column of 8
#define OWN_SGEMM
#include "rest.h"

void sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  column_kernel<<<dim3((N + T1 - 1) / T1, (M + T1 - 1) / T1), 512>>>(A, B, C, M, N, K);
}
