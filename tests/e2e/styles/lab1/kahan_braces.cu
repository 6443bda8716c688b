// Kahan summation with named rounding; the launch configuration in braces.
// verdict: pass
// may-lose: time
#include <cuda_runtime.h>
#include <cmath>
namespace {
struct Kahan {
  float sum = 0.0f, c = 0.0f;
  __device__ __forceinline__ void add(float x) {
    float y = __fsub_rn(x, c);
    float t = __fadd_rn(sum, y);
    c = __fsub_rn(__fsub_rn(t, sum), y);
    sum = t;
  }
  __device__ operator float() const { return sum; }
};
__global__ __launch_bounds__(256, 2) void k(const float *a, const float *b, float *c, int m, int n,
                                            int kk) {
  const auto x = blockIdx.x * blockDim.x + threadIdx.x;
  const auto y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!(x < n && y < m)) return;
  Kahan acc;
  for (int i = 0; i != kk; i++) acc.add(__fmul_rn(a[y * kk + i], b[i * n + x]));
  c[y * n + x] = acc;
}
}  // namespace
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  k<<<{(unsigned)(N + 31) / 32, (unsigned)(M + 7) / 8}, {32, 8}>>>(A, B, C, M, N, K);
}
