/* state.h: what the files behind device.h share: the device itself. */
#ifndef KIT_DEVICE_STATE_H
#define KIT_DEVICE_STATE_H

#include <pthread.h>

#include "harness/sim/base/gpu.h"
#include "harness/sim/base/memory.h"
#include "harness/sim/base/streams.h"
#include "harness/sim/device/device.h"

enum { MAX_MODULES = 64 };

struct device {
  pthread_mutex_t
      lock; /* host threads may use the device at the same time; one at a time gets it */
  struct gpu gpu;
  struct memory *memory;
  struct streams *streams;
  struct module *modules[MAX_MODULES];
  int module_count;
  int threads;
  bool sample, dry;
  uint64_t dry_launches, seed;
  struct budget budget, used;
  bool over_budget;
  int error; /* sticky */
  double time_ns;
  uint64_t words_in; /* from the host so far, as harness/base/transfers.h numbers them */
  struct device_listener listener;
};

static inline pthread_mutex_t *device_lock(struct device *device) {
  pthread_mutex_lock(&device->lock);
  return &device->lock;
}

static inline void device_unlock(pthread_mutex_t **held) { pthread_mutex_unlock(*held); }

/* Holds the device until the end of the function that says so first. */
#define HOLD(device) \
  __attribute__((cleanup(device_unlock), unused)) pthread_mutex_t *held = device_lock(device)

/* Managed memory: takes over what the host has written since the last time, which counts as a copy
 * at this line unless the harness asks; shows it what a launch has written, or a copy or a fill to
 * these bytes; and reports that the device has written into the array. */
enum { LINE_OF_HARNESS = -1 };
int managed_import(struct device *device, int line);
void managed_export_launch(struct device *device, access_tag begin);
void managed_export(const struct allocation *a, size_t offset, size_t bytes);
void managed_written(const struct device *device, const struct allocation *a);

/* A new allocation's name for messages, until somebody gives it a better one. */
void device_name_by_place(struct allocation *a, struct source_place place, const char *function);

/* copy_race.c: races between copies or fills and other work: what they access is known before they
 * begin. */

/* Rows of a copy, where they come from or go to. */
struct copy_side {
  struct allocation *allocation; /* NULL: the host's memory */
  uint64_t address;              /* 0: nothing, as the source of a fill */
  size_t pitch;
};

/* A copy or a fill begins: notes what it shares with work that is not ordered before it, and orders
 * it as its issue says (device.h). The code: of a stream that there is not. */
int copy_race_check(struct device *device, struct device_issue *issue, enum work_kind kind,
                    const struct copy_side *to, const struct copy_side *from, size_t width,
                    size_t rows);

#endif
