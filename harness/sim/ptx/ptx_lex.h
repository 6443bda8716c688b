/* ptx_lex.h: PTX text as tokens, and every distinct name of it as one object. Internal to the PTX
 * parser.
 *
 * A name is interned: the same text is the same struct name, so that comparing is comparing
 * pointers, its text is stored once, and what the parser knows about it (a register, a label, a
 * split opcode) hangs on it without a look-up.
 *
 * Errors leave the lexer by longjmp to lexer->bail: a parser of many small functions that each may
 * fail reads better so, and all memory belongs to arenas and arrays that ptx_parse() frees.
 */
#ifndef KIT_PTX_LEX_H
#define KIT_PTX_LEX_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/sim/ptx/ptx.h"
#include "harness/sim/ptx/ptx_arena.h"

/* A punctuation token's kind is its character. */
enum token_kind {
  TOKEN_END = 256,
  TOKEN_NAME,      /* add.s32, %tid.x, LBB0_1: an identifier and the dotted parts right behind it */
  TOKEN_DIRECTIVE, /* .reg */
  TOKEN_INT,
  TOKEN_FLOAT32, /* value: the bits */
  TOKEN_FLOAT64, /* value: the bits */
  TOKEN_STRING,  /* text includes the quotes */
};

/* What a directive is; directives that are treated alike share a keyword. */
/* clang-format off */
enum keyword {
  KEY_NONE,
  KEY_VERSION, KEY_TARGET, KEY_ADDRESS_SIZE, KEY_FILE, KEY_LOC, KEY_SECTION, KEY_PRAGMA, KEY_ALIAS,
  KEY_VISIBLE, KEY_EXTERN, KEY_ENTRY, KEY_FUNC, KEY_MAX_THREADS, KEY_TUNING,
  KEY_REG, KEY_SPACE, KEY_TYPE, KEY_VECTOR, KEY_ALIGN, KEY_PTR, KEY_ATTRIBUTE,
  KEY_BRANCHTARGETS, KEY_CALLTARGETS, KEY_CALLPROTOTYPE,
};

/* What a name may stand for in the function being read; see ptx_scope.c. */
enum binding_kind {
  BOUND_REGISTER, BOUND_RANGE, BOUND_LABEL, BOUND_TARGETS, BOUND_VARIABLE, BINDINGS
};
/* clang-format on */

struct binding;

/* An opcode split at its dots; the parts are shared by all instructions that have it. */
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
  const char *text; /* in the lexer's text */
  size_t length;
  struct name *name; /* TOKEN_NAME, TOKEN_DIRECTIVE */
  uint64_t value;    /* numbers */
};

struct lexer {
  const char *at, *end; /* *end is NUL */
  int line;
  struct token token; /* the current one */

  struct name **names; /* hash table: open addressing, never more than half full */
  size_t name_count, name_slots;
  uint64_t seed;
  struct ptx_arena *arena;   /* the module's: texts */
  struct ptx_arena *scratch; /* freed after parsing: names */

  jmp_buf bail;
  char *error;
  size_t error_size;
};

/* Interns the directives and reads the first token. text must end with a NUL at text[length]. The
 * arenas, error and bail must be set. */
void lexer_open(struct lexer *lexer, const char *text, size_t length);
void lexer_close(struct lexer *lexer);

/* Reads the next token into lexer->token. */
void lexer_next(struct lexer *lexer);

/* If the current token is of that kind: goes on to the next one. */
bool lexer_accept(struct lexer *lexer, int kind);
/* The same, but any other token is an error: "expected WHAT, found ...". */
void lexer_expect(struct lexer *lexer, int kind, const char *what);
struct name *lexer_expect_name(struct lexer *lexer, const char *what);
/* A number from 0 to limit. */
uint64_t lexer_expect_int(struct lexer *lexer, uint64_t limit, const char *what);

/* From the current '(' or '{' to after its counterpart, from the current token to after the next
 * ';'. */
void lexer_skip_group(struct lexer *lexer);
void lexer_skip_statement(struct lexer *lexer);

/* Stops parsing with a message. */
_Noreturn void lexer_expected(struct lexer *lexer, const char *what);
_Noreturn void lexer_fail(struct lexer *lexer, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The name of that text if it was met before, else NULL. */
struct name *lexer_find_name(struct lexer *lexer, const char *text, size_t length);
bool name_is(const struct name *name, const char *text);

/* Memory that fails by lexer_fail. */
void *lexer_alloc(struct lexer *lexer, struct ptx_arena *arena, size_t bytes);
char *lexer_copy(struct lexer *lexer, const char *text, size_t length);
void *lexer_push(struct lexer *lexer, struct ptx_array *array);

#endif
