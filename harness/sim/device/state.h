/* state.h: what the files behind device.h share: the device itself. */
#ifndef KIT_DEVICE_STATE_H
#define KIT_DEVICE_STATE_H

#include "harness/sim/base/gpu.h"
#include "harness/sim/base/hold.h"
#include "harness/sim/base/memory.h"
#include "harness/sim/base/streams.h"
#include "harness/sim/device/device.h"
#include "harness/sim/exec/launch.h"
#include "harness/sim/exec/mirror.h"
#include "harness/sim/timeline/timeline.h"

enum { MAX_MODULES = 64 };

/* device_call.c: Is this the call of CUDA that must fail? */
bool fault_strikes(struct device *device, enum device_fault kind, int line);

/* What the call under way has made and not given back. Both do nothing unless leaks are looked for.
 */
enum held_kind { HELD_MEMORY, HELD_EVENT, HELD_STREAM };
struct held {
  enum held_kind kind;
  int line;
  uint64_t id; /* address or number */
  size_t bytes;
};
void leaks_note(struct device *device, enum held_kind kind, uint64_t id, size_t bytes, int line);
void leaks_forget(struct device *device, enum held_kind kind, uint64_t id);

struct device {
  pthread_mutex_t lock; /* held by every call: host threads may call at the same time */
  struct gpu gpu;
  struct memory *memory;
  struct streams *streams;
  struct timeline *timeline;
  struct module *modules[MAX_MODULES];
  int module_count;
  int threads;
  uint64_t sample; /* device_options.sample */
  bool dry;
  bool files; /* device_options.files */
  bool is_profiled;
  struct device_profile profile;
  uint64_t dry_launches, seed;
  struct repeats *repeats; /* repeats.h; NULL: every launch is executed */
  struct budget budget, used;
  bool over_budget;
  int error; /* sticky */
  double time_ns;
  bool untimed;    /* launches report no time */
  bool has_events; /* which read times */
  bool seeks_leaks, in_call;
  enum device_fault fault;
  int fault_at, fault_left; /* left: such calls up to the one that fails; 0: none will */
  bool fault_struck;
  struct device_strike strike;
  struct held *held; /* by the call under way */
  int held_count, held_room;
  uint64_t words_in; /* from the host so far, as harness/base/transfers.h numbers them */
  struct device_listener listener;
  uint64_t max_pending;    /* launches by kernels: cudaLimitDevRuntimePendingLaunchCount */
  bool waits;              /* device_options.waits */
  struct waiting *waiting; /* device_wait.c */
};

/* A grid to those that it launches. */
struct family {
  const char *kernel; /* of the parent; NULL: the host launches */
  uint32_t stream;
  struct lineage lineage; /* of the children; its depth is 0 for the host's launches */
};
/* device.c: runs a launch that is valid, to its end, with all that it launches. */
int device_run(struct device *device, struct kernel *kernel, const struct launch *launch,
               const struct family *family);
/* device_children.c: runs what has been launched. Stops at the first error of the device. */
int device_run_children(struct device *device, const struct children *children,
                        const struct family *parent);

/* device_wait.c: runs a launch until it has ended or waits for others. `work` is freed when it has
 * ended, `options` and `launch` are parts of it. */
int waiting_begin(struct device *device, int (*run)(void *work), void *work,
                  struct launch_options *options, const struct launch *launch);

/* Managed memory. managed_import takes over what the host has written since the last time, which
 * counts as a copy at this line (LINE_OF_HARNESS: for free). managed_export_launch and
 * managed_export show the host what a launch (since the last exchange; in_order: as it has stored
 * them, flags last; returns whether there is anything), or a copy or a fill, has written.
 * managed_share: from here on host and launch may update it at the same time; what is there is what
 * they agree on, anew or for arrays that are new. managed_written reports the new contents to the
 * listener. */
enum { LINE_OF_HARNESS = -1 };
int managed_import(struct device *device, int line);
bool managed_export_launch(struct device *device, struct exchange *exchange, bool in_order);
void managed_share(struct device *device, bool anew);
void managed_export(const struct allocation *a, size_t offset, size_t bytes);
bool managed_has_news(const struct device *device); /* has the host written to any? */
void managed_written(const struct device *device, const struct allocation *a);

/* residency.c: what a launch moves over the link. Host code has written to managed memory: its
 * pages are on the host then, which took the host's time. */
struct link_use {
  uint64_t mapped, fetched; /* bytes: of mapped memory; of pages of managed memory */
  double mapped_ns;         /* that it takes at least to access mapped memory */
  double fetched_ns;        /* that it takes beyond its own time to move pages to the device */
};
struct link_use residency_launch(struct device *device);
void residency_host_wrote(struct device *device, struct allocation *a, size_t offset, size_t bytes);

/* Reports the hazards of a list and clears it. */
void device_report_hazards(struct device *device, struct hazard_list *list);

/* Names a new allocation by the place of its allocation, until it gets a better name. */
void device_name_by_place(struct allocation *a, struct source_place place, const char *function);

/* copy_race.c: races of copies and fills with other work: what they access is known beforehand. */

/* One side of a copy of rows. */
struct copy_side {
  struct allocation *allocation; /* NULL: the host's memory */
  uint64_t address;              /* 0: nothing, as the source of a fill */
  size_t pitch;
};

/* Warns of what a copy to the host reads although nothing has written it. */
void copy_unwritten_check(struct device *device, const struct device_issue *issue,
                          const struct copy_side *from, size_t width, size_t rows);
/* Begins a copy or a fill: reports conflicts with unordered work, and orders it as issued
 * (device.h). Returns an error code if there is no such stream. */
int copy_race_check(struct device *device, struct device_issue *issue, enum work_kind kind,
                    const struct copy_side *to, const struct copy_side *from, size_t width,
                    size_t rows);

/* The same for the operands of a library's call, each in the allocation of the same index. */
int library_race_check(struct device *device, const struct library_call *call,
                       struct allocation *const *allocations);

#endif
