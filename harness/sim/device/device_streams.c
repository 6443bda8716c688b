/* device_streams.c: streams and events of the device behind device.h. */
#include <math.h>
#include <stdio.h>

#include "harness/sim/device/state.h"

static int result_of(const struct device *device, bool is_known) {
  if (device->error) return device->error;
  return is_known ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

int device_set_connections(struct device *device, uint32_t kernels, uint32_t copies) {
  HOLD(&device->lock);
  if (device->error) return device->error;
  if (kernels > MAX_CONNECTIONS || copies > MAX_CONNECTIONS) return cudaErrorInvalidValue;
  timeline_set_connections(device->timeline, kernels, copies);
  return cudaSuccess;
}

int device_synchronize(struct device *device) {
  HOLD(&device->lock);
  streams_host_waits(device->streams);
  timeline_finish(device->timeline);
  return device->error;
}

int device_stream_create(struct device *device, const struct device_stream *made,
                         uint32_t *stream) {
  HOLD(&device->lock);
  *stream = 0;
  if (device->error) return device->error;
  *stream = streams_create(device->streams, made->non_blocking);
  if (!*stream ||
      !timeline_add_stream(device->timeline, *stream, made->non_blocking, made->priority))
    return cudaErrorMemoryAllocation;
  leaks_note(device, HELD_STREAM, *stream, 0, made->line);
  return cudaSuccess;
}

int device_stream_destroy(struct device *device, uint32_t stream) {
  HOLD(&device->lock);
  leaks_forget(device, HELD_STREAM, stream);
  return result_of(device, streams_destroy(device->streams, stream));
}

int device_stream_synchronize(struct device *device, uint32_t stream) {
  HOLD(&device->lock);
  bool known = streams_host_waits_for(device->streams, stream);
  if (known) timeline_finish_stream(device->timeline, stream);
  return result_of(device, known);
}

/* As a result of cudaStreamQuery and cudaEventQuery. */
static int progress_of(const struct device *device, enum streams_progress progress) {
  if (!device->error && progress == STREAMS_BUSY) return cudaErrorNotReady;
  return result_of(device, progress != STREAMS_UNKNOWN);
}

int device_stream_query(struct device *device, uint32_t stream) {
  HOLD(&device->lock);
  timeline_query(device->timeline);
  bool is_done = timeline_stream_is_done(device->timeline, stream);
  return progress_of(device, streams_query(device->streams, stream, is_done));
}

int device_host_function(struct device *device, uint32_t stream) {
  HOLD(&device->lock);
  bool known = streams_host_waits_for(device->streams, stream);
  if (known && !timeline_issue(device->timeline, &(struct timeline_work){.kind = TIMELINE_FUNCTION,
                                                                         .stream = stream}))
    return cudaErrorMemoryAllocation;
  return result_of(device, known);
}

int device_stream_wait(struct device *device, uint32_t stream, const struct device_event *event) {
  HOLD(&device->lock);
  bool known = streams_wait(device->streams, stream, event->number);
  if (known && !timeline_wait(device->timeline, stream, event->mark))
    return cudaErrorMemoryAllocation;
  return result_of(device, known);
}

int device_event_create(struct device *device, int line, struct device_event *event) {
  HOLD(&device->lock);
  event->number = event->mark = 0;
  if (device->error) return device->error;
  event->number = streams_create_event(device->streams);
  device->has_events = true;
  leaks_note(device, HELD_EVENT, event->number, 0, line);
  return cudaSuccess;
}

int device_event_record(struct device *device, struct device_event *event, uint32_t stream) {
  HOLD(&device->lock);
  device->has_events = true;
  bool known = streams_record(device->streams, &event->number, stream);
  if (known && !timeline_record(device->timeline, &event->mark, stream, event->timed))
    return cudaErrorMemoryAllocation;
  return result_of(device, known);
}

int device_event_destroy(struct device *device, const struct device_event *event) {
  HOLD(&device->lock);
  leaks_forget(device, HELD_EVENT, event->number);
  timeline_forget(device->timeline, event->mark);
  return result_of(device, streams_destroy_event(device->streams, event->number));
}

int device_event_synchronize(struct device *device, const struct device_event *event) {
  HOLD(&device->lock);
  bool known = streams_host_waits_for_event(device->streams, event->number);
  if (known) timeline_finish_mark(device->timeline, event->mark);
  return result_of(device, known);
}

int device_event_query(struct device *device, const struct device_event *event) {
  HOLD(&device->lock);
  timeline_query(device->timeline);
  bool is_done = timeline_mark_is_done(device->timeline, event->mark);
  return progress_of(device, streams_query_event(device->streams, event->number, is_done));
}

int device_event_elapsed(struct device *device, const struct device_event *start,
                         const struct device_event *stop, double *ns) {
  HOLD(&device->lock);
  *ns = 0;
  if (device->error) return device->error;
  double from = timeline_mark_ns(device->timeline, start->mark),
         to = timeline_mark_ns(device->timeline, stop->mark);
  if (isnan(from) || isnan(to)) return cudaErrorNotReady;
  *ns = to - from;
  return cudaSuccess;
}

bool device_copy_is_done(struct device *device, uint64_t copy) {
  HOLD(&device->lock);
  return streams_is_done(device->streams, copy);
}

void device_report_touch(struct device *device, const struct device_touch *touch) {
  HOLD(&device->lock);
  struct hazard hazard = {.kind = HAZARD_race, .line = touch->line, .count = 1};
  snprintf(
      hazard.message, sizeof hazard.message,
      "host code %s byte %llu of the pinned buffer that this copy still %s: an asynchronous copy "
      "goes on after the call has returned. Call cudaStreamSynchronize (or "
      "cudaEventSynchronize for an event behind the copy) before the host touches the buffer.",
      touch->writes ? "writes" : "reads", (unsigned long long)touch->offset,
      touch->into_device ? "reads" : "writes");
  device_report_hazard(device, &hazard);
}
