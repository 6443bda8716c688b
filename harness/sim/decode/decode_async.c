/* decode_async.c: asynchronous copies to shared memory (cp.async) and mbarriers. */
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/draft.h"

/* ---- cp.async ---- */

/* An access of some words by a function of its own, with its data in these registers. */
static struct draft_op access_of(op_function *run, op_function *body, int line, bool load,
                                 vreg address, int64_t offset, const vreg *data, int words) {
  struct draft_op d = draft_blank(run, line);
  d.op.body = body;
  d.op.kind = load ? OP_LOAD : OP_STORE;
  d.op.space = load ? PTX_GLOBAL : PTX_SHARED;
  d.op.apart = run != body;
  d.op.size = 4;
  d.op.count = (uint8_t)words;
  d.op.access.offset = offset;
  d.reg[0] = address;
  memcpy(&d.reg[1], data, sizeof *data * (size_t)words);
  d.used = (uint8_t)(1 + words);
  d.writes = load ? (uint16_t)(((1u << words) - 1) << 1) : 0;
  return d;
}

/* cp.async.ca.shared.global{.L2::...} [to], [from], bytes{, bytes of the source}: a load, whose
 * words may be fewer than what is stored, the rest being zeros, and a store that is pending. */
static bool decode_copy(struct draft *draft, const struct ptx_instruction *in) {
  static const char modifiers[] = "async ca cg shared shared::cta global L2::64B L2::128B L2::256B";
  for (int i = 1; i < in->part_count; i++)
    if (decode_word(modifiers, in->parts[i]) < 0) return false;
  int count = in->operand_count;
  if (count < 3 || count > 4 || !decode_has(in, "global") || in->operands[2].kind != PTX_INT ||
      in->operands[0].kind != PTX_ADDRESS || in->operands[1].kind != PTX_ADDRESS)
    return false;
  uint64_t bytes = in->operands[2].value;
  if (bytes != 16 && (decode_has(in, "cg") || (bytes != 4 && bytes != 8))) return false;
  int64_t to_offset, from_offset;
  vreg to = decode_address_register(draft, in, &in->operands[0], &to_offset),
       from = decode_address_register(draft, in, &in->operands[1], &from_offset), data[4];
  int words = (int)bytes / 4;
  for (int i = 0; i < words; i++) data[i] = draft_temporary(draft, 'w');
  struct draft_op d;
  if (count == 4) {
    vreg size = decode_source(draft, in, &in->operands[3], 'w');
    for (int n = words; n >= 0; n--) { /* first fill all of them, then load 1, 2, ... words */
      int some = n == words ? words : n + 1;
      d = access_of(n == words ? cold_async_fill : cold_async_load, draft->isa->load, in->line,
                    true, from, from_offset, data, some);
      if (n == words) d.op.kind = OP_PLAIN;
      for (int k = some; k < 4; k++) d.reg[1 + k] = NO_VREG;
      d.reg[5] = size;
      d.used = 6;
      d.op.counted = false;
      d.op.access.or_more = some == words;
      draft_push(draft, &d);
    }
  } else {
    d = access_of(draft->isa->load, draft->isa->load, in->line, true, from, from_offset, data,
                  words);
    d.op.counted = false;
    draft_push(draft, &d);
  }
  d = access_of(cold_async_store, draft->isa->store, in->line, false, to, to_offset, data, words);
  d.op.orders_shared = true;
  draft_push(draft, &d);
  return true;
}

static bool decode_groups(struct draft *draft, const struct ptx_instruction *in) {
  bool all = strcmp(in->opcode, "cp.async.wait_all") == 0;
  if (strcmp(in->opcode, "cp.async.commit_group") == 0 && in->operand_count == 0) {
    draft_add(draft, cold_async_commit, in->line);
    return true;
  }
  if (!all && (strcmp(in->opcode, "cp.async.wait_group") != 0 || in->operand_count != 1 ||
               in->operands[0].kind != PTX_INT))
    return false;
  struct draft_op *d = draft_add(draft, cold_async_wait, in->line);
  d->op.access.offset = all ? -1 : (int64_t)in->operands[0].value; /* -1: ASYNC_ALL */
  d->op.orders_shared = true;
  return true;
}

/* ---- mbarrier ---- */

/* Known modifiers: all of them are for the block, or as strong as that. */
static bool is_barrier(const struct ptx_instruction *in) {
  static const char modifiers[] =
      "init inval arrive arrive_drop test_wait try_wait pending_count noComplete parity shared "
      "shared::cta b64 release acquire relaxed cta cp async mbarrier noinc";
  for (int i = 1; i < in->part_count; i++)
    if (decode_word(modifiers, in->parts[i]) < 0) return false;
  return true;
}

/* An atomic on the barrier; its value in the temporary `to`. */
static struct draft_op *add_update(struct draft *draft, const struct ptx_instruction *in,
                                   vreg address, int64_t offset, enum atomic_kind kind, vreg to,
                                   vreg operand) {
  struct draft_op *d = draft_add(draft, cold_atomic, in->line);
  d->op.kind = OP_ATOMIC;
  d->op.space = (uint8_t)(decode_part(in, "shared shared::cta") < 0 ? PTX_GENERIC : PTX_SHARED);
  d->op.size = 8;
  d->op.count = 1;
  d->op.wide = true;
  d->op.access.offset = offset;
  d->op.access.atomic = (uint8_t)kind;
  d->op.access.has_result = true;
  d->op.orders_shared = true;
  d->op.block_scope = true;
  d->op.releases = kind != ATOMIC_LOOK;
  d->op.acquires = kind == ATOMIC_LOOK;
  d->op.polls = kind == ATOMIC_LOOK;
  d->reg[0] = address;
  d->reg[1] = to;
  d->reg[2] = operand;
  d->used = 3;
  d->writes = 1 << 1;
  draft->program->has_mbarriers = true;
  return d;
}

/* mbarrier.arrive state, [a]{, count}; without a state: _ */
static bool decode_arrival(struct draft *draft, const struct ptx_instruction *in, vreg address,
                           int64_t offset) {
  vreg to = in->operands[0].kind == PTX_ADDRESS
                ? draft_temporary(draft, 'd')
                : decode_destination(draft, in, &in->operands[0], 'd');
  int next = in->operands[0].kind == PTX_ADDRESS ? 1 : 2;
  vreg count = draft_constant(draft, 1, 'd');
  if (in->operand_count > next)
    count = draft_resize(draft, decode_source(draft, in, &in->operands[next], 'w'), 'd', in->line);
  add_update(draft, in, address, offset,
             decode_has(in, "arrive_drop") ? ATOMIC_ARRIVE_DROP : ATOMIC_ARRIVE, to, count);
  return true;
}

static bool decode_test(struct draft *draft, const struct ptx_instruction *in, vreg address,
                        int64_t offset) {
  if (in->operand_count < 3) return false;
  bool parity = decode_has(in, "parity");
  vreg to = decode_destination(draft, in, &in->operands[0], 'p'),
       which = decode_source(draft, in, &in->operands[2], parity ? 'w' : 'd'),
       now = draft_temporary(draft, 'd');
  add_update(draft, in, address, offset, ATOMIC_LOOK, now, draft_constant(draft, 0, 'd'));
  struct draft_op *d = draft_add(draft, cold_mbarrier_test, in->line);
  d->reg[0] = to;
  d->reg[1] = now;
  d->reg[2] = which;
  d->reg[3] = address;
  d->used = 4;
  d->writes = 1;
  d->op.access.offset = offset;
  d->op.wide = !parity;
  d->op.counted = false;
  return true;
}

static bool decode_barrier(struct draft *draft, const struct ptx_instruction *in) {
  bool tracks = strncmp(in->opcode, "cp.async.mbarrier.arrive.", 25) == 0;
  if ((!decode_is(in, "mbarrier") && !tracks) || !is_barrier(in) || !in->operand_count)
    return false;
  if (decode_has(in, "pending_count")) {
    if (in->operand_count != 2) return false;
    vreg to = decode_destination(draft, in, &in->operands[0], 'w'),
         state = decode_source(draft, in, &in->operands[1], 'd');
    struct draft_op *d = draft_add_lanewise(draft, cold_mbarrier_pending, in->line, to, 'w');
    d->reg[1] = state;
    d->used = 2;
    return true;
  }
  int at = in->operands[0].kind == PTX_ADDRESS ? 0 : 1;
  if (at >= in->operand_count || in->operands[at].kind != PTX_ADDRESS) return false;
  int64_t offset;
  vreg address = decode_address_register(draft, in, &in->operands[at], &offset);
  if (tracks) {
    struct draft_op *d = draft_add(draft, cold_async_track, in->line);
    d->reg[0] = address;
    d->used = 1;
    d->op.access.offset = offset;
    d->op.counted = false;
    /* without .noinc, one arrival more is expected */
    return !decode_has(in, "noinc") || decode_arrival(draft, in, address, offset);
  }
  if (decode_part(in, "arrive arrive_drop") >= 0) return decode_arrival(draft, in, address, offset);
  if (decode_part(in, "test_wait try_wait") >= 0) return decode_test(draft, in, address, offset);
  if (decode_has(in, "inval")) {
    draft_add(draft, cold_nothing, in->line);
    return true;
  }
  if (!decode_has(in, "init") || in->operand_count != 2) return false;
  vreg count = decode_source(draft, in, &in->operands[1], 'w'), state = draft_temporary(draft, 'd');
  struct draft_op *make = draft_add_lanewise(draft, cold_mbarrier_state, in->line, state, 'd');
  make->reg[1] = count;
  make->used = 2;
  make->op.counted = false;
  struct draft_op d = draft_blank(draft->isa->store, in->line);
  d.op.kind = OP_STORE;
  d.op.space = (uint8_t)(decode_part(in, "shared shared::cta") < 0 ? PTX_GENERIC : PTX_SHARED);
  d.op.size = 8;
  d.op.count = 1;
  d.op.wide = true;
  d.op.access.offset = offset;
  d.reg[0] = address;
  d.reg[1] = state;
  d.used = 2;
  d.op.orders_shared = true;
  draft_push(draft, &d);
  return true;
}

bool decode_async(struct draft *draft, const struct ptx_instruction *in) {
  return decode_barrier(draft, in) ||
         (decode_is(in, "cp") && (decode_groups(draft, in) || decode_copy(draft, in)));
}
