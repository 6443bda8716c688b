/* runtime_stream.c: the CUDA runtime API over device.h: streams and events. Work runs when it is
 * issued, so that every order that streams and events ask for is kept; times are modelled. */
#include <stdlib.h>

#include "cuda_runtime_api.h"
#include "runtime.h"

struct CUstream_st {
  unsigned int flags;
};

struct CUevent_st {
  unsigned int flags;
  bool recorded;
  double time_ns;
};

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  cudaError_t sticky = runtime_sticky();
  if (sticky) return runtime_result(sticky);
  if (!stream || flags > cudaStreamNonBlocking) return runtime_result(cudaErrorInvalidValue);
  struct CUstream_st *created = calloc(1, sizeof *created);
  if (!created) return runtime_result(cudaErrorMemoryAllocation);
  created->flags = flags;
  *stream = created;
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
  (void)priority;
  return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
    return runtime_result(cudaErrorInvalidResourceHandle);
  free(stream);
  return runtime_result(runtime_sticky());
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  (void)stream;
  return runtime_result(runtime_wait());
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  (void)stream;
  (void)flags;
  return runtime_result(event ? runtime_sticky() : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
  cudaError_t sticky = runtime_sticky();
  if (sticky) return runtime_result(sticky);
  if (!event) return runtime_result(cudaErrorInvalidValue);
  struct CUevent_st *created = calloc(1, sizeof *created);
  if (!created) return runtime_result(cudaErrorMemoryAllocation);
  created->flags = flags;
  *event = created;
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (!event) return runtime_result(cudaErrorInvalidResourceHandle);
  free(event);
  return runtime_result(runtime_sticky());
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  (void)stream;
  cudaError_t sticky = runtime_sticky();
  if (sticky) return runtime_result(sticky);
  if (!event) return runtime_result(cudaErrorInvalidResourceHandle);
  event->recorded = true;
  event->time_ns = device_time_ns(runtime_device());
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return runtime_result(event ? runtime_wait() : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  cudaError_t sticky = runtime_sticky();
  if (sticky) return runtime_result(sticky);
  if (!milliseconds) return runtime_result(cudaErrorInvalidValue);
  if (!start || !stop || !start->recorded || !stop->recorded ||
      (start->flags & cudaEventDisableTiming) || (stop->flags & cudaEventDisableTiming))
    return runtime_result(cudaErrorInvalidResourceHandle);
  *milliseconds = (float)((stop->time_ns - start->time_ns) / 1e6);
  return cudaSuccess;
}
