/* copy_race.c: finds races between a copy, a fill or a library's call and work in other streams. */
#include "harness/sim/device/state.h"

#include <stdio.h>

#include "harness/sim/base/hazard.h"
#include "harness/sim/exec/access.h"

/* False: memory ran out, or there are too many rows; the rows added so far have to do. */
static bool add_rows(struct work *work, const struct copy_side *side, bool writes, size_t width,
                     size_t rows) {
  if (!side->address) return true;
  uint64_t start = side->allocation ? side->allocation->address : 0, at = side->address - start;
  struct work_access *access = work_access(work, start);
  if (!access) return false;
  struct range_list *list = writes ? &access->writes : &access->reads;
  for (size_t row = 0; row < rows; row++, at += side->pitch)
    if (list->count == MAX_WORK_RANGES ||
        !ranges_add(list, (struct byte_range){at, at + width, work->line, false}))
      return false;
  return true;
}

struct report {
  struct device *device;
  struct hazard_list list;
};

static void note(void *context, const struct work_conflict *conflict) {
  struct report *report = context;
  const struct allocation *a = memory_find(report->device->memory, conflict->address, 0);
  uint64_t size = a && a->element ? a->element : 4;
  bool fresh;
  struct hazard *h =
      hazard_note(&report->list, HAZARD_race, conflict->work->line, conflict->other_range->line,
                  a ? a->name : "", (conflict->to - conflict->from + size - 1) / size, &fresh);
  if (!h || !fresh) return;
  h->warning = conflict->other->staged;
  char who[64], what[160] = "pinned host memory", other[160];
  if (a) access_element_text(a, (int64_t)conflict->from, (int)size, what, sizeof what);
  snprintf(
      h->message, sizeof h->message,
      "%s %s %s, which %s %s%s in another stream at the same time. %s",
      work_text(conflict->work, who, sizeof who), conflict->writes ? "writes" : "reads", what,
      work_text(conflict->other, other, sizeof other),
      conflict->other_range->atomic ? "atomically updates"
      : conflict->other_writes      ? "writes"
                                    : "reads",
      conflict->writes && conflict->other_writes && !conflict->other_range->atomic ? " too" : "",
      streams_advice(report->device->streams, conflict));
}

static void end_work(struct device *device, struct work *work) {
  struct report report = {device, {0}};
  streams_find_conflicts(device->streams, work, note, &report);
  device_report_hazards(device, &report.list);
  streams_end_work(device->streams, work);
}

int copy_race_check(struct device *device, struct device_issue *issue, enum work_kind kind,
                    const struct copy_side *to, const struct copy_side *from, size_t width,
                    size_t rows) {
  struct streams *streams = device->streams;
  if (!issue) { /* by the harness: all is done */
    streams_host_waits(streams);
    return cudaSuccess;
  }
  if (!streams_knows(streams, issue->stream)) return cudaErrorInvalidResourceHandle;
  issue->copy = 0;
  if (to->allocation) to->allocation->rewritten = true;
  if ((streams_keep_work(streams) || issue->host) && !device->sample) {
    struct work *work = streams_begin_work(streams, kind, issue->stream);
    if (!work) return cudaErrorMemoryAllocation;
    work->line = issue->line;
    work->staged = issue->staged;
    issue->copy = work->id;
    if (add_rows(work, to, true, width, rows)) add_rows(work, from, false, width, rows);
    end_work(device, work);
  } else {
    streams_pass_work(streams, issue->stream);
  }
  if (issue->host_waits) streams_host_waits_for(streams, issue->stream);
  return cudaSuccess;
}

int library_race_check(struct device *device, const struct library_call *call,
                       struct allocation *const *allocations) {
  struct streams *streams = device->streams;
  if (!streams_keep_work(streams) || device->sample) {
    streams_pass_work(streams, call->stream);
    return cudaSuccess;
  }
  struct work *work = streams_begin_work(streams, WORK_KERNEL, call->stream);
  if (!work) return cudaErrorMemoryAllocation;
  work->line = call->line;
  snprintf(work->kernel, sizeof work->kernel, "%s", call->function);
  for (int i = 0; i < call->operand_count; i++) {
    const struct library_operand *o = &call->operands[i];
    const struct copy_side side = {allocations[i], o->address, o->pitch};
    if (o->reads && !add_rows(work, &side, false, o->width, o->rows)) break;
    if (o->writes && !add_rows(work, &side, true, o->width, o->rows)) break;
  }
  end_work(device, work);
  return cudaSuccess;
}
