/* ptx_body.c: statements of a function's body, and the source line of each instruction.
 *
 *     .reg .b32 %r<5>;
 *     .loc 1 17 72
 *     LBB0_1:
 *     @%p1 bra LBB0_1;
 *     { // callseq 0, 0 ... }
 */
#include <limits.h>
#include <string.h>

#include "harness/sim/ptx/ptx_parser.h"

/* --- source lines --- */

static void set_lines(struct ptx_instruction *instructions, size_t count, int file, int line) {
  for (size_t i = 0; i < count; i++) {
    instructions[i].file = file;
    instructions[i].line = line;
  }
}

/* Code that was inlined from a header keeps the line of the student's code before it, or of the
 * call, where the compiler says it. The student's file is the one that the function begins in: its
 * first .loc. What stands before that, such as loads of parameters, gets the first line. */
static void enter_line(struct parser *parser, int file, int line) {
  parser->merged_line = line == 0;
  if (parser->main_file == 0) parser->main_file = file;
  if (file != parser->main_file || line == 0) return;
  if (parser->main_line == 0)
    set_lines(parser->instructions.items, parser->instructions.count, file, line);
  parser->main_line = line;
}

/* clang makes one store of `if (c) t[i] = A[j]; else t[i] = 0;` and gives it line 0, as it belongs
 * to two. It gets the line where its value is loaded, or else computed, in the hope that the
 * student wrote both in one line. */
static void place_merged_stores(struct parser *parser, const struct ptx_function *function) {
  if (function->instruction_count == 0) return;
  struct ptx_instruction *end = function->instructions + function->instruction_count;
  const struct ptx_instruction **made = NULL; /* by register: what makes its value */
  for (struct ptx_instruction *in = function->instructions; in < end; in++) {
    if (!in->merged || strcmp(in->parts[0], "st") != 0 || in->operand_count != 2) continue;
    const struct ptx_operand *value = &in->operands[1];
    if (value->kind == PTX_VECTOR && value->count > 0) value = value->elements;
    if (value->kind != PTX_REG) continue;
    if (!made) {
      made = lexer_alloc(&parser->lexer, parser->lexer.scratch,
                         sizeof *made * (size_t)function->register_count);
      for (const struct ptx_instruction *i = function->instructions; i < end; i++) {
        if (i->merged || i->operand_count < 2 || strcmp(i->parts[0], "mov") == 0) continue;
        const struct ptx_operand *to = &i->operands[0];
        if (to->kind == PTX_VECTOR && to->count > 0) to = to->elements;
        if (to->kind != PTX_REG || to->reg < 0) continue;
        if (!made[to->reg] || strcmp(i->parts[0], "ld") == 0) made[to->reg] = i;
      }
    }
    if (made[value->reg]) in->line = made[value->reg]->line;
  }
}

struct place {
  int file, line;
};

static struct place parse_place(struct lexer *lexer) {
  struct place place;
  place.file = (int)lexer_expect_int(lexer, INT_MAX, "the number of a file");
  place.line = (int)lexer_expect_int(lexer, INT_MAX, "the number of a line");
  lexer_expect_int(lexer, INT_MAX, "the number of a column");
  return place;
}

/* .loc FILE LINE COLUMN [, function_name LABEL [+ N]] [, inlined_at FILE LINE COLUMN]
 * No semicolon ends it. */
static void parse_loc(struct parser *parser) {
  struct lexer *lexer = &parser->lexer;
  lexer_next(lexer);
  struct place place = parse_place(lexer);
  while (lexer_accept(lexer, ',')) {
    struct name *attribute = lexer_expect_name(lexer, "'function_name' or 'inlined_at'");
    if (name_is(attribute, "inlined_at")) {
      struct place call = parse_place(lexer);
      if (place.file != parser->main_file && call.file == parser->main_file) place = call;
    } else {
      lexer_expect_name(lexer, "the name of a function");
      if (lexer_accept(lexer, '+')) lexer_expect_int(lexer, UINT64_MAX, "an offset");
    }
  }
  enter_line(parser, place.file, place.line);
}

/* --- directives --- */

/* .reg .b32 %r<5>, t; */
static void parse_registers(struct parser *parser) {
  struct lexer *lexer = &parser->lexer;
  lexer_next(lexer);
  struct name *type = lexer->token.name;
  lexer_expect(lexer, TOKEN_DIRECTIVE, "the type of a register");
  if (type->keyword != KEY_TYPE)
    lexer_fail(lexer, lexer->token.line, "registers of type '%.80s' are not supported", type->text);
  do {
    struct name *name = lexer_expect_name(lexer, "the name of a register");
    if (lexer_accept(lexer, '<')) {
      uint64_t count = lexer_expect_int(lexer, INT_MAX, "a number of registers");
      lexer_expect(lexer, '>', "'>'");
      scope_declare_range(parser, name, (enum ptx_type)type->keyword_value, count);
    } else {
      scope_declare_register(parser, name, (enum ptx_type)type->keyword_value);
    }
  } while (lexer_accept(lexer, ','));
  lexer_expect(lexer, ';', "';' after this declaration");
}

static void parse_body_directive(struct parser *parser) {
  struct lexer *lexer = &parser->lexer;
  bool external = lexer->token.name->keyword == KEY_EXTERN;
  switch (lexer->token.name->keyword) {
    case KEY_REG:
      parse_registers(parser);
      return;
    case KEY_LOC:
      parse_loc(parser);
      return;
    case KEY_PRAGMA:
      lexer_skip_statement(lexer);
      return;
    case KEY_EXTERN:
    case KEY_VISIBLE:
      lexer_next(lexer);
      parse_variables(parser, external, &parser->body_variables);
      return;
    case KEY_SPACE:
      parse_variables(parser, false, &parser->body_variables);
      return;
    default:
      lexer_expected(lexer, "a statement");
  }
}

/* L: .branchtargets A, B, C;     brx.idx then gets the list in place of L. */
static void parse_branch_targets(struct parser *parser, struct name *label) {
  struct lexer *lexer = &parser->lexer;
  struct ptx_operand *list = lexer_alloc(lexer, lexer->arena, sizeof *list);
  int line = lexer->token.line;
  lexer_next(lexer);
  *list = (struct ptx_operand){.kind = PTX_VECTOR, .reg = -1};
  list->elements = parse_operands(parser, &list->count);
  for (int i = 0; i < list->count; i++) {
    struct ptx_operand *target = &list->elements[i];
    if (target->kind != PTX_SYMBOL)
      lexer_fail(lexer, line, "expected only labels in .branchtargets");
    scope_refer(parser, lexer_find_name(lexer, target->name, strlen(target->name)), line, -1,
                target);
  }
  scope_bind(parser, parser->depth, BOUND_TARGETS, label)->targets = list;
}

static void parse_label(struct parser *parser, struct name *label, int line) {
  struct lexer *lexer = &parser->lexer;
  enum keyword keyword =
      lexer->token.kind == TOKEN_DIRECTIVE ? lexer->token.name->keyword : KEY_NONE;
  if (keyword == KEY_BRANCHTARGETS)
    parse_branch_targets(parser, label);
  else if (keyword == KEY_CALLPROTOTYPE || keyword == KEY_CALLTARGETS)
    lexer_skip_statement(lexer);
  else
    scope_define_label(parser, label, line);
}

/* --- instructions --- */

/* Splits at each '.'; where there are more parts than places, the last takes the rest. */
static struct opcode *split_opcode(struct lexer *lexer, const struct name *name) {
  struct opcode *opcode = lexer_alloc(lexer, lexer->scratch, sizeof *opcode);
  char *text = lexer_copy(lexer, name->text, name->length);
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

static _Noreturn void fail_call(struct lexer *lexer, const struct ptx_instruction *call) {
  lexer_fail(lexer, call->ptx_line, "expected the name of the function that this calls");
}

/* "call f;", "call (r), f, (a), prototype;" and all between as results, callee, arguments, and the
 * prototype if any. */
static void arrange_call(struct lexer *lexer, struct ptx_instruction *call) {
  static const struct ptx_operand empty = {.kind = PTX_VECTOR, .reg = -1};
  if (call->operand_count == 0) fail_call(lexer, call);
  const struct ptx_operand *from = call->operands, *end = from + call->operand_count;
  struct ptx_operand *to = lexer_alloc(lexer, lexer->arena, 4 * sizeof *to);
  call->operands = to;
  *to++ = from < end && from->kind == PTX_VECTOR ? *from++ : empty;
  if (from == end || from->kind == PTX_VECTOR) fail_call(lexer, call);
  *to++ = *from++;
  *to++ = from < end && from->kind == PTX_VECTOR ? *from++ : empty;
  if (from < end) *to++ = *from++;
  if (from < end)
    lexer_fail(lexer, call->ptx_line, "expected ';' after the arguments of this call");
  call->operand_count = (int)(to - call->operands);
}

static void link_branch(struct parser *parser, const struct ptx_instruction *branch, int index) {
  struct lexer *lexer = &parser->lexer;
  const struct ptx_operand *label = branch->operands;
  if (branch->operand_count != 1 || label->kind != PTX_SYMBOL)
    lexer_fail(lexer, branch->ptx_line, "expected one label after 'bra'");
  scope_refer(parser, lexer_find_name(lexer, label->name, strlen(label->name)), branch->ptx_line,
              index, NULL);
}

static void link_indexed_branch(struct parser *parser, struct ptx_instruction *branch) {
  struct lexer *lexer = &parser->lexer;
  if (branch->operand_count != 2 || branch->operands[1].kind != PTX_SYMBOL)
    lexer_fail(lexer, branch->ptx_line, "expected an index and a list of labels after 'brx'");
  const char *label = branch->operands[1].name;
  const struct binding *list = lexer_find_name(lexer, label, strlen(label))->bound[BOUND_TARGETS];
  if (!list)
    lexer_fail(lexer, branch->ptx_line, "label '%.80s' is no .branchtargets before this", label);
  branch->operands[1] = *list->targets;
}

/* @%p1 or @!%p1 */
static void parse_guard(struct parser *parser, struct ptx_instruction *instruction) {
  struct lexer *lexer = &parser->lexer;
  lexer_next(lexer);
  instruction->guard_negated = lexer_accept(lexer, '!');
  if (lexer->token.kind != TOKEN_NAME) lexer_expected(lexer, "a predicate after '@'");
  instruction->guard = scope_find_register(parser, lexer->token.name);
  if (instruction->guard < 0) lexer_expected(lexer, "a declared predicate after '@'");
  lexer_next(lexer);
}

/* From behind the opcode. Links need the instruction's index: they come when it has its place. */
static void parse_instruction(struct parser *parser, struct ptx_instruction *instruction,
                              struct name *name) {
  struct lexer *lexer = &parser->lexer;
  if (!name->opcode) name->opcode = split_opcode(lexer, name);
  const struct opcode *opcode = name->opcode;
  instruction->opcode = name->text;
  memcpy(instruction->parts, opcode->parts, sizeof opcode->parts);
  instruction->part_count = opcode->part_count;
  instruction->target = -1;
  instruction->merged = parser->merged_line;
  if (parser->main_line != 0) set_lines(instruction, 1, parser->main_file, parser->main_line);
  instruction->operands = parse_operands(parser, &instruction->operand_count);
  if (opcode->is_call) arrange_call(lexer, instruction);
  if (opcode->is_indexed_branch) link_indexed_branch(parser, instruction);
  if (opcode->is_branch) link_branch(parser, instruction, (int)parser->instructions.count);
  *(struct ptx_instruction *)lexer_push(lexer, &parser->instructions) = *instruction;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* A label or an instruction, by the token after the first name. */
static void parse_named_statement(struct parser *parser) {
  struct lexer *lexer = &parser->lexer;
  struct ptx_instruction instruction = {.guard = -1, .ptx_line = lexer->token.line};
  bool guarded = lexer->token.kind == '@';
  if (guarded) parse_guard(parser, &instruction);
  struct token first = lexer->token;
  struct name *name = lexer_expect_name(lexer, "an instruction");
  if (!guarded && lexer_accept(lexer, ':'))
    parse_label(parser, name, first.line);
  else if (is_letter(name->text[0]))
    parse_instruction(parser, &instruction, name);
  else
    lexer_fail(lexer, first.line, "expected an instruction, found '%.80s'", name->text);
}

static void parse_statement(struct parser *parser) {
  struct lexer *lexer = &parser->lexer;
  switch (lexer->token.kind) {
    case '{':
      scope_open(parser);
      lexer_next(lexer);
      break;
    case '}':
      scope_close(parser);
      lexer_next(lexer);
      break;
    case ';':
      lexer_next(lexer);
      break;
    case TOKEN_DIRECTIVE:
      parse_body_directive(parser);
      break;
    case '@':
    case TOKEN_NAME:
      parse_named_statement(parser);
      break;
    default:
      lexer_expected(lexer, "a statement or '}'");
  }
}

void parse_body(struct parser *parser, struct ptx_function *function) {
  parser->depth = -1;
  parser->main_file = parser->main_line = 0;
  parser->merged_line = false;
  scope_open(parser);
  lexer_next(&parser->lexer);
  while (parser->depth >= 0) parse_statement(parser);
  function->registers = parser_keep(parser, &parser->registers, &function->register_count);
  function->variables = parser_keep(parser, &parser->body_variables, &function->variable_count);
  function->instructions = parser_keep(parser, &parser->instructions, &function->instruction_count);
  place_merged_stores(parser, function);
}
