/* plan.h: how a multiprocessor would issue a kernel: what each instruction costs, what it waits
 * for, and in which order a compiler would put the instructions of a basic block.
 *
 * PTX is not what runs: ptxas moves loads up, removes moves and turns some instructions into
 * several. The plan is a simple form of that: within a basic block, in the order of a list
 * scheduler that starts loads early; loops of one block are unrolled; moves cost nothing; costs.c
 * knows what the others become.
 */
#ifndef KIT_PLAN_H
#define KIT_PLAN_H

#include "harness/sim/base/capability.h"
#include "harness/sim/decode/kernel.h"
#include "harness/sim/exec/machine.h"

/* Where an instruction is executed. An SM's four schedulers each have all but the last two. */
enum unit {
  UNIT_NONE, /* no instruction of its own */
  UNIT_FP32, /* fp32 add, multiply, FMA; integer multiplication takes two of its cycles */
  UNIT_ALU,  /* logic, comparisons, selection, shifts */
  UNIT_ADD,  /* integer addition: UNIT_FP32's or UNIT_ALU's, whichever is free */
  UNIT_SFU,  /* 1/x, 1/sqrt, exp2, log2, sine, conversions to integers */
  UNIT_FP64,
  UNIT_TENSOR,
  UNIT_CONSTANT, /* loads of constants: one that is never short */
  UNIT_SHUFFLE,  /* of the whole SM: a warp per cycle */
  UNIT_MEMORY,   /* L1 and shared memory, of the whole SM */
  UNITS
};

struct cost {
  uint8_t unit;
  uint16_t slots;     /* of the scheduler: SASS instructions */
  uint16_t cycles;    /* of the unit, per warp */
  uint16_t latency;   /* until the result can be used; memory: see hierarchy.c */
  uint16_t hold;      /* until the warp goes on, if it branches (op_branches); else 0 */
  uint16_t fp32, alu; /* cycles of these units besides, if it is a row of instructions */
};
/* Until the warp can issue what comes next. */
static inline int warp_cycles(const struct cost *cost) {
  return cost->hold > cost->slots ? cost->hold : cost->slots;
}
/* What a warp's execution of the operation costs on such an SM: costs.c. */
struct cost cost_of_op(const struct op *op, const struct capability *sm);
/* Does ptxas make several instructions of it with branches among them, as around the slow ways of a
 * division? What comes before it is issued before it, and what comes after it after it. */
bool op_branches(const struct op *op);
/* And what a longer way of one that varies (enum varying) costs, on the same unit: way 0, WAY_LONG;
 * 1, WAY_LONGER. */
enum { LONGER_WAYS = 2 };
struct cost cost_of_longer(const struct op *op, int way, const struct capability *sm);

enum { MAX_INPUTS = 10 };
struct plan_op {
  struct cost cost, longer[LONGER_WAYS]; /* longer: where it varies (enum varying) */
  bool is_step;   /* adds a constant to its result in the last turn of a loop */
  bool shared;    /* accesses shared memory */
  bool returns;   /* an atomic operation whose result is used */
  bool narrow;    /* stores less than a word of each lane */
  int16_t traced; /* which of the block's traced operations it is, -1: none */
  uint8_t fresh;  /* of three registers, those that the instruction before has not read */
  uint8_t input_count;
  /* >= 0: an operation of the block or, from its count on, an access of `spills` by its number;
   * < 0: ~value from outside. */
  int16_t inputs[MAX_INPUTS];
  uint8_t waits[MAX_INPUTS]; /* cycles until it can be used after it is there */
};

/* A store of a value to local memory, or its load, for want of registers. */
struct plan_spill {
  int16_t at; /* place in the block's order before which it comes */
  int16_t number;
  int16_t slot; /* the value's place in local memory */
  uint8_t words;
  bool stores;
};

/* A basic block; or several that are planned as one: a branch around a few instructions is no
 * branch, but they are predicated, and a loop is unrolled. */
struct plan_block {
  const struct basic_block *block; /* the last of them */
  struct plan_part {
    uint32_t number; /* in traces */
    bool optional;   /* predicated: a warp of which no lane takes it leaves it out */
  } * parts;
  int part_count;
  struct plan_op *ops;
  int16_t *order; /* ops by time of issue */
  int count, traced_count;
  int instructions;          /* of SASS */
  int index;                 /* among all of the plan, longer ones included */
  struct plan_spill *spills; /* by place */
  int spill_count, spill_room;
  struct {
    int16_t value, op;
  } * results; /* values that live on after the block, and who makes them */
  int result_count;
  int16_t predicate;         /* of the branch: as an input; INT16_MIN: none */
  int turns;                 /* of a loop that it stands for */
  bool unrolls;              /* it is one of the ways in which a loop of any length goes */
  bool unrolled;             /* all its turns, of which a compiler knows how many there are */
  int branch_slots;          /* instructions of the branch at its end */
  bool predicated;           /* instead of the branch: it skips a few instructions at most */
  struct plan_block *longer; /* which begins with it and more of which is planned as one; or NULL */
};

struct plan {
  struct plan_block *blocks; /* by number among all blocks of the kernel's programs */
  int block_count;
  int index_count;  /* of blocks, longer ones included */
  int instructions; /* of all these */
  int value_count;  /* registers that live across blocks */
  int max_ops;      /* of one block, its spills included */
  int slot_count;   /* of spills, at most */
};

/* NULL if memory runs out or a program is larger than numbers here allow. */
struct plan *plan_make(const struct kernel *kernel, const struct capability *sm);
void plan_free(struct plan *plan);

#endif
