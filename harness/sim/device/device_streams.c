/* device_streams.c: streams and events of the device behind device.h. */
#include <math.h>
#include <stdio.h>

#include "harness/sim/device/state.h"

static int result_of(const struct device *device, bool is_known) {
  if (device->error) return device->error;
  return is_known ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

int device_synchronize(struct device *device) {
  HOLD(&device->lock);
  streams_host_waits(device->streams);
  return device->error;
}

int device_stream_create(struct device *device, bool non_blocking, int line, uint32_t *stream) {
  HOLD(&device->lock);
  *stream = 0;
  if (device->error) return device->error;
  *stream = streams_create(device->streams, non_blocking);
  if (!*stream) return cudaErrorMemoryAllocation;
  leaks_note(device, HELD_STREAM, *stream, 0, line);
  return cudaSuccess;
}

int device_stream_destroy(struct device *device, uint32_t stream) {
  HOLD(&device->lock);
  leaks_forget(device, HELD_STREAM, stream);
  return result_of(device, streams_destroy(device->streams, stream));
}

int device_stream_synchronize(struct device *device, uint32_t stream) {
  HOLD(&device->lock);
  return result_of(device, streams_host_waits_for(device->streams, stream));
}

/* As a result of cudaStreamQuery and cudaEventQuery. */
static int progress_of(const struct device *device, enum streams_progress progress) {
  if (!device->error && progress == STREAMS_BUSY) return cudaErrorNotReady;
  return result_of(device, progress != STREAMS_UNKNOWN);
}

int device_stream_query(struct device *device, uint32_t stream) {
  HOLD(&device->lock);
  return progress_of(device, streams_query(device->streams, stream));
}

int device_stream_wait(struct device *device, uint32_t stream, uint32_t event) {
  HOLD(&device->lock);
  return result_of(device, streams_wait(device->streams, stream, event));
}

int device_event_create(struct device *device, int line, uint32_t *event) {
  HOLD(&device->lock);
  *event = 0;
  if (device->error) return device->error;
  *event = streams_create_event(device->streams);
  device->has_events = true;
  leaks_note(device, HELD_EVENT, *event, 0, line);
  return cudaSuccess;
}

int device_event_record(struct device *device, uint32_t *event, uint32_t stream) {
  HOLD(&device->lock);
  device->has_events = true;
  device->first_record_ns = fmin(device->first_record_ns, device->time_ns);
  device->last_record_ns = device->time_ns;
  return result_of(device, streams_record(device->streams, event, stream));
}

int device_event_destroy(struct device *device, uint32_t event) {
  HOLD(&device->lock);
  leaks_forget(device, HELD_EVENT, event);
  return result_of(device, streams_destroy_event(device->streams, event));
}

int device_event_synchronize(struct device *device, uint32_t event) {
  HOLD(&device->lock);
  return result_of(device, streams_host_waits_for_event(device->streams, event));
}

int device_event_query(struct device *device, uint32_t event) {
  HOLD(&device->lock);
  return progress_of(device, streams_query_event(device->streams, event));
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
