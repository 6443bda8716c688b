// verdict: fail
// hazard: build
// A header without end.
#include "/dev/zero"
#include "/dev/full"
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {}
