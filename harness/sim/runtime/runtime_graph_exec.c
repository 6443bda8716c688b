/* runtime_graph_exec.c: the CUDA runtime API over device.h: graphs that run.
 *
 * A launch runs the nodes one after the other, as all work here. So that races between nodes that
 * nothing orders are found, each chain of nodes has a stream of its own, and events carry the other
 * edges; a graph that is one chain runs in the stream that it is launched into.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/base/hold.h"
#include "harness/sim/runtime/backlog.h"
#include "harness/sim/runtime/graph.h"

static pthread_mutex_t execs_lock = PTHREAD_MUTEX_INITIALIZER;
static cudaGraphExec_t execs;

bool graph_exec_exists(cudaGraphExec_t exec) {
  HOLD(&execs_lock);
  cudaGraphExec_t at = execs;
  while (at && at != exec) at = at->next;
  return at && exec;
}

/* ---- a node's work ---- */

/* Elements of several bytes that differ come from the host. */
static cudaError_t fill(const struct cudaMemsetParams *params, cudaStream_t stream) {
  size_t width = params->width * params->elementSize;
  size_t pitch = params->height > 1 ? params->pitch : width;
  unsigned char bytes[4];
  memcpy(bytes, &params->value, sizeof bytes);
  bool same = true;
  for (unsigned i = 1; i < params->elementSize; i++) same &= bytes[i] == bytes[0];
  if (same) return cudaMemset2DAsync(params->dst, pitch, bytes[0], width, params->height, stream);
  unsigned char *row = malloc(width * params->height);
  if (!row) return cudaErrorMemoryAllocation;
  for (size_t i = 0; i < width * params->height; i++) row[i] = bytes[i % params->elementSize];
  cudaError_t error = cudaMemcpy2DAsync(params->dst, pitch, row, width, width, params->height,
                                        cudaMemcpyHostToDevice, stream);
  free(row);
  return error;
}

static cudaError_t graph_start(cudaGraph_t graph, cudaStream_t stream) {
  cudaError_t error = condition_start(graph, stream);
  return error ? error : graph_run(graph, stream);
}

static cudaError_t run_work(const struct graph_work *work, cudaStream_t stream) {
  switch ((int)work->type) {
    case GRAPH_NODE_LIBRARY:
      return work_run_library(work, stream);
    case cudaGraphNodeTypeKernel:
      return runtime_launch(&work->kernel.params, work->kernel.params.sharedMemBytes, work->place,
                            stream, work->kernel.cooperative);
    case cudaGraphNodeTypeMemcpy:
      return cudaMemcpy3DAsync(&work->copy, stream);
    case cudaGraphNodeTypeMemset:
      return fill(&work->fill, stream);
    case cudaGraphNodeTypeHost:
      return cudaLaunchHostFunc(stream, work->host.fn, work->host.userData);
    case cudaGraphNodeTypeConditional:
      return condition_run(work, stream);
    case cudaGraphNodeTypeGraph:
      return graph_start(work->child, stream);
    case cudaGraphNodeTypeEventRecord:
      return cudaEventRecord(work->event, stream);
    case cudaGraphNodeTypeMemAlloc:
      return graph_memory_allocate(work->allocation.memory, stream);
    case cudaGraphNodeTypeMemFree:
      return cudaFreeAsync(work->freed, stream);
    case cudaGraphNodeTypeWaitEvent:
      return cudaStreamWaitEvent(stream, work->event, 0);
    default:
      return cudaSuccess;
  }
}

/* What it finds is told where the work was made. */
cudaError_t work_run(const struct graph_work *work, cudaStream_t stream) {
  struct source_place now = runtime_call_place();
  kit_at(work->place.line, work->place.file);
  cudaError_t error = work->disabled ? cudaSuccess : run_work(work, stream);
  kit_at(now.line, now.file);
  return error;
}

/* ---- a launch ---- */

/* Where a node has run: its stream, and the event behind it (number 0: none). */
struct turn {
  cudaGraphNode_t node;
  cudaStream_t stream;
  struct device_event event;
  bool followed; /* another one has gone on in its stream */
};

struct run {
  struct turn *turns; /* by the nodes' marks */
  size_t count;
  cudaStream_t origin;
  struct device_event start; /* the event in front of all */
  bool origin_used;
};

/* Continues the stream of a dependency that nobody has continued, else begins another one. */
static cudaStream_t choose_stream(struct run *run, cudaGraphNode_t node) {
  for (size_t k = 0; k < node->count; k++) {
    struct turn *before = &run->turns[node->dependencies[k]->mark];
    if (before->followed) continue;
    before->followed = true;
    return before->stream;
  }
  if (!run->origin_used && node->count == 0) {
    run->origin_used = true;
    return run->origin;
  }
  return runtime_take_stream();
}

static int order(struct run *run, cudaGraphNode_t node, cudaStream_t stream) {
  struct device *device = runtime_device();
  uint32_t number;
  int error = runtime_stream(stream, &number) ? 0 : cudaErrorInvalidResourceHandle;
  if (!error && stream != run->origin && node->count == 0 && run->start.number)
    error = device_stream_wait(device, number, &run->start);
  for (size_t k = 0; k < node->count && !error; k++) {
    const struct turn *before = &run->turns[node->dependencies[k]->mark];
    if (before->stream != stream && before->event.number)
      error = device_stream_wait(device, number, &before->event);
  }
  return error;
}

/* Does the graph need more than one stream? */
static bool is_chain(cudaGraphNode_t *const *nodes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    cudaGraphNode_t node = (*nodes)[i];
    if (i ? node->count != 1 || node->dependencies[0] != (*nodes)[i - 1] : node->count)
      return false;
  }
  return true;
}

static cudaError_t run_nodes(struct run *all, cudaGraphNode_t *nodes) {
  struct device *device = runtime_device();
  bool chain = is_chain(&nodes, all->count);
  uint32_t origin, number;
  int error = runtime_stream(all->origin, &origin) ? 0 : cudaErrorInvalidResourceHandle;
  if (!error && !chain) error = device_event_record(device, &all->start, origin);
  for (size_t i = 0; i < all->count && !error; i++) {
    struct turn *turn = &all->turns[i];
    nodes[i]->mark = i;
    turn->node = nodes[i];
    turn->stream = chain ? all->origin : choose_stream(all, nodes[i]);
    if (!turn->stream && all->origin) return cudaErrorMemoryAllocation;
    if (!chain) error = order(all, nodes[i], turn->stream);
    if (!error) error = (int)work_run(&nodes[i]->work, turn->stream);
    if (!error && !chain && runtime_stream(turn->stream, &number))
      error = device_event_record(device, &turn->event, number);
  }
  for (size_t i = 0; i < all->count && !chain; i++) { /* the stream goes on behind all of them */
    if (!error && all->turns[i].event.number)
      error = device_stream_wait(device, origin, &all->turns[i].event);
  }
  for (size_t i = 0; i < all->count && !chain; i++) {
    if (all->turns[i].event.number) device_event_destroy(device, &all->turns[i].event);
    if (all->turns[i].stream != all->origin) reserve_join(all->turns[i].stream, all->origin);
    if (all->turns[i].stream != all->origin && !all->turns[i].followed && all->turns[i].stream)
      runtime_return_stream(all->turns[i].stream);
  }
  if (all->start.number) device_event_destroy(device, &all->start);
  return (cudaError_t)error;
}

cudaError_t graph_run(cudaGraph_t graph, cudaStream_t stream) {
  cudaGraphNode_t *nodes = graph_order(graph);
  struct run all = {.turns = calloc(graph->count + 1, sizeof *all.turns),
                    .count = graph->count,
                    .origin = stream};
  struct reserve_launch before = reserve_begin(stream);
  cudaError_t error = nodes && all.turns ? run_nodes(&all, nodes) : cudaErrorMemoryAllocation;
  reserve_end(before);
  free(all.turns);
  free(nodes);
  return error;
}

/* What the last launch has allocated and nobody has freed: is freed, or keeps this one from
 * running. */
static cudaError_t clear_allocations(cudaGraph_t graph, bool frees, cudaStream_t stream) {
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < graph->count && !error; i++) {
    const struct graph_work *work = &graph->nodes[i]->work;
    if (work->type == cudaGraphNodeTypeGraph) error = clear_allocations(work->child, frees, stream);
    if (work->type != cudaGraphNodeTypeMemAlloc || !graph_memory_is_live(work->allocation.memory))
      continue;
    error = frees ? cudaFreeAsync(work->allocation.params.dptr, stream) : cudaErrorInvalidValue;
  }
  return error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  cudaError_t error = runtime_sticky();
  uint32_t number;
  if (error) return runtime_result(error);
  if (!graph_exec_exists(exec)) return runtime_result(cudaErrorInvalidValue);
  if (!runtime_stream(stream, &number)) return runtime_result(cudaErrorInvalidResourceHandle);
  if (capture_is_on(stream)) { /* becomes a child */
    struct graph_work work = {.type = cudaGraphNodeTypeGraph, .place = runtime_call_place()};
    work.child = graph_clone(exec->graph);
    capture_work(stream, &work, work.child ? cudaSuccess : cudaErrorMemoryAllocation, &error);
    return runtime_result(error);
  }
  if (backlog_defers(stream)) {
    struct graph_work work = {.type = cudaGraphNodeTypeGraph, .place = runtime_call_place()};
    work.child = graph_clone(exec->graph);
    return runtime_result(
        backlog_add(stream, &work, work.child ? cudaSuccess : cudaErrorMemoryAllocation));
  }
  bool frees = exec->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
  error = clear_allocations(exec->graph, frees, stream);
  return runtime_result(error ? error : graph_start(exec->graph, stream));
}

/* ---- instantiation and updates ---- */

bool graph_has_exec(cudaGraph_t graph) {
  HOLD(&execs_lock);
  cudaGraphExec_t exec = execs;
  while (exec && exec->from != graph) exec = exec->next;
  return exec != NULL;
}

void graph_forget_execs(cudaGraph_t graph) {
  HOLD(&execs_lock);
  for (cudaGraphExec_t exec = execs; exec; exec = exec->next)
    if (exec->from == graph) exec->from = NULL;
}

/* *result says why not. */
static cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags,
                               cudaGraphInstantiateResult *result) {
  enum { KNOWN = 15 };
  *result = cudaGraphInstantiateError;
  if (!exec || !graph_exists(graph) || flags & ~(unsigned long long)KNOWN)
    return cudaErrorInvalidValue;
  if (flags & cudaGraphInstantiateFlagDeviceLaunch)
    return runtime_unsupported("cudaGraphInstantiateFlagDeviceLaunch", runtime_line());
  if (graph_has_memory(graph) && graph_has_exec(graph)) return cudaErrorNotSupported;
  *result = cudaGraphInstantiateConditionalHandleUnused;
  if (condition_is_unused(graph)) return cudaErrorInvalidValue;
  *result = cudaGraphInstantiateNodeOperationNotSupported;
  if (graph_has_forbidden(graph)) return cudaErrorInvalidValue;
  *result = cudaGraphInstantiateInvalidStructure;
  cudaGraphNode_t *nodes = graph_order(graph);
  if (!nodes) return cudaErrorInvalidValue; /* a cycle */
  free(nodes);
  *result = cudaGraphInstantiateError;
  cudaGraphExec_t made = calloc(1, sizeof *made);
  if (made) made->graph = graph_clone(graph);
  if (!made || !made->graph) {
    free(made);
    return cudaErrorMemoryAllocation;
  }
  made->from = graph;
  made->flags = flags;
  HOLD(&execs_lock);
  made->next = execs;
  execs = made;
  *exec = made;
  *result = cudaGraphInstantiateSuccess;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  cudaGraphInstantiateResult ignored;
  return runtime_result(instantiate(exec, graph, flags, &ignored));
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params) {
  if (!params) return runtime_result(cudaErrorInvalidValue);
  params->errNode_out = NULL;
  cudaError_t error = instantiate(exec, graph, params->flags, &params->result_out);
  if (!error && params->flags & cudaGraphInstantiateFlagUpload)
    error = cudaGraphUpload(*exec, params->uploadStream);
  return runtime_result(error);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags) {
  if (!graph_exec_exists(exec) || !flags) return runtime_result(cudaErrorInvalidValue);
  *flags = exec->flags;
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  pthread_mutex_lock(&execs_lock);
  cudaGraphExec_t *at = &execs;
  while (*at && *at != exec) at = &(*at)->next;
  bool exists = *at;
  if (exists) *at = exec->next;
  pthread_mutex_unlock(&execs_lock);
  if (!exists) return runtime_result(cudaErrorInvalidValue);
  graph_destroy(exec->graph);
  free(exec);
  return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  uint32_t number;
  if (!graph_exec_exists(exec)) return runtime_result(cudaErrorInvalidValue);
  return runtime_result(runtime_stream(stream, &number) ? cudaSuccess
                                                        : cudaErrorInvalidResourceHandle);
}
