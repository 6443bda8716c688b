/* decode.c: a PTX function to a program: splits it into basic blocks and gives each instruction its
 * operation.
 *
 * Most instructions are rows of the tables ops_hot.h and ops_cold.h, found by their PTX spelling.
 * The others are in decode_memory.c and decode_special.c. What is in none of them is refused with
 * its name and line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/draft.h"

/* ---- rows of the tables ---- */

static void add_row(struct draft *draft, const struct ptx_instruction *in,
                    const struct op_info *info) {
  vreg regs[4];
  int used = 0;
  for (; used < 4 && info->types[used]; used++) {
    if (used >= in->operand_count) {
      draft_fail(draft, in->line, "%s: too few operands", in->opcode);
      return;
    }
    const struct ptx_operand *operand = &in->operands[used];
    regs[used] = used == 0 ? decode_destination(draft, in, operand, info->types[0])
                           : decode_source(draft, in, operand, info->types[used]);
  }
  struct draft_op *d = draft_add_row(draft, info, in->line);
  memcpy(d->reg, regs, sizeof regs[0] * (size_t)used);
  d->op.counted = strncmp(in->parts[0], "cvta", 4) != 0;
}

/* ---- setp: comparisons of PTX onto the few that the tables have ---- */

static const struct comparison {
  const char *name, *base;
  bool swap, negate, unsigned_type;
} integer_comparisons[] =
    {
        {"eq", "eq", 0, 0, 0}, {"ne", "eq", 0, 1, 0}, {"lt", "lt", 0, 0, 0}, {"le", "le", 0, 0, 0},
        {"gt", "lt", 1, 0, 0}, {"ge", "le", 1, 0, 0}, {"lo", "lt", 0, 0, 1}, {"ls", "le", 0, 0, 1},
        {"hi", "lt", 1, 0, 1}, {"hs", "le", 1, 0, 1},
},
  float_comparisons[] = {
      {"eq", "eq", 0, 0, 0},   {"ne", "ne", 0, 0, 0},   {"lt", "lt", 0, 0, 0},
      {"le", "le", 0, 0, 0},   {"gt", "lt", 1, 0, 0},   {"ge", "le", 1, 0, 0},
      {"equ", "ne", 0, 1, 0},  {"neu", "eq", 0, 1, 0},  {"ltu", "le", 1, 1, 0},
      {"leu", "lt", 1, 1, 0},  {"gtu", "le", 0, 1, 0},  {"geu", "lt", 0, 1, 0},
      {"num", "num", 0, 0, 0}, {"nan", "num", 0, 1, 0},
};

static const struct comparison *find_comparison(const char *name, bool is_float) {
  const struct comparison *list = is_float ? float_comparisons : integer_comparisons;
  size_t count = is_float ? sizeof float_comparisons / sizeof *list
                          : sizeof integer_comparisons / sizeof *list;
  for (size_t i = 0; i < count; i++)
    if (strcmp(list[i].name, name) == 0) return &list[i];
  return NULL;
}

static bool comparison_key(const struct comparison *c, enum ptx_type type, char *key, size_t size) {
  static const char *const suffixes[PTX_TYPES] = {
      [PTX_B16] = "u16", [PTX_B32] = "u32", [PTX_B64] = "u64", [PTX_U16] = "u16",
      [PTX_U32] = "u32", [PTX_U64] = "u64", [PTX_S16] = "s16", [PTX_S32] = "s32",
      [PTX_S64] = "s64", [PTX_F32] = "f32", [PTX_F64] = "f64"};
  const char *suffix = suffixes[type];
  if (!suffix) return false;
  bool is_float = suffix[0] == 'f', is_equal = !is_float && strcmp(c->base, "eq") == 0;
  if (is_equal)
    snprintf(key, size, "setp_eq_%s", suffix + 1);
  else
    snprintf(key, size, "setp_%s_%c%s", c->base, c->unsigned_type ? 'u' : suffix[0], suffix + 1);
  return true;
}

static void add_predicate_op(struct draft *draft, op_function *run, int line, vreg d, vreg a,
                             vreg b, uint8_t negated) {
  struct draft_op *op = draft_add_lanewise(draft, run, line, d, 'p');
  op->reg[1] = a, op->reg[2] = b;
  op->used = b == NO_VREG ? 2 : 3;
  op->in_place = true;
  op->op.negated = negated;
  op->op.counted = false;
}

/* setp.cmp[.bool].type p[|q], a, b[, c]: the comparison, then its combination with c, then the
 * opposite for q. */
static bool decode_setp(struct draft *draft, const struct table *table,
                        const struct ptx_instruction *in) {
  if (strcmp(in->parts[0], "setp") != 0) return false;
  enum ptx_type type = ptx_type_from(in->parts[in->part_count - 1]);
  bool is_float = type == PTX_F32 || type == PTX_F64;
  const struct comparison *c = find_comparison(in->part_count > 2 ? in->parts[1] : "", is_float);
  char key[32];
  const struct op_info *info =
      c && comparison_key(c, type, key, sizeof key) ? table_find(table, key) : NULL;
  const char *combine = in->part_count == 4 ? in->parts[2] : NULL;
  op_function *combine_op = !combine                      ? NULL
                            : strcmp(combine, "and") == 0 ? cold_predicate_and
                            : strcmp(combine, "or") == 0  ? cold_predicate_or
                            : strcmp(combine, "xor") == 0 ? cold_predicate_xor
                                                          : NULL;
  if (!info || in->operand_count < 3 || (combine && (!combine_op || in->operand_count < 4)))
    return false;
  const struct ptx_operand *to = &in->operands[0];
  bool pair = to->kind == PTX_PAIR;
  vreg p = decode_destination(draft, in, pair ? &to->elements[0] : to, 'p');
  vreg a = decode_source(draft, in, &in->operands[1], info->types[1]);
  vreg b = decode_source(draft, in, &in->operands[2], info->types[1]);
  vreg result = combine || pair ? draft_temporary(draft, 'p') : p;
  struct draft_op *d = draft_add_row(draft, info, in->line);
  d->reg[0] = result;
  d->reg[1] = c->swap ? b : a;
  d->reg[2] = c->swap ? a : b;
  d->op.negated = c->negate ? 1 << 0 : 0;
  if (!combine && !pair) return true;
  vreg other = combine ? decode_source(draft, in, &in->operands[3], 'p') : NO_VREG;
  uint8_t negated = combine && in->operands[3].negated ? 1 << 2 : 0;
  if (!pair) {
    add_predicate_op(draft, combine_op, in->line, p, result, other, negated);
    return true;
  }
  /* Both are made before either is written: p or q may also be the third source, or the guard,
   * which is written last. */
  vreg q = decode_destination(draft, in, &to->elements[1], 'p');
  vreg both[2] = {draft_temporary(draft, 'p'), draft_temporary(draft, 'p')}, to_both[2] = {p, q};
  for (int k = 0; k < 2; k++) {
    if (combine)
      add_predicate_op(draft, combine_op, in->line, both[k], result, other,
                       k ? negated | 1u << 1 : negated);
    else
      add_predicate_op(draft, k ? cold_predicate_not : cold_predicate_mov, in->line, both[k],
                       result, NO_VREG, 0);
  }
  int first = in->guard == p;
  add_predicate_op(draft, cold_predicate_mov, in->line, to_both[first], both[first], NO_VREG, 0);
  add_predicate_op(draft, cold_predicate_mov, in->line, to_both[!first], both[!first], NO_VREG, 0);
  return true;
}

/* ---- blocks ---- */

enum terminator { NOT_END, IS_BRANCH, IS_RETURN, IS_EXIT, IS_BARRIER, IS_CALL, IS_TRAP };

static enum terminator terminator_of(const struct ptx_instruction *in) {
  const char *name = in->parts[0];
  if (strcmp(name, "bra") == 0) return IS_BRANCH;
  if (strcmp(name, "ret") == 0) return IS_RETURN;
  if (strcmp(name, "exit") == 0) return IS_EXIT;
  if (strcmp(name, "trap") == 0) return IS_TRAP;
  if ((strcmp(name, "bar") == 0 || strcmp(name, "barrier") == 0) && !decode_has(in, "warp") &&
      !decode_has(in, "arrive"))
    return IS_BARRIER;
  if (strcmp(name, "call") == 0) return IS_CALL;
  return NOT_END;
}

static void end_call(struct draft *draft, const struct ptx_instruction *in,
                     struct draft_block *block);

/* Is this a call of one of the simulator's own functions, which stays within a block? */
static bool is_intrinsic(const struct draft *draft, const struct ptx_instruction *in) {
  if (in->operand_count < 2 || in->operands[1].kind != PTX_SYMBOL) return false;
  return !ptx_function(draft->module, in->operands[1].name);
}

/* bar.sync a{, b}: barrier a of 16, for b threads (all of the block). bar.arrive does not wait, so
 * it ends no basic block: decode_special.c. bar.red: barrier 0 for all. */
static void end_barrier(struct draft *draft, const struct ptx_instruction *in,
                        struct draft_block *block) {
  block->end.end = END_BARRIER;
  bool reduce = decode_has(in, "red");
  int at = reduce ? 1 : 0;
  bool plain =
      in->operand_count <= at || (in->operands[at].kind == PTX_INT && in->operands[at].value == 0 &&
                                  in->operand_count <= at + 1 + reduce);
  if (!plain && reduce) {
    draft_fail(draft, in->line, "%s: only barrier 0 for all threads of the block is supported",
               in->opcode);
    return;
  }
  if (!plain) {
    block->end.named = true;
    block->barrier_number = decode_source(draft, in, &in->operands[0], 'w');
    block->barrier_threads = in->operand_count > 1 ? decode_source(draft, in, &in->operands[1], 'w')
                                                   : draft_constant(draft, 0, 'w');
    return;
  }
  if (!reduce) return;
  if (in->operand_count != 3) {
    draft_fail(draft, in->line, "%s: expected a result, a barrier and a predicate", in->opcode);
    return;
  }
  const struct ptx_operand *p = &in->operands[in->operand_count - 1];
  block->end.reduce_op = decode_has(in, "popc") ? 'p' : decode_has(in, "and") ? 'a' : 'o';
  block->end.reduce_negated = p->negated;
  block->reduce_to =
      decode_destination(draft, in, &in->operands[0], block->end.reduce_op == 'p' ? 'w' : 'p');
  block->reduce_from = decode_source(draft, in, p, 'p');
}

/* Ends the current block at instruction i. The caller knows the numbers of blocks
 * by instruction. */
static void end_block(struct draft *draft, const struct ptx_instruction *in, enum terminator kind,
                      struct draft_block *block) {
  block->end.line = in->line;
  block->end.target = NO_BLOCK;
  switch (kind) {
    case IS_BRANCH:
      block->end.end = in->guard >= 0 ? END_BRANCH : END_JUMP;
      if (in->guard >= 0) {
        block->predicate = in->guard;
        block->end.negated = in->guard_negated;
      }
      block->end.target = in->target; /* an instruction: made a block number at the end */
      break;
    case IS_RETURN:
      block->end.end = END_RETURN;
      break;
    case IS_EXIT:
      block->end.end = END_EXIT;
      break;
    case IS_TRAP:
      block->end.end = END_TRAP;
      break;
    case IS_BARRIER:
      end_barrier(draft, in, block);
      break;
    case IS_CALL:
      end_call(draft, in, block);
      break;
    case NOT_END:
      break;
  }
}

static void decode_instruction(struct draft *draft, const struct table *table,
                               const struct ptx_instruction *in) {
  int before = draft->op_count;
  const struct op_info *info = table_find(table, in->opcode);
  if (info && in->operand_count > 1 &&
      (in->operands[1].kind == PTX_SYMBOL || in->operands[1].kind == PTX_SPECIAL ||
       in->operands[1].kind == PTX_VECTOR || in->operands[0].kind == PTX_VECTOR))
    info = NULL; /* mov of something else than a register */
  if (info)
    add_row(draft, in, info);
  else if (!decode_setp(draft, table, in) && !decode_memory(draft, in) &&
           !decode_special(draft, in))
    draft_fail(draft, in->line, "the instruction %s is not supported", in->opcode);
  if (in->guard < 0) return;
  for (int i = before; i < draft->op_count; i++) {
    struct draft_op *d = &draft->ops[i];
    d->op.guarded = true;
    d->op.guard_negated = in->guard_negated;
    d->guard = in->guard;
    d->op.guarded_run = d->op.run[1];
    d->op.run[0] = d->op.run[1] = cold_guarded;
    d->in_place = false;
  }
}

static bool reads_flag(const struct ptx_instruction *in) {
  bool load = strcmp(in->parts[0], "ld") == 0;
  return strcmp(in->parts[0], "atom") == 0 ||
         (load &&
          (decode_has(in, "volatile") || decode_has(in, "relaxed") || decode_has(in, "acquire")));
}

/* Is there a loop that may wait for other threads' stores? Then lanes may have to run ahead of each
 * other. */
static bool may_wait(const struct ptx_function *f) {
  int depth = 0;
  bool waits = false;
  int *change = calloc((size_t)f->instruction_count + 2, sizeof *change);
  if (!change) return true;
  for (int i = 0; i < f->instruction_count; i++) {
    int to = f->instructions[i].target;
    if (to < 0 || to > i) continue;
    change[to]++;
    change[i + 1]--;
  }
  for (int i = 0; i < f->instruction_count; i++) {
    depth += change[i];
    waits |= depth > 0 && reads_flag(&f->instructions[i]);
  }
  free(change);
  return waits;
}

/* Do the lanes of a warp synchronise here? */
static bool gathers(const struct ptx_instruction *in) {
  return strncmp(in->opcode, "bar.warp", 8) == 0 ||
         (decode_has(in, "sync") &&
          (strcmp(in->parts[0], "shfl") == 0 || strcmp(in->parts[0], "vote") == 0));
}

static bool *find_leaders(const struct ptx_function *f) {
  bool *leader = calloc((size_t)f->instruction_count + 2, sizeof *leader), waits = may_wait(f);
  if (!leader) return NULL;
  leader[0] = true;
  for (int i = 0; i < f->instruction_count; i++) {
    const struct ptx_instruction *in = &f->instructions[i];
    if (in->target >= 0) leader[in->target] = true;
    if (terminator_of(in) != NOT_END) leader[i + 1] = true;
    if (waits && gathers(in)) leader[i] = true;
  }
  return leader;
}

/* A guarded ret, exit, trap, barrier or call becomes a branch around it. */
static struct draft_block *branch_around(struct draft *draft, const struct ptx_instruction *in,
                                         int next_instruction) {
  struct draft_block *block = &draft->blocks[draft->block_count - 1];
  block->count = draft->op_count - block->first;
  block->end.end = END_BRANCH;
  block->end.line = in->line;
  block->end.target = next_instruction;
  block->end.next = draft->block_count;
  block->predicate = in->guard;
  block->end.negated = !in->guard_negated;
  return draft_add_block(draft);
}

static void decode_body(struct draft *draft, const struct table *table, const bool *leader,
                        int *block_of) {
  const struct ptx_function *f = draft->function;
  struct draft_block *block = NULL;
  for (int i = 0; i < f->instruction_count && !draft->failed; i++) {
    const struct ptx_instruction *in = &f->instructions[i];
    if (leader[i] || !block) {
      if (block) block->count = draft->op_count - block->first;
      block = draft_add_block(draft);
      block->end.end = END_NEXT;
      block->end.next = draft->block_count;
      block->end.line = in->line;
      block->end.gathers = gathers(in);
    }
    block_of[i] = draft->block_count - 1;
    enum terminator kind = terminator_of(in);
    if (kind == IS_CALL && is_intrinsic(draft, in)) kind = NOT_END;
    if (kind == NOT_END) {
      decode_instruction(draft, table, in);
      continue;
    }
    if (in->guard >= 0 && kind != IS_BRANCH) block = branch_around(draft, in, i + 1);
    block->end.next = draft->block_count;
    end_block(draft, in, kind, block);
    block->count = draft->op_count - block->first;
    block = NULL;
  }
  if (block) block->count = draft->op_count - block->first;
  block_of[f->instruction_count] = draft->block_count;
  block = draft_add_block(draft); /* falling off the end returns */
  block->end.end = END_RETURN;
  for (int b = 0; b < draft->block_count; b++) {
    struct basic_block *end = &draft->blocks[b].end;
    if (end->end == END_JUMP || end->end == END_BRANCH) end->target = block_of[end->target];
  }
}

static void end_call(struct draft *draft, const struct ptx_instruction *in,
                     struct draft_block *block) {
  block->end.end = END_CALL;
  draft->program->has_calls = true;
  const struct ptx_operand *results = &in->operands[0], *callee = &in->operands[1],
                           *arguments = &in->operands[2];
  if (callee->kind != PTX_SYMBOL) {
    draft_fail(draft, in->line,
               "calls through a function pointer (also virtual functions) are not supported");
    return;
  }
  const struct ptx_function *f = ptx_function(draft->module, callee->name);
  if (f->entry) {
    draft_fail(draft, in->line, "call of %s, which is a kernel", callee->name);
    return;
  }
  struct program *program =
      kernel_program(draft->kernel, f, draft->error, draft->error_size, &draft->error_line);
  struct call_site *site = calloc(1, sizeof *site);
  if (!program || !site) {
    draft->failed = true;
    free(site);
    return;
  }
  block->end.call = site;
  site->callee = program;
  if (arguments->count != f->param_count || results->count != f->result_count ||
      f->param_count > 32 || f->result_count > 4) {
    draft_fail(draft, in->line, "call of %s: the arguments do not fit the function", callee->name);
    return;
  }
  for (int i = 0; i < f->param_count + f->result_count; i++) {
    bool is_result = i >= f->param_count;
    int k = is_result ? i - f->param_count : i;
    const struct ptx_variable *inner = is_result ? &f->results[k] : &f->params[k];
    const struct ptx_operand *outer = is_result ? &results->elements[k] : &arguments->elements[k];
    int there = decode_param_offset_in(f, inner->name, NULL);
    int here = outer->kind == PTX_SYMBOL ? decode_param_offset(draft, outer->name) : -1;
    if (here < 0 || there < 0 ||
        (size_t)here + (inner->size + 3) / 4 * 4 > draft->program->param_bytes) {
      draft_fail(draft, in->line, "call of %s: arguments of this kind are not supported",
                 callee->name);
      return;
    }
    if (is_result) {
      site->results[k].from = (uint32_t)there, site->results[k].to = (uint32_t)here;
      site->results[k].bytes = (uint32_t)inner->size;
      site->result_count++;
    } else {
      site->arguments[k].from = (uint32_t)here, site->arguments[k].to = (uint32_t)there;
      site->arguments[k].bytes = (uint32_t)inner->size;
      site->argument_count++;
    }
  }
}

/* Gives operations the numbers under which they are counted. */
static void number_ops(struct draft *draft) {
  struct kernel *kernel = draft->kernel;
  struct program *program = draft->program;
  program->block_base = kernel->block_count;
  kernel->block_count += program->block_count;
  for (int i = 0; i < program->op_count; i++) {
    struct op *op = &program->ops[i];
    op->index = op->group = kernel->op_count++;
    op->next_in_group = -1;
  }
}

static bool writes_slot(const struct op *op, uint32_t slot) {
  for (int k = 0; k < OP_SLOTS; k++)
    if ((op->written >> k & 1) && op->slot[k] == slot) return true;
  return false;
}

/* Addresses of loads and stores in a block that share their base register differ by constants: they
 * share one memo, and only the first needs to compare the lanes' addresses. Slots stand for
 * registers: writing the slot ends the group. */
static void group_accesses(struct program *program) {
  for (int b = 0; b < program->block_count; b++) {
    struct op *ops = program->ops + program->blocks[b].first;
    int count = program->blocks[b].count;
    for (int i = 0; i < count; i++) {
      struct op *lead = &ops[i];
      if (!lead->shares_memo || lead->follows || writes_slot(lead, lead->slot[0])) continue;
      struct op *last = lead;
      for (int j = i + 1; j < count && j < i + 256; j++) {
        struct op *op = &ops[j];
        if (op->shares_memo && !op->follows && op->slot[0] == lead->slot[0] &&
            op->space == lead->space && op->size == lead->size && op->count == lead->count &&
            op->kind == lead->kind) {
          op->follows = true;
          op->group = lead->index;
          last->next_in_group = op->index;
          last = op;
        }
        if (writes_slot(op, lead->slot[0])) break;
      }
    }
  }
}

static char register_width(enum ptx_type type) {
  if (type == PTX_PRED) return 'p';
  return ptx_type_size(type) == 8 ? 'd' : 'w';
}

/* Frees what operations and blocks own if no program takes it over. */
static void release_drafted(const struct draft *draft) {
  for (int i = 0; i < draft->op_count; i++)
    if (draft->ops[i].op.kind == OP_CALL) free((void *)(uintptr_t)draft->ops[i].op.call);
  for (int b = 0; b < draft->block_count; b++) free((void *)(uintptr_t)draft->blocks[b].end.call);
}

/* Limits far above any compiled kernel of a lab: they bound the work that a text can cause. */
enum {
  MAX_PARAM_BYTES = 64 << 10,
  MAX_LOCAL_BYTES = 512 << 10, /* CUDA C++ Programming Guide, "Technical Specifications" */
  MAX_INSTRUCTIONS = 200000,
  MAX_REGISTERS = 200000,
};

/* The name of a variable in the body that is also a parameter's or result's, or NULL: the decoder
 * could not tell them apart. */
static const char *shadowing_name(const struct ptx_function *f) {
  for (int i = 0; i < f->variable_count; i++) {
    const char *name = f->variables[i].name;
    for (int k = 0; k < f->param_count; k++)
      if (strcmp(f->params[k].name, name) == 0) return name;
    for (int k = 0; k < f->result_count; k++)
      if (strcmp(f->results[k].name, name) == 0) return name;
  }
  return NULL;
}

static bool decode_function(struct draft *draft) {
  const struct ptx_function *f = draft->function;
  struct table *table = table_open(draft->isa);
  bool *leader = find_leaders(f);
  int *block_of = calloc((size_t)f->instruction_count + 2, sizeof *block_of);
  draft->vreg_room = f->register_count + 64;
  draft->widths = malloc((size_t)draft->vreg_room);
  bool ok = table && leader && block_of && draft->widths;
  if (ok) {
    for (int r = 0; r < f->register_count; r++)
      draft->widths[r] = register_width(f->registers[r].type);
    draft->vreg_count = f->register_count;
    decode_param_offset_in(f, NULL, &draft->program->param_bytes);
    if (draft->program->param_bytes > MAX_PARAM_BYTES)
      draft_fail(
          draft, 0,
          "a function with %zu bytes of parameters, its own and of its calls, is not supported",
          draft->program->param_bytes);
    else if (shadowing_name(f))
      draft_fail(draft, 0, "the name %s for a variable and a parameter of %s is not supported",
                 shadowing_name(f), f->name);
    else if ((draft->kernel->invalid = local_bytes(f) > MAX_LOCAL_BYTES))
      draft_fail(draft, 0,
                 "the local arrays of a thread take %zu bytes; a GPU has %d for them, so its "
                 "compiler would refuse the kernel. Put large arrays into global memory",
                 local_bytes(f), MAX_LOCAL_BYTES);
    else if (f->instruction_count > MAX_INSTRUCTIONS || f->register_count > MAX_REGISTERS)
      draft_fail(draft, 0, "a function of over %d instructions or %d registers is not supported",
                 MAX_INSTRUCTIONS, MAX_REGISTERS);
    else
      decode_body(draft, table, leader, block_of);
    ok = !draft->failed && flow_find_reconvergence(draft) && poll_find(draft) &&
         fuse_shared_accesses(draft) && slots_assign(draft);
    if (!ok && !draft->failed) draft_fail(draft, 0, "out of memory");
  }
  if (ok) {
    number_ops(draft);
    group_accesses(draft->program);
  }
  if (!ok) release_drafted(draft);
  table_close(table);
  free(leader);
  free(block_of);
  free(draft->widths);
  free(draft->ops);
  free(draft->blocks);
  free(draft->constants);
  return ok;
}

struct program *kernel_program(struct kernel *kernel, const struct ptx_function *function,
                               char *error, size_t error_size, int *error_line) {
  for (int i = 0; i < kernel->program_count; i++)
    if (kernel->programs[i]->function == function) return kernel->programs[i];
  int room = sizeof kernel->programs / sizeof kernel->programs[0];
  struct program *program = kernel->program_count < room ? calloc(1, sizeof *program) : NULL;
  if (!program) {
    snprintf(error, error_size,
             kernel->program_count < room ? "out of memory" : "the kernel calls over %d functions",
             room - 1);
    return NULL;
  }
  program->function = function;
  program->shared_granule = program->global_granule = 4;
  kernel->programs[kernel->program_count++] =
      program; /* before decoding: a function may call itself */
  struct draft draft = {.module = kernel->module->ptx,
                        .function = function,
                        .kernel = kernel,
                        .program = program,
                        .isa = isa_best(),
                        .error = error,
                        .error_size = error_size};
  bool ok = decode_function(&draft);
  if (!ok) *error_line = draft.error_line;
  return ok ? program : NULL;
}
