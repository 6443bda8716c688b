/* cjk.cu: CUDA_gemm's kernels, each launched as its benchmark does, but once, and without the
 * libraries that it compares with. -DDENSE, -DQUANTIZE=8 or 4, -DQUANTIZE_INT or -DSPARSE;
 * argument: size. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>
#if defined DENSE
#include <dense.cu>
enum { BM = 96, BK = 32, BN = 64, TY = 6, TX = 4 };
#else
enum { BM = 32, BK = 32, BN = 32, TY = 4, TX = 4 };
#if defined QUANTIZE_INT
#include <quantization_int.cu>
#elif defined SPARSE
#include <sparse.cu>
#elif QUANTIZE == 8
#include <quantization_8bit.cu>
#else
#include <quantization_4bit.cu>
#endif
#endif

template <typename T> static T *device(const std::vector<T> &host) {
  T *at;
  cudaMalloc((void **)&at, host.size() * sizeof(T));
  cudaMemcpy(at, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return at;
}

int main(int, char **argv) {
  int n = atoi(argv[1]);
  dim3 block(BN / TX, BM / TY), grid(n / BN, n / BM);
#if defined DENSE || defined SPARSE
  std::vector<float> values((size_t)n * n);
  for (float &x : values) x = (float)(rand() % 5);
  float *a = device(values), *b = device(values), *c = device(values);
#else
  std::vector<uint8_t> values((size_t)n * n);
  for (uint8_t &x : values) x = (uint8_t)(rand() % 3);
  uint32_t *a = (uint32_t *)device(values), *b = (uint32_t *)device(values);
  uint32_t *c = (uint32_t *)device(values);
#endif
#if defined DENSE
  MatrixMulCUDA6<BM, BK, BN, TY, TX, false><<<grid, block>>>(a, b, c, n, n, n, 2.0f, 2.0f);
#elif defined QUANTIZE_INT
  MatrixMulCUDAQuantize<BM, BK, BN, TY, TX, 8, false><<<grid, block>>>(a, b, c, n, n);
#elif defined SPARSE
  int blocks = n / BK; // every second block is there, as the benchmark has it with a stride of 2
  std::vector<int> rows{0}, columns;
  for (int y = 0; y < n / BM; y++) {
    for (int x = 0; x < blocks; x++)
      if ((y * blocks + x) % 2 == 0) columns.push_back(x);
    rows.push_back((int)columns.size());
  }
  MatrixMulCUDA5<BM, BK, BN, TY, TX, false>
      <<<grid, block>>>(a, device(columns), device(rows), b, c, n, n);
#elif QUANTIZE == 8
  MatrixMulCUDAQuantize8bit<BM, BK, BN, TY, TX, 8, false><<<grid, block>>>(a, b, c, n, n);
#else
  MatrixMulCUDAQuantize4bit<BM, BK, BN, TY, TX, 4, false><<<grid, block>>>(a, b, c, n, n);
#endif
  return cudaDeviceSynchronize() != cudaSuccess;
}
