/* test_sim_nvcc.c: PTX that nvcc and inline assembly write, and clang does not: addresses of 32
 * bits, integers of many words, kinds of numbers. */
#include "tests/unit/sim_device.h"

/* ---- addresses ---- */

/* Shared and local variables through 32-bit registers, as nvcc has shared arrays. */
static void addresses_of_32_bits(void **state) {
  (void)state;
  enum { THREADS = 64 };
  struct sim *sim = sim_open(
      SIM_KERNEL(".shared .align 4 .b8 s[256];",
                 ".local .align 4 .b8 own[16]; add.s64 %rd8, %rd0, %rd4; shl.b32 %r10, %r0, 2;\n"
                 "mov.u32 %r11, s; add.s32 %r12, %r11, %r10; add.s32 %r13, %r0, 100;\n"
                 "st.shared.u32 [%r12], %r13; bar.sync 0;\n"
                 "sub.s32 %r14, 252, %r10; add.s32 %r14, %r11, %r14; ld.shared.u32 %r15, [%r14];\n"
                 "mov.u32 %r16, s+8; ld.shared.u32 %r17, [%r16+4]; ld.shared.u32 %r18, [%r16];\n"
                 "add.s32 %r16, %r16, -12; ld.shared.u32 %r19, [%r16+4];\n"
                 "mov.u32 %r20, own; st.local.u32 [%r20+12], %r15; ld.local.u32 %r21, [%r20+12];\n"
                 "shl.b32 %r17, %r17, 8; shl.b32 %r18, %r18, 16; shl.b32 %r19, %r19, 24;\n"
                 "add.s32 %r21, %r21, %r17; add.s32 %r21, %r21, %r18; add.s32 %r21, %r21, %r19;\n"
                 "st.global.u32 [%rd8], %r21; ret;"),
      1);
  uint32_t got[THREADS];
  uint64_t out = sim_zeros(sim, sizeof got);
  sim_run(sim, 1, THREADS, out, 0, 0, 0);
  sim_read(sim, got, out, sizeof got);
  for (uint32_t t = 0; t < THREADS; t++)
    assert_int_equal(got[t], (163 - t) + (103u << 8) + (102u << 16) + (100u << 24));
  sim_close(sim);
}

/* Accesses off one 32-bit register are merged into wide ones, as those off a 64-bit one are. */
static void merged_accesses(void **state) {
  (void)state;
  struct sim *sim = sim_open(
      SIM_KERNEL(".shared .align 16 .b8 s[512];",
                 "add.s64 %rd8, %rd0, %rd4; mov.u32 %r11, s; shl.b32 %r10, %r0, 4;\n"
                 "add.s32 %r12, %r11, %r10; st.shared.u32 [%r12], %r0; st.shared.u32 [%r12+4], %r0;"
                 "st.shared.u32 [%r12+8], %r0; st.shared.u32 [%r12+12], %r0; bar.sync 0;\n"
                 "ld.shared.u32 %r13, [%r12]; ld.shared.u32 %r14, [%r12+4];\n"
                 "ld.shared.u32 %r15, [%r12+8]; ld.shared.u32 %r16, [%r12+12];\n"
                 "add.s32 %r13, %r13, %r14; add.s32 %r13, %r13, %r15; add.s32 %r13, %r13, %r16;\n"
                 "st.global.u32 [%rd8], %r13; ret;"),
      1);
  uint64_t out = sim_zeros(sim, 32 * 4);
  sim_run(sim, 1, 32, out, 0, 0, 0);
  assert_int_equal(sim->report.counters.value[COUNTER_shared_load_inst], 1);
  sim_close(sim);
}

static void addresses_that_do_not_fit(void **state) {
  (void)state;
  struct sim *sim =
      sim_open(SIM_KERNEL(".global .align 4 .b8 g[256];", "mov.u32 %r11, g; ret;"), 1);
  assert_int_not_equal(sim_try(sim, sim_line(1, 32), 0, 0, 0, 0), 0);
  sim_close(sim);
}

/* ---- carries ---- */

typedef unsigned __int128 u128;
enum { WORDS = 8, COUNT = 1024 };

/* What the kernels of wide_integers compute, from a and b: 128-bit numbers. */
static u128 sum(u128 a, u128 b) { return a + b; }
static u128 difference(u128 a, u128 b) { return a - b; }
static u128 multiple(u128 a, u128 b) { return a + (u128)(uint64_t)b * (uint64_t)(a >> 64); }
static u128 flags(u128 a, u128 b) { /* what is left in CC.CF: 0, or borrowed from 0 */
  u128 carried = a + b < a, borrowed = a < b;
  return carried | (0 - borrowed) << 64;
}

/* %r10-13: a; %r20-23: b; result in %r30-33. */
#define WORDS_32                                                                           \
  "ld.global.u32 %r10, [%rd9]; ld.global.u32 %r11, [%rd9+4]; ld.global.u32 %r12, "         \
  "[%rd9+8]; ld.global.u32 %r13, [%rd9+12]; ld.global.u32 %r20, [%rd9+16]; ld.global.u32 " \
  "%r21, [%rd9+20]; ld.global.u32 %r22, [%rd9+24]; ld.global.u32 %r23, [%rd9+28];\n"
#define RESULT_32                                                                      \
  "st.global.u32 [%rd8], %r30; st.global.u32 [%rd8+4], %r31; st.global.u32 [%rd8+8], " \
  "%r32; st.global.u32 [%rd8+12], %r33;\n"
#define WORDS_64                                                                      \
  "ld.global.u64 %rd10, [%rd9]; ld.global.u64 %rd11, [%rd9+8]; ld.global.u64 %rd20, " \
  "[%rd9+16]; ld.global.u64 %rd21, [%rd9+24];\n"
#define RESULT_64 "st.global.u64 [%rd8], %rd30; st.global.u64 [%rd8+8], %rd31;\n"

static const struct {
  const char *body;
  u128 (*expected)(u128 a, u128 b);
} wide[] = {
    {WORDS_32 "add.cc.u32 %r30, %r10, %r20; addc.cc.u32 %r31, %r11, %r21; addc.cc.s32 %r32, %r12, "
              "%r22; addc.u32 %r33, %r13, %r23;\n" RESULT_32,
     sum},
    {WORDS_64 "add.cc.s64 %rd30, %rd10, %rd20; addc.u64 %rd31, %rd11, %rd21;\n" RESULT_64, sum},
    {WORDS_32 "sub.cc.u32 %r30, %r10, %r20; subc.cc.u32 %r31, %r11, %r21; subc.cc.s32 %r32, %r12, "
              "%r22; subc.u32 %r33, %r13, %r23;\n" RESULT_32,
     difference},
    {WORDS_64 "sub.cc.s64 %rd30, %rd10, %rd20; subc.u64 %rd31, %rd11, %rd21;\n" RESULT_64,
     difference},
    /* a + b[0..1] * a[2..3] */
    {WORDS_64 "mad.lo.cc.u64 %rd30, %rd20, %rd11, %rd10; madc.hi.u64 %rd31, %rd20, %rd11, "
              "%rd11;\n" RESULT_64,
     multiple},
    {WORDS_32
     "mad.lo.cc.u32 %r30, %r20, %r12, %r10; madc.hi.cc.u32 %r31, %r20, %r12, %r11;\n"
     "addc.cc.u32 %r32, %r12, 0; addc.u32 %r33, %r13, 0;\n"
     "mad.lo.cc.u32 %r31, %r21, %r12, %r31; madc.hi.cc.u32 %r32, %r21, %r12, %r32;\n"
     "addc.u32 %r33, %r33, 0;\n"
     "mad.lo.cc.u32 %r31, %r20, %r13, %r31; madc.hi.cc.u32 %r32, %r20, %r13, %r32;\n"
     "addc.u32 %r33, %r33, 0;\n"
     "mad.lo.cc.u32 %r32, %r21, %r13, %r32; madc.hi.u32 %r33, %r21, %r13, %r33;\n" RESULT_32,
     multiple},
    {WORDS_64 "add.cc.u64 %rd30, %rd10, %rd20; addc.cc.u64 %rd30, %rd11, %rd21; addc.u64 %rd30, 0, "
              "0; sub.cc.u64 %rd31, %rd10, %rd20; subc.cc.u64 %rd31, %rd11, %rd21; subc.u64 %rd31, "
              "0, 0;\n" RESULT_64,
     flags},
};

static uint32_t edge_word(struct sim_random *random) {
  static const uint32_t edges[] = {0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
  uint64_t bits = sim_next(random);
  return bits & 1 ? edges[(bits >> 1) % 6] : (uint32_t)(bits >> 32);
}

static void wide_integers(void **state) {
  (void)state;
  static uint32_t words[COUNT][WORDS];
  static u128 got[COUNT];
  struct sim_random random = {7};
  for (int i = 0; i < COUNT; i++)
    for (int k = 0; k < WORDS; k++) words[i][k] = edge_word(&random);
  for (int w = 0; w < LENGTH(wide); w++) {
    char ptx[8192];
    snprintf(ptx, sizeof ptx, "%s%s%s%s ret;\n}\n", SIM_HEADER, SIM_ENTRY("k"),
             "mul.wide.u32 %rd8, %r3, 16; add.s64 %rd8, %rd8, %rd0; mul.wide.u32 %rd9, %r3, 32; "
             "add.s64 %rd9, %rd9, %rd1;\n",
             wide[w].body);
    struct sim *sim = sim_open(ptx, 1);
    uint64_t in = sim_buffer(sim, words, sizeof words), out = sim_zeros(sim, sizeof got);
    sim_run(sim, COUNT / 128, 128, out, in, 0, 0);
    sim_read(sim, got, out, sizeof got);
    for (int i = 0; i < COUNT; i++) {
      u128 a, b;
      memcpy(&a, words[i], sizeof a);
      memcpy(&b, words[i] + 4, sizeof b);
      u128 expected = wide[w].expected(a, b);
      if (got[i] != expected) fail_msg("number %d of %s", i, wide[w].body);
    }
    sim_close(sim);
  }
}

/* Lanes on both sides of a branch, and under guards, have carries of their own. */
static void carries_of_lanes(void **state) {
  (void)state;
  struct sim *sim = sim_open(
      SIM_KERNEL("",
                 "add.s64 %rd8, %rd0, %rd4; and.b32 %r10, %r0, 1; setp.eq.u32 %p1, %r10, 0;\n"
                 "add.cc.u32 %r11, %r0, -1; @%p1 bra even; add.cc.u32 %r11, %r0, 0;\n"
                 "even: @!%p1 add.cc.u32 %r11, %r0, -2; addc.u32 %r12, %r0, 10;\n"
                 "st.global.u32 [%rd8], %r12; ret;"),
      1);
  uint32_t got[32];
  uint64_t out = sim_zeros(sim, sizeof got);
  sim_run(sim, 1, 32, out, 0, 0, 0);
  sim_read(sim, got, out, sizeof got);
  for (uint32_t t = 0; t < 32; t++) assert_int_equal(got[t], t + 10 + (t % 2 ? t >= 2 : t >= 1));
  sim_close(sim);
}

/* Signed products: the high word of -2 * 3, and a carry out of it. */
static void signed_carries(void **state) {
  (void)state;
  struct sim *sim = sim_open(
      SIM_KERNEL("",
                 "mov.u32 %r10, -2; mov.u32 %r11, 3; mad.hi.cc.s32 %r12, %r10, %r11, 1;\n"
                 "addc.u32 %r13, 0, 0; mov.u64 %rd10, -2; mov.u64 %rd11, 3;\n"
                 "mad.hi.cc.s64 %rd12, %rd10, %rd11, 0; madc.lo.s64 %rd13, %rd10, %rd11, 7;\n"
                 "st.global.u32 [%rd0], %r12; st.global.u32 [%rd0+4], %r13;\n"
                 "st.global.u64 [%rd0+8], %rd12; st.global.u64 [%rd0+16], %rd13; ret;"),
      1);
  uint32_t got[6];
  uint64_t out = sim_zeros(sim, sizeof got);
  static const uint32_t expected[] = {0, 1, 0xffffffff, 0xffffffff, 1, 0};
  assert_int_equal(sim_try(sim, sim_line(1, 1), out, 0, 0, 0), 0);
  sim_read(sim, got, out, sizeof got);
  for (int i = 0; i < LENGTH(expected); i++) assert_int_equal(got[i], expected[i]);
  sim_close(sim);
}

/* ---- comparisons ---- */

/* What testp says of a number, a bit for each kind, and setp and set with .ftz about it and zero.
 */
static void kinds_of_numbers(void **state) {
  (void)state;
  static const struct {
    uint32_t bits, expected;
  } numbers[] = {{0x00000000, 0x145}, {0x80000000, 0x145}, {0x00000001, 0x165},
                 {0x80400000, 0x165}, {0x00800000, 0x095}, {0xff7fffff, 0x015},
                 {0x7f800000, 0x086}, {0xff800000, 0x006}, {0x7fc00000, 0x008}};
  struct sim *sim = sim_open(
      SIM_KERNEL(
          "",
          "add.s64 %rd8, %rd0, %rd4; add.s64 %rd9, %rd1, %rd4; ld.global.f32 %f1, [%rd9];\n"
          "testp.finite.f32 %p1, %f1; selp.u32 %r10, 1, 0, %p1; testp.infinite.f32 %p1, %f1;\n"
          "@%p1 add.u32 %r10, %r10, 2; testp.number.f32 %p1, %f1; @%p1 add.u32 %r10, %r10, 4;"
          "testp.notanumber.f32 %p1, %f1; @%p1 add.u32 %r10, %r10, 8;\n"
          "testp.normal.f32 %p1, %f1; @%p1 add.u32 %r10, %r10, 16;\n"
          "testp.subnormal.f32 %p1, %f1; @%p1 add.u32 %r10, %r10, 32;\n"
          "setp.eq.ftz.f32 %p1, %f1, 0f00000000; @%p1 add.u32 %r10, %r10, 64;\n"
          "setp.gt.and.ftz.f32 %p1, %f1, 0f00000000, 1; @%p1 add.u32 %r10, %r10, 128;\n"
          "set.eq.ftz.u32.f32 %r11, 0f00000000, %f1; and.b32 %r11, %r11, 256;\n"
          "add.u32 %r10, %r10, %r11; st.global.u32 [%rd8], %r10; ret;"),
      1);
  uint32_t in[LENGTH(numbers)], got[LENGTH(numbers)];
  for (int i = 0; i < LENGTH(numbers); i++) in[i] = numbers[i].bits;
  uint64_t from = sim_buffer(sim, in, sizeof in), out = sim_zeros(sim, sizeof got);
  sim_run(sim, 1, LENGTH(numbers), out, from, 0, 0);
  sim_read(sim, got, out, sizeof got);
  for (int i = 0; i < LENGTH(numbers); i++) assert_int_equal(got[i], numbers[i].expected);
  sim_close(sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(addresses_of_32_bits),      cmocka_unit_test(merged_accesses),
      cmocka_unit_test(addresses_that_do_not_fit), cmocka_unit_test(wide_integers),
      cmocka_unit_test(carries_of_lanes),          cmocka_unit_test(signed_carries),
      cmocka_unit_test(kinds_of_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
