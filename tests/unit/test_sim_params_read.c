/* test_sim_params_read.c: which bytes of its parameters a kernel can read (params_read.c): 16 bytes
 * at 0, with members at 0 and 8 and padding from 12 on, and a pointer at 16. */
#include "tests/unit/sim_device.h"

enum { PARAM_BYTES = 24 };

/* The bytes as 1s and 0s, in fours. */
static void expect(const char *body, const char *words) {
  char *ptx = NULL, found[PARAM_BYTES / 4 + 1] = "";
  unsigned char reads[PARAM_BYTES];
  assert_true(asprintf(&ptx,
                       ".version 7.5\n.target sm_70\n.address_size 64\n"
                       ".visible .entry k(.param .align 8 .b8 s[16], .param .u64 p) {\n"
                       ".reg .b32 %%r<9>; .reg .b64 %%rd<9>; .reg .pred %%p<2>;\n%s\nret;\n}\n",
                       body) > 0);
  struct sim *sim = sim_open_bare((struct device_options){.threads = 1});
  sim_load(sim, ptx);
  assert_int_equal(device_kernel_reads(sim->device, sim->module, "k", reads), 0);
  for (int i = 0; i < PARAM_BYTES; i += 4) {
    int sum = reads[i] + reads[i + 1] + reads[i + 2] + reads[i + 3];
    found[i / 4] = (char)(sum == 0 ? '0' : sum == 4 ? '1' : 'x');
  }
  if (strcmp(found, words) != 0) fail_msg("%s: %s, not %s", body, found, words);
  sim_close(sim);
  free(ptx);
}

static void test_by_name(void **state) {
  (void)state;
  expect("", "000000");
  expect("ld.param.u32 %r1, [s+8];", "001000");
  expect("ld.param.v2.u32 {%r1, %r2}, [s]; ld.param.u64 %rd1, [p];", "110011");
  expect("ld.param.u8 %r1, [s+13];", "000x00");
}

static void test_by_address(void **state) {
  (void)state;
  expect(
      "mov.b64 %rd1, s; mov.u64 %rd2, %rd1; ld.param.u64 %rd3, [%rd2]; "
      "ld.param.u32 %r1, [%rd2+8];",
      "111000");
  expect("mov.b64 %rd1, p; ld.param.u64 %rd2, [%rd1];", "000011");
  expect("mov.b64 %rd1, s;", "000000");
}

#define LANE "mov.u32 %r1, %tid.x; mov.b64 %rd1, s; "

/* Elements of an array of structures: the same members of each. */
static void test_indexed(void **state) {
  (void)state;
  expect(LANE "mul.wide.u32 %rd2, %r1, 12; add.s64 %rd3, %rd1, %rd2; ld.param.u32 %r2, [%rd3+4];",
         "010010");
  expect(LANE "mul.wide.u32 %rd2, %r1, 12; sub.s64 %rd3, %rd1, %rd2; ld.param.u32 %r2, [%rd3+16];",
         "010010");
  expect(LANE "mad.wide.u32 %rd3, %r1, 8, %rd1; ld.param.u32 %r2, [%rd3];", "101010");
  expect(LANE
         "shl.b32 %r2, %r1, 4; mul.wide.u32 %rd2, %r2, 1; add.s64 %rd3, %rd2, %rd1; "
         "ld.param.u32 %r3, [%rd3+8];",
         "001000");
  expect(LANE
         "L: ld.param.u32 %r2, [%rd1+4]; add.s64 %rd1, %rd1, 8; add.u32 %r1, %r1, 1; "
         "setp.lt.u32 %p1, %r1, 2; @%p1 bra L;",
         "010101");
  /* 4 + 12 i and 12 i + 8 j */
  expect(LANE
         "mul.wide.u32 %rd2, %r1, 12; add.s64 %rd3, %rd1, %rd2; add.s64 %rd3, %rd3, 4; "
         "ld.param.u32 %r2, [%rd3];",
         "111111"); /* %rd3 is written twice: 12 i or 12 i + 4 + 4 .. */
  expect(LANE
         "mul.wide.u32 %rd2, %r1, 12; mul.wide.u32 %rd4, %r1, 8; add.s64 %rd3, %rd1, %rd2; "
         "add.s64 %rd5, %rd3, %rd4; ld.param.u32 %r2, [%rd5];",
         "111111");
}

/* A sum that may wrap around keeps the powers of 2 only: 24 i, again and again, is any multiple of
 * 8 in the end. */
static void test_wrapping(void **state) {
  (void)state;
  expect(LANE
         "mul.wide.u32 %rd2, %r1, 24; mov.u64 %rd3, %rd1; L: add.s64 %rd4, %rd3, %rd2; "
         "mov.u64 %rd3, %rd4; setp.lt.u32 %p1, %r1, 2; @%p1 bra L; ld.param.u32 %r2, [%rd4];",
         "101010");
  expect(LANE
         "cvt.u64.u32 %rd2, %r1; mul.lo.s64 %rd2, %rd2, 24; add.s64 %rd4, %rd1, %rd2; "
         "ld.param.u32 %r2, [%rd4];",
         "111111"); /* %rd2 is written twice */
  expect(LANE
         "cvt.u64.u32 %rd2, %r1; mul.lo.s64 %rd3, %rd2, 24; add.s64 %rd4, %rd1, %rd3; "
         "ld.param.u32 %r2, [%rd4];",
         "101010");
}

/* What is done with an address besides may read anything. */
static void test_any(void **state) {
  (void)state;
  expect("mov.b64 %rd1, p; mov.u64 %rd2, 32; sub.s64 %rd3, %rd2, %rd1; ld.param.u32 %r2, [%rd3];",
         "111111");
  expect(LANE "setp.eq.u32 %p1, %r1, 0; selp.b64 %rd2, %rd1, %rd1, %p1; ld.param.u32 %r2, [%rd2];",
         "111111");
  expect(LANE "mov.b64 {%r2, %r3}, %rd1; mov.b64 %rd2, {%r2, %r3}; ld.param.u32 %r2, [%rd2];",
         "111111");
  expect(LANE "cvt.u64.u32 %rd2, %r1; add.s64 %rd3, %rd1, %rd2; ld.param.u8 %r2, [%rd3];",
         "111111");
  expect("mov.b64 %rd1, s; cvta.param.u64 %rd2, %rd1; ld.u32 %r1, [%rd2];", "111111");
}

/* Several writers: whichever address it is. */
static void test_joined(void **state) {
  (void)state;
  expect(LANE "setp.eq.u32 %p1, %r1, 0; @%p1 mov.b64 %rd1, p; ld.param.u32 %r2, [%rd1];", "100010");
  /* read in the text before it is written */
  expect(
      "bra L2; L1: ld.param.u32 %r1, [%rd2+12]; bra L3; L2: mov.b64 %rd1, s; "
      "mov.u64 %rd2, %rd1; bra L1; L3:",
      "000100");
  expect(
      "bra L2; L1: mov.u64 %rd2, %rd1; bra L3; L2: mov.b64 %rd1, s; bra L1; "
      "L3: ld.param.u32 %r1, [%rd2+12];",
      "000100");
  expect("ld.param.u32 %r1, [%rd2];", "111111"); /* never written */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_name), cmocka_unit_test(test_by_address),
      cmocka_unit_test(test_indexed), cmocka_unit_test(test_wrapping),
      cmocka_unit_test(test_any),     cmocka_unit_test(test_joined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
