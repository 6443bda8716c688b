// graph_memory.cu: nodes that allocate and free memory.
#include "misuse.h"

static cudaMemAllocNodeParams asks(size_t bytes) {
  cudaMemAllocNodeParams params = {};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = bytes;
  return params;
}
// A graph that allocates, and its node.
static cudaGraph_t graph;
static cudaGraphNode_t node;
static void *start() {
  cudaMemAllocNodeParams params = asks(1024);
  NEED(cudaGraphCreate(&graph, 0));
  NEED(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
  return params.dptr;
}
static cudaError_t add_free(void *pointer) {
  cudaGraphNode_t made;
  return cudaGraphAddMemFreeNode(&made, graph, &node, 1, pointer);
}

MISUSE(graph_memory_clone) {
  cudaGraph_t clone;
  start();
  TRY(cudaGraphClone(&clone, graph));
}
MISUSE(graph_memory_child) {
  cudaGraph_t outer;
  cudaGraphNode_t child;
  start();
  NEED(cudaGraphCreate(&outer, 0));
  TRY(cudaGraphAddChildGraphNode(&child, outer, NULL, 0, graph));
}
MISUSE(graph_memory_two_executables) {
  cudaGraphExec_t first, second;
  start();
  TRY(cudaGraphInstantiate(&first, graph, 0));
  TRY(cudaGraphInstantiate(&second, graph, 0));
  TRY(cudaGraphExecDestroy(first));
  TRY(cudaGraphInstantiate(&second, graph, 0));
}
MISUSE(graph_memory_node_beside_executable) {
  cudaGraphExec_t exec;
  void *pointer = start();
  NEED(cudaGraphInstantiate(&exec, graph, 0));
  TRY(add_free(pointer));
}
MISUSE(graph_memory_launched_twice) {
  cudaGraphExec_t exec;
  void *pointer = start();
  NEED(cudaGraphInstantiate(&exec, graph, 0));
  TRY(cudaGraphLaunch(exec, 0));
  TRY(cudaGraphLaunch(exec, 0));
  TRY(cudaFree(pointer));
  TRY(cudaFree(pointer));
  TRY(cudaGraphLaunch(exec, 0));
  TRY(cudaFreeAsync(pointer, 0));
  TRY(cudaDeviceSynchronize());
}
MISUSE(graph_memory_frees_none_of_a_graph) {
  start();
  TRY(add_free(device_memory(64)));
  TRY(add_free(NULL));
}
MISUSE(graph_memory_of_no_bytes) {
  cudaMemAllocNodeParams params = asks(0);
  start();
  TRY(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
}
MISUSE(graph_memory_of_no_type) {
  cudaMemAllocNodeParams params = asks(64);
  params.poolProps.allocType = cudaMemAllocationTypeInvalid;
  start();
  TRY(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
}
MISUSE(graph_memory_attribute_set) {
  size_t value = 5;
  TRY(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &value));
}
MISUSE(graph_memory_trim_no_such_device) { TRY(cudaDeviceGraphMemTrim(77)); }
