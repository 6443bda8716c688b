/* report_lists.h: the lists of a launch report, in which entries of the same place are added up.
 * What is added lies at the end until the list is full; then it is sorted and merged, so that a
 * list is as long as there are places. */
#ifndef KIT_REPORT_LISTS_H
#define KIT_REPORT_LISTS_H

#include <jansson.h>

#include "harness/sim/base/launches.h"

/* All zero: empty. */
struct line_list {
  struct line_report *items;
  int count, room;
};
struct traffic_list {
  struct traffic *items;
  int count, room;
};

/* The counters of a line, to add to; valid until the next call. NULL: out of memory. */
struct counters *line_list_at(struct line_list *list, int line);
bool traffic_list_add(struct traffic_list *list, const struct traffic *traffic);

/* Ascending, each place once. */
void line_list_merge(struct line_list *list);
void traffic_list_merge(struct traffic_list *list);

/* [{"line", "op":"load", "array", "requests", "sectors", "bytes"}] */
json_t *traffic_to_json(const struct traffic *traffic, int count);

/* Classes of efficiency: up to 4 sectors per 128 bytes (none is wasted), 6, 8, 16, more. The sum of
 * two accesses of one class is of that class. */
enum { SPREADS = 5 };
int traffic_spread(uint64_t sectors, uint64_t bytes);

#endif
