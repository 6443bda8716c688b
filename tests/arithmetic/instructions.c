/* instructions.c: the list of instructions, with their PTX and what they should answer.
 *
 * The rows of the simulator's tables come from sim_rows.h, which tests/unit/test_sim_ops.c holds
 * against those tables. Here is what it decodes by itself (decode.c: setp; decode_special.c).
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tests/arithmetic/arithmetic.h"

struct instruction instructions[MAX_INSTRUCTIONS];
int instruction_count;

/* ---- what the tables do not have ---- */

/* setp.COMPARISON[.COMBINATION].type; with a combination, the third operand's last bit goes in, and
 * the answer has p and twice q. */
ORACLE(setp) {
  const char *type = row->types[1];
  char name[8] = "";
  memcpy(name, row->opcode + 5, strcspn(row->opcode + 5, "."));
  long double x = number(type, v[0]), y = number(type, v[1]);
  bool nan = x != x || y != y, signed_less = x < y, holds;
  bool unordered = is_float(type) && strlen(name) == 3 && name[2] == 'u' && strcmp(name, "num");
  if (unordered) name[2] = 0; /* equ, neu, ltu, ... hold for NaN, too */
  if (strcmp(name, "num") == 0 || strcmp(name, "nan") == 0)
    holds = nan == (strcmp(name, "nan") == 0);
  else if (nan)
    holds = unordered;
  else if (strcmp(name, "eq") == 0 || strcmp(name, "ne") == 0)
    holds = (x == y) == (name[0] == 'e');
  else if (strcmp(name, "lt") == 0 || strcmp(name, "lo") == 0)
    holds = signed_less;
  else if (strcmp(name, "le") == 0 || strcmp(name, "ls") == 0)
    holds = x <= y;
  else if (strcmp(name, "gt") == 0 || strcmp(name, "hi") == 0)
    holds = x > y;
  else
    holds = x >= y;
  const char *combination = row->opcode + 6 + strcspn(row->opcode + 5, ".");
  bool c = v[2] & 1;
  if (strncmp(combination, "and.", 4) == 0) return (holds && c) | (!holds && c) << 1;
  if (strncmp(combination, "or.", 3) == 0) return (holds || c) | (!holds || c) << 1;
  if (strncmp(combination, "xor.", 4) == 0) return (holds != c) | (!holds != c) << 1;
  return holds;
}
/* set.COMPARISON.type.type: all ones, or 1 in a floating-point format; of pairs for each half. */
ORACLE(set) {
  struct row single = *row;
  snprintf(single.opcode, sizeof single.opcode, "setp.%s", row->opcode + 4);
  char *pair = strstr(single.types[1], "x2");
  const char *to = row->types[0];
  if (!pair) {
    if (!oracle_setp(&single, v)) return 0;
    return is_float(to) ? number_bits(to, 1) : cut(~UINT64_C(0), type_bits(to));
  }
  *pair = 0;
  uint64_t high[SOURCES] = {v[0] >> 16, v[1] >> 16},
           one = is_half(to) ? half_bits(single.types[1], 1) : 0xffff;
  return (oracle_setp(&single, v) ? one : 0) | (oracle_setp(&single, high) ? one << 16 : 0);
}
/* setp of pairs: p, and twice q */
ORACLE(setp_pair) {
  struct row single = *row;
  *strstr(single.types[1], "x2") = 0;
  uint64_t high[SOURCES] = {v[0] >> 16, v[1] >> 16};
  return oracle_setp(&single, v) | oracle_setp(&single, high) << 1;
}
ORACLE(selp) { return (void)row, v[2] & 1 ? v[0] : v[1]; }
/* All 256 tables of lop3, folded into one number. */
ORACLE(lop3) {
  uint32_t sum = 0;
  (void)row;
  for (uint32_t table = 0; table < 256; table++) {
    uint32_t d = 0;
    for (uint32_t k = 0; k < 8; k++)
      if (table >> k & 1)
        d |= (uint32_t)((k & 4 ? v[0] : ~v[0]) & (k & 2 ? v[1] : ~v[1]) & (k & 1 ? v[2] : ~v[2]));
    sum = sum * 31 + d;
  }
  return sum;
}
ORACLE(predicate) {
  bool a = v[0] & 1, b = v[1] & 1;
  switch (row->opcode[0]) {
    case 'a':
      return a && b;
    case 'o':
      return a || b;
    case 'x':
      return a != b;
    case 'n':
      return !a;
    default:
      return a;
  }
}
ORACLE(pack) {
  int bits = type_bits(row->types[1]);
  return row->types[3][0] ? cut(v[0], 16) | cut(v[1], 16) << 16 | cut(v[2], 16) << 32 | v[3] << 48
                          : cut(v[0], bits) | cut(v[1], bits) << bits;
}
/* Halves of the operand, the other way round. */
ORACLE(unpack) {
  int half = type_bits(row->types[1]) / 2;
  return v[0] >> half | v[0] << half;
}

static void add(const char *opcode, const char *types, const char *body,
                uint64_t (*oracle)(const struct row *row, const uint64_t *v)) {
  if (instruction_count == MAX_INSTRUCTIONS) die("more instructions than MAX_INSTRUCTIONS");
  struct instruction *in = &instructions[instruction_count++];
  snprintf(in->row.opcode, sizeof in->row.opcode, "%s", opcode);
  for (int k = 0; *types; k++, types += strcspn(types, " ") + (strchr(types, ' ') != NULL)) {
    memcpy(in->row.types[k], types, strcspn(types, " "));
    in->sources = k;
  }
  in->body = body;
  in->row.oracle = oracle;
}

static char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *text(const char *format, ...) {
  char *result = must_allocate(512);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(result, 512, format, arguments);
  va_end(arguments);
  return result;
}

static void add_setp(const char *comparison, const char *type) {
  char *opcode = text("setp.%s.%s", comparison, type), *types = text("u32 %s %s", type, type);
  add(opcode, types, text("%s %%p1, %%1, %%2; selp.u32 %%0, 1, 0, %%p1;", opcode), oracle_setp);
}

static void add_setp_pair(const char *comparison, const char *combination, const char *type) {
  char *opcode = text("setp.%s.%s.%s", comparison, combination, type),
       *types = text("u32 %s %s u32", type, type);
  add(opcode, types,
      text("and.b32 %%r1, %%3, 1; setp.ne.u32 %%p3, %%r1, 0; %s %%p1|%%p2, %%1, %%2, %%p3; "
           "selp.u32 %%0, 1, 0, %%p1; selp.u32 %%r1, 2, 0, %%p2; or.b32 %%0, %%0, %%r1;",
           opcode),
      oracle_setp);
}

static void add_set(const char *comparison, const char *to, const char *from) {
  add(text("set.%s.%s.%s", comparison, to, from), text("%s %s %s", to, from, from), NULL,
      oracle_set);
}

static void add_halves(const char *comparison, const char *type) {
  char *pair = text("%sx2", type), *opcode = text("setp.%s.%s", comparison, pair);
  add_setp(comparison, type);
  add_set(comparison, type, type);
  add_set(comparison, pair, pair);
  add(opcode, text("u32 %s %s", pair, pair),
      text("%s %%p1|%%p2, %%1, %%2; selp.u32 %%0, 1, 0, %%p1; selp.u32 %%r1, 2, 0, %%p2; "
           "or.b32 %%0, %%0, %%r1;",
           opcode),
      oracle_setp_pair);
}

static void add_all_lop3(void) {
  size_t room = 256 * 64, used = 0;
  char *body = must_allocate(room);
  used += (size_t)snprintf(body, room, "mov.u32 %%0, 0;");
  for (int table = 0; table < 256; table++)
    used += (size_t)snprintf(body + used, room - used,
                             "lop3.b32 %%r1, %%1, %%2, %%3, %d; mad.lo.u32 %%0, %%0, 31, %%r1;\n",
                             table);
  add("lop3.b32", "u32 u32 u32 u32", body, oracle_lop3);
}

static void add_special(void) {
  static const char *const
      all[] = {"s16", "u16", "s32", "u32", "s64", "u64"},
      *const integer[] = {"eq", "ne", "lt", "le", "gt", "ge"}, *const floating[] = {"eq",  "ne",
                                                                                    "lt",  "le",
                                                                                    "gt",  "ge",
                                                                                    "equ", "neu",
                                                                                    "ltu", "leu",
                                                                                    "gtu", "geu",
                                                                                    "num", "nan"},
      *const bits[] = {"b16", "b32", "b64"}, *const unsigned_only[] = {"lo", "ls", "hi", "hs"},
      *const combinations[] = {"and", "or", "xor"}, *const selected[] = {"b16", "u16", "s16", "b32",
                                                                         "u32", "s32", "f32", "b64",
                                                                         "u64", "s64", "f64"};
  for (size_t t = 0; t < ROWS_OF(all); t++)
    for (size_t c = 0; c < ROWS_OF(integer); c++) add_setp(integer[c], all[t]);
  for (size_t t = 0; t < ROWS_OF(bits); t++)
    for (size_t c = 0; c < 2; c++) add_setp(integer[c], bits[t]);
  for (size_t t = 1; t < ROWS_OF(all); t += 2)
    for (size_t c = 0; c < ROWS_OF(unsigned_only); c++) add_setp(unsigned_only[c], all[t]);
  for (size_t c = 0; c < ROWS_OF(floating); c++) {
    add_setp(floating[c], "f32");
    add_setp(floating[c], "f64");
    add_set(floating[c], "f32", "f32");
    add_set(floating[c], "u32", "f32");
    add_set(floating[c], "u32", "f16");
    add_set(floating[c], "u32", "f16x2");
    add_set(floating[c], "u32", "bf16x2");
    add_halves(floating[c], "f16");
    add_halves(floating[c], "bf16");
  }
  for (size_t c = 0; c < ROWS_OF(combinations); c++) {
    add_setp_pair("lt", combinations[c], "s32");
    add_setp_pair("geu", combinations[c], "f32");
  }
  for (size_t t = 0; t < ROWS_OF(selected); t++)
    add(text("selp.%s", selected[t]), text("%s %s %s u32", selected[t], selected[t], selected[t]),
        text("and.b32 %%r1, %%3, 1; setp.ne.u32 %%p1, %%r1, 0; selp.%s %%0, %%1, %%2, %%p1;",
             selected[t]),
        oracle_selp);
  add_all_lop3();
#define TO_PREDICATES                                                             \
  "and.b32 %r1, %1, 1; setp.ne.u32 %p1, %r1, 0; and.b32 %r1, %2, 1; setp.ne.u32 " \
  "%p2, %r1, 0; "
#define FROM_PREDICATE " selp.u32 %0, 1, 0, %p3;"
  add("and.pred", "u32 u32 u32", TO_PREDICATES "and.pred %p3, %p1, %p2;" FROM_PREDICATE,
      oracle_predicate);
  add("or.pred", "u32 u32 u32", TO_PREDICATES "or.pred %p3, %p1, %p2;" FROM_PREDICATE,
      oracle_predicate);
  add("xor.pred", "u32 u32 u32", TO_PREDICATES "xor.pred %p3, %p1, %p2;" FROM_PREDICATE,
      oracle_predicate);
  add("not.pred", "u32 u32 u32", TO_PREDICATES "not.pred %p3, %p1;" FROM_PREDICATE,
      oracle_predicate);
  add("mov.pred", "u32 u32 u32", TO_PREDICATES "mov.pred %p3, %p1;" FROM_PREDICATE,
      oracle_predicate);
  add("mov.b32 {}", "b32 b16 b16", "mov.b32 %0, {%1, %2};", oracle_pack);
  add("mov.b64 {}", "b64 b32 b32", "mov.b64 %0, {%1, %2};", oracle_pack);
  add("mov.b64 {4}", "b64 b16 b16 b16 b16", "mov.b64 %0, {%1, %2, %3, %4};", oracle_pack);
  add("mov.b32 from {}", "b32 b32", "mov.b32 {%rs1, %rs2}, %1; mov.b32 %0, {%rs2, %rs1};",
      oracle_unpack);
  add("mov.b64 from {}", "b64 b64", "mov.b64 {%r1, %r2}, %1; mov.b64 %0, {%r2, %r1};",
      oracle_unpack);
}

/* An approximation of a pair is taken for one value, in the upper half of both operand and answer.
 */
static void half_of_pair(struct instruction *in) {
  for (int k = 0; k < 2; k++) *strstr(in->row.types[k], "x2") = 0;
  in->body =
      text("mov.b32 %%r1, {%%1, %%1}; %s %%r1, %%r1; mov.b32 {%%rs1, %%0}, %%r1;", in->row.opcode);
}

/* Between bf16 and 8 bits, ptxas takes a register of 8 bits only. */
void instructions_make(void) {
  make_rows();
  for (int r = 0; r < row_count; r++) {
    struct instruction *in = &instructions[instruction_count++];
    in->row = rows[r];
    while (in->sources < SOURCES && rows[r].types[1 + in->sources][0]) in->sources++;
    if (in->row.close && is_pair(in->row.types[0])) half_of_pair(in);
    if (strcmp(in->row.types[0], "bf16") == 0 && type_bits(in->row.types[1]) == 8)
      in->body = text("{ .reg .b8 %%b; cvt.u8.u32 %%b, %%1; %s %%0, %%b; }", in->row.opcode);
    if (strcmp(in->row.types[1], "bf16") == 0 && type_bits(in->row.types[0]) == 8)
      in->body = text("{ .reg .b8 %%b; %s %%b, %%1; cvt.%c32.%s %%0, %%b; }", in->row.opcode,
                      in->row.types[0][0], in->row.types[0]);
  }
  add_special();
}

/* ---- PTX ---- */

struct buffer {
  char *bytes;
  size_t length, room;
};

static void put(struct buffer *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct buffer *to, const char *format, ...) {
  for (;;) {
    va_list arguments;
    va_start(arguments, format);
    size_t left = to->room - to->length;
    size_t length =
        (size_t)vsnprintf(to->bytes ? to->bytes + to->length : NULL, left, format, arguments);
    va_end(arguments);
    if (length < left) {
      to->length += length;
      return;
    }
    to->room = 2 * (to->room + length) + 4096;
    to->bytes = realloc(to->bytes, to->room);
    if (!to->bytes) die("out of memory");
  }
}

static const char *register_class(const char *type) {
  int bits = type_bits(type);
  if (is_float(type) && bits > 16) return bits == 32 ? "f" : "fd";
  return bits == 64 ? "rd" : bits == 16 ? "rs" : "r";
}
static int register_size(const char *type) { return type_bits(type) == 8 ? 32 : type_bits(type); }

/* Register 10 + k is source k, 10 the destination. */
static void put_operand(struct buffer *to, const struct instruction *in, int k) {
  put(to, "%%%s%d", register_class(in->row.types[k]), 10 + k);
}

static void put_body(struct buffer *to, const struct instruction *in) {
  if (!in->body) {
    put(to, "%s ", in->row.opcode);
    for (int k = 0; k <= in->sources; k++) {
      if (k) put(to, ", ");
      put_operand(to, in, k);
    }
    put(to, ";");
    return;
  }
  for (const char *at = in->body; *at; at++) {
    if (*at == '%' && at[1] >= '0' && at[1] <= '9')
      put_operand(to, in, *++at - '0');
    else
      put(to, "%c", *at);
  }
}

char *instructions_module(int first, int end) {
  struct buffer to = {0};
  put(&to, ".version 8.0\n.target sm_90\n.address_size 64\n");
  for (int i = first; i < end; i++) {
    const struct instruction *in = &instructions[i];
    put(&to, ".visible .entry k%d(", i);
    for (int k = 1; k <= in->sources; k++) put(&to, ".param .u64 p%d, ", k);
    put(&to,
        ".param .u64 p0, .param .u64 count)\n{\n.reg .pred %%p<5>; .reg .b16 %%rs<16>; "
        ".reg .b32 %%r<16>; .reg .b64 %%rd<16>; .reg .f32 %%f<16>; .reg .f64 %%fd<16>;\n"
        "mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x; mov.u32 %%r3, %%ntid.x;\n"
        "mad.lo.u32 %%r1, %%r2, %%r3, %%r1; cvt.u64.u32 %%rd1, %%r1; ld.param.u64 %%rd2, [count];\n"
        "setp.ge.u64 %%p1, %%rd1, %%rd2; @%%p1 bra end%d; shl.b64 %%rd1, %%rd1, 3;\n",
        i);
    for (int k = 1; k <= in->sources; k++)
      put(&to,
          "ld.param.u64 %%rd2, [p%d]; add.s64 %%rd2, %%rd2, %%rd1; ld.global.b%d %%%s%d, "
          "[%%rd2];\n",
          k, register_size(in->row.types[k]), register_class(in->row.types[k]), 10 + k);
    put_body(&to, in);
    put(&to, "\nld.param.u64 %%rd2, [p0]; add.s64 %%rd2, %%rd2, %%rd1; st.global.b%d [%%rd2], ",
        register_size(in->row.types[0]));
    put_operand(&to, in, 0);
    put(&to, ";\nend%d: ret;\n}\n", i);
  }
  return to.bytes;
}

/* ---- answers ---- */

uint64_t instruction_expected(const struct instruction *in, const uint64_t *v) {
  return answer_cut(in, row_answer(&in->row, v));
}

long double instruction_exact(const struct instruction *in, const uint64_t *v) {
  const char *opcode = in->row.opcode;
  long double x = number(in->row.types[1], v[0]);
  if (strncmp(opcode, "div", 3) == 0) return x / number(in->row.types[2], v[1]);
  if (strncmp(opcode, "rcp", 3) == 0) return 1 / x;
  if (strncmp(opcode, "sqrt", 4) == 0) return sqrtl(x);
  if (strncmp(opcode, "rsqrt", 5) == 0) return 1 / sqrtl(x);
  if (strncmp(opcode, "sin", 3) == 0) return sinl(x);
  if (strncmp(opcode, "cos", 3) == 0) return cosl(x);
  if (strncmp(opcode, "lg2", 3) == 0) return log2l(x);
  if (strncmp(opcode, "ex2", 3) == 0) return exp2l(x);
  if (strncmp(opcode, "tanh", 4) == 0) return tanhl(x);
  die("%s is no approximation", opcode);
}
