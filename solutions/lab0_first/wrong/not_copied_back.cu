// The result stays on the device.
// verdict: partial
// loses: add timed checked
// reason: not written
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

constexpr int BLOCK = 256;

__global__ void add_kernel(const float *a, const float *b, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const float *a, const float *b, float *out, int n, float *milliseconds) {
  size_t bytes = n * sizeof(float);
  float *device_a, *device_b, *device_out;
  CHECK(cudaMalloc(&device_a, bytes));
  CHECK(cudaMalloc(&device_b, bytes));
  CHECK(cudaMalloc(&device_out, bytes));
  CHECK(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  add_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(device_a, device_b, device_out, n);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaEventElapsedTime(milliseconds, start, stop));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_out));
}

__global__ void offset_kernel(const float *in, float *out, int n, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + offset];
}

__global__ void stride_kernel(const float *in, float *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * stride];
}

void offset_copy(const float *in, float *out, int n, int offset) {
  offset_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n, offset);
  CHECK(cudaGetLastError());
}

void stride_copy(const float *in, float *out, int n, int stride) {
  stride_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n, stride);
  CHECK(cudaGetLastError());
}

__global__ void permuted_kernel(const float *in, float *out, int n, int mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i ^ mask];
}

void permuted_copy(const float *in, float *out, int n, int mask) {
  permuted_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n, mask);
}

__global__ void repeated_kernel(const float *in, float *out, int n, int times) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i / times];
}

void repeated_copy(const float *in, float *out, int n, int times) {
  repeated_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n, times);
}

__global__ void partial_kernel(const float *in, float *out, int n, int lanes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i % 32 < lanes ? in[i] : 0.0f;
}

void partial_copy(const float *in, float *out, int n, int lanes) {
  partial_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n, lanes);
}
