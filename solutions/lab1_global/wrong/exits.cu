// Ends the whole program "successfully" before anything is computed.
// verdict: fail
// loses: small shapes sizes hazards loads stores time
// reason: exit
#include <cstdlib>

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  (void)A, (void)B, (void)C, (void)M, (void)N, (void)K;
  exit(0);
}
