// Kernels that use memory of the host: pinned, by a pointer of the device and by the host's own,
// registered, and in variables that both sides have.
#include <cstdio>
#include <cstdlib>

__global__ void add(int *p, int n, int more) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += more;
}

struct view {
  int n;
  int *data;
};
__global__ void add_view(view v) {
  if (threadIdx.x < v.n) v.data[threadIdx.x] += 1000;
}

__device__ __managed__ int counters[1500], scale = 3;
__global__ void count() { counters[threadIdx.x] += scale; }

static bool all(const int *p, int n, int value) {
  for (int i = 0; i < n; i++)
    if (p[i] != value) return false;
  return true;
}

int main(int argc, char **) {
  int *pinned, *on_device, *heap = (int *)malloc(12000), n = 1000, copy;
  cudaHostAlloc(&pinned, n * sizeof(int), cudaHostAllocMapped);
  for (int i = 0; i < n; i++) pinned[i] = 1;
  cudaHostGetDevicePointer(&on_device, pinned, 0);
  add<<<4, 256>>>(on_device, n, 10);
  if (argc > 1) pinned[5] = 7; // too early
  cudaDeviceSynchronize();
  if (argc > 1) pinned[5] = 11;
  add<<<4, 256>>>(pinned, n, 100);
  add_view<<<1, 32>>>(view{20, pinned + 10});
  cudaDeviceSynchronize();
  printf("pinned %d%d%d\n", all(pinned, 10, 111), all(pinned + 10, 20, 1111),
         all(pinned + 30, n - 30, 111));
  cudaMemcpy(&copy, pinned + 10, sizeof copy, cudaMemcpyDefault);
  printf("copied %d\n", copy);

  for (int i = 0; i < 3000; i++) heap[i] = i;
  cudaHostRegister(heap + 100, 8000, cudaHostRegisterMapped);
  cudaHostGetDevicePointer(&on_device, heap + 100, 0);
  add<<<8, 256>>>(on_device, 2000, 5);
  cudaDeviceSynchronize();
  cudaHostUnregister(heap + 100);
  bool right = true;
  for (int i = 0; i < 3000; i++) right &= heap[i] == i + (i >= 100 && i < 2100 ? 5 : 0);
  printf("registered %d\n", right);
  free(heap);

  counters[1] = 5;
  count<<<1, 3>>>();
  cudaDeviceSynchronize();
  scale = 100;
  count<<<1, 2>>>();
  add<<<1, 32>>>(counters + 1400, 30, scale);
  cudaDeviceSynchronize();
  printf("managed %d %d %d %d %d\n", counters[0], counters[1], counters[2], counters[3],
         counters[1429]);
  cudaFreeHost(pinned);
  return cudaGetLastError();
}
