/* runtime_graph.c: the CUDA runtime API over device.h: graphs, as they are built and read. */
#include "harness/sim/runtime/graph.h"

#include <stdlib.h>
#include <string.h>

#include "harness/sim/base/hold.h"

static pthread_mutex_t graphs_lock = PTHREAD_MUTEX_INITIALIZER; /* of their list */
static cudaGraph_t graphs;

bool graph_exists(cudaGraph_t graph) {
  HOLD(&graphs_lock);
  cudaGraph_t at = graphs;
  while (at && at != graph) at = at->next;
  return at && graph;
}

cudaGraph_t graph_create(void) {
  cudaGraph_t graph = calloc(1, sizeof *graph);
  HOLD(&graphs_lock);
  if (graph) {
    graph->next = graphs;
    graphs = graph;
  }
  return graph;
}

void graph_destroy(cudaGraph_t graph) {
  if (!graph) return;
  pthread_mutex_lock(&graphs_lock);
  cudaGraph_t *at = &graphs;
  while (*at && *at != graph) at = &(*at)->next;
  if (*at) *at = graph->next;
  pthread_mutex_unlock(&graphs_lock);
  for (size_t i = 0; i < graph->count; i++) {
    work_release(&graph->nodes[i]->work);
    free(graph->nodes[i]->dependencies);
    free(graph->nodes[i]);
  }
  free(graph->nodes);
  free(graph);
}

/* Appends to an array of so many pointers. */
static bool append(cudaGraphNode_t **list, size_t *count, cudaGraphNode_t node) {
  cudaGraphNode_t *longer = realloc(*list, (*count + 1) * sizeof *longer);
  if (!longer) return false;
  *list = longer;
  longer[(*count)++] = node;
  return true;
}

static bool has_node(cudaGraph_t graph, cudaGraphNode_t node) {
  for (size_t i = 0; i < graph->count; i++)
    if (graph->nodes[i] == node) return true;
  return false;
}

bool graph_depend(cudaGraphNode_t node, cudaGraphNode_t on) {
  for (size_t i = 0; i < node->count; i++)
    if (node->dependencies[i] == on) return true;
  return append(&node->dependencies, &node->count, on);
}

cudaError_t graph_add(cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
                      struct graph_work *work, cudaGraphNode_t *node) {
  cudaError_t error = cudaSuccess;
  cudaGraphNode_t made = NULL;
  if (count && !dependencies) error = cudaErrorInvalidValue;
  for (size_t i = 0; i < count && !error; i++)
    if (!has_node(graph, dependencies[i])) error = cudaErrorInvalidValue;
  if (!error && !(made = calloc(1, sizeof *made))) error = cudaErrorMemoryAllocation;
  if (!error && !append(&graph->nodes, &graph->count, made)) error = cudaErrorMemoryAllocation;
  if (error) {
    work_release(work);
    free(made);
    return error;
  }
  made->work = *work;
  made->graph = graph;
  for (size_t i = 0; i < count && !error; i++)
    if (!graph_depend(made, dependencies[i])) error = cudaErrorMemoryAllocation;
  if (node) *node = made;
  return error;
}

cudaGraph_t graph_clone(cudaGraph_t graph) {
  cudaGraph_t clone = graph_create();
  bool ok = clone != NULL;
  for (size_t i = 0; i < graph->count && ok; i++) {
    struct graph_work work;
    cudaGraphNode_t node = NULL;
    graph->nodes[i]->mark = i;
    ok = work_duplicate(&work, &graph->nodes[i]->work) &&
         graph_add(clone, NULL, 0, &work, &node) == cudaSuccess;
    if (ok) node->original = graph->nodes[i];
  }
  for (size_t i = 0; i < graph->count && ok; i++)
    for (size_t k = 0; k < graph->nodes[i]->count && ok; k++)
      ok = graph_depend(clone->nodes[i], clone->nodes[graph->nodes[i]->dependencies[k]->mark]);
  if (ok) return clone;
  graph_destroy(clone);
  return NULL;
}

cudaGraphNode_t *graph_order(cudaGraph_t graph) {
  cudaGraphNode_t *order = calloc(graph->count + 1, sizeof(cudaGraphNode_t));
  size_t done = 0;
  for (size_t i = 0; i < graph->count; i++) graph->nodes[i]->mark = 0;
  for (bool moves = true; order && moves && done < graph->count;) {
    moves = false;
    for (size_t i = 0; i < graph->count; i++) {
      cudaGraphNode_t node = graph->nodes[i];
      bool ready = !node->mark;
      for (size_t k = 0; k < node->count && ready; k++) ready = node->dependencies[k]->mark;
      if (!ready) continue;
      node->mark = 1;
      order[done++] = node;
      moves = true;
    }
  }
  if (order && done == graph->count) return order;
  free(order);
  return NULL;
}

/* ---- the API ---- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags) {
  if (!graph || flags) return runtime_result(cudaErrorInvalidValue);
  *graph = graph_create();
  return runtime_result(*graph ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (!graph_exists(graph)) return runtime_result(cudaErrorInvalidValue);
  graph_forget_execs(graph);
  graph_destroy(graph);
  return cudaSuccess;
}

bool graph_has_memory(cudaGraph_t graph) {
  for (size_t i = 0; i < graph->count; i++) {
    enum cudaGraphNodeType type = graph->nodes[i]->work.type;
    if (type == cudaGraphNodeTypeMemAlloc || type == cudaGraphNodeTypeMemFree) return true;
  }
  return false;
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
  if (!clone || !graph_exists(graph)) return runtime_result(cudaErrorInvalidValue);
  if (graph_has_memory(graph)) return runtime_result(cudaErrorNotSupported);
  *clone = graph_clone(graph);
  return runtime_result(*clone ? cudaSuccess : cudaErrorMemoryAllocation);
}

/* Returns a list the way that all of these do: its length, or as much as there is room for. */
static cudaError_t give(const cudaGraphNode_t *list, size_t length, cudaGraphNode_t *nodes,
                        size_t *count) {
  for (size_t i = 0; nodes && i < *count; i++) nodes[i] = i < length ? list[i] : NULL;
  if (!nodes || *count > length) *count = length;
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  if (!count || !graph_exists(graph)) return runtime_result(cudaErrorInvalidValue);
  return give(graph->nodes, graph->count, nodes, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  if (!count || !graph_exists(graph)) return runtime_result(cudaErrorInvalidValue);
  cudaGraphNode_t *roots = NULL;
  size_t found = 0;
  for (size_t i = 0; i < graph->count; i++)
    if (!graph->nodes[i]->count && !append(&roots, &found, graph->nodes[i])) break;
  give(roots, found, nodes, count);
  free(roots);
  return cudaSuccess;
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              size_t *count) {
  if (!count || !graph_exists(graph) || !from != !to) return runtime_result(cudaErrorInvalidValue);
  size_t found = 0;
  for (size_t i = 0; i < graph->count; i++)
    for (size_t k = 0; k < graph->nodes[i]->count; k++, found++) {
      if (!from || found >= *count) continue;
      from[found] = graph->nodes[i]->dependencies[k];
      to[found] = graph->nodes[i];
    }
  if (!from || *count > found) *count = found;
  return cudaSuccess;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count) {
  if (!graph_exists(graph) || (count && (!from || !to)))
    return runtime_result(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; i++) {
    if (!has_node(graph, from[i]) || !has_node(graph, to[i]) || from[i] == to[i])
      return runtime_result(cudaErrorInvalidValue);
    for (size_t k = 0; k < to[i]->count; k++)
      if (to[i]->dependencies[k] == from[i]) return runtime_result(cudaErrorInvalidValue);
    if (!graph_depend(to[i], from[i])) return runtime_result(cudaErrorMemoryAllocation);
  }
  return cudaSuccess;
}

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

static cudaError_t work_child(struct graph_work *work, cudaGraph_t graph, cudaGraph_t child) {
  if (!graph_exists(child) || child == graph) return cudaErrorInvalidValue;
  if (graph_has_memory(child)) return cudaErrorNotSupported;
  work->type = cudaGraphNodeTypeGraph;
  work->child = graph_clone(child);
  return work->child ? cudaSuccess : cudaErrorMemoryAllocation;
}

static cudaError_t work_simple(struct graph_work *work, enum cudaGraphNodeType type,
                               cudaEvent_t event) {
  work->type = type;
  work->event = event;
  return event || type == cudaGraphNodeTypeEmpty ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaGraphAddChildGraphNode(NEW_NODE, cudaGraph_t child) {
  ADD(work_child(&work, graph, child));
}

cudaError_t cudaGraphAddEmptyNode(NEW_NODE) {
  ADD(work_simple(&work, cudaGraphNodeTypeEmpty, NULL));
}

cudaError_t cudaGraphAddEventRecordNode(NEW_NODE, cudaEvent_t event) {
  ADD(work_simple(&work, cudaGraphNodeTypeEventRecord, event));
}

cudaError_t cudaGraphAddEventWaitNode(NEW_NODE, cudaEvent_t event) {
  ADD(work_simple(&work, cudaGraphNodeTypeWaitEvent, event));
}

cudaError_t cudaGraphAddMemAllocNode(NEW_NODE, struct cudaMemAllocNodeParams *params) {
  ADD(work_allocate(&work, params));
}

cudaError_t cudaGraphAddMemFreeNode(NEW_NODE, void *pointer) {
  bool refused = !graph_memory_exists(pointer) || graph_has_exec(graph);
  ADD(refused ? cudaErrorInvalidValue : work_deallocate(&work, pointer));
}

/* ---- nodes ---- */

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type) {
  if (!node || !type) return runtime_result(cudaErrorInvalidValue);
  *type = node->work.type;
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
                                         size_t *count) {
  if (!node || !count) return runtime_result(cudaErrorInvalidValue);
  return give(node->dependencies, node->count, dependencies, count);
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
    if (!node || !params || node->work.type != cudaGraphNodeType##name)                         \
      return runtime_result(cudaErrorInvalidValue);                                             \
    *params = node->work.member;                                                                \
    return cudaSuccess;                                                                         \
  }                                                                                             \
  cudaError_t cudaGraph##name##NodeSetParams(cudaGraphNode_t node, const params_type *params) { \
    struct graph_work work = {0};                                                               \
    if (!node || node->work.type != cudaGraphNodeType##name)                                    \
      return runtime_result(cudaErrorInvalidValue);                                             \
    cudaError_t error = make(&work, params);                                                    \
    if (error) return runtime_result(error);                                                    \
    work.place = node->work.place;                                                              \
    work_release(&node->work);                                                                  \
    node->work = work;                                                                          \
    return cudaSuccess;                                                                         \
  }
PARAMS(Kernel, struct cudaKernelNodeParams, kernel.params, work_kernel)
PARAMS(Memcpy, struct cudaMemcpy3DParms, copy, work_copy)
PARAMS(Memset, struct cudaMemsetParams, fill, work_fill)
PARAMS(Host, struct cudaHostNodeParams, host, work_host)

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *child) {
  if (!node || !child || node->work.type != cudaGraphNodeTypeGraph)
    return runtime_result(cudaErrorInvalidValue);
  *child = node->work.child;
  return cudaSuccess;
}
