/* test_sim_predicates.c: comparisons of the simulator in all types and forms, predicates,
 * selections, vectors in a register.
 *
 * A kernel compares two arrays, value by value, in every form that setp has and packs the
 * predicates into one word, bit k for form k; a plain C function says what each bit must be. */
#include <math.h>

#include "tests/unit/sim_device.h"

enum { VALUES = 2048 };

static void append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void append(char *text, size_t size, const char *format, ...) {
  size_t length = strlen(text);
  va_list args;
  va_start(args, format);
  int more = vsnprintf(text + length, size - length, format, args);
  va_end(args);
  assert_true(more >= 0 && (size_t)more < size - length);
}

static const char *const integer_names[] = {"eq", "ne", "lt", "le", "gt",
                                            "ge", "lo", "ls", "hi", "hs"};
static const char *const float_names[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                          "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
static const char *const combinations[] = {"and", "or", "xor"};

/* ---- what must come out ---- */

static uint64_t cut(uint64_t bits, int count) {
  return count == 64 ? bits : bits & ((UINT64_C(1) << count) - 1);
}

/* -1, 0, 1, or 2 if one is NaN */
static int order(const char *type, uint64_t a, uint64_t b) {
  int bits = atoi(type + 1);
  if (type[0] == 'f') {
    double x, y;
    if (bits == 32) {
      float f[2];
      uint32_t low[2] = {(uint32_t)a, (uint32_t)b};
      memcpy(f, low, sizeof f);
      x = (double)f[0], y = (double)f[1];
    } else {
      memcpy(&x, &a, 8);
      memcpy(&y, &b, 8);
    }
    return isnan(x) || isnan(y) ? 2 : x < y ? -1 : x > y;
  }
  a = cut(a, bits), b = cut(b, bits);
  if (type[0] == 's') { /* the sign bit counts the other way */
    a ^= UINT64_C(1) << (bits - 1);
    b ^= UINT64_C(1) << (bits - 1);
  }
  return a < b ? -1 : a > b;
}

static bool holds(const char *name, int order) {
  if (strcmp(name, "num") == 0) return order != 2;
  if (strcmp(name, "nan") == 0) return order == 2;
  if (order == 2) return strlen(name) == 3; /* equ, ltu, ...: or unordered */
  switch (name[0]) {
    case 'e':
      return order == 0;
    case 'n':
      return order != 0;
    case 'g':
      return name[1] == 't' ? order > 0 : order >= 0;
    case 'h':
      return name[1] == 'i' ? order > 0 : order >= 0;
    default:
      return name[1] == 't' || name[1] == 'o' ? order < 0 : order <= 0;
  }
}

static bool combined(int k, bool a, bool b) { return k == 0 ? a && b : k == 1 ? a || b : a != b; }

static const uint32_t left_out = 0x0f3a915c;

static uint32_t expected_bits(const char *name, const char *type, uint64_t a, uint64_t b, bool c,
                              int lane) {
  bool p = holds(name, order(type, a, b)), out = left_out >> lane & 1;
  bool bits[32] = {p, p, !p};
  int n = 3;
  for (int k = 0; k < LENGTH(combinations); k++) {
    bits[n++] = combined(k, p, c);
    bits[n++] = combined(k, !p, c);
    bits[n++] = combined(k, p, !c);
    bits[n++] = combined(k, !p, !c);
    bits[n++] = combined(k, p, c); /* into the source, and the opposite */
    bits[n++] = combined(k, !p, c);
  }
  bits[n++] = out ? c : p;                 /* in a branch */
  bits[n++] = out ? c : p;                 /* under a guard */
  bits[n++] = out ? c : combined(0, p, c); /* pair under a guard that is one of them */
  bits[n++] = out ? false : combined(0, !p, c);
  uint32_t word = 0;
  for (int i = 0; i < n; i++) word |= (uint32_t)bits[i] << i;
  return word;
}

/* ---- the kernel ---- */

static void put_bit(char *text, size_t size, const char *predicate, int *bit) {
  append(text, size, "selp.u32 %%r10, %u, 0, %s; or.b32 %%r9, %%r9, %%r10;\n", 1u << *bit,
         predicate);
  ++*bit;
}

static void put_kernel(char *text, size_t size, const char *name, const char *type, int number) {
  int bits = atoi(type + 1), bit = 0;
  const char *class = type[0] == 'f' ? (bits == 32 ? "%f" : "%fd")
                      : bits == 64   ? "%rd"
                      : bits == 32   ? "%r"
                                     : "%rs";
  char what[64], sources[32];
  snprintf(sources, sizeof sources, "%s21, %s22", class, class);
  append(text, size,
         ".visible .entry k%d(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 "
         "p3)\n{\n%s%s",
         number, SIM_REGISTERS, SIM_PROLOGUE);
  append(text, size,
         "mul.wide.u32 %%rd6, %%r3, 8; add.s64 %%rd0, %%rd0, %%rd6; add.s64 %%rd1, %%rd1, %%rd6;\n"
         "add.s64 %%rd2, %%rd2, %%rd4; add.s64 %%rd3, %%rd3, %%rd4;\n"
         "ld.global.b%d %s21, [%%rd0]; ld.global.b%d %s22, [%%rd1]; ld.global.u32 %%r8, [%%rd2];\n"
         "setp.ne.u32 %%p9, %%r8, 0; mov.u32 %%r9, 0;\n"
         "mov.u32 %%r11, %u; shr.u32 %%r11, %%r11, %%r4; and.b32 %%r11, %%r11, 1; setp.eq.u32 "
         "%%p8, %%r11, 1;\n",
         bits, class, bits, class, left_out);
  snprintf(what, sizeof what, "setp.%s.%s", name, type);
  append(text, size, "%s %%p1, %s;\n", what, sources);
  put_bit(text, size, "%p1", &bit);
  append(text, size, "%s %%p1|%%p2, %s;\n", what, sources);
  put_bit(text, size, "%p1", &bit);
  put_bit(text, size, "%p2", &bit);
  for (int k = 0; k < LENGTH(combinations); k++) {
    char with[64];
    snprintf(with, sizeof with, "setp.%s.%s.%s", name, combinations[k], type);
    append(text, size, "%s %%p1|%%p2, %s, %%p9;\n", with, sources);
    put_bit(text, size, "%p1", &bit);
    put_bit(text, size, "%p2", &bit);
    append(text, size, "%s %%p1|%%p2, %s, !%%p9;\n", with, sources);
    put_bit(text, size, "%p1", &bit);
    put_bit(text, size, "%p2", &bit);
    append(text, size, "mov.pred %%p3, %%p9; %s %%p3|%%p4, %s, %%p3;\n", with, sources);
    put_bit(text, size, "%p3", &bit);
    put_bit(text, size, "%p4", &bit);
  }
  append(text, size, "mov.pred %%p5, %%p9; @%%p8 bra over; %s %%p5, %s; over:\n", what, sources);
  put_bit(text, size, "%p5", &bit);
  append(text, size, "mov.pred %%p6, %%p9; @!%%p8 %s %%p6, %s;\n", what, sources);
  put_bit(text, size, "%p6", &bit);
  /* p7 = guard; where it holds, (p7, p4) = (p and c, not p and c); else p7 = c again, p4 false */
  append(text, size,
         "not.pred %%p7, %%p8; xor.pred %%p4, %%p4, %%p4;\n@%%p7 setp.%s.and.%s %%p7|%%p4, %s, "
         "%%p9;\n",
         name, type, sources);
  append(text, size, "@%%p8 mov.pred %%p7, %%p9;\n");
  put_bit(text, size, "%p7", &bit);
  put_bit(text, size, "%p4", &bit);
  append(text, size, "st.global.u32 [%%rd3], %%r9;\nret;\n}\n");
}

static uint64_t edge(const char *type, unsigned i) {
  static const uint64_t integers[] = {
      0,          1,         (uint64_t)-1,        0x7f,       0x7fff, 0x8000,      0x7fffffff,
      0x80000000, INT64_MAX, (uint64_t)INT64_MIN, 0xffffffff, 0xffff, 0x100000000, 2};
  static const double numbers[] = {0.0,
                                   -0.0,
                                   1,
                                   -1,
                                   (double)INFINITY,
                                   -(double)INFINITY,
                                   (double)NAN,
                                   0x1p-149,
                                   -0x1p-149,
                                   1e30,
                                   -1e30,
                                   1.5,
                                   0x1.000002p0,
                                   2};
  uint64_t bits = integers[i % 14];
  if (type[0] == 'f') {
    double x = numbers[i % 14];
    float f = (float)x;
    uint32_t low;
    memcpy(&low, &f, 4);
    memcpy(&bits, &x, 8);
    if (type[1] == '3') bits = low;
  }
  return bits;
}

static void compare_type(const char *type, char *text, size_t size) {
  const char *const *names = type[0] == 'f' ? float_names : integer_names;
  int count = type[0] == 'f'   ? 14
              : type[0] == 'b' ? 2
              : type[0] == 's' ? 6
                               : 10,
      bits = atoi(type + 1);
  static uint64_t a[VALUES], b[VALUES];
  static uint32_t c[VALUES], got[VALUES];
  struct sim_random random = {(unsigned)bits * 8u + (unsigned char)type[0]};
  for (unsigned i = 0; i < VALUES; i++) {
    a[i] = i < 196 ? edge(type, i / 14) : sim_next(&random);
    b[i] = i < 196      ? edge(type, i % 14)
           : i % 5 == 0 ? a[i]
           : i % 5 == 1 ? a[i] + 1
                        : sim_next(&random);
    if (bits < 64)
      a[i] = cut(a[i], bits) | sim_next(&random) << bits, b[i] = cut(b[i], bits) | sim_next(&random)
                                                                                       << bits;
    c[i] = sim_next(&random) & 1;
  }
  strcpy(text, SIM_HEADER);
  for (int i = 0; i < count; i++) put_kernel(text, size, names[i], type, i);
  struct sim *sim = sim_open(text, 2);
  uint64_t params[4] = {sim_buffer(sim, a, sizeof a), sim_buffer(sim, b, sizeof b),
                        sim_buffer(sim, c, sizeof c), sim_zeros(sim, sizeof got)};
  for (int n = 0; n < count; n++) {
    char kernel[16];
    snprintf(kernel, sizeof kernel, "k%d", n);
    int code = sim_try_params(sim, kernel, sim_line(VALUES / 128, 128), params);
    sim_print_hazards(sim);
    assert_int_equal(code, 0);
    sim_read(sim, got, params[3], sizeof got);
    for (int i = 0; i < VALUES; i++) {
      uint32_t right = expected_bits(names[n], type, a[i], b[i], c[i], i % 32);
      if (got[i] != right)
        fail_msg("setp.%s.%s of 0x%llx, 0x%llx, %u: bits 0x%x, not 0x%x", names[n], type,
                 (unsigned long long)cut(a[i], bits), (unsigned long long)cut(b[i], bits), c[i],
                 got[i], right);
    }
  }
  sim_close(sim);
}

static void comparisons_in_all_types_and_forms(void **state) {
  (void)state;
  static const char *const types[] = {"b16", "u16", "s16", "b32", "u32", "s32",
                                      "b64", "u64", "s64", "f32", "f64"};
  size_t size = 1 << 18;
  char *text = malloc(size);
  assert_non_null(text);
  for (int isa = 0; isa < LENGTH(sim_isas); isa++) {
    if (!sim_choose_isa(sim_isas[isa])) continue;
    for (int t = 0; t < LENGTH(types); t++) compare_type(types[t], text, size);
  }
  sim_choose_isa(NULL);
  free(text);
}

/* ---- selections, and vectors in a register ---- */

static void selections_and_predicate_logic(void **state) {
  (void)state;
  /* bits 0..2 of the thread are p1..p3; out: 8 words a thread */
  struct sim *sim = sim_open(
      SIM_KERNEL(
          "",
          "and.b32 %r10, %r0, 1; setp.ne.s32 %p1, %r10, 0; and.b32 %r10, %r0, 2; setp.ne.s32 %p2, "
          "%r10, 0;\n"
          "mad.lo.s32 %r11, %r0, 32, 0; cvt.u64.u32 %rd6, %r11; add.s64 %rd0, %rd0, %rd6;\n"
          "mov.u16 %rs1, 7; mov.u16 %rs2, 8; selp.u16 %rs3, %rs1, %rs2, %p1; cvt.u32.u16 %r12, "
          "%rs3;\n"
          "st.global.u32 [%rd0], %r12;\n"
          "selp.f32 %f1, 0f3F800000, 0f40000000, %p1; st.global.f32 [%rd0+4], %f1;\n"
          "mov.b64 %rd7, 0x1111111122222222; selp.b64 %rd8, %rd7, -1, %p2; st.global.u64 [%rd0+8], "
          "%rd8;\n"
          "and.pred %p4, %p1, %p2; or.pred %p5, %p1, %p2; xor.pred %p6, %p1, %p2; not.pred %p7, "
          "%p1;\n"
          "selp.s32 %r13, 1, 0, %p4; selp.s32 %r14, 2, 0, %p5; selp.s32 %r15, 4, 0, %p6; selp.s32 "
          "%r16, 8, 0, %p7;\n"
          "add.s32 %r13, %r13, %r14; add.s32 %r13, %r13, %r15; add.s32 %r13, %r13, %r16;\n"
          "st.global.u32 [%rd0+16], %r13;\n"
          "mov.u32 %r17, 100; @!%p1 bra over; and.pred %p2, %p2, %p1; selp.s32 %r17, 3, 4, %p2;\n"
          "over: st.global.u32 [%rd0+20], %r17;\n"
          "selp.f64 %fd1, 0d3FF0000000000000, 0d4000000000000000, %p1; cvt.rn.f32.f64 %f2, %fd1;\n"
          "st.global.f32 [%rd0+24], %f2;\n"
          "setp.eq.s32 %p8, %r0, 5; mov.pred %p9, %p8; selp.u32 %r18, 1, 0, %p9; st.global.u32 "
          "[%rd0+28], %r18; ret;"),
      1);
  enum { THREADS = 64 };
  uint32_t got[THREADS][8];
  uint64_t out = sim_zeros(sim, sizeof got);
  sim_run(sim, 1, THREADS, out, 0, 0, 0);
  sim_read(sim, got, out, sizeof got);
  for (uint32_t t = 0; t < THREADS; t++) {
    bool p1 = t & 1, p2 = t & 2;
    assert_int_equal(got[t][0], p1 ? 7 : 8);
    assert_int_equal(got[t][1], p1 ? 0x3f800000 : 0x40000000);
    assert_int_equal(got[t][2], p2 ? 0x22222222 : 0xffffffff);
    assert_int_equal(got[t][3], p2 ? 0x11111111 : 0xffffffff);
    assert_int_equal(got[t][4], (p1 && p2) + 2 * (p1 || p2) + 4 * (p1 != p2) + 8 * !p1);
    assert_int_equal(got[t][5], p1 ? (p2 ? 3 : 4) : 100);
    assert_int_equal(got[t][6], p1 ? 0x3f800000 : 0x40000000);
    assert_int_equal(got[t][7], t == 5);
  }
  sim_close(sim);
}

/* Packs and unpacks in the lanes that take a branch; the others keep what they had. */
static void vectors_in_a_register(void **state) {
  (void)state;
  struct sim *sim =
      sim_open(SIM_KERNEL("",
                          "mul.wide.u32 %rd6, %r0, 48; add.s64 %rd0, %rd0, %rd6; mov.u32 %r10, "
                          "0x12340000; add.s32 %r10, %r10, %r0;\n"
                          "mov.b64 %rd7, 0xaaaabbbbccccdd00; cvt.u64.u32 %rd10, %r0; add.s64 %rd7, "
                          "%rd7, %rd10; mov.b32 %r11, -1; mov.b32 %r12, -1; "
                          "mov.b32 %r13, -1; mov.b32 %r14, -1;\n"
                          "mov.b64 %rd8, -1; mov.b64 %rd9, -1; mov.b32 %f1, 0f3F800000;\n"
                          "mov.u16 %rs1, -1; mov.u16 %rs2, -1; mov.u16 %rs3, -1; mov.u16 %rs4, -1; "
                          "mov.u16 %rs5, -1; mov.u16 %rs6, -1;\n"
                          "and.b32 %r15, %r0, 1; setp.eq.s32 %p1, %r15, 1; @%p1 bra over;\n"
                          "mov.b64 {%r11, %r12}, %rd7; mov.b32 {%rs1, %rs2}, %r10; mov.b64 {%rs3, "
                          "%rs4, %rs5, %rs6}, %rd7;\n"
                          "mov.b64 %rd8, {%r10, %r12}; mov.b32 %r13, {%rs2, %rs1}; mov.b64 %rd9, "
                          "{%rs6, %rs5, %rs4, %rs3};\n"
                          "mov.b64 {_, %r14}, %rd7;\n"
                          "over: st.global.v2.u32 [%rd0], {%r11, %r12}; st.global.v4.u16 [%rd0+8], "
                          "{%rs3, %rs4, %rs5, %rs6};\n"
                          "st.global.u64 [%rd0+16], %rd8; st.global.u32 [%rd0+24], %r13; "
                          "st.global.u32 [%rd0+28], %r14;\n"
                          "st.global.u64 [%rd0+32], %rd9; st.global.v2.u16 [%rd0+40], {%rs1, "
                          "%rs2}; st.global.f32 [%rd0+44], %f1; ret;"),
               1);
  enum { THREADS = 40 };
  uint32_t got[THREADS][12];
  uint64_t out = sim_zeros(sim, sizeof got);
  sim_run(sim, 1, THREADS, out, 0, 0, 0);
  sim_read(sim, got, out, sizeof got);
  for (uint32_t t = 0; t < THREADS; t++) {
    uint32_t low = 0x12340000 + t, pair = 0xccccdd00 + t;
    uint32_t right[12] = {pair,
                          0xaaaabbbb,
                          pair,
                          0xaaaabbbb,
                          low,
                          0xaaaabbbb,
                          low << 16 | low >> 16,
                          0xaaaabbbb,
                          0xbbbbaaaa,
                          pair << 16 | pair >> 16,
                          low,
                          0x3f800000};
    for (int i = 0; i < 11 && t % 2 == 1; i++) right[i] = 0xffffffff;
    for (int i = 0; i < 12; i++)
      if (got[t][i] != right[i])
        fail_msg("thread %u, word %d: 0x%x, not 0x%x", t, i, got[t][i], right[i]);
  }
  sim_close(sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(comparisons_in_all_types_and_forms),
      cmocka_unit_test(selections_and_predicate_logic),
      cmocka_unit_test(vectors_in_a_register),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
