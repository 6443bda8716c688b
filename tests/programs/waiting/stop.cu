// Blocks work until the host says stop, by an atomic load or by adding 0; the host counts along.
#include <cstdio>
#include <cuda/atomic>
using count_ref = cuda::atomic_ref<unsigned long long, cuda::thread_scope_system>;
using stop_ref = cuda::atomic_ref<int, cuda::thread_scope_system>;
template <bool by_load> __global__ void work(int *stop, unsigned long long *count) {
  count_ref c(*count);
  while (!(by_load ? stop_ref(*stop).load(cuda::memory_order_acquire) : atomicAdd_system(stop, 0)))
    c.fetch_add(1);
}
template <bool by_load> static void run(int *stop, unsigned long long *count) {
  *stop = 0;
  *count = 0;
  work<by_load><<<4, 32>>>(stop, count);
  while (count_ref(*count).load() < 1000) {}
  stop_ref(*stop).store(1);
  printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%d\n", *count >= 1000);
}
int main(int argc, char **) {
  int *stop;
  unsigned long long *count;
  cudaMallocManaged(&stop, sizeof *stop);
  cudaMallocManaged(&count, sizeof *count);
  run<true>(stop, count);
  run<false>(stop, count);
  if (argc == 1) return 0;
  *stop = 0;
  work<true><<<4, 32>>>(stop, count);  // for ever
  puts("waits");
  fflush(stdout);
  cudaDeviceSynchronize();
}
