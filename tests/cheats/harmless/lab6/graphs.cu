// The pieces are captured in a CUDA graph, which is launched between the events.
// least: 90
#define OWN_STREAMS
#include "good.h"

void add_streams(const float *a, const float *b, float *out, int n, int streams,
                 float *milliseconds) {
  Device device = device_new(n);
  Pinned pinned = pinned_new(a, b, n);
  std::vector<cudaStream_t> stream = streams_new(streams);
  std::vector<cudaEvent_t> joined(streams);
  for (cudaEvent_t &event : joined)
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  CHECK(cudaStreamBeginCapture(stream[0], cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(joined[0], stream[0]));
  for (int i = 0; i < streams; i++) {
    auto [first, count] = piece_of(n, streams, i);
    if (count == 0) break;
    size_t bytes = count * sizeof(float);
    if (i) CHECK(cudaStreamWaitEvent(stream[i], joined[0], 0));
    CHECK(cudaMemcpyAsync(device.a + first, pinned.a + first, bytes, cudaMemcpyHostToDevice,
                          stream[i]));
    CHECK(cudaMemcpyAsync(device.b + first, pinned.b + first, bytes, cudaMemcpyHostToDevice,
                          stream[i]));
    add_kernel<<<blocks_for(count), BLOCK, 0, stream[i]>>>(device.a + first, device.b + first,
                                                           device.out + first, count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(pinned.out + first, device.out + first, bytes, cudaMemcpyDeviceToHost,
                          stream[i]));
    if (i) {
      CHECK(cudaEventRecord(joined[i], stream[i]));
      CHECK(cudaStreamWaitEvent(stream[0], joined[i], 0));
    }
  }
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  CHECK(cudaStreamEndCapture(stream[0], &graph));
  CHECK(cudaGraphInstantiate(&ready, graph, 0));
  CHECK(cudaEventRecord(device.start));
  CHECK(cudaGraphLaunch(ready, stream[0]));
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  memcpy(out, pinned.out, n * sizeof(float));
  CHECK(cudaGraphExecDestroy(ready));
  CHECK(cudaGraphDestroy(graph));
  for (cudaEvent_t event : joined) CHECK(cudaEventDestroy(event));
  streams_delete(stream);
  pinned_delete(pinned);
  device_delete(device);
}
