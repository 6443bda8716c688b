// What is like any other in harmless files of lab 0: the copies, and a program on the device.
#include <cuda_runtime.h>

#ifndef OWN_COPIES
__global__ void place_kernel(const float *in, float *out, int n, int first, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[first + i * step];
}
void offset_copy(const float *in, float *out, int n, int offset) {
  place_kernel<<<(n + 255) / 256, 256>>>(in, out, n, offset, 1);
}
void stride_copy(const float *in, float *out, int n, int stride) {
  place_kernel<<<(n + 255) / 256, 256>>>(in, out, n, 0, stride);
}
#endif

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

__global__ void add_kernel(const float *a, const float *b, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

// Device memory with x and y in it, and room for a result; freed in the end.
struct Device {
  float *a, *b, *out;
  size_t bytes;
  cudaEvent_t start, stop;
  Device(const float *x, const float *y, int n) : bytes(n * sizeof(float)) {
    cudaMalloc(&a, bytes), cudaMalloc(&b, bytes), cudaMalloc(&out, bytes);
    cudaEventCreate(&start), cudaEventCreate(&stop);
    cudaMemcpy(a, x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(b, y, bytes, cudaMemcpyHostToDevice);
  }
  float launch(int n) {
    float milliseconds = 0;
    cudaEventRecord(start);
    add_kernel<<<(n + 255) / 256, 256>>>(a, b, out, n);
    if (cudaGetLastError() != cudaSuccess) throw "refused";
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&milliseconds, start, stop);
    return milliseconds;
  }
  void result(float *to) { cudaMemcpy(to, out, bytes, cudaMemcpyDeviceToHost); }
  ~Device() {
    cudaFree(a), cudaFree(b), cudaFree(out);
    cudaEventDestroy(start), cudaEventDestroy(stop);
  }
};
