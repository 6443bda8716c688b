// Classes own what must be given back, and errors are exceptions that end the program.
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

#include <cstddef>
#include <stdexcept>

static void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

template <typename T>
class DeviceVector {
 public:
  explicit DeviceVector(std::size_t size) : size_(size) { check(cudaMalloc(&data_, bytes())); }
  DeviceVector(const T *from, std::size_t size) : DeviceVector(size) {
    check(cudaMemcpy(data_, from, bytes(), cudaMemcpyHostToDevice));
  }
  ~DeviceVector() { cudaFree(data_); }
  DeviceVector(const DeviceVector &) = delete;
  DeviceVector &operator=(const DeviceVector &) = delete;
  void copy_to(T *to) const { check(cudaMemcpy(to, data_, bytes(), cudaMemcpyDeviceToHost)); }
  T *get() const { return data_; }

 private:
  std::size_t bytes() const { return size_ * sizeof(T); }
  std::size_t size_;
  T *data_ = nullptr;
};

class Event {
 public:
  Event() { check(cudaEventCreate(&event_)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event &) = delete;
  void record() { check(cudaEventRecord(event_)); }
  float since(const Event &start) const {
    float milliseconds;
    check(cudaEventSynchronize(event_));
    check(cudaEventElapsedTime(&milliseconds, start.event_, event_));
    return milliseconds;
  }

 private:
  cudaEvent_t event_;
};

static unsigned blocks(int n, unsigned threads) { return (unsigned(n) + threads - 1) / threads; }
__device__ static unsigned element() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <typename T>
__global__ void add(const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ out,
                    unsigned n) {
  const unsigned i = element();
  if (i >= n) return;
  out[i] = a[i] + b[i];
}

void vector_add(const float *a, const float *b, float *out, int n, float *milliseconds) {
  DeviceVector<float> x(a, n), y(b, n), sum(n);
  Event start, stop;
  start.record();
  add<float><<<blocks(n, 512), 512>>>(x.get(), y.get(), sum.get(), n);
  check(cudaGetLastError());
  stop.record();
  *milliseconds = stop.since(start);
  sum.copy_to(out);
}

__global__ void copy(const float *__restrict__ in, float *__restrict__ out, unsigned n,
                     unsigned first, unsigned step) {
  const unsigned i = element();
  if (i >= n) return;
  out[i] = in[first + i * step];
}

void offset_copy(const float *in, float *out, int n, int offset) {
  copy<<<blocks(n, 1024), 1024>>>(in, out, n, offset, 1);
  check(cudaGetLastError());
}

void stride_copy(const float *in, float *out, int n, int stride) {
  copy<<<blocks(n, 1024), 1024>>>(in, out, n, 0, stride);
  check(cudaGetLastError());
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
