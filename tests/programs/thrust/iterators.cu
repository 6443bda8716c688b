// Thrust's iterators, pointers, streams, managed vectors, complex and random numbers, exceptions.
#include <thrust/complex.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/universal_vector.h>

#include <cmath>
#include <new>

#include "check.h"

enum { COUNT = 3000 };

struct Square {
  __host__ __device__ long operator()(int x) const { return (long)x * x; }
};
struct Uniform {
  __host__ __device__ float operator()(int i) const {
    thrust::default_random_engine engine;
    engine.discard(i);
    return thrust::uniform_real_distribution<float>(0, 1)(engine);
  }
};
struct Normal {
  __host__ __device__ float operator()(int i) const {
    thrust::minstd_rand engine(i + 1);
    engine.discard(7);
    return thrust::normal_distribution<float>(2, 3)(engine);
  }
};

int main() {
  thrust::counting_iterator<int> from(0), to(COUNT);
  thrust::device_vector<int> values(COUNT), reversed(COUNT);
  thrust::transform(from, to, values.begin(), [] __device__(int i) { return i * 37 % 1009; });
  thrust::transform(from, to, reversed.begin(), [] __device__(int i) { return COUNT - 1 - i; });
  int at = 0;
  for (int i = 0; i < COUNT; i++)
    if (i * 37 % 1009 > at * 37 % 1009) at = i;
  // Its partial results are pairs with padding between their members.
  check("max_element", thrust::max_element(values.begin(), values.end()) - values.begin() == at);
  check("transform_iterator", thrust::reduce(thrust::make_transform_iterator(from, Square()),
                                             thrust::make_transform_iterator(to, Square())) ==
                                  (COUNT - 1l) * COUNT * (2 * COUNT - 1) / 6);
  auto backward = thrust::make_permutation_iterator(values.begin(), reversed.begin());
  check("permutation_iterator", backward[1] == (COUNT - 2) * 37 % 1009);
  auto both = thrust::make_zip_iterator(thrust::make_tuple(values.begin(), backward));
  thrust::device_vector<long> products(COUNT);
  thrust::transform(both, both + COUNT, products.begin(),
                    [] __device__(const thrust::tuple<int, int> &t) {
                      return (long)thrust::get<0>(t) * thrust::get<1>(t);
                    });
  long product = 0;
  for (int i = 0; i < COUNT; i++) product += (i * 37 % 1009) * ((COUNT - 1 - i) * 37 % 1009);
  check("zip_iterator", thrust::reduce(products.begin(), products.end()) == product);

  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  thrust::device_ptr<int> pointer(room<int>(COUNT));
  thrust::for_each(thrust::cuda::par.on(stream), from, to,
                   [pointer] __device__(int i) { thrust::raw_pointer_cast(pointer)[i] = 2 * i; });
  CUDA(cudaStreamSynchronize(stream));
  check("par.on, device_ptr", pointer[17] == 34);
  CUDA(cudaStreamDestroy(stream));
  thrust::universal_vector<int> managed(COUNT);
  for (int i = 0; i < COUNT; i++) managed[i] = i;
  check("universal_vector",
        thrust::reduce(thrust::device, managed.begin(), managed.end()) == COUNT * (COUNT - 1) / 2);

  using complex = thrust::complex<float>;
  thrust::device_vector<complex> turns(COUNT);
  thrust::transform(from, to, turns.begin(), [] __device__(int i) {
    return thrust::exp(complex(0, 6.2831853f * i / COUNT)) * complex(3, 4);
  });
  complex quarter = turns[COUNT / 4];
  check("complex", abs(quarter - complex(-4, 3)) < 1e-5f);

  thrust::device_vector<float> random(COUNT), normal(COUNT);
  thrust::transform(from, to, random.begin(), Uniform());
  thrust::transform(from, to, normal.begin(), Normal());
  thrust::host_vector<float> uniform = random, gaussian = normal;
  bool same = true;
  double mean = 0;
  for (int i = 0; i < COUNT; i++) {
    same = same && uniform[i] == Uniform()(i) && fabsf(gaussian[i] - Normal()(i)) < 1e-5f;
    mean += gaussian[i] / COUNT;
  }
  check("random, normal", same && fabs(mean - 2) < 0.3);

  bool caught = false;
  try {
    thrust::device_vector<double> too_large(1ull << 40);
  } catch (const std::bad_alloc &) {
    caught = true;
  }
  check("bad_alloc", caught);
  return report();
}
