/* draft.h: a function between PTX and program: operations over registers that have no slots yet.
 *
 * decode.c fills it, flow.c finds where paths meet, poll.c which loads poll, fuse.c merges shared
 * accesses, slots.c turns it into a program.
 */
#ifndef KIT_DRAFT_H
#define KIT_DRAFT_H

#include "harness/sim/decode/isa.h"
#include "harness/sim/decode/kernel.h"

/* A virtual register: >= 0 one of the function's or a temporary; < 0: constant ~value. */
typedef int vreg;

struct draft_op {
  struct op op;
  vreg reg[OP_SLOTS];
  uint8_t used;    /* entries of reg */
  uint16_t writes; /* bit i: reg[i] is a destination */
  bool in_place;   /* lane by lane: a destination may share the slot of a source */
  vreg guard;
  bool dead; /* merged into another */
};

struct draft_block {
  int first, count;       /* ops */
  struct basic_block end; /* end, target, next (block numbers), line, reconverge, ... */
  vreg predicate, reduce_from, reduce_to; /* NO_VREG if none */
  vreg barrier_number, barrier_threads;
  vreg call_pointer;
};
enum { NO_VREG = INT32_MAX };

static inline bool is_register(vreg r) { return r >= 0 && r != NO_VREG; }
static inline bool is_destination(const struct draft_op *d, int k) { return d->writes >> k & 1; }
bool draft_defines(const struct draft_op *d, vreg r);

struct constant {
  uint64_t value;
  char width; /* 'w' or 'd' */
};

struct draft {
  const struct ptx_module *module;
  const struct ptx_function *function;
  struct kernel *kernel;
  struct program *program;
  const struct isa *isa;
  const struct table *table; /* of rows, by their spelling */
  struct draft_op *ops;
  int op_count, op_room;
  struct draft_block *blocks;
  int block_count, block_room;
  vreg carry;   /* CC.CF, a predicate; NO_VREG: nothing has used it yet */
  char *widths; /* by virtual register: 'w', 'd' or 'p' */
  int vreg_count, vreg_room;
  struct constant *constants;
  int constant_count, constant_room;
  bool failed;
};

vreg draft_temporary(struct draft *draft, char width);
vreg draft_constant(struct draft *draft, uint64_t value, char width);
/* An operation without registers, and one that is appended. */
struct draft_op draft_blank(op_function *run, int line);
struct draft_op *draft_push(struct draft *draft, const struct draft_op *op);
struct draft_op *draft_add(struct draft *draft, op_function *run, int line);
/* The same for one whose destination is reg[0], of this width; lanewise: it works on all lanes, and
 * is wrapped where only some are active. */
struct draft_op *draft_add_to(struct draft *draft, op_function *run, int line, vreg to, char width);
struct draft_op *draft_add_lanewise(struct draft *draft, op_function *run, int line, vreg to,
                                    char width);
/* A row of a table, whose registers the caller fills in; a row of ops_hot.h by its name, which is
 * not counted: it is no instruction of its own on the hardware. */
struct draft_op *draft_add_row(struct draft *draft, const struct op_info *row, int line);
struct draft_op *draft_add_helper(struct draft *draft, const char *name, int line, vreg to);
struct draft_block *draft_add_block(struct draft *draft);
/* A register's value in the other width, 'w' or 'd': its low 32 bits, or those with 0 above. */
vreg draft_resize(struct draft *draft, vreg from, char width, int line);
/* Records the first failure, "ld.foo: ...", as the kernel's error. */
void draft_fail(struct draft *draft, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* decode.c: the row of a table with that spelling, as "fma.rn.f32"; NULL if none has it. */
const struct op_info *decode_row(const struct draft *draft, const char *key);
/* decode_compare.c: setp, set; decode_memory.c: ld, st, atom, red, and addresses; decode_special.c:
 * everything else that is not a row of a table; decode_carry.c: add.cc, addc and their like;
 * decode_flush.c: .ftz of rows without it; decode_async.c: cp.async, mbarrier; decode_tensor.c:
 * mma, ldmatrix and their like. False: not one of these. */
bool decode_compare(struct draft *draft, const struct ptx_instruction *in);
bool decode_memory(struct draft *draft, const struct ptx_instruction *in);
bool decode_special(struct draft *draft, const struct ptx_instruction *in);
bool decode_child(struct draft *draft, const struct ptx_instruction *in); /* decode_child.c */
bool decode_flushed(struct draft *draft, const struct ptx_instruction *in);
bool decode_carry(struct draft *draft, const struct ptx_instruction *in);
/* needs.c: which compute capability the instruction needs, if it is more than the kernel's so far.
 */
void note_needs(struct kernel *kernel, const struct ptx_instruction *in);

bool decode_async(struct draft *draft, const struct ptx_instruction *in);
bool decode_tensor(struct draft *draft, const struct ptx_instruction *in);
bool decode_wmma(struct draft *draft, const struct ptx_instruction *in);
/* decode_tensor.c: names and bits of enum tensor_type; is there such a product; adds it: to has
 * registers of D, sources those of C, A and B. */
extern const char tensor_type_names[];
extern const int tensor_type_bits[];
bool tensor_has_product(const struct tensor_op *t);
void tensor_add_product(struct draft *draft, int line, struct tensor_op t, const vreg *to,
                        int count, const vreg *sources, int source_count);
/* decode_memory.c: the register with an address operand's base; its constant part. */
vreg decode_address_register(struct draft *draft, const struct ptx_instruction *in,
                             const struct ptx_operand *operand, int64_t *offset);
/* decode_texture.c: textures and surfaces */
bool decode_texture(struct draft *draft, const struct ptx_instruction *in);
/* decode_flush.c: an operand of single precision, zero if it is denormal */
vreg decode_flushed_source(struct draft *draft, const struct ptx_instruction *in,
                           const struct ptx_operand *operand);
/* operands */
vreg decode_source(struct draft *draft, const struct ptx_instruction *in,
                   const struct ptx_operand *operand, char width);
vreg decode_destination(struct draft *draft, const struct ptx_instruction *in,
                        const struct ptx_operand *operand, char width);
char decode_width(enum ptx_type type);
/* The index of a word in "words separated by spaces", -1 if it is not there. */
int decode_word(const char *words, const char *word);
/* The same for the first part of an opcode, after its name, that is one of the words. */
int decode_part(const struct ptx_instruction *in, const char *words);
/* Is it an instruction of that name; has its opcode that part? */
bool decode_is(const struct ptx_instruction *in, const char *name);
bool decode_has(const struct ptx_instruction *in, const char *part);
/* Notes the bytes of an access: race tags are kept for granules of the smallest. */
void decode_granule(struct program *program, enum ptx_space space, int size);
/* Offset of a parameter, a result or a parameter of a call in the function's parameter area, -1 if
 * there is none of that name; *total: bytes of the area. name, total may be NULL. */
int decode_param_offset(const struct ptx_function *f, const char *name, size_t *total);

/* contract.c: multiply-adds of halves. leave.c: lanes that leave loops. flow.c: reconvergence
 * points. poll.c: loads that read flags. aggregate.c: atomics of which a warp makes one. fuse.c:
 * vector shared accesses. slots.c: the program. False if memory runs out. */
bool contract_halves(struct draft *draft);
bool flow_find_leaving(struct draft *draft);
bool flow_find_reconvergence(struct draft *draft);
bool poll_find(struct draft *draft);
bool aggregate_atomics(struct draft *draft);
bool fuse_shared_accesses(struct draft *draft);
bool slots_assign(struct draft *draft);
/* Which registers are the same in all threads, and no floating-point numbers; NULL if memory runs
 * out, else the caller frees it. And of those only the ones that are kept in uniform registers;
 * false if memory runs out. */
bool *uniform_find(const struct draft *draft);
bool uniform_only_kept(const struct draft *draft, bool *uniform);
/* registers.c: the registers of a thread that ptxas needs, and of each block those that hold values
 * at its end; out: what is live there, `words` words of bits by register each. -1 if memory runs
 * out. */
int registers_estimate(struct draft *draft, const uint64_t *out, size_t words);
enum varying varying_of(const struct op *op);
/* Where the block's end leads to within the function; NO_BLOCK if it does not. */
void block_successors(const struct basic_block *end, int to[2]);

#endif
