/* affine.h: the affine form of a program: what a warp does, all of whose lanes are active, where
 * registers are as regular as they usually are.
 *
 * Addresses, indices and counters are nearly always affine in the lane: base + x * (lane % width) +
 * y * (lane / width), where width is that of the block, if it is a power of two below 32. So three
 * numbers stand for a row of 32, an integer instruction is a few scalar additions instead of 32,
 * and whether a load has the known pattern is two comparisons.
 *
 * decode/affine.c cuts each basic block into segments, at everything that can change memory or
 * stop, and plans each of them as
 *
 *   steps   the integer instructions on affine registers, and one check for each group of loads
 *           that share a base register. They change nothing but affine registers, of which there is
 *           a copy: if one of them fails, the segment runs as if there were no affine form
 *   items   what is left, once all checks have passed: rows of 32 lanes, loads, stores. A load
 *           whose only use is as a factor of multiply-adds is not copied: they read it from memory.
 *           Multiply-adds whose sum goes from one to the next are one item, a chain
 *
 * exec/affine_run.h executes it, for a warp, or for all warps of a block at once (exec/lockstep.h).
 * Which registers hold an affine value is only guessed here, and verified there: a wrong guess
 * costs time, not correctness.
 */
#ifndef KIT_AFFINE_H
#define KIT_AFFINE_H

#include "harness/sim/decode/program.h"

/* Registers are numbered by their slot: its offset / SLOT32; predicates come last. A frame with
 * more than so many has no affine form. */
enum { MAX_AFFINE = 512, AFFINE_WORDS = MAX_AFFINE / 64 };
struct register_set {
  uint64_t word[AFFINE_WORDS];
};
static inline bool set_has(const struct register_set *set, int r) {
  return set->word[r / 64] >> (r % 64) & 1;
}
static inline void set_add(struct register_set *set, int r) {
  set->word[r / 64] |= UINT64_C(1) << (r % 64);
}
static inline void set_remove(struct register_set *set, int r) {
  set->word[r / 64] &= ~(UINT64_C(1) << (r % 64));
}

/* Scalar operations: the rows of ops_hot.h with these names, and the others below. */
/* clang-format off */
#define KIT_AFFINE_ROWS(X) \
  X(mov_32) X(mov_64) X(add_32) X(sub_32) X(mul_lo_32) X(mad_lo_32) X(neg_s32) X(shl_32) \
  X(add_64) X(sub_64) X(mul_lo_64) X(mad_lo_64) X(shl_64) X(or_32) X(or_64) \
  X(mul_wide_s32) X(mul_wide_u32) X(mad_wide_s32) X(mad_wide_u32) \
  X(cvt_s64_s32) X(cvt_u64_u32) X(cvt_u32_u64) \
  X(and_32) X(xor_32) X(not_32) X(shr_u32) X(shr_s32) X(min_s32) X(max_s32) X(min_u32) X(max_u32) \
  X(and_64) X(xor_64) X(shr_u64) X(shr_s64) \
  X(eq_32) X(lt_s32) X(le_s32) X(lt_u32) X(le_u32) \
  X(eq_64) X(lt_s64) X(le_s64) X(lt_u64) X(le_u64)
#define X(name) AFFINE_##name,
enum affine_code { KIT_AFFINE_ROWS(X) AFFINE_PARAM, AFFINE_SPECIAL, AFFINE_CHECK, AFFINE_CODES };
#undef X
/* clang-format on */

struct affine_step {
  uint8_t code;         /* enum affine_code */
  uint16_t to, a, b, c; /* registers; a predicate: `to` is its number, op its slot */
  uint16_t group;       /* AFFINE_CHECK: in the segment */
  const struct op *op;
};

/* Loads of a segment that share their base register, and so their memo. */
struct affine_group {
  const struct op *lead;
  int first_op, op_count; /* in program->affine->grouped */
  int64_t min, max;       /* of their offsets */
  bool misfit;            /* their offsets are not aligned alike: never checked together */
  uint16_t address;       /* register */
};

enum { MAX_SEGMENT_GROUPS = 48, FROM_FRAME = MAX_SEGMENT_GROUPS };

/* A product of a chain, by what lies where: bytes from the address of the factors' groups, or, for
 * a row of the frame, from its start; then the same for factors that are copied to scratch rows. */
struct affine_term {
  int32_t offset[4]; /* a, b, a in the scratch rows, b in the scratch rows */
};
/* Products [first, first + count) of a chain, whose factors belong to two groups. */
struct affine_run {
  uint16_t a, b; /* groups of the segment, or FROM_FRAME */
  int first, count;
};

enum affine_item_kind {
  ITEM_ROW,   /* run op */
  ITEM_FILL,  /* make the row of register `at` */
  ITEM_LOAD,  /* op, of group */
  ITEM_STORE, /* op, whose address is in register `at` */
  ITEM_CHAIN, /* runs [first, first + count); sum from slot `from` to slot `to` */
};
struct affine_item {
  uint8_t kind;
  uint16_t at, group;
  const struct op *op;
  uint32_t from, to;
  int first, count;
};

/* A load that chains read from memory; where that cannot be done, it goes to scratch rows first. */
struct affine_elided {
  const struct op *op;
  uint16_t group;
  uint32_t gathered;
};

struct affine_segment {
  int first_op, op_count; /* in program->ops */
  int first_step, step_count;
  int first_group, group_count;
  int first_item, item_count;
  int first_elided, elided_count;
  int first_saved, saved_count; /* registers that steps write, in program->affine->saved */
  struct register_set scalars;  /* the same registers */
  struct register_set rows;     /* that items write */
};

enum { MAX_CARRIED = 16 };

/* A block that goes back to itself without storing is a loop if all its steps advance evenly: each
 * of their values is linear in the number of the iteration. Then what holds for one iteration and
 * for a later one holds for those between them: exec/affine_loop.h runs them without looking. */
struct affine_block {
  int first_segment, segment_count; /* 0: this block has no affine form */
  struct register_set needs;        /* must be affine at its start */
  struct register_set reads;        /* are read as rows before they are written, or after it */
  struct register_set writes;       /* by any of its operations */
  bool pays;                        /* also for a single warp */
  bool
      in_lockstep; /* no operation of it has a warp wait for another, or look at its lanes' masks */
  int again; /* a loop: the block that leads back to it: itself, or an empty one. Else NO_BLOCK */
  int last_compare;              /* the step that decides about going on, in the segment */
  uint16_t carried[MAX_CARRIED]; /* registers that one iteration leaves for the next */
  int carried_count;
};

struct affine_form {
  int register_count;  /* predicates included */
  int predicate_first; /* number of the first predicate */
  int word_count;      /* of register sets that are in use */
  size_t scratch_bytes;
  struct register_set wide, constants;
  struct affine_block *blocks;
  struct affine_segment *segments;
  struct affine_step *steps;
  struct affine_group *groups;
  struct affine_item *items;
  struct affine_term *terms;
  struct affine_run *runs;
  struct affine_elided *elided;
  const struct op **grouped;
  uint16_t *saved;
  int segment_count, step_count, group_count, item_count, term_count, run_count, elided_count,
      grouped_count, saved_count;
  int segment_room, step_room, item_room, term_room, run_room, elided_room, grouped_room,
      saved_room, group_room;
};

/* Makes program->affine; it stays NULL where the program has nothing to gain. False: no memory. */
bool affine_plan(struct program *program);
void affine_release(struct affine_form *form);

#endif
