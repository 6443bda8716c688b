/* stream_race.h: races between a launch and other work that nothing orders before it. */
#ifndef KIT_STREAM_RACE_H
#define KIT_STREAM_RACE_H

#include "harness/sim/exec/machine.h"

/* After a canonical run: gathers what the launch has accessed from the tags that it left, which
 * stays with its work, and notes what it shares with work that is unordered. */
void stream_race_check(struct launch_state *launch);

#endif
