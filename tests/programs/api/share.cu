// share.cu: codes of calls for other processes and other contexts. On a GPU the right ones succeed.
#include "codes.h"

#include <cuda.h>

int main() {
  int *p, *host = (int *)malloc(4);
  void *opened;
  cudaIpcMemHandle_t memory = {};
  cudaIpcEventHandle_t of_event = {};
  cudaEvent_t event = NULL, other;
  cudaMemPool_t pool, imported;
  cudaMemPoolPtrExportData data = {};
  CODE(cudaMalloc(&p, 4));
  CODE(cudaIpcGetMemHandle(&memory, p));
  CODE(cudaIpcGetMemHandle(NULL, p));
  CODE(cudaIpcGetMemHandle(&memory, host));
  CODE(cudaIpcOpenMemHandle(&opened, memory, cudaIpcMemLazyEnablePeerAccess));
  CODE(cudaIpcOpenMemHandle(&opened, memory, 0));
  CODE(cudaIpcCloseMemHandle(p));
  CODE(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
  CODE(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  CODE(cudaIpcGetEventHandle(&of_event, event));
  CODE(cudaIpcGetEventHandle(NULL, event));
  CODE(cudaIpcOpenEventHandle(&other, of_event));
  CODE(cudaDeviceGetDefaultMemPool(&pool, 0));
  CODE(cudaMemPoolExportToShareableHandle(&opened, pool, cudaMemHandleTypePosixFileDescriptor, 0));
  CODE(cudaMemPoolImportFromShareableHandle(&imported, opened,
                                            cudaMemHandleTypePosixFileDescriptor, 0));
  CODE(cudaMemPoolExportPointer(&data, p));
  CODE(cudaMemPoolImportPointer(&opened, pool, &data));

  // The driver's; all contexts are of one device.
  CUcontext first, second;
  CUipcMemHandle driver_memory;
  CODE((cudaError_t)cuCtxGetCurrent(&first));
  CODE((cudaError_t)cuCtxCreate(&first, 0, 0));
  CODE((cudaError_t)cuCtxCreate(&second, 0, 0));
  CODE((cudaError_t)cuCtxEnablePeerAccess(first, 1));
  CODE((cudaError_t)cuCtxEnablePeerAccess(NULL, 0));
  CODE((cudaError_t)cuCtxEnablePeerAccess(second, 0));
  CODE((cudaError_t)cuCtxEnablePeerAccess(first, 0));
  CODE((cudaError_t)cuCtxDisablePeerAccess(first));
  CODE((cudaError_t)cuIpcGetMemHandle(&driver_memory, (CUdeviceptr)p));
  CODE((cudaError_t)cuIpcGetMemHandle(&driver_memory, 5));
}
