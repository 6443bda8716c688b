/* runtime_stream.c: the CUDA runtime API over device.h: streams and events. Work runs when it is
 * issued, which keeps every order that streams and events ask for; the device records what they ask
 * for, to find work that nothing orders. Times are modelled. */
#include <stdlib.h>

#include "harness/sim/base/hold.h"
#include "harness/sim/runtime/managed.h"
#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

/* The device numbers a stream when it is made, and a later device when it is first used there. */
struct CUstream_st {
  struct CUstream_st *next;
  unsigned int flags;
  int generation; /* of the device that has it; 0: none has */
  uint32_t number;
};

struct CUevent_st {
  unsigned int flags;
  bool recorded;
  double time_ns;
  int generation;
  uint32_t number; /* 0: the device does not have it */
};

static struct CUstream_st *streams;
static _Thread_local struct CUstream_st own_stream; /* cudaStreamPerThread */
static pthread_mutex_t streams_lock = PTHREAD_MUTEX_INITIALIZER;

static struct CUstream_st **find_stream(cudaStream_t stream) {
  struct CUstream_st **at = &streams;
  while (*at && *at != stream) at = &(*at)->next;
  return at;
}

bool runtime_stream(cudaStream_t stream, uint32_t *number) {
  *number = 0;
  if (!stream || stream == cudaStreamLegacy) return true;
  if (stream == cudaStreamPerThread) stream = &own_stream;
  HOLD(&streams_lock);
  bool exists = stream == &own_stream || *find_stream(stream);
  if (exists && stream->generation != runtime_generation()) {
    device_stream_create(runtime_device(), stream->flags & cudaStreamNonBlocking, &stream->number);
    stream->generation = runtime_generation();
  }
  if (exists) *number = stream->number;
  return exists;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  cudaError_t sticky = runtime_sticky();
  if (sticky) return runtime_result(sticky);
  if (!stream || flags > cudaStreamNonBlocking) return runtime_result(cudaErrorInvalidValue);
  struct CUstream_st *created = calloc(1, sizeof *created);
  if (!created) return runtime_result(cudaErrorMemoryAllocation);
  created->flags = flags;
  pthread_mutex_lock(&streams_lock);
  created->next = streams;
  streams = created;
  pthread_mutex_unlock(&streams_lock);
  *stream = created;
  runtime_stream(created, &(uint32_t){0}); /* from now on work may be unordered */
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
  pthread_mutex_lock(&streams_lock);
  struct CUstream_st **at = find_stream(stream);
  bool exists = *at;
  if (exists) *at = stream->next;
  pthread_mutex_unlock(&streams_lock);
  if (!exists) return runtime_result(cudaErrorInvalidResourceHandle);
  if (stream->generation == runtime_generation())
    device_stream_destroy(runtime_device(), stream->number);
  free(stream);
  return runtime_result(runtime_sticky());
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  uint32_t number;
  if (!runtime_stream(stream, &number)) return runtime_result(cudaErrorInvalidResourceHandle);
  managed_report();
  int error = device_stream_synchronize(runtime_device(), number);
  runtime_settle();
  return runtime_result(error);
}

/* All work is done by then; the program may go on as if it had waited. */
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

/* The number of an event that was recorded on this device; 0: there is nothing to wait for. */
static uint32_t event_number(cudaEvent_t event) {
  return event->generation == runtime_generation() ? event->number : 0;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  uint32_t number;
  (void)flags;
  if (!event || !runtime_stream(stream, &number))
    return runtime_result(cudaErrorInvalidResourceHandle);
  if (!event_number(event)) return runtime_result(runtime_sticky());
  return runtime_result(device_stream_wait(runtime_device(), number, event_number(event)));
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
  if (event_number(event)) device_event_destroy(runtime_device(), event_number(event));
  free(event);
  return runtime_result(runtime_sticky());
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  uint32_t number;
  cudaError_t sticky = runtime_sticky();
  if (sticky) return runtime_result(sticky);
  if (!event || !runtime_stream(stream, &number))
    return runtime_result(cudaErrorInvalidResourceHandle);
  event->number = event_number(event);
  event->generation = runtime_generation();
  int error = device_event_record(runtime_device(), &event->number, number);
  if (error) return runtime_result(error);
  event->recorded = true;
  event->time_ns = device_time_ns(runtime_device());
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (!event) return runtime_result(cudaErrorInvalidResourceHandle);
  uint32_t number = event_number(event);
  if (!number) return runtime_result(runtime_sticky());
  managed_report();
  int error = device_event_synchronize(runtime_device(), number);
  runtime_settle();
  return runtime_result(error);
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
