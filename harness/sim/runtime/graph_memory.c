/* graph_memory.c: the CUDA runtime API over device.h: memory that graphs allocate and free (CUDA
 * C++ Programming Guide, "Graph Memory Nodes"). A node's address is promised when the node is made,
 * and kept until the last graph that has the node is destroyed. What is reserved is a figure: the
 * device allocates each array by itself. */
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
static uint64_t figures[4]; /* by enum cudaGraphMemAttributeType */

static size_t counted(const struct graph_memory *m) { return (m->bytes + UNIT - 1) / UNIT * UNIT; }

static void raise_to(enum cudaGraphMemAttributeType which, uint64_t least) {
  if (figures[which] < least) figures[which] = least;
}

static void count(const struct graph_memory *memory) {
  figures[cudaGraphMemAttrUsedMemCurrent] += counted(memory);
  raise_to(cudaGraphMemAttrUsedMemHigh, figures[cudaGraphMemAttrUsedMemCurrent]);
  raise_to(cudaGraphMemAttrReservedMemCurrent, figures[cudaGraphMemAttrUsedMemCurrent]);
  raise_to(cudaGraphMemAttrReservedMemHigh, figures[cudaGraphMemAttrReservedMemCurrent]);
}

cudaError_t work_allocate(struct graph_work *work, struct cudaMemAllocNodeParams *params) {
  if (!params || !params->bytesize || params->poolProps.allocType != cudaMemAllocationTypePinned ||
      params->poolProps.handleTypes != cudaMemHandleTypeNone ||
      params->poolProps.location.type != cudaMemLocationTypeDevice ||
      params->poolProps.location.id != 0)
    return cudaErrorInvalidValue;
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
  params->dptr = (void *)(uintptr_t)made->address;
  work->type = cudaGraphNodeTypeMemAlloc;
  work->allocation.params = *params;
  work->allocation.memory = made;
  return cudaSuccess;
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

cudaError_t graph_memory_allocate(struct graph_memory *memory) {
  uint64_t address = memory->address;
  int error = device_graph_memory(runtime_device(), GRAPH_MEMORY_ALLOCATE, memory->bytes,
                                  memory->line, &address);
  if (error) return (cudaError_t)error;
  HOLD(&lock);
  memory->live = true;
  count(memory);
  return cudaSuccess;
}

bool graph_memory_is_live(const struct graph_memory *memory) { return memory->live; }

void graph_memory_freed(const void *pointer) {
  HOLD(&lock);
  for (struct graph_memory *m = all; m; m = m->next) {
    if (m->address != (uintptr_t)pointer || !m->live) continue;
    m->live = false;
    figures[cudaGraphMemAttrUsedMemCurrent] -= counted(m);
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
  if (memory->live) figures[cudaGraphMemAttrUsedMemCurrent] -= counted(memory);
  device_graph_memory(runtime_device(), GRAPH_MEMORY_FORGET, 0, 0, &memory->address);
  free(memory);
}

/* ---- the API ---- */

static cudaError_t check(int device, enum cudaGraphMemAttributeType attribute, const void *value) {
  if (device != 0) return cudaErrorInvalidDevice;
  return !value || (unsigned)attribute > cudaGraphMemAttrReservedMemHigh ? cudaErrorInvalidValue
                                                                         : cudaSuccess;
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value) {
  cudaError_t error = check(device, attribute, value);
  HOLD(&lock);
  if (!error) memcpy(value, &figures[attribute], sizeof *figures);
  return runtime_result(error);
}

/* High-water marks can be set to 0, which means: begin again. */
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value) {
  cudaError_t error = check(device, attribute, value);
  bool high =
      attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
  uint64_t wanted = 0;
  if (!error) memcpy(&wanted, value, sizeof wanted);
  if (!error && (!high || wanted)) error = cudaErrorInvalidValue;
  HOLD(&lock);
  if (!error) figures[attribute] = figures[attribute - 1];
  return runtime_result(error);
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  if (device != 0) return runtime_result(cudaErrorInvalidDevice);
  HOLD(&lock);
  figures[cudaGraphMemAttrReservedMemCurrent] = figures[cudaGraphMemAttrUsedMemCurrent];
  return cudaSuccess;
}

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
