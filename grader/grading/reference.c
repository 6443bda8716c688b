/* reference.c: measures a reference solution, or finds the measurement in build/cache.
 *
 * Counters do not depend on the data, so a measurement holds for every seed. Its file is named by a
 * hash over all that it depends on: the solution, lab.conf and hidden.conf, the harness, the
 * simulator library, this grader's version. */
#include "grader/grading/reference.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/text.h"
#include "grader/base/version.h"
#include "grader/lab/gpus.h"
#include "grader/lab/totals.h"
#include "grader/run/build.h"
#include "grader/sandbox/process.h"

static uint64_t hash_folder(uint64_t hash, const char *path) {
  struct dirent **entries;
  int count = scandir(path, &entries, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    autofree char *inside = xprintf("%s/%s", path, entries[i]->d_name);
    struct stat status;
    if (entries[i]->d_name[0] != '.' && stat(inside, &status) == 0) {
      hash = hash_bytes(hash, inside, strlen(inside) + 1);
      hash = S_ISDIR(status.st_mode) ? hash_folder(hash, inside) : hash_file(hash, inside);
    }
    free(entries[i]);
  }
  if (count >= 0) free(entries);
  return hash;
}

uint64_t reference_hash_kit(const struct kit *kit) {
  autofree char *harness = kit_path(kit, "harness"), *simulator = kit_path(kit, "build/device");
  uint64_t hash = hash_bytes(HASH_START, KIT_VERSION, sizeof KIT_VERSION);
  hash = hash_folder(hash, harness);
  hash = hash_file(hash, simulator);
  if (getenv("KIT_SIM_GPU")) hash = hash_file(hash, getenv("KIT_SIM_GPU")); /* another GPU */
  autofree char *compiler =
      realpath("/usr/bin/clang++", NULL); /* another version counts other instructions */
  if (compiler) hash = hash_bytes(hash, compiler, strlen(compiler));
  return hash;
}

/* Of all that a measurement of the lab's solution depends on. */
static uint64_t hash_all(const struct kit *kit, const char *backend, const struct lab *graded,
                         const struct lab *lab) {
  uint64_t hash = kit->hash ? kit->hash : reference_hash_kit(kit);
  hash = hash_bytes(hash, backend, strlen(backend) + 1);
  hash = hash_file(hash, lab->solution);
  return lab_hash_conf(graded, hash);
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

/* The solution of `lab` in a case of the graded lab. */
static int measure(const struct kit *kit, const struct lab *graded, const struct lab *lab,
                   const char *work, int index, struct totals *totals, char **error) {
  const struct conf *conf = &graded->conf;
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
                            .times = true,
                            .other_lab = strcmp(lab->id, graded->id) != 0};
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

/* --- measurements that are shipped --- */

enum { SCHEMA = 1 };

/* Those of another simulated GPU are beside the built-in one's. The caller's. */
static char *shipped_path(const struct kit *kit, const struct lab *lab) {
  autofree char *gpu = gpus_selected();
  return strcmp(gpu, GPU_BUILT_IN) == 0
             ? kit_path(kit, "labs/%s/reference.json", lab->folder)
             : kit_path(kit, "labs/%s/reference-%s.json", lab->folder, gpu);
}

/* The version of the clang that harness/compile picks: "14.0.6"; "": not known. The caller's. */
static char *compiler_version(const struct kit *kit) {
  autofree char *script = kit_path(kit, "harness/compile");
  const char *const argv[] = {script, "--compiler", NULL};
  struct process_end end;
  autofree char *output = process_output((struct process){.argv = argv, .wall_seconds = 60}, &end);
  const char *found = strstr(output, "version "),
             *version = found ? found + strlen("version ") : "";
  char *digits = xprintf("%.*s", (int)strspn(version, "0123456789."), version);
  return digits;
}

static const char *function_of(const struct conf *conf, int case_index) {
  return conf->cases[case_index].entry ? conf->cases[case_index].entry : "";
}

static bool is_string(const json_t *object, const char *key, const char *value) {
  const char *string = json_string_value(json_object_get(object, key));
  return string && strcmp(string, value) == 0;
}

/* The measurement, or NULL. */
static const json_t *find(const json_t *json, const struct conf *conf, const char *of_lab,
                          int case_index) {
  const struct case_conf *entry = &conf->cases[case_index];
  json_auto_t *dims = dims_to_json(conf_family(conf, entry)->problem, entry->dims);
  const json_t *list = json_object_get(json, "measurements"), *found = NULL;
  for (size_t i = 0; i < json_array_size(list) && !found; i++) {
    const json_t *each = json_array_get(list, i);
    if (is_string(each, "lab", of_lab) && is_string(each, "case", conf->cases[case_index].name) &&
        is_string(each, "function", function_of(conf, case_index)) &&
        json_equal(json_object_get(each, "dims"), dims))
      found = each;
  }
  return found;
}

/* Notes that the measurement is another compiler's. */
static void compare_compilers(const struct kit *kit, struct grade *grade, const char *theirs) {
  if (grade->reference_note) return;
  autofree char *ours = compiler_version(kit);
  if (strcmp(ours, theirs) != 0)
    grade->reference_note = xprintf(
        "Model solutions were measured with clang %s; here is clang %s, whose code can count a "
        "little differently.",
        theirs, *ours ? ours : "of an unknown version");
}

/* Finds the totals of the solution of `of_lab` in a case of the grade, which came out right; notes
 * another compiler in grade->reference_note. Returns 0, or -1 with *error (the caller's). */
static int shipped_find(const struct kit *kit, struct grade *grade, const char *of_lab,
                        int case_index, struct totals *totals, char **error) {
  const struct conf *conf = &grade->lab->conf;
  const char *name = conf->cases[case_index].name, *device = grade->cases[case_index].report.device;
  autofree char *path = shipped_path(kit, grade->lab);
  json_error_t json_error;
  json_auto_t *json = json_load_file(path, 0, &json_error);
  const char *compiler = json_string_value(json_object_get(json, "compiler"));
  const json_t *measurement = find(json, conf, of_lab, case_index);
  if (!json) {
    *error = xprintf(
        "this copy of the kit has no solutions, and their measurements cannot be read: %s: %s",
        short_path(path), json_error.text);
  } else if (json_integer_value(json_object_get(json, "schema")) != SCHEMA || !compiler ||
             !is_string(json, "kit", KIT_VERSION)) {
    *error = xprintf("%s is not of this version of the kit (%s): unpack the kit again",
                     short_path(path), KIT_VERSION);
  } else if (!measurement) {
    *error = xprintf(
        "%s has no measurement of %s's solution in case %s as lab.conf defines it, and this copy "
        "of the kit has no solutions to measure again",
        short_path(path), of_lab, name);
  } else if (device && !is_string(json, "device", device)) {
    *error = xprintf("%s was measured on another simulated GPU than %s", short_path(path), device);
  } else if (!totals_from_json(measurement, totals)) {
    *error = xprintf("%s is damaged: unpack the kit again", short_path(path));
  } else {
    compare_compilers(kit, grade, compiler);
  }
  return *error ? -1 : 0;
}

/* --- both --- */

/* Out of the cache, or measured. hash: hash_all's. */
static int find_or_measure(const struct kit *kit, const struct lab *graded, int index,
                           const struct lab *lab, uint64_t hash, const char *work,
                           struct totals *totals, char **error) {
  autofree char *cache =
      kit_path(kit, "build/cache/%s-%s-%016lx.json", lab->id, graded->conf.cases[index].name, hash);
  if (read_cache(cache, totals)) return 0;
  int result = measure(kit, graded, lab, work, index, totals, error);
  bool changed = kit->hash && kit->hash != reference_hash_kit(kit); /* since: make was run */
  if (result == 0 && !changed) write_cache(kit, cache, totals);
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
  uint64_t hash = 0;
  for (int i = 0; i < count && result == 0; i++) {
    if (!score_needs(grade, of, i)) continue;
    if (!lab_has_solution(grade->lab)) {
      result = shipped_find(kit, grade, of_lab, i, &reference->totals[i], error);
      reference->measured[i] = result == 0;
      continue;
    }
    if (!lab.id) {
      lab_open(kit, of_lab, &lab);
      hash = hash_all(kit, grade->backend, grade->lab, &lab);
    }
    result = find_or_measure(kit, grade->lab, i, &lab, hash, work, &reference->totals[i], error);
    reference->measured[i] = result == 0;
  }
  lab_free(&lab);
  return result;
}

int reference_totals(const struct kit *kit, const struct lab *lab, int case_index,
                     const char *of_lab, const char *work, struct totals *totals, char **error) {
  struct lab other;
  lab_open(kit, of_lab, &other);
  uint64_t hash = hash_all(kit, "sim", lab, &other);
  int result = find_or_measure(kit, lab, case_index, &other, hash, work, totals, error);
  lab_free(&other);
  return result;
}

bool reference_is_right(const struct kit *kit, const struct lab *lab, int case_index,
                        const char *work) {
  if (!lab_has_solution(lab)) return false; /* cannot be found out: then it is our fault */
  struct totals totals;
  autofree char *error = NULL;
  bool right = measure(kit, lab, lab, work, case_index, &totals, &error) == 0;
  return right;
}

/* --- writing --- */

static void add_measurements(const struct grade *grade, enum item_of of, const char *lab,
                             json_t *list) {
  const struct conf *conf = &grade->lab->conf;
  const struct reference *reference = &grade->references[of];
  for (int i = 0; i < conf->case_count && reference->measured; i++) {
    if (!reference->measured[i]) continue;
    const struct case_conf *entry = &conf->cases[i];
    json_t *measurement = json_pack("{s:s, s:s, s:s, s:o}", "lab", lab, "case", conf->cases[i].name,
                                    "function", function_of(conf, i), "dims",
                                    dims_to_json(conf_family(conf, entry)->problem, entry->dims));
    json_auto_t *totals = totals_to_json(&reference->totals[i]);
    json_object_update(measurement, totals);
    json_array_append_new(list, measurement);
  }
}

void shipped_write(const struct kit *kit, const struct grade *grade, const char *path) {
  json_t *list = json_array();
  for (int of = OF_BASELINE; of < ITEM_OFS; of++)
    add_measurements(grade, (enum item_of)of,
                     of == OF_BASELINE ? grade->lab->conf.baseline : grade->lab->id, list);
  autofree char *compiler = compiler_version(kit);
  if (!*compiler) die("harness/compile --compiler names no version of clang");
  json_auto_t *json =
      json_pack("{s:i, s:s, s:s, s:s, s:o}", "schema", SCHEMA, "kit", KIT_VERSION, "compiler",
                compiler, "device", grade->device ? grade->device : "", "measurements", list);
  if (!json) die("cannot make %s", path);
  autofree char *bytes = json_dumps(json, JSON_INDENT(1));
  file_write(path, bytes, strlen(bytes));
}
