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
  condition_forget(graph);
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

bool graph_has_node(cudaGraph_t graph, cudaGraphNode_t node) {
  for (size_t i = 0; i < graph->count; i++)
    if (graph->nodes[i] == node) return true;
  return false;
}

bool graph_node_exists(cudaGraphNode_t node) {
  HOLD(&graphs_lock);
  for (cudaGraph_t graph = graphs; graph && node; graph = graph->next)
    if (graph_has_node(graph, node)) return true;
  return false;
}

bool graph_depends(cudaGraphNode_t node, cudaGraphNode_t on) {
  for (size_t i = 0; i < node->count; i++)
    if (node->dependencies[i] == on) return true;
  return false;
}

bool graph_depend(cudaGraphNode_t node, cudaGraphNode_t on) {
  return graph_depends(node, on) || append(&node->dependencies, &node->count, on);
}

/* Removes what is in the list, in whose order the others stay. */
static void take_out(cudaGraphNode_t *list, size_t *count, cudaGraphNode_t node) {
  size_t kept = 0;
  for (size_t i = 0; i < *count; i++)
    if (list[i] != node) list[kept++] = list[i];
  *count = kept;
}

void graph_undepend(cudaGraphNode_t node, cudaGraphNode_t on) {
  take_out(node->dependencies, &node->count, on);
}

/* What nodes own knows who. */
static void adopt(cudaGraph_t graph, const struct graph_work *work) {
  if (work->type == cudaGraphNodeTypeGraph) work->child->parent = graph;
  if (work->type != cudaGraphNodeTypeConditional) return;
  for (unsigned i = 0; i < work->conditional.params.size; i++)
    work->conditional.params.phGraph_out[i]->parent = graph;
}

void graph_remove(cudaGraphNode_t node) {
  cudaGraph_t graph = node->graph;
  take_out(graph->nodes, &graph->count, node);
  for (size_t i = 0; i < graph->count; i++) graph_undepend(graph->nodes[i], node);
  pthread_mutex_lock(&graphs_lock);
  for (cudaGraph_t at = graphs; at; at = at->next)
    for (size_t i = 0; i < at->count; i++)
      if (at->nodes[i]->original == node) at->nodes[i]->original = NULL;
  pthread_mutex_unlock(&graphs_lock);
  work_release(&node->work);
  free(node->dependencies);
  free(node);
}

/* May a conditional node's graph have it, or what is in it ("Conditional Graph Nodes")? */
static bool is_conditional_work(const struct graph_work *work) {
  switch ((int)work->type) {
    case GRAPH_NODE_LIBRARY:
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeConditional:
      return true;
    case cudaGraphNodeTypeGraph:
      for (size_t i = 0; i < work->child->count; i++)
        if (!is_conditional_work(&work->child->nodes[i]->work)) return false;
      return true;
    default:
      return false;
  }
}

bool graph_has_forbidden(cudaGraph_t graph) {
  for (size_t i = 0; i < graph->count; i++) {
    const struct graph_work *work = &graph->nodes[i]->work;
    if (graph->is_body && !is_conditional_work(work)) return true;
    if (work->type == cudaGraphNodeTypeGraph && graph_has_forbidden(work->child)) return true;
    if (work->type != cudaGraphNodeTypeConditional) continue;
    for (unsigned k = 0; k < work->conditional.params.size; k++)
      if (graph_has_forbidden(work->conditional.params.phGraph_out[k])) return true;
  }
  return false;
}

cudaError_t graph_check_dependencies(cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                     size_t count) {
  if (count && !dependencies) return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; i++)
    if (!graph_has_node(graph, dependencies[i])) return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t graph_check_edges(const cudaGraphEdgeData *edges, size_t count) {
  static const cudaGraphEdgeData plain;
  for (size_t i = 0; edges && i < count; i++)
    if (memcmp(&edges[i], &plain, sizeof plain) != 0)
      return runtime_unsupported("an edge of a graph with a port (programmatic dependent launch)",
                                 runtime_line());
  return cudaSuccess;
}

cudaError_t graph_add(cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
                      struct graph_work *work, cudaGraphNode_t *node) {
  cudaGraphNode_t made = NULL;
  cudaError_t error = graph_check_dependencies(graph, dependencies, count);
  if (!error && !(made = calloc(1, sizeof *made))) error = cudaErrorMemoryAllocation;
  if (!error && !append(&graph->nodes, &graph->count, made)) error = cudaErrorMemoryAllocation;
  if (error) {
    work_release(work);
    free(made);
    return error;
  }
  made->work = *work;
  made->graph = graph;
  adopt(graph, work);
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

/* What a node owns goes with the node. */
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (!graph_exists(graph) || graph->parent) return runtime_result(cudaErrorInvalidValue);
  graph_forget_execs(graph);
  graph_destroy(graph);
  return cudaSuccess;
}

bool graph_has_type(cudaGraph_t graph, enum cudaGraphNodeType type) {
  for (size_t i = 0; i < graph->count; i++)
    if (graph->nodes[i]->work.type == type) return true;
  return false;
}

bool graph_has_memory(cudaGraph_t graph) {
  return graph_has_type(graph, cudaGraphNodeTypeMemAlloc) ||
         graph_has_type(graph, cudaGraphNodeTypeMemFree);
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
  if (!clone || !graph_exists(graph)) return runtime_result(cudaErrorInvalidValue);
  if (graph_has_memory(graph) || graph_has_type(graph, cudaGraphNodeTypeConditional))
    return runtime_result(cudaErrorNotSupported);
  *clone = graph_clone(graph);
  return runtime_result(*clone ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t graph_give(const cudaGraphNode_t *list, size_t length, cudaGraphNode_t *nodes,
                       size_t *count) {
  for (size_t i = 0; nodes && i < *count; i++) nodes[i] = i < length ? list[i] : NULL;
  if (!nodes || *count > length) *count = length;
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  if (!count || !graph_exists(graph)) return runtime_result(cudaErrorInvalidValue);
  return graph_give(graph->nodes, graph->count, nodes, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  if (!count || !graph_exists(graph)) return runtime_result(cudaErrorInvalidValue);
  cudaGraphNode_t *roots = NULL;
  size_t found = 0;
  for (size_t i = 0; i < graph->count; i++)
    if (!graph->nodes[i]->count && !append(&roots, &found, graph->nodes[i])) break;
  graph_give(roots, found, nodes, count);
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
    if (!graph_has_node(graph, from[i]) || !graph_has_node(graph, to[i]) || from[i] == to[i])
      return runtime_result(cudaErrorInvalidValue);
    if (graph_depends(to[i], from[i])) return runtime_result(cudaErrorInvalidValue);
    if (!graph_depend(to[i], from[i])) return runtime_result(cudaErrorMemoryAllocation);
  }
  return cudaSuccess;
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t count) {
  if (!graph_exists(graph) || (count && (!from || !to || graph_has_memory(graph))))
    return runtime_result(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; i++)
    if (!graph_has_node(graph, from[i]) || !graph_has_node(graph, to[i]) ||
        !graph_depends(to[i], from[i]))
      return runtime_result(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; i++) graph_undepend(to[i], from[i]);
  return cudaSuccess;
}
