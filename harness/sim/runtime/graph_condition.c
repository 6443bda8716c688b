/* graph_condition.c: the CUDA runtime API over device.h: nodes of graphs that decide (CUDA C++
 * Programming Guide, "Conditional Graph Nodes"). A handle is the address of the value in the
 * device's memory, where kernels store it (cudaGraphSetConditional, kit_host.h) and from where it
 * is read when the node's turn has come. It stays until nothing has the handle any more: no graph,
 * no executable graph. */
#include <stdlib.h>

#include "harness/sim/base/hold.h"
#include "harness/sim/runtime/graph.h"

struct condition {
  struct condition *next;
  uint64_t handle;
  cudaGraph_t graph; /* that it was made for; NULL: which was destroyed */
  unsigned initial, flags;
  int uses;     /* the graph, and nodes with their clones */
  bool is_used; /* by a node that is no clone */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct condition *all;

/* Lock held. */
static void drop(struct condition *condition) {
  if (--condition->uses) return;
  struct condition **at = &all;
  while (*at != condition) at = &(*at)->next;
  *at = condition->next;
  device_free(runtime_device(), condition->handle);
  free(condition);
}

void condition_forget(cudaGraph_t graph) {
  HOLD(&lock);
  for (struct condition *at = all, *next; at; at = next) {
    next = at->next;
    if (at->graph != graph) continue;
    at->graph = NULL;
    drop(at);
  }
}

/* In the graph, or in one that owns it? */
static bool is_above(cudaGraph_t graph, cudaGraph_t below) {
  while (below && below != graph) below = below->parent;
  return below != NULL;
}

bool condition_is_unused(cudaGraph_t graph) {
  HOLD(&lock);
  const struct condition *at = all;
  while (at && (at->is_used || !at->graph || !is_above(graph, at->graph))) at = at->next;
  return at != NULL;
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int initial, unsigned int flags) {
  if (!handle || !graph_exists(graph) || flags & ~(unsigned)cudaGraphCondAssignDefault)
    return runtime_result(cudaErrorInvalidValue);
  struct condition *made = calloc(1, sizeof *made);
  if (!made) return runtime_result(cudaErrorMemoryAllocation);
  *made = (struct condition){.graph = graph, .initial = initial, .flags = flags, .uses = 1};
  struct source_place nobody = {NULL, LINE_OF_RUNTIME};
  int error = device_malloc(runtime_device(), sizeof initial, nobody, &made->handle);
  if (error) {
    free(made);
    return runtime_result((cudaError_t)error);
  }
  HOLD(&lock);
  made->next = all;
  all = made;
  *handle = made->handle;
  return cudaSuccess;
}

/* ---- nodes ---- */

static bool check_size(const struct cudaConditionalNodeParams *params) {
  switch (params->type) {
    case cudaGraphCondTypeIf:
      return params->size == 1 || params->size == 2;
    case cudaGraphCondTypeWhile:
      return params->size == 1;
    case cudaGraphCondTypeSwitch:
      return params->size >= 1;
    default:
      return false;
  }
}

static void destroy_bodies(struct cudaConditionalNodeParams *params) {
  for (unsigned i = 0; params->phGraph_out && i < params->size; i++)
    graph_destroy(params->phGraph_out[i]);
  free(params->phGraph_out);
}

/* Bodies that are empty, or copies. */
static bool make_bodies(struct cudaConditionalNodeParams *params, cudaGraph_t *from) {
  bool ok = (params->phGraph_out = calloc(params->size, sizeof(cudaGraph_t))) != NULL;
  for (unsigned i = 0; i < params->size && ok; i++) {
    cudaGraph_t body = params->phGraph_out[i] = from ? graph_clone(from[i]) : graph_create();
    ok = body != NULL;
    if (body) body->is_body = true;
  }
  if (!ok) destroy_bodies(params);
  return ok;
}

cudaError_t work_conditional(struct graph_work *work, cudaGraph_t graph,
                             struct cudaConditionalNodeParams *params) {
  HOLD(&lock);
  struct condition *condition = all;
  while (condition && condition->handle != params->handle) condition = condition->next;
  if (!condition || condition->is_used || !condition->graph || !is_above(condition->graph, graph) ||
      !check_size(params))
    return cudaErrorInvalidValue;
  if (!make_bodies(params, NULL)) return cudaErrorMemoryAllocation;
  condition->is_used = true;
  condition->uses++;
  work->type = cudaGraphNodeTypeConditional;
  work->conditional.params = *params;
  work->conditional.condition = condition;
  return cudaSuccess;
}

bool condition_duplicate(struct graph_work *to, const struct graph_work *from) {
  if (!make_bodies(&to->conditional.params, from->conditional.params.phGraph_out)) return false;
  HOLD(&lock);
  to->conditional.condition->uses++;
  return true;
}

void condition_release(struct graph_work *work) {
  destroy_bodies(&work->conditional.params);
  HOLD(&lock);
  drop(work->conditional.condition);
}

/* ---- launches ---- */

static cudaError_t start_one(const struct condition *condition, cudaStream_t stream) {
  struct device_issue issue = {.line = runtime_line(), .staged = true};
  if (!(condition->flags & cudaGraphCondAssignDefault)) return cudaSuccess;
  if (!runtime_stream(stream, &issue.stream)) return cudaErrorInvalidResourceHandle;
  size_t bytes = sizeof condition->initial;
  return (cudaError_t)device_write_rows(runtime_device(), &issue, condition->handle, bytes,
                                        &condition->initial, bytes, bytes, 1);
}

cudaError_t condition_start(cudaGraph_t graph, cudaStream_t stream) {
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < graph->count && !error; i++) {
    const struct graph_work *work = &graph->nodes[i]->work;
    if (work->type != cudaGraphNodeTypeConditional) continue;
    error = start_one(work->conditional.condition, stream);
    for (unsigned k = 0; k < work->conditional.params.size && !error; k++)
      error = condition_start(work->conditional.params.phGraph_out[k], stream);
  }
  return error;
}

/* The value that work before this in the stream has stored. */
static cudaError_t read_value(uint64_t handle, cudaStream_t stream, unsigned *value) {
  struct device_issue issue = {.line = runtime_line()};
  if (!runtime_stream(stream, &issue.stream)) return cudaErrorInvalidResourceHandle;
  return (cudaError_t)device_read_rows(runtime_device(), &issue, value, sizeof *value, handle,
                                       sizeof *value, sizeof *value, 1);
}

cudaError_t condition_run(const struct graph_work *work, cudaStream_t stream) {
  const struct cudaConditionalNodeParams *params = &work->conditional.params;
  const cudaGraph_t *bodies = params->phGraph_out;
  unsigned value = 0;
  cudaError_t error = read_value(params->handle, stream, &value);
  if (error) return error;
  switch (params->type) {
    case cudaGraphCondTypeIf:
      return value              ? graph_run(bodies[0], stream)
             : params->size > 1 ? graph_run(bodies[1], stream)
                                : cudaSuccess;
    case cudaGraphCondTypeSwitch:
      return value < params->size ? graph_run(bodies[value], stream) : cudaSuccess;
    default:
      while (value && !error) {
        error = graph_run(bodies[0], stream);
        if (!error) error = runtime_sticky();
        if (!error) error = read_value(params->handle, stream, &value);
      }
      return error;
  }
}
