/* test_sim_hazards.c: each fault that the simulator finds, with its lines, array and CUDA error;
 * and, as important, correct kernels that look much like them and must be silent. Every case runs
 * with 1, 2 and 7 threads: the reports must be equal.
 *
 * Parameters of every kernel: p0 "in", 1024 words, an input; p1 "out", 1024 words, an output; p2
 * "work", 1024 zeros of scratch; p3 a number of the case's own. Shared "s" has 64 words, "t" 32,
 * both of 4 bytes. */
#include "sim_device.h"

enum { WORDS = 1024 };

struct expected {
  enum hazard_kind kind;
  int line, other_line;
  const char *array, *words; /* words: must be in the message */
  bool warning;
  uint64_t count; /* 0: any */
};

struct hazard_case {
  const char *name, *body;
  unsigned blocks, threads;
  uint64_t p3;
  size_t shared_bytes;
  int error;                  /* of device_synchronize */
  struct expected hazards[3]; /* all of them, kind and line 0 end the list */
};

/* clang-format off */
#define VARIABLES \
  ".shared .align 4 .b8 s[256];\n.shared .align 16 .b8 t[128];\n" \
  ".extern .shared .align 16 .b8 d[];\n.shared .align 4 .b8 bytes[64];\n" \
  ".global .align 4 .u32 done = 0;\n"
/* addresses: %rd10 in, %rd11 out, %rd12 work at the thread's own word; %rd13 s, %rd14 s at the
 * thread's own, %rd15 at that of the thread 32 on or back, %rd16 at that of the neighbouring lane;
 * predicates: %p11 the first thread of a block, %p12 the first block, %p13 the first warp */
#define SETUP AT(2) \
  "add.s64 %rd10, %rd0, %rd4; add.s64 %rd11, %rd1, %rd4; add.s64 %rd12, %rd2, %rd4;\n" \
  "mov.u64 %rd13, s; add.s64 %rd14, %rd13, %rd5;\n" \
  "xor.b32 %r10, %r0, 32; mul.wide.u32 %rd15, %r10, 4; add.s64 %rd15, %rd13, %rd15;\n" \
  "xor.b32 %r10, %r0, 1; mul.wide.u32 %rd16, %r10, 4; add.s64 %rd16, %rd13, %rd16;\n" \
  "setp.eq.s32 %p11, %r0, 0; setp.eq.s32 %p12, %r1, 0; setp.lt.s32 %p13, %r0, 32;\n"
#define BARRIER "bar.sync 0;\n"
#define WARP "bar.warp.sync 0xffffffff;\n"

static const struct hazard_case faults[] = {
    /* ---- out of bounds ---- */
    {"read one past the end", AT(10) "ld.global.u32 %r11, [%rd10+4]; ret;", 16, 64, 0, 0, 0,
     {{HAZARD_oob, 10, 0, "in", "in[1024]", 0, 1}}},
    {"write before the start", AT(11) "st.global.u32 [%rd11+-4], %r3; ret;", 2, 64, 0, 0, 0,
     {{HAZARD_oob, 11, 0, "out", "out[-1]", 0, 0}}},
    {"read far away", AT(12) "mul.wide.u32 %rd20, %r3, 100000000; add.s64 %rd20, %rd20, %rd0; "
        "ld.global.u32 %r11, [%rd20]; ret;",
     1, 32, 0, 0, 700, {{HAZARD_oob, 12, 0, "in", "in[", 0, 0}}},
    {"half of a vector past the end", AT(13) "mad.lo.s32 %r11, %r3, 4, 2; mul.wide.u32 %rd20, "
        "%r11, 4; add.s64 %rd20, %rd1, %rd20;\n"
     "st.global.v2.u32 [%rd20], {%r3, %r3}; add.s64 %rd21, %rd0, 4080; "
     "@%p11 ld.global.v4.u32 {%r11, %r12, %r13, %r14}, [%rd21+16]; ret;",
     1, 32, 0, 0, 0, {{HAZARD_oob, 13, 0, "in", "reads in[1024]", 0, 0}}},
    {"atomic past the end", AT(14) "red.global.add.u32 [%rd12+4], 1; ret;", 16, 64, 0, 0, 0,
     {{HAZARD_oob, 14, 0, "work", "atomically updates work[1024]", 0, 0}}},
    {"shared index one too large", AT(15) "st.shared.u32 [%rd14+4], %r3; ret;", 1, 64, 0, 0, 0,
     {{HAZARD_oob, 15, 0, "s", "s[64]", 0, 0}}},
    {"shared index negative", AT(16) "st.shared.u32 [%rd14+-4], %r3; ret;", 1, 64, 0, 0, 700,
     {{HAZARD_oob, 16, 0, "s", "s[-1]", 0, 1}}},
    {"off the end of one shared array does not reach the next", AT(17) "mov.u64 %rd20, t; "
        "add.s64 %rd20, %rd20, %rd5; st.shared.u32 [%rd20], %r0;\n"
     AT(18) "st.shared.u32 [%rd14], %r0; ret;", 1, 64, 0, 0, 0, {{HAZARD_oob, 17,
         0, "t", "t[32]", 0, 0}}},
    {"dynamic shared memory that was not asked for", AT(19) "mov.u64 %rd20, d; "
        "st.shared.u32 [%rd20], %r0; ret;", 1, 1, 0, 0, 0,
     {{HAZARD_oob, 19, 0, "d", "third launch parameter", 0, 0}}},
    {"local index too large", ".local .align 4 .b8 mine[16];" AT(20) "mov.u64 %rd20, mine; "
        "and.b32 %r11, %r0, 7; mul.wide.u32 %rd21, %r11, 4;\n"
     "add.s64 %rd20, %rd20, %rd21; st.local.u32 [%rd20], %r0; ret;", 1, 32, 0, 0, 700,
     {{HAZARD_oob, 20, 0, "local array", "local", 0, 0}}},
    /* ---- misaligned, null, host ---- */
    {"two words at an odd word", AT(21) "ld.global.v2.u32 {%r11, %r12}, [%rd0+4]; ret;", 1, 32,
        0, 0, 716,
     {{HAZARD_misaligned, 21, 0, "in", "8 bytes", 0, 0}}},
    {"four shared words at a multiple of two", AT(22) "st.shared.v4.u32 [%rd13+8], {%r0, %r0, "
        "%r0, %r0}; ret;", 1, 1, 0, 0, 716,
     {{HAZARD_misaligned, 22, 0, "s", "16 bytes", 0, 0}}},
    {"word at an odd byte", AT(23) "ld.global.u32 %r11, [%rd0+1]; ret;", 1, 1, 0, 0, 716,
        {{HAZARD_misaligned, 23, 0, "in", "", 0, 0}}},
    {"null pointer", AT(24) "st.global.u32 [%rd3+16], %r0; ret;", 1, 32, 0, 0, 700,
        {{HAZARD_null, 24, 0, "", "writes through a null", 0, 0}}},
    {"host pointer", AT(25) "ld.global.u32 %r11, [%rd3]; ret;", 1, 32, 0x7ffd12345678, 0, 700,
        {{HAZARD_host_pointer, 25, 0, "", "cudaMalloc", 0, 0}}},
    {"host pointer as a generic address", AT(26) "ld.u32 %r11, [%rd3]; ret;", 1, 32,
        0x55512345678, 0, 700,
     {{HAZARD_host_pointer, 26, 0, "", "reads host memory", 0, 0}}},
    /* ---- uninitialised ---- */
    {"output read before it is written", AT(30) "ld.global.u32 %r11, [%rd11]; add.s32 %r11, %r11, "
        "1;" AT(31) "st.global.u32 [%rd11], %r11; ret;",
     1, 32, 0, 0, 0, {{HAZARD_uninit, 30, 0, "out", "out[0]", 0, 32}}},
    {"one byte of a word written", AT(32) "st.global.u8 [%rd11+1], %r0;"
        AT(33) "ld.global.u32 %r11, [%rd11]; ret;", 1, 32, 0, 0, 0,
     {{HAZARD_uninit, 33, 0, "out", "", 0, 0}}},
    {"atomic on what was never written", AT(34) "red.global.add.u32 [%rd1], 1; ret;", 1, 1, 0, 0,
        0, {{HAZARD_uninit, 34, 0, "out", "", 0, 0}}},
    {"shared read that nobody wrote", "@%p13 st.shared.u32 [%rd14], %r0;\n"
        BARRIER AT(35) "ld.shared.u32 %r11, [%rd14]; ret;", 1, 64, 0, 0, 0,
     {{HAZARD_uninit, 35, 0, "s", "s[32]", 0, 0}}},
    {"shared from the block before", AT(36) "@%p12 st.shared.u32 [%rd14], %r0;\n"
        BARRIER AT(37) "ld.shared.u32 %r11, [%rd14]; ret;", 2, 64, 0, 0, 0,
     {{HAZARD_uninit, 37, 0, "s", "block (1,0)", 0, 0}}},
    {"two bytes of a shared word", AT(38) "cvt.u16.u32 %rs1, %r0; st.shared.u16 [%rd14+2], "
        "%rs1;\n" BARRIER AT(39) "ld.shared.u32 %r11, [%rd14]; ret;",
     1, 32, 0, 0, 0, {{HAZARD_uninit, 39, 0, "s", "", 0, 0}}},
    /* ---- races in shared memory ---- */
    {"no barrier between a store and another warp's load", AT(40) "st.shared.u32 [%rd14], %r0;"
        AT(41) "ld.shared.u32 %r11, [%rd15]; ret;", 1, 64, 0, 0, 0,
     {{HAZARD_race, 40, 41, "s", "", 0, 0}, {HAZARD_race, 41, 40, "s", "reads shared s[0]", 0, 0}}},
    {"no barrier between a load and another warp's store", AT(42) "st.shared.u32 [%rd14], %r0;\n"
        BARRIER AT(43) "ld.shared.u32 %r11, [%rd15];" AT(44)
     "st.shared.u32 [%rd14], %r3; ret;", 1, 64, 0, 0, 0, {{HAZARD_race, 44, 43, "s", "", 0, 0},
     {HAZARD_race, 43, 44, "s", "", 0, 0}}},
    {"no barrier at the end of a round", "mov.u32 %r20, 0;\n round:" AT(45) "add.s32 %r21, %r0, "
        "%r20; st.shared.u32 [%rd14], %r21;" AT(46) BARRIER AT(47)
     "ld.shared.u32 %r11, [%rd15]; add.s32 %r20, %r20, 1; setp.lt.s32 %p20, %r20, 3; "
     "@%p20 bra round;" AT(48) "ret;", 1, 64, 0, 0, 0,
     {{HAZARD_race, 45, 47, "s", "next round", 0, 0}, {HAZARD_race, 47, 45, "s", "", 0, 0}}},
    {"two warps store different values", AT(50) "and.b32 %r11, %r0, 31; mul.wide.u32 %rd20, %r11, "
        "4; add.s64 %rd20, %rd13, %rd20; st.shared.u32 [%rd20], %r0; ret;",
     1, 64, 0, 0, 0, {{HAZARD_race, 50, 50, "s", "on the same line", 0, 0}}},
    {"two warps store the same value", AT(51) "and.b32 %r11, %r0, 31; mul.wide.u32 %rd20, %r11, "
        "4; add.s64 %rd20, %rd13, %rd20; st.shared.u32 [%rd20], %r11; ret;",
     1, 64, 0, 0, 0, {{HAZARD_race, 51, 51, "s", "", 1, 0}}},
    {"lanes of one store disagree", AT(52) "st.shared.u32 [%rd13], %r0; ret;", 1, 32, 0, 0, 0,
        {{HAZARD_race, 52, 52, "s", "another value", 0, 0}}},
    {"lanes of a warp without __syncwarp", AT(53) "st.shared.u32 [%rd14], %r0;"
        AT(54) "ld.shared.u32 %r11, [%rd16]; ret;", 1, 32, 0, 0, 0,
     {{HAZARD_race, 54, 53, "s", "__syncwarp", 0, 0}}},
    {"load, then a store of another lane", AT(55) "st.shared.u32 [%rd14], %r0;\n"
        WARP AT(56) "ld.shared.u32 %r11, [%rd16];" AT(57) "st.shared.u32 [%rd14], %r3; ret;",
     1, 32, 0, 0, 0, {{HAZARD_race, 57, 56, "s", "", 0, 0}}},
    {"__syncwarp is no barrier between warps", AT(58) "st.shared.u32 [%rd14], %r0;\n"
        WARP AT(59) "@!%p13 ld.shared.u32 %r11, [%rd15]; ret;", 1, 64, 0, 0, 0,
     {{HAZARD_race, 59, 58, "s", "", 0, 0}}},
    {"atomics of one warp, plain loads of another", "@%p13 st.shared.u32 [%rd14], 0;\n"
        BARRIER AT(60) "@%p13 red.shared.add.u32 [%rd13], 1;" AT(61)
     "@!%p13 ld.shared.u32 %r11, [%rd13]; ret;", 1, 64, 0, 0, 0, {{HAZARD_race, 61,
     60, "s", "atomically", 0, 0}}},
    {"bytes of one word by two warps, and the word by one", AT(62) "mov.u64 %rd20, bytes; "
        "cvt.u64.u32 %rd21, %r0; add.s64 %rd20, %rd20, %rd21; st.shared.u8 [%rd20], %r0;\n"
     BARRIER AT(63) "@!%p13 st.shared.u8 [%rd20], 7;" AT(64) "@!%p13 bra over; mov.u64 %rd22, "
         "bytes; ld.shared.u8 %r11, [%rd22+40]; over: ret;", 1, 64, 0, 0, 0,
     {{HAZARD_race, 63, 64, "bytes", "bytes[40]", 0, 0}}},
    /* ---- races between blocks ---- */
    {"blocks store to one word", AT(70) "@%p11 st.global.u32 [%rd1], %r1; ret;", 8, 32, 0, 0, 0,
        {{HAZARD_race, 70, 70, "out", "out[0]", 0, 0}}},
    {"blocks store the same value to one word", AT(71) "@%p11 st.global.u32 [%rd1], 5; ret;", 8,
        32, 0, 0, 0, {{HAZARD_race, 71, 71, "out", "", 1, 0}}},
    {"a block reads what another writes", AT(72) "xor.b32 %r11, %r3, 32; mul.wide.u32 %rd20, "
        "%r11, 4; add.s64 %rd20, %rd2, %rd20; ld.global.u32 %r12, [%rd20];"
     AT(73) "st.global.u32 [%rd12], %r12; ret;", 8, 32, 0, 0, 0, {{HAZARD_race, 73,
         72, "work", "work[", 0, 0}, {HAZARD_race, 72, 73, "work", "", 0, 0}}},
    {"sum without an atomic", AT(74) "@!%p11 ret; ld.global.u32 %r11, [%rd2]; add.s32 %r11, %r11, "
        "1;" AT(75) "st.global.u32 [%rd2], %r11; ret;", 6, 32, 0, 0, 0,
     {{HAZARD_race, 74, 75, "work", "work[0]", 0, 0}, {HAZARD_race, 75, 75, "work", "", 0, 0}}},
    {"lanes of one global store disagree", AT(76) "st.global.u32 [%rd1], %r4; ret;", 1, 32, 0, 0,
        0, {{HAZARD_race, 76, 76, "out", "different values", 0, 0}}},
    {"atomics of some blocks, a plain store of another", AT(77) "@!%p11 ret; "
        "@!%p12 red.global.add.u32 [%rd2], 1;" AT(78) "@%p12 st.global.u32 [%rd2], 9; ret;",
     4, 32, 0, 0, 0, {{HAZARD_race, 77, 78, "work", "", 0, 0}}},
    {"blocks store to one byte", AT(79) "@%p11 st.global.u8 [%rd2+5], %r1; ret;", 8, 32, 0, 0, 0,
     {{HAZARD_race, 79, 79, "work", "", 0, 0}}},
    /* ---- barriers ---- */
    {"barrier in a branch of half a warp", AT(80) "setp.lt.s32 %p20, %r4, 16; @%p20 bra over;"
        AT(81) "bar.sync 0;" AT(82) "over: ret;", 1, 32, 0, 0, 0,
     {{HAZARD_barrier, 81, 0, "", "in a branch", 0, 0}}},
    {"warps at different barriers", AT(83) "@%p13 bra first;" AT(84) "bar.sync 0; bra over;"
        AT(85) "first: bar.sync 0;" AT(86) "over: ret;", 1, 64, 0, 0, 0,
     {{HAZARD_barrier, 85, 84, "", "at another one", 0, 0}}},
    {"early return of a warp before a barrier", AT(87) "setp.ge.s32 %p20, %r3, 96; @%p20 ret;"
        AT(88) "bar.sync 0; ret;", 2, 64, 0, 0, 0,
     {{HAZARD_barrier, 88, 87, "", "already returned", 0, 32}}},
    {"early return of some lanes before a barrier", AT(87) "setp.ge.s32 %p20, %r3, 100; "
        "@%p20 ret;" AT(88) "bar.sync 0; ret;", 2, 64, 0, 0, 0,
     {{HAZARD_barrier, 88, 0, "", "of the same warp", 0, 28}}},
    {"__syncwarp without the lanes that it names", AT(89) "setp.lt.s32 %p20, %r4, 8; "
        "@%p20 bra over;" AT(90) "bar.warp.sync 0xffffffff;" AT(91) "over: ret;", 1, 32, 0, 0, 0,
     {{HAZARD_barrier, 90, 0, "", "__syncwarp", 0, 0}}},
    /* ---- the rest ---- */
    {"store to an input", AT(92) "st.global.u32 [%rd10], %r3; ret;", 2, 32, 0, 0, 0,
        {{HAZARD_input_write, 92, 0, "in", "in[0]", 0, 64}}},
    {"atomic on an input", AT(93) "red.global.add.u32 [%rd10], 1; ret;", 2, 32, 0, 0, 0,
        {{HAZARD_input_write, 93, 0, "in", "in[0]", 0, 0}}},
    {"trap", AT(94) "setp.ne.s32 %p20, %r3, 70; @%p20 bra over;" AT(95) "trap;" AT(96) "over: "
        "ret;", 4, 32, 0, 0, 719,
     {{HAZARD_trap, 95, 0, "", "block (2,0) thread (6,0)", 0, 0}}},
};

static const struct hazard_case silent[] = {
    {"a counter read while other blocks count", "@!%p11 ret; mov.u32 %r20, 0; mul.wide.u32 %rd20, "
        "%r1, 4; "
     "add.s64 %rd20, %rd20, %rd1; again: red.global.add.u32 [%rd2], 1; ld.global.u32 %r11, "
     "[%rd2];\n"
     "st.global.u32 [%rd20], %r11; add.s32 %r20, %r20, 1; setp.lt.s32 %p20, %r20, 200; "
     "@%p20 bra again; ret;",
     64, 32, 0, 0, 0, {{0}}},
    {"tile with both barriers", "mov.u32 %r20, 0;\n round: add.s32 %r21, %r0, %r20; "
        "st.shared.u32 [%rd14], %r21;\n" BARRIER
     "ld.shared.u32 %r11, [%rd15];\n" BARRIER "add.s32 %r20, %r20, 1; setp.lt.s32 %p20, %r20, 4; "
     "@%p20 bra round; st.global.u32 [%rd11], %r11; ret;", 4, 64, 0, 0, 0, {{0}}},
    {"two tiles in turn, one barrier a round", "mov.u32 %r20, 0;\n round: and.b32 %r21, %r20, 1; "
        "mul.wide.u32 %rd20, %r21, 256; mov.u64 %rd21, d; add.s64 %rd20, %rd20, %rd21;\n"
     "add.s64 %rd22, %rd20, %rd5; st.shared.u32 [%rd22], %r20;\n" BARRIER "xor.b32 %r22, %r0, 32; "
     "mul.wide.u32 %rd23, %r22, 4; add.s64 %rd23, %rd20, %rd23; ld.shared.u32 %r11, [%rd23];\n"
     "add.s32 %r20, %r20, 1; setp.lt.s32 %p20, %r20, 6; @%p20 bra round; st.global.u32 [%rd11], "
     "%r11; ret;", 4, 64, 0, 512, 0, {{0}}},
    {"a warp by itself with __syncwarp", "st.shared.u32 [%rd14], %r0;\n"
        WARP "ld.shared.u32 %r11, [%rd16];\n" WARP "st.shared.u32 [%rd14], %r11;\n" WARP
     "ld.shared.u32 %r11, [%rd16]; st.global.u32 [%rd11], %r11; ret;", 2, 64, 0, 0, 0, {{0}}},
    {"reading what the thread itself wrote", "st.shared.u32 [%rd14], %r0; ld.shared.u32 %r11, "
        "[%rd14]; st.shared.u32 [%rd14], %r11; ld.shared.u32 %r11, [%rd14];\n"
     "st.global.u32 [%rd11], %r11; ld.global.u32 %r12, [%rd11]; st.global.u32 [%rd11], %r12; "
     "ret;", 4, 64, 0, 0, 0, {{0}}},
    {"one lane writes, a barrier, all read", "@%p11 st.shared.u32 [%rd13], 7;\n"
        BARRIER "ld.shared.u32 %r11, [%rd13]; st.global.u32 [%rd11], %r11; ret;", 4, 64, 0, 0, 0,
            {{0}}},
    {"atomics of all blocks on one word", "red.global.add.u32 [%rd2], 1; "
        "atom.global.max.u32 %r11, [%rd2+4], %r3; ret;", 8, 64, 0, 0, 0, {{0}}},
    {"atomics of all warps on one shared word", "@%p11 st.shared.u32 [%rd13], 0;\n"
        BARRIER "red.shared.add.u32 [%rd13], 1; atom.shared.or.b32 %r11, [%rd13], 64;\n" BARRIER
     "ld.shared.u32 %r11, [%rd13]; st.global.u32 [%rd11], %r11; ret;", 2, 64, 0, 0, 0, {{0}}},
    {"the last block adds up what the others left", "@!%p11 ret; mul.wide.u32 %rd20, %r1, 4; "
        "add.s64 %rd20, %rd20, %rd2; st.global.u32 [%rd20+64], %r1; membar.gl;\n"
     "mov.u64 %rd21, done; atom.global.inc.u32 %r11, [%rd21], 7; setp.ne.s32 %p20, %r11, 7; "
     "@%p20 ret; ld.global.u32 %r12, [%rd2+64]; ld.global.u32 %r13, [%rd2+92];\n"
     "add.s32 %r12, %r12, %r13; st.global.u32 [%rd1], %r12; ret;", 8, 32, 0, 0, 0, {{0}}},
    {"the tail of the grid returns early where no barrier follows", "setp.ge.s32 %p20, %r3, 100; "
        "@%p20 ret; st.global.u32 [%rd11], %r3; ret;", 4, 64, 0, 0, 0, {{0}}},
    {"threads outside skip the work, not the barrier", "setp.ge.s32 %p20, %r3, 100; "
        "@%p20 bra over; st.shared.u32 [%rd14], %r0; over:" BARRIER
     "@%p20 bra end; ld.shared.u32 %r11, [%rd14]; st.global.u32 [%rd11], %r11; end: ret;", 2, 64,
     0, 0, 0, {{0}}},
    {"bytes of a word by neighbouring threads", "mov.u64 %rd20, bytes; cvt.u64.u32 %rd21, %r0; "
        "add.s64 %rd20, %rd20, %rd21; st.shared.u8 [%rd20], %r0; ld.shared.u8 %r11, [%rd20];\n"
     BARRIER "mov.u64 %rd22, bytes; ld.shared.u32 %r11, [%rd22+32]; cvt.u64.u32 %rd23, %r3; "
         "add.s64 %rd23, %rd23, %rd1; st.global.u8 [%rd23], %r0; ret;", 2, 64, 0, 0, 0, {{0}}},
    {"bytes of a word by blocks", "@!%p11 ret; cvt.u64.u32 %rd21, %r1; add.s64 %rd20, %rd2, "
        "%rd21; st.global.u8 [%rd20], %r1; ret;", 7, 32, 0, 0, 0, {{0}}},
    {"lanes outside do not read", "setp.ge.s32 %p20, %r3, 1024; @!%p20 ld.global.u32 %r11, "
        "[%rd10]; @%p20 bra end; st.global.u32 [%rd11], %r11; end: ret;", 20, 64, 0, 0, 0, {{0}}},
    {"whole words written in parts", "cvt.u16.u32 %rs1, %r0; st.shared.u16 [%rd14+2], %rs1; "
        "st.shared.u8 [%rd14], %r0; st.shared.u8 [%rd14+1], %r0; ld.shared.u32 %r11, [%rd14];\n"
     "st.global.u16 [%rd11], %rs1; st.global.u16 [%rd11+2], %rs1; ld.global.u32 %r11, [%rd11]; "
     "ret;", 2, 64, 0, 0, 0, {{0}}},
    {"a word as integer and float, in one vector and in parts", "cvt.rn.f32.u32 %f1, %r0; "
        "st.shared.f32 [%rd14], %f1; ld.shared.u32 %r11, [%rd14];\n"
     BARRIER "mul.wide.u32 %rd20, %r0, 8; setp.lt.s32 %p20, %r0, 32; mov.u64 %rd21, s; "
         "add.s64 %rd21, %rd21, %rd20; @%p20 ld.shared.v2.f32 {%f2, %f3}, [%rd21];\n"
     "ld.shared.u16 %rs1, [%rd15+2]; ret;", 2, 64, 0, 0, 0, {{0}}},
    {"every block reads one word, one writes another", "ld.global.u32 %r11, [%rd2]; @!%p11 ret; "
        "mul.wide.u32 %rd20, %r1, 4; add.s64 %rd20, %rd20, %rd2; st.global.u32 [%rd20+8], %r11; "
        "ret;", 8, 64, 0, 0, 0, {{0}}},
    {"in place, each thread its own word", "ld.global.u32 %r11, [%rd12]; add.s32 %r11, %r11, 1; "
        "st.global.u32 [%rd12], %r11; ret;", 16, 64, 0, 0, 0, {{0}}},
    {"the second warp uses what the first left before the barrier", "@%p13 st.shared.u32 [%rd14], "
        "%r0;\n" BARRIER "@!%p13 ld.shared.u32 %r11, [%rd15]; @!%p13 st.shared.u32 [%rd15], %r3;\n"
     BARRIER "@%p13 ld.shared.u32 %r11, [%rd14]; ret;", 2, 64, 0, 0, 0, {{0}}},
    {"store, then the same store again by the same thread", "st.shared.u32 [%rd14], %r0; "
        "st.shared.u32 [%rd14], %r0; st.global.u32 [%rd11], 1; st.global.u32 [%rd11], 1; ret;",
        2, 64, 0, 0, 0, {{0}}},
    {"lanes of one store agree", "st.shared.u32 [%rd13], 3; st.global.u32 [%rd1], 3; ret;", 1,
        32, 0, 0, 0, {{0}}},
    {"branches of a warp, each its own words", "and.b32 %r20, %r4, 1; setp.eq.s32 %p20, %r20, 1; "
        "@%p20 bra odd; st.shared.u32 [%rd14], 1; bra over; odd: st.shared.u32 [%rd14], 2; "
        "over:\n" WARP
     "ld.shared.u32 %r11, [%rd16]; ret;", 2, 64, 0, 0, 0, {{0}}},
    {"an exchange writes what was never written", "@!%p11 ret; atom.global.exch.b32 %r11, [%rd1], "
        "5; ld.global.u32 %r12, [%rd1]; ret;", 1, 32, 0, 0, 0, {{0}}},
};
/* clang-format on */

/* ---- running a case ---- */

static char *module_text(const struct hazard_case *c) {
  static char text[1 << 14];
  int n = snprintf(text, sizeof text, "%s%s\n%s%s", SIM_HEADER, VARIABLES, SIM_ENTRY("k") SETUP,
                   c->body);
  assert_true(n > 0 && (size_t)n < sizeof text - 4);
  return strcat(text, "\n}\n");
}

/* Runs it on a fresh device; hands over the sim, which the caller closes. */
static struct sim *run_case(const struct hazard_case *c, int threads, int *error, uint32_t *out) {
  struct sim *sim = sim_open(module_text(c), threads);
  uint32_t values[WORDS];
  for (int i = 0; i < WORDS; i++) values[i] = (uint32_t)i;
  uint64_t in = sim_buffer(sim, values, sizeof values), work = sim_zeros(sim, sizeof values);
  uint64_t to = sim_buffer(sim, NULL, sizeof values);
  assert_int_equal(device_name_array(sim->device, in, "in", 1, WORDS, 4, DEVICE_INPUT), 0);
  assert_int_equal(device_name_array(sim->device, to, "out", 1, WORDS, 4, DEVICE_OUTPUT), 0);
  assert_int_equal(device_name_array(sim->device, work, "work", 1, WORDS, 4, DEVICE_SCRATCH), 0);
  struct sim_shape shape = sim_line(c->blocks, c->threads);
  shape.shared_bytes = c->shared_bytes;
  int code = sim_try(sim, shape, in, to, work, c->p3);
  if (code != 0) sim_print_hazards(sim);
  if (code != 0) fail_msg("%s: refused with %d", c->name, code);
  *error = device_synchronize(sim->device);
  memset(out, 0, sizeof values);
  if (*error == 0) sim_read(sim, out, to, sizeof values);
  if (*error == 0) {
    uint32_t now[WORDS];
    sim_read(sim, now, in, sizeof now);
    assert_memory_equal(now, values, sizeof now); /* inputs stay as they are,
        whatever the kernel does */
  }
  return sim;
}

static bool matches(const struct hazard *h, const struct expected *e) {
  return h->kind == e->kind && h->line == e->line && h->other_line == e->other_line &&
         strcmp(h->array, e->array) == 0 && h->warning == e->warning && h->count > 0 &&
         strstr(h->message, e->words) && strcmp(h->kernel, "k") == 0 &&
         (!e->count || h->count == e->count);
}

static bool check_case(const struct hazard_case *c) {
  static const int thread_counts[] = {1, 2, 7};
  bool between_blocks = c->blocks > 7 && (!c->hazards[0].line || c->hazards[0].kind == HAZARD_race);
  int runs = LENGTH(thread_counts) * (between_blocks ? 20 : 1);
  struct hazard first[64] = {{0}};
  uint32_t first_out[WORDS], out[WORDS];
  int first_count = 0, expected = 0;
  bool fine = true;
  while (expected < LENGTH(c->hazards) && c->hazards[expected].line) expected++;
  for (int t = 0; t < runs && fine; t++) {
    int error, threads = thread_counts[t % LENGTH(thread_counts)];
    struct sim *sim = run_case(c, threads, &error, out);
    if (t == 0) {
      first_count = sim->hazard_count;
      memcpy(first, sim->hazards, sizeof first);
      memcpy(first_out, out, sizeof out);
      fine = error == c->error && sim->hazard_count == expected;
      for (int e = 0; e < expected; e++) {
        bool found = false;
        for (int i = 0; i < sim->hazard_count; i++)
          found = found || matches(&sim->hazards[i], &c->hazards[e]);
        fine = fine && found;
      }
      if (!fine) print_error("%s: error %d, and\n", c->name, error);
      if (!fine) sim_print_hazards(sim);
    } else if (sim->hazard_count != first_count || memcmp(first, sim->hazards, sizeof first) != 0 ||
               memcmp(first_out, out, sizeof out) != 0) {
      print_error("%s: %d threads report otherwise\n", c->name, threads);
      sim_print_hazards(sim);
      fine = false;
    }
    sim_close(sim);
  }
  return fine;
}

static void faults_are_found(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < LENGTH(faults); i++) wrong += !check_case(&faults[i]);
  assert_int_equal(wrong, 0);
}

static void correct_kernels_are_not_accused(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < LENGTH(silent); i++) wrong += !check_case(&silent[i]);
  assert_int_equal(wrong, 0);
}

static void use_after_free_is_told_from_other_wild_addresses(void **state) {
  (void)state;
  struct sim *sim = sim_open(
      module_text(&(struct hazard_case){.body = AT(10) "ld.global.u32 %r11, [%rd10]; ret;"}), 2);
  uint64_t gone = sim_zeros(sim, 256), other = sim_zeros(sim, 256);
  assert_int_equal(device_name_array(sim->device, gone, "gone", 1, 64, 4, DEVICE_SCRATCH), 0);
  assert_int_equal(device_free(sim->device, gone), 0);
  uint64_t again = sim_zeros(sim, 256); /* must not take the freed one's place */
  assert_true(again != gone);
  assert_int_equal(sim_try(sim, sim_line(1, 32), gone, other, again, 0), 0);
  assert_int_equal(sim->hazard_count, 1);
  const struct expected expected = {HAZARD_use_after_free, 10, 0, "gone", "after cudaFree", 0, 1};
  assert_true(matches(&sim->hazards[0], &expected));
  assert_int_equal(device_synchronize(sim->device), 700);
  sim_close(sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(faults_are_found),
      cmocka_unit_test(correct_kernels_are_not_accused),
      cmocka_unit_test(use_after_free_is_told_from_other_wild_addresses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
