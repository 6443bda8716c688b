// verdict: fail
// hazard: protocol
// slow: see exits_in_constructor.cu
#include <cstdlib>
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  exit(0);
}
