/* kit_host.h: what CUDA C++ adds to the runtime API on the host: launches, allocations and copies
 * that know their line, and templates over typed pointers, kernels and symbols. */
#ifndef KIT_HOST_H
#define KIT_HOST_H

#include "cuda_runtime_api.h"

/* clang calls these for kernel<<<grid, block, shared_bytes, stream>>>(...). */
extern "C" unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                                    cudaStream_t stream = 0,
                                                    int line = __builtin_LINE(),
                                                    const char *file = __builtin_FILE());

#define KIT_PLACE int line = __builtin_LINE(), const char *file = __builtin_FILE()

/* Functions whose address programs take, such as deleters: of what enable_if is said of there is
 * none, so the runtime's own is meant there, and calls prefer this one. */
#define KIT_CALLED __attribute__((enable_if(line >= 0, "always")))

__kit_inline__ cudaError_t cudaMalloc(void **pointer, size_t bytes, KIT_PLACE) KIT_CALLED {
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
__kit_inline__ cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream,
                                           KIT_PLACE) {
  return kit_malloc_current_at((void **)pointer, bytes, stream, file, line);
}
template <class T>
__kit_inline__ cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t bytes, cudaMemPool_t pool,
                                                   cudaStream_t stream, KIT_PLACE) {
  return kit_malloc_async_at((void **)pointer, bytes, pool, stream, file, line);
}
template <class T>
__kit_inline__ cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream, KIT_PLACE) {
  return kit_malloc_async_at((void **)pointer, bytes, pool, stream, file, line);
}
__kit_inline__ cudaError_t cudaMallocManaged(void **pointer, size_t bytes,
                                             unsigned int flags = cudaMemAttachGlobal,
                                             KIT_PLACE) KIT_CALLED {
  return kit_malloc_managed_at(pointer, bytes, flags, file, line);
}
template <class T>
__kit_inline__ cudaError_t cudaMallocManaged(T **pointer, size_t bytes,
                                             unsigned int flags = cudaMemAttachGlobal, KIT_PLACE) {
  return kit_malloc_managed_at((void **)pointer, bytes, flags, file, line);
}
/* The line of the call that this thread makes while this is alive. */
struct kit_place {
  __kit_member__ kit_place(int line, const char *file) { kit_at(line, file); }
  __kit_member__ ~kit_place() { kit_at(0, 0); }
};
#define KIT_LINE KIT_PLACE

#define KIT_CALL(function, arguments, ...)                                   \
  extern "C" cudaError_t kit_##function(__VA_ARGS__) __asm__(#function);     \
  __kit_inline__ cudaError_t function(__VA_ARGS__, KIT_LINE) KIT_CALLED {    \
    kit_place here(line, file);                                                    \
    return kit_##function arguments;                                         \
  }
KIT_CALL(cudaFree, (pointer), void *pointer)
KIT_CALL(cudaFreeAsync, (pointer, stream), void *pointer, cudaStream_t stream)
KIT_CALL(cudaFreeHost, (pointer), void *pointer)
KIT_CALL(cudaHostAlloc, (pointer, bytes, flags), void **pointer, size_t bytes, unsigned int flags)
KIT_CALL(cudaMallocHost, (pointer, bytes), void **pointer, size_t bytes)
KIT_CALL(cudaHostRegister, (pointer, bytes, flags), void *pointer, size_t bytes, unsigned int flags)
KIT_CALL(cudaHostUnregister, (pointer), void *pointer)
KIT_CALL(cudaStreamDestroy, (stream), cudaStream_t stream)
KIT_CALL(cudaStreamSynchronize, (stream), cudaStream_t stream)
KIT_CALL(cudaStreamWaitEvent, (stream, event, flags), cudaStream_t stream, cudaEvent_t event,
         unsigned int flags = 0)
KIT_CALL(cudaEventDestroy, (event), cudaEvent_t event)
KIT_CALL(cudaEventRecord, (event, stream), cudaEvent_t event, cudaStream_t stream = 0)
KIT_CALL(cudaEventSynchronize, (event), cudaEvent_t event)
KIT_CALL(cudaEventQuery, (event), cudaEvent_t event)
KIT_CALL(cudaMalloc3D, (pitched, extent), cudaPitchedPtr *pitched, cudaExtent extent)
KIT_CALL(cudaMemcpy3D, (box), const cudaMemcpy3DParms *box)
KIT_CALL(cudaMemcpy3DAsync, (box, stream), const cudaMemcpy3DParms *box, cudaStream_t stream = 0)
KIT_CALL(cudaMallocArray, (array, desc, width, height, flags), cudaArray_t *array,
         const cudaChannelFormatDesc *desc, size_t width, size_t height = 0, unsigned int flags = 0)
KIT_CALL(cudaMalloc3DArray, (array, desc, extent, flags), cudaArray_t *array,
         const cudaChannelFormatDesc *desc, cudaExtent extent, unsigned int flags = 0)
KIT_CALL(cudaMemcpy2DToArray, (to, x, y, from, pitch, width, height, kind), cudaArray_t to,
         size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height,
         cudaMemcpyKind kind)
KIT_CALL(cudaMemcpy2DFromArray, (to, pitch, from, x, y, width, height, kind), void *to,
         size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height,
         cudaMemcpyKind kind)
KIT_CALL(cudaMemcpyToArray, (to, x, y, from, bytes, kind), cudaArray_t to, size_t x, size_t y,
         const void *from, size_t bytes, cudaMemcpyKind kind)
KIT_CALL(cudaCreateTextureObject, (object, resource, texture, view), cudaTextureObject_t *object,
         const cudaResourceDesc *resource, const cudaTextureDesc *texture,
         const cudaResourceViewDesc *view)
KIT_CALL(cudaCreateSurfaceObject, (object, resource), cudaSurfaceObject_t *object,
         const cudaResourceDesc *resource)
#define KIT_NODE                                                                           \
  cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count
KIT_CALL(cudaGraphAddKernelNode, (node, graph, dependencies, count, params), KIT_NODE,
         const cudaKernelNodeParams *params)
KIT_CALL(cudaGraphAddMemcpyNode, (node, graph, dependencies, count, params), KIT_NODE,
         const cudaMemcpy3DParms *params)
KIT_CALL(cudaGraphAddMemcpyNode1D, (node, graph, dependencies, count, to, from, bytes, kind),
         KIT_NODE, void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
KIT_CALL(cudaGraphAddMemsetNode, (node, graph, dependencies, count, params), KIT_NODE,
         const cudaMemsetParams *params)
#undef KIT_NODE
KIT_CALL(cudaGraphLaunch, (exec, stream), cudaGraphExec_t exec, cudaStream_t stream)
KIT_CALL(cudaMemset3D, (pitched, value, extent), cudaPitchedPtr pitched, int value,
         cudaExtent extent)
KIT_CALL(cudaMemset2DAsync, (pointer, pitch, value, width, height, stream), void *pointer,
         size_t pitch, int value, size_t width, size_t height, cudaStream_t stream = 0)
KIT_CALL(cudaMemcpyPeer, (to, to_device, from, from_device, bytes), void *to, int to_device,
         const void *from, int from_device, size_t bytes)
KIT_CALL(cudaHostGetDevicePointer, (device, pointer, flags), void **device, void *pointer,
         unsigned int flags)
KIT_CALL(cudaMemPrefetchAsync, (pointer, bytes, device, stream), const void *pointer, size_t bytes,
         int device, cudaStream_t stream = 0)
KIT_CALL(cudaMemAdvise, (pointer, bytes, advice, device), const void *pointer, size_t bytes,
         cudaMemoryAdvise advice, int device)
KIT_CALL(cudaLaunchHostFunc, (stream, function, data), cudaStream_t stream, cudaHostFn_t function,
         void *data)
#undef KIT_CALL

template <class T>
__kit_inline__ cudaError_t cudaHostGetDevicePointer(T **device, void *pointer, unsigned int flags,
                                                    KIT_LINE) {
  kit_place here(line, file);
  return kit_cudaHostGetDevicePointer((void **)device, pointer, flags);
}
/* CUDA 13 has a location where CUDA 12 has a device. */
__kit_inline__ int kit_device_at(cudaMemLocation location) {
  if (location.type == cudaMemLocationTypeDevice) return location.id;
  return location.type == cudaMemLocationTypeInvalid ? -2 /* no device */ : cudaCpuDeviceId;
}
__kit_inline__ cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes,
                                                cudaMemLocation location, unsigned int flags,
                                                cudaStream_t stream = 0, KIT_LINE) {
  kit_place here(line, file);
  if (flags != 0) return cudaErrorInvalidValue;
  return kit_cudaMemPrefetchAsync(pointer, bytes, kit_device_at(location), stream);
}
__kit_inline__ cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                                         cudaMemLocation location, KIT_LINE) {
  kit_place here(line, file);
  return kit_cudaMemAdvise(pointer, bytes, advice, kit_device_at(location));
}
template <class T>
__kit_inline__ cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *pointer,
                                                    size_t bytes = 0,
                                                    unsigned int flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(stream, (void *)pointer, bytes, flags);
}

template <class T>
__kit_inline__ cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned int flags = 0,
                                          KIT_LINE) {
  kit_place here(line, file);
  return kit_cudaHostAlloc((void **)pointer, bytes, flags);
}
template <class T>
__kit_inline__ cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags, KIT_LINE) {
  kit_place here(line, file);
  return kit_cudaHostAlloc((void **)pointer, bytes, flags);
}

/* Copies, fills, streams, events: the runtime's own functions, under names of ours, with the line
 * of the call.
 */
extern "C" {
cudaError_t kit_memcpy(void *, const void *, size_t, cudaMemcpyKind) __asm__("cudaMemcpy");
cudaError_t kit_memcpy_async(void *, const void *, size_t, cudaMemcpyKind,
                             cudaStream_t) __asm__("cudaMemcpyAsync");
cudaError_t kit_memcpy_2d(void *, size_t, const void *, size_t, size_t, size_t,
                          cudaMemcpyKind) __asm__("cudaMemcpy2D");
cudaError_t kit_memcpy_2d_async(void *, size_t, const void *, size_t, size_t, size_t,
                                cudaMemcpyKind, cudaStream_t) __asm__("cudaMemcpy2DAsync");
cudaError_t kit_memset(void *, int, size_t) __asm__("cudaMemset");
cudaError_t kit_memset_async(void *, int, size_t, cudaStream_t) __asm__("cudaMemsetAsync");
cudaError_t kit_memset_2d(void *, size_t, int, size_t, size_t) __asm__("cudaMemset2D");
cudaError_t kit_to_symbol(const void *, const void *, size_t, size_t,
                          cudaMemcpyKind) __asm__("cudaMemcpyToSymbol");
cudaError_t kit_from_symbol(void *, const void *, size_t, size_t,
                            cudaMemcpyKind) __asm__("cudaMemcpyFromSymbol");
cudaError_t kit_to_symbol_async(const void *, const void *, size_t, size_t, cudaMemcpyKind,
                                cudaStream_t) __asm__("cudaMemcpyToSymbolAsync");
cudaError_t kit_from_symbol_async(void *, const void *, size_t, size_t, cudaMemcpyKind,
                                  cudaStream_t) __asm__("cudaMemcpyFromSymbolAsync");
cudaError_t kit_stream_create(cudaStream_t *, unsigned int,
                              int) __asm__("cudaStreamCreateWithPriority");
cudaError_t kit_event_create(cudaEvent_t *, unsigned int) __asm__("cudaEventCreateWithFlags");
cudaError_t kit_elapsed_time(float *, cudaEvent_t, cudaEvent_t) __asm__("cudaEventElapsedTime");
}

__kit_inline__ cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                      KIT_LINE) {
  kit_place here(line, file);
  return kit_memcpy(to, from, bytes, kind);
}
__kit_inline__ cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                           cudaMemcpyKind kind, cudaStream_t stream = 0, KIT_LINE) {
  kit_place here(line, file);
  return kit_memcpy_async(to, from, bytes, kind, stream);
}
__kit_inline__ cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from,
                                        size_t from_pitch, size_t width, size_t height,
                                        cudaMemcpyKind kind, KIT_LINE) {
  kit_place here(line, file);
  return kit_memcpy_2d(to, to_pitch, from, from_pitch, width, height, kind);
}
__kit_inline__ cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                             size_t from_pitch, size_t width, size_t height,
                                             cudaMemcpyKind kind, cudaStream_t stream = 0,
                                             KIT_LINE) {
  kit_place here(line, file);
  return kit_memcpy_2d_async(to, to_pitch, from, from_pitch, width, height, kind, stream);
}
__kit_inline__ cudaError_t cudaMemset(void *pointer, int value, size_t bytes, KIT_LINE) {
  kit_place here(line, file);
  return kit_memset(pointer, value, bytes);
}
__kit_inline__ cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes,
                                           cudaStream_t stream = 0, KIT_LINE) {
  kit_place here(line, file);
  return kit_memset_async(pointer, value, bytes, stream);
}
__kit_inline__ cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width,
                                        size_t height, KIT_LINE) {
  kit_place here(line, file);
  return kit_memset_2d(pointer, pitch, value, width, height);
}

__kit_inline__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags,
                                                     KIT_LINE) {
  kit_place here(line, file);
  return kit_stream_create(stream, flags, 0);
}
__kit_inline__ cudaError_t cudaStreamCreate(cudaStream_t *stream, KIT_LINE) {
  kit_place here(line, file);
  return kit_stream_create(stream, cudaStreamDefault, 0);
}
__kit_inline__ cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags,
                                                        int priority, KIT_LINE) {
  kit_place here(line, file);
  return kit_stream_create(stream, flags, priority);
}
__kit_inline__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags,
                                                    KIT_LINE) {
  kit_place here(line, file);
  return kit_event_create(event, flags);
}
__kit_inline__ cudaError_t cudaEventCreate(cudaEvent_t *event,
                                           unsigned int flags = cudaEventDefault, KIT_LINE) {
  kit_place here(line, file);
  return kit_event_create(event, flags);
}
__kit_inline__ cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start,
                                                cudaEvent_t stop, KIT_LINE) {
  kit_place here(line, file);
  return kit_elapsed_time(milliseconds, start, stop);
}

template <class T>
__kit_inline__ cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                                              size_t offset = 0,
                                              cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                              KIT_LINE) {
  kit_place here(line, file);
  return kit_to_symbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
__kit_inline__ cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes,
                                                size_t offset = 0,
                                                cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                KIT_LINE) {
  kit_place here(line, file);
  return kit_from_symbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
__kit_inline__ cudaError_t cudaGraphAddMemcpyNodeToSymbol(
    cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
    const T &symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return cudaGraphAddMemcpyNodeToSymbol(node, graph, dependencies, count, (const void *)&symbol,
                                        from, bytes, offset, kind);
}
template <class T>
__kit_inline__ cudaError_t cudaGraphAddMemcpyNodeFromSymbol(
    cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
    void *to, const T &symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return cudaGraphAddMemcpyNodeFromSymbol(node, graph, dependencies, count, to,
                                          (const void *)&symbol, bytes, offset, kind);
}
template <class T>
__kit_inline__ cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes,
                                                   size_t offset = 0,
                                                   cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                   cudaStream_t stream = 0, KIT_LINE) {
  kit_place here(line, file);
  return kit_to_symbol_async((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <class T>
__kit_inline__ cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes,
                                                     size_t offset = 0,
                                                     cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                     cudaStream_t stream = 0, KIT_LINE) {
  kit_place here(line, file);
  return kit_from_symbol_async(to, (const void *)&symbol, bytes, offset, kind, stream);
}
#undef KIT_LINE
#undef KIT_PLACE
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
/* Arguments become what the kernel's parameters are, as in a call. */
template <class... Parameters, class... Arguments>
__kit_inline__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                              void (*function)(Parameters...),
                                              Arguments &&...arguments) {
  return [&](Parameters... parameters) {
    void *all[sizeof...(Parameters) + 1] = {(void *)&parameters...};
    return cudaLaunchKernelExC(config, (const void *)function, all);
  }(static_cast<Arguments &&>(arguments)...);
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
__kit_inline__ cudaError_t cudaFuncSetSharedMemConfig(T *function, cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig((const void *)function, config);
}
template <class T>
__kit_inline__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *function,
                                                                         int block_size,
                                                                         size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, block_size,
                                                       shared_bytes);
}
template <class T>
__kit_inline__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, T *function, int block_size, size_t shared_bytes, unsigned int flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, (const void *)function, block_size, shared_bytes, flags);
}
template <class T>
__kit_inline__ cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T *function,
                                                                     int blocks, int block_size) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)function, blocks,
                                                   block_size);
}

/* The block size with the most active threads per multiprocessor, the largest such; shared_bytes
 * returns the dynamic shared memory of a block with so many threads. */
template <class T, class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *min_grid_size, int *block_size, T function, F shared_bytes, int limit = 0,
    unsigned int flags = cudaOccupancyDefault) {
  cudaFuncAttributes attributes;
  int multiprocessors = 0, best = 0;
  if (!min_grid_size || !block_size) return cudaErrorInvalidValue;
  cudaError_t error = cudaFuncGetAttributes(&attributes, (const void *)function);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  if (error != cudaSuccess) return error;
  int largest = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < largest) largest = limit;
  for (int size = largest; size > 0; size = (size - 1) / 32 * 32) {
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, (const void *)function, size, shared_bytes(size), flags);
    if (error != cudaSuccess) return error;
    if (blocks * size > best) {
      best = blocks * size;
      *block_size = size;
      *min_grid_size = blocks * multiprocessors;
    }
  }
  return cudaSuccess;
}
template <class T, class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid_size,
                                                                         int *block_size,
                                                                         T function, F shared_bytes,
                                                                         int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(min_grid_size, block_size,
                                                                 function, shared_bytes, limit);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(
    int *min_grid_size, int *block_size, T function, size_t shared_bytes = 0, int limit = 0,
    unsigned int flags = cudaOccupancyDefault) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      min_grid_size, block_size, function, [=](int) { return shared_bytes; }, limit, flags);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid_size, int *block_size,
                                                             T function, size_t shared_bytes = 0,
                                                             int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(min_grid_size, block_size, function,
                                                     shared_bytes, limit);
}

#endif
