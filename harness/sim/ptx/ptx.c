/* ptx.c: parses the directives of a PTX module and the headers of its functions. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/ptx/ptx_parser.h"

enum { MAX_FILES = 1 << 16 }; /* numbers of .file index an array */

/* --- types --- */

const char *const ptx_type_names[PTX_TYPES] = {
    "",   "pred", "b8",  "b16", "b32", "b64", "u8",  "u16",  "u32",   "u64",
    "s8", "s16",  "s32", "s64", "f16", "f32", "f64", "bf16", "f16x2", "bf16x2"};

size_t ptx_type_size(enum ptx_type type) {
  static const uint8_t sizes[PTX_TYPES] = {0, 1, 1, 2, 4, 8, 1, 2, 4, 8,
                                           1, 2, 4, 8, 2, 4, 8, 2, 4, 4};
  return sizes[type];
}

enum ptx_type ptx_type_from(const char *text) {
  for (int type = PTX_NONE + 1; type < PTX_TYPES; type++)
    if (strcmp(ptx_type_names[type], text) == 0) return (enum ptx_type)type;
  return PTX_NONE;
}

/* --- functions --- */

/* .maxntid 256, 1, 1 */
static void parse_max_threads(struct parser *parser, int max_threads[3]) {
  int i = 0;
  do {
    if (i == 3) lexer_fail(parser, parser->token.line, "expected at most 3 dimensions of a block");
    max_threads[i++] = (int)lexer_expect_int(parser, INT_MAX, "a number of threads");
  } while (lexer_accept(parser, ','));
}

/* Directives between the parameters and the body. */
static void parse_function_directives(struct parser *parser, struct ptx_function *function) {
  for (;;) {
    if (lexer_accept_directive(parser, KEY_MAX_THREADS))
      parse_max_threads(parser, function->max_threads);
    else if (lexer_accept_directive(parser, KEY_MIN_BLOCKS))
      function->min_blocks = (int)lexer_expect_int(parser, INT_MAX, "a number of blocks");
    else if (lexer_accept_directive(parser, KEY_MAX_REGISTERS))
      function->max_registers = (int)lexer_expect_int(parser, INT_MAX, "a number of registers");
    else if (lexer_accept_directive(parser, KEY_TUNING)) /* .maxclusterrank 2: advice to ptxas */
      while (parser->token.kind == TOKEN_INT || parser->token.kind == ',') lexer_next(parser);
    else if (lexer_accept_directive(parser, KEY_PRAGMA))
      lexer_skip_statement(parser);
    else
      return;
  }
}

/* .func (results) name (params) directives { body }    or ';' in place of the body. */
static void parse_function(struct parser *parser) {
  struct ptx_function function = {.entry = parser->token.keyword == KEY_ENTRY};
  lexer_next(parser);
  while (lexer_accept_directive(parser, KEY_ATTRIBUTE)) skip_attribute(parser);
  if (!function.entry && parser->token.kind == '(')
    parse_parameters(parser, &function.results, &function.result_count);
  function.name = lexer_expect_name(parser, "the name of a function")->text;
  if (parser->token.kind == '(') parse_parameters(parser, &function.params, &function.param_count);
  parse_function_directives(parser, &function);
  function.external = lexer_accept(parser, ';');
  if (!function.external) {
    if (parser->token.kind != '{') lexer_expected(parser, "'{' or ';'");
    parse_body(parser, &function);
  }
  *(struct ptx_function *)lexer_push(parser, &parser->functions) = function;
}

/* --- module directives --- */

/* .version 7.5: one number to the lexer, two to us. (sscanf would measure the whole text first.) */
static void parse_version(struct parser *parser) {
  char *end;
  lexer_next(parser);
  long major = strtol(parser->token.text, &end, 10);
  long minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
  if (parser->token.kind != TOKEN_FLOAT64 || *end != '.' || major > 99 || minor > 99)
    lexer_expected(parser, "a version as in '.version 7.5'");
  parser->module->version_major = (int)major;
  parser->module->version_minor = (int)minor;
  lexer_next(parser);
}

/* .target sm_70, texmode_independent, debug */
static void parse_target(struct parser *parser) {
  lexer_next(parser);
  parser->module->target = lexer_expect_name(parser, "a target as in '.target sm_70'")->text;
  while (lexer_accept(parser, ',')) lexer_expect_name(parser, "the name of an option");
}

static void parse_address_size(struct parser *parser) {
  lexer_next(parser);
  int line = parser->token.line;
  if (lexer_expect_int(parser, INT_MAX, "a number of bits") != 64)
    lexer_fail(parser, line, "only .address_size 64 is supported");
}

/* In place: \" and \\, and bytes that are not ASCII as \303. */
static void unescape(char *to) {
  for (const char *from = to; *from; to++) {
    int value = 0, digits = 0;
    while (from[0] == '\\' && digits < 3 && from[1 + digits] >= '0' && from[1 + digits] <= '7')
      value = 8 * value + from[1 + digits++] - '0';
    if (digits == 0) {
      if (from[0] == '\\' && from[1]) from++;
      value = (unsigned char)*from++;
    } else {
      from += 1 + digits;
    }
    *to = (char)value;
  }
  *to = '\0';
}

/* .file 1 "lab2.cu" [, time, size] */
static void parse_file(struct parser *parser) {
  lexer_next(parser);
  size_t number = lexer_expect_int(parser, MAX_FILES, "the number of a file");
  struct token file = parser->token;
  lexer_expect(parser, TOKEN_STRING, "the name of a file in quotes");
  while (lexer_accept(parser, ',')) lexer_expect_int(parser, UINT64_MAX, "a number");
  if (number == 0) return;
  while (parser->files.count <= number) lexer_push(parser, &parser->files);
  char **files = parser->files.items;
  files[number] = lexer_copy(parser, &parser->arena, file.text + 1, file.length - 2);
  if (files[number]) unescape(files[number]);
}

/* .section .debug_info { ... } */
static void skip_section(struct parser *parser) {
  while (parser->token.kind != '{') {
    if (parser->token.kind == TOKEN_END || parser->token.kind == ';') lexer_expected(parser, "'{'");
    lexer_next(parser);
  }
  lexer_skip_group(parser);
}

/* .visible .extern ...: before a variable or function. Visibility between modules is ignored. */
static void parse_linked(struct parser *parser) {
  bool external = false, found;
  do {
    found = lexer_accept_directive(parser, KEY_EXTERN);
    external |= found;
  } while (found || lexer_accept_directive(parser, KEY_VISIBLE));
  if (parser->token.keyword == KEY_ENTRY || parser->token.keyword == KEY_FUNC)
    parse_function(parser);
  else if (parser->token.keyword == KEY_SPACE)
    parse_variables(parser, external, &parser->variables);
  else
    lexer_expected(parser, "a variable or a function");
}

static void (*const parse_directive[KEYWORDS])(struct parser *) = {
    [KEY_VERSION] = parse_version,
    [KEY_TARGET] = parse_target,
    [KEY_ADDRESS_SIZE] = parse_address_size,
    [KEY_FILE] = parse_file,
    [KEY_SECTION] = skip_section,
    [KEY_PRAGMA] = lexer_skip_statement,
    [KEY_ALIAS] = lexer_skip_statement,
    [KEY_VISIBLE] = parse_linked,
    [KEY_EXTERN] = parse_linked,
    [KEY_ENTRY] = parse_linked,
    [KEY_FUNC] = parse_linked,
    [KEY_SPACE] = parse_linked,
};

static void parse_module(struct parser *parser) {
  struct ptx_module *module = parser->module;
  if (parser->token.keyword != KEY_VERSION) lexer_expected(parser, "'.version'");
  while (parser->token.kind != TOKEN_END) {
    if (!parse_directive[parser->token.keyword]) lexer_expected(parser, "a directive of a module");
    parse_directive[parser->token.keyword](parser);
  }
  module->variables = lexer_keep(parser, &parser->variables, &module->variable_count);
  module->functions = lexer_keep(parser, &parser->functions, &module->function_count);
  module->files = lexer_keep(parser, &parser->files, &module->file_count);
}

/* --- the public functions --- */

/* A function of its own, so that longjmp finds no local variables of a caller in registers. */
static bool run(struct parser *parser, const char *text, size_t length) {
  if (setjmp(parser->bail)) return false;
  parser->module = lexer_alloc(parser, &parser->arena, sizeof *parser->module);
  /* The copy ends with a NUL, which saves the lexer a comparison with the end at every byte. */
  lexer_open(parser, lexer_copy(parser, &parser->scratch, text, length), length);
  parse_module(parser);
  return true;
}

static struct ptx_module *parse(const char *text, size_t length, bool all_files, char *error,
                                size_t error_size) {
  struct parser parser = {
      .all_files = all_files,
      .error = error,
      .error_size = error_size,
      .variables.item_size = sizeof(struct ptx_variable),
      .functions.item_size = sizeof(struct ptx_function),
      .files.item_size = sizeof(const char *),
      .bytes.item_size = 1,
      .addresses.item_size = sizeof(struct ptx_address),
      .registers.item_size = sizeof(struct ptx_register),
      .instructions.item_size = sizeof(struct ptx_instruction),
      .body_variables.item_size = sizeof(struct ptx_variable),
      .operands.item_size = sizeof(struct ptx_operand),
  };
  if (error_size > 0) error[0] = '\0';
  if (length > INT_MAX / 2) { /* counts and lines are ints */
    snprintf(error, error_size, "PTX text of more than 1 GiB");
    return NULL;
  }
  /* clang 14 embeds its text with a NUL at the end, other versions without. */
  while (length > 0 && text[length - 1] == '\0') length--;
  bool ok = run(&parser, text, length);
  ptx_arena_free(parser.scratch.chunks);
  if (ok)
    parser.module->memory = parser.arena.chunks;
  else
    ptx_arena_free(parser.arena.chunks);
  return ok ? parser.module : NULL;
}

struct ptx_module *ptx_parse(const char *text, size_t length, char *error, size_t error_size) {
  return parse(text, length, false, error, error_size);
}

struct ptx_module *ptx_parse_files(const char *text, size_t length, char *error,
                                   size_t error_size) {
  return parse(text, length, true, error, error_size);
}

void ptx_free(struct ptx_module *module) {
  if (module) ptx_arena_free(module->memory);
}

const struct ptx_function *ptx_function(const struct ptx_module *module, const char *name) {
  for (int i = 0; i < module->function_count; i++) {
    const struct ptx_function *function = &module->functions[i];
    if (!function->external && strcmp(function->name, name) == 0) return function;
  }
  return NULL;
}
