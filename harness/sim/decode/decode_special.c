/* decode_special.c: instructions that are neither a row of a table nor an access to memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/draft.h"

static bool is(const struct ptx_instruction *in, const char *opcode) {
  return strcmp(in->opcode, opcode) == 0;
}

static bool decode_special_register(struct draft *draft, const struct ptx_instruction *in) {
  if (!decode_is(in, "mov") || in->operand_count != 2 || in->operands[1].kind != PTX_SPECIAL)
    return false;
  const char *name = in->operands[1].name;
  char width = decode_width(ptx_type_from(in->parts[in->part_count - 1]));
  if (decode_word("%clock64 %globaltimer %clock_lo", name) >= 0) name = "%clock";
  for (int i = 0; i < SPECIALS; i++) {
    if (strcmp(special_names[i], name) != 0) continue;
    vreg to = decode_destination(draft, in, &in->operands[0], width);
    struct draft_op *d = draft_add_lanewise(draft, cold_special, in->line, to, width);
    d->op.kind = OP_SPECIAL;
    d->op.special = (enum special)i;
    return true;
  }
  draft_fail(draft, in->line, "the special register %s is not supported", name);
  return true;
}

/* mov.b64 {%r1, %r2}, %rd and back; also 16 bits as two of 8, 32 as two of 16, 64 as four. */
static bool decode_vector_move(struct draft *draft, const struct ptx_instruction *in) {
  if (!decode_is(in, "mov") || in->operand_count != 2) return false;
  bool unpack = in->operands[0].kind == PTX_VECTOR, pack = in->operands[1].kind == PTX_VECTOR;
  if (unpack == pack) return false;
  const struct ptx_operand *parts = &in->operands[unpack ? 0 : 1],
                           *whole = &in->operands[unpack ? 1 : 0];
  size_t bytes = ptx_type_size(ptx_type_from(in->parts[in->part_count - 1]));
  if ((bytes != 2 && bytes != 4 && bytes != 8) || parts->count < 2 || parts->count > 4 ||
      (size_t)parts->count > bytes)
    return false;
  char whole_width = bytes == 8 ? 'd' : 'w';
  struct draft_op d = draft_blank(pack ? cold_pack : cold_unpack, in->line);
  d.op.kind = pack ? OP_PLAIN : OP_UNPACK;
  d.op.size = (uint8_t)(bytes / (size_t)parts->count);
  d.op.count = (uint8_t)parts->count;
  d.op.wide = whole_width == 'd';
  d.reg[0] = pack ? decode_destination(draft, in, whole, whole_width)
                  : decode_source(draft, in, whole, whole_width);
  for (int i = 0; i < parts->count; i++) {
    if (unpack && parts->elements[i].kind == PTX_SINK) d.op.unused_parts |= (uint8_t)(1 << i);
    d.reg[1 + i] = pack ? decode_source(draft, in, &parts->elements[i], 'w')
                        : decode_destination(draft, in, &parts->elements[i], 'w');
  }
  d.used = (uint8_t)(1 + parts->count);
  d.writes = pack ? 1 : (uint16_t)(((1u << parts->count) - 1) << 1);
  draft_push(draft, &d);
  return true;
}

/* bfi.b32 d, a, b, position, length */
static bool decode_bit_insert(struct draft *draft, const struct ptx_instruction *in) {
  if (decode_word("bfi.b32 bfi.b64", in->opcode) < 0 || in->operand_count != 5) return false;
  char width = is(in, "bfi.b64") ? 'd' : 'w';
  vreg to = decode_destination(draft, in, &in->operands[0], width), sources[4];
  for (int i = 0; i < 4; i++)
    sources[i] = decode_source(draft, in, &in->operands[1 + i], i < 2 ? width : 'w');
  struct draft_op *d = draft_add_lanewise(draft, cold_bit_insert, in->line, to, width);
  memcpy(&d->reg[1], sources, sizeof sources);
  d->used = 5;
  return true;
}

/* lop3.b32 d, a, b, c, table: any logic of three inputs. */
static bool decode_logic_3(struct draft *draft, const struct ptx_instruction *in) {
  if (!is(in, "lop3.b32") || in->operand_count != 5 || in->operands[4].kind != PTX_INT)
    return false;
  vreg to = decode_destination(draft, in, &in->operands[0], 'w'), sources[3];
  for (int i = 0; i < 3; i++) sources[i] = decode_source(draft, in, &in->operands[1 + i], 'w');
  struct draft_op *d = draft_add_lanewise(draft, cold_logic_3, in->line, to, 'w');
  memcpy(&d->reg[1], sources, sizeof sources);
  d->used = 4;
  d->in_place = true;
  d->op.kind = OP_LOGIC_3;
  d->op.truth_table = (uint8_t)in->operands[4].value;
  return true;
}

/* The mask of members of a .sync operation, a source of the operation that was just added. */
static void add_members(struct draft *draft, const struct ptx_instruction *in, int operand) {
  if (!decode_has(in, "sync") || in->operand_count <= operand) return;
  vreg members = decode_source(draft, in, &in->operands[operand], 'w');
  struct draft_op *d = &draft->ops[draft->op_count - 1];
  d->reg[MEMBERS_SLOT] = members;
  d->used = MEMBERS_SLOT + 1;
  d->op.has_members = true;
}

/* shfl.sync.mode.b32 d[|p], a, b, c, members; without .sync, members are the active lanes. */
static bool decode_shuffle(struct draft *draft, const struct ptx_instruction *in) {
  if (!decode_is(in, "shfl")) return false;
  int mode = decode_part(in, "up down bfly idx"); /* enum shuffle_mode */
  if (mode < 0 || in->operand_count < 4) return false;
  const struct ptx_operand *to = &in->operands[0];
  bool pair = to->kind == PTX_PAIR;
  vreg d0 = decode_destination(draft, in, pair ? &to->elements[0] : to, 'w');
  vreg p = pair ? decode_destination(draft, in, &to->elements[1], 'p') : NO_VREG;
  vreg sources[3];
  for (int i = 0; i < 3; i++) sources[i] = decode_source(draft, in, &in->operands[1 + i], 'w');
  struct draft_op *d = draft_add_to(draft, cold_shuffle, in->line, d0, 'w');
  d->reg[1] = p;
  for (int i = 0; i < 3; i++) d->reg[2 + i] = sources[i];
  d->used = 5;
  d->writes = pair ? 3 : 1;
  d->op.kind = OP_SHUFFLE;
  d->op.shuffle = (enum shuffle_mode)mode;
  add_members(draft, in, 4);
  return true;
}

static bool decode_vote(struct draft *draft, const struct ptx_instruction *in) {
  if (is(in, "activemask.b32") && in->operand_count == 1) {
    draft_add_to(draft, cold_active_mask, in->line,
                 decode_destination(draft, in, &in->operands[0], 'w'), 'w');
    return true;
  }
  if (!decode_is(in, "vote") || in->operand_count < 2) return false;
  int mode = decode_part(in, "all any uni ballot"); /* enum vote_mode */
  if (mode < 0) return false;
  char width = mode == VOTE_BALLOT ? 'w' : 'p';
  vreg to = decode_destination(draft, in, &in->operands[0], width);
  vreg p = decode_source(draft, in, &in->operands[1], 'p');
  struct draft_op *d = draft_add_to(draft, cold_vote, in->line, to, width);
  d->reg[1] = p;
  d->used = 2;
  d->op.kind = OP_VOTE;
  d->op.vote = (enum vote_mode)mode;
  d->op.negated = in->operands[1].negated ? 1 << 1 : 0;
  add_members(draft, in, 2);
  return true;
}

/* match.any.sync.type d, a, members; match.all.sync.type d[|p], a, members */
static bool decode_match(struct draft *draft, const struct ptx_instruction *in) {
  if (!decode_is(in, "match") || in->operand_count != 3 || !decode_has(in, "sync")) return false;
  const struct ptx_operand *to = &in->operands[0];
  bool pair = to->kind == PTX_PAIR, wide = decode_has(in, "b64");
  vreg d0 = decode_destination(draft, in, pair ? &to->elements[0] : to, 'w');
  vreg p = pair ? decode_destination(draft, in, &to->elements[1], 'p') : NO_VREG;
  vreg a = decode_source(draft, in, &in->operands[1], wide ? 'd' : 'w');
  struct draft_op *d = draft_add_to(draft, cold_match, in->line, d0, 'w');
  d->reg[1] = p;
  d->reg[2] = a;
  d->used = 3;
  d->writes = pair ? 3 : 1;
  d->op.kind = OP_MATCH;
  d->op.match.all = decode_has(in, "all");
  d->op.match.wide = wide;
  add_members(draft, in, 2);
  return true;
}

/* redux.sync.op.type d, a, members; elect.sync d|p, members */
static bool decode_redux(struct draft *draft, const struct ptx_instruction *in) {
  static const enum atomic_kind kinds[] = {ATOMIC_ADD, ATOMIC_MIN, ATOMIC_MAX,
                                           ATOMIC_AND, ATOMIC_OR,  ATOMIC_XOR};
  int kind = decode_part(in, "add min max and or xor");
  if (!decode_is(in, "redux") || in->operand_count != 3 || kind < 0 ||
      decode_part(in, "b32 u32 s32") < 0)
    return false;
  vreg to = decode_destination(draft, in, &in->operands[0], 'w'),
       a = decode_source(draft, in, &in->operands[1], 'w');
  struct draft_op *d = draft_add_to(draft, cold_redux, in->line, to, 'w');
  d->reg[1] = a;
  d->used = 2;
  d->op.kind = OP_REDUX;
  d->op.redux.kind = (uint8_t)kinds[kind];
  d->op.redux.is_signed = decode_has(in, "s32");
  add_members(draft, in, 2);
  return true;
}
static bool decode_elect(struct draft *draft, const struct ptx_instruction *in) {
  if (!is(in, "elect.sync") || in->operand_count != 2) return false;
  const struct ptx_operand *to = &in->operands[0];
  if (to->kind != PTX_PAIR) return false;
  vreg lane = decode_destination(draft, in, &to->elements[0], 'w'),
       p = decode_destination(draft, in, &to->elements[1], 'p');
  struct draft_op *d = draft_add_to(draft, cold_elect, in->line, lane, 'w');
  d->reg[1] = p;
  d->used = 2;
  d->writes = 3;
  add_members(draft, in, 1);
  return true;
}

static bool decode_sync(struct draft *draft, const struct ptx_instruction *in) {
  if (is(in, "bar.warp.sync") && in->operand_count == 1) {
    vreg mask = decode_source(draft, in, &in->operands[0], 'w');
    struct draft_op *d = draft_add(draft, cold_warp_sync, in->line);
    d->reg[MEMBERS_SLOT] = mask;
    d->used = MEMBERS_SLOT + 1;
    d->op.has_members = true;
    d->op.orders_shared = true;
    return true;
  }
  if (decode_word("bar barrier", in->parts[0]) >= 0 && decode_has(in, "arrive")) {
    if (in->operand_count != 2) return false;
    vreg number = decode_source(draft, in, &in->operands[0], 'w'),
         threads = decode_source(draft, in, &in->operands[1], 'w');
    struct draft_op *d = draft_add(draft, cold_barrier_arrive, in->line);
    d->reg[0] = number;
    d->reg[1] = threads;
    d->used = 2;
    d->op.orders_shared = true;
    return true;
  }
  if (decode_word("membar fence", in->parts[0]) >= 0) {
    draft->program->has_fence = true;
    draft->program->signals |= decode_has(in, "sys");
    struct draft_op *d = draft_add(draft, cold_fence, in->line);
    d->op.orders_shared = true;
    d->op.block_scope = decode_has(in, "cta");
    return true;
  }
  if (decode_is(in, "nanosleep")) {
    draft_add(draft, cold_sleep, in->line);
    return true;
  }
  if (decode_word("prefetch prefetchu applypriority discard brkpt pragma", in->parts[0]) >= 0) {
    draft_add(draft, cold_nothing, in->line);
    return true;
  }
  return false;
}

static bool decode_in_window(struct draft *draft, const struct ptx_instruction *in) {
  if (!decode_is(in, "isspacep") || in->operand_count != 2) return false;
  static const enum ptx_space spaces[] = {PTX_SHARED, PTX_LOCAL, PTX_GLOBAL};
  int space = decode_part(in, "shared local global");
  if (space < 0) return false;
  vreg to = decode_destination(draft, in, &in->operands[0], 'p'),
       a = decode_source(draft, in, &in->operands[1], 'd');
  struct draft_op *d = draft_add_lanewise(draft, cold_in_space, in->line, to, 'p');
  d->reg[1] = a;
  d->used = 2;
  d->op.kind = OP_IN_SPACE;
  d->op.in_space = spaces[space];
  return true;
}

/* Do the arguments and the result of a call of the simulator's own fit into the parameter area?
 * Each is at the start of a variable. needed: the number of arguments. */
static bool call_fits(const struct draft *draft, const struct intrinsic_call *call, int needed,
                      bool needs_result) {
  enum { LARGEST = 8 };
  int64_t room = (int64_t)draft->program->param_bytes - LARGEST;
  for (int i = 0; i < needed; i++)
    if (call->arguments[i] < 0 || call->arguments[i] > room) return false;
  return call->result <= room && (!needs_result || call->result >= 0);
}

/* The offset of an argument or result in the parameter area; -1: it is none. */
static int argument_offset(const struct draft *draft, const struct ptx_operand *operand) {
  return operand->name ? decode_param_offset(draft->function, operand->name, NULL) : -1;
}

/* What a module may call without defining it; the last stands for all math functions. */
static const struct own_function {
  const char *name;
  op_function *run;
  int arguments;
  bool has_result, orders_blocks; /* orders_blocks: what it does depends on their order */
} own_functions[] = {
    {"vprintf", cold_printf, 2, false, true},
    {"__assertfail", cold_assert_fail, 4, false, false},
    {"__kit_trap", cold_trap_reason, 1, false, false},
    {"malloc", cold_malloc, 1, true, true},
    {"free", cold_free, 1, false, true},
    {"__kit_child_launch", cold_child_launch, 8, false, true},
    {"__kit_child_error", cold_child_error, 1, true, false},
    {NULL, cold_intrinsic, 0, true, false},
};

/* A call of something that the module does not define: the simulator's own functions. */
static bool decode_intrinsic(struct draft *draft, const struct ptx_instruction *in) {
  if (!decode_is(in, "call") || in->operand_count < 3) return false;
  const struct ptx_operand *results = &in->operands[0], *callee = &in->operands[1],
                           *arguments = &in->operands[2];
  const char *name = callee->name ? callee->name : "?";
  const struct own_function *own = own_functions;
  while (own->name && strcmp(own->name, name) != 0) own++;
  op_function *run = own->run;
  const struct intrinsic *intrinsic =
      strncmp(name, "__kit_", 6) == 0 ? intrinsic_find(name + 6) : NULL;
  if (run == cold_intrinsic && !intrinsic) {
    draft_fail(draft, in->line,
               "the function %s is not there: it is declared but not defined for the device", name);
    return true;
  }
  struct intrinsic_call *call = calloc(1, sizeof *call);
  if (!call) return false;
  call->intrinsic = intrinsic;
  call->result = results->count ? argument_offset(draft, results->elements) : -1;
  for (int i = 0; i < 8; i++)
    call->arguments[i] =
        i < arguments->count ? argument_offset(draft, &arguments->elements[i]) : -1;
  int needed = intrinsic ? (int)strlen(intrinsic->signature) - 1 : own->arguments;
  if (arguments->count < needed || !call_fits(draft, call, needed, own->has_result)) {
    draft_fail(draft, in->line, "call of %s: the arguments do not fit the function", name);
    free(call);
    return true;
  }
  struct draft_op *d = draft_add(draft, run, in->line);
  d->op.kind = OP_CALL;
  d->op.call = call;
  d->op.orders_shared = true;
  d->op.orders_blocks = own->orders_blocks;
  draft->program->allocates |= run == cold_malloc || run == cold_free;
  return true;
}

bool decode_special(struct draft *draft, const struct ptx_instruction *in) {
  return decode_special_register(draft, in) || decode_vector_move(draft, in) ||
         decode_bit_insert(draft, in) || decode_logic_3(draft, in) || decode_shuffle(draft, in) ||
         decode_vote(draft, in) || decode_match(draft, in) || decode_redux(draft, in) ||
         decode_elect(draft, in) || decode_sync(draft, in) || decode_in_window(draft, in) ||
         decode_child(draft, in) || decode_intrinsic(draft, in);
}
