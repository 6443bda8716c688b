/* model.c: the modelled time of a launch: the replay of one SM, scaled to the grid, plus what the
 * whole chip adds. */
#include "harness/sim/model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/base/gpu.h"
#include "harness/sim/base/memory.h"
#include "harness/sim/model/dispatch.h"
#include "harness/sim/model/hierarchy.h"
#include "harness/sim/model/sample.h"
#include "harness/sim/model/sharing.h"

static const double max_instructions = 250e3; /* to replay */
enum { MAX_WAVES = 32 /* to replay */ };

/* ---- the SM's share of the chip ---- */

static struct sm sm_of(const struct gpu *gpu, double active, int resident, size_t shared) {
  const struct gpu_model *m = &gpu->model;
  double ghz = gpu->info.clock_khz * 1e-6, share = active * ghz; /* cycles of an SM for 1 / ns */
  return (struct sm){.block_interval = share / m->blocks_per_ns,
                     .block_turn = m->block_turn_cycles,
                     .block_warp = m->block_warp_cycles,
                     .branch = m->branch_cycles,
                     .predicate = m->predicate_cycles,
                     .reads = {0, 0, m->two_reads_cycles, m->three_reads_cycles},
                     .barrier = m->barrier_cycles,
                     .barrier_warp = m->barrier_warp_cycles,
                     .shared_add = m->shared_add_cycles,
                     .shared_loop = m->shared_loop_cycles,
                     .shared_loop_latency = m->shared_loop_latency,
                     .shared_wavefront = 128.0 / gpu_capability(&gpu->info)->shared_bytes,
                     .shared_latency = m->shared_latency,
                     .l1_latency = m->l1_latency,
                     .l2_latency = m->l2_latency,
                     .dram_latency = m->dram_latency,
                     .dram_spread = m->dram_spread_cycles,
                     .l1_lines = (int)(occupancy_l1_bytes(&gpu->info, resident, shared) / 128),
                     .l1_line = m->l1_line_cycles,
                     .l2_shortly = m->l2_keeps_reads * gpu->info.l2_bytes / 64 / active / 8,
                     .l2_line = share / m->l2_lines_per_ns,
                     .l2_sector = share / m->l2_sectors_per_ns,
                     .store_unit = share / m->l2_store_units_per_ns,
                     .port_line = m->sm_line_cycles,
                     .port_sector = m->sm_sector_cycles,
                     .port_unit = m->sm_store_cycles,
                     .store_missing = m->l2_missing_word,
                     .atomic_sector = share / m->l2_atomics_per_ns,
                     .returning_sector = share / m->l2_returning_atomics_per_ns,
                     .dram_random = share / m->dram_random_loads_per_ns,
                     .dram_random_store = share / m->dram_random_stores_per_ns};
}

/* ---- DRAM ---- */

struct footprint {
  double loaded, stored, both; /* bytes of the arrays that the launch touched */
  bool atomics;
  double of[TRACED_ARRAYS]; /* loaded, by array, as in struct sm */
  double touched[TRACED_ARRAYS];
};

/* What the launch touched of an array; where only some blocks were executed, as much more as there
 * are more blocks. While it runs, all of it. */
static struct touched_bytes touched_of(const struct model_launch *launch,
                                       const struct allocation *array) {
  struct touched_bytes all = {array->size, array->size, array->size};
  if (!launch->launch) return all;
  struct touched_bytes t = touched_bytes(&array->touched, array->size, launch->launch);
  double more = (double)launch->block_count / (double)launch->executed_blocks;
  return (struct touched_bytes){(size_t)fmin((double)all.loaded, (double)t.loaded * more),
                                (size_t)fmin((double)all.stored, (double)t.stored * more),
                                (size_t)fmin((double)all.either, (double)t.either * more)};
}

/* Of what lies anywhere in an array, the part that L2 does not keep. */
static double part_anywhere(const struct gpu *gpu, double touched) {
  return fmax(0, 1 - gpu->model.l2_keeps * gpu->info.l2_bytes / fmax(touched, 1));
}

static struct footprint footprint_of(const struct model_launch *launch,
                                     const struct block_trace *traces, int count, struct sm *sm) {
  struct footprint f = {0};
  const struct allocation *seen[TRACED_ARRAYS];
  int known = 0;
  for (int t = 0; t < count; t++)
    for (int i = 0; i < traces[t].touched_count; i++) {
      const struct allocation *array = traces[t].touched[i].array;
      int k = 0;
      while (k < known && seen[k] != array) k++;
      if (k < known || known == TRACED_ARRAYS) continue;
      seen[known++] = array;
      struct touched_bytes bytes = touched_of(launch, array);
      if (traces[t].touched[i].loaded) f.loaded += (double)bytes.loaded;
      if (traces[t].touched[i].stored) f.stored += (double)bytes.stored;
      f.atomics |= traces[t].touched[i].atomics;
      f.both += (double)bytes.either;
      f.touched[sm->array_count] = fmax(1, (double)bytes.either);
      f.of[sm->array_count] = traces[t].touched[i].loaded ? (double)bytes.loaded : 0;
      sm->arrays[sm->array_count++] =
          (struct sm_array){trace_line(array, 0), (uint32_t)((array->size + 127) / 128), 0, 0,
                            part_anywhere(launch->gpu, (double)bytes.either)};
    }
  return f;
}

/* Bytes that L2 holds of arrays in which so many sectors are requested anywhere, after a part of
 * the launch. */
static double held_after(double part, const struct footprint *f, const double *requests,
                         int arrays) {
  double held = 0;
  for (int a = 0; a < arrays; a++)
    held += f->touched[a] * (1 - exp(-part * requests[a] * 32 / f->touched[a]));
  return held;
}

/* Sets which part of what lies anywhere L2 does not keep until it is requested again: it has what
 * was requested last of all such arrays. False if nothing lies anywhere. */
static bool share_among_arrays(const struct gpu *gpu, const struct footprint *f,
                               const struct replay *replay, double bytes_each, struct sm *sm) {
  enum { MOST = 1 << 20, STEPS = 40 };
  double requests[TRACED_ARRAYS], kept = gpu->model.l2_keeps * gpu->info.l2_bytes, all = 0;
  for (int a = 0; a < sm->array_count; a++) {
    requests[a] = (double)replay->of[a].scattered * bytes_each / 32;
    if (requests[a] > 0) all += f->touched[a];
  }
  double least = 0, most = MOST; /* of the launch */
  for (int i = 0; i < STEPS; i++) {
    double part = (least + most) / 2;
    *(held_after(part, f, requests, sm->array_count) < kept ? &least : &most) = part;
  }
  for (int a = 0; a < sm->array_count; a++)
    if (requests[a] > 0)
      sm->arrays[a].anywhere = all > kept ? exp(-most * requests[a] * 32 / f->touched[a]) : 0;
  return all > 0;
}

/* Between what was measured of reads alone, of as many writes, and of writes alone. */
static double of_mix(double writes, double none, double half, double all) {
  return writes < 0.5 ? none + (half - none) * 2 * writes : half + (all - half) * (2 * writes - 1);
}

/* The part of it that does not stay in L2 from launch to launch. writes: their part of it. */
static double part_outside(const struct gpu *gpu, double bytes, double writes) {
  const struct gpu_model *m = &gpu->model;
  double low = of_mix(writes, m->l2_keeps_reads, m->l2_keeps, m->l2_keeps) * gpu->info.l2_bytes,
         high = of_mix(writes, m->l2_loses_reads, m->l2_loses, m->l2_loses) * gpu->info.l2_bytes;
  return fmin(1, fmax(0, (bytes - low) / (high - low)));
}

/* Of bytes that SMs request so many times, the part that both halves of L2 come to hold, where it
 * has two: those that SMs of both have asked for. */
static double in_both_halves(const struct gpu *gpu, double times) {
  return gpu_capability(&gpu->info)->l2_halves && times > 1 ? 1 - exp2(1 - times) : 0;
}

static double dram_rate(const struct gpu_model *m, double loaded, double stored) {
  return of_mix(stored / fmax(loaded + stored, 1), m->dram_reads_per_ns, m->dram_bytes_per_ns,
                m->dram_writes_per_ns);
}

/* ---- the name of what limits the time ---- */

static const char *const busy_names[BUSIES] = {
#define X(name, text) text,
    KIT_BUSIES(X)
#undef X
};

static int busiest_of(const struct replay *replay) {
  int busiest = 0;
  for (int b = 1; b < BUSIES; b++)
    if (replay->busy[b] > replay->busy[busiest]) busiest = b;
  return busiest;
}

static const char *name_bound(const struct replay *replay) {
  int busiest = busiest_of(replay);
  return replay->busy[busiest] >= 0.5 * replay->cycles ? busy_names[busiest] : "latency";
}

/* Bytes that each array's lines are requested by blocks for the first time, summed up over all. */
static double first_bytes(const struct replay *replay, int array, double bytes_each) {
  return (double)replay->of[array].first * 2 * bytes_each;
}

/* Of what an SM requests of the array again, the part that L2 has lost in the meantime: by what all
 * SMs request until then. What several request counts once, and is requested sooner by another. */
static double lost_of(const struct model_launch *launch, const struct footprint *f,
                      const struct replay *replay, int array, double bytes_each, double active,
                      double shortly) {
  double first = 0, at_once = fmin(1, launch->resident * active / (double)launch->block_count);
  for (int a = 0; a < TRACED_ARRAYS; a++) first += first_bytes(replay, a, bytes_each);
  double distinct = fmin(1, f->loaded / fmax(first, 1)),
         sharing = first_bytes(replay, array, bytes_each) / fmax(f->of[array], 1) * at_once,
         lost = 0;
  for (int i = 0; i < REPLAY_DISTANCES; i++) {
    double distance = shortly * exp2((i + 0.5) / 4) * 64 * active * distinct;
    lost += replay->of[array].later[i] *
            part_outside(launch->gpu, fmin(f->both, distance / fmin(active, fmax(1, sharing))), 0);
  }
  return lost / fmax((double)replay->of[array].again, 1);
}

/* Bytes that DRAM must read to complete sectors of which the launch stores only a part: L2 takes
 * any part of one, DRAM whole sectors only, and moves half lines. What others store of a sector
 * before it leaves L2 is not missing, nor what the launch loads as well. */
static double filled_bytes(const struct footprint *f, const struct replay *replay,
                           double bytes_each) {
  double sectors = (double)replay->stored.sectors, parts = (double)replay->stored.parts,
         words = (double)replay->stored.missing, held = fmin(f->stored, sectors * bytes_each),
         written = (sectors - words / 8) * bytes_each;
  if (words == 0 || written >= held) return 0;
  double incomplete = (held - written) * parts * 8 / words; /* bytes of such sectors */
  double unread = fmin(1, (f->both - f->loaded) / f->stored);
  return unread *
         fmin(2 * incomplete, fmin(f->stored, 2 * (double)replay->stored.halves * bytes_each));
}

/* Of local memory the part that does not stay in L2 until it is loaded again: by what the threads
 * of all resident blocks use of theirs. */
static double local_outside(const struct model_launch *launch, const struct replay *replay,
                            double active) {
  double blocks = fmin(launch->resident * active, (double)launch->block_count),
         loads = (double)replay->local.missed, stores = (double)replay->local.stored;
  return part_outside(launch->gpu, (double)replay->local.lines * 128 / replay->blocks * blocks,
                      stores / fmax(loads + stores, 1));
}

/* ---- a launch ---- */

/* Cycles of `blocks` blocks on the SM, of which the replay ran some. */
static double cycles_of(const struct replay *r, double blocks) {
  if (blocks <= r->blocks) return r->cycles;
  return r->cycles + (blocks - r->blocks) * (r->rate > 0 ? r->rate : r->cycles / r->blocks);
}

/* Is it of these blocks, with these shares of DRAM? All else is the same for the whole launch. */
static bool is_of(const struct model_replay *made, const struct sample *sample,
                  const struct sm *sm) {
  bool same = made->block_count == sample->count &&
              memcmp(made->sm.arrays, sm->arrays, sizeof sm->arrays) == 0 &&
              made->sm.local_outside == sm->local_outside &&
              made->sm.dram_local == sm->dram_local &&
              made->sm.dram_half_line == sm->dram_half_line &&
              made->sm.dram_mixed_queue == sm->dram_mixed_queue;
  for (int i = 0; same && i < sample->count; i++) same = made->blocks[i] == sample->traces[i].block;
  return same;
}

/* Replays the sample's blocks, unless that has been done. False if memory runs out. */
static bool replay_sample(const struct model_launch *launch, const struct sample *sample, int count,
                          bool all, const struct sm *sm, struct model_replays *replays,
                          struct replay *result) {
  for (int i = 0; i < replays->count; i++) {
    if (!is_of(&replays->made[i], sample, sm)) continue;
    *result = replays->made[i].result;
    return true;
  }
  if (!replay_run(launch->plan, sample->traces, sample->count, count, all, sample->even,
                  launch->resident, sm, result))
    return false;
  if (replays->count == sizeof replays->made / sizeof replays->made[0]) return true;
  struct model_replay *made = &replays->made[replays->count++];
  *made = (struct model_replay){.block_count = sample->count, .sm = *sm, .result = *result};
  for (int i = 0; i < sample->count; i++) made->blocks[i] = sample->traces[i].block;
  return true;
}

/* Cycles of so many blocks on the SM, as the replay tells. Where blocks are so long that it ran one
 * wave of them, they start and end together, and those of the last wave, if they are fewer, have
 * the SM to themselves: they are replayed as well. -1 if memory runs out. */
static double even_cycles(const struct model_launch *launch, const struct sample *sample,
                          const struct sm *sm, const struct replay *replay, double blocks) {
  enum { FEW_WAVES = 8 }; /* of more, the last one counts for little */
  double last_wave = fmod(blocks, launch->resident);
  struct replay last;
  if (!sample->even || replay->blocks > launch->resident || blocks <= replay->blocks ||
      blocks > FEW_WAVES * launch->resident || last_wave == 0)
    return cycles_of(replay, blocks);
  if (!replay_run(launch->plan, sample->traces, sample->count, (int)last_wave, true, true,
                  launch->resident, sm, &last))
    return -1;
  return cycles_of(replay, blocks - last_wave) + last.cycles;
}

/* Sets what a warp takes for each instruction in a block by itself: the longest traced one. False
 * if memory runs out. */
static bool find_alone(const struct model_launch *launch, const struct block_trace *traces,
                       int count, const struct sm *sm, struct dispatch *dispatch) {
  const struct block_trace *longest = NULL;
  for (int t = 0; t < count; t++)
    if (traces[t].warps && (!longest || launch->works[traces[t].block].longest >
                                            launch->works[longest->block].longest))
      longest = &traces[t];
  struct replay replay;
  if (!longest || !replay_run(launch->plan, longest, 1, 1, true, true, 1, sm, &replay))
    return false;
  dispatch->alone = replay.cycles * executed_of(longest) / fmax((double)replay.instructions, 1) /
                    fmax(1, launch->works[longest->block].longest);
  return true;
}

/* Cycles of all blocks, where they differ: what is known of them says which SM is at work for how
 * long, the replay how fast it is. Negative if memory runs out. *full: the part of them for which
 * the SMs have all the blocks that they can work on. */
static double uneven_cycles(const struct model_launch *launch, const struct block_trace *traces,
                            int count, const struct sample *sample, const struct replay *replay,
                            const struct sm *sm, double *full) {
  struct dispatch dispatch = {.sms = launch->gpu->info.sm_count, .resident = launch->resident};
  struct block_work *replayed = calloc((size_t)replay->blocks + 1, sizeof *replayed);
  bool ok = replayed && find_alone(launch, traces, count, sm, &dispatch);
  double executed = 0, works = 0, longest = 0;
  for (int i = 0; ok && i < replay->blocks; i++) {
    const struct block_trace *trace = &sample->traces[i % sample->count];
    replayed[i] = launch->works[trace->block];
    works += replayed[i].instructions;
    longest += replayed[i].longest;
    executed += executed_of(trace);
  }
  double scale = executed / fmax((double)replay->instructions, 1),
         busy = scale * replay->busy[busiest_of(replay)] / fmax(works, 1);
  if (ok) dispatch_fit(&dispatch, replayed, (uint64_t)replay->blocks, scale * replay->cycles, busy);
  if (replay->rate > 0) { /* the SM got on with all its blocks so fast: they take no longer */
    double all = scale * replay->rate * replay->blocks;
    dispatch.busy = fmin(dispatch.busy, all / fmax(works, 1));
    dispatch.alone = fmin(dispatch.alone, all * launch->resident / fmax(longest, 1));
  }
  free(replayed);
  dispatch.busy *= sample->burden;
  double cycles = ok ? dispatch_cycles(&dispatch, launch->works, launch->block_count) : -1,
         each_sm = (double)launch->block_count / dispatch.sms;
  *full = fmin(1, dispatch.busy * dispatch_mean(launch->works, launch->block_count) * each_sm /
                      fmax(cycles, 1));
  return ok ? fmax(cycles, each_sm * sm->block_interval) : -1;
}

bool model_time(const struct model_launch *launch, const struct block_trace *all_traces,
                int all_count, const struct counters *counters, struct model_replays *replays,
                struct model_time *time) {
  const struct gpu *gpu = launch->gpu;
  const struct gpu_model *m = &gpu->model;
  uint64_t block_count = launch->block_count;
  int resident = launch->resident;
  double ghz = gpu->info.clock_khz * 1e-6;
  double active = fmin((double)block_count, gpu->info.sm_count);
  double on_sm = ceil((double)block_count / active);
  struct sample sample;
  sample_take(gpu, all_traces, all_count, block_count, counters, &sample);
  const struct block_trace *traces = sample.traces;
  int trace_count = sample.count;
  if (!trace_count) {
    *time = (struct model_time){fmax(m->launch_interval_ns, m->launch_gap_ns), "launch", 0, 0};
    return true;
  }

  double most = sample.even ? MAX_WAVES * resident : 2 * trace_count + resident;
  double fit = fmax(resident, floor(max_instructions / sample.instructions / resident) * resident);
  int count = (int)fmin(on_sm, fmin(most, fit));
  struct sm sm = sm_of(gpu, active, resident, launch->shared_bytes);
  struct footprint f = footprint_of(launch, traces, trace_count, &sm);
  if (f.atomics) {
    sm.atomic_part =
        sharing_of_places(launch->plan, all_traces, all_count, gpu->info.sm_count, resident);
    double sms = 1 + (active - 1) * sm.atomic_part; /* with atomic operations in one place */
    sm.atomic_turn = m->l2_atomic_ns * ghz * sms;
    sm.atomic_next = m->l2_atomic_next_ns * ghz * sms;
    sm.atomic_sum = m->l2_atomic_sum_ns * ghz * sms;
  }
  struct replay replay;
  if (!replay_sample(launch, &sample, count, count >= on_sm, &sm, replays, &replay)) return false;

  double each_block = (double)counters->value[COUNTER_inst_executed] / (double)block_count,
         scale = each_block * replay.blocks / fmax((double)replay.instructions, 1);
  double bytes_each =
      (double)block_count / replay.blocks * scale * 32; /* a replayed sector stands for */
  bool scattered = share_among_arrays(gpu, &f, &replay, bytes_each, &sm);
  double loaded = 0, requested = 0, copied = 0;
  for (int a = 0; a < sm.array_count; a++) {
    double missed = (double)replay.of[a].missed * bytes_each, own = fmin(f.of[a], missed);
    requested += own;
    copied += own * in_both_halves(gpu, missed / fmax(f.of[a], 1));
  }
  requested = fmin(f.both, requested + f.stored) + copied; /* what is stored in place counts once */
  double outside =
      part_outside(gpu, fmin(2 * f.both, requested + (double)replay.random * bytes_each),
                   f.stored / fmax(f.loaded + f.stored, 1));
  for (int a = 0; a < sm.array_count; a++) {
    double first = first_bytes(&replay, a, bytes_each),
           again = (double)replay.of[a].again * 2 * bytes_each;
    sm.arrays[a].outside = outside * fmin(1, f.of[a] / fmax(first, 1));
    sm.arrays[a].lost = lost_of(launch, &f, &replay, a, bytes_each, active, sm.l2_shortly);
    loaded += sm.arrays[a].outside * first + sm.arrays[a].lost * again;
  }
  double stored = outside * fmin(f.stored, 2 * (double)replay.stored.halves * bytes_each),
         filled = outside * filled_bytes(&f, &replay, bytes_each);
  time->dram_bytes = fmax(f.loaded + f.stored, loaded + stored);
  sm.local_outside = local_outside(launch, &replay, active);
  double rate = dram_rate(m, loaded + filled, stored), dram_ns = (loaded + filled + stored) / rate;
  if (outside > 0 || sm.local_outside > 0 || scattered) {
    sm.dram_local = active * ghz * 64 / rate;
    sm.dram_half_line = active * ghz * 64 / rate * (1 + (filled + stored) / fmax(loaded, 1));
    sm.dram_queue = ghz * m->dram_queue_ns;
    sm.dram_mixed_queue = ghz * m->dram_mixed_queue_ns * 2 * stored / fmax(loaded + stored, 1);
    if (!replay_sample(launch, &sample, count, count >= on_sm, &sm, replays, &replay)) return false;
  }
  scale = each_block * replay.blocks / fmax((double)replay.instructions, 1);
  double cycles = even_cycles(launch, &sample, &sm, &replay, on_sm), full = 1;
  if (cycles < 0) return false;
  cycles *= scale * sample.burden;
  if (launch->works && dispatch_is_uneven(launch->works, block_count))
    cycles = uneven_cycles(launch, all_traces, all_count, &sample, &replay, &sm, &full);
  if (cycles < 0) return false;
  double ns = cycles / ghz;
  time->bound = full < 0.5 ? "latency" : name_bound(&replay);
  if (dram_ns > ns) {
    ns = dram_ns;
    time->bound = "DRAM";
  }
  double on_sms = full * replay.busy[busiest_of(&replay)] / fmax(replay.cycles, 1) * active /
                  gpu->info.sm_count;
  time->demand = fmin(1, fmax(on_sms, dram_ns / fmax(ns, 1)));
  double waited = (double)launch->waited / ghz * ceil(on_sm / resident);
  if (waited > ns) {
    ns = waited;
    time->bound = "latency";
    time->demand = 0;
  }
  if (ns < m->launch_gap_ns) time->bound = "launch";
  time->ns = fmax(m->launch_interval_ns, m->launch_gap_ns + ns);
  return true;
}

void model_foresee(const struct model_launch *launch, const struct block_trace *traces,
                   int trace_count, struct model_replays *replays) {
  struct counters counters;
  struct model_time time;
  sample_estimate(launch->gpu, traces, trace_count, launch->block_count, &counters);
  model_time(launch, traces, trace_count, &counters, replays, &time);
}
