/* backlog.c: see backlog.h. One queue for all streams, in the order of the calls. */
#include "harness/sim/runtime/backlog.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/sim/base/hold.h"
#include "harness/sim/base/memory.h"
#include "harness/sim/runtime/host_buffers.h"
#include "harness/sim/runtime/host_threads.h"

/* What orders work: a stream. */
struct lane {
  uint32_t number;
  bool non_blocking;
};

enum item_kind { ITEM_WORK, ITEM_RECORD, ITEM_WAIT };
struct item {
  struct item *next;
  enum item_kind kind;
  cudaStream_t stream;
  struct lane lane;
  struct graph_work work;
  void *staged;      /* what it reads */
  cudaEvent_t event; /* its address is a name, once it is gone */
  bool gone;
  bool issued; /* just now, by some thread */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static struct item *items;
static struct lane waiting[MAX_WAITING]; /* of launches that wait */
static int waiting_count;
static bool looked_after;             /* by a thread */
static atomic_bool active;            /* there are items, or launches that wait */
static _Thread_local bool is_issuing; /* its calls are those of an item */

static struct lane lane_of(cudaStream_t stream) {
  struct lane lane = {0, false};
  unsigned flags = 0;
  runtime_stream(stream, &lane.number);
  if (lane.number && cudaStreamGetFlags(stream, &flags) == cudaSuccess)
    lane.non_blocking = flags & cudaStreamNonBlocking;
  return lane;
}

/* Does one come after the other, if they are issued in that order? */
static bool are_ordered(struct lane a, struct lane b) {
  return a.number == b.number || (a.number == 0 && !b.non_blocking) ||
         (b.number == 0 && !a.non_blocking);
}

static bool is_active(void) { return active && !is_issuing; }

/* ---- with the lock held ---- */

/* Behind a launch that waits, or an item before `end`. */
static bool is_blocked(struct lane lane, const struct item *end) {
  for (int i = 0; i < waiting_count; i++)
    if (are_ordered(waiting[i], lane)) return true;
  for (const struct item *item = items; item != end; item = item->next)
    if (are_ordered(item->lane, lane)) return true;
  return false;
}

static bool is_recorded_before(cudaEvent_t event, const struct item *end) {
  for (const struct item *item = items; item != end; item = item->next)
    if (item->kind == ITEM_RECORD && item->event == event) return true;
  return false;
}

/* The first item that nothing is in front of any more. It stays in front of others. */
static struct item *next_ready(void) {
  for (struct item *item = items; item; item = item->next) {
    if (item->issued || is_blocked(item->lane, item)) continue;
    if (item->kind == ITEM_WAIT && is_recorded_before(item->event, item)) continue;
    item->issued = true;
    return item;
  }
  return NULL;
}

static bool take_turns(enum device_patience patience) {
  struct device_waiting left = {.count = 0};
  int kept = 0;
  if (device_waits(runtime_device())) device_go_on(runtime_device(), patience, &left);
  for (int i = 0; i < waiting_count; i++) {
    bool waits = false;
    for (int k = 0; k < left.count; k++) waits |= left.streams[k] == waiting[i].number;
    if (waits) waiting[kept++] = waiting[i];
  }
  waiting_count = kept;
  active = items || waiting_count;
  return left.moved;
}

/* ---- going on ---- */

static void issue(const struct item *item) {
  cudaError_t error = cudaSuccess;
  is_issuing = true;
  if (item->kind == ITEM_WORK)
    error = work_run(&item->work, item->stream);
  else if (!item->gone)
    error = item->kind == ITEM_RECORD ? cudaEventRecord(item->event, item->stream)
                                      : cudaStreamWaitEvent(item->stream, item->event, 0);
  is_issuing = false;
  if (error) runtime_result_of(error, "cudaLaunchKernel"); /* the call itself succeeded */
}

static void release(struct item *item) {
  struct item **at = &items;
  while (*at != item) at = &(*at)->next;
  *at = item->next;
  if (item->kind == ITEM_WORK) work_release(&item->work);
  free(item->staged);
  free(item);
}

/* Launches that wait have a turn, and what need wait no longer is issued. */
static bool go_on(void) {
  HOLD(&lock);
  bool moved = take_turns(DEVICE_WAITS);
  for (struct item *item; (item = next_ready()); moved = true) {
    pthread_mutex_unlock(&lock);
    issue(item);
    pthread_mutex_lock(&lock);
    release(item);
    if (device_waits(runtime_device())) take_turns(DEVICE_WAITS);
  }
  active = items || waiting_count;
  return moved;
}

static void sleep_for(long microseconds) {
  nanosleep(&(struct timespec){0, microseconds * 1000}, NULL);
}

/* The host may wait for what an item stores, without a call. */
static void *look_after(void *unused) {
  (void)unused;
  host_thread_rests(NULL, NULL);
  for (bool more = true; more;) {
    go_on();
    sleep_for(500);
    HOLD(&lock);
    more = looked_after = items != NULL;
  }
  host_thread_is_back();
  return NULL;
}

static void have_looked_after(void) {
  sigset_t all, before;
  pthread_t thread;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the program's threads */
  looked_after = pthread_create(&thread, NULL, look_after, NULL) == 0;
  if (looked_after) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- issuing ---- */

void backlog_launched(cudaStream_t stream) {
  if (!device_waits(runtime_device())) return;
  struct lane lane = lane_of(stream);
  HOLD(&lock);
  active = true;
  for (int i = 0; i < waiting_count; i++)
    if (waiting[i].number == lane.number) return;
  if (waiting_count < MAX_WAITING) waiting[waiting_count++] = lane;
}

bool backlog_defers(cudaStream_t stream) {
  if (!is_active()) return false;
  struct lane lane = lane_of(stream);
  go_on();
  HOLD(&lock);
  return is_blocked(lane, NULL);
}

static bool add(cudaStream_t stream, const struct item *made) {
  struct item *item = malloc(sizeof *item), **at = &items;
  if (!item) return false;
  *item = *made;
  item->stream = stream;
  item->lane = lane_of(stream);
  HOLD(&lock);
  while (*at) at = &(*at)->next;
  *at = item;
  active = true;
  if (!looked_after) have_looked_after();
  return true;
}

/* A copy from pageable memory has read it when the call returns. */
static bool stage(struct item *item) {
  if (item->work.type != cudaGraphNodeTypeMemcpy) return true;
  struct cudaMemcpy3DParms *copy = &item->work.copy;
  const struct cudaPitchedPtr *from = &copy->srcPtr;
  size_t rows = copy->extent.height ? copy->extent.height : 1;
  if (!from->ptr || copy->srcArray || address_is_device((uint64_t)(uintptr_t)from->ptr) ||
      host_buffers_overlap(from->ptr, 1))
    return true;
  item->staged = malloc(from->pitch * rows);
  if (!item->staged) return false;
  memcpy(item->staged, from->ptr, from->pitch * (rows - 1) + copy->extent.width);
  copy->srcPtr.ptr = item->staged;
  return true;
}

cudaError_t backlog_add(cudaStream_t stream, struct graph_work *work, cudaError_t made) {
  struct item item = {.kind = ITEM_WORK, .work = *work};
  if (made) return made;
  if (stage(&item) && add(stream, &item)) return cudaSuccess;
  free(item.staged);
  work_release(work);
  return cudaErrorMemoryAllocation;
}

bool backlog_record(cudaEvent_t event, cudaStream_t stream) {
  return backlog_defers(stream) && add(stream, &(struct item){.kind = ITEM_RECORD, .event = event});
}

bool backlog_wait(cudaStream_t stream, cudaEvent_t event) {
  return (backlog_defers(stream) || backlog_has_event(event)) &&
         add(stream, &(struct item){.kind = ITEM_WAIT, .event = event});
}

bool backlog_has_event(cudaEvent_t event) {
  if (!is_active()) return false;
  go_on();
  HOLD(&lock);
  return is_recorded_before(event, NULL);
}

void backlog_forget_event(cudaEvent_t event) {
  HOLD(&lock);
  for (struct item *item = items; item; item = item->next) item->gone |= item->event == event;
}

void backlog_drop(void) {
  HOLD(&lock);
  waiting_count = 0;
  for (struct item *item = items, *next; item; item = next) {
    next = item->next;
    if (!item->issued) release(item);
  }
  active = items != NULL;
}

/* ---- waiting ---- */

struct target {
  bool everything;
  cudaEvent_t event; /* else, if it is one */
  struct lane lane;  /* else */
};

/* Lock held. */
static bool is_done(const void *what) {
  const struct target *target = what;
  if (target->everything) return !items && !waiting_count;
  return target->event ? !is_recorded_before(target->event, NULL) : !is_blocked(target->lane, NULL);
}

static void finish(const struct target *target) {
  enum { TRIES = 3 };
  struct host_quiet quiet = {0};
  bool done = false;
  host_thread_rests(is_done, target);
  for (int vain = 0; !done; vain++) {
    if (go_on()) {
      vain = 0;
      quiet = (struct host_quiet){0};
    } else {
      sleep_for(200);
    }
    HOLD(&lock);
    done = is_done(target);
    if (done || vain < TRIES) continue;
    if (host_threads_are_quiet(&quiet)) take_turns(DEVICE_GIVES_UP);
  }
  host_thread_is_back();
}

void backlog_finish_stream(cudaStream_t stream) {
  if (is_active()) finish(&(struct target){.lane = lane_of(stream)});
}
void backlog_finish_event(cudaEvent_t event) {
  if (is_active()) finish(&(struct target){.event = event});
}
void backlog_finish(void) {
  if (is_active()) finish(&(struct target){.everything = true});
}
