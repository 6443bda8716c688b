/* affine_flow.c: the data flow behind the affine form: shapes forward, liveness backward. */
#include "harness/sim/decode/affine_flow.h"

#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/draft.h"
#include "harness/sim/decode/isa.h"

struct affine_flow {
  const struct program *program;
  const struct affine_form *form;
  uint8_t *codes;                /* by operation: enum affine_code */
  uint8_t *shapes;               /* by block and register, where the block begins */
  struct register_set *live_out; /* by block */
  bool complete;
};

/* Limits on registers times blocks, and on operations looked at: far above what kernels need. */
enum { MAX_CELLS = 1 << 23, MAX_WORK = 1 << 25 };

int affine_reads(const struct affine_form *form, const struct program *program, const struct op *op,
                 uint16_t *registers) {
  int count = 0;
  for (int k = 0; k < OP_SLOTS; k++)
    if (op->read >> k & 1) registers[count++] = affine_register(form, program, op->slot[k]);
  if (!op->guarded) return count;
  registers[count++] = affine_register(form, program, op->guard);
  return count + affine_writes(form, program, op, registers + count);
}

int affine_writes(const struct affine_form *form, const struct program *program,
                  const struct op *op, uint16_t *registers) {
  int count = 0;
  for (int k = 0; k < OP_SLOTS; k++)
    if (op->written >> k & 1) registers[count++] = affine_register(form, program, op->slot[k]);
  return count;
}

enum affine_code affine_code(const struct affine_flow *flow, const struct op *op) {
  return flow->codes[op - flow->program->ops];
}

static enum affine_code find_code(const struct op *op) {
#define X(name) #name,
  static const char *const rows[] = {KIT_AFFINE_ROWS(X)};
#undef X
  if (op->guarded) return AFFINE_CODES;
  if (op->kind == OP_ROW)
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      if (strcmp(rows[i], op->row->name) == 0) return (enum affine_code)i;
  if (op->kind == OP_PARAM && op->body == cold_load_kernel_param && !op->access.indexed &&
      op->count == 1)
    return AFFINE_PARAM;
  if (op->kind == OP_SPECIAL && !op->wide &&
      (op->special <= SPECIAL_NCTAID_Z || op->special == SPECIAL_LANEID))
    return AFFINE_SPECIAL;
  return AFFINE_CODES;
}

static uint8_t worse(uint8_t a, uint8_t b) { return a > b ? a : b; }

static uint8_t product(uint8_t a, uint8_t b) {
  if (!shape_is_scalar(a) || !shape_is_scalar(b)) return SHAPE_GENERAL;
  return a == SHAPE_AFFINE && b == SHAPE_AFFINE ? SHAPE_GENERAL : worse(a, b);
}

static uint8_t operand_shape(const struct affine_flow *flow, const struct op *op, int k,
                             const uint8_t *shape) {
  return op->read >> k & 1 ? shape[affine_register(flow->form, flow->program, op->slot[k])]
                           : (uint8_t)SHAPE_NONE;
}

static uint8_t worst_operand(const struct affine_flow *flow, const struct op *op,
                             const uint8_t *shape) {
  uint8_t worst = SHAPE_NONE;
  for (int k = 1; k <= 3; k++) worst = worse(worst, operand_shape(flow, op, k, shape));
  return worst;
}

/* The shape of what a scalar operation makes; worse than affine: it is none with these operands. */
static uint8_t result_shape(const struct affine_flow *flow, const struct op *op,
                            enum affine_code code, const uint8_t *shape) {
  uint8_t s[3] = {0};
  for (int k = 0; code < AFFINE_PARAM && k < 3; k++) s[k] = operand_shape(flow, op, k + 1, shape);
  uint8_t all = worse(s[0], worse(s[1], s[2]));
  switch (code) {
    case AFFINE_PARAM:
      return SHAPE_UNIFORM;
    case AFFINE_SPECIAL:
      return op->special <= SPECIAL_TID_Z || op->special == SPECIAL_LANEID ? SHAPE_AFFINE
                                                                           : SHAPE_UNIFORM;
    case AFFINE_mov_32 ... AFFINE_sub_32:
    case AFFINE_neg_s32:
    case AFFINE_add_64 ... AFFINE_sub_64:
    case AFFINE_cvt_s64_s32 ... AFFINE_cvt_u32_u64:
      return all;
    case AFFINE_mul_lo_32:
    case AFFINE_mul_lo_64:
    case AFFINE_mul_wide_s32 ... AFFINE_mul_wide_u32:
      return product(s[0], s[1]);
    case AFFINE_mad_lo_32:
    case AFFINE_mad_lo_64:
    case AFFINE_mad_wide_s32 ... AFFINE_mad_wide_u32:
      return worse(product(s[0], s[1]), s[2]);
    case AFFINE_shl_32:
    case AFFINE_shl_64:
      return s[1] <= SHAPE_UNIFORM ? s[0] : SHAPE_GENERAL;
    case AFFINE_or_32:
    case AFFINE_or_64:
      return product(s[0], s[1]);
    default:
      return all <= SHAPE_UNIFORM ? SHAPE_UNIFORM : SHAPE_GENERAL;
  }
}

/* Integers made of affine values by a row operation. */
static bool may_be_affine(const struct affine_flow *flow, const struct op *op,
                          const uint8_t *shape) {
  if (op->kind != OP_ROW || op->guarded || op->flops || strstr(op->row->name, "f32") ||
      strstr(op->row->name, "f64"))
    return false;
  uint16_t registers[2 * OP_SLOTS + 1];
  int count = affine_reads(flow->form, flow->program, op, registers);
  for (int i = 0; i < count; i++)
    if (shape[registers[i]] > SHAPE_PERHAPS) return false;
  return true;
}

static bool is_step(const struct affine_flow *flow, const struct op *op, const uint8_t *shape) {
  enum affine_code code = affine_code(flow, op);
  if (code >= AFFINE_eq_32 && code <= AFFINE_le_u64) /* whose predicates may differ by lane */
    return shape_is_scalar(worst_operand(flow, op, shape));
  return code < AFFINE_CODES && shape_is_scalar(result_shape(flow, op, code, shape));
}

void affine_apply(const struct affine_flow *flow, const struct op *op, uint8_t *shape) {
  uint16_t written[OP_SLOTS];
  uint8_t result = is_step(flow, op, shape) ? result_shape(flow, op, affine_code(flow, op), shape)
                   : may_be_affine(flow, op, shape) ? SHAPE_PERHAPS
                                                    : SHAPE_GENERAL;
  int count = affine_writes(flow->form, flow->program, op, written);
  for (int k = 0; k < count; k++) shape[written[k]] = result;
}

/* Does it neither touch memory nor stop, or depend on when it runs? */
static bool is_pure(const struct op *op) {
  if (op->guarded) return false;
  switch ((enum op_kind)op->kind) {
    case OP_ROW:
    case OP_LOGIC_3:
    case OP_UNPACK:
    case OP_IN_SPACE:
      return true;
    case OP_SPECIAL:
      return op->special != SPECIAL_CLOCK;
    case OP_PARAM:
      return op->body == cold_load_kernel_param && !op->access.indexed;
    default:
      return op->body == cold_select_32 || op->body == cold_select_64;
  }
}

enum role affine_role(const struct affine_flow *flow, const struct op *op, const uint8_t *shape) {
  if (is_step(flow, op, shape)) return ROLE_STEP;
  if (is_pure(op)) return ROLE_ROW;
  bool plain = (op->kind == OP_LOAD || op->kind == OP_STORE) && op->shares_memo &&
               !op->is_volatile && !op->polls &&
               (op->space == PTX_SHARED || op->space == PTX_GLOBAL);
  if (plain && shape_is_scalar(shape[affine_register(flow->form, flow->program, op->slot[0])]))
    return op->kind == OP_LOAD ? ROLE_LOAD : ROLE_STORE;
  return ROLE_EVENT;
}

/* ---- the analyses ---- */

void affine_shapes_at(const struct affine_flow *flow, int block, uint8_t *shape) {
  const struct affine_form *form = flow->form;
  memcpy(shape, flow->shapes + (size_t)block * (size_t)form->register_count,
         (size_t)form->register_count);
  for (int r = 0; r < form->register_count; r++) {
    if (set_has(&form->constants, r)) shape[r] = SHAPE_UNIFORM;
    if (shape[r] == SHAPE_PERHAPS) shape[r] = SHAPE_AFFINE; /* to be tried */
    if (shape[r] == SHAPE_NONE) shape[r] = SHAPE_GENERAL;
  }
}

static bool find_shapes(struct affine_flow *flow) {
  const struct program *program = flow->program;
  size_t registers = (size_t)flow->form->register_count;
  uint8_t shape[MAX_AFFINE];
  int64_t work = 0;
  memset(flow->shapes, SHAPE_GENERAL, registers); /* of the first block */
  for (bool changed = true; changed;) {
    changed = false;
    for (int b = 0; b < program->block_count; b++) {
      const struct basic_block *block = &program->blocks[b];
      if (flow->shapes[(size_t)b * registers] == SHAPE_NONE) continue; /* not reached yet */
      if ((work += block->count + (int64_t)registers) > MAX_WORK) return false;
      affine_shapes_at(flow, b, shape);
      for (int i = 0; i < block->count; i++)
        affine_apply(flow, &program->ops[block->first + i], shape);
      int to[2];
      block_successors(block, to);
      for (int s = 0; s < 2; s++)
        for (size_t r = 0; to[s] != NO_BLOCK && r < registers; r++) {
          uint8_t *in = &flow->shapes[(size_t)to[s] * registers + r], old = *in;
          *in = worse(old, shape[r]);
          changed |= *in != old;
        }
    }
  }
  return true;
}

static void step_back(const struct affine_flow *flow, const struct op *op,
                      struct register_set *live) {
  uint16_t registers[2 * OP_SLOTS + 1];
  int count = affine_writes(flow->form, flow->program, op, registers);
  for (int i = 0; i < count; i++) set_remove(live, registers[i]);
  count = affine_reads(flow->form, flow->program, op, registers);
  for (int i = 0; i < count; i++) set_add(live, registers[i]);
}

void affine_live_after(const struct affine_flow *flow, int block, int op,
                       struct register_set *live) {
  const struct basic_block *b = &flow->program->blocks[block];
  *live = flow->live_out[block];
  for (int i = b->first + b->count - 1; i >= op; i--) step_back(flow, &flow->program->ops[i], live);
}

static bool find_live(struct affine_flow *flow) {
  const struct program *program = flow->program;
  int64_t work = 0;
  struct register_set *in = calloc((size_t)program->block_count, sizeof *in);
  if (!in) return false;
  bool changed = true;
  while (changed && work <= MAX_WORK) {
    changed = false;
    for (int b = program->block_count - 1; b >= 0; b--) {
      const struct basic_block *block = &program->blocks[b];
      const uint32_t ends[] = {block->predicate, block->reduce_from, block->barrier_number,
                               block->barrier_threads};
      struct register_set *out = &flow->live_out[b], now;
      int to[2];
      work += block->count + 1;
      block_successors(block, to);
      for (int s = 0; s < 2; s++)
        for (int w = 0; to[s] != NO_BLOCK && w < AFFINE_WORDS; w++)
          out->word[w] |= in[to[s]].word[w];
      for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        set_add(out, affine_register(flow->form, program, ends[i]));
      affine_live_after(flow, b, block->first, &now);
      changed |= memcmp(&now, &in[b], sizeof now) != 0;
      in[b] = now;
    }
  }
  free(in);
  if (changed) flow->complete = false;
  return true;
}

struct affine_flow *affine_flow_open(const struct program *program,
                                     const struct affine_form *form) {
  struct affine_flow *flow = calloc(1, sizeof *flow);
  size_t blocks = (size_t)program->block_count, cells = blocks * (size_t)form->register_count;
  if (!flow) return NULL;
  flow->program = program;
  flow->form = form;
  if (cells > MAX_CELLS) return flow; /* not complete */
  flow->codes = malloc((size_t)program->op_count + 1);
  flow->shapes = calloc(cells, 1);
  flow->live_out = calloc(blocks, sizeof *flow->live_out);
  if (!flow->codes || !flow->shapes || !flow->live_out) {
    affine_flow_close(flow);
    return NULL;
  }
  for (int i = 0; i < program->op_count; i++) flow->codes[i] = (uint8_t)find_code(&program->ops[i]);
  flow->complete = find_shapes(flow);
  if (flow->complete && !find_live(flow)) {
    affine_flow_close(flow);
    return NULL;
  }
  return flow;
}

bool affine_flow_is_complete(const struct affine_flow *flow) { return flow->complete; }

void affine_flow_close(struct affine_flow *flow) {
  if (!flow) return;
  free(flow->codes);
  free(flow->shapes);
  free(flow->live_out);
  free(flow);
}
