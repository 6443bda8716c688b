/* ptx_parser.h: the state of the PTX parser, and what its files share. Its users include ptx.h.
 *
 *   ptx_lex.c       memory; text to tokens and names
 *   ptx.c           the module: directives, function headers; the public functions
 *   ptx_variable.c  declarations of variables and parameters, initialisers
 *   ptx_body.c      statements of a function's body, source lines
 *   ptx_operand.c   operands of an instruction
 *   ptx_scope.c     what a name refers to inside the braces of a body: registers, labels
 *
 * A name is interned: equal texts are the same struct name, so names are compared by pointer, each
 * text is stored once, and what the parser knows about it (a register, a label, a split opcode) is
 * found without a look-up.
 *
 * Errors leave the parser by longjmp to parser->bail: many small functions that each may fail read
 * better so, and all memory belongs to two arenas that ptx_parse() frees.
 */
#ifndef KIT_PTX_PARSER_H
#define KIT_PTX_PARSER_H

#include <setjmp.h>

#include "harness/sim/ptx/ptx.h"

enum {
  MAX_BLOCKS = 64, /* depth of { } in a body */
  MAX_DIMENSIONS = 8,
};

/* ---- memory ---- */

/* Memory that is freed as a whole; all zero: empty. */
struct ptx_arena {
  struct ptx_chunk *chunks;
  char *at;         /* the free rest of the newest common chunk */
  size_t left;      /* bytes of it */
  size_t next_size; /* of the next common chunk: doubles, so that a small module stays small */
};
void ptx_arena_free(struct ptx_chunk *chunks);

/* A growable array in the scratch arena; set item_size, zero the rest. Items move as it grows. */
struct ptx_array {
  size_t item_size;
  void *items;
  size_t count, capacity;
};

/* ---- tokens and names ---- */

/* A punctuation token's kind is its character. */
enum token_kind {
  TOKEN_END = 256,
  TOKEN_NAME,      /* add.s32, %tid.x, LBB0_1: an identifier and the dotted parts after it */
  TOKEN_DIRECTIVE, /* .reg */
  TOKEN_INT,
  TOKEN_FLOAT32, /* value: the bits */
  TOKEN_FLOAT64, /* value: the bits */
  TOKEN_STRING,  /* text includes the quotes */
};

/* What a directive is; directives that are treated alike share a keyword. */
/* clang-format off */
enum keyword {
  KEY_NONE, /* unknown, or no directive */
  KEY_VERSION, KEY_TARGET, KEY_ADDRESS_SIZE, KEY_FILE, KEY_LOC, KEY_SECTION, KEY_PRAGMA, KEY_ALIAS,
  KEY_VISIBLE, KEY_EXTERN, KEY_ENTRY, KEY_FUNC, KEY_MAX_THREADS, KEY_MIN_BLOCKS, KEY_MAX_REGISTERS,
  KEY_TUNING,
  KEY_REG, KEY_SPACE, KEY_TYPE, KEY_VECTOR, KEY_ALIGN, KEY_PTR, KEY_ATTRIBUTE,
  KEY_BRANCHTARGETS, KEY_CALLTARGETS, KEY_CALLPROTOTYPE, KEYWORDS
};

/* What a name may refer to in the function being parsed. */
enum binding_kind {
  BOUND_REGISTER, BOUND_RANGE, BOUND_LABEL, BOUND_TARGETS, BOUND_VARIABLE, BINDINGS
};
/* clang-format on */

/* An opcode split at its dots, shared by all instructions that have it. */
struct opcode {
  const char *parts[PTX_MAX_PARTS];
  int part_count;
  bool is_branch, is_indexed_branch, is_call;
};

struct name {
  const char *text; /* in the module's arena */
  size_t length;
  uint64_t hash;
  enum keyword keyword;  /* of a directive */
  int keyword_value;     /* KEY_SPACE: the space, KEY_TYPE: the type, KEY_VECTOR: elements */
  struct opcode *opcode; /* once it was used as one */
  struct binding *bound[BINDINGS]; /* the innermost of each kind, or NULL */
};

struct token {
  int kind; /* enum token_kind, or a character */
  int line;
  const char *text;
  size_t length;
  struct name *name;    /* TOKEN_NAME, TOKEN_DIRECTIVE */
  enum keyword keyword; /* TOKEN_DIRECTIVE */
  uint64_t value;       /* numbers */
};

/* ---- scopes ---- */

/* What a name refers to. */
struct binding {
  struct name *name;
  enum binding_kind kind;
  struct binding *outer;         /* what the name refers to outside of this block */
  struct binding *next_in_scope; /* others that end with this block */
  int depth;                     /* of the block */
  int index;          /* of a register, of a variable, or of the instruction after a label */
  enum ptx_type type; /* BOUND_RANGE: of its registers */
  uint64_t count;     /* BOUND_RANGE: registers NAME0 to NAME(count-1) */
  const struct ptx_operand *targets; /* BOUND_TARGETS: the VECTOR of labels */
};

/* A use of a label, which may be defined later. */
struct reference {
  struct reference *next;
  struct name *label;
  int line;
  int instruction; /* whose target it is, or -1: then it is the value of this operand */
  struct ptx_operand *operand;
};

/* A block of { }, or the whole body. */
struct scope {
  struct binding *bindings;
  struct reference *references;
  int range_depth; /* of the innermost block that declares a range of registers, or -1 */
};

struct parser {
  const char *at, *end; /* *end is NUL */
  int line;
  struct token token;  /* the current one */
  struct name **names; /* hash table: open addressing, never more than half full */
  size_t name_count, name_slots;
  uint64_t seed;

  struct ptx_arena arena;   /* the module's */
  struct ptx_arena scratch; /* freed after parsing */
  jmp_buf bail;
  char *error;
  size_t error_size;

  struct ptx_module *module;
  struct ptx_array variables, functions, files; /* of the module */
  struct ptx_array bytes;                       /* of an initialiser of x[] */
  struct ptx_array addresses;                   /* of an initialiser */
  size_t image_bytes;                           /* of all initialised variables so far */

  /* The function whose body is being parsed. */
  struct ptx_function *function;
  struct ptx_array registers, instructions, body_variables;
  struct ptx_array operands; /* a stack of unfinished lists */
  struct scope scopes[MAX_BLOCKS];
  int depth;      /* scopes[depth] is the innermost */
  bool all_files; /* ptx_parse_files */
  int main_file, main_line;
  bool merged_line; /* the last .loc had line 0 */
  bool no_unroll;   /* .pragma "nounroll" since the last instruction */
};

/* ---- ptx_lex.c ---- */

/* Stops parsing with a message. */
_Noreturn void lexer_fail(struct parser *parser, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "expected WHAT, found ..." */
_Noreturn void lexer_expected(struct parser *parser, const char *what);

/* Zeroed bytes, aligned to 8. */
void *lexer_alloc(struct parser *parser, struct ptx_arena *arena, size_t bytes);
/* A copy that ends with a NUL. */
char *lexer_copy(struct parser *parser, struct ptx_arena *arena, const char *text, size_t length);
/* Appends a zeroed item. */
void *lexer_push(struct parser *parser, struct ptx_array *array);
/* The items as an exact array in the module's arena, NULL if there are none; empties the array. */
void *lexer_keep(struct parser *parser, struct ptx_array *array, int *count);

/* Interns the directives and reads the first token. text[length] is NUL. */
void lexer_open(struct parser *parser, const char *text, size_t length);
/* Reads the next token into parser->token. */
void lexer_next(struct parser *parser);
/* Skips the current token if it is of that kind, or that directive. */
bool lexer_accept(struct parser *parser, int kind);
bool lexer_accept_directive(struct parser *parser, enum keyword keyword);
/* Skips the current token; one of another kind is an error. */
void lexer_expect(struct parser *parser, int kind, const char *what);
struct name *lexer_expect_name(struct parser *parser, const char *what);
/* A number from 0 to limit. */
uint64_t lexer_expect_int(struct parser *parser, uint64_t limit, const char *what);
/* From the current '(' or '{' past its counterpart; past the next ';'. */
void lexer_skip_group(struct parser *parser);
void lexer_skip_statement(struct parser *parser);

/* The name of that text if it was met before, else NULL. */
struct name *lexer_find_name(struct parser *parser, const char *text, size_t length);
bool name_is(const struct name *name, const char *text);

/* ---- ptx_variable.c ---- */

/* One declaration from the state space to ';': appends variables to an array of ptx_variable. */
void parse_variables(struct parser *parser, bool external, struct ptx_array *variables);
/* "( .param ... , ... )", from the '(' on. */
void parse_parameters(struct parser *parser, struct ptx_variable **params, int *count);
/* "(...)" after .attribute */
void skip_attribute(struct parser *parser);

/* ---- ptx_body.c: from the '{' to the '}'; fills in what struct ptx_function has of a body ---- */
void parse_body(struct parser *parser, struct ptx_function *function);

/* ---- ptx_operand.c: operands and the ';' after them; the result is in the module's arena ---- */
struct ptx_operand *parse_operands(struct parser *parser, int *count);

/* ---- ptx_scope.c ---- */

void scope_open(struct parser *parser);
/* Ends the innermost block: forgets its bindings and resolves the labels used in it. */
void scope_close(struct parser *parser);
/* Binds a name in the block of that depth. */
struct binding *scope_bind(struct parser *parser, int depth, enum binding_kind kind,
                           struct name *name);
/* Declares a register in the block of that depth; returns its index. */
int scope_declare_register(struct parser *parser, int depth, struct name *name, enum ptx_type type);
void scope_declare_range(struct parser *parser, struct name *name, enum ptx_type type,
                         uint64_t count);
/* The register of that name, or -1. */
int scope_find_register(struct parser *parser, struct name *name);
/* Defines a label before the next instruction. */
void scope_define_label(struct parser *parser, struct name *label, int line);
/* The label's place becomes an instruction's target, or (instruction -1) an operand's value. */
void scope_refer(struct parser *parser, const char *label, int line, int instruction,
                 struct ptx_operand *operand);

#endif
