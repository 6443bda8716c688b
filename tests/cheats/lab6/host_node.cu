// A function of the host adds: a node of a CUDA graph.
// most: refused
#define OWN_PINNED
#include "rest.h"

struct Sum {
  Pinned pinned;
  int n;
};
static void add_on_host(void *data) {
  auto [pinned, n] = *(Sum *)data;
  for (int i = 0; i < n; i++) pinned.out[i] = pinned.a[i] + pinned.b[i];
}

void add_pinned(const float *a, const float *b, float *out, int n, float *milliseconds) {
  Device device = device_new(n);
  Pinned pinned = pinned_new(a, b, n);
  CHECK(cudaEventRecord(device.start));
  size_t bytes = n * sizeof(float);
  CHECK(cudaMemcpyAsync(device.a, pinned.a, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyAsync(device.b, pinned.b, bytes, cudaMemcpyHostToDevice));
  add_kernel<<<blocks_for(n), BLOCK>>>(device.a, device.b, device.out, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpyAsync(pinned.out, device.out, bytes, cudaMemcpyDeviceToHost));
  Sum sum = {pinned, n};
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaGraphNode_t node;
  cudaHostNodeParams host = {add_on_host, &sum};
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddHostNode(&node, graph, nullptr, 0, &host));
  CHECK(cudaGraphInstantiate(&ready, graph, 0));
  CHECK(cudaGraphLaunch(ready, 0));
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  memcpy(out, pinned.out, bytes);
  pinned_delete(pinned);
  device_delete(device);
}
