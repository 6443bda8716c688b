/* device_call.c: a call of the submission from beginning to end: what in it is made to fail, and
 * what it has made and not given back when it returns: device memory, events, streams. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/array.h"
#include "harness/sim/device/state.h"

bool fault_strikes(struct device *device, enum device_fault kind, int line) {
  if (device->fault != kind || device->fault_left == 0 || --device->fault_left > 0) return false;
  device->strike = (struct device_strike){.line = line};
  device->fault_struck = true;
  return true;
}

bool device_fault_struck(struct device *device, struct device_strike *strike) {
  HOLD(&device->lock);
  bool struck = device->fault_struck;
  device->fault_struck = false;
  *strike = device->strike;
  return struck;
}

void leaks_note(struct device *device, enum held_kind kind, uint64_t id, size_t bytes, int line) {
  if (!device->in_call || line == LINE_OF_RUNTIME) return;
  if (!ARRAY_RESERVE(device->held, device->held_room, device->held_count + 1)) return;
  device->held[device->held_count++] = (struct held){kind, line, id, bytes};
}

void leaks_forget(struct device *device, enum held_kind kind, uint64_t id) {
  for (int i = device->held_count - 1; i >= 0; i--) {
    if (device->held[i].kind != kind || device->held[i].id != id) continue;
    device->held[i] = device->held[--device->held_count];
    return;
  }
}

void device_call_begins(struct device *device, bool timed) {
  HOLD(&device->lock);
  device->untimed = !timed;
  device->in_call = device->seeks_leaks;
  device->held_count = 0;
  device->fault_left = device->fault_at;
  timeline_watch_records(device->timeline);
}

double device_events_ns(struct device *device) {
  HOLD(&device->lock);
  return timeline_between_records(device->timeline);
}

static int by_place(const void *a, const void *b) {
  const struct held *x = a, *y = b;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  return (int)x->kind - (int)y->kind;
}

static const char *bytes_text(size_t bytes, char *text, size_t size) {
  double mib = (double)bytes / (1 << 20);
  if (mib >= 1)
    snprintf(text, size, "%.*f MiB", mib < 10, mib);
  else
    snprintf(text, size, "%zu bytes", bytes);
  return text;
}

/* `count` things of one kind, made in one line. */
static void report(struct device *device, const struct held *first, int count, size_t bytes) {
  static const struct {
    const char *one, *many, *advice;
  } words[] = {
      [HELD_MEMORY] = {"array", "arrays",
                       "Pass every pointer that cudaMalloc gave to cudaFree before the function "
                       "returns"},
      [HELD_EVENT] = {"event", "events",
                      "Call cudaEventDestroy for every event before the function returns"},
      [HELD_STREAM] = {"stream", "streams",
                       "Call cudaStreamDestroy for every stream before the function returns"},
  };
  struct hazard hazard = {.kind = HAZARD_leak, .line = first->line, .count = (uint64_t)count};
  char what[64], size[32], of[48] = "";
  if (count == 1)
    snprintf(what, sizeof what, "the %s", words[first->kind].one);
  else
    snprintf(what, sizeof what, "%d %s", count, words[first->kind].many);
  if (bytes) snprintf(of, sizeof of, " of %s", bytes_text(bytes, size, sizeof size));
  snprintf(hazard.message, sizeof hazard.message,
           "%s%s made here %s never %s: each call leaves as much behind. %s.", what, of,
           count == 1 ? "is" : "are", first->kind == HELD_MEMORY ? "freed" : "destroyed",
           words[first->kind].advice);
  device_report_hazard(device, &hazard);
}

void device_call_ends(struct device *device, bool in_order) {
  HOLD(&device->lock);
  device->fault_left = 0;
  if (!device->in_call) return;
  device->in_call = false;
  if (!in_order) return;
  struct held *items = device->held;
  if (items) qsort(items, (size_t)device->held_count, sizeof *items, by_place);
  for (int from = 0, to; from < device->held_count; from = to) {
    size_t bytes = 0;
    for (to = from; to < device->held_count && by_place(&items[from], &items[to]) == 0; to++)
      bytes += items[to].bytes;
    report(device, &items[from], to - from, bytes);
  }
}
