/* hierarchy.c: the caches and DRAM of a replay. L1 belongs to the SM, a cache of lines with
 * sectors; the SM gets its share of the rates of L2 and DRAM. */
#include "harness/sim/model/hierarchy.h"

#include <math.h>
#include <stdlib.h>

#include "harness/sim/model/share.h"

enum { WAYS = 16 };
/* Of stores of a warp right after one another to the same sectors, the share that L2 gets as one,
 * by how many lines each is to. Of records of so many words, stored word by word, an H200 writes
 * all at once, about three quarters of those of 5, half of those of 6, a quarter of those of 7 and
 * none of those of 8 and more; of bytes and half words, pairs on one line or two
 * (gpus/calibrate_stores.cu, "stores" and "narrow stores"). */
static const double merged_share[] = {1, 1, 1, 1, 0.9, 0.75, 0.5, 0.25},
                    merged_narrow[] = {1, 0.8, 0.5, 0.25};
/* Cycles for which instructions queue in front of L1 and L2 before their warps stall. */
static const double queue_l1 = 64, queue_l2 = 400, queue_atomics = 2000;

struct cache_line {
  uint64_t number;
  uint32_t sectors;
  uint64_t used;   /* when */
  double ready[4]; /* cycle at which the sector arrives */
};

bool hierarchy_open(struct hierarchy *m, const struct sm *sm, struct replay *result) {
  *m = (struct hierarchy){.sm = sm, .result = result, .sets = sm->l1_lines / WAYS};
  m->lines = calloc((size_t)m->sets * WAYS + 1, sizeof *m->lines);
  m->requested = calloc(HIERARCHY_LINES / 8, 1);
  m->latest = calloc(HIERARCHY_LATEST, sizeof *m->latest);
  return m->lines && m->requested && m->latest;
}

void hierarchy_close(struct hierarchy *m) {
  struct replay *result = m->result;
  free(m->lines);
  free(m->requested);
  free(m->latest);
  result->cycles = later(result->cycles, later(m->atomics, later(m->l2, m->port)));
  for (int i = 0; i < HIERARCHY_PLACES; i++)
    result->busy[BUSY_ATOMICS] = later(result->busy[BUSY_ATOMICS], m->place[i].busy);
  for (int i = 0; i < HIERARCHY_SLICES; i++)
    result->busy[BUSY_ATOMICS] = later(result->busy[BUSY_ATOMICS], m->slice[i].busy);
}

double hierarchy_free(const struct hierarchy *m) {
  return later(later(m->l1, m->constants) - queue_l1,
               later(later(m->l2, m->port) - queue_l2, m->atomics - queue_atomics));
}

/* ---- L1 ---- */

/* Salts are in the upper half: they go into the bits that are looked at as well. */
static uint64_t mix(uint64_t line) {
  return (line ^ line >> 32) * UINT64_C(0x9e3779b97f4a7c15) >> 20;
}

/* The entry of a line; a new line replaces the least recently used one. */
static struct cache_line *find_line(struct hierarchy *m, uint64_t number, bool enter) {
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

/* Two numbers in (0, 1), always the same of a number. */
static void draw(uint64_t number, double drawn[2]) {
  uint64_t bits = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
  bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
  drawn[0] = ((double)(bits >> 32) + 0.5) * 0x1p-32;
  drawn[1] = ((double)(bits & UINT32_MAX) + 0.5) * 0x1p-32;
}

/* How long a line waits in DRAM, of the mean: an Erlang distribution of two steps, as an H100's
 * latencies are spread (half wait less than 0.84 of the mean, one of a hundred more than 3.3 times
 * as long). The 4 KiB around a line wait as long as it does: a block of 32 warps that load a line
 * each and wait for each other takes no longer than they do by themselves
 * (gpus/calibrate_bursts.cu, "loop"). */
static double wait_of(uint64_t line) {
  double drawn[2];
  draw(line / 32, drawn);
  return -0.5 * log(drawn[0] * drawn[1]);
}

/* By how many cycles DRAM's latency grows with its load. Reads wait for reads, up to a point: then
 * it is busy all the time. And they wait while it writes, some of them for long, so a block waits
 * for its last line: an exponential distribution where DRAM is a little busy, with a part that does
 * not depend on how busy. Measured by gpus/calibrate_bursts.cu, "loop" and "blocks". */
static double queue_of(const struct hierarchy *m, double from, uint64_t line) {
  static const double most = 5, random = 0.6, idle = 0.2;
  double busy = fmin(0.9, m->result->busy[BUSY_DRAM] / later(from, 1)), load = busy / (1 - busy),
         varies = fmin(load, random), drawn[2];
  draw(line, drawn);
  return m->sm->dram_queue * fmin(load, most) +
         m->sm->dram_mixed_queue * (load - varies - (idle + varies) * log(drawn[0]));
}

/* Occupies DRAM for `cost`; returns when the line is there. */
static double request_dram(struct hierarchy *m, double from, double cost, uint64_t line) {
  double start = take_share(&m->dram, from, cost), queue = queue_of(m, from, line);
  m->result->busy[BUSY_DRAM] += cost;
  return start + m->sm->dram_latency + m->sm->dram_spread * (wait_of(line) - 1) + queue;
}

/* Occupies L2 and the SM's port to it; returns when L2 has turned to it and the port is done. */
static double request_l2(struct hierarchy *m, double now, double cost, double port) {
  double start = take_share(&m->l2, now, cost);
  m->port = later(m->port, now) + port;
  return later(start, m->port);
}

/* The port's time for sectors of a line. */
static double port_time(const struct sm *sm, int sectors) {
  return later(sm->port_line, sectors * sm->port_sector);
}

/* The access under way keeps L1 until the port, which takes so long for it, is done. */
static void wait_for_port(struct hierarchy *m, double port) {
  double behind = later(port - m->passes, 0);
  m->l1 += behind;
  m->result->busy[BUSY_L1] += behind;
}

enum { NO_ARRAY = -1, LOCAL_MEMORY = -2 };

/* The array of a line, or NO_ARRAY. */
static int array_of(const struct sm *sm, uint32_t line) {
  for (int i = 0; i < sm->array_count; i++)
    if (line - sm->arrays[i].first < sm->arrays[i].lines) return i;
  return NO_ARRAY;
}

/* The part of an access' sectors that DRAM moves one by one; 0: it does not lie anywhere in arrays
 * too large for L2. */
static double share_anywhere(const struct sm *sm, struct trace_memory access, uint32_t line) {
  int array = access.random ? array_of(sm, line) : NO_ARRAY;
  return array < 0 ? 0 : sm->arrays[array].anywhere;
}

/* Counts the sectors of an access that go to L2, if it lies anywhere. */
static void count_scattered(struct hierarchy *m, struct trace_memory access, uint32_t line,
                            int sectors) {
  int array = access.random ? array_of(m->sm, line) : NO_ARRAY;
  if (array >= 0) m->result->of[array].scattered += (uint64_t)sectors;
}

/* Has the line been requested before? From now on it has. */
static bool requested_again(struct hierarchy *m, uint64_t line) {
  uint64_t bit = mix(line) % HIERARCHY_LINES;
  bool again = m->requested[bit / 8] >> bit % 8 & 1;
  m->requested[bit / 8] |= (uint8_t)(1 << bit % 8);
  return again;
}

/* Sectors of the line, a bit each, that have not been requested before. */
static int first_requests(struct hierarchy *m, uint32_t mask, uint64_t line) {
  int count = 0;
  for (unsigned s = 0; s < 4; s++) count += mask >> s & 1 && !requested_again(m, line * 4 + s);
  return count;
}

static int halves_of(uint32_t mask) { return !!(mask & 3) + !!(mask & 12); }

/* Of replay.h, of so many times l2_shortly. */
static int distance_class(double distance) {
  return (int)fmin(REPLAY_DISTANCES - 1, 4 * log2(distance));
}

/* Halves of the array's line, which DRAM moves whole, of which no sector has been requested before.
 * Of the others it notes how many have been since then. */
static int first_halves(struct hierarchy *m, uint32_t mask, int array, uint64_t line) {
  int count = 0;
  for (unsigned h = 0; h < 2; h++) {
    if (!(mask >> 2 * h & 3)) continue;
    uint32_t *latest = &m->latest[mix(line * 2 + h) % HIERARCHY_LATEST];
    double distance = (m->distinct - *latest) / m->sm->l2_shortly;
    bool again = requested_again(m, line * 2 + h);
    m->result->of[array].again += again;
    if (again && distance < 1) continue;
    if (again) m->result->of[array].later[distance_class(distance)]++;
    *latest = ++m->distinct;
    count += !again;
  }
  return count;
}

/* Does this one go to DRAM, of which so large a share does? `part`: of the next that will. */
static bool falls_to_dram(double *part, double share) {
  *part += share;
  if (*part < 1) return false;
  *part -= 1;
  return true;
}

/* Counts sectors of a line of local memory that go to L2. */
static void count_local(struct hierarchy *m, uint64_t *sectors, uint32_t mask, uint64_t line) {
  *sectors += (uint64_t)__builtin_popcount(mask);
  m->result->local.lines += !requested_again(m, line);
}

/* Fetches sectors of a line of an array or local memory from L2, a bit each, from `now` on; returns
 * when they arrive. */
static double fetch(struct hierarchy *m, double now, uint32_t mask, int array, double random,
                    uint64_t line) {
  const struct sm *sm = m->sm;
  int sectors = __builtin_popcount(mask);
  double cost = later(sm->l2_line, sectors * sm->l2_sector);
  double done = request_l2(m, now, cost, port_time(sm, sectors));
  m->result->busy[BUSY_L2_LOADS] += cost;
  if (array == NO_ARRAY) return done + sm->l2_latency;
  double from_dram = 0; /* cycles of DRAM */
  if (array == LOCAL_MEMORY) {
    count_local(m, &m->result->local.missed, mask, line);
    if (falls_to_dram(&m->local_part, sm->local_outside))
      from_dram = (sectors > 2 ? 2 : 1) * sm->dram_local;
  } else if (random > 0) {
    /* what few blocks meet again stays in L2: the upper levels of a tree, frequent words */
    sectors = first_requests(m, mask, line);
    m->result->random += (uint64_t)sectors;
    if (sectors && falls_to_dram(&m->random_part, random)) from_dram = sectors * sm->dram_random;
  } else {
    int first = first_halves(m, mask, array, line), again = halves_of(mask) - first;
    m->result->of[array].missed += (uint64_t)sectors;
    m->result->of[array].first += (uint64_t)first;
    if (first && falls_to_dram(&m->first_part[array], sm->arrays[array].outside))
      from_dram += first * sm->dram_half_line;
    if (again && falls_to_dram(&m->again_part[array], sm->arrays[array].lost))
      from_dram += again * sm->dram_half_line;
  }
  return from_dram > 0 ? request_dram(m, done, from_dram, line) : done + sm->l2_latency;
}

/* A global load that starts in L1 now; returns when all of it has arrived. Nothing else goes
 * through L1 until the port has asked for what is missing: of an SM by itself, loads of 32 lines of
 * which 0, 8, 16, 24 and 32 are new take 8, 9, 16, 24 and 32 cycles (gpus/calibrate_misses.cu,
 * "lines missing"). */
static double load(struct hierarchy *m, uint64_t salt, const uint32_t *words,
                   struct trace_memory access, double now) {
  const uint32_t *masks = words + access.lines;
  /* its lines are looked up one a cycle before the first of its words moves */
  double arrives = now + m->sm->l1_latency + access.lines - 1,
         random = share_anywhere(m->sm, access, words[0]);
  int array = access.kind == TRACE_GLOBAL_LOAD ? array_of(m->sm, words[0])
              : access.kind == TRACE_LOCAL     ? LOCAL_MEMORY
                                               : NO_ARRAY;
  double port = 0;
  int sectors = 0;
  for (int i = 0; i < access.lines; i++) {
    uint32_t wanted = trace_sectors(masks, i), missing = wanted;
    struct cache_line *line = access.past_l1 ? NULL : find_line(m, words[i] + salt, true);
    if (line) missing &= ~line->sectors;
    int count = __builtin_popcount(missing);
    sectors += count;
    if (access.kind == TRACE_GLOBAL_LOAD) {
      m->result->requested += (uint64_t)__builtin_popcount(wanted);
      m->result->missed += (uint64_t)count;
    }
    double fetched = count ? fetch(m, now, missing, array, random, words[i] + salt) : 0;
    if (count) port += port_time(m->sm, count);
    for (int s = 0; line && s < 4; s++) {
      if (missing >> s & 1) line->ready[s] = fetched;
      if (wanted >> s & 1) arrives = later(arrives, line->ready[s]);
    }
    if (line) line->sectors |= missing;
    arrives = later(arrives, fetched);
  }
  count_scattered(m, access, words[0], sectors);
  wait_for_port(m, port);
  return arrives;
}

static int sectors_of(const uint32_t *masks, int lines) {
  int sectors = 0;
  for (int i = 0; i < lines; i++) sectors += __builtin_popcount(trace_sectors(masks, i));
  return sectors;
}

/* L1 gives up a line at which something is added: measured by gpus/calibrate_atomics.cu, "load
 * after atomic". */
static void drop(struct hierarchy *m, uint64_t number) {
  struct cache_line *line = find_line(m, number, false);
  if (line) line->sectors = 0;
}

/* Something is stored to a line of L1 while some of it is on its way from L2: that is not kept, and
 * what was there goes, too; there are then the sectors that are stored as a whole. Without anything
 * on its way the line is brought up to date. Measured by gpus/calibrate_stores.cu, "overtaken". */
static void overtake(struct hierarchy *m, uint64_t number, uint32_t whole, double now) {
  struct cache_line *line = find_line(m, number, false);
  for (int s = 0; line && s < 4; s++)
    if (line->sectors >> s & 1 && line->ready[s] > now) {
      line->sectors = whole;
      for (int k = 0; k < 4; k++) line->ready[k] = now;
      return;
    }
}

/* Sends a store to L2. Until it is gone, nothing else goes through L1: of an SM by itself, a load
 * and a store of 32 lines each take as long together as one after the other
 * (gpus/calibrate_stores.cu, "behind stores"). */
static void send_store(struct hierarchy *m, double units, double now) {
  double cost = units * m->sm->store_unit, port = units * m->sm->port_unit;
  request_l2(m, now, cost, port);
  wait_for_port(m, port);
  m->result->busy[BUSY_L2_STORES] += cost;
}

/* Sectors that lie anywhere go on to DRAM. Returns when those whole by now are there; 0: none. */
static double store_random(struct hierarchy *m, double sectors, uint64_t line) {
  m->random_part += sectors;
  if (m->random_part < 1) return 0;
  double whole = floor(m->random_part);
  m->random_part -= whole;
  return request_dram(m, m->l2, whole * m->sm->dram_random_store, line);
}

/* Of the stores to one of so many lines, the share that merges. */
static double share_merged(struct hierarchy_use use, int lines) {
  int most = use.narrow ? sizeof merged_narrow / sizeof *merged_narrow
                        : sizeof merged_share / sizeof *merged_share;
  if (!use.follows || lines >= most) return 0;
  return use.narrow ? merged_narrow[lines] : merged_share[lines];
}

/* Sectors of one of the lines of a store that go to L2 by themselves, not with those that were
 * stored to just before. */
static double sectors_sent(struct hierarchy *m, uint32_t mask, uint64_t line, double share) {
  int all = __builtin_popcount(mask);
  struct hierarchy_stored *oldest = m->stored;
  for (int i = 0; i < HIERARCHY_STORED; i++) {
    struct hierarchy_stored *s = &m->stored[i];
    if (s->mask && s->line == line) {
      int merged = share > 0 ? __builtin_popcount(mask & s->mask) : 0;
      s->mask = share > 0 ? s->mask | mask : mask;
      s->at = ++m->stores;
      return all - share * merged;
    }
    if (s->at < oldest->at) oldest = s;
  }
  *oldest = (struct hierarchy_stored){line, mask, ++m->stores};
  return all;
}

/* Sends a store's lines to L2, but for what merges. Returns their sectors. */
static int send_lines(struct hierarchy *m, struct hierarchy_use use, const uint32_t *words,
                      struct trace_memory access, double now) {
  const uint32_t *masks = words + access.lines;
  int sectors = sectors_of(masks, access.lines);
  double sent = 0, share = share_merged(use, access.lines);
  for (int i = 0; i < access.lines; i++)
    sent += sectors_sent(m, trace_sectors(masks, i), words[i] + use.salt, share);
  send_store(m, sent + access.missing * m->sm->store_missing * sent / later(sectors, 1), now);
  return sectors;
}

static void store(struct hierarchy *m, struct hierarchy_use use, const uint32_t *words,
                  struct trace_memory access, double now) {
  int sectors = send_lines(m, use, words, access, now);
  count_scattered(m, access, words[0], sectors);
  for (int i = 0; i < access.lines; i++)
    overtake(m, words[i] + use.salt, access.missing ? 0 : trace_sectors(words + access.lines, i),
             now);
  double random = share_anywhere(m->sm, access, words[0]);
  if (random > 0) {
    store_random(m, sectors * random, words[0]);
    return;
  }
  m->result->stored.sectors += (uint64_t)sectors;
  m->result->stored.parts += access.missing ? (uint64_t)sectors : 0;
  m->result->stored.missing += (uint64_t)access.missing;
  for (int i = 0; i < access.lines; i++)
    m->result->stored.halves += (uint64_t)halves_of(trace_sectors(words + access.lines, i));
}

/* Local memory stays in L1 as long as there is room, but all of it is written through to L2. */
static void local_store(struct hierarchy *m, struct hierarchy_use use, const uint32_t *words,
                        struct trace_memory access, double now) {
  const uint32_t *masks = words + access.lines;
  for (int i = 0; i < access.lines; i++) {
    uint32_t stored = trace_sectors(masks, i);
    struct cache_line *line = find_line(m, words[i] + use.salt, true);
    if (line) line->sectors |= stored;
    count_local(m, &m->result->local.stored, stored, words[i] + use.salt);
    m->local_stored += m->sm->local_outside * __builtin_popcount(stored);
  }
  for (; m->local_stored >= 2; m->local_stored -= 2) request_dram(m, m->l2, m->sm->dram_local, 0);
  send_lines(m, use, words, access, now);
}

uint64_t hierarchy_place(uint32_t line) { return line / 8 * 2 + line / 2 % 2; }

/* The places of 4 KiB are in slices of their own; others may share one, which has the turns of one
 * while another is under way: 32 places together are 23 times as fast as one, 64 24 times, 128 38
 * times (measured by gpus/calibrate_atomics.cu, "atomic sweep"). */
static const double of_slice = 0.69;
static int slice_of(uint64_t place) {
  enum { APART = 8 };
  return (int)(mix(place) % (HIERARCHY_SLICES / APART) * APART + place % APART);
}

/* Do all blocks have atomic operations in this place, by how many of them have? */
static bool all_visit(const struct sm *sm, uint64_t place) {
  return (double)(mix(place) % 1024) < 1024 * sm->atomic_part;
}

/* The next turn takes so long; returns when it ends. SMs are not where the others are: what this
 * one has not used since the first turn, others have. */
static double take_turn(struct hierarchy_turns *turns, double first, double cycles) {
  turns->free = later(turns->free, first) + cycles;
  turns->busy += cycles;
  return turns->free;
}

/* Turns are shorter in sectors of which no word is left out, and of each further sector of a
 * request; those on whole sectors of doubles are two. A sum of floating-point numbers is there for
 * the next one only after some time, for whole sectors of doubles a third longer; if that is of the
 * same line, it and all behind it wait, and it is as often as the line has requests. On its way to
 * L2 a lane that is at another one's address counts twice. Measured by gpus/calibrate_atomics.cu.
 */
static double atomic(struct hierarchy *m, uint64_t salt, const uint32_t *words,
                     struct trace_memory access, bool returns, double now) {
  const uint32_t *masks = words + access.lines;
  int sectors = sectors_of(masks, access.lines), units = 2 * access.cycles - sectors;
  double cost = units * (returns ? m->sm->returning_sector : m->sm->atomic_sector), done = 0;
  double from = request_l2(m, now, cost, sectors * m->sm->port_unit);
  m->result->busy[BUSY_L2_STORES] += cost;
  bool doubles = access.floats && access.wide && access.full;
  double sum = access.floats ? access.together * m->sm->atomic_sum * (doubles ? 4.0 / 3 : 1) : 0;
  if (m->first_atomic <= 0) m->first_atomic = from;
  for (int i = 0; i < access.lines; i++) {
    drop(m, words[i] + salt);
    double own = __builtin_popcount(trace_sectors(masks, i)), part = own / sectors,
           turns = access.cycles * part, full = access.full * part, further = own - 1,
           shorter = later(full, further) + (doubles ? full : 0);
    double taken = (turns + (doubles ? full : 0) - shorter) * m->sm->atomic_turn +
                   shorter * m->sm->atomic_next;
    uint64_t apart = all_visit(m->sm, hierarchy_place(words[i])) ? 0 : salt;
    uint64_t number = hierarchy_place(words[i]) + apart;
    struct hierarchy_turns *place = &m->place[mix(number) % HIERARCHY_PLACES];
    uint32_t *same = &m->requests[mix(words[i] + apart) % HIERARCHY_PLACES];
    double next = (double)++*same / ++place->requests;
    double cycles = taken + later(sum - taken, 0) * next / access.lines;
    done = later(done, later(take_turn(place, m->first_atomic, cycles), from));
    done = later(done, take_turn(&m->slice[slice_of(number)], m->first_atomic, of_slice * cycles));
  }
  m->atomics = later(m->atomics, done);
  count_scattered(m, access, words[0], sectors);
  done = later(done,
               store_random(m, sectors * share_anywhere(m->sm, access, words[0]), words[0] + salt) -
                   m->sm->l2_latency);
  return done + m->sm->l2_latency;
}

/* An atomic on shared memory that is a loop of compare and swap, from `now` on; returns when its
 * last lane is through. At one address one lane of the block succeeds at a time, whichever warp it
 * is of: measured by gpus/calibrate_shared.cu, "shared atomic". */
static double loop_on_shared(struct hierarchy *m, uint64_t salt, const uint32_t *words,
                             struct trace_memory access, double now) {
  double last = now + access.together * m->sm->shared_loop_latency;
  for (int i = 0; i < access.lines; i++) {
    double *done = &m->word[mix(words[i] + salt) % HIERARCHY_WORDS];
    int lanes = (int)trace_sectors(words + access.lines, i);
    if (lanes == 15) lanes = access.together;
    *done = later(*done, now) + lanes * m->sm->shared_loop_latency;
    last = later(last, *done);
  }
  return last;
}

/* ---- any access ---- */

double hierarchy_access(struct hierarchy *m, const uint32_t *words, struct hierarchy_use use,
                        double now) {
  struct trace_memory access = trace_unpack(*words++);
  if (access.kind == TRACE_CONSTANT) {
    m->constants = later(m->constants, now) + 2 * access.cycles - 0.25;
    return m->constants + m->sm->shared_latency;
  }
  double start = later(m->l1, now),
         cycles = access.kind == TRACE_GLOBAL_ATOMIC ? access.lines : access.cycles;
  if (access.kind == TRACE_SHARED) cycles *= m->sm->shared_wavefront;
  if (access.kind == TRACE_GLOBAL_LOAD) cycles = later(cycles, m->sm->l1_line);
  if (access.loops)
    cycles = access.cycles * m->sm->shared_loop;
  else if (access.together)
    cycles += (access.together - 1) * m->sm->shared_add;
  m->l1 = start + cycles;
  m->passes = cycles;
  m->result->busy[access.kind == TRACE_SHARED ? BUSY_SHARED : BUSY_L1] += cycles;
  double last = start + cycles - 1; /* the last of its cycles */
  switch (access.kind) {
    case TRACE_SHARED:
      return access.loops ? loop_on_shared(m, use.salt, words, access, last)
                          : last + m->sm->shared_latency;
    case TRACE_GLOBAL_STORE:
      store(m, use, words, access, last);
      return now;
    case TRACE_GLOBAL_ATOMIC:
      return atomic(m, use.salt, words, access, use.returns, last);
    case TRACE_LOCAL:
      if (access.stores) local_store(m, use, words, access, last);
      return access.stores ? now : load(m, use.salt, words, access, last);
    default:
      return load(m, use.salt, words, access, last);
  }
}

/* It takes as long as one that moves a wavefront: measured by gpus/calibrate_shared.cu,
 * "predicated". */
void hierarchy_pass(struct hierarchy *m, bool shared, double now) {
  m->l1 = later(m->l1, now) + 1;
  m->result->busy[shared ? BUSY_SHARED : BUSY_L1] += 1;
}
