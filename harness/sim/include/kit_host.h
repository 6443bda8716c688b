/* kit_host.h: what CUDA C++ adds to the runtime API on the host: launches and allocations that know
 * their line, and templates over typed pointers, kernels and symbols. */
#ifndef KIT_HOST_H
#define KIT_HOST_H

#include "cuda_runtime_api.h"

/* clang calls these for kernel<<<grid, block, shared_bytes, stream>>>(...). */
extern "C" unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                                    cudaStream_t stream = 0,
                                                    int line = __builtin_LINE(),
                                                    const char *file = __builtin_FILE());

#define KIT_PLACE int line = __builtin_LINE(), const char *file = __builtin_FILE()

__kit_inline__ cudaError_t cudaMalloc(void **pointer, size_t bytes, KIT_PLACE) {
  return kit_malloc_at(pointer, bytes, file, line);
}
template <class T>
__kit_inline__ cudaError_t cudaMalloc(T **pointer, size_t bytes, KIT_PLACE) {
  return kit_malloc_at((void **)pointer, bytes, file, line);
}
template <class T>
__kit_inline__ cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height,
                                           KIT_PLACE) {
  return kit_malloc_pitch_at((void **)pointer, pitch, width, height, file, line);
}
template <class T>
__kit_inline__ cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t, KIT_PLACE) {
  return kit_malloc_at((void **)pointer, bytes, file, line);
}
template <class T>
__kit_inline__ cudaError_t cudaMallocManaged(T **pointer, size_t bytes,
                                             unsigned int flags = cudaMemAttachGlobal,
                                             int line = __builtin_LINE()) {
  return kit_malloc_managed_at((void **)pointer, bytes, flags, line);
}
#undef KIT_PLACE

template <class T>
__kit_inline__ cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned int flags = 0) {
  return cudaHostAlloc((void **)pointer, bytes, flags);
}
template <class T>
__kit_inline__ cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags) {
  return cudaHostAlloc((void **)pointer, bytes, flags);
}

template <class T>
__kit_inline__ cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                                              size_t offset = 0,
                                              cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
__kit_inline__ cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes,
                                                size_t offset = 0,
                                                cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
__kit_inline__ cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes,
                                                   size_t offset = 0,
                                                   cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                   cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <class T>
__kit_inline__ cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
  return cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
template <class T>
__kit_inline__ cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) {
  return cudaGetSymbolSize(bytes, (const void *)&symbol);
}

template <class T>
__kit_inline__ cudaError_t cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **arguments,
                                            size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void *)function, grid, block, arguments, shared_bytes, stream);
}
template <class T>
__kit_inline__ cudaError_t cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block,
                                                       void **arguments, size_t shared_bytes = 0,
                                                       cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments, shared_bytes,
                                     stream);
}
template <class T>
__kit_inline__ cudaError_t cudaFuncSetAttribute(T *function, cudaFuncAttribute attribute,
                                                int value) {
  return cudaFuncSetAttribute((const void *)function, attribute, value);
}
template <class T>
__kit_inline__ cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *function) {
  return cudaFuncGetAttributes(attributes, (const void *)function);
}
template <class T>
__kit_inline__ cudaError_t cudaFuncSetCacheConfig(T *function, cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void *)function, config);
}
template <class T>
__kit_inline__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *function,
                                                                         int block_size,
                                                                         size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, block_size,
                                                       shared_bytes);
}
/* The block size with the most active threads per multiprocessor, the largest such. */
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid_size, int *block_size,
                                                             T function, size_t shared_bytes = 0,
                                                             int limit = 0) {
  cudaFuncAttributes attributes;
  int multiprocessors = 0, best = 0;
  cudaError_t error = cudaFuncGetAttributes(&attributes, (const void *)function);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  if (error != cudaSuccess) return error;
  int largest = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < largest) largest = limit;
  for (int size = largest; size > 0; size = (size - 1) / 32 * 32) {
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)function, size,
                                                          shared_bytes);
    if (error != cudaSuccess) return error;
    if (blocks * size > best) {
      best = blocks * size;
      *block_size = size;
      *min_grid_size = blocks * multiprocessors;
    }
  }
  return cudaSuccess;
}

#endif
