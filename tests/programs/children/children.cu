// Kernels that launch kernels, as programs spell it. Prints a line for each, and in the end what
// the children have computed.
#include <cstdio>

#include "children.h"

struct pair {
  int a;
  double b;
  char c;
};
struct odd {
  char bytes[3];
};

#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)

namespace inner {
template <class T, int N>
__global__ void __launch_bounds__(64) add(T *to, T value) {
  extern __shared__ unsigned char bytes[];
  T *tile = (T *)bytes;
  tile[threadIdx.x] = value * N;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] += tile[blockDim.x - 1 - threadIdx.x];
}
}

static __global__ void show(pair p, odd o, bool yes, short s, const char *text) {
  printf("show %d %g %c %d%d%d %d %d %s\n", p.a, p.b, p.c, o.bytes[0], o.bytes[1], o.bytes[2], yes,
         s, text);
}
__global__ void nothing() { printf("nothing from %d threads\n", gridDim.x * blockDim.x); }

__device__ void scale(float *a, int n) {
  inner::add<float, 2>
      <<<n / 64, 64,
         64 * sizeof(float)>>>(a,
                               0.5f);
}

__global__ void recurse(int *sum, int depth) {
  atomicAdd(sum, depth);
  if (depth == 0) return;
  if (threadIdx.x % 2 == 0) recurse<<<1, 2>>>(sum, depth - 1);
}

// Launched by template code only; no host code names it.
template <class T>
__global__ void twice(T *a, int rounds) {
  a[threadIdx.x] *= 2;
  if (rounds > 1 && threadIdx.x == 0) twice<T><<<1, blockDim.x>>>(a, rounds - 1);
}

__global__ void last(const float *a) { printf("last sees %g %g\n", a[0], a[255]); }

__global__ void parent(float *a, int *sum, double *b) {
  if (threadIdx.x < 32) a[threadIdx.x] = threadIdx.x;  // seen by children
  __syncthreads();
  if (threadIdx.x == 0) {
    last<<<1, 1, 0, cudaStreamTailLaunch>>>(a);
    scale(a, 256);
    show<<<dim3(1), {1, 1, 1}>>>({1, 2.5, 'x'}, {{7, 8, 9}}, true, -3, "it's <<<1>>>");
    LAUNCH(nothing, 2, 3);
    recurse<<<1, 2>>>(sum, 5);
    twice<double><<<1, 8>>>(b, 3);
    from_elsewhere<<<1, 4>>>(sum + 1);
    cudaStream_t stream;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess)
      cudaMemcpyAsync(b + 8, b, 8 * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    cudaStreamDestroy(stream);
    printf("launched: %s\n", cudaGetErrorName(cudaGetLastError()));
  }
}

int main() {
  float *a, h[256];
  double *b, hb[16];
  int *sum, hs[2];
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof hb);
  cudaMalloc(&sum, sizeof hs);
  cudaMemset(a, 0, sizeof h);
  cudaMemset(sum, 0, sizeof hs);
  for (int i = 0; i < 16; i++) hb[i] = i;
  cudaMemcpy(b, hb, sizeof hb, cudaMemcpyHostToDevice);
  parent<<<1, 64>>>(a, sum, b);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(hb, b, sizeof hb, cudaMemcpyDeviceToHost);
  cudaMemcpy(hs, sum, sizeof hs, cudaMemcpyDeviceToHost);
  printf("%s: %g %g, %d %d, %g %g\n", cudaGetErrorString(cudaDeviceSynchronize()), h[31], h[255],
         hs[0], hs[1], hb[7], hb[15]);
  inner::add<float, 3><<<1, 64, 256>>>(a, 1);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  printf("by the host: %g\n", h[0]);
}
