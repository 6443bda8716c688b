/* access.h: one warp's access to memory: what is wrong with it.
 *
 * exec.c has the fast path, compiled for each instruction set; here is what happens when a pattern
 * is new or a check fails.
 */
#ifndef KIT_ACCESS_H
#define KIT_ACCESS_H

#include "machine.h"

enum access { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC };

/* Bounds and alignment of lanes that the memo cannot vouch for. Notes hazards; returns the lanes
 * that may go on, and sets the memo's bounds if all may. Lanes that are fine but lie in another
 * array than the first are left for a later turn. May stop the launch. base: shared, local: offset
 * in the space; else the address. */
uint32_t access_resolve(struct warp *warp, const struct op *op, struct memo *memo,
                        const uint64_t *addresses, uint64_t base, uint32_t mask,
                        enum ptx_space space, enum access access, uint32_t *later);

/* Shared memory: the tags of some granule are not the usual ones. Notes races and uninitialised
 * reads; returns the lanes that read something never written. */
uint32_t access_shared_read(struct warp *warp, const struct op *op, const struct memo *memo,
                            uint32_t offset, bool atomic);
/* Has every element of a shared array been written in this block, and none since the last barrier?
 * Then its loads need no check. Looked at once in each interval. */
bool access_array_is_clean(struct worker *worker, int array);
/* Notes races of a store (or atomic) and sets its tags. The frame has the values, for telling
 * whether they differ. */
void access_shared_write(struct warp *warp, const struct op *op, const struct memo *memo,
                         uint32_t offset, const char *frame, bool atomic);

/* Global memory: likewise, over initialisation and tags of blocks. offset: of the first lane in the
 * allocation. */
uint32_t access_global_read(struct warp *warp, const struct op *op, const struct memo *memo,
                            uint64_t offset);
void access_global_tag_read(struct warp *warp, const struct op *op, const struct memo *memo,
                            uint64_t offset, bool atomic);
void access_global_write(struct warp *warp, const struct op *op, const struct memo *memo,
                         uint64_t offset, const char *frame);

/* Copies bytes (1 to 8, aligned) at a generic address that one lane knows, without counting or
 * checking. False: out of bounds. */
bool access_peek(struct warp *warp, int lane, uint64_t address, void *to, size_t bytes);

/* At a barrier and at the end of a block: what was read without having been written, and was not
 * written afterwards either. */
void access_settle_unwritten(struct worker *worker);

/* Have so many hazards been noted in this launch that more say nothing? Then races and uninitialised
 * reads are no longer looked for, so that a kernel full of them still ends soon. */
enum { ENOUGH_HAZARDS = 10000 };
static inline bool access_enough(const struct worker *worker) {
  return worker->launch->noted >= ENOUGH_HAZARDS;
}
/* A hazard of the operation at hand; NULL in optimistic mode (which ends) or if the list is full. */
struct hazard *access_hazard(struct warp *warp, enum hazard_kind kind, int line, int other_line,
                             const char *array, uint64_t count, bool *fresh);
/* Ends the launch with a CUDA error. */
void access_stop(struct warp *warp, int error);
/* "A[12]", "element 12 of the array of cudaMalloc at line 7" into text. */
const char *access_element_text(const struct allocation *a, long long index, char *text,
                                size_t size);
/* "block (0,1,0), thread (3,2,0)" into text. */
const char *access_thread_text(const struct warp *warp, int thread, char *text, size_t size);

#endif
