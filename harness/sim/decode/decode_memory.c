/* decode_memory.c: loads, stores and atomics, and the addresses of variables. */
#include <stdio.h>
#include <string.h>

#include "harness/sim/base/memory.h"
#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/draft.h"

static enum ptx_space space_of(const struct ptx_instruction *in) {
  static const enum ptx_space spaces[] = {PTX_GLOBAL, PTX_LOCAL, PTX_CONST, PTX_SHARED, PTX_SHARED,
                                          PTX_SHARED, PTX_PARAM, PTX_PARAM, PTX_PARAM};
  int space = decode_part(
      in, "global local const shared shared::cta shared::cluster param param::entry param::func");
  return space < 0 ? PTX_GENERIC : spaces[space];
}

/* Modifiers of accesses that are known. Most do not matter to a simulator which runs a warp's
 * accesses in order. */
static const char known_modifiers[] =
    "global shared local const param shared::cta param::entry param::func volatile relaxed acquire "
    "release weak gpu cta sys cluster ca cg cs cv lu wb wt nc v2 v4 L1::evict_last L1::evict_first "
    "L1::no_allocate L1::evict_normal L2::64B L2::128B L2::256B";

void decode_granule(struct program *program, enum ptx_space space, int size) {
  if (size > 4) size = 4;
  if ((space == PTX_SHARED || space == PTX_GENERIC) && size < program->shared_granule)
    program->shared_granule = size;
  if ((space == PTX_GLOBAL || space == PTX_GENERIC) && size < program->global_granule)
    program->global_granule = size;
}

/* Address of a variable in its own space; *local: it is relative to the frame's local memory. */
static bool variable_address(struct draft *draft, const char *name, uint64_t *address,
                             bool *local) {
  int64_t offset = local_offset(draft->function, name, NULL);
  *local = offset >= 0;
  *address = (uint64_t)offset;
  if (*local) return true;
  for (int i = 0; i < draft->kernel->shared_count; i++)
    if (strcmp(draft->kernel->shared[i].variable->name, name) == 0) {
      *address = draft->kernel->shared[i].start;
      return true;
    }
  const struct module_variable *v = module_variable(draft->kernel->module, name);
  if (v) *address = v->address;
  return v != NULL;
}

static void add_local_address(struct draft *draft, int line, vreg to, int64_t offset) {
  struct draft_op *d = draft_add_lanewise(draft, cold_local_base, line, to, 'd');
  d->op.kind = OP_LOCAL;
  d->op.access.offset = offset;
  d->op.counted = false;
}

/* Sign-extends a 32-bit address, as inline PTX and nvcc have them in shared and local memory: a
 * negative one may come before an offset that is not. Where the block has done so before, its
 * result is used again, so that accesses off one register still have one base. */
static vreg widened_address(struct draft *draft, vreg from, int line) {
  enum { MAX_STEPS = 256 };
  int first = draft->blocks[draft->block_count - 1].first;
  for (int i = draft->op_count - 1, left = MAX_STEPS; i >= first && left > 0; i--, left--) {
    const struct draft_op *d = &draft->ops[i];
    if (draft_defines(d, from)) break;
    if (d->op.kind == OP_ROW && !d->op.counted && !d->op.guarded && d->reg[1] == from &&
        strcmp(d->op.row->name, "cvt_s64_s32") == 0)
      return d->reg[0];
  }
  vreg to = draft_temporary(draft, 'd');
  draft_add_helper(draft, "cvt_s64_s32", line, to)->reg[1] = from;
  return to;
}

/* The register that holds an operand's base address; *offset gets the constant part. */
vreg decode_address_register(struct draft *draft, const struct ptx_instruction *in,
                             const struct ptx_operand *operand, int64_t *offset) {
  *offset = operand->offset;
  if (operand->reg >= 0) {
    if (draft->widths[operand->reg] == 'd') return operand->reg;
    enum ptx_space space = space_of(in);
    if (draft->widths[operand->reg] == 'w' && (space == PTX_SHARED || space == PTX_LOCAL))
      return widened_address(draft, operand->reg, in->line);
    draft_fail(draft, in->line, "%s: addresses of this width are not supported", in->opcode);
    return ~0;
  }
  uint64_t address = 0;
  bool local = false;
  if (operand->name && !variable_address(draft, operand->name, &address, &local)) {
    draft_fail(draft, in->line, "%s: the variable %s is not known", in->opcode, operand->name);
    return ~0;
  }
  if (!local) return draft_constant(draft, address, 'd');
  vreg base = draft_temporary(draft, 'd');
  add_local_address(draft, in->line, base, (int64_t)address);
  return base;
}

/* Fills the data registers of an access from one operand or a vector; false if they do not fit. */
static bool data_registers(struct draft *draft, const struct ptx_instruction *in,
                           const struct ptx_operand *operand, bool load, struct draft_op *d) {
  int count = operand->kind == PTX_VECTOR ? operand->count : 1;
  const struct ptx_operand *elements = operand->kind == PTX_VECTOR ? operand->elements : operand;
  if (count < 1 || count > 8) return false;
  d->op.count = (uint8_t)count;
  char width = d->op.size == 8 ? 'd' : 'w';
  for (int i = 0; i < count; i++)
    if (elements[i].kind == PTX_REG) width = draft->widths[elements[i].reg];
  if (width == 'p' || (d->op.size == 8 && width != 'd')) return false;
  d->op.wide = width == 'd';
  for (int i = 0; i < count; i++)
    d->reg[1 + i] = load ? decode_destination(draft, in, &elements[i], width)
                         : decode_source(draft, in, &elements[i], width);
  d->used = (uint8_t)(1 + count);
  if (load) d->writes = (uint16_t)(((1u << count) - 1) << 1);
  return true;
}

/* Do the bytes at offset lie in the function's parameter area, aligned to size? */
static bool in_parameters(const struct draft *draft, int64_t offset, size_t size, size_t bytes) {
  size_t room = draft->program->param_bytes;
  return offset >= 0 && (uint64_t)offset <= room && bytes <= room - (uint64_t)offset &&
         (uint64_t)offset % size == 0;
}

static void decode_param(struct draft *draft, const struct ptx_instruction *in,
                         const struct ptx_operand *address, const struct ptx_operand *data,
                         bool load, struct draft_op pattern) {
  const struct ptx_function *f = draft->function;
  pattern.op.kind = OP_PARAM;
  pattern.op.counted = false;
  if (!data_registers(draft, in, data, load, &pattern)) {
    draft_fail(draft, in->line, "%s: operands of this kind are not supported", in->opcode);
    return;
  }
  if (address->offset > 1 << 20 || address->offset < -(1 << 20)) {
    draft_fail(draft, in->line, "%s: this is far outside of the parameters", in->opcode);
    return;
  }
  op_function *run = load ? cold_load_param : cold_store_param;
  int64_t *offset = &pattern.op.access.offset;
  *offset = address->offset;
  int at = address->name ? decode_param_offset(f, address->name, NULL) : -1;
  if (at >= 0) {
    *offset += at;
    if (!in_parameters(draft, *offset, pattern.op.size,
                       (size_t)pattern.op.size * pattern.op.count)) {
      draft_fail(draft, in->line, "%s: this is outside of the parameter %s", in->opcode,
                 address->name);
      return;
    }
  } else if (load && address->reg >= 0 &&
             draft->widths[address->reg] == 'd') { /* mov.b64 %rd, param; ld.param [%rd] */
    pattern.reg[0] = address->reg;
    pattern.op.access.indexed = true;
    run = f->entry ? cold_load_kernel_param : cold_load_param_at;
  } else if (load && f->entry && address->name) {
    const struct ptx_variable *param = find_variable(f->params, f->param_count, address->name);
    if (param) *offset += (int64_t)draft->kernel->info.params[param - f->params].offset;
    run = cold_load_kernel_param;
  } else {
    draft_fail(draft, in->line, "%s: this way to a parameter is not supported", in->opcode);
    return;
  }
  pattern.op.body = pattern.op.run[0] = pattern.op.run[1] = run;
  draft_push(draft, &pattern);
}

/* The scope and the semantics of an access (PTX ISA, "Memory Consistency Model"). */
static void note_order(struct draft *draft, const struct ptx_instruction *in, struct op *op) {
  bool both = decode_has(in, "acq_rel");
  op->block_scope = decode_has(in, "cta");
  op->acquires = both || decode_has(in, "acquire");
  op->releases = both || decode_has(in, "release");
  if (op->acquires || op->releases) draft->program->has_fence = true;
  if (decode_has(in, "sys")) draft->program->signals = true;
}

/* Does anything read the register? */
static bool operand_reads(const struct ptx_operand *operand, int reg) {
  if (operand->kind == PTX_REG || operand->kind == PTX_ADDRESS) return operand->reg == reg;
  if (operand->kind == PTX_VECTOR || operand->kind == PTX_PAIR)
    for (int i = 0; i < operand->count; i++)
      if (operand_reads(&operand->elements[i], reg)) return true;
  return false;
}

static bool is_read(const struct ptx_function *f, int reg) {
  for (int i = 0; i < f->instruction_count; i++) {
    const struct ptx_instruction *in = &f->instructions[i];
    int first = decode_word("st red", in->parts[0]) >= 0 ? 0 : 1;
    for (int k = first; k < in->operand_count; k++)
      if (operand_reads(&in->operands[k], reg)) return true;
  }
  return false;
}

/* Is this an operand that a result goes to and from which nobody takes it? */
static bool goes_nowhere(const struct ptx_function *f, const struct ptx_operand *operand) {
  return operand->kind == PTX_SINK || (operand->kind == PTX_REG && !is_read(f, operand->reg));
}

static bool decode_load_store(struct draft *draft, const struct ptx_instruction *in, bool load) {
  if (in->operand_count != 2) return false;
  for (int i = 1; i < in->part_count - 1; i++)
    if (decode_word(known_modifiers, in->parts[i]) < 0) return false;
  enum ptx_type type = ptx_type_from(in->parts[in->part_count - 1]);
  size_t size = ptx_type_size(type);
  if (type == PTX_NONE || type == PTX_PRED) return false;
  const struct ptx_operand *address = &in->operands[load ? 1 : 0],
                           *data = &in->operands[load ? 0 : 1];
  if (address->kind != PTX_ADDRESS) return false;
  struct draft_op d = draft_blank(load ? draft->isa->load : draft->isa->store, in->line);
  enum ptx_space space = space_of(in);
  d.op.kind = load ? OP_LOAD : OP_STORE;
  d.op.size = (uint8_t)size;
  d.op.access.sign_extends = type == PTX_S8 || type == PTX_S16 || type == PTX_S32;
  if (space == PTX_PARAM) {
    decode_param(draft, in, address, data, load, d);
    return true;
  }
  d.op.space = (uint8_t)(space == PTX_CONST ? PTX_GLOBAL : space);
  d.op.constant = space == PTX_CONST;
  d.op.read_only = d.op.constant || decode_has(in, "nc");
  note_order(draft, in, &d.op);
  d.op.is_volatile = decode_has(in, "volatile") || decode_has(in, "relaxed") ||
                     decode_has(in, "cv") || d.op.acquires || d.op.releases;
  d.op.past_l1 = d.op.is_volatile || decode_has(in, "cg");
  d.reg[0] = decode_address_register(draft, in, address, &d.op.access.offset);
  if (!data_registers(draft, in, data, load, &d)) return false;
  if (d.op.size * d.op.count > 16) return false;
  if (load && d.op.count == 4 && goes_nowhere(draft->function, &data->elements[3])) {
    d.op.count = 3; /* op_width */
    d.used = 4;
    d.writes = 7 << 1;
  }
  d.op.orders_shared = d.op.is_volatile;
  draft->program->signals |= d.op.is_volatile && (space == PTX_GLOBAL || space == PTX_GENERIC);
  decode_granule(draft->program, space, (int)size);
  draft_push(draft, &d);
  return true;
}

/* ---- atomics ---- */

static bool find_atomic(const struct ptx_instruction *in, struct op *op) {
  enum ptx_type type = ptx_type_from(in->parts[in->part_count - 1]);
  int kind = -1;
  for (int i = 1; i < in->part_count - 1; i++) {
    int found = decode_word("add exch cas min max inc dec and or xor", in->parts[i]);
    if (found >= 0)
      kind = found; /* enum atomic_kind */
    else if (decode_word(known_modifiers, in->parts[i]) < 0 &&
             decode_word("acq_rel noftz", in->parts[i]) < 0)
      return false; /* vectors, ... */
  }
  if (kind < 0) return false;
  op->access.atomic = (uint8_t)kind;
  op->size = (uint8_t)ptx_type_size(type);
  op->access.type = type == PTX_F32 || type == PTX_F64       ? ATOMIC_FLOAT
                    : type == PTX_F16 || type == PTX_F16X2   ? ATOMIC_F16
                    : type == PTX_BF16 || type == PTX_BF16X2 ? ATOMIC_BF16
                    : type == PTX_S32 || type == PTX_S64     ? ATOMIC_SIGNED
                                                             : ATOMIC_UNSIGNED;
  if (op->access.type >= ATOMIC_FLOAT && kind != ATOMIC_ADD && kind != ATOMIC_EXCH) return false;
  bool narrow = op->access.type > ATOMIC_FLOAT || (type == PTX_B16 && kind == ATOMIC_CAS);
  return op->size == 4 || op->size == 8 || (op->size == 2 && narrow);
}

static bool decode_atomic(struct draft *draft, const struct ptx_instruction *in, bool has_result) {
  struct draft_op d = draft_blank(cold_atomic, in->line);
  d.op.kind = OP_ATOMIC;
  d.op.count = 1;
  d.op.access.has_result = has_result;
  int first = has_result ? 1 : 0, operands = in->operand_count - first - 1;
  if (operands < 1 || operands > 2 || in->operands[first].kind != PTX_ADDRESS ||
      !find_atomic(in, &d.op))
    return false;
  char width = d.op.size == 8 ? 'd' : 'w';
  enum ptx_space space = space_of(in);
  if (space != PTX_GLOBAL && space != PTX_SHARED && space != PTX_GENERIC) return false;
  d.op.space = (uint8_t)space;
  d.op.wide = width == 'd';
  enum atomic_kind kind = d.op.access.atomic;
  if ((kind == ATOMIC_CAS) != (operands == 2)) return false;
  d.op.orders_shared = true;
  note_order(draft, in, &d.op);
  decode_granule(draft->program, space, d.op.size);
  d.reg[0] = decode_address_register(draft, in, &in->operands[first], &d.op.access.offset);
  if (has_result) d.reg[1] = decode_destination(draft, in, &in->operands[0], width);
  for (int i = 0; i < operands; i++)
    d.reg[2 + i] = decode_source(draft, in, &in->operands[first + 1 + i], width);
  d.used = (uint8_t)(2 + operands);
  d.writes = has_result ? 1 << 1 : 0;
  /* Where the old values are unused, atomics may run in any order. */
  bool result_used = has_result && in->operands[0].kind == PTX_REG &&
                     is_read(draft->function, in->operands[0].reg);
  bool commutes = kind != ATOMIC_EXCH && kind != ATOMIC_CAS && kind != ATOMIC_INC &&
                  kind != ATOMIC_DEC && d.op.access.type < ATOMIC_FLOAT;
  d.op.polls = result_used;
  const struct ptx_operand *operand = &in->operands[first + 1];
  d.op.access.counts = kind == ATOMIC_ADD && d.op.access.type < ATOMIC_FLOAT && width == 'w' &&
                       !result_used && operand->kind == PTX_INT && operand->value == 1;
  if (space != PTX_SHARED) {
    draft->program->has_updates = true;
    draft->program->order_matters |= result_used || !commutes;
  }
  if (result_used) draft->program->has_polls = true;
  draft_push(draft, &d);
  return true;
}

/* ---- addresses as values ---- */

/* mov.u64 %rd, variable: the address in the variable's own space; mov.u32 %r: where it fits. */
static bool decode_address(struct draft *draft, const struct ptx_instruction *in) {
  if (!decode_is(in, "mov") || in->operand_count != 2 || in->operands[1].kind != PTX_SYMBOL)
    return false;
  const struct ptx_operand *symbol = &in->operands[1];
  enum ptx_type type = ptx_type_from(in->parts[in->part_count - 1]);
  char width = decode_width(type);
  if (ptx_type_size(type) < 4) return false;
  vreg to = decode_destination(draft, in, &in->operands[0], width);
  const struct ptx_function *f = draft->function;
  const struct ptx_variable *param = find_variable(f->params, f->param_count, symbol->name);
  uint64_t address;
  bool local = false;
  if (param && f->entry) {
    address = draft->kernel->info.params[param - f->params].offset;
  } else if (param) {
    address = (uint64_t)decode_param_offset(f, symbol->name, NULL);
  } else if (!variable_address(draft, symbol->name, &address, &local)) {
    address = module_function_address(draft->kernel->module, symbol->name);
    if (!address) return false;
  }
  address += (uint64_t)symbol->offset;
  if (width == 'w' && (int64_t)address != (int32_t)address) {
    draft_fail(draft, in->line, "%s: the address of %s does not fit 32 bits", in->opcode,
               symbol->name);
  } else if (local) {
    vreg base = width == 'd' ? to : draft_temporary(draft, 'd');
    add_local_address(draft, in->line, base, (int64_t)address);
    if (width == 'w') draft_add_helper(draft, "cvt_u32_u64", in->line, to)->reg[1] = base;
  } else {
    draft_add_helper(draft, width == 'd' ? "mov_64" : "mov_32", in->line, to)->reg[1] =
        draft_constant(draft, address, width);
  }
  return true;
}

/* cvta[.to].shared/local: adds or takes off the window's start. */
static bool decode_window(struct draft *draft, const struct ptx_instruction *in) {
  if (!decode_is(in, "cvta") || in->operand_count != 2) return false;
  enum ptx_space space = space_of(in);
  if (space != PTX_SHARED && space != PTX_LOCAL) return false;
  uint64_t window = space == PTX_SHARED ? SHARED_WINDOW : LOCAL_WINDOW;
  vreg to = decode_destination(draft, in, &in->operands[0], 'd'), from;
  if (in->operands[1].kind == PTX_SYMBOL) {
    int64_t offset;
    from = decode_address_register(
        draft, in,
        &(struct ptx_operand){.kind = PTX_ADDRESS, .reg = -1, .name = in->operands[1].name},
        &offset);
  } else {
    from = decode_source(draft, in, &in->operands[1], 'd');
  }
  struct draft_op *d = draft_add_helper(draft, "add_64", in->line, to);
  d->reg[1] = from;
  d->reg[2] = draft_constant(draft, decode_has(in, "to") ? 0 - window : window, 'd');
  return true;
}

bool decode_memory(struct draft *draft, const struct ptx_instruction *in) {
  if (decode_word("ld ldu", in->parts[0]) >= 0) return decode_load_store(draft, in, true);
  if (decode_is(in, "st")) return decode_load_store(draft, in, false);
  if (decode_is(in, "atom")) return decode_atomic(draft, in, true);
  if (decode_is(in, "red")) return decode_atomic(draft, in, false);
  return decode_address(draft, in) || decode_window(draft, in);
}
