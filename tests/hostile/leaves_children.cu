// verdict: fail
// hazard: wrong
// slow: see forks_by_instruction.cu
// Children that would outlive the grading; the test looks for them by their name.
#include <sys/prctl.h>
#include <unistd.h>
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  for (int i = 0; i < 4; i++) {
    if (fork() == 0) {
      setsid();
      prctl(PR_SET_NAME, "kit-hostile");
      for (;;) sleep(1);
    }
  }
}
