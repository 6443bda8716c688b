/* graph.h: CUDA graphs: pieces of work, and which come after which. */
#ifndef KIT_GRAPH_H
#define KIT_GRAPH_H

#include <stdbool.h>

#include "harness/sim/base/error.h"
#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

/* What a node does. Of a kernel, `arguments` owns a copy of the parameters, which
 * params.kernelParams points into. */
struct graph_work {
  enum cudaGraphNodeType type;
  struct source_place place; /* of the call that made it, as kit_at takes it; a launch: its own */
  union {
    struct {
      struct cudaKernelNodeParams params;
      unsigned char *arguments;
      size_t argument_bytes;
      bool cooperative;
    } kernel;
    struct cudaMemcpy3DParms copy;
    struct cudaMemsetParams fill;
    struct cudaHostNodeParams host;
    cudaEvent_t event;
    cudaGraph_t child; /* its own */
    struct {
      struct cudaMemAllocNodeParams params;
      struct graph_memory *memory; /* shared with its clones */
    } allocation;
    void *freed;
  };
};

struct CUgraphNode_st {
  struct graph_work work;
  cudaGraph_t graph;
  cudaGraphNode_t *dependencies; /* nodes of the same graph */
  size_t count;
  cudaGraphNode_t original; /* of a clone */
  size_t mark;              /* of whoever walks the graph */
};

struct CUgraph_st {
  cudaGraph_t next; /* of all that programs have */
  cudaGraphNode_t *nodes;
  size_t count;
};

/* The graph's functions below hold no lock: as the documentation says, graphs are not thread-safe.
 */
bool graph_exists(cudaGraph_t graph);
cudaGraph_t graph_create(void); /* NULL: out of memory */
void graph_destroy(cudaGraph_t graph);
/* Takes over the work, whatever it returns. */
cudaError_t graph_add(cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
                      struct graph_work *work, cudaGraphNode_t *node);
bool graph_depend(cudaGraphNode_t node, cudaGraphNode_t on);
/* A copy whose nodes know their originals; NULL: out of memory. */
cudaGraph_t graph_clone(cudaGraph_t graph);
/* Nodes in an order in which each comes after its dependencies; the caller frees it. NULL: there is
 * a cycle, or no memory. */
cudaGraphNode_t *graph_order(cudaGraph_t graph);

/* Work. Those that make it copy what they need of the parameters. */
cudaError_t work_kernel(struct graph_work *work, const struct cudaKernelNodeParams *params);
cudaError_t work_copy(struct graph_work *work, const struct cudaMemcpy3DParms *params);
cudaError_t work_fill(struct graph_work *work, const struct cudaMemsetParams *params);
cudaError_t work_host(struct graph_work *work, const struct cudaHostNodeParams *params);
/* params->dptr becomes the address. */
cudaError_t work_allocate(struct graph_work *work, struct cudaMemAllocNodeParams *params);
cudaError_t work_deallocate(struct graph_work *work, void *pointer);
bool work_duplicate(struct graph_work *to, const struct graph_work *from);
void work_release(struct graph_work *work);
struct cudaMemcpy3DParms copy_of_rows(void *to, size_t to_pitch, const void *from,
                                      size_t from_pitch, size_t width, size_t height,
                                      enum cudaMemcpyKind kind);

/* Does it allocate or free memory? Then it cannot be cloned nor be a child, and has one executable
 * graph at a time ("Graph Memory Nodes"). */
bool graph_has_memory(cudaGraph_t graph);
/* runtime_graph_exec.c: is there an executable graph of it? It is about to be destroyed. */
bool graph_has_exec(cudaGraph_t graph);
void graph_forget_execs(cudaGraph_t graph);

/* graph_memory.c: what nodes allocate. */
bool graph_memory_exists(const void *pointer);
cudaError_t graph_memory_allocate(struct graph_memory *memory);
bool graph_memory_is_live(const struct graph_memory *memory);
void graph_memory_share(struct graph_memory *memory);
void graph_memory_drop(struct graph_memory *memory);
/* An array was freed. Does nothing for one of no graph. */
void graph_memory_freed(const void *pointer);

/* runtime_capture.c: calls ask these first. */

/* Is the stream captured? Then *error is what the call returns: the work became a node, or the
 * capture ended. Takes over the work. */
bool capture_work(cudaStream_t stream, struct graph_work *work, cudaError_t made,
                  cudaError_t *error);
bool capture_is_on(cudaStream_t stream);
/* A call that waits, or asks, for a stream (NULL with `all`: for all work, or allocates). True: it
 * is not permitted now, and *error says so. */
bool capture_forbids(cudaStream_t stream, bool all, cudaError_t *error);
/* Events. True: the call is done, and *error its result. */
bool capture_record(cudaEvent_t event, cudaStream_t stream, cudaError_t *error);
bool capture_wait(cudaStream_t stream, cudaEvent_t event, cudaError_t *error);
/* Was it recorded in a capture that goes on? That one is then invalid, if touched. */
bool capture_has_event(cudaEvent_t event, bool touched);
/* The stream is destroyed: a capture that began in it ends. */
void capture_abandon(cudaStream_t stream);

#endif
