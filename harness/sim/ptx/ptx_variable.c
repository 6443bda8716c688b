/* ptx_variable.c: declarations of variables and parameters, and their initialisers.
 *
 *     .visible .const .align 4 .b8 table[2][3] = {{1, 2}, {3}};
 *     .param .u64 .ptr .global .align 4 kernel_param_0
 */
#include <limits.h>
#include <string.h>

#include "harness/sim/ptx/ptx_parser.h"

/* No program that can run has larger variables. The limits keep sums of sizes from overflowing, and
 * a text from requesting any amount of memory. */
#define MAX_VARIABLE_BYTES ((size_t)1 << 40)
#define MAX_IMAGE_BYTES ((size_t)256 << 20) /* of a module */
enum { MAX_ALIGN = 1 << 16 };

/* The directives of a declaration before its names. */
struct declaration {
  enum ptx_space space;
  enum ptx_type type;
  size_t align;    /* 0: that of the type */
  size_t elements; /* of a vector; 1: none */
  bool external, managed;
};

struct shape {
  size_t dims[MAX_DIMENSIONS + 1]; /* a vector's elements come last */
  int count;
  bool open; /* the first is [] */
};

static size_t parse_align(struct parser *parser) {
  size_t align = lexer_expect_int(parser, MAX_ALIGN, "an alignment");
  if (align == 0 || (align & (align - 1)) != 0)
    lexer_fail(parser, parser->token.line, "alignment %zu is not a power of two", align);
  return align;
}

/* ".ptr .global .align 4": about what a pointer points to, not about the variable itself. */
static void skip_pointee(struct parser *parser) {
  for (;;) {
    if (lexer_accept_directive(parser, KEY_ALIGN))
      parse_align(parser);
    else if (!lexer_accept_directive(parser, KEY_SPACE))
      return;
  }
}

void skip_attribute(struct parser *parser) {
  if (parser->token.kind != '(') lexer_expected(parser, "'('");
  lexer_skip_group(parser);
}

/* Is this the text behind the current token? */
static bool is_next(const struct parser *parser, const char *text) {
  size_t length = strlen(text);
  return (size_t)(parser->end - parser->at) >= length && memcmp(parser->at, text, length) == 0;
}

/* One of the directives before the names. */
static void parse_part(struct parser *parser, struct declaration *declaration) {
  struct name *part = parser->token.name;
  int value = part->keyword_value;
  lexer_next(parser);
  switch (part->keyword) {
    case KEY_SPACE:
      declaration->space = (enum ptx_space)value;
      break;
    case KEY_TYPE:
      declaration->type = (enum ptx_type)value;
      break;
    case KEY_VECTOR:
      declaration->elements = (size_t)value;
      break;
    case KEY_ALIGN:
      declaration->align = parse_align(parser);
      break;
    case KEY_PTR:
      skip_pointee(parser);
      break;
    case KEY_ATTRIBUTE:
      declaration->managed = is_next(parser, ".managed");
      skip_attribute(parser);
      break;
    default:
      lexer_fail(parser, parser->token.line, "'%.80s' is not known in a declaration", part->text);
  }
}

static struct declaration parse_declaration(struct parser *parser, bool external) {
  struct declaration declaration = {.elements = 1, .external = external};
  while (parser->token.kind == TOKEN_DIRECTIVE) parse_part(parser, &declaration);
  if (declaration.type == PTX_NONE || declaration.type == PTX_PRED)
    lexer_expected(parser, "a type of one or more bytes");
  return declaration;
}

static struct shape parse_shape(struct parser *parser, const struct declaration *declaration) {
  struct shape shape = {.count = 0};
  while (lexer_accept(parser, '[')) {
    if (shape.count == MAX_DIMENSIONS)
      lexer_fail(parser, parser->token.line, "array of more than %d dimensions", MAX_DIMENSIONS);
    if (shape.count == 0 && lexer_accept(parser, ']')) {
      shape.open = true;
      shape.dims[shape.count++] = 0;
      continue;
    }
    shape.dims[shape.count++] =
        lexer_expect_int(parser, MAX_VARIABLE_BYTES, "the size of an array");
    lexer_expect(parser, ']', "']'");
  }
  if (declaration->elements > 1) shape.dims[shape.count++] = declaration->elements;
  return shape;
}

/* Bytes of the dimensions from first on: of a whole array, a row, an element. */
static size_t shape_bytes(struct parser *parser, const struct shape *shape, int first,
                          enum ptx_type type) {
  size_t bytes = ptx_type_size(type);
  for (int i = first; i < shape->count; i++)
    if (__builtin_mul_overflow(bytes, shape->dims[i], &bytes) || bytes > MAX_VARIABLE_BYTES)
      lexer_fail(parser, parser->token.line, "array of more than 2^40 bytes");
  return bytes;
}

/* --- initialisers --- */

struct initialiser {
  enum ptx_type type;
  struct shape shape;
  unsigned char *image; /* NULL for x[], whose size is not known yet: then parser->bytes */
  size_t size, at;      /* bytes */
};

/* The bits that the current token, a number, gives to a variable of that type. */
static uint64_t number_bits(const struct token *token, enum ptx_type type, bool negative) {
  union {
    uint64_t bits; /* of a float, the low ones */
    double f64;
    float f32;
  } value = {.bits = token->value};
  if (token->kind == TOKEN_INT && type != PTX_F32 && type != PTX_F64)
    return negative ? 0 - token->value : token->value;
  /* Bits of a float in a .b32 are meant as they are. */
  if (token->kind == TOKEN_FLOAT32 && type != PTX_F64)
    return token->value ^ (uint64_t)negative << 31;
  if (token->kind == TOKEN_FLOAT64 && type != PTX_F32)
    return token->value ^ (uint64_t)negative << 63;
  double number = token->kind == TOKEN_INT       ? (double)token->value
                  : token->kind == TOKEN_FLOAT32 ? (double)value.f32
                                                 : value.f64;
  if (negative) number = -number;
  if (type == PTX_F64)
    value.f64 = number;
  else
    value.f32 = (float)number;
  return value.bits;
}

/* "table", "generic(table)+8", "0xFF00(table)", "0xFF(generic(f)+4)": an address, from its first
 * token on. A global variable's generic address is its own. */
static void parse_address(struct parser *parser, struct ptx_address *address, bool outer) {
  struct name *name = lexer_expect_name(parser, "the name of a variable or function");
  if (outer && lexer_accept(parser, '(')) { /* generic */
    parse_address(parser, address, false);
    lexer_expect(parser, ')', "')' after an address");
  } else {
    address->name = name->text;
  }
  while (parser->token.kind == '+' || parser->token.kind == '-') {
    bool negative = parser->token.kind == '-';
    lexer_next(parser);
    negative ^= lexer_accept(parser, '-');
    uint64_t offset = lexer_expect_int(parser, INT32_MAX, "an offset");
    address->offset += negative ? -(int64_t)offset : (int64_t)offset;
  }
}

/* The bits of a number; of an address, which is noted, 0. */
static uint64_t parse_element(struct parser *parser, const struct initialiser *initialiser) {
  struct ptx_address address = {.at = initialiser->image ? initialiser->at : parser->bytes.count,
                                .bytes = ptx_type_size(initialiser->type),
                                .mask = UINT64_MAX};
  uint64_t bits = 0;
  if (parser->token.kind != TOKEN_NAME) {
    bool negative = lexer_accept(parser, '-');
    int kind = parser->token.kind;
    if (kind != TOKEN_INT && kind != TOKEN_FLOAT32 && kind != TOKEN_FLOAT64)
      lexer_expected(parser, "a number or a name in this initialiser");
    bits = number_bits(&parser->token, initialiser->type, negative);
    address.mask = parser->token.value;
    lexer_next(parser);
    if (!lexer_accept(parser, '(')) return bits;
    if (!address.mask) lexer_expected(parser, "a mask with some bits before this");
  }
  parse_address(parser, &address, true);
  if (address.mask != UINT64_MAX) lexer_expect(parser, ')', "')' after an address");
  *(struct ptx_address *)lexer_push(parser, &parser->addresses) = address;
  return 0;
}

static void put_element(struct parser *parser, struct initialiser *initialiser, uint64_t bits) {
  size_t size = ptx_type_size(initialiser->type);
  if (!initialiser->image) {
    for (size_t i = 0; i < size; i++)
      *(unsigned char *)lexer_push(parser, &parser->bytes) = (unsigned char)(bits >> i * 8);
    return;
  }
  if (initialiser->at + size > initialiser->size)
    lexer_fail(parser, parser->token.line, "more initialisers than elements");
  for (size_t i = 0; i < size; i++)
    initialiser->image[initialiser->at + i] = (unsigned char)(bits >> i * 8);
  initialiser->at += size;
}

/* From the token after a '{' to its '}'. Recursion is as deep as the shape. What a row does not
 * name is zero. */
static void parse_list(struct parser *parser, struct initialiser *initialiser, int level) {
  size_t start = initialiser->at;
  do {
    if (parser->token.kind == '{' && level + 1 < initialiser->shape.count && initialiser->image) {
      lexer_next(parser);
      parse_list(parser, initialiser, level + 1);
    } else {
      put_element(parser, initialiser, parse_element(parser, initialiser));
    }
  } while (lexer_accept(parser, ','));
  lexer_expect(parser, '}', "',' or '}' in this initialiser");
  if (!initialiser->image) return;
  size_t end = start + shape_bytes(parser, &initialiser->shape, level, initialiser->type);
  if (initialiser->at > end)
    lexer_fail(parser, parser->token.line, "more initialisers than elements");
  initialiser->at = end;
}

static unsigned char *new_image(struct parser *parser, size_t size) {
  parser->image_bytes += size;
  if (parser->image_bytes > MAX_IMAGE_BYTES)
    lexer_fail(parser, parser->token.line, "more than %zu bytes of initialised variables",
               MAX_IMAGE_BYTES);
  return lexer_alloc(parser, &parser->arena, size);
}

/* From the token after the '='. */
static void parse_initialiser(struct parser *parser, struct ptx_variable *variable,
                              const struct shape *shape) {
  struct initialiser initialiser = {
      .type = variable->type, .shape = *shape, .size = variable->size};
  if (!shape->open) initialiser.image = new_image(parser, variable->size);
  parser->bytes.count = 0;
  if (lexer_accept(parser, '{')) {
    if (!lexer_accept(parser, '}')) parse_list(parser, &initialiser, 0);
  } else {
    put_element(parser, &initialiser, parse_element(parser, &initialiser));
  }
  if (shape->open) {
    variable->size = parser->bytes.count;
    initialiser.image = new_image(parser, variable->size);
    if (variable->size > 0) memcpy(initialiser.image, parser->bytes.items, variable->size);
  }
  variable->init = initialiser.image;
  variable->addresses = lexer_keep(parser, &parser->addresses, &variable->address_count);
}

/* --- declarations --- */

/* One name with its dimensions: "x[3][4]". */
static struct shape parse_declarator(struct parser *parser, const struct declaration *declaration,
                                     struct ptx_variable *variable) {
  struct name *name = lexer_expect_name(parser, "the name of a variable");
  struct shape shape = parse_shape(parser, declaration);
  size_t natural = ptx_type_size(declaration->type) * declaration->elements;
  *variable = (struct ptx_variable){
      .name = name->text,
      .space = declaration->space,
      .type = declaration->type,
      .align = declaration->align ? declaration->align : natural,
      .size = shape_bytes(parser, &shape, 0, declaration->type),
      .external = declaration->external,
      .managed = declaration->managed && declaration->space == PTX_GLOBAL,
  };
  return shape;
}

/* A body's blocks may each declare a name (every call's "param0"): one entry, the largest. */
static void add_variable(struct parser *parser, const struct ptx_variable *variable,
                         struct name *name, struct ptx_array *variables) {
  struct binding *known = name->bound[BOUND_VARIABLE];
  if (variables == &parser->body_variables && known) {
    struct ptx_variable *before = (struct ptx_variable *)variables->items + known->index;
    if (variable->size > before->size) before->size = variable->size;
    if (variable->align > before->align) before->align = variable->align;
    return;
  }
  *(struct ptx_variable *)lexer_push(parser, variables) = *variable;
  if (variables == &parser->body_variables)
    scope_bind(parser, 0, BOUND_VARIABLE, name)->index = (int)variables->count - 1;
}

void parse_variables(struct parser *parser, bool external, struct ptx_array *variables) {
  struct declaration declaration = parse_declaration(parser, external);
  do {
    struct ptx_variable variable;
    struct name *name = parser->token.name;
    struct shape shape = parse_declarator(parser, &declaration, &variable);
    if (lexer_accept(parser, '=')) parse_initialiser(parser, &variable, &shape);
    add_variable(parser, &variable, name, variables);
  } while (lexer_accept(parser, ','));
  lexer_expect(parser, ';', "';' after this declaration");
}

void parse_parameters(struct parser *parser, struct ptx_variable **params, int *count) {
  struct ptx_array *list = &parser->body_variables; /* empty between bodies */
  lexer_expect(parser, '(', "'('");
  if (parser->token.kind != ')') {
    do {
      struct ptx_variable param;
      struct declaration declaration = parse_declaration(parser, false);
      if (declaration.space != PTX_PARAM) lexer_expected(parser, "'.param'");
      parse_declarator(parser, &declaration, &param);
      *(struct ptx_variable *)lexer_push(parser, list) = param;
    } while (lexer_accept(parser, ','));
  }
  lexer_expect(parser, ')', "',' or ')' after a parameter");
  *params = lexer_keep(parser, list, count);
}
