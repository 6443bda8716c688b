// Inline PTX: predicated loads, prefetch, bit fields, lop3, special registers.
// verdict: pass
// may-lose: time
#include <cuda_runtime.h>
__device__ __forceinline__ float ldg_if(const float *p, int ok) {
  float v;
  asm volatile(
      "{\n  .reg .pred p;\n  setp.ne.b32 p, %2, 0;\n  mov.b32 %0, 0;\n  @p ld.global.nc.f32 %0, "
      "[%1];\n}\n"
      : "=f"(v)
      : "l"(p), "r"(ok));
  return v;
}
__device__ __forceinline__ unsigned bfe(unsigned v, unsigned pos, unsigned len) {
  unsigned r;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(v), "r"(pos), "r"(len));
  return r;
}
__device__ __forceinline__ unsigned xor3(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
  unsigned ntid, ctax, warpid;
  asm("mov.u32 %0, %%ntid.x;" : "=r"(ntid));
  asm("mov.u32 %0, %%ctaid.x;" : "=r"(ctax));
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warpid));
  unsigned t = threadIdx.x;
  int c = ctax * 32 + bfe(t, 0, 5), r = blockIdx.y * (ntid >> 5) + xor3(t >> 5, 5, 5);
  int ok = r < M && c < N;
  if (ok) asm volatile("prefetch.global.L2 [%0];" ::"l"(B + c));
  float s = 0;
  for (int k = 0; k < K; k++) s = fmaf(ldg_if(A + r * K + k, ok), ldg_if(B + k * N + c, ok), s);
  if (ok)
    asm volatile("st.global.wt.f32 [%0], %1;" ::"l"(C + r * N + c), "f"(s + (warpid > 1000 ? 1 : 0))
                 : "memory");
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  mm<<<dim3((N + 31) / 32, (M + 7) / 8), 256>>>(A, B, C, M, N, K);
}
