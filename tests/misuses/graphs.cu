// graphs.cu: graphs that cannot be built, instantiated, updated or launched.
#include <cstring>

#include "misuse.h"

static __global__ void store(int *p) { *p = 1; }
static cudaGraph_t new_graph() {
  cudaGraph_t graph = NULL;
  NEED(cudaGraphCreate(&graph, 0));
  return graph;
}
static cudaGraphNode_t empty_node(cudaGraph_t graph) {
  cudaGraphNode_t node = NULL;
  NEED(cudaGraphAddEmptyNode(&node, graph, NULL, 0));
  return node;
}
static cudaError_t depend(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to) {
#if CUDART_VERSION >= 13000
  return cudaGraphAddDependencies(graph, &from, &to, NULL, 1);
#else
  return cudaGraphAddDependencies(graph, &from, &to, 1);
#endif
}
static cudaKernelNodeParams launch_of(void *function, dim3 grid, dim3 block, void **arguments) {
  cudaKernelNodeParams params;
  memset(&params, 0, sizeof params);
  params.func = function;
  params.gridDim = grid;
  params.blockDim = block;
  params.kernelParams = arguments;
  return params;
}
static cudaMemsetParams fill_of(void *p, unsigned int element, size_t width) {
  cudaMemsetParams params;
  memset(&params, 0, sizeof params);
  params.dst = p;
  params.elementSize = element;
  params.width = width;
  params.height = 1;
  return params;
}
static cudaGraphNode_t node;
static cudaGraphExec_t exec;

MISUSE(graph_create_nowhere) { TRY(cudaGraphCreate(NULL, 0)); }
MISUSE(graph_create_unknown_flags) {
  cudaGraph_t graph;
  TRY(cudaGraphCreate(&graph, 7));
}
MISUSE(graph_destroy_null) { TRY(cudaGraphDestroy(NULL)); }
MISUSE(graph_destroy_twice) {
  cudaGraph_t graph = new_graph();
  TRY(cudaGraphDestroy(graph));
  TRY(cudaGraphDestroy(graph));
}
MISUSE(graph_instantiate_null) { TRY(cudaGraphInstantiate(&exec, (cudaGraph_t)NULL, 0)); }
MISUSE(graph_instantiate_nowhere) {
  TRY(cudaGraphInstantiate((cudaGraphExec_t *)NULL, new_graph(), 0));
}
MISUSE(graph_instantiate_empty) {
  TRY(cudaGraphInstantiate(&exec, new_graph(), 0));
  TRY(cudaGraphLaunch(exec, 0));
  TRY(cudaDeviceSynchronize());
}
MISUSE(graph_instantiate_cycle) {
  cudaGraph_t graph = new_graph();
  cudaGraphNode_t first = empty_node(graph), second = empty_node(graph);
  TRY(depend(graph, first, second));
  TRY(depend(graph, second, first));
  TRY(cudaGraphInstantiate(&exec, graph, 0));
}
MISUSE(graph_edge_to_itself) {
  cudaGraph_t graph = new_graph();
  cudaGraphNode_t only = empty_node(graph);
  TRY(depend(graph, only, only));
}
MISUSE(graph_edge_twice) {
  cudaGraph_t graph = new_graph();
  cudaGraphNode_t first = empty_node(graph), second = empty_node(graph);
  TRY(depend(graph, first, second));
  TRY(depend(graph, first, second));
}
MISUSE(graph_edge_between_graphs) {
  cudaGraph_t graph = new_graph();
  cudaGraphNode_t first = empty_node(graph), second = empty_node(new_graph());
  TRY(depend(graph, first, second));
}
MISUSE(graph_node_after_another_graphs) {
  cudaGraphNode_t first = empty_node(new_graph());
  TRY(cudaGraphAddEmptyNode(&node, new_graph(), &first, 1));
}
MISUSE(graph_node_no_dependencies_but_a_count) {
  TRY(cudaGraphAddEmptyNode(&node, new_graph(), NULL, 1));
}
MISUSE(graph_node_in_null) { TRY(cudaGraphAddEmptyNode(&node, NULL, NULL, 0)); }
MISUSE(graph_kernel_null_params) { TRY(cudaGraphAddKernelNode(&node, new_graph(), NULL, 0, NULL)); }
MISUSE(graph_kernel_null_function) {
  cudaKernelNodeParams params = launch_of(NULL, 1, 1, NULL);
  TRY(cudaGraphAddKernelNode(&node, new_graph(), NULL, 0, &params));
}
MISUSE(graph_kernel_2000_threads) {
  int *p = device_memory(1);
  void *arguments[] = {&p};
  cudaKernelNodeParams params = launch_of((void *)store, 1, 2000, arguments);
  cudaGraph_t graph = new_graph();
  TRY(cudaGraphAddKernelNode(&node, graph, NULL, 0, &params));
  TRY(cudaGraphInstantiate(&exec, graph, 0));
}
MISUSE(graph_kernel_no_blocks) {
  int *p = device_memory(1);
  void *arguments[] = {&p};
  cudaKernelNodeParams params = launch_of((void *)store, 0, 32, arguments);
  cudaGraph_t graph = new_graph();
  TRY(cudaGraphAddKernelNode(&node, graph, NULL, 0, &params));
  TRY(cudaGraphInstantiate(&exec, graph, 0));
}
MISUSE(graph_kernel_no_arguments) {
  cudaKernelNodeParams params = launch_of((void *)store, 1, 1, NULL);
  TRY(cudaGraphAddKernelNode(&node, new_graph(), NULL, 0, &params));
}
MISUSE(graph_kernel_faults) {
  int *p = NULL;
  void *arguments[] = {&p};
  cudaKernelNodeParams params = launch_of((void *)store, 1, 1, arguments);
  cudaGraph_t graph = new_graph();
  TRY(cudaGraphAddKernelNode(&node, graph, NULL, 0, &params));
  TRY(cudaGraphInstantiate(&exec, graph, 0));
  TRY(cudaGraphLaunch(exec, 0));
  TRY(cudaDeviceSynchronize());
  TRY(cudaGraphLaunch(exec, 0));
}
MISUSE(graph_fill_elements_of_3_bytes) {
  cudaMemsetParams params = fill_of(device_memory(64), 3, 16);
  TRY(cudaGraphAddMemsetNode(&node, new_graph(), NULL, 0, &params));
}
MISUSE(graph_fill_host) {
  static int plain[16];
  cudaMemsetParams params = fill_of(plain, 4, 16);
  TRY(cudaGraphAddMemsetNode(&node, new_graph(), NULL, 0, &params));
}
MISUSE(graph_fill_beyond_the_end) {
  cudaMemsetParams params = fill_of(device_memory(64), 4, 8 << 20);
  TRY(cudaGraphAddMemsetNode(&node, new_graph(), NULL, 0, &params));
}
MISUSE(graph_copy_unknown_direction) {
  int *p = device_memory(16), *q = device_memory(16);
  TRY(cudaGraphAddMemcpyNode1D(&node, new_graph(), NULL, 0, p, q, 64, (cudaMemcpyKind)9));
}
MISUSE(graph_copy_to_null) {
  int *p = device_memory(16);
  TRY(cudaGraphAddMemcpyNode1D(&node, new_graph(), NULL, 0, NULL, p, 64, cudaMemcpyDefault));
}
MISUSE(graph_host_null_function) {
  cudaHostNodeParams params = {NULL, NULL};
  TRY(cudaGraphAddHostNode(&node, new_graph(), NULL, 0, &params));
}
MISUSE(graph_child_null) { TRY(cudaGraphAddChildGraphNode(&node, new_graph(), NULL, 0, NULL)); }
MISUSE(graph_child_itself) {
  cudaGraph_t graph = new_graph();
  TRY(cudaGraphAddChildGraphNode(&node, graph, NULL, 0, graph));
}
MISUSE(graph_type_nowhere) { TRY(cudaGraphNodeGetType(empty_node(new_graph()), NULL)); }
MISUSE(graph_params_of_another_type) {
  cudaKernelNodeParams params;
  TRY(cudaGraphKernelNodeGetParams(empty_node(new_graph()), &params));
}
MISUSE(graph_launch_null) { TRY(cudaGraphLaunch(NULL, 0)); }
MISUSE(graph_launch_destroyed) {
  NEED(cudaGraphInstantiate(&exec, new_graph(), 0));
  TRY(cudaGraphExecDestroy(exec));
  TRY(cudaGraphLaunch(exec, 0));
}
MISUSE(graph_launch_in_destroyed_stream) {
  cudaStream_t stream = new_stream();
  NEED(cudaGraphInstantiate(&exec, new_graph(), 0));
  NEED(cudaStreamDestroy(stream));
  TRY(cudaGraphLaunch(exec, stream));
}
MISUSE(graph_exec_destroy_twice) {
  NEED(cudaGraphInstantiate(&exec, new_graph(), 0));
  TRY(cudaGraphExecDestroy(exec));
  TRY(cudaGraphExecDestroy(exec));
}
MISUSE(graph_launch_after_its_graph_is_gone) {
  cudaGraph_t graph = new_graph();
  empty_node(graph);
  NEED(cudaGraphInstantiate(&exec, graph, 0));
  TRY(cudaGraphDestroy(graph));
  TRY(cudaGraphLaunch(exec, 0));
  TRY(cudaDeviceSynchronize());
}
MISUSE(graph_update_with_another_topology) {
  cudaGraph_t graph = new_graph();
  cudaGraphExecUpdateResultInfo info;
  memset(&info, 0, sizeof info);
  empty_node(graph);
  NEED(cudaGraphInstantiate(&exec, graph, 0));
  empty_node(graph);
  TRY(cudaGraphExecUpdate(exec, graph, &info));
  NOTE(info.result);
  TRY(cudaGraphLaunch(exec, 0));
}
MISUSE(graph_clone_null) {
  cudaGraph_t clone;
  TRY(cudaGraphClone(&clone, NULL));
}
