/* report_lists.h: the lists of a launch report, in which entries of the same place are added up.
 * What is added lies at the end until the list is full; then it is sorted and merged, so that a
 * list is as long as there are places. */
#ifndef KIT_REPORT_LISTS_H
#define KIT_REPORT_LISTS_H

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

/* The counters of a line, to add to; good until the next call. NULL: no memory. */
struct counters *line_list_at(struct line_list *list, int line);
bool traffic_list_add(struct traffic_list *list, const struct traffic *traffic);

/* Ascending, each place once. */
void line_list_merge(struct line_list *list);
void traffic_list_merge(struct traffic_list *list);

/* Which of the classes the sectors belong to that are moved for so many bytes: up to 4 sectors for
 * 128 bytes (none is moved in vain), 6, 8, 16, more. A sum of one class is of that class. */
enum { SPREADS = 5 };
int traffic_spread(uint64_t sectors, uint64_t bytes);

#endif
