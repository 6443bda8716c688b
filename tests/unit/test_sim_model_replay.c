/* test_sim_model_replay.c: how long an SM takes for the traces of a few blocks (replay.h), on an SM
 * of round figures, against what one works out by hand: chains of loads, how residents hide
 * latency, each unit's rate, barriers, waves of blocks, loops and branches, atomic operations. And
 * random kernels, of which it must play every one to its end. */
#include "tests/unit/sim_traced.h"

#include <math.h>

#include "harness/sim/model/fetch.h"
#include "harness/sim/model/model.h"
#include "harness/sim/model/replay.h"
#include "harness/sim/model/share.h"

static const struct sm plain = {.branch = 4,
                                .predicate = 10,
                                .barrier = 10,
                                .barrier_warp = 1,
                                .shared_latency = 20,
                                .shared_wavefront = 1,
                                .l1_latency = 30,
                                .l2_latency = 200,
                                .dram_latency = 500,
                                .l1_lines = 1600,
                                .l2_line = 2,
                                .l2_sector = 0.5,
                                .store_unit = 1,
                                .store_missing = 0.25,
                                .port_line = 2,
                                .port_sector = 0.5,
                                .port_unit = 1,
                                .atomic_sector = 1,
                                .returning_sector = 1,
                                .atomic_turn = 3,
                                .atomic_next = 3,
                                .atomic_sum = 7,
                                .dram_half_line = 4,
                                .dram_random = 10,
                                .dram_random_store = 20};

static struct replay play(const struct traced *t, int count, int resident, const struct sm *sm) {
  struct replay r;
  assert_true(replay_run(t->kernel.plan, t->result.traces, t->result.trace_count, count, true, true,
                         resident, sm, &r));
  assert_int_equal(r.blocks, count);
  return r;
}

static void assert_near(double value, double right, double share) {
  if (!(fabs(value - right) <= share * right)) fail_msg("%g, not %g", value, right);
}

/* A kernel: `before`, then `piece` so many times, each %d in it being its number times `stride`. */
static struct traced *open_row(const char *variables, const char *before, const char *piece,
                               int times, int stride, const char *after) {
  static char text[1 << 17];
  size_t at = (size_t)snprintf(text, sizeof text, "%s%s%s%s\n", SIM_HEADER, variables,
                               SIM_ENTRY("k"), before);
  for (int i = 0; i < times; i++)
    for (const char *c = piece; *c; c++) {
      assert_in_range(at, 0, sizeof text - 100);
      if (c[0] == '%' && c[1] == 'd' && c[2] == ']')
        at += (size_t)snprintf(text + at, 16, "%d", i * stride), c++;
      else
        text[at++] = *c;
    }
  snprintf(text + at, sizeof text - at, "\n%s\nret;\n}\n", after);
  return traced_open(text);
}

/* Cycles of a launch of one block; p0 is an array of 1 MiB of zeros. */
static struct replay play_row(const char *before, const char *piece, int times, int stride,
                              unsigned threads) {
  struct traced *t =
      open_row(".shared .align 16 .b8 s[40960];\n", before, piece, times, stride, "");
  traced_launch(t, 1, threads, traced_buffer(t, NULL, 1 << 20), 0);
  struct replay r = play(t, 1, 1, &plain);
  traced_close(t);
  return r;
}

/* ---- chains of loads ---- */

/* A list: each element holds the address of the next one, `apart` bytes on. */
static uint64_t make_list(struct traced *t, int length, int apart) {
  size_t bytes = (size_t)length * (size_t)apart + 128;
  uint64_t address = traced_buffer(t, NULL, bytes);
  unsigned char *data = memory_find(t->memory, address, bytes)->data;
  for (int i = 0; i < length; i++) {
    uint64_t next = address + (uint64_t)(i + 1) * (uint64_t)apart;
    memcpy(data + (size_t)i * (size_t)apart, &next, sizeof next);
  }
  return address;
}

#define NEXT "ld.global.u64 %rd0, [%rd0];\n"

static struct traced *open_chain(const char *piece, int times, int apart) {
  struct traced *t = open_row("", "", piece, times, 0, "");
  traced_launch(t, 1, 32, make_list(t, times, apart), 0);
  return t;
}

/* Cycles of one step of a chain. */
static double step_of(const char *piece, int apart, const struct sm *sm) {
  double cycles[2];
  for (int i = 0; i < 2; i++) {
    struct traced *t = open_chain(piece, 20 << i, apart);
    cycles[i] = play(t, 1, 1, sm).cycles;
    traced_close(t);
  }
  return (cycles[1] - cycles[0]) / 20;
}

static void a_step_of_a_chain_takes_the_latency(void **state) {
  (void)state;
  static const char further[] = NEXT "add.s64 %rd0, %rd0, 0;\n",
                    later[] = NEXT "min.u64 %rd0, %rd0, %rd0;\n";
  struct traced *t = open_chain(further, 1, 128);
  const struct plan_block *block = &t->kernel.plan->blocks[0];
  double add = block->ops[block->count - 1].cost.latency + 4; /* the upper half */
  assert_true(add > 0);
  assert_int_equal(trace_unpack(*traced_access(t, traced_warp(t, 0, 0), 0)).cycles,
                   2); /* one address */
  traced_close(t);
  double half = 1; /* of the warp: 8 bytes a lane, one after the other */
  double l2 = plain.port_line + plain.l2_latency + half, l1 = plain.l1_latency + half;
  assert_near(step_of(NEXT, 128, &plain), l2, 1e-9);
  assert_near(step_of(further, 128, &plain), l2 + add, 1e-9);
  assert_true(step_of(later, 128, &plain) > l2);
  assert_near(step_of(NEXT, 0, &plain), l1, 1e-9); /* the same element over and over */
  /* elements of 32 bytes: each has a sector of its own; of 8: four share one */
  assert_near(step_of(NEXT, 32, &plain), l2, 1e-9);
  assert_near(step_of(NEXT, 8, &plain), (l2 + 3 * l1) / 4, 1e-9);
  struct sm outside = plain;
  outside.arrays[0] = (struct sm_array){.lines = UINT32_MAX, .outside = 1};
  outside.array_count = 1;
  double dram = plain.port_line + plain.dram_latency + half; /* idle, DRAM has kept its share */
  assert_near(step_of(NEXT, 128, &outside), dram, 1e-9);
  outside.arrays[0].outside = 0.5;
  assert_near(step_of(NEXT, 128, &outside), (dram + l2) / 2, 1e-9);
  outside.dram_queue = 100; /* DRAM has next to nothing to do */
  assert_near(step_of(NEXT, 128, &outside), (dram + l2) / 2, 0.02);
}

/* The half of a line that DRAM moves at once is moved once, whichever of its sectors are asked for
 * first; a half that L2 has lost in the meantime is moved again. */
static void halves_of_lines_come_from_dram_once(void **state) {
  (void)state;
  struct sm outside = plain;
  outside.arrays[0] = (struct sm_array){.lines = UINT32_MAX, .outside = 1};
  outside.array_count = 1;
  outside.l1_lines = 0;
  enum { STEPS = 80 };
  static const struct {
    int apart, halves;
  } chains[] = {{128, STEPS}, {64, STEPS}, {32, STEPS / 2}, {8, STEPS / 8}};
  for (int i = 0; i < LENGTH(chains); i++) {
    struct traced *t = open_chain(NEXT, STEPS, chains[i].apart);
    double moved = chains[i].halves * plain.dram_half_line;
    assert_near(play(t, 1, 1, &outside).busy[BUSY_DRAM], moved, 1e-9);
    struct sm forgetful = outside;
    forgetful.arrays[0].lost = 1;
    assert_near(play(t, 1, 1, &forgetful).busy[BUSY_DRAM], STEPS * plain.dram_half_line, 1e-9);
    traced_close(t);
  }
}

/* A warp's load of a line each, so many bytes from the one of its lanes to the next one's: the
 * cycles until a block of so many threads has them all. */
static double block_of_loads(const struct sm *sm, int threads, int shift) {
  char before[100];
  snprintf(before, sizeof before, "shl.b64 %%rd10, %%rd4, %d; add.s64 %%rd10, %%rd0, %%rd10;",
           shift);
  struct traced *t =
      open_row("", before, "ld.global.u32 %r10, [%rd10]; xor.b32 %r11, %r10, %r11;\n", 1, 0,
               "st.global.u32 [%rd10], %r11;");
  traced_launch(t, 1, threads, traced_buffer(t, NULL, 1 << 20), 0);
  double cycles = play(t, 1, 1, sm).cycles;
  traced_close(t);
  return cycles;
}

/* Of many lines the latency is that of the description on average, and those who wait for lines
 * that are far from each other wait longer; 4 KiB wait as long as any line of them. */
static void latency_of_dram_differs_by_line(void **state) {
  (void)state;
  enum { STEPS = 400 };
  struct sm outside = plain;
  outside.arrays[0] = (struct sm_array){.lines = UINT32_MAX, .outside = 1};
  outside.array_count = 1;
  struct sm spread = outside;
  spread.dram_spread = 200;
  struct traced *t = open_chain(NEXT, STEPS, 4096);
  double same = play(t, 1, 1, &outside).cycles, differs = play(t, 1, 1, &spread).cycles;
  assert_true(differs != same);
  assert_near(differs, same, 0.03);
  assert_true(differs == play(t, 1, 1, &spread).cycles);
  traced_close(t);
  double far = block_of_loads(&spread, 1024, 7) - block_of_loads(&outside, 1024, 7),
         near = block_of_loads(&spread, 1024, 2) - block_of_loads(&outside, 1024, 2);
  assert_true(far > 100 && near < far / 2);
}

/* Where DRAM writes meanwhile, some lines wait for long, and a block for the last of its lines. */
static void dram_writes_meanwhile(void **state) {
  (void)state;
  enum { STEPS = 400, QUEUE = 2000 };
  struct sm outside = plain;
  outside.arrays[0] = (struct sm_array){.lines = UINT32_MAX, .outside = 1};
  outside.array_count = 1;
  outside.dram_half_line = 0.01; /* hardly busy */
  struct sm mixed = outside;
  mixed.dram_mixed_queue = QUEUE;
  struct traced *t = open_chain(NEXT, STEPS, 128);
  double more = (play(t, 1, 1, &mixed).cycles - play(t, 1, 1, &outside).cycles) / STEPS;
  traced_close(t);
  assert_near(more, 0.2 * QUEUE, 0.15);
  assert_true(block_of_loads(&mixed, 1024, 2) > block_of_loads(&outside, 1024, 2) + 2 * more);
}

/* SMs are in step at first; later one makes up for what it has not used. */
static void shares_are_made_up_for(void **state) {
  (void)state;
  double taken = 0;
  assert_true(take_share(&taken, 0, 100) == 0);
  assert_true(take_share(&taken, 50, 100) == 100);
  assert_true(take_share(&taken, 1000, 100) == 1000);
  assert_true(take_share(&taken, 1000, 100) == 1100);
  for (int i = 0; i < 5; i++) assert_true(take_share(&taken, 10000, makes_up / 4) == 10000);
  assert_true(take_share(&taken, 10000, 1) == 10000 + makes_up / 4);
  taken = 0; /* so far as they have not been in step */
  for (int i = 0; i < 3; i++) assert_true(take_share(&taken, in_step + 100, 50) == in_step + 100);
  assert_true(take_share(&taken, in_step + 100, 50) == in_step + 150);
}

/* An access whose predicate is false in all lanes takes its turn like one that moves a word; that
 * nothing waits for it shows with 32 warps only. */
static void accesses_of_no_lane_take_a_cycle(void **state) {
  (void)state;
  static const char never[] = "mov.u64 %rd10, s; setp.gt.u32 %p1, %r0, 5000;",
                    *const pieces[] = {"@%p1 ld.shared.u32 %r10, [%rd10+%d];\n",
                                       "@%p1 st.shared.u32 [%rd10+%d], %r0;\n"};
  for (int i = 0; i < LENGTH(pieces); i++) {
    double more = play_row(never, pieces[i], 256, 4, 1024).cycles -
                  play_row(never, pieces[i], 128, 4, 1024).cycles;
    assert_near(more, 128 * 32, 0.02);
  }
}

/* L1 does not answer loads of what others may write meanwhile. */
static void volatile_loads_come_from_l2(void **state) {
  (void)state;
  static const char before[] = "add.s64 %rd10, %rd0, %rd4; ld.global.u32 %r10, [%rd10];\n";
  static const char *const loads[] = {"ld.global.u32", "ld.volatile.global.u32",
                                      "ld.relaxed.gpu.global.u32", "ld.global.cg.u32"};
  for (int i = 0; i < LENGTH(loads); i++) {
    char piece[200]; /* each waits for the one before */
    snprintf(piece, sizeof piece,
             "and.b32 %%r11, %%r10, 1; cvt.u64.u32 %%rd11, %%r11; "
             "add.s64 %%rd12, %%rd10, %%rd11; %s %%r10, [%%rd12];\n",
             loads[i]);
    double each = (play_row(before, piece, 40, 0, 32).cycles -
                   play_row(before, piece, 20, 0, 32).cycles) /
                  20,
           latency = i ? plain.l2_latency : plain.l1_latency;
    assert_true(each > latency && each < latency + 25);
  }
}

static void shared_loads_take_their_latency(void **state) {
  (void)state;
  static const char before[] =
      "mov.u64 %rd10, s; mov.u64 %rd11, 0; st.shared.u64 [%rd10], %rd11; bar.sync 0;";
  static const char piece[] = "add.s64 %rd12, %rd10, %rd11; ld.shared.u64 %rd11, [%rd12];\n";
  double each =
      (play_row(before, piece, 40, 0, 32).cycles - play_row(before, piece, 20, 0, 32).cycles) / 20;
  /* 8-byte lanes at one address: a wavefront or two */
  assert_true(each > plain.shared_latency && each < plain.shared_latency + 10);
}

/* A load leaves L1 when the last of its sectors that are not there has been asked for. */
static void missing_lines_hold_l1(void **state) {
  (void)state;
  static const char column[] = "shl.b64 %rd10, %rd4, 5; add.s64 %rd10, %rd10, %rd0;",
                    load[] = "ld.global.u32 %r10, [%rd10+%d];\n";
  double asks = 32 * plain.port_line, reads = 32; /* words of one bank */
  assert_near(play_row(column, load, 10, 4096, 32).busy[BUSY_L1], 10 * asks, 1e-9);
  assert_near(play_row(column, load, 8, 4, 32).busy[BUSY_L1], asks + 7 * reads, 1e-9);
}

/* What is stored to while it is on its way is not kept in L1; once it is there it stays, and what
 * is stored as a whole stays, too. */
static void stores_overtake_loads(void **state) {
  (void)state;
  static const char before[] =
      "mov.u32 %r10, 0; add.s64 %rd10, %rd0, 0; add.s64 %rd12, %rd0, 65536;"
      "add.s64 %rd13, %rd4, %rd0;",
                    wait[] = "add.s64 %rd10, %rd10, %rd11;\n";
  static const char *const stores[] = {"st.global.u32 [%rd12+%d], %r10;\n",
                                       "st.global.u32 [%rd0+%d], %r10;\n",
                                       "st.global.u32 [%rd13+0], %r10;\n"};
  double cycles[3], there;
  char piece[200];
  for (int i = 0; i < 3; i++) {
    snprintf(piece, sizeof piece, "ld.global.u64 %%rd11, [%%rd10+%%d];\n%s%s", stores[i], wait);
    cycles[i] = play_row(before, piece, 16, 8, 32).cycles;
  }
  snprintf(piece, sizeof piece, "ld.global.u64 %%rd11, [%%rd10+%%d];\n%s%s", wait,
           "st.global.u32 [%rd10+%d], %r10;\n");
  there = play_row(before, piece, 16, 8, 32).cycles;
  assert_true(cycles[1] > 2 * cycles[0]);
  assert_true(cycles[2] < 1.2 * cycles[0]);
  assert_near(there, cycles[0], 0.2);
}

/* A line at which something was added is not in L1 any more. */
static void atomics_drop_lines(void **state) {
  (void)state;
  static const char before[] = "mov.u64 %rd10, %rd0;";
  static const struct {
    int behind; /* the word that is added to, in bytes */
    double latency;
  } cases[] = {{0, 1}, {124, 1}, {128, 0}, {65536, 0}};
  for (int i = 0; i < LENGTH(cases); i++) {
    char piece[200];
    double cycles[2];
    snprintf(piece, sizeof piece,
             "red.global.or.b32 [%%rd10+%d], 0; ld.global.u64 %%rd11, [%%rd10]; "
             "add.s64 %%rd10, %%rd10, %%rd11;\n",
             cases[i].behind);
    for (int k = 0; k < 2; k++) cycles[k] = play_row(before, piece, 20 << k, 0, 1).cycles;
    double each = (cycles[1] - cycles[0]) / 20;
    if (cases[i].latency > 0 ? each < plain.l2_latency : each > plain.l2_latency)
      fail_msg("%d bytes behind: %g cycles", cases[i].behind, each);
  }
}

static void loads_that_wait_for_nothing_overlap(void **state) {
  (void)state;
  static const char piece[] = "ld.global.u32 %r10, [%rd0+%d];\n";
  double each =
      (play_row("", piece, 60, 128, 32).cycles - play_row("", piece, 20, 128, 32).cycles) / 40;
  assert_near(each, plain.l2_line, 1e-9);
}

/* The slower of L2, of which the SM has a share, and of its own way there. */
static void the_way_to_l2_is_a_bound_too(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    struct sm sm = plain;
    *(i ? &sm.port_line : &sm.l2_line) = 9;
    double cycles[2];
    for (int k = 0; k < 2; k++) {
      struct traced *t = open_row("", "", "ld.global.u32 %r10, [%rd0+%d];\n", 20 << k, 128, "");
      traced_launch(t, 1, 32, traced_buffer(t, NULL, 1 << 16), 0);
      cycles[k] = play(t, 1, 1, &sm).cycles;
      traced_close(t);
    }
    assert_near(cycles[1] - cycles[0], 20 * 9, 1e-9);
  }
}

/* The more warps there are, the more of the latency is hidden, until L2 has no more to give. */
static void residents_hide_latency(void **state) {
  (void)state;
  enum { STEPS = 16 };
  struct traced *t = open_chain(NEXT, STEPS, 128);
  double alone = play(t, 1, 1, &plain).cycles, last = alone;
  int hidden = 0, full = 0;
  for (int k = 2; k <= 512; k *= 2) {
    struct replay r = play(t, k, k, &plain);
    double unit = k * STEPS * plain.l2_line;
    assert_near(r.busy[BUSY_L2_LOADS], unit, 1e-9);
    assert_true(r.cycles >= unit && r.cycles >= alone && r.cycles >= last);
    assert_true(r.cycles <= 1.25 * fmax(unit, alone));
    hidden += r.cycles < 1.05 * alone;
    full += r.cycles < 1.15 * unit;
    last = r.cycles;
  }
  assert_true(hidden >= 4 && full >= 2);
  traced_close(t);
}

/* ---- rates of units ---- */

static void units_at_their_rates(void **state) {
  (void)state;
  static const struct {
    const char *piece;
    enum busy busy;
  } cases[] = {
      {"fma.rn.f32 %f2, %f1, %f1, %f1; fma.rn.f32 %f3, %f1, %f1, %f1;\n", BUSY_FP32},
      {"mul.lo.s32 %r12, %r10, %r10; mul.lo.s32 %r13, %r10, %r10;\n", BUSY_FP32},
      {"and.b32 %r12, %r10, %r11; or.b32 %r13, %r10, %r11;\n", BUSY_ALU},
      {"fma.rn.f64 %fd2, %fd1, %fd1, %fd1; add.f64 %fd3, %fd1, %fd1;\n", BUSY_FP64},
      {"popc.b32 %r12, %r10; popc.b32 %r13, %r11;\n", BUSY_SFU},
  };
  static const char before[] =
      "mov.f32 %f1, 0f3f800000; mov.u32 %r10, 3; mov.u32 %r11, 5; mov.f64 %fd1, "
      "0d3ff0000000000000;";
  for (int i = 0; i < LENGTH(cases); i++) {
    struct traced *t = open_row("", before, cases[i].piece, 1, 0, "");
    const struct plan_block *block = &t->kernel.plan->blocks[0];
    double each = block->ops[block->count - 1].cost.cycles;
    traced_close(t);
    double last = 0;
    for (unsigned warps = 4; warps <= 16; warps *= 2) { /* 1, 2, 4 warps of each scheduler */
      struct replay r = play_row(before, cases[i].piece, 100, 0, 32 * warps);
      double busy = r.busy[cases[i].busy], right = 200 * each * warps / 4;
      assert_true(busy >= right && busy <= right + 40 * warps); /* the kernel's start */
      assert_true(r.cycles >= busy && r.cycles <= 1.1 * busy + 100);
      if (last > 0) assert_near(r.cycles, 2 * last, 0.2);
      last = r.cycles;
    }
    /* one warp has one scheduler, four have four, but read %tid one after the other */
    assert_near(play_row(before, cases[i].piece, 100, 0, 32).cycles,
                play_row(before, cases[i].piece, 100, 0, 128).cycles, 0.15);
  }
}

/* ---- operations that take longer for some values ---- */

#define QUOTIENT \
  "div.u64 %rd11, %rd10, %rd12; and.b64 %rd13, %rd11, 0; add.s64 %rd10, %rd10, %rd13;\n"

/* Cycles of one quotient of a chain: a warp whose lanes divide by what `divisor` puts into %rd12.
 */
static double of_a_quotient(const char *dividend, const char *divisor) {
  char before[256];
  snprintf(before, sizeof before, "mov.u64 %%rd10, %s; %s\n", dividend, divisor);
  return (play_row(before, QUOTIENT, 40, 0, 32).cycles -
          play_row(before, QUOTIENT, 20, 0, 32).cycles) /
         20;
}

static void quotients_by_their_values(void **state) {
  (void)state;
  static const char small[] = "1000000", large[] = "1000000000000", seven[] = "mov.u64 %rd12, 7;";
  double brief = of_a_quotient(small, seven), wide = of_a_quotient(large, seven);
  assert_in_range(brief, 170, 200);
  assert_near(wide, 2 * brief, 0.15);
  assert_near(of_a_quotient(small, "mov.u64 %rd12, 70000000000;"), wide, 0.01);
  /* some lanes of a warp have one, some the other */
  double both = of_a_quotient(small,
                              "cvt.u64.u32 %rd12, %r0; shl.b64 %rd12, %rd12, 30; "
                              "add.s64 %rd12, %rd12, 1;");
  assert_near(both, brief + wide, 0.1);
}

#define SINE                                                                           \
  "{ .param .b32 a; .param .b32 b; st.param.f32 [a], %f1; call (b), __kit_sinf, (a); " \
  "ld.param.f32 %f2, [b]; } mul.f32 %f2, %f2, 0f00000000; add.f32 %f1, %f1, %f2;\n"
#define SINES ".extern .func (.param .b32 b) __kit_sinf(.param .b32 a);\n"

static double of_sines(const char *angle, int count, unsigned threads) {
  char before[128];
  snprintf(before, sizeof before, "mov.f32 %%f1, %s;\n", angle);
  struct traced *t = open_row(SINES, before, SINE, count, 0, "");
  traced_launch(t, 1, threads, 0, 0);
  struct replay r = play(t, 1, 1, &plain);
  traced_close(t);
  return r.cycles;
}

#define BOTH                                                                           \
  "{ .param .b32 a; .param .b32 b; st.param.f32 [a], %f1; call (b), __kit_sinf, (a); " \
  "ld.param.f32 %f2, [b]; } { .param .b32 a; .param .b32 b; st.param.f32 [a], %f1; "   \
  "call (b), __kit_cosf, (a); ld.param.f32 %f3, [b]; } mul.f32 %f2, %f2, 0f00000000; " \
  "fma.rn.f32 %f2, %f3, 0f00000000, %f2; add.f32 %f1, %f1, %f2;\n"

static double of_both(int count) {
  struct traced *t = open_row(SINES ".extern .func (.param .b32 b) __kit_cosf(.param .b32 a);\n",
                              "mov.f32 %f1, 0f3f800000;\n", BOTH, count, 0, "");
  traced_launch(t, 1, 32, 0, 0);
  struct replay r = play(t, 1, 1, &plain);
  traced_close(t);
  return r.cycles;
}

/* Sine and cosine of one angle take little more than one of them. */
static void sine_and_cosine_of_one_angle(void **state) {
  (void)state;
  double one = of_sines("0f3f800000", 20, 32) - of_sines("0f3f800000", 10, 32);
  assert_near(of_both(20) - of_both(10), one, 0.25);
}

/* An angle of 1 takes a few multiplications to reduce, 1e6 takes many; 1e5 is still a small one. */
static void functions_by_their_values(void **state) {
  (void)state;
  static const char one[] = "0f3f800000", ten_5[] = "0f47c35000", ten_6[] = "0f49742400";
  double small = (of_sines(one, 20, 32) - of_sines(one, 10, 32)) / 10,
         large = (of_sines(ten_6, 20, 32) - of_sines(ten_6, 10, 32)) / 10;
  assert_in_range(small, 100, 115); /* each waits for the one before */
  assert_in_range(large, 700, 715);
  assert_near(of_sines(ten_5, 20, 32), of_sines(one, 20, 32), 0.01);
}

/* A warp does not go on behind a quotient's branches: four that do not wait for each other take as
 * long as if they did. Others issue meanwhile. */
static void branches_of_a_quotient_hold_its_warp(void **state) {
  (void)state;
  enum { TIMES = 25 };
  static const char one[] = "mov.f32 %f1, 0f3f800000;";
  static const char *const quotients[] = {
      "div.rn.f32 %f2, %f1, %f1; div.rn.f32 %f3, %f1, %f1; div.rn.f32 %f4, %f1, %f1; "
      "div.rn.f32 %f5, %f1, %f1;\n",
      "div.approx.f32 %f2, %f1, %f1; div.approx.f32 %f3, %f1, %f1; "
      "div.approx.f32 %f4, %f1, %f1; div.approx.f32 %f5, %f1, %f1;\n"};
  double precise = play_row(one, quotients[0], TIMES, 0, 32).cycles / (4 * TIMES),
         approximate = play_row(one, quotients[1], TIMES, 0, 32).cycles / (4 * TIMES);
  assert_in_range(precise, 55, 60);
  assert_in_range(approximate, 7, 14);
  /* four warps of one scheduler: as fast as it issues, or as its unit goes */
  assert_in_range(play_row(one, quotients[0], TIMES, 0, 4 * 128).cycles / (4 * TIMES), 56, 75);
}

/* Precise quotients and roots take a long way if some lane's operands are not ordinary. x and y:
 * the operands, bits of floats or doubles; cycles of one operation, as gpus/h200.tsv has them ("way
 * alone"). What FCHK lets pass: exponents, as stored, of 25 and more by 2 to 251, 124 less to 126
 * more. */
/* clang-format off */
static const struct {
  const char *operation;
  uint64_t x, y;
  int cycles;
} special_operands[] = {
    {"div.rn.f32", 0x3f800000, 0x3fd9999a, 56},
    {"div.rn.f32", 0, 0x3fd9999a, 288},
    {"div.rn.f32", 0x80000000, 0x3fd9999a, 288},
    {"div.rn.f32", 0x7f800000, 0x3fd9999a, 288},
    {"div.rn.f32", 0x3f800000, 0, 288},
    {"div.rn.f32", 0x000116c2, 0x3fd9999a, 420},
    {"div.rn.f32", 0x3f800000, 0x000116c2, 420},
    {"div.rn.f32", 25 << 23, 64 << 23, 56},
    {"div.rn.f32", 24 << 23, 64 << 23, 300},
    {"div.rn.f32", 64 << 23, 2 << 23, 56},
    {"div.rn.f32", 64 << 23, 1 << 23, 300},
    {"div.rn.f32", 200u << 23, 251u << 23, 56},
    {"div.rn.f32", 200u << 23, 252u << 23, 300},
    {"div.rn.f32", 226u << 23, 100 << 23, 56},
    {"div.rn.f32", 227u << 23, 100 << 23, 300},
    {"div.rn.f32", 100 << 23, 224u << 23, 56},
    {"div.rn.f32", 100 << 23, 225u << 23, 300},
    {"div.rn.f32", 80 << 23, 240u << 23, 300},
    {"div.rn.f32", 80 << 23, 220u << 23, 410},
    {"rcp.rn.f32", 0x3fd9999a, 0, 75},
    {"rcp.rn.f32", 0, 0, 235},
    {"rcp.rn.f32", 1 << 23, 0, 75},
    {"rcp.rn.f32", 252u << 23, 0, 75},
    {"rcp.rn.f32", 253u << 23, 0, 333},
    {"sqrt.rn.f32", 0x3fd9999a, 0, 54},
    {"sqrt.rn.f32", 0, 0, 166},
    {"sqrt.rn.f32", 0xbf800000, 0, 166},
    {"sqrt.rn.f32", 0x7f7fffff, 0, 54},
    {"sqrt.rn.f32", 0x7f800000, 0, 166},
    {"sqrt.rn.f32", 26 << 23, 0, 54},
    {"sqrt.rn.f32", 25 << 23, 0, 259},
    {"div.rn.f64", 0x3ffb333333333333, 0x3fd3333333333333, 122},
    {"div.rn.f64", 0, 0x3fd3333333333333, 422},
    {"div.rn.f64", 0x0360000000000000, 0x3ff0000000000000, 122},
    {"div.rn.f64", 0x0350000000000000, 0x3ff0000000000000, 422},
    {"div.rn.f64", 0x3ff0000000000000, 0x7f70000000000000, 122},
    {"div.rn.f64", 0x3ff0000000000000, 0x7f80000000000000, 422},
    {"div.rn.f64", 0x7ff8000000000000, 0x3fd3333333333333, 422},
    {"rcp.rn.f64", 0x3ffb333333333333, 0, 71},
    {"rcp.rn.f64", 0x7fc8000000000000, 0, 71},
    {"rcp.rn.f64", 0x7fd0000000000000, 0, 328},
    {"sqrt.rn.f64", 0x3ffb333333333333, 0, 91},
    {"sqrt.rn.f64", 0, 0, 257},
    {"sqrt.rn.f64", 0x0350000000000000, 0, 91},
    {"sqrt.rn.f64", 0x0348000000000000, 0, 257},
    {"sqrt.rn.f64", 0xbff0000000000000, 0, 257},
    {"sqrt.rn.f64", 0x0008000000000000, 0, 375},
};
/* clang-format on */

/* Cycles of the operation, with x in the lanes that are or with 1.0, those that are not `lanes`. */
static double of_operands(const char *operation, uint64_t x, uint64_t y, int lanes) {
  enum { TIMES = 20 };
  bool is_wide = strstr(operation, "64") != NULL, has_two = strncmp(operation, "div", 3) == 0;
  const char *bits = is_wide ? "64" : "32", *r = is_wide ? "d" : "", *f = is_wide ? "fd" : "f";
  char before[400], piece[100];
  snprintf(before, sizeof before,
           "setp.lt.u32 %%p1, %%r0, %d; mov.b%s %%r%s20, 0x%llx; mov.b%s %%r%s21, %s; "
           "selp.b%s %%r%s22, %%r%s20, %%r%s21, %%p1; mov.b%s %%%s1, %%r%s22; "
           "mov.b%s %%r%s23, 0x%llx; mov.b%s %%%s2, %%r%s23;",
           lanes, bits, r, (unsigned long long)x, bits, r,
           is_wide ? "0x3ff0000000000000" : "0x3f800000", bits, r, r, r, bits, f, r, bits, r,
           (unsigned long long)y, bits, f, r);
  snprintf(piece, sizeof piece, has_two ? "%s %%%s3, %%%s1, %%%s2;\n" : "%s %%%s3, %%%s1;\n",
           operation, f, f, f);
  return (play_row(before, piece, 2 * TIMES, 0, 32).cycles -
          play_row(before, piece, TIMES, 0, 32).cycles) /
         TIMES;
}

static void quotients_by_their_operands(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < LENGTH(special_operands); i++) {
    const char *operation = special_operands[i].operation;
    double cycles = of_operands(operation, special_operands[i].x, special_operands[i].y, 32);
    if (fabs(cycles / special_operands[i].cycles - 1) < 0.1) continue;
    print_error("%s of %llx and %llx: %.0f cycles, not %d\n", operation,
                (unsigned long long)special_operands[i].x,
                (unsigned long long)special_operands[i].y, cycles, special_operands[i].cycles);
    wrong++;
  }
  assert_int_equal(wrong, 0);
  /* one lane is enough */
  assert_near(of_operands("div.rn.f32", 0, 0x3fd9999a, 1),
              of_operands("div.rn.f32", 0, 0x3fd9999a, 32), 0.01);
  assert_near(of_operands("div.rn.f32", 0, 0x3fd9999a, 0), 56, 0.05);
}

/* Additions go to whichever of two units is free. */
static void additions_take_either_unit(void **state) {
  (void)state;
  static const char before[] = "mov.u32 %r10, 3; mov.u32 %r11, 5;";
  double ands = play_row(before, "and.b32 %r12, %r10, %r11;\n", 200, 0, 256).cycles,
         adds = play_row(before, "add.s32 %r12, %r10, %r11;\n", 200, 0, 256).cycles,
         both =
             play_row(before, "add.s32 %r12, %r10, %r11; and.b32 %r13, %r10, %r11;\n", 100, 0, 256)
                 .cycles;
  assert_true(adds < 0.6 * ands);
  assert_true(both < 0.8 * ands);
  static const char three[] = "add.s32 %r12, %r10, %r11; add.s32 %r13, %r12, %r10;\n"; /* IADD3 */
  assert_near(play_row(before, three, 200, 0, 256).cycles, ands, 0.05);
}

/* Integer products leave the other half of the unit to floating-point numbers. */
static void products_and_floats_side_by_side(void **state) {
  (void)state;
  static const char before[] = "mov.f32 %f1, 0f3f800000; mov.u32 %r10, 3;",
                    product[] = "mul.lo.s32 %r12, %r10, %r10;\n",
                    both[] = "mul.lo.s32 %r12, %r10, %r10; fma.rn.f32 %f2, %f1, %f1, %f1;\n",
                    more[] =
                        "mul.lo.s32 %r12, %r10, %r10; fma.rn.f32 %f2, %f1, %f1, %f1;"
                        "add.f32 %f3, %f1, %f1; add.f32 %f4, %f1, %f1;\n";
  double products = play_row(before, product, 200, 0, 256).cycles;
  assert_near(play_row(before, both, 200, 0, 256).cycles, products, 0.05);
  assert_near(play_row(before, more, 200, 0, 256).cycles, 2 * products, 0.05);
}

/* 32 lanes in one bank: 32 times the wavefronts. */
static void bank_conflicts(void **state) {
  (void)state;
  static const char
      row[] = "mov.u64 %rd10, s; mul.wide.u32 %rd11, %r4, 4; add.s64 %rd10, %rd10, %rd11;",
      column[] = "mov.u64 %rd10, s; mul.wide.u32 %rd11, %r4, 128; add.s64 %rd10, %rd10, %rd11;";
  static const char piece[] = "ld.shared.u32 %r10, [%rd10+%d];\n";
  struct replay fast = play_row(row, piece, 64, 128, 512),
                slow = play_row(column, piece, 64, 128, 512);
  assert_near(fast.busy[BUSY_SHARED], 16 * 64, 1e-9);
  assert_near(slow.busy[BUSY_SHARED], 32 * 16 * 64, 1e-9);
  assert_true(slow.cycles > 25 * fast.cycles && slow.cycles < 33 * fast.cycles);
}

/* Sectors that are written in part cost more to store, and rows of them in L1 more to load. */
static void stores_of_parts(void **state) {
  (void)state;
  static const char row[] = "add.s64 %rd10, %rd0, %rd4;",
                    apart[] = "shl.b64 %rd10, %rd4, 3; add.s64 %rd10, %rd10, %rd0;",
                    store[] = "st.global.u32 [%rd10+%d], %r0;\n",
                    load[] = "ld.global.u32 %r10, [%rd10+%d];\n";
  double whole = play_row(row, store, 50, 2048, 64).busy[BUSY_L2_STORES],
         parts = play_row(apart, store, 50, 2048, 64).busy[BUSY_L2_STORES];
  assert_near(whole, 50 * 2 * 4 * plain.store_unit, 1e-9);
  /* every 8th word: 8 lines of 4 sectors, each with one word */
  assert_true(parts > 50 * 2 * 32 * plain.store_unit);
  assert_true(play_row(apart, store, 50, 2048, 64).cycles >
              5 * play_row(row, store, 50, 2048, 64).cycles);
  assert_true(play_row(apart, load, 50, 2048, 64).cycles >
              3 * play_row(row, load, 50, 2048, 64).cycles);
  /* nothing goes through L1 meanwhile */
  assert_near(play_row(row, store, 50, 2048, 64).busy[BUSY_L1], 50 * 2 * 4 * plain.port_unit, 1e-9);
  assert_near(play_row(apart, store, 50, 2048, 64).busy[BUSY_L1],
              parts / plain.store_unit * plain.port_unit, 1e-9);
}

/* A warp does not end before its last store has left L1, behind what is in front of it. */
static void stores_drain(void **state) {
  (void)state;
  static const char row[] = "add.s64 %rd10, %rd0, %rd4;",
                    column[] =
                        "add.s64 %rd10, %rd0, %rd4; mad.lo.s64 %rd11, %rd4, 32, %rd0; "
                        "ld.global.u32 %r11, [%rd11]; ld.global.u32 %r12, [%rd11+8];\n",
                    far_behind[] = "st.global.u32 [%rd10+%d], %r0;\n";
  double store = play_row(row, "st.global.u32 [%rd10+%d], %r0;\n", 1, 0, 32).cycles,
         load = play_row(row, "ld.global.u32 %r10, [%rd10+%d];\n", 1, 0, 32).cycles;
  assert_near(store - load, 21, 0.1);
  double behind = play_row(column, far_behind, 1, 0, 32).cycles,
         alone = play_row(row, far_behind, 1, 0, 32).cycles;
  assert_true(behind > alone + 64 && behind < alone + plain.dram_latency / 2);
}

static void more_work_takes_longer(void **state) {
  (void)state;
  static const char *const pieces[] = {
      "ld.global.f32 %f2, [%rd0+%d]; fma.rn.f32 %f1, %f2, %f2, %f1; st.global.f32 [%rd0+%d], "
      "%f1;\n",
      "div.rn.f32 %f1, %f1, %f1;\n", "red.global.add.u32 [%rd0], %r0;\n",
      "shfl.sync.down.b32 %r10, %r10, 1, 31, -1;\n",
      "st.shared.u32 [%rd10+%d], %r0; bar.sync 0;\n"};
  for (int i = 0; i < LENGTH(pieces); i++) {
    double last = 0;
    for (int times = 1; times < 40; times += 3) {
      double cycles = play_row("mov.f32 %f1, 0f3f800000; mov.u32 %r10, 0; mov.u64 %rd10, s;",
                               pieces[i], times, 128, 64)
                          .cycles;
      if (cycles <= last)
        fail_msg("%d times %s: %g cycles, fewer times %g", times, pieces[i], cycles, last);
      last = cycles;
    }
  }
}

/* ---- barriers ---- */

/* The first warp walks a list before the barrier, the second one behind it. */
#define ONE_AFTER_THE_OTHER(between)                                                               \
  "setp.lt.u32 %p1, %r0, 32; @!%p1 bra first;\n" NEXT NEXT NEXT NEXT NEXT NEXT NEXT NEXT NEXT NEXT \
  "first: " between " @%p1 bra second;\n" NEXT NEXT NEXT NEXT NEXT NEXT NEXT NEXT NEXT NEXT        \
  "second:"

static void warps_wait_at_barriers(void **state) {
  (void)state;
  static const char *const texts[] = {ONE_AFTER_THE_OTHER("bar.sync 0;"), ONE_AFTER_THE_OTHER("")};
  double cycles[2];
  for (int i = 0; i < 2; i++) {
    struct traced *t = open_row("", texts[i], "", 0, 0, "");
    traced_launch(t, 1, 64, make_list(t, 20, 0), 0);
    struct sm sm = plain;
    sm.l1_latency = 1000;
    cycles[i] = play(t, 1, 1, &sm).cycles;
    traced_close(t);
  }
  /* nobody waits for the last load of a list, but one that is predicated and left out */
  assert_near(cycles[0], 2 * 9 * 1000, 0.05);
  assert_near(cycles[1], 10 * 1000, 0.05);
}

static void a_barrier_costs_what_it_says(void **state) {
  (void)state;
  double each = (play_row("", "bar.sync 0;", 60, 0, 256).cycles -
                 play_row("", "bar.sync 0;", 20, 0, 256).cycles) /
                40;
  double right = plain.barrier + 8 * plain.barrier_warp;
  assert_true(each >= right && each <= right + 4);
}

/* Those that have returned are not waited for. */
static void ended_warps_hold_nobody(void **state) {
  (void)state;
  struct traced *t =
      open_row("", "setp.ge.u32 %p1, %r0, 32; @%p1 ret; bar.sync 0;\n" NEXT NEXT NEXT "bar.sync 0;",
               NEXT, 7, 0, "");
  traced_launch(t, 2, 128, make_list(t, 10, 0), 0);
  struct replay r = play(t, 6, 2, &plain);
  assert_true(r.cycles > 3 * 10 * plain.l1_latency);
  assert_int_equal(r.instructions, 3 * t->result.counters.value[COUNTER_inst_executed]);
  traced_close(t);
}

/* ---- blocks ---- */

static void blocks_come_in_waves(void **state) {
  (void)state;
  struct traced *t = open_chain(NEXT, 30, 128);
  double one = play(t, 4, 4, &plain).cycles;
  for (int waves = 2; waves <= 5; waves++) {
    struct replay r = play(t, 4 * waves, 4, &plain);
    assert_near(r.cycles, waves * one, 0.05);
    /* how fast blocks come to their ends while all places are taken, to tell how it goes on */
    assert_near(r.rate, one / 4, 0.05);
    struct sm slow = plain;
    slow.block_turn = 5000;
    assert_near(play(t, 4 * waves, 4, &slow).cycles, r.cycles + (waves - 1) * 5000, 0.01);
  }
  assert_near(play(t, 5, 4, &plain).cycles, 2 * one, 0.05); /* the last one is alone */
  traced_close(t);
}

static void empty_blocks_start_one_by_one(void **state) {
  (void)state;
  struct traced *t = open_row("", "", "", 0, 0, "");
  traced_launch(t, 1, 32, 0, 0);
  struct sm slow = plain;
  slow.block_interval = 500;
  double few = play(t, 64, 64, &slow).cycles, many = play(t, 164, 64, &slow).cycles;
  assert_near(many - few, 100 * 500, 1e-6);
  assert_near(few, 63 * 500, 0.05);
  traced_close(t);
}

/* ---- loops and branches ---- */

#define LOOP(step)                                                                              \
  "mov.u32 %r10, 0; mov.u32 %r11, 1; mov.f32 %f1, 0f00000000;\n"                                \
  "again: ld.global.f32 %f2, [%rd0]; add.s64 %rd0, %rd0, 128; fma.rn.f32 %f1, %f2, %f2, %f1;\n" \
  "add.s32 %r10, %r10, " step "; setp.lt.u32 %p1, %r10, 64; @%p1 bra again;"

/* The loads of several turns overlap only if the loop is unrolled. */
static void unrolled_loops_overlap_their_loads(void **state) {
  (void)state;
  double unrolled = play_row(LOOP("1"), "", 0, 0, 32).cycles,
         turn_by_turn = play_row(LOOP("%r11"), "", 0, 0, 32).cycles;
  assert_true(turn_by_turn > 64 * plain.l2_latency);
  assert_true(unrolled < turn_by_turn / 3);
}

static void only_real_branches_cost(void **state) {
  (void)state;
  static const char skip[] = "setp.eq.u32 %p1, %r0, 7; @%p1 bra over; add.s32 %r10, %r10, 3; over:";
  static const char *const texts[] = {skip, LOOP("%r11")};
  struct sm slow = plain;
  slow.branch = 1000;
  slow.predicate = 3000;
  for (int i = 0; i < 2; i++) {
    struct traced *t = open_row("", texts[i], "", 0, 0, "");
    traced_launch(t, 1, 32, traced_buffer(t, NULL, 1 << 16), 0);
    double difference = play(t, 1, 1, &slow).cycles - play(t, 1, 1, &plain).cycles;
    if (i == 0) assert_true(difference == 0);
    if (i == 1) /* 63 are taken; the 64th is not */
      assert_near(difference, 63 * (1000 - plain.branch) + 64 * (3000 - plain.predicate), 0.05);
    traced_close(t);
  }
}

/* ---- instruction caches ---- */

/* Cycles of each instruction of a loop of so many, of the last of its turns. */
static double of_long_code(int instructions, unsigned threads) {
  double cycles[2];
  for (int i = 0; i < 2; i++) {
    char after[128];
    snprintf(after, sizeof after,
             "add.s32 %%r10, %%r10, 1; setp.lt.u32 %%p1, %%r10, %d; @%%p1 bra again;", 2 + 2 * i);
    struct traced *t = open_row("", "mov.f32 %f1, 0f3f800000; mov.u32 %r10, 0;\nagain:",
                                "fma.rn.f32 %f2, %f1, %f1, %f1;\n", instructions, 0, after);
    traced_launch(t, 1, threads, 0, 0);
    cycles[i] = play(t, 1, 1, &plain).cycles;
    traced_close(t);
  }
  return (cycles[1] - cycles[0]) / (2 * instructions);
}

/* As measured: up to 32 KiB are there, up to 128 KiB come at 2.1 cycles an instruction and
 * scheduler, what is longer at 5.7 to all of them. Of many warps, each takes some of that time. */
static void long_code_is_fetched(void **state) {
  (void)state;
  assert_near(of_long_code(1000, 128), 1, 0.05);
  assert_near(of_long_code(3500, 32), 2.1, 0.05);
  assert_near(of_long_code(3500, 128), 2.1, 0.05);
  assert_near(of_long_code(3500, 8 * 128), 8, 0.1);
}

/* Code that is executed once: the launch before has left it, unless it is longer than the caches.
 */
static void code_of_one_turn(void **state) {
  (void)state;
  static const int lengths[] = {1000, 3900, 8500};
  static const double each[] = {1, 2.1, 5.7};
  struct plan_block blocks[3] = {{0}};
  for (int i = 0; i < 3; i++) {
    struct plan plan = {.blocks = blocks, .block_count = 1, .index_count = 1};
    plan.instructions = blocks[0].instructions = lengths[i];
    struct fetch fetch;
    assert_true(fetch_open(&fetch, &plan));
    struct fetch_stream first = fetch_block(&fetch, 0, &blocks[0], 1000),
                        again = fetch_block(&fetch, 1, &blocks[0], 2000);
    assert_near(i ? first.each : 1, each[i], 1e-9);
    assert_true(!i || first.from == 1000);
    assert_near(i ? again.each : 1, each[i], 1e-9);
    assert_true(!i || again.from == (i == 2 ? 1000 : 2000)); /* of 2: what the first one fetches */
    fetch_close(&fetch);
  }
}

/* Blocks of which every second one has nothing to do: how fast the others end is not judged by when
 * these do. */
static void idle_blocks_do_not_tell_the_rate(void **state) {
  (void)state;
  enum { BLOCKS = 8 };
  struct traced *t = open_row("",
                              "and.b32 %r10, %r1, 1; setp.eq.u32 %p1, %r10, 0; @%p1 ret;\n"
                              "add.s64 %rd10, %rd0, %rd4;",
                              "st.global.u32 [%rd10], %r0;\n", 400, 0, "");
  struct sm slow = plain; /* stores queue up only once L2's credit is spent */
  slow.store_unit = 20;
  traced_launch(t, BLOCKS, 256, traced_buffer(t, NULL, 1 << 20), 0);
  struct replay r;
  assert_true(replay_run(t->kernel.plan, t->result.traces, t->result.trace_count, BLOCKS, false,
                         false, BLOCKS, &slow, &r));
  assert_int_equal(r.blocks, BLOCKS);
  assert_near(r.rate, r.cycles / BLOCKS, 0.1);
  traced_close(t);
}

/* ---- atomic operations ---- */

/* Records of three words, of which a warp stores one after the other: to L2 they are one store; not
 * if a load lies between, nor if they are far apart. */
static void stores_of_a_record_merge(void **state) {
  (void)state;
  static const char record[] =
      "mul.wide.u32 %rd10, %r3, 12; add.s64 %rd10, %rd10, %rd0; cvt.u32.u64 %r11, %rd10;";
  static const char *const words[] = {
      "st.global.u32 [%rd10], %r0;",
      "st.global.u32 [%rd10], %r0; st.global.u32 [%rd10+4], %r0; st.global.u32 [%rd10+8], %r0;",
      "st.global.u32 [%rd10], %r0; ld.global.u32 %r10, [%rd10+4096]; add.s32 %r10, %r10, 1;"
      "st.global.u32 [%rd10+4], %r10;",
      "st.global.u32 [%rd10], %r0; st.global.u32 [%rd10+4096], %r0;"};
  static const double stores[] = {1, 1, 2, 2};
  double busy[LENGTH(words)];
  for (int i = 0; i < LENGTH(words); i++) {
    struct traced *t = open_row("", record, "", 0, 0, words[i]);
    traced_launch(t, 1, 32, traced_buffer(t, NULL, 1 << 16), 0);
    busy[i] = play(t, 1, 1, &plain).busy[BUSY_L2_STORES];
    assert_near(busy[i], busy[0] * stores[i], 0.01);
    traced_close(t);
  }
  assert_true(busy[0] >= 12 * plain.store_unit);
}

/* Longer records are more lines at once: of those of 6 words some merge, of those of 10 none. */
static void few_lines_merge(void **state) {
  (void)state;
  static const int words[] = {2, 6, 10};
  double share[LENGTH(words)]; /* of what is stored, that goes to L2 */
  for (int i = 0; i < LENGTH(words); i++) {
    char before[128];
    snprintf(before, sizeof before, "mul.wide.u32 %%rd10, %%r3, %d; add.s64 %%rd10, %%rd10, %%rd0;",
             4 * words[i]);
    struct traced *t = open_row("", before, "st.global.u32 [%rd10+%d], %r0;\n", words[i], 4, "");
    traced_launch(t, 1, 1024, traced_buffer(t, NULL, 1 << 16), 0);
    share[i] = play(t, 1, 1, &plain).busy[BUSY_L2_STORES] /
               (32.0 * words[i] * fmin(words[i] * 4, 32) * 1.0);
    traced_close(t);
  }
  assert_true(share[0] < 0.7 * share[2] && share[1] < 0.9 * share[2]);
}

/* Sectors that L2 is asked to store, of those that a warp stores. */
static double share_stored(const char *before, const char *body, double sectors) {
  struct traced *t = open_row("", before, "", 0, 0, body);
  traced_launch(t, 1, 32, traced_buffer(t, NULL, 1 << 16), 0);
  double busy = play(t, 1, 1, &plain).busy[BUSY_L2_STORES];
  traced_close(t);
  return busy / (sectors * plain.store_unit);
}

/* Stores of a loop are too far apart; so are those that wait for what they store. Of bytes, fewer
 * merge, and none if they are to many lines. Those to local memory merge like others. */
static void what_lies_between_stores_that_merge(void **state) {
  (void)state;
  static const char pair[] = "mul.wide.u32 %rd10, %r3, 8; add.s64 %rd10, %rd10, %rd0;",
                    byte[] = "mul.wide.u32 %rd10, %r3, 2; add.s64 %rd10, %rd10, %rd0;",
                    far[] = "mul.wide.u32 %rd10, %r3, 16; add.s64 %rd10, %rd10, %rd0;",
                    local[] = ".local .align 4 .b8 l[64]; mov.u64 %rd10, l;",
                    looped[] =
                        "shr.u32 %r12, %r2, 4; mov.u32 %r11, 0; in: st.global.u32 [%rd10], %r0; "
                        "add.s64 %rd10, %rd10, 4; add.s32 %r11, %r11, 1; "
                        "setp.lt.u32 %p1, %r11, %r12; @%p1 bra in;",
                    together[] = "st.global.u32 [%rd10], %r0; st.global.u32 [%rd10+4], %r0;",
                    waiting[] =
                        "st.global.u32 [%rd10], %r0; ld.global.u32 %r11, [%rd10+8192]; "
                        "st.global.u32 [%rd10+4], %r11;",
                    bytes[] = "st.global.u8 [%rd10], %r0; st.global.u8 [%rd10+1], %r0;",
                    locals[] = "st.local.u32 [%rd10], %r0; st.local.u32 [%rd10], %r3;",
                    apart[] = "st.local.u32 [%rd10], %r0; st.local.u32 [%rd10+4], %r3;";
  double one = share_stored(pair, "st.global.u32 [%rd10], %r0;", 8);
  assert_near(share_stored(pair, together, 8), one, 0.01);
  assert_near(share_stored(pair, waiting, 8), 2 * one, 0.01);
  assert_near(share_stored(pair, looped, 8), 2 * one, 0.01);
  one = share_stored(byte, "st.global.u8 [%rd10], %r0;", 2);
  assert_near(share_stored(byte, bytes, 2), 1.2 * one, 0.01);
  one = share_stored(far, "st.global.u8 [%rd10], %r0;", 16);
  assert_near(share_stored(far, bytes, 16), 2 * one, 0.01);
  one = share_stored(local, "st.local.u32 [%rd10], %r0;", 4);
  assert_near(share_stored(local, locals, 4), one, 0.01);
  assert_near(share_stored(local, apart, 4), 2 * one, 0.01);
}

/* Of halves of lines that are requested again, the replay tells after how many others. */
static void distances_of_requests(void **state) {
  (void)state;
  enum { HALVES = 100 };
  struct sm sm = plain;
  sm.l1_lines = 0;
  sm.arrays[0] = (struct sm_array){.lines = UINT32_MAX};
  sm.array_count = 1;
  struct traced *t =
      open_row("", "mov.u32 %r11, 0;\nagain:\n", "ld.global.u32 %r10, [%rd0+%d];\n", HALVES, 64,
               "add.s32 %r11, %r11, 1; setp.lt.u32 %p1, %r11, %r2; @%p1 bra again;");
  traced_launch(t, 1, 32, traced_buffer(t, NULL, 1 << 16), 0);
  static const struct {
    double shortly;
    int class;
  } cases[] = {{10, 13}, {50, 3}, {1, 26}, {200, -1}};
  for (int i = 0; i < LENGTH(cases); i++) {
    sm.l2_shortly = cases[i].shortly;
    struct replay r = play(t, 1, 1, &sm);
    assert_int_equal(r.of[0].first, HALVES);
    assert_int_equal(r.of[0].again % HALVES, 0);
    assert_true(r.of[0].again > 0);
    for (int k = 0; k < REPLAY_DISTANCES; k++)
      assert_int_equal(r.of[0].later[k], k == cases[i].class ? r.of[0].again : 0);
  }
  traced_close(t);
}

/* Of atomic operations, those whose results are used take longer. */
static void results_of_atomics_cost(void **state) {
  (void)state;
  static const char own[] = "mul.wide.u32 %rd10, %r3, 4; add.s64 %rd10, %rd0, %rd10;";
  static const char *const afters[] = {"", "st.global.u32 [%rd10], %r10;"};
  struct sm slow = plain;
  slow.returning_sector = 7;
  for (int used = 0; used < 2; used++) {
    struct traced *t =
        open_row("", own, "atom.global.add.u32 %r10, [%rd10], 3;\n", 1, 0, afters[used]);
    traced_launch(t, 1, 32, traced_buffer(t, NULL, 1 << 16), 0);
    double more =
        play(t, 1, 1, &slow).busy[BUSY_L2_STORES] - play(t, 1, 1, &plain).busy[BUSY_L2_STORES];
    assert_near(more, used ? 4 * (slow.returning_sector - plain.returning_sector) : 0, 1e-9);
    traced_close(t);
  }
}

/* Beside each instruction in double precision fewer others are issued than there are cycles. */
static void double_precision_takes_slots(void **state) {
  (void)state;
  enum { TIMES = 100, WARPS = 32 };
  double busy[2];
  static const char *const pieces[] = {"add.f32 %f2, %f1, %f1;\n", "add.f64 %fd2, %fd1, %fd1;\n"};
  for (int i = 0; i < 2; i++)
    busy[i] = play_row("", pieces[i], TIMES, 0, 32 * WARPS).busy[BUSY_ISSUE];
  assert_near(busy[1] - busy[0], 0.4 * TIMES * WARPS / 4, 0.02);
}

/* Warps of a block are on schedulers in turn; the first ones of blocks are on as many as there are
 * if the number of warps allows it. */
static void first_warps_are_on_schedulers_in_turn(void **state) {
  (void)state;
  enum { TIMES = 200 };
  static const struct {
    int warps, blocks, busiest; /* first warps on one scheduler, at most */
  } cases[] = {{1, 4, 1}, {2, 2, 1}, {2, 4, 2}, {3, 4, 1}, {4, 4, 1},
               {4, 8, 2}, {6, 2, 1}, {6, 4, 2}, {8, 4, 1}, {8, 5, 2}};
  double alone = 0;
  for (int i = 0; i < LENGTH(cases); i++) {
    struct traced *t =
        open_row("", "setp.ge.u32 %p1, %r0, 32; @%p1 bra end; mov.f32 %f1, 0f3f800000;",
                 "add.f32 %f2, %f1, %f1; add.f32 %f3, %f1, %f1; add.f32 %f4, %f1, %f1; "
                 "add.f32 %f5, %f1, %f1;\n",
                 TIMES, 0, "end:");
    traced_launch(t, (unsigned)cases[i].blocks, (unsigned)cases[i].warps * 32,
                  traced_buffer(t, NULL, 1 << 16), 0);
    double cycles = play(t, cases[i].blocks, cases[i].blocks, &plain).cycles;
    if (i == 0) alone = cycles;
    double busiest = cycles / alone;
    if (fabs(busiest - cases[i].busiest) > 0.2)
      fail_msg("%d blocks of %d warps: %g", cases[i].blocks, cases[i].warps, busiest);
    traced_close(t);
  }
}

/* Cycles of what an instruction waits for another: of one row of instructions more than another
 * one's, or of its own (NULL). */
static void results_come_late_to_some(void **state) {
  (void)state;
  enum { TIMES = 200 };
  static const char before[] = "mov.u32 %r10, %r3; mov.u64 %rd10, %rd0; mov.f32 %f1, 0f3f800000;",
                    product[] = "mad.lo.s32 %r10, %r10, %r3, %r1;\n",
                    two[] = "mad.lo.s32 %r10, %r10, %r3, %r1; mad.lo.s32 %r10, %r10, %r3, %r1;\n",
                    integer[] = "mad.lo.s32 %r10, %r10, %r3, %r1; shr.u32 %r10, %r10, %r3;\n",
                    integers[] = "min.s32 %r10, %r10, %r3; shr.u32 %r10, %r10, %r3;\n",
                    chase[] = "ld.global.u64 %rd11, [%rd10]; add.s64 %rd10, %rd10, %rd11;\n",
                    predicate[] = "setp.ge.u32 %p1, %r10, %r3; selp.u32 %r10, %r10, %r1, %p1;\n",
                    under[] = "setp.ge.u32 %p1, %r10, %r3; @%p1 shr.u32 %r10, %r10, %r3;\n";
  static const struct {
    const char *more, *less;
    double cycles;
  } cases[] = {
      {two, product, 4},                                /* cost.c: latency 4 */
      {integer, two, 2},                                /* to the other pipeline, and back */
      {integers, two, 0},       {chase, NULL, 31 + 10}, /* and the upper half of an address */
      {predicate, integers, 0}, {under, integers, 9}};
  for (int i = 0; i < LENGTH(cases); i++) {
    double more = play_row(before, cases[i].more, TIMES, 0, 32).cycles -
                  play_row(before, cases[i].more, TIMES / 2, 0, 32).cycles,
           less = !cases[i].less ? 0
                                 : play_row(before, cases[i].less, TIMES, 0, 32).cycles -
                                       play_row(before, cases[i].less, TIMES / 2, 0, 32).cycles;
    double each = (more - less) / (TIMES / 2);
    if (fabs(each - cases[i].cycles) > 0.1) fail_msg("case %d: %g cycles", i, each);
  }
}

static void atomics_on_one_address_take_turns(void **state) {
  (void)state;
  static const char piece[] = "atom.global.exch.b32 %r10, [%rd10], 1;\n";
  enum { TIMES = 50, WARPS = 8 };
  struct replay one = play_row("mov.u64 %rd10, %rd0;", piece, TIMES, 0, 32 * WARPS),
                own = play_row("mul.wide.u32 %rd10, %r3, 4; add.s64 %rd10, %rd0, %rd10;", piece,
                               TIMES, 0, 32 * WARPS);
  double turns = 32.0 * TIMES * WARPS * plain.atomic_turn;
  assert_true(one.cycles >= turns && one.cycles < 1.2 * turns);
  assert_true(own.cycles < one.cycles / 4);
  assert_true(one.busy[BUSY_ATOMICS] >= turns);
  /* turns[k] are turns at each address: to lie in different places of L2 helps as well */
  struct replay apart =
      play_row("shl.b64 %rd10, %rd4, 7; add.s64 %rd10, %rd0, %rd10;", piece, TIMES, 0, 32 * WARPS);
  assert_true(apart.busy[BUSY_ATOMICS] < own.busy[BUSY_ATOMICS] * 9);
}

/* What L2 is busy with by TIMES requests of a warp, lane i at this offset of an array. */
static double busy_with(const char *op, const char *offset, int times, const struct sm *sm) {
  char address[256];
  snprintf(address, sizeof address,
           "%s mul.wide.u32 %%rd10, %%r10, 4; add.s64 %%rd10, %%rd0, %%rd10;", offset);
  struct traced *t = open_row("", address, op, times, 0, "");
  traced_launch(t, 1, 32, traced_buffer(t, NULL, 1 << 20), 0);
  double busy = play(t, 1, 1, sm).busy[BUSY_ATOMICS];
  traced_close(t);
  return busy;
}

/* Of the sectors of a request those after the first take as long as the description says, and so
 * does each of which no word is left out; such a one of doubles takes that twice. */
static void some_sectors_of_an_atomic_cost_less(void **state) {
  (void)state;
  enum { TIMES = 50 };
  struct sm cheap = plain;
  cheap.atomic_next = 1;
  cheap.atomic_sum = 1e-3;
  static const char of_lane[] = "and.b32 %r10, %r3, 31;", of_two[] = "shr.u32 %r10, %r3, 1;",
                    apart[] = "shl.b32 %r10, %r3, 1;", doubles[] = "shl.b32 %r10, %r3, 1;",
                    exch[] = "atom.global.exch.b32 %r11, [%rd10], 1;\n",
                    add[] = "red.global.add.f64 [%rd10], %fd1;\n";
  double turn = plain.atomic_turn;
  assert_near(busy_with(exch, of_lane, TIMES, &plain), TIMES * 4 * turn, 1e-9);
  assert_near(busy_with(exch, of_lane, TIMES, &cheap), TIMES * 4, 1e-9);
  assert_near(busy_with(exch, of_two, TIMES, &cheap), TIMES * 4, 1e-9);
  assert_near(busy_with(exch, apart, TIMES, &cheap), TIMES * (2 * turn + 6), 1e-9);
  assert_near(busy_with(add, doubles, TIMES, &cheap), TIMES * 16, 1e-9);
}

/* Sums of floating-point numbers follow one another more slowly than other atomics, at a word;
 * where each lane has its own, the words of a row do so together. */
static void a_sum_waits_for_the_last_one(void **state) {
  (void)state;
  enum { TIMES = 50 };
  static const char one[] = "shr.u32 %r10, %r3, 5;", row[] = "and.b32 %r10, %r3, 31;",
                    single[] = "red.global.add.f32 [%rd10], %f1;\n",
                    whole[] = "red.global.add.u32 [%rd10], 1;\n";
  struct sm sm = plain;
  sm.atomic_sum = 10 * plain.atomic_turn;
  assert_near(busy_with(single, one, TIMES, &sm), TIMES * 32 * sm.atomic_sum, 1e-9);
  assert_near(busy_with(single, row, TIMES, &sm), TIMES * sm.atomic_sum, 1e-9);
  assert_near(busy_with(whole, row, TIMES, &sm), TIMES * 4 * plain.atomic_turn, 1e-9);
}

/* Behind a request that waits for the last sum at its line all others of its place wait: of two
 * lines there in turns, each second one does. */
static void sums_hold_their_place(void **state) {
  (void)state;
  enum { TIMES = 200 };
  static const char row[] = "and.b32 %r10, %r3, 31;",
                    here[] =
                        "red.global.add.f32 [%rd10], %f1; "
                        "red.global.add.f32 [%rd10+128], %f1;\n",
                    elsewhere[] =
                        "red.global.add.f32 [%rd10], %f1; "
                        "red.global.add.f32 [%rd10+256], %f1;\n";
  struct sm sm = plain;
  sm.atomic_sum = 10 * plain.atomic_turn;
  assert_near(busy_with(elsewhere, row, TIMES, &sm), TIMES * sm.atomic_sum, 1e-9);
  assert_near(busy_with(here, row, TIMES, &sm), TIMES * 2 * (4 + 6 * 0.5) * plain.atomic_turn,
              0.02);
}

/* Additions of floats in shared memory are loops: lanes of a block at one word take turns, also
 * those of different warps; their warps wait. */
static void loops_on_one_word_take_turns(void **state) {
  (void)state;
  enum { TIMES = 10 };
  static const char piece[] = "red.shared.add.f32 [%rd10], %f1;\n",
                    *const words[] = {"mov.u64 %rd10, s;", /* one; one of each warp; of each lane */
                                      "shr.u32 %r10, %r3, 5; mul.wide.u32 %rd10, %r10, 4; "
                                      "mov.u64 %rd11, s; add.s64 %rd10, %rd11, %rd10;",
                                      "mul.wide.u32 %rd10, %r3, 4; "
                                      "mov.u64 %rd11, s; add.s64 %rd10, %rd11, %rd10;"};
  struct sm sm = plain;
  sm.shared_loop = 2;
  sm.shared_loop_latency = 100;
  for (int i = 0; i < LENGTH(words); i++)
    for (int warps = 1; warps <= 4; warps *= 4) {
      struct traced *t =
          open_row(".shared .align 16 .b8 s[4096];\n", words[i], piece, TIMES, 0, "");
      traced_launch(t, 1, 32 * (unsigned)warps, traced_buffer(t, NULL, 1 << 20), 0);
      double lanes = i == 0 ? 32 * warps : i == 1 ? 32 : 1;
      assert_near(play(t, 1, 1, &sm).cycles, TIMES * lanes * sm.shared_loop_latency, 0.1);
      traced_close(t);
    }
}

/* Lanes of a bank get through one by one, and those that are left try again. */
static void loops_on_words_of_a_bank(void **state) {
  (void)state;
  enum { TIMES = 50 };
  static const char piece[] = "red.shared.add.f32 [%rd10], %f1;\n";
  struct sm sm = plain;
  sm.shared_loop = 20;
  sm.shared_loop_latency = 1;
  for (int apart = 1; apart <= 8; apart *= 2) { /* words: so many lanes are in a bank */
    char before[128];
    snprintf(before, sizeof before,
             "mul.wide.u32 %%rd10, %%r3, %d; mov.u64 %%rd11, s; add.s64 %%rd10, %%rd11, %%rd10;",
             4 * apart);
    struct traced *t = open_row(".shared .align 16 .b8 s[4096];\n", before, piece, TIMES, 0, "");
    traced_launch(t, 1, 32, traced_buffer(t, NULL, 1 << 20), 0);
    assert_near(play(t, 1, 1, &sm).busy[BUSY_SHARED],
                TIMES * apart * (apart + 1) / 2 * sm.shared_loop, 1e-9);
    traced_close(t);
  }
}

/* An atomic operation at the end does not make the launch one that waits for them. */
static void atomics_are_busy_while_they_work(void **state) {
  (void)state;
  struct replay late = play_row("mov.u64 %rd10, %rd0; mov.f32 %f1, 0f3f800000;",
                                "fma.rn.f32 %f1, %f1, %f1, %f1;\n", 400, 0, 32),
                both = play_row(
                    "mov.u64 %rd10, %rd0; mov.f32 %f1, 0f3f800000; "
                    "atom.global.exch.b32 %r10, [%rd10], 1;",
                    "fma.rn.f32 %f1, %f1, %f1, %f1;\n", 400, 0, 32);
  assert_true(late.busy[BUSY_ATOMICS] == 0);
  assert_near(both.busy[BUSY_ATOMICS], 32 * plain.atomic_turn, 1e-9);
}

/* Of each KiB the first and the third quarter are one place, the second and the fourth another. */
static void atomics_take_turns_in_two_places_of_a_kib(void **state) {
  (void)state;
  enum { TIMES = 50, WARPS = 8 };
  static const char piece[] = "red.global.or.b32 [%%rd10], 1; red.global.or.b32 [%%rd10+%d], 1;\n";
  double cycles[5];
  for (int quarter = 0; quarter <= 4; quarter++) {
    char text[sizeof piece + 8];
    snprintf(text, sizeof text, piece, quarter * 256);
    cycles[quarter] = play_row("mov.u64 %rd10, %rd0;", text, TIMES, 0, 32 * WARPS).cycles;
  }
  assert_near(cycles[2], cycles[0], 0.02);
  assert_near(cycles[3], cycles[1], 0.02);
  assert_near(cycles[4], cycles[1], 0.02);
  assert_true(cycles[1] < 0.6 * cycles[0]);
}

/* Warps that go through places one after the other, of which every SM is elsewhere, wait for none
 * longer than for the busiest of them. Many places share slices of L2. */
static void a_sweep_keeps_all_places_busy(void **state) {
  (void)state;
  enum { PLACES = 8, MANY = 256, WARPS = 8 };
  struct sm sm = plain;
  sm.atomic_turn = sm.atomic_next = 300; /* of all SMs */
  sm.atomic_part = 1;
  static const char before[] =
      "and.b32 %r10, %r3, 31; mul.wide.u32 %rd10, %r10, 4; "
      "add.s64 %rd10, %rd0, %rd10;";
  double cycles[2], busy[2];
  for (int i = 0; i < 2; i++) {
    int places = i ? MANY : PLACES; /* two of each KiB */
    struct traced *t =
        open_row("", before, "red.global.or.b32 [%rd10+%d], 1;\n", places / 2, 1024, "");
    traced_launch(t, 1, 32 * WARPS, traced_buffer(t, NULL, 1 << 20), 0);
    struct replay r = play(t, 1, 1, &sm);
    cycles[i] = r.cycles, busy[i] = r.busy[BUSY_ATOMICS];
    traced_close(t);
  }
  double one = WARPS * 4 * sm.atomic_turn;
  assert_near(busy[0], one, 1e-9);
  assert_near(cycles[0], one, 0.2);
  assert_true(busy[1] > 1.3 * one && busy[1] < 8 * one && cycles[1] < 1.2 * busy[1]);
}

/* Blocks have what they have in common in the same place, whichever trace they are replayed from.
 */
static void blocks_meet_in_places(void **state) {
  (void)state;
  enum { TIMES = 50, BLOCKS = 6 };
  struct traced *t =
      open_row("", "mov.u64 %rd10, %rd0;", "red.global.or.b32 [%rd10], 1;\n", TIMES, 0, "");
  traced_launch(t, 1, 32, traced_buffer(t, NULL, 1 << 20), 0);
  for (int common = 0; common < 2; common++) {
    struct sm sm = plain;
    sm.atomic_part = common;
    double turns = TIMES * sm.atomic_turn * (common ? BLOCKS : 1);
    double busy = play(t, BLOCKS, 1, &sm).busy[BUSY_ATOMICS];
    if (fabs(busy / turns - 1) > 0.01) fail_msg("common %d: %g, not %g", common, busy, turns);
  }
  traced_close(t);
}

/* ---- random kernels ---- */

#if defined __SANITIZE_ADDRESS__
enum { KERNELS = 30, BYTES = 1 << 16 };
#else
enum { KERNELS = 100, BYTES = 1 << 16 };
#endif

struct writer {
  struct sim_random random;
  char text[1 << 16];
  size_t length;
  int labels, depth;
};

static void __attribute__((format(printf, 2, 3))) put(struct writer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int more = vsnprintf(w->text + w->length, sizeof w->text - w->length, format, args);
  va_end(args);
  assert_true(more >= 0 && (size_t)more < sizeof w->text - w->length);
  w->length += (size_t)more;
}

static unsigned below(struct writer *w, unsigned limit) { return sim_below(&w->random, limit); }

/* %rd10 is an address in global, %rd11 in shared, %rd12 in local memory, of a word that depends on
 * a variable %r10..%r15. */
static void put_access(struct writer *w) {
  static const struct {
    const char *space, *base;
    int words;
  } spaces[] = {{"global", "%rd0", BYTES / 4}, {"shared", "%rd20", 1024}, {"local", "%rd21", 16}};
  static const char *const atomics[] = {"add.u32", "or.b32", "min.u32", "exch.b32"};
  unsigned kind = below(w, 8);
  int space = (int)below(w, 3), from = 10 + (int)below(w, 6), to = 10 + (int)below(w, 6);
  put(w, "and.b32 %%r20, %%r%d, %d; mul.wide.u32 %%rd10, %%r20, 4; add.s64 %%rd10, %%rd10, %s;\n",
      from, spaces[space].words - 4, spaces[space].base);
  if (kind == 0 && space != 2)
    put(w, "atom.%s.%s %%r%d, [%%rd10], %%r%d;\n", spaces[space].space, atomics[below(w, 4)], to,
        from);
  else if (kind < 4)
    put(w, "st.%s.u32 [%%rd10], %%r%d;\n", spaces[space].space, to);
  else
    put(w, "ld.%s.u32 %%r%d, [%%rd10];\n", spaces[space].space, to);
}

static void put_statements(struct writer *w) {
  static const char *const operations[] = {"add.s32", "xor.b32", "mul.lo.s32", "min.u32",
                                           "div.u32"};
  w->depth++;
  for (int count = 1 + (int)below(w, 5); count > 0; count--) {
    unsigned kind = below(w, 12);
    int a = 10 + (int)below(w, 6), b = 10 + (int)below(w, 6), label = w->labels++, p = w->depth;
    if (kind < 4) {
      put(w, "%s %%r%d, %%r%d, %%r%d;\n", operations[below(w, 5)], a, b, 10 + (int)below(w, 6));
    } else if (kind < 8 || w->depth > 4) {
      put_access(w);
    } else if (kind < 10) { /* an if, maybe with an else */
      put(w, "and.b32 %%r20, %%r%d, %d; setp.eq.u32 %%p%d, %%r20, 1; @%%p%d bra E%d;\n", a,
          1 << below(w, 4) | 1, p, p, label);
      put_statements(w);
      put(w, "bra J%d; E%d:\n", label, label);
      if (below(w, 2)) put_statements(w);
      put(w, "J%d:\n", label);
    } else if (kind == 10) { /* a loop: as often as a variable says, or all alike */
      int counter = 30 + p;
      if (below(w, 2))
        put(w, "and.b32 %%r%d, %%r%d, 7;\n", counter, a);
      else
        put(w, "mov.u32 %%r%d, %u;\n", counter, below(w, (80u >> 2 * p) + 2));
      put(w, "L%d:\n", label);
      put_statements(w);
      put(w, "sub.s32 %%r%d, %%r%d, 1; setp.gt.s32 %%p%d, %%r%d, 0; @%%p%d bra L%d;\n", counter,
          counter, p, counter, p, label);
    } else if (w->depth == 1) {
      put(w, below(w, 2) ? "bar.sync 0;\n" : "shfl.sync.bfly.b32 %%r%d, %%r%d, 5, 31, -1;\n", a, b);
    } else if (below(w, 4) == 0) {
      put(w, "setp.eq.u32 %%p%d, %%r%d, %%r0; @%%p%d exit;\n", p, a, p);
    }
  }
  w->depth--;
}

static void write_kernel(struct writer *w, uint64_t seed) {
  w->random.state = seed;
  w->length = 0;
  w->labels = w->depth = 0;
  put(w, "%s.shared .align 16 .b8 s[4096];\n%s.local .align 4 .b8 mine[64];\n", SIM_HEADER,
      SIM_ENTRY("k"));
  put(w,
      "mov.u64 %%rd20, s; mov.u64 %%rd21, mine; mov.u32 %%r10, %%r0; mov.u32 %%r11, %%r3;\n"
      "mov.u32 %%r12, %%r4; mov.u32 %%r13, 1; mul.lo.s32 %%r14, %%r3, 40503; shr.u32 %%r15, %%r0, "
      "5;\n");
  for (int i = 0; i < 3; i++) put_statements(w);
  put(w, "ret;\n}\n");
}

/* Inputs come before what needs them, and each operation once. */
static void check_plan(const struct plan_block *block) {
  bool done[4096] = {false};
  assert_in_range(block->count, 0, LENGTH(done));
  for (int i = 0; i < block->count; i++) {
    int which = block->order[i];
    assert_in_range(which, 0, block->count - 1);
    assert_false(done[which]);
    done[which] = true;
    for (int k = 0; k < block->ops[which].input_count; k++)
      if (block->ops[which].inputs[k] >= 0) assert_true(done[block->ops[which].inputs[k]]);
  }
  if (block->longer) check_plan(block->longer);
}

static void random_kernels_come_to_their_end(void **state) {
  (void)state;
  static struct writer w;
  static const unsigned sizes[] = {32, 1, 96, 48, 256};
  int cut = 0, long_ones = 0;
  for (uint64_t seed = 0; seed < KERNELS; seed++) {
    write_kernel(&w, seed);
    struct traced *t = traced_open(w.text);
    struct sm sm = plain;
    sm.l1_lines = (int)(seed % 3 * 160);
    sm.arrays[0] = (struct sm_array){0, UINT32_MAX, seed % 4 / 4.0, seed % 5 / 4.0};
    sm.array_count = 1;
    sm.dram_queue = seed % 2 * 50;
    sm.block_interval = seed % 7 * 10;
    t->room = seed % 3 == 1 ? 200 + (uint32_t)seed * 10 : ENOUGH_ROOM;
    for (int i = 0; i < t->kernel.plan->block_count; i++) check_plan(&t->kernel.plan->blocks[i]);
    unsigned blocks = 1 + (unsigned)(seed % 5);
    traced_launch(t, blocks, sizes[seed % LENGTH(sizes)], traced_buffer(t, NULL, BYTES), 0);
    uint64_t instructions = 0;
    for (int b = 0; b < t->result.trace_count; b++)
      for (int i = 0; i < t->result.traces[b].warp_count; i++) {
        instructions += t->result.traces[b].warps[i].sums.instructions;
        cut += t->result.traces[b].warps[i].every > 1;
      }
    for (int resident = 1; resident <= 4; resident += 3) {
      struct replay r = play(t, 2 * (int)blocks, resident, &sm),
                    again = play(t, 2 * (int)blocks, resident, &sm);
      assert_memory_equal(&r, &again, sizeof r);
      if (!isfinite(r.cycles) || (r.cycles <= 0 && instructions) ||
          r.instructions != 2 * instructions)
        fail_msg("kernel %d: %g cycles", (int)seed, r.cycles);
      for (int b = 0; b < BUSIES; b++) /* no unit does more than it can */
        if (!(r.busy[b] >= 0 &&
              (b == BUSY_DRAM || b == BUSY_SHARED || b == BUSY_L1 || r.busy[b] <= r.cycles + 1200)))
          fail_msg("kernel %d: %g of unit %d in %g cycles", (int)seed, r.busy[b], b, r.cycles);
      assert_true(r.rate >= 0 && r.rate <= r.cycles && r.missed <= r.requested &&
                  r.random <= r.missed);
      long_ones += r.cycles > 10000;
    }
    traced_close(t);
  }
  print_message("%d warps were cut, %d replays took long\n", cut, long_ones);
  assert_true(cut > 10 && long_ones > 10);
}

/* ---- replays while the launch runs ---- */

/* Each block adds up words of an array larger than L2, so that there is a replay without DRAM and
 * one with it; those of block number 1 of each two do four times as many. */
static struct traced *open_uneven(unsigned blocks) {
  static const char pieces[] =
      "and.b32 %r10, %r1, 1; mul.lo.u32 %r10, %r10, 60; add.u32 %r10, %r10, 20;\n"
      "shl.b32 %r11, %r1, 14; add.u32 %r11, %r11, %r0; mul.wide.u32 %rd10, %r11, 4;\n"
      "add.s64 %rd10, %rd0, %rd10;\n"
      "again: ld.global.u32 %r12, [%rd10]; add.s64 %rd10, %rd10, 128; sub.u32 %r10, %r10, 1;\n"
      "setp.ne.u32 %p1, %r10, 0; @%p1 bra again; st.global.u32 [%rd10], %r12; ret;\n}\n";
  static char text[4096];
  snprintf(text, sizeof text, "%s%s%s", SIM_HEADER, SIM_ENTRY("k"), pieces);
  struct traced *t = traced_open(text);
  traced_launch(t, blocks, 32, traced_buffer(t, NULL, (size_t)(blocks + 1) << 16), 0);
  return t;
}

static struct model_time time_after(const struct traced *t, int foreseen_from, int foreseen,
                                    struct model_replays *replays) {
  struct model_launch launch = {&t->gpu, t->kernel.plan, (uint64_t)t->result.trace_count, 8, 0};
  struct model_time time;
  replays->count = 0;
  if (foreseen) model_foresee(&launch, t->result.traces + foreseen_from, foreseen, replays);
  assert_true(model_time(&launch, t->result.traces, t->result.trace_count, &t->result.counters,
                         replays, &time));
  return time;
}

static void what_was_foreseen_changes_no_time(void **state) {
  (void)state;
  enum { BLOCKS = 1056 };
  struct traced *t = open_uneven(BLOCKS);
  struct model_replays none, some;
  struct model_time without = time_after(t, 0, 0, &none);
  assert_int_equal(none.count, 2);
  static const int cases[][2] = {{0, BLOCKS}, {0, 1}, {1, BLOCKS - 1}, {2, BLOCKS - 2}, {200, 400}};
  for (int i = 0; i < LENGTH(cases); i++) {
    struct model_time with = time_after(t, cases[i][0], cases[i][1], &some);
    assert_true(with.ns == without.ns);
    assert_string_equal(with.bound, without.bound);
  }
  traced_close(t);
}

/* Of all blocks, what was foreseen is what is asked for afterwards: a replay that is tampered with
 * shows in the time. */
static void what_was_foreseen_is_not_replayed_again(void **state) {
  (void)state;
  struct traced *t = open_uneven(1056);
  struct model_launch launch = {&t->gpu, t->kernel.plan, (uint64_t)t->result.trace_count, 8, 0};
  struct model_replays replays = {.count = 0};
  struct model_time before, after;
  model_foresee(&launch, t->result.traces, t->result.trace_count, &replays);
  assert_int_equal(replays.count, 2);
  assert_true(model_time(&launch, t->result.traces, t->result.trace_count, &t->result.counters,
                         &replays, &before));
  replays.made[1].result.cycles *= 1000;
  assert_true(model_time(&launch, t->result.traces, t->result.trace_count, &t->result.counters,
                         &replays, &after));
  assert_true(after.ns > 10 * before.ns);
  traced_close(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_of_a_chain_takes_the_latency),
      cmocka_unit_test(halves_of_lines_come_from_dram_once),
      cmocka_unit_test(latency_of_dram_differs_by_line),
      cmocka_unit_test(dram_writes_meanwhile),
      cmocka_unit_test(shares_are_made_up_for),
      cmocka_unit_test(accesses_of_no_lane_take_a_cycle),
      cmocka_unit_test(idle_blocks_do_not_tell_the_rate),
      cmocka_unit_test(some_sectors_of_an_atomic_cost_less),
      cmocka_unit_test(a_sum_waits_for_the_last_one),
      cmocka_unit_test(sums_hold_their_place),
      cmocka_unit_test(loops_on_one_word_take_turns),
      cmocka_unit_test(volatile_loads_come_from_l2),
      cmocka_unit_test(shared_loads_take_their_latency),
      cmocka_unit_test(loads_that_wait_for_nothing_overlap),
      cmocka_unit_test(the_way_to_l2_is_a_bound_too),
      cmocka_unit_test(residents_hide_latency),
      cmocka_unit_test(units_at_their_rates),
      cmocka_unit_test(additions_take_either_unit),
      cmocka_unit_test(products_and_floats_side_by_side),
      cmocka_unit_test(quotients_by_their_values),
      cmocka_unit_test(quotients_by_their_operands),
      cmocka_unit_test(functions_by_their_values),
      cmocka_unit_test(sine_and_cosine_of_one_angle),
      cmocka_unit_test(branches_of_a_quotient_hold_its_warp),
      cmocka_unit_test(long_code_is_fetched),
      cmocka_unit_test(code_of_one_turn),
      cmocka_unit_test(bank_conflicts),
      cmocka_unit_test(stores_of_parts),
      cmocka_unit_test(missing_lines_hold_l1),
      cmocka_unit_test(stores_overtake_loads),
      cmocka_unit_test(atomics_drop_lines),
      cmocka_unit_test(stores_drain),
      cmocka_unit_test(stores_of_a_record_merge),
      cmocka_unit_test(few_lines_merge),
      cmocka_unit_test(what_lies_between_stores_that_merge),
      cmocka_unit_test(distances_of_requests),
      cmocka_unit_test(results_of_atomics_cost),
      cmocka_unit_test(double_precision_takes_slots),
      cmocka_unit_test(more_work_takes_longer),
      cmocka_unit_test(warps_wait_at_barriers),
      cmocka_unit_test(a_barrier_costs_what_it_says),
      cmocka_unit_test(ended_warps_hold_nobody),
      cmocka_unit_test(blocks_come_in_waves),
      cmocka_unit_test(empty_blocks_start_one_by_one),
      cmocka_unit_test(unrolled_loops_overlap_their_loads),
      cmocka_unit_test(only_real_branches_cost),
      cmocka_unit_test(results_come_late_to_some),
      cmocka_unit_test(first_warps_are_on_schedulers_in_turn),
      cmocka_unit_test(atomics_on_one_address_take_turns),
      cmocka_unit_test(atomics_take_turns_in_two_places_of_a_kib),
      cmocka_unit_test(atomics_are_busy_while_they_work),
      cmocka_unit_test(a_sweep_keeps_all_places_busy),
      cmocka_unit_test(blocks_meet_in_places),
      cmocka_unit_test(loops_on_words_of_a_bank),
      cmocka_unit_test(random_kernels_come_to_their_end),
      cmocka_unit_test(what_was_foreseen_changes_no_time),
      cmocka_unit_test(what_was_foreseen_is_not_replayed_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
