/* copy_race.h: races between copies or fills and other work: what they access is known before they
 * begin. */
#ifndef KIT_COPY_RACE_H
#define KIT_COPY_RACE_H

#include "harness/sim/device/state.h"

/* Rows of a copy, where they come from or go to. */
struct copy_side {
  struct allocation *allocation; /* NULL: the host's memory */
  uint64_t address;              /* 0: nothing, as the source of a fill */
  size_t pitch;
};

/* A copy or a fill begins: notes what it shares with work that is not ordered before it, and orders
 * it as its issue says (device.h). The code: of a stream that there is not. */
int copy_race_check(struct device *device, struct device_issue *issue, enum work_kind kind,
                    const struct copy_side *to, const struct copy_side *from, size_t width,
                    size_t rows);

#endif
