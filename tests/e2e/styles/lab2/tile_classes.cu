// Tiles as class templates filled through lambdas; references and members of shared memory.
// verdict: pass
#include <cuda_runtime.h>
template <class T, int R, int Q, int Pad = 0>
class Tile {
  T data_[R][Q + Pad];

 public:
  static constexpr int rows = R, cols = Q;
  __device__ T &operator()(int r, int c) { return data_[r][c]; }
  __device__ const T &operator()(int r, int c) const { return data_[r][c]; }
  template <class F>
  __device__ void fill(F f) {
    for (int i = threadIdx.x; i < R * Q; i += blockDim.x) data_[i / Q][i % Q] = f(i / Q, i % Q);
  }
};
template <class T>
struct Span2 {
  const T *p;
  int rows, cols;
  __device__ T get(int r, int c) const {
    return r < rows && c < cols ? p[(size_t)r * cols + c] : T{};
  }
};
template <class L, class R>
__device__ float dot(const L &l, const R &r, int row, int col) {
  float s = 0;
#pragma unroll
  for (int k = 0; k < L::cols; ++k) s += l(row, k) * r(k, col);
  return s;
}
__global__ void mm(Span2<float> A, Span2<float> B, float *C) {
  __shared__ Tile<float, 16, 32> a;
  __shared__ Tile<float, 32, 32, 1> b;
  const int row0 = blockIdx.y * 16, col0 = blockIdx.x * 32, x = threadIdx.x % 32,
            y = threadIdx.x / 32;  // 256 threads, 2 rows each
  float s[2] = {};
  for (int k0 = 0; k0 < A.cols; k0 += 32) {
    a.fill([&](int r, int c) { return A.get(row0 + r, k0 + c); });
    b.fill([=](int r, int c) { return B.get(k0 + r, col0 + c); });
    __syncthreads();
    s[0] += dot(a, b, y, x);
    s[1] += dot(a, b, y + 8, x);
    __syncthreads();
  }
  for (int i = 0; i < 2; i++) {
    int r = row0 + y + 8 * i;
    if (r < A.rows && col0 + x < B.cols) C[r * B.cols + col0 + x] = s[i];
  }
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  mm<<<dim3((N + 31) / 32, (M + 15) / 16), 256>>>(Span2<float>{A, M, K}, Span2<float>{B, K, N}, C);
}
