// graph_nodes.cu: nodes of any type, nodes that are removed and disabled, captures into a graph, and
// nodes that decide.
#include <cstring>

#include "misuse.h"

static __global__ void nothing() {}
static __global__ void set(cudaGraphConditionalHandle handle, unsigned value) {
  cudaGraphSetConditional(handle, value);
}

// CUDA 13 has data of edges besides.
#if CUDART_VERSION >= 13000
#define EDGES NULL,
#else
#define EDGES
#endif

static cudaGraph_t new_graph() {
  cudaGraph_t graph;
  NEED(cudaGraphCreate(&graph, 0));
  return graph;
}
static cudaGraphNodeParams kernel() {
  cudaGraphNodeParams params = {cudaGraphNodeTypeKernel};
  params.kernel.func = (void *)nothing;
  params.kernel.gridDim = params.kernel.blockDim = dim3(1);
  return params;
}
static cudaGraphNode_t add_kernel(cudaGraph_t graph) {
  cudaGraphNodeParams params = kernel();
  cudaGraphNode_t node;
  NEED(cudaGraphAddNode(&node, graph, NULL, EDGES 0, &params));
  return node;
}
static cudaGraphConditionalHandle new_handle(cudaGraph_t graph) {
  cudaGraphConditionalHandle handle;
  NEED(cudaGraphConditionalHandleCreate(&handle, graph, 0, cudaGraphCondAssignDefault));
  return handle;
}
static cudaGraphNodeParams decision(cudaGraphConditionalHandle handle,
                                    cudaGraphConditionalNodeType type, unsigned size) {
  cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = size;
  return params;
}
static cudaGraphNode_t node;
static cudaGraphExec_t exec;
#define ADD(graph, params) cudaGraphAddNode(&node, graph, NULL, EDGES 0, params)

MISUSE(graph_node_of_no_type) {
  cudaGraphNodeParams params = {(cudaGraphNodeType)99};
  TRY(ADD(new_graph(), &params));
}
MISUSE(graph_node_without_params) { TRY(ADD(new_graph(), NULL)); }
MISUSE(graph_node_reserved_bytes) {
  cudaGraphNodeParams params = kernel();
  params.reserved0[0] = 1;
  TRY(ADD(new_graph(), &params));
}
MISUSE(graph_node_params_of_another_type) {
  cudaGraphNode_t of = add_kernel(new_graph());
  cudaGraphNodeParams params = {cudaGraphNodeTypeEmpty};
  TRY(cudaGraphNodeSetParams(of, &params));
}
MISUSE(graph_exec_node_params_of_another_type) {
  cudaGraph_t graph = new_graph();
  cudaGraphNode_t of = add_kernel(graph);
  cudaGraphNodeParams params = {cudaGraphNodeTypeEmpty};
  NEED(cudaGraphInstantiate(&exec, graph, 0));
  TRY(cudaGraphExecNodeSetParams(exec, of, &params));
}
MISUSE(graph_node_destroy_null) { TRY(cudaGraphDestroyNode(NULL)); }
MISUSE(graph_dependency_removed_twice) {
  cudaGraph_t graph = new_graph();
  cudaGraphNode_t first = add_kernel(graph), second = add_kernel(graph);
  TRY(cudaGraphRemoveDependencies(graph, &first, &second, EDGES 1));
}
MISUSE(graph_node_disabled_empty) {
  cudaGraph_t graph = new_graph();
  NEED(cudaGraphAddEmptyNode(&node, graph, NULL, 0));
  NEED(cudaGraphInstantiate(&exec, graph, 0));
  TRY(cudaGraphNodeSetEnabled(exec, node, 0));
}
MISUSE(graph_child_destroyed_by_the_program) {
  cudaGraph_t graph = new_graph(), inside;
  NEED(cudaGraphAddChildGraphNode(&node, graph, NULL, 0, new_graph()));
  NEED(cudaGraphChildGraphNodeGetGraph(node, &inside));
  TRY(cudaGraphDestroy(inside));
}

MISUSE(capture_to_no_graph) {
  TRY(cudaStreamBeginCaptureToGraph(new_stream(), NULL, NULL, NULL, 0,
                                    cudaStreamCaptureModeGlobal));
}
MISUSE(capture_behind_a_node_of_another_graph) {
  cudaGraphNode_t other = add_kernel(new_graph());
  TRY(cudaStreamBeginCaptureToGraph(new_stream(), new_graph(), &other, NULL, 1,
                                    cudaStreamCaptureModeGlobal));
}
MISUSE(capture_update_of_no_capture) {
  cudaGraphNode_t *none = NULL;
  TRY(cudaStreamUpdateCaptureDependencies(new_stream(), none, EDGES 0, 0));
}
MISUSE(capture_update_by_unknown_flags) {
  cudaStream_t stream = new_stream();
  cudaGraphNode_t *none = NULL;
  NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  TRY(cudaStreamUpdateCaptureDependencies(stream, none, EDGES 0, 2));
}

MISUSE(conditional_handle_flags) {
  cudaGraphConditionalHandle handle;
  TRY(cudaGraphConditionalHandleCreate(&handle, new_graph(), 0, 2));
}
MISUSE(conditional_handle_of_no_graph) {
  cudaGraphConditionalHandle handle;
  TRY(cudaGraphConditionalHandleCreate(&handle, NULL, 0, 0));
}
MISUSE(conditional_handle_unused) {
  cudaGraph_t graph = new_graph();
  new_handle(graph);
  TRY(cudaGraphInstantiate(&exec, graph, 0));
}
MISUSE(conditional_handle_twice) {
  cudaGraph_t graph = new_graph();
  cudaGraphNodeParams params = decision(new_handle(graph), cudaGraphCondTypeIf, 1);
  NEED(ADD(graph, &params));
  TRY(ADD(graph, &params));
}
MISUSE(conditional_handle_of_another_graph) {
  cudaGraphNodeParams params = decision(new_handle(new_graph()), cudaGraphCondTypeIf, 1);
  TRY(ADD(new_graph(), &params));
}
MISUSE(conditional_while_of_two_graphs) {
  cudaGraph_t graph = new_graph();
  cudaGraphNodeParams params = decision(new_handle(graph), cudaGraphCondTypeWhile, 2);
  TRY(ADD(graph, &params));
}
MISUSE(conditional_if_of_three_graphs) {
  cudaGraph_t graph = new_graph();
  cudaGraphNodeParams params = decision(new_handle(graph), cudaGraphCondTypeIf, 3);
  TRY(ADD(graph, &params));
}
MISUSE(conditional_switch_of_no_graph) {
  cudaGraph_t graph = new_graph();
  cudaGraphNodeParams params = decision(new_handle(graph), cudaGraphCondTypeSwitch, 0);
  TRY(ADD(graph, &params));
}
MISUSE(conditional_of_no_type) {
  cudaGraph_t graph = new_graph();
  cudaGraphNodeParams params =
      decision(new_handle(graph), (cudaGraphConditionalNodeType)9, 1);
  TRY(ADD(graph, &params));
}
// A graph with a decision, and its body.
static cudaGraph_t deciding(cudaGraph_t *body) {
  cudaGraph_t graph = new_graph();
  cudaGraphNodeParams params = decision(new_handle(graph), cudaGraphCondTypeIf, 1);
  NEED(ADD(graph, &params));
  *body = params.conditional.phGraph_out[0];
  return graph;
}
MISUSE(conditional_graph_cloned) {
  cudaGraph_t body, clone;
  TRY(cudaGraphClone(&clone, deciding(&body)));
}
MISUSE(conditional_graph_as_child) {
  cudaGraph_t body;
  TRY(cudaGraphAddChildGraphNode(&node, new_graph(), NULL, 0, deciding(&body)));
}
MISUSE(conditional_body_destroyed) {
  cudaGraph_t body;
  deciding(&body);
  TRY(cudaGraphDestroy(body));
}
MISUSE(conditional_body_calls_the_host) {
  cudaGraph_t body, graph = deciding(&body);
  cudaHostNodeParams params = {[](void *) {}, NULL};
  TRY(cudaGraphAddHostNode(&node, body, NULL, 0, &params));
  TRY(cudaGraphInstantiate(&exec, graph, 0));
}
MISUSE(conditional_body_records_an_event) {
  cudaGraph_t body, graph = deciding(&body);
  TRY(cudaGraphAddEventRecordNode(&node, body, NULL, 0, new_event()));
  TRY(cudaGraphInstantiate(&exec, graph, 0));
}
MISUSE(conditional_params_changed) {
  cudaGraph_t graph = new_graph();
  cudaGraphNodeParams params = decision(new_handle(graph), cudaGraphCondTypeIf, 1);
  NEED(ADD(graph, &params));
  TRY(cudaGraphNodeSetParams(node, &params));
}
MISUSE(conditional_value_without_default) {
  cudaGraph_t graph = new_graph();
  cudaGraphConditionalHandle handle;
  NEED(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
  cudaGraphNodeParams params = decision(handle, cudaGraphCondTypeIf, 1), first = kernel();
  unsigned value = 1;
  void *arguments[] = {&handle, &value};
  first.kernel.func = (void *)set;
  first.kernel.kernelParams = arguments;
  NEED(ADD(graph, &first));
  cudaGraphNode_t before = node;
  NEED(cudaGraphAddNode(&node, graph, &before, EDGES 1, &params));
  NEED(cudaGraphInstantiate(&exec, graph, 0));
  TRY(cudaGraphLaunch(exec, 0));
  TRY(cudaDeviceSynchronize());
}
