/* task.c: ./grade task: grades one attempt of a class.
 *
 * Whoever started it (a collector here, a batch system on another machine) may be gone, may have
 * started it twice, or may kill it at any moment: the result file is all that it leaves, and the
 * name that it is published under is the attempt's, so that a second one changes nothing. */
#include "grader/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/system.h"
#include "grader/grading/grading.h"
#include "grader/run/work.h"
#include "grader/sandbox/process.h"
#include "grader/sandbox/sandbox.h"
#include "grader/show/json.h"

struct job {
  json_t *json;
  const char *lab, *source, *backend, *confs; /* confs: NULL: the kit's */
  json_int_t seed;
};

static void read_job(const char *path, struct job *job) {
  json_error_t error;
  job->json = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
  if (!job->json) die("%s: line %d: %s", path, error.line, error.text);
  if (json_unpack_ex(job->json, &error, 0, "{s:s, s:s, s:I, s:s, s?s}", "lab", &job->lab, "source",
                     &job->source, "seed", &job->seed, "backend", &job->backend, "confs",
                     &job->confs) != 0)
    die("%s: %s", path, error.text);
  if (job->seed < 0) die("%s: a seed is not negative", path);
  if (strcmp(job->backend, "sim") != 0 && strcmp(job->backend, "gpu") != 0)
    die("%s: there is no backend '%s'", path, job->backend);
}

/* An attempt's name is part of paths. */
static void check_name(const char *attempt) {
  if (!*attempt || strspn(attempt, "0123456789abcdef") != strlen(attempt))
    die("'%s' is not the name of an attempt: 16 hexadecimal digits", attempt);
}

/* The verdict of a result that is there; NULL: none is, or one that cannot be read. */
static json_t *published(const char *path) {
  json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
  if (json && json_is_string(json_object_get(json, "verdict"))) return json;
  json_decref(json);
  return NULL;
}

static int status_of(const json_t *result) {
  return strcmp(json_string_value(json_object_get(result, "verdict")), "error") == 0 ? 2 : 0;
}

static void publish(const struct grade *grade, const char *spool, const char *path) {
  struct new_file file;
  if (!file_create(&file, path)) die("%s: %s", path, strerror(errno));
  json_print_grade(grade, file.stream);
  if (!file_commit(&file)) die("%s: %s", path, strerror(errno));
  int folder = open(spool, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    fsync(folder); /* the name, too, is on disk */
    close(folder);
  }
}

int task_run(const struct kit *kit, const char *state, const char *attempt) {
  check_name(attempt);
  autofree char *folder = realpath(state, NULL);
  if (!folder) die("%s: %s", state, strerror(errno));
  autofree char *spool = xprintf("%s/spool", folder), *path = xprintf("%s/%s.json", spool, attempt),
                *job_path = xprintf("%s/%s.job", spool, attempt);
  json_auto_t *there = published(path);
  int status = there ? status_of(there) : -1;
  if (status < 0) {
    double start = clock_seconds();
    struct job job = {0};
    read_job(job_path, &job);
    struct kit pinned = *kit;
    if (job.confs) pinned.confs = xprintf("%s/%s", folder, job.confs);
    kit = &pinned;
    struct lab lab;
    lab_open(kit, job.lab, &lab);
    autofree char *source_path = xprintf("%s/%s", folder, job.source);
    struct source source;
    if (source_read(source_path, &source) != 0) die("%s: %s", source_path, strerror(errno));
    struct grade grade = {.lab = &lab,
                          .source = &source,
                          .backend = job.backend,
                          .seed = (uint64_t)job.seed,
                          .attempt = attempt};
    grade.cases = xcalloc((size_t)lab.conf.case_count, sizeof *grade.cases);
    source.own_folder = true; /* what else was handed in with it */
    process_hold_signals();
    sandbox_open(kit, getenv("KIT_UNSAFE") != NULL); /* --unsafe of ./grade class */
    grading_run(kit, &(struct grading_options){.work = work_make(kit), .accesses = true}, &grade);
    work_remove();
    process_release_signals();
    grade.seconds = clock_seconds() - start;
    publish(&grade, spool, path);
    status = grade.error ? 2 : 0;
    grade_free(&grade);
    source_free(&source);
    lab_free(&lab);
    if (job.confs) free(pinned.confs);
    json_decref(job.json);
  }
  return status;
}
