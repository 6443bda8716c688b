/* runtime_event.c: the CUDA runtime API over device.h: events. Their times are modelled. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/sim/base/hold.h"
#include "harness/sim/runtime/backlog.h"
#include "harness/sim/runtime/graph.h"
#include "harness/sim/runtime/managed.h"
#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

struct CUevent_st {
  struct CUevent_st *next;
  unsigned int flags;
  bool recorded;
  bool captured; /* when it was recorded last, the stream was being captured */
  int generation;
  struct device_event on_device; /* number 0: the device does not have it */
};

static struct CUevent_st *events;
static pthread_mutex_t events_lock = PTHREAD_MUTEX_INITIALIZER; /* of their list */

static struct CUevent_st **find_event(cudaEvent_t event) {
  struct CUevent_st **at = &events;
  while (*at && *at != event) at = &(*at)->next;
  return at;
}

static bool event_exists(cudaEvent_t event) {
  HOLD(&events_lock);
  return *find_event(event);
}

static cudaError_t no_event(const char *function, int line) {
  return runtime_explained(cudaErrorInvalidResourceHandle, function, line,
                           "there is no such event, or it was destroyed before",
                           "Create it with cudaEventCreate, and destroy it after its last use.");
}

/* The event as this device has it; NULL: there is nothing to wait for. */
static const struct device_event *on_device(cudaEvent_t event) {
  return event->generation == runtime_generation() && event->on_device.number ? &event->on_device
                                                                              : NULL;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  uint32_t number;
  if (flags > cudaEventWaitExternal) return runtime_result(cudaErrorInvalidValue);
  if (!runtime_stream(stream, &number)) return runtime_result(cudaErrorInvalidResourceHandle);
  if (!event_exists(event)) return no_event(__func__, 0);
  cudaError_t captured;
  if (capture_wait(stream, event, &captured)) return runtime_result(captured);
  if (event->captured) return runtime_result(cudaErrorInvalidValue);
  if (backlog_wait(stream, event)) return cudaSuccess;
  if (!on_device(event)) return runtime_result(runtime_sticky());
  return runtime_result(device_stream_wait(runtime_device(), number, on_device(event)));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
  int line = runtime_line();
  cudaError_t sticky = runtime_sticky();
  if (sticky) return runtime_result(sticky);
  enum { ALL = cudaEventBlockingSync | cudaEventDisableTiming };
  if (!event || flags & ~(unsigned)(ALL | cudaEventInterprocess) ||
      (flags & cudaEventInterprocess && !(flags & cudaEventDisableTiming)))
    return runtime_result(cudaErrorInvalidValue);
  if (flags & cudaEventInterprocess) return runtime_unsupported("cudaEventInterprocess", line);
  struct CUevent_st *created = calloc(1, sizeof *created);
  if (!created) return runtime_result(cudaErrorMemoryAllocation);
  created->flags = flags;
  created->generation = runtime_generation();
  created->on_device.timed = !(flags & cudaEventDisableTiming);
  device_event_create(runtime_device(), line, &created->on_device);
  pthread_mutex_lock(&events_lock);
  created->next = events;
  events = created;
  pthread_mutex_unlock(&events_lock);
  *event = created;
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  pthread_mutex_lock(&events_lock);
  struct CUevent_st **at = find_event(event);
  bool exists = *at;
  if (exists) *at = event->next;
  pthread_mutex_unlock(&events_lock);
  if (!exists) return no_event(__func__, 0);
  backlog_forget_event(event);
  if (on_device(event)) device_event_destroy(runtime_device(), on_device(event));
  free(event);
  return runtime_result(runtime_sticky());
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  uint32_t number;
  cudaError_t sticky = runtime_sticky();
  if (sticky) return runtime_result(sticky);
  if (!runtime_stream(stream, &number)) return runtime_result(cudaErrorInvalidResourceHandle);
  if (!event_exists(event)) return no_event(__func__, 0);
  cudaError_t captured;
  event->captured = capture_record(event, stream, &captured);
  if (event->captured) return runtime_result(captured);
  if (event->generation != runtime_generation())
    return runtime_result(cudaErrorDeviceUninitialized);
  if (backlog_record(event, stream)) {
    event->recorded = true;
    return cudaSuccess;
  }
  int error = device_event_record(runtime_device(), &event->on_device, number);
  if (error) return runtime_result(error);
  event->recorded = true;
  return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  if (flags > cudaEventRecordExternal) return runtime_result(cudaErrorInvalidValue);
  return cudaEventRecord(event, stream);
}

/* Waits for an event, or asks for it: a function of device.h. */
static cudaError_t about_event(cudaEvent_t event,
                               int (*ask)(struct device *, const struct device_event *),
                               const char *function) {
  if (!event_exists(event)) return no_event(function, 0);
  if (capture_has_event(event, true)) return runtime_result_of(cudaErrorCapturedEvent, function);
  if (event->captured) return runtime_result_of(cudaErrorInvalidValue, function);
  if (ask == device_event_synchronize)
    backlog_finish_event(event);
  else if (backlog_has_event(event))
    return runtime_result_of(cudaErrorNotReady, function);
  const struct device_event *asked = on_device(event);
  if (!asked) return runtime_result_of(runtime_sticky(), function);
  managed_report();
  int error = ask(runtime_device(), asked);
  runtime_settle();
  return runtime_result_of(error, function);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return about_event(event, device_event_synchronize, __func__);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return about_event(event, device_event_query, __func__);
}

/* Will it have a time? If not, says why: which is "first" or "second". */
static cudaError_t check_timed(cudaEvent_t event, const char *which, int line) {
  static const char function[] = "cudaEventElapsedTime";
  char why[80];
  if (!event_exists(event)) return no_event(function, line);
  if (capture_has_event(event, false)) return runtime_result_of(cudaErrorCapturedEvent, function);
  if (event->captured) return runtime_result_of(cudaErrorInvalidValue, function);
  if (event->flags & cudaEventDisableTiming) {
    snprintf(why, sizeof why, "its %s event was made with cudaEventDisableTiming", which);
    return runtime_explained(cudaErrorInvalidResourceHandle, function, line, why,
                             "Make it with cudaEventCreate.");
  }
  if (!event->recorded) {
    snprintf(why, sizeof why, "its %s event was never recorded", which);
    return runtime_explained(cudaErrorInvalidResourceHandle, function, line, why,
                             "Call cudaEventRecord before and after what is to be timed.");
  }
  return cudaSuccess;
}

/* Has it happened, so that its time is known? */
static cudaError_t check_happened(cudaEvent_t event, const char *which, int line) {
  static const char function[] = "cudaEventElapsedTime";
  char why[80];
  const struct device_event *asked = on_device(event);
  int error = backlog_has_event(event) ? cudaErrorNotReady
              : asked                  ? device_event_query(runtime_device(), asked)
                                       : cudaSuccess;
  if (error != cudaErrorNotReady) return runtime_result_of(error, function);
  snprintf(why, sizeof why, "the host has not waited for its %s event", which);
  return runtime_explained(
      error, function, line, why,
      "The work before the event may still run: call cudaEventSynchronize(stop) first.");
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  int line = runtime_line();
  cudaError_t error = runtime_sticky();
  if (error) return runtime_result(error);
  if (!milliseconds) return runtime_result(cudaErrorInvalidValue);
  error = check_timed(start, "first", line);
  if (!error) error = check_timed(stop, "second", line);
  if (!error) error = check_happened(stop, "second", line);
  if (!error) error = check_happened(start, "first", line);
  if (error) return error;
  double ns = 0;
  if (on_device(start) && on_device(stop))
    error =
        (cudaError_t)device_event_elapsed(runtime_device(), on_device(start), on_device(stop), &ns);
  *milliseconds = (float)(ns / 1e6);
  return runtime_result(error);
}
