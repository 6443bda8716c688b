/* stream_race.c: finds races between a launch and work in other streams. Tags of two launches are
 * never compared: each launch's are read out into ranges of bytes, so that granules may differ, and
 * nothing is lost when another launch leaves its own. */
#include "harness/sim/exec/race_parts.h"

#include <stdio.h>

#include "harness/sim/base/hazard.h"
#include "harness/sim/base/streams.h"
#include "harness/sim/exec/access.h"
#include "harness/sim/exec/schedule.h"

static int line_of(const struct launch_state *launch, const uint32_t *names, size_t granule) {
  uint32_t op = names ? names[granule] : UINT32_MAX;
  return op < (uint32_t)launch->op_total ? launch->ops[op]->line : 0;
}

/* The first granule from g on that the launch has tagged; count: there is none. */
static size_t next_tagged(const access_tag *tags, size_t g, size_t count, access_tag begin) {
  enum { AT_ONCE = 16 }; /* a launch leaves most of a large array alone, or touches all of it */
  for (; g + AT_ONCE <= count; g += AT_ONCE) {
    bool tagged = false;
    for (int i = 0; i < AT_ONCE; i++) tagged |= tags[g + (size_t)i] >= begin;
    if (tagged) break;
  }
  while (g < count && tags[g] < begin) g++;
  return g;
}

/* Adds the granules that the launch has tagged, as many at once as one operation has. False: memory
 * ran out. */
static bool gather(const struct launch_state *launch, const struct allocation *a,
                   const access_tag *tags, const uint32_t *names, bool atomic,
                   struct range_list *list) {
  int shift = launch->global_shift;
  size_t count = tags ? a->shadow.count : 0, end;
  for (size_t g = 0; (g = next_tagged(tags, g, count, launch->begin)) < count; g = end) {
    for (end = g + 1; end < count && tags[end] >= launch->begin; end++)
      if (names && names[end] != names[g]) break;
    if (list->count == MAX_WORK_RANGES) return true;
    if (!ranges_add(list, (struct byte_range){(uint64_t)g << shift, (uint64_t)end << shift,
                                              line_of(launch, names, g), atomic}))
      return false;
  }
  return true;
}

static bool gather_all(const struct launch_state *launch) {
  const struct memory *memory = launch->memory;
  for (int i = 0; i < memory->window_count; i++) {
    const struct allocation *a = memory->allocations[i];
    if (!a || !a->live || a->launch != memory->launch || !a->tracked) continue;
    struct work_access *access = work_access(launch->work, a->address);
    const struct shadow *shadow = &a->shadow;
    for (size_t row = 0; shadow->rows && row << ROW_SHIFT < shadow->count; row++)
      if (shadow->rows[row].first >= launch->begin) shadow_loosen(shadow, row);
    if (!access || !gather(launch, a, shadow->writes, shadow->writers, false, &access->writes) ||
        !gather(launch, a, shadow->atomics, shadow->updaters, true, &access->writes) ||
        !gather(launch, a, shadow->reads, shadow->readers, false, &access->reads))
      return false;
  }
  return true;
}

static const char *verb(bool writes, const struct byte_range *range) {
  return !writes ? "reads" : range->atomic ? "atomically updates" : "writes";
}

static void note(void *context, const struct work_conflict *conflict) {
  struct launch_state *launch = context;
  const struct allocation *a = memory_find(launch->memory, conflict->address, 0);
  if (!a || launch->noted[HAZARD_race] >= ENOUGH_HAZARDS) return;
  uint64_t size = a->element ? a->element : 4;
  uint64_t count = (conflict->to - conflict->from + size - 1) / size;
  bool fresh;
  struct hazard *h = hazard_note(launch->hazards, HAZARD_race, conflict->range->line,
                                 conflict->other_range->line, a->name, count, &fresh);
  if (!conflict->other->staged) launch->noted[HAZARD_race] += count;
  if (!h || !fresh) return;
  h->warning = conflict->other->staged;
  const access_tag *tags = !conflict->writes         ? a->shadow.reads
                           : conflict->range->atomic ? a->shadow.atomics
                                                     : a->shadow.writes;
  access_tag tag = tags[conflict->from >> launch->global_shift];
  char what[160], other[160];
  access_element_text(a, (int64_t)conflict->from, (int)size, what, sizeof what);
  bool both = conflict->writes && conflict->other_writes && !conflict->range->atomic &&
              !conflict->other_range->atomic;
  snprintf(h->message, sizeof h->message,
           "%s %s %s, which %s %s%s in another stream at the same time. %s",
           access_thread(launch, schedule_block_at(launch, tag), tag_thread(tag)).text,
           verb(conflict->writes, conflict->range), what,
           work_text(conflict->other, other, sizeof other),
           verb(conflict->other_writes, conflict->other_range), both ? " too" : "",
           streams_advice(launch->streams, conflict));
}

void stream_race_check(struct launch_state *launch) {
  gather_all(launch); /* if memory runs out, what was collected */
  if (launch->streams) streams_find_conflicts(launch->streams, launch->work, note, launch);
}
