/* affine_state.h: the affine registers of a warp (decode/affine.h says what they are for), or of
 * all warps of a block that run in lockstep (lockstep.h).
 *
 * A register in `known` has the value base + x * (lane % width) + y * (lane / width) + w * warp in
 * the lanes that exist; w is 0 where the state is a single warp's. Its row of the frame holds the
 * same, unless it is in `stale`. Only exec.c's loops leave rows stale, while they run: whoever else
 * looks at a frame finds it complete. 32-bit values: base is zero-extended, x, y and w are
 * sign-extended. x is 0 where there is one lane, and y where the width is that of a warp.
 *
 * The last warp of a block may have fewer lanes than 32: the first so many. What rows and
 * predicates hold for the others means nothing, as on the general path, and memory is not accessed
 * for them. */
#ifndef KIT_EXEC_AFFINE_H
#define KIT_EXEC_AFFINE_H

#include "harness/sim/decode/affine.h"

struct affine {
  uint64_t base;
  int64_t x, y, w;
};

struct affine_state {
  int shift;         /* log2 of the width */
  int warps;         /* whose state it is: 1, or all of the block */
  int lanes;         /* that exist in each of them */
  uint32_t mask;     /* the same lanes */
  int columns, rows; /* what x and y are multiplied with at most */
  struct register_set known, stale;
  bool any_stale;
  bool tid_is_affine[3];
  struct affine tid[3];
  struct affine value[]; /* by register */
};

/* How the lanes of a warp lie in memory, for 4-byte elements. SAME, ROW: all lanes at one element,
 * or at 32 successive ones. SAMES, ROWS: so are every 8 of them. REPEATED: every 8 of them are at
 * the same 8 successive ones. SCATTERED: affine, but none of these. IRREGULAR: not affine. */
enum affine_layout {
  AFFINE_IRREGULAR,
  AFFINE_SAME,
  AFFINE_ROW,
  AFFINE_SAMES,
  AFFINE_ROWS,
  AFFINE_REPEATED,
  AFFINE_SCATTERED
};
enum { AFFINE_PARTS = 4, PART = LANES / AFFINE_PARTS }; /* a warp, 8 lanes at a time */

/* The affine registers of so many warps, of so many lanes each, of a program that has an affine
 * form and blocks of this width; free() releases them. NULL: no memory. */
struct affine_state *affine_open(const struct program *program, int warps, int lanes,
                                 uint32_t width);
/* Its kernel begins: only constants are known. */
void affine_begin(struct affine_state *state, const struct affine_form *form);
/* tid: of its first warp; next: of the second, the same where there is one warp. */
void affine_set_thread_indices(struct affine_state *state, uint32_t tid[3][LANES],
                               uint32_t next[3][LANES]);
/* Notes where those of another of its warps do not fit in. */
void affine_check_thread_indices(struct affine_state *state, uint32_t tid[3][LANES], int warp);

/* A lane's value in the first warp. */
static inline uint64_t affine_at(const struct affine *a, int lane, int shift) {
  return a->base + (uint64_t)a->x * (uint64_t)(lane & ((1 << shift) - 1)) +
         (uint64_t)a->y * (uint64_t)(lane >> shift);
}

#endif
