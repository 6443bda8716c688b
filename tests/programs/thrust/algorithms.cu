// Thrust's algorithms, on device and host vectors.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include <algorithm>
#include <numeric>

#include "check.h"

enum { COUNT = 3000 };

struct Even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};

int main() {
  thrust::host_vector<int> host(COUNT);
  for (int i = 0; i < COUNT; i++) host[i] = i * 7919 % 101 / 10;
  std::vector<int> in(host.begin(), host.end()), want(COUNT);
  thrust::device_vector<int> device = host, out(COUNT), keys(COUNT), sums(COUNT);
  auto same = [](thrust::device_vector<int> &got, const std::vector<int> &want) {
    return thrust::host_vector<int>(got.begin(), got.begin() + want.size()) == want;
  };

  check("reduce",
        thrust::reduce(device.begin(), device.end()) == std::accumulate(in.begin(), in.end(), 0));
  check("transform_reduce",
        thrust::transform_reduce(device.begin(), device.end(), Square(), 0, thrust::plus<int>()) ==
            std::inner_product(in.begin(), in.end(), in.begin(), 0));
  thrust::transform(device.begin(), device.end(), device.begin(), out.begin(),
                    thrust::multiplies<int>());
  for (int i = 0; i < COUNT; i++) want[i] = in[i] * in[i];
  check("transform", same(out, want));
  thrust::inclusive_scan(device.begin(), device.end(), out.begin());
  std::partial_sum(in.begin(), in.end(), want.begin());
  check("inclusive_scan", same(out, want));
  thrust::exclusive_scan(device.begin(), device.end(), out.begin(), 5);
  for (int i = COUNT - 1; i > 0; i--) want[i] = want[i - 1] + 5;
  want[0] = 5;
  check("exclusive_scan", same(out, want));

  auto end = thrust::copy_if(device.begin(), device.end(), out.begin(), Even());
  std::vector<int> even;
  for (int x : in)
    if (x % 2 == 0) even.push_back(x);
  check("copy_if", end - out.begin() == (long)even.size() && same(out, even));

  std::vector<int> heads, totals;
  for (int i = 0; i < COUNT; i++)
    if (i && in[i] == in[i - 1])
      totals.back() += i;
    else
      heads.push_back(in[i]), totals.push_back(i);
  thrust::sequence(out.begin(), out.end());
  auto ends =
      thrust::reduce_by_key(device.begin(), device.end(), out.begin(), keys.begin(), sums.begin());
  check("reduce_by_key",
        ends.first - keys.begin() == (long)heads.size() && same(keys, heads) && same(sums, totals));
  device.erase(thrust::unique(device.begin(), device.end()), device.end());  // in place
  check("unique", device.size() == heads.size() && same(device, heads));
  return report();
}
