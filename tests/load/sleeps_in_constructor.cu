// Sleeps before main.
// kind: timeout
// lab: small
#include <unistd.h>
struct early {
  early() { sleep(1000); }
} the_early;
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {}
