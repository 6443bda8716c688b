/* stored.c: a data flow of pointers, from parameters to the addresses of accesses. */
#include "harness/sim/decode/stored.h"

#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/affine_flow.h"
#include "harness/sim/decode/draft.h"

enum { MAX_CELLS = 1 << 20, MAX_WORK = 1 << 23, MAX_PARAM = 62 };

struct pointers {
  const struct program *program;
  const struct affine_form *form;
  uint64_t
      *at; /* by block and register, where the block begins: the parameters that it may be of */
  bool *reached;
  struct accessed_params found;
};

static uint64_t param_bits(const struct op *op) {
  uint64_t bits = 0;
  size_t first = (size_t)op->access.offset / 8,
         last = ((size_t)op->access.offset + (size_t)op->size * op->count - 1) / 8;
  if (op->access.indexed || last >= MAX_PARAM) return PARAM_UNKNOWN;
  for (size_t i = first; i <= last; i++) bits |= UINT64_C(1) << i;
  return bits;
}

static void apply(struct pointers *p, const struct op *op, uint64_t *now) {
  uint16_t reads[2 * OP_SLOTS + 1], writes[OP_SLOTS];
  int count = affine_reads(p->form, p->program, op, reads);
  uint64_t made = 0;
  for (int i = 0; i < count; i++) made |= now[reads[i]];
  if (op->kind == OP_FETCH) p->found.loaded |= PARAM_UNKNOWN;
  if (op->kind == OP_SUST) p->found.stored |= PARAM_UNKNOWN;
  if (op_is_access(op) && op->kind < OP_FETCH &&
      (op->space == PTX_GLOBAL || op->space == PTX_GENERIC)) {
    uint64_t address = now[affine_register(p->form, p->program, op->slot[0])];
    /* Of no parameter: a variable's; but a pointer that is stored may come back from memory. */
    if (op->kind != OP_STORE) p->found.loaded |= address ? address : PARAM_UNKNOWN;
    if (op->kind != OP_LOAD) p->found.stored |= address ? address : PARAM_VARIABLE;
  }
  if (op->kind == OP_PARAM) made = param_bits(op);
  if (op_loads(op) || op->kind == OP_ATOMIC) made = op->size == 8 ? PARAM_UNKNOWN : 0;
  count = affine_writes(p->form, p->program, op, writes);
  for (int i = 0; i < count; i++) now[writes[i]] = made;
}

static void follow(struct pointers *p) {
  size_t registers = (size_t)p->form->register_count;
  uint64_t now[MAX_AFFINE];
  int64_t work = 0;
  p->reached[0] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (int b = 0; b < p->program->block_count; b++) {
      const struct basic_block *block = &p->program->blocks[b];
      if (!p->reached[b]) continue;
      if ((work += block->count + (int64_t)registers) > MAX_WORK) {
        p->found.stored = p->found.loaded = PARAM_UNKNOWN;
        return;
      }
      memcpy(now, p->at + (size_t)b * registers, registers * sizeof *now);
      for (int i = 0; i < block->count; i++) apply(p, &p->program->ops[block->first + i], now);
      int to[2];
      block_successors(block, to);
      for (int s = 0; s < 2; s++) {
        if (to[s] == NO_BLOCK) continue;
        uint64_t *in = p->at + (size_t)to[s] * registers;
        changed |= !p->reached[to[s]];
        p->reached[to[s]] = true;
        for (size_t r = 0; r < registers; r++) {
          changed |= (now[r] & ~in[r]) != 0;
          in[r] |= now[r];
        }
      }
    }
  }
}

struct accessed_params accessed_params(const struct program *program,
                                       const struct affine_form *form) {
  static const struct accessed_params unknown = {PARAM_UNKNOWN, PARAM_UNKNOWN};
  size_t blocks = (size_t)program->block_count, cells = blocks * (size_t)form->register_count;
  if (cells > MAX_CELLS) return unknown;
  struct pointers p = {.program = program,
                       .form = form,
                       .at = calloc(cells, sizeof *p.at),
                       .reached = calloc(blocks, sizeof *p.reached)};
  if (p.at && p.reached)
    follow(&p);
  else
    p.found = unknown;
  free(p.at);
  free(p.reached);
  return p.found;
}
