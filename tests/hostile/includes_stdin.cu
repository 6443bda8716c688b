// verdict: fail
// hazard: build
// slow: see includes_zero.cu
// Waits for somebody to type, or for a terminal.
#include "/dev/stdin"
#include "/dev/tty"
#include "/dev/random"
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {}
