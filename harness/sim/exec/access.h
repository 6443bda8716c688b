/* access.h: one warp's access to memory: what is wrong with it.
 *
 * exec.c has the fast path, compiled for each instruction set; here is what happens when a pattern
 * is new or a check fails.
 */
#ifndef KIT_ACCESS_H
#define KIT_ACCESS_H

#include "harness/sim/exec/machine.h"

enum access { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC };

/* Checks bounds and alignment of lanes for which the memo's bounds do not suffice. Reports hazards,
 * returns the lanes that may proceed, and sets the memo's bounds if all may. Lanes in another array
 * than the first one's are left to `later`. May stop the launch. base: shared, local: offset in the
 * space; else the address. */
uint32_t access_resolve(struct warp *warp, const struct op *op, struct memo *memo,
                        const uint64_t *addresses, uint64_t base, uint32_t mask,
                        enum ptx_space space, enum access access, uint32_t *later);

/* The space of an access at this address. */
static inline enum ptx_space access_space(const struct op *op, uint64_t address) {
  if (op->space != PTX_GENERIC) return op->space;
  uint64_t window = address & WINDOW_MASK;
  return window == SHARED_WINDOW ? PTX_SHARED : window == LOCAL_WINDOW ? PTX_LOCAL : PTX_GLOBAL;
}

/* Copies 1 to 8 aligned bytes at a generic address as one lane sees it, uncounted and unchecked.
 * False: out of bounds. */
bool access_peek(struct warp *warp, int lane, uint64_t address, void *to, size_t bytes);

/* Has this launch reported so many hazards of a kind that races and uninitialised reads need no
 * longer be looked for? So a kernel full of them still ends soon. */
enum { ENOUGH_HAZARDS = 10000 };
static inline bool access_enough(const struct worker *worker, enum hazard_kind kind) {
  return worker->launch->noted[kind] >= ENOUGH_HAZARDS;
}
/* Adds a hazard of the current operation (hazard_note); NULL in optimistic mode, which it ends. */
struct hazard *access_note(struct warp *warp, enum hazard_kind kind, int line, int other_line,
                           const char *array, uint64_t count, bool *fresh);
/* The same, but NULL unless the hazard is a new one, which needs a message. */
struct hazard *access_hazard(struct warp *warp, enum hazard_kind kind, int line, int other_line,
                             const char *array, uint64_t count);
/* A hazard's message (NULL: none is needed): a thread of the warp's block, and what it does. */
void access_describe(struct hazard *hazard, const struct warp *warp, int thread, const char *format,
                     ...) __attribute__((format(printf, 4, 5)));
/* Ends the launch with a CUDA error. */
void access_stop(struct warp *warp, enum cudaError error);
/* "A[12]", "C[12] (row 0, column 12)", "element 12 of the array of cudaMalloc at line 7" into text.
 * offset: bytes from the start; fallback_size: of an element whose type is not known. */
const char *access_element_text(const struct allocation *a, int64_t offset, int fallback_size,
                                char *text, size_t size);
/* "block (0,1) thread (3,2)" */
struct thread_text {
  char text[96];
};
struct thread_text access_thread(const struct launch_state *launch, uint64_t block, int thread);
/* The first thread of the lanes. */
static inline int first_thread(const struct warp *warp, uint32_t lanes) {
  return warp->index * LANES + __builtin_ctz(lanes);
}

#endif
