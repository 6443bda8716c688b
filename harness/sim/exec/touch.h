/* touch.h: marks the lines that an access touches (base/touched.h). */
#ifndef KIT_TOUCH_H
#define KIT_TOUCH_H

#include "harness/sim/exec/machine.h"

/* The lanes of a memo's pattern, from this offset in the array on. */
static inline void touch_lines(uint8_t *lines, uint8_t stamp, const struct memo *memo,
                               uint64_t offset) {
  uint64_t first = (offset + (uint64_t)memo->low) >> TOUCHED_SHIFT,
           last = (offset + (uint64_t)memo->high - 1) >> TOUCHED_SHIFT;
  lines[first] = lines[last] = stamp;
  if (last - first <= 1) return;
  if (memo->dense)
    for (uint64_t line = first + 1; line < last; line++) lines[line] = stamp;
  else
    for (int k = 0; k < memo->granule_count; k++)
      lines[(offset + (uint64_t)memo->granule[k]) >> TOUCHED_SHIFT] = stamp;
}

static inline void touch_global(const struct worker *worker, const struct memo *memo, uint64_t base,
                                bool loads, bool stores) {
  const struct allocation *a = memo->allocation;
  uint8_t stamp = worker->launch->memory->stamp;
  if (!stamp || !a->touched.loaded) return;
  if (loads) touch_lines(a->touched.loaded, stamp, memo, base - a->address);
  if (stores) touch_lines(a->touched.stored, stamp, memo, base - a->address);
}

#endif
