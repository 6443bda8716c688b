/* task.c: ./grade task: grades one attempt of a class.
 *
 * Whoever started it (a collector here, a batch system on another machine) may be gone, may have
 * started it twice, or may kill it at any moment: the result file is all that it leaves, and the
 * name that it is published under is the attempt's, so that a second one changes nothing. */
#include "grader/commands/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/system.h"
#include "grader/grading/grading.h"
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
  json_auto_t *there = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
  const char *verdict = json_string_value(json_object_get(there, "verdict"));
  if (verdict) return strcmp(verdict, "error") == 0 ? 2 : 0;
  double start = clock_seconds();
  struct job job = {0};
  read_job(job_path, &job);
  autofree char *confs = job.confs ? xprintf("%s/%s", folder, job.confs) : NULL;
  struct kit pinned = *kit;
  if (confs) pinned.confs = confs;
  struct lab lab;
  lab_open(&pinned, job.lab, &lab);
  autofree char *source_path = xprintf("%s/%s", folder, job.source);
  struct source source;
  if (source_read(source_path, &source) != 0) die("%s: %s", source_path, strerror(errno));
  source.own_folder = true; /* what else was handed in with it */
  struct grade grade = {.lab = &lab,
                        .source = &source,
                        .backend = job.backend,
                        .seed = (uint64_t)job.seed,
                        .attempt = attempt};
  bool unsafe = getenv("KIT_UNSAFE") != NULL; /* --unsafe of ./grade class */
  grading_run(&pinned,
              &(struct grading_options){.work = grading_open(&pinned, unsafe), .accesses = true},
              &grade);
  grading_close();
  grade.seconds = clock_seconds() - start;
  publish(&grade, spool, path);
  int status = grade.error ? 2 : 0;
  grade_free(&grade);
  source_free(&source);
  lab_free(&lab);
  json_decref(job.json);
  return status;
}
