/* stopwatch.h: a submission's measured time in one case, beside the solutions that its lab compares
 * it with, all timed in one process (harness/runner/timing.h). */
#ifndef KIT_STOPWATCH_H
#define KIT_STOPWATCH_H

#include "grader/run/run.h"
#include "harness/base/statistics.h"

enum { MAX_TIMED = 3 }; /* the submission, the reference, the baseline */

struct timed {
  char *name;                   /* "submission", "reference", "baseline" */
  struct interval ns;           /* of a call, the median over rounds */
  double mean_ns, deviation_ns; /* over rounds; standard deviation */
  struct interval cold_ns;      /* of a call after the L2 cache was flushed; NaN: not measured */
  struct interval ratio;        /* submission's time over this one's, round by round */
  double waiting_ns; /* of a call, for its own kernels, which ns is without; 0: it does not wait */
  double slowed;     /* median over that before the submission's first call; 0: not known */
  double worst;      /* largest difference of any output from the reference's */
};

struct timing {
  bool measured;
  int rounds, batch;    /* calls between two events */
  double event_cost_ns; /* of those two, which is no part of the times */
  struct timed timed[MAX_TIMED];
  int count;
  char *condition;    /* "SM clock 1980 to 1980 MHz", "another process on the device"; "" */
  bool shared;        /* another process used the device */
  char *error;        /* NULL, or what is wrong */
  bool blame_program; /* with error: the submission's doing */
};

enum { MAX_ROUNDS = 200 };

/* How a case is timed. */
struct stopwatch {
  bool alone; /* the runner was built without a reference: nothing is beside it, nothing is compared
               */
  const char *baseline; /* the baseline's function; NULL: the runner has no baseline */
  int rounds;           /* 0: as many as it takes until the ratio to the others is known, or */
  double seconds;       /* about so long */
};

void stopwatch_run(const struct runner *runner, const struct conf *conf, int case_index,
                   const struct stopwatch *stopwatch, struct timing *timing);
void timing_free(struct timing *timing);

/* The timed solution of that name, or NULL. */
const struct timed *timing_of(const struct timing *timing, const char *name);

/* --- What the GPU in this machine can do at most, as the driver reports it to the grader, not to
 * the runner, where the submission runs. */

struct peaks {            /* 0: not known */
  double flops_per_ns;    /* fp32, an FMA is two */
  double l2_bytes_per_ns; /* between L2 and all multiprocessors */
  double dram_bytes_per_ns;
};

/* ns that these operations and bytes take at least, the bytes out of whichever memory is faster. */
double peaks_floor(const struct peaks *peaks, double bytes, double operations);

#endif
