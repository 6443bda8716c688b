/* registers.c: how many registers ptxas gives a thread: an estimate.
 *
 * As many as hold values at once, in the order of the PTX. ptxas needs fewer than PTX names: what
 * is the same for all lanes lies in uniform registers, parameters of the kernel in constant memory,
 * addresses of shared memory take 32 bits, and of values that differ by a constant it keeps one.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/draft.h"
#include "harness/sim/decode/linear.h"

struct value {
  vreg r;
  struct linear sum; /* where it begins */
  uint64_t step;     /* what a loop adds to it, */
  int block;         /* here; NO_BLOCK: it stays */
  bool uniform;
};

struct estimate {
  const struct draft *draft;
  uint8_t *units; /* by register: of 32 bits, as ptxas has it */
  bool *uniform;  /* by register: it may be a uniform one */
  int *group;     /* by register: those of a group differ by constants */
  int *members;   /* by group: how many hold values now */
  uint8_t *most;  /* by group: units of its largest */
  uint64_t *set;  /* live at the current place */
  int now, peak;  /* units of those that are not uniform */
  int uniform_now;
  bool *apart; /* by block: only some lanes may be there */
};

static bool is_narrow_use(const struct draft_op *d, int k, const bool *narrow) {
  static const char sums[] = "add_64 sub_64 mad_lo_64 mov_64 shl_64 or_64 mul_lo_64";
  if (op_is_access(&d->op) && k == 0) return d->op.space == PTX_SHARED;
  return d->op.kind == OP_ROW && decode_word(sums, d->op.row->name) >= 0 && narrow[d->reg[0]];
}

/* Which registers of 64 bits need only their low half: addresses in shared memory. */
static bool *find_narrow(const struct draft *draft) {
  bool *narrow = malloc((size_t)draft->vreg_count + 1);
  if (!narrow) return NULL;
  for (int r = 0; r < draft->vreg_count; r++) narrow[r] = draft->widths[r] == 'd';
  for (bool settled = false; !settled;) {
    settled = true;
    for (int i = draft->op_count - 1; i >= 0; i--) {
      const struct draft_op *d = &draft->ops[i];
      if (d->dead) continue;
      for (int k = 0; k < d->used; k++) {
        vreg r = d->reg[k];
        if (is_destination(d, k) || !is_register(r) || !narrow[r]) continue;
        if (is_narrow_use(d, k, narrow)) continue;
        narrow[r] = false;
        settled = false;
      }
    }
  }
  return narrow;
}

/* What one operation makes of its result's units. */
static void weigh_result(struct estimate *e, const struct draft_op *d, vreg r, bool only) {
  bool parameter = d->op.kind == OP_PARAM && d->op.body == cold_load_kernel_param;
  bool constant = op_is_access(&d->op) && d->op.constant && !is_register(d->reg[0]);
  if (only && (parameter || constant)) e->units[r] = 0;
  if (only && d->op.kind == OP_ROW && strcmp(d->op.row->name, "cvt_u64_u32") == 0 && e->units[r])
    e->units[r] = 1; /* the other half is RZ */
}

/* Sets units[]; definitions: of each register, how many. */
static bool weigh(struct estimate *e, const uint8_t *definitions) {
  const struct draft *draft = e->draft;
  bool *narrow = find_narrow(draft), ok = narrow && uniform_only_kept(draft, e->uniform);
  for (int r = 0; ok && r < draft->vreg_count; r++) {
    char width = draft->widths[r];
    e->units[r] = width == 'p' ? 0 : width == 'd' && !narrow[r] ? 2 : 1;
  }
  for (int i = 0; ok && i < draft->op_count; i++) {
    const struct draft_op *d = &draft->ops[i];
    for (int k = 0; !d->dead && k < d->used; k++)
      if (is_destination(d, k) && is_register(d->reg[k]))
        weigh_result(e, d, d->reg[k], definitions[d->reg[k]] == 1);
  }
  free(narrow);
  return ok;
}

static int by_terms(const void *a, const void *b) {
  const struct value *v = a, *w = b;
  const struct linear *x = &v->sum, *y = &w->sum;
  if (v->uniform != w->uniform) return v->uniform ? -1 : 1;
  if (v->block != w->block) return v->block < w->block ? -1 : 1;
  if (v->step != w->step) return v->step < w->step ? -1 : 1;
  if (x->count != y->count) return x->count < y->count ? -1 : 1;
  for (int i = 0; i < x->count; i++) {
    if (x->term[i] != y->term[i]) return x->term[i] < y->term[i] ? -1 : 1;
    if (v->uniform) continue; /* the sum of others is made where it is needed */
    if (x->factor[i] != y->factor[i]) return x->factor[i] < y->factor[i] ? -1 : 1;
  }
  return 0;
}

/* Is this a step of a loop, r = r + constant? */
static bool is_step(const struct draft_op *d) {
  return d->op.kind == OP_ROW && decode_word("add_32 add_64", d->op.row->name) >= 0 &&
         d->reg[1] == d->reg[0] && d->reg[2] < 0 && d->reg[2] != NO_VREG && !d->op.guarded;
}

/* Notes what defines registers: values of one definition, and what begins with one and then steps.
 * Returns how many. */
static int find_values(struct estimate *e, const uint8_t *definitions, struct linear_facts *facts,
                       struct value *values) {
  const struct draft *draft = e->draft;
  int *at = e->members, count = 0; /* of registers: which value */
  for (int r = 0; r < draft->vreg_count; r++) at[r] = -1;
  for (int i = 0; i < draft->op_count; i++) {
    const struct draft_op *d = &draft->ops[i];
    vreg r = d->reg[0];
    if (d->dead || !is_register(r) || !is_destination(d, 0) || is_step(d)) continue;
    if (definitions[r] > 2 || !e->units[r] || at[r] >= 0) continue;
    at[r] = count;
    int definition = facts->definition[r];
    facts->definition[r] = i; /* of a value that steps: where it begins */
    /* NO_BLOCK - 1 - r: of two definitions, as long as no step is known */
    values[count++] = (struct value){.r = r,
                                     .sum = linear_of(facts, r, i),
                                     .block = definitions[r] == 1 ? NO_BLOCK : NO_BLOCK - 1 - r,
                                     .uniform = e->uniform[r]};
    facts->definition[r] = definition;
  }
  for (int i = 0; i < draft->op_count; i++) {
    const struct draft_op *d = &draft->ops[i];
    vreg r = d->reg[0];
    if (d->dead || !is_register(r) || !is_step(d) || definitions[r] != 2 || at[r] < 0) continue;
    values[at[r]].block = facts->block[i];
    values[at[r]].step = draft->constants[~d->reg[2]].value;
  }
  return count;
}

/* Sets group[]: integers that differ by a constant, always, are one's. */
static bool find_groups(struct estimate *e, const uint8_t *definitions) {
  const struct draft *draft = e->draft;
  struct linear_facts facts;
  struct value *values = malloc(((size_t)draft->vreg_count + 1) * sizeof *values);
  bool ok = linear_find(&facts, draft) && values;
  int count = ok ? find_values(e, definitions, &facts, values) : 0;
  for (int r = 0; r < draft->vreg_count; r++) e->group[r] = r;
  if (ok) qsort(values, (size_t)count, sizeof *values, by_terms);
  for (int i = 0; i < count; i++) {
    bool same = i > 0 && by_terms(&values[i - 1], &values[i]) == 0;
    const struct linear *sum = &values[i].sum;
    bool moved = values[i].block == NO_BLOCK && sum->count == 1 && sum->factor[0] == 1 &&
                 e->uniform[sum->term[0]] == values[i].uniform;
    e->group[values[i].r] = same ? e->group[values[i - 1].r] : moved ? sum->term[0] : values[i].r;
  }
  for (int r = 0; r < draft->vreg_count; r++)
    if (e->most[e->group[r]] < e->units[r]) e->most[e->group[r]] = e->units[r];
  linear_free(&facts);
  free(values);
  return ok;
}

static bool is_live(const struct estimate *e, vreg r) { return e->set[r / 64] >> (r % 64) & 1; }

/* The register begins, +1, or ends, -1, to hold a value. */
static void hold(struct estimate *e, vreg r, int change) {
  int *members = &e->members[e->group[r]], before = *members;
  e->set[r / 64] ^= UINT64_C(1) << (r % 64);
  if (!e->units[r]) return;
  *members += change;
  if (before && *members) return;
  *(e->uniform[r] ? &e->uniform_now : &e->now) += change * e->most[e->group[r]];
}
static void revive(struct estimate *e, vreg r) {
  if (is_register(r) && !is_live(e, r)) hold(e, r, 1);
}
static void kill(struct estimate *e, vreg r) {
  if (is_live(e, r)) hold(e, r, -1);
}
static void note_peak(struct estimate *e, int more) {
  if (e->now + more > e->peak) e->peak = e->now + more;
}

/* How many more registers what ptxas makes of an operation takes while it runs. Of nvcc 13: kernels
 * in which 0, 8 and 14 doubles are held meanwhile take so many more, most of them in all three. */
static int temporaries(const struct draft_op *d) {
  static const struct {
    const char *names;
    int count;
  } rows[] = {{"div_f64", 12}, {"sqrt_f64 div_s64 rem_s64 div_u64 rem_u64", 6}, {"div_f32", 3}},
    functions[] = {{"pow", 16},
                   {"sin cos tan sincos", 13},
                   {"log log2 log10 log1p fmod sinf cosf tanf sincosf atan2f", 6}};
  if (d->op.kind == OP_ROW)
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      if (decode_word(rows[i].names, d->op.row->name) >= 0) return rows[i].count;
  if (d->op.body == cold_intrinsic)
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
      if (decode_word(functions[i].names, d->op.call->intrinsic->name) >= 0)
        return functions[i].count;
  return 0;
}

/* ---- where lanes go different ways ---- */

/* Marks blocks that a way leads to from this one before `meet`. */
static void mark_ways(const struct draft *draft, int from, int meet, bool *marked, int *stack) {
  int depth = 0, to[2];
  for (int block = from;; block = stack[--depth]) {
    block_successors(&draft->blocks[block].end, to);
    for (int i = 0; i < 2; i++) {
      if (to[i] == NO_BLOCK || to[i] == meet || marked[to[i]]) continue;
      marked[to[i]] = true;
      stack[depth++] = to[i];
    }
    if (!depth) return;
  }
}

/* Sets apart[] by block: only some lanes may be there. Not where the others have ended, nor
 * anywhere in a kernel so large that looking at it would take long. False if memory runs out. */
static bool find_apart(const struct draft *draft, bool *apart) {
  enum { MOST_BLOCKS = 4096 };
  int count = draft->block_count;
  if (count > MOST_BLOCKS) return true;
  int *stack = malloc(((size_t)count + 1) * sizeof *stack);
  bool *marked = malloc((size_t)count + 1), ok = stack && marked;
  for (int b = 0; ok && b < count; b++) {
    const struct basic_block *end = &draft->blocks[b].end;
    if (end->end != END_BRANCH || end->uniform_branch) continue;
    memset(marked, false, (size_t)count);
    mark_ways(draft, b, end->reconverge, marked, stack);
    const struct draft_block *meet =
        end->reconverge == NO_BLOCK ? NULL : &draft->blocks[end->reconverge];
    bool ends =
        !meet || (meet->count == 0 && meet->end.end >= END_RETURN && meet->end.end <= END_EXIT);
    if (ends && !marked[b]) continue;
    for (int i = 0; i < count; i++) apart[i] |= marked[i];
  }
  free(stack);
  free(marked);
  return ok;
}

/* Where lanes go different ways, what is the same for all of them lies in ordinary registers, too,
 * but for what comes from constant memory again: in loops that nvcc 13 made of other people's
 * programs, about as many as there are, up to a few. */
enum { FEW = 4 };

static void walk(struct estimate *e, struct draft_block *block, const uint64_t *out, size_t words) {
  const vreg sources[] = {block->predicate, block->reduce_from, block->barrier_number,
                          block->barrier_threads, block->call_pointer};
  memset(e->set, 0, words * sizeof *e->set);
  memset(e->members, 0, ((size_t)e->draft->vreg_count + 1) * sizeof *e->members);
  e->now = e->uniform_now = 0;
  for (size_t w = 0; w < words; w++)
    for (uint64_t left = out[w]; left; left &= left - 1)
      revive(e, (vreg)(w * 64) + __builtin_ctzll(left));
  bool apart = e->apart[block - e->draft->blocks];
  block->end.registers = e->now + (!apart ? 0 : e->uniform_now < FEW ? e->uniform_now : FEW);
  note_peak(e, 0);
  if (is_register(block->reduce_to)) kill(e, block->reduce_to);
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) revive(e, sources[i]);
  for (int i = block->first + block->count - 1; i >= block->first; i--) {
    const struct draft_op *d = &e->draft->ops[i];
    if (d->dead) continue;
    note_peak(e, temporaries(d));
    for (int k = 0; k < d->used; k++)
      if (is_destination(d, k) && is_register(d->reg[k]) && !d->op.guarded) kill(e, d->reg[k]);
    for (int k = 0; k < d->used; k++)
      if (!is_destination(d, k) || d->op.guarded) revive(e, d->reg[k]);
    if (d->op.guarded) revive(e, d->guard);
  }
  note_peak(e, 0);
}

int registers_estimate(struct draft *draft, const uint64_t *out, size_t words) {
  size_t count = (size_t)draft->vreg_count + 1;
  uint8_t *definitions = calloc(count, 1);
  struct estimate e = {.draft = draft,
                       .units = calloc(count, 1),
                       .uniform = uniform_find(draft),
                       .group = malloc(count * sizeof *e.group),
                       .members = malloc(count * sizeof *e.members),
                       .most = calloc(count, 1),
                       .set = malloc(words * sizeof *e.set),
                       .apart = calloc((size_t)draft->block_count + 1, sizeof *e.apart)};
  bool ok =
      definitions && e.units && e.uniform && e.group && e.members && e.most && e.set && e.apart;
  for (int i = 0; ok && i < draft->op_count; i++) {
    const struct draft_op *d = &draft->ops[i];
    for (int k = 0; !d->dead && k < d->used; k++)
      if (is_destination(d, k) && is_register(d->reg[k]) && definitions[d->reg[k]] < 2)
        definitions[d->reg[k]]++;
  }
  for (int b = 0; ok && b < draft->block_count; b++) {
    struct draft_block *block = &draft->blocks[b];
    block->end.uniform_branch = !is_register(block->predicate) || e.uniform[block->predicate];
  }
  ok = ok && weigh(&e, definitions) && find_groups(&e, definitions) && find_apart(draft, e.apart);
  for (int b = 0; ok && b < draft->block_count; b++)
    walk(&e, &draft->blocks[b], out + (size_t)b * words, words);
  free(definitions);
  free(e.units);
  free(e.uniform);
  free(e.group);
  free(e.members);
  free(e.most);
  free(e.set);
  free(e.apart);
  return ok ? e.peak : -1;
}
