/* runtime_share.c: the CUDA runtime API over device.h: memory and events of other processes. There
 * are none: wrong calls return what they do on a GPU, right ones cudaErrorNotSupported, which is
 * reported. */
#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

/* Is there an array at this address, or an event? */
static bool is_array(const void *pointer) {
  uint64_t start, bytes;
  return device_find_array(runtime_device(), (uintptr_t)pointer, &start, &bytes) == 0;
}

static cudaError_t refuse(bool valid, cudaError_t invalid, const char *function) {
  return valid ? runtime_unsupported(function, runtime_line())
               : runtime_result_of(invalid, function);
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer) {
  return refuse(handle && is_array(pointer), cudaErrorInvalidValue, __func__);
}

cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned int flags) {
  (void)handle;
  return refuse(pointer && flags == cudaIpcMemLazyEnablePeerAccess, cudaErrorInvalidValue,
                __func__);
}

/* None was opened. */
cudaError_t cudaIpcCloseMemHandle(void *pointer) {
  (void)pointer;
  return runtime_result(cudaErrorInvalidValue);
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event) {
  if (!handle) return runtime_result(cudaErrorInvalidValue);
  cudaError_t known = cudaEventQuery(event);
  return refuse(known != cudaErrorInvalidResourceHandle, known, __func__);
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle) {
  (void)handle;
  return refuse(event != NULL, cudaErrorInvalidValue, __func__);
}

/* Pools that are made here have no handle that others could have. */

cudaError_t cudaMemPoolExportToShareableHandle(void *shared, cudaMemPool_t pool,
                                               enum cudaMemAllocationHandleType type,
                                               unsigned int flags) {
  (void)shared, (void)pool, (void)type, (void)flags;
  return runtime_result(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *shared,
                                                 enum cudaMemAllocationHandleType type,
                                                 unsigned int flags) {
  (void)shared;
  return refuse(pool && type != cudaMemHandleTypeNone && !flags, cudaErrorInvalidValue, __func__);
}

cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *data, void *pointer) {
  (void)data, (void)pointer;
  return runtime_result(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolImportPointer(void **pointer, cudaMemPool_t pool,
                                     struct cudaMemPoolPtrExportData *data) {
  (void)pointer, (void)pool, (void)data;
  return runtime_result(cudaErrorInvalidValue);
}
