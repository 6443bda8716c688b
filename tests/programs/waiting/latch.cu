// A latch holds back work in a stream, of every kind, until the host opens it.
#include <cstdio>
__global__ void spin(volatile unsigned *latch) {
  while (latch[0] < 1) {}
}
__global__ void twice(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= 2;
}
static void CUDART_CB count(void *counter) { ++*(int *)counter; }
int main() {
  unsigned *latch;
  int *d, *h, *other, n = 1000, pageable[1000], called = 0;
  cudaStream_t s;
  cudaEvent_t e, f, gone;
  cudaMallocHost(&latch, sizeof *latch);
  cudaMallocHost(&h, n * sizeof *h);
  cudaMalloc(&d, n * sizeof *d);
  cudaStreamCreate(&s);
  cudaEventCreate(&e);
  cudaEventCreate(&f);
  for (int i = 0; i < n; i++) h[i] = pageable[i] = i;
  for (int round = 0; round < 3; round++) {
    cudaMallocAsync(&other, n * sizeof *other, s);
    *latch = 0;
    spin<<<1, 1, 0, s>>>(latch);
    cudaEventRecord(e, s);
    cudaEventCreate(&gone);
    cudaEventRecord(gone, s);
    cudaEventDestroy(gone);
    cudaMemcpyAsync(d, round ? h : pageable, n * sizeof *h, cudaMemcpyHostToDevice, s);
    pageable[1] = 99;  // it was read by the call
    cudaMemsetAsync(other, 0, n * sizeof *other, s);
    cudaMemcpyAsync(other, d, n * sizeof *other, cudaMemcpyDeviceToDevice, s);
    twice<<<4, 256, 0, s>>>(other, n);
    cudaMemcpyAsync(h, other, n * sizeof *h, cudaMemcpyDeviceToHost, s);
    cudaFreeAsync(other, s);
    cudaLaunchHostFunc(s, count, &called);
    cudaEventRecord(f, s);
    printf("%s %d ", cudaGetErrorName(cudaStreamQuery(s)), called);
    cudaGetLastError();
    *latch = 1;
    printf("%s ", cudaGetErrorName(cudaStreamSynchronize(s)));
    float ms;
    printf("%s ", cudaGetErrorName(cudaEventElapsedTime(&ms, e, f)));
    printf("%d %d %d\n", h[1], h[999], called);
  }
}
