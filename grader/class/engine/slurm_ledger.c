/* slurm_ledger.c: reads and writes the list of submitted job arrays, slurm.json:
 *
 *   {"version": 1,
 *    "arrays": [{"run": "kit-0123456789abcdef", "job": 12, "attempts": ["...", ...]}, ...]} */
#include "grader/class/engine/slurm_ledger.h"

#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/system.h"
#include "grader/base/text.h"

enum { VERSION = 1 };

static char *ledger_path(const struct slurm_ledger *ledger) {
  return xprintf("%s/slurm.json", ledger->spool);
}

static char *list_path(const struct slurm_ledger *ledger, const struct slurm_array *array) {
  return xprintf("%s/lists/%s", ledger->spool, array->run);
}

char *slurm_ledger_log(const struct slurm_ledger *ledger, const struct slurm_array *array,
                       int index) {
  return xprintf("%s/logs/%s-%d.log", ledger->spool, array->run, index);
}

static struct slurm_array *new_array(struct slurm_ledger *ledger, int count) {
  struct slurm_array *array = array_add(ledger->arrays, ledger->count);
  *array = (struct slurm_array){.count = count,
                                .attempts = xcalloc((size_t)count, sizeof *array->attempts)};
  return array;
}

static void free_array(struct slurm_array *array) {
  for (int i = 0; i < array->count; i++) free(array->attempts[i]);
  free(array->attempts);
}

/* False if it is not what slurm_ledger_save writes. */
static bool load_array(struct slurm_ledger *ledger, json_t *json) {
  const char *run;
  json_int_t job;
  json_t *attempts, *attempt;
  size_t i;
  if (json_unpack(json, "{s:s, s:I, s:o}", "run", &run, "job", &job, "attempts", &attempts) != 0 ||
      !json_is_array(attempts) || strlen(run) >= sizeof ledger->arrays->run || strchr(run, '/'))
    return false;
  json_array_foreach (attempts, i, attempt)
    if (!json_is_string(attempt)) return false;
  struct slurm_array *array = new_array(ledger, (int)json_array_size(attempts));
  snprintf(array->run, sizeof array->run, "%s", run);
  array->job = (long)job;
  json_array_foreach (attempts, i, attempt)
    array->attempts[i] = xstrdup(json_string_value(attempt));
  return true;
}

void slurm_ledger_open(struct slurm_ledger *ledger, const char *state) {
  *ledger = (struct slurm_ledger){.spool = xprintf("%s/spool", state)};
  autofree char *lists = xprintf("%s/lists", ledger->spool),
                *logs = xprintf("%s/logs", ledger->spool);
  folder_make(ledger->spool);
  folder_make(lists);
  folder_make(logs);
  autofree char *path = ledger_path(ledger);
  if (access(path, F_OK) == 0) {
    json_error_t error;
    json_t *json = json_load_file(path, 0, &error), *arrays, *array;
    int version;
    size_t i;
    bool valid = json &&
                 json_unpack(json, "{s:i, s:o}", "version", &version, "arrays", &arrays) == 0 &&
                 version == VERSION;
    if (valid)
      json_array_foreach (arrays, i, array) valid = valid && load_array(ledger, array);
    /* It is written by atomic renames only, so this is no crash of ours. */
    if (!valid)
      die("%s cannot be read. If no tasks are left in Slurm's queue (squeue --me), remove it",
          path);
    json_decref(json);
  }
}

void slurm_ledger_save(const struct slurm_ledger *ledger) {
  json_t *arrays = json_array();
  for (int i = 0; i < ledger->count; i++) {
    const struct slurm_array *array = &ledger->arrays[i];
    json_t *attempts = json_array();
    for (int k = 0; k < array->count; k++)
      json_array_append_new(attempts, json_string(array->attempts[k]));
    json_array_append_new(arrays, json_pack("{s:s, s:I, s:o}", "run", array->run, "job",
                                            (json_int_t)array->job, "attempts", attempts));
  }
  json_t *json = json_pack("{s:i, s:o}", "version", VERSION, "arrays", arrays);
  autofree char *text = json ? json_dumps(json, JSON_INDENT(1)) : NULL, *path = ledger_path(ledger);
  if (!text) die("out of memory");
  file_write(path, text, strlen(text));
  json_decref(json);
}

int slurm_ledger_add(struct slurm_ledger *ledger, const char *const *attempts, int count) {
  uint64_t random;
  random_bytes(&random, sizeof random);
  struct slurm_array *array = new_array(ledger, count);
  snprintf(array->run, sizeof array->run, "kit-%016" PRIx64, random);
  freed_by(text_free) struct text list = {0};
  for (int i = 0; i < count; i++) {
    array->attempts[i] = xstrdup(attempts[i]);
    text_add(&list, "%s\n", attempts[i]);
  }
  autofree char *path = list_path(ledger, array);
  file_write(path, text_get(&list), list.length);
  slurm_ledger_save(ledger);
  return ledger->count - 1;
}

void slurm_ledger_drop(struct slurm_ledger *ledger, const bool *drop) {
  int kept = 0;
  for (int i = 0; i < ledger->count; i++) {
    struct slurm_array *array = &ledger->arrays[i];
    if (!drop[i]) {
      ledger->arrays[kept++] = *array;
      continue;
    }
    autofree char *path = list_path(ledger, array);
    unlink(path);
    free_array(array);
  }
  ledger->count = kept;
  slurm_ledger_save(ledger);
}

void slurm_ledger_close(struct slurm_ledger *ledger) {
  for (int i = 0; i < ledger->count; i++) free_array(&ledger->arrays[i]);
  free_all(ledger->arrays, ledger->spool);
  *ledger = (struct slurm_ledger){0};
}
