// CUB's device-wide algorithms, on several tiles.
#include <cub/cub.cuh>

#include <algorithm>
#include <numeric>

#include "check.h"

const int COUNT = 9000, BINS = 10;

// Calls an algorithm twice, as CUB has it: for the size of its temporary storage, and to run it.
template <class F>
static void run(F algorithm) {
  void *storage = nullptr;
  size_t bytes = 0;
  CUDA(algorithm(storage, bytes));
  CUDA(cudaMalloc(&storage, bytes));
  CUDA(algorithm(storage, bytes));
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaFree(storage));
}
#define RUN(call, ...) \
  run([&](void *storage, size_t &bytes) { return cub::call(storage, bytes, __VA_ARGS__); })

struct Even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

int main() {
  std::vector<int> in(COUNT), runs(COUNT), want(COUNT);
  for (int i = 0, value = 0; i < COUNT; i++) {
    in[i] = i * 7919 % 1009 - 300;
    if (in[i] % 5 == 0) value = in[i] % 50;
    runs[i] = value;
  }
  int *device = to_device(in), *device_runs = to_device(runs), *out = room<int>(COUNT),
      *lengths = room<int>(COUNT), *count = room<int>(1);
  using ints = std::vector<int>;

  RUN(DeviceReduce::Sum, device, out, COUNT);
  check("DeviceReduce::Sum", holds(out, ints{std::accumulate(in.begin(), in.end(), 0)}));
  RUN(DeviceReduce::Min, device, out, COUNT);
  check("DeviceReduce::Min", holds(out, ints{*std::min_element(in.begin(), in.end())}));
  RUN(DeviceScan::InclusiveSum, device, out, COUNT);
  std::partial_sum(in.begin(), in.end(), want.begin());
  check("DeviceScan::InclusiveSum", holds(out, want));

  ints even;
  for (int x : in)
    if (x % 2 == 0) even.push_back(x);
  RUN(DeviceSelect::If, device, out, count, COUNT, Even());
  check("DeviceSelect::If", holds(count, ints{(int)even.size()}) && holds(out, even));

  ints bins(BINS);
  for (int x : in) bins[(x + 300) / 101]++;
  RUN(DeviceHistogram::HistogramEven, device, out, BINS + 1, -300, 710, COUNT);
  check("DeviceHistogram", holds(out, bins));

  ints heads, each;
  for (int i = 0; i < COUNT; i++)
    if (i && runs[i] == runs[i - 1])
      each.back()++;
    else
      heads.push_back(runs[i]), each.push_back(1);
  RUN(DeviceRunLengthEncode::Encode, device_runs, out, lengths, count, COUNT);
  check("DeviceRunLengthEncode",
        holds(count, ints{(int)heads.size()}) && holds(out, heads) && holds(lengths, each));

  ints offsets = {0}, sums;
  while (offsets.back() < COUNT) {
    int from = offsets.back(), to = std::min<int>(COUNT, from + from % 311 + 7);
    sums.push_back(std::accumulate(in.begin() + from, in.begin() + to, 0));
    offsets.push_back(to);
  }
  int *at = to_device(offsets);
  RUN(DeviceSegmentedReduce::Sum, device, out, (int)sums.size(), at, at + 1);
  check("DeviceSegmentedReduce", holds(out, sums));
  return report();
}
