/* runtime_graph_update.c: the CUDA runtime API over device.h: executable graphs are changed: as a
 * whole, by a graph of the same structure, or node by node. */
#include "harness/sim/runtime/graph.h"

static cudaGraphExecUpdateResult compare(cudaGraph_t before, cudaGraph_t now,
                                         cudaGraphNode_t *where);

/* A kernel that is launched in another way, a decision of another kind or size: no parameters that
 * can be changed. Graphs inside are compared, too. */
static cudaGraphExecUpdateResult compare_work(cudaGraphNode_t before, cudaGraphNode_t now,
                                              cudaGraphNode_t *where) {
  const struct graph_work *old = &before->work, *work = &now->work;
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  switch (work->type) {
    case cudaGraphNodeTypeKernel:
      return old->kernel.cooperative == work->kernel.cooperative
                 ? result
                 : cudaGraphExecUpdateErrorAttributesChanged;
    case cudaGraphNodeTypeGraph:
      return compare(old->child, work->child, where);
    case cudaGraphNodeTypeConditional:
      if (old->conditional.params.type != work->conditional.params.type ||
          old->conditional.params.size != work->conditional.params.size)
        return cudaGraphExecUpdateErrorParametersChanged;
      for (unsigned i = 0; i < work->conditional.params.size && !result; i++)
        result = compare(old->conditional.params.phGraph_out[i],
                         work->conditional.params.phGraph_out[i], where);
      return result;
    default:
      return result;
  }
}

static cudaGraphExecUpdateResult compare_node(cudaGraphNode_t before, cudaGraphNode_t now,
                                              cudaGraphNode_t *where) {
  if (before->work.type != now->work.type) return cudaGraphExecUpdateErrorNodeTypeChanged;
  if (before->count != now->count) return cudaGraphExecUpdateErrorTopologyChanged;
  for (size_t k = 0; k < now->count; k++)
    if (before->dependencies[k]->mark != now->dependencies[k]->mark)
      return cudaGraphExecUpdateErrorTopologyChanged;
  return compare_work(before, now, where);
}

/* What has changed, other than parameters; *where: the node, if it is one. */
static cudaGraphExecUpdateResult compare(cudaGraph_t before, cudaGraph_t now,
                                         cudaGraphNode_t *where) {
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  if (before->count != now->count) return cudaGraphExecUpdateErrorTopologyChanged;
  for (size_t i = 0; i < now->count; i++) before->nodes[i]->mark = now->nodes[i]->mark = i;
  for (size_t i = 0; i < now->count && !result; i++) {
    result = compare_node(before->nodes[i], now->nodes[i], where);
    if (result && !*where) *where = now->nodes[i];
  }
  return result;
}

/* Nodes are still known by those that the executable graph was made of, and as disabled. */
static void keep_names(cudaGraph_t from, cudaGraph_t to) {
  for (size_t i = 0; i < to->count; i++) {
    to->nodes[i]->original = from->nodes[i]->original;
    to->nodes[i]->work.disabled = from->nodes[i]->work.disabled;
  }
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result) {
  if (!graph_exec_exists(exec) || !graph_exists(graph) || !result)
    return runtime_result(cudaErrorInvalidValue);
  cudaGraph_t old = exec->graph;
  *result = (cudaGraphExecUpdateResultInfo){0};
  result->result = compare(old, graph, &result->errorNode);
  if (result->result) return runtime_result(cudaErrorGraphExecUpdateFailure);
  cudaGraph_t clone = graph_clone(graph);
  if (!clone) return runtime_result(cudaErrorMemoryAllocation);
  keep_names(old, clone);
  graph_destroy(old);
  exec->graph = clone;
  return cudaSuccess;
}

/* The node that an executable graph has for this one, which must not have been removed. */
static cudaGraphNode_t find_any(cudaGraphExec_t exec, cudaGraphNode_t node) {
  if (!graph_exec_exists(exec) || !graph_node_exists(node)) return NULL;
  for (size_t i = 0; i < exec->graph->count; i++)
    if (exec->graph->nodes[i]->original == node) return exec->graph->nodes[i];
  return NULL;
}

/* If it is of that type. */
static cudaGraphNode_t find_node(cudaGraphExec_t exec, cudaGraphNode_t node,
                                 enum cudaGraphNodeType type) {
  cudaGraphNode_t found = find_any(exec, node);
  return found && found->work.type == type ? found : NULL;
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *params) {
  cudaGraphNode_t own = find_any(exec, node);
  if (!own) return runtime_result(cudaErrorInvalidValue);
  if (params && params->type == cudaGraphNodeTypeGraph)
    return cudaGraphExecChildGraphNodeSetParams(exec, node, params->graph.graph);
  return runtime_result(graph_set_params(own, params));
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  cudaGraphNode_t own = find_node(exec, node, cudaGraphNodeTypeGraph), where = NULL;
  if (!own || !graph_exists(child)) return runtime_result(cudaErrorInvalidValue);
  if (compare(own->work.child, child, &where))
    return runtime_result(cudaErrorGraphExecUpdateFailure);
  struct graph_work work = {0};
  cudaError_t error = work_child(&work, own->graph, child, false);
  return runtime_result(error ? error : graph_replace_work(own, &work));
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  cudaGraphNode_t own = find_node(exec, node, cudaGraphNodeTypeEventRecord);
  return own ? cudaGraphEventRecordNodeSetEvent(own, event) : runtime_result(cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  cudaGraphNode_t own = find_node(exec, node, cudaGraphNodeTypeWaitEvent);
  return own ? cudaGraphEventWaitNodeSetEvent(own, event) : runtime_result(cudaErrorInvalidValue);
}

/* Kernels, copies and fills can do nothing for a while. */
static cudaGraphNode_t find_switch(cudaGraphExec_t exec, cudaGraphNode_t node) {
  cudaGraphNode_t own = find_any(exec, node);
  return own && (own->work.type == cudaGraphNodeTypeKernel ||
                 own->work.type == cudaGraphNodeTypeMemcpy ||
                 own->work.type == cudaGraphNodeTypeMemset)
             ? own
             : NULL;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int enabled) {
  cudaGraphNode_t own = find_switch(exec, node);
  if (!own) return runtime_result(cudaErrorInvalidValue);
  own->work.disabled = !enabled;
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int *enabled) {
  cudaGraphNode_t own = find_switch(exec, node);
  if (!own || !enabled) return runtime_result(cudaErrorInvalidValue);
  *enabled = !own->work.disabled;
  return cudaSuccess;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *params) {
  cudaGraphNode_t own = find_node(exec, node, cudaGraphNodeTypeKernel);
  return own ? cudaGraphKernelNodeSetParams(own, params) : runtime_result(cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *params) {
  cudaGraphNode_t own = find_node(exec, node, cudaGraphNodeTypeMemcpy);
  return own ? cudaGraphMemcpyNodeSetParams(own, params) : runtime_result(cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
                                               const void *from, size_t bytes,
                                               enum cudaMemcpyKind kind) {
  struct cudaMemcpy3DParms params = copy_of_rows(to, bytes, from, bytes, bytes, 1, kind);
  return cudaGraphExecMemcpyNodeSetParams(exec, node, &params);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *params) {
  cudaGraphNode_t own = find_node(exec, node, cudaGraphNodeTypeMemset);
  return own ? cudaGraphMemsetNodeSetParams(own, params) : runtime_result(cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *params) {
  cudaGraphNode_t own = find_node(exec, node, cudaGraphNodeTypeHost);
  return own ? cudaGraphHostNodeSetParams(own, params) : runtime_result(cudaErrorInvalidValue);
}
