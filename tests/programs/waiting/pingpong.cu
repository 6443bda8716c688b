// Host and kernel take turns, by std::atomic, cuda::atomic and registered memory; work behind the
// kernel in its stream signals a host that makes no calls.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
struct ball {
  std::atomic<int> host;
  int data[64];
  cuda::atomic<int, cuda::thread_scope_system> device;
};
__global__ void play(ball *b, int rounds) {
  volatile int *host = (volatile int *)&b->host;
  for (int n = 1; n <= rounds; n++) {
    if (threadIdx.x == 0) {
      while (*host < n) {}
      __threadfence_system();
    }
    __syncthreads();
    b->data[threadIdx.x] += n;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) b->device.store(n, cuda::memory_order_release);
  }
}
__global__ void reply(volatile int *m) {
  while (m[0] != 1) {}
}
__global__ void signal(volatile int *m, int value) { m[1] = value; }
int main() {
  ball *b;
  int bad = 0, rounds = 50;
  cudaMallocManaged(&b, sizeof *b);
  b->host = 0;
  b->device = 0;
  for (int &x : b->data) x = 0;
  play<<<1, 64>>>(b, rounds);
  for (int n = 1; n <= rounds; n++) {
    for (int &x : b->data) x *= 2;
    b->host.store(n, std::memory_order_release);
    while (b->device.load(cuda::memory_order_acquire) < n) {}
    for (int x : b->data) bad += x != b->data[0];
    if (n == 5) printf("%d ", b->data[7]);
  }
  printf("%d %s\n", bad, cudaGetErrorName(cudaDeviceSynchronize()));
  int *m = (int *)aligned_alloc(4096, 4096), *d;
  m[0] = m[1] = 0;
  cudaHostRegister(m, 4096, cudaHostRegisterMapped);
  cudaHostGetDevicePointer(&d, m, 0);
  reply<<<1, 1>>>(d);
  signal<<<1, 1>>>(d, 7);
  volatile int *v = m;
  v[0] = 1;
  while (v[1] != 7) {}
  printf("%d %s\n", v[1], cudaGetErrorName(cudaDeviceSynchronize()));
  cudaHostUnregister(m);
}
