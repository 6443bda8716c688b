/* ptx_scope.c: what a name refers to inside the braces of a function's body.
 *
 * Each name has one chain of bindings per kind, innermost first, so a look-up is one load; each
 * block has the list of those to undo at its end. Blocks come from call sequences and from inline
 * assembly, which may declare the same register or label again: "{ .reg .pred p; ... L: ... }".
 *
 * "%r<50000>" declares a range. Its registers are made when they are first named: memory then
 * follows the length of the text and not the numbers in it, and function->registers has no register
 * that nothing uses.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/ptx/ptx_parser.h"

void scope_open(struct parser *parser) {
  if (parser->depth + 1 >= MAX_BLOCKS)
    lexer_fail(parser, parser->token.line, "blocks { } nested more than %d deep", MAX_BLOCKS - 1);
  int range_depth = parser->depth >= 0 ? parser->scopes[parser->depth].range_depth : -1;
  parser->scopes[++parser->depth] = (struct scope){.range_depth = range_depth};
}

struct binding *scope_bind(struct parser *parser, int depth, enum binding_kind kind,
                           struct name *name) {
  struct binding *binding = lexer_alloc(parser, &parser->scratch, sizeof *binding);
  struct scope *scope = &parser->scopes[depth];
  *binding = (struct binding){.name = name,
                              .kind = kind,
                              .depth = depth,
                              .outer = name->bound[kind],
                              .next_in_scope = scope->bindings};
  name->bound[kind] = binding;
  scope->bindings = binding;
  return binding;
}

/* --- labels --- */

void scope_define_label(struct parser *parser, struct name *label, int line) {
  struct binding *known = label->bound[BOUND_LABEL];
  if (known && known->depth == parser->depth)
    lexer_fail(parser, line, "label '%.80s' is defined twice", label->text);
  scope_bind(parser, parser->depth, BOUND_LABEL, label)->index = (int)parser->instructions.count;
}

void scope_refer(struct parser *parser, const char *label, int line, int instruction,
                 struct ptx_operand *operand) {
  struct reference *reference = lexer_alloc(parser, &parser->scratch, sizeof *reference);
  struct scope *scope = &parser->scopes[parser->depth];
  *reference = (struct reference){scope->references, lexer_find_name(parser, label, strlen(label)),
                                  line, instruction, operand};
  scope->references = reference;
}

/* A label may be defined after the branch to it, so references are resolved at the end of their
 * block, or else at the end of the enclosing one. */
static void resolve(struct parser *parser, struct reference *reference) {
  struct binding *label = reference->label->bound[BOUND_LABEL];
  if (label && label->depth == parser->depth) {
    if (reference->instruction >= 0)
      ((struct ptx_instruction *)parser->instructions.items)[reference->instruction].target =
          label->index;
    else
      reference->operand->value = (uint64_t)label->index;
  } else if (parser->depth > 0) {
    struct scope *outer = &parser->scopes[parser->depth - 1];
    reference->next = outer->references;
    outer->references = reference;
  } else {
    lexer_fail(parser, reference->line, "label '%.80s' is not defined", reference->label->text);
  }
}

void scope_close(struct parser *parser) {
  struct scope *scope = &parser->scopes[parser->depth];
  for (struct reference *reference = scope->references, *next; reference; reference = next) {
    next = reference->next;
    resolve(parser, reference);
  }
  /* Only inner blocks can have put a binding in front of this one, and they are closed. */
  for (struct binding *binding = scope->bindings; binding; binding = binding->next_in_scope)
    binding->name->bound[binding->kind] = binding->outer;
  parser->depth--;
}

/* --- registers --- */

int scope_declare_register(struct parser *parser, int depth, struct name *name,
                           enum ptx_type type) {
  struct ptx_register *added = lexer_push(parser, &parser->registers);
  *added = (struct ptx_register){name->text, type};
  int index = (int)parser->registers.count - 1;
  scope_bind(parser, depth, BOUND_REGISTER, name)->index = index;
  return index;
}

void scope_declare_range(struct parser *parser, struct name *name, enum ptx_type type,
                         uint64_t count) {
  struct binding *known = name->bound[BOUND_RANGE];
  if (known && known->depth == parser->depth)
    lexer_fail(parser, parser->token.line, "registers '%.80s<..>' are declared twice", name->text);
  struct binding *range = scope_bind(parser, parser->depth, BOUND_RANGE, name);
  range->type = type;
  range->count = count;
  parser->scopes[parser->depth].range_depth = parser->depth;
}

/* The innermost range that declares name: "%r12" is number 12 of "%r<50>" or 2 of "%r1<5>". */
static struct binding *find_range(struct parser *parser, const struct name *name) {
  enum { MAX_DIGITS = 9 };
  struct binding *found = NULL;
  uint64_t number = 0, power = 1;
  const char *text = name->text;
  size_t prefix = name->length;
  for (int digits = 0; digits < MAX_DIGITS && prefix > 1; digits++) {
    char c = text[prefix - 1];
    if (c < '0' || c > '9') break;
    prefix--;
    number += (uint64_t)(c - '0') * power;
    power *= 10;
    if (c == '0' && digits > 0) continue; /* %r07 is no register of %r<50> */
    struct name *base = lexer_find_name(parser, text, prefix);
    struct binding *range = base ? base->bound[BOUND_RANGE] : NULL;
    while (range && number >= range->count) range = range->outer;
    if (range && (!found || range->depth > found->depth)) found = range;
  }
  return found;
}

int scope_find_register(struct parser *parser, struct name *name) {
  struct binding *known = name->bound[BOUND_REGISTER];
  if (known && known->depth >= parser->scopes[parser->depth].range_depth) return known->index;
  struct binding *range = find_range(parser, name);
  if (known && (!range || known->depth >= range->depth)) return known->index;
  /* It ends with the block of its range, not with the block that is the first to name it. */
  return range ? scope_declare_register(parser, range->depth, name, range->type) : -1;
}
