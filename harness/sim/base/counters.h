/* counters.h: what the simulator counts, per launch and per source line.
 *
 * One X-macro names every counter, in the order in which JSON shows them. Each follows the
 * definition of the Nsight Compute metric in its third column (sums over the launch); "-" where
 * there is none. Units: see the comments. To add a counter: one line here, and count it in
 * pattern.c or exec.c, and add it up in tally.c.
 */
#ifndef KIT_COUNTERS_H
#define KIT_COUNTERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
#define KIT_COUNTERS(X) \
  /* warp instructions executed, and the same times their active lanes */ \
  X(inst_executed,              "smsp__inst_executed") \
  X(thread_inst_executed,       "smsp__thread_inst_executed") \
  /* conditional branches executed by a warp, and those whose lanes went both ways */ \
  X(branches,                   "smsp__sass_branch_targets") \
  X(divergent_branches,         "smsp__sass_branch_targets_threads_divergent") \
  X(barriers,                   "smsp__inst_executed_op_bar") \
  /* lane operations: an FMA is two */ \
  X(fp32_ops,                   "-") \
  X(fp64_ops,                   "-") \
  /* global memory: one request per instruction and warp; sectors of 32 bytes; lines of 128 bytes; \
     bytes the lanes asked for; distinct bytes among them; 32-bit words a lane asked for, at \
     least 1, summed over requests */ \
  X(global_load_requests,       "l1tex__t_requests_pipe_lsu_mem_global_op_ld") \
  X(global_load_sectors,        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld") \
  X(global_load_lines,          "-") \
  X(global_load_bytes,          "-") \
  X(global_load_used_bytes,     "-") \
  X(global_load_words,          "-") \
  /* sectors that global loads ask of L2, if L1 keeps what a block has loaded until the block \
     ends, and requests for them, one per line of 128 bytes: estimated from a sample of blocks \
     (exec/watch.h), for the launch only, not by line */ \
  X(l2_load_sectors,            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss") \
  X(l2_load_requests,           "lts__t_requests_srcunit_tex_op_read") \
  X(global_store_requests,      "l1tex__t_requests_pipe_lsu_mem_global_op_st") \
  X(global_store_sectors,       "l1tex__t_sectors_pipe_lsu_mem_global_op_st") \
  X(global_store_lines,         "-") \
  X(global_store_bytes,         "-") \
  X(global_store_used_bytes,    "-") \
  X(global_store_words,         "-") \
  X(global_atomic_requests,     "l1tex__t_requests_pipe_lsu_mem_global_op_atom+red") \
  X(global_atomic_sectors,      "l1tex__t_sectors_pipe_lsu_mem_global_op_atom+red") \
  /* bytes the lanes asked for; of those, by atomics whose old value is used: they load, too */ \
  X(global_atomic_bytes,        "-") \
  X(global_atomic_load_bytes,   "-") \
  /* bytes the lanes asked for of __constant__ variables that carry data (memory.h) */ \
  X(constant_load_bytes,        "-") \
  /* shared memory: wavefronts over 32 banks of 4 bytes; ideal: what the same instructions need \
     without a conflict */ \
  X(shared_load_inst,           "smsp__inst_executed_op_shared_ld") \
  X(shared_load_wavefronts,     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld") \
  X(shared_load_ideal,          "-") \
  X(shared_load_bytes,          "-") \
  X(shared_store_inst,          "smsp__inst_executed_op_shared_st") \
  X(shared_store_wavefronts,    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st") \
  X(shared_store_ideal,         "-") \
  X(shared_store_bytes,         "-") \
  X(shared_atomic_inst,         "smsp__inst_executed_op_shared_atom") \
  /* local memory: arrays that a thread indexes at run time */ \
  X(local_load_inst,            "smsp__inst_executed_op_local_ld") \
  X(local_store_inst,           "smsp__inst_executed_op_local_st")
/* clang-format on */

enum counter {
#define X(name, metric) COUNTER_##name,
  KIT_COUNTERS(X)
#undef X
      COUNTERS
};

extern const char *const counter_names[COUNTERS];   /* "global_load_sectors" */
extern const char *const counter_metrics[COUNTERS]; /* Nsight Compute's name, or "-" */

struct counters {
  uint64_t value[COUNTERS];
};

void counters_add(struct counters *to, const struct counters *counters);

/* More than any counter has; sums of a few do not overflow. */
static const json_int_t counter_limit = (json_int_t)1 << 60;

/* {"global_load_sectors":8192, ...}; all: zeros, too. NULL or incomplete if memory runs out. */
json_t *counters_to_json(const struct counters *counters, bool all);
/* And back: false if the map is none or has a value that is no count. One that it lacks is 0, or,
 * with all, makes it false. */
bool counters_from_json(const json_t *map, bool all, struct counters *counters);

#endif
