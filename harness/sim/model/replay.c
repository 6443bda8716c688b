/* replay.c: see replay.h. */
#include "replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEDULERS = 4, WAYS = 16, PLACES = 1 << 12 };
/* For so long, in cycles, a share of L2 or DRAM that is not used is not lost. */
static const double credit = 2000;
/* Instructions wait in front of L1 and of L2 for this long, in cycles; then their warps do. */
static const double queue_l1 = 64, queue_l2 = 400, queue_atomics = 2000;

struct cache_line {
  uint64_t number;
  uint32_t sectors;
  uint64_t used;   /* when */
  double ready[4]; /* cycle at which the sector arrives */
};

struct player { /* a warp */
  const struct block_trace *trace;
  const struct warp_trace *warp;
  uint32_t at;                    /* in the words */
  const struct plan_block *block; /* NULL: at its end */
  uint32_t number;                /* of the block */
  int next;                       /* in block->order */
  double time;                    /* when it may issue again */
  double *made;                   /* by operation of the block: when its result is there */
  double *values;                 /* by value */
  uint32_t *accesses;             /* by traced access of the block: where its words begin */
  uint64_t salt;                  /* added to lines */
  int slot;                       /* its block's */
  bool waiting;                   /* at a barrier */
};

struct slot { /* of a resident block */
  int players, running, arrived;
  double arrived_at; /* the last one's */
};

struct waiter { /* a player in the heap; its time beside it, as comparing is what the heap does most */
  double time;
  int player;
};

struct machine {
  const struct plan *plan;
  const struct sm *sm;
  struct replay *result;
  struct player *players;
  int player_count;
  struct slot *slots;
  struct waiter *heap;
  int heap_count;
  struct cache_line *lines;
  int sets;
  uint64_t clock;
  double scheduler[SCHEDULERS], unit[SCHEDULERS][UNITS];
  double l1, constants, port, l2, dram, barrier, shuffle;
  double dram_part, random_part; /* of a line that is yet to be fetched from DRAM */
  double place[PLACES];          /* of atomic operations: when L2 is done with the last one */
  double atomics;                /* the latest of them */
  const struct block_trace *traces;
  int trace_count, count, started, ended;
  double last_start;
};

static inline double later(double a, double b) { return a > b ? a : b; }
static inline double sooner_of(double a, double b) { return a < b ? a : b; }

/* ---- warps by the time at which they go on ---- */

static bool sooner(struct waiter a, struct waiter b) {
  return a.time < b.time || (a.time == b.time && a.player < b.player);
}

static void add_player(struct machine *m, int player) {
  struct waiter moved = {m->players[player].time, player};
  int i = m->heap_count++;
  for (; i > 0 && sooner(moved, m->heap[(i - 1) / 2]); i = (i - 1) / 2)
    m->heap[i] = m->heap[(i - 1) / 2];
  m->heap[i] = moved;
}

/* Puts this one in the place of the first. */
static void replace_first(struct machine *m, struct waiter moved) {
  int i = 0, count = m->heap_count;
  struct waiter *heap = m->heap;
  for (int child; (child = 2 * i + 1) < count; i = child) {
    if (child + 1 < count && sooner(heap[child + 1], heap[child])) child++;
    if (!sooner(heap[child], moved)) break;
    heap[i] = heap[child];
  }
  heap[i] = moved;
}

static void remove_first(struct machine *m) {
  m->heap_count--;
  if (m->heap_count) replace_first(m, m->heap[m->heap_count]);
}

/* ---- L1 ---- */

static uint64_t mix(uint64_t line) { return line * UINT64_C(0x9e3779b97f4a7c15) >> 20; }

/* The entry of a line; a new one takes the place of the one that was not used for longest. */
static struct cache_line *find_line(struct machine *m, uint64_t number, bool enter) {
  if (!m->sets) return NULL;
  struct cache_line *set = m->lines + mix(number) % (uint64_t)m->sets * WAYS, *oldest = set;
  m->clock++;
  for (int i = 0; i < WAYS; i++) {
    if (set[i].sectors && set[i].number == number) {
      set[i].used = m->clock;
      return &set[i];
    }
    if (set[i].used < oldest->used) oldest = &set[i];
  }
  if (!enter) return NULL;
  *oldest = (struct cache_line){.number = number, .used = m->clock};
  return oldest;
}

/* DRAM is busy for so long; returns when it has answered. The busier it is, the longer that takes:
 * requests come in bursts. */
static double ask_dram(struct machine *m, double from, double cost) {
  double busy = m->result->busy[BUSY_DRAM] / later(from, 1);
  if (busy > 0.9) busy = 0.9;
  m->dram = later(m->dram, from - credit) + cost;
  m->result->busy[BUSY_DRAM] += cost;
  return later(m->dram, from) + m->sm->dram_latency + m->sm->dram_queue * busy / (1 - busy);
}

/* L2 and the SM's way to it are busy for so long; returns when they are done. */
static double ask_l2(struct machine *m, double now, double cost, double port) {
  m->l2 = later(m->l2, now - credit) + cost;
  m->port = later(m->port, now) + port;
  return later(m->l2, m->port);
}

/* L2 serves sectors of a line from now on, at the earliest; returns when they arrive. */
static double fetch(struct machine *m, double now, int sectors, bool random) {
  const struct sm *sm = m->sm;
  double cost = later(sm->l2_line, sectors * sm->l2_sector);
  double *part = random ? &m->random_part : &m->dram_part;
  double done = ask_l2(m, now, cost, later(sm->port_line, sectors * sm->port_sector));
  m->result->busy[BUSY_L2_LOADS] += cost;
  *part += random ? sm->random_share : sm->dram_share;
  if (*part < 1) return done + sm->l2_latency;
  *part -= 1;
  return ask_dram(m, done,
                  random ? sectors * sm->dram_random : (sectors > 2 ? 2 : 1) * sm->dram_half_line);
}

/* A global load that starts in L1 now; returns when all of it has arrived. */
static double load(struct machine *m, const struct player *p, const uint32_t *words,
                   struct trace_memory access, double now) {
  const uint32_t *masks = words + access.lines;
  double arrives = now + m->sm->l1_latency;
  for (int i = 0; i < access.lines; i++) {
    uint32_t wanted = trace_sectors(masks, i), missing = wanted;
    struct cache_line *line = find_line(m, words[i] + p->salt, true);
    if (line) missing &= ~line->sectors;
    int count = __builtin_popcount(missing);
    if (access.kind == TRACE_GLOBAL_LOAD) {
      m->result->asked += (uint64_t)__builtin_popcount(wanted);
      m->result->missed += (uint64_t)count;
      if (access.random) m->result->random += (uint64_t)count;
    }
    double fetched = count ? fetch(m, now, count, access.random) : 0;
    for (int s = 0; line && s < 4; s++) {
      if (missing >> s & 1) line->ready[s] = fetched;
      if (wanted >> s & 1) arrives = later(arrives, line->ready[s]);
    }
    if (line) line->sectors |= missing;
    arrives = later(arrives, fetched);
  }
  return arrives;
}

static int sectors_of(const uint32_t *masks, int lines) {
  int sectors = 0;
  for (int i = 0; i < lines; i++) sectors += __builtin_popcount(trace_sectors(masks, i));
  return sectors;
}

/* L2 takes a store. */
static void send_store(struct machine *m, double units, double now) {
  double cost = units * m->sm->store_unit;
  ask_l2(m, now, cost, units * m->sm->port_unit);
  m->result->busy[BUSY_L2_STORES] += cost;
}

static void store(struct machine *m, const uint32_t *words, struct trace_memory access,
                  double now) {
  int sectors = sectors_of(words + access.lines, access.lines);
  send_store(m, sectors + access.missing * m->sm->store_missing, now);
  if (!access.random) {
    m->result->stored += (uint64_t)sectors;
    return;
  }
  m->random_part += sectors * m->sm->random_share;
  if (m->random_part < 1) return;
  double whole = floor(m->random_part);
  m->random_part -= whole;
  ask_dram(m, m->l2, whole * m->sm->dram_random_store);
}

/* Local memory stays in L1 as long as there is room. */
static void local_store(struct machine *m, const struct player *p, const uint32_t *words,
                        struct trace_memory access, double now) {
  const uint32_t *masks = words + access.lines;
  for (int i = 0; i < access.lines; i++) {
    uint32_t stored = trace_sectors(masks, i);
    struct cache_line *line = find_line(m, words[i] + p->salt, true);
    if (!line || stored & ~line->sectors) send_store(m, __builtin_popcount(stored), now);
    if (line) line->sectors |= stored;
  }
}

static double atomic(struct machine *m, const struct player *p, const uint32_t *words,
                     struct trace_memory access, double now) {
  const uint32_t *masks = words + access.lines;
  int sectors = sectors_of(masks, access.lines);
  double cost = sectors * m->sm->atomic_sector, done = 0;
  double from = ask_l2(m, now, cost, sectors * m->sm->port_unit);
  m->result->busy[BUSY_L2_STORES] += cost;
  for (int i = 0; i < access.lines; i++) {
    double turns =
        (double)access.cycles * __builtin_popcount(trace_sectors(masks, i)) / later(sectors, 1);
    double *place = &m->place[mix(words[i] / 4 + p->salt) % PLACES];
    *place = later(*place, from) + turns * m->sm->atomic_turn;
    done = later(done, *place);
  }
  m->atomics = later(m->atomics, done);
  if (access.random) m->random_part += sectors * m->sm->random_share;
  if (m->random_part >= 1) {
    double whole = floor(m->random_part);
    m->random_part -= whole;
    done = later(done, ask_dram(m, m->l2, whole * m->sm->dram_random_store) - m->sm->l2_latency);
  }
  return done + m->sm->l2_latency;
}

/* ---- a warp's next instruction ---- */

static int words_of(struct trace_memory access) {
  return access.lines ? 1 + access.lines + (access.lines + 7) / 8 : 1;
}

/* How many times from here the trace has this block, up to most. */
static int turns_ahead(const struct player *p, const struct plan_block *block, uint32_t number,
                       int most) {
  const struct warp_trace *w = p->warp;
  uint32_t at = p->at - 1;
  int turns = 0;
  while (turns < most && at < w->count && w->words[at] == number) {
    at++;
    for (int i = 0; i < block->access_count && at < w->count; i++)
      at += (uint32_t)words_of(trace_unpack(w->words[at]));
    turns++;
  }
  return turns;
}

/* Goes on to the next basic block of the trace; false at its end, or where it was cut. */
static bool next_block(const struct machine *m, struct player *p) {
  const struct warp_trace *w = p->warp;
  p->block = NULL;
  if (p->at >= w->count) return false;
  uint32_t number = w->words[p->at++];
  const struct plan_block *block = &m->plan->blocks[number];
  int each = block->access_count;
  if (block->unrolled &&
      turns_ahead(p, block, number, block->unrolled->turns) == block->unrolled->turns)
    block = block->unrolled;
  for (int i = 0; i < block->access_count; i++) {
    if (i && each && i % each == 0) p->at++; /* the next turn's number */
    if (p->at >= w->count) return false;
    p->accesses[i] = p->at;
    p->at += (uint32_t)words_of(trace_unpack(w->words[p->at]));
    if (p->at > w->count) return false;
  }
  if (!each) p->at += (uint32_t)block->turns - 1;
  p->block = block;
  p->number = number;
  p->next = 0;
  return true;
}

static double input_ready(const struct player *p, int input) {
  return input >= 0 ? p->made[input] : p->values[~input];
}

static double inputs_ready(const struct player *p, const struct plan_op *op) {
  double ready = p->time;
  for (int i = 0; i < op->input_count; i++) ready = later(ready, input_ready(p, op->inputs[i]));
  return ready;
}

/* The time at which the unit can take another instruction. */
static double unit_free(const struct machine *m, int scheduler, int unit) {
  if (unit == UNIT_ADD)
    return sooner_of(m->unit[scheduler][UNIT_FP32], m->unit[scheduler][UNIT_ALU]);
  if (unit == UNIT_SHUFFLE) return m->shuffle;
  if (unit == UNIT_MEMORY)
    return later(later(m->l1, m->constants) - queue_l1,
                 later(later(m->l2, m->port) - queue_l2, m->atomics - queue_atomics));
  return m->unit[scheduler][unit];
}

static const enum busy busy_of[UNITS] = {
    [UNIT_FP32] = BUSY_FP32, [UNIT_ALU] = BUSY_ALU, [UNIT_SFU] = BUSY_SFU, [UNIT_FP64] = BUSY_FP64};

/* Issues an access at `now`; returns when its result is there. */
static double issue_access(struct machine *m, const struct player *p, const struct plan_op *op,
                           double now) {
  const uint32_t *words = p->warp->words + p->accesses[op->access];
  struct trace_memory access = trace_unpack(*words++);
  if (access.kind == TRACE_NOTHING) return now;
  if (access.kind == TRACE_CONSTANT) {
    m->constants = later(m->constants, now) + 2 * access.cycles - 1;
    return m->constants + m->sm->shared_latency;
  }
  double start = later(m->l1, now),
         cycles = access.kind == TRACE_GLOBAL_ATOMIC ? access.lines : access.cycles;
  m->l1 = start + cycles;
  m->result->busy[access.kind == TRACE_SHARED ? BUSY_SHARED : BUSY_L1] += cycles;
  double last = start + cycles - 1; /* the last of its cycles */
  switch (access.kind) {
    case TRACE_SHARED:
      return last + m->sm->shared_latency;
    case TRACE_GLOBAL_STORE:
      store(m, words, access, last);
      return now;
    case TRACE_GLOBAL_ATOMIC:
      return atomic(m, p, words, access, last);
    case TRACE_LOCAL:
      if (access.stores) local_store(m, p, words, access, last);
      return access.stores ? now : load(m, p, words, access, last);
    default:
      return load(m, p, words, access, last);
  }
}

/* Issues the operation if everything is there; else returns false, with p->time when to try again. */
static bool issue(struct machine *m, struct player *p, int scheduler, int which) {
  const struct plan_op *op = &p->block->ops[which];
  const struct cost *cost = &op->cost;
  double ready = inputs_ready(p, op);
  if (cost->unit == UNIT_NONE) {
    p->made[which] = ready;
    return true;
  }
  double when = later(later(ready, m->scheduler[scheduler]), unit_free(m, scheduler, cost->unit));
  if (when > p->time) {
    p->time = when;
    return false;
  }
  m->scheduler[scheduler] = when + cost->slots;
  m->result->busy[BUSY_ISSUE] += cost->slots;
  p->made[which] = when + cost->latency;
  p->time = when + cost->slots;
  if (op->access >= 0) {
    p->made[which] = issue_access(m, p, op, when);
  } else if (cost->unit == UNIT_SHUFFLE) {
    m->shuffle = when + cost->cycles;
  } else {
    double *units = m->unit[scheduler];
    int unit = cost->unit != UNIT_ADD                ? cost->unit
               : units[UNIT_FP32] <= units[UNIT_ALU] ? UNIT_FP32
                                                     : UNIT_ALU;
    units[unit] = when + cost->cycles;
    m->result->busy[busy_of[unit]] += cost->cycles;
  }
  return true;
}

/* ---- blocks ---- */

static void start_block(struct machine *m, int slot, double now) {
  const struct block_trace *trace = &m->traces[m->started % m->trace_count];
  double start = later(now, m->last_start + m->sm->block_interval);
  if (m->started == 0) start = now;
  m->last_start = start;
  m->slots[slot] = (struct slot){.players = trace->warp_count, .running = trace->warp_count};
  for (int w = 0; w < trace->warp_count; w++) {
    int index = slot * m->traces[0].warp_count + w;
    struct player *p = &m->players[index];
    p->trace = trace;
    p->warp = &trace->warps[w];
    p->at = 0;
    p->waiting = false;
    p->salt = (uint64_t)(m->started / m->trace_count) << 33;
    p->slot = slot;
    p->time = start;
    for (int v = 0; v < m->plan->value_count; v++) p->values[v] = start;
    m->result->instructions += p->warp->instructions;
    next_block(m, p);
    add_player(m, index);
  }
  m->started++;
}

static void release_barrier(struct machine *m, struct slot *slot) {
  int first = (int)(slot - m->slots) * m->traces[0].warp_count;
  for (int i = first; i < first + slot->players; i++) {
    struct player *p = &m->players[i];
    if (!p->waiting) continue;
    p->waiting = false;
    p->time = later(p->time, slot->arrived_at + m->sm->barrier);
    add_player(m, i);
  }
  slot->arrived = 0;
}

static void end_warp(struct machine *m, const struct player *p) {
  struct slot *slot = &m->slots[p->slot];
  double now = p->time;
  slot->running--;
  if (slot->running && slot->arrived == slot->running) release_barrier(m, slot);
  if (slot->running) return;
  m->ended++;
  if (now > m->result->cycles) m->result->cycles = now;
  for (int i = 0; i < 2; i++)
    if (m->ended == m->result->marks[i]) m->result->filled[i] = m->result->cycles;
  if (m->started < m->count) start_block(m, p->slot, now + m->sm->block_turn);
}

/* The first warp of the heap goes on until it would have to wait. */
static void play(struct machine *m) {
  int index = m->heap[0].player, scheduler = index % SCHEDULERS;
  struct player *p = &m->players[index];
  for (;;) {
    const struct plan_block *block = p->block;
    if (!block) {
      remove_first(m);
      end_warp(m, p);
      return;
    }
    if (p->next < block->count) {
      int which = block->order[p->next];
      if (!issue(m, p, scheduler, which)) break;
      p->next++;
      if (block->ops[which].cost.unit != UNIT_NONE) break;
      continue;
    }
    if (block->block->end == END_BRANCH && !block->predicated) {
      double ready = block->predicate == INT16_MIN
                         ? p->time
                         : input_ready(p, block->predicate) + m->sm->predicate;
      double when = later(later(ready, p->time), m->scheduler[scheduler]);
      if (when > p->time) { /* others may issue until then */
        p->time = when;
        break;
      }
      m->scheduler[scheduler] = when + 1;
      m->result->busy[BUSY_ISSUE] += 1;
    }
    for (int i = 0; i < block->result_count; i++)
      p->values[block->results[i].value] = p->made[block->results[i].op];
    switch (block->block->end) {
      case END_BRANCH: {
        uint32_t from = p->number;
        if (!block->predicated)
          p->time += 1;
        else if (block->predicate != INT16_MIN)
          p->time = later(p->time, input_ready(p, block->predicate));
        bool on = next_block(m, p);
        if (on && !block->predicated && p->number != from + 1) p->time += m->sm->branch - 1;
        break;
      }
      case END_JUMP:
        next_block(m, p);
        break;
      case END_BARRIER: {
        struct slot *slot = &m->slots[p->slot];
        double when = later(p->time, m->scheduler[scheduler]);
        m->scheduler[scheduler] = when + 1;
        m->barrier = later(m->barrier, when) + m->sm->barrier_warp;
        p->time = m->barrier;
        if (m->barrier > slot->arrived_at || !slot->arrived) slot->arrived_at = m->barrier;
        slot->arrived++;
        p->waiting = true;
        remove_first(m);
        next_block(m, p);
        if (slot->arrived == slot->running) release_barrier(m, slot);
        return;
      }
      default:
        next_block(m, p);
        break;
    }
    if (p->block) continue;
  }
  replace_first(m, (struct waiter){p->time, index});
}

static bool prepare(struct machine *m, int resident) {
  int warps = m->traces[0].warp_count;
  m->player_count = resident * warps;
  m->players = calloc((size_t)m->player_count, sizeof *m->players);
  m->slots = calloc((size_t)resident, sizeof *m->slots);
  m->heap = calloc((size_t)m->player_count + 1, sizeof *m->heap);
  m->sets = m->sm->l1_lines / WAYS;
  m->lines = calloc((size_t)m->sets * WAYS + 1, sizeof *m->lines);
  bool fine = m->players && m->slots && m->heap && m->lines;
  for (int i = 0; fine && i < m->player_count; i++) {
    struct player *p = &m->players[i];
    p->made = calloc((size_t)m->plan->most_ops + 1, sizeof *p->made);
    p->values = calloc((size_t)m->plan->value_count + 1, sizeof *p->values);
    p->accesses = calloc((size_t)m->plan->most_ops + 1, sizeof *p->accesses);
    fine = p->made && p->values && p->accesses;
  }
  return fine;
}

bool replay_run(const struct plan *plan, const struct block_trace *traces, int trace_count,
                int count, int resident, const struct sm *sm, struct replay *result) {
  struct machine m = {.plan = plan,
                      .sm = sm,
                      .result = result,
                      .traces = traces,
                      .trace_count = trace_count,
                      .count = count};
  if (resident > count) resident = count;
  *result = (struct replay){.blocks = count, .marks = {(count - resident) / 2, count - resident}};
  bool fine = prepare(&m, resident);
  for (int slot = 0; fine && slot < resident; slot++) start_block(&m, slot, 0);
  while (fine && m.heap_count) play(&m);
  for (int i = 0; m.players && i < m.player_count; i++) {
    free(m.players[i].made);
    free(m.players[i].values);
    free(m.players[i].accesses);
  }
  free(m.players);
  free(m.slots);
  free(m.heap);
  free(m.lines);
  result->cycles = later(result->cycles, later(m.atomics, later(m.l2, m.port)));
  result->busy[BUSY_ATOMICS] = m.atomics;
  for (int b = 0; b <= BUSY_FP64; b++) result->busy[b] /= SCHEDULERS;
  return fine;
}

int replay_atomic_places(const struct plan *plan, const struct block_trace *traces, int count) {
  enum { BITS = 1 << 16 };
  uint8_t seen[BITS / 8] = {0};
  int places = 0;
  for (int t = 0; t < count; t++)
    for (int w = 0; w < traces[t].warp_count; w++) {
      const struct warp_trace *warp = &traces[t].warps[w];
      for (uint32_t at = 0; at < warp->count;) {
        const struct plan_block *block = &plan->blocks[warp->words[at++]];
        for (int i = 0; i < block->access_count && at < warp->count; i++) {
          const uint32_t *words = warp->words + at;
          struct trace_memory access = trace_unpack(*words);
          at += (uint32_t)words_of(access);
          for (int k = 0; access.kind == TRACE_GLOBAL_ATOMIC && k < access.lines; k++) {
            uint64_t place = mix(words[1 + k] / 4) % BITS;
            places += !(seen[place / 8] >> place % 8 & 1);
            seen[place / 8] |= (uint8_t)(1 << place % 8);
          }
        }
      }
    }
  return places;
}
