/* hazard_list.h: hazards of a launch, merged by kind and place as they are found. Only the
 * canonical run adds to it. */
#ifndef KIT_HAZARD_LIST_H
#define KIT_HAZARD_LIST_H

#include <stddef.h>

#include "harness/sim/base/hazard.h"

struct hazard_list {
  struct hazard *items;
  int count, room;
  int last;           /* found */
  const char *kernel; /* put into each */
};

/* Finds the hazard of that kind, lines and array and adds count to it, or makes one with an empty
 * message. *fresh says which. Returns NULL if memory runs out, or if there are 64 of the kind
 * (by then the report says enough), and adds count to the last of them; but a warning gives way to
 * what comes after it. */
struct hazard *hazard_note(struct hazard_list *list, enum hazard_kind kind, int line,
                           int other_line, const char *array, uint64_t count, bool *fresh);
void hazard_list_clear(struct hazard_list *list);

#endif
