/* plan.c: plans how an SM issues a kernel: finds the inputs of each operation and puts basic blocks
 * in the order of a list scheduler. */
#include "harness/sim/model/planner.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/trace.h"

/* ---- one block ---- */

void add_input(struct plan_op *op, int input) {
  for (int i = 0; i < op->input_count; i++)
    if (op->inputs[i] == input) return;
  if (op->input_count < MAX_INPUTS) op->inputs[op->input_count++] = (int16_t)input;
}

static void add_source(struct planner *b, struct plan_op *op, uint32_t offset) {
  int value = value_of(b->values, offset);
  if (value < 0) return;
  add_input(op, b->maker[value] >= 0 ? b->maker[value] : ~value);
}

/* The registers that an operation on 32 bits reads; of others, and of predicates, none. */
static void find_operands(struct planner *b, const struct program *program, int i) {
  const struct op *op = op_at(b, i);
  struct operands *operands = &b->operands[i];
  *operands = (struct operands){.wide = {NO_OPERAND, NO_OPERAND}};
  if (op->kind != OP_ROW) return;
  for (int k = 0; k < 2; k++) {
    bool is_wide = op->read >> (k + 1) & 1 && register_words(program, op->slot[k + 1]) == 2;
    int value = is_wide ? value_of(b->values, op->slot[k + 1]) : -1;
    if (value >= 0) operands->wide[k] = (int16_t)(b->maker[value] >= 0 ? b->maker[value] : ~value);
  }
  for (int k = 0; k < OP_SLOTS; k++) {
    int words = op->read >> k & 1 ? register_words(program, op->slot[k]) : 0;
    int value = words ? value_of(b->values, op->slot[k]) : -1;
    if (value < 0) continue;
    if (operands->count == 3 || words > 1) {
      operands->count = 4;
      return;
    }
    operands->of[operands->count++] = (int16_t)(b->maker[value] >= 0 ? b->maker[value] : ~value);
  }
}

static bool copies(const struct op *op) {
  return (op->guarded ? op->guarded_run : op->run[0]) == cold_async_store;
}

/* A wait for asynchronous copies, at i: those that the block has issued before. What it issued in
 * earlier rounds counts as there. */
static void add_copies(struct planner *b, struct plan_op *plan, int i) {
  for (int j = i - 1; j >= 0; j--) {
    const struct op *op = op_at(b, j);
    if (!copies(op)) continue;
    for (int k = 1; k <= op->count; k++) {
      int value = value_of(b->values, op->slot[k]);
      if (value >= 0 && b->maker[value] >= 0) add_input(plan, b->maker[value]);
    }
  }
}

/* Does the operation add a constant to its result in the last turn? A compiler folds such steps
 * into the addresses of later accesses. */
static bool is_step(const struct plan_block *to, int i, int turn_ops) {
  const struct plan_op *op = &to->ops[i];
  if (op->cost.unit != UNIT_ADD || op->input_count != 1) return false;
  int from = op->inputs[0];
  while (from >= 0 && to->ops[from].cost.unit == UNIT_NONE && to->ops[from].input_count == 1 &&
         from != i - turn_ops)
    from = to->ops[from].inputs[0];
  return from >= 0 && from == i - turn_ops;
}

static void add_passed(struct planner *b, struct plan_op *plan, int64_t offset) {
  int maker = offset >= 0 ? b->passed[offset / 4] : -1;
  if (maker >= 0) add_input(plan, maker);
}

/* Functions of the math library: their arguments and results go by way of the parameter area. */
static void pass_arguments(struct planner *b, struct plan_op *plan, int i) {
  const struct op *op = op_at(b, i);
  if (op->body == cold_intrinsic) {
    for (int k = 0; op->call->intrinsic->signature[k + 1]; k++)
      add_passed(b, plan, op->call->arguments[k]);
    b->passed[op->call->result / 4] = (int16_t)i;
  } else if (op->body == cold_store_param) {
    b->passed[op->access.offset / 4] = (int16_t)i;
  } else if (op->body == cold_load_param) {
    add_passed(b, plan, op->access.offset);
  }
}

/* Steps that something else than an address or a sum asks for are made in each turn: a comparison
 * has no room for what is added. */
static void keep_steps(struct planner *b, int turn_ops, int test) {
  static const char *const rows[] = {"lt_", "le_", "eq_", "ne_", "cvt_f", "and_", "or_", "xor_"};
  static const struct cost sum = {UNIT_ADD, 1, 2, 4};
  struct plan_block *to = b->to;
  for (int i = 0; i < to->count; i++) {
    if (i % turn_ops == test || op_at(b, i)->kind != OP_ROW) continue;
    bool asks = false;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
      asks |= strncmp(op_at(b, i)->row->name, rows[k], strlen(rows[k])) == 0;
    for (int k = 0; asks && k < to->ops[i].input_count; k++) {
      int from = to->ops[i].inputs[k];
      if (from >= 0 && from < to->count && to->ops[from].is_step) to->ops[from].cost = sum;
    }
  }
}

/* Which operation of a turn asks whether there is another one: the last to write that register,
 * which others may have had before. -1: none. */
static int find_test(const struct planner *b, int turn_ops) {
  for (int i = turn_ops - 1; i >= 0 && b->predicate >= 0; i--)
    for (int k = 0; k < OP_SLOTS; k++)
      if (op_at(b, i)->written >> k & 1 &&
          value_of(b->values, op_at(b, i)->slot[k]) == b->predicate)
        return i;
  return -1;
}

static void find_inputs(struct planner *b, const struct program *program) {
  struct plan_block *to = b->to;
  int turn_ops = to->count / to->turns, test = find_test(b, turn_ops);
  for (int i = 0; i < to->count; i++) {
    const struct op *op = op_at(b, i);
    struct plan_op *plan = &to->ops[i];
    plan->cost = cost_of_op(op, b->sm);
    for (int way = 0; op->varies && way < LONGER_WAYS; way++)
      plan->longer[way] = cost_of_longer(op, way, b->sm);
    plan->traced = op_is_traced(op) ? (int16_t)to->traced_count++ : -1;
    plan->narrow = op->kind == OP_STORE && op->size * op->count < 4;
    plan->shared = op_is_access(op) && op->space == PTX_SHARED;
    find_operands(b, program, i);
    if (op->guarded) add_source(b, plan, op->guard);
    if (b->guards[i % turn_ops] >= 0) add_source(b, plan, (uint32_t)b->guards[i % turn_ops]);
    if (copies(op)) /* it does not wait for what it copies; a wait does */
      add_source(b, plan, op->slot[0]);
    else
      for (int k = 0; k < OP_SLOTS; k++)
        if (!(op->written >> k & 1)) add_source(b, plan, op->slot[k]);
    for (int j = i; j > 0 && op->kind == OP_TENSOR && op_at(b, j - 1)->body == cold_tensor_operands;
         j--)
      for (int k = 0; k < op_at(b, j - 1)->tensor.count; k++)
        add_source(b, plan, op_at(b, j - 1)->slot[k]);
    if (op->body == cold_async_wait) add_copies(b, plan, i);
    pass_arguments(b, plan, i);
    for (int k = 0; k < OP_SLOTS && op->guarded; k++)
      if (op->written >> k & 1) add_source(b, plan, op->slot[k]);
    for (int k = 0; k < OP_SLOTS; k++) {
      int value = op->written >> k & 1 ? value_of(b->values, op->slot[k]) : -1;
      if (value >= 0) b->maker[value] = (int16_t)i;
    }
    bool tests = i % turn_ops == test && i < to->count - turn_ops;
    plan->is_step = i >= turn_ops && is_step(to, i, turn_ops);
    if (tests || plan->is_step) plan->cost = (struct cost){UNIT_NONE, 0, 0, 0};
  }
  keep_steps(b, turn_ops, test);
}

/* ---- a program ---- */

static void release_block(struct plan_block *block) {
  if (!block) return;
  release_block(block->longer);
  free(block->longer);
  free(block->parts);
  free(block->ops);
  free(block->order);
  free(block->results);
  free(block->spills);
}

/* The constant in whose steps the loop counts, without sign; 0: none. Only then does a compiler
 * know how many turns it has, and unroll it. */
static uint32_t step_of(const struct planner *b, const struct plan_block *to) {
  if (to->predicate < 0) return 0;
  int turn_ops = to->count / to->turns;
  const struct plan_op *test = &to->ops[to->predicate];
  for (int i = 0; i < test->input_count; i++) {
    int from = test->inputs[i] < to->count ? test->inputs[i] : -1;
    while (from >= 0 && from < to->count && !to->ops[from].is_step &&
           to->ops[from].cost.unit == UNIT_NONE && to->ops[from].input_count == 1)
      from = to->ops[from].inputs[0];
    if (from >= 0 && from < turn_ops) from += turn_ops; /* tested before it is stepped */
    if (from < 0 || from >= to->count || !to->ops[from].is_step) continue;
    const struct op *step = op_at(b, from);
    for (int k = 0; k < OP_SLOTS; k++)
      if (step->read >> k & 1 && is_constant(b, step->slot[k]))
        return (uint32_t)abs((int)constant_of(b, step->slot[k]));
    return 1;
  }
  return 0;
}

/* Takes over the parts, `turns` times. False if memory runs out. */
static bool take_parts(struct planner *b, const struct program *program, const struct parts *parts,
                       int turns, struct plan_block *to) {
  to->turns = turns;
  to->count = parts->ops * turns;
  to->part_count = parts->count * turns;
  to->block = &program->blocks[parts->item[parts->count - 1].number];
  to->parts = calloc((size_t)to->part_count, sizeof *to->parts);
  to->ops = calloc((size_t)to->count + 1, sizeof *to->ops);
  to->order = calloc((size_t)to->count + 1, sizeof *to->order);
  if (!to->parts || !to->ops || !to->order || to->count >= INT16_MAX) return false;
  for (int i = 0; i < to->part_count; i++)
    to->parts[i] =
        (struct plan_part){(uint32_t)(program->block_base + parts->item[i % parts->count].number),
                           parts->item[i % parts->count].optional};
  int ops = 0;
  for (int part = 0; part < parts->count; part++) {
    const struct basic_block *block = &program->blocks[parts->item[part].number];
    for (int i = block->first; i < block->first + block->count; i++) {
      b->ops[ops] = &program->ops[i];
      b->guards[ops++] = parts->item[part].guard;
    }
  }
  return true;
}

/* Plans `turns` turns of these parts. */
static bool plan_parts(struct planner *b, const struct program *program, const struct parts *parts,
                       int turns, struct plan_block *to) {
  b->to = to;
  if (!take_parts(b, program, parts, turns, to)) return false;
  const struct basic_block *last = to->block;
  b->loops = leads_back(program, parts);
  b->predicate = last->end == END_BRANCH ? value_of(b->values, last->predicate) : -1;
  memset(b->maker, -1, b->values->offsets * sizeof *b->maker);
  memset(b->passed, -1, b->passed_count * sizeof *b->passed);
  if (!ARRAY_RESERVE(b->operands, b->operand_room, to->count)) return false;
  find_inputs(b, program);
  halve_ops(b);
  share_work(b);
  fold_constants(b);
  fuse_ops(b);
  share_indices(b);
  to->predicate = INT16_MIN;
  if (b->predicate >= 0)
    to->predicate = b->maker[b->predicate] >= 0 ? b->maker[b->predicate] : (int16_t)~b->predicate;
  for (int v = 0; v < b->values->next; v++) to->result_count += b->maker[v] >= 0;
  to->results = calloc((size_t)to->result_count + 1, sizeof *to->results);
  if (!to->results) return false;
  int result = 0;
  for (int v = 0; v < b->values->next; v++) {
    if (b->maker[v] < 0) continue;
    to->results[result].value = (int16_t)v;
    to->results[result++].op = b->maker[v];
  }
  if (!order_ops(b)) return false;
  count_reads(b);
  count_waits(b);
  return !b->registers || spill_values(b, program);
}

/* Puts `turns` turns of these parts in front of what `to` begins; a loop only if it is unrolled. */
static bool add_longer(struct planner *b, const struct program *program, const struct parts *parts,
                       int turns, struct plan_block *to) {
  struct plan_block *longer = calloc(1, sizeof *longer);
  if (!longer || !plan_parts(b, program, parts, turns, longer)) {
    release_block(longer);
    free(longer);
    return false;
  }
  if (turns > 1 && !step_of(b, longer)) {
    release_block(longer);
    free(longer);
    return true;
  }
  while (to->longer) to = to->longer;
  to->longer = longer;
  return true;
}

/* Plans the block by itself and counts its instructions. */
static bool plan_alone(struct planner *b, const struct program *program, int number,
                       struct plan_block *to) {
  struct parts one = {.count = 1, .ops = program->blocks[number].count};
  one.item[0].number = number, one.item[0].guard = -1;
  if (!plan_parts(b, program, &one, 1, to)) return false;
  for (int i = 0; i < to->count; i++) b->instructions[number] += to->ops[i].cost.slots;
  return true;
}

/* Does no block before this one branch to where its two ways meet again? */
static bool opens_region(const struct program *program, int number) {
  for (int i = 0; i < number; i++)
    if (program->blocks[i].end == END_BRANCH &&
        program->blocks[i].reconverge == program->blocks[number].reconverge)
      return false;
  return true;
}

/* The instructions of a branch: with BSSY and BSYNC around what lanes may go through apart. */
static int slots_of_branch(const struct program *program, const struct basic_block *block) {
  int number = (int)(block - program->blocks), meet = block->reconverge;
  if (block->end != END_BRANCH || block->uniform_branch || meet == NO_BLOCK || meet <= number)
    return 1;
  const struct basic_block *after = &program->blocks[meet];
  bool ends = !after->count && (after->end == END_RETURN || after->end == END_EXIT);
  bool leads_back = block->target <= number || block->next <= number;
  return ends || leads_back || !opens_region(program, number) ? 1 : 3;
}

/* The loop of these parts in all the ways in which nvcc has it: so many turns at once, or fewer. A
 * loop of steps of 1 has clang unrolled already, if it is short. */
static bool add_turns(struct planner *b, const struct program *program, const struct parts *parts,
                      struct plan_block *to) {
  int turns = turns_of(b, program, parts);
  for (int some = turns > 4 ? 4 : turns; some > 1 && some <= turns; some *= 2)
    if (!add_longer(b, program, parts, some, to)) return false;
  struct plan_block *last = to;
  while (last->longer) last = last->longer;
  bool unrolls = last->turns >= 4 && step_of(b, last) > 1;
  for (; to; to = to->longer) to->unrolls = unrolls;
  return true;
}

/* And together with what is planned as one with it, if anything is. */
static bool plan_together(struct planner *b, const struct program *program, int number,
                          struct plan_block *to) {
  struct parts all = {.count = 0};
  if (!b->inside[number]) find_parts(program, b->instructions, number, &all);
  if (!all.count) { /* it is too long to be one of several */
    all = (struct parts){.count = 1, .ops = program->blocks[number].count};
    all.item[0].number = number, all.item[0].guard = -1;
  }
  for (int i = 1; i < all.count; i++) b->inside[all.item[i].number] = true;
  if (all.count > 1 && !add_longer(b, program, &all, 1, to)) return false;
  if (!add_turns(b, program, &all, to)) return false;
  for (; to; to = to->longer) {
    to->predicated = is_predicated(program, b->instructions, to->block);
    to->branch_slots = to->unrolled ? 0 : slots_of_branch(program, to->block);
  }
  return true;
}

/* Adds the instructions of each warp that PTX does not show: its stack pointer (LDC R1), the
 * descriptor of global memory (ULDC.64), EXIT. */
static void add_frame(struct plan_block *to) {
  enum { INSTRUCTIONS = 3 };
  for (; to; to = to->longer) {
    int i = 0;
    while (i < to->count && to->ops[to->order[i]].cost.unit == UNIT_NONE) i++;
    if (i < to->count) to->ops[to->order[i]].cost.slots += INSTRUCTIONS;
  }
}

/* Numbers the blocks and counts their instructions. */
static void count_instructions(struct plan *plan) {
  for (int i = 0; i < plan->block_count; i++)
    for (struct plan_block *b = &plan->blocks[i]; b; b = b->longer) {
      b->index = plan->index_count++;
      b->instructions = b->spill_count;
      for (int k = 0; k < b->count; k++) b->instructions += b->ops[k].cost.slots;
      plan->instructions += b->instructions;
    }
}

static bool plan_program(struct plan *plan, const struct program *program,
                         const struct kernel *kernel, const struct capability *sm) {
  struct values values = {.offsets = program->frame_bytes / 4 + 1,
                          .constants = program->constant_bytes,
                          .image = program->constants,
                          .next = 0};
  values.number = malloc(values.offsets * sizeof *values.number);
  struct planner b = {.values = &values,
                      .registers = kernel->spills ? kernel->info.registers : 0,
                      .allocated = kernel->info.registers,
                      .sm = sm};
  b.maker = malloc(values.offsets * sizeof *b.maker);
  b.passed_count = program->param_bytes / 4 + 1;
  b.passed = malloc(b.passed_count * sizeof *b.passed);
  size_t ops = (size_t)(program->op_count > MAX_PART_OPS ? program->op_count : MAX_PART_OPS) + 1;
  b.ops = malloc(ops * sizeof *b.ops);
  b.guards = malloc(ops * sizeof *b.guards);
  b.inside = calloc((size_t)program->block_count + 1, sizeof *b.inside);
  b.makers = makers_open(program);
  b.instructions = calloc((size_t)program->block_count + 1, sizeof *b.instructions);
  bool ok = values.number && b.maker && b.passed && b.ops && b.guards && b.inside &&
            b.instructions && b.makers;
  if (ok) memset(values.number, -1, values.offsets * sizeof *values.number);
  for (int i = 0; ok && i < program->block_count; i++)
    ok = plan_alone(&b, program, i, &plan->blocks[program->block_base + i]);
  for (int i = 0; ok && i < program->block_count; i++) {
    struct plan_block *to = &plan->blocks[program->block_base + i];
    ok = plan_together(&b, program, i, to);
    for (; ok && to; to = to->longer)
      if (to->count + to->spill_count > plan->max_ops) plan->max_ops = to->count + to->spill_count;
  }
  if (values.next > plan->value_count) plan->value_count = values.next;
  plan->slot_count = plan->value_count + plan->max_ops;
  free(values.number);
  free(b.maker);
  free(b.passed);
  free(b.ops);
  free(b.guards);
  free(b.operands);
  free(b.inside);
  free(b.instructions);
  makers_close(b.makers);
  return ok;
}

struct plan *plan_make(const struct kernel *kernel, const struct capability *sm) {
  struct plan *plan = calloc(1, sizeof *plan);
  if (!plan) return NULL;
  plan->block_count = kernel->block_count;
  plan->blocks = calloc((size_t)plan->block_count + 1, sizeof *plan->blocks);
  bool ok = plan->blocks != NULL;
  for (int p = 0; ok && p < kernel->program_count; p++)
    ok = plan_program(plan, kernel->programs[p], kernel, sm);
  if (!ok) {
    plan_free(plan);
    return NULL;
  }
  if (plan->block_count) add_frame(&plan->blocks[kernel->programs[0]->block_base]);
  count_instructions(plan);
  return plan;
}

void plan_free(struct plan *plan) {
  if (!plan) return;
  for (int i = 0; plan->blocks && i < plan->block_count; i++) {
    release_block(&plan->blocks[i]);
  }
  free(plan->blocks);
  free(plan);
}
