/* decode.c: a PTX function to a program: its basic blocks, and each instruction's operation.
 *
 * Most instructions are rows of the tables ops_hot.h, ops_cold.h and ops_half.h, found by their PTX
 * spelling. The others are in decode_compare.c, decode_memory.c and decode_special.c. All else is
 * refused by name and line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/draft.h"
#include "harness/sim/decode/stored.h"

/* ---- rows of the tables ---- */

/* Operations on predicates and choices by one; all else is in ops_hot.h and ops_cold.h. */
static const struct op_info predicate_ops[] = {
    {"selp.b16 selp.u16 selp.s16 selp.f16 selp.b32 selp.u32 selp.s32 selp.f32", "selp_32",
     cold_select_32, "wwwp"},
    {"selp.b64 selp.u64 selp.s64 selp.f64", "selp_64", cold_select_64, "dddp"},
    {"and.pred", "and_pred", cold_predicate_and, "ppp"},
    {"or.pred", "or_pred", cold_predicate_or, "ppp"},
    {"xor.pred", "xor_pred", cold_predicate_xor, "ppp"},
    {"not.pred", "not_pred", cold_predicate_not, "pp"},
    {"mov.pred", "mov_pred", cold_predicate_mov, "pp"},
};

/* A hash table of rows by their PTX spelling. Filled once per decoded function: some 800
 * insertions, ten microseconds. */
enum { TABLE_SIZE = 2048 };
struct table {
  struct {
    const char *key;
    size_t length;
    const struct op_info *info;
  } entries[TABLE_SIZE];
};

static uint32_t hash(const char *text, size_t length) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 16777619u;
  return h;
}

static void table_add(struct table *table, const struct op_info *infos, int count) {
  for (int i = 0; i < count; i++)
    for (const char *key = infos[i].keys; *key; key += strspn(key, " ")) {
      size_t length = strcspn(key, " ");
      uint32_t at = hash(key, length) % TABLE_SIZE;
      while (table->entries[at].key) at = (at + 1) % TABLE_SIZE;
      table->entries[at].key = key;
      table->entries[at].length = length;
      table->entries[at].info = &infos[i];
      key += length;
    }
}

/* "fma.rn.f32" to its row; NULL if no table has it. */
const struct op_info *decode_row(const struct draft *draft, const char *key) {
  const struct table *table = draft->table;
  size_t length = strlen(key);
  uint32_t at = hash(key, length) % TABLE_SIZE;
  for (; table->entries[at].key; at = (at + 1) % TABLE_SIZE)
    if (table->entries[at].length == length && memcmp(table->entries[at].key, key, length) == 0)
      return table->entries[at].info;
  return NULL;
}

static struct table *table_open(const struct isa *isa) {
  struct table *table = calloc(1, sizeof *table);
  if (!table) return NULL;
  table_add(table, isa->hot, isa->hot_count);
  table_add(table, cold_ops, cold_op_count);
  table_add(table, half_ops, half_op_count);
  table_add(table, predicate_ops, sizeof predicate_ops / sizeof *predicate_ops);
  return table;
}

static void add_row(struct draft *draft, const struct ptx_instruction *in,
                    const struct op_info *info) {
  vreg regs[sizeof info->types];
  uint8_t negated = 0;
  int used = (int)strnlen(info->types, sizeof info->types);
  if (in->operand_count < used) {
    draft_fail(draft, in->line, "%s: too few operands", in->opcode);
    return;
  }
  regs[0] = decode_destination(draft, in, &in->operands[0], info->types[0]);
  for (int k = 1; k < used; k++) {
    regs[k] = decode_source(draft, in, &in->operands[k], info->types[k]);
    if (in->operands[k].negated) negated |= (uint8_t)(1 << k);
  }
  struct draft_op *d = draft_add_row(draft, info, in->line);
  memcpy(d->reg, regs, sizeof regs[0] * (size_t)used);
  d->op.negated = negated;
  d->op.counted = strncmp(in->parts[0], "cvta", 4) != 0;
}

/* ---- ends of blocks ---- */

/* How the instruction ends its block; END_NEXT: not at all (__syncwarp, a barrier without wait). */
static enum block_end end_of(const struct ptx_instruction *in) {
  static const enum block_end ends[] = {END_BRANCH, END_RETURN,  END_EXIT,   END_TRAP,
                                        END_CALL,   END_BARRIER, END_BARRIER};
  int kind = decode_word("bra ret exit trap call bar barrier", in->parts[0]);
  if (kind < 0) return END_NEXT;
  if (ends[kind] == END_BARRIER && (decode_has(in, "warp") || decode_has(in, "arrive")))
    return END_NEXT;
  return ends[kind];
}

/* Is this a call of one of the simulator's own functions, which is an operation like others? */
static bool is_intrinsic(const struct draft *draft, const struct ptx_instruction *in) {
  return in->operands[1].kind == PTX_SYMBOL &&
         !module_function(draft->kernel->module, in->operands[1].name);
}

/* Does it call a function of the math library? Such a call ends no block, as it stops no thread. */
static bool is_math(const struct draft *draft, const struct ptx_instruction *in) {
  return end_of(in) == END_CALL && is_intrinsic(draft, in) &&
         strncmp(in->operands[1].name, "__kit_", 6) == 0 &&
         intrinsic_find(in->operands[1].name + 6);
}

/* bar.sync a{, b}: barrier a of 16, for b threads (default: the block). bar.red: barrier 0, all. */
static void end_barrier(struct draft *draft, const struct ptx_instruction *in,
                        struct draft_block *block) {
  bool reduce = decode_has(in, "red");
  int at = reduce ? 1 : 0;
  bool plain =
      in->operand_count <= at || (in->operands[at].kind == PTX_INT && in->operands[at].value == 0 &&
                                  in->operand_count <= at + 1 + reduce);
  if (!plain && !reduce) {
    block->end.named = true;
    draft->program->has_fence = true; /* it orders some threads, as a fence and a flag do */
    block->barrier_number = decode_source(draft, in, &in->operands[0], 'w');
    block->barrier_threads = in->operand_count > 1 ? decode_source(draft, in, &in->operands[1], 'w')
                                                   : draft_constant(draft, 0, 'w');
  } else if (!plain) {
    draft_fail(draft, in->line, "%s: only barrier 0 for all threads of the block is supported",
               in->opcode);
  } else if (reduce && in->operand_count != 3) {
    draft_fail(draft, in->line, "%s: expected a result, a barrier and a predicate", in->opcode);
  } else if (reduce) {
    block->end.reduce_op = decode_has(in, "popc") ? 'p' : decode_has(in, "and") ? 'a' : 'o';
    block->end.reduce_negated = in->operands[2].negated;
    block->reduce_to =
        decode_destination(draft, in, &in->operands[0], block->end.reduce_op == 'p' ? 'w' : 'p');
    block->reduce_from = decode_source(draft, in, &in->operands[2], 'p');
  }
}

/* Where arguments go and results come from in a call of f. False: they are not those of f. */
static bool place_arguments(const struct draft *draft, const struct ptx_instruction *in,
                            const struct ptx_function *f, struct call_site *site) {
  const struct ptx_operand *results = &in->operands[0], *arguments = &in->operands[2];
  if (arguments->count != f->param_count || results->count != f->result_count ||
      f->param_count > MAX_CALL_ARGUMENTS || f->result_count > MAX_CALL_RESULTS)
    return false;
  for (int i = 0; i < f->param_count + f->result_count; i++) {
    bool is_result = i >= f->param_count;
    int k = is_result ? i - f->param_count : i;
    const struct ptx_variable *inner = is_result ? &f->results[k] : &f->params[k];
    const struct ptx_operand *outer = is_result ? &results->elements[k] : &arguments->elements[k];
    int there = decode_param_offset(f, inner->name, NULL);
    int here =
        outer->kind == PTX_SYMBOL ? decode_param_offset(draft->function, outer->name, NULL) : -1;
    if (here < 0 || there < 0 ||
        (size_t)here + round_up(inner->size, 4) > draft->program->param_bytes)
      return false;
    struct call_copy *copy =
        is_result ? &site->results[site->result_count++] : &site->arguments[site->argument_count++];
    copy->from = (uint32_t)(is_result ? there : here);
    copy->to = (uint32_t)(is_result ? here : there);
    copy->bytes = (uint32_t)inner->size;
  }
  return true;
}

/* The site of a call of f, in front of the block's others; NULL: the arguments do not fit. */
static struct call_site *add_site(struct draft *draft, const struct ptx_instruction *in,
                                  const struct ptx_function *f, struct draft_block *block) {
  enum { MAX_SITES = 1 << 15 };
  bool fits = draft->kernel->site_count++ < MAX_SITES;
  struct call_site *site = fits ? calloc(1, sizeof *site) : NULL;
  if (!fits)
    draft_fail(draft, in->line,
               "over %d functions that calls through pointers may lead to are not supported",
               MAX_SITES);
  if (!site) draft_fail(draft, in->line, "out of memory");
  if (!site || !place_arguments(draft, in, f, site)) {
    free(site);
    return NULL;
  }
  site->callee = kernel_program(draft->kernel, f);
  if (!site->callee) draft->failed = true;
  site->next = block->end.call;
  block->end.call = site;
  return site;
}

/* Through a pointer: any function with such parameters of which the program takes the address. */
static void end_indirect_call(struct draft *draft, const struct ptx_instruction *in,
                              struct draft_block *block) {
  struct kernel *kernel = draft->kernel;
  block->end.indirect = true;
  block->call_pointer = decode_source(draft, in, &in->operands[1], 'd');
  if (!kernel_find_taken(kernel))
    draft_fail(draft, in->line,
               "calls through pointers in a program of this size are not supported");
  for (int i = 0; i < kernel->taken_count && !draft->failed; i++) {
    struct call_site *site = add_site(draft, in, kernel->taken[i].function, block);
    if (site) site->address = kernel->taken[i].address;
  }
}

static void end_call(struct draft *draft, const struct ptx_instruction *in,
                     struct draft_block *block) {
  const struct ptx_operand *callee = &in->operands[1];
  draft->program->has_calls = true;
  if (callee->kind != PTX_SYMBOL) {
    end_indirect_call(draft, in, block);
    return;
  }
  const struct ptx_function *f = module_function(draft->kernel->module, callee->name);
  if (f->entry)
    draft_fail(draft, in->line, "call of %s, which is a kernel", callee->name);
  else if (!add_site(draft, in, f, block))
    draft_fail(draft, in->line, "call of %s: the arguments do not fit the function", callee->name);
}

/* Ends the block at an instruction. A branch's target is one, too, until blocks have numbers. */
static void end_block(struct draft *draft, const struct ptx_instruction *in, enum block_end kind,
                      struct draft_block *block) {
  block->end.line = in->line;
  block->end.end = kind;
  block->end.target = in->target;
  if (kind == END_BRANCH && in->guard < 0) block->end.end = END_JUMP;
  if (kind == END_BRANCH && in->guard >= 0) {
    block->predicate = in->guard;
    block->end.negated = in->guard_negated;
  }
  if (kind == END_BARRIER) end_barrier(draft, in, block);
  if (kind == END_CALL) end_call(draft, in, block);
}

/* ---- blocks ---- */

static void decode_instruction(struct draft *draft, const struct ptx_instruction *in) {
  int before = draft->op_count;
  note_needs(draft->kernel, in);
  const struct op_info *info = decode_row(draft, in->opcode);
  if (info && in->operand_count > 1 &&
      (in->operands[1].kind == PTX_SYMBOL || in->operands[1].kind == PTX_SPECIAL ||
       in->operands[1].kind == PTX_VECTOR || in->operands[0].kind == PTX_VECTOR))
    info = NULL; /* mov of something else than a register */
  if (info)
    add_row(draft, in, info);
  else if (!decode_compare(draft, in) && !decode_memory(draft, in) && !decode_texture(draft, in) &&
           !decode_special(draft, in) && !decode_carry(draft, in) && !decode_flushed(draft, in) &&
           !decode_async(draft, in) && !decode_tensor(draft, in))
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
  return decode_is(in, "atom") || decode_is(in, "mbarrier") ||
         (decode_is(in, "ld") && decode_part(in, "volatile relaxed acquire cv") >= 0);
}

/* Is there a loop that may wait for others' stores? Then lanes may have to run ahead of others. */
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
         (decode_has(in, "sync") && decode_word("shfl vote match redux elect", in->parts[0]) >= 0);
}

static bool *find_leaders(const struct draft *draft) {
  const struct ptx_function *f = draft->function;
  bool *leader = calloc((size_t)f->instruction_count + 2, sizeof *leader), waits = may_wait(f);
  if (!leader) return NULL;
  leader[0] = true;
  for (int i = 0; i < f->instruction_count; i++) {
    const struct ptx_instruction *in = &f->instructions[i];
    if (in->target >= 0) leader[in->target] = true;
    if (end_of(in) != END_NEXT && !is_math(draft, in)) leader[i + 1] = true;
    if (waits && gathers(in)) leader[i] = true;
    /* lanes that call other functions come back to it */
    if (end_of(in) == END_CALL && in->operands[1].kind != PTX_SYMBOL) leader[i] = true;
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

static void decode_body(struct draft *draft, const bool *leader, int *block_of) {
  const struct ptx_function *f = draft->function;
  struct draft_block *block = NULL;
  for (int i = 0; i < f->instruction_count && !draft->failed; i++) {
    const struct ptx_instruction *in = &f->instructions[i];
    if (leader[i] || !block) {
      if (block) block->count = draft->op_count - block->first;
      block = draft_add_block(draft);
      block->end.next = draft->block_count;
      block->end.line = in->line;
      block->end.gathers = gathers(in);
      block->end.no_unroll = in->no_unroll;
    }
    block_of[i] = draft->block_count - 1;
    enum block_end end = end_of(in);
    if (end == END_NEXT || (end == END_CALL && is_intrinsic(draft, in))) {
      decode_instruction(draft, in);
      continue;
    }
    if (in->guard >= 0 && end != END_BRANCH) block = branch_around(draft, in, i + 1);
    block->end.next = draft->block_count;
    end_block(draft, in, end, block);
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
    op->affine_group = -1;
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

/* Frees what operations and blocks own if no program takes it over. */
static void release_drafted(const struct draft *draft) {
  for (int i = 0; i < draft->op_count; i++)
    if (draft->ops[i].op.kind == OP_CALL) free(draft->ops[i].op.call);
  for (int b = 0; b < draft->block_count; b++) call_sites_free(draft->blocks[b].end.call);
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
    if (find_variable(f->params, f->param_count, name) ||
        find_variable(f->results, f->result_count, name))
      return name;
  }
  return NULL;
}

static void check_limits(struct draft *draft) {
  const struct ptx_function *f = draft->function;
  size_t local;
  decode_param_offset(f, NULL, &draft->program->param_bytes);
  local_offset(f, NULL, &local);
  draft->program->local_bytes = local;
  if (draft->program->param_bytes > MAX_PARAM_BYTES)
    draft_fail(
        draft, 0,
        "a function with %zu bytes of parameters, its own and of its calls, is not supported",
        draft->program->param_bytes);
  else if (shadowing_name(f))
    draft_fail(draft, 0, "the name %s for a variable and a parameter of %s is not supported",
               shadowing_name(f), f->name);
  else if ((draft->kernel->invalid = local > MAX_LOCAL_BYTES))
    draft_fail(draft, 0,
               "the local arrays of a thread take %zu bytes; a GPU has %d for them, so its "
               "compiler would refuse the kernel. Put large arrays into global memory",
               local, MAX_LOCAL_BYTES);
  else if (f->instruction_count > MAX_INSTRUCTIONS || f->register_count > MAX_REGISTERS)
    draft_fail(draft, 0, "a function of over %d instructions or %d registers is not supported",
               MAX_INSTRUCTIONS, MAX_REGISTERS);
}

static bool decode_function(struct draft *draft) {
  const struct ptx_function *f = draft->function;
  struct table *table = table_open(draft->isa);
  draft->table = table;
  bool *leader = find_leaders(draft);
  int *block_of = calloc((size_t)f->instruction_count + 2, sizeof *block_of);
  bool ok = table && leader && block_of;
  for (int r = 0; ok && r < f->register_count; r++)
    draft_temporary(draft, decode_width(f->registers[r].type));
  if (ok) check_limits(draft);
  if (ok && !draft->failed) decode_body(draft, leader, block_of);
  ok = ok && !draft->failed && contract_halves(draft) && flow_find_leaving(draft) &&
       flow_find_reconvergence(draft) && poll_find(draft) && aggregate_atomics(draft) &&
       fuse_shared_accesses(draft) && slots_assign(draft);
  if (ok) {
    number_ops(draft);
    group_accesses(draft->program);
  } else {
    draft_fail(draft, 0, "out of memory"); /* unless something else failed */
    release_drafted(draft);
  }
  free(table);
  free(leader);
  free(block_of);
  free(draft->widths);
  free(draft->ops);
  free(draft->blocks);
  free(draft->constants);
  return ok;
}

struct program *kernel_program(struct kernel *kernel, const struct ptx_function *function) {
  for (int i = 0; i < kernel->program_count; i++)
    if (kernel->programs[i]->function == function) return kernel->programs[i];
  int room = sizeof kernel->programs / sizeof kernel->programs[0];
  struct program *program = kernel->program_count < room ? calloc(1, sizeof *program) : NULL;
  if (!program) {
    snprintf(kernel->error, sizeof kernel->error,
             kernel->program_count < room ? "out of memory" : "the kernel calls over %d functions",
             room - 1);
    return NULL;
  }
  program->function = function;
  program->params = (struct accessed_params){PARAM_UNKNOWN, PARAM_UNKNOWN};
  program->shared_granule = program->global_granule = 4;
  /* before decoding: a function may call itself */
  kernel->programs[kernel->program_count++] = program;
  struct draft draft = {.module = kernel->module->ptx,
                        .function = function,
                        .kernel = kernel,
                        .program = program,
                        .isa = isa_best(),
                        .carry = NO_VREG};
  return decode_function(&draft) ? program : NULL;
}
