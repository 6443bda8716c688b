// capture.cu: what may not be done while a stream is being captured, and what may not be captured.
#include <thread>

#include "misuse.h"

static __global__ void store(int *p) { *p = 1; }
static const cudaStreamCaptureMode global = cudaStreamCaptureModeGlobal,
                                   relaxed = cudaStreamCaptureModeRelaxed;
static cudaGraph_t graph;

// A stream that is being captured, with a node in it; all that is used has been used before.
static cudaStream_t captured(int *p, cudaStreamCaptureMode mode = global) {
  cudaStream_t stream = new_stream();
  store<<<1, 1, 0, stream>>>(p);
  NEED(cudaDeviceSynchronize());
  NEED(cudaStreamBeginCapture(stream, mode));
  NEED(cudaMemsetAsync(p, 0, 4, stream));
  return stream;
}

MISUSE(capture_default_stream) {
  TRY(cudaStreamBeginCapture(0, global));
  TRY(cudaStreamEndCapture(0, &graph));
}
MISUSE(capture_unknown_mode) {
  TRY(cudaStreamBeginCapture(new_stream(), (cudaStreamCaptureMode)9));
}
MISUSE(capture_twice) {
  cudaStream_t stream = captured(device_memory(1));
  TRY(cudaStreamBeginCapture(stream, global));
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_end_without_begin) { TRY(cudaStreamEndCapture(new_stream(), &graph)); }
MISUSE(capture_end_nowhere) {
  cudaStream_t stream = captured(device_memory(1));
  TRY(cudaStreamEndCapture(stream, NULL));
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_then_wait_for_stream) {
  int *p = device_memory(1);
  cudaStream_t stream = captured(p);
  TRY(cudaStreamSynchronize(stream));
  TRY(cudaMemsetAsync(p, 0, 4, stream));
  TRY(cudaStreamEndCapture(stream, &graph));
  NOTE(graph == NULL);
}
MISUSE(capture_then_query_stream) {
  cudaStream_t stream = captured(device_memory(1));
  TRY(cudaStreamQuery(stream));
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_then_wait_for_device) {
  cudaStream_t stream = captured(device_memory(1));
  TRY(cudaDeviceSynchronize());
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_then_malloc) {
  int *p;
  cudaStream_t stream = captured(device_memory(1));
  TRY(cudaMalloc(&p, 4));
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_relaxed_then_malloc) {
  int *p;
  cudaStream_t stream = captured(device_memory(1), relaxed);
  TRY(cudaMalloc(&p, 4));
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_then_malloc_in_another_thread) {
  cudaStream_t stream = captured(device_memory(1));
  std::thread([] {
    int *p;
    TRY(cudaMalloc(&p, 4));
  }).join();
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_of_thread_then_malloc_in_another) {
  cudaStream_t stream = captured(device_memory(1), cudaStreamCaptureModeThreadLocal);
  std::thread([] {
    int *p;
    TRY(cudaMalloc(&p, 4));
  }).join();
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_then_free) {
  int *p = device_memory(1), *q = device_memory(1);
  cudaStream_t stream = captured(p);
  TRY(cudaFree(q));
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_then_copy) {
  int *p = device_memory(1), got;
  cudaStream_t stream = captured(p);
  TRY(cudaMemcpy(&got, p, 4, cudaMemcpyDeviceToHost));
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_then_legacy_launch) {
  int *p = device_memory(1);
  cudaStream_t stream = captured(p);
  LAUNCH(store<<<1, 1>>>(p));
  TRY(cudaGetLastError());
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_non_blocking_then_legacy_launch) {
  int *p = device_memory(1);
  store<<<1, 1>>>(p);
  NEED(cudaDeviceSynchronize());
  cudaStream_t stream = new_stream(cudaStreamNonBlocking);
  NEED(cudaStreamBeginCapture(stream, global));
  LAUNCH(store<<<1, 1>>>(p));
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_then_create_event) {
  cudaEvent_t event;
  cudaStream_t stream = captured(device_memory(1));
  TRY(cudaEventCreate(&event));
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_then_destroy_stream) {
  cudaStream_t stream = captured(device_memory(1));
  TRY(cudaStreamDestroy(stream));
}
MISUSE(capture_then_query_event) {
  cudaEvent_t event = new_event();
  cudaStream_t stream = captured(device_memory(1));
  TRY(cudaEventRecord(event, stream));
  TRY(cudaEventQuery(event));
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_then_wait_for_event) {
  cudaEvent_t event = new_event();
  cudaStream_t stream = captured(device_memory(1), relaxed);
  TRY(cudaEventRecord(event, stream));
  TRY(cudaEventSynchronize(event));
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_then_elapsed_time) {
  float ms;
  cudaEvent_t start = new_event(), end = new_event();
  cudaStream_t stream = captured(device_memory(1));
  TRY(cudaEventRecord(start, stream));
  TRY(cudaEventRecord(end, stream));
  TRY(cudaEventElapsedTime(&ms, start, end));
  TRY(cudaStreamEndCapture(stream, &graph));
  TRY(cudaEventElapsedTime(&ms, start, end));
}
MISUSE(capture_waits_for_event_outside) {
  cudaEvent_t event = new_event();
  cudaStream_t other = new_stream(), stream;
  NEED(cudaEventRecord(event, other));
  stream = captured(device_memory(1));
  TRY(cudaStreamWaitEvent(stream, event, 0));
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_not_joined) {
  int *p = device_memory(1);
  cudaEvent_t event = new_event();
  cudaStream_t other = new_stream(), stream = captured(p);
  TRY(cudaEventRecord(event, stream));
  TRY(cudaStreamWaitEvent(other, event, 0));
  LAUNCH(store<<<1, 1, 0, other>>>(p));
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_ended_in_its_fork) {
  cudaEvent_t event = new_event();
  cudaStream_t other = new_stream(), stream = captured(device_memory(1));
  TRY(cudaEventRecord(event, stream));
  TRY(cudaStreamWaitEvent(other, event, 0));
  TRY(cudaStreamEndCapture(other, &graph));
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_ended_by_another_thread) {
  static cudaStream_t stream;
  stream = captured(device_memory(1));
  std::thread([] { TRY(cudaStreamEndCapture(stream, &graph)); }).join();
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_merged_with_another) {
  cudaEvent_t event = new_event();
  int *p = device_memory(1);
  cudaStream_t first = captured(p, relaxed), second = new_stream();
  TRY(cudaStreamBeginCapture(second, relaxed));
  TRY(cudaEventRecord(event, first));
  TRY(cudaStreamWaitEvent(second, event, 0));
  TRY(cudaStreamEndCapture(second, &graph));
  TRY(cudaStreamEndCapture(first, &graph));
}
MISUSE(capture_event_used_afterwards) {
  cudaEvent_t event = new_event();
  cudaStream_t other = new_stream(), stream = captured(device_memory(1));
  TRY(cudaEventRecord(event, stream));
  TRY(cudaStreamEndCapture(stream, &graph));
  TRY(cudaStreamWaitEvent(other, event, 0));
  TRY(cudaEventQuery(event));
}
MISUSE(capture_launch_that_cannot_be) {
  int *p = device_memory(1);
  cudaStream_t stream = captured(p);
  LAUNCH(store<<<1, 2000, 0, stream>>>(p));
  TRY(cudaStreamEndCapture(stream, &graph));
}
MISUSE(capture_copy_of_pageable_memory) {
  static int plain[16];
  int *p = device_memory(16);
  cudaStream_t stream = captured(p);
  TRY(cudaMemcpyAsync(p, plain, 64, cudaMemcpyHostToDevice, stream));
  TRY(cudaStreamEndCapture(stream, &graph));
}
