/* params_read.c: which bytes of a kernel's parameters its code can read. A structure has padding
 * between its members, and what is there is chance: two launches that differ only there are the
 * same.
 *
 * A parameter is read under its name, or under an address: mov.b64 %rd1, param; ld.param.u64 %rd2,
 * [%rd1 + 8]; and of an array of structures, with a multiple of their size added. So each register
 * is given a remainder and a modulus that all of its values have in common, over all instructions
 * that write it (Granger, "Static Analysis of Arithmetical Congruences", 1989): its values are
 * base + i * modulus. Whatever else is done with an address may read any byte.
 *
 * A sum or product that may wrap around leaves only the power of 2 in its modulus. The others are
 * those of small constants: no loop can be so long. */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/draft.h"

enum { SMALL = 1 << 16, MAX_PASSES = 16 };
enum kind { NOT_WRITTEN, NUMBER, ADDRESS }; /* ADDRESS: in the parameters, from their beginning */

struct value {
  enum kind kind;
  uint64_t base, modulus; /* 0: base alone */
};

static const struct value any_number = {NUMBER, 0, 1};

struct search {
  struct kernel *kernel;
  const struct ptx_function *function;
  struct value *values; /* by register */
  bool changed;
  bool any; /* all bytes may be read */
};

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b, b = rest;
  }
  return a;
}

static struct value reduced(struct value v) {
  if (v.modulus) v.base %= v.modulus;
  return v;
}

/* The value where it may have wrapped around at 2^bits. */
static struct value wrapped(struct value v, int bits) {
  if (v.kind == NOT_WRITTEN) return v;
  if (bits < 64) return v.modulus = gcd(v.modulus, UINT64_C(1) << bits), reduced(v);
  v.modulus &= -v.modulus;
  return reduced(v);
}

static struct value either(struct search *s, struct value a, struct value b) {
  if (a.kind == NOT_WRITTEN) return b;
  if (b.kind == NOT_WRITTEN) return a;
  s->any |= a.kind != b.kind;
  uint64_t apart = a.base > b.base ? a.base - b.base : b.base - a.base;
  a.modulus = gcd(gcd(a.modulus, b.modulus), apart);
  return reduced(a);
}

static struct value sum(struct search *s, struct value a, struct value b) {
  if (a.kind == NOT_WRITTEN || b.kind == NOT_WRITTEN) return (struct value){0};
  s->any |= a.kind == ADDRESS && b.kind == ADDRESS;
  if (b.kind == ADDRESS) a.kind = ADDRESS;
  a.base += b.base;
  a.modulus = gcd(a.modulus, b.modulus);
  return reduced(a);
}

static struct value negated(struct search *s, struct value v) {
  s->any |= v.kind == ADDRESS;
  v.base = v.modulus ? v.modulus - v.base % v.modulus : -v.base;
  return reduced(v);
}

static bool is_small(struct value v) {
  return v.kind != NOT_WRITTEN && v.modulus == 0 && (v.base < SMALL || -v.base < SMALL);
}

static struct value product(struct search *s, struct value a, struct value b) {
  if (a.kind == NOT_WRITTEN || b.kind == NOT_WRITTEN) return (struct value){0};
  s->any |= a.kind == ADDRESS || b.kind == ADDRESS;
  if (!is_small(b) || b.base >= SMALL || a.modulus > UINT32_MAX) return any_number;
  return reduced((struct value){NUMBER, a.base * b.base, a.modulus * b.base});
}

/* Where the parameter begins; -1: it is none of the kernel's. */
static int64_t place_of(const struct search *s, const char *name) {
  const struct ptx_function *f = s->function;
  const struct ptx_variable *param = name ? find_variable(f->params, f->param_count, name) : NULL;
  return param ? (int64_t)s->kernel->info.params[param - f->params].offset : -1;
}

static struct value value_of(const struct search *s, const struct ptx_operand *operand) {
  if (operand->kind == PTX_REG && operand->reg >= 0) return s->values[operand->reg];
  if (operand->kind == PTX_INT) return (struct value){NUMBER, operand->value, 0};
  int64_t place = operand->kind == PTX_SYMBOL ? place_of(s, operand->name) : -1;
  return place < 0 ? any_number : (struct value){ADDRESS, (uint64_t)(place + operand->offset), 0};
}

/* Does the operand, or one of its parts, have a parameter's address? */
static bool mentions(const struct search *s, const struct ptx_operand *operand) {
  if (operand->reg >= 0 && (operand->kind == PTX_REG || operand->kind == PTX_ADDRESS) &&
      s->values[operand->reg].kind == ADDRESS)
    return true;
  if (place_of(s, operand->name) >= 0) return true;
  if (operand->kind == PTX_VECTOR || operand->kind == PTX_PAIR)
    for (int i = 0; i < operand->count; i++)
      if (mentions(s, &operand->elements[i])) return true;
  return false;
}

/* Is it one of the instructions that result_of() follows? */
static bool is_known(const struct ptx_instruction *in) {
  static const struct {
    const char *name;
    int parts, operands;
  } all[] = {{"mov", 2, 2}, {"add", 2, 3}, {"sub", 2, 3},
             {"shl", 2, 3}, {"mul", 3, 3}, {"mad", 3, 4}};
  enum ptx_type type = ptx_type_from(in->parts[in->part_count - 1]);
  bool known = false;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    known |= decode_is(in, all[i].name) && in->part_count == all[i].parts &&
             in->operand_count == all[i].operands;
  known = known && type >= PTX_B8 && type <= PTX_S64 && ptx_type_size(type) >= 4;
  if (in->part_count == 3) known = known && (decode_has(in, "wide") || decode_has(in, "lo"));
  for (int i = 0; i < in->operand_count; i++)
    known = known &&
            (in->operands[i].kind == PTX_REG ||
             (i > 0 && (in->operands[i].kind == PTX_INT || in->operands[i].kind == PTX_SYMBOL)));
  return known;
}

/* What the instruction writes, from what it reads. */
static struct value result_of(struct search *s, const struct ptx_instruction *in) {
  const struct ptx_operand *operand = in->operands;
  size_t size = ptx_type_size(ptx_type_from(in->parts[in->part_count - 1]));
  bool wide = decode_has(in, "wide"), known = is_known(in);
  int bits = wide ? 64 : 8 * (int)size;
  struct value a = known ? value_of(s, &operand[1]) : any_number,
               b = known && in->operand_count > 2 ? value_of(s, &operand[2]) : any_number,
               c = known && in->operand_count > 3 ? value_of(s, &operand[3]) : any_number;
  if (known && decode_is(in, "mov")) return a;
  if (known && decode_is(in, "sub")) b = negated(s, b);
  if (known && (decode_is(in, "add") || decode_is(in, "sub"))) {
    bool exact = bits == 64 && (is_small(a) || is_small(b));
    return exact ? sum(s, a, b) : wrapped(sum(s, a, b), bits);
  }
  if (known && decode_is(in, "shl") && is_small(b) && b.base < 16)
    return wrapped(product(s, a, (struct value){NUMBER, UINT64_C(1) << b.base, 0}), bits);
  if (known && !decode_is(in, "shl")) { /* mul, mad */
    struct value all = wide ? product(s, wrapped(a, 32), b) : wrapped(product(s, a, b), bits);
    if (decode_is(in, "mul")) return all;
    return bits == 64 && is_small(c) ? sum(s, all, c) : wrapped(sum(s, all, c), bits);
  }
  for (int i = 0; i < in->operand_count; i++)
    s->any |= (i > 0 || operand[i].kind != PTX_REG) && mentions(s, &operand[i]);
  return any_number;
}

static void write_value(struct search *s, const struct ptx_operand *to, struct value value) {
  if (to->kind == PTX_VECTOR || to->kind == PTX_PAIR)
    for (int i = 0; i < to->count; i++) write_value(s, &to->elements[i], any_number);
  if (to->kind != PTX_REG || to->reg < 0) return;
  struct value *old = &s->values[to->reg], now = either(s, *old, value);
  s->changed |= now.kind != old->kind || now.base != old->base || now.modulus != old->modulus;
  *old = now;
}

static bool loads_param(const struct ptx_instruction *in) {
  return decode_is(in, "ld") && in->operand_count == 2 && in->operands[1].kind == PTX_ADDRESS &&
         decode_part(in, "param param::entry param::func") >= 0;
}

static void note_load(struct search *s, const struct ptx_instruction *in) {
  const struct ptx_operand *to = &in->operands[0], *from = &in->operands[1];
  int64_t place = place_of(s, from->name);
  if (from->reg < 0 && place < 0) return; /* it is no parameter of the kernel's */
  struct value at =
      from->reg >= 0 ? s->values[from->reg] : (struct value){ADDRESS, (uint64_t)place, 0};
  size_t bytes = ptx_type_size(ptx_type_from(in->parts[in->part_count - 1])),
         room = s->kernel->info.param_bytes;
  if (to->kind == PTX_VECTOR) bytes *= (size_t)to->count;
  s->any |= at.kind != ADDRESS;
  at.base += (uint64_t)from->offset;
  at = reduced(at);
  for (uint64_t first = at.base; first < room; first += at.modulus) {
    for (size_t i = first; i < first + bytes && i < room; i++) s->kernel->reads_param[i] = 1;
    if (at.modulus == 0) break;
  }
}

bool params_find_reads(struct kernel *kernel) {
  const struct ptx_function *f = kernel->function;
  struct search s = {.kernel = kernel,
                     .function = f,
                     .values = calloc((size_t)f->register_count + 1, sizeof *s.values),
                     .changed = true};
  if (!s.values) return false;
  for (int pass = 0; s.changed && !s.any; pass++) {
    s.changed = false;
    s.any = pass == MAX_PASSES;
    for (int i = 0; i < f->instruction_count && !s.any; i++) {
      const struct ptx_instruction *in = &f->instructions[i];
      if (in->operand_count > 0)
        write_value(&s, &in->operands[0], loads_param(in) ? any_number : result_of(&s, in));
    }
  }
  for (int i = 0; i < f->instruction_count && !s.any; i++)
    if (loads_param(&f->instructions[i])) note_load(&s, &f->instructions[i]);
  if (s.any) memset(kernel->reads_param, 1, kernel->info.param_bytes);
  free(s.values);
  return true;
}
