/* test_sim_lockstep.c: kernels in which warps run in lockstep for a while and then part, for every
 * reason that there is (exec/lockstep.h), or by themselves where they are not full. What they leave
 * in memory, count and report must be what the general path (KIT_SIM_AFFINE=off) makes of them.
 *
 * p0 = A, an input of 4096 words; p1 = B, one of 4096 small floats; p2 = C, an output that nobody
 * has written; p3 = 4096 words that are loaded and stored.
 * test-all: under sanitizers; the other run, which make test has, is of the same code. */
#include "harness/sim/device/state.h"
#include "tests/unit/sim_device.h"

enum { WORDS = 4096, BYTES = WORDS * 4, ARRAYS = 4, LINES = BYTES >> TOUCHED_SHIFT };

#define SHARED ".shared .align 16 .b8 s[4096];\n.global .align 4 .u32 g;\n"
/* %rd8: this thread's word of s; %rd10, %rd11, %rd12: of A, C, p3; %r5: its warp */
#define PLACES                                                                                 \
  "mov.u64 %rd8, s; add.s64 %rd8, %rd8, %rd5; add.s64 %rd10, %rd0, %rd4; add.s64 %rd11, %rd2," \
  "%rd4; add.s64 %rd12, %rd3, %rd4; shr.u32 %r5, %r0, 5;\n"
#define LOAD "ld.global.u32 %r10, [%rd10];\n"
/* The same for a two-dimensional block, whose threads have numbers of their own. */
#define MINE                                                                                  \
  "mov.u32 %r14, %tid.y; mov.u32 %r15, %ntid.y; mad.lo.s32 %r14, %r14, %r2, %r0; mul.lo.s32 " \
  "%r15, %r15, %r2; mad.lo.s32 %r14, %r1, %r15, %r14; mul.wide.u32 %rd14, %r14, 4; add.s64 "  \
  "%rd14, %rd14, %rd2; st.global.u32 [%rd14], %r10; ret;"
/* %rd20: of the last words of B, as many as the block has threads, this thread's; %rd21, %rd22: of
 * the first words its column's and its row's first; %rd23: the last word but so many. */
#define TILE                                                                                   \
  "mov.u32 %r20, %tid.y; mul.lo.s32 %r21, %r20, %r2; add.s32 %r22, %r21, %r0; mov.u32 %r23, "  \
  "%ntid.y; mul.lo.s32 %r23, %r23, %r2; sub.s32 %r23, %r22, %r23; sub.s32 %r24, 4095, %r22; "  \
  "mul.wide.s32 %rd20, %r23, 4; add.s64 %rd20, %rd20, %rd1; add.s64 %rd20, %rd20, 16384; "     \
  "add.s64 %rd21, %rd1, %rd5; mul.wide.s32 %rd22, %r21, 4; add.s64 %rd22, %rd22, %rd1; "       \
  "mul.wide.s32 %rd23, %r24, 4; add.s64 %rd23, %rd23, %rd1; mov.f32 %f0, 0f3F800000; bra.uni " \
  "tile; tile:"
#define STORE "st.global.u32 [%rd11], %r10; ret;"

static const struct scene {
  const char *name, *body;
} scenes[] = {
    /* clang-format off */
    {"together to the end", LOAD "add.s32 %r10, %r10, %r0;" STORE},
    {"through a barrier", LOAD "st.shared.u32 [%rd8], %r10; bar.sync 0; xor.b32 %r6, %r0, 1;"
     "mul.wide.u32 %rd9, %r6, 4; mov.u64 %rd13, s; add.s64 %rd9, %rd9, %rd13;"
     "ld.shared.u32 %r10, [%rd9]; bar.sync 0;" STORE},
    {"a loop with barriers", "mov.u32 %r7, 0; mov.u32 %r10, 0; again:" AT(5)
     "ld.global.u32 %r11, [%rd10]; st.shared.u32 [%rd8], %r11; bar.sync 0;" AT(6)
     "ld.shared.u32 %r12, [s]; ld.shared.u32 %r13, [s+4]; mad.lo.s32 %r10, %r12, %r13, %r10;"
     "bar.sync 0; add.s32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 7; @%p1 bra again;" STORE},
    {"a branch by warps", LOAD "setp.ge.u32 %p1, %r0, 64; @%p1 bra other; add.s32 %r10, %r10, 3;"
     "bra.uni out; other: mul.lo.s32 %r10, %r10, 5; out:" STORE},
    {"a branch by lanes", LOAD "setp.ge.u32 %p1, %r0, 50; @%p1 bra other; add.s32 %r10, %r10, 3;"
     "bra.uni out; other: mul.lo.s32 %r10, %r10, 5; out:" STORE},
    {"a comparison that differs by lane, used as a value", LOAD "setp.lt.s32 %p1, %r0, 45;"
     "selp.b32 %r11, 7, 9, %p1; setp.ne.u32 %p2, %r4, 9; selp.b32 %r12, 1, 2, %p2;"
     "mad.lo.s32 %r10, %r11, %r12, %r10;" STORE},
    {"comparisons that wrap around", LOAD "add.s32 %r11, %r0, 2147483600; setp.lt.s32 %p1, %r11, "
     "0; selp.b32 %r12, 7, 9, %p1; sub.s32 %r13, %r0, 40; setp.gt.u32 %p2, %r13, %r0;"
     "selp.b32 %r14, 3, 4, %p2; cvt.u64.u32 %rd13, %r13; setp.lt.u64 %p3, %rd13, 4294967290;"
     "selp.b32 %r15, 5, 6, %p3; mad.lo.s32 %r10, %r12, %r14, %r10;"
     "add.s32 %r10, %r10, %r15;" STORE},
    {"a warp that returns early", LOAD "setp.eq.u32 %p1, %r5, 1; @%p1 ret;" STORE},
    {"a return by lanes, then a barrier of the rest", LOAD "setp.gt.u32 %p1, %r0, 95; @%p1 ret;"
     "st.shared.u32 [%rd8], %r10; bar.sync 0; ld.shared.u32 %r11, [s+64]; add.s32 %r10, %r10, "
     "%r11;" STORE},
    {"addresses that are not affine", LOAD "and.b32 %r11, %r10, 63; mul.wide.u32 %rd13, %r11, 4;"
     "add.s64 %rd13, %rd13, %rd0; ld.global.u32 %r10, [%rd13];" STORE},
    {"two loads off one base that is not affine", LOAD "and.b32 %r11, %r10, 63; mul.wide.u32 "
     "%rd13, %r11, 4; add.s64 %rd13, %rd13, %rd0; ld.global.u32 %r10, [%rd13];"
     "ld.global.u32 %r12, [%rd13+4]; xor.b32 %r10, %r10, %r12;" STORE},
    {"a row that is affine by chance", LOAD "st.shared.u32 [%rd8], %r0; bar.sync 0; ld.shared.u32 "
     "%r11, [%rd8]; mul.wide.u32 %rd13, %r11, 4; add.s64 %rd13, %rd13, %rd0; bra.uni next; next:"
     "ld.global.u32 %r10, [%rd13];" STORE},
    {"strides of columns", "mul.wide.u32 %rd13, %r0, 16; add.s64 %rd13, %rd13, %rd0; ld.global.u32 "
     "%r10, [%rd13+4];" STORE},
    {"rows that are no multiple of a line apart", "mov.u32 %r6, %tid.y; "
     "mad.lo.s32 %r6, %r6, 20, %r0;"
     "mul.wide.u32 %rd13, %r6, 4; add.s64 %rd13, %rd13, %rd0; ld.global.u32 %r10, [%rd13];"
     "mad.lo.s32 %r6, %r1, %r2, %r6; xor.b32 %r10, %r10, %r6; " MINE},
    {"a branch that is taken where a predicate is false", LOAD "setp.gt.u32 %p1, %r1, 3;"
     "@!%p1 bra over; add.s32 %r10, %r10, 1; over:" STORE},
    {"vectors", "mul.wide.u32 %rd13, %r0, 16; add.s64 %rd13, %rd13, %rd0; ld.global.v4.u32 {%r10, "
     "%r11, %r12, %r13}, [%rd13]; add.s32 %r10, %r10, %r13; xor.b32 %r10, %r10, %r12;" STORE},
    {"what is loaded and stored", "ld.global.u32 %r10, [%rd12]; add.s32 %r10, %r10, %r0; "
     "st.global.u32 [%rd12], %r10; ld.global.u32 %r10, [%rd12];" STORE},
    {"a word that is stored twice", LOAD "st.global.u32 [%rd11], 5;" STORE},
    {"a word that is stored and loaded", LOAD "st.global.u32 [%rd11], %r10; ld.global.u32 %r10, "
     "[%rd11]; add.s32 %r10, %r10, 1;" STORE},
    {"an atomic", LOAD "red.global.add.u32 [g], 1;" STORE},
    {"a shuffle", LOAD "shfl.sync.down.b32 %r11, %r10, 1, 31, -1; add.s32 %r10, %r10, %r11;" STORE},
    {"a barrier that reduces", LOAD "setp.gt.u32 %p1, %r0, 10; bar.red.popc.u32 %r11, 0, %p1;"
     "add.s32 %r10, %r10, %r11;" STORE},
    {"the same, after a branch by lanes", LOAD "setp.gt.u32 %p1, %r0, 10; @!%p1 bra over; add.s32 "
     "%r10, %r10, 9; over: xor.b32 %r10, %r10, 3; setp.gt.u32 %p2, %r0, 5; bar.red.popc.u32 %r11, "
     "0, %p2; add.s32 %r10, %r10, %r11;" STORE},
    {"an affine loop", "mov.u32 %r7, 0; mov.u32 %r10, 0; mov.u64 %rd13, %rd0; again: ld.global.u32 "
     "%r11, [%rd13]; xor.b32 %r10, %r10, %r11; add.s64 %rd13, %rd13, 4; add.s32 %r7, %r7, 1; "
     "setp.lt.u32 %p1, %r7, 40; @%p1 bra again;" STORE},
    {"a loop that lanes leave one after the other", "mov.u32 %r7, %r4; mov.u32 %r10, 0; mov.u64 "
     "%rd13, %rd0; again: ld.global.u32 %r11, [%rd13]; xor.b32 %r10, %r10, %r11; add.s64 %rd13, "
     "%rd13, 128; add.s32 %r7, %r7, 32; setp.lt.u32 %p1, %r7, 400; @%p1 bra again;" STORE},
    {"a loop by warps of lanes", "mov.u32 %r7, %r4; mov.u32 %r10, 0; again: mul.wide.u32 %rd13, "
     "%r7, 4; add.s64 %rd13, %rd13, %rd0; ld.global.u32 %r11, [%rd13]; mad.lo.s32 %r10, %r10, 3, "
     "%r11; add.s32 %r7, %r7, 32; setp.lt.u32 %p1, %r7, 1000; @%p1 bra again;" STORE},
    {"the same, as long as it does not hold", "mov.u32 %r7, %r4; mov.u32 %r10, 0; again: "
     "mul.wide.u32 %rd13, %r7, 4; add.s64 %rd13, %rd13, %rd0; ld.global.u32 %r11, [%rd13]; "
     "mad.lo.s32 %r10, %r10, 3, %r11; add.s32 %r7, %r7, 32; setp.ge.u32 %p1, %r7, 1017; "
     "@!%p1 bra again;" STORE},
    {"the same, downwards", "sub.s32 %r7, 1000, %r4; mov.u32 %r10, 0; again: mul.wide.s32 %rd13, "
     "%r7, 4; add.s64 %rd13, %rd13, %rd0; ld.global.u32 %r11, [%rd13]; mad.lo.s32 %r10, %r10, 3, "
     "%r11; sub.s32 %r7, %r7, 33; setp.gt.s32 %p1, %r7, 35; @%p1 bra again;" STORE},
    {"products", TILE "ld.global.f32 %f1, [%rd1+64]; ld.global.f32 %f2, [%rd20]; ld.global.f32 "
     "%f3, [%rd21]; ld.global.f32 %f4, [%rd22]; ld.global.f32 %f5, [%rd23]; fma.rn.f32 %f0, %f1, "
     "%f2, %f0; fma.rn.f32 %f0, %f3, %f4, %f0; fma.rn.f32 %f0, %f5, %f2, %f0; fma.rn.f32 %f0, "
     "%f5, %f3, %f0; fma.rn.f32 %f0, %f4, %f2, %f0; fma.rn.f32 %f0, %f1, %f4, %f0; fma.rn.f32 "
     "%f0, %f5, %f0, %f4; mov.b32 %r10, %f0;" MINE},
    {"products in a loop", TILE "mov.u32 %r7, 0; mov.u64 %rd24, %rd10; again: ld.global.u32 %r11, "
     "[%rd24]; shr.u32 %r11, %r11, 20; cvt.rn.f32.u32 %f1, %r11; ld.global.f32 %f2, [%rd22]; "
     "ld.global.f32 %f3, [%rd20]; fma.rn.f32 %f0, %f2, %f3, %f0; fma.rn.f32 %f0, %f1, %f3, %f0; "
     "add.s64 %rd24, %rd24, 4; add.s32 %r7, %r7, 1; setp.ne.u32 %p1, %r7, 9; @%p1 bra again; "
     "mov.b32 %r10, %f0;" MINE},
    {"a race of warps", LOAD "st.shared.u32 [%rd8], %r10; xor.b32 %r6, %r0, 32;"
     "mul.wide.u32 %rd9, %r6, 4; mov.u64 %rd13, s; add.s64 %rd9, %rd9, %rd13;" AT(7)
     "ld.shared.u32 %r10, [%rd9];" STORE},
    {"an output that two blocks store", LOAD "add.s64 %rd11, %rd2, %rd5;" STORE},
    {"hazards that warps meet in another order", LOAD "setp.eq.u32 %p1, %r1, 3; selp.b32 %r6, 400, "
     "0, %p1; selp.b32 %r7, 60000, 0, %p1; and.b32 %r11, %r10, 63; mul.lo.s32 %r12, %r0, %r6; "
     "sub.s32 %r13, %r7, %r12; mad.lo.s32 %r12, %r11, 4, %r12; mad.lo.s32 %r13, %r11, 4, %r13; "
     "cvt.s64.s32 %rd13, %r12; add.s64 %rd13, %rd13, %rd0; cvt.s64.s32 %rd14, %r13; add.s64 %rd14, "
     "%rd14, %rd0;" AT(5) "ld.global.u32 %r11, [%rd13]; ld.global.u32 %r12, [%rd14]; add.s32 %r10, "
     "%r11, %r12;" STORE},
    {"past the end in one block, a race of warps in another", "setp.eq.u32 %p1, %r1, 0; selp.b32 "
     "%r6, 16384, 0, %p1; cvt.u64.u32 %rd13, %r6; add.s64 %rd13, %rd13, %rd10;" AT(5)
     "ld.global.u32 %r10, [%rd13]; st.shared.u32 [%rd8], %r0; setp.eq.u32 %p1, %r1, 7; selp.b32 "
     "%r6, 32, 0, %p1; xor.b32 %r6, %r0, %r6; mul.wide.u32 %rd9, %r6, 4; mov.u64 %rd13, s; add.s64 "
     "%rd9, %rd9, %rd13;" AT(7) "ld.shared.u32 %r10, [%rd9];" STORE},
    {"a fault that ends the launch", LOAD "setp.eq.u32 %p1, %r1, 3; selp.b32 %r6, 2, 0, %p1; "
     "cvt.u64.u32 %rd13, %r6; add.s64 %rd13, %rd13, %rd10;" AT(5) "ld.global.u32 %r10, [%rd13];"
     STORE},
    {"stores past the end", LOAD AT(5) "st.global.u32 [%rd11+14400], %r10;" AT(6) "ld.global.u32 "
     "%r11, [%rd10+15000];" STORE},
    {"a store to an input", LOAD AT(5) "st.global.u32 [%rd10], %r10; add.s32 %r10, %r10, 1;" STORE},
    {"what nothing has written", LOAD "setp.eq.u32 %p1, %r1, 3; selp.b32 %r6, 512, 0, %p1; add.s32 "
     "%r6, %r6, %r0; mul.wide.u32 %rd9, %r6, 4; mov.u64 %rd13, s; add.s64 %rd9, %rd9, %rd13; "
     "st.shared.u32 [%rd8], %r10; bar.sync 0;" AT(5) "ld.shared.u32 %r10, [%rd9]; bar.sync 0;"
     STORE},
    {"short loops in a long one", "mov.u32 %r8, 0; mov.u32 %r10, 0; outer: mov.u32 %r7, 0; mov.u64 "
     "%rd13, %rd0; again: ld.global.u32 %r11, [%rd13]; xor.b32 %r10, %r10, %r11; add.s64 %rd13, "
     "%rd13, 4; add.s32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 5; @%p1 bra again; mad.lo.s32 %r10, "
     "%r10, 3, %r8; add.s32 %r8, %r8, 1; setp.lt.u32 %p2, %r8, 30; @%p2 bra outer;" STORE},
    {"past the end in the last block", LOAD "ld.global.u32 %r11, [%rd10+14400];" STORE},
    /* clang-format on */
};

struct outcome {
  uint32_t c[WORDS], p3[WORDS];
  int error, hazards;
  struct hazard first;
  struct counters counters, lines[16];
  int line_count;
  bool loaded[ARRAYS][LINES], stored[ARRAYS][LINES];
};

/* Which lines of an array the launch has loaded and stored. */
static void get_touched(struct sim *sim, uint64_t address, bool *loaded, bool *stored) {
  struct memory *memory = sim->device->memory;
  const struct touched *touched = &memory_find(memory, address, BYTES)->touched;
  if (touched->launch != memory->launch) return;
  for (int i = 0; i < LINES; i++) {
    loaded[i] = touched->loaded[i] == memory->stamp;
    stored[i] = touched->stored[i] == memory->stamp;
  }
}

static void play(const struct scene *scene, const unsigned *shape, const char *affine, int threads,
                 struct outcome *outcome) {
  char *ptx = NULL;
  setenv("KIT_SIM_AFFINE", affine, 1);
  assert_true(asprintf(&ptx, "%s%s", SIM_HEADER SHARED SIM_ENTRY("k") PLACES, scene->body) > 0);
  char *whole = NULL;
  assert_true(asprintf(&whole, "%s\n}\n", ptx) > 0);
  struct sim *sim = sim_open(whole, threads);
  uint32_t input[WORDS];
  float numbers[WORDS];
  for (uint32_t i = 0; i < WORDS; i++) input[i] = i * 2654435761u;
  for (uint32_t i = 0; i < WORDS; i++) numbers[i] = (float)(i * 37 % 61) / 16;
  uint64_t a = sim_buffer(sim, input, BYTES), b = sim_buffer(sim, numbers, BYTES),
           c = sim_buffer(sim, NULL, BYTES), p3 = sim_buffer(sim, input, BYTES);
  device_name_array(sim->device, a, "A", 64, 64, 4, DEVICE_INPUT);
  device_name_array(sim->device, b, "B", 64, 64, 4, DEVICE_INPUT);
  device_call_begins(sim->device, false); /* nothing is traced: a block that is runs step by step */
  struct sim_shape launch = {{shape[0], 1, 1}, {shape[1], shape[2], 1}, 0};
  memset(outcome, 0, sizeof *outcome);
  assert_int_equal(sim_try(sim, launch, a, b, c, p3), 0);
  outcome->error = device_synchronize(sim->device);
  outcome->hazards = sim->hazard_count;
  if (sim->hazard_count) outcome->first = sim->hazards[0];
  outcome->counters = sim->report.counters;
  outcome->line_count = sim->report.line_count < 16 ? sim->report.line_count : 16;
  for (int i = 0; i < outcome->line_count; i++) outcome->lines[i] = sim->report.lines[i].counters;
  const uint64_t arrays[ARRAYS] = {a, b, c, p3};
  for (int i = 0; i < ARRAYS; i++)
    get_touched(sim, arrays[i], outcome->loaded[i], outcome->stored[i]);
  if (!outcome->error) {
    sim_read(sim, outcome->c, c, BYTES);
    sim_read(sim, outcome->p3, p3, BYTES);
  }
  sim_close(sim);
  free(ptx);
  free(whole);
  unsetenv("KIT_SIM_AFFINE");
}

static void compare(const struct scene *scene, const unsigned *shape, const char *affine,
                    int threads) {
  static struct outcome general, lockstep;
  play(scene, shape, "off", threads, &general);
  play(scene, shape, affine, threads, &lockstep);
  if (memcmp(general.c, lockstep.c, BYTES) != 0 || memcmp(general.p3, lockstep.p3, BYTES) != 0)
    fail_msg("%s (%u blocks of %u x %u): other results", scene->name, shape[0], shape[1], shape[2]);
  if (general.error != lockstep.error || general.hazards != lockstep.hazards ||
      general.first.line != lockstep.first.line || general.first.count != lockstep.first.count ||
      strcmp(general.first.message, lockstep.first.message) != 0)
    fail_msg("%s (%u blocks of %u x %u): other hazards: %d, not %d", scene->name, shape[0],
             shape[1], shape[2], lockstep.hazards, general.hazards);
  if (memcmp(&general.counters, &lockstep.counters, sizeof general.counters) != 0 ||
      general.line_count != lockstep.line_count ||
      memcmp(general.lines, lockstep.lines, sizeof general.lines) != 0)
    fail_msg("%s (%u blocks of %u x %u): other counters", scene->name, shape[0], shape[1],
             shape[2]);
  if (memcmp(general.loaded, lockstep.loaded, sizeof general.loaded) != 0 ||
      memcmp(general.stored, lockstep.stored, sizeof general.stored) != 0)
    fail_msg("%s (%u blocks of %u x %u): other lines touched", scene->name, shape[0], shape[1],
             shape[2]);
}

static void as_on_the_general_path(void **state) {
  (void)state;
  static const unsigned shapes[][3] = {{24, 128, 1},
                                       {24, 32, 4},
                                       {24, 16, 8},
                                       {20, 8, 8},
                                       {20, 96, 1},
                                       {20, 48, 2},
                                       {9, 64, 2},
                                       {12, 100, 1},
                                       /* warps that are not full */
                                       {24, 16, 1},
                                       {24, 4, 4},
                                       {24, 8, 2},
                                       {20, 8, 3},
                                       {20, 8, 1},
                                       {20, 5, 1},
                                       {20, 1, 1},
                                       {20, 1, 7},
                                       {12, 48, 1},
                                       {12, 16, 3},
                                       {9, 200, 1},
                                       {9, 4, 13}};
  for (int i = 0; i < LENGTH(scenes); i++)
    for (int k = 0; k < LENGTH(shapes); k++) {
      compare(&scenes[i], shapes[k], "on", 1 + 2 * (k & 1));
      compare(&scenes[i], shapes[k], "always", 1 + 2 * (k & 1));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_on_the_general_path)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
