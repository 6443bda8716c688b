/* reference.c: measures a reference solution, or finds the measurement in build/cache; see
 * reference.h.
 *
 * Counters do not depend on the data, so a measurement holds for every seed. Its file is named by
 * a hash over all that it depends on: the solution, lab.conf and hidden.conf, the harness, the
 * simulator library, this grader's version. */
#include "grader/grading/reference.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/version.h"
#include "grader/lab/totals.h"
#include "grader/run/build.h"

static uint64_t hash_file(uint64_t hash, const char *path) {
  size_t length;
  autofree char *text = file_read(path, &length);
  hash = hash_bytes(hash, path, strlen(path) + 1);
  if (!text) return hash;
  hash = hash_bytes(hash, text, length);
  return hash;
}

static uint64_t hash_folder(uint64_t hash, const char *path) {
  struct dirent **entries;
  int count = scandir(path, &entries, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    autofree char *inside = xprintf("%s/%s", path, entries[i]->d_name);
    struct stat status;
    if (entries[i]->d_name[0] != '.' && stat(inside, &status) == 0) {
      hash = S_ISDIR(status.st_mode) ? hash_folder(hash, inside) : hash_file(hash, inside);
    }
    free(entries[i]);
  }
  if (count >= 0) free(entries);
  return hash;
}

static char *cache_path(const struct kit *kit, const struct grade *grade, const struct lab *lab,
                        const char *case_name) {
  autofree char *harness = kit_path(kit, "harness"), *simulator = kit_path(kit, "build/device");
  uint64_t hash = hash_bytes(HASH_START, KIT_VERSION, sizeof KIT_VERSION);
  hash = hash_bytes(hash, grade->backend, strlen(grade->backend) + 1);
  hash = hash_file(hash, lab->solution);
  hash = lab_hash_conf(grade->lab, hash);
  hash = hash_folder(hash, harness);
  hash = hash_file(hash, simulator);
  if (getenv("KIT_SIM_GPU")) hash = hash_file(hash, getenv("KIT_SIM_GPU")); /* another GPU */
  autofree char *compiler =
      realpath("/usr/bin/clang++", NULL); /* another version counts other instructions */
  if (compiler) hash = hash_bytes(hash, compiler, strlen(compiler));
  return kit_path(kit, "build/cache/%s-%s-%016lx.json", lab->id, case_name, hash);
}

static bool read_cache(const char *path, struct totals *totals) {
  json_auto_t *json = json_load_file(path, 0, NULL);
  bool good = totals_from_json(json, totals);
  return good;
}

/* Best effort: a kit that cannot be written to measures anew each time. */
static void write_cache(const struct kit *kit, const char *path, const struct totals *totals) {
  autofree char *folder = kit_path(kit, "build/cache");
  json_auto_t *json = totals_to_json(totals);
  autofree char *bytes = json_dumps(json, JSON_INDENT(1));
  mkdir(folder, 0777);
  file_try_write(path, bytes, strlen(bytes));
}

static int measure(const struct kit *kit, struct grade *grade, const struct lab *lab,
                   const char *work, int index, struct totals *totals, char **error) {
  const struct conf *conf = &grade->lab->conf;
  autofree char *path = xprintf("%s/reference-%s", work, lab->id);
  freed_by(text_free) struct text output = {0};
  int result = 0;
  if (access(path, X_OK) != 0 &&
      build_runner(
          kit,
          &(struct build){.backend = "sim", .lab = lab, .source = lab->solution, .runner = path},
          &output) != BUILD_OK) {
    *error = xprintf("the solution of %s does not build:\n%s", lab->id, text_get(&output));
    result = -1;
  } else {
    struct runner runner = {.path = path,
                            .device = kit->device,
                            .directory = work,
                            .other_lab = strcmp(lab->id, grade->lab->id) != 0};
    struct case_result run;
    run_case(&runner, conf, index, 1, &run);
    if (run.state != CASE_RIGHT) {
      *error = xprintf("the solution of %s fails case %s: %s", lab->id, conf->cases[index].name,
                       run.reason);
      result = -1;
    }
    *totals = run.totals;
    totals->traffic = NULL; /* it is the report's */
    totals->traffic_count = 0;
    case_free(&run);
  }
  return result;
}

int reference_measure(const struct kit *kit, struct grade *grade, enum item_of of,
                      const char *of_lab, const char *work, char **error) {
  struct reference *reference = &grade->references[of];
  int count = grade->lab->conf.case_count, result = 0;
  reference->name = xprintf("%s's solution", of_lab);
  reference->measured = xcalloc((size_t)count, sizeof *reference->measured);
  reference->totals = xcalloc((size_t)count, sizeof *reference->totals);
  struct lab lab = {0};
  for (int i = 0; i < count && result == 0; i++) {
    if (!score_needs(grade, of, i)) continue;
    if (!lab_has_solution(grade->lab)) {
      result = shipped_find(kit, grade, of_lab, i, &reference->totals[i], error);
      reference->measured[i] = result == 0;
      continue;
    }
    if (!lab.id) lab_open(kit, of_lab, &lab);
    autofree char *cache = cache_path(kit, grade, &lab, grade->lab->conf.cases[i].name);
    if (!read_cache(cache, &reference->totals[i])) {
      result = measure(kit, grade, &lab, work, i, &reference->totals[i], error);
      if (result == 0) write_cache(kit, cache, &reference->totals[i]);
    }
    reference->measured[i] = result == 0;
  }
  lab_free(&lab);
  return result;
}

bool reference_is_right(const struct kit *kit, struct grade *grade, int case_index,
                        const char *work) {
  if (!lab_has_solution(grade->lab)) return false; /* cannot be found out: then it is our fault */
  struct totals totals;
  autofree char *error = NULL;
  bool right = measure(kit, grade, grade->lab, work, case_index, &totals, &error) == 0;
  return right;
}
