/* affine_flow.h: which registers may hold affine values where, and which are read later: the data
 * flow that affine.c plans by. It guesses: what it says is verified when the program runs. */
#ifndef KIT_AFFINE_FLOW_H
#define KIT_AFFINE_FLOW_H

#include "harness/sim/decode/affine.h"

/* What a register holds, from the best to the worst. SHAPE_PERHAPS: computed from affine values in
 * a way that usually does not leave them affine; it is tried where the next block begins. */
enum shape { SHAPE_NONE, SHAPE_UNIFORM, SHAPE_AFFINE, SHAPE_PERHAPS, SHAPE_GENERAL };
static inline bool shape_is_scalar(uint8_t shape) { return shape <= SHAPE_AFFINE; }

/* What an operation is in the affine form. ROLE_EVENT: a row operation that may change memory, stop
 * the launch or depend on what did: a segment ends behind it, as behind a store. */
enum role { ROLE_STEP, ROLE_ROW, ROLE_LOAD, ROLE_STORE, ROLE_EVENT };

struct affine_flow;
/* form: has the numbers of registers. NULL: no memory. */
struct affine_flow *affine_flow_open(const struct program *program, const struct affine_form *form);
void affine_flow_close(struct affine_flow *flow);
/* False: the program is too entangled to analyse. */
bool affine_flow_is_complete(const struct affine_flow *flow);

/* Shapes by register at the start of a block. */
void affine_shapes_at(const struct affine_flow *flow, int block, uint8_t *shape);
/* Updates shapes by an operation. */
void affine_apply(const struct affine_flow *flow, const struct op *op, uint8_t *shape);
enum role affine_role(const struct affine_flow *flow, const struct op *op, const uint8_t *shape);
/* AFFINE_CODES: it has none. */
enum affine_code affine_code(const struct affine_flow *flow, const struct op *op);
/* Registers that are read after the operations of the block before `op` (in program->ops). */
void affine_live_after(const struct affine_flow *flow, int block, int op,
                       struct register_set *live);

/* The register of a slot. */
static inline uint16_t affine_register(const struct affine_form *form,
                                       const struct program *program, uint32_t slot) {
  return (uint16_t)(slot >= program->predicates ? (uint32_t)form->predicate_first +
                                                      (slot - (uint32_t)program->predicates) / 4
                                                : slot / SLOT32);
}
/* The registers that an operation reads, the address of an access first; at most 2 * OP_SLOTS + 1.
 * One that leaves some lanes' values alone reads what it writes. */
int affine_reads(const struct affine_form *form, const struct program *program, const struct op *op,
                 uint16_t *registers);
/* Those that it writes, at most OP_SLOTS. */
int affine_writes(const struct affine_form *form, const struct program *program,
                  const struct op *op, uint16_t *registers);

/* affine_loop.c: sets what the plan of block b says about loops. */
void affine_find_loop(const struct affine_form *form, const struct program *program, int b,
                      struct affine_block *plan);

#endif
