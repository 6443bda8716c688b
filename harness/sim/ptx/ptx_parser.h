/* ptx_parser.h: what the files of the PTX parser share. Internal to it; its users include ptx.h.
 *
 *   ptx_lex.c       text to tokens and names
 *   ptx.c           the module: directives, function headers; the public functions
 *   ptx_variable.c  declarations of variables and parameters, initialisers
 *   ptx_body.c      statements of a function's body, source lines
 *   ptx_operand.c   operands of an instruction
 *   ptx_scope.c     what a name stands for inside the braces of a body: registers, labels
 */
#ifndef KIT_PTX_PARSER_H
#define KIT_PTX_PARSER_H

#include "harness/sim/ptx/ptx_lex.h"

enum {
  MAX_BLOCKS = 64, /* depth of { } in a body */
  MAX_DIMENSIONS = 8,
};

/* What a name stands for. */
struct binding {
  struct name *name;
  enum binding_kind kind;
  struct binding *outer;         /* what the name stood for outside of this block */
  struct binding *next_in_scope; /* others that end with this block */
  int depth;                     /* of the block */
  int index;          /* of a register, of a variable, or of the instruction behind a label */
  enum ptx_type type; /* BOUND_RANGE: of its registers */
  uint64_t count;     /* BOUND_RANGE: registers NAME0 to NAME(count-1) */
  const struct ptx_operand *targets; /* BOUND_TARGETS: the VECTOR of labels */
};

/* A label that was named before it was known where it stands. */
struct reference {
  struct reference *next;
  struct name *label;
  int line;
  int instruction; /* whose target it is, or -1: then it is the value of this operand */
  struct ptx_operand *operand;
};

/* A block of { }, or the whole body. */
struct scope {
  struct binding *bindings;
  struct reference *references;
  int range_depth; /* of the innermost block that declares a range of registers, or -1 */
};

struct parser {
  struct lexer lexer;
  struct ptx_module *module;
  struct ptx_array variables, functions, files; /* of the module */
  struct ptx_array bytes;                       /* of an initialiser of x[] */
  size_t image_bytes;                           /* of all initialised variables so far */

  /* The function whose body is being read. */
  struct ptx_function *function;
  struct ptx_array registers, instructions, body_variables;
  struct ptx_array operands; /* a stack of unfinished lists */
  struct scope scopes[MAX_BLOCKS];
  int depth; /* scopes[depth] is the innermost */
  int main_file, main_line;
  bool merged_line; /* the last .loc had line 0 */
};

/* ptx_variable.c */

/* One declaration with its ';' from the state space on: appends its variables to an array of
 * struct ptx_variable. */
void parse_variables(struct parser *parser, bool external, struct ptx_array *variables);
/* "( .param ... , ... )", from the '(' on. */
void parse_parameters(struct parser *parser, struct ptx_variable **params, int *count);

/* ptx_body.c: from the '{' to the '}'; fills in what struct ptx_function has of a body. */
void parse_body(struct parser *parser, struct ptx_function *function);

/* ptx_operand.c: operands and the ";" after them; the result is in the module's arena. */
struct ptx_operand *parse_operands(struct parser *parser, int *count);

/* ptx_scope.c */
void scope_open(struct parser *parser);
/* Ends the innermost block: what is bound in it is forgotten, and labels named in it are looked
 * up. */
void scope_close(struct parser *parser);
/* Binds a name in the block of that depth. */
struct binding *scope_bind(struct parser *parser, int depth, enum binding_kind kind,
                           struct name *name);
void scope_declare_register(struct parser *parser, struct name *name, enum ptx_type type);
void scope_declare_range(struct parser *parser, struct name *name, enum ptx_type type,
                         uint64_t count);
/* The register of that name, or -1. */
int scope_find_register(struct parser *parser, struct name *name);
/* Here, before the next instruction, stands a label. */
void scope_define_label(struct parser *parser, struct name *label, int line);
/* Either the target of an instruction, or (instruction -1) the value of an operand, is where that
 * label will stand. */
void scope_refer(struct parser *parser, struct name *label, int line, int instruction,
                 struct ptx_operand *operand);

/* The items of a growable array as an exact one in the module's arena; empties the array. NULL if
 * there are none. */
void *parser_keep(struct parser *parser, struct ptx_array *array, int *count);

#endif
