// As in C: every call's status is looked at, and one label gives back what there is.
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
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 64 };

__global__ void add_kernel(const float *a, const float *b, float *out, int n) {
  int i = threadIdx.x + THREADS * blockIdx.x;
  if (i < n) *(out + i) = *(a + i) + *(b + i);
}

static cudaError_t add_on_device(const float *a, const float *b, float *out, int n, float *ms) {
  size_t bytes = (size_t)n * sizeof(float);
  float *d_a = NULL, *d_b = NULL, *d_out = NULL;
  cudaEvent_t start = NULL, stop = NULL;
  cudaError_t status;
  if ((status = cudaMalloc((void **)&d_a, bytes)) != cudaSuccess) goto cleanup;
  if ((status = cudaMalloc((void **)&d_b, bytes)) != cudaSuccess) goto cleanup;
  if ((status = cudaMalloc((void **)&d_out, bytes)) != cudaSuccess) goto cleanup;
  if ((status = cudaEventCreate(&start)) != cudaSuccess) goto cleanup;
  if ((status = cudaEventCreate(&stop)) != cudaSuccess) goto cleanup;
  if ((status = cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice)) != cudaSuccess) goto cleanup;
  if ((status = cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice)) != cudaSuccess) goto cleanup;
  cudaEventRecord(start, 0);
  add_kernel<<<(n - 1) / THREADS + 1, THREADS>>>(d_a, d_b, d_out, n);
  if ((status = cudaGetLastError()) != cudaSuccess) goto cleanup;
  cudaEventRecord(stop, 0);
  if ((status = cudaDeviceSynchronize()) != cudaSuccess) goto cleanup;
  if ((status = cudaEventElapsedTime(ms, start, stop)) != cudaSuccess) goto cleanup;
  status = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
cleanup:
  if (start) cudaEventDestroy(start);
  if (stop) cudaEventDestroy(stop);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_out);
  return status;
}

static void fail_on(cudaError_t status, const char *what) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s failed: %s (%d)\n", what, cudaGetErrorString(status), (int)status);
  exit(1);
}

void vector_add(const float *a, const float *b, float *out, int n, float *milliseconds) {
  fail_on(add_on_device(a, b, out, n, milliseconds), "vector_add");
}

__global__ void copy_kernel(const float *from, float *to, int n, int stride) {
  int i = threadIdx.x + THREADS * blockIdx.x;
  if (i < n) to[i] = from[(size_t)i * stride];
}

void offset_copy(const float *in, float *out, int n, int offset) {
  copy_kernel<<<(n - 1) / THREADS + 1, THREADS>>>(in + offset, out, n, 1);
  fail_on(cudaGetLastError(), "offset_copy");
}

void stride_copy(const float *in, float *out, int n, int stride) {
  copy_kernel<<<(n - 1) / THREADS + 1, THREADS>>>(in, out, n, stride);
  fail_on(cudaGetLastError(), "stride_copy");
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
