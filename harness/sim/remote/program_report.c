/* program_report.c: see program_report.h. */
#include "harness/sim/remote/program_report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/sim/device/report_json.h"
#include "harness/sim/remote/call_totals.h"

struct program {
  struct server *server;
  json_t *hazards; /* merged */
  size_t printed;  /* of them */
  bool told;
  json_t *launches;
  json_t *recorded; /* the first launch of each kernel, with its accesses; NULL: nobody asks */
  struct call_totals totals;
};

/* ---- while it runs ---- */

static void on_hazard(void *context, json_t *hazard) {
  struct program *program = context;
  enum { MAX_HAZARDS = 1000 };
  size_t i;
  json_t *known;
  json_array_foreach (program->hazards, i, known) {
    if (!hazard_json_same(known, hazard)) continue;
    json_int_t count = json_integer_value(json_object_get(known, "count")),
               more = json_integer_value(json_object_get(hazard, "count"));
    json_object_set_new(known, "count", json_integer(count + more));
    return;
  }
  if (json_array_size(program->hazards) < MAX_HAZARDS) json_array_append(program->hazards, hazard);
}

static void record(struct program *program, const struct launch_report *report) {
  enum { MAX_RECORDED = 64 };
  size_t i;
  json_t *known;
  json_array_foreach (program->recorded, i, known)
    if (strcmp(json_string_value(json_object_get(known, "kernel")), report->kernel) == 0) return;
  if (report->access_count && json_array_size(program->recorded) < MAX_RECORDED)
    json_array_append_new(program->recorded, launch_to_json(report));
}

static void on_launch(void *context, const struct launch_report *report) {
  struct program *program = context;
  struct launch_report bare = *report; /* of accesses */
  bool single;
  bare.accesses = NULL;
  bare.access_count = 0;
  if (program->recorded) record(program, report);
  if (call_totals_add(&program->totals, &bare, &single) && single)
    json_array_append_new(program->launches, launch_to_json(&bare));
}

struct program *program_open(struct server *server) {
  struct program *program = calloc(1, sizeof *program);
  if (!program) return NULL;
  program->server = server;
  program->hazards = json_array();
  program->launches = json_array();
  const char *accesses = getenv("KIT_REPORT_ACCESSES");
  server->accesses = accesses && strcmp(accesses, "1") == 0;
  if (server->accesses) program->recorded = json_array();
  server->listener = (struct server_listener){program, on_launch, on_hazard};
  return program;
}

/* ---- at its end ---- */

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static int number_of(const json_t *object, const char *key) {
  return (int)json_integer_value(json_object_get(object, key));
}

static bool is_warning(const json_t *hazard) {
  return json_is_true(json_object_get(hazard, "warning"));
}

/* Where it stands in the order of causes. Warnings come last, but for a call that failed: what
 * follows may come of it. */
static int rank_of(const json_t *hazard) {
  int kind = hazard_json_kind(hazard);
  return is_warning(hazard) && kind != HAZARD_call ? HAZARD_KINDS + 1 + kind : kind;
}

static int by_rank(const void *a, const void *b) {
  const json_t *const *x = a, *const *y = b;
  return rank_of(*x) - rank_of(*y);
}

/* From this one on, sorted: the caller's. */
static json_t *sorted(const json_t *hazards, size_t from) {
  size_t count = json_array_size(hazards), i;
  json_t **items = calloc(count + 1, sizeof *items), *hazard, *result = json_array();
  if (!items) return result;
  json_array_foreach (hazards, i, hazard) items[i] = hazard;
  if (from < count) qsort(items + from, count - from, sizeof *items, by_rank);
  for (i = from; i < count; i++) json_array_append(result, items[i]);
  free(items);
  return result;
}

/* "a.cu:12", "a.cu:12 and 14", "a.cu:12 and b.h:3". */
static void print_place(FILE *to, const json_t *hazard) {
  const char *file = text_of(hazard, "file"), *other = text_of(hazard, "other_file");
  int line = number_of(hazard, "line"), other_line = number_of(hazard, "other_line");
  if (!line) return;
  fprintf(to, "%s:%d", *file ? file : "line", line);
  if (other_line && strcmp(file, other) == 0 && other_line != line)
    fprintf(to, " and %d", other_line);
  else if (other_line && strcmp(file, other) != 0)
    fprintf(to, " and %s:%d", *other ? other : "line", other_line);
  fputs(": ", to);
}

static void print_hazard(FILE *to, const json_t *hazard) {
  int kind = hazard_json_kind(hazard);
  print_place(to, hazard);
  if (is_warning(hazard)) fputs("warning: ", to);
  if (kind < HAZARD_KINDS) fprintf(to, "%s: ", hazard_titles[kind]);
  fputs(text_of(hazard, "message"), to);
  int count = number_of(hazard, "count");
  if (count > 1)
    fprintf(to, " (%d times%s)", count,
            json_is_true(json_object_get(hazard, "more")) ? " or more" : "");
  fputc('\n', to);
}

static json_t *report_of(struct program *program, json_t *hazards) {
  struct device_info info;
  char device[GPU_WORDS];
  device_get_info(program->server->device, &info);
  gpu_describe(&info, device, sizeof device);
  json_t *launches = json_copy(program->launches);
  for (int i = 0; i < program->totals.group_count; i++)
    json_array_append_new(launches, launch_group_to_json(&program->totals.groups[i], false));
  return json_pack("{s:i, s:s, s:O, s:o, s:o, s:O*}", "schema", 1, "device", device, "hazards",
                   hazards, "launches", launches, "totals", call_totals_to_json(&program->totals),
                   "recorded", program->recorded);
}

/* Where it cannot be written, it goes to stderr after all. */
static bool write_report(struct program *program, const char *path, json_t *hazards) {
  json_t *report = report_of(program, hazards);
  FILE *to = fopen(path, "w");
  bool ok = to && report && json_dumpf(report, to, JSON_INDENT(1)) == 0 && fputc('\n', to) != EOF;
  int error = errno;
  if (to && fclose(to) != 0) ok = false;
  if (!ok) fprintf(stderr, "kit: %s: the report cannot be written: %s\n", path, strerror(error));
  json_decref(report);
  return ok;
}

int program_tell(struct program *program) {
  const char *path = getenv("KIT_REPORT");
  bool writes = path && *path;
  json_t *hazards = sorted(program->hazards, writes ? 0 : program->printed), *hazard;
  int faults = 0;
  size_t i;
  program->told = true;
  json_array_foreach (hazards, i, hazard) faults += !is_warning(hazard);
  if (!writes || !write_report(program, path, hazards)) {
    json_array_foreach (hazards, i, hazard) print_hazard(stderr, hazard);
    program->printed = json_array_size(program->hazards);
  }
  json_decref(hazards);
  return faults;
}

void program_close(struct program *program) {
  if (!program) return;
  if (!program->told || json_array_size(program->hazards) > program->printed) program_tell(program);
  json_decref(program->hazards);
  json_decref(program->launches);
  json_decref(program->recorded);
  call_totals_reset(&program->totals);
  free(program);
}
