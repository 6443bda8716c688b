/* figures.h: what counters say about a line or a launch: ratios, and what is wrong, in words. */
#ifndef KIT_FIGURES_H
#define KIT_FIGURES_H

#include "grader/base/text.h"
#include "harness/sim/base/counters.h"

/* Ratios; NaN where there is nothing to divide by. A request is one of a 32-bit word a lane: a
 * float4 counts as four, as in the metrics. */
struct figures {
  double lanes;                             /* active in an average warp instruction */
  double load_sectors, store_sectors;       /* of 32 bytes, a global request */
  double load_efficiency, store_efficiency; /* bytes used of those moved, in % */
  double wavefronts, ideal, extra; /* an access to shared memory; extra: wavefronts - ideal */
};
struct figures figures_of(const struct counters *counters);

/* Lines are marked beyond these. */
bool figures_scattered(double sectors);
bool figures_conflicting(double extra);

/* What is wrong with a line, as sentences that the counters bear out and nothing more. */
enum fault {
  FAULT_LOADS,
  FAULT_STORES,
  FAULT_SHARED_LOADS,
  FAULT_SHARED_STORES,
  FAULT_LOCAL,
  FAULTS
};
/* True if the line has that fault; then *words gets the sentence. */
bool figures_fault(const struct counters *counters, enum fault fault, struct text *words);

/* 1310720 as "1.3M": at most 5 columns. */
const char *figures_count(uint64_t count, char *buffer, size_t size);

/* --- bounds.c: what a launch's time is bound by, for a student: its meaning, and what helps. */

struct bound {
  const char *name;    /* as in a report of a launch: "shared memory" */
  const char *id;      /* of its place on the page */
  const char *meaning; /* sentences */
  const char *advice;
};

/* NULL: no bound has that name. */
const struct bound *bound_find(const char *name);

#endif
