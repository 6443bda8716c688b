/* linear.h: what is known about a register's value before the kernel runs: a sum of other registers
 * times constants, modulo 2^32, and its remainder modulo a power of two. ptxas merges shared
 * accesses by what it knows so; fuse.c does the same. */
#ifndef KIT_LINEAR_H
#define KIT_LINEAR_H

#include "harness/sim/decode/draft.h"

enum { LINEAR_TERMS = 6 };

/* constant + the sum of term[i] * factor[i]; terms rise. */
struct linear {
  int count;
  vreg term[LINEAR_TERMS];
  uint32_t factor[LINEAR_TERMS];
  uint32_t constant;
};

/* The low `bits` bits of a value are those of `residue`. */
struct residue {
  uint8_t bits;
  uint16_t residue;
};

struct linear_facts {
  const struct draft *draft;
  struct residue *residues; /* by register */
  int *definition;          /* by register: the one operation that defines it, or one of: */
  int *block;               /* by operation */
  uint8_t *form;            /* by operation: what it computes */
  int64_t steps;            /* left for sums; then registers are their own sums */
};
enum { NO_DEFINITION = -1, MANY_DEFINITIONS = -2 };

/* False if memory runs out; linear_free either way. */
bool linear_find(struct linear_facts *facts, const struct draft *draft);
void linear_free(struct linear_facts *facts);

/* The value that register r has at operation `at`. */
struct linear linear_of(struct linear_facts *facts, vreg r, int at);
/* Do they differ by a constant only? */
bool linear_same_terms(const struct linear *a, const struct linear *b);
/* What is known of the sum. */
struct residue linear_residue(const struct linear_facts *facts, const struct linear *linear);

#endif
