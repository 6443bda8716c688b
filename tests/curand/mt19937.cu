// mt19937.cu: MT19937's host API far into its second block of each subsequence, as a digest. It takes
// seconds, here as with NVIDIA's library on a CPU, to find where 8192 subsequences start.
//
//   harness/kcc -DON_HOST tests/curand/mt19937.cu -o mt19937 -lcurand && ./mt19937
//   nvcc tests/curand/mt19937.cu -o mt19937 -lcurand && ./mt19937                  on a GPU
//   nvcc -DON_HOST tests/curand/mt19937.cu -o mt19937 -lcurand && ./mt19937        NVIDIA's library
//   on a CPU
//
// mt19937.txt is from the last.
#include "host.h"

int main() {
  curandGenerator_t g;
  printf("create: %d\n", create(&g, CURAND_RNG_PSEUDO_MT19937));
  printf("seed: %d\n", curandSetPseudoRandomGeneratorSeed(g, 1234));
  integers(g, 8192 * 624 + 200000);
  uniform(g, 100000);
  integers(g, 100001);
}
