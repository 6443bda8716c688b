/* program.h: a PTX function decoded for execution: operations in basic blocks over 32-lane register
 * slots.
 *
 * decode.c makes a program from a ptx_function with the help of flow.c (basic blocks,
 * post-dominators), slots.c (register slots by liveness) and fuse.c (vector loads from shared
 * memory); exec.c runs it.
 *
 * A frame is one warp's registers for one function: constants first (set once), then slots. A slot
 * holds one value for each of the 32 lanes: 32 x 4 bytes for 16- and 32-bit values, 32 x 8 bytes
 * for 64-bit ones, and one 32-bit word, a bit a lane, for predicates. Operations name slots by
 * their byte offset in the frame.
 */
#ifndef KIT_PROGRAM_H
#define KIT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/sim/ptx/ptx.h"

enum { LANES = 32, SLOT32 = LANES * 4, SLOT64 = LANES * 8, FRAME_ALIGN = 64 };

struct op;
struct warp;
typedef void op_function(char *frame, const struct op *op, struct warp *warp);

/* What an operation does; the order is that of the table in ops.h. */
typedef uint16_t op_code;

enum { OP_SLOTS = 10 };

struct op {
  op_function *run[2];     /* [0]: every live lane is active; [1]: only those of warp->mask */
  op_function *body;       /* the operation itself; run may wrap it */
  uint32_t slot[OP_SLOTS]; /* ALU: destination, then sources; memory: address, then data */
  int64_t offset;          /* memory: bytes added to the address */
  uint8_t space;           /* memory: enum ptx_space */
  uint8_t size;            /* memory: bytes of one element */
  uint8_t count;           /* memory: elements of a vector */
  uint8_t wide;   /* container of slot[0] (memory: of the data): 0 32-bit, 1 64-bit, 2 predicate */
  bool is_signed; /* memory: sign-extend narrow loads; setp and predicates: negated */
  bool read_only; /* ld.global.nc, ld.const */
  bool counted;   /* a hardware instruction (cvta and ld.param are none) */
  uint8_t flops;  /* per lane: 2 for an FMA */
  bool flops64;
  op_code code;
  uint32_t guard; /* slot of the predicate, if guarded */
  bool guarded, guard_negated;
  op_function *guarded_run; /* what a guarded operation runs under its own mask */
  uint8_t atomic_type;      /* enum atomic_type */
  bool is_load;
  bool orders_blocks; /* printf: its output must come in the order of blocks */
  bool is_volatile;   /* or a relaxed or acquiring load, a relaxed or releasing store */
  bool narrow;        /* atomics, fences and such: in the scope of its block only */
  bool polls; /* an atomic whose result is used, a volatile load on which a branch depends: what
                 was read decides something */
  bool acquires, releases; /* .acquire, .release, .acq_rel */
  bool orders_shared;      /* shared loads may not be moved across it */
  const void *extra; /* rows of a table: their op_info; intrinsics: their intrinsic_call, owned */
  bool owns_extra;
  uint16_t written; /* bit i: slot[i] is a destination */
  int base;         /* memory: the virtual register of the address */
  bool shares_memo; /* memory: may be in a group */
  int group; /* memory: index of the operation whose memo this one shares: same base register and
                shape */
  int next_in_group; /* another operation that shares it, or -1 */
  bool follows; /* an earlier one of its group was executed in this block, so the lanes' distances
                   are known */
  int line;
  int index; /* among all operations of the module: counters and memos are arrays over it */
};

enum block_end {
  END_NEXT,    /* falls through to next */
  END_JUMP,    /* to target */
  END_BRANCH,  /* to target where the predicate holds, else next */
  END_RETURN,  /* ret (exit, in a kernel) */
  END_EXIT,    /* exit: the thread ends */
  END_BARRIER, /* bar.sync 0, then next */
  END_CALL,    /* call extra, then next */
  END_TRAP,
};

enum { NO_BLOCK = -1 };

struct call_site;

struct basic_block {
  int first, count; /* operations */
  enum block_end end;
  int target, next;
  int reconverge;     /* immediate post-dominator, or NO_BLOCK */
  uint32_t predicate; /* slot */
  bool negated;
  bool gathers;   /* begins where lanes of a warp are to meet: __syncwarp, a shuffle, a vote */
  char reduce_op; /* bar.red: 0 for bar.sync, else 'p'opc, 'a'nd, 'o'r */
  bool reduce_negated;
  uint32_t reduce_from, reduce_to;          /* slots */
  bool named;                               /* bar.sync a, b: barrier a, for b threads */
  uint32_t barrier_number, barrier_threads; /* slots; threads 0: all of the block */
  const struct call_site *call;
  int line;    /* of the end */
  int counted; /* operations of it that count, the end included */
};

struct program {
  const struct ptx_function *function;
  struct op *ops;
  int op_count;
  struct basic_block *blocks;
  int block_count;
  int block_base;                          /* index of blocks[0] among all blocks of the module */
  size_t frame_bytes, slots64, predicates; /* slots64, predicates: offsets of the first ones */
  char *constants;                         /* image of the start of a frame */
  size_t constant_bytes;
  size_t param_bytes; /* of a kernel's parameters, or of a function's parameter area a lane */
  size_t local_bytes; /* a lane */
  int registers;      /* live 32-bit registers at the peak: an estimate of what ptxas needs */
  bool order_matters; /* atomics whose result depends on the order of blocks */
  bool has_fence;     /* __threadfence and the like: threads may hand data to one another */
  bool has_polls;     /* some operation polls: what runs may depend on the order of threads */
  bool has_calls;
  bool reads_unset;   /* some register may be read before it is written */
  int shared_granule; /* smallest shared access, bytes: 1, 2 or 4 */
  int global_granule;
};

struct call_site {
  const struct program *callee;
  int argument_count, result_count;
  struct {
    uint32_t from, to, bytes; /* offsets in the areas of caller and callee, a lane */
  } arguments[32], results[4];
};

#endif
