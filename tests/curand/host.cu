// host.cu: what cuRAND's host API returns and in which order it deals out the numbers, call by
// call, as digests; normal values with two digits.
//
//   harness/kcc tests/curand/host.cu -o host -lcurand && ./host | diff tests/curand/host.txt -
//   nvcc tests/curand/host.cu -o host -lcurand && ./host                   on a GPU
//   nvcc -DON_HOST tests/curand/host.cu -o host -lcurand && ./host         NVIDIA's library on a
//   CPU
//
// host.txt is from the last.
#include "host.h"

static void draw(curandRngType_t type, unsigned long long seed, unsigned long long offset,
                 curandOrdering_t order = CURAND_ORDERING_PSEUDO_DEFAULT) {
  curandGenerator_t g;
  int made = create(&g, type);
  int seeded = curandSetPseudoRandomGeneratorSeed(g, seed);
  int moved = curandSetGeneratorOffset(g, offset);
  if (order != CURAND_ORDERING_PSEUDO_DEFAULT) curandSetGeneratorOrdering(g, order);
  printf("== %d %llx %llx: %d %d %d\n", type, seed, offset, made, seeded, moved);
  integers(g, 10000);
  uniform(g, 1000);
  doubles(g, 5000);
  normal(g, 10000);
  normal_doubles(g, 10000);
  integers(g, 5000);
  log_normal(g, 500);
  log_normal_doubles(g, 9002);
  doubles(g, 9000);
  normal(g, 4);
  integers(g, 100);
  printf("offset: %d\n", curandSetGeneratorOffset(g, 3));
  integers(g, 10);
  doubles(g, 300000);
  integers(g, 100);
  printf("destroy: %d\n", curandDestroyGenerator(g));
}

static void draw_mt19937(unsigned long long seed) {
  curandGenerator_t g;
  int made = create(&g, CURAND_RNG_PSEUDO_MT19937);
  int seeded = curandSetPseudoRandomGeneratorSeed(g, seed), moved = curandSetGeneratorOffset(g, 3);
  printf("== mt19937 %llx: %d %d %d\n", seed, made, seeded, moved);
  integers(g, 5003);
  uniform(g, 7);
  doubles(g, 1000);
  normal(g, 3001);
  normal_doubles(g, 1001);
  log_normal(g, 500);
  printf("order: %d", curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_BEST));
  printf(" %d\n", curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_LEGACY));
  integers(g, 1000);
  printf("destroy: %d\n", curandDestroyGenerator(g));
}

static void statuses() {
  curandGenerator_t g;
  curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_XORWOW);
  unsigned long long x[4] = {};
  printf("long long %d, dimensions %d, order %d %d %d, none %d, type 7 %d\n",
         curandGenerateLongLong(g, x, 4), curandSetQuasiRandomGeneratorDimensions(g, 2),
         curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_BEST),
         curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT),
         curandSetGeneratorOrdering(g, (curandOrdering_t)7), curandGenerate(g, (unsigned *)x, 0),
         curandCreateGeneratorHost(&g, (curandRngType_t)7));
  curandDestroyGenerator(g);
  curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_XORWOW);
  printf("odd %d %d %d\n", curandGenerateNormal(g, (float *)x, 3, 0, 1),
         curandGenerateNormalDouble(g, (double *)x, 3, 0, 1),
         curandGenerateLogNormal(g, (float *)x, 1, 0, 1));
  printf("null: %d %d %d %d %d\n", curandCreateGeneratorHost(0, CURAND_RNG_PSEUDO_DEFAULT),
         curandGenerate(0, (unsigned *)x, 4), curandSetPseudoRandomGeneratorSeed(0, 1),
         curandDestroyGenerator(0), curandSetStream(0, 0));
}

int main() {
  draw(CURAND_RNG_PSEUDO_DEFAULT, 0, 0);
  draw(CURAND_RNG_PSEUDO_XORWOW, 1234, 5);
  draw(CURAND_RNG_PSEUDO_XORWOW, 0x123456789abcdef0, 1000000007);
  draw(CURAND_RNG_PSEUDO_PHILOX4_32_10, 1234, 0);
  draw(CURAND_RNG_PSEUDO_PHILOX4_32_10, 0x123456789abcdef0, 1000000007);
  draw(CURAND_RNG_PSEUDO_MRG32K3A, 0, 0);
  draw(CURAND_RNG_PSEUDO_MRG32K3A, 0x123456789abcdef0, 1000000007);
  draw(CURAND_RNG_PSEUDO_MRG32K3A, 1234, 5, CURAND_ORDERING_PSEUDO_LEGACY);
  draw(CURAND_RNG_PSEUDO_MTGP32, 0, 0);
  draw(CURAND_RNG_PSEUDO_MTGP32, 0x123456789abcdef0, 0);
  draw(CURAND_RNG_PSEUDO_MTGP32, 1234, 0, CURAND_ORDERING_PSEUDO_LEGACY);
  draw_mt19937(0);
  draw_mt19937(0x123456789abcdef0);
  statuses();
}
