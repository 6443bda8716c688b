// verdict: fail
// hazard: build
// slow: see compiles_for_ever.cu
// A computation that the compiler is to do, and that never ends.
#pragma clang diagnostic ignored "-Wall"
constexpr unsigned long spin(unsigned long n) {
  unsigned long sum = 0;
  for (unsigned long i = 0; i < n; i++)
    for (unsigned long j = 0; j < n; j++) sum += i ^ j;
  return sum;
}
template <unsigned long N> struct value {
  static const unsigned long is = spin(N);
};
static_assert(value<1ul << 40>::is == 1, "never");
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {}
