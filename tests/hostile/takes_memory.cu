// verdict: fail
// hazard: memory
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  char *volatile memory = new char[100ll << 30];
  for (long long i = 0; i < 100ll << 30; i += 4096) memory[i] = 1;
}
