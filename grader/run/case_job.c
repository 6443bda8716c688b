/* case_job.c: makes a case's inputs, and writes its job. */
#include "grader/run/case_job.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/exchange.h"

void inputs_make(const struct conf *conf, const struct case_conf *entry, uint64_t seed,
                 struct inputs *inputs) {
  const struct family *family = conf_family(conf, entry);
  const struct problem *problem = family->problem;
  *inputs = (struct inputs){(int)entry->sets, problem->input_count, NULL};
  inputs->data = xcalloc((size_t)(inputs->sets * inputs->arrays), sizeof *inputs->data);
  uint64_t state = hash_bytes(HASH_START ^ seed, entry->name, strlen(entry->name));
  for (int set = 0; set < inputs->sets; set++) {
    void **arrays = inputs->data + set * inputs->arrays;
    for (int i = 0; i < inputs->arrays; i++)
      arrays[i] = xcalloc(problem_bytes(problem, i, entry->dims), 1);
    family->make_inputs(entry->dims, random_next(&state), arrays);
  }
}

void inputs_free(struct inputs *inputs) {
  for (int i = 0; i < inputs->sets * inputs->arrays; i++) free(inputs->data[i]);
  free(inputs->data);
}

static json_t *describe_arrays(const struct problem *problem, const long *dims) {
  json_t *arrays = json_array();
  for (int i = 0; i < problem_array_count(problem); i++) {
    const struct problem_array *array = &problem->arrays[i];
    json_array_append_new(arrays, json_pack("{s:s*, s:b, s:I, s:I, s:i}", "name", array->name,
                                            "output", i >= problem->input_count, "rows",
                                            (json_int_t)problem_rows(problem, i, dims), "columns",
                                            (json_int_t)problem_columns(problem, i, dims),
                                            "element_size", (int)array->element_size));
  }
  return arrays;
}

static json_t *job_options(const struct runner *runner, const struct conf *conf,
                           const struct case_conf *entry, const struct job_mode *mode) {
  json_t *options =
      json_pack("{s:b, s:s*}", "accesses", runner->accesses && entry->show, "rerun", mode->rerun);
  long timed = runner->times ? entry->sets : conf_timed_sets(conf, entry);
  if (timed && !mode->rerun) json_object_set_new(options, "times", json_integer(timed));
  bool scored = conf_wants_timeline(conf, entry) && !runner->on_gpu; /* as it was modelled */
  if (!mode->rerun && ((runner->timeline && (entry->show || runner->times)) || scored))
    json_object_set_new(options, "timeline", json_true());
  if (mode->transfers)
    json_object_set_new(options, "transfers", json_integer((json_int_t)mode->transfers));
  if (entry->fail) {
    json_object_set_new(options, "fail", json_string(case_fail_names[entry->fail]));
    json_object_set_new(options, "fail_at", json_integer((json_int_t)entry->fail_at));
  }
  if (!mode->rerun && !entry->fail && conf_lists_kind(conf, "leak"))
    json_object_set_new(options, "leaks", json_true());
  if (mode->empty) json_object_set_new(options, "empty", json_true());
  if (runner->profile) json_object_set_new(options, "profile", json_true());
  return options;
}

static json_t *budget_to_json(const struct budget *budget) {
  return json_pack("{s:I, s:I, s:I}", "instructions", (json_int_t)budget->instructions, "bytes",
                   (json_int_t)budget->bytes, "calls", (json_int_t)budget->calls);
}

void job_write(int fd, uint64_t token, const struct runner *runner, const struct conf *conf,
               const struct case_conf *entry, const struct job_mode *mode,
               const struct inputs *inputs) {
  const struct problem *problem = conf_family(conf, entry)->problem;
  json_t *dims = json_object();
  for (int i = 0; i < problem->dim_count; i++)
    json_object_set_new(dims, problem->dims[i], json_integer(entry->dims[i]));
  const char *function = runner->entry ? runner->entry : entry->entry;
  const struct budget limit = conf_budget(conf), none = {0},
                      *used = runner->spending && !mode->rerun ? &runner->spending->used : &none;
  uint64_t chooses = (mode->seed * UINT64_C(0x9e3779b97f4a7c15)) >> 2 | 1;
  json_auto_t *job = json_pack(
      "{s:s, s:s, s:s*, s:I, s:o, s:o, s:I, s:I, s:{s:o, s:o}, s:o}", "problem", problem->name,
      "case", entry->name, "entry", runner->other_lab ? NULL : function, "sets",
      (json_int_t)entry->sets, "dims", dims, "arrays", describe_arrays(problem, entry->dims),
      "memory_bytes", (json_int_t)conf->memory_limit << 20, "seed", (json_int_t)chooses, "budget",
      "limit", budget_to_json(&limit), "used", budget_to_json(used), "options",
      job_options(runner, conf, entry, mode));
  autofree char *text = json_dumps(job, JSON_COMPACT);
  int failed = frame_write(fd, FRAME_JOB, token, text, strlen(text));
  for (int i = 0; i < inputs->sets * inputs->arrays && !failed && !mode->empty; i++)
    failed = frame_write(fd, FRAME_ARRAY, token, inputs->data[i],
                         problem_bytes(problem, i % inputs->arrays, entry->dims));
  if (failed) die("cannot write a job: %s", strerror(errno));
}
