/* ptx_lex.c: turns PTX text into tokens and interned names.
 *
 * Lexical rules: PTX ISA, "Syntax": Identifiers, Constants. One rule is ours: an identifier takes
 * the dotted parts that follow it along, so that an opcode ("ld.global.f32") and a special
 * register ("%tid.x") are one token. A % starts a new identifier, which is what splits
 * "shfl.sync.down.b32%f1", as clang 14 writes it.
 */
#include "harness/sim/ptx/ptx_lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Classes of characters. The NUL behind the text has none: every loop over a class stops there. */
enum { WORD = 1, START = 2, DIGIT = 4, HEX = 8, SPACE = 16 };

/* clang-format off */
#define LETTERS_A_TO_F(bits) \
  ['a'] = bits, ['b'] = bits, ['c'] = bits, ['d'] = bits, ['e'] = bits, ['f'] = bits, \
  ['A'] = bits, ['B'] = bits, ['C'] = bits, ['D'] = bits, ['E'] = bits, ['F'] = bits

static const unsigned char classes[256] = {
    ['\t'] = SPACE, ['\n'] = SPACE, ['\v'] = SPACE, ['\f'] = SPACE, ['\r'] = SPACE, [' '] = SPACE,
    ['0' ... '9'] = WORD | DIGIT | HEX,
    LETTERS_A_TO_F(WORD | START | HEX),
    ['g' ... 'z'] = WORD | START, ['G' ... 'Z'] = WORD | START,
    ['_'] = WORD | START, ['$'] = WORD | START, ['%'] = START,
};
/* clang-format on */

static inline bool is(char c, int class) { return classes[(unsigned char)c] & class; }

/* --- errors and memory --- */

void lexer_fail(struct lexer *lexer, int line, const char *format, ...) {
  if (lexer->error_size > 0) {
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (line > 0)
      snprintf(lexer->error, lexer->error_size, "PTX line %d: %s", line, message);
    else
      snprintf(lexer->error, lexer->error_size, "%s", message);
  }
  longjmp(lexer->bail, 1);
}

/* Puts the token's text on one line, without bytes that a terminal would act on. */
static void describe(const struct token *token, char *to, size_t size) {
  if (token->kind == TOKEN_END) {
    snprintf(to, size, "the end of the text");
    return;
  }
  size_t n = 0;
  bool whole = token->length <= 40;
  to[n++] = '\'';
  for (size_t i = 0; i < (whole ? token->length : 40); i++) {
    char c = token->text[i];
    to[n++] = c >= ' ' && c <= '~' ? c : '?';
  }
  snprintf(to + n, size - n, whole ? "'" : "...'");
}

void lexer_expected(struct lexer *lexer, const char *what) {
  char found[64];
  describe(&lexer->token, found, sizeof found);
  lexer_fail(lexer, lexer->token.line, "expected %s, found %s", what, found);
}

void *lexer_alloc(struct lexer *lexer, struct ptx_arena *arena, size_t bytes) {
  void *memory = ptx_arena_alloc(arena, bytes);
  if (!memory) lexer_fail(lexer, 0, "out of memory");
  return memory;
}

char *lexer_copy(struct lexer *lexer, const char *text, size_t length) {
  char *copy = lexer_alloc(lexer, lexer->arena, length + 1);
  return memcpy(copy, text, length);
}

void *lexer_push(struct lexer *lexer, struct ptx_array *array) {
  void *item = ptx_array_push(array);
  if (!item) lexer_fail(lexer, 0, "out of memory");
  return item;
}

/* --- names --- */

/* FNV-1a from a seed that differs from run to run, so that a text cannot be made whose names all
 * collide. No order depends on it. */
static uint64_t hash_of(const struct lexer *lexer, const char *text, size_t length) {
  uint64_t hash = lexer->seed;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3;
  return hash ^ hash >> 32;
}

/* The slot of that name, or the empty one where it belongs. */
static struct name **slot_of(const struct lexer *lexer, const char *text, size_t length,
                             uint64_t hash) {
  size_t mask = lexer->name_slots - 1;
  size_t i = hash & mask;
  for (struct name *name; (name = lexer->names[i]); i = (i + 1) & mask)
    if (name->hash == hash && name->length == length && memcmp(name->text, text, length) == 0)
      break;
  return &lexer->names[i];
}

static void grow_names(struct lexer *lexer) {
  struct name **old = lexer->names;
  size_t old_slots = lexer->name_slots;
  size_t slots = old_slots ? old_slots * 2 : 1024;
  struct name **names = calloc(slots, sizeof *names);
  if (!names) lexer_fail(lexer, 0, "out of memory");
  lexer->names = names;
  lexer->name_slots = slots;
  for (size_t i = 0; i < old_slots; i++)
    if (old[i]) *slot_of(lexer, old[i]->text, old[i]->length, old[i]->hash) = old[i];
  free(old);
}

struct name *lexer_find_name(struct lexer *lexer, const char *text, size_t length) {
  return *slot_of(lexer, text, length, hash_of(lexer, text, length));
}

bool name_is(const struct name *name, const char *text) { return strcmp(name->text, text) == 0; }

static struct name *intern(struct lexer *lexer, const char *text, size_t length) {
  uint64_t hash = hash_of(lexer, text, length);
  struct name **slot = slot_of(lexer, text, length, hash);
  if (*slot) return *slot;
  if ((lexer->name_count + 1) * 2 > lexer->name_slots) {
    grow_names(lexer);
    slot = slot_of(lexer, text, length, hash);
  }
  struct name *name = lexer_alloc(lexer, lexer->scratch, sizeof *name);
  name->text = lexer_copy(lexer, text, length);
  name->length = length;
  name->hash = hash;
  lexer->name_count++;
  return *slot = name;
}

static const struct {
  const char *text;
  enum keyword keyword;
  int value;
} directives[] = {
    {".version", KEY_VERSION, 0},
    {".target", KEY_TARGET, 0},
    {".address_size", KEY_ADDRESS_SIZE, 0},
    {".file", KEY_FILE, 0},
    {".loc", KEY_LOC, 0},
    {".section", KEY_SECTION, 0},
    {".pragma", KEY_PRAGMA, 0},
    {".alias", KEY_ALIAS, 0},
    {".visible", KEY_VISIBLE, 0},
    {".weak", KEY_VISIBLE, 0},
    {".common", KEY_VISIBLE, 0},
    {".extern", KEY_EXTERN, 0},
    {".entry", KEY_ENTRY, 0},
    {".func", KEY_FUNC, 0},
    {".maxntid", KEY_MAX_THREADS, 0},
    {".reqntid", KEY_MAX_THREADS, 0},
    {".minnctapersm", KEY_TUNING, 0},
    {".maxnctapersm", KEY_TUNING, 0},
    {".maxnreg", KEY_TUNING, 0},
    {".noreturn", KEY_TUNING, 0},
    {".explicitcluster", KEY_TUNING, 0},
    {".reqnctapercluster", KEY_TUNING, 0},
    {".maxclusterrank", KEY_TUNING, 0},
    {".blocksareclusters", KEY_TUNING, 0},
    {".abi_preserve", KEY_TUNING, 0},
    {".abi_preserve_control", KEY_TUNING, 0},
    {".reg", KEY_REG, 0},
    {".param", KEY_SPACE, PTX_PARAM},
    {".const", KEY_SPACE, PTX_CONST},
    {".global", KEY_SPACE, PTX_GLOBAL},
    {".local", KEY_SPACE, PTX_LOCAL},
    {".shared", KEY_SPACE, PTX_SHARED},
    {".v2", KEY_VECTOR, 2},
    {".v4", KEY_VECTOR, 4},
    {".v8", KEY_VECTOR, 8},
    {".align", KEY_ALIGN, 0},
    {".ptr", KEY_PTR, 0},
    {".attribute", KEY_ATTRIBUTE, 0},
    {".branchtargets", KEY_BRANCHTARGETS, 0},
    {".calltargets", KEY_CALLTARGETS, 0},
    {".callprototype", KEY_CALLPROTOTYPE, 0},
    {".pred", KEY_TYPE, PTX_PRED},
    {".b8", KEY_TYPE, PTX_B8},
    {".b16", KEY_TYPE, PTX_B16},
    {".b32", KEY_TYPE, PTX_B32},
    {".b64", KEY_TYPE, PTX_B64},
    {".u8", KEY_TYPE, PTX_U8},
    {".u16", KEY_TYPE, PTX_U16},
    {".u32", KEY_TYPE, PTX_U32},
    {".u64", KEY_TYPE, PTX_U64},
    {".s8", KEY_TYPE, PTX_S8},
    {".s16", KEY_TYPE, PTX_S16},
    {".s32", KEY_TYPE, PTX_S32},
    {".s64", KEY_TYPE, PTX_S64},
    {".f16", KEY_TYPE, PTX_F16},
    {".f32", KEY_TYPE, PTX_F32},
    {".f64", KEY_TYPE, PTX_F64},
    /* Types of instructions that a declaration may name too: what counts there is their size. */
    {".f16x2", KEY_TYPE, PTX_B32},
    {".bf16", KEY_TYPE, PTX_B16},
    {".bf16x2", KEY_TYPE, PTX_B32},
    {".tf32", KEY_TYPE, PTX_B32},
    /* Opaque handles: 64 bits, with 64-bit addresses. */
    {".texref", KEY_TYPE, PTX_B64},
    {".samplerref", KEY_TYPE, PTX_B64},
    {".surfref", KEY_TYPE, PTX_B64},
};

void lexer_open(struct lexer *lexer, const char *text, size_t length) {
  lexer->at = text;
  lexer->end = text + length;
  lexer->line = 1;
  lexer->seed = 0xcbf29ce484222325 ^ (uintptr_t)lexer->scratch ^ (uintptr_t)text << 20;
  grow_names(lexer);
  for (size_t i = 0; i < sizeof directives / sizeof *directives; i++) {
    struct name *name = intern(lexer, directives[i].text, strlen(directives[i].text));
    name->keyword = directives[i].keyword;
    name->keyword_value = directives[i].value;
  }
  lexer_next(lexer);
}

void lexer_close(struct lexer *lexer) { free(lexer->names); }

/* --- tokens --- */

/* Over a comment that starts here; false if none does. */
static bool skip_comment(struct lexer *lexer) {
  if (lexer->at[1] == '/') {
    const char *newline = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
    lexer->at = newline ? newline : lexer->end;
    return true;
  }
  if (lexer->at[1] != '*') return false;
  int start = lexer->line;
  for (const char *at = lexer->at + 2; at < lexer->end; at++) {
    if (*at == '\n') lexer->line++;
    if (at[0] == '*' && at[1] == '/') {
      lexer->at = at + 2;
      return true;
    }
  }
  lexer_fail(lexer, start, "expected '*/' to end this comment, found the end of the text");
}

static void skip_space(struct lexer *lexer) {
  for (;;) {
    while (is(*lexer->at, SPACE)) lexer->line += *lexer->at++ == '\n';
    if (*lexer->at != '/' || !skip_comment(lexer)) return;
  }
}

static const char *end_of_word(const char *at) {
  while (is(*at, WORD)) at++;
  return at;
}

/* The end of "a.b::c.d" from a on. */
static const char *end_of_name(const char *at) {
  at = end_of_word(at + 1);
  while (at[0] == '.' && is(at[1], WORD)) {
    at = end_of_word(at + 1);
    while (at[0] == ':' && at[1] == ':' && is(at[2], WORD)) at = end_of_word(at + 2);
  }
  return at;
}

static const char *end_of_string(struct lexer *lexer) {
  const char *at = lexer->at + 1;
  for (; at < lexer->end && *at != '"' && *at != '\n'; at++)
    if (at[0] == '\\' && at + 1 < lexer->end && at[1] != '\n') at++;
  if (at >= lexer->end || *at != '"')
    lexer_fail(lexer, lexer->line, "expected '\"' to end this string");
  return at + 1;
}

static int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return (c | 0x20) - 'a' + 10;
}

/* The value of text[0..length) in that base. */
static uint64_t parse_digits(struct lexer *lexer, const char *text, size_t length, unsigned base) {
  uint64_t value = 0;
  for (size_t i = 0; i < length; i++) {
    unsigned digit = is(text[i], HEX) ? (unsigned)digit_value(text[i]) : base;
    if (digit >= base) lexer_fail(lexer, lexer->line, "malformed number");
    if (__builtin_mul_overflow(value, base, &value) || __builtin_add_overflow(value, digit, &value))
      lexer_fail(lexer, lexer->line, "number needs more than 64 bits");
  }
  if (length == 0) lexer_fail(lexer, lexer->line, "malformed number");
  return value;
}

/* 1.5, 2., 1e-3 */
static const char *lex_decimal(struct lexer *lexer, struct token *token) {
  char digits[64];
  char *end;
  const char *at = lexer->at;
  while (is(*at, DIGIT)) at++;
  if (*at == '.') at++;
  while (is(*at, DIGIT)) at++;
  if (*at == 'e' || *at == 'E') at += at[1] == '+' || at[1] == '-' ? 2 : 1;
  at = end_of_word(at);
  size_t length = (size_t)(at - lexer->at);
  if (length >= sizeof digits) lexer_fail(lexer, lexer->line, "number of more than 63 characters");
  memcpy(digits, lexer->at, length);
  digits[length] = '\0';
  double value = strtod(digits, &end);
  if (*end != '\0') lexer_fail(lexer, lexer->line, "malformed number");
  token->kind = TOKEN_FLOAT64;
  memcpy(&token->value, &value, sizeof value);
  return at;
}

/* 0f and 0d are followed by exactly the digits of a float and of a double. */
static void lex_float_bits(struct lexer *lexer, struct token *token, size_t length) {
  bool is_double = (lexer->at[1] | 0x20) == 'd';
  if (length != (is_double ? 18 : 10)) lexer_fail(lexer, lexer->line, "malformed number");
  token->kind = is_double ? TOKEN_FLOAT64 : TOKEN_FLOAT32;
  token->value = parse_digits(lexer, lexer->at + 2, length - 2, 16);
}

static const char *lex_number(struct lexer *lexer, struct token *token) {
  const char *text = lexer->at;
  const char *end = end_of_word(text);
  size_t length = (size_t)(end - text);
  char second = (char)(text[1] | 0x20);
  token->kind = TOKEN_INT;
  if (text[0] == '0' && (second == 'f' || second == 'd')) {
    lex_float_bits(lexer, token, length);
    return end;
  }
  bool hex = text[0] == '0' && second == 'x';
  if (!hex && (*end == '.' || memchr(text, 'e', length) || memchr(text, 'E', length)))
    return lex_decimal(lexer, token);
  if (length > 1 && text[length - 1] == 'U') length--;
  if (hex)
    token->value = parse_digits(lexer, text + 2, length - 2, 16);
  else if (text[0] == '0' && second == 'b')
    token->value = parse_digits(lexer, text + 2, length - 2, 2);
  else
    token->value = parse_digits(lexer, text, length, text[0] == '0' ? 8 : 10);
  return end;
}

void lexer_next(struct lexer *lexer) {
  skip_space(lexer);
  const char *text = lexer->at;
  struct token *token = &lexer->token;
  token->line = lexer->line;
  token->text = text;
  token->length = 1;
  if (is(*text, START)) {
    token->kind = TOKEN_NAME;
    lexer->at = end_of_name(text);
  } else if (*text == '.' && is(text[1], START) && text[1] != '%') {
    token->kind = TOKEN_DIRECTIVE;
    lexer->at = end_of_word(text + 1);
  } else if (is(*text, DIGIT)) {
    lexer->at = lex_number(lexer, token);
  } else if (*text == '"') {
    token->kind = TOKEN_STRING;
    lexer->at = end_of_string(lexer);
  } else if (text == lexer->end) {
    token->kind = TOKEN_END;
  } else {
    token->kind = (unsigned char)*text;
    lexer->at++;
  }
  token->length = (size_t)(lexer->at - text);
  if (token->kind == TOKEN_NAME || token->kind == TOKEN_DIRECTIVE)
    token->name = intern(lexer, text, token->length);
}

bool lexer_accept(struct lexer *lexer, int kind) {
  if (lexer->token.kind != kind) return false;
  lexer_next(lexer);
  return true;
}

void lexer_expect(struct lexer *lexer, int kind, const char *what) {
  if (!lexer_accept(lexer, kind)) lexer_expected(lexer, what);
}

struct name *lexer_expect_name(struct lexer *lexer, const char *what) {
  struct name *name = lexer->token.name;
  lexer_expect(lexer, TOKEN_NAME, what);
  return name;
}

uint64_t lexer_expect_int(struct lexer *lexer, uint64_t limit, const char *what) {
  uint64_t value = lexer->token.value;
  if (lexer->token.kind != TOKEN_INT || value > limit) lexer_expected(lexer, what);
  lexer_next(lexer);
  return value;
}

/* Counts brackets in the raw text rather than reading tokens: the debug sections that this skips
 * can be most of a file, and hold labels by the thousand. Strings and comments may hold brackets
 * of their own. */
void lexer_skip_group(struct lexer *lexer) {
  struct token opening = lexer->token;
  char open = (char)opening.kind;
  char close = open == '{' ? '}' : ')';
  for (size_t depth = 1; depth > 0;) {
    skip_space(lexer);
    char c = *lexer->at;
    if (lexer->at == lexer->end)
      lexer_fail(lexer, opening.line, "expected '%c' to match this '%c'", close, open);
    depth += (c == open);
    depth -= (c == close);
    lexer->at = c == '"' ? end_of_string(lexer) : lexer->at + 1;
  }
  lexer_next(lexer);
}

void lexer_skip_statement(struct lexer *lexer) {
  while (lexer->token.kind != ';') {
    if (lexer->token.kind == TOKEN_END) lexer_expected(lexer, "';'");
    lexer_next(lexer);
  }
  lexer_next(lexer);
}
