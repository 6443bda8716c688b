// A recursion on the host that does not end.
// kind: crash
__attribute__((noinline)) int down(volatile int *x) {
  volatile int y = *x + 1;
  return down(&y) + y;
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  volatile int x = 0;
  C += down(&x);
}
