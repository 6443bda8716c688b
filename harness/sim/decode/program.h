/* program.h: a decoded PTX function: operations in basic blocks over 32-lane register slots.
 *
 * decode.c makes a program from a ptx_function with the help of flow.c (basic blocks,
 * post-dominators), slots.c (register slots by liveness) and fuse.c (vector loads from shared
 * memory); exec.c runs it.
 *
 * A frame is one warp's registers for one function: constants first (set once), then slots. A slot
 * holds one value for each of the 32 lanes: 32 x 4 bytes for 16- and 32-bit values, 32 x 8 bytes
 * for 64-bit ones, and one 32-bit word, one bit per lane, for predicates. Operations name slots by
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

/* What an operation is, and which member of the union of struct op it has. */
enum op_kind {
  OP_PLAIN,    /* none: bfi, fences, ... (cold.h) */
  OP_ROW,      /* row: a row of ops_hot.h, ops_cold.h or predicate_ops */
  OP_LOAD,     /* access: ld */
  OP_STORE,    /* access: st */
  OP_ATOMIC,   /* access: atom, red */
  OP_PARAM,    /* access: ld and st of parameters */
  OP_LOCAL,    /* access: the address of a local variable, of which it has the offset */
  OP_SPECIAL,  /* special: mov from a special register */
  OP_LOGIC_3,  /* truth_table: lop3 */
  OP_UNPACK,   /* unused_parts: mov {a, b}, c */
  OP_SHUFFLE,  /* shuffle: shfl */
  OP_VOTE,     /* vote: vote */
  OP_MATCH,    /* match: match */
  OP_REDUX,    /* redux: redux */
  OP_IN_SPACE, /* in_space: isspacep */
  OP_CARRY,    /* carry: add.cc, addc, ... */
  OP_CALL,     /* call: of a function of the simulator's own */
  OP_TENSOR,   /* tensor: mma, and its operands */
  OP_FETCH,    /* texture: tex, tld4, suld */
  OP_SUST,     /* texture: sust */
  OP_TXQ,      /* texture: txq, suq */
};

/* clang-format off */
#define KIT_SPECIALS(X) \
  X(TID_X, "%tid.x") X(TID_Y, "%tid.y") X(TID_Z, "%tid.z") \
  X(NTID_X, "%ntid.x") X(NTID_Y, "%ntid.y") X(NTID_Z, "%ntid.z") \
  X(CTAID_X, "%ctaid.x") X(CTAID_Y, "%ctaid.y") X(CTAID_Z, "%ctaid.z") \
  X(NCTAID_X, "%nctaid.x") X(NCTAID_Y, "%nctaid.y") X(NCTAID_Z, "%nctaid.z") \
  X(LANEID, "%laneid") X(WARPID, "%warpid") X(NWARPID, "%nwarpid") \
  X(SMID, "%smid") X(NSMID, "%nsmid") X(CLOCK, "%clock") \
  X(LANEMASK_EQ, "%lanemask_eq") X(LANEMASK_LT, "%lanemask_lt") X(LANEMASK_LE, "%lanemask_le") \
  X(LANEMASK_GT, "%lanemask_gt") X(LANEMASK_GE, "%lanemask_ge") \
  X(DYNAMIC_SMEM, "%dynamic_smem_size") X(TOTAL_SMEM, "%total_smem_size") \
  X(COOPERATIVE, "%kit_cooperative") /* our own: a cooperative launch? */
#define X(name, text) SPECIAL_##name,
enum special { KIT_SPECIALS(X) SPECIALS };
#undef X
enum shuffle_mode { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };
enum carry_operation { CARRY_ADD, CARRY_SUB, CARRY_MAD_LO, CARRY_MAD_HI };
enum vote_mode { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };
enum atomic_kind {
  ATOMIC_ADD, ATOMIC_EXCH, ATOMIC_CAS, ATOMIC_MIN, ATOMIC_MAX, ATOMIC_INC, ATOMIC_DEC, ATOMIC_AND,
  ATOMIC_OR, ATOMIC_XOR,
  ATOMIC_ARRIVE, ATOMIC_ARRIVE_DROP, ATOMIC_LOOK /* at an mbarrier */
};
/* clang-format on */
/* Of f16 and bf16: one, or two in a word. */
enum atomic_type { ATOMIC_UNSIGNED, ATOMIC_SIGNED, ATOMIC_FLOAT, ATOMIC_F16, ATOMIC_BF16 };

enum tensor_type {
  TENSOR_F16,
  TENSOR_BF16,
  TENSOR_TF32,
  TENSOR_F32,
  TENSOR_F64,
  TENSOR_S32,
  TENSOR_S8,
  TENSOR_U8,
  TENSOR_S4,
  TENSOR_U4
};
/* A product of matrices by a warp: m x 8 = m x k times k x 8, plus m x 8. Its sources are the
 * registers of C, A and B, in this order. An operation has room for some: those before it that have
 * the others bring them along. */
struct tensor_op {
  uint8_t m, k;
  uint8_t a, b, c; /* enum tensor_type; D has C's */
  bool satfinite;
  uint8_t first, count; /* which of the sources this operation has, after its destinations */
};

/* What decides how long an operation takes, where the hardware has a short way for some values. */
enum varying {
  VARIES_NOT,
  VARIES_BY_HIGH_WORDS, /* 64-bit quotients: short if both operands fit into 32 bits */
  VARIES_BY_ANGLE,      /* sine and such: short up to some angle */
  /* precise ones: short of ordinary operands, neither zero nor near an end of their range */
  VARIES_QUOTIENT,
  VARIES_QUOTIENT_64,
  VARIES_RECIPROCAL,
  VARIES_RECIPROCAL_64,
  VARIES_ROOT,
  VARIES_ROOT_64,
  VARIES_INVERSE_ROOT_64,
};

struct intrinsic_call;
struct child_call;
struct op_info;

/* Textures and surfaces. */
enum texture_shape { SHAPE_1D, SHAPE_2D, SHAPE_3D, SHAPE_A1D, SHAPE_A2D, SHAPE_CUBE, SHAPE_ACUBE };
enum surface_bounds { BOUNDS_TRAP, BOUNDS_CLAMP, BOUNDS_ZERO };
enum texture_query { QUERY_WIDTH, QUERY_HEIGHT, QUERY_DEPTH };
enum { NO_GATHER = 4, COORDINATE_SLOT = 5 };

enum { OP_SLOTS = 10, MEMBERS_SLOT = 5 };

struct op {
  op_function *run[2]; /* [0]: every live lane is active; [1]: only those of warp->mask */
  op_function *body;   /* the operation itself; run may wrap it */
  /* Registers, by their offset in the frame. Access: address, data; atomic: address, old value,
   * operands; textures: object, data, and the coordinates from COORDINATE_SLOT on; shuffles, votes
   * and __syncwarp have the mask of members in MEMBERS_SLOT; all others: destination, then sources.
   */
  uint32_t slot[OP_SLOTS];
  op_function *guarded_run; /* what a guarded operation runs under its own mask */
  uint32_t guard;           /* slot of the predicate, if guarded */
  uint8_t kind;             /* enum op_kind */
  bool guarded, guard_negated;
  bool counted;       /* a hardware instruction (cvta and ld.param are none) */
  uint16_t written;   /* bit i: slot[i] is a destination */
  uint16_t read;      /* bit i: slot[i] is a source */
  uint16_t lives_on;  /* bit i: what it writes to slot[i] is needed after its basic block */
  bool wide;          /* slot[0] has 64 bits per lane; access: the data have */
  bool predicate;     /* slot[0] is a predicate */
  uint8_t negated;    /* bit i: the predicate in slot[i] is negated */
  uint8_t flops;      /* per lane, of the width of slot[0]: 2 for an FMA */
  bool has_members;   /* MEMBERS_SLOT is used: the operation ends in .sync */
  bool orders_blocks; /* printf: its output must come in the order of blocks */
  bool orders_shared; /* shared loads may not be moved across it */
  bool polls; /* an atomic whose result is used, a volatile load or clock that a branch needs */
  bool block_scope;        /* atomics, fences and such: in the scope of its block only */
  bool acquires, releases; /* .acquire, .release, .acq_rel */
  bool is_volatile;        /* or a relaxed or acquiring load, a relaxed or releasing store */
  bool read_only;          /* ld.global.nc, ld.const */
  bool constant;           /* ld.const */
  bool past_l1;            /* ld.volatile, ld.cg and such: of what lies in L2 */
  bool apart;              /* access: shares nothing with others, as it is part of something else */
  uint8_t lanes; /* access: of so many times 8 lanes only, which have addresses of rows; 0: all */
  bool shares_memo; /* access: may be in a group */
  bool follows; /* an earlier one of its group ran in this block: the lanes' distances are known */
  uint8_t varies; /* enum varying */
  uint8_t space;  /* access: enum ptx_space */
  uint8_t size;   /* access, pack, unpack: bytes of one element */
  uint8_t count;  /* access, pack, unpack: elements of a vector; 1 for an atomic */
  union {
    const struct op_info *row;
    struct intrinsic_call *call; /* freed with the program */
    struct child_call *child;    /* the same */
    struct {
      int64_t offset;    /* bytes added to the address */
      bool sign_extends; /* narrow loads */
      bool indexed;      /* ld.param: slot[0] is used, as where a struct is indexed */
      bool has_result;   /* atomics: atom, not red */
      bool counts;       /* atomics: 1 is added to an integer, and nobody reads the old value */
      bool aggregated;   /* atomics: the compiler makes one of those of a warp (aggregate.c) */
      bool or_more;      /* asynchronous copies: for lanes that have more words to load, too */
      uint8_t atomic;    /* enum atomic_kind */
      uint8_t type;      /* enum atomic_type */
    } access;
    struct {
      uint8_t shape; /* enum texture_shape */
      bool surface;  /* raw elements, x in bytes */
      bool float_coordinates;
      bool float_result; /* else 32-bit integers */
      uint8_t gathered;  /* the component that tld4 gathers, or NO_GATHER */
      uint8_t bounds;    /* enum surface_bounds */
      uint8_t query;     /* enum texture_query */
    } texture;
    enum special special;
    enum shuffle_mode shuffle;
    enum vote_mode vote;
    struct {
      bool all, wide; /* wide: of 64-bit values */
    } match;
    struct {
      uint8_t kind; /* enum atomic_kind */
      bool is_signed;
    } redux;
    enum ptx_space in_space;
    struct {
      uint8_t operation;            /* enum carry_operation */
      bool is_signed, takes, gives; /* takes, gives: a carry */
    } carry;
    uint8_t truth_table;
    uint8_t unused_parts; /* bit i: part i goes nowhere */
    struct tensor_op tensor;
    struct {
      uint8_t row, column, step, bytes;
      bool by_row;
    } place; /* of elements of a matrix: decode_wmma.c */
    struct {
      uint8_t count; /* matrices of 8 x 8, a register each */
      bool transposed;
    } matrices;
  };
  int base;  /* access: the virtual register of the address */
  int group; /* access: the operation whose memo this one shares: same base register, same shape */
  int next_in_group; /* another operation that shares it, or -1 */
  int affine_group;  /* access: its group in the affine form, or -1 */
  int line;
  int index; /* among all operations of the module: counters and memos are arrays over it */
};

/* Bytes of memory that an access asks for, a power of two. Of a vector of four of which nobody
 * reads the last, count is 3: what is counted knows nothing of that, what is checked leaves it out.
 */
static inline int op_width(const struct op *op) {
  return op->size * (op->count == 3 ? 4 : op->count);
}
/* Does it access memory other than parameters? */
static inline bool op_is_access(const struct op *op) {
  return op->kind == OP_LOAD || op->kind == OP_STORE || op->kind == OP_ATOMIC ||
         op->kind == OP_FETCH || op->kind == OP_SUST;
}
/* Is there a word about it in traces (trace.h)? */
static inline bool op_is_traced(const struct op *op) { return op_is_access(op) || op->varies; }
static inline bool op_loads(const struct op *op) {
  return op->kind == OP_LOAD || op->kind == OP_FETCH;
}

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
  int reconverge;     /* where lanes that have gone either way meet again, or NO_BLOCK */
  int leaves, beyond; /* leaves: the way that leads out of a loop sideways (leave.c), or NO_BLOCK;
                         beyond: where those lanes meet the others, or NO_BLOCK */
  uint32_t predicate; /* slot */
  bool negated;
  bool gathers;   /* begins where lanes of a warp meet: __syncwarp, a shuffle, a vote */
  char reduce_op; /* bar.red: 0 for bar.sync, else 'p'opc, 'a'nd, 'o'r */
  bool reduce_negated;
  uint32_t reduce_from, reduce_to;          /* slots */
  bool named;                               /* bar.sync a, b: barrier a, for b threads */
  uint32_t barrier_number, barrier_threads; /* slots; threads 0: all of the block */
  struct call_site *call; /* of a call through a pointer: all that it may lead to */
  bool indirect;
  uint32_t call_pointer; /* slot */
  int line;              /* of the end */
  int counted;           /* operations of it that count, the end included */
  int registers;         /* that hold values at the end (registers.c) */
  bool uniform_branch;   /* all threads go the same way */
  bool no_unroll;        /* .pragma "nounroll": of the loop that begins with this block */
};

/* Bit i: an address of a load, or of a store, may come from the 8 bytes at 8 * i of a kernel's
 * parameters; both of an atomic. PARAM_VARIABLE: it may be a __device__ variable's; PARAM_UNKNOWN:
 * from elsewhere, too. */
#define PARAM_VARIABLE (UINT64_C(1) << 62)
#define PARAM_UNKNOWN (UINT64_C(1) << 63)
struct accessed_params {
  uint64_t loaded, stored;
};

struct affine_form;
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
  char *constant_widths; /* by offset / SLOT32: 'w' or 'd' */
  size_t param_bytes;    /* of a kernel's parameters, or per lane of a function's parameter area */
  size_t local_bytes;    /* per lane */
  int registers;         /* max live 32-bit registers: an estimate of what ptxas needs */
  bool order_matters;    /* atomics whose result depends on the order of blocks */
  bool has_updates;      /* atomics on global memory */
  bool has_fence;        /* __threadfence and the like: threads may hand data to one another */
  bool signals;          /* it may exchange flags with the host: by volatile or system's scope */
  bool has_mbarriers;    /* some warps may wait for others, more often than once */
  bool has_polls;        /* some operation polls: what runs may depend on the order of threads */
  bool has_calls;
  bool allocates;     /* it calls malloc or free */
  bool reads_unset;   /* some register may be read before it is written */
  int shared_granule; /* smallest shared access, bytes: 1, 2 or 4 */
  int global_granule;
  struct accessed_params params; /* a kernel's (stored.h) */
  struct affine_form *affine;    /* affine.h; NULL: it has none */
};

enum { MAX_CALL_ARGUMENTS = 32, MAX_CALL_RESULTS = 4 };

struct call_site {
  struct call_site *next;
  uint64_t address; /* of a call through a pointer: the value for which it is this site */
  const struct program *callee;
  int argument_count, result_count;
  struct call_copy {
    uint32_t from, to, bytes; /* per lane; offsets in the areas of caller and callee */
  } arguments[MAX_CALL_ARGUMENTS], results[MAX_CALL_RESULTS];
};
void call_sites_free(struct call_site *sites);

#endif
