/* tally.h: from counts per operation and basic block to counters per source line and per launch. */
#ifndef KIT_TALLY_H
#define KIT_TALLY_H

#include "kernel.h"
#include "machine.h"

struct tally {
  struct line_report *lines; /* in no order until tally_finish */
  int count, room;
  bool out_of_memory;
};

void tally_add(struct tally *tally, const struct kernel *kernel, const struct op_counts *op_counts,
               const struct block_counts *block_counts);
/* Hands out the sum and the lines in ascending order (malloc'ed, the caller's); false if memory ran
 * out. */
bool tally_finish(struct tally *tally, struct counters *sum, struct line_report **lines,
                  int *line_count);
void tally_release(struct tally *tally);

#endif
