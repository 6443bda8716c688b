/* sample.c: chooses the blocks to trace, and weighs those that represent the launch. */
#include "harness/sim/model/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* SMs whose blocks are traced; more if they have few blocks. */
enum { SETS = MAX_TRACED / MAX_SAMPLED, MAX_SETS = 16 };
static const uint32_t words_on_sm = 800000; /* of traces at once on an SM */

/* ---- before the launch ---- */

/* The next random number below a limit (splitmix64); the middle if there is no seed. */
static uint64_t draw(uint64_t *seed, uint64_t limit) {
  if (!*seed || !limit) return limit / 2;
  uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (z ^ z >> 31) % limit;
}

static bool contains(const uint64_t *numbers, uint64_t count, uint64_t number) {
  for (uint64_t i = 0; i < count; i++)
    if (numbers[i] == number) return true;
  return false;
}

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

int sample_choose(const struct gpu *gpu, uint64_t seed, uint64_t block_count, int warps,
                  int resident, uint64_t *blocks, uint32_t *room) {
  uint64_t sms = (uint64_t)gpu->info.sm_count, on_sm = (block_count + sms - 1) / sms;
  uint64_t fullest = block_count - (on_sm - 1) * sms; /* SMs with on_sm blocks, the first ones */
  uint64_t wanted = (uint64_t)resident * SAMPLED_WAVES;
  if (wanted > on_sm) wanted = on_sm;
  if (wanted > MAX_SAMPLED) wanted = MAX_SAMPLED;
  uint64_t at_once = wanted < (uint64_t)resident ? wanted : (uint64_t)resident;
  uint64_t waves = wanted / at_once, sets = SETS, chosen[MAX_SETS];
  wanted = waves * at_once;
  if (sets * wanted < MAX_SETS) sets = MAX_SETS / wanted;
  if (sets > fullest) sets = fullest;
  int count = 0;
  for (uint64_t s = 0; s < sets; s++) {
    uint64_t from = s * fullest / sets, sm = from + draw(&seed, (s + 1) * fullest / sets - from);
    while (contains(chosen, s, sm)) sm = (sm + 1) % fullest;
    chosen[s] = sm;
    for (uint64_t wave = 0; wave < waves; wave++) { /* from all over the grid */
      uint64_t spare = on_sm - wanted, part = spare / waves;
      uint64_t before =
          seed ? part * wave + draw(&seed, part + 1) : spare * (2 * wave + 1) / (2 * waves);
      for (uint64_t i = 0; i < at_once; i++)
        blocks[count++] = (before + wave * at_once + i) * sms + sm;
    }
  }
  qsort(blocks, (size_t)count, sizeof *blocks, by_number);
  if (blocks[count - 1] != block_count - 1) blocks[count++] = block_count - 1;
  if (blocks[0] != 0) {
    memmove(blocks + 1, blocks, (size_t)count++ * sizeof *blocks);
    blocks[0] = 0;
  }
  *room = words_on_sm / (uint32_t)(at_once * (uint64_t)warps);
  return count;
}

/* ---- after it ---- */

struct sums {
  double blocks, executed, traced, sectors, wavefronts; /* executed, traced: instructions */
};

static void add(struct sums *sums, const struct block_trace *trace) {
  sums->blocks++;
  for (int w = 0; w < trace->warp_count; w++) {
    sums->executed += (double)trace->warps[w].executed;
    sums->traced += (double)trace->warps[w].sums.instructions;
    sums->sectors += (double)trace->warps[w].sums.sectors;
    sums->wavefronts += (double)trace->warps[w].sums.wavefronts;
  }
}

static struct sums sums_of_launch(uint64_t block_count, const struct counters *counters) {
  const uint64_t *v = counters->value;
  double instructions = (double)v[COUNTER_inst_executed];
  return (struct sums){
      .blocks = (double)block_count,
      .executed = instructions,
      .traced = instructions,
      .sectors = (double)(v[COUNTER_global_load_sectors] + v[COUNTER_global_store_sectors]),
      .wavefronts =
          (double)(v[COUNTER_shared_load_wavefronts] + v[COUNTER_shared_store_wavefronts])};
}

/* Per instruction. The offset makes a few among many instructions no noticeable difference. */
static double rate(double what, double instructions) { return what / fmax(instructions, 1) + 0.05; }

static double ratio(double a, double b) { return fmax(a, b) / fmax(fmin(a, b), 1e-9); }

/* The ratio of the average of some blocks to that of all: 1 if they are alike. */
static double deviation(const struct sums *some, const struct sums *all) {
  double length = ratio(some->executed / fmax(some->blocks, 1), all->executed / all->blocks);
  double sectors = ratio(rate(some->sectors, some->traced), rate(all->sectors, all->traced));
  double wavefronts =
      ratio(rate(some->wavefronts, some->traced), rate(all->wavefronts, all->traced));
  return fmax(length, fmax(sectors, wavefronts));
}

static const double uneven = 0.05;     /* of the instructions of blocks */
static const double noticeable = 1.25; /* blocks at edges differ, too */

/* How much more memory work per instruction all blocks have than some. */
static double burden_of(const struct sums *some, const struct sums *all) {
  double sectors = rate(all->sectors, all->traced) / rate(some->sectors, some->traced);
  double wavefronts = rate(all->wavefronts, all->traced) / rate(some->wavefronts, some->traced);
  double more = fmin(fmax(sectors, wavefronts), LANES); /* one access is at most that many */
  return more > noticeable ? more : 1;
}

double executed_of(const struct block_trace *trace) {
  struct sums own = {0};
  add(&own, trace);
  return own.executed;
}

/* Does the traced block stand for others? Not the first or the last one, traced besides, with no
 * others of its SM; nor one that has not run, for the launch was stopped before. */
static bool is_regular(const struct block_trace *traces, int count, int t, uint64_t sms,
                       uint64_t block_count) {
  uint64_t block = traces[t].block;
  if (!traces[t].warps) return false;
  if (block_count <= sms || (block != 0 && block != block_count - 1)) return true;
  for (int u = 0; u < count; u++)
    if (u != t && traces[u].block % sms == block % sms) return true;
  return false;
}

/* The regular blocks; all of them if the others do so much more that they do most of the work. */
static int take_candidates(const struct block_trace *traces, int count, uint64_t sms,
                           uint64_t block_count, double mean, struct block_trace *taken) {
  struct sums regular = {0};
  int kept = 0, ran = 0;
  for (int t = 0; t < count && kept < MAX_TRACED; t++) {
    if (!is_regular(traces, count, t, sms, block_count)) continue;
    taken[kept++] = traces[t];
    add(&regular, &traces[t]);
  }
  if (mean <= noticeable * regular.executed / fmax(regular.blocks, 1)) return kept;
  for (int t = 0; t < count && ran < MAX_TRACED; t++)
    if (traces[t].warps) taken[ran++] = traces[t];
  return ran;
}

void sample_take(const struct gpu *gpu, const struct block_trace *all_traces, int all_count,
                 uint64_t block_count, const struct counters *counters, struct sample *sample) {
  uint64_t sms = (uint64_t)gpu->info.sm_count, set[MAX_SETS];
  struct sums of_set[MAX_SETS] = {{0}}, all = sums_of_launch(block_count, counters), pool = {0},
              taken = {0};
  struct block_trace traces[MAX_TRACED];
  int sets = 0, best = 0, largest = 0,
      trace_count = take_candidates(all_traces, all_count, sms, block_count,
                                    all.executed / all.blocks, traces);
  for (int t = 0; t < trace_count; t++) {
    int s = 0;
    while (s < sets && set[s] != traces[t].block % sms) s++;
    if (s == MAX_SETS) continue;
    if (s == sets) set[sets++] = traces[t].block % sms;
    add(&of_set[s], &traces[t]);
    add(&pool, &traces[t]);
  }
  for (int s = 1; s < sets; s++) {
    if (deviation(&of_set[s], &all) < deviation(&of_set[best], &all)) best = s;
    if (of_set[s].blocks > of_set[largest].blocks) largest = s;
  }
  sample->count = 0;
  bool alike = sets && deviation(&of_set[best], &all) <= noticeable;
  double step = sets ? pool.executed / of_set[largest].blocks : 0, next = step / 2, at = 0;
  double each = pool.executed / fmax(pool.blocks, 1);
  sample->even = true;
  for (int t = 0; t < trace_count; t++) {
    double executed = executed_of(&traces[t]);
    at += executed;
    sample->even &= fabs(executed - each) <= uneven * each;
    while (sample->count < MAX_SAMPLED &&
           (alike ? traces[t].block % sms == set[best] : next < at)) {
      sample->traces[sample->count++] = traces[t];
      add(&taken, &traces[t]);
      next += step;
      if (alike) break;
    }
  }
  sample->instructions = sample->count ? fmax(taken.traced, 1) / sample->count : 1;
  sample->burden = sample->count && all.traced >= 1 ? burden_of(&taken, &all) : 1;
}

void sample_estimate(const struct gpu *gpu, const struct block_trace *traces, int trace_count,
                     uint64_t block_count, struct counters *counters) {
  struct sums sums = {0};
  for (int t = 0; t < trace_count; t++)
    if (is_regular(traces, trace_count, t, (uint64_t)gpu->info.sm_count, block_count))
      add(&sums, &traces[t]);
  double all = (double)block_count / fmax(sums.blocks, 1);
  *counters = (struct counters){
      .value = {[COUNTER_inst_executed] = (uint64_t)(sums.executed * all),
                [COUNTER_global_load_sectors] = (uint64_t)(sums.sectors * all),
                [COUNTER_shared_load_wavefronts] = (uint64_t)(sums.wavefronts * all)}};
}
