/* mirror.h: atomics on managed memory that the host may update at the same time.
 *
 * Host and device have copies of their own, which are exchanged when a launch begins, waits for
 * others (await.h) and ends (device_managed.c). That would lose updates that both make in between.
 * So once the host may run beside the launch, an atomic is one on the host's copy, by an atomic
 * instruction of the CPU as the host's own are, and its result is stored to the device's, too.
 * Before it, the copy that has changed since they last agreed is taken over by the other one; if
 * both have, the device's.
 *
 * A launch that may still be undone cannot do so: the host would see it.
 */
#ifndef KIT_MIRROR_H
#define KIT_MIRROR_H

#include "harness/sim/exec/machine.h"

/* What the host sees of managed memory while a launch runs. */
struct exchange {
  access_tag shown; /* what the launch has stored before is in the host's copies */
  bool at_once;     /* atomics are on the host's copies */
  bool updated;     /* by such atomics, since then */
};

/* The host's copy of the array if atomics are to be on that; NULL: on the device's. */
unsigned char *mirror_of(const struct launch_state *launch, const struct allocation *a);
/* Before an atomic on these bytes: makes both copies the same. */
void mirror_meet(const struct allocation *a, uint64_t offset, int size);
/* After it: this is what it has left there. */
void mirror_keep(const struct allocation *a, uint64_t offset, int size, const void *value);

#endif
