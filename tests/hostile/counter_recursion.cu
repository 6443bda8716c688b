// verdict: fail
// hazard: build
// slow: see includes_itself.cu
// Includes itself as long as a counter says so, twice each time.
#if __COUNTER__ < 2000000000
#include __FILE__
#include __FILE__
#endif
void matmul(const float *A, const float *B, float *C, int M, int N, int K);
