/* ptx.c: parses the directives of a PTX module and the headers of its functions.
 */
#include "harness/sim/ptx/ptx.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/ptx/ptx_parser.h"

enum { MAX_FILES = 1 << 16 }; /* numbers of .file index an array */

/* --- types --- */

static const struct {
  const char *text;
  size_t size;
} types[PTX_TYPES] = {
    [PTX_NONE] = {"", 0},   [PTX_PRED] = {"pred", 1}, [PTX_B8] = {"b8", 1},
    [PTX_B16] = {"b16", 2}, [PTX_B32] = {"b32", 4},   [PTX_B64] = {"b64", 8},
    [PTX_U8] = {"u8", 1},   [PTX_U16] = {"u16", 2},   [PTX_U32] = {"u32", 4},
    [PTX_U64] = {"u64", 8}, [PTX_S8] = {"s8", 1},     [PTX_S16] = {"s16", 2},
    [PTX_S32] = {"s32", 4}, [PTX_S64] = {"s64", 8},   [PTX_F16] = {"f16", 2},
    [PTX_F32] = {"f32", 4}, [PTX_F64] = {"f64", 8},
};

size_t ptx_type_size(enum ptx_type type) { return types[type].size; }

enum ptx_type ptx_type_from(const char *text) {
  for (int type = PTX_NONE + 1; type < PTX_TYPES; type++)
    if (strcmp(types[type].text, text) == 0) return (enum ptx_type)type;
  return PTX_NONE;
}

/* --- functions --- */

/* .maxntid 256, 1, 1 */
static void parse_max_threads(struct lexer *lexer, int max_threads[3]) {
  int i = 0;
  do {
    if (i == 3) lexer_fail(lexer, lexer->token.line, "expected at most 3 dimensions of a block");
    max_threads[i++] = (int)lexer_expect_int(lexer, INT_MAX, "a number of threads");
  } while (lexer_accept(lexer, ','));
}

/* .minnctapersm 2: advice to ptxas */
static void skip_tuning(struct lexer *lexer) {
  while (lexer->token.kind == TOKEN_INT || lexer->token.kind == ',') lexer_next(lexer);
}

/* Directives between the parameters and the body. */
static void parse_function_directives(struct lexer *lexer, struct ptx_function *function) {
  while (lexer->token.kind == TOKEN_DIRECTIVE) {
    enum keyword keyword = lexer->token.name->keyword;
    if (keyword != KEY_MAX_THREADS && keyword != KEY_TUNING && keyword != KEY_PRAGMA)
      lexer_expected(lexer, "'{' or ';'");
    lexer_next(lexer);
    if (keyword == KEY_MAX_THREADS) parse_max_threads(lexer, function->max_threads);
    if (keyword == KEY_TUNING) skip_tuning(lexer);
    if (keyword == KEY_PRAGMA) lexer_skip_statement(lexer);
  }
}

static void skip_attributes(struct lexer *lexer) {
  while (lexer->token.kind == TOKEN_DIRECTIVE && lexer->token.name->keyword == KEY_ATTRIBUTE) {
    lexer_next(lexer);
    if (lexer->token.kind != '(') lexer_expected(lexer, "'('");
    lexer_skip_group(lexer);
  }
}

/* .func (results) name (params) directives { body }    or ';' in place of the body. */
static void parse_function(struct parser *parser) {
  struct lexer *lexer = &parser->lexer;
  struct ptx_function function = {.entry = lexer->token.name->keyword == KEY_ENTRY};
  lexer_next(lexer);
  skip_attributes(lexer);
  if (!function.entry && lexer->token.kind == '(')
    parse_parameters(parser, &function.results, &function.result_count);
  function.name = lexer_expect_name(lexer, "the name of a function")->text;
  if (lexer->token.kind == '(') parse_parameters(parser, &function.params, &function.param_count);
  parse_function_directives(lexer, &function);
  function.external = lexer_accept(lexer, ';');
  if (!function.external) {
    if (lexer->token.kind != '{') lexer_expected(lexer, "'{' or ';'");
    parse_body(parser, &function);
  }
  *(struct ptx_function *)lexer_push(lexer, &parser->functions) = function;
}

/* --- module directives --- */

/* .version 7.5: a number to the lexer, but two to us. (strtol, as sscanf would measure the whole
 * text first.) */
static void parse_version(struct parser *parser) {
  struct lexer *lexer = &parser->lexer;
  char *end;
  lexer_next(lexer);
  long major = strtol(lexer->token.text, &end, 10);
  long minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
  if (lexer->token.kind != TOKEN_FLOAT64 || *end != '.' || major > 99 || minor > 99)
    lexer_expected(lexer, "a version as in '.version 7.5'");
  parser->module->version_major = (int)major;
  parser->module->version_minor = (int)minor;
  lexer_next(lexer);
}

/* .target sm_70, texmode_independent, debug */
static void parse_target(struct parser *parser) {
  struct lexer *lexer = &parser->lexer;
  lexer_next(lexer);
  parser->module->target = lexer_expect_name(lexer, "a target as in '.target sm_70'")->text;
  while (lexer_accept(lexer, ',')) lexer_expect_name(lexer, "the name of an option");
}

static void parse_address_size(struct lexer *lexer) {
  lexer_next(lexer);
  int line = lexer->token.line;
  if (lexer_expect_int(lexer, INT_MAX, "a number of bits") != 64)
    lexer_fail(lexer, line, "only .address_size 64 is supported");
}

/* .file 1 "lab2.cu" [, time, size] */
static void parse_file(struct parser *parser) {
  struct lexer *lexer = &parser->lexer;
  lexer_next(lexer);
  size_t number = lexer_expect_int(lexer, MAX_FILES, "the number of a file");
  struct token file = lexer->token;
  lexer_expect(lexer, TOKEN_STRING, "the name of a file in quotes");
  while (lexer_accept(lexer, ',')) lexer_expect_int(lexer, UINT64_MAX, "a number");
  if (number == 0) return;
  while (parser->files.count <= number) lexer_push(lexer, &parser->files);
  const char **files = parser->files.items;
  files[number] = lexer_copy(lexer, file.text + 1, file.length - 2);
}

/* .section .debug_info { ... } */
static void skip_section(struct lexer *lexer) {
  while (lexer->token.kind != '{') {
    if (lexer->token.kind == TOKEN_END || lexer->token.kind == ';') lexer_expected(lexer, "'{'");
    lexer_next(lexer);
  }
  lexer_skip_group(lexer);
}

/* .visible .extern ...: before a variable or a function. Which module may see a name means nothing
 * here. */
static void parse_linked(struct parser *parser) {
  struct lexer *lexer = &parser->lexer;
  bool external = false;
  for (; lexer->token.kind == TOKEN_DIRECTIVE; lexer_next(lexer)) {
    enum keyword keyword = lexer->token.name->keyword;
    if (keyword != KEY_VISIBLE && keyword != KEY_EXTERN) break;
    external |= keyword == KEY_EXTERN;
  }
  if (lexer->token.kind != TOKEN_DIRECTIVE) lexer_expected(lexer, "a variable or a function");
  switch (lexer->token.name->keyword) {
    case KEY_ENTRY:
    case KEY_FUNC:
      parse_function(parser);
      return;
    case KEY_SPACE:
      parse_variables(parser, external, &parser->variables);
      return;
    default:
      lexer_expected(lexer, "a variable or a function");
  }
}

static void parse_module_directive(struct parser *parser) {
  struct lexer *lexer = &parser->lexer;
  switch (lexer->token.name->keyword) {
    case KEY_VERSION:
      parse_version(parser);
      return;
    case KEY_TARGET:
      parse_target(parser);
      return;
    case KEY_ADDRESS_SIZE:
      parse_address_size(lexer);
      return;
    case KEY_FILE:
      parse_file(parser);
      return;
    case KEY_SECTION:
      skip_section(lexer);
      return;
    case KEY_PRAGMA:
    case KEY_ALIAS:
      lexer_skip_statement(lexer);
      return;
    case KEY_VISIBLE:
    case KEY_EXTERN:
    case KEY_ENTRY:
    case KEY_FUNC:
    case KEY_SPACE:
      parse_linked(parser);
      return;
    default:
      lexer_expected(lexer, "a directive of a module");
  }
}

static bool is_directive(const struct lexer *lexer, enum keyword keyword) {
  return lexer->token.kind == TOKEN_DIRECTIVE && lexer->token.name->keyword == keyword;
}

void *parser_keep(struct parser *parser, struct ptx_array *array, int *count) {
  size_t bytes = array->count * array->item_size;
  *count = (int)array->count;
  array->count = 0;
  if (bytes == 0) return NULL;
  return memcpy(lexer_alloc(&parser->lexer, parser->lexer.arena, bytes), array->items, bytes);
}

static void parse_module(struct parser *parser) {
  struct lexer *lexer = &parser->lexer;
  struct ptx_module *module = parser->module;
  if (!is_directive(lexer, KEY_VERSION)) lexer_expected(lexer, "'.version'");
  while (lexer->token.kind != TOKEN_END) {
    if (lexer->token.kind != TOKEN_DIRECTIVE) lexer_expected(lexer, "a directive of a module");
    parse_module_directive(parser);
  }
  module->variables = parser_keep(parser, &parser->variables, &module->variable_count);
  module->functions = parser_keep(parser, &parser->functions, &module->function_count);
  module->files = parser_keep(parser, &parser->files, &module->file_count);
}

/* --- the public functions --- */

/* A function of its own, so that longjmp finds no local variables of a caller in registers. */
static bool run(struct parser *parser, const char *text, size_t length) {
  if (setjmp(parser->lexer.bail)) return false;
  parser->module = lexer_alloc(&parser->lexer, parser->lexer.arena, sizeof *parser->module);
  parser->module->arena = parser->lexer.arena;
  lexer_open(&parser->lexer, text, length);
  parse_module(parser);
  return true;
}

static void parser_close(struct parser *parser) {
  struct ptx_array *arrays[] = {
      &parser->variables, &parser->functions,    &parser->files,          &parser->bytes,
      &parser->registers, &parser->instructions, &parser->body_variables, &parser->operands,
  };
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) ptx_array_free(arrays[i]);
  lexer_close(&parser->lexer);
  ptx_arena_free(parser->lexer.scratch);
  free(parser);
}

static struct parser *parser_new(char *error, size_t error_size) {
  struct parser *parser = calloc(1, sizeof *parser);
  if (!parser) return NULL;
  parser->lexer.error = error;
  parser->lexer.error_size = error_size;
  parser->variables.item_size = sizeof(struct ptx_variable);
  parser->functions.item_size = sizeof(struct ptx_function);
  parser->files.item_size = sizeof(const char *);
  parser->bytes.item_size = 1;
  parser->registers.item_size = sizeof(struct ptx_register);
  parser->instructions.item_size = sizeof(struct ptx_instruction);
  parser->body_variables.item_size = sizeof(struct ptx_variable);
  parser->operands.item_size = sizeof(struct ptx_operand);
  return parser;
}

/* A copy that ends with a NUL, which saves the lexer from asking at every byte whether the text
 * has ended. */
static char *terminated_copy(const char *text, size_t length) {
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  if (length > 0) memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

struct ptx_module *ptx_parse(const char *text, size_t length, char *error, size_t error_size) {
  struct ptx_module *module = NULL;
  if (error_size > 0) snprintf(error, error_size, "out of memory");
  if (length > INT_MAX / 2) { /* counts and lines are ints */
    if (error_size > 0) snprintf(error, error_size, "PTX text of more than 1 GiB");
    return NULL;
  }
  /* clang 14 embeds its text with a NUL at the end, other versions without. */
  while (length > 0 && text[length - 1] == '\0') length--;

  char *copy = terminated_copy(text, length);
  struct ptx_arena *arena = ptx_arena_new();
  struct ptx_arena *scratch = ptx_arena_new();
  struct parser *parser = parser_new(error, error_size);
  if (!copy || !arena || !scratch || !parser) goto bad;
  parser->lexer.arena = arena;
  parser->lexer.scratch = scratch;
  if (!run(parser, copy, length)) goto bad;
  module = parser->module;
  arena = NULL; /* it is the module's now */
  if (error_size > 0) error[0] = '\0';

bad:
  if (parser) {
    parser->lexer.scratch = scratch;
    parser_close(parser);
  } else {
    ptx_arena_free(scratch);
  }
  ptx_arena_free(arena);
  free(copy);
  return module;
}

void ptx_free(struct ptx_module *module) {
  if (module) ptx_arena_free(module->arena);
}

const struct ptx_function *ptx_function(const struct ptx_module *module, const char *name) {
  for (int i = 0; i < module->function_count; i++) {
    const struct ptx_function *function = &module->functions[i];
    if (!function->external && strcmp(function->name, name) == 0) return function;
  }
  return NULL;
}
