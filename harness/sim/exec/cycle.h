/* cycle.h: finds blocks that repeat themselves, and so never end.
 *
 * A block that comes back to a state in which it has been before goes on from it as it did then. Of
 * the state only that part counts on which its further way depends: where its lanes are, the
 * registers that decide how they branch and where they access memory, and the memory from which
 * those are loaded. A sum that still grows in a loop that never ends does not.
 *
 * After each slice of instructions the state is kept, and compared with whenever the block comes by
 * the same place again for some time: an eighth of what the slice took, which then doubles. So a
 * cycle is found before eight times as much has been executed as it is long, and looking for one
 * costs little (Brent, "An improved Monte Carlo factorization algorithm", BIT 20, 1980, has the
 * powers of two). What cannot be proven to repeat is never said to: loops with calls, with lanes
 * that go ahead of each other, or that load what the kernel itself stores to global memory.
 */
#ifndef KIT_CYCLE_H
#define KIT_CYCLE_H

#include "harness/sim/exec/machine.h"

/* The warp is at the start of a basic block and its slice has ended. True: its block repeats
 * itself. Otherwise *slice is the number of instructions until the next check. */
bool cycle_found(struct warp *warp, int64_t *slice);
/* The block starts anew. */
void cycle_end(struct block *block);
void cycle_close(struct block *block);

#endif
