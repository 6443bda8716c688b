/* product.cu: a program's own product at one size: its main() has a constant size, or needs cuBLAS.
 * -DRUN is the function of the program, -DTYPE=0: (A, B, C, m, n, k), 1: (m, n, k, A, B, C, alpha,
 * beta), 2: the same with 8-bit A and B, 3: (A, B, C, n, k) of halves, a product with a vector.
 * -Dmain=other_main keeps the program's main() out of the way. Arguments: m n k. */
#undef main
#include <cstdint>
#include <cstdlib>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>
#if TYPE == 0
void RUN(float *, float *, float *, int, int, int);
using In = float;
#elif TYPE == 1
void RUN(int, int, int, float *, float *, float *, float, float);
using In = float;
#elif TYPE == 2
void RUN(int, int, int, int8_t *, int8_t *, int32_t *, int32_t, int32_t);
using In = int8_t;
#else
void RUN(half *, half *, half *, size_t, size_t);
using In = half;
#endif
int main(int, char **argv) {
  size_t m = strtoul(argv[1], nullptr, 10), n = strtoul(argv[2], nullptr, 10);
  size_t k = strtoul(argv[3], nullptr, 10);
  std::vector<In> ha(m * k), hb(k * n);
  for (In &x : ha) x = (In)(float)(rand() % 7 - 3);
  for (In &x : hb) x = (In)(float)(rand() % 7 - 3);
  In *a, *b;
  void *c;
  cudaMalloc((void **)&a, ha.size() * sizeof(In));
  cudaMalloc((void **)&b, hb.size() * sizeof(In));
  cudaMalloc(&c, m * n * 4);
  cudaMemcpy(a, ha.data(), ha.size() * sizeof(In), cudaMemcpyHostToDevice);
  cudaMemcpy(b, hb.data(), hb.size() * sizeof(In), cudaMemcpyHostToDevice);
  cudaMemset(c, 0, m * n * 4);
#if TYPE == 0
  RUN(a, b, (float *)c, (int)m, (int)n, (int)k);
#elif TYPE == 1
  RUN((int)m, (int)n, (int)k, a, b, (float *)c, 1, 0);
#elif TYPE == 2
  RUN((int)m, (int)n, (int)k, a, b, (int32_t *)c, 1, 0);
#else
  RUN(a, b, (half *)c, n, k);
#endif
  return cudaDeviceSynchronize() != cudaSuccess;
}
