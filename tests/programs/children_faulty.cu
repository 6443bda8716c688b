// Launches from kernels that fail, and children that go wrong: ./children_faulty WHICH.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cassert>

__global__ void work(int *a) { a[threadIdx.x] = 1; }

__global__ void refused(int *a) {
  work<<<0, 1>>>(a);
  printf("no blocks: %d\n", cudaGetLastError());
  work<<<1, 2000>>>(a);
  printf("too many threads: %d\n", cudaPeekAtLastError());
  work<<<1, 1, 1 << 20>>>(a);
  printf("too much shared memory: %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("cleared: %d\n", cudaGetLastError());
  work<<<1, 32>>>(a);
}
__global__ void deeper(int *deepest, int depth) {
  *deepest = depth;
  deeper<<<1, 1>>>(deepest, depth + 1);
  if (cudaGetLastError() == cudaErrorLaunchMaxDepthExceeded) printf("too deep at %d\n", depth);
}
__global__ void many(int *a, int count) {
  int failed = 0;
  for (int i = 0; i < count; i++) {
    work<<<1, 1>>>(a);
    failed += cudaGetLastError() == cudaErrorLaunchPendingCountExceeded;
  }
  printf("%d launches failed\n", failed);
}
__global__ void outside(int *a) { work<<<1, 64>>>(a); }
__global__ void fails() { assert(threadIdx.x > 1); }
__global__ void asserts() { fails<<<1, 4>>>(); }
__global__ void endless(int *a) { // as many again each time
  if (threadIdx.x == 0) *a = 1;
  endless<<<1, 32>>>(a);
}

int main(int, char **argv) {
  int *a, h[32] = {0};
  cudaMalloc(&a, sizeof h);
  cudaMemset(a, 0, sizeof h);
  if (!strcmp(argv[1], "refused")) refused<<<1, 1>>>(a);
  if (!strcmp(argv[1], "deeper")) deeper<<<1, 1>>>(a, 0);
  if (!strcmp(argv[1], "many")) many<<<1, 1>>>(a, 2100);
  if (!strcmp(argv[1], "limit")) {
    cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096);
    many<<<1, 1>>>(a, 2100);
  }
  if (!strcmp(argv[1], "outside")) outside<<<1, 1>>>(a);
  if (!strcmp(argv[1], "asserts")) asserts<<<1, 1>>>();
  if (!strcmp(argv[1], "endless")) endless<<<1, 32>>>(a);
  cudaError_t code = cudaDeviceSynchronize();
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  printf("%s, %d\n", cudaGetErrorName(code), h[0]);
}
