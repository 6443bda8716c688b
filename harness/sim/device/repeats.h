/* repeats.h: launches that need not be executed, because an equal one has been.
 *
 * What a launch does follows from its kernel, shape and parameters and from what the arrays hold
 * that it reads. Programs that measure a kernel launch it again and again, so the second launch of
 * the same kind notes what the arrays that it touches held before and after (content.h). If later
 * they hold that again, this launch would do the same: its report and time are known, and so is
 * what it leaves behind. That is there already (an array into which it only writes may also hold
 * the result), or is put there from a copy, which the first launch makes that has need of it.
 *
 * Kernels that print, allocate or read a clock are executed each time, and so is what had hazards.
 */
#ifndef KIT_DEVICE_REPEATS_H
#define KIT_DEVICE_REPEATS_H

#include "harness/sim/base/memory.h"
#include "harness/sim/base/streams.h"
#include "harness/sim/decode/kernel.h"
#include "harness/sim/exec/launch.h"

struct repeats;
struct repeats *repeats_open(void);
void repeats_close(struct repeats *repeats);

/* What came of a launch. */
struct outcome {
  struct launch_result result;
  struct launch_report report; /* points into the result */
  double ns, demand;           /* its modelled time (model/model.h) */
  uint64_t mapped;             /* bytes that it moves to and from mapped memory */
};

/* Launches of one kind: equal but for what memory holds. how: what else decides what is noted of
 * them. NULL: they are executed each time. */
struct repeat;
struct repeat *repeats_find(struct repeats *repeats, const struct kernel *kernel,
                            const struct launch *launch, unsigned how);

/* The outcome, if it is known; memory is then as if the launch had run, and `work` has its
 * accesses. Else NULL, and nothing has changed. streams: with work that may be in conflict with it;
 * such a launch is executed, too. Both may be NULL. */
const struct outcome *repeat_take(struct repeat *repeat, struct memory *memory,
                                  const struct streams *streams, struct work *work);

/* To be called before and after one that is executed. The latter takes over the result if it
 * returns true. work: its accesses, or NULL. */
void repeat_begin(struct repeat *repeat, struct memory *memory);
bool repeat_end(struct repeat *repeat, struct memory *memory, const struct outcome *outcome,
                const struct work *work);

#endif
