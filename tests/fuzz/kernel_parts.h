/* kernel_parts.h: what kernel_values.c, kernel_access.c and kernel_make.c share. */
#ifndef KIT_FUZZ_KERNEL_PARTS_H
#define KIT_FUZZ_KERNEL_PARTS_H

#include "tests/fuzz/random_kernel.h"

/* Registers that are not in the pool. */
enum {
  R_MEMBERS = 10, /* and one each for the sides of a branch, by depth */
  R_THREAD = 30,  /* in the grid */
  R_TID,
  R_BLOCK,
  R_TEMP, /* to R_TEMP + TEMPS */
  R_COUNTER = 48,
  RD_INPUT = 20,
  RD_ROW,
  RD_COLUMNS,
  RD_SHARED_ROW,
  RD_SHARED_COLUMNS,
  RD_LOCAL,
  RD_CONST,
  RD_TALLIES,
  RD_SHARED,
  RD_DUMP,
  RD_TEMP,
  TEMPS = 8,
  F_TEMP = 20,
  P_TEMP = 20,
  P_LOOP = 40,
};
enum { MAX_CODES = 40, MAX_DEPTH = 5 };

struct leaf {
  struct code codes[MAX_CODES];
  int count;
};

struct maker {
  struct kernel *kernel;
  struct sim_random random;
  bool exact;   /* only what every GPU does alike */
  int function; /* being made */
  int budget;   /* statements left */
};

/* Where a statement stands. */
struct place {
  int depth, loops;
  bool uniform; /* all threads of the block come here together */
  int members;  /* register with the lanes of the warp that come here together, or -1 */
  int breaks;   /* enclosing statements that may be left */
  bool returns; /* a thread may end here */
};

static inline unsigned below(struct maker *m, unsigned limit) {
  return sim_below(&m->random, limit);
}
static inline bool chance(struct maker *m, unsigned percent) { return below(m, 100) < percent; }

static inline struct operand reg(enum class class, int number) {
  return (struct operand){REGISTER, class, (uint8_t)number, false, 0};
}
static inline struct operand imm(enum class class, uint64_t value) {
  if (class_bytes(class) < 8) value &= (UINT64_C(1) << 8 * class_bytes(class)) - 1;
  return (struct operand){IMMEDIATE, class, 0, false, value};
}
static inline struct operand pool(struct maker *m, enum class class) {
  return reg(class, (int)below(m, POOL));
}
static inline const char *pick_type(struct maker *m, const char *const *types, size_t count) {
  return types[below(m, (unsigned)count)];
}
#define PICK(m, list) pick_type(m, list, sizeof(list) / sizeof *(list))
static const struct operand no_operand = {.kind = NONE};

/* What a leaf is made of. */
struct code *leaf_add(struct leaf *leaf, enum kind kind);
struct code *leaf_row(struct leaf *leaf, const char *opcode, struct operand to, struct operand a,
                      struct operand b, struct operand c3);
struct code *leaf_memory(struct leaf *leaf, enum kind kind, enum space space, const char *type,
                         int count, struct operand address, int64_t offset);
void leaf_load(struct leaf *leaf, enum space space, const char *type, struct operand to,
               struct operand address, int64_t offset);
void leaf_store(struct leaf *leaf, enum space space, const char *type, struct operand address,
                int64_t offset, struct operand value);
/* The float without the bits of a NaN, in temporary `which`; anything else as it is. */
struct operand leaf_tidy(struct leaf *leaf, struct operand value, int which);
/* Edges, small numbers and any bits; any class but predicates. */
uint64_t random_value(struct sim_random *random, enum class class);
/* A register of the pool, or a constant. */
struct operand random_source(struct maker *m, enum class class);
struct operand random_predicate(struct maker *m);
/* The registers of a type: 8 bits are in 32. */
enum class class_of_type(const char *type);
/* kernel_values.c: a random leaf of each kind. */
void make_row(struct maker *m, struct leaf *leaf);
void make_setp(struct maker *m, struct leaf *leaf);
void make_selp(struct maker *m, struct leaf *leaf);
void make_predicate(struct maker *m, struct leaf *leaf);
void make_lop3(struct maker *m, struct leaf *leaf);
void make_move(struct maker *m, struct leaf *leaf);
void make_special(struct maker *m, struct leaf *leaf);
/* kernel_access.c: memory, and what threads do together. */
void pick_access(struct maker *m, const char **type, enum class *class, int *count);
void make_load(struct maker *m, struct leaf *leaf);
void make_store(struct maker *m, struct leaf *leaf);
void make_neighbours(struct maker *m, struct leaf *leaf);
void make_chase(struct maker *m, struct leaf *leaf);
void make_atomic(struct maker *m, struct leaf *leaf);
void make_float_atomic(struct maker *m, struct leaf *leaf);
void make_cross_lane(struct maker *m, struct leaf *leaf, const struct place *place);
void make_exchange(struct maker *m, struct leaf *leaf);
void make_call(struct maker *m, struct leaf *leaf);

#endif
