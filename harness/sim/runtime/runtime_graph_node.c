/* runtime_graph_node.c: the CUDA runtime API over device.h: nodes of graphs are added, read,
 * changed and removed. */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/runtime/graph.h"

/* Adds work that was made with this result. */
static cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph,
                       const cudaGraphNode_t *dependencies, size_t count, struct graph_work *work,
                       cudaError_t made, const char *function) {
  work->place = runtime_call_place();
  if (work->type == cudaGraphNodeTypeKernel) work->place.line = runtime_line();
  if (!made && (!node || !graph_exists(graph))) {
    work_release(work);
    made = cudaErrorInvalidValue;
  }
  if (!made) made = graph_add(graph, dependencies, count, work, node);
  return runtime_result_of(made, function);
}

#define NEW_NODE \
  cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count
#define ADD(make)               \
  struct graph_work work = {0}; \
  cudaError_t made = (make);    \
  return add(node, graph, dependencies, count, &work, made, __func__)

cudaError_t cudaGraphAddKernelNode(NEW_NODE, const struct cudaKernelNodeParams *params) {
  ADD(work_kernel(&work, params));
}

cudaError_t cudaGraphAddMemcpyNode(NEW_NODE, const struct cudaMemcpy3DParms *params) {
  ADD(work_copy(&work, params));
}

cudaError_t cudaGraphAddMemcpyNode1D(NEW_NODE, void *to, const void *from, size_t bytes,
                                     enum cudaMemcpyKind kind) {
  struct cudaMemcpy3DParms params = copy_of_rows(to, bytes, from, bytes, bytes, 1, kind);
  ADD(work_copy(&work, &params));
}

cudaError_t cudaGraphAddMemsetNode(NEW_NODE, const struct cudaMemsetParams *params) {
  ADD(work_fill(&work, params));
}

cudaError_t cudaGraphAddHostNode(NEW_NODE, const struct cudaHostNodeParams *params) {
  ADD(work_host(&work, params));
}

cudaError_t cudaGraphAddChildGraphNode(NEW_NODE, cudaGraph_t child) {
  ADD(work_child(&work, graph, child, false));
}

static cudaError_t work_nothing(struct graph_work *work) {
  work->type = cudaGraphNodeTypeEmpty;
  return cudaSuccess;
}

cudaError_t cudaGraphAddEmptyNode(NEW_NODE) { ADD(work_nothing(&work)); }

cudaError_t cudaGraphAddEventRecordNode(NEW_NODE, cudaEvent_t event) {
  ADD(work_event(&work, cudaGraphNodeTypeEventRecord, event));
}

cudaError_t cudaGraphAddEventWaitNode(NEW_NODE, cudaEvent_t event) {
  ADD(work_event(&work, cudaGraphNodeTypeWaitEvent, event));
}

cudaError_t cudaGraphAddMemAllocNode(NEW_NODE, struct cudaMemAllocNodeParams *params) {
  ADD(work_allocate_in(&work, graph, dependencies, count, params));
}

static cudaError_t work_free_in(struct graph_work *work, cudaGraph_t graph, void *pointer) {
  bool refused = !graph_memory_exists(pointer) || graph_has_exec(graph);
  return refused ? cudaErrorInvalidValue : work_deallocate(work, pointer);
}

cudaError_t cudaGraphAddMemFreeNode(NEW_NODE, void *pointer) {
  ADD(work_free_in(&work, graph, pointer));
}

/* ---- parameters of any type ---- */

/* Where bytes must be zero that no member uses. */
static bool is_clean(const struct cudaGraphNodeParams *params) {
  static const int zeros[3];
  return memcmp(params->reserved0, zeros, sizeof zeros) == 0 && !params->reserved2;
}

/* What the parameters describe, as work of a node of this graph, behind others. */
static cudaError_t work_of(struct graph_work *work, cudaGraph_t graph,
                           const cudaGraphNode_t *dependencies, size_t count,
                           struct cudaGraphNodeParams *params) {
  if (!params || !is_clean(params)) return cudaErrorInvalidValue;
  switch (params->type) {
    case cudaGraphNodeTypeKernel:
      return work_kernel(work, &params->kernel);
    case cudaGraphNodeTypeMemcpy:
      return params->memcpy.flags ? cudaErrorInvalidValue
                                  : work_copy(work, &params->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return work_fill(work, &params->memset);
    case cudaGraphNodeTypeHost:
      return work_host(work, &params->host);
    case cudaGraphNodeTypeGraph:
      return work_child(work, graph, params->graph.graph,
                        params->graph.ownership == cudaGraphChildGraphOwnershipMove);
    case cudaGraphNodeTypeEmpty:
      return work_nothing(work);
    case cudaGraphNodeTypeWaitEvent:
      return work_event(work, params->type, params->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      return work_event(work, params->type, params->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc:
      return work_allocate_in(work, graph, dependencies, count, &params->alloc);
    case cudaGraphNodeTypeMemFree:
      return work_free_in(work, graph, params->free.dptr);
    case cudaGraphNodeTypeConditional:
      return work_conditional(work, graph, &params->conditional);
    default: /* semaphores of other APIs */
      return params->type < cudaGraphNodeTypeCount ? cudaErrorNotSupported : cudaErrorInvalidValue;
  }
}

/* Work takes over what it is made with: it must have a place before. */
static cudaError_t add_any(NEW_NODE, struct cudaGraphNodeParams *params, const char *function) {
  struct graph_work work = {0};
  cudaError_t made = node && graph_exists(graph)
                         ? graph_check_dependencies(graph, dependencies, count)
                         : cudaErrorInvalidValue;
  if (!made) made = work_of(&work, graph, dependencies, count, params);
  return add(node, graph, dependencies, count, &work, made, function);
}

cudaError_t cudaGraphAddNode(NEW_NODE, struct cudaGraphNodeParams *params) {
  return add_any(node, graph, dependencies, count, params, __func__);
}

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph,
                                const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *edges,
                                size_t count, struct cudaGraphNodeParams *params) {
  cudaError_t error = graph_check_edges(edges, count);
  return error ? runtime_result(error)
               : add_any(node, graph, dependencies, count, params, __func__);
}

/* Other parameters for a node, which keeps its type. */
cudaError_t graph_set_params(cudaGraphNode_t node, struct cudaGraphNodeParams *params) {
  struct graph_work work = {0};
  if (!params || node->work.type != params->type) return cudaErrorInvalidValue;
  if (params->type == cudaGraphNodeTypeMemAlloc || params->type == cudaGraphNodeTypeMemFree ||
      params->type == cudaGraphNodeTypeConditional)
    return cudaErrorNotSupported;
  cudaError_t error = work_of(&work, node->graph, NULL, 0, params);
  return error ? error : graph_replace_work(node, &work);
}

cudaError_t graph_replace_work(cudaGraphNode_t node, struct graph_work *work) {
  work->place = node->work.place;
  work->disabled = node->work.disabled;
  if (work->type == cudaGraphNodeTypeGraph) work->child->parent = node->graph;
  work_release(&node->work);
  node->work = *work;
  return cudaSuccess;
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *params) {
  return runtime_result(graph_node_exists(node) ? graph_set_params(node, params)
                                                : cudaErrorInvalidValue);
}

/* ---- nodes ---- */

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  if (!graph_node_exists(node) || graph_has_memory(node->graph))
    return runtime_result(cudaErrorInvalidValue);
  graph_remove(node);
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type) {
  if (!graph_node_exists(node) || !type) return runtime_result(cudaErrorInvalidValue);
  bool library = (int)node->work.type == GRAPH_NODE_LIBRARY;
  *type = library ? cudaGraphNodeTypeKernel : node->work.type;
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
                                         size_t *count) {
  if (!graph_node_exists(node) || !count) return runtime_result(cudaErrorInvalidValue);
  return graph_give(node->dependencies, node->count, dependencies, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *dependents,
                                           size_t *count) {
  if (!graph_node_exists(node) || !count) return runtime_result(cudaErrorInvalidValue);
  cudaGraph_t graph = node->graph;
  cudaGraphNode_t *list = calloc(graph->count, sizeof(cudaGraphNode_t));
  size_t found = 0;
  if (!list) return runtime_result(cudaErrorMemoryAllocation);
  for (size_t i = 0; i < graph->count; i++)
    if (graph_depends(graph->nodes[i], node)) list[found++] = graph->nodes[i];
  graph_give(list, found, dependents, count);
  free(list);
  return cudaSuccess;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *found, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  if (!found || !original || !graph_exists(clone)) return runtime_result(cudaErrorInvalidValue);
  for (size_t i = 0; i < clone->count; i++) {
    if (clone->nodes[i]->original != original) continue;
    *found = clone->nodes[i];
    return cudaSuccess;
  }
  return runtime_result(cudaErrorInvalidValue);
}

/* Reads and replaces the parameters of a node of that type. */
#define PARAMS(name, params_type, member, make)                                                 \
  cudaError_t cudaGraph##name##NodeGetParams(cudaGraphNode_t node, params_type *params) {       \
    if (!graph_node_exists(node) || !params || node->work.type != cudaGraphNodeType##name)      \
      return runtime_result(cudaErrorInvalidValue);                                             \
    *params = node->work.member;                                                                \
    return cudaSuccess;                                                                         \
  }                                                                                             \
  cudaError_t cudaGraph##name##NodeSetParams(cudaGraphNode_t node, const params_type *params) { \
    struct graph_work work = {0};                                                               \
    if (!graph_node_exists(node) || node->work.type != cudaGraphNodeType##name)                 \
      return runtime_result(cudaErrorInvalidValue);                                             \
    cudaError_t error = make(&work, params);                                                    \
    return runtime_result(error ? error : graph_replace_work(node, &work));                     \
  }
PARAMS(Kernel, struct cudaKernelNodeParams, kernel.params, work_kernel)
PARAMS(Memcpy, struct cudaMemcpy3DParms, copy, work_copy)
PARAMS(Memset, struct cudaMemsetParams, fill, work_fill)
PARAMS(Host, struct cudaHostNodeParams, host, work_host)

#define EVENT(name, suffix)                                                                  \
  cudaError_t cudaGraphEvent##name##NodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) { \
    if (!graph_node_exists(node) || !event || node->work.type != cudaGraphNodeType##suffix)  \
      return runtime_result(cudaErrorInvalidValue);                                          \
    *event = node->work.event;                                                               \
    return cudaSuccess;                                                                      \
  }                                                                                          \
  cudaError_t cudaGraphEvent##name##NodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {  \
    if (!graph_node_exists(node) || !event || node->work.type != cudaGraphNodeType##suffix)  \
      return runtime_result(cudaErrorInvalidValue);                                          \
    node->work.event = event;                                                                \
    return cudaSuccess;                                                                      \
  }
EVENT(Record, EventRecord)
EVENT(Wait, WaitEvent)

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from,
                                           size_t bytes, enum cudaMemcpyKind kind) {
  struct cudaMemcpy3DParms params = copy_of_rows(to, bytes, from, bytes, bytes, 1, kind);
  return cudaGraphMemcpyNodeSetParams(node, &params);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *child) {
  if (!graph_node_exists(node) || !child || node->work.type != cudaGraphNodeTypeGraph)
    return runtime_result(cudaErrorInvalidValue);
  *child = node->work.child;
  return cudaSuccess;
}
