/* ptx_body.c: statements of a function's body, and the source line of each instruction.
 *
 *     .reg .b32 %r<5>;
 *     .loc 1 17 72
 *     LBB0_1:
 *     @%p1 bra LBB0_1;
 *     { // callseq 0, 0 ... }
 */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "harness/sim/ptx/ptx_parser.h"

/* --- source lines --- */

/* Code that was inlined from a header keeps the line of the student's code before it, or of the
 * call, where the compiler gives it. The student's file is the one in which the function begins:
 * its first .loc. What comes before that, such as loads of parameters, gets the first line. With
 * all_files every line is meant as it stands. */
static void enter_line(struct parser *parser, int file, int line) {
  parser->merged_line = line == 0;
  if (parser->main_file == 0 || (parser->all_files && line)) parser->main_file = file;
  if (file != parser->main_file || line == 0) return;
  struct ptx_instruction *instructions = parser->instructions.items;
  for (size_t i = 0; parser->main_line == 0 && i < parser->instructions.count; i++) {
    instructions[i].file = file;
    instructions[i].line = line;
  }
  parser->main_line = line;
}

/* The register that an operand is or begins with, or -1. */
static int first_register(const struct ptx_operand *operand) {
  if (operand->kind == PTX_VECTOR && operand->count > 0) operand = operand->elements;
  return operand->kind == PTX_REG ? operand->reg : -1;
}

/* clang makes one store of `if (c) t[i] = A[j]; else t[i] = 0;` and gives it line 0, as it belongs
 * to two. It gets the line where its value is loaded, or else computed, in the hope that the
 * student wrote both in one line. */
static void place_merged_stores(struct parser *parser, const struct ptx_function *function) {
  if (function->instruction_count == 0) return;
  struct ptx_instruction *end = function->instructions + function->instruction_count;
  const struct ptx_instruction **made = /* by register: what makes its value */
      lexer_alloc(parser, &parser->scratch, sizeof *made * (size_t)function->register_count);
  for (const struct ptx_instruction *in = function->instructions; in < end; in++) {
    if (in->merged || in->operand_count < 2 || strcmp(in->parts[0], "mov") == 0) continue;
    int to = first_register(&in->operands[0]);
    if (to >= 0 && (!made[to] || strcmp(in->parts[0], "ld") == 0)) made[to] = in;
  }
  for (struct ptx_instruction *in = function->instructions; in < end; in++) {
    if (!in->merged || strcmp(in->parts[0], "st") != 0 || in->operand_count != 2) continue;
    int value = first_register(&in->operands[1]);
    if (value >= 0 && made[value]) in->line = made[value]->line;
  }
}

struct place {
  int file, line;
};

static struct place parse_place(struct parser *parser) {
  struct place place;
  place.file = (int)lexer_expect_int(parser, INT_MAX, "the number of a file");
  place.line = (int)lexer_expect_int(parser, INT_MAX, "the number of a line");
  lexer_expect_int(parser, INT_MAX, "the number of a column");
  return place;
}

/* .loc FILE LINE COLUMN [, function_name LABEL [+ N]] [, inlined_at FILE LINE COLUMN], from FILE
 * on; no semicolon ends it. */
static void parse_loc(struct parser *parser) {
  struct place place = parse_place(parser);
  while (lexer_accept(parser, ',')) {
    struct name *attribute = lexer_expect_name(parser, "'function_name' or 'inlined_at'");
    if (name_is(attribute, "inlined_at")) {
      struct place call = parse_place(parser);
      bool inlined = place.file != parser->main_file && call.file == parser->main_file;
      if (inlined && !parser->all_files) place = call;
    } else {
      lexer_expect_name(parser, "the name of a function");
      if (lexer_accept(parser, '+')) lexer_expect_int(parser, UINT64_MAX, "an offset");
    }
  }
  enter_line(parser, place.file, place.line);
}

/* --- directives --- */

/* .reg .b32 %r<5>, t; from the type on */
static void parse_registers(struct parser *parser) {
  struct name *type = parser->token.name;
  lexer_expect(parser, TOKEN_DIRECTIVE, "the type of a register");
  if (type->keyword != KEY_TYPE)
    lexer_fail(parser, parser->token.line, "registers of type '%.80s' are not supported",
               type->text);
  enum ptx_type value = (enum ptx_type)type->keyword_value;
  do {
    struct name *name = lexer_expect_name(parser, "the name of a register");
    if (lexer_accept(parser, '<')) {
      uint64_t count = lexer_expect_int(parser, INT_MAX, "a number of registers");
      lexer_expect(parser, '>', "'>'");
      scope_declare_range(parser, name, value, count);
    } else {
      scope_declare_register(parser, parser->depth, name, value);
    }
  } while (lexer_accept(parser, ','));
  lexer_expect(parser, ';', "';' after this declaration");
}

/* .pragma "nounroll"; means the loop that begins here; others are advice to ptxas. */
static void parse_pragma(struct parser *parser) {
  static const char word[] = "\"nounroll\"";
  lexer_next(parser);
  const struct token *token = &parser->token;
  if (token->kind == TOKEN_STRING && token->length == strlen(word) &&
      memcmp(token->text, word, token->length) == 0)
    parser->no_unroll = true;
  lexer_skip_statement(parser);
}

static void parse_body_directive(struct parser *parser) {
  if (lexer_accept_directive(parser, KEY_REG)) {
    parse_registers(parser);
  } else if (lexer_accept_directive(parser, KEY_LOC)) {
    parse_loc(parser);
  } else if (parser->token.keyword == KEY_PRAGMA) {
    parse_pragma(parser);
  } else {
    bool external = lexer_accept_directive(parser, KEY_EXTERN);
    if (!external && !lexer_accept_directive(parser, KEY_VISIBLE) &&
        parser->token.keyword != KEY_SPACE)
      lexer_expected(parser, "a statement");
    parse_variables(parser, external, &parser->body_variables);
  }
}

/* L: .branchtargets A, B, C;     brx.idx then gets the list in place of L. */
static void parse_branch_targets(struct parser *parser, struct name *label) {
  struct ptx_operand *list = lexer_alloc(parser, &parser->arena, sizeof *list);
  int line = parser->token.line;
  lexer_next(parser);
  *list = (struct ptx_operand){.kind = PTX_VECTOR, .reg = -1};
  list->elements = parse_operands(parser, &list->count);
  for (int i = 0; i < list->count; i++) {
    struct ptx_operand *target = &list->elements[i];
    if (target->kind != PTX_SYMBOL)
      lexer_fail(parser, line, "expected only labels in .branchtargets");
    scope_refer(parser, target->name, line, -1, target);
  }
  scope_bind(parser, parser->depth, BOUND_TARGETS, label)->targets = list;
}

static void parse_label(struct parser *parser, struct name *label, int line) {
  if (parser->token.keyword == KEY_BRANCHTARGETS)
    parse_branch_targets(parser, label);
  else if (parser->token.keyword == KEY_CALLPROTOTYPE || parser->token.keyword == KEY_CALLTARGETS)
    lexer_skip_statement(parser);
  else
    scope_define_label(parser, label, line);
}

/* --- instructions --- */

/* Splits at each '.'; where there are more parts than places, the last takes the rest. */
static struct opcode *split_opcode(struct parser *parser, const struct name *name) {
  struct opcode *opcode = lexer_alloc(parser, &parser->scratch, sizeof *opcode);
  char *text = lexer_copy(parser, &parser->arena, name->text, name->length);
  while (text) {
    opcode->parts[opcode->part_count++] = text;
    text = opcode->part_count < PTX_MAX_PARTS ? strchr(text, '.') : NULL;
    if (text) *text++ = '\0';
  }
  const char *first = opcode->parts[0];
  opcode->is_branch = strcmp(first, "bra") == 0;
  opcode->is_indexed_branch = strcmp(first, "brx") == 0;
  opcode->is_call = strcmp(first, "call") == 0;
  return opcode;
}

static _Noreturn void fail_call(struct parser *parser, const struct ptx_instruction *call) {
  lexer_fail(parser, call->ptx_line, "expected the name of the function that this calls");
}

/* "call f;", "call (r), f, (a), prototype;" and all between as results, callee, arguments, and the
 * prototype if any. */
static void arrange_call(struct parser *parser, struct ptx_instruction *call) {
  static const struct ptx_operand empty = {.kind = PTX_VECTOR, .reg = -1};
  if (call->operand_count == 0) fail_call(parser, call);
  const struct ptx_operand *from = call->operands, *end = from + call->operand_count;
  struct ptx_operand *to = lexer_alloc(parser, &parser->arena, 4 * sizeof *to);
  call->operands = to;
  *to++ = from < end && from->kind == PTX_VECTOR ? *from++ : empty;
  if (from == end || from->kind == PTX_VECTOR) fail_call(parser, call);
  *to++ = *from++;
  *to++ = from < end && from->kind == PTX_VECTOR ? *from++ : empty;
  if (from < end) *to++ = *from++;
  if (from < end)
    lexer_fail(parser, call->ptx_line, "expected ';' after the arguments of this call");
  call->operand_count = (int)(to - call->operands);
}

static void link_branch(struct parser *parser, const struct ptx_instruction *branch, int index) {
  const struct ptx_operand *label = branch->operands;
  if (branch->operand_count != 1 || label->kind != PTX_SYMBOL)
    lexer_fail(parser, branch->ptx_line, "expected one label after 'bra'");
  scope_refer(parser, label->name, branch->ptx_line, index, NULL);
}

static void link_indexed_branch(struct parser *parser, struct ptx_instruction *branch) {
  if (branch->operand_count != 2 || branch->operands[1].kind != PTX_SYMBOL)
    lexer_fail(parser, branch->ptx_line, "expected an index and a list of labels after 'brx'");
  const char *label = branch->operands[1].name;
  const struct binding *list = lexer_find_name(parser, label, strlen(label))->bound[BOUND_TARGETS];
  if (!list)
    lexer_fail(parser, branch->ptx_line, "label '%.80s' is no .branchtargets before this", label);
  branch->operands[1] = *list->targets;
}

/* @%p1 or @!%p1 */
static void parse_guard(struct parser *parser, struct ptx_instruction *instruction) {
  lexer_next(parser);
  instruction->guard_negated = lexer_accept(parser, '!');
  if (parser->token.kind != TOKEN_NAME) lexer_expected(parser, "a predicate after '@'");
  instruction->guard = scope_find_register(parser, parser->token.name);
  if (instruction->guard < 0) lexer_expected(parser, "a declared predicate after '@'");
  lexer_next(parser);
}

/* From the token after the opcode. */
static void parse_instruction(struct parser *parser, struct ptx_instruction *instruction,
                              struct name *name) {
  if (!name->opcode) name->opcode = split_opcode(parser, name);
  const struct opcode *opcode = name->opcode;
  instruction->opcode = name->text;
  memcpy(instruction->parts, opcode->parts, sizeof opcode->parts);
  instruction->part_count = opcode->part_count;
  instruction->target = -1;
  instruction->merged = parser->merged_line;
  instruction->no_unroll = parser->no_unroll;
  parser->no_unroll = false;
  if (parser->main_line != 0) {
    instruction->file = parser->main_file;
    instruction->line = parser->main_line;
  }
  instruction->operands = parse_operands(parser, &instruction->operand_count);
  if (opcode->is_call) arrange_call(parser, instruction);
  if (opcode->is_indexed_branch) link_indexed_branch(parser, instruction);
  if (opcode->is_branch) link_branch(parser, instruction, (int)parser->instructions.count);
  *(struct ptx_instruction *)lexer_push(parser, &parser->instructions) = *instruction;
}

/* A label or an instruction, by the token after the first name. */
static void parse_named_statement(struct parser *parser) {
  struct ptx_instruction instruction = {.guard = -1, .ptx_line = parser->token.line};
  bool guarded = parser->token.kind == '@';
  if (guarded) parse_guard(parser, &instruction);
  struct token first = parser->token;
  struct name *name = lexer_expect_name(parser, "an instruction");
  if (!guarded && lexer_accept(parser, ':'))
    parse_label(parser, name, first.line);
  else if (isalpha((unsigned char)name->text[0]))
    parse_instruction(parser, &instruction, name);
  else
    lexer_fail(parser, first.line, "expected an instruction, found '%.80s'", name->text);
}

static void parse_statement(struct parser *parser) {
  int kind = parser->token.kind;
  if (kind == TOKEN_DIRECTIVE) {
    parse_body_directive(parser);
  } else if (kind == TOKEN_NAME || kind == '@') {
    parse_named_statement(parser);
  } else {
    if (kind == '{')
      scope_open(parser);
    else if (kind == '}')
      scope_close(parser);
    else if (kind != ';')
      lexer_expected(parser, "a statement or '}'");
    lexer_next(parser);
  }
}

void parse_body(struct parser *parser, struct ptx_function *function) {
  parser->depth = -1;
  parser->main_file = parser->main_line = 0;
  parser->merged_line = parser->no_unroll = false;
  scope_open(parser);
  lexer_next(parser);
  while (parser->depth >= 0) parse_statement(parser);
  function->registers = lexer_keep(parser, &parser->registers, &function->register_count);
  function->variables = lexer_keep(parser, &parser->body_variables, &function->variable_count);
  function->instructions = lexer_keep(parser, &parser->instructions, &function->instruction_count);
  place_merged_stores(parser, function);
}
