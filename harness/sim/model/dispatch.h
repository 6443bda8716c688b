/* dispatch.h: when the last block of a launch ends, if blocks have more or less to do.
 *
 * Blocks go to SMs in the order of their numbers, the next one to where one has ended. A block
 * takes as long as its longest warp, and longer where those on its SM want more of it in a cycle
 * than it has: then all of them are as much slower.
 */
#ifndef KIT_DISPATCH_H
#define KIT_DISPATCH_H

#include <stdint.h>

#include "harness/sim/exec/trace.h"

struct dispatch {
  int sms, resident; /* blocks that an SM holds at once */
  double alone;      /* cycles of a warp for each of its instructions, in a block by itself */
  double busy;       /* cycles of an SM for each of a block's instructions, at least */
};

/* Instructions of a block, on average. */
double dispatch_mean(const struct block_work *works, uint64_t count);

/* Do blocks differ much: does one have more to do than the average, by a part of it? */
bool dispatch_is_uneven(const struct block_work *works, uint64_t count);

/* Cycles of the blocks works[0] to works[count - 1]; negative: memory ran out. */
double dispatch_cycles(const struct dispatch *dispatch, const struct block_work *works,
                       uint64_t count);

/* Sets `busy` so that these blocks take so many cycles on one SM; at least that. */
void dispatch_fit(struct dispatch *dispatch, const struct block_work *works, uint64_t count,
                  double cycles, double least);

#endif
