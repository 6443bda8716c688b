/* ptx_lex.c: turns PTX text into tokens and interned names.
 *
 * Lexical rules: PTX ISA, "Syntax": Identifiers, Constants. One rule is added: the dotted parts
 * that follow an identifier belong to it, so that an opcode ("ld.global.f32") and a special
 * register ("%tid.x") are one token. A % starts a new identifier, which is what splits
 * "shfl.sync.down.b32%f1", as clang 14 writes it.
 */
#include "harness/sim/ptx/ptx_parser.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Classes of characters. The NUL at the text's end has none: loops over a class stop there. */
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

/* --- errors --- */

void lexer_fail(struct parser *parser, int line, const char *format, ...) {
  if (parser->error_size > 0) {
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (line > 0)
      snprintf(parser->error, parser->error_size, "PTX line %d: %s", line, message);
    else
      snprintf(parser->error, parser->error_size, "%s", message);
  }
  longjmp(parser->bail, 1);
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

void lexer_expected(struct parser *parser, const char *what) {
  char found[64];
  describe(&parser->token, found, sizeof found);
  lexer_fail(parser, parser->token.line, "expected %s, found %s", what, found);
}

/* --- memory --- */

enum { FIRST_CHUNK = 1 << 14, LARGEST_CHUNK = 1 << 20, ALIGNMENT = 8 };

struct ptx_chunk {
  struct ptx_chunk *next;
  alignas(ALIGNMENT) char bytes[];
};

void ptx_arena_free(struct ptx_chunk *chunks) {
  for (struct ptx_chunk *next; chunks; chunks = next) {
    next = chunks->next;
    free(chunks);
  }
}

/* calloc, not malloc and memset: a large chunk's pages come zeroed and cost nothing until used. */
static char *add_chunk(struct parser *parser, struct ptx_arena *arena, size_t bytes) {
  struct ptx_chunk *chunk = calloc(1, sizeof *chunk + bytes);
  if (!chunk) lexer_fail(parser, 0, "out of memory");
  chunk->next = arena->chunks;
  arena->chunks = chunk;
  return chunk->bytes;
}

void *lexer_alloc(struct parser *parser, struct ptx_arena *arena, size_t bytes) {
  bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (!arena->next_size) arena->next_size = FIRST_CHUNK;
  if (bytes > arena->left) {
    if (bytes > arena->next_size / 4) return add_chunk(parser, arena, bytes);
    arena->at = add_chunk(parser, arena, arena->next_size);
    arena->left = arena->next_size;
    if (arena->next_size < LARGEST_CHUNK) arena->next_size *= 2;
  }
  char *start = arena->at;
  arena->at += bytes;
  arena->left -= bytes;
  return start;
}

char *lexer_copy(struct parser *parser, struct ptx_arena *arena, const char *text, size_t length) {
  char *copy = lexer_alloc(parser, arena, length + 1);
  return length ? memcpy(copy, text, length) : copy;
}

void *lexer_push(struct parser *parser, struct ptx_array *array) {
  size_t size = array->item_size;
  if (array->count == array->capacity) {
    array->capacity = array->capacity ? array->capacity * 2 : 64;
    void *items = lexer_alloc(parser, &parser->scratch, array->capacity * size);
    if (array->count) memcpy(items, array->items, array->count * size);
    array->items = items;
  }
  return memset((char *)array->items + array->count++ * size, 0, size);
}

void *lexer_keep(struct parser *parser, struct ptx_array *array, int *count) {
  size_t bytes = array->count * array->item_size;
  *count = (int)array->count;
  array->count = 0;
  return bytes ? memcpy(lexer_alloc(parser, &parser->arena, bytes), array->items, bytes) : NULL;
}

/* --- names --- */

/* FNV-1a from a seed that differs from run to run, so that a text cannot be made whose names all
 * collide. No order depends on it. */
static uint64_t hash_of(const struct parser *parser, const char *text, size_t length) {
  uint64_t hash = parser->seed;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3;
  return hash ^ hash >> 32;
}

/* The slot of that name, or the empty one where it belongs. */
static struct name **slot_of(const struct parser *parser, const char *text, size_t length,
                             uint64_t hash) {
  size_t mask = parser->name_slots - 1;
  size_t i = hash & mask;
  for (struct name *name; (name = parser->names[i]); i = (i + 1) & mask)
    if (name->hash == hash && name->length == length && memcmp(name->text, text, length) == 0)
      break;
  return &parser->names[i];
}

static void grow_names(struct parser *parser) {
  struct name **old = parser->names;
  size_t old_slots = parser->name_slots;
  parser->name_slots = old_slots ? old_slots * 2 : 1024;
  parser->names = lexer_alloc(parser, &parser->scratch, parser->name_slots * sizeof *parser->names);
  for (size_t i = 0; i < old_slots; i++)
    if (old[i]) *slot_of(parser, old[i]->text, old[i]->length, old[i]->hash) = old[i];
}

struct name *lexer_find_name(struct parser *parser, const char *text, size_t length) {
  return *slot_of(parser, text, length, hash_of(parser, text, length));
}

bool name_is(const struct name *name, const char *text) { return strcmp(name->text, text) == 0; }

static struct name *intern(struct parser *parser, const char *text, size_t length) {
  uint64_t hash = hash_of(parser, text, length);
  struct name **slot = slot_of(parser, text, length, hash);
  if (*slot) return *slot;
  if ((parser->name_count + 1) * 2 > parser->name_slots) {
    grow_names(parser);
    slot = slot_of(parser, text, length, hash);
  }
  struct name *name = lexer_alloc(parser, &parser->scratch, sizeof *name);
  name->text = lexer_copy(parser, &parser->arena, text, length);
  name->length = length;
  name->hash = hash;
  parser->name_count++;
  return *slot = name;
}

static const struct {
  enum keyword keyword;
  int value;
  const char *texts; /* separated by spaces */
} directives[] = {
    {KEY_VERSION, 0, ".version"},
    {KEY_TARGET, 0, ".target"},
    {KEY_ADDRESS_SIZE, 0, ".address_size"},
    {KEY_FILE, 0, ".file"},
    {KEY_LOC, 0, ".loc"},
    {KEY_SECTION, 0, ".section"},
    {KEY_PRAGMA, 0, ".pragma"},
    {KEY_ALIAS, 0, ".alias"},
    {KEY_VISIBLE, 0, ".visible .weak .common"},
    {KEY_EXTERN, 0, ".extern"},
    {KEY_ENTRY, 0, ".entry"},
    {KEY_FUNC, 0, ".func"},
    {KEY_MAX_THREADS, 0, ".maxntid .reqntid"},
    {KEY_MIN_BLOCKS, 0, ".minnctapersm"},
    {KEY_MAX_REGISTERS, 0, ".maxnreg"},
    {KEY_TUNING, 0,
     ".maxnctapersm .noreturn .explicitcluster .reqnctapercluster "
     ".maxclusterrank .blocksareclusters .abi_preserve .abi_preserve_control"},
    {KEY_REG, 0, ".reg"},
    {KEY_SPACE, PTX_PARAM, ".param"},
    {KEY_SPACE, PTX_CONST, ".const"},
    {KEY_SPACE, PTX_GLOBAL, ".global"},
    {KEY_SPACE, PTX_LOCAL, ".local"},
    {KEY_SPACE, PTX_SHARED, ".shared"},
    {KEY_VECTOR, 2, ".v2"},
    {KEY_VECTOR, 4, ".v4"},
    {KEY_VECTOR, 8, ".v8"},
    {KEY_ALIGN, 0, ".align"},
    {KEY_PTR, 0, ".ptr"},
    {KEY_ATTRIBUTE, 0, ".attribute"},
    {KEY_BRANCHTARGETS, 0, ".branchtargets"},
    {KEY_CALLTARGETS, 0, ".calltargets"},
    {KEY_CALLPROTOTYPE, 0, ".callprototype"},
    /* Types of instructions that a declaration may name too: only their size matters there. */
    {KEY_TYPE, PTX_B32, ".tf32"},
    /* Opaque handles: 64 bits, with 64-bit addresses. */
    {KEY_TYPE, PTX_B64, ".texref .samplerref .surfref"},
};

static void add_directive(struct parser *parser, const char *text, size_t length,
                          enum keyword keyword, int value) {
  struct name *name = intern(parser, text, length);
  name->keyword = keyword;
  name->keyword_value = value;
}

void lexer_open(struct parser *parser, const char *text, size_t length) {
  parser->at = text;
  parser->end = text + length;
  parser->line = 1;
  parser->seed = 0xcbf29ce484222325 ^ (uintptr_t)parser ^ (uintptr_t)text << 20;
  grow_names(parser);
  for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
    for (const char *at = directives[i].texts; *at; at += strspn(at, " ")) {
      size_t word = strcspn(at, " ");
      add_directive(parser, at, word, directives[i].keyword, directives[i].value);
      at += word;
    }
  for (int type = PTX_PRED; type < PTX_TYPES; type++) {
    char directive[8] = ".";
    strcat(directive, ptx_type_names[type]);
    add_directive(parser, directive, strlen(directive), KEY_TYPE, type);
  }
  lexer_next(parser);
}

/* --- tokens --- */

/* Skips a comment that starts here; false if none does. */
static bool skip_comment(struct parser *parser) {
  if (parser->at[1] == '/') {
    const char *newline = memchr(parser->at, '\n', (size_t)(parser->end - parser->at));
    parser->at = newline ? newline : parser->end;
    return true;
  }
  if (parser->at[1] != '*') return false;
  int start = parser->line;
  for (const char *at = parser->at + 2; at < parser->end; at++) {
    if (*at == '\n') parser->line++;
    if (at[0] == '*' && at[1] == '/') {
      parser->at = at + 2;
      return true;
    }
  }
  lexer_fail(parser, start, "expected '*/' to end this comment, found the end of the text");
}

static void skip_space(struct parser *parser) {
  for (;;) {
    while (is(*parser->at, SPACE)) parser->line += *parser->at++ == '\n';
    if (*parser->at != '/' || !skip_comment(parser)) return;
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

static const char *end_of_string(struct parser *parser) {
  const char *at = parser->at + 1;
  for (; at < parser->end && *at != '"' && *at != '\n'; at++)
    if (at[0] == '\\' && at + 1 < parser->end && at[1] != '\n') at++;
  if (at >= parser->end || *at != '"')
    lexer_fail(parser, parser->line, "expected '\"' to end this string");
  return at + 1;
}

static int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return (c | 0x20) - 'a' + 10;
}

/* The value of text[0..length) in that base. */
static uint64_t parse_digits(struct parser *parser, const char *text, size_t length,
                             unsigned base) {
  uint64_t value = 0;
  for (size_t i = 0; i < length; i++) {
    unsigned digit = is(text[i], HEX) ? (unsigned)digit_value(text[i]) : base;
    if (digit >= base) lexer_fail(parser, parser->line, "malformed number");
    if (__builtin_mul_overflow(value, base, &value) || __builtin_add_overflow(value, digit, &value))
      lexer_fail(parser, parser->line, "number needs more than 64 bits");
  }
  if (length == 0) lexer_fail(parser, parser->line, "malformed number");
  return value;
}

/* 1.5, 2., 1e-3 */
static const char *lex_decimal(struct parser *parser, struct token *token) {
  char digits[64];
  char *end;
  const char *at = parser->at;
  while (is(*at, DIGIT)) at++;
  if (*at == '.') at++;
  while (is(*at, DIGIT)) at++;
  if (*at == 'e' || *at == 'E') at += at[1] == '+' || at[1] == '-' ? 2 : 1;
  at = end_of_word(at);
  size_t length = (size_t)(at - parser->at);
  if (length >= sizeof digits)
    lexer_fail(parser, parser->line, "number of more than 63 characters");
  memcpy(digits, parser->at, length);
  digits[length] = '\0';
  double value = strtod(digits, &end);
  if (*end != '\0') lexer_fail(parser, parser->line, "malformed number");
  token->kind = TOKEN_FLOAT64;
  memcpy(&token->value, &value, sizeof value);
  return at;
}

/* 0f and 0d are followed by exactly the digits of a float and of a double. */
static void lex_float_bits(struct parser *parser, struct token *token, size_t length) {
  bool is_double = (parser->at[1] | 0x20) == 'd';
  if (length != (is_double ? 18 : 10)) lexer_fail(parser, parser->line, "malformed number");
  token->kind = is_double ? TOKEN_FLOAT64 : TOKEN_FLOAT32;
  token->value = parse_digits(parser, parser->at + 2, length - 2, 16);
}

static const char *lex_number(struct parser *parser, struct token *token) {
  const char *text = parser->at;
  const char *end = end_of_word(text);
  size_t length = (size_t)(end - text);
  char second = (char)(text[1] | 0x20);
  token->kind = TOKEN_INT;
  if (text[0] == '0' && (second == 'f' || second == 'd')) {
    lex_float_bits(parser, token, length);
    return end;
  }
  bool hex = text[0] == '0' && second == 'x';
  if (!hex && (*end == '.' || memchr(text, 'e', length) || memchr(text, 'E', length)))
    return lex_decimal(parser, token);
  if (length > 1 && text[length - 1] == 'U') length--;
  if (hex)
    token->value = parse_digits(parser, text + 2, length - 2, 16);
  else if (text[0] == '0' && second == 'b')
    token->value = parse_digits(parser, text + 2, length - 2, 2);
  else
    token->value = parse_digits(parser, text, length, text[0] == '0' ? 8 : 10);
  return end;
}

void lexer_next(struct parser *parser) {
  skip_space(parser);
  const char *text = parser->at;
  struct token *token = &parser->token;
  token->line = parser->line;
  token->text = text;
  token->length = 1;
  if (is(*text, START)) {
    token->kind = TOKEN_NAME;
    parser->at = end_of_name(text);
  } else if (*text == '.' && is(text[1], START) && text[1] != '%') {
    token->kind = TOKEN_DIRECTIVE;
    parser->at = end_of_word(text + 1);
  } else if (is(*text, DIGIT)) {
    parser->at = lex_number(parser, token);
  } else if (*text == '"') {
    token->kind = TOKEN_STRING;
    parser->at = end_of_string(parser);
  } else if (text == parser->end) {
    token->kind = TOKEN_END;
  } else {
    token->kind = (unsigned char)*text;
    parser->at++;
  }
  token->length = (size_t)(parser->at - text);
  if (token->kind == TOKEN_NAME || token->kind == TOKEN_DIRECTIVE)
    token->name = intern(parser, text, token->length);
  token->keyword = token->kind == TOKEN_DIRECTIVE ? token->name->keyword : KEY_NONE;
}

bool lexer_accept(struct parser *parser, int kind) {
  if (parser->token.kind != kind) return false;
  lexer_next(parser);
  return true;
}

bool lexer_accept_directive(struct parser *parser, enum keyword keyword) {
  if (parser->token.keyword != keyword) return false;
  lexer_next(parser);
  return true;
}

void lexer_expect(struct parser *parser, int kind, const char *what) {
  if (!lexer_accept(parser, kind)) lexer_expected(parser, what);
}

struct name *lexer_expect_name(struct parser *parser, const char *what) {
  struct name *name = parser->token.name;
  lexer_expect(parser, TOKEN_NAME, what);
  return name;
}

uint64_t lexer_expect_int(struct parser *parser, uint64_t limit, const char *what) {
  uint64_t value = parser->token.value;
  if (parser->token.kind != TOKEN_INT || value > limit) lexer_expected(parser, what);
  lexer_next(parser);
  return value;
}

/* Counts brackets in the raw text rather than reading tokens: the debug sections that this skips
 * can be most of a file, and hold labels by the thousand. Strings and comments may hold some. */
void lexer_skip_group(struct parser *parser) {
  struct token opening = parser->token;
  char open = (char)opening.kind;
  char close = open == '{' ? '}' : ')';
  for (size_t depth = 1; depth > 0;) {
    skip_space(parser);
    char c = *parser->at;
    if (parser->at == parser->end)
      lexer_fail(parser, opening.line, "expected '%c' to match this '%c'", close, open);
    depth += (c == open);
    depth -= (c == close);
    parser->at = c == '"' ? end_of_string(parser) : parser->at + 1;
  }
  lexer_next(parser);
}

void lexer_skip_statement(struct parser *parser) {
  while (parser->token.kind != ';') {
    if (parser->token.kind == TOKEN_END) lexer_expected(parser, "';'");
    lexer_next(parser);
  }
  lexer_next(parser);
}
