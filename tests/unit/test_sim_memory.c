/* test_sim_memory.c: memory as the runtime sees it (allocations, copies, symbols) and as kernels
 * do: all spaces, vectors and narrow accesses, generic addresses, parameters, local arrays,
 * atomics, shuffles, votes, reductions over a barrier, special registers, printf. */
#include "sim_device.h"

/* Runs a kernel whose threads store to p0 by %rd0 + 4 * thread and gets the words. */
static void run_words(const char *text, unsigned blocks, unsigned threads, const void *in,
                      size_t in_bytes, uint32_t *out, size_t words) {
  struct sim *sim = sim_open(text, 2);
  uint64_t to = sim_zeros(sim, words * 4), from = in_bytes ? sim_buffer(sim, in, in_bytes) : 0;
  sim_run(sim, blocks, threads, to, from, 0, 0);
  sim_read(sim, out, to, words * 4);
  sim_close(sim);
}

static void expect_word(const char *what, uint32_t thread, uint32_t got, uint32_t right) {
  if (got != right) fail_msg("%s, thread %u: 0x%x, not 0x%x", what, thread, got, right);
}

/* ---- the runtime's side ---- */

static void allocations_and_copies(void **state) {
  (void)state;
  struct sim *sim = sim_open_bare((struct device_options){.threads = 1});
  unsigned char bytes[300], back[300];
  size_t free_before, free_now, total;
  uint64_t a, b, none = 1;
  for (int i = 0; i < 300; i++) bytes[i] = (unsigned char)(i * 7);
  assert_int_equal(device_memory_info(sim->device, &free_before, &total), 0);
  a = sim_buffer(sim, bytes, sizeof bytes), b = sim_zeros(sim, sizeof bytes);
  assert_int_equal(a % 256, 0);
  assert_true(device_owns(a) && device_owns(b + 299) && !device_owns(4096) &&
              !device_owns((uint64_t)(uintptr_t)bytes));
  assert_int_equal(device_memory_info(sim->device, &free_now, &total), 0);
  assert_int_equal(free_before - free_now, 600);
  assert_int_equal(device_copy(sim->device, b + 10, a + 20, 100), 0);
  assert_int_equal(device_copy(sim->device, a + 5, a, 50), 0); /* overlapping */
  assert_int_equal(device_fill(sim->device, b + 200, 0xee, 7), 0);
  sim_read(sim, back, b, sizeof back);
  for (int i = 0; i < 300; i++)
    assert_int_equal(back[i], i >= 10 && i < 110 ? bytes[i + 10] : i >= 200 && i < 207 ? 0xee : 0);
  sim_read(sim, back, a, sizeof back);
  assert_memory_equal(back + 5, bytes, 50);
  /* what does not lie inside one allocation */
  assert_int_equal(device_read(sim->device, back, a + 299, 2), 1);
  assert_int_equal(device_write(sim->device, a - 1, back, 1), 1);
  assert_int_equal(device_fill(sim->device, b + 300, 0, 1), 1);
  assert_int_equal(device_copy(sim->device, a, b + 299, 2), 1);
  assert_int_equal(device_write(sim->device, 4096, back, 1), 1);
  assert_int_equal(device_read(sim->device, back, a + 300, 0), 0);
  assert_int_equal(device_free(sim->device, a + 4), 1);
  assert_int_equal(device_free(sim->device, 0), 0);
  assert_int_equal(device_free(sim->device, a), 0);
  assert_int_equal(device_free(sim->device, a), 1);
  assert_int_equal(device_read(sim->device, back, a, 1), 1);
  assert_int_equal(device_malloc(sim->device, total * 2, (struct source_place){0}, &none), 2);
  assert_int_equal(none, 0);
  assert_int_equal(device_malloc(sim->device, 0, (struct source_place){0}, &none), 0);
  assert_int_equal(none, 0);
  assert_int_equal(device_error(sim->device), 0); /* none of these is sticky */
  sim_close(sim);
}

/* clang-format off */
static const char variables[] = SIM_KERNEL(
    ".const .align 4 .b8 table[12] = {1, 0, 0, 0, 2, 1, 0, 0, 255, 255, 255, 255};\n"
    ".global .align 4 .u32 counter = 40;\n.global .align 8 .f64 half = 0d3FE0000000000000;\n"
    ".global .align 4 .u32 zeros[8];\n",
    "mov.u64 %rd10, table; rem.u32 %r10, %r0, 3; mul.wide.u32 %rd11, %r10, 4; add.s64 %rd10, "
    "%rd10, %rd11;\n"
    "ld.const.u32 %r11, [%rd10]; ld.const.u8 %r12, [table+5]; add.s32 %r11, %r11, %r12;\n"
    "ld.global.u32 %r13, [counter]; add.s32 %r11, %r11, %r13; ld.global.u32 %r14, [zeros+28]; "
    "add.s32 %r11, %r11, %r14;\n"
    "add.s64 %rd0, %rd0, %rd4; st.global.u32 [%rd0], %r11;\n"
    "setp.ne.s32 %p1, %r0, 0; @%p1 bra over; st.global.u32 [zeros], 99; ld.global.f64 %fd1, "
    "[half];\n"
    "add.f64 %fd1, %fd1, %fd1; st.global.f64 [half], %fd1; over: ret;");
/* clang-format on */

static void symbols_and_their_values(void **state) {
  (void)state;
  struct sim *sim = sim_open(variables, 1);
  uint64_t address, zeros, table, half, out = sim_zeros(sim, 256);
  size_t bytes;
  uint32_t got[64], fresh[3] = {10, 20, 30}, value = 50;
  double one;
  assert_int_equal(device_get_symbol(sim->device, sim->module, "counter", &address, &bytes), 0);
  assert_int_equal(bytes, 4);
  assert_int_equal(device_get_symbol(sim->device, sim->module, "zeros", &zeros, &bytes), 0);
  assert_int_equal(bytes, 32);
  assert_int_equal(device_get_symbol(sim->device, sim->module, "table", &table, &bytes), 0);
  assert_int_equal(device_get_symbol(sim->device, sim->module, "half", &half, &bytes), 0);
  assert_int_equal(device_get_symbol(sim->device, sim->module, "k", &address, &bytes), 13);
  assert_int_equal(device_get_symbol(sim->device, sim->module + 1, "counter", &zeros, &bytes), 13);
  assert_int_equal(device_get_symbol(sim->device, sim->module, "counter", &address, &bytes), 0);
  sim_run(sim, 1, 64, out, 0, 0, 0);
  sim_read(sim, got, out, 256);
  for (uint32_t t = 0; t < 64; t++)
    expect_word("first", t, got[t], (uint32_t[]){1, 258, ~0u}[t % 3] + 41);
  sim_read(sim, &value, zeros, 4);
  assert_int_equal(value, 99);
  sim_read(sim, &one, half, 8);
  assert_true(one == 1.0);
  value = 50;
  assert_int_equal(device_write(sim->device, address, &value, 4), 0);
  assert_int_equal(device_write(sim->device, table, fresh, 12), 0);
  sim_run(sim, 1, 64, out, 0, 0, 0);
  sim_read(sim, got, out, 256);
  for (uint32_t t = 0; t < 64; t++) expect_word("then", t, got[t], fresh[t % 3] + 50);
  sim_close(sim);
}

/* ---- widths, vectors, spaces ---- */

static void narrow_loads_extend_and_vectors_keep_order(void **state) {
  (void)state;
  /* 16 bytes a thread in, 20 words a thread out, by way of shared and local memory */
  static const char text[] = SIM_KERNEL(
      ".shared .align 16 .b8 s[1024];\n",
      ".local .align 16 .b8 mine[16];\n"
      "mul.wide.u32 %rd10, %r3, 16; add.s64 %rd11, %rd1, %rd10; mul.wide.u32 %rd12, %r3, 80; "
      "add.s64 %rd13, %rd0, %rd12;\n"
      "mov.u64 %rd14, s; mul.wide.u32 %rd15, %r0, 16; add.s64 %rd14, %rd14, %rd15;\n"
      "ld.global.s8 %r10, [%rd11+1]; ld.global.u8 %r11, [%rd11+1]; ld.global.s16 %r12, [%rd11+2]; "
      "ld.global.u16 %r13, [%rd11+2];\n"
      "ld.global.s32 %rd20, [%rd11+4]; ld.global.u32 %rd21, [%rd11+4]; ld.global.s8 %rs1, "
      "[%rd11+3]; cvt.s32.s16 %r14, %rs1;\n"
      "st.global.v4.u32 [%rd13], {%r10, %r11, %r12, %r13}; st.global.u64 [%rd13+16], %rd20; "
      "st.global.u64 [%rd13+24], %rd21;\n"
      "ld.global.nc.v4.u32 {%r20, %r21, %r22, %r23}, [%rd11]; st.shared.v4.u32 [%rd14], {%r23, "
      "%r22, %r21, %r20};\n"
      "ld.shared.v2.u64 {%rd22, %rd23}, [%rd14]; st.global.v2.u64 [%rd13+32], {%rd23, %rd22};\n"
      "ld.shared.v4.u8 {%rs3, %rs4, %rs5, %rs6}, [%rd14+4]; st.global.v4.u8 [%rd13+48], {%rs6, "
      "%rs5, %rs4, %rs3};\n"
      "st.global.u32 [%rd13+52], %r14;\n"
      "st.local.v2.u32 [mine+8], {%r20, %r21}; st.local.u16 [mine], %r22; st.local.u8 [mine+2], "
      "%r23; st.local.u8 [mine+3], %r20;\n"
      "ld.local.u32 %r24, [mine]; ld.local.s8 %r25, [mine+2]; ld.local.v2.u16 {%rs7, %rs8}, "
      "[mine+12]; mov.b32 %r26, {%rs7, %rs8};\n"
      "st.global.v2.u32 [%rd13+56], {%r24, %r25}; st.global.u32 [%rd13+64], %r26;\n"
      "st.global.u8 [%rd13+68], %r20; st.global.u8 [%rd13+69], %r21; st.global.u16 [%rd13+70], "
      "%r22;\n"
      "ld.global.v2.f32 {%f1, %f2}, [%rd11]; st.global.v2.f32 [%rd13+72], {%f2, %f1}; ret;");
  enum { THREADS = 64 };
  uint32_t in[THREADS * 4], out[THREADS * 20];
  struct sim_random random = {5};
  for (int i = 0; i < LENGTH(in); i++) in[i] = (uint32_t)sim_next(&random);
  run_words(text, 2, THREADS / 2, in, sizeof in, out, LENGTH(out));
  for (uint32_t t = 0; t < THREADS; t++) {
    const uint32_t *w = in + 4 * t;
    uint32_t b1 = w[0] >> 8 & 255, h1 = w[0] >> 16, w2 = w[2];
    uint32_t local = (w2 & 0xffff) | (w[3] & 255) << 16 | w[0] << 24;
    uint32_t right[20] = {(uint32_t)(int8_t)b1,
                          b1,
                          (uint32_t)(int16_t)h1,
                          h1,
                          w[1],
                          w[1] >> 31 ? ~0u : 0,
                          w[1],
                          0,
                          w[1],
                          w[0],
                          w[3],
                          w[2],
                          __builtin_bswap32(w2),
                          (uint32_t)(int8_t)(w[0] >> 24),
                          local,
                          (uint32_t)(int8_t)w[3],
                          w[1],
                          (w[0] & 255) | (w[1] & 255) << 8 | (w2 & 0xffff) << 16,
                          w[1],
                          w[0]};
    for (uint32_t i = 0; i < 20; i++)
      if (out[20 * t + i] != right[i])
        fail_msg("thread %u, word %u: 0x%x, not 0x%x", t, i, out[20 * t + i], right[i]);
  }
}

/* Lanes of one instruction in shared, local and global memory, in two arrays of each. */
static void generic_addresses_mix_spaces(void **state) {
  (void)state;
  static const char text[] = SIM_KERNEL(
      ".shared .align 4 .b8 s[256];\n.shared .align 4 .b8 t[256];\n.global .align 4 .b8 g[256];\n",
      ".local .align 4 .b8 mine[16];\n"
      "mov.u64 %rd10, s; cvta.shared.u64 %rd10, %rd10; add.s64 %rd10, %rd10, %rd5;\n"
      "mov.u64 %rd11, t; cvta.shared.u64 %rd11, %rd11; add.s64 %rd11, %rd11, %rd5;\n"
      "mov.u64 %rd12, mine; cvta.local.u64 %rd12, %rd12; add.s64 %rd12, %rd12, 8;\n"
      "mov.u64 %rd13, g; cvta.global.u64 %rd13, %rd13; add.s64 %rd13, %rd13, %rd5; add.s64 %rd14, "
      "%rd1, %rd5;\n"
      "rem.u32 %r10, %r0, 5; setp.eq.s32 %p1, %r10, 0; setp.eq.s32 %p2, %r10, 1; setp.eq.s32 %p3, "
      "%r10, 2; setp.eq.s32 %p4, %r10, 3;\n"
      "mov.u64 %rd20, %rd14; @%p1 mov.u64 %rd20, %rd10; @%p2 mov.u64 %rd20, %rd11; "
      "@%p3 mov.u64 %rd20, %rd12; @%p4 mov.u64 %rd20, %rd13;\n"
      "add.s32 %r11, %r0, 1000; st.u32 [%rd20], %r11; ld.u32 %r12, [%rd20];\n"
      "isspacep.shared %p5, %rd20; isspacep.local %p6, %rd20; isspacep.global %p7, %rd20;\n"
      "selp.u32 %r13, 0x10000, 0, %p5; selp.u32 %r14, 0x20000, 0, %p6; selp.u32 %r15, 0x40000, 0, "
      "%p7;\n"
      "add.s32 %r12, %r12, %r13; add.s32 %r12, %r12, %r14; add.s32 %r12, %r12, %r15;\n"
      "@!%p3 atom.add.u32 %r16, [%rd20], 5; @%p3 mov.u32 %r16, %r11; add.s32 %r12, %r12, %r16;\n"
      "mov.u64 %rd21, t; add.s64 %rd21, %rd21, %rd5; mov.u32 %r17, 0; @%p2 ld.shared.u32 %r17, "
      "[%rd21]; add.s32 %r12, %r12, %r17;\n"
      "cvta.to.shared.u64 %rd22, %rd10; @%p1 ld.shared.u32 %r17, [%rd22]; @%p1 add.s32 %r12, "
      "%r12, %r17;\n"
      "@%p3 ld.local.u32 %r17, [mine+8]; @%p3 add.s32 %r12, %r12, %r17;\n"
      "add.s64 %rd0, %rd0, %rd5; st.global.u32 [%rd0], %r12; ret;");
  uint32_t in[64] = {0}, out[64];
  run_words(text, 1, 64, in, sizeof in, out, 64);
  for (uint32_t t = 0; t < 64; t++) {
    uint32_t v = t + 1000, space = t % 5;
    uint32_t again = space < 2 ? v + 5 : space == 2 ? v : 0;
    expect_word("generic", t, out[t],
                v + v + again +
                    (space < 2    ? 0x10000
                     : space == 2 ? 0x20000
                                  : 0x40000));
  }
}

/* A struct by value: fields by name, and an array in it by a number that each lane has for itself.
 */
static void parameters_by_value(void **state) {
  (void)state;
  static const char text[] = SIM_HEADER
      ".visible .entry k(.param .align 8 .b8 p0[40], .param .u8 p1, .param .f64 p2, "
      ".param .u64 p3)\n{\n" SIM_REGISTERS
      "mov.u32 %r0, %tid.x; ld.param.u64 %rd0, [p0+32]; mul.wide.u32 %rd1, %r0, 16; add.s64 %rd0, "
      "%rd0, %rd1;\n"
      "mov.b64 %rd2, p0; rem.u32 %r1, %r0, 7; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd2, %rd2, "
      "%rd3; ld.param.u32 %r2, [%rd2+4];\n"
      "ld.param.s8 %r3, [p1]; ld.param.f64 %fd1, [p2]; cvt.rzi.s32.f64 %r4, %fd1; "
      "ld.param.v2.u32 {%r5, %r6}, [p3];\n"
      "add.s32 %r5, %r5, %r6; st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5}; ret;\n}\n";
  struct sim *sim = sim_open(text, 1);
  struct {
    uint32_t numbers[8];
    uint64_t out;
    signed char c;
    double d;
    uint32_t pair[2];
  } params = {{9, 10, 20, 30, 40, 50, 60, 70}, sim_zeros(sim, 640), -5, -123.75, {3, 4}};
  struct kernel_info info;
  assert_int_equal(device_get_kernel(sim->device, sim->module, "k", &info), 0);
  assert_int_equal(info.param_count, 4);
  assert_int_equal(info.param_bytes, sizeof params);
  assert_int_equal(info.params[1].offset, 40);
  assert_int_equal(info.params[2].offset, 48);
  assert_int_equal(info.params[0].size, 40);
  assert_int_equal(sim_try_params(sim, "k", sim_line(1, 40), &params), 0);
  assert_int_equal(sim->hazard_count, 0);
  uint32_t got[40][4];
  sim_read(sim, got, params.out, sizeof got);
  for (uint32_t t = 0; t < 40; t++) {
    expect_word("array", t, got[t][0], 10 * (t % 7 + 1));
    expect_word("char", t, got[t][1], (uint32_t)-5);
    expect_word("double", t, got[t][2], (uint32_t)-123);
    expect_word("pair", t, got[t][3], 7);
  }
  assert_int_equal(device_get_kernel(sim->device, sim->module, "nobody", &info), 98);
  sim_close(sim);
}

/* A load onto its own address, of lanes in and out of bounds. */
static void pointer_chase_past_the_end(void **state) {
  (void)state;
  struct sim *sim = sim_open(SIM_KERNEL("",
                                        "mov.u64 %rd10, %rd3; setp.ge.u32 %p1, %r0, 8; "
                                        "mul.wide.u32 %rd11, %r0, 8;\n"
                                        "@%p1 add.s64 %rd10, %rd1, %rd11; "
                                        "ld.global.u64 %rd10, [%rd10];\n"
                                        "@!%p1 mov.u64 %rd10, 0; mul.wide.u32 %rd12, %r0, 8; "
                                        "add.s64 %rd0, %rd0, %rd12;\n"
                                        "st.global.u64 [%rd0], %rd10; ret;"),
                             1);
  uint64_t in[32], got[32], from, to = sim_zeros(sim, sizeof got);
  for (uint64_t i = 0; i < 32; i++) in[i] = i * 1000;
  from = sim_buffer(sim, in, sizeof in);
  assert_int_equal(sim_try(sim, sim_line(1, 32), to, from, 0, from + 256),
                   0); /* lanes 0 to 7: just past the end */
  assert_int_equal(sim->hazard_count, 1);
  assert_int_equal(sim->hazards[0].kind, HAZARD_oob);
  assert_int_equal(sim->hazards[0].count, 8);
  sim_read(sim, got, to, sizeof got);
  for (uint64_t i = 0; i < 32; i++) assert_int_equal(got[i], i < 8 ? 0 : i * 1000);
  sim_close(sim);
}

/* What a kernel reads from a local array or a register before it writes there must not depend on
 * what ran before. */
static void what_was_never_written_is_the_same_for_any_number_of_threads(void **state) {
  (void)state;
  static const char text[] = SIM_KERNEL(
      ".func (.param .b32 r) f(.param .b32 a)\n{\n.local .align 4 .b8 own[16]; .reg .b32 %r<4>; "
      "ld.param.u32 %r1, [a];\n"
      "ld.local.u32 %r2, [own+8]; st.local.u32 [own+8], %r1; st.param.b32 [r], %r2; ret;\n}\n",
      ".local .align 4 .b8 mine[16];\n"
      "ld.local.u32 %r10, [mine+4]; st.local.u32 [mine+4], %r3; mul.wide.u32 %rd10, %r3, 8; "
      "add.s64 %rd0, %rd0, %rd10;\n"
      "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r3; call.uni (b), f, (a); "
      "ld.param.b32 %r11, [b]; }\n"
      "setp.eq.s32 %p1, %r0, 99; @%p1 mov.u32 %r50, 1; xor.b32 %r10, %r10, %r50; mov.u32 %r51, "
      "%r3; mov.u32 %r52, %r3;\n"
      "mul.wide.u32 %rd11, %r3, 16; add.s64 %rd2, %rd2, %rd11; st.global.v4.u32 [%rd2], {%r51, "
      "%r52, %r51, %r52}; st.global.v2.u32 [%rd0], {%r10, %r11}; ret;");
  enum { BLOCKS = 40, THREADS = 32 };
  uint32_t first[BLOCKS * THREADS * 2], got[BLOCKS * THREADS * 2];
  for (int run = 0; run < 3; run++) {
    struct sim *sim = sim_open(text, (int[]){1, 2, 7}[run]);
    uint64_t to = sim_zeros(sim, sizeof got), own = sim_zeros(sim, sizeof got * 2);
    sim_run(sim, BLOCKS, THREADS, to, 0, own, 0);
    sim_read(sim, got, to, sizeof got);
    if (run == 0) memcpy(first, got, sizeof got);
    for (int i = 0; i < LENGTH(got); i++)
      if (got[i] != first[i % (2 * THREADS)])
        fail_msg("run %d, word %d: 0x%x, not 0x%x", run, i, got[i], first[i % (2 * THREADS)]);
    sim_close(sim);
  }
}

/* ---- atomics ---- */

static uint64_t atomic_result(const char *op, bool is_signed, int bits, uint64_t old, uint64_t b,
                              uint64_t c) {
  uint64_t mask = bits == 64 ? ~UINT64_C(0) : 0xffffffff;
  old &= mask, b &= mask, c &= mask;
  int64_t so = bits == 64 ? (int64_t)old : (int32_t)old, sb = bits == 64 ? (int64_t)b : (int32_t)b;
  bool less = is_signed ? so < sb : old < b;
  if (strcmp(op, "add") == 0) return (old + b) & mask;
  if (strcmp(op, "exch") == 0) return b;
  if (strcmp(op, "cas") == 0) return old == b ? c : old;
  if (strcmp(op, "min") == 0) return less ? old : b;
  if (strcmp(op, "max") == 0) return less ? b : old;
  if (strcmp(op, "inc") == 0) return old >= b ? 0 : old + 1;
  if (strcmp(op, "dec") == 0) return old == 0 || old > b ? b : old - 1;
  if (strcmp(op, "and") == 0) return old & b;
  if (strcmp(op, "or") == 0) return old | b;
  return old ^ b;
}

/* Each thread's atomic on a word of its own, value and old value, in both spaces and generic. */
static void atomics_of_every_kind(void **state) {
  (void)state;
  static const struct {
    const char *op, *types;
  } kinds[] = {{"add", "u32 s32 u64"},
               {"exch", "b32 b64"},
               {"cas", "b32 b64"},
               {"min", "u32 s32 u64 s64"},
               {"max", "u32 s32 u64 s64"},
               {"inc", "u32"},
               {"dec", "u32"},
               {"and", "b32 b64"},
               {"or", "b32 b64"},
               {"xor", "b32 b64"}};
  static const uint64_t edges[] = {
      0, 1,         ~UINT64_C(0), 0x7fffffff, 0x80000000, 0x8000000000000000, 0x7fffffffffffffff,
      5, 0xffffffff};
  static char text[8192];
  enum { THREADS = 96 };
  uint64_t in[THREADS][3], got[THREADS][6];
  struct sim_random random = {9};
  for (int t = 0; t < THREADS; t++)
    for (int i = 0; i < 3; i++)
      in[t][i] = t < 81 ? edges[i == 0 ? t / 9 : t % 9] : sim_next(&random);
  for (int t = 0; t < THREADS; t++) in[t][2] ^= 0x1234567812345678;
  for (int k = 0; k < LENGTH(kinds); k++)
    for (const char *type = kinds[k].types; *type; type += strlen(type) > 3 ? 4 : 3) {
      int bits = type[1] == '6' ? 64 : 32;
      const char *r = bits == 64 ? "%rd" : "%r";
      char third[16] = "";
      if (strcmp(kinds[k].op, "cas") == 0) snprintf(third, sizeof third, ", %s33", r);
      snprintf(text, sizeof text,
               "%s.shared .align 8 .b8 s[768];\n"
               ".visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, "
               ".param .u64 p3)\n{\n%s%s"
               "mul.wide.u32 %%rd10, %%r0, 24; add.s64 %%rd10, %%rd10, %%rd1; "
               "mul.wide.u32 %%rd11, %%r0, 48; add.s64 %%rd11, %%rd11, %%rd0;\n"
               "mov.u64 %%rd12, s; mul.wide.u32 %%rd13, %%r0, 8; add.s64 %%rd12, %%rd12, %%rd13; "
               "cvta.shared.u64 %%rd14, %%rd12;\n"
               "ld.global.u%d %s31, [%%rd10]; ld.global.u%d %s32, [%%rd10+8]; ld.global.u%d %s33, "
               "[%%rd10+16];\n"
               "st.global.u64 [%%rd11], 0; st.global.u%d [%%rd11], %s31; st.shared.u%d [%%rd12], "
               "%s31;\n"
               "atom.global.%s.%.3s %s34, [%%rd11], %s32%s; st.global.u%d [%%rd11+8], %s34;\n"
               "atom.shared.%s.%.3s %s35, [%%rd12], %s32%s; st.global.u%d [%%rd11+16], %s35; "
               "ld.shared.u%d %s36, [%%rd12]; st.global.u%d [%%rd11+24], %s36;\n"
               "atom.%s.%.3s %s37, [%%rd14], %s32%s; ld.shared.u%d %s38, [%%rd12]; "
               "st.global.u%d [%%rd11+32], %s38; st.global.u%d [%%rd11+40], %s37; ret;\n}\n",
               SIM_HEADER, SIM_REGISTERS, SIM_PROLOGUE, bits, r, bits, r, bits, r, bits, r, bits, r,
               kinds[k].op, type, r, r, third, bits, r, kinds[k].op, type, r, r, third, bits, r,
               bits, r, bits, r, kinds[k].op, type, r, r, third, bits, r, bits, r, bits, r);
      struct sim *sim = sim_open(text, 1);
      uint64_t from = sim_buffer(sim, in, sizeof in), to = sim_zeros(sim, sizeof got),
               mask = bits == 64 ? ~UINT64_C(0) : 0xffffffff;
      sim_run(sim, 1, THREADS, to, from, 0, 0);
      sim_read(sim, got, to, sizeof got);
      for (int t = 0; t < THREADS; t++) {
        uint64_t once =
            atomic_result(kinds[k].op, type[0] == 's', bits, in[t][0], in[t][1], in[t][2]);
        uint64_t twice = atomic_result(kinds[k].op, type[0] == 's', bits, once, in[t][1], in[t][2]);
        uint64_t right[6] = {once, in[t][0] & mask, in[t][0] & mask, once, twice, once};
        for (int i = 0; i < 6; i++)
          if (got[t][i] != right[i])
            fail_msg("%s.%.3s, thread %d, result %d: 0x%llx, not 0x%llx", kinds[k].op, type, t, i,
                     (unsigned long long)got[t][i], (unsigned long long)right[i]);
      }
      sim_close(sim);
    }
}

static void many_blocks_add_up_the_same_for_any_number_of_threads(void **state) {
  (void)state;
  static const char text[] = SIM_KERNEL(
      ".shared .align 8 .b8 s[16];\n",
      "setp.ne.s32 %p1, %r0, 0; @%p1 bra go; st.shared.v2.u32 [s], {0, 0}; st.shared.f64 [s+8], "
      "0d0000000000000000; go: bar.sync 0;\n"
      "cvt.rn.f32.u32 %f1, %r3; mul.f32 %f1, %f1, 0f3DCCCCCD; cvt.f64.f32 %fd1, %f1;\n"
      "red.shared.add.u32 [s], %r3; red.shared.add.f32 [s+4], %f1; atom.shared.add.f64 %fd2, "
      "[s+8], %fd1; bar.sync 0;\n"
      "@%p1 ret; ld.shared.v2.f32 {%f2, %f3}, [s]; mov.b32 %r10, %f2; ld.shared.f64 %fd3, [s+8];\n"
      "red.global.add.u32 [%rd0], %r10; red.global.add.f32 [%rd0+4], %f3; "
      "red.global.add.f64 [%rd0+8], %fd3;\n"
      "red.global.max.u32 [%rd0+16], %r1; red.global.xor.b32 [%rd0+20], %r10; "
      "atom.global.inc.u32 %r11, [%rd0+24], 1000000;\n"
      "atom.global.cas.b32 %r12, [%rd0+28], 0, %r1; ret;");
  unsigned char first[32], got[32];
  float sum = 0;
  double sum64 = 0;
  uint32_t whole = 0, words[8];
  enum { BLOCKS = 50, THREADS = 96 };
  for (uint32_t b = 0; b < BLOCKS; b++) {
    float part = 0;
    double part64 = 0;
    for (uint32_t t = 0; t < THREADS; t++) {
      float f = (float)(b * THREADS + t) * 0.1f;
      part += f, part64 += (double)f, whole += b * THREADS + t;
    }
    sum += part, sum64 += part64;
  }
  for (int run = 0; run < 6; run++) {
    struct sim *sim = sim_open(text, (int[]){1, 2, 7}[run % 3]);
    uint64_t to = sim_zeros(sim, 32);
    sim_run(sim, BLOCKS, THREADS, to, 0, 0, 0);
    sim_read(sim, got, to, 32);
    if (run == 0) memcpy(first, got, 32);
    assert_memory_equal(got, first, 32);
    sim_close(sim);
  }
  memcpy(words, first, 32);
  assert_int_equal(words[0], whole);
  assert_memory_equal(&words[1], &sum, 4);
  assert_memory_equal(&words[2], &sum64, 8);
  assert_int_equal(words[4], BLOCKS - 1);
  assert_int_equal(words[6], BLOCKS);
  assert_int_equal(words[7], 1); /* 0 of the first block counts as nothing */
}

/* ---- across lanes ---- */

static void shuffles_in_all_modes_and_widths(void **state) {
  (void)state;
  static const char *const modes[] = {"up", "down", "bfly", "idx"};
  static char text[4096];
  for (int mode = 0; mode < 4; mode++)
    for (int width = 1; width <= 32; width *= 2) {
      unsigned c = (32u - (unsigned)width) << 8 | (mode == 0 ? 0 : 31);
      snprintf(text, sizeof text,
               "%s.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, "
               ".param .u64 p3)\n{\n%s%s"
               "add.s64 %%rd0, %%rd0, %%rd4; add.s64 %%rd1, %%rd1, %%rd4; ld.global.u32 %%r10, "
               "[%%rd1]; add.s32 %%r11, %%r0, 500;\n"
               "mov.u32 %%r12, 7; setp.lt.s32 %%p1, %%r4, 21; setp.ne.s32 %%p2, %%r4, 0; "
               "and.pred %%p1, %%p1, %%p2;\n"
               "@!%%p1 bra over; shfl.sync.%s.b32 %%r12|%%p3, %%r11, %%r10, %u, 0x001ffffe; "
               "@%%p3 add.s32 %%r12, %%r12, 10000;\n"
               "over: st.global.u32 [%%rd0], %%r12; ret;\n}\n",
               SIM_HEADER, SIM_REGISTERS, SIM_PROLOGUE, modes[mode], c);
      uint32_t in[64], out[64];
      struct sim_random random = {(uint64_t)mode * 100 + (uint64_t)width};
      for (uint32_t t = 0; t < 64; t++) in[t] = sim_below(&random, 40);
      run_words(text, 1, 64, in, sizeof in, out, 64);
      for (int t = 0; t < 64; t++) {
        int lane = t % 32, by = (int)(in[t] & 31), low = lane / width * width,
            high = low + width - 1, from = 0;
        if (lane < 1 || lane > 20) {
          expect_word("left out", (uint32_t)t, out[t], 7);
          continue;
        }
        bool inside = true;
        switch (mode) {
          case 0:
            from = lane - by, inside = from >= low;
            break;
          case 1:
            from = lane + by, inside = from <= high;
            break;
          case 2:
            from = lane ^ by, inside = from <= high;
            break;
          default:
            from = low + by % width;
        }
        if (!inside) from = lane;
        if (from < 1 || from > 20) continue; /* a lane that is not there: undefined */
        expect_word(modes[mode], (uint32_t)t, out[t],
                    (uint32_t)(t / 32 * 32 + from) + 500 + (inside ? 10000 : 0));
      }
    }
}

static void votes_and_reductions(void **state) {
  (void)state;
  /* p1: odd threads; lanes from 8 on take the branch */
  static const char text[] = SIM_KERNEL(
      "",
      "mul.wide.u32 %rd10, %r3, 32; add.s64 %rd0, %rd0, %rd10; and.b32 %r10, %r0, 1; "
      "setp.eq.s32 %p1, %r10, 1; setp.lt.s32 %p9, %r4, 100;\n"
      "mov.u32 %r11, 0; mov.u32 %r12, 0; mov.u32 %r13, 0; setp.lt.s32 %p8, %r4, 8; @%p8 bra over;\n"
      "vote.sync.ballot.b32 %r11, %p1, 0xffffff00; activemask.b32 %r12; vote.sync.any.pred %p2, "
      "%p1, 0xffffff00;\n"
      "vote.sync.all.pred %p3, %p1, 0xffffff00; vote.sync.all.pred %p4, %p9, 0xffffff00; "
      "vote.sync.any.pred %p5, !%p9, 0xffffff00;\n"
      "vote.sync.uni.pred %p6, %p1, 0xffffff00; vote.sync.uni.pred %p7, %p9, 0xffffff00;\n"
      "selp.u32 %r13, 1, 0, %p2; @%p3 add.s32 %r13, %r13, 2; @%p4 add.s32 %r13, %r13, 4; "
      "@%p5 add.s32 %r13, %r13, 8;\n"
      "@%p6 add.s32 %r13, %r13, 16; @%p7 add.s32 %r13, %r13, 32; vote.sync.uni.pred %p7, %p8, "
      "0xffffff00;\n"
      "@%p7 add.s32 %r13, %r13, 64;\n"
      "over: setp.lt.s32 %p10, %r0, 50; bar.red.popc.u32 %r14, 0, %p10; bar.red.and.pred %p11, 0, "
      "%p10; bar.red.or.pred %p12, 0, %p10;\n"
      "bar.red.and.pred %p13, 0, %p9; bar.red.or.pred %p14, 0, !%p9; bar.red.popc.u32 %r16, 0, "
      "!%p10;\n"
      "selp.u32 %r15, 1, 0, %p11; @%p12 add.s32 %r15, %r15, 2; @%p13 add.s32 %r15, %r15, 4; "
      "@%p14 add.s32 %r15, %r15, 8;\n"
      "st.global.v4.u32 [%rd0], {%r11, %r12, %r13, %r14}; st.global.v2.u32 [%rd0+16], {%r15, "
      "%r16}; ret;");
  uint32_t out[70][8];
  run_words(text, 1, 70, NULL, 0, out[0], 70 * 8);
  for (uint32_t t = 0; t < 70; t++) {
    bool in = t % 32 >= 8;
    expect_word("ballot", t, out[t][0], in ? 0xaaaaaa00 : 0);
    expect_word("activemask", t, out[t][1], in ? 0xffffff00 : 0);
    expect_word("votes", t, out[t][2], in ? 1 + 4 + 32 + 64 : 0);
    expect_word("popc", t, out[t][3], 50);
    expect_word("and, or", t, out[t][4], 2 + 4);
    expect_word("popc of the opposite", t, out[t][5], 20);
  }
}

static void special_registers(void **state) {
  (void)state;
  static const char *const names[] = {
      "%tid.x",       "%tid.y",       "%tid.z",       "%ntid.x",      "%ntid.y",
      "%ntid.z",      "%ctaid.x",     "%ctaid.y",     "%ctaid.z",     "%nctaid.x",
      "%nctaid.y",    "%nctaid.z",    "%laneid",      "%warpid",      "%nwarpid",
      "%lanemask_eq", "%lanemask_lt", "%lanemask_le", "%lanemask_gt", "%lanemask_ge"};
  static char text[8192];
  enum { COUNT = LENGTH(names), X = 5, Y = 3, Z = 4, GX = 3, GY = 2, GZ = 2 };
  int n = snprintf(text, sizeof text,
                   "%s.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, "
                   ".param .u64 p3)\n{\n%s"
                   "mov.u32 %%r1, %%tid.z; mov.u32 %%r2, %%tid.y; mov.u32 %%r3, %%tid.x; "
                   "mad.lo.s32 %%r4, %%r1, %d, %%r2;\n"
                   "mad.lo.s32 %%r4, %%r4, %d, %%r3; mov.u32 %%r5, %%ctaid.z; mov.u32 %%r6, "
                   "%%ctaid.y; mov.u32 %%r7, %%ctaid.x;\n"
                   "mad.lo.s32 %%r8, %%r5, %d, %%r6; mad.lo.s32 %%r8, %%r8, %d, %%r7; "
                   "mad.lo.s32 %%r8, %%r8, %d, %%r4;\n"
                   "ld.param.u64 %%rd1, [p0]; mul.wide.u32 %%rd2, %%r8, %d; add.s64 %%rd1, %%rd1, "
                   "%%rd2;\n",
                   SIM_HEADER, SIM_REGISTERS, Y, X, GY, GX, X * Y * Z, 4 * COUNT);
  for (int i = 0; i < COUNT; i++)
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "mov.u32 %%r9, %s; st.global.u32 [%%rd1+%d], "
                  "%%r9;\n",
                  names[i], 4 * i);
  snprintf(text + n, sizeof text - (size_t)n, "ret;\n}\n");
  static uint32_t got[GX * GY * GZ][X * Y * Z][COUNT];
  struct sim *sim = sim_open(text, 2);
  uint64_t to = sim_zeros(sim, sizeof got);
  assert_int_equal(sim_try(sim, (struct sim_shape){{GX, GY, GZ}, {X, Y, Z}, 0}, to, 0, 0, 0), 0);
  assert_int_equal(sim->hazard_count, 0);
  sim_read(sim, got, to, sizeof got);
  for (uint32_t b = 0; b < GX * GY * GZ; b++)
    for (uint32_t t = 0; t < X * Y * Z; t++) {
      uint32_t lane = t % 32, bit = 1u << lane;
      uint32_t right[COUNT] = {t % X,
                               t / X % Y,
                               t / X / Y,
                               X,
                               Y,
                               Z,
                               b % GX,
                               b / GX % GY,
                               b / GX / GY,
                               GX,
                               GY,
                               GZ,
                               lane,
                               t / 32,
                               2,
                               bit,
                               bit - 1,
                               bit | (bit - 1),
                               ~(bit | (bit - 1)),
                               ~(bit - 1)};
      for (int i = 0; i < COUNT; i++)
        if (got[b][t][i] != right[i])
          fail_msg("%s of block %u thread %u: %u, not %u", names[i], b, t, got[b][t][i], right[i]);
    }
  sim_close(sim);
}

/* ---- printf, assert ---- */

#define TEXT_VARIABLE(name, size, bytes) ".global .align 1 .b8 " name "[" #size "] = {" bytes "};\n"

static void printf_in_the_order_of_blocks(void **state) {
  (void)state;
  /* "%d %5.2f|%-4s|%llu %c%% %x\n" of (block, 2.5 * thread, "ab", 2^40 + thread, 'A' + thread, -1)
   */
  static const char text[] = SIM_KERNEL(
      ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n" TEXT_VARIABLE(
          "format", 28,
          "37, 100, 32, 37, 53, 46, 50, 102, 124, 37, 45, 52, 115, 124, "
          "37, 108, 108, 117, 32, 37, 99, 37, 37, 32, 37, 120, 10, 0")
          TEXT_VARIABLE("word", 3, "97, 98, 0"),
      ".local .align 8 .b8 arguments[48];\n"
      "setp.gt.s32 %p1, %r0, 1; @%p1 ret; cvt.rn.f64.u32 %fd1, %r0; mul.f64 %fd1, %fd1, "
      "0d4004000000000000;\n"
      "st.local.u32 [arguments], %r1; st.local.f64 [arguments+8], %fd1; mov.u64 %rd10, word; "
      "cvta.global.u64 %rd10, %rd10;\n"
      "st.local.u64 [arguments+16], %rd10; cvt.u64.u32 %rd11, %r0; add.s64 %rd11, %rd11, "
      "1099511627776; st.local.u64 [arguments+24], %rd11;\n"
      "add.s32 %r10, %r0, 65; st.local.u32 [arguments+32], %r10; st.local.u32 [arguments+36], -1;\n"
      "mov.u64 %rd12, arguments; cvta.local.u64 %rd12, %rd12; mov.u64 %rd13, format; "
      "cvta.global.u64 %rd13, %rd13;\n"
      "{ .param .b64 a; .param .b64 b; .param .b32 r; st.param.b64 [a], %rd13; st.param.b64 [b], "
      "%rd12; call.uni (r), vprintf, (a, b); }\n"
      "ret;");
  struct sim *sim = sim_open(text, 4);
  sim_run(sim, 12, 32, 0, 0, 0, 0);
  char right[4096] = "";
  for (int b = 0; b < 12; b++)
    for (int t = 0; t < 2; t++)
      snprintf(right + strlen(right), sizeof right - strlen(right), "%d %5.2f|%-4s|%llu %c%% %x\n",
               b, 2.5 * t, "ab", (1ULL << 40) + (unsigned)t, 'A' + t, ~0u);
  assert_string_equal(sim->printed, right);
  sim_close(sim);
}

static void a_failed_assertion_ends_the_launch(void **state) {
  (void)state;
  static const char text[] = SIM_KERNEL(
      ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, "
      ".param .b64 e);\n"
      TEXT_VARIABLE("what", 6, "110, 32, 60, 32, 55, 0"),
      AT(8) "setp.ne.s32 %p1, %r3, 40; @%p1 ret; mov.u64 %rd10, what; cvta.global.u64 %rd10, "
          "%rd10;\n"
      AT(9) "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e; "
          "st.param.b64 [a], %rd10; st.param.b64 [b], %rd10;\n"
      "st.param.b32 [c], 9; st.param.b64 [d], %rd10; st.param.b64 [e], 1; call.uni __assertfail, "
      "(a, b, c, d, e); }\nret;");
  struct sim *sim = sim_open(text, 2);
  assert_int_equal(sim_try(sim, sim_line(4, 32), 0, 0, 0, 0), 0);
  assert_int_equal(sim->hazard_count, 1);
  assert_int_equal(sim->hazards[0].kind, HAZARD_trap);
  assert_int_equal(sim->hazards[0].line, 9);
  assert_non_null(strstr(sim->hazards[0].message,
                         "block (1,0) thread (8,0): "
                         "assertion `n < 7' failed"));
  assert_int_equal(device_synchronize(sim->device), 710);
  sim_close(sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(allocations_and_copies),
      cmocka_unit_test(symbols_and_their_values),
      cmocka_unit_test(narrow_loads_extend_and_vectors_keep_order),
      cmocka_unit_test(generic_addresses_mix_spaces),
      cmocka_unit_test(parameters_by_value),
      cmocka_unit_test(pointer_chase_past_the_end),
      cmocka_unit_test(what_was_never_written_is_the_same_for_any_number_of_threads),
      cmocka_unit_test(atomics_of_every_kind),
      cmocka_unit_test(many_blocks_add_up_the_same_for_any_number_of_threads),
      cmocka_unit_test(shuffles_in_all_modes_and_widths),
      cmocka_unit_test(votes_and_reductions),
      cmocka_unit_test(special_registers),
      cmocka_unit_test(printf_in_the_order_of_blocks),
      cmocka_unit_test(a_failed_assertion_ends_the_launch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
