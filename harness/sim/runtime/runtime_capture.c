/* runtime_capture.c: the CUDA runtime API over device.h: streams whose work becomes nodes of a
 * graph.
 *
 * A captured stream has the nodes that its next one comes after. An event that is recorded in it
 * has them, too, and who waits for that event joins the capture (CUDA C++ Programming Guide,
 * "Creating a Graph Using Stream Capture", which also says what is not permitted meanwhile).
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "harness/sim/base/hold.h"
#include "harness/sim/runtime/graph.h"

/* A set of nodes. */
struct nodes {
  cudaGraphNode_t *list;
  size_t count;
};

struct capture {
  cudaGraph_t graph;
  struct nodes old; /* nodes that need not be joined: from before, or left by the program */
  bool given;       /* a graph of the program's */
  cudaStream_t origin;
  enum cudaStreamCaptureMode mode;
  pthread_t thread;
  unsigned long long id;
  bool invalidated;
};

/* A stream or an event of a capture. */
struct member {
  struct member *next;
  const void *what;
  struct capture *capture;
  struct nodes after;
};

static pthread_mutex_t captures_lock = PTHREAD_MUTEX_INITIALIZER;
static struct member *streams, *events;
static atomic_int active; /* captures */
static unsigned long long last_id;
static _Thread_local enum cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

static struct member *find(struct member *list, const void *what) {
  while (list && list->what != what) list = list->next;
  return list;
}

static bool has_node(const struct nodes *nodes, cudaGraphNode_t node) {
  for (size_t i = 0; i < nodes->count; i++)
    if (nodes->list[i] == node) return true;
  return false;
}

static bool add_node(struct nodes *nodes, cudaGraphNode_t node) {
  if (has_node(nodes, node)) return true;
  cudaGraphNode_t *longer = realloc(nodes->list, (nodes->count + 1) * sizeof *longer);
  if (!longer) return false;
  nodes->list = longer;
  longer[nodes->count++] = node;
  return true;
}

static bool add_nodes(struct nodes *to, const struct nodes *from) {
  bool ok = true;
  for (size_t i = 0; i < from->count; i++) ok &= add_node(to, from->list[i]);
  return ok;
}

static struct member *add_member(struct member **list, const void *what, struct capture *capture) {
  struct member *member = calloc(1, sizeof *member);
  if (!member) return NULL;
  *member = (struct member){.next = *list, .what = what, .capture = capture};
  *list = member;
  return member;
}

/* Removes one, or all of a capture. */
static void remove_members(struct member **list, const void *what, const struct capture *capture) {
  for (struct member **at = list; *at;) {
    struct member *member = *at;
    if (member->what != what && member->capture != capture) {
      at = &member->next;
      continue;
    }
    *at = member->next;
    free(member->after.list);
    free(member);
  }
}

static cudaError_t invalidate(struct capture *capture, cudaError_t error) {
  capture->invalidated = true;
  return error;
}

bool capture_is_on(cudaStream_t stream) {
  if (!atomic_load(&active)) return false;
  HOLD(&captures_lock);
  return find(streams, stream) != NULL;
}

/* A node of this work behind what the stream has; then the stream has that node. */
static cudaError_t capture_node(struct member *stream, struct graph_work *work) {
  cudaGraphNode_t node;
  cudaError_t error =
      graph_add(stream->capture->graph, stream->after.list, stream->after.count, work, &node);
  if (error) return invalidate(stream->capture, error);
  stream->after.count = 0;
  return add_node(&stream->after, node) ? cudaSuccess : cudaErrorMemoryAllocation;
}

bool capture_work(cudaStream_t stream, struct graph_work *work, cudaError_t made,
                  cudaError_t *error) {
  HOLD(&captures_lock);
  struct member *member = find(streams, stream);
  *error = made;
  if (!member) return false;
  if (made) {
    invalidate(member->capture, made);
  } else if (member->capture->invalidated) {
    work_release(work);
    *error = cudaErrorStreamCaptureInvalidated;
  } else {
    *error = capture_node(member, work);
  }
  return true;
}

/* Does this capture see what the thread does? */
static bool watches(const struct capture *capture) {
  if (capture->mode == cudaStreamCaptureModeRelaxed || thread_mode == cudaStreamCaptureModeRelaxed)
    return false;
  return capture->mode == cudaStreamCaptureModeGlobal
             ? thread_mode == cudaStreamCaptureModeGlobal ||
                   pthread_equal(capture->thread, pthread_self())
             : pthread_equal(capture->thread, pthread_self());
}

bool capture_forbids(cudaStream_t stream, bool all, cudaError_t *error) {
  if (!atomic_load(&active)) return false;
  HOLD(&captures_lock);
  bool legacy = !all && runtime_is_legacy(stream);
  for (struct member *member = streams; member; member = member->next) {
    unsigned flags = 0;
    if (legacy) cudaStreamGetFlags((cudaStream_t)(uintptr_t)member->what, &flags);
    bool hit = all      ? watches(member->capture)
               : legacy ? !(flags & cudaStreamNonBlocking)
                        : member->what == stream;
    if (!hit) continue;
    *error = invalidate(member->capture, legacy ? cudaErrorStreamCaptureImplicit
                                                : cudaErrorStreamCaptureUnsupported);
    return true;
  }
  return false;
}

/* ---- events ---- */

bool capture_record(cudaEvent_t event, cudaStream_t stream, cudaError_t *error) {
  if (!atomic_load(&active)) return false;
  HOLD(&captures_lock);
  struct member *from = find(streams, stream);
  remove_members(&events, event, NULL);
  if (!from) return false;
  if (from->capture->invalidated) {
    *error = cudaErrorStreamCaptureInvalidated;
    return true;
  }
  struct member *recorded = add_member(&events, event, from->capture);
  *error = recorded && add_nodes(&recorded->after, &from->after) ? cudaSuccess
                                                                 : cudaErrorMemoryAllocation;
  return true;
}

bool capture_wait(cudaStream_t stream, cudaEvent_t event, cudaError_t *error) {
  if (!atomic_load(&active)) return false;
  HOLD(&captures_lock);
  struct member *to = find(streams, stream), *from = find(events, event);
  if (!to && !from) return false;
  if (to && to->capture->invalidated) {
    *error = cudaErrorStreamCaptureInvalidated;
  } else if (to && !from) {
    *error = invalidate(to->capture, cudaErrorStreamCaptureIsolation);
  } else if (to && to->capture != from->capture) {
    invalidate(from->capture, cudaErrorStreamCaptureMerge);
    *error = invalidate(to->capture, cudaErrorStreamCaptureMerge);
  } else if (!to && runtime_is_legacy(stream)) {
    *error = invalidate(from->capture, cudaErrorStreamCaptureImplicit);
  } else {
    if (!to) to = add_member(&streams, stream, from->capture);
    *error = to && add_nodes(&to->after, &from->after) ? cudaSuccess : cudaErrorMemoryAllocation;
  }
  return true;
}

bool capture_has_event(cudaEvent_t event, bool touched) {
  if (!atomic_load(&active)) return false;
  HOLD(&captures_lock);
  struct member *found = find(events, event);
  if (found && touched) invalidate(found->capture, cudaErrorCapturedEvent);
  return found != NULL;
}

/* ---- the API ---- */

static cudaError_t check_begin(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  uint32_t number;
  if ((unsigned)mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
  if (!runtime_stream(stream, &number)) return cudaErrorInvalidResourceHandle;
  if (runtime_is_legacy(stream)) return cudaErrorStreamCaptureUnsupported;
  return cudaSuccess;
}

/* graph: NULL: a new one. */
static cudaError_t begin(cudaStream_t stream, enum cudaStreamCaptureMode mode, cudaGraph_t graph,
                         const struct nodes *after) {
  HOLD(&captures_lock);
  if (find(streams, stream)) return cudaErrorIllegalState;
  struct capture *capture = calloc(1, sizeof *capture);
  if (!capture) return cudaErrorMemoryAllocation;
  *capture = (struct capture){.graph = graph ? graph : graph_create(),
                              .given = graph != NULL,
                              .origin = stream,
                              .mode = mode,
                              .thread = pthread_self(),
                              .id = ++last_id};
  struct nodes old = {graph ? graph->nodes : NULL, graph ? graph->count : 0};
  struct member *member = capture->graph && add_nodes(&capture->old, &old)
                              ? add_member(&streams, stream, capture)
                              : NULL;
  if (member && add_nodes(&member->after, after)) {
    atomic_fetch_add(&active, 1);
    return cudaSuccess;
  }
  remove_members(&streams, stream, NULL);
  if (!graph) graph_destroy(capture->graph);
  free(capture->old.list);
  free(capture);
  return cudaErrorMemoryAllocation;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  cudaError_t error = check_begin(stream, mode);
  return runtime_result(error ? error : begin(stream, mode, NULL, &(struct nodes){NULL, 0}));
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *edges, size_t count,
                                          enum cudaStreamCaptureMode mode) {
  cudaError_t error = check_begin(stream, mode);
  if (!error && !graph_exists(graph)) error = cudaErrorInvalidValue;
  if (!error) error = graph_check_dependencies(graph, dependencies, count);
  if (!error) error = graph_check_edges(edges, count);
  struct nodes after = {(cudaGraphNode_t *)(uintptr_t)dependencies, count};
  return runtime_result(error ? error : begin(stream, mode, graph, &after));
}

/* Is there a node that no other comes after, other than those of the stream? */
static bool is_unjoined(const struct capture *capture, const struct member *origin) {
  const cudaGraph_t graph = capture->graph;
  for (size_t i = 0; i < graph->count; i++) graph->nodes[i]->mark = 0;
  for (size_t i = 0; i < graph->count; i++)
    for (size_t k = 0; k < graph->nodes[i]->count; k++) graph->nodes[i]->dependencies[k]->mark = 1;
  for (size_t i = 0; i < origin->after.count; i++) origin->after.list[i]->mark = 1;
  for (size_t i = 0; i < graph->count; i++)
    graph->nodes[i]->mark |= has_node(&capture->old, graph->nodes[i]);
  for (size_t i = 0; i < graph->count; i++)
    if (!graph->nodes[i]->mark) return true;
  return false;
}

static void end(struct capture *capture, bool destroys) {
  if (destroys && !capture->given) graph_destroy(capture->graph);
  free(capture->old.list);
  remove_members(&streams, capture->origin, capture);
  remove_members(&events, NULL, capture);
  free(capture);
  atomic_fetch_sub(&active, 1);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  uint32_t number;
  if (!runtime_stream(stream, &number)) return runtime_result(cudaErrorInvalidResourceHandle);
  HOLD(&captures_lock);
  struct member *member = find(streams, stream);
  if (!member) return runtime_result(cudaErrorIllegalState);
  struct capture *capture = member->capture;
  if (capture->origin != stream)
    return runtime_result(invalidate(capture, cudaErrorStreamCaptureUnmatched));
  bool foreign = capture->mode != cudaStreamCaptureModeRelaxed &&
                 !pthread_equal(capture->thread, pthread_self());
  cudaError_t error = foreign                        ? cudaErrorStreamCaptureWrongThread
                      : capture->invalidated         ? cudaErrorStreamCaptureInvalidated
                      : is_unjoined(capture, member) ? cudaErrorStreamCaptureUnjoined
                                                     : cudaSuccess;
  if (graph) *graph = error ? NULL : capture->graph;
  end(capture, error || !graph);
  return runtime_result(error);
}

void capture_abandon(cudaStream_t stream) {
  if (!atomic_load(&active)) return;
  HOLD(&captures_lock);
  struct member *member = find(streams, stream);
  if (member && member->capture->origin == stream)
    end(member->capture, true);
  else if (member) /* its nodes stay, and must be joined */
    remove_members(&streams, stream, NULL);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **nodes, size_t *count) {
  uint32_t number;
  if (!status) return runtime_result(cudaErrorInvalidValue);
  if (!runtime_stream(stream, &number)) return runtime_result(cudaErrorInvalidResourceHandle);
  HOLD(&captures_lock);
  struct member *member = find(streams, stream);
  *status = !member                        ? cudaStreamCaptureStatusNone
            : member->capture->invalidated ? cudaStreamCaptureStatusInvalidated
                                           : cudaStreamCaptureStatusActive;
  if (*status != cudaStreamCaptureStatusActive) return runtime_result(runtime_sticky());
  if (id) *id = member->capture->id;
  if (graph) *graph = member->capture->graph;
  if (nodes) *nodes = member->after.list;
  if (count) *count = member->after.count;
  return runtime_result(runtime_sticky());
}

/* What the stream no longer has need not be joined. */
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                size_t count, unsigned int flags) {
  uint32_t number;
  if (!runtime_stream(stream, &number)) return runtime_result(cudaErrorInvalidResourceHandle);
  HOLD(&captures_lock);
  struct member *member = find(streams, stream);
  if (!member) return runtime_result(cudaErrorIllegalState);
  struct capture *capture = member->capture;
  if (capture->invalidated) return runtime_result(cudaErrorStreamCaptureInvalidated);
  if (flags > cudaStreamSetCaptureDependencies ||
      graph_check_dependencies(capture->graph, dependencies, count))
    return runtime_result(cudaErrorInvalidValue);
  bool ok = true;
  if (flags == cudaStreamSetCaptureDependencies) {
    ok = add_nodes(&capture->old, &member->after);
    member->after.count = 0;
  }
  ok &= add_nodes(&member->after, &(struct nodes){dependencies, count});
  return runtime_result(ok ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream,
                                                   cudaGraphNode_t *dependencies,
                                                   const cudaGraphEdgeData *edges, size_t count,
                                                   unsigned int flags) {
  cudaError_t error = graph_check_edges(edges, count);
  return error ? runtime_result(error)
               : cudaStreamUpdateCaptureDependencies(stream, dependencies, count, flags);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
  cudaError_t error = cudaSuccess;
  if (status && runtime_is_legacy(stream) && capture_forbids(stream, false, &error))
    return runtime_result(error);
  return cudaStreamGetCaptureInfo(stream, status, NULL, NULL, NULL, NULL);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
  if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed)
    return runtime_result(cudaErrorInvalidValue);
  enum cudaStreamCaptureMode before = thread_mode;
  thread_mode = *mode;
  *mode = before;
  return cudaSuccess;
}
