// Sleeps, a little at a time.
// kind: timeout
// lab: small
#include <unistd.h>
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  for (;;) usleep(2000);
}
