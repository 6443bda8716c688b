// check.h: results of a library's calls, held against those that the host works out.
#include <cstdio>
#include <cstdlib>
#include <vector>

static int wrong;

static inline void check(const char *name, bool right) {
  if (!right) printf("%s: wrong\n", name);
  wrong += !right;
}
static inline int report() {
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
#define CUDA(call)                                                            \
  do {                                                                        \
    cudaError_t error = call;                                                 \
    if (error) printf("%s: %s\n", #call, cudaGetErrorString(error)), exit(2); \
  } while (0)

template <class T>
T *to_device(const std::vector<T> &host) {
  T *device;
  CUDA(cudaMalloc(&device, host.size() * sizeof(T)));
  CUDA(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}
template <class T>
T *room(size_t count) {
  T *device;
  CUDA(cudaMalloc(&device, count * sizeof(T)));
  return device;
}
// Do so many elements on the device equal these?
template <class T>
bool holds(const T *device, const std::vector<T> &want) {
  std::vector<T> got(want.size());
  CUDA(cudaMemcpy(got.data(), device, got.size() * sizeof(T), cudaMemcpyDeviceToHost));
  return got == want;
}
