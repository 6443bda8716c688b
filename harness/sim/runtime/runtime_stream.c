/* runtime_stream.c: the CUDA runtime API over device.h: streams. Work runs when it is issued, which
 * keeps every order that streams and events ask for; the device records what they ask for, to find
 * work that nothing orders, and what the host has not waited for.
 */
#include <stdlib.h>

#include "harness/sim/base/hold.h"
#include "harness/sim/runtime/backlog.h"
#include "harness/sim/runtime/graph.h"
#include "harness/sim/runtime/managed.h"
#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

/* The device numbers a stream when it is made, and a later device when it is first used there. */
struct CUstream_st {
  struct CUstream_st *next;
  unsigned int flags;
  int priority;
  struct cudaAccessPolicyWindow window;
  enum cudaSynchronizationPolicy waiting; /* 0: as by default */
  int generation;                         /* of the device that has it; 0: none has */
  uint32_t number;
};

static struct CUstream_st *streams;
static _Thread_local struct CUstream_st own_stream;              /* cudaStreamPerThread */
static pthread_mutex_t streams_lock = PTHREAD_MUTEX_INITIALIZER; /* of their list */

static struct CUstream_st **find_stream(cudaStream_t stream) {
  struct CUstream_st **at = &streams;
  while (*at && *at != stream) at = &(*at)->next;
  return at;
}

static bool per_thread; /* what stands for the default stream is the thread's own */

void kit_default_stream_per_thread(void); /* called by programs before main (kit_per_thread.h) */
void kit_default_stream_per_thread(void) { per_thread = true; }

bool runtime_is_legacy(cudaStream_t stream) {
  return stream == cudaStreamLegacy || (!stream && !per_thread);
}

static void create_on_device(cudaStream_t stream, int line) {
  const struct device_stream made = {
      .non_blocking = stream->flags & cudaStreamNonBlocking,
      .priority = stream->priority,
      .line = line,
  };
  device_stream_create(runtime_device(), &made, &stream->number);
  stream->generation = runtime_generation();
}

bool runtime_stream(cudaStream_t stream, uint32_t *number) {
  *number = 0;
  if (runtime_is_legacy(stream)) return true;
  if (!stream || stream == cudaStreamPerThread) stream = &own_stream;
  HOLD(&streams_lock);
  bool exists = stream == &own_stream || *find_stream(stream);
  if (exists && stream->generation != runtime_generation()) {
    create_on_device(stream, LINE_OF_RUNTIME);
  }
  if (exists) *number = stream->number;
  return exists;
}

/* Streams of the runtime's own, for graphs: each is somebody's, or waits here. */
static cudaStream_t spare_streams[64];
static int spare_count;

cudaStream_t runtime_take_stream(void) {
  HOLD(&streams_lock);
  if (spare_count) return spare_streams[--spare_count];
  struct CUstream_st *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->flags = cudaStreamNonBlocking;
  made->next = streams;
  streams = made;
  return made;
}

void runtime_return_stream(cudaStream_t stream) {
  enum { ROOM = sizeof spare_streams / sizeof *spare_streams };
  pthread_mutex_lock(&streams_lock);
  bool kept = spare_count < ROOM;
  if (kept) spare_streams[spare_count++] = stream;
  pthread_mutex_unlock(&streams_lock);
  if (!kept) cudaStreamDestroy(stream);
}

/* The lower, the earlier; priorities beyond these become these. */
enum { LAST_PRIORITY = 0, FIRST_PRIORITY = -5 };

cudaError_t cudaDeviceGetStreamPriorityRange(int *last, int *first) {
  if (last) *last = LAST_PRIORITY;
  if (first) *first = FIRST_PRIORITY;
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
  int line = runtime_line();
  cudaError_t sticky = runtime_sticky();
  if (sticky) return runtime_result(sticky);
  if (!stream || flags > cudaStreamNonBlocking) return runtime_result(cudaErrorInvalidValue);
  struct CUstream_st *created = calloc(1, sizeof *created);
  if (!created) return runtime_result(cudaErrorMemoryAllocation);
  created->flags = flags;
  created->priority = priority > LAST_PRIORITY    ? LAST_PRIORITY
                      : priority < FIRST_PRIORITY ? FIRST_PRIORITY
                                                  : priority;
  create_on_device(created, line); /* from now on work may be unordered */
  pthread_mutex_lock(&streams_lock);
  created->next = streams;
  streams = created;
  pthread_mutex_unlock(&streams_lock);
  *stream = created;
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, LAST_PRIORITY);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

/* Is it one that was created? The others have no flags, and the priority 0. */
static bool was_created(cudaStream_t stream) {
  return stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) {
  uint32_t number;
  if (!flags) return runtime_result(cudaErrorInvalidValue);
  if (!runtime_stream(stream, &number)) return runtime_result(cudaErrorInvalidResourceHandle);
  *flags = was_created(stream) ? stream->flags : cudaStreamDefault;
  return runtime_result(runtime_sticky());
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  uint32_t number;
  if (!priority) return runtime_result(cudaErrorInvalidValue);
  if (!runtime_stream(stream, &number)) return runtime_result(cudaErrorInvalidResourceHandle);
  *priority = was_created(stream) ? stream->priority : LAST_PRIORITY;
  return runtime_result(runtime_sticky());
}

/* Attributes: what a stream should keep in L2, and how the host waits: hints, which are kept. The
 * default stream has none here. */

static cudaError_t check_attribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue *value) {
  uint32_t number;
  if (!value || (attribute != cudaLaunchAttributeAccessPolicyWindow &&
                 attribute != cudaLaunchAttributeSynchronizationPolicy &&
                 attribute != cudaLaunchAttributePriority))
    return cudaErrorInvalidValue;
  return runtime_stream(stream, &number) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue *value) {
  cudaError_t error = check_attribute(stream, attribute, value);
  if (error || !was_created(stream)) return runtime_result(error);
  switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
      stream->window = value->accessPolicyWindow;
      break;
    case cudaLaunchAttributeSynchronizationPolicy:
      stream->waiting = value->syncPolicy;
      break;
    case cudaLaunchAttributePriority:
      stream->priority = value->priority;
      break;
    default:
      break;
  }
  return cudaSuccess;
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue *value) {
  static const struct CUstream_st none;
  cudaError_t error = check_attribute(stream, attribute, value);
  if (error) return runtime_result(error);
  const struct CUstream_st *of = was_created(stream) ? stream : &none;
  *value = (cudaLaunchAttributeValue){{0}};
  switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
      value->accessPolicyWindow = of->window;
      break;
    case cudaLaunchAttributeSynchronizationPolicy:
      value->syncPolicy = of->waiting ? of->waiting : cudaSyncPolicyAuto;
      break;
    case cudaLaunchAttributePriority:
      value->priority = of->priority;
      break;
    default:
      break;
  }
  return cudaSuccess;
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  cudaLaunchAttributeValue value;
  static const cudaLaunchAttributeID all[] = {cudaLaunchAttributeAccessPolicyWindow,
                                              cudaLaunchAttributeSynchronizationPolicy};
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < 2 && !error; i++) {
    error = cudaStreamGetAttribute(from, all[i], &value);
    if (!error) error = cudaStreamSetAttribute(to, all[i], &value);
  }
  return error;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (!was_created(stream)) return runtime_result(cudaErrorInvalidResourceHandle);
  backlog_finish_stream(stream);
  pthread_mutex_lock(&streams_lock);
  struct CUstream_st **at = find_stream(stream);
  bool exists = *at;
  if (exists) *at = stream->next;
  pthread_mutex_unlock(&streams_lock);
  if (!exists) return runtime_result(cudaErrorInvalidResourceHandle);
  capture_abandon(stream);
  if (stream->generation == runtime_generation())
    device_stream_destroy(runtime_device(), stream->number);
  free(stream);
  return runtime_result(runtime_sticky());
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  uint32_t number;
  if (!runtime_stream(stream, &number)) return runtime_result(cudaErrorInvalidResourceHandle);
  cudaError_t forbidden;
  if (capture_forbids(stream, false, &forbidden)) return runtime_result(forbidden);
  if (runtime_sticky()) return runtime_result(runtime_sticky());
  backlog_finish_stream(stream);
  managed_report();
  int error = device_stream_synchronize(runtime_device(), number);
  reserve_settle(&number);
  runtime_settle();
  return runtime_result(error);
}

/* Not ready is no failure: cudaGetLastError does not return it. */
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  uint32_t number;
  if (!runtime_stream(stream, &number)) return runtime_result(cudaErrorInvalidResourceHandle);
  cudaError_t forbidden;
  if (capture_forbids(stream, false, &forbidden)) return runtime_result(forbidden);
  if (backlog_defers(stream)) return runtime_result(cudaErrorNotReady);
  managed_report();
  int error = device_stream_query(runtime_device(), number);
  runtime_settle();
  return runtime_result(error);
}

/* Functions of the host in streams: what comes before them has run when they are issued, and so do
 * they, on the thread that issues them. */

static cudaError_t run_before(cudaStream_t stream) {
  uint32_t number;
  if (!runtime_stream(stream, &number)) return cudaErrorInvalidResourceHandle;
  managed_report();
  int error = device_host_function(runtime_device(), number);
  runtime_settle();
  return (cudaError_t)error;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  if (!function) return runtime_result(cudaErrorInvalidValue);
  cudaError_t error;
  if (capture_is_on(stream)) {
    struct graph_work work = {.place = runtime_call_place()};
    error = work_host(&work, &(struct cudaHostNodeParams){function, data});
    capture_work(stream, &work, error, &error);
    return runtime_result(error);
  }
  if (backlog_defers(stream)) {
    struct graph_work work = {.place = runtime_call_place()};
    error = work_host(&work, &(struct cudaHostNodeParams){function, data});
    return runtime_result(backlog_add(stream, &work, error));
  }
  error = run_before(stream);
  if (!error) runtime_call_host(function, data);
  return runtime_result(error);
}

struct call_back {
  cudaStreamCallback_t function;
  cudaStream_t stream;
  cudaError_t error;
  void *data;
};

static void call_back(void *data) {
  const struct call_back *call = data;
  call->function(call->stream, call->error, call->data);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int flags) {
  if (!callback || flags) return runtime_result(cudaErrorInvalidValue);
  cudaError_t error;
  if (capture_forbids(stream, false, &error)) return runtime_result(error);
  backlog_finish_stream(stream);
  error = run_before(stream);
  struct call_back call = {callback, stream, error, data};
  if (error != cudaErrorInvalidResourceHandle) runtime_call_host(call_back, &call);
  return runtime_result(error);
}
