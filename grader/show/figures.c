/* figures.c: ratios and sentences from counters. */
#include "grader/show/figures.h"

#include <math.h>
#include <stdio.h>

static double value(const struct counters *c, enum counter counter) {
  return (double)c->value[counter];
}

static double ratio(double top, double bottom) { return bottom > 0 ? top / bottom : (double)NAN; }

struct figures figures_of(const struct counters *c) {
  double accesses = value(c, COUNTER_shared_load_inst) + value(c, COUNTER_shared_store_inst);
  double wavefronts =
      value(c, COUNTER_shared_load_wavefronts) + value(c, COUNTER_shared_store_wavefronts);
  double ideal = value(c, COUNTER_shared_load_ideal) + value(c, COUNTER_shared_store_ideal);
  double loads = value(c, COUNTER_global_load_sectors);
  double stores = value(c, COUNTER_global_store_sectors);
  return (struct figures){
      .lanes = ratio(value(c, COUNTER_thread_inst_executed), value(c, COUNTER_inst_executed)),
      .load_sectors = ratio(loads, value(c, COUNTER_global_load_words)),
      .store_sectors = ratio(stores, value(c, COUNTER_global_store_words)),
      .load_efficiency = ratio(100 * value(c, COUNTER_global_load_used_bytes), 32 * loads),
      .store_efficiency = ratio(100 * value(c, COUNTER_global_store_used_bytes), 32 * stores),
      .wavefronts = ratio(wavefronts, accesses),
      .ideal = ratio(ideal, accesses),
      .extra = ratio(wavefronts - ideal, accesses),
  };
}

bool figures_scattered(double sectors) { return sectors > 8; }
bool figures_conflicting(double extra) { return extra > 0.5; }

/* An average of 32 over accesses that can have 32 at most: all of them have. */
static bool global_fault(const struct counters *c, bool load, struct text *words) {
  struct figures f = figures_of(c);
  double sectors = load ? f.load_sectors : f.store_sectors;
  double used = load ? f.load_efficiency : f.store_efficiency;
  if (!figures_scattered(sectors)) return false;
  const char *noun = load ? "load" : "store", *verb = load ? "reads" : "writes";
  if (sectors == 32)
    text_add(words, "32 sectors per %s: each lane of a warp %s in a sector of its own", noun, verb);
  else
    text_add(words, "%.1f sectors per %s on average", sectors, noun);
  text_add(words, "; 32 neighbouring floats lie in 4. Of the bytes moved, %.3g %% are used.", used);
  return true;
}

static bool shared_fault(const struct counters *c, bool load, struct text *words) {
  double inst = value(c, load ? COUNTER_shared_load_inst : COUNTER_shared_store_inst);
  double wavefronts =
      value(c, load ? COUNTER_shared_load_wavefronts : COUNTER_shared_store_wavefronts);
  double ideal = value(c, load ? COUNTER_shared_load_ideal : COUNTER_shared_store_ideal);
  if (inst == 0 || !figures_conflicting((wavefronts - ideal) / inst)) return false;
  const char *noun = load ? "load" : "store";
  if (wavefronts == 32 * inst && ideal == inst)
    text_add(words, "32-way bank conflict: 32 wavefronts for one %s. Without conflicts it takes 1.",
             noun);
  else
    text_add(words, "Bank conflicts: %.1f wavefronts per %s on average. Without conflicts: %.1f.",
             wavefronts / inst, noun, ideal / inst);
  return true;
}

static bool local_fault(const struct counters *c, struct text *words) {
  uint64_t loads = c->value[COUNTER_local_load_inst], stores = c->value[COUNTER_local_store_inst];
  if (loads + stores == 0) return false;
  text_add(words,
           "Local memory: %lu loads and %lu stores by warps. Arrays that a thread indexes with "
           "values known only at run time lie there, not in registers.",
           loads, stores);
  return true;
}

bool figures_fault(const struct counters *counters, enum fault fault, struct text *words) {
  switch (fault) {
    case FAULT_LOADS:
      return global_fault(counters, true, words);
    case FAULT_STORES:
      return global_fault(counters, false, words);
    case FAULT_SHARED_LOADS:
      return shared_fault(counters, true, words);
    case FAULT_SHARED_STORES:
      return shared_fault(counters, false, words);
    case FAULT_LOCAL:
      return local_fault(counters, words);
    case FAULTS:
      break;
  }
  return false;
}

const char *figures_count(uint64_t count, char *buffer, size_t size) {
  static const char units[] = " kMGTPE";
  double number = (double)count;
  int unit = 0;
  while (number >= 9999.5 || (unit > 0 && number >= 999.5)) {
    number /= 1000;
    unit++;
  }
  if (unit == 0)
    snprintf(buffer, size, "%lu", count);
  else
    snprintf(buffer, size, number < 9.95 ? "%.1f%c" : "%.0f%c", number, units[unit]);
  return buffer;
}
