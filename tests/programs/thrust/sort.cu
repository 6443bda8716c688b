// Radix sort, by CUB (pairs) and by Thrust (keys), in several passes over several tiles.
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/sort.h>

#include <algorithm>

#include "check.h"

const int COUNT = 9000;

int main() {
  std::vector<unsigned> keys(COUNT);
  std::vector<unsigned> values(COUNT);
  for (unsigned i = 0; i < COUNT; i++) keys[i] = i * 2654435761u >> (i % 3 * 8), values[i] = i;
  unsigned *from = to_device(keys), *to = room<unsigned>(COUNT);
  unsigned *with = to_device(values), *sorted = room<unsigned>(COUNT);
  void *storage = nullptr;
  size_t bytes = 0;
  CUDA(cub::DeviceRadixSort::SortPairs(storage, bytes, from, to, with, sorted, COUNT));
  CUDA(cudaMalloc(&storage, bytes));
  CUDA(cub::DeviceRadixSort::SortPairs(storage, bytes, from, to, with, sorted, COUNT));
  std::stable_sort(values.begin(), values.end(),
                   [&](unsigned a, unsigned b) { return keys[a] < keys[b]; });
  check("DeviceRadixSort::SortPairs", holds(sorted, values));

  thrust::device_vector<unsigned> device(keys);
  thrust::sort_by_key(device.begin(), device.end(), thrust::device_pointer_cast(with));
  std::sort(keys.begin(), keys.end());
  check("its keys", holds(to, keys));
  check("thrust::sort_by_key", holds(thrust::raw_pointer_cast(device.data()), keys));
  check("thrust::sort_by_key, values", holds(with, values));
  return report();
}
