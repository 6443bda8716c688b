/* report_json.c: see report_json.h. The keys, in this order, are the grade's schema: "launches"
 * without "case", "hazards". */
#include "report_json.h"

#include <math.h>

/* Counters as an object; all of them, or only those that are not 0. */
static json_t *counters_to_json(const struct counters *counters, bool all) {
  json_t *object = json_object();
  for (int i = 0; i < COUNTERS && object; i++) {
    if (!all && counters->value[i] == 0) continue;
    if (json_object_set_new(object, counter_names[i],
                            json_integer((json_int_t)counters->value[i])) != 0) {
      json_decref(object);
      object = NULL;
    }
  }
  return object;
}

static json_t *lines_to_json(const struct launch_report *report) {
  json_t *array = json_array();
  for (int i = 0; i < report->line_count && array; i++) {
    json_t *line = json_pack("{s:i, s:o}", "line", report->lines[i].line, "counters",
                             counters_to_json(&report->lines[i].counters, false));
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

/* Demangled names and source paths may hold bytes that are not UTF-8, which jansson refuses: "?"
 * instead. */
static json_t *text_to_json(const char *text) {
  json_t *string = json_string(text);
  return string ? string : json_string("?");
}

json_t *launch_to_json(const struct launch_report *report) {
  return json_pack("{s:o, s:o, s:o, s:I, s:i, s:I, s:s, s:o, s:i, s:o, s:o}", "kernel",
                   text_to_json(report->kernel), "grid", extent_to_json(report->grid), "block",
                   extent_to_json(report->block), "shared_bytes",
                   (json_int_t)(report->static_shared_bytes + report->dynamic_shared_bytes),
                   "registers", report->registers, "time_ns", (json_int_t)llround(report->time_ns),
                   "time_kind", "modelled", "bound", text_to_json(report->bound), "line",
                   report->place.line, "counters", counters_to_json(&report->counters, true),
                   "lines", lines_to_json(report));
}

json_t *hazard_to_json(const struct hazard *hazard) {
  return json_pack("{s:s, s:b, s:i, s:i, s:o, s:o, s:o, s:I}", "kind", hazard_names[hazard->kind],
                   "warning", (int)hazard->warning, "line", hazard->line, "other_line",
                   hazard->other_line, "kernel", text_to_json(hazard->kernel), "array",
                   text_to_json(hazard->array), "message", text_to_json(hazard->message), "count",
                   (json_int_t)hazard->count);
}
