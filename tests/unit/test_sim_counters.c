/* test_sim_counters.c: what the simulator counts, against figures worked out by hand: sectors,
 * lines, requests and wavefronts of known patterns; branches and operations; shared loads that are
 * merged; patterns that come back; which line is charged; the same for 1, 2 and 5 threads and every
 * instruction set. */
#include "tests/unit/sim_device.h"

enum { BLOCKS = 3, MOST = 256 };

/* ---- patterns of one access ---- */

typedef long offset_function(unsigned x, unsigned y,
                             unsigned thread); /* bytes from the array's start; < 0: no access */

struct pattern {
  const char *name, *op;  /* "ld.global.v4.u32" */
  unsigned width, height; /* of the block */
  offset_function *offset;
  uint64_t count[6]; /* global: requests, sectors, lines, bytes, used, words;
                      * shared: instructions, wavefronts, ideal, bytes;
                      * atomics: requests, sectors, bytes */
};

#define OFFSET(name, expression)                              \
  static long name(unsigned x, unsigned y, unsigned thread) { \
    (void)x, (void)y, (void)thread;                           \
    return (long)(expression);                                \
  }
OFFSET(unit1, thread)
OFFSET(unit2, thread * 2)
OFFSET(unit4, thread * 4)
OFFSET(unit8, thread * 8)
OFFSET(unit16, thread * 16)
OFFSET(shifted4, thread * 4 + 4)
OFFSET(shifted16, thread * 4 + 16)
OFFSET(shifted32, thread * 4 + 32)
OFFSET(stride2, thread * 8)
OFFSET(stride3, thread * 12)
OFFSET(stride8, thread * 32)
OFFSET(stride16, thread * 64)
OFFSET(stride32, thread * 128)
OFFSET(stride33, thread * 132)
OFFSET(reversed, 124 - 4 * (long)thread)
OFFSET(uniform, 64)
OFFSET(pairs, thread / 2 * 4)
OFFSET(two_rows, thread / 16 * 64)
OFFSET(first17, thread < 17 ? (long)thread * 4 : -1)
OFFSET(ends, thread % 31 == 0 ? (long)thread * 4 : -1)
OFFSET(half16, thread < 16 ? (long)thread * 16 : -1)
OFFSET(second_half16, thread >= 16 ? (long)thread * 16 : -1)
OFFSET(wide_stride2, thread * 16)
OFFSET(matrix_row, y * 4096 + x * 4)
OFFSET(matrix_column, x * 4096 + y * 4)
OFFSET(tile_row, y * 128 + x * 4)
OFFSET(tile_column, x * 128 + y * 4)
OFFSET(padded_column, x * 132 + y * 4)
OFFSET(bytes_of_a_bank, thread / 4 * 128 + thread % 4)

/* clang-format off */
static const struct pattern patterns[] = {
    /* global: a sector has 8 floats, a line 32 */
    {"a row of floats", "ld.global.u32", 32, 1, unit4, {1, 4, 1, 128, 128, 1}},
    {"a row from the second float on", "ld.global.u32", 32, 1, shifted4, {1, 5, 2, 128, 128, 1}},
    {"a row from the middle of a sector on", "ld.global.u32", 32, 1, shifted16, {1, 5, 2, 128,
        128, 1}},
    {"a row from the second sector on", "ld.global.u32", 32, 1, shifted32, {1, 4, 2, 128, 128, 1}},
    {"a row backwards", "ld.global.u32", 32, 1, reversed, {1, 4, 1, 128, 128, 1}},
    {"every second float", "ld.global.u32", 32, 1, stride2, {1, 8, 2, 128, 128, 1}},
    {"every third float", "ld.global.u32", 32, 1, stride3, {1, 12, 3, 128, 128, 1}},
    {"every eighth float", "ld.global.u32", 32, 1, stride8, {1, 32, 8, 128, 128, 1}},
    {"a column of 32 x 32", "ld.global.u32", 32, 1, stride32, {1, 32, 32, 128, 128, 1}},
    {"a column of 32 x 33", "ld.global.u32", 32, 1, stride33, {1, 32, 32, 128, 128, 1}},
    {"one float for all", "ld.global.u32", 32, 1, uniform, {1, 1, 1, 128, 4, 1}},
    {"one float for two", "ld.global.u32", 32, 1, pairs, {1, 2, 1, 128, 64, 1}},
    {"a row of doubles", "ld.global.u64", 32, 1, unit8, {1, 8, 2, 256, 256, 2}},
    {"a row of float2", "ld.global.v2.u32", 32, 1, unit8, {1, 8, 2, 256, 256, 2}},
    {"a row of float4", "ld.global.v4.u32", 32, 1, unit16, {1, 16, 4, 512, 512, 4}},
    {"one float4 for all", "ld.global.v4.u32", 32, 1, uniform, {1, 1, 1, 512, 16, 4}},
    {"a row of bytes", "ld.global.u8", 32, 1, unit1, {1, 1, 1, 32, 32, 1}},
    {"a row of halves", "ld.global.u16", 32, 1, unit2, {1, 2, 1, 64, 64, 1}},
    {"17 lanes of a row", "ld.global.u32", 32, 1, first17, {1, 3, 1, 68, 68, 1}},
    {"the first and the last lane", "ld.global.u32", 32, 1, ends, {1, 2, 1, 8, 8, 1}},
    {"17 threads", "ld.global.u32", 17, 1, unit4, {1, 3, 1, 68, 68, 1}},
    {"rows of a matrix, 8 x 8", "ld.global.u32", 8, 8, matrix_row, {2, 8, 8, 256, 256, 2}},
    {"rows of a matrix, 16 x 16", "ld.global.u32", 16, 16, matrix_row, {8, 32, 16, 1024, 1024, 8}},
    {"rows of a matrix, 32 x 8", "ld.global.u32", 32, 8, matrix_row, {8, 32, 8, 1024, 1024, 8}},
    {"rows of a matrix, 5 x 5", "ld.global.u32", 5, 5, matrix_row, {1, 5, 5, 100, 100, 1}},
    {"columns of a matrix, 16 x 16", "ld.global.u32", 16, 16, matrix_column, {8, 128, 128, 1024,
        1024, 8}},
    {"columns of a matrix, 32 x 8", "ld.global.u32", 32, 8, matrix_column, {8, 256, 256, 1024,
        1024, 8}},
    {"a row stored", "st.global.u32", 32, 1, unit4, {1, 4, 1, 128, 128, 1}},
    {"every eighth float stored", "st.global.u32", 32, 1, stride8, {1, 32, 8, 128, 128, 1}},
    {"a row of float4 stored", "st.global.v4.u32", 32, 1, unit16, {1, 16, 4, 512, 512, 4}},
    {"one float stored by all", "st.global.u32", 32, 1, uniform, {1, 1, 1, 128, 4, 1}},
    /* shared: 32 banks of 4 bytes */
    {"a row", "ld.shared.u32", 32, 1, unit4, {1, 1, 1, 128}},
    {"a row backwards", "ld.shared.u32", 32, 1, reversed, {1, 1, 1, 128}},
    {"every second word", "ld.shared.u32", 32, 1, stride2, {1, 2, 1, 128}},
    {"every third word", "ld.shared.u32", 32, 1, stride3, {1, 1, 1, 128}},
    {"every eighth word", "ld.shared.u32", 32, 1, stride8, {1, 8, 1, 128}},
    {"every sixteenth word", "ld.shared.u32", 32, 1, stride16, {1, 16, 1, 128}},
    {"a column of [32][32]", "ld.shared.u32", 32, 1, stride32, {1, 32, 1, 128}},
    {"a column of [32][33]", "ld.shared.u32", 32, 1, stride33, {1, 1, 1, 128}},
    {"one word for all", "ld.shared.u32", 32, 1, uniform, {1, 1, 1, 128}},
    {"one word for two", "ld.shared.u32", 32, 1, pairs, {1, 1, 1, 128}},
    {"two words for a half warp each", "ld.shared.u32", 32, 1, two_rows, {1, 1, 1, 128}},
    {"bytes of words in one bank", "ld.shared.u8", 32, 1, bytes_of_a_bank, {1, 8, 1, 32}},
    {"rows of a tile, 32 x 8", "ld.shared.u32", 32, 8, tile_row, {8, 8, 8, 1024}},
    {"columns of a tile, 32 x 8", "ld.shared.u32", 32, 8, tile_column, {8, 256, 8, 1024}},
    {"padded columns of a tile, 32 x 8", "ld.shared.u32", 32, 8, padded_column, {8, 8, 8, 1024}},
    {"columns of a tile, 16 x 16", "ld.shared.u32", 16, 16, tile_column, {8, 128, 8, 1024}},
    {"a row of doubles", "ld.shared.u64", 32, 1, unit8, {1, 2, 2, 256}},
    {"every second double", "ld.shared.u64", 32, 1, wide_stride2, {1, 4, 2, 256}},
    {"a row of float4", "ld.shared.v4.u32", 32, 1, unit16, {1, 4, 4, 512}},
    {"float4 of a half warp", "ld.shared.v4.u32", 32, 1, half16, {1, 2, 2, 256}},
    {"float4 of the other half", "ld.shared.v4.u32", 32, 1, second_half16, {1, 2, 2, 256}},
    {"a row stored", "st.shared.u32", 32, 1, unit4, {1, 1, 1, 128}},
    {"every second word stored", "st.shared.u32", 32, 1, stride2, {1, 2, 1, 128}},
    {"a column of [32][32] stored", "st.shared.u32", 32, 1, stride32, {1, 32, 1, 128}},
    {"one word stored by all", "st.shared.u32", 32, 1, uniform, {1, 1, 1, 128}},
    {"a row of doubles stored", "st.shared.u64", 32, 1, unit8, {1, 2, 2, 256}},
    {"a row of float4 stored", "st.shared.v4.u32", 32, 1, unit16, {1, 4, 4, 512}},
    /* an atomic's lanes take turns at one address */
    {"atomics on a row", "red.global.add.u32", 32, 1, unit4, {1, 4, 128}},
    {"atomics on every eighth float", "red.global.add.u32", 32, 1, stride8, {1, 32, 128}},
    {"atomics on one float", "red.global.add.u32", 32, 1, uniform, {1, 32, 128}},
};
/* clang-format on */

/* The offsets are read at line 5; line 10 has the access alone. Shared memory is written first. */
static const char *pattern_text(const struct pattern *p) {
  static char text[4096];
  const char *data = strstr(p->op, ".v4")   ? "{%r20, %r21, %r22, %r23}"
                     : strstr(p->op, ".v2") ? "{%r20, %r21}"
                     : strstr(p->op, "64")  ? "%rd20"
                                            : "%r20";
  bool load = strncmp(p->op, "ld", 2) == 0;
  snprintf(text, sizeof text,
           "%s.shared .align 16 .b8 s[8192];\n"
           ".visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, "
           ".param .u64 p3)\n{\n%s.loc 1 5 0\n"
           "mov.u32 %%r0, %%tid.x; mov.u32 %%r1, %%tid.y; mov.u32 %%r2, %%ntid.x; mov.u32 %%r3, "
           "%%ntid.y; mad.lo.s32 %%r0, %%r1, %%r2, %%r0;\n"
           "mul.lo.s32 %%r2, %%r2, %%r3; ld.param.u64 %%rd0, [p0]; ld.param.u64 %%rd1, [p1];\n"
           "mov.u32 %%r4, %%r0; mov.u32 %%r20, 0; mov.u32 %%r21, 0; mov.u32 %%r22, 0; "
           "mov.u32 %%r23, 0; mov.u64 %%rd20, 0;\n"
           "fill: mul.wide.u32 %%rd2, %%r4, 4; mov.u64 %%rd3, s; add.s64 %%rd3, %%rd3, %%rd2; "
           "st.shared.u32 [%%rd3], 0;\n"
           "add.s32 %%r4, %%r4, %%r2; setp.lt.u32 %%p1, %%r4, 2048; @%%p1 bra fill; bar.sync 0;\n"
           "mul.wide.u32 %%rd4, %%r0, 4; add.s64 %%rd1, %%rd1, %%rd4; ld.global.s32 %%rd5, "
           "[%%rd1]; setp.lt.s64 %%p2, %%rd5, 0; @%%p2 bra over;\n"
           "mov.u64 %%rd6, %s; add.s64 %%rd6, %%rd6, "
           "%%rd5;\n.loc 1 10 0\n%s %s%s%s;\n.loc 1 20 0\nover: ret;\n}\n",
           SIM_HEADER, SIM_REGISTERS, strstr(p->op, "global") ? "%rd0" : "s", p->op,
           load ? data : "[%rd6]", load ? ", [%rd6]" : ", ", load ? "" : data);
  return text;
}

static const uint64_t *line_counters(const struct sim *sim, int line) {
  for (int i = 0; i < sim->report.line_count; i++)
    if (sim->lines[i].line == line) return sim->lines[i].counters.value;
  fail_msg("line %d has no counters", line);
  return NULL;
}

static bool check_pattern(const struct pattern *p, const uint64_t *v, const char *isa,
                          int threads) {
  bool shared = strstr(p->op, "shared"), load = strncmp(p->op, "ld", 2) == 0,
       atomic = strncmp(p->op, "red", 3) == 0;
  int first = atomic   ? COUNTER_global_atomic_requests
              : shared ? (load ? COUNTER_shared_load_inst : COUNTER_shared_store_inst)
                       : (load ? COUNTER_global_load_requests : COUNTER_global_store_requests);
  int count = atomic ? 3 : shared ? 4 : 6;
  bool fine = true;
  for (int i = 0; i < COUNTERS;
       i++) { /* nothing else is charged to this line but the instruction */
    uint64_t right = i >= first && i < first + count ? p->count[i - first] * BLOCKS : 0;
    if (i == COUNTER_inst_executed || i == COUNTER_thread_inst_executed) continue;
    if (v[i] != right) {
      print_error("%s (%s, %d threads, %s): %s is %llu, not %llu\n", p->name, p->op, threads, isa,
                  counter_names[i], (unsigned long long)v[i], (unsigned long long)right);
      fine = false;
    }
  }
  return fine;
}

static void known_patterns(void **state) {
  (void)state;
  static const int thread_counts[] = {1, 2, 5};
  int wrong = 0;
  for (int i = 0; i < LENGTH(patterns); i++) {
    const struct pattern *p = &patterns[i];
    int32_t offsets[MOST];
    unsigned threads = p->width * p->height;
    for (unsigned t = 0; t < threads; t++)
      offsets[t] = (int32_t)p->offset(t % p->width, t / p->width, t);
    for (int k = 0; k < LENGTH(sim_isas) * LENGTH(thread_counts); k++) {
      const char *isa = sim_isas[k % LENGTH(sim_isas)];
      int workers = thread_counts[k / LENGTH(sim_isas)];
      if (!sim_choose_isa(isa)) continue;
      struct sim *sim = sim_open(pattern_text(p), workers);
      uint64_t data = sim_zeros(sim, 1 << 18),
               from = sim_buffer(sim, offsets, sizeof *offsets * threads);
      assert_int_equal(sim_try(sim, (struct sim_shape){{BLOCKS, 1, 1}, {p->width, p->height, 1}, 0},
                               data, from, 0, 0),
                       0);
      for (int h = 0; h < sim->hazard_count; h++) /* all blocks store the same zeros */
        if (!sim->hazards[h].warning) fail_msg("%s: %s", p->name, sim->hazards[h].message);
      wrong += !check_pattern(p, line_counters(sim, 10), isa, workers);
      sim_close(sim);
    }
  }
  sim_choose_isa(NULL);
  assert_int_equal(wrong, 0);
}

/* ---- instructions, branches, operations ---- */

static void instructions_branches_and_operations(void **state) {
  (void)state;
  static const char text[] = SIM_KERNEL(
      "", AT(10) "fma.rn.f32 %f1, %f1, %f2, %f3; add.f32 %f1, %f1, %f2; mul.f64 %fd1, %fd1, %fd2; "
      "neg.f32 %f4, %f1;\n"
      AT(11) "setp.lt.s32 %p1, %r4, 8; @%p1 bra a;" AT(12) "fma.rn.f64 %fd1, %fd1, %fd2, %fd3; "
          "min.f32 %f1, %f1, %f2;\n"
      AT(13) "a: bar.sync 0;" AT(14) "setp.lt.s32 %p2, %r0, 32; @%p2 bra b;"
          AT(15) "add.s32 %r10, %r0, 1;\n"
      AT(16) "b: mov.u32 %r11, 0;" AT(17) "c: add.s32 %r11, %r11, 1; and.b32 %r12, %r4, 3; "
          "setp.le.u32 %p3, %r11, %r12; @%p3 bra c;\n"
      AT(8) "mov.u64 %rd10, %rd0; cvta.to.global.u64 %rd10, %rd10;" AT(19) "ret;");
  static const struct {
    int line;
    enum counter counter;
    uint64_t value; /* one block: two full warps and one of 8 */
  } right[] = {
      {10, COUNTER_inst_executed, 12},
      {10, COUNTER_thread_inst_executed, 288},
      {10, COUNTER_fp32_ops, 216},
      {10, COUNTER_fp64_ops, 72},
      {11, COUNTER_branches, 3},
      {11, COUNTER_divergent_branches, 2},
      {11, COUNTER_inst_executed, 6},
      {12, COUNTER_thread_inst_executed, 96},
      {12, COUNTER_inst_executed, 4},
      {12, COUNTER_fp64_ops, 96},
      {12, COUNTER_fp32_ops, 48},
      {13, COUNTER_barriers, 3},
      {13, COUNTER_inst_executed, 3},
      {14, COUNTER_branches, 3},
      {14, COUNTER_divergent_branches, 0},
      {15, COUNTER_inst_executed, 2},
      {15, COUNTER_thread_inst_executed, 40},
      {17, COUNTER_branches, 12},
      {17, COUNTER_divergent_branches, 9},
      {17, COUNTER_thread_inst_executed, 720},
      {17, COUNTER_inst_executed, 48},
      {8, COUNTER_inst_executed, 3},
      {19, COUNTER_thread_inst_executed, 72},
  };
  struct sim *sim = sim_open(text, 2);
  sim_run(sim, BLOCKS, 72, 0, 0, 0, 0);
  int wrong = 0;
  struct counters sum = {{0}};
  for (int i = 0; i < LENGTH(right); i++) {
    uint64_t got = line_counters(sim, right[i].line)[right[i].counter];
    if (got == right[i].value * BLOCKS) continue;
    print_error("line %d: %s is %llu, not %llu\n", right[i].line, counter_names[right[i].counter],
                (unsigned long long)got, (unsigned long long)right[i].value * BLOCKS);
    wrong++;
  }
  for (int i = 0; i < sim->report.line_count; i++)
    for (int k = 0; k < COUNTERS; k++) sum.value[k] += sim->lines[i].counters.value[k];
  assert_memory_equal(&sum, &sim->report.counters, sizeof sum);
  for (int i = 1; i < sim->report.line_count; i++)
    assert_true(sim->lines[i - 1].line < sim->lines[i].line);
  assert_string_equal(sim->report.kernel, "k");
  assert_int_equal(sim->report.grid[0], BLOCKS);
  assert_int_equal(sim->report.block[0], 72);
  assert_int_equal(sim->report.place.line, 900);
  assert_true(sim->report.time_ns > 0 && sim->report.bound[0]);
  assert_int_equal(wrong, 0);
  sim_close(sim);
}

/* ---- shared loads that become one ---- */

/* Runs loads from base %rd10 at line 10, whose results are summed up into out. */
static struct counters run_loads(const char *base, const char *body, uint32_t out[32]) {
  static char text[4096];
  struct counters counters;
  snprintf(text, sizeof text,
           "%s.shared .align 16 .b8 s[8192];\n"
           ".visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, "
           ".param .u64 p3)\n{\n%s%s"
           "mov.u32 %%r20, %%r0; fill: mul.wide.u32 %%rd20, %%r20, 4; mov.u64 %%rd21, s; "
           "add.s64 %%rd21, %%rd21, %%rd20;\n"
           "mul.lo.s32 %%r21, %%r20, %%r20; st.shared.u32 [%%rd21], %%r21; add.s32 %%r20, %%r20, "
           "32;\n"
           "setp.lt.u32 %%p1, %%r20, 2048; @%%p1 bra fill; bar.sync 0;\n"
           "mov.u32 %%r10, 0; mov.u32 %%r12, 0; mov.u32 %%r13, "
           "0;\n%s\n.loc 1 10 0\n%s\n.loc 1 11 0\n"
           "mad.lo.s32 %%r10, %%r10, 3, %%r11; mad.lo.s32 %%r10, %%r10, 3, %%r12; "
           "mad.lo.s32 %%r10, %%r10, 3, %%r13;\n"
           "add.s64 %%rd0, %%rd0, %%rd4; st.global.u32 [%%rd0], %%r10; ret;\n}\n",
           SIM_HEADER, SIM_REGISTERS, SIM_PROLOGUE, base, body);
  struct sim *sim = sim_open(text, 1);
  uint64_t to = sim_zeros(sim, 256);
  sim_run(sim, 1, 32, to, 0, 0, 0);
  sim_read(sim, out, to, 128);
  memcpy(counters.value, line_counters(sim, 10), sizeof counters.value);
  sim_close(sim);
  return counters;
}

/* Loads of volatile values are never merged: what they give must be the same. */
static void check_fusion(const char *name, const char *base, const char *body,
                         uint64_t instructions, uint64_t bytes) {
  char apart[1024] = "";
  uint32_t got[32], right[32];
  for (const char *at = body; *at;) {
    bool load = strncmp(at, "ld.shared", 9) == 0;
    strcat(apart, load ? "ld.volatile" : (char[]){*at, '\0'});
    at += load ? 2 : 1;
  }
  struct counters counters = run_loads(base, body, got);
  run_loads(base, apart, right);
  assert_memory_equal(got, right, sizeof got);
  uint64_t *v = counters.value;
  if (v[COUNTER_shared_load_inst] != instructions || v[COUNTER_shared_load_bytes] != bytes)
    fail_msg("%s: %llu loads of %llu bytes, not %llu of %llu", name,
             (unsigned long long)v[COUNTER_shared_load_inst],
             (unsigned long long)v[COUNTER_shared_load_bytes], (unsigned long long)instructions,
             (unsigned long long)bytes);
}

static void neighbouring_shared_loads_become_one(void **state) {
  (void)state;
  static const char row16[] =
      "mov.u64 %rd10, s; mul.wide.u32 %rd11, %r0, 128; add.s64 %rd10, "
      "%rd10, %rd11;";
  static const char row33[] =
      "mov.u64 %rd10, s; mul.wide.u32 %rd11, %r0, 132; add.s64 %rd10, "
      "%rd10, %rd11;";
  static const char row34[] =
      "mov.u64 %rd10, s; mul.wide.u32 %rd11, %r0, 136; add.s64 %rd10, "
      "%rd10, %rd11;";
  static const char four[] =
      "ld.shared.u32 %r10, [%rd10]; ld.shared.u32 %r11, [%rd10+4]; "
      "ld.shared.u32 %r12, [%rd10+8]; ld.shared.u32 %r13, [%rd10+12];";
  check_fusion("four in a row of 128 bytes", row16, four, 1, 512);
  check_fusion("four in a row of 132 bytes", row33, four, 4, 512);
  check_fusion("four in a row of 136 bytes", row34, four, 2, 512);
  check_fusion("in any order, with other work between", row16,
               "ld.shared.f32 %f1, [%rd10+24]; ld.shared.f32 %f2, [%rd10+16]; add.f32 %f2, %f2, "
               "%f2; ld.shared.u32 %r12, [%rd10+28]; "
               "mov.b32 %r10, %f1; ld.shared.u32 %r13, [%rd10+20]; mov.b32 %r11, %f2;",
               1, 512);
  check_fusion("three of four", row16,
               "ld.shared.u32 %r10, [%rd10]; ld.shared.u32 %r11, "
               "[%rd10+4]; ld.shared.u32 %r12, [%rd10+12]; mov.u32 %r13, 0;",
               2, 384);
  check_fusion(
      "across a boundary of 16 bytes", row16,
      "ld.shared.u32 %r10, [%rd10+8]; "
      "ld.shared.u32 %r11, [%rd10+12]; ld.shared.u32 %r12, [%rd10+16]; ld.shared.u32 %r13, "
      "[%rd10+20];",
      2, 512);
  check_fusion(
      "a shared store between", row16,
      "ld.shared.u32 %r10, [%rd10]; ld.shared.u32 %r11, "
      "[%rd10+4]; st.shared.u32 [%rd10+64], 1; ld.shared.u32 %r12, [%rd10+8]; ld.shared.u32 %r13, "
      "[%rd10+12];",
      2, 512);
  check_fusion(
      "a barrier between", row16,
      "ld.shared.u32 %r10, [%rd10]; ld.shared.u32 %r11, "
      "[%rd10+4]; bar.sync 0; ld.shared.u32 %r12, [%rd10+8]; ld.shared.u32 %r13, [%rd10+12];",
      2, 512);
  check_fusion("__syncwarp between", row16,
               "ld.shared.u32 %r10, [%rd10]; bar.warp.sync -1; "
               "ld.shared.u32 %r11, [%rd10+4]; ld.shared.u32 %r12, [%rd10+8]; ld.shared.u32 %r13, "
               "[%rd10+12];",
               3, 512);
  check_fusion("volatile", row16,
               "ld.volatile.shared.u32 %r10, [%rd10]; "
               "ld.volatile.shared.u32 %r11, [%rd10+4]; mov.u32 %r12, 0; mov.u32 %r13, 0;",
               2, 256);
  check_fusion(
      "a destination that is in use", row16,
      "mov.u32 %r11, 5; ld.shared.u32 %r10, "
      "[%rd10]; st.global.u32 [%rd0+128], %r11; ld.shared.u32 %r11, [%rd10+4]; mov.u32 %r12, 0; "
      "mov.u32 %r13, 0;",
      2, 256);
}

/* ---- patterns that come back ---- */

/* An instruction has 31 patterns in turn, more than are kept: the first so many lanes, 8 bytes from
 * one to the next. */
static void patterns_in_turn(void **state) {
  (void)state;
  enum { ROUNDS = 3, MASKS = 31 };
  static const char base[] =
      "mov.u64 %rd10, s; mul.wide.u32 %rd11, %r0, 8; add.s64 %rd10, %rd10, %rd11; "
      "mov.u32 %r14, 31; mov.u32 %r15, 0; mov.u32 %r11, 0; bra start;";
  static const char body[] =
      "again: ld.shared.u32 %r11, [%rd10];\n.loc 1 12 0\n"
      "skip: add.s32 %r14, %r14, -1; setp.ne.u32 %p3, %r14, 0; @%p3 bra start; "
      "mov.u32 %r14, 31; add.s32 %r15, %r15, 1; setp.ge.u32 %p3, %r15, 3; @%p3 bra out;\n"
      "start: setp.lt.u32 %p2, %r0, %r14; @%p2 bra again; bra skip;\nout:";
  uint32_t out[32];
  struct counters counters = run_loads(base, body, out);
  uint64_t wavefronts = 0, bytes = 0;
  for (uint64_t lanes = 1; lanes <= MASKS; lanes++) {
    wavefronts += lanes > 16 ? 2 : 1;
    bytes += 4 * lanes;
  }
  assert_int_equal(counters.value[COUNTER_shared_load_inst], ROUNDS * MASKS);
  assert_int_equal(counters.value[COUNTER_shared_load_wavefronts], ROUNDS * wavefronts);
  assert_int_equal(counters.value[COUNTER_shared_load_bytes], ROUNDS * bytes);
  assert_int_equal(counters.value[COUNTER_thread_inst_executed], ROUNDS * bytes / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_patterns),
      cmocka_unit_test(instructions_branches_and_operations),
      cmocka_unit_test(neighbouring_shared_loads_become_one),
      cmocka_unit_test(patterns_in_turn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
