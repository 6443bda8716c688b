/* async.cu: what Nsight Compute counts for asynchronous copies and for matrices moved between
 * shared memory and registers, one launch of one warp each. Not compared yet: the simulator counts
 * a copy as a global load and a shared store, and ldmatrix and stmatrix as accesses of 16 bytes by
 * the lanes that have addresses. On a GPU, and on the simulator (the same launches in its report):
 *
 *     nvcc -O3 -arch=sm_90 -o build/async_counters tests/counters/async.cu
 *     ncu --csv --page raw --clock-control none --print-units base --metrics "regex:(l1tex|smsp)__\
 *     .*(ldgsts|ldsm|stsm|global_op_ld|shared_op_ld|shared_op_st).*" build/async_counters
 *
 *     harness/kcc -O3 -o build/async_sim tests/counters/async.cu
 *     KIT_REPORT=build/async.json build/async_sim
 */
#include <cstdio>
#include <cstdlib>

/* Lanes copy BYTES each, `stride` bytes apart in global and `step` in shared memory. */
template <int BYTES, bool L1>
__global__ void copy(const char *in, int stride, int step, int bytes) {
  extern __shared__ __align__(16) char s[];
  unsigned to = (unsigned)__cvta_generic_to_shared(s + threadIdx.x * step);
  const char *from = in + threadIdx.x * stride;
  if (BYTES == 16 && !L1)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(to), "l"(from), "r"(bytes)
                 : "memory");
  else if (BYTES == 16)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(to), "l"(from), "r"(bytes)
                 : "memory");
  else if (BYTES == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;"
                 :
                 : "r"(to), "l"(from), "r"(bytes)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                 :
                 : "r"(to), "l"(from), "r"(bytes)
                 : "memory");
  asm volatile("cp.async.wait_all;" : : : "memory");
}

/* Rows `pitch` bytes apart: 16 meet no bank twice, 32 two times, 128 eight times. */
template <int COUNT, bool STORES>
__global__ void matrices(unsigned *out, int pitch) {
  extern __shared__ __align__(16) char s[];
  unsigned at = (unsigned)__cvta_generic_to_shared(s + threadIdx.x * pitch), r[4] = {0, 1, 2, 3};
  if (STORES && COUNT == 4)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};"
                 :
                 : "r"(at), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
                 : "memory");
  else if (STORES)
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};"
                 :
                 : "r"(at), "r"(r[0])
                 : "memory");
  else if (COUNT == 4)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at)
                 : "memory");
  else if (COUNT == 2)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(at)
                 : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(r[0])
                 : "r"(at)
                 : "memory");
  out[threadIdx.x] = r[0] + r[1] + r[2] + r[3];
}

int main() {
  char *in;
  unsigned *out;
  if (cudaMalloc(&in, 1 << 16) || cudaMalloc(&out, 128) || cudaMemset(in, 0, 1 << 16)) exit(2);
#define COPY(bytes, l1, stride, step, read)                      \
  copy<bytes, l1><<<1, 32, 32 * step>>>(in, stride, step, read); \
  std::printf("copy %d %s, stride %d to %d, %d read\n", bytes, l1 ? "ca" : "cg", stride, step, read)
  COPY(16, false, 16, 16, 16);
  COPY(16, true, 16, 16, 16);
  COPY(8, true, 8, 8, 8);
  COPY(4, true, 4, 4, 4);
  COPY(16, false, 128, 16, 16);
  COPY(4, true, 128, 4, 4);
  COPY(16, false, 16, 128, 16);
  COPY(4, true, 4, 128, 4);
  COPY(4, true, 0, 4, 4);
  COPY(16, false, 16, 16, 8);
  COPY(16, false, 16, 16, 0);
#define MATRICES(count, stores, pitch)                        \
  matrices<count, stores><<<1, 32, 32 * pitch>>>(out, pitch); \
  std::printf("%s x%d, rows %d apart\n", stores ? "stmatrix" : "ldmatrix", count, pitch)
  MATRICES(1, false, 16);
  MATRICES(2, false, 16);
  MATRICES(4, false, 16);
  MATRICES(4, false, 32);
  MATRICES(4, false, 128);
  MATRICES(4, false, 144);
  MATRICES(1, true, 16);
  MATRICES(4, true, 16);
  MATRICES(4, true, 128);
  if (cudaDeviceSynchronize()) exit(2);
  cudaFree(in);
  cudaFree(out);
}
