/* replay.c: replays traces on an SM's warps, schedulers and units; memory is in hierarchy.c. */
#include "harness/sim/model/replay.h"

#include <math.h>
#include <stdlib.h>

#include "harness/sim/model/fetch.h"
#include "harness/sim/model/hierarchy.h"
#include "harness/sim/model/share.h"

enum { SCHEDULERS = FETCH_SCHEDULERS, FEW_WAVES = 6, MAX_WAVES = 32, MAX_LONGER = 6 };
/* Cycles for which a warp cannot end once its last store has left L1: the stall "drain" of Nsight
 * Compute, 22 cycles on an H200 where stores are few, less those that a store takes. */
static const double drain = 19;
static const uint32_t NO_WORD = UINT32_MAX; /* of a part that the warp left out */
/* Issue slots more of an instruction in double precision: three additions in single precision
 * beside each take 4.4 to 4.6 cycles of an H100 (gpus/calibrate_reads.cu, "beside fp64"). */
static const double wide_slots = 0.4;
/* Instructions between two stores of a warp that may merge: in a loop there are more; and cycles.
 */
enum { FOLLOWS = 4, FOLLOWS_CYCLES = 24 };
static const double steady = 0.03; /* by which waves may differ from those before */

struct player { /* a warp */
  const struct block_trace *trace;
  const struct warp_trace *warp;
  uint32_t at;                    /* in the words */
  const struct plan_block *block; /* NULL: at its end */
  uint32_t number;                /* of the block, the last of several */
  int next;                       /* in block->order */
  int spill;                      /* the next of block->spills */
  double time;                    /* when it may issue again */
  struct fetch_stream code;       /* of the block: when it arrives, from its instruction */
  int issued;                     /* on */
  double *made;                   /* by operation of the block: when its result is there */
  double *values;                 /* by value */
  uint32_t *words;                /* by traced operation of the block: where its words begin */
  uint64_t salt;                  /* added to lines */
  int slot;                       /* its block's */
  int scheduler;
  bool waiting;  /* at a barrier */
  uint32_t loop; /* in which it is, by its first block: of those that unroll; or NO_WORD */
  double stored; /* when it last stored to global memory */
  int since;     /* instructions since it last stored anything, */
  double sent;   /* when that was issued */
  bool many;     /* and has gone through several turns of it at once */
};

struct slot { /* of a resident block */
  int players, running, arrived;
  double arrived_at; /* the last one's */
};

struct machine {
  const struct plan *plan;
  const struct sm *sm;
  struct replay *result;
  struct player *players;
  int player_count;
  struct slot *slots;
  double *times; /* by player: when it goes on */
  uint32_t *age; /* by player: of two that go on at the same time the older one does */
  int32_t *tree; /* tree[1]: who goes on first */
  int leaves, active;
  struct hierarchy memory;
  struct fetch fetch;
  double scheduler[SCHEDULERS], unit[SCHEDULERS][UNITS], light[SCHEDULERS];
  double barrier, shuffle;
  const struct block_trace *traces;
  int trace_count, count, started, ended, resident;
  bool all, even;
  double dispatch, last_warp; /* the share of dispatched blocks is taken up to then */
  double either_half;         /* cycles of both halves of the units for FP32 */
  double full, issued;        /* until when all slots had a block; issue slots by then */
  double wave_end[MAX_WAVES + 1];
};

/* ---- warps by the time at which they go on ---- */

/* A tournament: leaves are the players, those that wait or have ended at infinity; of each pair the
 * sooner goes up, of two at the same time the older, as schedulers prefer it. Sets when a player
 * goes on. */
static void settle(struct machine *m, int player, double time) {
  double *times = m->times;
  int32_t *tree = m->tree, best = player;
  times[player] = time;
  for (int i = player + m->leaves; i > 1; i >>= 1) {
    int32_t other = tree[i ^ 1];
    double others = times[other];
    bool loses = (others < time) | ((others == time) & (m->age[other] < m->age[best]));
    best = loses ? other : best;
    time = loses ? others : time;
    tree[i >> 1] = best;
  }
}

static void add_player(struct machine *m, int player) {
  m->active++;
  settle(m, player, m->players[player].time);
}

static void remove_player(struct machine *m, int player) {
  m->active--;
  settle(m, player, INFINITY);
}

static bool open_tournament(struct machine *m) {
  m->leaves = 2;
  while (m->leaves < m->player_count) m->leaves *= 2;
  m->times = malloc((size_t)m->leaves * sizeof *m->times);
  m->age = calloc((size_t)m->leaves, sizeof *m->age);
  m->tree = malloc((size_t)m->leaves * 2 * sizeof *m->tree);
  if (!m->times || !m->age || !m->tree) return false;
  for (int i = 0; i < m->leaves; i++) {
    m->times[i] = INFINITY;
    m->tree[m->leaves + i] = i;
  }
  for (int i = m->leaves - 1; i > 0; i--) m->tree[i] = m->tree[2 * i];
  return true;
}

/* ---- a warp's next instruction ---- */

/* Issues so many instructions that nothing waits for. */
static void issue_more(struct machine *m, struct player *p, int slots) {
  if (!slots) return;
  double *scheduler = &m->scheduler[p->scheduler];
  *scheduler = later(p->time, *scheduler) + slots;
  p->time = *scheduler;
  m->result->busy[BUSY_ISSUE] += slots;
}

/* Finds the block's traced operations in the trace, from the word before p->at on. Returns where it
 * goes on after the block; 0: it is not what the trace has there, or was cut. */
static uint32_t match(const struct plan *plan, const struct player *p,
                      const struct plan_block *block) {
  const struct warp_trace *w = p->warp;
  uint32_t at = p->at - 1, *word = p->words;
  for (int i = 0; i < block->part_count; i++) {
    const struct plan_part *part = &block->parts[i];
    int count = plan->blocks[part->number].traced_count;
    bool there = at < w->count && w->words[at] == part->number;
    if (!there && !part->optional) return 0;
    at += there;
    for (int k = 0; k < count; k++) {
      if (there && at >= w->count) return 0;
      *word++ = there ? at : NO_WORD;
      if (there) at += (uint32_t)trace_words(trace_unpack(w->words[at]));
    }
  }
  return at <= w->count ? at : 0;
}

/* What nvcc has around a loop of any number of turns: it counts them and goes through up to three
 * by themselves; then, if there are more, through 16, 8 and 4 at a time, with a test before each.
 * Instructions of that beside the turns, in what nvcc 13 makes of a sum of a row's elements. */
enum { TO_COUNT = 12, TO_TRY = 17 };

static void enter_loop(struct machine *m, struct player *p) {
  uint32_t loop = p->block->unrolls ? p->block->parts[0].number : NO_WORD;
  bool inside = loop != NO_WORD && p->loop == loop, many = p->block->turns > 1;
  int slots = loop == NO_WORD ? 0 : (inside ? 0 : TO_COUNT) + (many && !p->many ? TO_TRY : 0);
  p->many = loop != NO_WORD && (many || (inside && p->many));
  p->loop = loop;
  issue_more(m, p, slots);
}

/* Goes on to the next basic block of the trace, or to as many as are planned as one; false at its
 * end, or where it was cut. */
static bool next_block(struct machine *m, struct player *p) {
  p->block = NULL;
  if (p->at >= p->warp->count) return false;
  const struct plan_block *blocks[MAX_LONGER];
  int count = 0;
  uint32_t number = p->warp->words[p->at++], at = 0;
  for (const struct plan_block *b = &m->plan->blocks[number]; b && count < MAX_LONGER;
       b = b->longer)
    blocks[count++] = b;
  while (!at && count > 0) at = match(m->plan, p, blocks[--count]);
  if (!at) return false;
  p->at = at;
  p->block = blocks[count];
  p->number = p->block->parts[p->block->part_count - 1].number;
  p->next = p->spill = p->issued = 0;
  p->code = fetch_block(&m->fetch, p->scheduler, p->block, p->time);
  enter_loop(m, p);
  return true;
}

static double input_ready(const struct player *p, int input) {
  return input >= 0 ? p->made[input] : p->values[~input];
}

/* Does the store come right after another one? If it had to wait for what it stores, others have
 * been there meanwhile. */
static bool follows(const struct player *p, const struct plan_op *op) {
  if (p->since > FOLLOWS) return false;
  for (int i = 0; i < op->input_count; i++)
    if (input_ready(p, op->inputs[i]) > p->sent + FOLLOWS_CYCLES) return false;
  return true;
}

static double inputs_ready(const struct player *p, const struct plan_op *op) {
  double ready = p->time;
  for (int i = 0; i < op->input_count; i++)
    ready = later(ready, input_ready(p, op->inputs[i]) + op->waits[i]);
  return ready;
}

/* A scheduler's unit for FP32 has two halves, which take a warp's instruction in two cycles each:
 * one for integer products and floating-point numbers, the other for these only (fmaheavy and
 * fmalite of Nsight Compute). Where the unit is no wider than one of them, it is the first. */
static bool takes_either_half(const struct cost *cost) {
  return cost->unit == UNIT_FP32 && cost->slots == 1 && cost->cycles == 1;
}

/* The time at which the unit can take another instruction. */
static double unit_free(const struct machine *m, int scheduler, const struct cost *cost) {
  const double *units = m->unit[scheduler];
  if (cost->unit == UNIT_ADD) return fmin(units[UNIT_FP32], units[UNIT_ALU]);
  if (cost->unit == UNIT_SHUFFLE) return m->shuffle;
  if (cost->unit == UNIT_MEMORY) return hierarchy_free(&m->memory);
  return takes_either_half(cost) ? fmin(units[UNIT_FP32], m->light[scheduler]) : units[cost->unit];
}

static const enum busy busy_of[UNITS] = {[UNIT_FP32] = BUSY_FP32,
                                         [UNIT_ALU] = BUSY_ALU,
                                         [UNIT_SFU] = BUSY_SFU,
                                         [UNIT_FP64] = BUSY_FP64,
                                         [UNIT_TENSOR] = BUSY_TENSOR};

static void add_cost(struct cost *to, const struct cost *cost) {
  to->unit = cost->unit;
  to->slots += cost->slots;
  to->cycles += cost->cycles;
  to->latency += cost->latency;
  to->hold += cost->hold;
  to->fp32 += cost->fp32;
  to->alu += cost->alu;
}

/* What an operation costs that lanes have executed in these ways. */
static struct cost of_ways(const struct plan_op *op, int ways) {
  struct cost cost = {.unit = op->cost.unit};
  if (ways & WAY_SHORT) add_cost(&cost, &op->cost);
  if (ways & WAY_LONG) add_cost(&cost, &op->longer[0]);
  if (ways & WAY_LONGER) add_cost(&cost, &op->longer[1]);
  return cost;
}

/* What a row of instructions takes of other units, some time. */
static void take_others(struct machine *m, int scheduler, const struct cost *cost, double when) {
  double *units = m->unit[scheduler];
  units[UNIT_FP32] = later(units[UNIT_FP32], when) + cost->fp32;
  units[UNIT_ALU] = later(units[UNIT_ALU], when) + cost->alu;
  m->result->busy[BUSY_FP32] += cost->fp32;
  m->result->busy[BUSY_ALU] += cost->alu;
}

/* Occupies the operation's unit from `when` on. */
static void take_unit(struct machine *m, int scheduler, const struct cost *cost, double when) {
  double *units = m->unit[scheduler], *light = &m->light[scheduler];
  if (takes_either_half(cost)) {
    double *half = *light <= units[UNIT_FP32] ? light : &units[UNIT_FP32];
    *half = when + 2;
    m->either_half += 1;
    return;
  }
  int unit = cost->unit != UNIT_ADD                ? cost->unit
             : units[UNIT_FP32] <= units[UNIT_ALU] ? UNIT_FP32
                                                   : UNIT_ALU;
  units[unit] = when + cost->cycles;
  m->result->busy[busy_of[unit]] += cost->cycles;
  if (unit == UNIT_FP32 && cost->slots > 1) { /* a row of both kinds */
    *light = when + cost->cycles;
    m->either_half += cost->cycles / 2.0;
  }
}

/* Issues the operation if its inputs and its unit are ready; else returns false and sets p->time to
 * when to try again. */
static bool issue(struct machine *m, struct player *p, int scheduler, int which) {
  const struct plan_op *op = &p->block->ops[which];
  const struct cost *cost = &op->cost;
  double ready = inputs_ready(p, op);
  if (cost->unit == UNIT_NONE) {
    p->made[which] = ready;
    return true;
  }
  double when = later(later(ready, m->scheduler[scheduler]), unit_free(m, scheduler, cost));
  if (p->code.each) when = later(when, p->code.from + p->issued * p->code.each);
  if (when > p->time) {
    p->time = when;
    return false;
  }
  uint32_t word = op->traced >= 0 ? p->words[op->traced] : NO_WORD;
  struct trace_memory traced = word == NO_WORD ? (struct trace_memory){.kind = TRACE_NOTHING}
                                               : trace_unpack(p->warp->words[word]);
  struct cost taken = traced.kind == TRACE_WAYS ? of_ways(op, traced.cycles) : op->cost;
  cost = &taken;
  double slots = cost->slots + m->sm->reads[op->fresh];
  if (cost->unit == UNIT_FP64 && cost->slots == 1) slots += wide_slots;
  m->scheduler[scheduler] = when + slots;
  p->issued += cost->slots;
  p->since += cost->slots;
  m->result->busy[BUSY_ISSUE] += slots;
  p->made[which] = when + cost->latency;
  p->time = when + warp_cycles(cost);
  if (cost->unit == UNIT_MEMORY && traced.kind == TRACE_NOTHING) {
    hierarchy_pass(&m->memory, op->shared, when);
    p->made[which] = when;
  } else if (cost->unit == UNIT_MEMORY) {
    struct hierarchy_use use = {p->salt, op->returns, op->narrow, follows(p, op)};
    p->made[which] = hierarchy_access(&m->memory, p->warp->words + word, use, when);
    if (traced.kind == TRACE_GLOBAL_STORE) p->stored = m->memory.l1;
    if (traced.kind == TRACE_GLOBAL_STORE || traced.stores) p->since = 0, p->sent = when;
    if (traced.loops) p->time = p->made[which]; /* its instructions are the warp's own */
  } else if (cost->unit == UNIT_SHUFFLE) {
    m->shuffle = when + cost->cycles;
  } else {
    take_unit(m, scheduler, cost, when);
    if (cost->alu) take_others(m, scheduler, cost, when);
  }
  return true;
}

/* Issues the block's next spill, or sets p->time to when to try again (false). */
static bool issue_spill(struct machine *m, struct player *p, int scheduler) {
  const struct plan_spill *spill = &p->block->spills[p->spill];
  double when = later(later(p->time, m->scheduler[scheduler]), hierarchy_free(&m->memory));
  if (when > p->time) {
    p->time = when;
    return false;
  }
  /* A word of all lanes is a line; each warp has its own. */
  uint32_t warp = (uint32_t)((p->trace - m->traces) * p->trace->warp_count) +
                  (uint32_t)(p->warp - p->trace->warps),
           line = UINT32_C(0xc0000000) + (warp * (uint32_t)m->plan->slot_count + spill->slot) * 2,
           words[] = {trace_pack((struct trace_memory){.kind = TRACE_LOCAL,
                                                       .lines = spill->words,
                                                       .cycles = spill->words,
                                                       .stores = spill->stores}),
                      line, spill->words == 2 ? line + 1 : 0x0f, 0xff};
  p->made[p->block->count + spill->number] =
      hierarchy_access(&m->memory, words, (struct hierarchy_use){.salt = p->salt}, when);
  m->scheduler[scheduler] = p->time = when + 1;
  m->result->busy[BUSY_ISSUE] += 1;
  return true;
}

/* ---- blocks ---- */

/* A block's warps are dealt out to the schedulers in turn, beginning behind the last one of the
 * block before; or, if that would be the same for all, with the next one: of blocks of 4, 8, 12 and
 * 16 warps of which only the first has work, four take as long as one, and of those of 2 or 6 two
 * (gpus/calibrate_warps.cu, "first warps"). */
static int scheduler_of(int slot, int warp, int warps) {
  int next = warps % SCHEDULERS ? warps % SCHEDULERS : 1;
  return (slot * next + warp) % SCHEDULERS;
}

static void start_block(struct machine *m, int slot, double now) {
  const struct block_trace *trace = &m->traces[m->started % m->trace_count];
  double start = take_share(&m->dispatch, now, m->sm->block_interval);
  m->slots[slot] = (struct slot){.players = trace->warp_count, .running = trace->warp_count};
  for (int w = 0; w < trace->warp_count; w++) {
    int index = slot * m->traces[0].warp_count + w;
    struct player *p = &m->players[index];
    m->age[index] = (uint32_t)(m->started * trace->warp_count + w);
    p->trace = trace;
    p->warp = &trace->warps[w];
    p->at = 0;
    p->waiting = false;
    p->loop = NO_WORD;
    p->many = false;
    p->stored = -drain;
    p->since = FOLLOWS + 1;
    p->salt = (uint64_t)(m->started / m->trace_count) << 33;
    p->slot = slot;
    p->scheduler = scheduler_of(slot, w, trace->warp_count);
    m->last_warp = later(start, m->last_warp + m->sm->block_warp);
    p->time = m->last_warp;
    for (int v = 0; v < m->plan->value_count; v++) p->values[v] = p->time;
    m->result->instructions += p->warp->sums.instructions;
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

/* A block has ended. Of even blocks, if half of the waves took as long as those before, no more
 * need to start; of others, once each has run twice. */
static void note_end(struct machine *m) {
  int left = m->started - m->ended;
  if (m->started == m->count && (!m->full || (!m->even && left >= m->resident / 2))) {
    m->full = m->result->cycles;
    m->issued = m->result->busy[BUSY_ISSUE];
  }
  int wave = m->ended / m->resident;
  double *end = m->wave_end, now = m->result->cycles;
  if (m->started == m->count) return;
  if (!m->even) {
    if (m->ended == m->trace_count) end[1] = now;
    if (m->ended == 2 * m->trace_count) {
      m->result->rate = (now - end[1]) / m->trace_count;
      if (!m->all) m->count = m->started;
    }
    return;
  }
  if (m->ended % m->resident || wave > MAX_WAVES) return;
  end[wave] = now;
  if (wave < 3) return;
  int from = wave / 2, early = wave / 4;
  m->result->rate = (now - end[from]) / ((wave - from) * m->resident);
  if (m->all || wave < FEW_WAVES) return;
  double rate = m->result->rate, before = (end[from] - end[early]) / ((from - early) * m->resident);
  if (fabs(rate - before) <= steady * later(rate, before)) m->count = m->started;
}

static void end_warp(struct machine *m, const struct player *p) {
  struct slot *slot = &m->slots[p->slot];
  double now = p->time;
  slot->running--;
  if (slot->running && slot->arrived == slot->running) release_barrier(m, slot);
  if (slot->running) return;
  m->ended++;
  if (now > m->result->cycles) m->result->cycles = now;
  note_end(m);
  if (m->started < m->count) start_block(m, p->slot, now + m->sm->block_turn);
}

/* The first warp goes on until it would have to wait. */
static void play(struct machine *m) {
  int index = m->tree[1];
  struct player *p = &m->players[index];
  int scheduler = p->scheduler;
  for (;;) {
    const struct plan_block *block = p->block;
    if (!block) {
      p->time = later(p->time, p->stored + drain);
      remove_player(m, index);
      end_warp(m, p);
      return;
    }
    if (p->spill < block->spill_count && block->spills[p->spill].at <= p->next) {
      p->spill += issue_spill(m, p, scheduler);
      break;
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
      m->scheduler[scheduler] = when + block->branch_slots;
      p->since += FOLLOWS;
      m->result->busy[BUSY_ISSUE] += block->branch_slots;
    }
    for (int i = 0; i < block->result_count; i++)
      p->values[block->results[i].value] = p->made[block->results[i].op];
    double now = p->time;
    switch (block->block->end) {
      case END_BRANCH: {
        uint32_t from = p->number;
        if (!block->predicated)
          p->time += 1;
        else if (block->predicate != INT16_MIN)
          p->time = later(p->time, input_ready(p, block->predicate));
        bool on = next_block(m, p);
        if (on && !block->predicated && p->block->parts[0].number != from + 1)
          p->time += m->sm->branch - 1;
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
        remove_player(m, index);
        next_block(m, p);
        if (slot->arrived == slot->running) release_barrier(m, slot);
        return;
      }
      default:
        next_block(m, p);
        break;
    }
    if (p->block && p->time > now) break; /* others may issue until then */
  }
  settle(m, index, p->time);
}

static bool prepare(struct machine *m, int resident) {
  int warps = m->traces[0].warp_count;
  m->player_count = resident * warps;
  m->players = calloc((size_t)m->player_count, sizeof *m->players);
  m->slots = calloc((size_t)resident, sizeof *m->slots);
  bool ok = hierarchy_open(&m->memory, m->sm, m->result) && m->players && m->slots &&
            open_tournament(m) && fetch_open(&m->fetch, m->plan);
  for (int i = 0; ok && i < m->player_count; i++) {
    struct player *p = &m->players[i];
    p->made = calloc((size_t)m->plan->max_ops + 1, sizeof *p->made);
    p->values = calloc((size_t)m->plan->value_count + 1, sizeof *p->values);
    p->words = calloc((size_t)m->plan->max_ops + 1, sizeof *p->words);
    ok = p->made && p->values && p->words;
  }
  return ok;
}

bool replay_run(const struct plan *plan, const struct block_trace *traces, int trace_count,
                int count, bool all, bool even, int resident, const struct sm *sm,
                struct replay *result) {
  struct machine m = {.plan = plan,
                      .sm = sm,
                      .result = result,
                      .traces = traces,
                      .trace_count = trace_count,
                      .count = count,
                      .all = all,
                      .even = even};
  if (resident > count) resident = count;
  m.resident = resident;
  *result = (struct replay){0};
  bool ok = prepare(&m, resident);
  for (int slot = 0; ok && slot < resident; slot++) start_block(&m, slot, 0);
  while (ok && m.active) play(&m);
  result->blocks = m.started;
  if (!result->rate && m.issued > 0)
    result->rate = m.full * (result->busy[BUSY_ISSUE] / m.issued) / m.started;
  for (int i = 0; m.players && i < m.player_count; i++) {
    free(m.players[i].made);
    free(m.players[i].values);
    free(m.players[i].words);
  }
  free(m.players);
  free(m.slots);
  free(m.times);
  free(m.age);
  free(m.tree);
  hierarchy_close(&m.memory);
  fetch_close(&m.fetch);
  for (int b = 0; b <= BUSY_TENSOR; b++) result->busy[b] /= SCHEDULERS;
  result->busy[BUSY_DISPATCH] = sm->block_interval * m.started;
  result->busy[BUSY_FP32] =
      later(result->busy[BUSY_FP32], result->busy[BUSY_FP32] / 2 + m.either_half / SCHEDULERS);
  for (int b = 0; b < BUSIES; b++) /* what is busy all the time takes as long for each block */
    result->rate = later(result->rate, result->busy[b] / m.started);
  return ok;
}
