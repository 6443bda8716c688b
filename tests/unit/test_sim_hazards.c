/* test_sim_hazards.c: every kind of hazard in a kernel of a few lines: what is reported, where, how
 * often, and what CUDA would return; and kernels close to those, in which nothing is wrong.
 *
 * Every kernel gets p0 = A, 256 words of zero; p1 = I, an input of 256 words; p2 = O, an output of
 * 256 words that nobody has written; p3 as the case says. Shared arrays: s, 1024 bytes; d, dynamic.
 */
#include "tests/unit/sim_device.h"

enum { WORDS = 256 };

#define SHARED ".shared .align 16 .b8 s[1024];\n.extern .shared .align 16 .b8 d[];\n"
/* %rd8: this thread's word of s; %rd9: the word of s of the thread opposite, of 64 */
#define MINE "mov.u64 %rd8, s; add.s64 %rd8, %rd8, %rd5;\n"
#define OPPOSITE(last)       \
  MINE "sub.s32 %r9, " #last \
       ", %r0; mul.wide.u32 %rd9, %r9, 4; mov.u64 %rd11, s; add.s64 %rd9, %rd9, %rd11;\n"
#define OWN_A "add.s64 %rd10, %rd0, %rd4;\n" /* this thread's word of A */
#define FILLED "st.shared.u32 [%rd8], %r0; bar.sync 0;\n"
#define FIRST_HALF "setp.lt.u32 %p1, %r4, 16;\n"
#define SECOND_WARP "setp.ge.u32 %p2, %r0, 32;\n"
#define SECOND_BLOCK "setp.eq.u32 %p3, %r1, 1;\n"
#define FOURTH_THREAD "setp.eq.u32 %p4, %r3, 35;\n" /* of the second block of 32 */
#define WRITE_FIRST_WORDS "add.s64 %rd10, %rd0, %rd5; st.global.u32 [%rd10], %r3; ret;"

struct expected {
  enum hazard_kind kind;
  int line, other_line;
  const char *array;
  uint64_t count; /* 0: any */
  const char *says;
  bool warning;
};

struct scene {
  const char *name;
  unsigned blocks, threads;
  size_t shared_bytes;
  enum { NOTHING, FREED, ADDRESS } p3;
  uint64_t address;
  int error; /* of device_synchronize */
  struct expected expected[4];
  const char *body;
};

static int expected_count(const struct scene *scene) {
  int count = 0;
  while (count < LENGTH(scene->expected) && scene->expected[count].line) count++;
  return count;
}

static bool fits(const struct hazard *h, const struct expected *e) {
  return h->kind == e->kind && h->line == e->line && h->other_line == e->other_line &&
         h->warning == e->warning && strcmp(h->array, e->array ? e->array : "") == 0 &&
         (e->count ? h->count == e->count : h->count > 0) && h->message[0] &&
         (!e->says || strstr(h->message, e->says)) && strcmp(h->kernel, "k") == 0;
}

static uint64_t named(struct sim *sim, uint64_t address, const char *name, enum device_role role) {
  assert_int_equal(device_name_array(sim->device, address, name, 16, 16, 4, role), 0);
  return address;
}

static void play(const struct scene *scene, int threads) {
  char *ptx = NULL;
  assert_true(
      asprintf(&ptx,
               SIM_HEADER SHARED
               ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, "
               ".param .b64 d, .param .b64 e);\n"
               ".global .align 1 .b8 words[8] = {105, 32, 60, 32, 110, 0, 0, 0};\n" /* i < n */
               "%s%s\n}\n",
               SIM_ENTRY("k"), scene->body) > 0);
  struct sim *sim =
      sim_open_bare((struct device_options){.threads = threads, .budget.instructions = 4 << 20});
  sim_load(sim, ptx);
  uint32_t input[WORDS];
  for (uint32_t i = 0; i < WORDS; i++) input[i] = i * 3;
  uint64_t a = named(sim, sim_zeros(sim, sizeof input), "A", DEVICE_SCRATCH);
  uint64_t in = named(sim, sim_buffer(sim, input, sizeof input), "I", DEVICE_INPUT);
  uint64_t out = named(sim, sim_buffer(sim, NULL, sizeof input), "O", DEVICE_OUTPUT);
  uint64_t p3 = scene->address;
  if (scene->p3 == FREED) {
    p3 = named(sim, sim_zeros(sim, sizeof input), "F", DEVICE_SCRATCH);
    assert_int_equal(device_free(sim->device, p3), 0);
  }
  struct sim_shape shape = sim_line(scene->blocks, scene->threads);
  shape.shared_bytes = scene->shared_bytes;
  assert_int_equal(sim_try(sim, shape, a, in, out, p3), 0);

  int count = expected_count(scene), error = device_synchronize(sim->device);
  bool right = sim->hazard_count == count && error == scene->error;
  for (int i = 0; i < count && right; i++) {
    bool found = false;
    for (int k = 0; k < count; k++) found = found || fits(&sim->hazards[k], &scene->expected[i]);
    right = found;
  }
  if (!right) {
    sim_print_hazards(sim);
    fail_msg("%s (%d threads): error %d, %d hazards, above; not error %d and %d hazards",
             scene->name, threads, error, sim->hazard_count, scene->error, count);
  }
  if (!error) { /* an input stays as it is, whatever a kernel does */
    uint32_t now[WORDS];
    sim_read(sim, now, in, sizeof now);
    assert_memory_equal(now, input, sizeof now);
  }
  sim_close(sim);
  free(ptx);
}

static void play_all(const struct scene *scenes, int count) {
  for (int i = 0; i < count; i++) {
    play(&scenes[i], 1);
    play(&scenes[i], 3);
  }
}
#define PLAY(scenes) play_all(scenes, LENGTH(scenes))

/* clang-format off */ /* of the tables: a scene stays a scene */
/* ---- addresses ---- */

static const struct scene bad_addresses[] = {
    {"past the end, writing", 1, 32, .expected = {{HAZARD_oob, 10, 0, "A", 26,
     "writes A[256], but A has 256"}},
     .body = OWN_A AT(10) "st.global.u32 [%rd10+1000], %r0; ret;"},
    {"past the end, reading in the last block", 3, 32,
     .expected = {{HAZARD_oob, 11, 0, "I", 32, "block (2,0) thread (0,0) reads I[256]"}},
     .body = "add.s64 %rd10, %rd1, %rd4;" AT(11) "ld.global.u32 %r10, [%rd10+768]; ret;"},
    {"before the start", 1, 32, .expected = {{HAZARD_oob, 10, 0, "A", 2, "A[-2]"}},
     .body = OWN_A AT(10) "ld.global.u32 %r10, [%rd10-8]; ret;"},
    {"a vector half outside", 1, 1, .expected = {{HAZARD_oob, 10, 0, "A", 1}},
     .body = AT(10)
     "add.s64 %rd10, %rd0, 1024; ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd10]; ret;"},
    {"an atomic past the end", 1, 32, .expected = {{HAZARD_oob, 10, 0, "A", 26,
     "atomically updates"}},
     .body = OWN_A AT(10) "red.global.add.u32 [%rd10+1000], 1; ret;"},
    {"far past the end", 1, 32, .error = 700, .expected = {{HAZARD_oob, 10, 0, "A", 1}},
     .body = OWN_A AT(10) "add.s64 %rd10, %rd10, 33554432; st.global.u32 [%rd10], %r0; ret;"},
    {"far before the start", 1, 32, .error = 700, .expected = {{HAZARD_oob, 10, 0, "A", 1,
     "negative"}},
     .body = OWN_A AT(10) "add.s64 %rd10, %rd10, -33554432; st.global.u32 [%rd10], %r0; ret;"},
    {"nowhere", 1, 32, .p3 = ADDRESS, .address = UINT64_C(0x00f0000000000000), .error = 700,
     .expected = {{HAZARD_oob, 10, 0, "", 1, "belongs to no array"}},
     .body = AT(10) "ld.global.u32 %r10, [%rd3]; ret;"},
    {"shared, past the end", 1, 32, .expected = {{HAZARD_oob, 10, 0, "s", 26,
     "s[256], but s has 256"}},
     .body = MINE AT(10) "st.shared.u32 [%rd8+1000], %r0; ret;"},
    {"shared, through a generic address", 1, 32, .expected = {{HAZARD_oob, 10, 0, "s", 26}},
     .body = MINE "cvta.shared.u64 %rd8, %rd8;" AT(10) "st.u32 [%rd8+1000], %r0; ret;"},
    {"shared, far away", 1, 32, .error = 700, .expected = {{HAZARD_oob, 10, 0, "s", 1}},
     .body = MINE AT(10) "st.shared.u32 [%rd8+16777216], %r0; ret;"},
    {"shared, left of it after many times inside", 8, 32, .error = 700,
     .expected = {{HAZARD_oob, 10, 0, "s", 1, "s[-1]"}},
     .body = MINE FILLED "st.shared.u32 [%rd8+64], %r0; bar.sync 0; mul.lo.u32 %r10, %r1, 16;"
         "sub.s32 %r10, 112, %r10; cvt.u64.u32 %rd9, %r10; add.s64 %rd8, %rd8, %rd9; L:" AT(10)
         "ld.shared.u32 %r11, [%rd8+-4]; add.s64 %rd8, %rd8, -4; sub.s32 %r10, %r10, 4;"
         "setp.ge.s32 %p1, %r10, 0; @%p1 bra L; ret;"},
    {"dynamic shared, too little of it", 1, 32, .shared_bytes = 64,
     .expected = {{HAZARD_oob, 10, 0, "d", 16, "third launch parameter"}},
     .body = "mov.u64 %rd8, d; add.s64 %rd8, %rd8, %rd5;" AT(10) "st.shared.u32 [%rd8], %r0; ret;"},
    {"dynamic shared, none of it", 1, 32, .expected = {{HAZARD_oob, 10, 0, "d", 32}},
     .body = "mov.u64 %rd8, d; add.s64 %rd8, %rd8, %rd5;" AT(10) "st.shared.u32 [%rd8], %r0; ret;"},
    {"local", 1, 32, .error = 700, .expected = {{HAZARD_oob, 10, 0, "local array", 1}},
     .body = ".local .align 4 .b8 mine[64]; mov.u64 %rd8, mine; add.s64 %rd8, %rd8, %rd5;" AT(10)
         "st.local.u32 [%rd8], %r0; ret;"},
    {"misaligned vector", 1, 32, .error = 716, .expected = {{HAZARD_misaligned, 10, 0, "A", 1,
     "8 bytes at once"}},
     .body = AT(10) "ld.global.v2.u32 {%r10, %r11}, [%rd0+4]; ret;"},
    {"misaligned shared vector", 1, 32, .error = 716, .expected = {{HAZARD_misaligned, 11, 0, "s",
     1, "16 bytes"}},
     .body = MINE FILLED AT(11) "ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%rd8]; ret;"},
    {"misaligned word", 1, 32, .error = 716, .expected = {{HAZARD_misaligned, 10, 0, "A", 1,
     "(2 past one)"}},
     .body = AT(10) "st.global.u32 [%rd0+2], %r0; ret;"},
    {"misaligned local", 1, 32, .error = 716, .expected = {{HAZARD_misaligned, 10, 0, "", 1}},
     .body = ".local .align 8 .b8 mine[64];" AT(10) "st.local.u64 [mine+4], %rd0; ret;"},
    {"null", 1, 32, .error = 700, .expected = {{HAZARD_null, 10, 0, "", 1, "0x0"}},
     .body = AT(10) "ld.global.u32 %r10, [%rd3]; ret;"},
    {"null and an index", 1, 32, .error = 700, .expected = {{HAZARD_null, 10, 0, "", 1, "0x50"}},
     .body = AT(10) "add.s64 %rd8, %rd3, %rd5; st.global.u32 [%rd8+80], %r0; ret;"},
    {"null and a negative index", 1, 32, .error = 700, .expected = {{HAZARD_null, 10, 0, "", 1}},
     .body = AT(10) "st.global.u32 [%rd3-80], %r0; ret;"},
    {"host pointer", 1, 32, .p3 = ADDRESS, .address = 0x7ffc12345670, .error = 700,
     .expected = {{HAZARD_host_pointer, 10, 0, "", 1, "cudaMalloc"}},
     .body = AT(10) "ld.global.u32 %r10, [%rd3]; ret;"},
    {"host pointer, generic", 1, 32, .p3 = ADDRESS, .address = 0x555555554000, .error = 700,
     .expected = {{HAZARD_host_pointer, 10, 0, "", 1}}, .body = AT(10) "st.u32 [%rd3], %r0; ret;"},
    {"use after free", 1, 32, .p3 = FREED, .error = 700, .expected = {{HAZARD_use_after_free, 10,
     0, "F", 1}},
     .body = AT(10) "ld.global.u32 %r10, [%rd3]; ret;"},
    {"write to an input", 1, 32, .expected = {{HAZARD_input_write, 10, 0, "I", 32,
     "I[0] (row 0, column 0)"}},
     .body = "add.s64 %rd10, %rd1, %rd4;" AT(10) "st.global.u32 [%rd10], %r0; ret;"},
    {"atomic on an input", 2, 32, .expected = {{HAZARD_input_write, 10, 0, "I", 64}},
     .body = AT(10) "atom.global.add.u32 %r10, [%rd1], 1; ret;"},
    {"the first fault of a kernel ends it", 1, 64, .error = 700, .expected = {{HAZARD_null, 11, 0,
     "", 1}},
     .body = SECOND_WARP AT(10) "@%p2 ld.global.u32 %r10, [%rd0+2]; " AT(11)
     "@!%p2 ld.global.u32 %r10, [%rd3]; ret;"},
};

static const struct scene good_addresses[] = {
    {"first and last word", 1, 32,
     .body = AT(10)
     "ld.global.u32 %r10, [%rd0]; ld.global.u32 %r11, [%rd0+1020]; ld.global.v4.u32 {%r10, %r11, "
         "%r12, %r13}, [%rd0+1008]; ret;"},
    {"lanes without a turn have wild addresses", 1, 32, .p3 = FREED,
     .body = FIRST_HALF "selp.b64 %rd10, %rd0, %rd3, %p1; selp.b64 %rd11, %rd0, 7, %p1;\n" AT(10)
         "@%p1 ld.global.u32 %r10, [%rd10]; @%p1 ld.global.u32 %r11, [%rd11]; @!%p1 bra over;\n"
         "ld.global.u64 %rd12, [%rd11]; add.s64 %rd11, %rd11, %rd5; st.global.u32 [%rd11+512], "
         "%r0; over: ret;"},
    {"lanes without a turn, shared", 1, 32,
     .body = FIRST_HALF MINE "selp.b64 %rd10, %rd8, 123456789, %p1;" AT(10)
         "@%p1 st.shared.u32 [%rd10], %r0; @%p1 ld.shared.u32 %r10, [%rd10]; ret;"},
    {"the pattern of addresses changes with the mask", 1, 32,
     .body = OWN_A "ld.global.u32 %r10, [%rd10]; setp.ge.u32 %p1, %r0, 30; @%p1 bra over;" AT(10)
         "ld.global.u32 %r10, [%rd10+896]; over: ret;"},
    {"dynamic shared, just enough", 1, 32, .shared_bytes = 128,
     .body = "mov.u64 %rd8, d; add.s64 %rd8, %rd8, %rd5;" AT(10) "st.shared.u32 [%rd8], %r0; ret;"},
    {"both shared arrays at once", 1, 32, .shared_bytes = 128,
     .body = FIRST_HALF "mov.u64 %rd8, d; mov.u64 %rd9, s; selp.b64 %rd8, %rd8, %rd9, %p1; "
     "add.s64 %rd8, %rd8, %rd5;" AT(10)
         "st.shared.u32 [%rd8], %r0; ld.shared.u32 %r10, [%rd8]; ret;"},
};

static void addresses(void **state) {
  (void)state;
  PLAY(bad_addresses);
  PLAY(good_addresses);
}

/* ---- uninitialised reads ---- */

static const struct scene unwritten[] = {
    {"global", 1, 32, .expected = {{HAZARD_uninit, 10, 0, "O", 32,
     "reads O[0] (row 0, column 0), which nothing has written"}},
     .body = "add.s64 %rd10, %rd2, %rd4;" AT(10) "ld.global.u32 %r10, [%rd10]; ret;"},
    {"global, += into an output", 2, 32, .expected = {{HAZARD_uninit, 10, 0, "O", 64}},
     .body = "add.s64 %rd10, %rd2, %rd4;" AT(10)
     "ld.global.u32 %r10, [%rd10]; st.global.u32 [%rd10], %r10; ret;"},
    {"global, atomic into an output", 1, 32, .expected = {{HAZARD_uninit, 10, 0, "O", 32,
     "Set it to 0 first, before the launch: cudaMemset."}},
     .body = AT(10) "red.global.add.u32 [%rd2], 1; ret;"},
    {"global, three bytes of four", 1, 1, .expected = {{HAZARD_uninit, 11, 0, "O", 1}},
     .body = AT(10)
     "mov.u16 %rs1, 1; st.global.u8 [%rd2], %rs1; st.global.u8 [%rd2+1], %rs1; "
     "st.global.u8 [%rd2+3], %rs1;" AT(11)
         "ld.global.u32 %r10, [%rd2]; ret;"},
    {"global, half of a vector", 1, 1, .expected = {{HAZARD_uninit, 11, 0, "O", 1}},
     .body = AT(10) "st.global.u32 [%rd2], %r0;" AT(11)
     "ld.global.v2.u32 {%r10, %r11}, [%rd2]; ret;"},
    {"shared", 1, 64, .expected = {{HAZARD_uninit, 10, 0, "s", 64, "shared s[0]"}},
     .body = MINE AT(10) "ld.shared.u32 %r10, [%rd8]; ret;"},
    {"shared, the edge of a tile", 1, 32, .expected = {{HAZARD_uninit, 11, 0, "s", 4,
     "thread (28,0) reads shared s[28]"}},
     .body = MINE "setp.lt.u32 %p1, %r0, 28; @%p1 st.shared.u32 [%rd8], %r0; bar.sync 0;" AT(11)
         "ld.shared.u32 %r10, [%rd8]; ret;"},
    {"shared, what the block before has left", 3, 32, .expected = {{HAZARD_uninit, 11, 0, "s", 64,
     "block (1,0)"}},
     .body = MINE "setp.ne.u32 %p1, %r1, 0; @%p1 bra over; st.shared.u32 [%rd8], %r0; over:" AT(11)
         "ld.shared.u32 %r10, [%rd8]; ret;"},
    {"shared, atomic", 1, 32, .expected = {{HAZARD_uninit, 10, 0, "s", 0}},
     .body = MINE AT(10) "atom.shared.add.u32 %r10, [%rd8], 1; ret;"},
    {"shared, a byte of four is missing", 1, 1, .expected = {{HAZARD_uninit, 11, 0, "s", 0}},
     .body = MINE "mov.u16 %rs1, 1; st.shared.u8 [%rd8], %rs1; st.shared.u8 [%rd8+1], %rs1; "
     "st.shared.u8 [%rd8+2], "
         "%rs1;" AT(11) "ld.shared.u32 %r10, [%rd8]; ret;"},
};

static const struct scene written[] = {
    {"global, by bytes", 3, 33,
     .body = "add.s64 %rd10, %rd2, %rd4; mov.u16 %rs1, 1;" AT(10)
         "st.global.u8 [%rd10], %rs1; st.global.u8 [%rd10+1], %rs1; st.global.u16 [%rd10+2], "
         "%rs1; ld.global.u32 %r10, [%rd10]; ret;"},
    {"shared, by bytes", 2, 33,
     .body = MINE "mov.u16 %rs1, 1;" AT(10)
         "st.shared.u8 [%rd8], %rs1; st.shared.u8 [%rd8+3], %rs1; st.shared.u16 [%rd8+1+1], "
         "%rs1; st.shared.u8 [%rd8+1], %rs1;\n"
         "ld.shared.u32 %r10, [%rd8]; ret;"},
    {"a vector by words", 1, 64,
     .body = "mul.wide.u32 %rd8, %r0, 16; mov.u64 %rd9, s; add.s64 %rd8, %rd8, %rd9; "
     "add.s64 %rd10, %rd2, %rd4;" AT(10)
         "st.shared.u32 [%rd8], %r0; st.shared.v2.u32 [%rd8+8], {%r0, %r0}; "
         "st.shared.u32 [%rd8+4], %r0;\n"
         "ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%rd8]; ret;"},
    {"global, by atom.exch", 1, 32,
     .body = "add.s64 %rd10, %rd2, %rd4; st.global.u32 [%rd10], 0;" AT(10)
         "red.global.add.u32 [%rd10], 1; ld.global.u32 %r10, [%rd10]; ret;"},
};

static void uninitialised_reads(void **state) {
  (void)state;
  PLAY(unwritten);
  PLAY(written);
}

/* ---- races ---- */

static const struct scene races[] = {
    {"read after write, two warps", 1, 64, .expected = {{HAZARD_race, 13, 12, "s", 32,
     "thread (32,0) reads shared s[0]"}},
     .body = MINE SECOND_WARP FILLED AT(12) "@!%p2 st.shared.u32 [%rd8], %r3;" AT(13)
         "@%p2 ld.shared.u32 %r10, [%rd8-128]; ret;"},
    {"read after write, two warps, of which one is not full", 1, 48, .expected = {{HAZARD_race, 13,
     12, "s", 16}},
     .body = MINE SECOND_WARP FILLED AT(12) "@!%p2 st.shared.u32 [%rd8], %r3;" AT(13)
         "@%p2 ld.shared.u32 %r10, [%rd8-128]; ret;"},
    {"write after read, two warps, of which one is not full", 1, 48, .expected = {{HAZARD_race, 13,
     12, "s", 16}},
     .body = MINE SECOND_WARP FILLED AT(12) "@!%p2 ld.shared.u32 %r10, [%rd8+64];" AT(13)
         "@%p2 st.shared.u32 [%rd8], %r3; ret;"},
    {"write after read, two warps", 1, 64, .expected = {{HAZARD_race, 13, 12, "s", 32,
     "writes shared s[32], which block (0,0) thread (0,0) reads"}},
     .body = MINE SECOND_WARP FILLED AT(12) "@!%p2 ld.shared.u32 %r10, [%rd8+128];" AT(13)
         "@%p2 st.shared.u32 [%rd8], %r3; ret;"},
    {"write after read, by a line that then reads elsewhere", 1, 64, .expected = {{HAZARD_race, 13,
     12, "s", 32, "reads"}},
     .body = MINE FILLED SECOND_WARP "@%p2 bra store; mov.u64 %rd9, s; mul.wide.u32 %rd12, %r4, 4; "
         "add.s64 %rd12, %rd12, %rd9; add.s64 %rd12, %rd12, 128; mov.u32 %r9, 0; again:" AT(12)
         "ld.shared.u32 %r10, [%rd12]; mov.u64 %rd12, %rd9; add.s32 %r9, %r9, 1; setp.lt.u32 %p1, "
         "%r9, 2; @%p1 bra again; ret; store:" AT(13) "st.shared.u32 [%rd8], %r4; ret;"},
    {"write after write, two warps, two lines", 1, 64, .expected = {{HAZARD_race, 13, 12, "s", 32,
     "__syncthreads()"}},
     .body = MINE SECOND_WARP AT(12) "@!%p2 st.shared.u32 [%rd8], %r3;" AT(13)
         "@%p2 st.shared.u32 [%rd8-128], %r3; ret;"},
    {"write after write, two warps, one line", 1, 64, .expected = {{HAZARD_race, 12, 12, "s", 32,
     "on the same line"}},
     .body = "mov.u64 %rd8, s; mul.wide.u32 %rd9, %r4, 4; add.s64 %rd8, %rd8, %rd9;" AT(12)
         "st.shared.u32 [%rd8], %r3; ret;"},
    {"the first barrier is missing: a race, not an uninitialised read", 1, 64,
     .expected = {{HAZARD_race, 11, 10, "s", 32}, {HAZARD_race, 10, 11, "s", 32}},
     .body = OPPOSITE(63) AT(10) "st.shared.u32 [%rd8], %r3;" AT(11)
     "ld.shared.u32 %r10, [%rd9]; ret;"},
    {"the second barrier of a loop is missing", 1, 64, .expected = {{HAZARD_race, 10, 12, "s", 0},
     {HAZARD_race, 12, 10, "s", 0}},
     .body = OPPOSITE(63) "mov.u32 %r20, 0; loop:" AT(10) "st.shared.u32 [%rd8], %r20;" AT(11)
     "bar.sync 0;" AT(12)
         "ld.shared.u32 %r10, [%rd9];" AT(13)
         "add.s32 %r20, %r20, 1; setp.lt.u32 %p1, %r20, 3; @%p1 bra loop; ret;"},
    {"one warp, read after write", 1, 32, .expected = {{HAZARD_race, 13, 12, "s", 32,
     "put __syncwarp()"}},
     .body = OPPOSITE(31) FILLED AT(12) "st.shared.u32 [%rd8], %r3;" AT(13)
     "ld.shared.u32 %r10, [%rd9]; ret;"},
    {"one warp, write after read", 1, 32, .expected = {{HAZARD_race, 13, 12, "s", 32,
     "put __syncwarp()", false}},
     .body = OPPOSITE(31) FILLED "add.s32 %r9, %r9, 100;" AT(12) "ld.shared.u32 %r10, [%rd9];"
     AT(13)
         "st.shared.u32 [%rd8], %r9; ret;"},
    {"one instruction, shared", 1, 32, .expected = {{HAZARD_race, 12, 12, "s", 1, "another value"}},
     .body = AT(12) "st.shared.u32 [s], %r0; ret;"},
    {"one instruction, global", 1, 32, .expected = {{HAZARD_race, 12, 12, "A", 1,
     "another value on the same line"}},
     .body = AT(12) "st.global.u32 [%rd0], %r0; ret;"},
    {"a plain read of what atomics write", 1, 64, .expected = {{HAZARD_race, 13, 12, "s", 0,
     "atomically"}},
     .body = MINE SECOND_WARP FILLED AT(12) "@!%p2 red.shared.add.u32 [s], 1;" AT(13)
     "@%p2 ld.shared.u32 %r10, [s]; ret;"},
    {"bytes of one word, wrong byte", 1, 64, .expected = {{HAZARD_race, 11, 10, "s", 1}},
     .body = "mov.u64 %rd8, s; cvt.u64.u32 %rd9, %r0; add.s64 %rd8, %rd8, %rd9; "
     "cvt.u16.u32 %rs1, %r0;" SECOND_WARP AT(10)
         "st.shared.u8 [%rd8], %rs1;" AT(11)
         "setp.eq.u32 %p4, %r0, 32; @%p4 ld.shared.u8 %rs2, [%rd8-1]; ret;"},
    {"blocks, both write", 2, 32, .expected = {{HAZARD_race, 1, 1, "A", 32,
     "block (1,0) thread (0,0) writes"}},
     .body = WRITE_FIRST_WORDS},
    {"blocks, read after write", 2, 32, .expected = {{HAZARD_race, 11, 10, "A", 32, "block (0,0)"}},
     .body = SECOND_BLOCK "add.s64 %rd10, %rd0, %rd5;" AT(10) "@!%p3 st.global.u32 [%rd10], 7;"
     AT(11)
         "@%p3 ld.global.u32 %r10, [%rd10]; ret;"},
    {"blocks, a word of a row is read after the row was written", 2, 32, .expected = {{HAZARD_race,
     11, 10, "A", 1, "thread (3,0) reads A[3]"}},
     .body = SECOND_BLOCK FOURTH_THREAD "add.s64 %rd10, %rd0, %rd5;" AT(10)
         "@!%p3 st.global.u32 [%rd10], %r0;" AT(11) "@%p4 ld.global.u32 %r10, [%rd10]; ret;"},
    {"blocks, a word of a row is written after the row", 2, 32, .expected = {{HAZARD_race, 11, 10,
     "A", 1, "thread (3,0) writes A[3]"}},
     .body = SECOND_BLOCK FOURTH_THREAD "add.s64 %rd10, %rd0, %rd5;" AT(10)
         "@!%p3 st.global.u32 [%rd10], %r0;" AT(11) "@%p4 st.global.u32 [%rd10], 7; ret;"},
    {"blocks, an atomic after a row was written", 2, 32, .expected = {{HAZARD_race, 11, 10, "A",
     1}},
     .body = SECOND_BLOCK FOURTH_THREAD "add.s64 %rd10, %rd0, %rd5;" AT(10)
         "@!%p3 st.global.u32 [%rd10], %r0;" AT(11) "@%p4 red.global.add.u32 [%rd10], 7; ret;"},
    {"blocks, a row is written after a word of it", 2, 32, .expected = {{HAZARD_race, 11, 10, "A",
     1}},
     .body = SECOND_BLOCK "setp.eq.u32 %p4, %r3, 3; add.s64 %rd10, %rd0, %rd5;" AT(10)
         "@%p4 st.global.u32 [%rd10], 7;" AT(11) "@%p3 st.global.u32 [%rd10], %r0; ret;"},
    {"blocks, rows that overlap by four words", 2, 32, .expected = {{HAZARD_race, 11, 11, "A", 4}},
     .body = "mul.lo.u32 %r10, %r1, 28; add.u32 %r10, %r10, %r0; mul.wide.u32 %rd10, %r10, 4;"
         "add.s64 %rd10, %rd10, %rd0;" AT(11) "st.global.u32 [%rd10], %r3; ret;"},
    {"warps, rows that overlap by eight words", 1, 64, .expected = {{HAZARD_race, 11, 11, "A", 8}},
     .body = "shr.u32 %r10, %r0, 5; mul.lo.u32 %r10, %r10, 24; add.u32 %r10, %r10, %r4;"
         "mul.wide.u32 %rd10, %r10, 4; add.s64 %rd10, %rd10, %rd0;" AT(11)
         "st.global.u32 [%rd10], %r3; ret;"},
    {"blocks, write after read", 2, 32, .expected = {{HAZARD_race, 11, 10, "A", 32}},
     .body = SECOND_BLOCK "add.s64 %rd10, %rd0, %rd5;" AT(10) "@!%p3 ld.global.u32 %r10, [%rd10];"
     AT(11)
         "@%p3 st.global.u32 [%rd10], 7; ret;"},
    {"blocks, write after read, from another array by a distance in two halves", 2, 32,
     .expected = {{HAZARD_race, 11, 10, "A", 32}},
     .body = SECOND_BLOCK "add.s64 %rd10, %rd0, %rd5; mul.wide.u32 %rd8, %r0, 8; mov.u64 %rd11, s;"
         "add.s64 %rd8, %rd8, %rd11; sub.s64 %rd12, %rd0, %rd2; st.shared.u64 [%rd8], %rd12;"
         "ld.shared.u32 %r11, [%rd8]; ld.shared.u32 %r12, [%rd8+4]; mov.b64 %rd13, {%r11, %r12};"
         "add.s64 %rd13, %rd13, %rd2; add.s64 %rd13, %rd13, %rd5;" AT(10)
         "@!%p3 ld.global.u32 %r10, [%rd10];" AT(11) "@%p3 st.global.u32 [%rd13], 7; ret;"},
    {"blocks, += on one element", 4, 1, .expected = {{HAZARD_race, 10, 11, "A", 3}, {HAZARD_race,
     11, 11, "A", 3}},
     .body = AT(10) "ld.global.u32 %r10, [%rd0]; add.s32 %r10, %r10, 1;" AT(11)
     "st.global.u32 [%rd0], %r10; ret;"},
    {"blocks, plain store after atomics", 2, 32, .expected = {{HAZARD_race, 11, 10, "A", 1}},
     .body = SECOND_BLOCK AT(10) "@!%p3 red.global.add.u32 [%rd0], 1;" AT(11)
     "@%p3 st.global.u32 [%rd0], 7; ret;"},
    {"blocks, conflicting stores in a kernel with a fence", 2, 32, .expected = {{HAZARD_race, 10,
     10, "A", 32}},
     .body = "add.s64 %rd10, %rd0, %rd5;" AT(10) "st.global.u32 [%rd10], %r3;" AT(11)
     "membar.gl; ret;"},
    {"same value, two warps: a warning", 1, 64, .expected = {{HAZARD_race, 13, 12, "s", 1,
     "nothing is lost", true}},
     .body = SECOND_WARP AT(12) "@!%p2 st.shared.u32 [s], 7;" AT(13)
     "@%p2 st.shared.u32 [s], 7; ret;"},
    {"same value, two blocks: a warning", 2, 32, .expected = {{HAZARD_race, 12, 12, "A", 1, NULL,
     true}},
     .body = AT(12) "st.global.u32 [%rd0], 7; ret;"},
    {"same value, two blocks, two lanes an element: a warning", 2, 32, .expected = {{HAZARD_race,
     12, 12, "A", 16, NULL, true}},
     .body = "shr.u32 %r10, %r0, 1; mul.wide.u32 %rd10, %r10, 4; add.s64 %rd10, %rd10, %rd0;"
         AT(12) "st.global.u32 [%rd10], 7; ret;"},
    {"blocks, the second lane of an element alone reads another's", 2, 32,
     .expected = {{HAZARD_race, 11, 10, "A", 15, "thread (2,0) reads A[1]"}},
     .body = SECOND_BLOCK "shr.u32 %r10, %r0, 1; setp.eq.u32 %p4, %r10, 0; mul.wide.u32 %rd10, "
     "%r10, 4; add.s64 %rd10, %rd10, %rd0;\n"
         AT(10) "@%p3 bra over; @!%p4 st.global.u32 [%rd10], 7; ret;" AT(11)
         "over: ld.global.u32 %r11, [%rd10]; ret;"},
    {"one of those who read writes, one warp", 1, 32, .expected = {{HAZARD_race, 11, 10, "A", 1,
     "thread (0,0) writes A[0] (row 0, column 0), which another thread of its warp reads"}},
     .body = "setp.eq.u32 %p4, %r0, 0;" AT(10) "ld.global.u32 %r10, [%rd0];" AT(11)
     "@%p4 st.global.u32 [%rd0], 7; ret;"},
    {"one of those who read writes, shared memory", 1, 32, .expected = {{HAZARD_race, 11, 10, "s",
     1, "thread (0,0) writes shared s[0], which another thread of its warp reads"}},
     .body = MINE FILLED "setp.eq.u32 %p4, %r0, 0;" AT(10) "ld.shared.u32 %r10, [s];" AT(11)
     "@%p4 st.shared.u32 [s], 7; ret;"},
    {"one of those who read writes, two warps", 1, 64, .expected = {{HAZARD_race, 13, 12, "s", 1,
     "thread (32,0) writes shared s[0], which block (0,0) thread (0,0) reads"}},
     .body = MINE FILLED "setp.eq.u32 %p4, %r0, 32; setp.eq.u32 %p5, %r0, 0; or.pred %p6, %p4, "
     "%p5;" AT(12) "@%p6 ld.shared.u32 %r10, [s];" AT(13) "@%p4 st.shared.u32 [s], 7; ret;"},
    {"mostly the same value: no warning", 1, 64, .expected = {{HAZARD_race, 13, 12, "s", 32}},
     .body = MINE SECOND_WARP "setp.eq.u32 %p4, %r0, 40; selp.b32 %r9, 8, 7, %p4;" AT(12)
         "@!%p2 st.shared.u32 [%rd8], 7;" AT(13) "@%p2 st.shared.u32 [%rd8-128], %r9; ret;"},
};

static const struct scene no_races[] = {
    {"a barrier between", 4, 64, .body = OPPOSITE(63) FILLED AT(10)
     "ld.shared.u32 %r10, [%rd9]; ret;"},
    {"two buffers, one barrier a round", 2, 64,
     .body = OPPOSITE(63)
     "mov.u32 %r20, 0; loop: and.b32 %r21, %r20, 1; mul.wide.u32 %rd12, %r21, 256;\n"
         "add.s64 %rd13, %rd8, %rd12; add.s64 %rd14, %rd9, %rd12;" AT(10)
         "st.shared.u32 [%rd13], %r20;" AT(11)
         "bar.sync 0;" AT(12)
         "ld.shared.u32 %r10, [%rd14]; add.s32 %r20, %r20, 1; setp.lt.u32 %p1, %r20, 6; "
         "@%p1 bra loop; ret;"},
    {"one buffer, two barriers a round", 2, 64,
     .body = OPPOSITE(63) "mov.u32 %r20, 0; loop:" AT(10) "st.shared.u32 [%rd8], %r20; bar.sync 0;"
     AT(12)
         "ld.shared.u32 %r10, [%rd9]; bar.sync 0; add.s32 %r20, %r20, 1; setp.lt.u32 %p1, %r20, "
         "6; @%p1 bra loop; ret;"},
    {"__syncwarp between", 1, 32,
     .body = OPPOSITE(31) AT(10) "st.shared.u32 [%rd8], %r0;" AT(11) "bar.warp.sync -1;" AT(12)
     "ld.shared.u32 %r10, [%rd9];" AT(13)
         "bar.warp.sync -1;" AT(14) "st.shared.u32 [%rd8], %r9; ret;"},
    {"__syncwarp in each of two warps", 1, 64,
     .body = MINE "xor.b32 %r9, %r0, 31; mul.wide.u32 %rd9, %r9, 4; mov.u64 %rd11, s; "
     "add.s64 %rd9, %rd9, %rd11;" AT(10)
         "st.shared.u32 [%rd8], %r0;" AT(11) "bar.warp.sync -1;" AT(12)
         "ld.shared.u32 %r10, [%rd9]; ret;"},
    {"a reduction over strides", 2, 128,
     .body = MINE AT(10)
     "st.shared.u32 [%rd8], %r0; mov.u32 %r20, 64; loop: bar.sync 0; setp.lt.u32 %p1, %r0, %r20; "
     "@!%p1 bra over;\n"
         "mul.wide.u32 %rd12, %r20, 4; add.s64 %rd12, %rd12, %rd8;" AT(11)
         "ld.shared.u32 %r10, [%rd12]; ld.shared.u32 %r11, [%rd8]; add.s32 %r10, %r10, %r11; "
         "st.shared.u32 [%rd8], %r10; over:\n"
         "shr.u32 %r20, %r20, 1; setp.ne.u32 %p1, %r20, 0; @%p1 bra loop; ret;"},
    {"own writes", 3, 50,
     .body = MINE OWN_A AT(10)
     "st.shared.u32 [%rd8], %r0; ld.shared.u32 %r10, [%rd8]; st.shared.u32 [%rd8], %r10; "
     "ld.shared.u32 %r10, [%rd8];\n"
         "st.global.u32 [%rd10], %r0; ld.global.u32 %r10, [%rd10]; st.global.u32 [%rd10], %r10; "
         "ret;"},
    {"atomics of all blocks", 8, 64, .body = AT(10)
     "red.global.add.u32 [%rd0], 1; atom.global.max.u32 %r10, [%rd0+4], %r3; ret;"},
    {"atomics whose result is used", 8, 64,
     .body = AT(10)
     "atom.global.add.u32 %r10, [%rd0], 1; st.local.u32 [mine], %r10; "
     ".local .align 4 .b8 mine[8]; ret;"},
    {"atomics of all warps on shared memory", 2, 96,
     .body = MINE "setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u32 [s], 0; bar.sync 0;" AT(10)
         "red.shared.add.u32 [s], 1; atom.shared.add.u32 %r10, [s], 1; bar.sync 0; "
         "ld.shared.u32 %r10, [s]; ret;"},
    {"the last block gathers, behind a fence", 4, 1,
     .body = "add.s64 %rd10, %rd2, %rd4;" AT(10) "st.global.u32 [%rd10], %r1;" AT(11) "membar.gl;"
     AT(12)
         "atom.global.inc.u32 %r10, [%rd0], 3; setp.ne.u32 %p1, %r10, 3; @%p1 bra over; membar.gl;"
         AT(13)
         "ld.global.u32 %r11, [%rd2]; ld.global.u32 %r12, [%rd2+12]; add.s32 %r11, %r11, %r12; "
         "st.global.u32 [%rd0+8], %r11; over: ret;"},
    {"neighbouring bytes, shared", 2, 70,
     .body = "mov.u64 %rd8, s; cvt.u64.u32 %rd9, %r0; add.s64 %rd8, %rd8, %rd9; "
     "cvt.u16.u32 %rs1, %r0;" AT(10)
         "st.shared.u8 [%rd8], %rs1; ld.shared.u8 %rs2, [%rd8]; ret;"},
    {"neighbouring bytes, blocks that share words", 5, 33,
     .body = "cvt.u64.u32 %rd9, %r3; add.s64 %rd8, %rd0, %rd9; cvt.u16.u32 %rs1, %r0;" AT(10)
         "st.global.u8 [%rd8], %rs1; ld.global.u8 %rs2, [%rd8]; ret;"},
    {"one instruction, the same value", 1, 32, .body = AT(10)
     "st.shared.u32 [s], 7; st.global.u32 [%rd0], 7; ret;"},
    {"every block reads the same", 6, 64,
     .body = "add.s64 %rd10, %rd1, %rd5; add.s64 %rd11, %rd0, %rd5;" AT(10)
     "ld.global.u32 %r10, [%rd10]; ld.global.u32 %r10, [%rd11]; ret;"},
    {"a block for each part", 4, 64,
     .body = OWN_A "add.s64 %rd12, %rd2, %rd4;" AT(10)
     "ld.global.u32 %r10, [%rd10]; st.global.u32 [%rd10], %r3; st.global.u32 [%rd12], %r10; ret;"},
    {"warps that read what was written before the barrier", 1, 96,
     .body = MINE FILLED AT(10)
     "ld.shared.u32 %r10, [s]; ld.shared.u32 %r11, [s+256]; bar.sync 0; st.shared.u32 [%rd8], "
     "%r10; ret;"},
    {"global memory within a block, with a barrier", 1, 64,
     .body = OWN_A AT(10)
     "st.global.u32 [%rd10], %r0; bar.sync 0; xor.b32 %r9, %r0, 63; mul.wide.u32 %rd9, %r9, 4; "
     "add.s64 %rd9, %rd9, %rd0;\n"
         "ld.global.u32 %r10, [%rd9]; ret;"},
};

static void races_and_none(void **state) {
  (void)state;
  PLAY(races);
  PLAY(no_races);
}

/* ---- barriers, ends ---- */

static const struct scene bad_ends[] = {
    {"in a branch", 1, 32, .expected = {{HAZARD_barrier, 11, 0, "", 16, "out of the condition"}},
     .body = FIRST_HALF AT(10) "@%p1 bra over;" AT(11) "bar.sync 0;" AT(12)
     "over: add.s32 %r10, %r10, %r0; ret;"},
    {"in a branch of one warp of three", 2, 96, .expected = {{HAZARD_barrier, 11, 0, "", 40,
     "block (0,0) thread (52,0)"}},
     .body = "setp.lt.u32 %p1, %r0, 52; setp.ge.u32 %p4, %r0, 32; and.pred %p1, %p1, %p4;" AT(10)
     "@%p1 bra over;" AT(11) "bar.sync 0;" AT(12)
         "over: add.s32 %r10, %r10, %r0; ret;"},
    {"early return of lanes", 1, 32, .expected = {{HAZARD_barrier, 11, 13, "", 16,
     "already returned"}},
     .body = FIRST_HALF AT(10) "@%p1 bra out;" AT(11) "bar.sync 0;" AT(12) "ret;" AT(13)
     "out: ret;"},
    {"early return of a warp", 1, 64, .expected = {{HAZARD_barrier, 11, 13, "", 32,
     "thread (32,0) has already returned"}},
     .body = SECOND_WARP AT(10) "@%p2 bra out;" AT(11) "bar.sync 0;" AT(12) "ret;" AT(13)
     "out: ret;"},
    {"early return of a warp that comes first", 1, 64, .expected = {{HAZARD_barrier, 11, 13, "",
     32, "thread (0,0) has already returned"}},
     .body = SECOND_WARP AT(10) "@!%p2 bra out;" AT(11) "bar.sync 0;" AT(12) "ret;" AT(13)
     "out: ret;"},
    {"two barriers", 1, 64, .expected = {{HAZARD_barrier, 11, 12, "", 32, "waits at another one"}},
     .body = SECOND_WARP "@%p2 bra other;" AT(11) "bar.sync 0; bra done;" AT(12)
     "other: bar.sync 0;" AT(13) "done: ret;"},
    {"__syncwarp without the lanes that it names", 1, 32, .expected = {{HAZARD_barrier, 11, 0, "",
     0, "__syncwarp()"}},
     .body = FIRST_HALF "@%p1 bra over;" AT(11) "bar.warp.sync -1;" AT(12) "over: ret;"},
    /* looked at after 2^20 instructions: 781 rounds, with patterns and 32 for each of 26 errors */
    {"a loop without end, full of errors", 1, 32, .error = 702,
     .expected = {{HAZARD_oob, 11, 0, "A", 781 * 26}, {HAZARD_timeout, 11, 0, "", 1}},
     .body = OWN_A "$again:" AT(11) "st.global.u32 [%rd10+1000], %r0; bra $again;"},
    {"a loop without end", 3, 32, .error = 702, .expected = {{HAZARD_timeout, 12, 0, "", 1,
     "block (0,0)"}},
     .body = "mov.u32 %r10, 0;" AT(12) "loop: add.s32 %r10, %r10, 1; bra loop;"},
    {"a lane that waits for another", 1, 32, .error = 702, .expected = {{HAZARD_deadlock, 12, 0,
     "", 1, "nobody stores"}},
     .body = AT(12)
     "loop: atom.global.add.u32 %r10, [%rd0], 0; setp.ne.u32 %p1, %r10, 5; @%p1 bra loop; ret;"},
    {"a shuffle of all lanes in a branch", 1, 32, .expected = {{HAZARD_barrier, 11, 0, "", 1,
     "thread (0,0) is at __shfl_down_sync() without"}},
     .body = FIRST_HALF "@!%p1 bra over;" AT(11) "shfl.sync.down.b32 %r10, %r0, 1, 31, -1;" AT(12)
     "over: ret;"},
    {"a vote of all lanes in both branches", 1, 32,
     .expected = {{HAZARD_barrier, 11, 0, "", 1, "thread (0,0) is at __ballot_sync() without"},
     {HAZARD_barrier, 12, 0, "", 1, "__any_sync() without"}},
     .body = FIRST_HALF "@!%p1 bra other;" AT(11)
     "vote.sync.ballot.b32 %r10, %p1, -1; bra.uni over;" AT(12)
         "other: vote.sync.any.pred %p2, %p1, -1;" AT(13) "over: ret;"},
    {"a shuffle of lanes that are not in its mask", 1, 32, .expected = {{HAZARD_barrier, 11, 0, "",
     1, "thread (16,0) calls __shfl_sync() with the mask 0x0000ffff"}},
     .body = AT(11) "shfl.sync.idx.b32 %r10, %r0, 0, 31, 65535; ret;"},
    {"a trap", 1, 32, .error = 719, .expected = {{HAZARD_trap, 11, 0, "", 1, "thread (16,0)"}},
     .body = FIRST_HALF "@%p1 bra over;" AT(11) "trap;" AT(12) "over: ret;"},
    {"a failed assertion", 1, 32, .error = 710, .expected = {{HAZARD_trap, 11, 0, "", 32,
     "Assertion `i < n` failed"}},
     .body = "mov.u64 %rd10, words; cvta.global.u64 %rd10, %rd10; mov.u64 %rd11, 1;" AT(11)
         "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d1; .param .b64 e; "
         "st.param.b64 [a], %rd10; st.param.b64 [b], %rd10;\n"
         "st.param.b32 [c], %r0; st.param.b64 [d1], %rd10; st.param.b64 [e], %rd11; "
         "call.uni __assertfail, (a, b, c, d1, e); } ret;"},
};

static const struct scene good_ends[] = {
    {"all of a block return", 4, 64,
     .body = MINE SECOND_BLOCK AT(10) "@%p3 bra out;" AT(11) "bar.sync 0;" AT(12) "out: ret;"},
    {"a branch that all take", 2, 64, .body = "setp.lt.u32 %p1, %r0, 1000;" AT(10)
     "@!%p1 bra over;" AT(11) "bar.sync 0; over: ret;"},
    {"some return behind the last barrier", 1, 64, .body = SECOND_WARP FIRST_HALF AT(10)
     "bar.sync 0; @%p1 ret; @%p2 ret; ret;"},
    {"early return, no barrier", 2, 50, .body = FIRST_HALF AT(10)
     "@%p1 ret; add.s32 %r10, %r0, 1; ret;"},
    {"a barrier behind where lanes meet", 1, 64, .body = FIRST_HALF AT(10)
     "@%p1 bra over; add.s32 %r10, %r0, 1; over: bar.sync 0; ret;"},
    {"a warp that is not full", 1, 40, .body = AT(10)
     "bar.sync 0; bar.warp.sync -1; bar.sync 0; ret;"},
    {"__syncwarp of the lanes that are there", 1, 32,
     .body = FIRST_HALF "@!%p1 bra over; bar.warp.sync 65535; over: ret;"},
    {"a shuffle of the lanes that are there", 1, 32,
     .body = FIRST_HALF "@!%p1 bra over; shfl.sync.down.b32 %r10, %r0, 1, 31, 65535; over: ret;"},
    {"a shuffle of all lanes of which some have returned, or never were", 1, 40,
     .body = FIRST_HALF "@%p1 ret; shfl.sync.down.b32 %r10, %r0, 1, 31, -1; "
     "vote.sync.any.pred %p2, %p1, -1; ret;"},
    {"a shuffle behind a branch", 1, 32,
     .body = FIRST_HALF "@%p1 bra over; add.s32 %r10, %r0, 1; over: shfl.sync.bfly.b32 %r11, "
     "%r0, 1, 31, -1; ret;"},
    {"a shuffle without members", 1, 32,
     .body = FIRST_HALF "@!%p1 bra over; shfl.down.b32 %r10, %r0, 1, 31; over: ret;"},
    {"a long loop in each of many blocks", 40, 32,
     .body = "mov.u32 %r10, 0; loop: add.s32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 5000; "
     "@%p1 bra loop; ret;"},
    {"a vote behind a loop whose atomic changes nothing, which lanes leave one by one", 1, 32,
     .body = "add.s32 %r10, %r0, 1; loop: red.global.min.u32 [%rd0], %r0; sub.s32 %r10, %r10, 1; "
     "setp.ne.s32 %p1, %r10, 0; @%p1 bra loop;\n"
         "setp.le.u32 %p2, %r0, 31; vote.sync.ballot.b32 %r11, %p2, -1; setp.eq.s32 %p3, %r11, "
         "-1; @%p3 bra over; trap; over: ret;"},
    {"a vote in a loop to which some come alone, others with lanes that leave", 1, 8,
     .body = "and.b32 %r10, %r0, 1; setp.eq.u32 %p1, %r10, 1; setp.lt.u32 %p2, %r0, 6; "
     "or.pred %p2, %p2, %p1; mov.u32 %r11, 0; mov.u32 %r13, 0xbf;\n"
         "outer: setp.eq.u32 %p3, %r11, 0; @%p3 bra begin; vote.sync.ballot.b32 %r12, %p2, %r13; "
         "setp.eq.u32 %p4, %r12, %r13; @%p4 bra begin; trap;\n"
         "begin: selp.b32 %r14, 20, 1, %p1; inner: red.global.min.u32 [%rd0], %r0; sub.s32 %r14, "
         "%r14, 1; setp.ne.s32 %p5, %r14, 0; @%p5 bra inner;\n"
         "add.s32 %r11, %r11, 1; setp.lt.u32 %p6, %r11, 3; and.pred %p6, %p6, %p2; "
         "@%p6 bra outer; ret;"},
    {"a trap that nobody reaches", 1, 32,
     .body = "setp.gt.u32 %p1, %r0, 99; @!%p1 bra over; trap; over: ret;"},
};

static void barriers_and_ends(void **state) {
  (void)state;
  PLAY(bad_ends);
  PLAY(good_ends);
}

/* ---- what is refused ---- */

static void refusals(void **state) {
  (void)state;
  struct sim *sim = sim_open(SIM_KERNEL("", AT(10) "ret;"), 1);
  assert_int_equal(sim_try(sim, sim_line(1, 1225), 0, 0, 0, 0), 9);
  assert_int_equal(sim->hazard_count, 1);
  assert_true(fits(&sim->hazards[0], &(struct expected){HAZARD_launch, 900, 0, "", 1,
  "1225 threads", false}));
  sim_run(sim, 1, 32, 0, 0, 0, 0);
  sim_close(sim);

  sim = sim_open(SIM_KERNEL("", AT(10) "mov.u32 %r10, 1;" AT(17) "wgmma.fence.sync.aligned; ret;"),
  1);
  assert_int_equal(sim_try(sim, sim_line(1, 32), 0, 0, 0, 0), 801);
  assert_int_equal(sim->hazard_count, 1);
  assert_true(fits(&sim->hazards[0], &(struct expected){HAZARD_unsupported, 17, 0, "", 1, "wgmma",
  false}));
  sim_close(sim);
}

/* ---- many at once ---- */

#define LOOP(rounds, work) \
  "mov.u32 %r20, 0; again: " work " add.s32 %r20, %r20, 1; setp.lt.u32 %p4, %r20, " \
  #rounds "; @%p4 bra again;"

struct flood {
  const char *name, *body;
  uint64_t first_word; /* of A, afterwards */
  struct expected expected[2];
  bool more[2];
};

/* clang-format off */
static const struct flood floods[] = {
    /* 64 threads: after 10,000 of 64,000, at a warp instruction's end, the rest is not looked at */
    {"reads of what was never written", "add.s64 %rd10, %rd2, %rd5;\n" AT(10) LOOP(1000,
     "ld.global.u32 %r10, [%rd10];")
     AT(11) "ld.global.u32 %r11, [%rd10+256]; st.global.u32 [%rd0], %r11; ret;", 0x7e7e7e7e,
     {{HAZARD_uninit, 10, 0, "O", 10016, "O[0]", false}, {HAZARD_race, 11, 11, "A", 1, "already",
      true}},
     {true, false}},
    {"writes to an input", "add.s64 %rd10, %rd1, %rd5;\n" AT(10) LOOP(1000,
     "st.global.u32 [%rd10], %r20;")
     "ld.global.u32 %r10, [%rd1]; st.global.u32 [%rd0], %r10; ret;", 0,
     {{HAZARD_input_write, 10, 0, "I", 64000, "I[0]", false}, {HAZARD_race, 10, 10, "A", 1,
      "already", true}},
     {false, false}},
    {"reads beyond the end", "add.s64 %rd10, %rd0, %rd5;\n" AT(10) LOOP(1000,
     "ld.global.u32 %r10, [%rd10+1024];")
     "st.global.u32 [%rd0], %r10; ret;", 0x7e7e7e7e,
     {{HAZARD_oob, 10, 0, "A", 64000, "A[256]", false}, {HAZARD_race, 10, 10, "A", 1, "already",
      true}},
     {false, false}},
    /* warnings do not make an end of looking; what is lost comes before them */
    {"the same value again and again, then another", MINE "mov.u64 %rd12, s;\n" AT(10) LOOP(20000,
     "st.shared.u32 [%rd12], 5;")
     AT(11) "st.shared.u32 [%rd12+4], %r0; ret;", 0,
     {{HAZARD_race, 11, 11, "s", 3, "another value", false}, {HAZARD_race, 10, 10, "s", 0, "same",
      true}}, {false, false}},
};
/* clang-format on */

static void many_of_one_kind(void **state) {
  (void)state;
  static const int threads[] = {1, 2};
  for (int i = 0; i < LENGTH(floods) * LENGTH(threads); i++) {
    const struct flood *flood = &floods[i / LENGTH(threads)];
    char *ptx = NULL;
    assert_true(asprintf(&ptx, "%s%s%s%s\n}\n", SIM_HEADER, SHARED, SIM_ENTRY("k"), flood->body) >
                0);
    struct sim *sim = sim_open(ptx, threads[i % LENGTH(threads)]);
    uint64_t a = named(sim, sim_zeros(sim, WORDS * 4), "A", DEVICE_SCRATCH),
             in = named(sim, sim_zeros(sim, WORDS * 4), "I", DEVICE_INPUT),
             out = named(sim, sim_buffer(sim, NULL, WORDS * 4), "O", DEVICE_OUTPUT);
    assert_int_equal(sim_try(sim, sim_line(1, 64), a, in, out, 0), 0);
    int count = flood->expected[1].line ? 2 : 1;
    bool good = sim->hazard_count == count;
    for (int h = 0; h < count && good; h++)
      good = fits(&sim->hazards[h], &flood->expected[h]) && sim->hazards[h].more == flood->more[h];
    if (!good) sim_print_hazards(sim);
    if (!good) fail_msg("%s: not as expected", flood->name);
    uint32_t word;
    sim_read(sim, &word, a, 4);
    assert_int_equal(word, flood->first_word);
    sim_close(sim);
    free(ptx);
  }
}

/* Half a warp of block 0 misses the barrier; what its threads have not written for the others is no
 * news. Block 1 has no such excuse. */
static void after_a_missed_barrier(void **state) {
  (void)state;
  static const struct scene scenes[] = {
      {"unwritten after a missed barrier", 2, 64,
       .expected = {{HAZARD_barrier, 11, 0, "", 32, "of the same warp"},
                    {HAZARD_uninit, 12, 0, "s", 64, "block (1,0)"}},
       .body = MINE FIRST_HALF
       "setp.eq.u32 %p2, %r1, 0; and.pred %p1, %p1, %p2;" AT(10) "@%p1 bra over;" AT(
           11) "bar.sync 0;" AT(12) "over: ld.shared.u32 %r10, [%rd8]; ret;"},
  };
  PLAY(scenes);
}

/* ---- the same for any number of threads ---- */

static void same_for_any_number_of_threads(void **state) {
  (void)state;
  static const char *const bodies[] = {
      /* 1024 blocks, each writes words of its own and one of the next one's */
      SECOND_WARP OWN_A AT(10) "st.global.u32 [%rd10], %r3;" AT(
          11) "setp.eq.u32 %p1, %r0, 31; @%p1 st.global.u32 [%rd10+4], %r1; ret;",
      /* only the last block meets the first */
      OWN_A AT(10) "st.global.u32 [%rd10], %r3;" AT(
          11) "setp.eq.u32 %p1, %r1, 1023; @%p1 ld.global.u32 %r10, [%rd0]; ret;",
      /* += on one of eight counters */
      "and.b32 %r9, %r1, 7; mul.wide.u32 %rd9, %r9, 4; add.s64 %rd9, %rd9, "
      "%rd0;" AT(10) "ld.global.u32 %r10, [%rd9]; add.s32 %r10, %r10, 1;" AT(
          11) "st.global.u32 [%rd9], %r10; ret;",
  };
  enum { BLOCKS = 1024, THREADS = 32, BYTES = (BLOCKS * THREADS + 1) * 4 };
  static const int threads[] = {1, 2, 7};
  static unsigned char first[BYTES], now[BYTES];
  for (int b = 0; b < LENGTH(bodies); b++) {
    struct sim *known = NULL;
    char *ptx = NULL;
    assert_true(asprintf(&ptx, "%s%s%s\n}\n", SIM_HEADER, SIM_ENTRY("k"), bodies[b]) > 0);
    for (int t = 0; t < LENGTH(threads); t++)
      for (int round = 0; round < (threads[t] == 1 ? 1 : 20); round++) {
        struct sim *sim = sim_open(ptx, threads[t]);
        uint64_t a = named(sim, sim_zeros(sim, BYTES), "A", DEVICE_SCRATCH);
        assert_int_equal(sim_try(sim, sim_line(BLOCKS, THREADS), a, 0, 0, 0), 0);
        sim_read(sim, now, a, BYTES);
        assert_true(sim->hazard_count > 0);
        if (!known) {
          memcpy(first, now, BYTES);
          known = sim;
          continue;
        }
        assert_int_equal(sim->hazard_count, known->hazard_count);
        assert_memory_equal(sim->hazards, known->hazards, sizeof sim->hazards);
        assert_memory_equal(&sim->report.counters, &known->report.counters,
                            sizeof sim->report.counters);
        assert_memory_equal(now, first, BYTES);
        sim_close(sim);
      }
    sim_close(known);
    free(ptx);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(addresses),
      cmocka_unit_test(uninitialised_reads),
      cmocka_unit_test(races_and_none),
      cmocka_unit_test(barriers_and_ends),
      cmocka_unit_test(refusals),
      cmocka_unit_test(many_of_one_kind),
      cmocka_unit_test(after_a_missed_barrier),
      cmocka_unit_test(same_for_any_number_of_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
