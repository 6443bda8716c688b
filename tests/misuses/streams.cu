// streams.cu: streams, functions of the host in them, and events.
#include "misuse.h"

static __global__ void slow(int *p, int steps) { *p = take_a_while(steps); }
static int called;
static void CUDART_CB count(void *) { called++; }
static void CUDART_CB count_callback(cudaStream_t, cudaError_t, void *) { called++; }

// A kernel that is still running.
static void keep_busy(cudaStream_t stream, cudaEvent_t before = NULL) {
  int *p = device_memory(1);
  slow<<<1, 1, 0, stream>>>(p, 1);
  NEED(cudaStreamSynchronize(stream));
  if (before) NEED(cudaEventRecord(before, stream));
  slow<<<1, 1, 0, stream>>>(p, A_WHILE);
}

MISUSE(stream_create_nowhere) { TRY(cudaStreamCreate((cudaStream_t *)NULL)); }
MISUSE(stream_create_unknown_flags) {
  cudaStream_t stream;
  TRY(cudaStreamCreateWithFlags(&stream, 99));
}
MISUSE(stream_priority_out_of_range) {
  cudaStream_t stream;
  int priority = 99;
  TRY(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, -100));
  TRY(cudaStreamGetPriority(stream, &priority));
  NOTE(priority);
  TRY(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, 100));
  TRY(cudaStreamGetPriority(stream, &priority));
  NOTE(priority);
}
MISUSE(stream_destroy_twice) {
  cudaStream_t stream = new_stream();
  TRY(cudaStreamDestroy(stream));
  TRY(cudaStreamDestroy(stream));
}
MISUSE(stream_destroy_default) { TRY(cudaStreamDestroy(0)); }
MISUSE(stream_destroy_legacy) { TRY(cudaStreamDestroy(cudaStreamLegacy)); }
MISUSE(stream_destroy_per_thread) { TRY(cudaStreamDestroy(cudaStreamPerThread)); }
MISUSE(stream_destroy_busy) {
  cudaStream_t stream = new_stream();
  keep_busy(stream);
  TRY(cudaStreamDestroy(stream));  // its work goes on
  TRY(cudaDeviceSynchronize());
}
MISUSE(stream_wait_for_destroyed) {
  cudaStream_t stream = new_stream();
  NEED(cudaStreamDestroy(stream));
  TRY(cudaStreamSynchronize(stream));
}
MISUSE(stream_query_destroyed) {
  cudaStream_t stream = new_stream();
  NEED(cudaStreamDestroy(stream));
  TRY(cudaStreamQuery(stream));
}
MISUSE(stream_query_busy) {
  cudaStream_t stream = new_stream();
  keep_busy(stream);
  TRY(cudaStreamQuery(stream));
  TRY(cudaStreamSynchronize(stream));
  TRY(cudaStreamQuery(stream));
}
MISUSE(stream_flags_nowhere) { TRY(cudaStreamGetFlags(new_stream(), NULL)); }
MISUSE(stream_priority_nowhere) { TRY(cudaStreamGetPriority(new_stream(), NULL)); }
MISUSE(host_function_null) { TRY(cudaLaunchHostFunc(new_stream(), NULL, NULL)); }
MISUSE(host_function_in_destroyed_stream) {
  cudaStream_t stream = new_stream();
  NEED(cudaStreamDestroy(stream));
  TRY(cudaLaunchHostFunc(stream, count, NULL));
}
MISUSE(host_function_calls_cuda) {
  cudaStream_t stream = new_stream();
  static int code = -1;
  TRY(cudaLaunchHostFunc(
      stream,
      [](void *) {
        int *p;
        code = (int)cudaMalloc(&p, 4);
      },
      NULL));
  TRY(cudaStreamSynchronize(stream));
  NOTE(code);
}
MISUSE(host_function_waits_for_its_stream) {
  static cudaStream_t stream = new_stream();
  static int code = -1;
  TRY(cudaLaunchHostFunc(
      stream, [](void *) { code = (int)cudaStreamSynchronize(stream); }, NULL));
  TRY(cudaStreamSynchronize(stream));
  NOTE(code);
}
MISUSE(callback_null) { TRY(cudaStreamAddCallback(new_stream(), NULL, NULL, 0)); }
MISUSE(callback_unknown_flags) {
  TRY(cudaStreamAddCallback(new_stream(), count_callback, NULL, 1));
}

MISUSE(event_create_nowhere) { TRY(cudaEventCreate((cudaEvent_t *)NULL)); }
MISUSE(event_create_unknown_flags) {
  cudaEvent_t event;
  TRY(cudaEventCreateWithFlags(&event, 0xff));
}
MISUSE(event_interprocess_with_timing) {
  cudaEvent_t event;
  TRY(cudaEventCreateWithFlags(&event, cudaEventInterprocess));
}
MISUSE(event_destroy_null) { TRY(cudaEventDestroy(NULL)); }
MISUSE(event_destroy_twice) {
  cudaEvent_t event = new_event();
  TRY(cudaEventDestroy(event));
  TRY(cudaEventDestroy(event));
}
MISUSE(event_record_null) { TRY(cudaEventRecord(NULL, 0)); }
MISUSE(event_record_destroyed) {
  cudaEvent_t event = new_event();
  NEED(cudaEventDestroy(event));
  TRY(cudaEventRecord(event, 0));
}
MISUSE(event_record_in_destroyed_stream) {
  cudaEvent_t event = new_event();
  cudaStream_t stream = new_stream();
  NEED(cudaStreamDestroy(stream));
  TRY(cudaEventRecord(event, stream));
}
MISUSE(event_record_unknown_flags) { TRY(cudaEventRecordWithFlags(new_event(), 0, 99)); }
MISUSE(event_query_null) { TRY(cudaEventQuery(NULL)); }
MISUSE(event_query_not_recorded) { TRY(cudaEventQuery(new_event())); }
MISUSE(event_wait_not_recorded) { TRY(cudaEventSynchronize(new_event())); }
MISUSE(event_query_not_ready) {
  cudaEvent_t event = new_event();
  keep_busy(0);
  TRY(cudaEventRecord(event, 0));
  TRY(cudaEventQuery(event));
  TRY(cudaEventSynchronize(event));
  TRY(cudaEventQuery(event));
}
MISUSE(event_destroy_not_ready) {
  cudaEvent_t event = new_event();
  keep_busy(0);
  TRY(cudaEventRecord(event, 0));
  TRY(cudaEventDestroy(event));
  TRY(cudaDeviceSynchronize());
}
MISUSE(elapsed_not_recorded) {
  float ms = -1;
  TRY(cudaEventElapsedTime(&ms, new_event(), new_event()));
}
MISUSE(elapsed_end_not_recorded) {
  float ms = -1;
  cudaEvent_t start = new_event(), end = new_event();
  NEED(cudaEventRecord(start, 0));
  TRY(cudaEventElapsedTime(&ms, start, end));
}
MISUSE(elapsed_not_ready) {
  float ms = -1;
  cudaEvent_t start = new_event(), end = new_event();
  keep_busy(0, start);
  TRY(cudaEventRecord(end, 0));
  TRY(cudaEventElapsedTime(&ms, start, end));
  TRY(cudaEventSynchronize(end));
  TRY(cudaEventElapsedTime(&ms, start, end));
  NOTE(ms > 0);
}
MISUSE(elapsed_wrong_way_round) {
  float ms = 0;
  cudaEvent_t start = new_event(), end = new_event();
  keep_busy(0, start);
  NEED(cudaEventRecord(end, 0));
  NEED(cudaEventSynchronize(end));
  TRY(cudaEventElapsedTime(&ms, end, start));
  NOTE(ms < 0);
}
MISUSE(elapsed_without_timing) {
  float ms = -1;
  cudaEvent_t start = new_event(cudaEventDisableTiming), end = new_event();
  NEED(cudaEventRecord(start, 0));
  NEED(cudaEventRecord(end, 0));
  NEED(cudaEventSynchronize(end));
  TRY(cudaEventElapsedTime(&ms, start, end));
}
MISUSE(elapsed_null_event) {
  float ms = -1;
  cudaEvent_t end = new_event();
  NEED(cudaEventRecord(end, 0));
  TRY(cudaEventElapsedTime(&ms, NULL, end));
}
MISUSE(elapsed_nowhere) {
  cudaEvent_t event = new_event();
  NEED(cudaEventRecord(event, 0));
  NEED(cudaEventSynchronize(event));
  TRY(cudaEventElapsedTime(NULL, event, event));
}
MISUSE(elapsed_destroyed) {
  float ms = -1;
  cudaEvent_t start = new_event(), end = new_event();
  NEED(cudaEventRecord(start, 0));
  NEED(cudaEventRecord(end, 0));
  NEED(cudaEventSynchronize(end));
  NEED(cudaEventDestroy(start));
  TRY(cudaEventElapsedTime(&ms, start, end));
}
MISUSE(wait_for_null_event) { TRY(cudaStreamWaitEvent(new_stream(), NULL, 0)); }
MISUSE(wait_for_event_not_recorded) {
  cudaStream_t stream = new_stream();
  TRY(cudaStreamWaitEvent(stream, new_event(), 0));
  TRY(cudaStreamSynchronize(stream));
}
MISUSE(wait_for_event_unknown_flags) { TRY(cudaStreamWaitEvent(new_stream(), new_event(), 99)); }
MISUSE(wait_in_destroyed_stream) {
  cudaStream_t stream = new_stream();
  cudaEvent_t event = new_event();
  NEED(cudaStreamDestroy(stream));
  TRY(cudaStreamWaitEvent(stream, event, 0));
}
