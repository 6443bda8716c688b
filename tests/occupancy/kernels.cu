// kernels.cu: launches whose resources differ, for Nsight Compute to say how many of their blocks
// an SM holds: registers from few to 255, launch bounds, static and dynamic shared memory, blocks
// of 1 to 1024 threads, also such as are no multiple of a warp.
//
//     nvcc -std=c++17 -O3 -arch=sm_90 -o kernels tests/occupancy/kernels.cu && ./kernels
//
// Prints the launches' names in their order. tests/occupancy/measure reads them on a GPU.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "kernels: %s: %s\n", what, cudaGetErrorString(error));
  exit(2);
}

// LIVE values that are all needed in each round: so many registers, and some for addresses.
template <int LIVE> __device__ void work_on(float *a, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  float value[LIVE];
#pragma unroll
  for (int k = 0; k < LIVE; k++) value[k] = a[i + k * all];
  for (int r = 0; r < rounds; r++) {
    float first = value[0];
#pragma unroll
    for (int k = 0; k + 1 < LIVE; k++) value[k] = value[k] * value[k + 1] + first;
    value[LIVE - 1] += first;
  }
#pragma unroll
  for (int k = 0; k < LIVE; k++) a[i + k * all] = value[k];
}

#define REGISTERS(name, live) \
  __global__ void name(float *a, int rounds) { work_on<live>(a, rounds); }
#define BOUNDED(name, live, threads, blocks) \
  __global__ void __launch_bounds__(threads, blocks) name(float *a, int rounds) { \
    work_on<live>(a, rounds); \
  }
REGISTERS(live_1, 1)
REGISTERS(live_8, 8)
REGISTERS(live_16, 16)
REGISTERS(live_24, 24)
REGISTERS(live_32, 32)
REGISTERS(live_48, 48)
REGISTERS(live_64, 64)
REGISTERS(live_100, 100)
REGISTERS(live_150, 150)
REGISTERS(live_200, 200)
REGISTERS(live_240, 240)
BOUNDED(bound_256_8, 48, 256, 8)
BOUNDED(bound_1024_1, 100, 1024, 1)
BOUNDED(bound_128_5, 150, 128, 5)

template <int FLOATS> __device__ void stay_in(float *a) {
  __shared__ float tile[FLOATS];
  int i = blockIdx.x * blockDim.x + threadIdx.x, last = blockDim.x - 1;
  for (int k = threadIdx.x; k < FLOATS; k += blockDim.x) tile[k] = a[i] + k;
  __syncthreads();
  a[i] = tile[(last - threadIdx.x) % FLOATS];
}
#define SHARED(name, floats) \
  __global__ void name(float *a, int) { stay_in<floats>(a); }
SHARED(static_4, 1)
SHARED(static_1k, 256)
SHARED(static_5000, 1250)
SHARED(static_16k, 4096)
SHARED(static_48k, 12288)

__global__ void dynamic(float *a, int) {
  extern __shared__ float rest[];
  int i = blockIdx.x * blockDim.x + threadIdx.x, last = blockDim.x - 1;
  rest[threadIdx.x] = a[i];
  __syncthreads();
  a[i] = rest[last - threadIdx.x];
}
__global__ void both(float *a, int) {
  __shared__ float fixed[1024];
  extern __shared__ float rest[];
  int i = blockIdx.x * blockDim.x + threadIdx.x, last = blockDim.x - 1;
  rest[threadIdx.x] = fixed[threadIdx.x] = a[i];
  __syncthreads();
  a[i] = rest[last - threadIdx.x] + fixed[last - threadIdx.x];
}

typedef void kernel(float *, int);
#define LAUNCH(name, x, y, dynamic_bytes, blocks) \
  { #name, name, x, y, dynamic_bytes, blocks }
static const struct {
  const char *name;
  kernel *function;
  unsigned x, y, dynamic_bytes, blocks;
} launches[] = {
    LAUNCH(live_1, 32, 1, 0, 132 * 32),       LAUNCH(live_1, 1, 1, 0, 1000),
    LAUNCH(live_1, 33, 1, 0, 132 * 64),       LAUNCH(live_1, 1024, 1, 0, 132 * 4),
    LAUNCH(live_8, 96, 1, 0, 132 * 21),       LAUNCH(live_8, 768, 1, 0, 132 * 3),
    LAUNCH(live_16, 32, 8, 0, 132 * 8),       LAUNCH(live_24, 256, 1, 0, 132 * 8),
    LAUNCH(live_32, 100, 1, 0, 1000),         LAUNCH(live_32, 512, 1, 0, 132 * 2),
    LAUNCH(live_48, 192, 1, 0, 132 * 5),      LAUNCH(live_64, 128, 1, 0, 132 * 6),
    LAUNCH(live_100, 64, 1, 0, 132 * 8),      LAUNCH(live_100, 160, 1, 0, 132 * 3),
    LAUNCH(live_150, 224, 1, 0, 132),         LAUNCH(live_200, 256, 1, 0, 132),
    LAUNCH(live_240, 32, 1, 0, 132 * 8),      LAUNCH(live_240, 256, 1, 0, 150),
    LAUNCH(bound_256_8, 256, 1, 0, 132 * 8),  LAUNCH(bound_1024_1, 32, 32, 0, 132),
    LAUNCH(bound_128_5, 128, 1, 0, 132 * 5),  LAUNCH(static_4, 64, 1, 0, 132 * 32),
    LAUNCH(static_1k, 128, 1, 0, 132 * 16),   LAUNCH(static_5000, 100, 1, 0, 132 * 16),
    LAUNCH(static_16k, 16, 16, 0, 132 * 8),   LAUNCH(static_48k, 512, 1, 0, 132 * 4),
    LAUNCH(dynamic, 256, 1, 1024, 132 * 8),   LAUNCH(dynamic, 256, 1, 32768, 132 * 6),
    LAUNCH(dynamic, 128, 1, 50000, 132 * 4),  LAUNCH(dynamic, 64, 1, 100000, 132 * 2),
    LAUNCH(dynamic, 1024, 1, 115713, 132),    LAUNCH(dynamic, 1024, 1, 232448, 132),
    LAUNCH(both, 256, 1, 4096, 132 * 8),      LAUNCH(both, 200, 1, 60001, 132 * 3),
};

int main() {
  constexpr int ROUNDS = 3, COUNT = (int)(sizeof launches / sizeof launches[0]);
  float *a;
  check(cudaMalloc(&a, 256u << 20), "cudaMalloc");
  check(cudaMemset(a, 0, 256u << 20), "cudaMemset");
  for (int i = 0; i < COUNT; i++) {
    dim3 block(launches[i].x, launches[i].y);
    check(cudaFuncSetAttribute((const void *)launches[i].function,
                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)launches[i].dynamic_bytes),
          launches[i].name);
    launches[i].function<<<launches[i].blocks, block, launches[i].dynamic_bytes>>>(a, ROUNDS);
    check(cudaGetLastError(), launches[i].name);
    check(cudaDeviceSynchronize(), launches[i].name);
    printf("%s\n", launches[i].name);
  }
  check(cudaFree(a), "cudaFree");
  return 0;
}
