/* graph_memory.c: the CUDA runtime API over device.h: memory that graphs allocate and free (CUDA
 * C++ Programming Guide, "Graph Memory Nodes"). A node's address is promised when the node is made,
 * and kept until the last graph that has the node is destroyed. Another node gets it, too, if it
 * comes after all that allocate and free it. */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/base/hold.h"
#include "harness/sim/runtime/graph.h"

enum { UNIT = 2 << 20 }; /* bytes that memory is counted in */

struct graph_memory {
  struct graph_memory *next;
  uint64_t address;
  size_t bytes;
  int line, uses; /* uses: by nodes */
  bool live;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct graph_memory *all;

static size_t counted(const struct graph_memory *m) { return (m->bytes + UNIT - 1) / UNIT * UNIT; }

static cudaError_t check_params(const struct cudaMemAllocNodeParams *params) {
  return !params->bytesize || params->poolProps.allocType != cudaMemAllocationTypePinned ||
                 params->poolProps.handleTypes != cudaMemHandleTypeNone ||
                 params->poolProps.location.type != cudaMemLocationTypeDevice ||
                 params->poolProps.location.id != 0
             ? cudaErrorInvalidValue
             : cudaSuccess;
}

static cudaError_t use(struct graph_work *work, struct cudaMemAllocNodeParams *params,
                       struct graph_memory *memory) {
  params->dptr = (void *)(uintptr_t)memory->address;
  work->type = cudaGraphNodeTypeMemAlloc;
  work->allocation.params = *params;
  work->allocation.memory = memory;
  return cudaSuccess;
}

cudaError_t work_allocate(struct graph_work *work, struct cudaMemAllocNodeParams *params) {
  if (!params || check_params(params)) return cudaErrorInvalidValue;
  struct graph_memory *made = calloc(1, sizeof *made);
  if (!made) return cudaErrorMemoryAllocation;
  *made = (struct graph_memory){.bytes = params->bytesize, .line = runtime_line(), .uses = 1};
  int error = device_graph_memory(runtime_device(), GRAPH_MEMORY_PROMISE, made->bytes, made->line,
                                  &made->address);
  if (error) {
    free(made);
    return (cudaError_t)error;
  }
  HOLD(&lock);
  made->next = all;
  all = made;
  return use(work, params, made);
}

/* ---- an address for several nodes ---- */

/* Marks all that these nodes come after, and themselves. */
static void mark_before(const cudaGraphNode_t *nodes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (nodes[i]->mark) continue;
    nodes[i]->mark = 1;
    mark_before(nodes[i]->dependencies, nodes[i]->count);
  }
}

/* Do all nodes that use it come before, as many that free it as allocate it? */
static bool is_over(cudaGraph_t graph, const struct graph_memory *memory) {
  int allocated = 0, freed = 0;
  for (size_t i = 0; i < graph->count; i++) {
    const struct graph_work *work = &graph->nodes[i]->work;
    bool allocates = work->type == cudaGraphNodeTypeMemAlloc && work->allocation.memory == memory;
    bool frees =
        work->type == cudaGraphNodeTypeMemFree && (uintptr_t)work->freed == memory->address;
    if ((allocates || frees) && !graph->nodes[i]->mark) return false;
    allocated += allocates;
    freed += frees;
  }
  return allocated && allocated == freed;
}

cudaError_t work_allocate_in(struct graph_work *work, cudaGraph_t graph,
                             const cudaGraphNode_t *after, size_t count,
                             struct cudaMemAllocNodeParams *params) {
  if (!graph_exists(graph) || graph_check_dependencies(graph, after, count) || !params ||
      check_params(params))
    return work_allocate(work, params);
  for (size_t i = 0; i < graph->count; i++) graph->nodes[i]->mark = 0;
  mark_before(after, count);
  for (size_t i = 0; i < graph->count; i++) {
    const struct graph_work *before = &graph->nodes[i]->work;
    if (before->type != cudaGraphNodeTypeMemAlloc ||
        before->allocation.memory->bytes != params->bytesize ||
        !is_over(graph, before->allocation.memory))
      continue;
    graph_memory_share(before->allocation.memory);
    return use(work, params, before->allocation.memory);
  }
  return work_allocate(work, params);
}

bool graph_memory_exists(const void *pointer) {
  HOLD(&lock);
  const struct graph_memory *m = all;
  while (m && m->address != (uintptr_t)pointer) m = m->next;
  return m != NULL;
}

cudaError_t work_deallocate(struct graph_work *work, void *pointer) {
  if (!pointer) return cudaErrorInvalidValue;
  work->type = cudaGraphNodeTypeMemFree;
  work->freed = pointer;
  return cudaSuccess;
}

cudaError_t graph_memory_allocate(struct graph_memory *memory, cudaStream_t stream) {
  uint64_t address = memory->address;
  int error = device_graph_memory(runtime_device(), GRAPH_MEMORY_ALLOCATE, memory->bytes,
                                  memory->line, &address);
  if (error) return (cudaError_t)error;
  HOLD(&lock);
  memory->live = true;
  reserve_take(counted(memory), stream);
  return cudaSuccess;
}

bool graph_memory_is_live(const struct graph_memory *memory) { return memory->live; }

void graph_memory_freed(const void *pointer, cudaStream_t stream, bool is_free) {
  HOLD(&lock);
  for (struct graph_memory *m = all; m; m = m->next) {
    if (m->address != (uintptr_t)pointer || !m->live) continue;
    m->live = false;
    reserve_give(counted(m), stream, is_free);
  }
}

void graph_memory_share(struct graph_memory *memory) {
  HOLD(&lock);
  memory->uses++;
}

void graph_memory_drop(struct graph_memory *memory) {
  HOLD(&lock);
  if (--memory->uses) return;
  struct graph_memory **at = &all;
  while (*at != memory) at = &(*at)->next;
  *at = memory->next;
  if (memory->live) reserve_give(counted(memory), NULL, true);
  device_graph_memory(runtime_device(), GRAPH_MEMORY_FORGET, 0, 0, &memory->address);
  free(memory);
}

/* ---- the API ---- */

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           struct cudaMemAllocNodeParams *params) {
  if (!node || !params || node->work.type != cudaGraphNodeTypeMemAlloc)
    return runtime_result(cudaErrorInvalidValue);
  *params = node->work.allocation.params;
  return cudaSuccess;
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *pointer) {
  if (!node || !pointer || node->work.type != cudaGraphNodeTypeMemFree)
    return runtime_result(cudaErrorInvalidValue);
  memcpy(pointer, &node->work.freed, sizeof node->work.freed);
  return cudaSuccess;
}
