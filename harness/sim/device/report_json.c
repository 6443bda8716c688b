/* report_json.c: turns launch reports, counters and hazards into JSON. The keys, in this order, are
 * the grade's schema: "launches" without "case", "hazards". */
#include "harness/sim/device/report_json.h"

#include <math.h>
#include <string.h>

#include "harness/base/lane_runs.h"
#include "harness/sim/base/source_places.h"

/* Demangled names and source paths may not be UTF-8, which jansson refuses: "?" for those bytes. */
static json_t *text_to_json(const char *text) {
  json_t *string = json_string(text);
  return string ? string : json_string("?");
}

/* The file of a place, where there are several. NULL stays NULL. */
static json_t *with_file(json_t *object, const char *key, int place) {
  const char *path = place_path(place_file(place));
  if (object && *path) json_object_set_new(object, key, text_to_json(path));
  return object;
}

static json_t *lines_to_json(const struct launch_report *report) {
  json_t *array = json_array();
  for (int i = 0; i < report->line_count && array; i++) {
    json_t *line = json_pack("{s:i, s:o}", "line", place_line(report->lines[i].line), "counters",
                             counters_to_json(&report->lines[i].counters, false));
    with_file(line, "file", report->lines[i].line);
    if (json_array_append_new(array, line) != 0) {
      json_decref(array);
      array = NULL;
    }
  }
  return array;
}

static json_t *extent_to_json(const unsigned extent[3]) {
  return json_pack("[I, I, I]", (json_int_t)extent[0], (json_int_t)extent[1],
                   (json_int_t)extent[2]);
}

/* How many warps from the i-th on are one entry; *apart: from one to the next. */
static int warps_alike(const struct access_report *access, int i, int64_t *apart) {
  const struct warp_access *w = &access->warps[i];
  int count = 1, lane = __builtin_ctz(w->mask);
  *apart = i + 1 < access->warp_count ? w[1].offsets[lane] - w->offsets[lane] : 0;
  while (i + count < access->warp_count && w[count].warp == w->warp + count &&
         w[count].mask == w->mask && w[count].cost == w->cost &&
         lanes_follow(w[count - 1].offsets, w[count].offsets, w->mask, *apart))
    count++;
  return count;
}

static json_t *warps_to_json(const struct access_report *access) {
  json_t *array = json_array();
  for (int i = 0, alike; i < access->warp_count && array; i += alike) {
    const struct warp_access *w = &access->warps[i];
    int64_t numbers[MAX_RUN_NUMBERS], apart;
    int count = lane_runs(w->offsets, numbers);
    alike = warps_alike(access, i, &apart);
    json_t *runs = json_array();
    for (int k = 0; k < count; k++) json_array_append_new(runs, json_integer(numbers[k]));
    json_t *warp =
        json_pack("{s:i, s:i, s:I, s:I, s:o, s:i}", "warp", w->warp, "warps", alike, "apart",
                  (json_int_t)(alike > 1 ? apart : 0), "mask", (json_int_t)w->mask, "runs", runs,
                  access->shared ? "wavefronts" : "sectors", w->cost);
    if (json_array_append_new(array, warp) != 0) {
      json_decref(array);
      array = NULL;
    }
  }
  return array;
}

static json_t *accesses_to_json(const struct launch_report *report) {
  json_t *array = json_array();
  for (int i = 0; i < report->access_count && array; i++) {
    const struct access_report *a = &report->accesses[i];
    json_t *access = json_pack(
        "{s:i, s:s, s:s, s:i, s:o, s:I, s:i, s:o, s:i, s:o}", "line", place_line(a->line), "space",
        a->shared ? "shared" : "global", "op", a->op, "bytes", a->bytes, "array",
        text_to_json(a->array), "array_bytes", (json_int_t)a->array_bytes, "base", a->base, "block",
        extent_to_json(a->block), "index", a->index, "warps", warps_to_json(a));
    with_file(access, "file", a->line);
    if (json_array_append_new(array, access) != 0) {
      json_decref(array);
      array = NULL;
    }
  }
  return array;
}

json_t *launch_to_json(const struct launch_report *report) {
  json_t *launch = json_pack(
      "{s:o, s:o, s:o, s:I, s:I, s:i, s:o, s:s?, s:o, s:I, s:i, s:o, s:o}", "kernel",
      text_to_json(report->kernel), "grid", extent_to_json(report->grid), "block",
      extent_to_json(report->block), "shared_bytes",
      (json_int_t)(report->static_shared_bytes + report->dynamic_shared_bytes),
      "dynamic_shared_bytes", (json_int_t)report->dynamic_shared_bytes, "registers",
      report->registers, "time_ns",
      report->timed ? json_integer((json_int_t)llround(report->time_ns)) : json_null(), "time_kind",
      report->timed ? "modelled" : NULL, "bound", text_to_json(report->bound), "dram_bytes",
      (json_int_t)llround(report->dram_bytes), "line", place_line(report->place.line), "counters",
      counters_to_json(&report->counters, true), "lines", lines_to_json(report));
  if (launch && report->accesses) json_object_set_new(launch, "accesses", accesses_to_json(report));
  if (launch && *report->launched_by)
    json_object_set_new(launch, "launched_by", text_to_json(report->launched_by));
  return with_file(launch, "file", report->place.line);
}

json_t *hazard_to_json(const struct hazard *hazard) {
  json_t *json = json_pack(
      "{s:s, s:b, s:i, s:i, s:o, s:o, s:o, s:I, s:b, s:i}", "kind", hazard_names[hazard->kind],
      "warning", (int)hazard->warning, "line", place_line(hazard->line), "other_line",
      place_line(hazard->other_line), "kernel", text_to_json(hazard->kernel), "array",
      text_to_json(hazard->array), "message", text_to_json(hazard->message), "count",
      (json_int_t)hazard->count, "more", (int)hazard->more, "weight", hazard->weight);
  return with_file(with_file(json, "file", hazard->line), "other_file", hazard->other_line);
}

bool hazard_json_same(const json_t *a, const json_t *b) {
  static const char *const keys[] = {"kind",  "line",       "file",    "other_line",
                                     "array", "other_file", "warning", "kernel"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const json_t *x = json_object_get(a, keys[i]), *y = json_object_get(b, keys[i]);
    if ((x || y) && !json_equal(x, y)) return false;
  }
  return true;
}

int hazard_json_kind(const json_t *hazard) {
  const char *name = json_string_value(json_object_get(hazard, "kind"));
  int kind = 0;
  while (kind < HAZARD_KINDS && (!name || strcmp(hazard_names[kind], name) != 0)) kind++;
  return kind;
}

json_t *crash_to_json(const char *message, const uint64_t *places, int count) {
  json_t *addresses = json_array();
  for (int i = 0; i < count; i++)
    json_array_append_new(addresses, json_integer((json_int_t)places[i]));
  return json_pack("{s:s, s:b, s:i, s:i, s:s, s:s, s:o, s:i, s:o}", "kind", "crash", "warning", 0,
                   "line", 0, "other_line", 0, "kernel", "", "array", "", "message",
                   text_to_json(message), "count", 1, "addresses", addresses);
}
