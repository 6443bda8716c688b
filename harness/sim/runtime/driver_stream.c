/* driver_stream.c: CUDA's driver API over the runtime API: streams and events, which are the
 * runtime's. */
#include "harness/sim/runtime/driver.h"

CUresult cuStreamCreate(CUstream *stream, unsigned int flags) {
  NEED_CONTEXT;
  return driver_result(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamDestroy(CUstream stream) {
  NEED_CONTEXT;
  return driver_result(cudaStreamDestroy(stream));
}

CUresult cuStreamSynchronize(CUstream stream) {
  NEED_CONTEXT;
  return driver_result(cudaStreamSynchronize(stream));
}

CUresult cuStreamQuery(CUstream stream) {
  NEED_CONTEXT;
  return driver_result(cudaStreamQuery(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  NEED_CONTEXT;
  return driver_result(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  NEED_CONTEXT;
  return driver_result(cudaLaunchHostFunc(stream, function, data));
}

CUresult cuEventCreate(CUevent *event, unsigned int flags) {
  NEED_CONTEXT;
  return driver_result(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventDestroy(CUevent event) {
  NEED_CONTEXT;
  return driver_result(cudaEventDestroy(event));
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  NEED_CONTEXT;
  return driver_result(cudaEventRecord(event, stream));
}

CUresult cuEventSynchronize(CUevent event) {
  NEED_CONTEXT;
  return driver_result(cudaEventSynchronize(event));
}

CUresult cuEventQuery(CUevent event) {
  NEED_CONTEXT;
  return driver_result(cudaEventQuery(event));
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  NEED_CONTEXT;
  return driver_result(cudaEventElapsedTime(milliseconds, start, end));
}
