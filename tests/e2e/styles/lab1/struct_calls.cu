// Structs by value into and out of functions that are not inlined; short, char and bool arguments.
// verdict: pass
#include <cuda_runtime.h>
struct Vec3 {
  float v[3];
  int n;
};
struct Big {
  double d[6];
  Vec3 in;
};
__device__ __noinline__ Vec3 make(float a, float b, float c, int n) {
  Vec3 r = {{a, b, c}, n};
  return r;
}
__device__ __noinline__ Big widen(Vec3 v, const float &scale) {
  Big b;
  for (int i = 0; i < 6; i++) b.d[i] = v.v[i % 3] * scale;
  b.in = v;
  return b;
}
__device__ __noinline__ double total(Big b, char which, short extra, bool neg, long long big) {
  return (which == 'x' ? b.d[0] + b.d[1] + b.d[2] : 0) + extra * 0 + (neg ? -1 : 0) +
         (big == 1LL << 40 ? 0 : 1e9);
}
template <typename... F>
__device__ float sum_all(F... f) {
  return (f + ... + 0.0f);
}
__device__ __noinline__ void add(float *acc, float v) { *acc += v; }
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= N || r >= M) return;
  float s = 0, one = 1.0f;
  int k = 0;
  if (M <= 128)
    for (; k + 2 < K; k += 3) {
      const float *a = A + r * K + k, *b = B + k * N + c;
      add(&s, (float)total(widen(make(a[0] * b[0], a[1] * b[N], a[2] * b[2 * N], 3), one), 'x',
                           (short)k, false, 1LL << 40));
    }
  for (; k < K; k++) s = sum_all(s, A[r * K + k] * B[k * N + c]);
  C[r * N + c] = s;
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  mm<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>(A, B, C, M, N, K);
}
