// verdict: fail
// hazard: crash
#include <signal.h>
#include <unistd.h>
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  kill(getpid(), SIGKILL);
}
