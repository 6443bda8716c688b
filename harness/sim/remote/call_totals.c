/* call_totals.c: adds up the launches of a call: totals, traffic, and groups of launches of the
 * same kernel and shape. */
#include "harness/sim/remote/call_totals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/device/report_json.h"

/* ---- groups ---- */

static bool belongs(const struct launch_group *group, const struct launch_report *report) {
  return strcmp(group->sum.kernel, report->kernel) == 0 &&
         memcmp(group->sum.grid, report->grid, sizeof report->grid) == 0 &&
         memcmp(group->sum.block, report->block, sizeof report->block) == 0;
}

static struct launch_group *group_of(struct call_totals *totals,
                                     const struct launch_report *report) {
  for (int i = 0; i < totals->group_count; i++)
    if (belongs(&totals->groups[i], report)) return &totals->groups[i];
  if (totals->group_count == LAUNCH_GROUPS) return &totals->groups[LAUNCH_GROUPS - 1];
  struct launch_group *group = &totals->groups[totals->group_count++];
  *group = (struct launch_group){.sum = *report};
  group->sum.counters = (struct counters){0};
  group->sum.time_ns = group->sum.dram_bytes = 0;
  group->sum.traffic = NULL;
  group->sum.accesses = NULL;
  group->sum.traffic_count = group->sum.access_count = 0;
  return group;
}

static bool add_to_group(struct launch_group *group, const struct launch_report *report) {
  if (group->launches && !belongs(group, report)) {
    snprintf(group->sum.kernel, sizeof group->sum.kernel, "other launches");
    memset(group->sum.grid, 0, sizeof group->sum.grid);
    memset(group->sum.block, 0, sizeof group->sum.block);
  }
  group->launches++;
  group->sum.time_ns += (double)llround(report->time_ns);
  group->sum.dram_bytes += (double)llround(report->dram_bytes);
  counters_add(&group->sum.counters, &report->counters);
  for (int i = 0; i < report->line_count; i++) {
    struct counters *line = line_list_at(&group->lines, report->lines[i].line);
    if (!line) return false;
    counters_add(line, &report->lines[i].counters);
  }
  return true;
}

/* ---- all ---- */

bool call_totals_add(struct call_totals *totals, const struct launch_report *report, bool *single) {
  *single = totals->launches++ < SINGLE_LAUNCHES;
  totals->time_ns += (uint64_t)llround(report->time_ns);
  totals->untimed |= !report->timed;
  counters_add(&totals->counters, &report->counters);
  for (int i = 0; i < report->traffic_count; i++)
    if (!traffic_list_add(&totals->traffic, &report->traffic[i])) return false;
  return *single || add_to_group(group_of(totals, report), report);
}

void call_totals_reset(struct call_totals *totals) {
  for (int i = 0; i < totals->group_count; i++) free(totals->groups[i].lines.items);
  free(totals->traffic.items);
  *totals = (struct call_totals){0};
}

/* ---- into JSON ---- */

static int by_instructions(const void *a, const void *b) {
  const struct line_report *x = a, *y = b;
  uint64_t i = x->counters.value[COUNTER_inst_executed],
           j = y->counters.value[COUNTER_inst_executed];
  return i != j ? (i < j ? 1 : -1) : (x->line > y->line) - (x->line < y->line);
}

void call_totals_limit_lines(struct line_report *lines, int *count) {
  if (*count <= REPORTED_LINES) return;
  qsort(lines, (size_t)*count, sizeof *lines, by_instructions);
  struct line_report *rest = &lines[REPORTED_LINES - 1];
  rest->line = 0;
  for (int i = REPORTED_LINES; i < *count; i++) counters_add(&rest->counters, &lines[i].counters);
  struct line_list kept = {lines, REPORTED_LINES, REPORTED_LINES};
  line_list_merge(&kept);
  *count = kept.count;
}

json_t *launch_group_to_json(struct launch_group *group, bool bare) {
  line_list_merge(&group->lines);
  call_totals_limit_lines(group->lines.items, &group->lines.count);
  group->sum.lines = group->lines.items;
  group->sum.line_count = bare ? 0 : group->lines.count;
  json_t *json = launch_to_json(&group->sum);
  if (json) json_object_set_new(json, "launches", json_integer((json_int_t)group->launches));
  return json;
}

static int by_sectors(const void *a, const void *b) {
  const struct traffic *x = a, *y = b;
  if (x->sectors != y->sectors) return x->sectors < y->sectors ? 1 : -1;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  if (x->store != y->store) return x->store - y->store;
  return strcmp(x->array, y->array);
}

/* Keeps the heaviest entries; the rest are added up by class, without their places. */
static bool limit_traffic(struct traffic_list *list) {
  if (list->count <= REPORTED_TRAFFIC) return true;
  struct traffic_list short_list = {0};
  qsort(list->items, (size_t)list->count, sizeof *list->items, by_sectors);
  bool ok = true;
  for (int i = 0; i < list->count && ok; i++) {
    struct traffic traffic = list->items[i];
    if (i >= REPORTED_TRAFFIC) {
      traffic.line = 0;
      traffic.array[0] = '\0';
    }
    ok = traffic_list_add(&short_list, &traffic);
  }
  traffic_list_merge(&short_list);
  free(list->items);
  *list = short_list;
  return ok;
}

json_t *call_totals_to_json(struct call_totals *totals) {
  traffic_list_merge(&totals->traffic);
  if (!limit_traffic(&totals->traffic)) return NULL;
  return json_pack("{s:I, s:o, s:o, s:o}", "launches", (json_int_t)totals->launches, "time_ns",
                   totals->untimed ? json_null() : json_integer((json_int_t)totals->time_ns),
                   "counters", counters_to_json(&totals->counters, true), "traffic",
                   traffic_to_json(totals->traffic.items, totals->traffic.count));
}
