/* sharing.h: how many blocks have atomic operations in one place at a time. */
#ifndef KIT_SHARING_H
#define KIT_SHARING_H

#include "harness/sim/exec/trace.h"
#include "harness/sim/model/plan.h"

/* Of the places (hierarchy_place) in which a block has atomic operations, the part in which another
 * SM has some at that time, too: 0 to 1, by traced blocks of all such SMs; 1 if there are none, or
 * memory runs out. Blocks are dealt out to sms SMs in turn, and each holds so many (resident). */
double sharing_of_places(const struct plan *plan, const struct block_trace *traces, int count,
                         int sms, int resident);

#endif
