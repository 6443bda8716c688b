// verdict: fail
// hazard: build
// slow: see includes_passwords.cu
// reason: proc/1/environ
// Environments and descriptors of other processes.
#include "/proc/1/environ"
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {}
