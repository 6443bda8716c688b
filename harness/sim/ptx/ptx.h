/* ptx.h: the text of a PTX module as a tree of variables, functions and instructions.
 *
 * Reads what clang 14 to 19 and nvcc emit (PTX ISA 6.0 to 8.x, 64-bit addresses). The parser knows
 * the grammar, not the meaning: it accepts every well-formed instruction and leaves it to decode.c
 * to know an opcode or to refuse it by name and line.
 *
 * Ownership: everything hangs off struct ptx_module and is released by ptx_free(). Source of the
 * grammar: PTX ISA, chapters "Syntax", "State Spaces, Types, and Variables", "Directives".
 */
#ifndef KIT_PTX_H
#define KIT_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* clang-format off */
enum ptx_type {
  PTX_NONE, PTX_PRED,
  PTX_B8, PTX_B16, PTX_B32, PTX_B64, PTX_U8, PTX_U16, PTX_U32, PTX_U64,
  PTX_S8, PTX_S16, PTX_S32, PTX_S64, PTX_F16, PTX_F32, PTX_F64,
  PTX_BF16, PTX_F16X2, PTX_BF16X2,
  PTX_TYPES
};
/* clang-format on */

enum ptx_space { PTX_GENERIC, PTX_PARAM, PTX_CONST, PTX_GLOBAL, PTX_LOCAL, PTX_SHARED };

enum ptx_operand_kind {
  PTX_REG,     /* reg; negated for a !%p source */
  PTX_INT,     /* value, two's complement */
  PTX_FLOAT32, /* value: the 32 bits of 0fXXXXXXXX */
  PTX_FLOAT64, /* value: the 64 bits of 0dX...X or of a decimal literal */
  PTX_SYMBOL,  /* name (a variable, a function or a call parameter) plus offset */
  PTX_SPECIAL, /* name with the % and the component: "%tid.x", "%laneid" */
  PTX_ADDRESS, /* [..]: reg (-1: none), or name, or neither (absolute), plus offset */
  PTX_VECTOR,  /* {..} and (..): elements[0..count) */
  PTX_PAIR,    /* %p|%q: elements[0..2) */
  PTX_SINK,    /* _ */
};

struct ptx_operand {
  enum ptx_operand_kind kind;
  bool negated;
  int reg; /* index into function->registers, or -1 */
  uint64_t value;
  const char *name; /* or NULL */
  int64_t offset;   /* bytes */
  int count;
  struct ptx_operand *elements;
};

enum { PTX_MAX_PARTS = 12 };

struct ptx_instruction {
  const char *opcode;               /* as written: "ld.global.v4.f32" */
  const char *parts[PTX_MAX_PARTS]; /* split at the dots, not at "::": "ld", "global", "f32" */
  int part_count;
  int guard; /* register of @%p, or -1 */
  bool guard_negated;
  struct ptx_operand *operands; /* of call: VECTOR of results, callee, VECTOR of arguments */
  int operand_count;
  int target; /* bra: index of the instruction after its label (may equal the count), else -1 */
  int file;   /* of the last .loc, 1-based as in .file; 0: none */
  int line;   /* of the last .loc whose line was not 0 in this function; 0: none. Of a merged store:
                 of the load or operation that made its value */
  bool merged;    /* the last .loc was of line 0: made by the compiler out of several lines */
  bool no_unroll; /* behind .pragma "nounroll" */
  int ptx_line;   /* line in the PTX text, 1-based */
};

struct ptx_register {
  const char *name; /* "%rd12" */
  enum ptx_type type;
};

/* Elements of an initialiser that are addresses: where things lie is not known here, so the bytes
 * of init are 0. */
struct ptx_address {
  size_t at, bytes; /* in init */
  const char *name; /* of a variable or a function */
  int64_t offset;
  uint64_t mask; /* 0xFF00(name): these bits of the address, shifted down */
};

struct ptx_variable {
  const char *name;
  enum ptx_space space;
  enum ptx_type type; /* of one element */
  size_t align;       /* bytes */
  size_t size;        /* bytes, the whole array; 0 for extern .shared x[] */
  bool external;
  bool managed;              /* .attribute(.managed) */
  const unsigned char *init; /* size bytes, or NULL: zero */
  const struct ptx_address *addresses;
  int address_count;
};

struct ptx_function {
  const char *name;
  bool entry;    /* .entry: a kernel */
  bool external; /* declared, not defined */
  struct ptx_variable *params;
  int param_count;
  struct ptx_variable *results; /* of a .func */
  int result_count;
  struct ptx_register *registers;
  int register_count;
  /* Declared in the body: .local, .shared, and parameters of calls (.param; one entry per name, the
   * largest size where blocks declare it again). */
  struct ptx_variable *variables;
  int variable_count;
  struct ptx_instruction *instructions;
  int instruction_count;
  int max_threads[3]; /* .maxntid / .reqntid, 0 where not given */
  int min_blocks;     /* .minnctapersm: of such blocks, on a multiprocessor; 0 where not given */
  int max_registers;  /* .maxnreg, 0 where not given */
};

struct ptx_module {
  int version_major, version_minor;
  const char *target;
  const char **files; /* files[i] for .file i; files[0] is NULL */
  int file_count;
  struct ptx_variable *variables; /* module level: .global, .const, .shared */
  int variable_count;
  struct ptx_function *functions;
  int function_count;
  struct ptx_chunk *memory; /* of all of the above */
};

/* Parses length bytes of PTX (a NUL at the end is not needed). Returns NULL and puts a message of
 * one line, with the PTX line, into error (error_size bytes) if the text is malformed or memory
 * runs out. Never crashes, whatever the bytes are, and needs memory and time linear in length. */
struct ptx_module *ptx_parse(const char *text, size_t length, char *error, size_t error_size);
/* The same for code of several files: instructions have the file and line where they stand, also if
 * they were inlined from a header. (ptx_parse gives them those of the function's own file.) */
struct ptx_module *ptx_parse_files(const char *text, size_t length, char *error, size_t error_size);
void ptx_free(struct ptx_module *module);

/* The function of that name that is defined here (not only declared), or NULL. */
const struct ptx_function *ptx_function(const struct ptx_module *module, const char *name);

/* Bytes of one value; 0 for PTX_NONE, 1 for PTX_PRED. */
size_t ptx_type_size(enum ptx_type type);
extern const char *const ptx_type_names[PTX_TYPES]; /* "f32" */
/* "f32" to PTX_F32; PTX_NONE if it is no type. */
enum ptx_type ptx_type_from(const char *text);

#endif
