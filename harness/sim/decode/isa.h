/* isa.h: the operations that there are, as the decoder needs them: their PTX spellings, and the
 * functions that execute them. The tables are exec/ops_hot.h and exec/ops_cold.h. */
#ifndef KIT_ISA_H
#define KIT_ISA_H

#include "harness/sim/decode/program.h"

struct block;

struct op_info {
  const char *keys; /* PTX spellings, separated by spaces */
  const char *name;
  op_function *run;
  char types[4]; /* destination and sources: 'w' 32-bit container, 'd' 64-bit, 'p' predicate, 0 none
                  */
  uint8_t flops;
  bool flops64;
};

/* A build of exec.c, with the table ops_hot.h, for one instruction set. */
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
/* The fastest build that this processor can run. */
const struct isa *isa_best(void);

extern const struct op_info cold_ops[];
extern const int cold_op_count;

/* table.c: finds rows by their PTX spelling. Made once per decoded function: some 400 insertions, a
 * few microseconds. NULL if memory runs out. */
struct table;
struct table *table_open(const struct isa *isa);
/* "fma.rn.f32" to its row; NULL if no table has it. Comparisons have keys of their own:
 * "setp_lt_s32". */
const struct op_info *table_find(const struct table *table, const char *key);
void table_close(struct table *table);

#endif
