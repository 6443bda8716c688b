// Copies of memory that nothing has written: to the host, and on the device. What is written is
// copied in between, in all ways, and none of that may be reported. With an argument: only that.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void fill(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i;
}

__global__ void add(const int *a, int *sum) { atomicAdd(sum, a[threadIdx.x]); }

static int host[256];

static void written() {
  int *a, *b;
  size_t pitch;
  char *rows, bytes[64];
  cudaMalloc(&a, 256 * sizeof(int));
  cudaMalloc(&b, 256 * sizeof(int));
  fill<<<1, 128>>>(a, 100);
  cudaMemcpy(host, a, 100 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemset(a + 100, 0, 156 * sizeof(int));
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(b + 3, a + 99, 100 * sizeof(int), cudaMemcpyDeviceToDevice);
  cudaMemcpy(host, b + 3, 100 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMallocPitch((void **)&rows, &pitch, 13, 4);
  cudaMemset2D(rows, pitch, 1, 13, 4);
  cudaMemcpy2D(bytes, 13, rows, pitch, 13, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy2D(rows + 14, pitch, rows + 1, pitch, 11, 4, cudaMemcpyDeviceToDevice);
  cudaMemcpy2D(bytes, 11, rows + 14, pitch, 11, 4, cudaMemcpyDeviceToHost);
}

int main(int count, char **) {
  int *a, *b, *sum;
  char *c;
  written();
  if (count > 1) return cudaDeviceSynchronize();
  cudaMalloc(&a, 256 * sizeof(int));
  cudaMalloc(&b, 256 * sizeof(int));
  cudaMalloc(&c, 64);
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  fill<<<1, 256>>>(b, 256);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);         // line 45: all of it
  fill<<<1, 64>>>(a, 40);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);         // line 47: from 40 on
  cudaMemcpy(b, a, 64 * sizeof(int), cudaMemcpyDeviceToDevice);     // 40 to 63 are not, any more
  cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost);         // line 49
  add<<<1, 48>>>(b, sum);                                           // line 11, threads 40 to 47
  cudaMemset(c, 0, 9);
  cudaMemcpy(c + 1, c, 11, cudaMemcpyDeviceToDevice);               // bytes 1 to 9 are
  cudaMemcpy(host, c, 10, cudaMemcpyDeviceToHost);
  cudaMemcpy(host, c + 9, 2, cudaMemcpyDeviceToHost);               // line 54: byte 10 is not
  return cudaDeviceSynchronize();
}
