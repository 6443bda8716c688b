/* test_sim_half.c: half and bfloat16 on the simulator: every value through every instruction of one
 * operand, products and sums that become multiply-adds, set and setp of pairs, atomics. What the
 * instructions compute besides is in test_sim_ops.c.
 * test-all: under sanitizers; the other run, which make test has, is of the same code. */
#include "tests/unit/sim_device.h"
#include "tests/unit/sim_rows.h"

#include "harness/sim/exec/machine.h"

static const struct row *row_of(const struct op_info *info) {
  size_t length = strcspn(info->keys, " ");
  for (int r = 0; r < row_count; r++)
    if (strlen(rows[r].opcode) == length && memcmp(rows[r].opcode, info->keys, length) == 0)
      return &rows[r];
  return NULL;
}

/* ---- what is flushed ---- */

/* 2^-7 times the number below 2^-7 is 2^-14 - 2^-25: half a step of subnormal numbers below 2^-14,
 * to which it is rounded as one of them; but it is flushed, for with 11 bits it is less. */
static void flushed_before_it_is_rounded_up(void **state) {
  (void)state;
  static _Alignas(FRAME_ALIGN) char frame[4 * SLOT64];
  static const uint64_t factors[SOURCES] = {0x2000, 0x1fff};
  int tried = 0;
  for (int i = 0; i < half_op_count; i++) {
    const struct row *row = row_of(&half_ops[i]);
    bool flushes = row && strcmp(row->opcode, "mul.ftz.f16") == 0;
    if (!row || (!flushes && strcmp(row->opcode, "mul.f16") != 0)) continue;
    struct op op = {.slot = {0, SLOT64, 2 * SLOT64}};
    for (int k = 0; k < 2; k++)
      for (int lane = 0; lane < LANES; lane++)
        memcpy(frame + (k + 1) * SLOT64 + 4 * lane, &factors[k], 4);
    half_ops[i].run(frame, &op, NULL);
    uint32_t got;
    memcpy(&got, frame, sizeof got);
    assert_int_equal(got & 0xffff, flushes ? 0 : 0x0400);
    assert_int_equal(row->oracle(row, factors) & 0xffff, flushes ? 0 : 0x0400);
    tried++;
  }
  assert_int_equal(tried, 2);
}

/* ---- every value ---- */

static void every_value(void **state) {
  (void)state;
  static _Alignas(FRAME_ALIGN) char frame[4 * SLOT64];
  int tried = 0;
  for (int i = 0; i < half_op_count; i++) {
    const struct row *row = row_of(&half_ops[i]);
    if (!row || row->types[2][0] || row->close || !is_half(row->types[1]) || is_pair(row->types[1]))
      continue;
    bool long_result = half_ops[i].types[0] == 'd';
    struct op op = {.slot = {0, SLOT64}};
    tried++;
    for (uint32_t first = 0; first < 1 << 16; first += LANES) {
      for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t value = (first + lane) | 0xabcd0000; /* what nobody may look at */
        memcpy(frame + SLOT64 + 4 * lane, &value, 4);
      }
      half_ops[i].run(frame, &op, NULL);
      for (uint32_t lane = 0; lane < LANES; lane++) {
        uint64_t got = 0, v[SOURCES] = {first + lane};
        memcpy(&got, frame + lane * (long_result ? 8 : 4), long_result ? 8 : 4);
        int bits = type_bits(row->types[0]);
        if (cut(got, bits) != cut(row_answer(row, v), bits))
          fail_msg("%s of 0x%x gives 0x%llx", row->opcode, first + lane, (unsigned long long)got);
      }
    }
  }
  assert_int_equal(tried,
                   2 * (4 * 8 + 4 + 2 + 2) + 1); /* integers, roundings, floats, signs, sat */
}

/* ---- products and sums ---- */

/* Runs a body for one thread with the words a, b, c in %r10 to %r12; returns %r20 and %r21. */
static void run_words(const char *body, const uint32_t in[3], uint32_t out[2]) {
  static const char start[] = SIM_HEADER SIM_ENTRY("k")
      "ld.global.b32 %r10, [%rd0]; ld.global.b32 %r11, [%rd0+4]; ld.global.b32 %r12, [%rd0+8];\n"
      "mov.b32 {%rs10, %rs16}, %r10; mov.b32 {%rs11, %rs16}, %r11;\n"
      "mov.b32 {%rs12, %rs16}, %r12; mov.u32 %r20, 0; mov.u32 %r21, 0;\n",
                    end[] = "\nst.global.b32 [%rd1], %r20; st.global.b32 [%rd1+4], %r21; ret;\n}\n";
  char ptx[8192];
  snprintf(ptx, sizeof ptx, "%s%s%s", start, body, end);
  struct sim *sim = sim_open(ptx, 1);
  uint64_t from = sim_buffer(sim, in, 12), to = sim_zeros(sim, 8);
  sim_run(sim, 1, 1, from, to, 0, 0);
  sim_read(sim, out, to, 8);
  sim_close(sim);
}

/* 1.0009766 squared is 1.0019541: as a half 1.0019531, a little less. */
enum { NEAR_ONE = 0x3c013c01, SQUARE = 0x3c023c02, LEFT = 0x00100010 /* 2^-20 */ };

static void products_and_sums(void **state) {
  (void)state;
  static const struct {
    const char *body;
    uint32_t first, second;
  } cases[] = {
      /* contracted: what is left of the product beside the sum comes out */
      {"mul.f16x2 %r13, %r10, %r10; sub.f16x2 %r20, %r13, %r12;", LEFT, 0},
      {"mul.f16x2 %r13, %r10, %r10; sub.f16x2 %r20, %r12, %r13;", LEFT | 0x80008000, 0},
      {"mul.f16x2 %r13, %r10, %r10; neg.f16x2 %r14, %r12; add.f16x2 %r20, %r13, %r14;", LEFT, 0},
      {"mul.f16x2 %r13, %r10, %r10; neg.f16x2 %r14, %r12; add.f16x2 %r20, %r14, %r13;", LEFT, 0},
      {"mul.f16 %rs13, %rs10, %rs10; sub.f16 %rs14, %rs13, %rs12; cvt.u32.u16 %r20, %rs14;",
       LEFT & 0xffff, 0},
      {"mul.f16x2 %r13, %r10, %r10; neg.f16x2 %r14, %r12; add.sat.f16x2 %r20, %r13, %r14;", LEFT,
       0},
      {"mul.f16x2 %r13, %r10, %r10; sub.f16x2 %r20, %r13, %r12; sub.f16x2 %r21, %r12, %r13;", LEFT,
       LEFT | 0x80008000},
      {"mul.f16x2 %r13, %r10, %r10; setp.eq.u32 %p1, %r0, 0; @%p1 sub.f16x2 %r20, %r13, %r12;",
       LEFT, 0},
      {"mul.f16x2 %r13, %r10, %r10; setp.ne.u32 %p1, %r0, 0; @%p1 sub.f16x2 %r20, %r13, %r12;", 0,
       0},
      /* of two products the first */
      {"mul.f16x2 %r13, %r10, %r10; mul.f16x2 %r14, %r12, %r11; sub.f16x2 %r20, %r13, %r14;", LEFT,
       0},
      {"mul.f16x2 %r13, %r10, %r10; mul.f16x2 %r14, %r12, %r11; sub.f16x2 %r20, %r14, %r13;", 0, 0},
      /* not contracted: .rn, a use besides, other operands by then, another block, another type */
      {"mul.rn.f16x2 %r13, %r10, %r10; sub.f16x2 %r20, %r13, %r12;", 0, 0},
      {"mul.f16x2 %r13, %r10, %r10; sub.rn.f16x2 %r20, %r13, %r12;", 0, 0},
      {"mul.f16x2 %r13, %r10, %r10; sub.f16x2 %r20, %r13, %r12; mov.b32 %r21, %r13;", 0, SQUARE},
      {"mul.f16x2 %r13, %r10, %r10; add.f16x2 %r20, %r13, %r13;", SQUARE + 0x04000400, 0},
      {"mul.f16x2 %r13, %r10, %r10; mov.b32 %r10, %r11; sub.f16x2 %r20, %r13, %r12;", 0, 0},
      {"mul.f16x2 %r13, %r10, %r10; bar.sync 0; sub.f16x2 %r20, %r13, %r12;", 0, 0},
      {"mul.f16x2 %r13, %r10, %r10; cvt.u16.u32 %rs13, %r13; sub.f16 %rs14, %rs13, %rs12; "
       "cvt.u32.u16 %r20, %rs14;",
       0, 0},
  };
  for (int i = 0; i < LENGTH(cases); i++) {
    uint32_t in[3] = {NEAR_ONE, 0x3c003c00, SQUARE}, out[2];
    run_words(cases[i].body, in, out);
    if (out[0] != cases[i].first || out[1] != cases[i].second)
      fail_msg("%s gives %x %x", cases[i].body, out[0], out[1]);
  }
  /* 1.0078125 squared is 1.0156860 in bfloat16 */
  uint32_t in[3] = {0x3f813f81, 0, 0x3f823f82}, out[2];
  run_words(
      "mul.bf16x2 %r13, %r10, %r10; sub.bf16x2 %r20, %r13, %r12;"
      "mul.rn.bf16x2 %r14, %r10, %r10; sub.bf16x2 %r21, %r14, %r12;",
      in, out);
  assert_int_equal(out[0], 0x38803880);
  assert_int_equal(out[1], 0);
}

/* A product in the middle between two numbers, and something beside it that a float cannot hold
 * (f16), or a double (bf16): which decides how the sum is rounded. */
static void rounded_once(void **state) {
  (void)state;
  static const struct {
    const char *type;
    uint32_t a, b, c, sum;
  } cases[] = {
      /* 1.5 * (1 + 2^-10), in pairs with the sign changed */
      {"f16x2", 0x3e00be00, 0x3c013c01, 0x00000000, 0x3e02be02},
      {"f16x2", 0x3e00be00, 0x3c013c01, 0x80010001, 0x3e01be01},
      {"f16x2", 0x3e00be00, 0x3c013c01, 0x00018001, 0x3e02be02},
      /* 1.0625 * 1.0625, and 2^-100 */
      {"bf16x2", 0x3f88bf88, 0x3f883f88, 0x00000000, 0x3f90bf90},
      {"bf16x2", 0x3f88bf88, 0x3f883f88, 0x0d808d80, 0x3f91bf91},
      {"bf16x2", 0x3f88bf88, 0x3f883f88, 0x8d800d80, 0x3f90bf90},
  };
  for (int i = 0; i < LENGTH(cases); i++) {
    uint32_t in[3] = {cases[i].a, cases[i].b, cases[i].c}, out[2];
    char body[256], one[8] = "";
    memcpy(one, cases[i].type, strlen(cases[i].type) - 2);
    snprintf(body, sizeof body,
             "fma.rn.%s %%r20, %%r10, %%r11, %%r12; fma.rn.%s %%rs13, %%rs10, %%rs11, %%rs12; "
             "cvt.u32.u16 %%r21, %%rs13;",
             cases[i].type, one);
    run_words(body, in, out);
    if (out[0] != cases[i].sum || out[1] != (cases[i].sum & 0xffff))
      fail_msg("%s %d gives %x %x", cases[i].type, i, out[0], out[1]);
  }
}

/* ---- comparisons ---- */

static void comparisons(void **state) {
  (void)state;
  static const struct {
    const char *body;
    uint32_t first, second;
  } cases[] = {
      {"set.lt.f16x2.f16x2 %r20, %r10, %r11; set.lt.u32.f16x2 %r21, %r10, %r11;", 0x3c00, 0xffff},
      {"set.geu.f16x2.f16x2 %r20, %r10, %r11; set.gt.u32.f16x2 %r21, %r11, %r10;", 0x3c000000,
       0xffff},
      {"set.nan.bf16x2.bf16x2 %r20, %r10, %r12; set.num.u32.bf16x2 %r21, %r10, %r12;", 0x3f803f80,
       0},
      {"setp.ne.u32 %p1, %r0, 0; set.lt.or.u32.f16 %r20, %rs11, %rs10, %p1;"
       "set.lt.or.u32.f16 %r21, %rs11, %rs10, !%p1;",
       0, 0xffffffff},
      {"set.neu.f32.f32 %r20, %r10, %r11; set.eq.s32.s32 %r21, %r10, %r10;", 0x3f800000,
       0xffffffff},
      /* p and q, one of which guards */
      {"setp.eq.u32 %p1, %r0, 0; @%p1 setp.lt.f16x2 %p2|%p1, %r10, %r11; selp.u32 %r20, 1, 0, %p2;"
       "selp.u32 %r21, 1, 0, %p1;",
       1, 0},
      {"setp.eq.u32 %p1, %r0, 0; @%p1 setp.lt.f16x2 %p1|%p2, %r11, %r10; selp.u32 %r20, 1, 0, %p1;"
       "selp.u32 %r21, 1, 0, %p2;",
       0, 0},
      {"{ .reg .pred p; setp.gtu.f16 p, %rs10, %rs11; selp.u32 %r20, 1, 2, p; }", 2, 0},
  };
  for (int i = 0; i < LENGTH(cases); i++) {
    uint32_t in[3] = {0x7e003c00, 0x40004000, 0x7fff7fff}, out[2]; /* (1, NaN), (2, 2), NaN */
    run_words(cases[i].body, in, out);
    if (out[0] != cases[i].first || out[1] != cases[i].second)
      fail_msg("%s gives %x %x", cases[i].body, out[0], out[1]);
  }
}

/* ---- atomics ---- */

/* All lanes add to one half of a word, whose other half must stay. */
static void atomics(void **state) {
  (void)state;
  struct sim *sim = sim_open(
      SIM_KERNEL(".shared .align 4 .b8 s[4];",
                 "mov.b16 %rs1, 0x3800; mov.b16 %rs2, 0x3f00; mov.b32 %r10, {%rs1, %rs1};\n"
                 "red.global.add.noftz.f16 [%rd0+2], %rs1;\n"
                 "red.global.add.noftz.bf16 [%rd0+4], %rs2;\n"
                 "atom.global.add.noftz.f16x2 %r11, [%rd0+8], %r10;\n"
                 "atom.add.noftz.bf16x2 %r12, [%rd0+12], 0x3f803f80;\n"
                 "setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.b32 [s], 0; bar.sync 0;\n"
                 "atom.shared.add.noftz.f16 %rs3, [s+2], %rs1; bar.sync 0;\n"
                 "ld.shared.b32 %r13, [s]; @%p1 st.global.b32 [%rd0+16], %r13;\n"
                 "cvt.u16.u32 %rs5, %r0; add.s16 %rs6, %rs5, 1;\n"
                 "atom.global.cas.b16 %rs7, [%rd0+20], %rs5, %rs6;\n"
                 "cvt.u32.u16 %r14, %rs7; add.s64 %rd6, %rd1, %rd4; st.global.u32 [%rd6], %r14;\n"
                 "ret;"),
      2);
  static const uint32_t words[6] = {0x12345678, 0xabcd0000, 0x3c000000, 0, 0, 0xffff0000};
  uint32_t got[6], before[32];
  uint64_t at = sim_buffer(sim, words, sizeof words), old = sim_zeros(sim, sizeof before);
  /* 0x1234 is a half, too: 2^-11 * 1.55 and 32 times a half, rounded each time */
  sim_run(sim, 1, 32, at, old, 0, 0);
  sim_read(sim, got, at, sizeof got);
  sim_read(sim, before, old, sizeof before);
  uint64_t sum = 0x1234;
  for (int i = 0; i < 32; i++)
    sum = half_bits("f16", half_number("f16", sum) + half_number("f16", 0x3800));
  assert_int_equal(got[0], sum << 16 | 0x5678);
  assert_int_equal(got[1], 0xabcd4180); /* 16 */
  assert_int_equal(got[2], 0x4c404c00); /* 17 and 16 */
  assert_int_equal(got[3], 0x42004200); /* 32 each */
  assert_int_equal(got[4], 0x4c000000);
  assert_int_equal(got[5], 0xffff0020); /* counted up by 32 lanes in turn */
  for (uint32_t i = 0; i < 32; i++) assert_int_equal(before[i], i);
  sim_close(sim);
}

/* An atomic initialises the half that it adds to and not the other one. */
static void atomics_initialise(void **state) {
  (void)state;
  struct sim *sim =
      sim_open(SIM_KERNEL("",
                          "mov.b16 %rs1, 0x3800; mov.b16 %rs2, 0;\n"
                          "st.global.b16 [%rd0], %rs2; red.global.add.noftz.f16 [%rd0], %rs1;\n"
                          "ld.global.b16 %rs3, [%rd0]; st.global.b16 [%rd1], %rs3;\n" AT(
                              7) "ld.global.b16 %rs4, [%rd0+2]; st.global.b16 [%rd1+2], %rs4;\n"
                                 "ret;"),
               1);
  uint64_t at, out = sim_zeros(sim, 4);
  uint16_t got[2];
  assert_int_equal(device_malloc(sim->device, 4, (struct source_place){0}, &at), 0);
  sim_try(sim, sim_line(1, 1), at, out, 0, 0);
  sim_read(sim, got, out, sizeof got);
  assert_int_equal(got[0], 0x3800);
  assert_int_equal(sim->hazard_count, 1);
  assert_int_equal(sim->hazards[0].kind, HAZARD_uninit);
  assert_int_equal(sim->hazards[0].line, 7);
  sim_close(sim);
}

int main(void) {
  make_rows();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flushed_before_it_is_rounded_up),
      cmocka_unit_test(every_value),
      cmocka_unit_test(products_and_sums),
      cmocka_unit_test(rounded_once),
      cmocka_unit_test(comparisons),
      cmocka_unit_test(atomics),
      cmocka_unit_test(atomics_initialise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
