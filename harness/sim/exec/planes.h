/* planes.h: memory that every lane has for itself (local memory, call parameters) kept in planes:
 * word w of all 32 lanes side by side, then word w + 1. Lanes mostly use the same offset, so one
 * access is one row. */
#ifndef KIT_PLANES_H
#define KIT_PLANES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "harness/sim/decode/program.h"

/* The row of 4-byte word offset / 4: 32 values, lane by lane. */
static inline uint32_t *planes_row(void *planes, uint64_t offset) {
  return (uint32_t *)(void *)((char *)planes + (offset & ~UINT64_C(3)) * LANES);
}

/* Copies bytes (1, 2, a multiple of 4; naturally aligned) of a lane out of, or into, its memory. */
static inline void planes_get(const void *planes, uint64_t offset, int lane, void *to,
                              size_t bytes) {
  const char *from = (const char *)planes + (offset & ~UINT64_C(3)) * LANES + lane * 4;
  if (bytes < 4) {
    memcpy(to, from + (offset & 3), bytes);
    return;
  }
  for (size_t i = 0; i < bytes; i += 4) memcpy((char *)to + i, from + i * LANES, 4);
}

static inline void planes_put(void *planes, uint64_t offset, int lane, const void *from,
                              size_t bytes) {
  char *to = (char *)planes + (offset & ~UINT64_C(3)) * LANES + lane * 4;
  if (bytes < 4) {
    memcpy(to + (offset & 3), from, bytes);
    return;
  }
  for (size_t i = 0; i < bytes; i += 4) memcpy(to + i * LANES, (const char *)from + i, 4);
}

#endif
