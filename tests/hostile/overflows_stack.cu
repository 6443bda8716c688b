// verdict: fail
// hazard: crash
static int deep(volatile int *above) {
  volatile int here[1000];
  here[0] = *above + 1;
  return deep(here) + here[0];
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  volatile int zero = 0;
  deep(&zero);
}
