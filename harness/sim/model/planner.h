/* planner.h: what the files of plan.h share: a block while it is planned, and basic blocks that are
 * planned as one. */
#ifndef KIT_PLANNER_H
#define KIT_PLANNER_H

#include <stdint.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/model/plan.h"

/* Numbers of the registers of a program, by their offset in the frame. */
struct values {
  int16_t *number; /* by offset / 4; -1: none yet */
  size_t offsets;
  size_t constants;  /* offsets below are constants, */
  const char *image; /* which have these values */
  int next;
};

/* The number of the register at an offset of the frame; -1: it is a constant. */
static inline int value_of(struct values *values, uint32_t offset) {
  if (offset < values->constants || offset / 4 >= values->offsets) return -1;
  int16_t *number = &values->number[offset / 4];
  if (*number < 0) *number = (int16_t)values->next++;
  return *number;
}

/* Registers of 32 bits that an operation reads, as its inputs in struct plan_op; and what its first
 * two operands are if they are registers of 64 bits. */
enum { NO_OPERAND = INT16_MIN };
struct operands {
  int16_t of[3], wide[2];
  int8_t count; /* 4: more, or of 64 bits */
};

struct planner {
  struct plan_block *to;
  const struct op **ops; /* of a turn */
  int *guards;           /* by op of a turn: the slot of the predicate that it is under, or -1 */
  struct values *values;
  int16_t *maker;            /* by value: the operation of the block that made it last, or -1 */
  struct operands *operands; /* by operation of the block */
  int operand_room;
  int16_t
      *passed; /* the same by word of the parameter area, for arguments and results of functions */
  size_t passed_count;
  int predicate;     /* the value that the branch at the end tests, or -1 */
  bool loops;        /* which leads to the block's beginning */
  int *instructions; /* by basic block: of SASS, if it is planned by itself */
  struct makers *makers;
  bool *inside; /* by basic block: it has been planned with others before it */
  const struct capability *sm;
  int registers; /* that values may take before some are spilled; 0: all fit */
  int allocated; /* registers of a thread */
};

/* Registers of 32 bits that the slot takes. */
static inline int register_words(const struct program *program, size_t offset) {
  if (offset < program->constant_bytes || offset >= program->predicates) return 0;
  return offset >= program->slots64 ? 2 : 1;
}

/* Of an unrolled loop, the operations come turn by turn. */
static inline const struct op *op_at(const struct planner *b, int i) {
  return b->ops[i % (b->to->count / b->to->turns)];
}

/* Must operations keep their order across it? Not for functions of the math library: a compiler
 * puts their instructions where the call is. */
static inline bool is_fence(const struct op *op) {
  return op->orders_shared && op->body != cold_intrinsic;
}

/* Is a result of the operation needed after the block? */
static inline bool is_needed_after(const struct planner *b, int i) {
  return op_at(b, i)->lives_on && i >= b->to->count - b->to->count / b->to->turns;
}

static inline bool is_convergent(const struct op *op) {
  return op->kind == OP_SHUFFLE || op->kind == OP_VOTE || op->kind == OP_MATCH ||
         op->kind == OP_REDUX;
}

/* Is the operand in the slot a constant, and which? */
static inline bool is_constant(const struct planner *b, uint32_t slot) {
  return slot < b->values->constants;
}
static inline uint32_t constant_of(const struct planner *b, uint32_t slot) {
  uint32_t value;
  memcpy(&value, b->values->image + slot, sizeof value);
  return value;
}
static inline uint64_t wide_constant_of(const struct planner *b, uint32_t slot) {
  uint64_t value;
  memcpy(&value, b->values->image + slot, sizeof value);
  return value;
}

/* Basic blocks that are planned as one. */
enum { MAX_PARTS = 96, MAX_PART_OPS = 400 };
struct parts {
  struct {
    int number;
    bool optional;
    int guard; /* slot of the predicate, or -1 */
  } item[MAX_PARTS];
  int count, ops;
};

/* plan_parts.c: a block, and what comes after it without a branch: branches around a few
 * instructions become predicates. instructions: of each block by itself, in SASS. */
void find_parts(const struct program *program, const int *instructions, int number,
                struct parts *parts);
/* Is there such a branch at the block's end? */
bool is_predicated(const struct program *program, const int *instructions,
                   const struct basic_block *block);
/* Does the last of them lead to the first? */
bool leads_back(const struct program *program, const struct parts *parts);
/* How often a compiler unrolls the loop that the parts are; 1: not, or they are none. */
int turns_of(const struct planner *b, const struct program *program, const struct parts *parts);

/* plan_makers.c: the operations one of which has made what `by` reads in a slot; returns how many,
 * 0: none, or more. */
enum { MAKERS = 2 };
struct makers;
struct makers *makers_open(const struct program *program);
void makers_close(struct makers *makers);
int makers_of(struct makers *makers, const struct op *by, uint32_t slot,
              const struct op *found[MAKERS]);
/* The only one, or NULL. */
const struct op *maker_of(struct makers *makers, const struct op *by, uint32_t slot);
int number_of(const struct makers *makers, const struct op *op); /* among the program's */
/* The basic block that the operation is in. */
const struct basic_block *block_of(const struct makers *makers, const struct op *op);
/* Behind the last operation of the basic block that the operation is in. */
const struct op *block_end(const struct makers *makers, const struct op *op);

/* plan.c: the operation waits for this one, too (>= 0: of the block; < 0: ~value from outside). */
void add_input(struct plan_op *op, int input);

/* plan_halves.c: operations of 64 bits cost what is left of them to do. */
void halve_ops(struct planner *b);

/* plan_share.c: before operations are fused: what several have in common is computed once. */
void share_work(struct planner *b);
/* And after that: indices that go into addresses as they grow, or as rows begin. */
void share_indices(struct planner *b);

/* plan_constants.c: loads of constants whose addresses a compiler knows are hardly any work. */
void fold_constants(struct planner *b);

/* plan_fuse.c: operations that are one instruction cost nothing, save for the last of them. */
void fuse_ops(struct planner *b);

/* plan_order.c: a list scheduler: puts the operations in the order of issue. False if memory runs
 * out. */
bool order_ops(struct planner *b);

/* plan_reads.c: which operations read registers that the one before has not read. */
void count_reads(struct planner *b);
/* plan_waits.c: and which wait longer for an input. */
void count_waits(struct planner *b);

/* plan_spill.c: puts values for which there is no register into local memory. False if memory runs
 * out. */
bool spill_values(struct planner *b, const struct program *program);

#endif
