/* ptx_variable.c: declarations of variables and parameters, and their initialisers.
 *
 *     .visible .const .align 4 .b8 table[2][3] = {{1, 2}, {3}};
 *     .param .u64 .ptr .global .align 4 kernel_param_0
 */
#include <limits.h>
#include <string.h>

#include "harness/sim/ptx/ptx_parser.h"

/* Sizes above these are no variable of a program that could run; they keep sums of sizes from
 * overflowing, and images from being a way to ask for any amount of memory. */
#define MAX_VARIABLE_BYTES ((size_t)1 << 40)
#define MAX_IMAGE_BYTES ((size_t)256 << 20) /* of a module */
enum { MAX_ALIGN = 1 << 16 };

/* What the parts of a declaration before its names say. */
struct declaration {
  enum ptx_space space;
  enum ptx_type type;
  size_t align;    /* 0: that of the type */
  size_t elements; /* of a vector; 1: none */
  bool external;
};

struct shape {
  size_t dims[MAX_DIMENSIONS + 1]; /* a vector's elements come last */
  int count;
  bool open; /* the first is [] */
};

static size_t parse_align(struct lexer *lexer) {
  size_t align = lexer_expect_int(lexer, MAX_ALIGN, "an alignment");
  if (align == 0 || (align & (align - 1)) != 0)
    lexer_fail(lexer, lexer->token.line, "alignment %zu is not a power of two", align);
  return align;
}

/* ".ptr .global .align 4" says where a pointer points: nothing about the variable itself. */
static void skip_pointee(struct lexer *lexer) {
  while (lexer->token.kind == TOKEN_DIRECTIVE) {
    enum keyword keyword = lexer->token.name->keyword;
    if (keyword != KEY_SPACE && keyword != KEY_ALIGN) return;
    lexer_next(lexer);
    if (keyword == KEY_ALIGN) parse_align(lexer);
  }
}

/* One of the directives before the names. */
static void parse_part(struct lexer *lexer, struct declaration *declaration) {
  struct name *part = lexer->token.name;
  int value = part->keyword_value;
  lexer_next(lexer);
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
      declaration->align = parse_align(lexer);
      break;
    case KEY_PTR:
      skip_pointee(lexer);
      break;
    case KEY_ATTRIBUTE:
      if (lexer->token.kind != '(') lexer_expected(lexer, "'('");
      lexer_skip_group(lexer);
      break;
    default:
      lexer_fail(lexer, lexer->token.line, "'%.80s' is not known in a declaration", part->text);
  }
}

static struct declaration parse_declaration(struct lexer *lexer, bool external) {
  struct declaration declaration = {.elements = 1, .external = external};
  while (lexer->token.kind == TOKEN_DIRECTIVE) parse_part(lexer, &declaration);
  if (declaration.type == PTX_NONE || declaration.type == PTX_PRED)
    lexer_expected(lexer, "a type of one or more bytes");
  return declaration;
}

static struct shape parse_shape(struct lexer *lexer, const struct declaration *declaration) {
  struct shape shape = {.count = 0};
  while (lexer_accept(lexer, '[')) {
    if (shape.count == MAX_DIMENSIONS)
      lexer_fail(lexer, lexer->token.line, "array of more than %d dimensions", MAX_DIMENSIONS);
    if (shape.count == 0 && lexer_accept(lexer, ']')) {
      shape.open = true;
      shape.dims[shape.count++] = 0;
      continue;
    }
    shape.dims[shape.count++] = lexer_expect_int(lexer, MAX_VARIABLE_BYTES, "the size of an array");
    lexer_expect(lexer, ']', "']'");
  }
  if (declaration->elements > 1) shape.dims[shape.count++] = declaration->elements;
  return shape;
}

/* Bytes of the dimensions from first on: of a whole array, a row, an element. */
static size_t shape_bytes(struct lexer *lexer, const struct shape *shape, int first,
                          enum ptx_type type) {
  size_t bytes = ptx_type_size(type);
  for (int i = first; i < shape->count; i++)
    if (__builtin_mul_overflow(bytes, shape->dims[i], &bytes) || bytes > MAX_VARIABLE_BYTES)
      lexer_fail(lexer, lexer->token.line, "array of more than 2^40 bytes");
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
    uint32_t bits;
    float value;
  } single = {.bits = (uint32_t)token->value};
  union {
    uint64_t bits;
    double value;
  } number = {.bits = token->value};
  if (token->kind == TOKEN_INT && type != PTX_F32 && type != PTX_F64)
    return negative ? 0 - token->value : token->value;
  /* Bits of a float in a .b32 are meant as they are. */
  if (token->kind == TOKEN_FLOAT32 && type != PTX_F64)
    return single.bits ^ (uint32_t)negative << 31;
  if (token->kind == TOKEN_FLOAT64 && type != PTX_F32)
    return number.bits ^ (uint64_t)negative << 63;
  if (token->kind == TOKEN_INT) number.value = (double)token->value;
  if (token->kind == TOKEN_FLOAT32) number.value = single.value;
  if (negative) number.value = -number.value;
  if (type == PTX_F64) return number.bits;
  single.value = (float)number.value;
  return single.bits;
}

/* "table", "generic(table)+8", "0xFF00(table)", "mask(generic(f)+4)": an address. Where things lie
 * is not known here, and struct ptx_variable has no place for it: these bytes stay 0. */
static void skip_address(struct lexer *lexer) {
  lexer_next(lexer);
  if (lexer->token.kind == '(') lexer_skip_group(lexer);
  while (lexer->token.kind == '+' || lexer->token.kind == '-') {
    lexer_next(lexer);
    lexer_accept(lexer, '-');
    lexer_expect_int(lexer, UINT64_MAX, "an offset");
  }
}

static uint64_t parse_element(struct lexer *lexer, enum ptx_type type) {
  if (lexer->token.kind == TOKEN_NAME) {
    skip_address(lexer);
    return 0;
  }
  bool negative = lexer_accept(lexer, '-');
  int kind = lexer->token.kind;
  if (kind != TOKEN_INT && kind != TOKEN_FLOAT32 && kind != TOKEN_FLOAT64)
    lexer_expected(lexer, "a number or a name in this initialiser");
  uint64_t bits = number_bits(&lexer->token, type, negative);
  lexer_next(lexer);
  if (lexer->token.kind != '(') return bits;
  lexer_skip_group(lexer);
  return 0;
}

static void put_element(struct parser *parser, struct initialiser *initialiser, uint64_t bits) {
  size_t size = ptx_type_size(initialiser->type);
  if (!initialiser->image) {
    for (size_t i = 0; i < size; i++)
      *(unsigned char *)lexer_push(&parser->lexer, &parser->bytes) = (unsigned char)(bits >> i * 8);
    return;
  }
  if (initialiser->at + size > initialiser->size)
    lexer_fail(&parser->lexer, parser->lexer.token.line, "more initialisers than elements");
  for (size_t i = 0; i < size; i++)
    initialiser->image[initialiser->at + i] = (unsigned char)(bits >> i * 8);
  initialiser->at += size;
}

/* From behind a '{' to its '}'. The depth of recursion is that of the shape. What a row does not
 * name is zero. */
static void parse_list(struct parser *parser, struct initialiser *initialiser, int level) {
  struct lexer *lexer = &parser->lexer;
  size_t start = initialiser->at;
  do {
    if (lexer->token.kind == '{' && level + 1 < initialiser->shape.count && initialiser->image) {
      lexer_next(lexer);
      parse_list(parser, initialiser, level + 1);
    } else {
      put_element(parser, initialiser, parse_element(lexer, initialiser->type));
    }
  } while (lexer_accept(lexer, ','));
  lexer_expect(lexer, '}', "',' or '}' in this initialiser");
  if (!initialiser->image) return;
  size_t end = start + shape_bytes(lexer, &initialiser->shape, level, initialiser->type);
  if (initialiser->at > end)
    lexer_fail(lexer, lexer->token.line, "more initialisers than elements");
  initialiser->at = end;
}

static unsigned char *new_image(struct parser *parser, size_t size) {
  parser->image_bytes += size;
  if (parser->image_bytes > MAX_IMAGE_BYTES)
    lexer_fail(&parser->lexer, parser->lexer.token.line,
               "more than %zu bytes of initialised variables", MAX_IMAGE_BYTES);
  return lexer_alloc(&parser->lexer, parser->lexer.arena, size);
}

/* From behind the '='. */
static void parse_initialiser(struct parser *parser, struct ptx_variable *variable,
                              const struct shape *shape) {
  struct lexer *lexer = &parser->lexer;
  struct initialiser initialiser = {
      .type = variable->type, .shape = *shape, .size = variable->size};
  if (!shape->open) initialiser.image = new_image(parser, variable->size);
  parser->bytes.count = 0;
  if (lexer_accept(lexer, '{')) {
    if (!lexer_accept(lexer, '}')) parse_list(parser, &initialiser, 0);
  } else {
    put_element(parser, &initialiser, parse_element(lexer, variable->type));
  }
  if (shape->open) {
    variable->size = parser->bytes.count;
    initialiser.image = new_image(parser, variable->size);
    if (variable->size > 0) memcpy(initialiser.image, parser->bytes.items, variable->size);
  }
  variable->init = initialiser.image;
}

/* --- declarations --- */

/* One name with its dimensions: "x[3][4]". */
static struct shape parse_declarator(struct lexer *lexer, const struct declaration *declaration,
                                     struct ptx_variable *variable) {
  struct name *name = lexer_expect_name(lexer, "the name of a variable");
  struct shape shape = parse_shape(lexer, declaration);
  size_t natural = ptx_type_size(declaration->type) * declaration->elements;
  *variable = (struct ptx_variable){
      .name = name->text,
      .space = declaration->space,
      .type = declaration->type,
      .align = declaration->align ? declaration->align : natural,
      .size = shape_bytes(lexer, &shape, 0, declaration->type),
      .external = declaration->external,
  };
  return shape;
}

/* A body may declare a name in one block after the other ("param0" of every call): one entry, the
 * largest. */
static void add_variable(struct parser *parser, const struct ptx_variable *variable,
                         struct name *name, struct ptx_array *variables) {
  struct binding *known = name->bound[BOUND_VARIABLE];
  if (variables == &parser->body_variables && known) {
    struct ptx_variable *before = (struct ptx_variable *)variables->items + known->index;
    if (variable->size > before->size) before->size = variable->size;
    if (variable->align > before->align) before->align = variable->align;
    return;
  }
  *(struct ptx_variable *)lexer_push(&parser->lexer, variables) = *variable;
  if (variables == &parser->body_variables)
    scope_bind(parser, 0, BOUND_VARIABLE, name)->index = (int)variables->count - 1;
}

void parse_variables(struct parser *parser, bool external, struct ptx_array *variables) {
  struct lexer *lexer = &parser->lexer;
  struct declaration declaration = parse_declaration(lexer, external);
  do {
    struct ptx_variable variable;
    struct name *name = lexer->token.name;
    struct shape shape = parse_declarator(lexer, &declaration, &variable);
    if (lexer_accept(lexer, '=')) parse_initialiser(parser, &variable, &shape);
    add_variable(parser, &variable, name, variables);
  } while (lexer_accept(lexer, ','));
  lexer_expect(lexer, ';', "';' after this declaration");
}

void parse_parameters(struct parser *parser, struct ptx_variable **params, int *count) {
  struct lexer *lexer = &parser->lexer;
  struct ptx_array *list = &parser->body_variables; /* empty between bodies */
  lexer_expect(lexer, '(', "'('");
  if (lexer->token.kind != ')') {
    do {
      struct ptx_variable param;
      struct declaration declaration = parse_declaration(lexer, false);
      if (declaration.space != PTX_PARAM) lexer_expected(lexer, "'.param'");
      parse_declarator(lexer, &declaration, &param);
      *(struct ptx_variable *)lexer_push(lexer, list) = param;
    } while (lexer_accept(lexer, ','));
  }
  lexer_expect(lexer, ')', "',' or ')' after a parameter");
  *params = parser_keep(parser, list, count);
}
