/* params_read.c: which bytes of a kernel's parameters its code can read. A structure has padding
 * between its members, and what is there is chance: two launches that differ only there are the
 * same.
 *
 * A parameter is read under its name, or under its address: mov.b64 %rd, param; ld.param [%rd + 8].
 * As long as that address is only copied from register to register, all is known. Whatever else is
 * done with it may read any byte. Linear in the length of the code. */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/draft.h"

enum { NOT_AN_ADDRESS = -1 };

struct search {
  struct kernel *kernel;
  const struct ptx_function *function;
  int *writers;     /* by register: instructions that write it */
  int64_t *address; /* by register: the place in the parameters whose address it has */
  bool any;         /* all bytes may be read */
};

/* Where the parameter begins; NOT_AN_ADDRESS: it is none of the kernel's. */
static int64_t place_of(const struct search *s, const char *name) {
  const struct ptx_function *f = s->function;
  const struct ptx_variable *param = name ? find_variable(f->params, f->param_count, name) : NULL;
  return param ? (int64_t)s->kernel->info.params[param - f->params].offset : NOT_AN_ADDRESS;
}

static void count_writers(struct search *s, const struct ptx_operand *to) {
  if (to->kind == PTX_REG && to->reg >= 0) s->writers[to->reg]++;
  if (to->kind == PTX_VECTOR || to->kind == PTX_PAIR)
    for (int i = 0; i < to->count; i++) count_writers(s, &to->elements[i]);
}

/* The address that a mov puts into a register; NOT_AN_ADDRESS: none, or it is no mov. */
static int64_t moved_address(const struct search *s, const struct ptx_instruction *in) {
  if (!decode_is(in, "mov") || in->operand_count != 2 || in->operands[0].kind != PTX_REG)
    return NOT_AN_ADDRESS;
  const struct ptx_operand *from = &in->operands[1];
  if (from->kind == PTX_REG && from->reg >= 0) return s->address[from->reg];
  int64_t place = from->kind == PTX_SYMBOL ? place_of(s, from->name) : NOT_AN_ADDRESS;
  return place == NOT_AN_ADDRESS ? NOT_AN_ADDRESS : place + from->offset;
}

static void follow_address(struct search *s, const struct ptx_instruction *in) {
  int64_t address = moved_address(s, in);
  if (address != NOT_AN_ADDRESS && s->writers[in->operands[0].reg] == 1)
    s->address[in->operands[0].reg] = address;
}

/* Does the operand, or one of its parts, have a parameter's address? */
static bool mentions(const struct search *s, const struct ptx_operand *operand) {
  if (operand->reg >= 0 && (operand->kind == PTX_REG || operand->kind == PTX_ADDRESS) &&
      s->address[operand->reg] != NOT_AN_ADDRESS)
    return true;
  if (place_of(s, operand->name) != NOT_AN_ADDRESS) return true;
  if (operand->kind == PTX_VECTOR || operand->kind == PTX_PAIR)
    for (int i = 0; i < operand->count; i++)
      if (mentions(s, &operand->elements[i])) return true;
  return false;
}

static void note_load(struct search *s, const struct ptx_instruction *in) {
  const struct ptx_operand *to = &in->operands[0], *from = &in->operands[1];
  int64_t at = from->reg >= 0 ? s->address[from->reg] : place_of(s, from->name);
  if (at == NOT_AN_ADDRESS) {
    s->any |= from->reg >= 0; /* under a name it is no parameter of the kernel's */
    return;
  }
  size_t bytes = ptx_type_size(ptx_type_from(in->parts[in->part_count - 1])),
         room = s->kernel->info.param_bytes;
  if (to->kind == PTX_VECTOR) bytes *= (size_t)to->count;
  for (size_t i = 0; i < bytes; i++) {
    int64_t byte = at + from->offset + (int64_t)i;
    if (byte >= 0 && (uint64_t)byte < room) s->kernel->reads_param[byte] = 1;
  }
}

static void note_reads(struct search *s, const struct ptx_instruction *in) {
  if (decode_is(in, "ld") && in->operand_count == 2 && in->operands[1].kind == PTX_ADDRESS &&
      decode_part(in, "param param::entry param::func") >= 0) {
    note_load(s, in);
    return;
  }
  int64_t moved = moved_address(s, in);
  if (moved != NOT_AN_ADDRESS && s->address[in->operands[0].reg] == moved) return;
  for (int i = 0; i < in->operand_count; i++) s->any |= mentions(s, &in->operands[i]);
}

bool params_find_reads(struct kernel *kernel) {
  const struct ptx_function *f = kernel->function;
  size_t registers = (size_t)f->register_count + 1;
  struct search s = {.kernel = kernel,
                     .function = f,
                     .writers = calloc(registers, sizeof *s.writers),
                     .address = malloc(registers * sizeof *s.address)};
  bool enough = s.writers && s.address;
  for (size_t i = 0; i < registers && enough; i++) s.address[i] = NOT_AN_ADDRESS;
  for (int i = 0; i < f->instruction_count && enough; i++)
    if (f->instructions[i].operand_count > 0) count_writers(&s, &f->instructions[i].operands[0]);
  for (int i = 0; i < f->instruction_count && enough; i++) follow_address(&s, &f->instructions[i]);
  for (int i = 0; i < f->instruction_count && enough; i++) note_reads(&s, &f->instructions[i]);
  if (s.any) memset(kernel->reads_param, 1, kernel->info.param_bytes);
  free(s.writers);
  free(s.address);
  return enough;
}
