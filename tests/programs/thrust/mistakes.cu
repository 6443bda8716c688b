// Mistakes of programs that use CUB and Thrust, by number: what the library's kernels then do to
// the program's arrays is reported.
#include <cub/device/device_reduce.cuh>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include "check.h"

const int COUNT = 1000;

static void reduce(const int *in, int count) {
  int *out = room<int>(1);
  void *storage = nullptr;
  size_t bytes = 0;
  CUDA(cub::DeviceReduce::Sum(storage, bytes, in, out, count));
  CUDA(cudaMalloc(&storage, bytes));
  CUDA(cub::DeviceReduce::Sum(storage, bytes, in, out, count));
  CUDA(cudaDeviceSynchronize());
}

int main(int, char **argv) {
  std::vector<int> in(COUNT);
  int *device = room<int>(COUNT);
  switch (atoi(argv[1])) {
    case 1:  // bytes and elements confused: most of the array has nothing in it
      CUDA(cudaMemcpy(device, in.data(), COUNT, cudaMemcpyHostToDevice));
      reduce(device, COUNT);
      break;
    case 2:  // more elements than there are
      reduce(to_device(in), COUNT + 1);
      break;
    case 3:  // a functor that counts without an atomic
      CUDA(cudaMemset(device, 0, COUNT * sizeof(int)));
      thrust::for_each(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(COUNT),
                       [device] __device__(int i) { device[0] += i; });
      break;
  }
  return 0;
}
