/* random_kernel.h: how a random kernel is made, written as PTX, and run one thread at a time.
 *
 * A kernel is a tree of statements, so that any of them can be left out of a kernel that fails; it
 * is flattened to code with branches, which is what both the PTX text and the scalar interpreter
 * are made of. What it computes does not depend on the order of threads: they share only what
 * nobody writes, what a barrier hands over, and counters that commute.
 */
#ifndef KIT_FUZZ_KERNEL_H
#define KIT_FUZZ_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tests/unit/sim_random.h"

struct row;

/* ---- code ---- */

enum class { CLASS_B16, CLASS_B32, CLASS_B64, CLASS_F32, CLASS_F64, CLASS_PRED, CLASSES };
/* The first POOL of each class hold values; the others, addresses, masks and counts; from FRESH,
 * values that do not live long. */
enum { POOL = 8, FRESH = 64, REGISTERS = 256 };

struct operand {
  enum { NONE, REGISTER, IMMEDIATE } kind;
  enum class class;
  uint8_t reg;
  bool negated; /* of a predicate */
  uint64_t value;
};

enum kind {
  ROW, /* a row of sim_rows.h */
  SETP,
  SELP,
  PREDICATE, /* and.pred, ... */
  LOP3,
  PACK,   /* one from several */
  UNPACK, /* several from one */
  SPECIAL,
  LOAD,
  STORE,
  ATOMIC,     /* with a result, or without */
  ADDRESS,    /* of a variable, mov.u64 */
  TO_GENERIC, /* cvta */
  IN_SPACE,   /* isspacep */
  BRANCH,
  RETURN,
  BARRIER,
  BARRIER_REDUCE,
  WARP_SYNC,
  VOTE,
  SHUFFLE,
  ACTIVE_MASK,
  CALL,
};

enum space {
  SPACE_GLOBAL,
  SPACE_SHARED,
  SPACE_LOCAL,
  SPACE_CONST,
  SPACE_GENERIC,
  SPACE_PARAM,
  SPACES
};
/* Shared by all kernels: what they do with arrays is in kernel_make.c. */
enum variable { VARIABLE_SHARED, VARIABLE_LOCAL, VARIABLE_CONST, VARIABLE_PARAM, VARIABLES };

enum { MAX_TO = 4, MAX_FROM = 6 };

struct code {
  enum kind kind;
  const struct row *row;
  char name[40]; /* the spelling, or the part of it that differs: "and", "lt.and", "%tid.x" */
  char type[4];
  int size, count; /* of memory: bytes of an element, elements */
  enum space space;
  struct operand to[MAX_TO], from[MAX_FROM]; /* memory: from[0] is the address */
  int to_count, from_count;
  int64_t offset;
  int guard; /* predicate register, or -1 */
  bool guard_negated;
  int target; /* of a branch: index of code; of a call: function */
};

/* ---- statements ---- */

enum shape { LEAF, SEQUENCE, IF, LOOP };

struct statement {
  enum shape shape;
  bool dead;          /* left out */
  struct code *codes; /* LEAF: stay together; IF, LOOP: before the branch */
  int code_count;
  int breaks;    /* LEAF: ends with a branch out of so many enclosing statements */
  int predicate; /* IF: taken if it holds */
  bool negated, has_else;
  int counter;                    /* LOOP: register that counts down */
  struct statement *body, *other; /* first of each */
  struct statement *next;
};

enum { MAX_FUNCTIONS = 3, MAX_ARGUMENTS = 4 };

struct function { /* function 0 is the kernel */
  struct statement *body;
  int argument_count;
  enum class argument_class[MAX_ARGUMENTS], result_class;
  char argument_type[MAX_ARGUMENTS][4], result_type[4];
  struct code *code; /* flattened */
  int code_count, code_room;
};

enum {
  ROW_BYTES = 256,    /* of each thread, global */
  DUMP_BYTES = 640,   /* of each thread: registers, shared and local memory in the end */
  UNITS = 5,          /* columns: of elements of 1, 2, 4, 8, 16 bytes */
  PLANES = 4,         /* of each */
  INPUT_BYTES = 2048, /* read only */
  CONST_BYTES = 512,
  PARAM_BYTES = 128, /* of data in the kernel's parameters */
  LOCAL_BYTES = 128,
  SHARED_ROW = 64,  /* of each thread */
  TALLIES = 16,     /* 8 bytes each, in global and in shared memory */
  MAX_THREADS = 96, /* of a block */
  MAX_BLOCKS = 3,
};

struct kernel {
  uint64_t seed;
  struct function functions[MAX_FUNCTIONS];
  int function_count;
  unsigned threads, blocks;
  void **owned; /* what kernel_free releases */
  size_t owned_count, owned_room;
  int statements;
};

/* Where the kernel finds things in global memory, and what is in them at first. */
struct arrays {
  uint64_t input, rows, columns, counters, dump; /* addresses */
  unsigned char *input_bytes, *row_bytes, *column_bytes, *counter_bytes, *dump_bytes;
  unsigned char constants[CONST_BYTES];
  unsigned char params[64 + PARAM_BYTES]; /* 5 addresses, padding, data */
};

static inline size_t threads_of(const struct kernel *k) { return (size_t)k->threads * k->blocks; }
static inline size_t row_bytes(const struct kernel *k) { return threads_of(k) * ROW_BYTES; }
/* Element (plane, thread) of unit u lies at ((1 << u) - 1) * PLANES * T + (plane * T + thread) <<
 * u, rounded up to 16 bytes a unit. */
static inline size_t column_start(size_t threads, int unit) {
  size_t at = 0;
  for (int u = 0; u < unit; u++) at += ((threads * PLANES << u) + 15) / 16 * 16;
  return at;
}
static inline size_t column_bytes(const struct kernel *k) {
  return column_start(threads_of(k), UNITS);
}
static inline size_t shared_bytes(const struct kernel *k) {
  return TALLIES * 8 + column_start(k->threads, UNITS) + (size_t)k->threads * SHARED_ROW;
}

int class_bytes(enum class class);
extern const char *const class_names[CLASSES];

/* kernel_make.c. The same seed gives the same kernel, on every machine. exact: without instructions
 * whose results are approximations, or each GPU's own affair. */
struct kernel *kernel_make(uint64_t seed, bool exact);
void kernel_free(struct kernel *kernel);
/* What is in the arrays before the launch; allocates the bytes. Addresses are the caller's. */
void arrays_fill(const struct kernel *kernel, struct arrays *arrays);
void arrays_free(struct arrays *arrays);
/* All statements in the order of the text, at most `room`; returns how many there are. */
int kernel_statements(const struct kernel *kernel, struct statement **list, int room);

/* kernel_text.c: flattens, and writes the module. */
void kernel_flatten(struct kernel *kernel);
char *kernel_text(const struct kernel *kernel);

/* kernel_scalar.c: runs the flattened kernel on the arrays. Returns NULL, or why it could not: a
 * mistake of the generator's, or too many steps ("too long"). */
const char *kernel_run(const struct kernel *kernel, struct arrays *arrays);

/* kernel_gpu.c: runs it on a GPU. gpu_open finds one and room there for the arrays of any kernel,
 * and sets their addresses; gpu_run puts what was before into them, runs the kernel, and gets what
 * is in them after it. Both return NULL, or what is wrong. */
struct gpu_part {
  uint64_t address;
  const unsigned char *before;
  unsigned char *after;
  size_t bytes;
};
const char *gpu_open(struct arrays *arrays);
const char *gpu_run(const struct kernel *kernel, const struct gpu_part *parts, int count,
                    const struct arrays *arrays);

#endif
