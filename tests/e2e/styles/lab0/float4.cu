// One allocation holds the three vectors; four elements a thread where they are aligned.
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

__global__ void add_kernel(const float *a, const float *b, float *out, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < n) {
    float4 x = *reinterpret_cast<const float4 *>(a + i);
    float4 y = *reinterpret_cast<const float4 *>(b + i);
    *reinterpret_cast<float4 *>(out + i) =
        make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
  } else {
    for (; i < n; i++) out[i] = a[i] + b[i];
  }
}

void vector_add(const float *a, const float *b, float *out, int n, float *milliseconds) {
  size_t bytes = n * sizeof(float), padded = (n + 63) / 64 * 64;  // each begins at 256 bytes
  float *device;
  cudaEvent_t events[2];
  CHECK(cudaMalloc(&device, 3 * padded * sizeof(float)));
  float *device_a = device, *device_b = device + padded, *device_out = device + 2 * padded;
  CHECK(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice));

  for (cudaEvent_t &event : events) CHECK(cudaEventCreate(&event));
  int threads = (n + 3) / 4;
  CHECK(cudaEventRecord(events[0]));
  add_kernel<<<(threads + 255) / 256, 256>>>(device_a, device_b, device_out, n);
  CHECK(cudaEventRecord(events[1]));
  CHECK(cudaGetLastError());
  while (cudaEventQuery(events[1]) == cudaErrorNotReady) continue;
  CHECK(cudaEventElapsedTime(milliseconds, events[0], events[1]));

  CHECK(cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost));
  for (cudaEvent_t event : events) CHECK(cudaEventDestroy(event));
  CHECK(cudaFree(device));
}

__global__ void gather_kernel(const float *in, float *out, int n, int first, int step) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  float x[4];
  for (int k = 0; k < 4; k++) x[k] = i + k < n ? in[first + (i + k) * step] : 0;
  if (i + 3 < n) {
    *reinterpret_cast<float4 *>(out + i) = make_float4(x[0], x[1], x[2], x[3]);
  } else {
    for (int k = 0; i + k < n; k++) out[i + k] = x[k];
  }
}

__global__ void offset_kernel(const float *in, float *out, int n, int offset) {
  for (int i = blockIdx.x * 4 * blockDim.x + threadIdx.x, k = 0; k < 4; k++, i += blockDim.x)
    if (i < n) out[i] = in[i + offset];
}

void offset_copy(const float *in, float *out, int n, int offset) {
  offset_kernel<<<(n + 1023) / 1024, 256>>>(in, out, n, offset);
  CHECK(cudaGetLastError());
}

void stride_copy(const float *in, float *out, int n, int stride) {
  gather_kernel<<<(n + 1023) / 1024, 256>>>(in, out, n, 0, stride);
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
