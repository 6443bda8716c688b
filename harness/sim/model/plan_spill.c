/* plan_spill.c: which values a compiler keeps in local memory where a kernel may have fewer
 * registers than it needs (__launch_bounds__), and where it stores and loads them.
 *
 * Registers are given as in a cache whose accesses are known ahead (Belady): the value that is
 * needed last gives way. Those from before the block begin in registers as far as there are any. A
 * loop is gone through three times, and the second one counts.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/sim/model/planner.h"

enum {
  OTHERS = 6, /* registers for addresses, and for what is loaded ahead */
  AHEAD = 8,  /* operations between a load and the one that needs it */
  ROUNDS = 3,
  NEVER = INT32_MAX,
};

/* A value: those from before the block by number, then the results of each round's operations. */
struct datum {
  int next; /* when it is used next, in operations since the start */
  int8_t words;
  bool held;  /* in registers */
  bool saved; /* in local memory */
};

struct spiller {
  struct planner *b;
  struct datum *data;
  const struct plan_op *ops; /* of the block, as they are without spills */
  int *next_use;             /* by time and input: when the same datum is used after that */
  int *final;                /* by value: the operation of a round that makes it last, or -1 */
  int outside, count, rounds, room, used;
};

static int datum_of(const struct spiller *s, int round, int input) {
  if (input >= 0) return s->outside + round * s->b->to->count + input;
  int value = ~input, final = s->final[value];
  return round && final >= 0 ? s->outside + (round - 1) * s->b->to->count + final : value;
}

static void find_words(struct spiller *s, const struct program *program) {
  const struct values *values = s->b->values;
  const struct plan_block *to = s->b->to;
  for (size_t i = 0; i < values->offsets; i++)
    if (values->number[i] >= 0)
      s->data[values->number[i]].words = (int8_t)register_words(program, i * 4);
  for (int i = 0; i < to->count * s->rounds; i++) {
    const struct op *op = op_at(s->b, i % to->count);
    int words = 0;
    for (int k = 0; k < OP_SLOTS; k++)
      if (op->written >> k & 1) words += register_words(program, op->slot[k]);
    s->data[s->outside + i].words = to->ops[i % to->count].is_step ? 0 : (int8_t)words;
  }
}

/* From the end to the start. What the block makes for others, and what it does not change, is
 * needed some time after it. */
static void find_uses(struct spiller *s) {
  const struct plan_block *to = s->b->to;
  int end = to->count * s->rounds;
  for (int d = 0; d < s->count; d++) s->data[d].next = NEVER;
  for (int v = 0; v < s->outside; v++)
    if (s->final[v] < 0) s->data[v].next = end;
  for (int i = 0; i < to->result_count; i++)
    s->data[datum_of(s, s->rounds, ~to->results[i].value)].next = end;
  for (int t = end - 1; t >= 0; t--) {
    const struct plan_op *op = &s->ops[to->order[t % to->count]];
    for (int k = 0; k < op->input_count; k++) {
      struct datum *datum = &s->data[datum_of(s, t / to->count, op->inputs[k])];
      s->next_use[t * MAX_INPUTS + k] = datum->next == t ? NEVER : datum->next;
      datum->next = t;
    }
  }
}

/* The same for a value in every round, so that it has one place in local memory. */
static int slot_of(const struct spiller *s, int datum) {
  if (datum < s->outside) return datum;
  int op = (datum - s->outside) % s->b->to->count;
  for (int i = 0; i < s->b->to->result_count; i++)
    if (s->b->to->results[i].op == op) return s->b->to->results[i].value;
  return s->outside + op;
}

/* Notes an access, if this is the round that counts. Returns its number, -1: it is not noted. */
static int note(struct spiller *s, int t, int datum, bool stores) {
  struct plan_block *to = s->b->to;
  int at = t % to->count;
  if (t / to->count != s->rounds / 2 || to->count + to->spill_count >= INT16_MAX ||
      !ARRAY_RESERVE(to->spills, to->spill_room, to->spill_count + 1))
    return -1;
  to->spills[to->spill_count] = (struct plan_spill){.at = (int16_t)(stores       ? at
                                                                    : at < AHEAD ? 0
                                                                                 : at - AHEAD),
                                                    .slot = (int16_t)slot_of(s, datum),
                                                    .words = (uint8_t)s->data[datum].words,
                                                    .stores = stores};
  return to->spill_count++;
}

static void drop(struct spiller *s, struct datum *datum) {
  s->used -= datum->held ? datum->words : 0;
  datum->held = false;
}

/* Takes registers for a datum. The operation at hand needs its own until it is done. */
static void hold(struct spiller *s, int t, int number) {
  s->data[number].held = true;
  s->used += s->data[number].words;
  while (s->used > s->room) {
    int last = -1;
    for (int d = 0; d < s->count; d++)
      if (s->data[d].held && s->data[d].words && d != number && s->data[d].next > t &&
          (last < 0 || s->data[d].next > s->data[last].next))
        last = d;
    if (last < 0) return;
    if (!s->data[last].saved) note(s, t, last, true);
    s->data[last].saved = true;
    drop(s, &s->data[last]);
  }
}

static void execute(struct spiller *s, int t) {
  struct plan_block *to = s->b->to;
  int round = t / to->count, i = to->order[t % to->count];
  const struct plan_op *op = &s->ops[i];
  int data[MAX_INPUTS];
  for (int k = 0; k < op->input_count; k++) data[k] = datum_of(s, round, op->inputs[k]);
  for (int k = 0; k < op->input_count; k++) {
    struct datum *datum = &s->data[data[k]];
    if (datum->held || !datum->words) continue;
    int load = note(s, t, data[k], false);
    if (load >= 0) to->ops[i].inputs[k] = (int16_t)(to->count + load);
    hold(s, t, data[k]);
  }
  for (int k = 0; k < op->input_count; k++) {
    struct datum *datum = &s->data[data[k]];
    datum->next = s->next_use[t * MAX_INPUTS + k];
    if (datum->next == NEVER) drop(s, datum);
  }
  struct datum *made = &s->data[s->outside + round * to->count + i];
  if (made->next != NEVER && made->words) hold(s, t, s->outside + round * to->count + i);
}

static int by_place(const void *a, const void *b) {
  const struct plan_spill *x = a, *y = b;
  return x->at != y->at ? x->at - y->at : x->number - y->number;
}

/* Does the block lead back to itself? */
static bool is_loop(const struct program *program, const struct plan_block *to) {
  int first = (int)to->parts[0].number - program->block_base;
  return to->block->end == END_BRANCH && (to->block->target == first || to->block->next == first);
}

bool spill_values(struct planner *b, const struct program *program) {
  struct plan_block *to = b->to;
  struct spiller s = {.b = b, .outside = b->values->next, .room = b->registers - OTHERS};
  s.rounds = is_loop(program, to) ? ROUNDS : 1;
  s.count = s.outside + to->count * s.rounds;
  struct plan_op *ops = malloc(((size_t)to->count + 1) * sizeof *ops);
  s.ops = ops;
  s.data = calloc((size_t)s.count + 1, sizeof *s.data);
  s.next_use = calloc((size_t)(to->count * s.rounds) * MAX_INPUTS + 1, sizeof *s.next_use);
  s.final = malloc(((size_t)s.outside + 1) * sizeof *s.final);
  bool ok = ops && s.data && s.next_use && s.final;
  if (ok) {
    memcpy(ops, to->ops, (size_t)to->count * sizeof *ops);
    for (int v = 0; v < s.outside; v++) s.final[v] = -1;
    for (int i = 0; i < to->result_count; i++) s.final[to->results[i].value] = to->results[i].op;
    find_words(&s, program);
    find_uses(&s);
    for (int v = 0; v < s.outside; v++) s.data[v].saved = true; /* by whoever made it */
    for (int t = 0; t < to->count * s.rounds; t++) execute(&s, t);
    for (int i = 0; i < to->spill_count; i++) to->spills[i].number = (int16_t)i;
    if (to->spill_count) qsort(to->spills, (size_t)to->spill_count, sizeof *to->spills, by_place);
  }
  free(ops);
  free(s.data);
  free(s.next_use);
  free(s.final);
  return ok;
}
