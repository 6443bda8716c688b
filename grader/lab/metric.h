/* metric.h: the metrics that lab.conf can name: the counters of counters.h, and ratios of sums. */
#ifndef KIT_METRIC_H
#define KIT_METRIC_H

#include <stdbool.h>
#include <stdint.h>

#include "grader/lab/spans.h"
#include "harness/sim/base/launches.h"

/* Sums over the launches that are looked at. */
struct totals {
  struct counters counters;
  uint64_t launches, time_ns;
  struct traffic *traffic; /* NULL: not known, as of other solutions */
  int traffic_count;
  /* Bytes that the textbook's kernel asks for, without reuse: more are useless. 0: not known. */
  double textbook_load_bytes, textbook_store_bytes;
  double operations; /* fp32 operations that the problem takes; 0: it computes nothing */
  double ceiling_ns; /* the call's time if it reached the device's ceiling; 0: not known */
  /* What the call's work did when; `timeline`: it is known. */
  bool timeline;
  struct overlap overlap;
};

struct metric {
  const char *name;
  const char *unit;      /* "sectors per request"; "" for a plain count */
  const char *sentence;  /* what it is, for people */
  int top[4], bottom[4]; /* counters whose sums are divided; -1 ends a list; no bottom: 1 */
  int minus[3];          /* counters taken off the top */
  double factor;
  bool sectors;       /* how many an access of a full warp moves: above 30, lanes are far apart */
  bool largest;       /* not of the sums: the largest of the quotients top[i] / bottom[i] */
  bool zero_if_empty; /* 0 over 0 is 0; otherwise it is not defined */
  bool where_it_matters; /* over the worst part of the traffic, which may be undefined */
  bool loads, stores;    /* of that: these; with both, the worse of the two */
  bool relative_only;    /* means something only beside another solution's value */
  bool inverse;          /* beside another solution: its value over ours (a speedup) */
  bool per_operation;    /* over totals.operations, in place of a sum of counters */
  bool of_ceiling;       /* the ceiling's time over the call's, in percent */
  double (*of_overlap)(const struct overlap *overlap); /* taken from the timeline of a call */
  const char *empty; /* why it may be undefined: "no global loads" */
};

/* NULL if there is none of that name. */
const struct metric *metric_find(const char *name);
/* The name most like it, or NULL. */
const char *metric_guess(const char *name);
/* NaN if it is not defined (no such access at all). */
double metric_value(const struct metric *metric, const struct totals *totals);
/* Is it taken from a call's timeline (conf_wants_timeline)? NaN where nobody asked for that. */
bool metric_is_of_timeline(const struct metric *metric);
/* A metric of_ceiling from a time of the call. */
double metric_ceiling_percent(double ceiling_ns, double ns);
/* Is it a time, or made of one? NaN where nobody asked for the time (conf_timed_sets). */
bool metric_is_time(const struct metric *metric);
/* The same over one source line. */
double metric_line_value(const struct metric *metric, const struct counters *counters);

/* Is it one of hazard.h's kinds? */
bool hazard_kind_known(const char *kind);
/* Can such a fault change what a program computes? A leak cannot, and explains no other fault. */
bool hazard_kind_affects_results(const char *kind);
/* hazard.h's or the grader's own title of a kind ("out of bounds"), and its rank in the order of
 * causes: a smaller one explains the greater. */
const char *hazard_kind_title(const char *kind);
int hazard_kind_rank(const char *kind);

/* --- How well global memory is used where it matters.
 *
 * A sum over all accesses says little: useless loads of one element for a whole warp (1 sector for
 * 128 bytes asked for) would make up for a pattern that moves 32. So a metric is taken from the
 * worst part of the traffic. The device reports sectors and bytes by line and array, apart by how
 * many sectors an access moves for what its lanes ask for. From the worst of these on they are
 * added up until
 *
 *   - they move half of all sectors: what is left may be better, but moves no more than they do; or
 *   - they ask for half of the bytes that the textbook's kernel asks for: then no load of
 *     anything else, useful or not, hides them.
 *
 * The last one counts in part. So a few bad accesses, at the edges of a matrix, cost nothing. */

/* Sectors for each 128 bytes in the worst part of the loads or stores, or in the worse of both;
 * NaN: there are none. *worst: the one that moves most there, NULL if there is none (the pointer
 * may be NULL). */
double traffic_value(const struct totals *totals, bool loads, bool stores,
                     const struct traffic **worst);

#endif
