/* linear.c: a data-flow analysis of addresses: sums of registers times constants, and remainders
 * modulo powers of two. */
#include "harness/sim/decode/linear.h"

#include <stdlib.h>
#include <string.h>

enum { KNOWN_BITS = 16, DEPTH = 16 };

static int min(int a, int b) { return a < b ? a : b; }

static struct residue known(int bits, uint64_t value) {
  bits = min(bits, KNOWN_BITS);
  return (struct residue){(uint8_t)bits, (uint16_t)(value & ((1u << bits) - 1))};
}

static int value_zeros(uint64_t value) {
  return value ? min(__builtin_ctzll(value), KNOWN_BITS) : KNOWN_BITS;
}

/* Known trailing zero bits of a value. */
static int zeros_of(struct residue a) { return min(value_zeros(a.residue), a.bits); }

static struct residue source_residue(const struct linear_facts *facts, vreg r) {
  if (r == NO_VREG) return known(0, 0);
  return r < 0 ? known(KNOWN_BITS, facts->draft->constants[~r].value) : facts->residues[r];
}

static bool constant_value(const struct draft *draft, vreg r, uint64_t *value) {
  if (r >= 0 || r == NO_VREG) return false;
  *value = draft->constants[~r].value;
  return true;
}

/* What an operation computes; COPY: the low 32 bits of its one source. */
/* clang-format off */
enum form {
  OTHER, COPY, NEGATION, SUM, DIFFERENCE, PRODUCT, PRODUCT_SUM, SHIFT_LEFT, AND, OR, XOR, FORMS
};
/* clang-format on */

static enum form form_of(const struct draft_op *d) {
  static const char *const rows[FORMS] = {
      [COPY] = "mov_32 mov_64 cvt_s64_s32 cvt_u64_u32 cvt_u32_u64 cvt_32_32 cvt_64_64 cvt_u64_s32",
      [NEGATION] = "neg_s16 neg_s32 neg_s64",
      [SUM] = "add_32 add_64",
      [DIFFERENCE] = "sub_32 sub_64",
      [PRODUCT] = "mul_lo_32 mul_lo_64 mul_wide_s32 mul_wide_u32",
      [PRODUCT_SUM] = "mad_lo_32 mad_lo_64 mad_wide_s32 mad_wide_u32",
      [SHIFT_LEFT] = "shl_16 shl_32 shl_64",
      [AND] = "and_16 and_32 and_64",
      [OR] = "or_16 or_32 or_64",
      [XOR] = "xor_16 xor_32 xor_64",
  };
  for (int form = COPY; d->op.kind == OP_ROW && form < FORMS; form++)
    if (decode_word(rows[form], d->op.row->name) >= 0) return (enum form)form;
  return OTHER;
}

/* ---- residues ---- */

/* Not yet reached: as if any value were known. */
static const struct residue unreached = {UINT8_MAX, 0};
static bool is_reached(struct residue a) { return a.bits != UINT8_MAX; }

static struct residue sum_of(struct residue a, struct residue b) {
  return known(min(a.bits, b.bits), (uint64_t)a.residue + b.residue);
}

static struct residue product_of(struct residue a, struct residue b) {
  return known(min(a.bits + zeros_of(b), b.bits + zeros_of(a)), (uint64_t)a.residue * b.residue);
}

/* and, or: a bit is known if both are, or if one is known to be `deciding`. */
static struct residue logic_of(struct residue a, struct residue b, bool is_and) {
  unsigned deciding = is_and ? 0 : 1;
  int bits = 0;
  for (; bits < KNOWN_BITS; bits++) {
    bool has_a = bits < a.bits, has_b = bits < b.bits;
    bool decided = (has_a && (a.residue >> bits & 1u) == deciding) ||
                   (has_b && (b.residue >> bits & 1u) == deciding);
    if (!decided && !(has_a && has_b)) break;
  }
  return known(bits, is_and ? a.residue & b.residue : a.residue | b.residue);
}

static struct residue join(struct residue a, struct residue b) {
  if (!is_reached(a)) return b;
  if (!is_reached(b)) return a;
  return known(min(min(a.bits, b.bits), value_zeros(a.residue ^ b.residue)), a.residue);
}

/* What is known of the result of operation i. */
static struct residue result_residue(const struct linear_facts *facts, int i) {
  const struct draft_op *d = &facts->draft->ops[i];
  struct residue source[3] = {{0, 0}, {0, 0}, {0, 0}};
  for (int k = 1; k < d->used && k <= 3; k++) {
    source[k - 1] = source_residue(facts, d->reg[k]);
    if (!is_reached(source[k - 1])) return unreached;
  }
  struct residue a = source[0], b = source[1], c = source[2];
  enum form form = facts->form[i];
  uint64_t amount;
  if (form == COPY) return a;
  if (form == NEGATION) return known(a.bits, 0u - (uint64_t)a.residue);
  if (form == SUM) return sum_of(a, b);
  if (form == DIFFERENCE) return known(min(a.bits, b.bits), (uint64_t)a.residue - b.residue);
  if (form == XOR) return known(min(a.bits, b.bits), a.residue ^ b.residue);
  if (form == AND || form == OR) return logic_of(a, b, form == AND);
  if (form == PRODUCT) return product_of(a, b);
  if (form == PRODUCT_SUM) return sum_of(product_of(a, b), c);
  if (form == SHIFT_LEFT && constant_value(facts->draft, d->reg[2], &amount))
    return amount < KNOWN_BITS ? known(a.bits + (int)amount, (uint64_t)a.residue << amount)
                               : known(KNOWN_BITS, 0);
  return known(0, 0);
}

/* Rounds until a fixpoint, a few for compiled code. Without a fixpoint nothing is known. */
enum { MAX_ROUNDS = 300 };

/* Optimistic, then lowered to a fixpoint. */
static void find_residues(struct linear_facts *facts) {
  const struct draft *draft = facts->draft;
  for (int r = 0; r < draft->vreg_count; r++) facts->residues[r] = unreached;
  int round = 0;
  for (bool changed = true; changed; round++) {
    changed = false;
    for (int i = 0; i < draft->op_count && round < MAX_ROUNDS; i++) {
      const struct draft_op *d = &draft->ops[i];
      for (int k = 0; k < d->used; k++) {
        vreg r = d->reg[k];
        if (!is_destination(d, k) || !is_register(r)) continue;
        struct residue old = facts->residues[r],
                       now = join(old, k == 0 ? result_residue(facts, i) : known(0, 0));
        if (now.bits == old.bits && now.residue == old.residue) continue;
        facts->residues[r] = now;
        changed = true;
      }
    }
  }
  for (int r = 0; r < draft->vreg_count; r++)
    if (!is_reached(facts->residues[r]) || round > MAX_ROUNDS) facts->residues[r] = known(0, 0);
}

/* ---- definitions ---- */

static void find_definitions(struct linear_facts *facts) {
  const struct draft *draft = facts->draft;
  for (int r = 0; r < draft->vreg_count; r++) facts->definition[r] = NO_DEFINITION;
  for (int b = 0; b < draft->block_count; b++)
    for (int i = 0; i < draft->blocks[b].count; i++) facts->block[draft->blocks[b].first + i] = b;
  for (int i = 0; i < draft->op_count; i++) {
    const struct draft_op *d = &draft->ops[i];
    for (int k = 0; k < d->used; k++) {
      vreg r = d->reg[k];
      if (!is_destination(d, k) || !is_register(r)) continue;
      bool first = facts->definition[r] == NO_DEFINITION && !d->op.guarded;
      facts->definition[r] = first ? i : MANY_DEFINITIONS;
    }
  }
}

bool linear_find(struct linear_facts *facts, const struct draft *draft) {
  enum { MAX_STEPS = 1 << 28 }; /* a thousand times what a large kernel takes */
  *facts = (struct linear_facts){
      .draft = draft,
      .steps = MAX_STEPS,
      .residues = malloc(((size_t)draft->vreg_count + 1) * sizeof(struct residue)),
      .definition = malloc(((size_t)draft->vreg_count + 1) * sizeof(int)),
      .block = malloc(((size_t)draft->op_count + 1) * sizeof(int)),
      .form = malloc((size_t)draft->op_count + 1),
  };
  if (!facts->residues || !facts->definition || !facts->block || !facts->form) return false;
  for (int i = 0; i < draft->op_count; i++) facts->form[i] = (uint8_t)form_of(&draft->ops[i]);
  find_residues(facts);
  find_definitions(facts);
  return true;
}

void linear_free(struct linear_facts *facts) {
  free(facts->residues);
  free(facts->definition);
  free(facts->block);
  free(facts->form);
}

/* ---- sums ---- */

/* Has the register the same value at operation `at` as it had at the earlier operation `from`? A
 * register with one definition has, because that definition comes before (PTX from a compiler is in
 * SSA form, but for the copies that join paths). */
static bool is_unchanged(struct linear_facts *facts, vreg r, int from, int at) {
  if (r < 0 || facts->definition[r] != MANY_DEFINITIONS) return true;
  if (facts->block[from] != facts->block[at] || from > at || facts->steps < at - from) return false;
  facts->steps -= at - from;
  for (int i = from; i < at; i++)
    if (draft_defines(&facts->draft->ops[i], r)) return false;
  return true;
}

static bool add_term(struct linear *sum, vreg r, uint32_t factor) {
  int i = 0;
  while (i < sum->count && sum->term[i] < r) i++;
  if (i < sum->count && sum->term[i] == r) {
    sum->factor[i] += factor;
    if (sum->factor[i]) return true;
    sum->count--;
    for (; i < sum->count; i++) {
      sum->term[i] = sum->term[i + 1];
      sum->factor[i] = sum->factor[i + 1];
    }
    return true;
  }
  if (sum->count == LINEAR_TERMS) return false;
  for (int k = sum->count++; k > i; k--) {
    sum->term[k] = sum->term[k - 1];
    sum->factor[k] = sum->factor[k - 1];
  }
  sum->term[i] = r;
  sum->factor[i] = factor;
  return true;
}

/* Adds the value that register r has at operation `at`, times factor. False: too many terms. */
static bool add_register(struct linear_facts *facts, struct linear *sum, vreg r, uint32_t factor,
                         int at, int depth) {
  const struct draft *draft = facts->draft;
  uint64_t value;
  if (constant_value(draft, r, &value)) {
    sum->constant += (uint32_t)value * factor;
    return true;
  }
  int i = facts->definition[r];
  if (i < 0 || depth == 0 || facts->steps-- < 0) return add_term(sum, r, factor);
  const struct draft_op *d = &draft->ops[i];
  for (int k = 0; k < d->used; k++)
    if (!is_destination(d, k) && (d->reg[k] == NO_VREG || !is_unchanged(facts, d->reg[k], i, at)))
      return add_term(sum, r, factor);
  vreg a = d->reg[1], b = d->reg[2], c = d->reg[3];
  enum form form = facts->form[i];
  depth--;
  if (form == COPY) return add_register(facts, sum, a, factor, at, depth);
  bool disjoint = form == OR && constant_value(draft, b, &value) &&
                  value >> zeros_of(source_residue(facts, a)) == 0;
  if (form == SUM || form == DIFFERENCE || disjoint)
    return add_register(facts, sum, a, factor, at, depth) &&
           add_register(facts, sum, b, form == DIFFERENCE ? -factor : factor, at, depth);
  if (form == SHIFT_LEFT && constant_value(draft, b, &value) && value < 32)
    return add_register(facts, sum, a, factor << value, at, depth);
  if ((form == PRODUCT || form == PRODUCT_SUM) &&
      (constant_value(draft, b, &value) || constant_value(draft, a, &value))) {
    vreg variable = b < 0 ? a : b;
    return add_register(facts, sum, variable, factor * (uint32_t)value, at, depth) &&
           (form == PRODUCT || add_register(facts, sum, c, factor, at, depth));
  }
  return add_term(sum, r, factor);
}

struct linear linear_of(struct linear_facts *facts, vreg r, int at) {
  struct linear sum = {.count = 0};
  if (!add_register(facts, &sum, r, 1, at, DEPTH))
    sum = (struct linear){.count = 1, .term = {r}, .factor = {1}};
  return sum;
}

bool linear_same_terms(const struct linear *a, const struct linear *b) {
  if (a->count != b->count) return false;
  for (int i = 0; i < a->count; i++)
    if (a->term[i] != b->term[i] || a->factor[i] != b->factor[i]) return false;
  return true;
}

struct residue linear_residue(const struct linear_facts *facts, const struct linear *linear) {
  struct residue sum = known(KNOWN_BITS, linear->constant);
  for (int i = 0; i < linear->count; i++)
    sum = sum_of(
        sum, product_of(facts->residues[linear->term[i]], known(KNOWN_BITS, linear->factor[i])));
  return sum;
}
