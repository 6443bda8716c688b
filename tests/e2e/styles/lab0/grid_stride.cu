// Grids of a fixed number of blocks, whose threads go on by a whole grid; a kernel template with functors.
// verdict: pass
//
//   alignment = 256
//   offset_0 = 4
//   offset_1 = 5
//   offset_8 = 4
//   offset_31 = 5
//   offset_32 = 4
//   offset_1_lines = 2
//   used_offset_1 = 80
//   stride_2 = 8
//   stride_4 = 16
//   stride_8 = 32
//   stride_32 = 32
//   used_stride_2 = 50
//   used_stride_8 = 12.5
//   permuted_5 = 4
//   repeated_32 = 1
//   repeated_4 = 1
//   partial_20 = 3
//   partial_8 = 1
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(EXIT_FAILURE);                                                            \
    }                                                                                \
  } while (0)

template <typename Element>
__global__ void for_each(int n, Element element) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    element(i);
}

__host__ __device__ inline float plus(float x, float y) { return x + y; }

struct Sum {
  const float *a, *b;
  float *out;
  __device__ void operator()(int i) const { out[i] = plus(a[i], b[i]); }
};

struct Copy {
  const float *in;
  float *out;
  int stride;
  __device__ void operator()(int i) const { out[i] = in[i * stride]; }
};

void vector_add(const float *a, const float *b, float *out, int n, float *milliseconds) {
  size_t bytes = n * sizeof(float);
  float *device_a, *device_b, *device_out;
  CHECK(cudaMalloc((void **)&device_a, bytes));
  CHECK(cudaMalloc((void **)&device_b, bytes));
  CHECK(cudaMalloc((void **)&device_out, bytes));
  CHECK(cudaMemcpy(device_a, a, bytes, cudaMemcpyDefault));
  CHECK(cudaMemcpy(device_b, b, bytes, cudaMemcpyDefault));

  int device, multiprocessors;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start, 0));
  for_each<<<4 * multiprocessors, 256>>>(n, Sum{device_a, device_b, device_out});
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop, 0));
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaEventElapsedTime(milliseconds, start, stop));

  CHECK(cudaMemcpy(out, device_out, bytes, cudaMemcpyDefault));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_out));
}

void offset_copy(const float *in, float *out, int n, int offset) {
  for_each<<<512, 256>>>(n, Copy{in + offset, out, 1});
  CHECK(cudaGetLastError());
}

void stride_copy(const float *in, float *out, int n, int stride) {
  for_each<<<512, 256>>>(n, Copy{in, out, stride});
  CHECK(cudaGetLastError());
}

__global__ void permuted_kernel(const float *in, float *out, int n, int mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i ^ mask];
}

void permuted_copy(const float *in, float *out, int n, int mask) {
  permuted_kernel<<<(n + 255) / 256, 256>>>(in, out, n, mask);
}

__global__ void repeated_kernel(const float *in, float *out, int n, int times) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i / times];
}

void repeated_copy(const float *in, float *out, int n, int times) {
  repeated_kernel<<<(n + 255) / 256, 256>>>(in, out, n, times);
}

__global__ void partial_kernel(const float *in, float *out, int n, int lanes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i % 32 < lanes ? in[i] : 0.0f;
}

void partial_copy(const float *in, float *out, int n, int lanes) {
  partial_kernel<<<(n + 255) / 256, 256>>>(in, out, n, lanes);
}
