/* graph_work.c: what nodes of graphs do: parameters are checked and copied when it is made. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/runtime/graph.h"

struct cudaMemcpy3DParms copy_of_rows(void *to, size_t to_pitch, const void *from,
                                      size_t from_pitch, size_t width, size_t height,
                                      enum cudaMemcpyKind kind) {
  return (struct cudaMemcpy3DParms){
      .srcPtr = make_cudaPitchedPtr((void *)(uintptr_t)from, from_pitch, width, height),
      .dstPtr = make_cudaPitchedPtr(to, to_pitch, width, height),
      .extent = make_cudaExtent(width, height, 1),
      .kind = kind};
}

/* Copies the packed parameters and points at each. */
static bool own_arguments(struct graph_work *work, const unsigned char *packed,
                          const struct kernel_info *info) {
  struct cudaKernelNodeParams *params = &work->kernel.params;
  size_t bytes = info->param_bytes;
  unsigned char *copy = malloc(bytes + 1);
  params->kernelParams = calloc((size_t)info->param_count + 1, sizeof(void *));
  work->kernel.arguments = copy;
  work->kernel.argument_bytes = bytes;
  if (!copy || !params->kernelParams) return false;
  memcpy(copy, packed, bytes);
  for (int i = 0; i < info->param_count; i++)
    params->kernelParams[i] = copy + info->params[i].offset;
  return true;
}

cudaError_t work_kernel(struct graph_work *work, const struct cudaKernelNodeParams *params) {
  enum { MAX_PARAM_BYTES = 32764 };
  static _Thread_local struct kernel_info info; /* large */
  unsigned char packed[MAX_PARAM_BYTES] = {0};
  int module;
  const char *name;
  if (!params) return cudaErrorInvalidValue;
  cudaError_t error = runtime_kernel(params->func, &module, &name, &info);
  if (error) return error;
  dim3 grid = params->gridDim, block = params->blockDim;
  unsigned threads = (unsigned)info.max_threads_per_block;
  if (!grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z || block.x > threads ||
      block.y > threads / block.x || block.z > threads / block.x / block.y)
    return cudaErrorInvalidValue;
  if (params->extra && !params->kernelParams) return cudaErrorNotSupported;
  if (info.param_bytes > sizeof packed || (info.param_count && !params->kernelParams))
    return cudaErrorInvalidValue;
  for (int i = 0; i < info.param_count; i++)
    memcpy(packed + info.params[i].offset, params->kernelParams[i], info.params[i].size);
  work->type = cudaGraphNodeTypeKernel;
  work->kernel.params = *params;
  work->kernel.params.extra = NULL;
  if (own_arguments(work, packed, &info)) return cudaSuccess;
  work_release(work);
  return cudaErrorMemoryAllocation;
}

cudaError_t work_copy(struct graph_work *work, const struct cudaMemcpy3DParms *params) {
  if (!params || (!params->srcArray == !params->srcPtr.ptr) ||
      (!params->dstArray == !params->dstPtr.ptr))
    return cudaErrorInvalidValue;
  if ((unsigned)params->kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  work->type = cudaGraphNodeTypeMemcpy;
  work->copy = *params;
  return cudaSuccess;
}

cudaError_t work_fill(struct graph_work *work, const struct cudaMemsetParams *params) {
  if (!params || !params->dst || !params->width || !params->height ||
      (params->elementSize != 1 && params->elementSize != 2 && params->elementSize != 4))
    return cudaErrorInvalidValue;
  work->type = cudaGraphNodeTypeMemset;
  work->fill = *params;
  return cudaSuccess;
}

cudaError_t work_host(struct graph_work *work, const struct cudaHostNodeParams *params) {
  if (!params || !params->fn) return cudaErrorInvalidValue;
  work->type = cudaGraphNodeTypeHost;
  work->host = *params;
  return cudaSuccess;
}

cudaError_t work_event(struct graph_work *work, enum cudaGraphNodeType type, cudaEvent_t event) {
  work->type = type;
  work->event = event;
  return event ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t work_child(struct graph_work *work, cudaGraph_t graph, cudaGraph_t child, bool moves) {
  if (!graph_exists(child) || child == graph || (moves && child->parent))
    return cudaErrorInvalidValue;
  if ((!moves && graph_has_memory(child)) || graph_has_type(child, cudaGraphNodeTypeConditional))
    return cudaErrorNotSupported;
  work->type = cudaGraphNodeTypeGraph;
  work->child = moves ? child : graph_clone(child);
  return work->child ? cudaSuccess : cudaErrorMemoryAllocation;
}

struct library_work {
  library_function *function;
  atomic_int uses;
  max_align_t bytes[];
};

cudaError_t work_library(struct graph_work *work, library_function *function, const void *bytes,
                         size_t size, void **copy) {
  struct library_work *made = malloc(sizeof *made + size);
  if (!made) return cudaErrorMemoryAllocation;
  made->function = function;
  atomic_init(&made->uses, 1);
  memcpy(made->bytes, bytes, size);
  work->type = (enum cudaGraphNodeType)GRAPH_NODE_LIBRARY;
  work->library = made;
  *copy = made->bytes;
  return cudaSuccess;
}

cudaError_t work_run_library(const struct graph_work *work, cudaStream_t stream) {
  return work->library->function(work->library->bytes, stream);
}

bool work_duplicate(struct graph_work *to, const struct graph_work *from) {
  *to = *from;
  if (from->type == cudaGraphNodeTypeGraph) return (to->child = graph_clone(from->child)) != NULL;
  if (from->type == cudaGraphNodeTypeConditional) return condition_duplicate(to, from);
  if ((int)from->type == GRAPH_NODE_LIBRARY) atomic_fetch_add(&from->library->uses, 1);
  if (from->type == cudaGraphNodeTypeMemAlloc) graph_memory_share(from->allocation.memory);
  if (from->type != cudaGraphNodeTypeKernel) return true;
  static _Thread_local struct kernel_info info;
  int module;
  const char *name;
  return !runtime_kernel(from->kernel.params.func, &module, &name, &info) &&
         own_arguments(to, from->kernel.arguments, &info);
}

void work_release(struct graph_work *work) {
  if (work->type == cudaGraphNodeTypeGraph) graph_destroy(work->child);
  if (work->type == cudaGraphNodeTypeConditional) condition_release(work);
  if ((int)work->type == GRAPH_NODE_LIBRARY && atomic_fetch_sub(&work->library->uses, 1) == 1)
    free(work->library);
  if (work->type == cudaGraphNodeTypeMemAlloc) graph_memory_drop(work->allocation.memory);
  if (work->type == cudaGraphNodeTypeKernel) {
    free(work->kernel.arguments);
    free(work->kernel.params.kernelParams);
  }
  *work = (struct graph_work){.type = cudaGraphNodeTypeEmpty};
}
