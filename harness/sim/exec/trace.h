/* trace.h: what the warps of a few blocks did, in order: which basic blocks they ran through and
 * what each memory instruction touched. replay.c runs it again on a model of an SM.
 *
 * A warp's trace is a row of words: for each basic block that it executed the number of the block
 * (among all of the kernel's programs), and then for each of the block's memory instructions and
 * those that take longer for some values, in the order of the program, a header and what follows it
 * (trace_memory). Of a warp that goes on for too long the trace has windows from all over its
 * execution, equally long and far apart: the replay then scales what it saw.
 */
#ifndef KIT_TRACE_H
#define KIT_TRACE_H

#include "harness/sim/exec/machine.h"

enum trace_kind {
  TRACE_NOTHING, /* no lane was active */
  TRACE_GLOBAL_LOAD,
  TRACE_GLOBAL_STORE,
  TRACE_GLOBAL_ATOMIC,
  TRACE_SHARED,
  TRACE_LOCAL,
  TRACE_CONSTANT,
  TRACE_WAYS, /* no access, but an operation that takes longer for some values */
};
/* Of a precise quotient or root all lanes go the short way first, and those that must the long one
 * (WAY_LONGER: denormal numbers, mostly) besides. */
enum { WAY_SHORT = 1, WAY_LONG = 2, WAY_LONGER = 4 };

/* The header of a memory instruction. Behind it, for global and local memory: the numbers of the
 * 128-byte lines, then their sectors, a bit each, 8 lines a word; for loops on shared memory, as if
 * of one line: the address at which most lanes are, in words, with a number for its block. */
struct trace_memory {
  enum trace_kind kind;
  int lines;   /* up to 32 */
  int cycles;  /* of L1 (trace.c: l1_cycles), wavefronts of shared memory, words of constant memory;
                  atomics: operations, one after the other in each sector, up to 32; ways: those
                  that some lane takes */
  int full;    /* atomics: of these, those in sectors of which no word is left out */
  int missing; /* stores: words that are left out of the sectors, summed over lines */
  int together; /* atomics: the most lanes at one address, in place of missing */
  bool loops;   /* those that are a loop of compare and swap, in place of stores: `cycles` are the
                 * wavefronts of all its turns, `together` is how many there are, the lines are
                 * words, and the lanes at each stand for sectors */
  bool stores;  /* local memory */
  bool floats;  /* atomics on global memory: of floating-point numbers, */
  bool wide;    /* of 64 bits */
  bool past_l1; /* global loads that L1 does not answer: volatile ones, .cg and such */
  bool random;  /* lanes lie in many lines of a large array, at no regular distance */
};

static inline uint32_t trace_pack(struct trace_memory m) {
  return (uint32_t)m.kind << 28 | (uint32_t)(m.stores | m.loops | m.floats | m.past_l1) << 27 |
         (uint32_t)m.random << 26 | (uint32_t)(m.cycles | m.full << 6) << 14 |
         (uint32_t)(m.missing | m.together | m.wide << 6) << 6 | (uint32_t)m.lines;
}
static inline struct trace_memory trace_unpack(uint32_t word) {
  bool shared = word >> 28 == TRACE_SHARED, atomic = word >> 28 == TRACE_GLOBAL_ATOMIC;
  return (struct trace_memory){.kind = (enum trace_kind)(word >> 28),
                               .stores = word >> 28 == TRACE_LOCAL && word >> 27 & 1,
                               .past_l1 = word >> 28 == TRACE_GLOBAL_LOAD && word >> 27 & 1,
                               .loops = shared && word >> 27 & 1,
                               .floats = atomic && word >> 27 & 1,
                               .wide = atomic && word >> 12 & 1,
                               .random = word >> 26 & 1,
                               .cycles = (int)(word >> 14 & (atomic ? 63 : 4095)),
                               .full = atomic ? (int)(word >> 20 & 63) : 0,
                               .missing = shared || atomic ? 0 : (int)(word >> 6 & 255),
                               .together = shared || atomic ? (int)(word >> 6 & 63) : 0,
                               .lines = (int)(word & 63)};
}
/* Words of an access, its header included. */
static inline int trace_words(struct trace_memory access) {
  return access.lines ? 1 + access.lines + (access.lines + 7) / 8 : 1;
}
static inline uint32_t trace_sectors(const uint32_t *masks, int line) {
  return masks[line / 8] >> line % 8 * 4 & 15;
}

/* 32-bit numbers for lines. */
static inline uint32_t trace_line(const struct allocation *array, uint64_t line) {
  return array->first_line + (uint32_t)line;
}

/* What a trace holds. Instructions: counted ones, as inst_executed has them; sectors of global
 * loads and stores, wavefronts of shared accesses. */
struct trace_sums {
  uint32_t words;
  uint64_t instructions, sectors, wavefronts;
};

/* Windows are of 1 << length instructions that the warp has executed, numbered from its first. The
 * trace has those whose number is `first` more than a multiple of `every`. While all fit, every is
 * 1, and windows are joined two by two when there are too many; once they do not, each second one
 * is dropped: by turns the former and the latter, so that they neither lean to the beginning nor to
 * the end. */
enum { TRACE_WINDOWS = 8, TRACE_WINDOW_LENGTH = 6 /* at first */ };
struct warp_trace {
  uint32_t *words;
  uint32_t count, room;
  struct trace_sums sums; /* words: as count */
  uint64_t executed;      /* instructions, those that the trace leaves out included */
  uint32_t every, first;
  int length, window_count;
  struct trace_window {
    uint32_t number;
    struct trace_sums before;
  } windows[TRACE_WINDOWS];
};

enum {
  MAX_SAMPLED = 96,                 /* blocks of a launch that stand for all */
  MAX_TRACED = 4 * MAX_SAMPLED + 2, /* they are chosen among so many, less the first and the last */
  TRACED_ARRAYS = 16,               /* of a block */
};
struct block_trace {
  uint64_t block; /* index in the grid */
  struct warp_trace *warps;
  int warp_count;
  uint32_t room; /* words of a warp for which there is room, to the end of a basic block */
  struct {       /* allocations of global memory that it touched */
    const struct allocation *array;
    bool loaded, stored, atomics;
  } touched[TRACED_ARRAYS];
  int touched_count;
};

/* An empty basic block that only leads to another is left out. */
static inline bool trace_skips(const struct basic_block *block) {
  return block->count == 0 && (block->end == END_JUMP || block->end == END_NEXT);
}

/* Before the block starts. False if memory runs out. */
bool trace_begin(struct block_trace *trace, int warps);

/* Before a basic block is executed: false if the trace leaves it out. */
bool trace_enter(struct block_trace *trace, const struct warp *warp, const struct program *program,
                 int number);
/* Before an access (op_is_access). mask: the lanes that execute it, maybe none. */
void trace_access(struct block_trace *trace, const struct warp *warp, const struct op *op,
                  const uint64_t *address, uint32_t mask);

/* trace_ways.c: before an operation that takes longer for some values. frame: its registers. */
void trace_ways(struct block_trace *trace, const struct warp *warp, const char *frame,
                const struct op *op, uint32_t mask);

void trace_release(struct block_trace *trace);

#endif
