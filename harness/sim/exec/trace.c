/* trace.c: records what the warps of a traced block execute and access. */
#include "harness/sim/exec/trace.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/access.h"
#include "harness/sim/exec/pattern.h"

void trace_release(struct block_trace *trace) {
  for (int w = 0; trace->warps && w < trace->warp_count; w++) free(trace->warps[w].words);
  free(trace->warps);
  trace->warps = NULL;
}

bool trace_begin(struct block_trace *trace, int warps) {
  trace_release(trace);
  trace->warp_count = warps;
  trace->touched_count = 0;
  trace->warps = calloc((size_t)warps, sizeof *trace->warps);
  return trace->warps != NULL;
}

/* ---- windows ---- */

static struct trace_sums sums_now(const struct warp_trace *warp) {
  struct trace_sums sums = warp->sums;
  sums.words = warp->count;
  return sums;
}

/* Joins two windows each: each is twice as long. */
static void join_windows(struct warp_trace *warp) {
  int kept = 0;
  for (int i = 0; i < warp->window_count; i++) {
    struct trace_window *window = &warp->windows[i];
    window->number /= 2;
    if (kept && warp->windows[kept - 1].number == window->number) continue;
    warp->windows[kept++] = *window;
  }
  warp->window_count = kept;
  warp->length++;
}

/* Drops each second window. */
static void drop_windows(struct warp_trace *warp) {
  struct trace_sums end = sums_now(warp), to = {0};
  int kept = 0;
  warp->first |= warp->every & UINT32_C(0x55555555);
  warp->every *= 2;
  for (int i = 0; i < warp->window_count; i++) {
    struct trace_window window = warp->windows[i];
    const struct trace_sums *from = &window.before, *next = i + 1 < warp->window_count
                                                                ? &warp->windows[i + 1].before
                                                                : &end;
    struct trace_sums own = {next->words - from->words, next->instructions - from->instructions,
                             next->sectors - from->sectors, next->wavefronts - from->wavefronts};
    if (window.number % warp->every != warp->first) continue;
    memmove(warp->words + to.words, warp->words + from->words, own.words * sizeof *warp->words);
    warp->windows[kept++] = (struct trace_window){window.number, to};
    to = (struct trace_sums){to.words + own.words, to.instructions + own.instructions,
                             to.sectors + own.sectors, to.wavefronts + own.wavefronts};
  }
  warp->window_count = kept;
  warp->sums = to;
  warp->count = to.words;
}

/* Is what the warp executes now in a window that the trace has? Opens it if it begins. */
static bool in_window(struct warp_trace *warp, uint32_t room) {
  if (!warp->every) warp->every = 1, warp->length = TRACE_WINDOW_LENGTH;
  while (warp->count >= room && warp->window_count > 1) drop_windows(warp);
  if (warp->count >= room) return false;
  for (;;) {
    uint32_t number = (uint32_t)(warp->executed >> warp->length);
    if (number % warp->every != warp->first) return false;
    if (warp->window_count && warp->windows[warp->window_count - 1].number == number) return true;
    if (warp->window_count < TRACE_WINDOWS) {
      warp->windows[warp->window_count++] = (struct trace_window){number, sums_now(warp)};
      return true;
    }
    if (warp->every == 1)
      join_windows(warp);
    else
      drop_windows(warp);
  }
}

/* ---- basic blocks ---- */

static void put(struct warp_trace *warp, uint32_t word) { warp->words[warp->count++] = word; }

enum { MAX_WORDS = 1 + LANES + LANES / 8 }; /* of an access */

/* Room for a whole basic block. */
static bool make_room(struct warp_trace *warp, uint32_t words) {
  return ARRAY_RESERVE(warp->words, warp->room, warp->count + words);
}

bool trace_enter(struct block_trace *trace, const struct warp *warp, const struct program *program,
                 int number) {
  const struct basic_block *block = &program->blocks[number];
  struct warp_trace *own = &trace->warps[warp->index];
  uint32_t accesses = 0;
  bool traced = in_window(own, trace->room);
  own->executed += (uint64_t)block->counted;
  if (!traced) return false;
  if (trace_skips(block)) {
    own->sums.instructions += (uint64_t)block->counted;
    return true;
  }
  for (int i = block->first; i < block->first + block->count; i++)
    accesses += op_is_traced(&program->ops[i]);
  if (!make_room(own, 1 + accesses * MAX_WORDS)) return false;
  own->sums.instructions += (uint64_t)block->counted;
  put(own, (uint32_t)(program->block_base + number));
  return true;
}

/* ---- one access ---- */

/* Does the memo of a load or store know these lanes at these distances? */
static bool memo_knows(const struct memo *memo, const struct op *op, const uint64_t *address,
                       uint32_t mask) {
  if (memo->mask != mask || memo->phase_mask || op->kind == OP_ATOMIC || op->space != PTX_SHARED)
    return false;
  uint64_t origin = address[__builtin_ctz(mask)], differ = 0;
  for (int i = 0; i < LANES; i++)
    differ |= mask >> i & 1 ? (address[i] - origin) ^ (uint64_t)memo->delta[i] : 0;
  return !differ;
}

/* The addresses of lanes, each once, and how many lanes are at each. */
struct meetings {
  uint64_t address[LANES];
  int lanes[LANES], count, most;
};

static struct meetings meetings_of(const uint64_t *address, uint32_t mask) {
  struct meetings m = {.count = 0};
  for (uint32_t rest = mask; rest; m.count++) {
    uint64_t at = address[__builtin_ctz(rest)];
    uint32_t same = 0;
    EACH_ACTIVE (i, rest) same |= (uint32_t)(address[i] == at) << i;
    m.address[m.count] = at;
    m.lanes[m.count] = __builtin_popcount(same);
    if (m.lanes[m.count] > m.most) m.most = m.lanes[m.count];
    rest &= ~same;
  }
  return m;
}

/* A loop of compare and swap: each turn takes a wavefront for each word of the bank with the most,
 * and a lane of each bank gets through. Sets how many turns there are and returns their wavefronts:
 * measured by gpus/calibrate_shared.cu, "shared atomic". */
static int loop_wavefronts(const struct meetings *meetings, int *turns) {
  int left[LANES], wavefronts = 0;
  memcpy(left, meetings->lanes, sizeof left);
  for (*turns = 0;; ++*turns) {
    int words[LANES] = {0}, most = 0;
    uint32_t through = 0; /* banks */
    for (int i = 0; i < meetings->count; i++) {
      int bank = (int)(meetings->address[i] / 4 % LANES);
      if (!left[i]) continue;
      if (++words[bank] > most) most = words[bank];
      if (!(through >> bank & 1)) left[i]--;
      through |= 1u << bank;
    }
    if (!most) return wavefronts;
    wavefronts += most;
  }
}

static struct trace_memory shared_access(struct warp_trace *own, const struct warp *warp,
                                         const struct op *op, const uint64_t *address,
                                         uint32_t mask, struct meetings *meetings) {
  const struct memo *known = warp->worker->memos[op->group];
  struct memo memo;
  if (!memo_knows(known, op, address, mask)) {
    memo = pattern_memo(address, mask);
    pattern_count_wavefronts(&memo, op, address[__builtin_ctz(mask)], mask);
    known = &memo;
  }
  struct trace_memory m = {
      .kind = TRACE_SHARED,
      .cycles = op->kind == OP_STORE ? known->store_wavefronts : known->wavefronts};
  own->sums.wavefronts += (uint64_t)m.cycles;
  if (op->kind == OP_ATOMIC) {
    /* what counts is ATOMS.POPC.INC, which takes no longer for lanes at one address: measured by
     * gpus/calibrate_shared.cu, "shared count" */
    bool once = op->access.counts || op->access.aggregated;
    *meetings = meetings_of(address, mask);
    m.together = once ? 1 : meetings->most;
    m.loops = op->access.type == ATOMIC_FLOAT;
    m.lines = m.loops ? meetings->count : 0;
    if (m.loops) m.cycles = loop_wavefronts(meetings, &m.together);
  }
  return m;
}

/* Words in the bank of 4 bytes, of 32, that has most of them: each once, however many lanes ask for
 * it. */
static int most_in_bank(const uint64_t *address, uint32_t mask, int bytes) {
  uint64_t words[LANES][4 * LANES]; /* distinct ones by bank */
  int count[LANES] = {0}, max = 0;
  EACH_ACTIVE (i, mask) {
    for (int part = 0; part == 0 || part < bytes / 4; part++) {
      uint64_t word = address[i] / 4 + (uint64_t)part;
      int bank = (int)(word % LANES), k = count[bank] - 1;
      while (k >= 0 && words[bank][k] != word) k--;
      if (k >= 0) continue;
      words[bank][count[bank]++] = word;
      if (count[bank] > max) max = count[bank];
    }
  }
  return max;
}

/* Cycles of L1 for a request that hits: a word of each bank per cycle, for the halves of a warp one
 * after the other if a lane wants more than 4 bytes. Lookups take up to four lines per cycle, 3.3
 * if they are anywhere. Measured by gpus/calibrate.cu, "L1 stride" and "L1 wide". */
static int l1_cycles(const uint64_t *address, uint32_t mask, int bytes, int lines) {
  uint32_t half = bytes > 4 ? 0xffff : 0xffffffff;
  int banks =
          most_in_bank(address, mask & half, bytes) + most_in_bank(address, mask & ~half, bytes),
      tags = (lines * 3 + 9) / 10;
  return banks > tags ? banks : tags > 1 ? tags : 1;
}

struct line {
  uint64_t number;
  uint32_t sectors, bytes[4]; /* of each sector, which bytes are touched */
};

/* The lines of an access, in the order of lanes. */
static int lines_of(const uint64_t *address, uint32_t mask, int bytes, struct line *lines) {
  int count = 0;
  EACH_ACTIVE (i, mask) {
    uint64_t at = address[i], number = at / 128;
    int k = count - 1;
    while (k >= 0 && lines[k].number != number) k--;
    if (k < 0) {
      k = count++;
      lines[k] = (struct line){.number = number};
    }
    int sector = (int)(at / 32 % 4);
    lines[k].sectors |= 1u << sector;
    lines[k].bytes[sector] |= ((1u << bytes) - 1) << at % 32;
  }
  return count;
}

/* The operations of an atomic request that L2 serialises: per sector, the largest number of lanes
 * at one address. Of an aggregated one the compiler makes one operation. */
static void count_turns(const struct op *op, const uint64_t *address, uint32_t mask, int bytes,
                        const struct line *lines, struct trace_memory *m) {
  int most[LANES][4] = {{0}};
  EACH_ACTIVE (i, mask) {
    uint64_t at = address[i];
    int same = 0, line = 0;
    for (uint32_t other = mask; other; other &= other - 1)
      same += address[__builtin_ctz(other)] / (uint64_t)bytes == at / (uint64_t)bytes;
    if (op->access.aggregated) same = 1;
    while (line < m->lines - 1 && lines[line].number != at / 128) line++;
    int *sector = &most[line][at / 32 % 4];
    if (same > *sector) *sector = same;
    if (same > m->together) m->together = same;
  }
  for (int i = 0; i < m->lines; i++)
    for (int s = 0; s < 4; s++) {
      m->cycles += most[i][s];
      if (lines[i].bytes[s] == UINT32_MAX) m->full += most[i][s];
    }
  m->floats = op->access.type >= ATOMIC_FLOAT;
  m->wide = bytes == 8;
}

/* Do the lanes lie in many lines at irregular distances, so that the next request lies elsewhere?
 * Rows of a matrix have two or three different distances from lane to lane, numbers whose bits are
 * reversed five. What lies within a MiB, L2 has for the next one, too. */
static bool is_random(const uint64_t *address, uint32_t mask, int line_count) {
  enum { MANY_LINES = 8, MANY_DISTANCES = 5, FAR = 1 << 20 };
  uint64_t distances[LANES], first = UINT64_MAX, end = 0;
  int count = 0, last = -1;
  if (line_count < MANY_LINES) return false;
  EACH_ACTIVE (i, mask) {
    int k = 0;
    uint64_t distance = last < 0 ? 0 : address[i] - address[last];
    while (k < count && distances[k] != distance) k++;
    if (last >= 0 && k == count) distances[count++] = distance;
    if (address[i] < first) first = address[i];
    if (address[i] > end) end = address[i];
    last = i;
  }
  return count >= MANY_DISTANCES && end - first >= FAR;
}

static void touch(struct block_trace *trace, const struct allocation *array, enum trace_kind kind) {
  int i = 0;
  while (i < trace->touched_count && trace->touched[i].array != array) i++;
  if (i == TRACED_ARRAYS) return;
  if (i == trace->touched_count) {
    trace->touched[i].array = array;
    trace->touched_count++;
  }
  trace->touched[i].loaded |= kind != TRACE_GLOBAL_STORE;
  trace->touched[i].stored |= kind != TRACE_GLOBAL_LOAD;
  trace->touched[i].atomics |= kind == TRACE_GLOBAL_ATOMIC;
}

/* Words that a store leaves out of a sector of the line; the maximum over its sectors. */
static int missing_words(const struct line *line) {
  int max = 0;
  for (int s = 0; s < 4; s++) {
    int missing = (32 - __builtin_popcount(line->bytes[s])) / 4;
    if (line->sectors >> s & 1 && missing > max) max = missing;
  }
  return max;
}

static struct trace_memory constant_access(const uint64_t *address, uint32_t mask) {
  struct memo memo = pattern_memo(address, mask);
  int words = mask ? pattern_distinct(&memo, address[__builtin_ctz(mask)], mask, 2) : 0;
  return (struct trace_memory){.kind = TRACE_CONSTANT, .cycles = words};
}

/* In place of sectors, how many lanes are at each address: up to 15, or as many as the most. */
static void put_lanes(struct warp_trace *own, const struct meetings *meetings, int count) {
  for (int i = 0; i < count; i += 8) {
    uint32_t lanes = 0;
    for (int k = i; k < i + 8 && k < count; k++)
      lanes |= (uint32_t)(meetings->lanes[k] < 15 ? meetings->lanes[k] : 15) << (k - i) * 4;
    put(own, lanes);
  }
}

static void put_sectors(struct warp_trace *own, const struct line *lines, int count) {
  for (int i = 0; i < count; i += 8) {
    uint32_t masks = 0;
    for (int k = i; k < i + 8 && k < count; k++) masks |= lines[k].sectors << (k - i) * 4;
    put(own, masks);
  }
}

static void global_access(struct block_trace *trace, struct warp_trace *own,
                          const struct memory *memory, const struct op *op, const uint64_t *address,
                          uint32_t mask) {
  bool atomic = op->kind == OP_ATOMIC;
  int bytes = op_width(op);
  struct line lines[LANES];
  const struct allocation *array = memory_window(memory, address[__builtin_ctz(mask)]);
  struct trace_memory m = {.kind = atomic                ? TRACE_GLOBAL_ATOMIC
                                   : op->kind == OP_LOAD ? TRACE_GLOBAL_LOAD
                                                         : TRACE_GLOBAL_STORE};
  if (!array || bytes > 16) mask = 0;
  m.lines = lines_of(address, mask, bytes, lines);
  if (array && array->constant) m = constant_access(address, mask);
  if (m.kind == TRACE_GLOBAL_LOAD) m.cycles = l1_cycles(address, mask, bytes, m.lines);
  if (m.kind == TRACE_GLOBAL_STORE) m.cycles = m.lines;
  if (atomic) count_turns(op, address, mask, bytes, lines, &m);
  m.random = is_random(address, mask, m.lines);
  m.past_l1 = m.kind == TRACE_GLOBAL_LOAD && op->past_l1;
  for (int i = 0; m.kind == TRACE_GLOBAL_STORE && i < m.lines; i++)
    m.missing += missing_words(&lines[i]);
  put(own, trace_pack(m));
  if (!m.lines) return;
  touch(trace, array, m.kind);
  for (int i = 0; i < m.lines && !atomic; i++)
    own->sums.sectors += (uint64_t)__builtin_popcount(lines[i].sectors);
  for (int i = 0; i < m.lines; i++)
    put(own, trace_line(array, lines[i].number - array->address / 128));
  put_sectors(own, lines, m.lines);
}

/* Local memory: word k of a warp's lanes is one line, lane by lane. */
static void local_access(struct block_trace *trace, const struct warp *warp, const struct op *op,
                         const uint64_t *address, uint32_t mask) {
  struct warp_trace *own = &trace->warps[warp->index];
  int words = (op_width(op) + 3) / 4;
  struct line lines[LANES];
  struct trace_memory m = {.kind = TRACE_LOCAL, .stores = op->kind != OP_LOAD};
  EACH_ACTIVE (lane, mask) {
    for (int w = 0; w < words; w++) {
      uint64_t number = (address[lane] & ~WINDOW_MASK) / 4 + (uint64_t)w;
      int k = m.lines - 1;
      while (k >= 0 && lines[k].number != number) k--;
      if (k < 0 && m.lines == LANES) continue;
      if (k < 0) lines[k = m.lines++] = (struct line){.number = number};
      lines[k].sectors |= 1u << lane / 8;
      lines[k].bytes[lane / 8] |= 0xfu << lane % 8 * 4;
    }
  }
  m.cycles = m.lines;
  for (int i = 0; m.stores && i < m.lines; i++) m.missing += missing_words(&lines[i]);
  put(own, trace_pack(m));
  uint32_t first = (uint32_t)(trace->block * (uint64_t)trace->warp_count) + (uint32_t)warp->index;
  first = first * UINT32_C(0x85ebca6b) + UINT32_C(0x40000000);
  for (int i = 0; i < m.lines; i++) put(own, first + (uint32_t)lines[i].number);
  put_sectors(own, lines, m.lines);
}

void trace_access(struct block_trace *trace, const struct warp *warp, const struct op *op,
                  const uint64_t *address, uint32_t mask) {
  struct warp_trace *own = &trace->warps[warp->index];
  uint64_t at[LANES];
  if (!mask) {
    put(own, trace_pack((struct trace_memory){.kind = TRACE_NOTHING}));
    return;
  }
  for (int i = 0; i < LANES; i++) at[i] = address[i] + (uint64_t)op->access.offset;
  enum ptx_space space = access_space(op, at[__builtin_ctz(mask)]);
  if (space == PTX_SHARED) {
    struct meetings meetings;
    struct trace_memory m = shared_access(own, warp, op, at, mask, &meetings);
    put(own, trace_pack(m));
    for (int i = 0; i < m.lines; i++)
      put(own, (uint32_t)(trace->block * UINT32_C(0x85ebca6b) + meetings.address[i] / 4));
    put_lanes(own, &meetings, m.lines);
  } else if (space == PTX_LOCAL) {
    local_access(trace, warp, op, at, mask);
  } else if (space == PTX_CONST) {
    put(own, trace_pack(constant_access(at, mask)));
  } else {
    global_access(trace, own, warp->worker->launch->memory, op, at, mask);
  }
}
