/* driver_share.c: CUDA's driver API over the runtime API: memory and events of other processes
 * (runtime_share.c). */
#include <string.h>

#include "harness/sim/runtime/driver.h"

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address) {
  NEED_CONTEXT;
  return driver_result(cudaIpcGetMemHandle((cudaIpcMemHandle_t *)handle, driver_pointer(address)));
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *address, CUipcMemHandle handle, unsigned int flags) {
  cudaIpcMemHandle_t same;
  NEED_CONTEXT;
  memcpy(&same, &handle, sizeof same);
  return driver_result(cudaIpcOpenMemHandle((void **)address, same, flags));
}

CUresult cuIpcCloseMemHandle(CUdeviceptr address) {
  NEED_CONTEXT;
  return driver_result(cudaIpcCloseMemHandle(driver_pointer(address)));
}

CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event) {
  NEED_CONTEXT;
  return driver_result(cudaIpcGetEventHandle((cudaIpcEventHandle_t *)handle, event));
}

CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle) {
  cudaIpcEventHandle_t same;
  NEED_CONTEXT;
  memcpy(&same, &handle, sizeof same);
  return driver_result(cudaIpcOpenEventHandle(event, same));
}

/* cuMemCreate makes no memory that could be exported. */
CUresult cuMemExportToShareableHandle(void *shared, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags) {
  NEED_CONTEXT;
  (void)shared, (void)handle, (void)type, (void)flags;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *shared,
                                        CUmemAllocationHandleType type) {
  NEED_CONTEXT;
  (void)shared;
  if (!handle || type == CU_MEM_HANDLE_TYPE_NONE) return CUDA_ERROR_INVALID_VALUE;
  return driver_result(runtime_unsupported(__func__, runtime_line()));
}
