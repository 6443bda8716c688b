/* test_sim_launch.c: launches that a device refuses, errors that stay, the budget of instructions,
 * and what the simulator does not support: it names it.
 */
#include "tests/unit/sim_device.h"

/* clang-format off */
static const char kernels[] =
    SIM_HEADER
    ".shared .align 16 .b8 tile[4096];\n.extern .shared .align 16 .b8 d[];\n"
    ".shared .align 16 .b8 large[50000];\n"
    SIM_ENTRY("plain") "red.global.max.u32 [%rd0], 1; ret;\n}\n"
    SIM_ENTRY("shared") "setp.ne.s32 %p1, %r3, 0; @%p1 ret; st.shared.u32 [tile], 1; "
        "mov.u64 %rd10, d; st.shared.u32 [%rd10], 1; st.global.u32 [%rd0], 1; ret;\n}\n"
    SIM_ENTRY("too_large") "st.shared.u32 [large], 1; ret;\n}\n"
    ".visible .entry bounded(.param .u64 p0)\n.maxntid 128, 1, 1\n{ ret; }\n"
    ".visible .entry required(.param .u64 p0)\n.reqntid 16, 4\n{ ret; }\n"
    SIM_ENTRY("endless") AT(7) "again: add.s32 %r10, %r10, 1;" AT(8) "bra again;\n}\n"
    SIM_ENTRY("strange") AT(40) "mov.u32 %r10, 1;" AT(41) "tex.1d.v4.f32.s32 {%f1, %f2, %f3, "
        "%f4}, [tile, {%r10}]; ret;\n}\n"
    SIM_ENTRY("wild") AT(50) "st.global.u32 [%rd3], 1; ret;\n}\n";
/* clang-format on */

static const struct sim_shape one = {{1, 1, 1}, {32, 1, 1}, 0};

static struct sim *open_kernels(uint64_t *flag) {
  struct sim *sim = sim_open(kernels, 2);
  *flag = sim_zeros(sim, 4);
  return sim;
}

/* Launches and checks the code, the hazard's kind and line, and a word of its message. */
static void expect(struct sim *sim, const char *kernel, struct sim_shape shape, uint64_t flag,
                   int code, enum hazard_kind kind, int line, const char *word) {
  uint64_t params[4] = {flag, 0, 0, 0};
  int got = sim_try_params(sim, kernel, shape, params);
  if (got != code) sim_print_hazards(sim);
  assert_int_equal(got, code);
  assert_int_equal(sim->hazard_count, word ? 1 : 0);
  if (!word) return;
  assert_int_equal(sim->hazards[0].kind, kind);
  assert_int_equal(sim->hazards[0].line, line);
  assert_int_equal(sim->hazards[0].count, 1);
  assert_false(sim->hazards[0].warning);
  assert_string_equal(sim->hazards[0].kernel, kernel);
  if (!strstr(sim->hazards[0].message, word))
    fail_msg("'%s' is not in: %s", word, sim->hazards[0].message);
}

static void shapes_that_no_device_takes(void **state) {
  (void)state;
  static const struct {
    struct sim_shape shape;
    const char *word; /* NULL: accepted */
  } cases[] = {
      {{{1, 1, 1}, {35, 35, 1}, 0}, "1225 threads"},
      {{{1, 1, 1}, {1025, 1, 1}, 0}, "1025 threads"},
      {{{1, 1, 1}, {1, 1, 65}, 0}, "z up to 64"},
      {{{1, 1, 1}, {0, 1, 1}, 0}, "0 threads"},
      {{{1, 1, 1}, {65536, 65536, 1}, 0}, "4294967296 threads"},
      {{{0, 1, 1}, {32, 1, 1}, 0}, "0 x 1 x 1"},
      {{{1, 0, 1}, {32, 1, 1}, 0}, "no blocks"},
      {{{1, 1, 0}, {32, 1, 1}, 0}, "no blocks"},
      {{{1, 65536, 1}, {1, 1, 1}, 0}, "65535"},
      {{{1, 1, 65536}, {1, 1, 1}, 0}, "65535"},
      {{{2147483648u, 1, 1}, {1, 1, 1}, 0}, "2147483647"},
      {{{1, 1, 1}, {32, 32, 1}, 0}, NULL},
      {{{1, 1, 1}, {1, 1, 64}, 0}, NULL},
      {{{1, 1, 1}, {1024, 1, 1}, 0}, NULL},
      {{{70000, 1, 1}, {1, 1, 1}, 0}, NULL},
      {{{1, 65535, 1}, {1, 1, 1}, 0}, NULL},
  };
  for (int i = 0; i < LENGTH(cases); i++) {
    uint64_t flag;
    uint32_t ran;
    struct sim *sim = open_kernels(&flag);
    expect(sim, "plain", cases[i].shape, flag, cases[i].word ? 9 : 0, HAZARD_launch, 900,
           cases[i].word);
    sim_read(sim, &ran, flag, 4);
    assert_int_equal(ran, !cases[i].word);
    assert_int_equal(sim->launches, !cases[i].word);
    assert_int_equal(device_synchronize(sim->device),
                     0); /* a refused launch does not spoil the device */
    expect(sim, "plain", one, flag, 0, HAZARD_launch, 0, NULL);
    sim_close(sim);
  }
}

static void shared_memory_over_the_limit(void **state) {
  (void)state;
  uint64_t flag;
  struct sim *sim = open_kernels(&flag);
  struct kernel_info info;
  struct sim_shape shape = one;
  assert_int_equal(device_get_kernel(sim->device, sim->module, "shared", &info), 0);
  assert_int_equal(info.static_shared_bytes, 4096);
  shape.shared_bytes = 49152 - 4096;
  expect(sim, "shared", shape, flag, 0, HAZARD_launch, 0, NULL);
  assert_int_equal(sim->report.dynamic_shared_bytes, 45056);
  assert_int_equal(sim->report.static_shared_bytes, 4096);
  shape.shared_bytes++;
  expect(sim, "shared", shape, flag, 1, HAZARD_launch, 900, "49153 bytes");
  assert_int_equal(device_set_max_shared(sim->device, sim->module, "shared", 100000), 0);
  shape.shared_bytes = 100000;
  expect(sim, "shared", shape, flag, 0, HAZARD_launch, 0, NULL);
  shape.shared_bytes = 100001;
  expect(sim, "shared", shape, flag, 1, HAZARD_launch, 900, "104097 bytes");
  assert_int_equal(device_set_max_shared(sim->device, sim->module, "shared", 232448),
                   1); /* with the tile too much */
  assert_int_equal(device_set_max_shared(sim->device, sim->module, "nobody", 1), 98);
  expect(sim, "too_large", one, flag, 1, HAZARD_launch, 900, "50000 bytes");
  sim_close(sim);
}

/* 32-bit registers live at once, as ptxas needs them, and two. The first one that a kernel declares
 * is nothing special, nor is a kernel that declares none. */
static void registers_of_kernels(void **state) {
  (void)state;
  static const struct {
    const char *body;
    int registers;
  } cases[] = {
      {"ret;", 2},
      {".reg .b32 %r<1>; ret;", 2},
      {".reg .b32 %r<3>; mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1; st.shared.u32 [s], %r2; ret;",
       3},
      {".reg .b32 %r<3>; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; bar.sync 0;"
       " st.shared.u32 [s], %r1; st.shared.u32 [s], %r2; ret;",
       4},
      /* addresses of shared memory have 32 bits, of global memory 64 */
      {".reg .b64 %rd<2>; mov.u64 %rd1, s; st.shared.u32 [%rd1], 7; ret;", 3},
      {".reg .b64 %rd<2>; mov.u64 %rd1, s; st.global.u32 [%rd1], 7; ret;", 4},
      {".reg .b64 %rd<4>; .reg .b32 %r<2>; mov.u32 %r1, %tid.x; mov.u64 %rd1, s;"
       " mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; bar.sync 0;"
       " st.shared.u32 [%rd3], 7; ret;",
       3},
      /* what differs by a constant is kept once */
      {".reg .b32 %r<4>; mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 2; bar.sync 0;"
       " st.shared.u32 [s], %r1; st.shared.u32 [s], %r2; st.shared.u32 [s], %r3; ret;",
       3},
      {".reg .b32 %r<4>; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; add.u32 %r3, %r2, 2; bar.sync 0;"
       " st.shared.u32 [s], %r1; st.shared.u32 [s], %r2; st.shared.u32 [s], %r3; ret;",
       4},
      /* of loop counters that step alike, too, not of others */
      {".reg .b32 %r<4>; .reg .pred %p<2>; mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 9;"
       " l: st.shared.u32 [s], %r1; st.shared.u32 [s], %r2; add.u32 %r1, %r1, 32;"
       " add.u32 %r2, %r2, 32; setp.lt.u32 %p1, %r1, 512; @%p1 bra l; ret;",
       3},
      {".reg .b32 %r<4>; .reg .pred %p<2>; mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 9;"
       " l: st.shared.u32 [s], %r1; st.shared.u32 [s], %r2; add.u32 %r1, %r1, 32;"
       " add.u32 %r2, %r2, 64; setp.lt.u32 %p1, %r1, 512; @%p1 bra l; ret;",
       4},
      /* what is the same for all threads of a block lies in uniform registers */
      {".reg .b32 %r<4>; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; shl.b32 %r3, %r2, 2; bar.sync "
       "0;"
       " st.shared.u32 [s], %r1; st.shared.u32 [s], %r2; st.shared.u32 [s], %r3; ret;",
       3},
  };
  for (int i = 0; i < LENGTH(cases); i++) {
    char *text;
    struct kernel_info info;
    assert_true(asprintf(&text,
                         SIM_HEADER ".shared .align 4 .b8 s[128];\n.visible .entry k()\n{\n%s\n}\n",
                         cases[i].body) > 0);
    struct sim *sim = sim_open(text, 1);
    assert_int_equal(device_get_kernel(sim->device, sim->module, "k", &info), 0);
    if (info.registers != cases[i].registers)
      fail_msg("%s: %d registers, not %d", cases[i].body, info.registers, cases[i].registers);
    sim_close(sim);
    free(text);
  }
}

static void launch_bounds(void **state) {
  (void)state;
  uint64_t flag;
  struct sim *sim = open_kernels(&flag);
  struct kernel_info info;
  assert_int_equal(device_get_kernel(sim->device, sim->module, "bounded", &info), 0);
  assert_int_equal(info.max_threads_per_block, 128);
  assert_int_equal(device_get_kernel(sim->device, sim->module, "plain", &info), 0);
  assert_int_equal(info.max_threads_per_block, 1024);
  expect(sim, "bounded", (struct sim_shape){{1, 1, 1}, {16, 8, 1}, 0}, 0, 0, HAZARD_launch, 0,
         NULL);
  expect(sim, "bounded", (struct sim_shape){{1, 1, 1}, {129, 1, 1}, 0}, 0, 1, HAZARD_launch, 900,
         "(128)");
  expect(sim, "required", (struct sim_shape){{1, 1, 1}, {16, 4, 1}, 0}, 0, 0, HAZARD_launch, 0,
         NULL);
  assert_int_equal(sim_try_params(sim, "nobody", one, &flag), 98);
  sim_close(sim);
}

static void a_fault_stays_until_the_device_is_closed(void **state) {
  (void)state;
  uint64_t flag, address;
  uint32_t word;
  int module;
  char error[64];
  struct sim *sim = open_kernels(&flag);
  expect(sim, "wild", (struct sim_shape){{4, 1, 1}, {1, 1, 1}, 0}, flag, 0, HAZARD_null, 50,
         "null pointer");
  assert_int_equal(device_synchronize(sim->device), 700);
  assert_int_equal(device_error(sim->device), 700);
  assert_int_equal(device_malloc(sim->device, 4, (struct source_place){0}, &address), 700);
  assert_int_equal(device_read(sim->device, &word, flag, 4), 700);
  assert_int_equal(device_write(sim->device, flag, &word, 4), 700);
  assert_int_equal(device_fill(sim->device, flag, 0, 4), 700);
  assert_int_equal(device_copy(sim->device, flag, flag, 4), 700);
  assert_int_equal(device_free(sim->device, flag), 700);
  assert_int_equal(
      device_load_module(sim->device, kernels, strlen(kernels), &module, error, sizeof error), 700);
  expect(sim, "plain", one, flag, 700, HAZARD_launch, 0, NULL);
  assert_int_equal(device_synchronize(sim->device), 700);
  sim_close(sim);
}

static void the_budget_ends_kernels(void **state) {
  (void)state;
  for (int threads = 1; threads <= 3; threads++) {
    struct sim *sim =
        sim_open_bare((struct device_options){.threads = threads, .budget.instructions = 10000});
    sim_load(sim, kernels);
    struct sim_shape shape = {{4, 1, 1}, {64, 1, 1}, 0};
    expect(sim, "endless", shape, 0, 0, HAZARD_budget, 8, "block (0,0)");
    assert_int_equal(device_synchronize(sim->device), 702);
    sim_close(sim);
  }
}

static void what_is_not_supported_is_named(void **state) {
  (void)state;
  uint64_t flag;
  struct sim *sim = open_kernels(&flag);
  expect(sim, "strange", one, flag, 801, HAZARD_unsupported, 41, "tex.1d.v4.f32.s32");
  assert_non_null(strstr(sim->hazards[0].message, "GPU"));
  /* again, and no more */
  expect(sim, "strange", one, flag, 801, HAZARD_unsupported, 41, "tex.1d.v4.f32.s32");
  expect(sim, "plain", one, flag, 0, HAZARD_launch, 0, NULL);
  sim_close(sim);
}

/* Each of these has an instruction that the simulator must refuse, not run as another. */
static void near_misses_are_refused(void **state) {
  (void)state;
  static const char *const bodies[] = {
      "add.cc.s16 %rs1, %rs2, %rs3;",
      "addc.s16 %rs1, %rs2, %rs3;",
      "fma.rz.sat.ftz.f32 %f1, %f2, %f3, %f1;",
      "mul24.hi.s16 %rs1, %rs2, %rs3;",
      "add.rm.sat.f32 %f1, %f2, %f3;",
      "cvt.rn.satfinite.e4m3x2.f32 %rs1, %f1, %f2;",
      "add.rz.f16 %rs1, %rs2, %rs3;",
      "add.sat.bf16 %rs1, %rs2, %rs3;",
      "set.lt.ftz.f16.f16 %rs1, %rs2, %rs3;",
      "set.lt.and.f16x2.f16x2 %r10, %r1, %r2, %p1;",
      "setp.lt.f16x2 %p1, %r1, %r2;",
      "prmt.b32.f5e %r10, %r1, %r2, %r3;",
      "bfind.shiftamt.b32 %r10, %r1;",
      "mul.hi.u16.x %rs1, "
      "%rs2, %rs3;",
      "lop3.b16 %rs1, %rs2;",
      "atom.global.min.noftz.f16 %rs1, [%rd0], %rs2;",
      "bar.red.popc.u32 %r10, 1, 64, "
      "%p1;",
      "mov.u32 %r10, %envreg3;",
      "ld.global.v8.u32 {%r10, %r11}, [%rd0];",
      "st.async.global.u32 [%rd0], "
      "%r1;",
      "cp.async.bulk.wait_group 0;",
      "wmma.load.a.sync.row.m16n16k16.f16 {%r10}, [%rd0];",
      "vadd.s32.s32.s32 %r10, %r1, "
      "%r2;",
      "atom.global.add.u16 %rs1, [%rd0], %rs2;",
      "atom.global.exch.b16 %rs1, [%rd0], %rs2;",
      "tanh.approx.ftz.f16 %rs1, %rs2;",
      "mad.f32 %f1, %f2, %f3, %f1;",
      "cvt.rn.sat.f32.f32 %f1, %f2;",
      "setp.lt.ftz.f64 %p1, %fd1, %fd2;",
      "add.ftz.f64 %fd1, %fd2, %fd3;",
  };
  for (int i = 0; i < LENGTH(bodies); i++) {
    static char text[2048];
    char opcode[64];
    snprintf(opcode, sizeof opcode, "%.*s", (int)strcspn(bodies[i], " "), bodies[i]);
    snprintf(text, sizeof text,
             "%s.visible .entry k(.param .u64 p0)\n{\n%s.loc 1 33 0\n%s\nret;\n}\n", SIM_HEADER,
             SIM_REGISTERS, bodies[i]);
    struct sim *sim = sim_open_bare((struct device_options){.threads = 1});
    char error[256];
    sim_keep_seed(text, strlen(text));
    int code =
        device_load_module(sim->device, text, strlen(text), &sim->module, error, sizeof error);
    if (code == 0) code = sim_try(sim, one, 0, 0, 0, 0);
    if (code != 801 || sim->hazard_count != 1 || sim->hazards[0].line != 33) {
      sim_print_hazards(sim);
      fail_msg("%s: code %d %s", bodies[i], code, error);
    }
    if (strncmp(opcode, "mov", 3) != 0) assert_non_null(strstr(sim->hazards[0].message, opcode));
    sim_close(sim);
  }
}

static void a_module_that_is_no_ptx(void **state) {
  (void)state;
  struct sim *sim = sim_open_bare((struct device_options){.threads = 1});
  char error[256] = "";
  int module;
  assert_int_equal(device_load_module(sim->device, "nonsense", 8, &module, error, sizeof error),
                   218);
  assert_true(error[0] != '\0');
  assert_int_equal(device_error(sim->device), 0);
  sim_close(sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapes_that_no_device_takes),
      cmocka_unit_test(shared_memory_over_the_limit),
      cmocka_unit_test(registers_of_kernels),
      cmocka_unit_test(launch_bounds),
      cmocka_unit_test(a_fault_stays_until_the_device_is_closed),
      cmocka_unit_test(the_budget_ends_kernels),
      cmocka_unit_test(what_is_not_supported_is_named),
      cmocka_unit_test(near_misses_are_refused),
      cmocka_unit_test(a_module_that_is_no_ptx),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
