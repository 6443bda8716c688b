/* fuse.c: merges neighbouring 4-byte loads from shared memory into 8- and 16-byte ones, as ptxas does.
 *
 * Loads of one basic block with the same base register, whose offsets fill an aligned group of four (or two) words, become one
 * load, if the base is known to be aligned and nothing between them may write shared memory or synchronise. Measured on an
 * H100: with this, executed shared loads of tiled products equal Nsight Compute's count exactly.
 */
#include <stdlib.h>
#include <string.h>

#include "cold.h"
#include "draft.h"

enum { KNOWN_BITS = 16 };

/* Trailing zero bits that a register always has, from the operations that define it. Optimistic, then lowered to a fixpoint. */
static int value_zeros(uint64_t value) { return value ? __builtin_ctzll(value) : KNOWN_BITS; }

static int least(int a, int b) { return a < b ? a : b; }

static int source_zeros(const struct draft *draft, const uint8_t *zeros, vreg r) {
  if (r == NO_VREG) return 0;
  return r < 0 ? least(value_zeros(draft->constants[~r].value), KNOWN_BITS) : zeros[r];
}

static bool constant_value(const struct draft *draft, vreg r, uint64_t *value) {
  if (r >= 0 || r == NO_VREG) return false;
  *value = draft->constants[~r].value;
  return true;
}

static int result_zeros(const struct draft *draft, const uint8_t *zeros, const struct draft_op *d) {
  const char *name = d->op.extra && d->in_place ? ((const struct op_info *)d->op.extra)->name : "";
  int a = d->used > 1 ? source_zeros(draft, zeros, d->reg[1]) : 0;
  int b = d->used > 2 ? source_zeros(draft, zeros, d->reg[2]) : 0;
  int c = d->used > 3 ? source_zeros(draft, zeros, d->reg[3]) : 0;
  uint64_t amount;
#define IS(text) (strncmp(name, text, sizeof text - 1) == 0)
  if (IS("mov_") || IS("cvt_s64_s32") || IS("cvt_u64_u32") || IS("cvt_u32_u64") || IS("neg_s") || IS("cvt_u64_s32")) return a;
  if (IS("add_32") || IS("add_64") || IS("sub_32") || IS("sub_64") || IS("or_") || IS("xor_")) return least(a, b);
  if (IS("and_")) return a > b ? a : b;
  if (IS("mul_lo") || IS("mul_wide")) return least(a + b, KNOWN_BITS);
  if (IS("mad_lo") || IS("mad_wide")) return least(least(a + b, c), KNOWN_BITS);
  if (IS("shl_") && constant_value(draft, d->reg[2], &amount)) return least(a + (int)least((int)amount, KNOWN_BITS), KNOWN_BITS);
#undef IS
  return 0;
}

static uint8_t *find_zeros(const struct draft *draft) {
  uint8_t *zeros = malloc((size_t)draft->vreg_count + 1);
  if (!zeros) return NULL;
  memset(zeros, KNOWN_BITS, (size_t)draft->vreg_count + 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < draft->op_count; i++) {
      const struct draft_op *d = &draft->ops[i];
      for (int k = 0; k < d->used; k++) {
        vreg r = d->reg[k];
        if (!(d->writes >> k & 1) || r < 0 || r == NO_VREG) continue;
        int known = k == 0 ? result_zeros(draft, zeros, d) : 0;
        if (known < zeros[r]) {
          zeros[r] = (uint8_t)known;
          changed = true;
        }
      }
    }
  }
  return zeros;
}

static bool is_candidate(const struct draft_op *d) {
  return !d->dead && d->op.run[0] == cold_load_marker && d->op.space == PTX_SHARED && d->op.size == 4 && d->op.count == 1 &&
         !d->op.wide && !d->op.guarded && !d->op.is_volatile;
}

/* Whether loads may not be moved across this operation. */
static bool is_fence(const struct draft_op *d) {
  if (d->op.run[0] == cold_store_marker) return d->op.space == PTX_SHARED || d->op.space == PTX_GENERIC;
  return d->op.orders_shared;
}

/* Is register r written by operation i? */
static bool defines(const struct draft_op *d, vreg r) {
  for (int k = 0; k < d->used; k++)
    if (d->writes >> k & 1 && d->reg[k] == r) return true;
  return false;
}

/* Merges the group of `width` words that starts at offset and belongs to the base of ops[first], if all are there before
 * `end`. Later loads move up to the first; their destinations must be untouched in between (they are, in what compilers emit, where
 * a register has one definition; it is checked). */
static void try_group(struct draft *draft, int first, int end, int width) {
  struct draft_op *lead = &draft->ops[first];
  int64_t start = lead->op.offset & ~(int64_t)(4 * width - 1);
  struct draft_op *members[4] = {NULL, NULL, NULL, NULL};
  for (int i = first; i < end; i++) {
    struct draft_op *d = &draft->ops[i];
    if (!is_candidate(d) || d->reg[0] != lead->reg[0]) continue;
    int64_t word = (d->op.offset - start) / 4;
    if (d->op.offset < start || word >= width || members[word]) continue;
    for (int j = first; j < i; j++) {
      const struct draft_op *between = &draft->ops[j];
      for (int k = 0; k < between->used; k++)
        if (between->reg[k] == d->reg[1]) return; /* its destination is in use before */
    }
    members[word] = d;
  }
  for (int w = 0; w < width; w++)
    if (!members[w]) return;
  vreg destinations[4];
  for (int w = 0; w < width; w++) destinations[w] = members[w]->reg[1];
  for (int w = 0; w < width; w++)
    if (members[w] != lead) members[w]->dead = true;
  lead->op.offset = start;
  lead->op.count = (uint8_t)width;
  for (int w = 0; w < width; w++) {
    lead->reg[1 + w] = destinations[w];
    lead->writes |= (uint16_t)(1u << (1 + w));
  }
  lead->used = (uint8_t)(1 + width);
}

bool fuse_shared_loads(struct draft *draft) {
  bool any = false;
  for (int i = 0; i < draft->op_count && !any; i++) any = is_candidate(&draft->ops[i]);
  if (!any) return true;
  uint8_t *zeros = find_zeros(draft);
  if (!zeros) return false;
  for (int b = 0; b < draft->block_count; b++) {
    int begin = draft->blocks[b].first, stop = begin + draft->blocks[b].count;
    for (int i = begin; i < stop; i++) {
      struct draft_op *d = &draft->ops[i];
      if (!is_candidate(d)) continue;
      int end = i + 1; /* the stretch in which loads with this base may be merged */
      while (end < stop && !is_fence(&draft->ops[end]) && !defines(&draft->ops[end], d->reg[0])) end++;
      int known = source_zeros(draft, zeros, d->reg[0]);
      if (known >= 4) try_group(draft, i, end, 4);
      if (known >= 3 && d->op.count == 1) try_group(draft, i, end, 2);
    }
  }
  free(zeros);
  return true;
}
