/* metric.c: the table of metrics. To add one: a line in `derived`. */
#include "grader/lab/metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "harness/sim/base/hazard.h"

#define C(name) COUNTER_##name
#define LIST(...) \
  { __VA_ARGS__, -1 }
#define NONE \
  { -1 }

/* --- from the timeline. Shares are of the result's bytes: what is stored or copied beyond these
 * counts as work that does not overlap, so that useless work beside other work gains nothing. ---
 */

static double share(double overlapping, double all, double result) {
  return result > 0 ? fmax(0, 100 * (overlapping - fmax(0, all - result)) / result) : (double)NAN;
}

static double both_ways(const struct overlap *o) {
  return share(o->both_ways, o->copied_out, o->result);
}

static double beside_copies(const struct overlap *o) {
  return share(o->beside_copies, o->stored, o->result);
}

static double beside_both(const struct overlap *o) {
  return share(o->beside_both, o->stored, o->result);
}

static double beside_kernels(const struct overlap *o) {
  return share(o->beside_kernels, o->stored, o->result);
}

static double at_once(const struct overlap *o) { return o->most_kernels; }

static double copied(const struct overlap *o) { return o->copied; }
static double pageable(const struct overlap *o) { return o->pageable; }
static double mapped(const struct overlap *o) { return o->mapped; }

/* Whatever way the result came to the host: prefetched, copied, or stored there by the kernel. */
static double unprefetched(const struct overlap *o) {
  return o->fetched + fmax(0, o->result - o->copied_out - o->mapped);
}

static const struct metric derived[] = {
    {"global_load_sectors_per_request", "sectors per request",
     "32-byte sectors that a warp's load of one float per lane moves: 4 when neighbouring lanes "
     "read "
     "neighbouring floats",
     LIST(C(global_load_sectors)), LIST(C(global_load_words)), NONE, 1, .empty = "no global loads",
     .sectors = true},
    {"global_store_sectors_per_request", "sectors per request",
     "32-byte sectors that a warp's store of one float per lane moves: 4 when neighbouring lanes "
     "write neighbouring floats",
     LIST(C(global_store_sectors)), LIST(C(global_store_words)), NONE, 1,
     .empty = "no global stores", .sectors = true},
    {"global_load_lines_per_request", "lines per request",
     "128-byte lines that a warp's load touches", LIST(C(global_load_lines)),
     LIST(C(global_load_requests)), NONE, 1, .empty = "no global loads"},
    {"global_load_sectors_per_warp", "sectors for 32 floats",
     "32-byte sectors that loads move for each 128 bytes that lanes ask for, the share of a full "
     "warp, in the worst half of the traffic",
     LIST(C(global_load_sectors)), LIST(C(global_load_bytes)), NONE, 128, .where_it_matters = true,
     .loads = true, .empty = "no global loads", .sectors = true},
    {"global_store_sectors_per_warp", "sectors for 32 floats",
     "32-byte sectors that stores move for each 128 bytes that lanes write, in the worst half of "
     "the traffic",
     LIST(C(global_store_sectors), C(global_atomic_sectors)),
     LIST(C(global_store_bytes), C(global_atomic_bytes)), NONE, 128, .where_it_matters = true,
     .stores = true, .empty = "no global stores", .sectors = true},
    {"global_sectors_per_warp", "sectors for 32 floats",
     "32-byte sectors that loads move for each 128 bytes that lanes ask for, or stores for each "
     "that "
     "they write, whichever is more, in the worst half of the traffic",
     LIST(C(global_load_sectors), C(global_store_sectors)),
     LIST(C(global_load_bytes), C(global_store_bytes)), NONE, 128, .where_it_matters = true,
     .loads = true, .stores = true, .empty = "no global loads or stores", .sectors = true},
    {"global_load_efficiency", "% of the moved bytes used",
     "bytes used of the bytes that global loads moved", LIST(C(global_load_used_bytes)),
     LIST(C(global_load_sectors)), NONE, 100.0 / 32, .empty = "no global loads"},
    {"global_store_efficiency", "% of the moved bytes used",
     "bytes used of the bytes that global stores moved", LIST(C(global_store_used_bytes)),
     LIST(C(global_store_sectors)), NONE, 100.0 / 32, .empty = "no global stores"},
    {"shared_load_wavefronts_per_inst", "wavefronts per load",
     "passes that a warp's load from shared memory takes", LIST(C(shared_load_wavefronts)),
     LIST(C(shared_load_inst)), NONE, 1, .empty = "no loads from shared memory"},
    {"shared_store_wavefronts_per_inst", "wavefronts per store",
     "passes that a warp's store to shared memory takes", LIST(C(shared_store_wavefronts)),
     LIST(C(shared_store_inst)), NONE, 1, .empty = "no stores to shared memory"},
    {"shared_wavefronts_per_inst", "wavefronts per access",
     "passes that a warp's access to shared memory takes: of loads and of stores, the one that "
     "takes more",
     LIST(C(shared_load_wavefronts), C(shared_store_wavefronts)),
     LIST(C(shared_load_inst), C(shared_store_inst)), NONE, 1, .largest = true,
     .empty = "no accesses to shared memory"},
    {"shared_conflicts_per_inst", "extra wavefronts per access",
     "passes over shared memory beyond those that the same accesses need without a bank conflict",
     LIST(C(shared_load_wavefronts), C(shared_store_wavefronts)),
     LIST(C(shared_load_inst), C(shared_store_inst)),
     LIST(C(shared_load_ideal), C(shared_store_ideal)), 1, .empty = "no accesses to shared memory"},
    {"shared_conflicts_if_any", "extra wavefronts per access",
     "passes over shared memory beyond those that the same accesses need without a bank conflict; "
     "none where nothing goes through it",
     LIST(C(shared_load_wavefronts), C(shared_store_wavefronts)),
     LIST(C(shared_load_inst), C(shared_store_inst)),
     LIST(C(shared_load_ideal), C(shared_store_ideal)), 1, .zero_if_empty = true},
    {"loaded_bytes", "bytes loaded",
     "bytes that lanes load: from global memory, by atomics whose old value is used, and from "
     "__constant__ variables that carry data",
     LIST(C(global_load_bytes), C(global_atomic_load_bytes), C(constant_load_bytes)), NONE, NONE, 1,
     .zero_if_empty = true},
    {"shared_reuse", "bytes read from shared for each byte loaded from global memory",
     "bytes read from shared memory over loaded_bytes", LIST(C(shared_load_bytes)),
     LIST(C(global_load_bytes), C(global_atomic_load_bytes), C(constant_load_bytes)), NONE, 1,
     .empty = "no global loads"},
    {"loaded_bytes_per_operation", "bytes for an operation",
     "loaded_bytes for each fp32 operation of the problem: 4 without any reuse, 1/8 with tiles of "
     "32 x 32",
     LIST(C(global_load_bytes), C(global_atomic_load_bytes), C(constant_load_bytes)), NONE, NONE, 1,
     .per_operation = true, .empty = "no operations in this problem"},
    {"shared_bytes_per_operation", "bytes for an operation",
     "bytes that lanes read from shared memory for each fp32 operation of the problem: 4 where "
     "each "
     "product reads both of its operands there",
     LIST(C(shared_load_bytes)), NONE, NONE, 1, .per_operation = true,
     .empty = "no operations in this problem"},
    {"local_bytes_per_operation", "bytes for an operation",
     "bytes that lanes load from local memory for each fp32 operation of the problem: arrays whose "
     "indices the compiler does not know, each load 4 bytes a lane",
     LIST(C(local_load_inst)), NONE, NONE, 128, .per_operation = true,
     .empty = "no operations in this problem"},
    {"global_load_words_per_request", "words per load",
     "words of 4 bytes that a lane's load takes: 1 of a float, 4 of a float4",
     LIST(C(global_load_words)), LIST(C(global_load_requests)), NONE, 1,
     .empty = "no global loads"},
    {"active_lanes", "lanes", "lanes active in an average warp instruction",
     LIST(C(thread_inst_executed)), LIST(C(inst_executed)), NONE, 1, .empty = "no instructions"},
    {"divergence", "of the branches", "branches whose lanes went both ways",
     LIST(C(divergent_branches)), LIST(C(branches)), NONE, 1, .zero_if_empty = true},
    {"launches", "", "kernel launches", NONE, NONE, NONE, 1, .zero_if_empty = true},
    {"percent_of_ceiling", "% of the ceiling",
     "share of what the device could do at most: NVIDIA's own product or a copy of the same size, "
     "measured on the same GPU; where times are modelled, the GPU's fp32 units or its DRAM",
     NONE, NONE, NONE, 1, .of_ceiling = true, .empty = "no ceiling known"},
    {"time_ns", "ns", "time of all launches", NONE, NONE, NONE, 1, .empty = "no launches"},
    {"copies_both_ways", "% of the result",
     "share of the result that is copied to the host while a copy to the device is under way", NONE,
     NONE, NONE, 1, .of_overlap = both_ways, .empty = "no work on the timeline"},
    {"kernels_beside_copies", "% of the result",
     "share of the result that kernels store while a copy between host and device is under way",
     NONE, NONE, NONE, 1, .of_overlap = beside_copies, .empty = "no work on the timeline"},
    {"kernels_beside_both_copies", "% of the result",
     "share of the result that kernels store while copies both ways are under way", NONE, NONE,
     NONE, 1, .of_overlap = beside_both, .empty = "no work on the timeline"},
    {"kernels_beside_kernels", "% of the result",
     "share of the result that kernels store while another kernel is under way", NONE, NONE, NONE,
     1, .of_overlap = beside_kernels, .empty = "no work on the timeline"},
    {"kernels_at_once", "kernels", "the most kernels that are under way at a moment", NONE, NONE,
     NONE, 1, .of_overlap = at_once, .empty = "no work on the timeline"},
    {"copied_bytes", "bytes copied", "bytes that are copied between host and device", NONE, NONE,
     NONE, 1, .of_overlap = copied, .empty = "no work on the timeline"},
    {"pageable_bytes", "bytes copied", "bytes that are copied from or to pageable memory", NONE,
     NONE, NONE, 1, .of_overlap = pageable, .empty = "no work on the timeline"},
    {"mapped_bytes", "bytes over the link",
     "bytes of mapped memory of the host that kernels load or store", NONE, NONE, NONE, 1,
     .of_overlap = mapped, .empty = "no work on the timeline"},
    {"unprefetched_bytes", "bytes not prefetched",
     "bytes in pages of managed memory that move to the device because a kernel touches them, and "
     "of the result that nothing has brought to the host",
     NONE, NONE, NONE, 1, .of_overlap = unprefetched, .empty = "no work on the timeline"},
    {"speedup", "times as fast", "the other solution's time over this one's", NONE, NONE, NONE, 1,
     .relative_only = true, .inverse = true, .empty = "no launches"},
};
enum { DERIVED = sizeof derived / sizeof *derived };

/* The counters themselves. */
static const struct metric plain[COUNTERS] = {
#define X(counter, ncu)     \
  {.name = #counter,        \
   .unit = "",              \
   .sentence = "",          \
   .top = LIST(C(counter)), \
   .bottom = NONE,          \
   .minus = NONE,           \
   .factor = 1,             \
   .zero_if_empty = true},
    KIT_COUNTERS(X)
#undef X
};

const struct metric *metric_find(const char *name) {
  for (int i = 0; i < DERIVED; i++)
    if (strcmp(derived[i].name, name) == 0) return &derived[i];
  for (int i = 0; i < COUNTERS; i++)
    if (strcmp(plain[i].name, name) == 0) return &plain[i];
  return NULL;
}

const char *metric_guess(const char *name) {
  const char *all[DERIVED + COUNTERS];
  for (int i = 0; i < DERIVED; i++) all[i] = derived[i].name;
  for (int i = 0; i < COUNTERS; i++) all[DERIVED + i] = plain[i].name;
  return closest_word(name, all, DERIVED + COUNTERS);
}

static double sum(const int *list, const struct counters *counters) {
  double total = 0;
  for (; *list >= 0; list++) total += (double)counters->value[*list];
  return total;
}

/* The largest top[i] / bottom[i]; NaN if every bottom is 0. */
static double largest(const struct metric *metric, const struct counters *counters) {
  double max = (double)NAN;
  for (int i = 0; metric->bottom[i] >= 0; i++) {
    double bottom = (double)counters->value[metric->bottom[i]];
    if (bottom > 0) max = fmax(max, (double)counters->value[metric->top[i]] / bottom);
  }
  return metric->factor * max;
}

double metric_line_value(const struct metric *metric, const struct counters *counters) {
  if (metric->largest) return largest(metric, counters);
  double top = sum(metric->top, counters) - sum(metric->minus, counters);
  double bottom = metric->bottom[0] < 0 ? 1 : sum(metric->bottom, counters);
  if (bottom == 0) return metric->zero_if_empty ? 0 : (double)NAN;
  return metric->factor * top / bottom;
}

bool metric_is_of_timeline(const struct metric *metric) { return metric->of_overlap != NULL; }

bool metric_is_time(const struct metric *metric) {
  return metric->of_ceiling || strcmp(metric->name, "time_ns") == 0 ||
         strcmp(metric->name, "speedup") == 0;
}

double metric_ceiling_percent(double ceiling_ns, double ns) {
  return ceiling_ns > 0 && ns > 0 ? 100 * ceiling_ns / ns : (double)NAN;
}

double metric_value(const struct metric *metric, const struct totals *totals) {
  if (strcmp(metric->name, "launches") == 0) return (double)totals->launches;
  if (metric->of_overlap)
    return totals->timeline ? metric->of_overlap(&totals->overlap) : (double)NAN;
  if (metric->of_ceiling)
    return metric_ceiling_percent(totals->ceiling_ns, (double)totals->time_ns);
  if (metric->per_operation)
    return totals->operations > 0
               ? metric_line_value(metric, &totals->counters) / totals->operations
               : (double)NAN;
  if (metric_is_time(metric)) return totals->time_ns ? (double)totals->time_ns : (double)NAN;
  if (metric->where_it_matters && totals->traffic)
    return traffic_value(totals, metric->loads, metric->stores, NULL);
  return metric_line_value(metric, &totals->counters);
}

/* --- kinds of hazards, causes first --- */

static const struct {
  const char *kind, *title;
} kinds[] = {
    {"build", "does not compile"},
    {"compiler", "compiler warning"},
    {"crash", "the program crashed"},
    {"memory", "too much memory"},
#define X(name, title, tool) {#name, title},
    KIT_HAZARDS(X)
#undef X
        {"exit", "end of the program"},
    {"protocol", "no usable report"},
    {"host", "not computed by kernels"},
    {"unchecked", "error not noticed"},
    {"wrong", "wrong result"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

int hazard_kind_rank(const char *kind) {
  for (int i = 0; i < KINDS; i++)
    if (strcmp(kinds[i].kind, kind) == 0) return i;
  return KINDS;
}

const char *hazard_kind_title(const char *kind) {
  int rank = hazard_kind_rank(kind);
  return rank < KINDS ? kinds[rank].title : kind;
}

bool hazard_kind_known(const char *kind) { return hazard_kind_rank(kind) < KINDS; }

bool hazard_kind_affects_results(const char *kind) { return strcmp(kind, "leak") != 0; }

/* --- traffic --- */

static int worst_first(const void *a, const void *b) {
  const struct traffic *x = *(const struct traffic *const *)a,
                       *y = *(const struct traffic *const *)b;
  double p = (double)x->sectors * (double)y->bytes, q = (double)y->sectors * (double)x->bytes;
  if (p > q || p < q) return p > q ? -1 : 1;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  return strcmp(x->array, y->array);
}

static double value_of(const struct totals *totals, bool stores, const struct traffic **worst) {
  autofree const struct traffic **order =
      xcalloc((size_t)totals->traffic_count + 1, sizeof(struct traffic *));
  double sectors = 0, bytes = 0, all = 0, max = 0;
  int count = 0;
  for (int i = 0; i < totals->traffic_count; i++) {
    const struct traffic *traffic = &totals->traffic[i];
    if (traffic->store != stores || !traffic->bytes) continue;
    order[count++] = traffic;
    all += (double)traffic->sectors;
  }
  qsort(order, (size_t)count, sizeof *order, worst_first);
  double enough = (stores ? totals->textbook_store_bytes : totals->textbook_load_bytes) / 2;
  if (!(enough > 0)) enough = (double)INFINITY;
  for (int i = 0; i < count && sectors < all / 2 && bytes < enough; i++) {
    double own_sectors = (double)order[i]->sectors, own_bytes = (double)order[i]->bytes, part = 1;
    part = fmin(part, (all / 2 - sectors) / own_sectors);
    part = fmin(part, (enough - bytes) / own_bytes);
    sectors += part * own_sectors;
    bytes += part * own_bytes;
    if (part * own_sectors > max) {
      max = part * own_sectors;
      *worst = order[i];
    }
  }
  return bytes > 0 ? 128 * sectors / bytes : (double)NAN;
}

double traffic_value(const struct totals *totals, bool loads, bool stores,
                     const struct traffic **worst) {
  const struct traffic *of_loads = NULL, *of_stores = NULL;
  double load = loads ? value_of(totals, false, &of_loads) : (double)NAN,
         store = stores ? value_of(totals, true, &of_stores) : (double)NAN;
  bool is_store = isnan(load) || store > load;
  if (worst) *worst = is_store ? of_stores : of_loads;
  return is_store ? store : load;
}
