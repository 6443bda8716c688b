// Shared memory through inline PTX with 32-bit addresses.
// verdict: pass
#include <cuda_runtime.h>
#include <cstdint>
__device__ __forceinline__ uint32_t smem_u32(const void *p) {
  uint32_t a;
  asm("{ .reg .u64 u; cvta.to.shared.u64 u, %1; cvt.u32.u64 %0, u; }" : "=r"(a) : "l"(p));
  return a;
}
__device__ __forceinline__ void sts(uint32_t a, float v) {
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(a), "f"(v) : "memory");
}
__device__ __forceinline__ float lds(uint32_t a) {
  float v;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(a) : "memory");
  return v;
}
__device__ __forceinline__ float4 lds4(uint32_t a) {
  float4 v;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "r"(a)
               : "memory");
  return v;
}
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ __align__(16) float a[32][32];
  __shared__ float b[32][32];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32 + y, col = blockIdx.x * 32 + x;
  uint32_t pa = smem_u32(&a[y][0]), pb = static_cast<uint32_t>(__cvta_generic_to_shared(&b[0][x]));
  float s = 0;
  for (int t = 0; t < K; t += 32) {
    sts(pa + x * 4, row < M && t + x < K ? A[row * K + t + x] : 0.0f);
    sts(pb + y * 128, t + y < K && col < N ? B[(t + y) * N + col] : 0.0f);
    asm volatile("bar.sync 0;" ::: "memory");
#pragma unroll
    for (int k = 0; k < 32; k += 4) {
      float4 v = lds4(pa + k * 4);
      s += v.x * lds(pb + k * 128);
      s += v.y * lds(pb + k * 128 + 128);
      s += v.z * lds(pb + k * 128 + 256);
      s += v.w * lds(pb + k * 128 + 384);
    }
    asm volatile("barrier.sync 0;" ::: "memory");
  }
  if (row < M && col < N) C[row * N + col] = s;
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  mm<<<dim3((N + 31) / 32, (M + 31) / 32), dim3(32, 32)>>>(A, B, C, M, N, K);
}
