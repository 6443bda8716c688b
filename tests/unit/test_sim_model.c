/* test_sim_model.c: how long launches take on the GPU described (model.h): how the time grows, what
 * it is spent on, and that it is the same however the simulator ran. What is expected comes from
 * the description itself.
 * test-all: under sanitizers; the other run, which make test has, is of the same code. */
#include "tests/unit/sim_device.h"

#include <math.h>
#include <unistd.h>

#include "harness/sim/base/gpu.h"
#include "harness/sim/model/model.h"
#include "harness/sim/model/sample.h"

#define SHARED_ARRAY ".shared .align 16 .b8 s[8192];\n.extern .shared .align 16 .b8 dynamic[];\n"
enum { BYTES = 4 << 20 };

static struct gpu described(void) {
  struct gpu gpu;
  char error[256] = "";
  if (!gpu_read(&gpu, NULL, error, sizeof error)) fail_msg("%s", error);
  return gpu;
}

static void assert_near(double value, double right, double share) {
  if (!(fabs(value - right) <= share * right)) fail_msg("%g, not %g", value, right);
}

/* A description with one figure changed, in a file of its own. from: NULL, the built-in one. */
static char descriptions[16][64];
static int description_count;

static const char *changed(const char *from, const char *key, double value) {
  char *path = descriptions[description_count++];
  assert_true(description_count <= LENGTH(descriptions));
  snprintf(path, sizeof descriptions[0], "/tmp/kit-gpu-XXXXXX");
  FILE *in = fopen(from ? from : "harness/sim/gpus/h100.ini", "r"),
       *out = fdopen(mkstemp(path), "w");
  assert_true(in && out);
  int found = 0;
  for (char line[512]; fgets(line, sizeof line, in);) {
    bool here = strncmp(line, key, strlen(key)) == 0 && line[strlen(key)] == ' ';
    found += here;
    if (here)
      fprintf(out, "%s = %.17g\n", key, value);
    else
      fputs(line, out);
  }
  fclose(in);
  assert_int_equal(fclose(out), 0);
  assert_int_equal(found, 1);
  return path;
}

/* With DRAM of this rate, whatever it moves. */
static const char *with_dram(const char *from, double bytes_per_ns) {
  return changed(
      changed(changed(from, "dram_bytes_per_ns", bytes_per_ns), "dram_reads_per_ns", bytes_per_ns),
      "dram_writes_per_ns", bytes_per_ns);
}

static int remove_descriptions(void **state) {
  (void)state;
  for (int i = 0; i < description_count; i++) unlink(descriptions[i]);
  return 0;
}

struct timed {
  double ns;
  char bound[32];
  struct counters counters;
};

struct run {
  const char *body;
  unsigned blocks, threads;
  size_t shared_bytes;
  size_t bytes;    /* of each of the two arrays, zeros */
  const char *gpu; /* NULL: the built-in one */
  int workers;     /* 0: 1 */
  bool whole;      /* every block is executed, not a sample */
};

static struct timed time_of(struct run run) {
  struct sim *sim = sim_open_bare((struct device_options){
      .threads = run.workers ? run.workers : 1, .gpu = run.gpu, .sample = !run.whole});
  static char text[1 << 16];
  snprintf(text, sizeof text, "%s%s%s%s\nret;\n}\n", SIM_HEADER, SHARED_ARRAY, SIM_ENTRY("k"),
           run.body);
  sim_load(sim, text);
  size_t bytes = run.bytes ? run.bytes : BYTES;
  uint64_t from = sim_zeros(sim, bytes), to = sim_zeros(sim, bytes);
  struct sim_shape shape = sim_line(run.blocks, run.threads);
  shape.shared_bytes = run.shared_bytes;
  assert_int_equal(device_set_max_shared(sim->device, sim->module, "k", 200 << 10), 0);
  if (sim_try(sim, shape, from, to, 0, 0) != 0) fail_msg("refused: %s", run.body);
  struct timed timed = {.ns = sim->report.time_ns, .counters = sim->report.counters};
  snprintf(timed.bound, sizeof timed.bound, "%s", sim->report.bound);
  if (!isfinite(timed.ns) || timed.ns <= 0) fail_msg("%g ns: %s", timed.ns, run.body);
  sim_close(sim);
  return timed;
}

#define TIMED(...) time_of((struct run){__VA_ARGS__})

#define AGAIN(turns, piece)                                                                 \
  "mov.u32 %r90, 0; again:\n" piece "add.s32 %r90, %r90, 1; setp.lt.u32 %p9, %r90, " #turns \
  "; "                                                                                      \
  "@%p9 bra again;\n"
#define EIGHT(piece) piece piece piece piece piece piece piece piece
#define OWN_WORD "add.s64 %rd10, %rd0, %rd4; add.s64 %rd11, %rd1, %rd4;\n"
#define COPY OWN_WORD "ld.global.f32 %f1, [%rd10]; st.global.f32 [%rd11], %f1;\n"
#define START \
  "mov.f32 %f1, 0f3f800000; mov.u32 %r10, 3; mov.u32 %r11, 5; mov.f64 %fd1, 0d3ff0000000000000;\n"

/* ---- launches and blocks ---- */

static void a_launch_that_does_nothing(void **state) {
  (void)state;
  struct gpu gpu = described();
  struct timed t = TIMED("", 1, 32);
  assert_near(t.ns, fmax(gpu.model.launch_interval_ns, gpu.model.launch_gap_ns), 0.05);
  assert_string_equal(t.bound, "launch");
  assert_true(TIMED("", 1, 32, .gpu = changed(NULL, "launch_interval_ns", 7777)).ns == 7777);
}

static void blocks_are_dispatched_one_by_one(void **state) {
  (void)state;
  struct gpu gpu = described();
  double each = 1 / gpu.model.blocks_per_ns;
  struct timed few = TIMED("", 40000, 32), many = TIMED("", 80000, 32);
  assert_near(many.ns - few.ns, 40000 * each, 0.05);
  assert_near(few.ns, gpu.model.launch_gap_ns + 40000 * each, 0.1);
  assert_string_equal(many.bound, "block dispatch");
}

static unsigned blocks_of_a_wave(unsigned resident) {
  return resident * (unsigned)described().info.sm_count;
}

/* Blocks beyond those that are resident come in waves: with 100 KiB of shared memory, two an SM. */
static void blocks_come_in_waves(void **state) {
  (void)state;
  static const char body[] = START AGAIN(400, EIGHT("fma.rn.f32 %f1, %f1, %f1, %f1;\n"));
  double gap = described().model.launch_gap_ns, last = 0;
  unsigned wave = blocks_of_a_wave(2);
  double one = TIMED(body, wave, 64, 100 << 10).ns - gap;
  for (unsigned waves = 2; waves <= 6; waves++) {
    double ns = TIMED(body, waves * wave, 64, 100 << 10).ns - gap;
    assert_near(ns, waves * one, 0.1);
    assert_true(ns > last);
    last = ns;
  }
  /* one block more is another wave; a wave that is not full takes as long as one that is */
  assert_near(TIMED(body, wave + 1, 64, 100 << 10).ns - gap, 2 * one, 0.1);
  assert_near(TIMED(body, wave / 2, 64, 100 << 10).ns - gap, one, 0.1);
  /* without so much shared memory all of them run at once */
  assert_true(TIMED(body, 6 * wave, 64, 0).ns - gap < last / 2);
}

static void occupancy_hides_latency(void **state) {
  (void)state;
  double full = TIMED(COPY, 16384, 256, 0, 16 << 20).ns,
         half = TIMED(COPY, 16384, 256, 100 << 10, 16 << 20).ns;
  assert_true(half > 1.5 * full);
}

static void more_work_takes_longer(void **state) {
  (void)state;
  static const char *const pieces[] = {"fma.rn.f32 %f1, %f1, %f1, %f1;\n",
                                       "ld.global.f32 %f2, [%rd10]; add.f32 %f1, %f1, %f2;\n",
                                       "st.global.f32 [%rd11], %f1;\n", "bar.sync 0;\n",
                                       "ld.shared.f32 %f2, [dynamic]; add.f32 %f1, %f1, %f2;\n"};
  for (int i = 0; i < LENGTH(pieces); i++) {
    double last = 0;
    for (int turns = 20; turns <= 320; turns *= 4) {
      char text[4000];
      snprintf(text, sizeof text, "%s%s%s%d%s",
               OWN_WORD START "mov.u32 %r90, 0; again: ", pieces[i],
               "add.s32 %r90, %r90, 1; setp.lt.u32 %p9, %r90, ", turns, "; @%p9 bra again;");
      double ns = TIMED(text, 264, 256, 1024).ns;
      assert_true(ns >= last);
      if (turns > 160) assert_true(ns > 1.2 * last);
      last = ns;
    }
  }
}

/* ---- memory ---- */

/* Two arrays of 128 KiB stay in an L2 of 1 MiB, two of 4 MiB do not: only there does it matter what
 * DRAM gives at most. */
static void arrays_in_l2_and_in_dram(void **state) {
  (void)state;
  enum { SMALL = 128 << 10, LARGE = 4 << 20 };
  struct gpu gpu = described();
  double gap = gpu.model.launch_gap_ns, slow = gpu.model.dram_bytes_per_ns / 40, ns[2][2];
  const char *small_l2 = changed(NULL, "l2_mib", 1), *slow_too = with_dram(small_l2, slow);
  for (int large = 0; large < 2; large++) {
    unsigned bytes = large ? LARGE : SMALL;
    for (int k = 0; k < 2; k++) {
      struct timed t = TIMED(COPY, bytes / 1024, 256, 0, bytes, k ? slow_too : small_l2);
      ns[large][k] = t.ns;
      if (large && k) assert_string_equal(t.bound, "DRAM");
    }
  }
  assert_true(ns[0][0] == ns[0][1]);
  assert_true(ns[1][1] - gap >= 2.0 * LARGE / slow * (1 - 1e-9));
  assert_near(ns[1][1] - gap, 2.0 * LARGE / slow, 0.2);
  /* stores alone: as fast as DRAM takes them */
  struct timed stores =
      TIMED(OWN_WORD "st.global.u32 [%rd11], %r0;", LARGE / 1024, 256, 0, LARGE, slow_too);
  assert_near(stores.ns - gap, LARGE / slow, 0.01);
  assert_string_equal(stores.bound, "DRAM");
  assert_true(ns[1][1] > 3 * ns[1][0]);
  assert_true(ns[1][0] > TIMED(COPY, LARGE / 1024, 256, 0, LARGE).ns);
}

/* A sector of which a launch stores one word is read from DRAM before it is written; one that other
 * blocks complete, or that has been loaded, is not. DRAM moves halves of lines. */
static void parts_of_sectors_are_read_first(void **state) {
  (void)state;
  enum { WORDS = 1 << 20 };
  double gap = described().model.launch_gap_ns, slow = 100;
  const char *gpu = with_dram(changed(NULL, "l2_mib", 1), slow);
  static const struct {
    const char *body;
    double halves; /* of lines that DRAM moves, read and written, for each word stored */
  } stores[] = {
      /* a word in each line, in each half, in each sector */
      {"shl.b64 %rd8, %rd4, 5; add.s64 %rd11, %rd1, %rd8; st.global.u32 [%rd11], %r0;", 2},
      {"shl.b64 %rd8, %rd4, 4; add.s64 %rd11, %rd1, %rd8; st.global.u32 [%rd11], %r0;", 2},
      {"shl.b64 %rd8, %rd4, 3; add.s64 %rd11, %rd1, %rd8; st.global.u32 [%rd11], %r0;", 1},
      /* a word in each line, which was loaded: it lies in L2 */
      {"shl.b64 %rd8, %rd4, 5; add.s64 %rd11, %rd1, %rd8; ld.global.u32 %r10, [%rd11];"
       "add.s32 %r10, %r10, %r0; st.global.u32 [%rd11], %r10;",
       2},
      /* all of each line: the words of a sector from the same block */
      {OWN_WORD "st.global.u32 [%rd11], %r0;", 1.0 / 16},
  };
  for (int i = 0; i < LENGTH(stores); i++)
    assert_near(TIMED(stores[i].body, WORDS / 256, 256, 0, (size_t)WORDS * 128, gpu).ns - gap,
                WORDS * stores[i].halves * 64 / slow, 0.05);
}

/* In arrays that are larger than what the launch touches of them, which alone would not stay in L2:
 * the same time. Where more is touched, it is longer. */
static void what_a_launch_does_not_touch_does_not_count(void **state) {
  (void)state;
  enum { TOUCHED = 128 << 10, BLOCKS = TOUCHED / 4 / 256 };
  static const char *const bodies[] = {
      COPY,
      /* every block reads all of it, a row at a time */
      OWN_WORD "add.s64 %rd10, %rd0, %rd5;\n" START AGAIN(
          128,
          "ld.global.f32 %f2, [%rd10]; add.f32 %f1, %f1, %f2; add.s64 %rd10, %rd10, "
          "1024;\n") "st.global.f32 [%rd11], %f1;\n",
      /* words that lie anywhere */
      OWN_WORD
      "mul.lo.s32 %r20, %r3, 0x9e3779b1; and.b32 %r20, %r20, 0x7fff;\n"
      "mul.wide.u32 %rd8, %r20, 4; add.s64 %rd10, %rd0, %rd8;\n"
      "ld.global.f32 %f1, [%rd10]; st.global.f32 [%rd11], %f1;\n",
      "add.s64 %rd11, %rd1, %rd4; atom.global.add.u32 %r20, [%rd11], 1;\n",
  };
  const char *small_l2 = changed(NULL, "l2_mib", 1);
  for (int i = 0; i < LENGTH(bodies); i++) {
    double ns = TIMED(bodies[i], BLOCKS, 256, .bytes = TOUCHED, .gpu = small_l2, .whole = true).ns;
    for (size_t times = 2; times <= 64; times *= 2)
      assert_near(
          TIMED(bodies[i], BLOCKS, 256, .bytes = TOUCHED * times, .gpu = small_l2, .whole = true)
              .ns,
          ns, 0.01);
  }
  /* loops that touch all of 4 MiB, and a DRAM that is slow: no line of it is missed */
  enum { ALL = 4 << 20 };
  double slow = described().model.dram_bytes_per_ns / 400;
  static const char loop[] =
      OWN_WORD START AGAIN(16,
                           "ld.global.f32 %f1, [%rd10]; st.global.f32 [%rd11], %f1;\n"
                           "add.s64 %rd10, %rd10, 262144; add.s64 %rd11, %rd11, 262144;\n");
  for (size_t times = 1; times <= 4; times *= 4)
    assert_near(TIMED(loop, ALL / 16 / 4 / 256, 256, .bytes = ALL * times, .whole = true,
                      .gpu = with_dram(small_l2, slow))
                    .ns,
                2.0 * ALL / slow, 0.05);
}

/* Of blocks that all add at as many places, those get in each other's way that run together. */
static void atomics_of_blocks_that_run_together(void **state) {
  (void)state;
  enum { BLOCKS = 132 * 2 * 64 }; /* two on each SM */
  static const char near[] =
      "div.u32 %r10, %r1, 264; mul.wide.u32 %rd10, %r10, 1024;"
      "add.s64 %rd11, %rd1, %rd10; red.global.or.b32 [%rd11], %r0;",
                    far[] =
                        "rem.u32 %r10, %r1, 264; mul.wide.u32 %rd10, %r10, 1024;"
                        "add.s64 %rd11, %rd1, %rd10; red.global.or.b32 [%rd11], %r0;";
  double together = TIMED(near, BLOCKS, 1024, .bytes = 264 << 10).ns,
         apart = TIMED(far, BLOCKS, 1024, .bytes = 264 << 10).ns;
  if (together < 5 * apart) fail_msg("%g and %g", together, apart);
}

static void atomics_on_one_address(void **state) {
  (void)state;
  struct gpu gpu = described();
  static const char one[] = "atom.global.exch.b32 %r10, [%rd1], %r0;",
                    many[] = OWN_WORD "atom.global.exch.b32 %r10, [%rd11], %r0;";
  struct timed a = TIMED(one, 4096, 256, 0, 4096), b = TIMED(many, 4096, 256);
  assert_true(a.ns > 10 * b.ns);
  assert_near(a.ns - gpu.model.launch_gap_ns, 4096 * 256 * gpu.model.l2_atomic_ns, 0.1);
  assert_string_equal(a.bound, "atomics");
}

/* ---- what the time is spent on ---- */

#define IN_A_BANK "mov.u64 %rd12, s; mul.wide.u32 %rd13, %r4, 128; add.s64 %rd12, %rd12, %rd13;\n"
#define ALONE "mov.u64 %rd12, s; mul.wide.u32 %rd13, %r4, 4; add.s64 %rd12, %rd12, %rd13;\n"
#define FAR_APART "mul.wide.u32 %rd12, %r4, 128; add.s64 %rd12, %rd0, %rd12;\n"
#define CHAIN "mov.u64 %rd12, %rd0; mov.u64 %rd13, 0;\n"

static const struct {
  const char *bound;
  struct run run;
} bounds[] = {
    {"launch", {"", 1, 32}},
    {"block dispatch", {"", 100000, 32}},
    {"fp32 arithmetic",
     {START AGAIN(64, EIGHT("mul.lo.s32 %r12, %r10, %r11; mul.lo.s32 %r13, %r10, %r11;\n")), 528,
      512}},
    {"integer arithmetic",
     {START AGAIN(64, EIGHT("and.b32 %r12, %r10, %r11; or.b32 %r13, %r10, %r11;\n")), 528, 512}},
    {"special functions",
     {START AGAIN(64, EIGHT("sin.approx.f32 %f2, %f1; cos.approx.f32 %f3, %f1;\n")), 528, 512}},
    {"fp64 arithmetic", {START AGAIN(64, EIGHT("fma.rn.f64 %fd2, %fd1, %fd1, %fd1;\n")), 528, 512}},
    {"tensor cores",
     {START AGAIN(64, EIGHT("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r12,%r13}, "
                            "{%r10,%r11,%r10,%r11}, {%r10,%r11}, {%r10,%r11};\n")),
      132, 512}},
    {"shared memory",
     {IN_A_BANK AGAIN(64, "ld.shared.u32 %r10, [%rd12]; ld.shared.u32 %r11, [%rd12+64];\n"), 528,
      512}},
    {"L1",
     {FAR_APART AGAIN(64, "ld.global.u32 %r10, [%rd12]; ld.global.u32 %r11, [%rd12+4];\n"), 528,
      512}},
    {"L2 stores",
     {OWN_WORD AGAIN(16, "st.global.u32 [%rd11], %r0; add.s64 %rd11, %rd11, 1081344;\n"), 528, 512,
      .bytes = 17 << 20}},
    {"atomics", {AGAIN(16, "red.global.or.b32 [%rd1], 1;\n"), 528, 512}},
    {"latency",
     {CHAIN AGAIN(640, "ld.global.u64 %rd13, [%rd12]; add.s64 %rd12, %rd12, %rd13;\n"), 132, 32}},
    {"latency", {START AGAIN(400, "sqrt.rn.f32 %f1, %f1;\n"), 132, 32}},
};

static void the_bound_that_wins(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < LENGTH(bounds); i++) {
    struct timed t = time_of(bounds[i].run);
    if (strcmp(t.bound, bounds[i].bound) != 0) {
      print_error("%s, not %s (%g ns): %s\n", t.bound, bounds[i].bound, t.ns, bounds[i].run.body);
      wrong++;
    }
  }
  assert_int_equal(wrong, 0);
}

/* Two blocks of 1024 threads fit on an SM; the third one, which waits for L2 as they do, takes as
 * long as both. */
static void blocks_of_the_last_wave_take_their_time(void **state) {
  (void)state;
  static const char body[] =
      CHAIN AGAIN(1000, "ld.global.cg.u64 %rd13, [%rd12]; add.s64 %rd12, %rd12, %rd13;\n");
  double two = time_of((struct run){body, 264, 1024}).ns,
         three = time_of((struct run){body, 396, 1024}).ns;
  assert_near(three, 2 * two, 0.05);
}

static void bank_conflicts_cost_their_wavefronts(void **state) {
  (void)state;
  double gap = described().model.launch_gap_ns;
  double slow =
             TIMED(IN_A_BANK AGAIN(64, EIGHT("ld.shared.u32 %r10, [%rd12];\n")), 528, 512).ns - gap,
         fast = TIMED(ALONE AGAIN(64, EIGHT("ld.shared.u32 %r10, [%rd12];\n")), 528, 512).ns - gap;
  assert_true(slow / fast > 15 && slow / fast < 34);
}

/* A kernel with one long row of instructions costs what they do, at full occupancy too. */
static void long_rows_of_instructions(void **state) {
  (void)state;
  enum { ROW = 3000 };
  static char body[1 << 16];
  struct gpu gpu = described();
  size_t at = (size_t)snprintf(body, sizeof body, "mov.f32 %%f1, 0f3f800000;\n");
  for (int i = 0; i < ROW; i++)
    at += (size_t)snprintf(body + at, sizeof body - at, "mul.f32 %%f2,%%f1,%%f1;\n");
  double ns = TIMED(body, blocks_of_a_wave(8), 256).ns - gpu.model.launch_gap_ns;
  double right = ROW * 64 / 4 / (gpu.info.clock_khz * 1e-6); /* 64 warps on four schedulers */
  assert_true(ns > 0.95 * right && ns < 1.3 * right);
}

/* ---- the same however it ran ---- */

#define WAYS                                                                                     \
  "xor.b32 %r10, %r3, %r1; and.b32 %r10, %r10, 63; mul.wide.u32 %rd10, %r10, 4; add.s64 %rd10, " \
  "%rd0, %rd10;\n setp.lt.u32 %p1, %r10, 20; mov.u32 %r11, 0; @%p1 bra over;\n"                  \
  "in: ld.global.u32 %r12, [%rd10+4096]; add.s32 %r11, %r11, 5; setp.lt.u32 %p2, %r11, %r10; "   \
  "@%p2 bra in;\n over: red.global.add.u32 [%rd10], %r11;\n"

static void the_same_for_threads_and_instruction_sets(void **state) {
  (void)state;
  static const struct run runs[] = {
      {COPY, 300, 256, .whole = true},
      {WAYS, 300, 96, .whole = true},
      {WAYS "st.global.u32 [%rd1], %r1;", 60, 96, .whole = true}, /* a race */
      {START AGAIN(9, "div.rn.f32 %f1, %f1, %f1; bar.sync 0;\n"), 200, 128, .whole = true},
      {COPY, 3000, 256},
      {WAYS, 3000, 96},
  };
  static const int workers[] = {1, 2, 5};
  for (int i = 0; i < LENGTH(runs); i++) {
    struct timed first = {0};
    for (int k = 0; k < LENGTH(workers) * LENGTH(sim_isas); k++) {
      if (!sim_choose_isa(sim_isas[k % LENGTH(sim_isas)])) continue;
      struct run run = runs[i];
      run.workers = workers[k / LENGTH(sim_isas)];
      struct timed t = time_of(run);
      if (first.ns == 0) first = t;
      if (memcmp(&t.ns, &first.ns, sizeof t.ns) != 0 || strcmp(t.bound, first.bound) != 0)
        fail_msg("run %d, %d threads, %s: %.17g ns (%s), not %.17g (%s)", i, run.workers,
                 sim_isas[k % LENGTH(sim_isas)], t.ns, t.bound, first.ns, first.bound);
    }
  }
  sim_choose_isa(NULL);
}

/* ---- the blocks that stand for all ---- */

/* Reads its own 32 words or 32 words far apart, as the setp of %p1 has it. */
#define NEAR_OR_FAR(chosen)                                                                 \
  "rem.u32 %r10, %r1, 132; " chosen                                                         \
  " selp.u32 %r11, 1, 32, %p1; mul.lo.u32 %r12, %r3, %r11;\n"                               \
  "and.b32 %r12, %r12, 0xfffff; mul.wide.u32 %rd12, %r12, 4; add.s64 %rd12, %rd0, %rd12;\n" \
  "ld.global.f32 %f1, [%rd12]; st.global.f32 [%rd12], %f1;\n"

/* The blocks of four SMs are traced, without a seed 10, 30, 50 and 70.
 * Where they are let off, the time is not theirs. */
static void a_traced_block_is_not_let_off(void **state) {
  (void)state;
  struct timed all = TIMED(NEAR_OR_FAR("setp.ne.u32 %p1, %r10, %r10;"), 8000, 256, .whole = true),
               none = TIMED(NEAR_OR_FAR("setp.eq.u32 %p1, %r10, %r10;"), 8000, 256, .whole = true),
               others = TIMED(NEAR_OR_FAR("rem.u32 %r11, %r10, 20; setp.eq.u32 %p1, %r11, 10;"),
                              8000, 256, .whole = true);
  assert_true(all.ns > 3 * none.ns);
  assert_true(others.ns > 0.5 * all.ns);
}

/* One block, of those traced, does all the work: the launch takes as long as that. */
static void a_launch_takes_as_long_as_its_longest_block(void **state) {
  (void)state;
  struct gpu gpu = described();
  struct timed uneven = TIMED(START "setp.ne.u32 %p1, %r1, 70; @%p1 ret;\n" AGAIN(
                                  26400, "fma.rn.f32 %f1, %f1, %f1, %f1;\n"),
                              132, 128, .whole = true);
  assert_near(uneven.ns, 26400 * 4 / (gpu.info.clock_khz * 1e-6), 0.3);
}

/* Or one that is not traced: how much it executes is known all the same. */
static void a_block_that_is_not_traced_takes_its_time(void **state) {
  (void)state;
  struct gpu gpu = described();
  struct timed uneven = TIMED(
      "setp.ne.u32 %p1, %r1, 71; @%p1 ret; mov.u32 %r10, 0;\n"
      "again: add.s32 %r10, %r10, 1; xor.b32 %r11, %r10, %r11; setp.lt.u32 %p2, %r10, 500000;\n"
      "@%p2 bra again;\n",
      4000, 32, .whole = true);
  assert_true(uneven.ns > 500000 * 4.0 / 8 / (gpu.info.clock_khz * 1e-6));
}

/* The first block, or the last, goes on alone, waiting for one load after the other: how long, its
 * own trace tells. */
static void one_long_block_of_many(void **state) {
  (void)state;
  struct gpu gpu = described();
  static const char *const bodies[] = {
      "setp.ne.u32 %p1, %r1, 0; @%p1 ret;\n" CHAIN AGAIN(
          3000, "ld.global.u64 %rd13, [%rd12]; add.s64 %rd12, %rd12, %rd13;\n"),
      "setp.ne.u32 %p1, %r1, 3999; @%p1 ret;\n" CHAIN AGAIN(
          3000, "ld.global.u64 %rd13, [%rd12]; add.s64 %rd12, %rd12, %rd13;\n")};
  for (int i = 0; i < LENGTH(bodies); i++) {
    struct timed t = TIMED(bodies[i], 4000, 32, .whole = true);
    assert_near(t.ns, 3000 * gpu.model.l1_latency / (gpu.info.clock_khz * 1e-6), 0.4);
    assert_string_equal(t.bound, "latency");
  }
}

/* A grid far larger than the work: a few blocks do all of it. */
static void a_few_blocks_do_all(void **state) {
  (void)state;
#define WORK AGAIN(3000, "fma.rn.f32 %f1, %f1, %f1, %f1;\n")
  struct timed few = TIMED(WORK, 264, 256, .whole = true),
               among =
                   TIMED("setp.ge.u32 %p1, %r1, 264; @%p1 ret;\n" WORK, 50000, 256, .whole = true),
               idle = TIMED("setp.ge.u32 %p1, %r1, 0; @%p1 ret;\n" WORK, 50000, 256, .whole = true);
#undef WORK
  assert_in_range(among.ns, 0.8 * fmax(few.ns, idle.ns), 1.3 * (few.ns + idle.ns));
}

/* What is stored where it was loaded lies in L2 once: an array of its size does not outgrow it. */
static void what_is_stored_in_place_counts_once(void **state) {
  (void)state;
  struct gpu gpu = described();
  size_t bytes = (size_t)(0.4 * gpu.info.l2_bytes) / 4096 * 4096;
  static const char in_place[] = OWN_WORD
      "ld.global.f32 %f1, [%rd10]; add.f32 %f1, %f1, %f1;\n"
      "st.global.f32 [%rd10], %f1;\n";
  struct timed one = TIMED(in_place, (unsigned)(bytes / 1024), 256, .bytes = bytes, .whole = true),
               two = TIMED(COPY, (unsigned)(bytes / 1024), 256, .bytes = bytes, .whole = true);
  assert_true(two.ns > 1.15 * one.ns);
}

static void which_blocks_are_traced_depends_on_the_seed(void **state) {
  (void)state;
  struct gpu gpu = described();
  uint64_t first[MAX_TRACED], blocks[MAX_TRACED], different = 0;
  static const uint64_t counts[] = {1, 2, 131, 132, 133, 500, 4096, 1000000};
  uint32_t room;
  for (int c = 0; c < LENGTH(counts); c++)
    for (uint64_t seed = 0; seed < 50; seed++) {
      int count = sample_choose(&gpu, seed, counts[c], 8, 8, blocks, &room);
      assert_in_range(count, 1, MAX_TRACED);
      for (int i = 0; i < count; i++) {
        assert_in_range(blocks[i], i ? blocks[i - 1] + 1 : 0, counts[c] - 1);
        if (seed == 0) first[i] = blocks[i];
        different += blocks[i] != first[i];
      }
    }
  assert_true(different > 1000);
}

/* ---- samples ---- */

static void a_sample_stands_for_the_launch(void **state) {
  (void)state;
  static const struct run runs[] = {
      {COPY, 1500, 256},
      {OWN_WORD START AGAIN(20, "ld.global.f32 %f2, [%rd10]; fma.rn.f32 %f1, %f2, %f2, %f1;\n"),
       1000, 128},
      {START AGAIN(9, "div.rn.f32 %f1, %f1, %f1; bar.sync 0;\n"), 700, 128},
  };
  for (int i = 0; i < LENGTH(runs); i++) {
    struct run run = runs[i];
    struct timed sample = time_of(run);
    run.whole = true;
    struct timed whole = time_of(run);
    for (int c = 0; c < COUNTERS; c++)
      if (sample.counters.value[c] != whole.counters.value[c])
        fail_msg("run %d: %s is %llu, not %llu", i, counter_names[c],
                 (unsigned long long)sample.counters.value[c],
                 (unsigned long long)whole.counters.value[c]);
    assert_near(sample.ns, whole.ns, 0.01);
    assert_string_equal(sample.bound, whole.bound);
  }
}

static void a_sample_executes_few_blocks(void **state) {
  (void)state;
  enum { BLOCKS = 5000 };
  static uint32_t ran[BLOCKS];
  static const unsigned grids[] = {BLOCKS, 50, BLOCKS};
  static const uint64_t samples[] = {1000, 1, 1000000}; /* of 70000 warp instructions */
  for (int i = 0; i < LENGTH(grids); i++) {
    struct sim *sim = sim_open_bare((struct device_options){.threads = 2, .sample = samples[i]});
    sim_load(sim, SIM_KERNEL("",
                             "mul.wide.u32 %rd10, %r1, 4; add.s64 %rd10, %rd0, %rd10; setp.eq.u32 "
                             "%p1, %r0, 0; @%p1 st.global.u32 [%rd10], 1; ret;"));
    uint64_t to = sim_zeros(sim, sizeof ran);
    assert_int_equal(sim_try(sim, sim_line(grids[i], 64), to, 0, 0, 0), 0);
    sim_read(sim, ran, to, sizeof ran);
    unsigned count = 0;
    for (int b = 0; b < BLOCKS; b++) count += ran[b];
    if (i == 0)
      assert_in_range(count, 8, 200);
    else
      assert_int_equal(count, grids[i]); /* a small launch is executed as a whole */
    sim_close(sim);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_launch_that_does_nothing),
      cmocka_unit_test(blocks_are_dispatched_one_by_one),
      cmocka_unit_test(blocks_come_in_waves),
      cmocka_unit_test(occupancy_hides_latency),
      cmocka_unit_test(more_work_takes_longer),
      cmocka_unit_test(arrays_in_l2_and_in_dram),
      cmocka_unit_test(parts_of_sectors_are_read_first),
      cmocka_unit_test(what_a_launch_does_not_touch_does_not_count),
      cmocka_unit_test(atomics_on_one_address),
      cmocka_unit_test(atomics_of_blocks_that_run_together),
      cmocka_unit_test(the_bound_that_wins),
      cmocka_unit_test(blocks_of_the_last_wave_take_their_time),
      cmocka_unit_test(bank_conflicts_cost_their_wavefronts),
      cmocka_unit_test(long_rows_of_instructions),
      cmocka_unit_test(the_same_for_threads_and_instruction_sets),
      cmocka_unit_test(a_traced_block_is_not_let_off),
      cmocka_unit_test(a_launch_takes_as_long_as_its_longest_block),
      cmocka_unit_test(a_block_that_is_not_traced_takes_its_time),
      cmocka_unit_test(which_blocks_are_traced_depends_on_the_seed),
      cmocka_unit_test(a_sample_stands_for_the_launch),
      cmocka_unit_test(a_sample_executes_few_blocks),
      cmocka_unit_test(one_long_block_of_many),
      cmocka_unit_test(a_few_blocks_do_all),
      cmocka_unit_test(what_is_stored_in_place_counts_once),
  };
  return cmocka_run_group_tests(tests, NULL, remove_descriptions);
}
