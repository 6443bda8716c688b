/* ptx_operand.c: operands of an instruction.
 *
 *     %r1   -4   0f3F800000   sym+8   [%rd1+-8]   {%f1, %f2}   %p1|%p2   !%p3
 *     (param0, param1)   _   %tid.x
 */
#include <string.h>

#include "harness/sim/ptx/ptx_parser.h"

/* Lists in lists: vectors in a texture's coordinates, never more. It bounds the recursion. */
enum { MAX_LISTS = 4 };

static struct ptx_operand parse_operand(struct parser *parser, int depth);

/* PTX ISA, "Special Registers". A number follows the names that end with a #. */
/* clang-format off */
static const char *const specials[] = {
    "%tid", "%ntid", "%laneid", "%warpid", "%nwarpid", "%ctaid", "%nctaid", "%smid", "%nsmid",
    "%gridid", "%is_explicit_cluster", "%clusterid", "%nclusterid", "%cluster_ctaid",
    "%cluster_nctaid", "%cluster_ctarank", "%cluster_nctarank", "%lanemask_eq", "%lanemask_le",
    "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", "%clock", "%clock_hi", "%clock64", "%pm#",
    "%envreg#", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi",
    "%reserved_smem_offset_begin", "%reserved_smem_offset_end", "%reserved_smem_offset_cap",
    "%reserved_smem_offset_#", "%total_smem_size", "%aggr_smem_size", "%dynamic_smem_size",
    "%current_graph_exec", "%kit_cooperative" /* our own */,
};
/* clang-format on */

/* A component (.x) may follow the name of a special register. */
static bool is_special(const char *text) {
  size_t length = strcspn(text, ".");
  for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
    size_t known = strlen(specials[i]);
    if (specials[i][known - 1] == '#') {
      if (length >= known && memcmp(text, specials[i], known - 1) == 0) return true;
    } else if (length == known && memcmp(text, specials[i], known) == 0) {
      return true;
    }
  }
  return false;
}

/* What an identifier is, other than a register: "t" may be one that inline assembly declares. */
static struct ptx_operand parse_named(struct parser *parser) {
  int line = parser->token.line;
  struct name *name = parser->token.name;
  struct ptx_operand operand = {.reg = scope_find_register(parser, name), .name = name->text};
  lexer_next(parser);
  if (operand.reg >= 0) {
    operand.kind = PTX_REG;
    operand.name = NULL;
  } else if (name_is(name, "_")) {
    operand.kind = PTX_SINK;
    operand.name = NULL;
  } else if (name_is(name, "WARP_SZ")) {
    operand = (struct ptx_operand){.kind = PTX_INT, .reg = -1, .value = 32};
  } else if (name->text[0] != '%') {
    operand.kind = PTX_SYMBOL;
  } else if (is_special(name->text)) {
    operand.kind = PTX_SPECIAL;
  } else {
    lexer_fail(parser, line, "register '%.80s' is not declared", name->text);
  }
  return operand;
}

static struct ptx_operand parse_number(struct parser *parser) {
  bool negative = lexer_accept(parser, '-');
  uint64_t value = parser->token.value;
  struct ptx_operand operand = {.reg = -1};
  switch (parser->token.kind) {
    case TOKEN_INT:
      operand.kind = PTX_INT;
      operand.value = negative ? 0 - value : value;
      break;
    case TOKEN_FLOAT32:
    case TOKEN_FLOAT64:
      operand.kind = parser->token.kind == TOKEN_FLOAT32 ? PTX_FLOAT32 : PTX_FLOAT64;
      operand.value = value ^ (uint64_t)negative << (operand.kind == PTX_FLOAT32 ? 31 : 63);
      break;
    default:
      lexer_expected(parser, "an operand");
  }
  lexer_next(parser);
  return operand;
}

/* "+8", "-8", "+-8", or nothing. */
static int64_t parse_offset(struct parser *parser) {
  uint64_t offset = 0;
  while (parser->token.kind == '+' || parser->token.kind == '-') {
    bool negative = parser->token.kind == '-';
    lexer_next(parser);
    if (lexer_accept(parser, '-')) negative = !negative;
    uint64_t value = lexer_expect_int(parser, UINT64_MAX, "an offset in bytes");
    offset += negative ? 0 - value : value;
  }
  return (int64_t)offset;
}

/* Operands up to closing, which is passed over; they gather on a stack until they are counted. */
static void parse_list(struct parser *parser, int closing, int depth, struct ptx_operand *list) {
  struct ptx_array *stack = &parser->operands;
  size_t start = stack->count;
  if (depth > MAX_LISTS)
    lexer_fail(parser, parser->token.line, "lists of operands nested too deep");
  if (parser->token.kind != closing) {
    do {
      struct ptx_operand operand = parse_operand(parser, depth);
      *(struct ptx_operand *)lexer_push(parser, stack) = operand;
    } while (lexer_accept(parser, ','));
  }
  if (parser->token.kind != closing) {
    char what[] = "',' or '?' after this operand";
    *strchr(what, '?') = (char)closing;
    lexer_expected(parser, what);
  }
  lexer_next(parser);
  list->count = (int)(stack->count - start);
  stack->count = start;
  if (list->count == 0) return;
  size_t bytes = (size_t)list->count * sizeof *list->elements;
  list->elements = lexer_alloc(parser, &parser->arena, bytes);
  memcpy(list->elements, (struct ptx_operand *)stack->items + start, bytes);
}

static struct ptx_operand parse_vector(struct parser *parser, int depth) {
  struct ptx_operand vector = {.kind = PTX_VECTOR, .reg = -1};
  int closing = parser->token.kind == '{' ? '}' : ')';
  lexer_next(parser);
  parse_list(parser, closing, depth + 1, &vector);
  return vector;
}

/* [base], [base+offset], [offset]; of a texture also [name, {x, y}]: the rest is in elements. */
static struct ptx_operand parse_address(struct parser *parser, int depth) {
  struct ptx_operand address = {.reg = -1};
  lexer_next(parser);
  if (parser->token.kind == TOKEN_NAME) {
    address = parse_named(parser);
    if (address.kind != PTX_REG && address.kind != PTX_SYMBOL)
      lexer_expected(parser, "an address in [ ]");
  } else {
    struct ptx_operand number = parse_number(parser);
    if (number.kind != PTX_INT) lexer_expected(parser, "an address in [ ]");
    address.offset = (int64_t)number.value;
  }
  address.kind = PTX_ADDRESS;
  address.offset = (int64_t)((uint64_t)address.offset + (uint64_t)parse_offset(parser));
  if (lexer_accept(parser, ','))
    parse_list(parser, ']', depth + 1, &address);
  else
    lexer_expect(parser, ']', "']'");
  return address;
}

/* "first|second", where first is read and the '|' is the current token. */
static struct ptx_operand parse_pair(struct parser *parser, struct ptx_operand first) {
  struct ptx_operand pair = {.kind = PTX_PAIR, .reg = -1, .count = 2};
  lexer_next(parser);
  if (parser->token.kind != TOKEN_NAME) lexer_expected(parser, "a register after '|'");
  struct ptx_operand second = parse_named(parser);
  pair.elements = lexer_alloc(parser, &parser->arena, 2 * sizeof *pair.elements);
  pair.elements[0] = first;
  pair.elements[1] = second;
  return pair;
}

static struct ptx_operand parse_negated(struct parser *parser) {
  lexer_next(parser);
  if (parser->token.kind != TOKEN_NAME) lexer_expected(parser, "a predicate after '!'");
  struct ptx_operand operand = parse_named(parser);
  if (operand.kind != PTX_REG) lexer_expected(parser, "a predicate after '!'");
  operand.negated = true;
  return operand;
}

static struct ptx_operand parse_operand(struct parser *parser, int depth) {
  struct ptx_operand operand;
  switch (parser->token.kind) {
    case '[':
      return parse_address(parser, depth);
    case '{':
    case '(':
      return parse_vector(parser, depth);
    case '!':
      return parse_negated(parser);
    case TOKEN_NAME:
      operand = parse_named(parser);
      if (operand.kind == PTX_SYMBOL) operand.offset = parse_offset(parser);
      return parser->token.kind == '|' ? parse_pair(parser, operand) : operand;
    default:
      operand = parse_number(parser);
      if (operand.kind == PTX_INT) operand.value += (uint64_t)parse_offset(parser);
      return operand;
  }
}

struct ptx_operand *parse_operands(struct parser *parser, int *count) {
  struct ptx_operand list = {.count = 0};
  parse_list(parser, ';', 0, &list);
  *count = list.count;
  return list.elements;
}
