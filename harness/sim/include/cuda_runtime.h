/* cuda_runtime.h: the CUDA headers of the simulator. harness/compile includes it before the
 * student's file, which may include it again or not. In C it is the runtime API only; in CUDA C++
 * also the language's built-in variables, functions and templates. */
#ifndef KIT_CUDA_RUNTIME_H
#define KIT_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__

#pragma GCC system_header

#include "host_defines.h"
#include "vector_types.h"

#ifdef __CUDA__
/* Device functions come before the standard headers: clang then leaves the standard library's
 * constexpr functions of the same names to the host. */
#include "kit_builtins.h"
#include "kit_device_functions.h"
#include "kit_simd.h"
#include "kit_math.h"
#endif

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#ifdef __CUDA__
#include "kit_warp.h"
#include "kit_texture.h"
#include "kit_atomic.h"
#include "kit_graph_device.h"
#include "kit_host.h"
#if defined(KIT_DEVICE_LAUNCHES) && defined(__CUDA_ARCH__)
#include "kit_device_runtime.h"
#endif

#define __CUDACC__ 1
#define __CUDA_ARCH_LIST__ 900
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 131

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <initializer_list>
#include <new>
#elif defined(__cplusplus)
/* Allocations into pointers of any type. */
template <class T>
inline cudaError_t cudaMalloc(T **pointer, size_t bytes) {
  return cudaMalloc((void **)(void *)pointer, bytes);
}
template <class T>
inline cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned int flags = 0) {
  return cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T>
inline cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags) {
  return cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T>
inline cudaError_t cudaMallocManaged(T **pointer, size_t bytes,
                                     unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void **)(void *)pointer, bytes, flags);
}
template <class T>
inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
  return cudaMallocPitch((void **)(void *)pointer, pitch, width, height);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags) {
  return cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
#endif

#endif
