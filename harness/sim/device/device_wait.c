/* device_wait.c: launches that wait for what others store while they run.
 *
 * All work runs when it is issued, and device_launch returns when it is over. But a launch may poll
 * memory for what comes later: from the host, or from work that the host has not issued yet
 * (exec/await.h). Then device_launch returns before, as it does on a GPU, and what is left of the
 * launch goes on in turns, in device_go_on. It keeps a thread for that, whose stack it needs; that
 * and the device's never run at the same time.
 *
 *   the host stores a flag   a turn begins with what the host has written to managed memory
 *   the host polls a flag    a turn ends with the host being shown what the launch has stored
 *   other streams            run between turns, in the order in which the host issues their work
 *   the same stream          the host keeps back what has to wait (runtime/backlog.h)
 *
 * While no request comes, the device's process gives turns by itself whenever the host has stored
 * something (remote/server.c), for a host that just polls. If the host itself waits, and no turn
 * helps, the launch waits for ever: it gets a last one, and with it its deadlock.
 *
 * In a grading all launches run to their end.
 */
#include <stdlib.h>

#include "harness/sim/device/state.h"

struct waiting {
  struct waiting *next;
  struct device *device;
  int (*run)(void *work);
  void *work;
  struct exchange *exchange;
  const char *kernel;
  uint32_t stream;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool has_turn, ended;
  bool idle;   /* it can do nothing until others have stored something */
  bool news;   /* they may have since its last turn */
  bool hears;  /* of that, in this turn */
  bool stored; /* managed memory, in that turn */
  enum device_patience patience;
  int code;
};

/* Gives the launch its turn, until it ends that. */
static void take_turn(struct waiting *w) {
  pthread_mutex_lock(&w->lock);
  w->has_turn = true;
  pthread_cond_broadcast(&w->changed);
  while (w->has_turn) pthread_cond_wait(&w->changed, &w->lock);
  pthread_mutex_unlock(&w->lock);
}

/* In its thread, as the rest of what a launch does. */
static void end_turn(struct waiting *w) {
  pthread_mutex_lock(&w->lock);
  w->has_turn = false;
  pthread_cond_broadcast(&w->changed);
  while (!w->has_turn && !w->ended) pthread_cond_wait(&w->changed, &w->lock);
  pthread_mutex_unlock(&w->lock);
}

/* Who sees a flag sees what was stored before it: what came with the flag comes at the latest in
 * the round after. */
static void take_news(struct device *device) {
  enum { MAX_ROUNDS = 100 }; /* a host may store all the time */
  for (int round = 0; round < MAX_ROUNDS && managed_has_news(device); round++)
    managed_import(device, LINE_OF_HARNESS);
}

static enum others wait_for_others(void *context, bool idle) {
  struct waiting *w = context;
  struct device *device = w->device;
  const struct device_listener *listener = &device->listener;
  w->idle = idle;
  w->stored = managed_export_launch(device, w->exchange, true);
  if (listener->runs) listener->runs(listener->context, NULL);
  end_turn(w);
  if (listener->runs) listener->runs(listener->context, w->kernel);
  take_news(device);
  managed_share(device, !w->exchange->at_once);
  w->exchange->shown = device->memory->clock;
  w->exchange->at_once = true;
  if (w->patience == DEVICE_ENDS) return PROGRAM_HAS_ENDED;
  if (w->patience == DEVICE_GIVES_UP && idle) return OTHERS_ARE_DONE;
  return w->hears ? OTHERS_HAVE_RUN : OTHERS_DID_NOTHING;
}

static void *run(void *context) {
  struct waiting *w = context;
  w->code = w->run(w->work);
  w->ended = true;
  end_turn(w);
  return NULL;
}

static int release(struct waiting *w) {
  int code = w->code;
  pthread_mutex_destroy(&w->lock);
  pthread_cond_destroy(&w->changed);
  free(w->work);
  free(w);
  return code;
}

int waiting_begin(struct device *device, int (*run_work)(void *work), void *work,
                  struct launch_options *options, const struct launch *launch) {
  struct waiting *w = malloc(sizeof *w), **end = &device->waiting;
  int others = 0;
  if (!w) {
    free(work);
    return cudaErrorMemoryAllocation;
  }
  for (; *end; end = &(*end)->next) others++;
  *w = (struct waiting){.device = device,
                        .run = run_work,
                        .work = work,
                        .exchange = options->exchange,
                        .kernel = launch->kernel,
                        .stream = launch->stream,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .changed = PTHREAD_COND_INITIALIZER,
                        .has_turn = true};
  options->wait = wait_for_others;
  options->wait_context = w;
  if (others == MAX_WAITING || pthread_create(&w->thread, NULL, run, w) != 0) {
    options->wait = NULL;
    w->code = run_work(work);
    return release(w);
  }
  pthread_mutex_lock(&w->lock);
  while (w->has_turn) pthread_cond_wait(&w->changed, &w->lock);
  pthread_mutex_unlock(&w->lock);
  if (w->ended) {
    pthread_join(w->thread, NULL);
    return release(w);
  }
  *end = w;
  return cudaSuccess;
}

bool device_waits(struct device *device) { return device->waiting != NULL; }

void device_has_news(struct device *device) {
  for (struct waiting *w = device->waiting; w; w = w->next) w->news = true;
}

void device_go_on(struct device *device, enum device_patience patience,
                  struct device_waiting *left) {
  HOLD(&device->lock);
  if (device->waiting && managed_has_news(device)) device_has_news(device);
  left->moved = false;
  left->count = 0;
  for (struct waiting **at = &device->waiting, *w; (w = *at);) {
    if (!w->idle || w->news || patience != DEVICE_WAITS) {
      w->patience = patience;
      w->hears = w->news;
      w->news = w->stored = false;
      take_turn(w);
      if (w->stored || w->ended) device_has_news(device);
      left->moved |= !w->idle || w->stored || w->ended;
    }
    if (w->ended) {
      *at = w->next;
      pthread_join(w->thread, NULL);
      release(w);
      continue;
    }
    left->streams[left->count++] = w->stream;
    at = &w->next;
  }
}
