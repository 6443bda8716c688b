// quasi.cu: cuRAND's quasirandom generators: direction vectors and scramble constants, and what the
// host API returns of Sobol's sequences and in which order, as digests; normal values with two
// digits.
//
//   harness/kcc tests/curand/quasi.cu -o quasi -lcurand && ./quasi | diff tests/curand/quasi.txt -
//   nvcc tests/curand/quasi.cu -o quasi -lcurand && ./quasi                   on a GPU
//   nvcc -DON_HOST tests/curand/quasi.cu -o quasi -lcurand && ./quasi         NVIDIA's library on a
//   CPU
//
// quasi.txt is from the last.
#include "host.h"

static unsigned long long digest(const void *of, size_t bytes) {
  unsigned long long value = 0xcbf29ce484222325;
  for (size_t i = 0; i < bytes / 4; i++) value = (value ^ ((unsigned *)of)[i]) * 0x100000001b3;
  return value;
}

static void vectors() {
  const int dimensions = 20000;
  for (int set = 100; set <= 105; set++) {
    curandDirectionVectors32_t *halves;
    curandDirectionVectors64_t *wide;
    int status = curandGetDirectionVectors32(&halves, (curandDirectionVectorSet_t)set);
    printf("vectors %d: 32 bits %d", set, status);
    if (!status) printf(" %016llx", digest(halves, dimensions * sizeof *halves));
    status = curandGetDirectionVectors64(&wide, (curandDirectionVectorSet_t)set);
    printf(", 64 bits %d", status);
    if (!status) printf(" %016llx", digest(wide, dimensions * sizeof *wide));
    putchar('\n');
  }
  unsigned *halves;
  unsigned long long *wide;
  int status = curandGetScrambleConstants32(&halves);
  printf("constants: 32 bits %d %016llx", status, digest(halves, dimensions * sizeof *halves));
  status = curandGetScrambleConstants64(&wide);
  printf(", 64 bits %d %016llx\n", status, digest(wide, dimensions * sizeof *wide));
}

static void draw(curandRngType_t type, unsigned dimensions, unsigned long long offset) {
  curandGenerator_t g;
  int made = create(&g, type), set = curandSetQuasiRandomGeneratorDimensions(g, dimensions);
  int moved = curandSetGeneratorOffset(g, offset);
  printf("== %d %u %llx: %d %d %d\n", type, dimensions, offset, made, set, moved);
  size_t n = dimensions > 1000 ? dimensions : 1000 * dimensions;
  integers(g, 3 * n);
  long_longs(g, 3 * n);
  uniform(g, n);
  doubles(g, n);
  normal(g, 3 * n);
  normal_doubles(g, 3 * n);
  log_normal(g, n);
  log_normal_doubles(g, n);
  integers(g, 2 * n + 1);
  normal(g, n / 2 + 1);
  uniform(g, 0);
  integers(g, n);
  long_longs(g, n);
  printf("offset: %d\n", curandSetGeneratorOffset(g, 70000));
  doubles(g, 2 * n);
  printf("dimensions: %d\n", curandSetQuasiRandomGeneratorDimensions(g, 7));
  doubles(g, 14);
  printf("seeds: %d\n", curandGenerateSeeds(g));
  doubles(g, 14);
  printf("destroy: %d\n", curandDestroyGenerator(g));
}

static void statuses(curandRngType_t type) {
  curandGenerator_t g;
  printf("== %d: create %d", type, curandCreateGeneratorHost(&g, type));
  printf(", seed %d, dimensions", curandSetPseudoRandomGeneratorSeed(g, 5));
  for (unsigned dimensions : {0, 1, 20000, 20001})
    printf(" %d", curandSetQuasiRandomGeneratorDimensions(g, dimensions));
  printf(", order");
  for (int order : {99, 100, 101, 102, 103, 105, 200, 201, 202})
    printf(" %d", curandSetGeneratorOrdering(g, (curandOrdering_t)order));
  printf(", destroy %d\n", curandDestroyGenerator(g));
}

int main() {
  vectors();
  for (int type = CURAND_RNG_QUASI_DEFAULT; type <= CURAND_RNG_QUASI_SCRAMBLED_SOBOL64; type++) {
    draw((curandRngType_t)type, 1, 0);
    draw((curandRngType_t)type, 3, 1000000007);
    draw((curandRngType_t)type, 20000, 0xfffffff0);
    statuses((curandRngType_t)type);
  }
}
