// verdict: fail
// hazard: build
template <int N, int M> struct bomb {
  static constexpr int value = bomb<N - 1, 2 * M>::value + bomb<N - 1, 2 * M + 1>::value;
};
template <int M> struct bomb<0, M> {
  static constexpr int value = 1;
};
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  C[0] = bomb<29, 0>::value;
}
