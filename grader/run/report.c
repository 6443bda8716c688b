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
#include "harness/base/lane_runs.h"

enum {
  MAX_LAUNCHES = 20000,
  MAX_LINES = 5000,
  MAX_TRAFFIC = 5000,
  MAX_HAZARDS = 2000,
  MAX_LINE_NUMBER = 10000000,
  MAX_STRING = 600,
  MAX_ACCESSES = 256,
  MAX_WARPS = 32,
  MAX_COST = 4096
};
static const size_t json_limit = 4 << 20;
static const json_int_t offset_limit = (json_int_t)1 << 50;

/* Takes values out of an object, and remembers whether one was missing or out of range. */
struct reader {
  const json_t *object;
  bool bad;
};

static json_int_t take_integer(struct reader *from, const json_t *value, json_int_t min,
                               json_int_t max) {
  json_int_t number = json_integer_value(value);
  if (json_is_integer(value) && number >= min && number <= max) return number;
  from->bad = true;
  return 0;
}

static json_int_t take(struct reader *from, const char *key, json_int_t min, json_int_t max) {
  return take_integer(from, json_object_get(from->object, key), min, max);
}

/* A missing or null value is 0. */
static uint64_t take_count(struct reader *from, const char *key, json_int_t max) {
  const json_t *value = json_object_get(from->object, key);
  return !value || json_is_null(value) ? 0 : (uint64_t)take_integer(from, value, 0, max);
}

static int take_line(struct reader *from, const char *key) {
  return (int)take_count(from, key, MAX_LINE_NUMBER);
}

static void take_triple(struct reader *from, const char *key, json_int_t max, uint64_t *to) {
  const json_t *array = json_object_get(from->object, key);
  if (json_array_size(array) != 3) from->bad = true;
  for (size_t i = 0; i < 3; i++)
    to[i] = (uint64_t)take_integer(from, json_array_get(array, i), 0, max);
}

static void take_counters(struct reader *from, struct counters *counters) {
  if (!counters_from_json(json_object_get(from->object, "counters"), false, counters))
    from->bad = true;
}

/* A string for people, the caller's: cut, without control characters. NULL: there is none. */
static char *get_string(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_string(value)) return NULL;
  struct text text = {0};
  size_t length = json_string_length(value);
  text_add_printable(&text, json_string_value(value), length > MAX_STRING ? MAX_STRING : length,
                     true);
  return text_take(&text);
}

static char *take_string(struct reader *from, const char *key) {
  char *string = get_string(from->object, key);
  from->bad |= !string;
  return string;
}

/* 0: there is none. */
static uint64_t get_ns(const json_t *object, const char *key, bool *there) {
  const json_t *value = json_object_get(object, key);
  double ns = json_number_value(value);
  *there = json_is_number(value) && ns >= 0 && ns < 1e18;
  return *there ? (uint64_t)llround(ns) : 0;
}

static int by_line(const void *a, const void *b) {
  const struct line_counters *x = a, *y = b;
  return (x->line > y->line) - (x->line < y->line);
}

/* --- accesses --- */

/* Adds the warps of an entry (lane_runs.h). */
static void take_warps(const json_t *json, struct access_record *access, bool *bad) {
  struct reader from = {json, false};
  const json_t *runs = json_object_get(json, "runs");
  int64_t numbers[MAX_RUN_NUMBERS];
  size_t count = json_array_size(runs);
  int alike = (int)take(&from, "warps", 1, MAX_WARPS - access->warp_count);
  json_int_t apart =
      take_integer(&from, json_object_get(json, "apart"), -offset_limit, offset_limit);
  struct access_warp first = {
      .warp = (int)take(&from, "warp", 0, 63),
      .mask = (uint32_t)take(&from, "mask", 1, UINT32_MAX),
      .cost = (int)take(&from, access->shared ? "wavefronts" : "sectors", 0, MAX_COST)};
  for (size_t k = 0; k < count && k < MAX_RUN_NUMBERS; k++)
    numbers[k] = take_integer(&from, json_array_get(runs, k), -offset_limit, offset_limit);
  *bad |= from.bad || first.warp + alike > 64 || count > MAX_RUN_NUMBERS ||
          !lanes_of_runs(numbers, (int)count, offset_limit, first.offsets);
  for (int i = 0; !*bad && i < alike; i++) {
    struct access_warp *warp = &access->warps[access->warp_count++];
    *warp = first;
    warp->warp += i;
    for (int lane = 0; lane < RUN_LANES; lane++)
      if (first.mask >> lane & 1) warp->offsets[lane] += apart * i;
  }
}

static bool take_access(const json_t *json, struct access_record *access) {
  struct reader from = {json, false};
  const json_t *warps = json_object_get(json, "warps"), *warp;
  const char *space = json_string_value(json_object_get(json, "space"));
  if (!space || json_array_size(warps) > MAX_WARPS || json_array_size(warps) == 0) return false;
  *access = (struct access_record){.shared = strcmp(space, "shared") == 0,
                                   .line = (int)take(&from, "line", 0, MAX_LINE_NUMBER),
                                   .index = (int)take(&from, "index", 0, MAX_ACCESSES),
                                   .bytes = (int)take(&from, "bytes", 1, 16),
                                   .array_bytes = (long)take(&from, "array_bytes", 0, offset_limit),
                                   .base = (int)take(&from, "base", 0, 127),
                                   .op = take_string(&from, "op"),
                                   .array = take_string(&from, "array"),
                                   .warps = xcalloc(MAX_WARPS, sizeof *access->warps)};
  take_triple(&from, "block", INT32_MAX, access->block);
  size_t i;
  json_array_foreach (warps, i, warp) take_warps(warp, access, &from.bad);
  return !from.bad;
}

/* NULL, or what is wrong with the list; without one there are none. */
static const char *take_accesses(json_t *list, struct launch_record *launch) {
  if (!list) return NULL;
  if (!json_is_array(list) || json_array_size(list) > MAX_ACCESSES)
    return "a launch's accesses are not a list";
  launch->accesses_json = json_incref(list);
  launch->accesses = xcalloc(json_array_size(list), sizeof *launch->accesses);
  const json_t *entry;
  size_t i;
  json_array_foreach (list, i, entry)
    if (!take_access(entry, &launch->accesses[launch->access_count++]))
      return "an access has a value out of range";
  return NULL;
}

/* --- launches --- */

const char *launch_record_from_json(const json_t *json, struct launch_record *launch) {
  *launch = (struct launch_record){0};
  if (!json_is_object(json)) return "a launch is not an object";
  struct reader from = {json, false};
  bool timed;
  launch->kernel = take_string(&from, "kernel");
  launch->time_kind = get_string(json, "time_kind");
  launch->bound = get_string(json, "bound");
  if (!launch->bound) launch->bound = xstrdup("");
  launch->time_ns = get_ns(json, "time_ns", &timed);
  take_triple(&from, "grid", counter_limit, launch->grid);
  take_triple(&from, "block", counter_limit, launch->block);
  launch->shared_bytes = take_count(&from, "shared_bytes", counter_limit);
  launch->dynamic_shared_bytes = take_count(&from, "dynamic_shared_bytes", counter_limit);
  launch->dram_bytes = take_count(&from, "dram_bytes", counter_limit);
  launch->registers = take_count(&from, "registers", counter_limit);
  launch->line = take_line(&from, "line");
  const char *kind = launch->time_kind;
  if (from.bad || timed != (kind != NULL) ||
      (kind && strcmp(kind, "modelled") != 0 && strcmp(kind, "measured") != 0))
    return "a launch lacks something or has a value out of range";
  launch->launches = 1;
  if (json_object_get(json, "launches"))
    launch->launches = take_count(&from, "launches", counter_limit);
  if (launch->launches == 0) return "a launch stands for no launches";
  take_counters(&from, &launch->counters);
  if (from.bad) return "a launch has a counter that is not a count";

  const json_t *lines = json_object_get(json, "lines"), *entry;
  if (!json_is_array(lines) || json_array_size(lines) > MAX_LINES)
    return "a launch has no list of lines";
  launch->lines = xcalloc(json_array_size(lines), sizeof *launch->lines);
  size_t i;
  json_array_foreach (lines, i, entry) {
    struct reader of_line = {entry, false};
    struct line_counters *line = &launch->lines[launch->line_count++];
    line->line = take_line(&of_line, "line");
    take_counters(&of_line, &line->counters);
    if (of_line.bad) return "a line has a counter that is not a count";
  }
  array_sort(launch->lines, launch->line_count, by_line);
  return take_accesses(json_object_get(json, "accesses"), launch);
}

json_t *dims_to_json(const struct problem *problem, const long *dims) {
  json_t *json = json_object();
  for (int i = 0; i < problem->dim_count; i++)
    json_object_set_new(json, problem->dims[i], json_integer(dims[i]));
  return json;
}

json_t *launch_record_to_json(const struct launch_record *launch) {
  json_t *lines = json_array();
  for (int i = 0; i < launch->line_count; i++)
    json_array_append_new(lines, json_pack("{s:i, s:o}", "line", launch->lines[i].line, "counters",
                                           counters_to_json(&launch->lines[i].counters, false)));
  const uint64_t *grid = launch->grid, *block = launch->block;
  json_t *json = json_pack(
      "{s:s, s:[I,I,I], s:[I,I,I], s:I, s:I, s:I, s:o, s:s?, s:s, s:I, s:i, s:o, s:o}", "kernel",
      launch->kernel, "grid", (json_int_t)grid[0], (json_int_t)grid[1], (json_int_t)grid[2],
      "block", (json_int_t)block[0], (json_int_t)block[1], (json_int_t)block[2], "shared_bytes",
      (json_int_t)launch->shared_bytes, "dynamic_shared_bytes",
      (json_int_t)launch->dynamic_shared_bytes, "registers", (json_int_t)launch->registers,
      "time_ns", launch->time_kind ? json_integer((json_int_t)launch->time_ns) : json_null(),
      "time_kind", launch->time_kind, "bound", launch->bound, "dram_bytes",
      (json_int_t)launch->dram_bytes, "line", launch->line, "counters",
      counters_to_json(&launch->counters, true), "lines", lines);
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
    struct traffic *traffic = &totals->traffic[totals->traffic_count++];
    struct reader from = {entry, false};
    const char *op = json_string_value(json_object_get(entry, "op"));
    autofree char *array = take_string(&from, "array");
    snprintf(traffic->array, sizeof traffic->array, "%s", array ? array : "");
    traffic->store = op && strcmp(op, "store") == 0;
    traffic->line = take_line(&from, "line");
    traffic->requests = take_count(&from, "requests", counter_limit);
    traffic->sectors = take_count(&from, "sectors", counter_limit);
    traffic->bytes = take_count(&from, "bytes", counter_limit);
    if (from.bad || !op || (!traffic->store && strcmp(op, "load") != 0))
      return "traffic lacks something or has a value out of range";
  }
  return NULL;
}

static const char *take_totals(const json_t *json, struct set_record *set) {
  struct reader from = {json, false};
  set->totals.launches = take_count(&from, "launches", counter_limit);
  set->totals.time_ns = take_count(&from, "time_ns", counter_limit);
  take_counters(&from, &set->totals.counters);
  if (from.bad) return "a call has totals that are not counts";
  set->has_totals = true;
  return traffic_from_json(json_object_get(json, "traffic"), &set->totals);
}

void launch_record_free(struct launch_record *launch) {
  for (int i = 0; i < launch->access_count; i++)
    free_all(launch->accesses[i].op, launch->accesses[i].array, launch->accesses[i].warps);
  json_decref(launch->accesses_json);
  free_all(launch->kernel, launch->time_kind, launch->bound, launch->lines, launch->accesses);
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

const char *hazard_record_from_json(const json_t *json, struct hazard_record *record) {
  struct reader from = {json, false};
  struct hazard_record hazard = {
      .kind = take_string(&from, "kind"),
      .message = take_string(&from, "message"),
      .kernel = get_string(json, "kernel"),
      .array = get_string(json, "array"),
      .warning = json_is_true(json_object_get(json, "warning")),
      .line = take_line(&from, "line"),
      .other_line = take_line(&from, "other_line"),
      .count = take_count(&from, "count", counter_limit),
      .more = json_is_true(json_object_get(json, "more")),
      .weight = json_integer_value(json_object_get(json, "weight")) > 1 ? 2 : 1};
  if (!hazard.kernel) hazard.kernel = xstrdup("");
  if (!hazard.array) hazard.array = xstrdup("");
  if (hazard.count == 0) hazard.count = 1;
  if (from.bad || !hazard_kind_known(hazard.kind)) {
    hazard_record_free(&hazard);
    return "a hazard lacks something or has a value out of range";
  }
  const json_t *addresses = json_object_get(json, "addresses"), *address;
  size_t i, room = sizeof hazard.addresses / sizeof *hazard.addresses;
  json_array_foreach (addresses, i, address)
    if (i < room) hazard.addresses[hazard.address_count++] = (uint64_t)json_integer_value(address);
  *record = hazard;
  return NULL;
}

static const char *take_hazard(struct report *report, const json_t *json) {
  struct hazard_record hazard;
  if (report->hazard_count == MAX_HAZARDS) return NULL;
  const char *wrong = hazard_record_from_json(json, &hazard);
  if (!wrong) *array_add(report->hazards, report->hazard_count) = hazard;
  return wrong;
}

static struct seconds get_cost(const json_t *profile, const char *name) {
  const json_t *pair = json_object_get(profile, name);
  return (struct seconds){json_number_value(json_array_get(pair, 0)),
                          json_number_value(json_array_get(pair, 1))};
}

static const char *take_status(struct report *report, const json_t *json, int set) {
  struct reader from = {json, false};
  bool timed;
  if (set >= report->set_count || take_count(&from, "set", 1000) != (uint64_t)set || from.bad)
    return "a call is reported out of order";
  struct set_record *record = &report->sets[set];
  record->error = get_string(json, "error");
  record->error_from = get_string(json, "from");
  record->message = get_string(json, "message");
  record->returned = record->error && json_is_true(json_object_get(json, "returned"));
  record->time_ns = get_ns(json, "time_ns", &timed);
  record->events_ns = get_ns(json, "events_ns", &timed);
  const json_t *profile = json_object_get(json, "profile");
  report->kernels = get_cost(profile, "kernels");
  report->model = get_cost(profile, "model");
  const json_t *totals = json_object_get(json, "totals");
  return totals ? take_totals(totals, record) : NULL;
}

static const char *take_failure(struct report *report, const json_t *json, int set) {
  struct reader from = {json, false};
  if (set >= report->set_count) return "a call fails after the last one";
  report->sets[set].failed = true;
  report->sets[set].failed_line = take_line(&from, "line");
  report->sets[set].failed_launched = json_is_true(json_object_get(json, "launched"));
  return from.bad ? "the line of a call that failed is none" : NULL;
}

static const char *take_timeline(struct report *report, json_t *json, int set) {
  if (set >= report->set_count || report->sets[set].timeline)
    return "a timeline comes after the last call";
  report->sets[set].timeline = json_incref(json);
  return NULL;
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
    struct reader from = {json, false};
    report->used = (struct budget){.instructions = take_count(&from, "instructions", counter_limit),
                                   .bytes = take_count(&from, "bytes", counter_limit),
                                   .calls = take_count(&from, "calls", counter_limit)};
    if (from.bad) wrong = "what was used of the budget is not a number";
  } else if (type == FRAME_FAILED) {
    wrong = take_failure(report, json, place->set);
  } else if (type == FRAME_TIMELINE) {
    wrong = take_timeline(report, json, place->set);
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
    } else if (header.type >= FRAME_LAUNCH && header.type <= FRAME_TIMELINE &&
               header.bytes <= json_limit) {
      wrong = take_json(report, header.type, payload, header.bytes, &place);
    } else {
      wrong = "a frame of no known kind";
    }
    free(payload);
    payload = NULL;
  }
  if (got < 0) wrong = "a frame is cut or was overwritten";
  /* Of a call that did not come back the log is cut, and nobody asks for it. */
  if (!wrong && report->done && !transfers_parse(&report->transfers))
    wrong = "the log of transfers is none";
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
    free_all(report->sets[i].error, report->sets[i].error_from, report->sets[i].message,
             report->sets[i].totals.traffic);
    for (int j = 0; j < PROBLEM_MAX_ARRAYS; j++) free(report->sets[i].outputs[j]);
    json_decref(report->sets[i].timeline);
  }
  free_all(report->launches, report->hazards, report->sets, report->device, report->broken);
  *report = (struct report){0};
}
