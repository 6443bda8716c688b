/* cold.h: operations that are compiled once, for any instruction set: what the decoder needs of
 * exec/cold.c, atomic.c and intrinsic.c. Each comment names the slots in order. */
#ifndef KIT_COLD_H
#define KIT_COLD_H

#include "harness/sim/decode/isa.h"

op_function cold_guarded; /* any operation, for the lanes whose guard holds */
op_function cold_nothing;

op_function cold_select_32, cold_select_64;                            /* d, a, b, predicate */
op_function cold_predicate_and, cold_predicate_or, cold_predicate_xor; /* d, a, b */
op_function cold_predicate_not, cold_predicate_mov;                    /* d, a */
op_function cold_logic_3;                                              /* d, a, b, c */
op_function cold_carry;             /* d, carry, a, b, c; carry */
op_function cold_bit_insert;        /* d, a, b, position, length */
op_function cold_pack, cold_unpack; /* whole, parts */
op_function cold_special;           /* d */
op_function cold_in_space;          /* d, a */
op_function cold_local_base;        /* d */

/* Parameters of calls, which every lane has for itself, and those of the launch: address if it is
 * indexed, then data. */
op_function cold_load_param, cold_store_param, cold_load_param_at, cold_load_kernel_param;

op_function cold_atomic;         /* address, old value, operand, second operand */
op_function cold_shuffle;        /* d, predicate or none, a, b, c; members */
op_function cold_vote;           /* d, predicate; members */
op_function cold_active_mask;    /* d */
op_function cold_match;          /* d, predicate or none, a; members */
op_function cold_redux;          /* d, a; members */
op_function cold_elect;          /* d, predicate or none; members */
op_function cold_warp_sync;      /* members */
op_function cold_barrier_arrive; /* number, threads */
op_function cold_fence, cold_sleep;
op_function cold_fetch, cold_surface_store; /* object, data; coordinates (exec/texture.c) */
op_function cold_texture_query;             /* d, object */

/* Functions of the simulator's own: arguments and results are in the parameter area. */
op_function cold_intrinsic, cold_printf, cold_assert_fail, cold_trap_reason, cold_malloc, cold_free;
op_function cold_child, cold_child_launch, cold_child_error; /* exec/children.c */

/* Asynchronous copies: source address, words, bytes of the source; mbarriers. */
op_function cold_async_fill, cold_async_load;
op_function cold_async_store; /* address, words */
op_function cold_async_commit, cold_async_wait;
op_function cold_async_track;      /* address of an mbarrier */
op_function cold_mbarrier_state;   /* d, count */
op_function cold_mbarrier_test;    /* d, state now, state or parity, address */
op_function cold_mbarrier_pending; /* d, state */

/* Matrices in the registers of a warp (exec/tensor.c). */
op_function cold_tensor_operands; /* sources of the product that follows */
op_function cold_tensor_product;  /* d..., sources */
op_function cold_matrix_rows;     /* an access by the lanes that have the address of a row */
/* Rows of 8 x 8 matrices, lane by lane, and elements as lanes have them: four registers each. */
op_function cold_matrix_deal;    /* d by matrix, 4 parts of a row */
op_function cold_matrix_collect; /* 4 parts of a row, source by matrix */
op_function cold_matrix_move;    /* d, a */
op_function cold_wmma_address;   /* d, base, stride */
op_function cold_round_tf32;     /* d, a */

extern const char *const special_names[SPECIALS]; /* "%tid.x" */

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

/* The naming of a kernel that device code launches. */
struct child_call {
  struct kernel *kernel;
  int count;
  struct child_copy {
    uint32_t from, to, bytes; /* offsets in the parameter area of the caller, and of the kernel */
  } copies[];
};

#endif
