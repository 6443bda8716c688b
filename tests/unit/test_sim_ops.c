/* test_sim_ops.c: every arithmetic instruction of the simulator against sim_oracle.h, on edge
 * values and random ones, for each instruction set that exec.c is compiled for: alone, in a
 * divergent branch, under a guard, and onto its own source.
 * test-all: under sanitizers; the other run, which make test has, is of the same code. */
#include "tests/unit/sim_device.h"
#include "tests/unit/sim_rows.h"

#include "harness/sim/exec/machine.h"

enum { VALUES = 3072, FORMS = 4 };

static int set_up(void **state) {
  (void)state;
  make_rows();
  return 0;
}

/* ---- values ---- */

static const uint64_t integer_edges[] = {0,
                                         1,
                                         2,
                                         3,
                                         7,
                                         10,
                                         31,
                                         32,
                                         0x7f,
                                         0x80,
                                         0xff,
                                         0x100,
                                         0x7fff,
                                         0x8000,
                                         0xffff,
                                         0x10000,
                                         0x7fffff,
                                         0x800000,
                                         0x1000000,
                                         0x7fffffff,
                                         0x80000000,
                                         0xffffffff,
                                         0x100000000,
                                         0x5555555555555555,
                                         0xaaaaaaaaaaaaaaaa,
                                         INT64_MAX,
                                         (uint64_t)INT64_MIN,
                                         (uint64_t)INT64_MIN + 1,
                                         (uint64_t)-1,
                                         (uint64_t)-2,
                                         (uint64_t)-10,
                                         (uint64_t)-128,
                                         (uint64_t)-129,
                                         (uint64_t)-32768};
static const uint32_t counts[] = {0,  1,  2,  7,  8,  15,  16,  17,        31,
                                  32, 33, 63, 64, 65, 255, 256, 0xffffffff};
static const double float_edges[] = {0.0,
                                     -0.0,
                                     1,
                                     -1,
                                     0.5,
                                     -0.5,
                                     1.5,
                                     2.5,
                                     -2.5,
                                     3.5,
                                     0x1.fffffep-2,
                                     -0x1.fffffep-2,
                                     0x1.fffffep-1,
                                     0x1.000002p0,
                                     8388607.5,
                                     8388608.5,
                                     8388609,
                                     4503599627370495.5,
                                     16777216,
                                     16777217,
                                     33554433,
                                     (double)INFINITY,
                                     -(double)INFINITY,
                                     (double)NAN,
                                     0x1.fffffep127,
                                     -0x1.fffffep127,
                                     0x1.fffffffp127,
                                     0x1.ffffffp127,
                                     0x1p-126,
                                     -0x1p-126,
                                     0x1p-149,
                                     -0x1p-149,
                                     0x1.fffffcp-127,
                                     0x1p-150,
                                     0x1.8p-149,
                                     0x1.000001p0,
                                     0x1.000003p0,
                                     0x1.0000010000001p0,
                                     2147483647,
                                     2147483648.,
                                     -2147483648.,
                                     -2147483649.,
                                     2147483647.5,
                                     4294967295.,
                                     4294967296.,
                                     4294967295.5,
                                     0x1p63,
                                     -0x1p63,
                                     0x1.fffffep62,
                                     0x1p64,
                                     0x1.fffffffffffffp63,
                                     32767.5,
                                     -32768.5,
                                     65535.5,
                                     65536,
                                     127.5,
                                     255.5,
                                     -0.99999994,
                                     3.14159274,
                                     1e-30,
                                     1e30,
                                     1e10,
                                     1e-10,
                                     0x1.fffffffffffffp1023,
                                     0x1p-1022,
                                     0x1p-1074,
                                     0x1p-24,
                                     -0x1p-24,
                                     0x1p-60,
                                     -0x1p-60};

static uint64_t edge_value(const char *type, unsigned i) {
  if (type[0] == 'n') return counts[i % LENGTH(counts)];
  if (type[0] == 'p') return counts[i % (LENGTH(counts) - 2)]; /* up to 255 */
  if (!is_float(type)) return integer_edges[i % LENGTH(integer_edges)];
  if (is_pair(type)) return edge_value("f16", i * 5 + 1) << 16 | edge_value("f16", i);
  double x = float_edges[i % LENGTH(float_edges)];
  if (is_half(type)) return half_bits(type, x);
  return type[1] == '3' ? float_bits((float)x) : double_bits(x);
}

static uint64_t random_value(const char *type, struct sim_random *random) {
  uint64_t bits = sim_next(random);
  if (type[0] == 'n' || type[0] == 'p') return sim_below(random, 80);
  if (is_pair(type)) return random_value("f16", random) << 16 | random_value("f16", random);
  if (is_float(type) && bits & 1) { /* of middling size */
    double x = ((double)(bits >> 11) / 0x1p52 - 1) * ldexp(1, (int)sim_below(random, 40) - 8);
    if (is_half(type)) return half_bits(type, x);
    return type[1] == '3' ? float_bits((float)x) : double_bits(x);
  }
  return (bits & 6) == 0 ? bits >> (bits >> 3 & 63) : bits; /* small ones, too */
}

/* Operand k of a type: first, with the others, pairs of edges in all combinations, then a mixture.
 * Upper bits are garbage. */
static void make_values(const char *type, int k, uint64_t *values) {
  struct sim_random random = {(uint64_t)k * 1000 + (unsigned char)type[0] * 64u +
                              (unsigned)type_bits(type)};
  for (unsigned i = 0; i < VALUES; i++) {
    unsigned edge = k == 0 ? i / 48 : k == 1 ? i % 48 : i * 7 + (unsigned)k * 5 + i / 48;
    if (i >= 2304) edge = sim_below(&random, 1000);
    values[i] = i < 2304 || sim_below(&random, 4) == 0 ? edge_value(type, edge)
                                                       : random_value(type, &random);
    int bits = type_bits(type);
    if (bits < 64) values[i] = cut(values[i], bits) | sim_next(&random) << bits;
  }
}

/* ---- the kernels ---- */

struct text {
  char *bytes;
  size_t length, room;
};

static void __attribute__((format(printf, 2, 3))) put(struct text *text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int length = vsnprintf(text->bytes + text->length, text->room - text->length, format, args);
  va_end(args);
  assert_true(length >= 0 && text->length + (size_t)length < text->room);
  text->length += (size_t)length;
}

static const char *register_class(const char *type) {
  int bits = type_bits(type);
  if (is_float(type) && bits > 16) return bits == 32 ? "%f" : "%fd";
  return bits == 64 ? "%rd" : bits == 16 ? "%rs" : "%r";
}
static int register_bits(const char *type) { return type_bits(type) == 8 ? 32 : type_bits(type); }

static const uint32_t left_out = 0x9a5f1326; /* lanes that a branch or a guard leaves out */
static const uint64_t marker = UINT64_C(0x5a5b5c5d5a5b5c5d);

static void put_operation(struct text *text, const struct row *row, int to, int first) {
  put(text, "%s %s%d", row->opcode, register_class(row->types[0]), to);
  for (int k = 1; k <= SOURCES && row->types[k][0]; k++)
    put(text, ", %s%d", register_class(row->types[k]), k == 1 ? first : 10 + k);
  put(text, ";\n");
}

static void put_store(struct text *text, const struct row *row, int form) {
  put(text, "st.global.b%d [%%rd5+%d], %s%d;\n", register_bits(row->types[0]), 8 * form,
      register_class(row->types[0]), 20 + form);
}

static bool same_class(const struct row *row) {
  return strcmp(register_class(row->types[0]), register_class(row->types[1])) == 0;
}

/* Register 10 + k holds source k, 20 + form the result of a form. */
static void put_kernel(struct text *text, int number) {
  const struct row *row = &rows[number];
  const char *class = register_class(row->types[0]);
  int bits = register_bits(row->types[0]);
  put(text,
      ".visible .entry k%d(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3, "
      ".param .u64 out)\n{\n.reg .pred %%p<3>; .reg .b16 %%rs<30>; .reg .b32 %%r<30>; .reg .b64 "
      "%%rd<30>;\n"
      ".reg .f32 %%f<30>; .reg .f64 %%fd<30>;\n"
      "mov.u32 %%r0, %%tid.x; mov.u32 %%r1, %%ctaid.x; mov.u32 %%r2, %%ntid.x;\n"
      "mad.lo.s32 %%r0, %%r1, %%r2, %%r0; mul.wide.u32 %%rd4, %%r0, 8; mul.wide.u32 %%rd5, %%r0, "
      "32;\n"
      "ld.param.u64 %%rd6, [out]; add.s64 %%rd5, %%rd5, %%rd6;\n"
      "mov.u32 %%r3, %%laneid; mov.u32 %%r4, %u; shr.u32 %%r4, %%r4, %%r3; and.b32 %%r4, %%r4, 1;\n"
      "setp.ne.s32 %%p1, %%r4, 0;\n",
      number, left_out);
  for (int k = 1; k <= SOURCES && row->types[k][0]; k++)
    put(text,
        "ld.param.u64 %%rd%d, [p%d]; add.s64 %%rd%d, %%rd%d, %%rd4; ld.global.b%d %s%d, "
        "[%%rd%d];\n",
        k - 1, k - 1, k - 1, k - 1, register_bits(row->types[k]), register_class(row->types[k]),
        10 + k, k - 1);
  for (int form = 1; form < 4; form++)
    put(text, "mov.b%d %s%d, 0x%llx;\n", bits, class, 20 + form,
        (unsigned long long)cut(marker, bits));
  put_operation(text, row, 20, 11);
  put_store(text, row, 0);
  put(text, "@%%p1 bra skip%d;\n", number);
  put_operation(text, row, 21, 11);
  put(text, "skip%d:\n", number);
  put_store(text, row, 1);
  put(text, "@!%%p1 ");
  put_operation(text, row, 22, 11);
  put_store(text, row, 2);
  if (same_class(row)) {
    put(text, "mov.b%d %s23, %s11;\n", bits, class, class);
    put(text, "@!%%p1 ");
    put_operation(text, row, 23, 23);
  } else {
    put_operation(text, row, 23, 11);
  }
  put_store(text, row, 3);
  put(text, "ret;\n}\n");
}

/* ---- running and comparing ---- */

static bool agrees(const struct row *row, uint64_t got, uint64_t expected) {
  if (got == expected) return true;
  if (is_pair(row->types[0])) {
    struct row single = *row;
    *strstr(single.types[0], "x2") = 0;
    return agrees(&single, got & 0xffff, expected & 0xffff) &&
           agrees(&single, got >> 16, expected >> 16);
  }
  if (!is_float(row->types[0])) return false;
  long double x = number(row->types[0], got), y = number(row->types[0], expected);
  if (!row->close || signbit(x) != signbit(y)) return false;
  return got - expected == 1 || expected - got == 1;
}

static uint64_t *inputs[5 * 64 * SOURCES]; /* by type and operand: made once */
static char input_types[5 * 64 * SOURCES][8];
static int input_operand[5 * 64 * SOURCES], input_count;

static int find_input(const char *type, int k) {
  for (int i = 0; i < input_count; i++)
    if (strcmp(input_types[i], type) == 0 && input_operand[i] == k) return i;
  inputs[input_count] = malloc(VALUES * sizeof(uint64_t));
  assert_non_null(inputs[input_count]);
  make_values(type, k, inputs[input_count]);
  memcpy(input_types[input_count], type, strlen(type) + 1);
  input_operand[input_count] = k;
  return input_count++;
}

/* True if all is right; else prints the first value that is not. */
static bool check_row(const struct row *row, const uint64_t *got, const char *isa) {
  uint64_t v[SOURCES];
  int bits = register_bits(row->types[0]);
  for (int i = 0; i < VALUES; i++) {
    for (int k = 0; k < SOURCES; k++)
      v[k] = row->types[1 + k][0] ? cut(inputs[find_input(row->types[1 + k], k)][i],
                                        register_bits(row->types[1 + k]))
                                  : 0;
    uint64_t result = cut(row_answer(row, v), bits);
    for (int form = 0; form < FORMS; form++) {
      bool out = form > 0 && left_out >> (i % 32) & 1 && (form < 3 || same_class(row));
      uint64_t expected = !out ? result : form < 3 ? cut(marker, bits) : cut(v[0], bits);
      if (agrees(row, got[4 * i + form], expected)) continue;
      print_error(
          "%s (%s, form %d, value %d): 0x%llx 0x%llx 0x%llx 0x%llx gives 0x%llx, not 0x%llx\n",
          row->opcode, isa, form, i, (unsigned long long)v[0], (unsigned long long)v[1],
          (unsigned long long)v[2], (unsigned long long)v[3], (unsigned long long)got[4 * i + form],
          (unsigned long long)expected);
      return false;
    }
  }
  return true;
}

static uint64_t *results; /* of all rows, by the first instruction set that ran */

/* Returns the number of rows that are wrong. */
static int run_rows(struct sim *sim, const char *isa) {
  enum { WORDS = VALUES * FORMS };
  int wrong = 0;
  uint64_t addresses[LENGTH(inputs)] = {0}, *got = malloc(WORDS * sizeof *got);
  uint64_t out = sim_zeros(sim, WORDS * sizeof *got);
  assert_non_null(got);
  for (int r = 0; r < row_count; r++) {
    uint64_t params[5] = {0, 0, 0, 0, out};
    for (int k = 0; k < SOURCES && rows[r].types[1 + k][0]; k++) {
      int i = find_input(rows[r].types[1 + k], k);
      if (!addresses[i]) addresses[i] = sim_buffer(sim, inputs[i], VALUES * sizeof(uint64_t));
      params[k] = addresses[i];
    }
    char name[16];
    snprintf(name, sizeof name, "k%d", r);
    assert_int_equal(device_fill(sim->device, out, 0, WORDS * sizeof *got), 0);
    int code = sim_try_params(sim, name, sim_line(VALUES / 256, 256), params);
    if (sim->hazard_count) fail_msg("%s: %s", rows[r].opcode, sim->hazards[0].message);
    assert_int_equal(code, 0);
    sim_read(sim, got, out, WORDS * sizeof *got);
    uint64_t *first = results + (size_t)r * WORDS;
    if (!isa || strcmp(isa, sim_isas[0]) == 0) {
      wrong += !check_row(&rows[r], got, isa ? isa : "best");
      memcpy(first, got, WORDS * sizeof *got);
    }
    for (int i = 0; i < WORDS; i++) {
      if (got[i] == first[i]) continue;
      print_error("%s: value %d gives 0x%llx with %s, 0x%llx with %s\n", rows[r].opcode, i / FORMS,
                  (unsigned long long)got[i], isa, (unsigned long long)first[i], sim_isas[0]);
      wrong++;
      break;
    }
  }
  free(got);
  return wrong;
}

static void every_row_on_every_instruction_set(void **state) {
  (void)state;
  struct text text = {.room = 4 << 20};
  text.bytes = malloc(text.room);
  results = malloc((size_t)row_count * VALUES * FORMS * sizeof *results);
  assert_true(text.bytes && results);
  put(&text, SIM_HEADER);
  for (int r = 0; r < row_count; r++) put_kernel(&text, r);
  bool any = false;
  int wrong = 0;
  for (int i = 0; i < LENGTH(sim_isas); i++) {
    if (!sim_choose_isa(sim_isas[i])) continue;
    any = true;
    struct sim *sim = sim_open(text.bytes, 2);
    wrong += run_rows(sim, sim_isas[i]);
    sim_close(sim);
  }
  sim_choose_isa(NULL);
  if (!any) {
    struct sim *sim = sim_open(text.bytes, 2);
    wrong += run_rows(sim, NULL);
    sim_close(sim);
  }
  for (int i = 0; i < input_count; i++) free(inputs[i]);
  free(text.bytes);
  free(results);
  assert_int_equal(wrong, 0);
}

/* ---- nothing is left out ---- */

static void check_keys(const struct op_info *infos, int count) {
  for (int i = 0; i < count; i++)
    for (const char *key = infos[i].keys; *key;) {
      size_t length = strcspn(key, " ");
      bool found = strncmp(key, "cvta", 4) == 0 || strncmp(key, "setp_", 5) == 0 ||
                   strncmp(key, "set_", 4) == 0 || strncmp(key, "fms.", 4) == 0 ||
                   strncmp(key, "flush_", 6) == 0 || strncmp(key, "fnma.", 5) == 0;
      for (int r = 0; r < row_count && !found; r++)
        found = strlen(rows[r].opcode) == length && memcmp(rows[r].opcode, key, length) == 0;
      if (!found) fail_msg("%.*s is in no test", (int)length, key);
      key += length + (key[length] == ' ');
    }
}

static void every_spelling_is_tested(void **state) {
  (void)state;
  const struct isa *isa = isa_best();
  check_keys(isa->hot, isa->hot_count);
  check_keys(cold_ops, cold_op_count);
  check_keys(half_ops, half_op_count);
}

/* The best build that this processor runs, or the one asked for; the oldest is always there. */
static void a_build_is_picked(void **state) {
  (void)state;
  unsetenv("KIT_SIM_ISA");
  const struct isa *best = isa_best();
  assert_non_null(best);
  setenv("KIT_SIM_ISA", "none_such", 1);
  assert_ptr_equal(isa_best(), best);
  setenv("KIT_SIM_ISA", best->name, 1);
  assert_ptr_equal(isa_best(), best);
#if defined __x86_64__
  setenv("KIT_SIM_ISA", "sse2", 1);
  assert_string_equal(isa_best()->name, "sse2");
#endif
  unsetenv("KIT_SIM_ISA");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_build_is_picked),
      cmocka_unit_test(every_spelling_is_tested),
      cmocka_unit_test(every_row_on_every_instruction_set),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
