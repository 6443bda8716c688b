/* graph.h: CUDA graphs: pieces of work, and which come after which. */
#ifndef KIT_GRAPH_H
#define KIT_GRAPH_H

#include <stdbool.h>

#include "harness/sim/base/error.h"
#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

/* What a node does. Of a kernel, `arguments` owns a copy of the parameters, which
 * params.kernelParams points into. */
enum { GRAPH_NODE_LIBRARY = 1000 }; /* a type of the runtime's own; to programs it is a kernel */
struct graph_work {
  enum cudaGraphNodeType type;
  struct source_place place; /* of the call that made it, as kit_at takes it; a launch: its own */
  bool disabled;             /* by cudaGraphNodeSetEnabled: it does nothing */
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
    struct {
      struct cudaConditionalNodeParams params; /* phGraph_out: its own graphs */
      struct condition *condition;             /* shared with its clones */
    } conditional;
    struct library_work *library; /* shared with its clones */
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
  cudaGraph_t next;   /* of all that programs have */
  cudaGraph_t parent; /* one of its nodes owns this graph; NULL: the program does */
  bool is_body;       /* of a conditional node */
  cudaGraphNode_t *nodes;
  size_t count;
};

struct CUgraphExec_st {
  cudaGraphExec_t next;
  cudaGraph_t graph; /* a clone */
  cudaGraph_t from;  /* NULL: of one that was destroyed */
  unsigned long long flags;
};

/* The graph's functions below hold no lock: as the documentation says, graphs are not thread-safe.
 */
bool graph_exists(cudaGraph_t graph);
cudaGraph_t graph_create(void); /* NULL: out of memory */
void graph_destroy(cudaGraph_t graph);
/* Has a conditional node in it a graph with nodes that those may not have? As CUDA's runtime, this
 * is said when the graph is instantiated. */
bool graph_has_forbidden(cudaGraph_t graph);
/* Are these nodes of the graph? */
cudaError_t graph_check_dependencies(cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                     size_t count);
/* Are they edges between whole nodes? NULL: they are. */
cudaError_t graph_check_edges(const cudaGraphEdgeData *edges, size_t count);
/* Takes over the work, whatever it returns. */
cudaError_t graph_add(cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
                      struct graph_work *work, cudaGraphNode_t *node);
/* Removes the node, and all edges from and to it. */
void graph_remove(cudaGraphNode_t node);
bool graph_has_node(cudaGraph_t graph, cudaGraphNode_t node);
/* Is there such a node, in any graph? */
bool graph_node_exists(cudaGraphNode_t node);
bool graph_depend(cudaGraphNode_t node, cudaGraphNode_t on);
/* Is there such an edge? */
bool graph_depends(cudaGraphNode_t node, cudaGraphNode_t on);
void graph_undepend(cudaGraphNode_t node, cudaGraphNode_t on);
/* The node does this work from now on. */
cudaError_t graph_replace_work(cudaGraphNode_t node, struct graph_work *work);
/* The same for parameters, of the type that the node has. */
cudaError_t graph_set_params(cudaGraphNode_t node, struct cudaGraphNodeParams *params);
/* Returns a list as all functions of the API do: its length, or as much as there is room for. */
cudaError_t graph_give(const cudaGraphNode_t *list, size_t length, cudaGraphNode_t *nodes,
                       size_t *count);
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
/* A call of a library, repeated with these bytes at each launch. *copy: where they lie then. */
typedef cudaError_t library_function(const void *bytes, cudaStream_t stream);
cudaError_t work_library(struct graph_work *work, library_function *function, const void *bytes,
                         size_t size, void **copy);
cudaError_t work_run_library(const struct graph_work *work, cudaStream_t stream);
/* params->dptr becomes the address. */
cudaError_t work_allocate(struct graph_work *work, struct cudaMemAllocNodeParams *params);
cudaError_t work_deallocate(struct graph_work *work, void *pointer);
cudaError_t work_event(struct graph_work *work, enum cudaGraphNodeType type, cudaEvent_t event);
/* moves: the graph is not cloned but taken over. */
cudaError_t work_child(struct graph_work *work, cudaGraph_t graph, cudaGraph_t child, bool moves);
bool work_duplicate(struct graph_work *to, const struct graph_work *from);
void work_release(struct graph_work *work);
struct cudaMemcpy3DParms copy_of_rows(void *to, size_t to_pitch, const void *from,
                                      size_t from_pitch, size_t width, size_t height,
                                      enum cudaMemcpyKind kind);

/* Has it a node of this type? */
bool graph_has_type(cudaGraph_t graph, enum cudaGraphNodeType type);
/* Does it allocate or free memory? Then it cannot be cloned nor be a child, and has one executable
 * graph at a time ("Graph Memory Nodes"). */
bool graph_has_memory(cudaGraph_t graph);
/* runtime_graph_exec.c: is there an executable graph of it? It is about to be destroyed. */
bool graph_has_exec(cudaGraph_t graph);
void graph_forget_execs(cudaGraph_t graph);
bool graph_exec_exists(cudaGraphExec_t exec);
cudaError_t graph_run(cudaGraph_t graph, cudaStream_t stream);

/* graph_condition.c: values by which conditional nodes decide, in memory of the device. */
/* The node's graphs are made, and params->phGraph_out points at them. */
cudaError_t work_conditional(struct graph_work *work, cudaGraph_t graph,
                             struct cudaConditionalNodeParams *params);
bool condition_duplicate(struct graph_work *to, const struct graph_work *from);
void condition_release(struct graph_work *work);
/* The graph is destroyed: no node can be made with its handles any more. */
void condition_forget(cudaGraph_t graph);
/* Has the graph a handle that no node was made with? */
bool condition_is_unused(cudaGraph_t graph);
/* Before a graph runs: values with a default get it, those of all nodes in its decisions, too. */
cudaError_t condition_start(cudaGraph_t graph, cudaStream_t stream);
cudaError_t condition_run(const struct graph_work *work, cudaStream_t stream);

/* graph_memory.c: what nodes allocate. */
bool graph_memory_exists(const void *pointer);
/* Work of a node behind these: it may get an address that nothing uses any more then. */
cudaError_t work_allocate_in(struct graph_work *work, cudaGraph_t graph,
                             const cudaGraphNode_t *after, size_t count,
                             struct cudaMemAllocNodeParams *params);
cudaError_t graph_memory_allocate(struct graph_memory *memory, cudaStream_t stream);
bool graph_memory_is_live(const struct graph_memory *memory);
void graph_memory_share(struct graph_memory *memory);
void graph_memory_drop(struct graph_memory *memory);
/* An array was freed, in this stream, or when nothing uses it any more. Does nothing for one of no
 * graph. */
void graph_memory_freed(const void *pointer, cudaStream_t stream, bool is_free);

/* graph_reserve.c: bytes that are needed, and no longer needed, in a stream (is_free: in none);
 * what was freed in one stream is behind another one's work now. */
struct reserve_launch {
  uint32_t stream;
  unsigned number;
};
/* A graph runs in this stream; it has run. */
struct reserve_launch reserve_begin(cudaStream_t stream);
void reserve_end(struct reserve_launch before);
void reserve_take(size_t bytes, cudaStream_t stream);
void reserve_give(size_t bytes, cudaStream_t stream, bool is_free);
void reserve_join(cudaStream_t from, cudaStream_t to);
/* The host has waited for a stream; NULL: for all work. */
void reserve_settle(const uint32_t *stream);

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
