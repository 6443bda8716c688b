// verdict: fail
// hazard: build
#include __FILE__
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
}
