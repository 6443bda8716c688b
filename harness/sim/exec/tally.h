/* tally.h: from counts per operation and basic block to counters per source line and per launch. */
#ifndef KIT_TALLY_H
#define KIT_TALLY_H

#include "harness/sim/base/report_lists.h"
#include "harness/sim/decode/kernel.h"
#include "harness/sim/exec/launch.h"
#include "harness/sim/exec/machine.h"

struct tally { /* all zero: nothing counted yet */
  struct line_list lines;
  struct traffic_list traffic;
  bool out_of_memory;
};

/* Adds a worker's counts, all of which are booked (account.h). */
void tally_add(struct tally *tally, const struct kernel *kernel, const struct worker *worker);
/* Fills the result's counters, lines and traffic; false if memory ran out. */
bool tally_finish(struct tally *tally, struct launch_result *result);
void tally_release(struct tally *tally);

#endif
