/* clock.h: what %clock says: warp instructions that the block has executed, and the time that it
 * has let pass without executing any.
 *
 * A loop that waits until the clock has gone on far enough would execute millions of instructions
 * for nothing. When a warp has looked at the clock PATIENCE times in a row, at one place on which a
 * branch depends, with a few instructions and no store in between, it lets time pass: at each look
 * a part of the time that it has waited already, so that it waits by that part too long at most.
 * That time is charged as instructions, and is part of the launch's modelled time.
 */
#ifndef KIT_CLOCK_H
#define KIT_CLOCK_H

#include "harness/sim/exec/machine.h"

uint64_t clock_read(struct warp *warp, const struct op *op);

#endif
