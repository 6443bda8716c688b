/* affine.c: plans the affine form of a program (affine.h says what that is). */
#include "harness/sim/decode/affine.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/sim/decode/affine_flow.h"
#include "harness/sim/decode/isa.h"
#include "harness/sim/decode/stored.h"

/* Limits of one segment; a longer one is cut. */
enum { MAX_SEGMENT_OPS = 2048, MAX_OPEN = 128, MAX_CHAIN = 256 };

/* ---- values of a segment ---- */

/* What a register holds between two writes of it: who uses that, and how. */
struct value {
  int op, element; /* that made it, in the segment; -1: it was there before */
  int factors, addends, others;
};

/* A factor of a multiply-add: an element of a load, or a row of the frame. */
struct factor {
  uint16_t group;    /* FROM_FRAME: at `memory` in the frame */
  int32_t memory;    /* bytes from the group's address */
  uint32_t gathered; /* bytes from the start of the scratch rows */
};

/* A chain under construction. */
struct chain {
  struct product {
    struct factor a, b;
  } * products;
  int count;
  uint32_t from, to;
  int from_register, to_register, value; /* value: of its sum so far */
};

struct planner {
  struct affine_flow *flow;
  struct affine_form *form;
  const struct program *program;
  const struct op *ops; /* of the block */
  uint8_t shape[MAX_AFFINE];
  uint8_t kind[MAX_SEGMENT_OPS]; /* of the segment's operations: enum role */
  struct register_set row_reads, row_writes, scalar_writes, filled;
  /* of the segment */
  struct value *values;
  int value_count, value_room;
  int holds[MAX_AFFINE];                                    /* by register: value */
  int factor[MAX_SEGMENT_OPS][3], made[MAX_SEGMENT_OPS][4]; /* values used and made, by operation */
  int group_of[MAX_SEGMENT_OPS];
  uint32_t gathered_of[MAX_SEGMENT_OPS];
  bool elided[MAX_SEGMENT_OPS];
  struct chain chains[MAX_OPEN];
  int open;
  bool failed;
};

#define APPEND(form, list, item)                                                 \
  (ARRAY_RESERVE((form)->list##s, (form)->list##_room, (form)->list##_count + 1) \
       ? ((form)->list##s[(form)->list##_count++] = (item), true)                \
       : (planner->failed = true, false))

static void put_item(struct planner *planner, struct affine_item item) {
  struct affine_form *form = planner->form;
  APPEND(form, item, item);
}

static bool is_fma(const struct op *op) {
  return op->kind == OP_ROW && !op->guarded && strcmp(op->row->name, "fma_f32") == 0;
}

/* ---- which operations go together ---- */

/* Must a new segment begin before this operation? Steps run before all items, so a register may not
 * be written by a step after an item has used it. */
static bool must_cut(const struct planner *planner, const struct op *op, enum role role) {
  uint16_t registers[OP_SLOTS];
  int count = affine_writes(planner->form, planner->program, op, registers);
  for (int i = 0; i < count; i++) {
    int r = registers[i];
    if (role == ROLE_STEP && (set_has(&planner->row_reads, r) || set_has(&planner->row_writes, r)))
      return true;
    if (role != ROLE_STEP && set_has(&planner->scalar_writes, r)) return true;
  }
  return false;
}

static void note_registers(struct planner *planner, const struct op *op, enum role role) {
  uint16_t registers[2 * OP_SLOTS + 1];
  if (role != ROLE_STEP) {
    int count = affine_reads(planner->form, planner->program, op, registers);
    bool addressed = role == ROLE_LOAD || role == ROLE_STORE;
    for (int i = addressed; i < count; i++) set_add(&planner->row_reads, registers[i]);
  }
  int count = affine_writes(planner->form, planner->program, op, registers);
  for (int i = 0; i < count; i++)
    set_add(role == ROLE_STEP ? &planner->scalar_writes : &planner->row_writes, registers[i]);
}

/* ---- steps ---- */

static uint16_t register_at(const struct planner *planner, const struct op *op, int k) {
  return affine_register(planner->form, planner->program, op->slot[k]);
}

static void put_step(struct planner *planner, const struct op *op, enum affine_code code) {
  struct affine_form *form = planner->form;
  struct affine_step step = {.code = (uint8_t)code, .op = op};
  int to = code == AFFINE_PARAM ? 1 : 0;
  step.to = register_at(planner, op, to);
  if (code < AFFINE_PARAM) {
    step.a = register_at(planner, op, 1);
    step.b = register_at(planner, op, 2);
    step.c = register_at(planner, op, 3);
  }
  if (!APPEND(form, step, step)) return;
  if (step.to >= form->predicate_first) return;
  struct affine_segment *segment = &form->segments[form->segment_count - 1];
  for (int i = segment->first_saved; i < form->saved_count; i++)
    if (form->saved[i] == step.to) return;
  set_add(&segment->scalars, step.to);
  if (ARRAY_RESERVE(form->saved, form->saved_room, form->saved_count + 1))
    form->saved[form->saved_count++] = step.to;
  else
    planner->failed = true;
}

/* Adds a load to its group in the segment; the group's check comes first. */
static void put_in_group(struct planner *planner, struct affine_segment *segment,
                         const struct op *op, int at) {
  struct affine_form *form = planner->form;
  int g = form->group_count - 1;
  while (g >= segment->first_group && form->groups[g].lead->group != op->group) g--;
  if (g < segment->first_group) {
    struct affine_group group = {.lead = op,
                                 .first_op = 0,
                                 .min = op->access.offset,
                                 .max = op->access.offset,
                                 .address = register_at(planner, op, 0)};
    if (!APPEND(form, group, group)) return;
    g = form->group_count - 1;
    struct affine_step check = {
        .code = AFFINE_CHECK, .group = (uint16_t)(g - segment->first_group), .op = op};
    if (!APPEND(form, step, check)) return;
  }
  struct affine_group *group = &form->groups[g];
  if (op->access.offset < group->min) group->min = op->access.offset;
  if (op->access.offset > group->max) group->max = op->access.offset;
  group->op_count++;
  group->misfit |= (op->access.offset - group->lead->access.offset) % op_width(op) != 0;
  planner->group_of[at] = g - segment->first_group;
}

/* ---- values ---- */

static int new_value(struct planner *planner, int op, int element) {
  if (!ARRAY_RESERVE(planner->values, planner->value_room, planner->value_count + 1)) {
    planner->failed = true;
    return 0;
  }
  planner->values[planner->value_count] = (struct value){.op = op, .element = element};
  return planner->value_count++;
}

static int held(struct planner *planner, int r) {
  if (planner->holds[r] < 0) planner->holds[r] = new_value(planner, -1, 0);
  return planner->failed ? 0 : planner->holds[r];
}

/* Finds who uses what in the segment, and which loads only chains use. */
static void find_values(struct planner *planner, const struct affine_segment *segment,
                        const struct register_set *live) {
  const struct affine_form *form = planner->form;
  planner->value_count = 0;
  for (int r = 0; r < form->register_count; r++) planner->holds[r] = -1;
  for (int i = 0; i < segment->op_count && !planner->failed; i++) {
    const struct op *op = planner->program->ops + segment->first_op + i;
    uint16_t registers[2 * OP_SLOTS + 1];
    if (is_fma(op)) {
      for (int k = 0; k < 3; k++) {
        int v = held(planner, register_at(planner, op, 1 + k));
        if (planner->failed) return;
        planner->factor[i][k] = v;
        if (k < 2)
          planner->values[v].factors++;
        else
          planner->values[v].addends++;
      }
    } else {
      int count = affine_reads(form, planner->program, op, registers);
      for (int k = 0; k < count; k++) {
        int v = held(planner, registers[k]);
        if (planner->failed) return;
        planner->values[v].others++;
      }
    }
    int count = affine_writes(form, planner->program, op, registers);
    for (int k = 0; k < count; k++) {
      int v = new_value(planner, i, k);
      planner->holds[registers[k]] = v;
      if (k < 4) planner->made[i][k] = v;
    }
  }
  for (int r = 0; r < form->register_count && !planner->failed; r++)
    if (planner->holds[r] >= 0 && set_has(live, r)) planner->values[planner->holds[r]].others++;
}

static void elide_loads(struct planner *planner, const struct affine_segment *segment) {
  struct affine_form *form = planner->form;
  size_t scratch = 0;
  for (int i = 0; i < segment->op_count; i++) {
    const struct op *op = planner->program->ops + segment->first_op + i;
    planner->elided[i] = false;
    if (planner->kind[i] != ROLE_LOAD || op->size != 4 || op->wide || op->count > 4) continue;
    bool factors_only = true;
    for (int e = 0; e < op->count; e++) {
      const struct value *v = &planner->values[planner->made[i][e]];
      factors_only &= v->others == 0 && v->addends == 0;
      for (int f = 0; f < e; f++) factors_only &= op->slot[1 + e] != op->slot[1 + f];
    }
    if (!factors_only) continue;
    planner->elided[i] = true;
    planner->gathered_of[i] = (uint32_t)scratch;
    struct affine_elided elided = {op, (uint16_t)planner->group_of[i], (uint32_t)scratch};
    if (!ARRAY_RESERVE(form->elided, form->elided_room, form->elided_count + 1)) {
      planner->failed = true;
      return;
    }
    form->elided[form->elided_count++] = elided;
    scratch += (size_t)op->count * SLOT32;
  }
  if (scratch > form->scratch_bytes) form->scratch_bytes = scratch;
}

/* ---- chains ---- */

static struct factor factor_of(const struct planner *planner, const struct op *op, int i, int k,
                               bool *elided) {
  const struct value *v = &planner->values[planner->factor[i][k]];
  *elided = v->op >= 0 && planner->elided[v->op];
  if (!*elided) return (struct factor){.group = FROM_FRAME, .memory = (int32_t)op->slot[1 + k]};
  const struct op *load = op - i + v->op;
  return (struct factor){(uint16_t)planner->group_of[v->op],
                         (int32_t)(load->access.offset + 4 * v->element),
                         planner->gathered_of[v->op] + (uint32_t)v->element * SLOT32};
}

/* Ends an open chain: it becomes an item. */
static void close_chain(struct planner *planner, int c) {
  struct affine_form *form = planner->form;
  struct chain *chain = &planner->chains[c];
  struct affine_item item = {
      .kind = ITEM_CHAIN, .from = chain->from, .to = chain->to, .first = form->run_count};
  for (int i = 0; i < chain->count && !planner->failed; i++) {
    const struct product *p = &chain->products[i];
    struct affine_run *last = item.count ? &form->runs[form->run_count - 1] : NULL;
    if (!last || last->a != p->a.group || last->b != p->b.group) {
      struct affine_run run = {p->a.group, p->b.group, form->term_count, 0};
      if (!APPEND(form, run, run)) break;
      last = &form->runs[form->run_count - 1];
      item.count++;
    }
    last->count++;
    struct affine_term term = {
        {p->a.memory, p->b.memory, (int32_t)p->a.gathered, (int32_t)p->b.gathered}};
    APPEND(form, term, term);
  }
  put_item(planner, item);
  free(chain->products);
  *chain = planner->chains[--planner->open];
}

static bool chain_uses(const struct planner *planner, const struct chain *chain, int r) {
  if (chain->from_register == r) return true;
  for (int i = 0; i < chain->count; i++) {
    const struct factor *f[2] = {&chain->products[i].a, &chain->products[i].b};
    for (int k = 0; k < 2; k++)
      if (f[k]->group == FROM_FRAME &&
          affine_register(planner->form, planner->program, (uint32_t)f[k]->memory) == r)
        return true;
  }
  return false;
}

/* Closes the chains whose sum an item reads from register r, and, if it writes r, those that use
 * it. */
static void close_for(struct planner *planner, int r, bool writes) {
  for (int c = planner->open - 1; c >= 0; c--)
    if (planner->chains[c].to_register == r ||
        (writes && chain_uses(planner, &planner->chains[c], r)))
      close_chain(planner, c);
}

/* Makes sure that the rows which an operation reads are there. */
static void put_fills(struct planner *planner, const uint16_t *registers, int count) {
  for (int i = 0; i < count; i++) {
    int r = registers[i];
    if (r >= planner->form->predicate_first || set_has(&planner->form->constants, r) ||
        !shape_is_scalar(planner->shape[r]) || set_has(&planner->filled, r))
      continue;
    set_add(&planner->filled, r);
    put_item(planner, (struct affine_item){.kind = ITEM_FILL, .at = (uint16_t)r});
  }
}

/* Adds a multiply-add to the chain whose sum it goes on with, or begins one. */
static void put_in_chain(struct planner *planner, const struct op *op, int i) {
  bool first, second;
  struct product product = {factor_of(planner, op, i, 0, &first),
                            factor_of(planner, op, i, 1, &second)};
  int to = register_at(planner, op, 0), addend = planner->factor[i][2], c = planner->open - 1;
  const struct value *sum = &planner->values[addend];
  bool continues = sum->op >= 0 && sum->addends == 1 && !sum->factors && !sum->others;
  while (c >= 0 && !(continues && planner->chains[c].value == addend)) c--;
  if (c >= 0 && planner->chains[c].count == MAX_CHAIN) {
    close_chain(planner, c);
    c = -1;
  }
  /* Rows that it reads from the frame must be there: chains that make them, and fills, come first.
   * That may close, and so move, other chains. */
  uint16_t rows[3];
  int count = 0;
  if (!first) rows[count++] = register_at(planner, op, 1);
  if (!second) rows[count++] = register_at(planner, op, 2);
  if (c < 0) rows[count++] = register_at(planner, op, 3);
  int value = planner->made[i][0];
  put_fills(planner, rows, count);
  for (int k = 0; k < count; k++) close_for(planner, rows[k], false);
  /* What other chains still read from or would write to its register, they do before it. */
  for (int k = planner->open - 1; k >= 0; k--) {
    struct chain *chain = &planner->chains[k];
    bool own = continues && chain->value == addend;
    if ((chain->to_register == to && !own) || (!own && chain_uses(planner, chain, to)))
      close_chain(planner, k);
  }
  c = planner->open - 1;
  while (c >= 0 && !(continues && planner->chains[c].value == addend)) c--;
  if (c < 0) {
    if (planner->open == MAX_OPEN) close_chain(planner, 0);
    c = planner->open;
    struct product *products = malloc(MAX_CHAIN * sizeof *products);
    if (!products) {
      planner->failed = true;
      return;
    }
    planner->open++;
    planner->chains[c] = (struct chain){
        .products = products, .from = op->slot[3], .from_register = register_at(planner, op, 3)};
  }
  struct chain *chain = &planner->chains[c];
  chain->products[chain->count++] = product;
  chain->to = op->slot[0];
  chain->to_register = to;
  chain->value = value;
}

/* ---- items ---- */

static void put_row(struct planner *planner, const struct op *op, enum role role, int i) {
  uint16_t registers[2 * OP_SLOTS + 1];
  int count = affine_reads(planner->form, planner->program, op, registers),
      addressed = role == ROLE_LOAD || role == ROLE_STORE;
  put_fills(planner, registers + addressed, count - addressed);
  for (int k = addressed; k < count; k++) close_for(planner, registers[k], false);
  uint16_t written[OP_SLOTS];
  int writes = affine_writes(planner->form, planner->program, op, written);
  for (int k = 0; k < writes; k++) close_for(planner, written[k], true);
  if (role == ROLE_STORE || role == ROLE_EVENT)
    while (planner->open) close_chain(planner, 0);
  struct affine_item item = {.kind = role == ROLE_LOAD    ? ITEM_LOAD
                                     : role == ROLE_STORE ? ITEM_STORE
                                                          : ITEM_ROW,
                             .op = op};
  if (role == ROLE_LOAD) item.group = (uint16_t)planner->group_of[i];
  if (role == ROLE_STORE) item.at = register_at(planner, op, 0);
  put_item(planner, item);
}

/* Lists the operations of each group of the segment. */
static void list_groups(struct planner *planner, const struct affine_segment *segment) {
  struct affine_form *form = planner->form;
  for (int g = segment->first_group; g < form->group_count; g++) {
    struct affine_group *group = &form->groups[g];
    group->first_op = form->grouped_count;
    for (int i = 0; i < segment->op_count; i++) {
      if (planner->kind[i] != ROLE_LOAD || planner->group_of[i] != g - segment->first_group)
        continue;
      if (!ARRAY_RESERVE(form->grouped, form->grouped_room, form->grouped_count + 1)) {
        planner->failed = true;
        return;
      }
      form->grouped[form->grouped_count++] = planner->program->ops + segment->first_op + i;
    }
  }
}

/* Plans operations [first, first + count) of the program, whose roles are known. live: registers
 * that are read after them. Updates the shapes. */
static void plan_segment(struct planner *planner, int first, int count,
                         const struct register_set *live) {
  struct affine_form *form = planner->form;
  struct affine_segment begun = {.first_op = first,
                                 .op_count = count,
                                 .first_step = form->step_count,
                                 .first_group = form->group_count,
                                 .first_item = form->item_count,
                                 .first_elided = form->elided_count,
                                 .first_saved = form->saved_count};
  if (!APPEND(form, segment, begun)) return;
  int at = form->segment_count - 1;
  find_values(planner, &begun, live);
  for (int i = 0; i < count && !planner->failed; i++) {
    const struct op *op = planner->program->ops + first + i;
    if (planner->kind[i] == ROLE_STEP) put_step(planner, op, affine_code(planner->flow, op));
    if (planner->kind[i] == ROLE_LOAD) put_in_group(planner, &form->segments[at], op, i);
  }
  if (planner->failed) return;
  elide_loads(planner, &begun);
  list_groups(planner, &begun);
  memset(&planner->filled, 0, sizeof planner->filled);
  for (int i = 0; i < count && !planner->failed; i++) {
    const struct op *op = planner->program->ops + first + i;
    enum role role = planner->kind[i];
    uint16_t written[OP_SLOTS];
    bool first_elided = false, second_elided = false, chained = false;
    if (is_fma(op) && role == ROLE_ROW) {
      factor_of(planner, op, i, 0, &first_elided);
      factor_of(planner, op, i, 1, &second_elided);
      const struct value *sum = &planner->values[planner->factor[i][2]],
                         *made = &planner->values[planner->made[i][0]];
      chained = first_elided || second_elided || made->addends || (sum->op >= 0);
    }
    if (chained) {
      put_in_chain(planner, op, i);
    } else if (role != ROLE_STEP && !(role == ROLE_LOAD && planner->elided[i])) {
      put_row(planner, op, role, i);
    }
    int writes = affine_writes(form, planner->program, op, written);
    for (int k = 0; k < writes; k++) {
      set_remove(&planner->filled, written[k]);
      if (role != ROLE_STEP) set_add(&form->segments[at].rows, written[k]);
    }
    affine_apply(planner->flow, op, planner->shape);
  }
  while (planner->open) close_chain(planner, 0);
  struct affine_segment *segment = &form->segments[at];
  segment->step_count = form->step_count - segment->first_step;
  segment->group_count = form->group_count - segment->first_group;
  segment->item_count = form->item_count - segment->first_item;
  segment->elided_count = form->elided_count - segment->first_elided;
  segment->saved_count = form->saved_count - segment->first_saved;
}

/* ---- blocks ---- */

/* What the block reads that must be as it expects when the block begins. */
static void find_inputs(struct planner *planner, int b, struct affine_block *plan) {
  const struct basic_block *block = &planner->program->blocks[b];
  struct register_set defined = {{0}};
  uint8_t shape[MAX_AFFINE];
  memcpy(shape, planner->shape, sizeof shape);
  for (int i = block->first; i < block->first + block->count; i++) {
    const struct op *op = &planner->program->ops[i];
    uint16_t registers[2 * OP_SLOTS + 1], written[OP_SLOTS];
    enum role role = affine_role(planner->flow, op, shape);
    int count = affine_reads(planner->form, planner->program, op, registers);
    for (int k = 0; k < count; k++) {
      int r = registers[k];
      bool scalar = role == ROLE_STEP || ((role == ROLE_LOAD || role == ROLE_STORE) && k == 0);
      if (set_has(&defined, r) || r >= planner->form->predicate_first) continue;
      if (scalar)
        set_add(&plan->needs, r);
      else
        set_add(&plan->reads, r);
    }
    int writes = affine_writes(planner->form, planner->program, op, written);
    for (int k = 0; k < writes; k++)
      set_add(&defined, written[k]), set_add(&plan->writes, written[k]);
    affine_apply(planner->flow, op, shape);
  }
}

/* Are there steps, which run once for all warps in lockstep? */
static bool has_steps(const struct affine_form *form, const struct affine_block *plan) {
  for (int s = 0; s < plan->segment_count; s++)
    if (form->segments[plan->first_segment + s].step_count) return true;
  return false;
}

/* Does a single warp gain, too? A step takes as long as the row of 32 lanes that it stands for.
 * What is faster are loads, many of which need only one check, and loops. */
static bool is_worthwhile(const struct affine_form *form, const struct affine_block *plan) {
  int steps = 0, loads = 0;
  for (int s = 0; s < plan->segment_count; s++) {
    const struct affine_segment *segment = &form->segments[plan->first_segment + s];
    steps += segment->step_count;
    for (int g = 0; g < segment->group_count; g++)
      loads += form->groups[segment->first_group + g].op_count;
  }
  return plan->again != NO_BLOCK || (loads && loads >= steps);
}

/* May each warp run it on its own, without regard to when others do? */
static bool runs_in_lockstep(const struct op *op, enum role role) {
  return role != ROLE_EVENT ||
         ((op->kind == OP_LOAD || op->kind == OP_STORE) && !op->is_volatile && !op->polls &&
          !op->follows); /* which goes by what the same warp's last access has left */
}

static void plan_block(struct planner *planner, int b) {
  struct affine_form *form = planner->form;
  const struct program *program = planner->program;
  const struct basic_block *block = &program->blocks[b];
  struct affine_block *plan = &form->blocks[b];
  affine_shapes_at(planner->flow, b, planner->shape);
  find_inputs(planner, b, plan);
  if (block->reduce_op) {
    set_add(&plan->writes, affine_register(form, program, block->reduce_to));
    return;
  }
  plan->first_segment = form->segment_count;
  plan->in_lockstep = true;
  uint8_t shape[MAX_AFFINE];
  memcpy(shape, planner->shape, sizeof shape);
  int first = block->first, end = block->first + block->count;
  while (first < end && !planner->failed) {
    int i = first, groups = 0;
    memset(&planner->row_reads, 0, sizeof planner->row_reads);
    memset(&planner->row_writes, 0, sizeof planner->row_writes);
    memset(&planner->scalar_writes, 0, sizeof planner->scalar_writes);
    for (bool ended = false; i < end && i - first < MAX_SEGMENT_OPS && !ended; i++) {
      const struct op *op = &program->ops[i];
      enum role role = affine_role(planner->flow, op, shape);
      groups += role == ROLE_LOAD;
      if (i > first && (must_cut(planner, op, role) ||
                        (role == ROLE_LOAD && !op->follows && groups > MAX_SEGMENT_GROUPS)))
        break;
      planner->kind[i - first] = (uint8_t)role;
      plan->in_lockstep &= runs_in_lockstep(op, role);
      note_registers(planner, op, role);
      affine_apply(planner->flow, op, shape);
      ended = role == ROLE_EVENT || role == ROLE_STORE;
    }
    struct register_set live;
    affine_live_after(planner->flow, b, i, &live);
    plan_segment(planner, first, i - first, &live);
    first = i;
  }
  plan->segment_count = form->segment_count - plan->first_segment;
  if (!planner->failed) affine_find_loop(form, program, b, plan);
  plan->pays = is_worthwhile(form, plan);
}

/* ---- the whole ---- */

static void find_constants(const struct program *program, struct affine_form *form) {
  for (size_t at = 0; at < program->constant_bytes;) {
    int r = (int)(at / SLOT32);
    set_add(&form->constants, r);
    if (program->constant_widths[r] == 'd') set_add(&form->wide, r);
    at += program->constant_widths[r] == 'd' ? SLOT64 : SLOT32;
  }
  for (size_t at = program->slots64; at < program->predicates; at += SLOT64)
    set_add(&form->wide, (int)(at / SLOT32));
}

static bool suits(const struct program *program) {
  size_t predicates = (program->frame_bytes - program->predicates) / 4;
  for (int b = 0; b < program->block_count; b++)
    if (program->blocks[b].end == END_CALL) return false;
  return program->predicates / SLOT32 + predicates < MAX_AFFINE && program->op_count > 0 &&
         program->block_count > 0;
}

bool affine_plan(struct program *program) {
  if (!suits(program)) return true;
  struct affine_form *form = calloc(1, sizeof *form);
  struct planner *planner = calloc(1, sizeof *planner);
  bool ok = form && planner;
  if (ok) {
    form->predicate_first = (int)(program->predicates / SLOT32);
    form->register_count =
        form->predicate_first + (int)((program->frame_bytes - program->predicates) / 4);
    form->word_count = (form->register_count + 63) / 64;
    form->blocks = calloc((size_t)program->block_count, sizeof *form->blocks);
    find_constants(program, form);
    planner->form = form;
    planner->program = program;
    planner->flow = form->blocks ? affine_flow_open(program, form) : NULL;
    ok = planner->flow != NULL;
  }
  if (ok) program->params = accessed_params(program, form);
  bool gains = false;
  if (ok && affine_flow_is_complete(planner->flow)) {
    for (int b = 0; b < program->block_count && !planner->failed; b++) {
      plan_block(planner, b);
      gains |= has_steps(form, &form->blocks[b]);
    }
    while (planner->open) free(planner->chains[--planner->open].products);
    ok = !planner->failed;
  }
  if (planner) {
    affine_flow_close(planner->flow);
    free(planner->values);
  }
  free(planner);
  if (ok && gains)
    program->affine = form;
  else
    affine_release(form);
  for (int g = 0; program->affine && g < form->group_count; g++)
    for (int i = 0; i < form->groups[g].op_count; i++)
      program->ops[form->grouped[form->groups[g].first_op + i] - program->ops].affine_group = g;
  return ok;
}

void affine_release(struct affine_form *form) {
  if (!form) return;
  free(form->blocks);
  free(form->segments);
  free(form->steps);
  free(form->groups);
  free(form->items);
  free(form->terms);
  free(form->runs);
  free(form->elided);
  free(form->grouped);
  free(form->saved);
  free(form);
}
