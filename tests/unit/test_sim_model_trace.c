/* test_sim_model_trace.c: the words that a trace has of a warp (trace.h): for each kind of access
 * its lines, sectors and cycles, worked out by hand; which basic blocks; where a trace ends. The
 * same for 1, 2 and 5 threads. */
#include "tests/unit/sim_traced.h"

/* ---- one access ---- */

typedef long offset_function(
    int lane); /* bytes from the array's start; < 0: the lane does nothing */

#define OFFSET(name, expression) \
  static long name(int lane) {   \
    (void)lane;                  \
    return (long)(expression);   \
  }
OFFSET(uniform, 64)
OFFSET(unit1, lane)
OFFSET(unit2, lane * 2)
OFFSET(unit4, lane * 4)
OFFSET(unit8, lane * 8)
OFFSET(unit16, lane * 16)
OFFSET(shifted16, lane * 4 + 16)
OFFSET(stride2, lane * 8)
OFFSET(stride8, lane * 32)
OFFSET(stride32, lane * 128)
OFFSET(stride33, lane * 132)
OFFSET(bits_reversed,
       ((lane & 1) << 4 | (lane & 2) << 2 | (lane & 4) | (lane & 8) >> 2 | lane >> 4) * 65536)
OFFSET(wide_stride2, lane * 16)
OFFSET(pairs, lane / 2 * 4)
OFFSET(first17, lane < 17 ? lane * 4 : -128 * lane)
OFFSET(half8, lane < 16 ? lane * 8 : -1)
OFFSET(halves_alike, lane % 16 * 128)
OFFSET(halves_beside, lane % 16 * 128 + lane / 16 * 8)
OFFSET(quarters_alike, lane % 8 * 128)
OFFSET(quarters_beside, lane % 8 * 128 + lane / 8 * 16)
OFFSET(none, -1)
OFFSET(scattered, lane *lane * 37 % 251 * 8192)
OFFSET(scattered_in_256_kib, lane *lane * 37 % 251 * 1024)
OFFSET(columns_of_16, lane % 16 * 1024 + lane / 16 * 4)
OFFSET(rows_of_4, lane / 4 * 1024 + lane % 4 * 4)
OFFSET(scattered_near, lane * 37 % 32 * 24)
OFFSET(one_lane, lane == 5 ? 512 : -1)

struct known_access {
  const char *name, *op;
  offset_function *offset;
  enum trace_kind kind;
  int lines;
  int cycles, most_cycles; /* most_cycles: where not exactly `cycles`, those at most */
  int missing;
  uint32_t sectors; /* of the first line */
};

/* clang-format off */
static const struct known_access known[] = {
    /* 32 banks of 4 bytes a cycle; distinct words of one bank take turns */
    {"a row", "ld.global.u32", unit4, TRACE_GLOBAL_LOAD, 1, 1, 0, 0, 15},
    {"one word for all", "ld.global.u32", uniform, TRACE_GLOBAL_LOAD, 1, 1, 0, 0, 4},
    {"one word for two", "ld.global.u32", pairs, TRACE_GLOBAL_LOAD, 1, 1, 0, 0, 3},
    {"bytes", "ld.global.u8", unit1, TRACE_GLOBAL_LOAD, 1, 1, 0, 0, 1},
    {"halves", "ld.global.u16", unit2, TRACE_GLOBAL_LOAD, 1, 1, 0, 0, 3},
    {"a row across two lines", "ld.global.u32", shifted16, TRACE_GLOBAL_LOAD, 2, 1, 0, 0, 15},
    {"every second word", "ld.global.u32", stride2, TRACE_GLOBAL_LOAD, 2, 2, 0, 0, 15},
    {"every eighth word", "ld.global.u32", stride8, TRACE_GLOBAL_LOAD, 8, 8, 0, 0, 15},
    {"every 32nd word", "ld.global.u32", stride32, TRACE_GLOBAL_LOAD, 32, 32, 0, 0, 1},
    /* no two in a bank, but 32 lines to be looked up, some four a cycle */
    {"every 33rd word", "ld.global.u32", stride33, TRACE_GLOBAL_LOAD, 32, 8, 16, 0, 1},
    /* half warps take turns: of 8 bytes lanes at one place, too */
    {"one 8-byte value for all", "ld.global.u64", uniform, TRACE_GLOBAL_LOAD, 1, 2, 0, 0, 4},
    {"halves at the same lines", "ld.global.u64", halves_alike, TRACE_GLOBAL_LOAD, 16, 32, 0, 0, 1},
    {"halves side by side", "ld.global.u64", halves_beside, TRACE_GLOBAL_LOAD, 16, 32, 0, 0, 1},
    {"quarters at the same lines", "ld.global.v4.u32", quarters_alike, TRACE_GLOBAL_LOAD, 8, 16, 0,
     0, 1},
    {"quarters side by side", "ld.global.v4.u32", quarters_beside, TRACE_GLOBAL_LOAD, 8, 16, 0, 0,
     3},
    {"8-byte lanes", "ld.global.u64", unit8, TRACE_GLOBAL_LOAD, 2, 2, 0, 0, 15},
    {"8-byte lanes of a half warp", "ld.global.u64", half8, TRACE_GLOBAL_LOAD, 1, 1, 0, 0, 15},
    {"two floats a lane", "ld.global.v2.u32", unit8, TRACE_GLOBAL_LOAD, 2, 2, 0, 0, 15},
    {"every second double", "ld.global.u64", wide_stride2, TRACE_GLOBAL_LOAD, 4, 4, 0, 0, 15},
    {"16-byte lanes", "ld.global.v4.u32", unit16, TRACE_GLOBAL_LOAD, 4, 4, 0, 0, 15},
    {"one 16-byte value for all", "ld.global.v4.u32", uniform, TRACE_GLOBAL_LOAD, 1, 2, 0, 0, 4},
    {"17 lanes", "ld.global.u32", first17, TRACE_GLOBAL_LOAD, 1, 1, 0, 0, 7},
    {"one lane", "ld.global.u32", one_lane, TRACE_GLOBAL_LOAD, 1, 1, 0, 0, 1},
    {"through a generic address", "ld.u32", unit4, TRACE_GLOBAL_LOAD, 1, 1, 0, 0, 15},
    {"no lane", "ld.global.u32", none, TRACE_NOTHING, 0, 0, 0, 0, 0},
    /* words that a line leaves out of the sector that gets fewest */
    {"a row stored", "st.global.u32", unit4, TRACE_GLOBAL_STORE, 1, 1, 0, 0, 15},
    {"float4 stored", "st.global.v4.u32", unit16, TRACE_GLOBAL_STORE, 4, 4, 0, 0, 15},
    {"bytes stored", "st.global.u8", unit1, TRACE_GLOBAL_STORE, 1, 1, 0, 0, 1},
    {"17 lanes stored", "st.global.u32", first17, TRACE_GLOBAL_STORE, 1, 1, 0, 7, 7},
    {"a row across two lines stored", "st.global.u32", shifted16, TRACE_GLOBAL_STORE, 2, 2, 0, 8,
     15},
    {"every second word stored", "st.global.u32", stride2, TRACE_GLOBAL_STORE, 2, 2, 0, 8, 15},
    {"every 32nd word stored", "st.global.u32", stride32, TRACE_GLOBAL_STORE, 32, 32, 0, 224, 1},
    {"every eighth word stored", "st.global.u32", stride8, TRACE_GLOBAL_STORE, 8, 8, 0, 56, 15},
    {"one word stored by all", "st.global.u32", uniform, TRACE_GLOBAL_STORE, 1, 1, 0, 7, 4},
    {"no lane stores", "st.global.u32", none, TRACE_NOTHING, 0, 0, 0, 0, 0},
    /* operations one after the other: the most lanes at one address, of each sector */
    {"atomics on a row", "red.global.or.b32", unit4, TRACE_GLOBAL_ATOMIC, 1, 4, 0, 0, 15},
    {"atomics on a row of 8 bytes each", "red.global.max.u64", unit8, TRACE_GLOBAL_ATOMIC, 2, 8, 0,
     0, 15},
    {"atomics on one word", "red.global.or.b32", uniform, TRACE_GLOBAL_ATOMIC, 1, 32, 0, 0, 4},
    {"two on each of 16 words", "red.global.or.b32", pairs, TRACE_GLOBAL_ATOMIC, 1, 4, 0, 0, 3},
    {"adding to each of 16 words", "red.global.add.u32", pairs, TRACE_GLOBAL_ATOMIC, 1, 4, 0, 0, 3},
    {"adding to one word", "red.global.add.u32", uniform, TRACE_GLOBAL_ATOMIC, 1, 32, 0, 0, 4},
    {"atomics on 32 lines", "red.global.or.b32", stride32, TRACE_GLOBAL_ATOMIC, 32, 32, 0, 0, 1},
    {"adding floats to one word", "red.global.add.f32", uniform, TRACE_GLOBAL_ATOMIC, 1, 32, 0, 0,
     4},
    /* wavefronts */
    {"shared: a row", "ld.shared.u32", unit4, TRACE_SHARED, 0, 1, 0, 0, 0},
    {"shared: one word", "ld.shared.u32", uniform, TRACE_SHARED, 0, 1, 0, 0, 0},
    {"shared: every second word", "ld.shared.u32", stride2, TRACE_SHARED, 0, 2, 0, 0, 0},
    {"shared: every 32nd word", "ld.shared.u32", stride32, TRACE_SHARED, 0, 32, 0, 0, 0},
    {"shared: every 33rd word", "ld.shared.u32", stride33, TRACE_SHARED, 0, 1, 0, 0, 0},
    {"shared: 16-byte lanes", "ld.shared.v4.u32", unit16, TRACE_SHARED, 0, 4, 0, 0, 0},
    {"shared: every 32nd word stored", "st.shared.u32", stride32, TRACE_SHARED, 0, 32, 0, 0, 0},
    {"shared: 8-byte lanes stored", "st.shared.u64", unit8, TRACE_SHARED, 0, 2, 0, 0, 0},
    {"shared: atomics on a row", "red.shared.or.b32", unit4, TRACE_SHARED, 0, 1, 0, 0, 0},
    {"shared: atomics in one bank", "red.shared.or.b32", stride32, TRACE_SHARED, 0, 32, 0, 0, 0},
    {"shared: no lane", "ld.shared.u32", none, TRACE_NOTHING, 0, 0, 0, 0, 0},
    /* word k of all lanes is a line, 8 lanes a sector */
    {"local: one word each", "ld.local.u32", uniform, TRACE_LOCAL, 1, 1, 0, 0, 15},
    {"local: 17 lanes", "ld.local.u32", first17, TRACE_LOCAL, 17, 17, 0, 0, 1},
    {"local: a word of its own each", "st.local.u32", unit4, TRACE_LOCAL, 32, 32, 0, 224, 1},
    {"local: two lanes a word", "ld.local.u32", pairs, TRACE_LOCAL, 16, 16, 0, 0, 1},
    {"local: 16 bytes each", "st.local.v4.u32", uniform, TRACE_LOCAL, 4, 4, 0, 0, 15},
    {"local: 8 bytes each", "ld.local.u64", uniform, TRACE_LOCAL, 2, 2, 0, 0, 15},
    /* words, one after the other */
    {"constant: one word", "ld.const.u32", uniform, TRACE_CONSTANT, 0, 1, 0, 0, 0},
    {"constant: a row", "ld.const.u32", unit4, TRACE_CONSTANT, 0, 32, 0, 0, 0},
    {"constant: two lanes a word", "ld.const.u32", pairs, TRACE_CONSTANT, 0, 16, 0, 0, 0},
};
/* clang-format on */

enum { BYTES = 1 << 22 };

/* Lane i reads its offset (access 0) and whether it goes on, and then does `op` (access 1), at
 * %rd6, which is added to it unless it has operands. */
static struct traced *trace_one(const char *op, offset_function *offset, uint64_t *array) {
  char text[4096];
  const char *data = strstr(op, ".v4")   ? "{%r20, %r21, %r22, %r23}"
                     : strstr(op, ".v2") ? "{%r20, %r21}"
                     : strstr(op, "u64") ? "%rd20"
                     : strstr(op, "f32") ? "%f1"
                                         : "%r20";
  const char *space = strstr(op, "shared")  ? "mov.u64 %rd6, s;"
                      : strstr(op, "local") ? "mov.u64 %rd6, mine;"
                                            : "mov.u64 %rd6, %rd0;";
  bool load = strncmp(op, "ld", 2) == 0, whole = strchr(op, '[');
  snprintf(
      text, sizeof text,
      "%s.shared .align 16 .b8 s[8192];\n%s.local .align 16 .b8 mine[8192];\n"
      "mul.wide.u32 %%rd5, %%r0, 8; add.s64 %%rd1, %%rd1, %%rd5; ld.global.u64 %%rd5, [%%rd1];\n"
      "setp.ge.s64 %%p1, %%rd5, 0; %s add.s64 %%rd6, %%rd6, %%rd5;\n"
      "mov.u32 %%r20, 0; mov.u32 %%r21, 0; mov.u32 %%r22, 0; mov.u32 %%r23, 0;\n"
      "mov.u64 %%rd20, 0; mov.f32 %%f1, 0f00000000; mov.f64 %%fd1, 0d0000000000000000;\n"
      "@%%p1 %s %s%s%s; ret;\n}\n",
      SIM_HEADER, SIM_ENTRY("k"), space, op,
      whole  ? ""
      : load ? data
             : "[%rd6]",
      whole  ? ""
      : load ? ", [%rd6]"
             : ", ",
      whole || load ? "" : data);
  struct traced *t = traced_open(text);
  int64_t offsets[LANES];
  for (int i = 0; i < LANES; i++) offsets[i] = offset(i);
  *array = traced_buffer(t, NULL, BYTES);
  if (strstr(op, "const")) memory_find(t->memory, *array, BYTES)->constant = true;
  traced_launch(t, 1, LANES, *array, traced_buffer(t, offsets, sizeof offsets));
  return t;
}

static void one_access(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < LENGTH(known); i++) {
    const struct known_access *p = &known[i];
    uint64_t array;
    struct traced *t = trace_one(p->op, p->offset, &array);
    const uint32_t *words = traced_access(t, traced_warp(t, 0, 0), 1);
    struct trace_memory m = trace_unpack(*words);
    int most = p->most_cycles ? p->most_cycles : p->cycles;
    uint32_t sectors = m.lines ? trace_sectors(words + 1 + m.lines, 0) : 0;
    if (m.kind != p->kind || m.lines != p->lines || m.cycles < p->cycles || m.cycles > most ||
        m.missing != p->missing || sectors != p->sectors || m.random) {
      print_error("%s (%s): kind %d, %d lines, %d cycles, %d words missing, sectors %x\n", p->name,
                  p->op, (int)m.kind, m.lines, m.cycles, m.missing, sectors);
      wrong++;
    }
    assert_int_equal(m.stores, p->kind == TRACE_LOCAL && strncmp(p->op, "st", 2) == 0);
    traced_close(t);
  }
  assert_int_equal(wrong, 0);
}

/* Atomics on global memory: what L2 needs to know of them besides. */
static void atomics_by_type(void **state) {
  (void)state;
  static const struct {
    const char *op;
    offset_function *offset;
    int full, together;
    bool floats, wide;
  } known_ops[] = {
      {"red.global.add.u32", unit4, 4, 1, false, false},
      {"red.global.add.u32", pairs, 4, 2, false, false},
      {"red.global.add.u32", stride2, 0, 1, false, false},
      {"red.global.add.u32", uniform, 0, 32, false, false},
      {"red.global.max.u64", unit8, 8, 1, false, true},
      {"red.global.add.f32", unit4, 4, 1, true, false},
      {"red.global.add.f64 [%rd6], %fd1", unit8, 8, 1, true, true},
      {"red.global.add.noftz.f16x2 [%rd6], %r20", unit4, 4, 1, true, false},
  };
  for (int i = 0; i < LENGTH(known_ops); i++) {
    uint64_t array;
    struct traced *t = trace_one(known_ops[i].op, known_ops[i].offset, &array);
    struct trace_memory m = trace_unpack(*traced_access(t, traced_warp(t, 0, 0), 1));
    if (m.full != known_ops[i].full || m.together != known_ops[i].together ||
        m.floats != known_ops[i].floats || m.wide != known_ops[i].wide)
      fail_msg("%s: %d full, %d together, floats %d, wide %d", known_ops[i].op, m.full, m.together,
               m.floats, m.wide);
    traced_close(t);
  }
}

/* Where the compiler sees that a warp's lanes have one address, it makes one operation of theirs,
 * if it has an instruction to do so: as nvcc 13 does in kernels like these. */
static void one_atomic_of_a_warp(void **state) {
  (void)state;
#define OF_BLOCK "mul.wide.u32 %rd6, %r1, 4; add.s64 %rd6, %rd0, %rd6; "
#define LOADED "ld.global.u32 %r20, [%rd1]; mul.wide.u32 %rd6, %r20, 4; add.s64 %rd6, %rd0, %rd6; "
#define OWN "mul.wide.u32 %rd5, %r0, 4; add.s64 %rd5, %rd1, %rd5; ld.global.u32 %r21, [%rd5]; "
#define LOOP(steps, end)                                                              \
  "mov.u32 %r22, 0; mov.u64 %rd6, %rd0;\nagain: red.global.add.u32 [%rd6], 1; " steps \
  " add.s32 %r22, %r22, 1; setp.lt.u32 %p1, %r22, " end "; @%p1 bra again;\n"
  static const struct {
    const char *body;
    int before, turns; /* before: accesses */
  } cases[] = {
      {"red.global.add.u32 [%rd0], 1;", 0, 1},
      {"red.global.add.u64 [%rd0], 1;", 0, 1},
      {OWN "red.global.add.u32 [%rd0], %r21;", 1, 1},
      {OWN "cvt.u64.u32 %rd7, %r21; red.global.add.u64 [%rd0], %rd7;", 1, LANES},
      {OF_BLOCK "red.global.max.s32 [%rd6], %r0;", 0, 1},
      {OF_BLOCK "cvt.u64.u32 %rd7, %r0; red.global.max.u64 [%rd0], %rd7;", 0, LANES},
      {LOADED "red.global.add.u32 [%rd6], 1;", 1, 1},
      {OWN "mul.wide.u32 %rd6, %r21, 4; add.s64 %rd6, %rd0, %rd6; red.global.add.u32 [%rd6], 1;", 1,
       LANES},
      {"mov.f32 %f1, 0f3f800000; red.global.add.f32 [%rd0], %f1;", 0, LANES},
      {"atom.global.exch.b32 %r20, [%rd0], 1;", 0, LANES},
      {"atom.global.cas.b32 %r20, [%rd0], 0, 1;", 0, LANES},
      {"atom.global.add.u32 %r20, [%rd0], 1;", 0, 1},
      {LOOP("add.s64 %rd6, %rd6, 4;", "3"), 0, 1},
      {OWN LOOP("add.s64 %rd6, %rd6, 4;", "%r21"), 1, LANES},
  };
#undef OF_BLOCK
#undef LOADED
#undef OWN
#undef LOOP
  for (int i = 0; i < LENGTH(cases); i++) {
    char text[2048];
    snprintf(text, sizeof text, "%s%s%s ret;\n}\n", SIM_HEADER, SIM_ENTRY("k"), cases[i].body);
    struct traced *t = traced_open(text);
    uint64_t array = traced_buffer(t, NULL, BYTES);
    traced_launch(t, 1, LANES, array, traced_buffer(t, NULL, BYTES));
    int turns = trace_unpack(*traced_access(t, traced_warp(t, 0, 0), cases[i].before)).cycles;
    if (turns != cases[i].turns) fail_msg("%s: %d turns", cases[i].body, turns);
    traced_close(t);
  }
}

/* Instructions of a warp whose lanes turn 0 to 3 times in an inner loop, which this way may leave.
 */
static uint64_t executed_with(const char *way, const char *after) {
  char text[2048];
  snprintf(text, sizeof text,
           "%s%smov.u32 %%r10, 0; and.b32 %%r13, %%r3, 3; mov.u32 %%r12, 0;\n"
           "outer: mov.u32 %%r11, 0;\n"
           "inner: setp.ge.u32 %%p1, %%r11, %%r13; @%%p1 bra next;\n"
           "add.s32 %%r11, %%r11, 1; setp.eq.u32 %%p2, %%r12, 77; %s\n"
           "bra inner;\n"
           "next: add.s32 %%r10, %%r10, 1; setp.lt.u32 %%p1, %%r10, 50; @%%p1 bra outer;\n"
           "add.s32 %%r12, %%r10, 1;\n"
           "done: %s ret;\n}\n",
           SIM_HEADER, SIM_ENTRY("k"), way, after);
  struct traced *t = traced_open(text);
  traced_launch(t, 1, LANES, 0, 0);
  uint64_t executed = t->result.counters.value[COUNTER_inst_executed];
  traced_close(t);
  return executed;
}

/* Lanes that have ended an inner loop wait for the others there, also if one might leave both loops
 * at once: each turn is executed once. */
static void lanes_meet_behind_an_inner_loop(void **state) {
  (void)state;
  static const char leave[] = "@%p2 bra done;", stay[] = "@%p2 mov.u32 %r14, 1;";
  uint64_t once = executed_with(stay, "");
  assert_in_range(executed_with(leave, ""), once / 2, once + once / 10);
  /* where lanes need each other, they come together as late as all of them surely do */
  assert_true(executed_with(leave, "bar.warp.sync -1;") > once);
}

/* Of each block what it has to do, and its longest warp: warp w of block b turns (b + 1) * (w + 1)
 * times. */
static void works_of_all_blocks(void **state) {
  (void)state;
  enum { BLOCKS = 50, WARPS = 4 };
  char text[1024];
  snprintf(text, sizeof text,
           "%s%sshr.u32 %%r10, %%r0, 5; add.s32 %%r10, %%r10, 1; add.s32 %%r11, %%r1, 1;\n"
           "mul.lo.u32 %%r10, %%r10, %%r11; mov.u32 %%r12, 0;\n"
           "again: add.s32 %%r12, %%r12, 1; setp.lt.u32 %%p1, %%r12, %%r10; @%%p1 bra again;\n"
           "ret;\n}\n",
           SIM_HEADER, SIM_ENTRY("k"));
  struct traced *t = traced_open(text);
  traced_launch(t, BLOCKS, LANES * WARPS, 0, 0);
  const struct block_work *works = t->result.works;
  assert_non_null(works);
  float turn = (works[1].longest - works[0].longest) / WARPS;
  assert_true(turn >= 2);
  for (int b = 1; b < BLOCKS; b++) {
    assert_true(works[b].longest == works[0].longest + turn * WARPS * (float)b);
    assert_true(works[b].instructions == works[0].instructions + turn * 10 * (float)b);
  }
  traced_close(t);
}

/* Atomics on shared memory: the most lanes at one address, one after the other. Where 1 is added
 * and nobody reads the old value they are counted at once. */
static void lanes_at_one_address(void **state) {
  (void)state;
  static const struct {
    const char *op;
    offset_function *offset;
    int together;
  } known_ops[] = {
      {"red.shared.add.u32 [%rd6], 1", uniform, 1},
      {"red.shared.add.u32 [%rd6], 1", pairs, 1},
      {"atom.shared.add.s32 %r20, [%rd6], 1", uniform, 1},
      {"atom.shared.add.u32 %r20, [%rd6], 1; st.shared.u32 [%rd6], %r20", uniform, LANES},
      {"red.shared.add.u32 [%rd6], 2", uniform, LANES},
      {"red.shared.add.u32 [%rd6], %r20", pairs, 2},
      {"red.shared.add.u64 [%rd6], 1", uniform, LANES},
      {"red.shared.max.u32 [%rd6], 1", uniform, LANES},
  };
  for (int i = 0; i < LENGTH(known_ops); i++) {
    uint64_t array;
    struct traced *t = trace_one(known_ops[i].op, known_ops[i].offset, &array);
    int together = trace_unpack(*traced_access(t, traced_warp(t, 0, 0), 1)).together;
    if (together != known_ops[i].together) fail_msg("%s: %d together", known_ops[i].op, together);
    traced_close(t);
  }
}

/* Sectors of all lines: lane i of every 8th word is sector i % 4 of line i / 4; the masks fill two
 * words, 8 lines each. */
static void lines_and_their_sectors(void **state) {
  (void)state;
  uint64_t array;
  struct traced *t = trace_one("ld.global.u32", stride33, &array);
  const uint32_t *words = traced_access(t, traced_warp(t, 0, 0), 1) + 1;
  for (int i = 0; i < LANES; i++) {
    assert_int_equal(words[i], words[0] + (uint32_t)i); /* lines of one array in a row */
    assert_int_equal(trace_sectors(words + LANES, i), 1u << i * 132 / 32 % 4);
  }
  traced_close(t);
  /* lines are numbered by array: the offsets and the array lie in different ones */
  t = trace_one("ld.global.u32", unit4, &array);
  const struct warp_trace *warp = traced_warp(t, 0, 0);
  const uint32_t *first = traced_access(t, warp, 0), *second = traced_access(t, warp, 1);
  assert_int_equal(trace_unpack(*first).lines, 2);
  assert_true(second[1] - first[1] > 1u << 16);
  traced_close(t);
}

/* Many lines at no regular distance. */
static void random_accesses(void **state) {
  (void)state;
  static const struct {
    const char *op;
    offset_function *offset;
    bool random;
  } cases[] = {
      {"ld.global.u32", scattered, true},
      {"st.global.u32", scattered, true},
      {"st.global.u32", bits_reversed, true},
      {"red.global.or.b32", scattered, true},
      {"ld.global.u32", scattered_in_256_kib, false},
      {"ld.global.u32", scattered_near, false}, /* six lines */
      {"ld.global.u32", stride33, false},
      {"st.global.u32", columns_of_16, false},
      {"ld.global.u32", rows_of_4, false},
      {"ld.global.u32", stride32, false},
      {"ld.shared.u32", stride33, false},
  };
  for (int i = 0; i < LENGTH(cases); i++) {
    uint64_t array;
    struct traced *t = trace_one(cases[i].op, cases[i].offset, &array);
    struct trace_memory m = trace_unpack(*traced_access(t, traced_warp(t, 0, 0), 1));
    if (m.random != cases[i].random) fail_msg("case %d (%s)", i, cases[i].op);
    traced_close(t);
  }
}

/* ---- arrays ---- */

static void arrays_that_a_block_touches(void **state) {
  (void)state;
  static const struct {
    const char *op;
    bool loaded, stored, atomics;
  } cases[] = {{"ld.global.u32", true, false, false},
               {"st.global.u32", false, true, false},
               {"red.global.add.u32", true, true, true}};
  for (int i = 0; i < LENGTH(cases); i++) {
    uint64_t array;
    struct traced *t = trace_one(cases[i].op, unit4, &array);
    const struct block_trace *trace = &t->result.traces[0];
    assert_int_equal(trace->touched_count, 2); /* the offsets first */
    assert_int_equal(trace->touched[1].array->address, array);
    assert_int_equal(trace->touched[1].loaded, cases[i].loaded);
    assert_int_equal(trace->touched[1].stored, cases[i].stored);
    assert_int_equal(trace->touched[1].atomics, cases[i].atomics);
    traced_close(t);
  }
  uint64_t array;
  struct traced *t = trace_one("ld.shared.u32", unit4, &array);
  assert_int_equal(t->result.traces[0].touched_count, 1);
  traced_close(t);
}

/* Lines of local memory are the warp's own; so no two warps have one in common. */
static void local_lines_are_a_warps_own(void **state) {
  (void)state;
  struct traced *t = traced_open(SIM_HEADER SIM_ENTRY(
      "k") ".local .align 4 .b8 mine[64]; st.local.u32 [mine+4], %r0; ld.local.u32 %r10, [mine+4]; "
           "ret;\n}\n");
  traced_launch(t, 3, 64, 0, 0);
  uint32_t seen[6];
  for (int i = 0; i < LENGTH(seen); i++) {
    const struct warp_trace *warp = traced_warp(t, i / 2, i % 2);
    const uint32_t *store = traced_access(t, warp, 0), *load = traced_access(t, warp, 1);
    assert_true(trace_unpack(*store).stores && !trace_unpack(*load).stores);
    assert_int_equal(store[1], load[1]);
    seen[i] = store[1];
    for (int k = 0; k < i; k++) assert_int_not_equal(seen[i], seen[k]);
  }
  traced_close(t);
}

/* ---- basic blocks ---- */

/* A third of the warps takes each way; the way of the first third does nothing but jump on. */
/* clang-format off */
static const char ways[] = SIM_KERNEL("",
    "shr.u32 %r10, %r0, 5; setp.eq.u32 %p1, %r10, 0; add.s64 %rd10, %rd0, %rd4; @%p1 bra empty;\n"
    "setp.eq.u32 %p2, %r10, 1; @%p2 bra stores; ld.global.u32 %r11, [%rd10]; bra end;\n"
    "stores: st.global.u32 [%rd10], %r0; bra end;\n"
    "empty: bra end;\n"
    "end: add.s32 %r12, %r10, 1; ret;");
/* clang-format on */

static void blocks_that_only_lead_on_are_left_out(void **state) {
  (void)state;
  struct traced *t = traced_open(ways);
  traced_launch(t, 1, 96, traced_buffer(t, NULL, BYTES), 0);
  const struct program *program = t->kernel.programs[0];
  uint64_t counted = 0;
  uint32_t last = 0;
  for (int w = 0; w < 3; w++) {
    const struct warp_trace *warp = traced_warp(t, 0, w);
    static const enum trace_kind kinds[] = {TRACE_NOTHING, TRACE_GLOBAL_STORE, TRACE_GLOBAL_LOAD};
    assert_int_equal(warp->words[0], 0);
    if (w == 0) { /* from the first block to the last: two words */
      assert_int_equal(warp->count, 2);
      last = warp->words[1];
    } else {
      assert_int_equal(trace_unpack(*traced_access(t, warp, 0)).kind, kinds[w]);
      assert_int_equal(warp->words[warp->count - 1], last);
    }
    assert_int_equal(warp->every, 1);
    counted += warp->sums.instructions;
  }
  int skipped = 0;
  for (int i = 0; i < program->block_count; i++) skipped += trace_skips(&program->blocks[i]);
  assert_true(skipped > 0);
  assert_int_equal(counted, t->result.counters.value[COUNTER_inst_executed]);
  traced_close(t);
}

/* A loop of a load and a store, tid / 32 * 8 + 3 turns. */
static const char loop[] = SIM_KERNEL(
    "",
    "shr.u32 %r10, %r0, 5; mad.lo.s32 %r10, %r10, 8, 3; add.s64 %rd10, %rd0, %rd4; mov.u32 "
    "%r11, 0;\n"
    "again: ld.global.u32 %r12, [%rd10]; st.global.u32 [%rd10], %r11; add.s32 %r11, "
    "%r11, 1;\n"
    "setp.lt.u32 %p1, %r11, %r10; @%p1 bra again; ret;");

static void every_turn_of_a_loop(void **state) {
  (void)state;
  struct traced *t = traced_open(loop);
  traced_launch(t, 2, 64, traced_buffer(t, NULL, BYTES), 0);
  for (int b = 0; b < 2; b++)
    for (int w = 0; w < 2; w++) {
      const struct warp_trace *warp = traced_warp(t, b, w);
      assert_int_equal(warp->count, 1 + (w * 8 + 3) * (1 + 3 + 3) + 1); /* an access: three words */
      for (int turn = 0; turn < w * 8 + 3; turn++) assert_int_equal(warp->words[1 + 7 * turn], 1);
    }
  traced_close(t);
}

/* A loop of 3000 turns that loads one word after the other. */
static const char walk[] = SIM_KERNEL("",
                                      "mov.u32 %r11, 0; and.b32 %r10, %r0, 0;\n"
                                      "again: mul.wide.u32 %rd10, %r11, 128; add.s64 %rd10, %rd0, "
                                      "%rd10; ld.global.u32 %r12, [%rd10]; "
                                      "st.global.u32 [%rd10], %r11; add.s32 %r11, %r11, 1;\n"
                                      "setp.lt.u32 %p1, %r11, 3000; @%p1 bra again; ret;");

/* With less and less room a trace has ever less of the whole, but from all over it, and what it has
 * is as it was. */
static void a_trace_without_room_has_windows_from_all_over(void **state) {
  (void)state;
  enum { TURNS = 3000, PARTS = 2 };
  struct traced *t = traced_open(walk);
  uint64_t data = traced_buffer(t, NULL, TURNS * 128);
  traced_launch(t, 1, 32, data, 0);
  const struct warp_trace *warp = traced_warp(t, 0, 0);
  uint32_t count = warp->count, first = warp->words[3], last = count;
  uint64_t instructions = warp->sums.instructions;
  assert_int_equal(count, 1 + TURNS * 7 + 1);
  assert_int_equal(warp->executed, instructions);
  for (int room = 15000; room > 1800; room -= 700) {
    t->room = (uint32_t)room;
    traced_launch(t, 1, 32, data, 0);
    warp = traced_warp(t, 0, 0);
    assert_in_range(warp->count, room / 4, room + 7);
    assert_true(warp->count <= last + 7 || warp->every > 1);
    assert_int_equal(warp->executed, instructions);
    /* Turns take equally many words and instructions. */
    assert_in_range(warp->sums.instructions * count, (uint64_t)warp->count * instructions * 0.99,
                    (uint64_t)warp->count * instructions * 1.01);
    assert_in_range(warp->sums.sectors * 7, warp->sums.instructions * 2 - 64,
                    warp->sums.instructions * 2);
    int turns = 0, in[PARTS] = {0}; /* of each part of the loop */
    for (uint32_t at = warp->words[0] == 0; at + 7 <= warp->count; at += 7, turns++) {
      assert_int_equal(warp->words[at], 1);
      assert_int_equal(warp->words[at + 2], warp->words[at + 5]);
      uint32_t turn = warp->words[at + 2] - first;
      assert_in_range(turn, 0, TURNS - 1);
      in[turn * PARTS / TURNS]++;
    }
    for (int part = 0; part < PARTS; part++) assert_true(in[part] * PARTS * 2 > turns);
    last = warp->count;
  }
  t->room = 0;
  traced_launch(t, 1, 32, data, 0);
  assert_int_equal(traced_warp(t, 0, 0)->count, 0);
  traced_close(t);
}

/* Room is a matter of accesses: a long row of arithmetic takes none, and a block that does not fit
 * is still traced if the trace has not reached its end. */
static void long_blocks_are_traced(void **state) {
  (void)state;
  enum { OPERATIONS = 3000, LOADS = 300 };
  static char text[1 << 18];
  size_t at = (size_t)snprintf(text, sizeof text, "%s%s", SIM_HEADER, SIM_ENTRY("k"));
  for (int i = 0; i < OPERATIONS; i++)
    at += (size_t)snprintf(text + at, sizeof text - at,
                           i % (OPERATIONS / LOADS) ? "add.s32 %%r10, %%r10, %%r4;\n"
                                                    : "ld.global.u32 %%r11, [%%rd0];\n");
  snprintf(text + at, sizeof text - at, "ret;\n}\n");
  struct traced *t = traced_open(text);
  t->room = 1000;
  traced_launch(t, 1, 64, traced_buffer(t, NULL, BYTES), 0);
  for (int w = 0; w < 2; w++) {
    assert_int_equal(traced_warp(t, 0, w)->every, 1);
    assert_int_equal(traced_warp(t, 0, w)->count, 1 + 3 * LOADS);
  }
  traced_close(t);
}

/* ---- threads ---- */

/* Blocks that go different ways, and atomics whose results differ from run to run on a GPU; with a
 * store to one word by all it is a race, so that the launch is undone and starts again. */
/* clang-format off */
#define WAYS \
    "xor.b32 %r10, %r3, %r1; and.b32 %r10, %r10, 63; mul.wide.u32 %rd10, %r10, 4; " \
    "add.s64 %rd10, %rd0, %rd10;\n" \
    "setp.lt.u32 %p1, %r10, 20; mov.u32 %r11, 0; @%p1 bra over;\n" \
    "again: ld.global.u32 %r12, [%rd10+4096]; add.s32 %r11, %r11, 5; " \
    "setp.lt.u32 %p2, %r11, %r10; @%p2 bra again;\n" \
    "over: red.global.add.u32 [%rd10], %r11;\n"
static const char in_order[] = SIM_KERNEL("", WAYS "ret;");
static const char racing[] = SIM_KERNEL("", WAYS "st.global.u32 [%rd0+2048], %r1; ret;");
/* clang-format on */

static void check_same(const struct traced *a, const struct traced *b) {
  assert_int_equal(a->result.trace_count, b->result.trace_count);
  for (int i = 0; i < a->result.trace_count; i++) {
    const struct block_trace *x = &a->result.traces[i], *y = &b->result.traces[i];
    assert_int_equal(x->block, y->block);
    assert_int_equal(x->warp_count, y->warp_count);
    assert_int_equal(x->touched_count, y->touched_count);
    for (int w = 0; w < x->warp_count; w++) {
      assert_int_equal(x->warps[w].count, y->warps[w].count);
      assert_memory_equal(&x->warps[w].sums, &y->warps[w].sums, sizeof x->warps[w].sums);
      assert_memory_equal(x->warps[w].words, y->warps[w].words,
                          x->warps[w].count * sizeof *x->warps[w].words);
    }
  }
}

static void the_same_for_any_number_of_threads(void **state) {
  (void)state;
  static const char *const texts[] = {in_order, racing};
  static const int workers[] = {1, 2, 5};
  for (int i = 0; i < LENGTH(texts); i++) {
    struct traced *first = NULL;
    for (int k = 0; k < LENGTH(workers); k++) {
      struct traced *t = traced_open(texts[i]);
      t->workers = workers[k];
      traced_launch(t, 40, 96, traced_buffer(t, NULL, BYTES), 0);
      assert_int_equal(t->hazards > 0, i == 1);
      if (first) check_same(first, t);
      if (first) traced_close(t);
      if (!first) first = t;
    }
    traced_close(first);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_access),
      cmocka_unit_test(atomics_by_type),
      cmocka_unit_test(one_atomic_of_a_warp),
      cmocka_unit_test(works_of_all_blocks),
      cmocka_unit_test(lanes_meet_behind_an_inner_loop),
      cmocka_unit_test(lanes_at_one_address),
      cmocka_unit_test(lines_and_their_sectors),
      cmocka_unit_test(random_accesses),
      cmocka_unit_test(arrays_that_a_block_touches),
      cmocka_unit_test(local_lines_are_a_warps_own),
      cmocka_unit_test(blocks_that_only_lead_on_are_left_out),
      cmocka_unit_test(every_turn_of_a_loop),
      cmocka_unit_test(a_trace_without_room_has_windows_from_all_over),
      cmocka_unit_test(long_blocks_are_traced),
      cmocka_unit_test(the_same_for_any_number_of_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
