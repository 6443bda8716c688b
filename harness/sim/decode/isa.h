/* isa.h: the operations that there are, as the decoder needs them: their PTX spellings, and the
 * functions that execute them. The tables are those of exec/ops_hot.h and exec/ops_cold.h. */
#ifndef KIT_ISA_H
#define KIT_ISA_H

#include "harness/sim/decode/program.h"

struct block;

/* A hot operation table is compiled once for every instruction set. */
struct op_info {
  const char *keys; /* PTX spellings, separated by spaces */
  const char *name;
  op_function *run;
  char types[4]; /* destination and sources: 'w' 32-bit container, 'd' 64-bit, 'p' predicate, 0 none
                  */
  uint8_t flops;
  bool flops64;
};
struct isa {
  const char *name;
  const struct op_info *hot;
  int hot_count;
  op_function *load, *store, *masked;
  void (*run_warp)(struct warp *warp);
  /* Sets the read tags of the loads in the log: before a store, a __syncwarp, or a change of their
   * memo. */
  void (*flush_reads)(struct block *block);
};
/* The best build for this processor. */
const struct isa *isa_best(void);

extern const struct op_info cold_ops[];
extern const int cold_op_count;

#endif
