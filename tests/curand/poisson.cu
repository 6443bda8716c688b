// poisson.cu: Poisson's distribution by cuRAND's host API, for means on both sides of where NVIDIA's
// library goes another way, as digests. Where it rounds a normal value only a few are printed: a value
// may differ by one where that lies between two.
//
//   harness/kcc tests/curand/poisson.cu -o poisson -lcurand && ./poisson
//   nvcc tests/curand/poisson.cu -o poisson -lcurand && ./poisson                   on a GPU
//   nvcc -DON_HOST tests/curand/poisson.cu -o poisson -lcurand && ./poisson         NVIDIA's library
//   on a CPU
//
// poisson.txt is from the last.
#include "host.h"

static void poisson(curandGenerator_t g, size_t n, double mean, bool normal) {
  array<unsigned> a(n);
  int status = curandGeneratePoisson(g, a.made, n, mean);
  printf("poisson %g, %zu: %d", mean, n, status);
  unsigned long long digest = a.digest(status);
  if (!normal) printf(" %016llx", digest);
  for (size_t i = 0; !status && normal && i < n; i += n / 5 + 1) printf(" %u", a.read[i]);
  putchar('\n');
}

static void draw(curandRngType_t type, double first_normal, unsigned dimensions = 1,
                 size_t n = 9000) {
  curandGenerator_t g;
  printf("== %d: %d\n", type, create(&g, type));
  if (type >= CURAND_RNG_QUASI_DEFAULT) curandSetQuasiRandomGeneratorDimensions(g, dimensions);
  for (double mean : {0.01, 0.5, 1.99, 2., 9.9, 10., 31.9, 32., 500.25, 1999.9, 2000., 5000., 8000.})
    poisson(g, n, mean, mean >= first_normal);
  poisson(g, 1005, 12345, true);
  poisson(g, n, 400000, true);
  poisson(g, 900, 3, false);
  for (double mean : {0., -1., 400000.5}) poisson(g, 9, mean, false);
  poisson(g, 0, 5, false);
  poisson(g, 10, 5, false);
  poisson(g, 3, 5, false);
  integers(g, 99);
  long_longs(g, 99);
  printf("destroy: %d\n", curandDestroyGenerator(g));
}

int main() {
  draw(CURAND_RNG_PSEUDO_XORWOW, 2000);
  draw(CURAND_RNG_PSEUDO_MRG32K3A, 2000);
  draw(CURAND_RNG_PSEUDO_PHILOX4_32_10, 2000);
  draw(CURAND_RNG_PSEUDO_MTGP32, 8001);
  draw(CURAND_RNG_PSEUDO_MT19937, 2000, 1, 500);
  draw(CURAND_RNG_QUASI_SOBOL32, 8001, 3);
  draw(CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, 8001, 3);
  draw(CURAND_RNG_QUASI_SOBOL64, 2000, 3);
  draw(CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, 2000, 3);
}
