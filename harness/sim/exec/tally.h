/* tally.h: from counts per operation and basic block to counters per source line and per launch.
 *
 * An operation usually stays with one array, so a worker keeps its counts in one place
 * (worker->op_counts) and books them only when the operation goes on to another allocation, and at
 * the end: accesses themselves pay nothing for it.
 */
#ifndef KIT_TALLY_H
#define KIT_TALLY_H

#include "harness/sim/decode/kernel.h"
#include "harness/sim/exec/launch.h"
#include "harness/sim/exec/machine.h"

/* What an operation has counted in one allocation: an item of worker->accounts. */
struct account {
  struct map_key key; /* op->index; the allocation's window, or NO_WINDOW: shared or local memory */
  struct op_counts counts;
};
#define NO_WINDOW UINT64_MAX

/* Adds the counts of an operation to its account, unless it has no requests, and resets them. */
void tally_book(struct worker *worker, int op, uint64_t window);

struct tally { /* all zero: nothing counted yet */
  struct line_list lines;
  struct traffic_list traffic;
  bool out_of_memory;
};

/* Adds a worker's counts, all of which are booked. */
void tally_add(struct tally *tally, const struct worker *worker);
/* Fills the result's counters, lines and traffic; false if memory ran out. */
bool tally_finish(struct tally *tally, struct launch_result *result);
void tally_release(struct tally *tally);

#endif
