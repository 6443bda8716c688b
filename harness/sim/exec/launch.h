/* launch.h: executes a launch of a decoded kernel over worker threads, in two modes (machine.h). */
#ifndef KIT_LAUNCH_H
#define KIT_LAUNCH_H

#include "harness/sim/base/gpu.h"
#include "harness/sim/base/hazard.h"
#include "harness/sim/base/launches.h"
#include "harness/sim/base/streams.h"
#include "harness/sim/decode/kernel.h"
#include "harness/sim/exec/machine.h"
#include "harness/sim/exec/trace.h"

/* What became of others that a launch waits for. */
enum others {
  OTHERS_DID_NOTHING,
  OTHERS_HAVE_RUN,
  OTHERS_ARE_DONE,   /* all of them wait, for this launch or for ever */
  PROGRAM_HAS_ENDED, /* nobody needs the launch any more */
};

struct launch_options {
  int threads;
  int64_t budget;        /* warp instructions that it may execute; at most INT64_MAX / 2 */
  uint64_t whole_budget; /* of the whole submission, for messages */
  uint64_t resident;     /* blocks that the GPU holds at once; 0: any number */
  bool record_accesses;
  /* Not 0: executes the watched blocks, and all others only if that makes no more warp instructions
   * than this; else scales the counters. */
  uint64_t sample;
  const uint64_t *traced; /* blocks that are traced, ascending */
  int traced_count;
  uint32_t trace_room; /* words after which a warp's trace ends */
  /* Called by a worker when all traced blocks are done and others may still run, with their traces
   * in the order of `traced`; with none if what it was told last does not count. May be NULL. */
  void (*on_traces)(void *context, const struct block_trace *traces, int count);
  void *context;
  /* Called where the launch waits for others (await.h); idle: it has nothing else to do. NULL:
   * there are none. */
  enum others (*wait)(void *context, bool idle);
  void *wait_context;
  struct lineage lineage;
  bool tries_orders;         /* a kernel that may do other things in another order runs in some */
  struct exchange *exchange; /* mirror.h; NULL: the host sees nothing while the launch runs */
  struct work *work;         /* gets the accesses of the launch */
  struct streams *streams;   /* with work that may be unordered with this; NULL: there is none */
};

/* launch_result_release frees what it points to. */
struct launch_result {
  enum cudaError error; /* of a fault in the kernel */
  bool others_ran;      /* others have run meanwhile */
  uint64_t executed;    /* blocks: all, or those of a sample */
  uint64_t spent;       /* warp instructions of the budget, the same for any number of threads */
  uint64_t waited;      /* cycles that the warp waited by the clock that did so longest (clock.h) */
  struct counters counters;
  struct line_report *lines;
  int line_count;
  struct traffic *traffic;
  int traffic_count;
  struct access_report *accesses; /* NULL: not recorded */
  int access_count;
  struct block_trace *traces; /* in the order of options->traced */
  int trace_count;
  struct block_work *works; /* by block; NULL: none were traced, or there are too many */
  struct children children;
  char *printed; /* may be NULL */
  size_t printed_bytes;
};

/* Grid, block and sizes have been checked by the caller. Hazards go into the list. False if memory
 * runs out: nothing ran. */
bool launch_run(const struct launch *launch, const struct kernel *kernel, struct memory *memory,
                const struct device_info *gpu, const struct launch_options *options,
                struct hazard_list *hazards, struct launch_result *result);
void launch_result_release(struct launch_result *result);
void launch_result_drop_traces(struct launch_result *result);

#endif
