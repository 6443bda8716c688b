// Host and kernel update the same words at the same time, by atomics: no update is lost.
#include <cstdio>

__global__ void update(int *words, int rounds) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < rounds; i++) {
    atomicAdd_system(&words[0], 10);
    atomicMax_system(&words[1], tid);
    atomicMin_system(&words[2], tid);
    atomicCAS_system(&words[3], tid - 1, tid);
    atomicOr_system(&words[4], 1 << tid % 31);
  }
}

int main() {
  const int blocks = 64, threads = 256, all = blocks * threads, rounds = 100;
  int *words;
  cudaMallocManaged(&words, 5 * sizeof *words);
  for (int i = 0; i < 5; i++) words[i] = 0;
  cudaDeviceSynchronize();
  update<<<blocks, threads>>>(words, rounds);
  for (int i = 0; i < all * rounds; i++) __sync_fetch_and_add(&words[0], 10);
  printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%d %d %d\n", words[0] == 20 * all * rounds, words[1] == all - 1, words[2]);
}
