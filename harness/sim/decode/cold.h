/* cold.h: operations that are compiled once; what decode.c needs of them. */
#ifndef KIT_COLD_H
#define KIT_COLD_H

#include "harness/sim/decode/isa.h"

/* Stand for the load, store and lane-wise masking of the instruction set that will run, until
 * decode.c puts them in. */
op_function cold_load_marker, cold_store_marker;

op_function cold_select_32, cold_select_64; /* d, a, b, predicate */
op_function cold_predicate_and, cold_predicate_or, cold_predicate_xor, cold_predicate_not,
    cold_predicate_mov;
op_function cold_special; /* d; op->offset: enum special */
op_function cold_pack,
    cold_unpack; /* vectors in and out of one register; op->size bytes a part, op->count parts */
op_function cold_logic_3; /* lop3: d, a, b, c; op->offset is the truth table */
op_function cold_bit_insert_32, cold_bit_insert_64; /* bfi: d, a, b, position, length */
op_function cold_local_base; /* d: op->offset plus the frame's place in local memory */
op_function cold_load_param, cold_store_param; /* per-lane area at op->offset */
op_function cold_load_param_at;                /* the same, at the address in slot 0 + op->offset */
op_function cold_load_kernel_param; /* launch parameters at op->offset (+ address if slot[9]) */
/* d, predicate or none, a, b, c, member mask; op->code: mode; op->offset: is there a mask? */
op_function cold_shuffle;
/* d, predicate, member mask; op->code: mode; op->is_signed: negated source; op->offset as above */
op_function cold_vote;
enum { NAMES_MEMBERS = 1 };
op_function cold_active_mask, cold_warp_sync, cold_nothing;
op_function cold_barrier_arrive;    /* number, threads */
op_function cold_fence, cold_sleep; /* op->narrow: for its block only */
op_function cold_atomic;    /* address, d, b, c; op->code: enum atomic_kind, op->size, type in
                               op->is_signed... */
op_function cold_in_window; /* isspacep: d, a; op->code: space */
op_function
    cold_intrinsic; /* __kit_* math on the parameter area; op->extra: struct intrinsic_call */
op_function cold_printf, cold_assert_fail; /* likewise */
op_function cold_guarded;

enum special {
  SPECIAL_TID_X,
  SPECIAL_TID_Y,
  SPECIAL_TID_Z,
  SPECIAL_NTID_X,
  SPECIAL_NTID_Y,
  SPECIAL_NTID_Z,
  SPECIAL_CTAID_X,
  SPECIAL_CTAID_Y,
  SPECIAL_CTAID_Z,
  SPECIAL_NCTAID_X,
  SPECIAL_NCTAID_Y,
  SPECIAL_NCTAID_Z,
  SPECIAL_LANEID,
  SPECIAL_WARPID,
  SPECIAL_NWARPID,
  SPECIAL_SMID,
  SPECIAL_NSMID,
  SPECIAL_LANEMASK_EQ,
  SPECIAL_LANEMASK_LT,
  SPECIAL_LANEMASK_LE,
  SPECIAL_LANEMASK_GT,
  SPECIAL_LANEMASK_GE,
  SPECIAL_CLOCK,
  SPECIAL_DYNAMIC_SMEM,
  SPECIAL_TOTAL_SMEM,
  SPECIALS
};
extern const char *const special_names[SPECIALS]; /* "%tid.x" */

enum { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };
enum { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };

enum atomic_kind {
  ATOMIC_ADD,
  ATOMIC_EXCH,
  ATOMIC_CAS,
  ATOMIC_MIN,
  ATOMIC_MAX,
  ATOMIC_INC,
  ATOMIC_DEC,
  ATOMIC_AND,
  ATOMIC_OR,
  ATOMIC_XOR
};
enum atomic_type { ATOMIC_UNSIGNED, ATOMIC_SIGNED, ATOMIC_FLOAT };

/* A math function that the headers declare as __kit_NAME. signature: result, then arguments: 'f'
 * 'd' 'i' (32-bit) 'l' (64-bit) 'p' (pointer to what the next letter says; written). */
struct intrinsic {
  const char *name; /* without __kit_ */
  const char *signature;
  void (*function)(void);
};
const struct intrinsic *intrinsic_find(const char *name);

struct intrinsic_call {
  const struct intrinsic *intrinsic;
  int32_t result; /* offset in the parameter area, -1: none */
  int32_t arguments[8];
};

#endif
