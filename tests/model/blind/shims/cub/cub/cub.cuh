/* cub.cuh: no CUB: what the developer blog's parallel_reduction_with_shfl names of it, to compare
 * its own kernels with. It does nothing. */
#pragma once
#include <cstddef>
namespace cub {
struct Sum {};
struct DeviceReduce {
  template <typename... T> static int Reduce(void *, size_t &bytes, T...) { return bytes = 256, 0; }
};
}
