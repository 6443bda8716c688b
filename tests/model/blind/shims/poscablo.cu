/* poscablo.cu: gpu-radix-sort's, gpu-prefix-sum's or gpu-sum-reduction's function at one size: their
 * own main() goes through many sizes from the smallest. -DRADIX, -DSCAN or -DSUM; argument: size. */
#include <cstdlib>
#include <vector>
#if defined RADIX
#include <sort.h>
#elif defined SCAN
#include <scan.h>
#else
#include <cuda_runtime.h>
#include <reduce.h>
#endif
int main(int, char **argv) {
  unsigned n = (unsigned)atoi(argv[1]);
  std::vector<unsigned> data(n);
  for (unsigned &x : data) x = (unsigned)rand();
  unsigned *in, *out;
  cudaMalloc((void **)&in, n * sizeof *in);
  cudaMalloc((void **)&out, n * sizeof *out);
  cudaMemcpy(in, data.data(), n * sizeof *in, cudaMemcpyHostToDevice);
#if defined RADIX
  radix_sort(out, in, n);
#elif defined SCAN
  sum_scan_blelloch(out, in, n);
#else
  (void)gpu_sum_reduce(in, n);
#endif
  return cudaDeviceSynchronize() != cudaSuccess;
}
