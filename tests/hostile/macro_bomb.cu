// verdict: fail
// hazard: build
// slow: see compiles_for_ever.cu
// A macro that stands for 10^12 words.
#define B0 x = x + 1;
#define B1 B0 B0 B0 B0 B0 B0 B0 B0 B0 B0
#define B2 B1 B1 B1 B1 B1 B1 B1 B1 B1 B1
#define B3 B2 B2 B2 B2 B2 B2 B2 B2 B2 B2
#define B4 B3 B3 B3 B3 B3 B3 B3 B3 B3 B3
#define B5 B4 B4 B4 B4 B4 B4 B4 B4 B4 B4
#define B6 B5 B5 B5 B5 B5 B5 B5 B5 B5 B5
#define B7 B6 B6 B6 B6 B6 B6 B6 B6 B6 B6
#define B8 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  int x = 0;
  B8 B8
  C[0] = x;
}
