/* ranges.h: which bytes something has accessed, as a sorted list of ranges. */
#ifndef KIT_RANGES_H
#define KIT_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct byte_range {
  uint64_t from, to; /* [from, to) */
  int line;          /* of the access; 0: not known */
  bool atomic;
};

/* Starts as {0}. Ranges do not overlap. */
struct range_list {
  struct byte_range *items;
  size_t count, room;
};

/* Adds a range that begins no earlier than the last one ends; it becomes part of that one if it
 * follows it and has the same line. False if memory runs out. */
bool ranges_add(struct range_list *list, struct byte_range range);
void ranges_free(struct range_list *list);

/* Calls `meet` for every range of bytes [from, to) that is in both lists, in ascending order, but
 * for those that are atomic in both. */
typedef void ranges_meet(void *context, uint64_t from, uint64_t to, const struct byte_range *a,
                         const struct byte_range *b);
void ranges_intersect(const struct range_list *a, const struct range_list *b, ranges_meet *meet,
                      void *context);

#endif
