/* kit_device_runtime.h: launches from kernels (dynamic parallelism), and what of the CUDA runtime
 * device code may call. Only files that have such launches are compiled with it: harness/clang.sh.
 *
 * clang knows no launches in device code, so there kernels are functions that everyone may name,
 * and kernel<<<grid, block>>>(arguments) has become kernel(arguments) , __kit_launch(grid, block)
 * (harness/launches/launches.awk). The first is a call of __kit_child$kernel, which notes the
 * arguments (harness/launches/kernels.awk), the second launches. The simulator has both
 * (exec/children.h).
 */
#ifndef KIT_DEVICE_RUNTIME_H
#define KIT_DEVICE_RUNTIME_H

#include "cuda_runtime_api.h"

extern "C" {
__device__ void __kit_child_launch(unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                                   unsigned int block_x, unsigned int block_y, unsigned int block_z,
                                   size_t shared_bytes, cudaStream_t stream);
/* The error of the thread's launches since it was last cleared. */
__device__ cudaError_t __kit_child_error(int clears);
}

__kit_both__ void __kit_launch(dim3 grid, dim3 block, size_t shared_bytes = 0,
                               cudaStream_t stream = 0) {
  __kit_child_launch(grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes, stream);
}

__kit_device__ cudaError_t cudaGetLastError() { return __kit_child_error(1); }
__kit_device__ cudaError_t cudaPeekAtLastError() { return __kit_child_error(0); }

#define X(name, code, text) \
  case name: return text;
__kit_device__ const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
    KIT_ERRORS(X)
    default: return "unrecognized error code";
  }
}
#undef X
#define X(name, code, text) \
  case name: return #name;
__kit_device__ const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
    KIT_ERRORS(X)
    default: return "unrecognized error code";
  }
}
#undef X

/* Launches run in their order, whatever their streams are: streams and events need not be told
 * apart. */
#define KIT_DEVICE_STREAM ((cudaStream_t)0x10)
#define KIT_DEVICE_EVENT ((cudaEvent_t)0x10)
__kit_device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  if (flags != cudaStreamNonBlocking) return cudaErrorInvalidValue;
  *stream = KIT_DEVICE_STREAM;
  return cudaSuccess;
}
__kit_device__ cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
__kit_device__ cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int = 0) {
  return cudaSuccess;
}
__kit_device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
  if (!(flags & cudaEventDisableTiming)) return cudaErrorInvalidValue;
  *event = KIT_DEVICE_EVENT;
  return cudaSuccess;
}
__kit_device__ cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0) { return cudaSuccess; }
__kit_device__ cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }

__kit_device__ cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}
__kit_device__ cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return cudaSuccess;
}

template <class T>
__kit_device__ cudaError_t cudaMalloc(T **pointer, size_t bytes) {
  *pointer = (T *)malloc(bytes);
  return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}
__kit_device__ cudaError_t cudaFree(void *pointer) {
  free(pointer);
  return cudaSuccess;
}

/* Copies and fills in a stream are grids, too. */
template <class T>
__global__ void __attribute__((nodebug)) kit_device_copy(T *to, const T *from, size_t count) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
       i += (size_t)gridDim.x * blockDim.x)
    to[i] = from[i];
}
template <class T>
__global__ void __attribute__((nodebug)) kit_device_fill(T *to, T value, size_t count) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
       i += (size_t)gridDim.x * blockDim.x)
    to[i] = value;
}
__kit_device__ unsigned int kit_device_blocks(size_t count) {
  return count < 256 * 256 ? (unsigned int)((count + 255) / 256) : 256;
}
template <class T>
__kit_device__ cudaError_t cudaMemcpyAsync(T *to, const void *from, size_t bytes,
                                           cudaMemcpyKind kind, cudaStream_t stream = 0) {
  if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (!bytes) return cudaSuccess;
  if ((((size_t)to | (size_t)from | bytes) & 3) == 0)
    kit_device_copy((unsigned int *)(void *)to, (const unsigned int *)from, bytes / 4),
        __kit_launch(kit_device_blocks(bytes / 4), 256, 0, stream);
  else
    kit_device_copy((unsigned char *)(void *)to, (const unsigned char *)from, bytes),
        __kit_launch(kit_device_blocks(bytes), 256, 0, stream);
  return cudaPeekAtLastError();
}
template <class T>
__kit_device__ cudaError_t cudaMemsetAsync(T *to, int value, size_t bytes,
                                           cudaStream_t stream = 0) {
  if (bytes)
    kit_device_fill((unsigned char *)(void *)to, (unsigned char)value, bytes),
        __kit_launch(kit_device_blocks(bytes), 256, 0, stream);
  return cudaPeekAtLastError();
}

__device__ cudaError_t cudaDeviceSynchronize() __attribute__((unavailable(
    "not simulated: cudaDeviceSynchronize in device code, which CUDA 12 removed for this GPU; use "
    "a kernel that is launched after the others, or into cudaStreamTailLaunch")));

#endif
