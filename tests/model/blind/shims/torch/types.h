/* torch/types.h: a tensor of floats with what flash-attention-minimal calls; always on the device.
 */
#pragma once
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <initializer_list>
#include <vector>
namespace torch {
enum { kCUDA };
struct Device {
  Device(int) {}
};
struct Tensor {
  std::vector<int> shape;
  std::vector<float> host;
  float *device = nullptr;
  int size(int i) const { return shape[(size_t)i]; }
  template <typename T>
  T *data_ptr() const {
    return device;
  }
  Tensor to(Device) const { return *this; }
  void upload() {
    cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  }
};
inline Tensor full(std::vector<int> shape, float value) {
  Tensor t;
  size_t n = 1;
  for (int s : shape) n *= (size_t)s;
  t.shape = shape;
  t.host.assign(n, value);
  cudaMalloc((void **)&t.device, n * sizeof(float));
  t.upload();
  return t;
}
inline Tensor zeros(std::vector<int> shape) { return full(shape, 0); }
inline Tensor zeros_like(const Tensor &t) { return full(t.shape, 0); }
}  // namespace torch
