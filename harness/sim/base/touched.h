/* touched.h: which 128-byte lines of an allocation a launch loads and stores: what it touches of
 * an array is what counts for its time, and not how large the array is.
 *
 * A byte for each line holds the stamp of the launch that has touched it last, so that nothing is
 * cleared from launch to launch, and that workers mark the same line at once without harm.
 */
#ifndef KIT_TOUCHED_H
#define KIT_TOUCHED_H

#include <stddef.h>
#include <stdint.h>

enum { TOUCHED_SHIFT = 7 /* log2 of a line's bytes */, TOUCHED_STAMPS = 255 };

struct touched {
  uint8_t *loaded, *stored; /* by line; NULL: nothing is marked, or memory ran out */
  uint64_t launch;          /* the last one that may have marked lines */
  uint64_t cleared;         /* the launch before which stamps have been cleared */
};

/* A launch's stamp; 0 is none's. */
static inline uint8_t touched_stamp(uint64_t launch) {
  return (uint8_t)(launch % TOUCHED_STAMPS + 1);
}
static inline size_t touched_lines(size_t bytes) {
  return (bytes + ((size_t)1 << TOUCHED_SHIFT) - 1) >> TOUCHED_SHIFT;
}

/* Before a launch marks lines of an allocation of so many bytes. */
void touched_begin(struct touched *touched, size_t bytes, uint64_t launch);
void touched_release(struct touched *touched);
/* Bytes in lines that the launch has loaded, stored (or both, by atomics), and either. They end
 * with the allocation. */
struct touched_bytes {
  size_t loaded, stored, either;
};
struct touched_bytes touched_bytes(const struct touched *touched, size_t bytes, uint64_t launch);

#endif
