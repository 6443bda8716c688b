/* isa.h: the operations that there are, as the decoder needs them: their PTX spellings, and the
 * functions that execute them. The tables are exec/ops_hot.h, exec/ops_cold.h and exec/ops_half.h.
 */
#ifndef KIT_ISA_H
#define KIT_ISA_H

#include "harness/sim/decode/program.h"

struct block;
struct tensor_tile;

struct op_info {
  const char *keys; /* PTX spellings, separated by spaces; of a comparison "setp_lt_s32" */
  const char *name;
  op_function *run;
  char types[4]; /* destination and sources: 'w' 32-bit container, 'd' 64-bit, 'p' predicate */
  uint8_t flops; /* per lane: 2 for an FMA */
};

/* A build of exec.c, with the table ops_hot.h, for one instruction set. */
struct isa {
  const char *name;
  const struct op_info *hot;
  int hot_count;
  op_function *load, *store, *masked;
  void (*run_warp)(struct warp *warp);
  /* Runs all warps of a block in lockstep as far as they can (lockstep.h): run_warp goes on. False:
   * a fault has ended the launch. */
  bool (*run_lockstep)(struct block *block);
  /* Sets the read tags of logged loads: before a store, a __syncwarp, a change of their memo. */
  void (*flush_reads)(struct block *block);
  /* A product of matrices as a tensor core makes it (tensor_tile.h). False: some number is not
   * finite. */
  bool (*multiply_tile)(struct tensor_tile *tile);
  /* The same of doubles, each sum from its first product to its last (tensor_multiply.h). False:
   * some sum is NaN. */
  bool (*multiply_doubles)(const double *a, const double *b, int rows, int depth, double *sums);
};
/* The fastest build that this processor can run. */
const struct isa *isa_best(void);
/* The builds that this processor runs, the best first: the name of number i, or NULL. */
const char *isa_name(int i);

extern const struct op_info cold_ops[];
extern const int cold_op_count;
extern const struct op_info half_ops[];
extern const int half_op_count;

#endif
