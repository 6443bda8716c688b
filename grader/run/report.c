/* report.c: frames of a runner's report into structs, with every value checked. */
#include "grader/run/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/text.h"
#include "grader/lab/metric.h"
#include "grader/lab/totals.h"
#include "harness/base/exchange.h"

enum {
  MAX_LAUNCHES = 20000,
  MAX_LINES = 5000,
  MAX_TRAFFIC = 5000,
  MAX_HAZARDS = 2000,
  MAX_LINE_NUMBER = 10000000,
  MAX_STRING = 600
};
static const size_t json_limit = 4 << 20;

/* A string for people: cut, without control characters. */
static char *clean(const json_t *string) {
  freed_by(text_free) struct text text = {0};
  size_t length = json_string_length(string);
  text_add_printable(&text, json_string_value(string), length > MAX_STRING ? MAX_STRING : length,
                     true);
  char *copy = xstrdup(text_get(&text));
  return copy;
}

static char *get_string(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  return json_is_string(value) ? clean(value) : NULL;
}

/* A missing or null value is 0. */
static bool get_count(const json_t *object, const char *key, json_int_t limit, uint64_t *to) {
  const json_t *value = json_object_get(object, key);
  *to = 0;
  if (!value || json_is_null(value)) return true;
  if (!json_is_integer(value) || json_integer_value(value) < 0 || json_integer_value(value) > limit)
    return false;
  *to = (uint64_t)json_integer_value(value);
  return true;
}

static bool get_line(const json_t *object, const char *key, int *to) {
  uint64_t line;
  if (!get_count(object, key, MAX_LINE_NUMBER, &line)) return false;
  *to = (int)line;
  return true;
}

static bool get_triple(const json_t *object, const char *key, uint64_t *to) {
  const json_t *array = json_object_get(object, key);
  if (json_array_size(array) != 3) return false;
  for (size_t i = 0; i < 3; i++) {
    const json_t *value = json_array_get(array, i);
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        json_integer_value(value) > counter_limit)
      return false;
    to[i] = (uint64_t)json_integer_value(value);
  }
  return true;
}

static bool get_counters(const json_t *object, struct counters *counters) {
  return counters_from_json(json_object_get(object, "counters"), false, counters);
}

static int by_line(const void *a, const void *b) {
  const struct line_counters *x = a, *y = b;
  return (x->line > y->line) - (x->line < y->line);
}

const char *launch_record_from_json(const json_t *json, struct launch_record *launch) {
  *launch = (struct launch_record){0};
  if (!json_is_object(json)) return "a launch is not an object";
  launch->kernel = get_string(json, "kernel");
  launch->time_kind = get_string(json, "time_kind");
  launch->bound = get_string(json, "bound");
  if (!launch->bound) launch->bound = xstrdup("");
  const json_t *time = json_object_get(json, "time_ns");
  double ns = json_number_value(time);
  bool good =
      launch->kernel && launch->time_kind && json_is_number(time) && isfinite(ns) && ns >= 0 &&
      ns < 1e18 &&
      (strcmp(launch->time_kind, "modelled") == 0 || strcmp(launch->time_kind, "measured") == 0) &&
      get_triple(json, "grid", launch->grid) && get_triple(json, "block", launch->block) &&
      get_count(json, "shared_bytes", counter_limit, &launch->shared_bytes) &&
      get_count(json, "registers", counter_limit, &launch->registers) &&
      get_line(json, "line", &launch->line);
  if (!good) return "a launch lacks something or has a value out of range";
  launch->time_ns = (uint64_t)llround(ns);
  launch->launches = 1;
  if (json_object_get(json, "launches") &&
      (!get_count(json, "launches", counter_limit, &launch->launches) || launch->launches == 0))
    return "a launch stands for no launches";
  if (!get_counters(json, &launch->counters)) return "a launch has a counter that is not a count";

  const json_t *lines = json_object_get(json, "lines"), *entry;
  if (!json_is_array(lines) || json_array_size(lines) > MAX_LINES)
    return "a launch has no list of lines";
  launch->lines = xcalloc(json_array_size(lines), sizeof *launch->lines);
  size_t i;
  json_array_foreach (lines, i, entry) {
    struct line_counters *line = &launch->lines[launch->line_count];
    if (!get_line(entry, "line", &line->line) || !get_counters(entry, &line->counters)) {
      return "a line has a counter that is not a count";
    }
    launch->line_count++;
  }
  qsort(launch->lines, (size_t)launch->line_count, sizeof *launch->lines, by_line);
  return launch_record_take_accesses(json_object_get(json, "accesses"), launch);
}

json_t *launch_record_to_json(const struct launch_record *launch) {
  json_t *lines = json_array();
  for (int i = 0; i < launch->line_count; i++) {
    json_array_append_new(lines, json_pack("{s:i, s:o}", "line", launch->lines[i].line, "counters",
                                           counters_json(&launch->lines[i].counters, false)));
  }
  const uint64_t *grid = launch->grid, *block = launch->block;
  json_t *json = json_pack(
      "{s:s, s:[I,I,I], s:[I,I,I], s:I, s:I, s:I, s:s, s:s, s:i, s:o, s:o}", "kernel",
      launch->kernel, "grid", (json_int_t)grid[0], (json_int_t)grid[1], (json_int_t)grid[2],
      "block", (json_int_t)block[0], (json_int_t)block[1], (json_int_t)block[2], "shared_bytes",
      (json_int_t)launch->shared_bytes, "registers", (json_int_t)launch->registers, "time_ns",
      (json_int_t)launch->time_ns, "time_kind", launch->time_kind, "bound", launch->bound, "line",
      launch->line, "counters", counters_json(&launch->counters, true), "lines", lines);
  if (launch->launches > 1)
    json_object_set_new(json, "launches", json_integer((json_int_t)launch->launches));
  return json;
}

const char *traffic_from_json(const json_t *list, struct totals *totals) {
  size_t i, count = json_array_size(list);
  const json_t *entry;
  if (!json_is_array(list) || count > MAX_TRAFFIC) return "a call has no list of traffic";
  totals->traffic = xcalloc(count, sizeof *totals->traffic);
  json_array_foreach (list, i, entry) {
    struct traffic_record *traffic = &totals->traffic[totals->traffic_count++];
    const char *op = json_string_value(json_object_get(entry, "op"));
    traffic->array = get_string(entry, "array");
    traffic->store = op && strcmp(op, "store") == 0;
    if (!traffic->array || !op || (!traffic->store && strcmp(op, "load") != 0) ||
        !get_line(entry, "line", &traffic->line) ||
        !get_count(entry, "requests", counter_limit, &traffic->requests) ||
        !get_count(entry, "sectors", counter_limit, &traffic->sectors) ||
        !get_count(entry, "bytes", counter_limit, &traffic->bytes))
      return "traffic lacks something or has a value out of range";
  }
  return NULL;
}

json_t *traffic_to_json(const struct totals *totals) {
  json_t *list = json_array();
  for (int i = 0; i < totals->traffic_count; i++) {
    const struct traffic_record *t = &totals->traffic[i];
    json_array_append_new(list, json_pack("{s:i, s:s, s:s, s:I, s:I, s:I}", "line", t->line, "op",
                                          t->store ? "store" : "load", "array", t->array,
                                          "requests", (json_int_t)t->requests, "sectors",
                                          (json_int_t)t->sectors, "bytes", (json_int_t)t->bytes));
  }
  return list;
}

void traffic_free(struct totals *totals) {
  for (int i = 0; i < totals->traffic_count; i++) free(totals->traffic[i].array);
  free(totals->traffic);
  totals->traffic = NULL;
  totals->traffic_count = 0;
}

static const char *take_totals(const json_t *json, struct set_record *set) {
  if (!get_count(json, "launches", counter_limit, &set->totals.launches) ||
      !get_count(json, "time_ns", counter_limit, &set->totals.time_ns) ||
      !get_counters(json, &set->totals.counters))
    return "a call has totals that are not counts";
  set->has_totals = true;
  return traffic_from_json(json_object_get(json, "traffic"), &set->totals);
}

void launch_record_free(struct launch_record *launch) {
  free_all(launch->kernel, launch->time_kind, launch->bound, launch->lines);
  launch_record_free_accesses(launch);
  *launch = (struct launch_record){0};
}

void hazard_record_free(struct hazard_record *hazard) {
  free_all(hazard->kind, hazard->kernel, hazard->array, hazard->message);
  *hazard = (struct hazard_record){0};
}

static const char *take_launch(struct report *report, const json_t *json, int set) {
  if (report->launch_count == MAX_LAUNCHES)
    return "there are more launches than a device reports one by one";
  struct launch_record *launch = array_add(report->launches, report->launch_count);
  const char *wrong = launch_record_from_json(json, launch);
  if (wrong) {
    launch_record_free(launch);
    report->launch_count--;
    return wrong;
  }
  launch->set = set;
  return NULL;
}

static const char *take_hazard(struct report *report, const json_t *json) {
  if (report->hazard_count == MAX_HAZARDS) return NULL;
  struct hazard_record hazard = {0};
  hazard.kind = get_string(json, "kind");
  hazard.message = get_string(json, "message");
  hazard.kernel = get_string(json, "kernel");
  hazard.array = get_string(json, "array");
  hazard.warning = json_is_true(json_object_get(json, "warning"));
  if (!hazard.kernel) hazard.kernel = xstrdup("");
  if (!hazard.array) hazard.array = xstrdup("");
  if (!hazard.kind || !hazard.message || !get_line(json, "line", &hazard.line) ||
      !get_line(json, "other_line", &hazard.other_line) ||
      !get_count(json, "count", counter_limit, &hazard.count) || !hazard_kind_known(hazard.kind)) {
    hazard_record_free(&hazard);
    return "a hazard lacks something or has a value out of range";
  }
  if (hazard.count == 0) hazard.count = 1;
  hazard.more = json_is_true(json_object_get(json, "more"));
  hazard.weight = json_integer_value(json_object_get(json, "weight")) > 1 ? 2 : 1;
  const json_t *addresses = json_object_get(json, "addresses"), *address;
  size_t i, room = sizeof hazard.addresses / sizeof *hazard.addresses;
  json_array_foreach (addresses, i, address) {
    if (i < room) hazard.addresses[hazard.address_count++] = (uint64_t)json_integer_value(address);
  }
  *array_add(report->hazards, report->hazard_count) = hazard;
  return NULL;
}

static const char *take_status(struct report *report, const json_t *json, int set) {
  uint64_t number;
  if (set >= report->set_count || !get_count(json, "set", 1000, &number) ||
      number != (uint64_t)set) {
    return "a call is reported out of order";
  }
  report->sets[set].error = get_string(json, "error");
  report->sets[set].error_from = get_string(json, "from");
  report->sets[set].message = get_string(json, "message");
  double ns = json_number_value(json_object_get(json, "time_ns"));
  if (isfinite(ns) && ns > 0 && ns < 1e18) report->sets[set].time_ns = (uint64_t)llround(ns);
  const json_t *totals = json_object_get(json, "totals");
  return totals ? take_totals(totals, &report->sets[set]) : NULL;
}

/* What is being read: status frames and arrays must come in the job's order. */
struct place {
  int set;   /* whose status or array comes next */
  int array; /* next output of that set; -1: its status comes first */
};

static const char *take_array(struct report *report, const struct problem *problem,
                              const long *dims, struct place *place, void **payload, size_t bytes) {
  if (place->array < 0 || place->set >= report->set_count) return "an array comes before its call";
  if (bytes != problem_bytes(problem, problem->input_count + place->array, dims))
    return "an array has the wrong size";
  report->sets[place->set].outputs[place->array] = *payload;
  *payload = NULL;
  if (++place->array == problem->output_count) {
    report->sets[place->set].done = true;
    place->set++;
    place->array = -1;
  }
  return NULL;
}

static const char *take_json(struct report *report, uint32_t type, const char *payload,
                             size_t bytes, struct place *place) {
  json_error_t error;
  json_auto_t *json = json_loadb(payload, bytes, JSON_REJECT_DUPLICATES, &error);
  const char *wrong = NULL;
  if (!json_is_object(json)) {
    wrong = "a frame is not JSON";
  } else if (type == FRAME_LAUNCH) {
    wrong = take_launch(report, json, place->set);
  } else if (type == FRAME_HAZARD) {
    wrong = take_hazard(report, json);
  } else if (type == FRAME_STATUS) {
    wrong = place->array >= 0 ? "an array is missing" : take_status(report, json, place->set);
    place->array = 0;
  } else if (type == FRAME_USED) {
    struct budget *used = &report->used;
    if (!get_count(json, "instructions", counter_limit, &used->instructions) ||
        !get_count(json, "bytes", counter_limit, &used->bytes) ||
        !get_count(json, "calls", counter_limit, &used->calls))
      wrong = "what was used of the budget is not a number";
  } else if (type == FRAME_BROKEN) {
    free(report->broken);
    report->broken = get_string(json, "message");
    if (!report->broken) wrong = "it was broken off for no reason";
  } else { /* FRAME_DONE */
    report->device = get_string(json, "device");
    report->done = report->device && place->set == report->set_count;
    if (!report->done) wrong = "it ends too early";
  }
  return wrong;
}

void report_read(int fd, uint64_t token, const struct problem *problem, const long *dims, int sets,
                 struct report *report) {
  *report = (struct report){.sets = xcalloc((size_t)sets, sizeof *report->sets), .set_count = sets};
  size_t limit = json_limit;
  for (int i = problem->input_count; i < problem_array_count(problem); i++)
    if (problem_bytes(problem, i, dims) > limit) limit = problem_bytes(problem, i, dims);
  struct place place = {0, -1};
  struct frame_header header;
  void *payload = NULL;
  const char *wrong = NULL;
  int got = 0;
  while (!wrong && !report->done && !report->broken &&
         (got = frame_read(fd, &header, &payload, limit)) == 1) {
    if (header.token != token) {
      report->forged++;
    } else if (header.type == FRAME_ARRAY) {
      wrong = take_array(report, problem, dims, &place, &payload, header.bytes);
    } else if (header.type == FRAME_TRANSFERS) {
      transfers_append(&report->transfers, payload, header.bytes);
    } else if (header.type >= FRAME_LAUNCH && header.type <= FRAME_USED &&
               header.bytes <= json_limit) {
      wrong = take_json(report, header.type, payload, header.bytes, &place);
    } else {
      wrong = "a frame of no known kind";
    }
    free(payload);
    payload = NULL;
  }
  if (got < 0) wrong = "a frame is cut or was overwritten";
  if (!wrong && !transfers_parse(&report->transfers)) wrong = "the log of transfers is none";
  if (wrong) snprintf(report->damaged, sizeof report->damaged, "%s", wrong);
}

bool report_read_transfers(int fd, uint64_t token, struct transfers *transfers) {
  struct frame_header header;
  void *payload;
  bool done = false;
  while (!done && frame_read(fd, &header, &payload, json_limit) == 1) {
    bool counts = header.token == token;
    if (counts && header.type == FRAME_TRANSFERS)
      transfers_append(transfers, payload, header.bytes);
    done = counts && (header.type == FRAME_DONE || header.type == FRAME_BROKEN);
    free(payload);
  }
  return done && transfers_parse(transfers);
}

void report_free(struct report *report) {
  transfers_free(&report->transfers);
  for (int i = 0; i < report->launch_count; i++) launch_record_free(&report->launches[i]);
  for (int i = 0; i < report->hazard_count; i++) hazard_record_free(&report->hazards[i]);
  for (int i = 0; i < report->set_count; i++) {
    free_all(report->sets[i].error, report->sets[i].error_from, report->sets[i].message);
    traffic_free(&report->sets[i].totals);
    for (int j = 0; j < PROBLEM_MAX_ARRAYS; j++) free(report->sets[i].outputs[j]);
  }
  free_all(report->launches, report->hazards, report->sets, report->device, report->broken);
  *report = (struct report){0};
}
