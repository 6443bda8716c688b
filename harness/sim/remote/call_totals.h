/* call_totals.h: what all launches of one call come to, however many there are.
 *
 * The first launches of a call are reported one by one. Those after them are added up by kernel,
 * grid and block, and reported when the call is over: so a report stays small, and nothing is left
 * out of its sums.
 */
#ifndef KIT_CALL_TOTALS_H
#define KIT_CALL_TOTALS_H

#include <jansson.h>

#include "harness/sim/base/report_lists.h"

enum {
  SINGLE_LAUNCHES = 48, /* reported one by one */
  LAUNCH_GROUPS = 16,   /* of the others; launches that fit none of the first 15 go into the last */
  REPORTED_LINES = 1000,
  REPORTED_TRAFFIC = 1000,
};

struct launch_group {
  struct launch_report sum; /* kernel, grid and so on of the first; time and counters of all */
  uint64_t launches;
  struct line_list lines;
};

struct call_totals { /* all zero: no launch yet */
  uint64_t launches, time_ns;
  bool untimed; /* a launch had no time */
  struct counters counters;
  struct traffic_list traffic;
  struct launch_group groups[LAUNCH_GROUPS];
  int group_count;
};

/* Adds a launch. *single: it is to be reported by itself; otherwise it was added to a group. False:
 * out of memory. */
bool call_totals_add(struct call_totals *totals, const struct launch_report *report, bool *single);
/* {"launches":3, "time_ns":5 (or null), "counters":{},
 *  "traffic":[{"line", "op":"load", "array", "requests", "sectors", "bytes"}]} */
json_t *call_totals_to_json(struct call_totals *totals);
/* A group as a launch, with "launches": how many; without lines if `bare`. */
json_t *launch_group_to_json(struct launch_group *group, bool bare);
/* Keeps the heaviest REPORTED_LINES lines; the counters of the others are in line 0. */
void call_totals_limit_lines(struct line_report *lines, int *count);
void call_totals_reset(struct call_totals *totals);

#endif
