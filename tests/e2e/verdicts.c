/* verdicts.c: grades every solution that the kit ships and holds each grade against what the file
 * says of itself.
 *
 *   build/verdicts [-a]         every lab: model solution, skeleton, wrong solutions, other styles
 *   build/verdicts -s           model solutions, skeletons, and few of the others, in which each
 *                               verdict of each lab, each kind of hazard and most items that a file
 *                               loses are there (expectation_choose); what make test runs
 *   build/verdicts -q           of each lab the first of the wrong solutions
 *   build/verdicts -k           makes the kit with small cases (below), and prints its folder
 *   build/verdicts FILE.cu...   only these
 *     -j N        gradings at a time (2)
 *     -g PROGRAM  the grader (build/grade)
 *     -b BACKEND  where times are measured (sim)
 *     -r FILE     holds no grade against anything, but records all of them in FILE: lab, file,
 *                 score, verdict, and the times that the lab scores, ITEM=VALUE with commas, each a
 *                 ratio to the reference's or a percentage of a ceiling (- without any), with tabs.
 *                 tests/gpu/verdicts does so on a GPU, and make agreement compares the records. It
 *                 is written after each grading.
 *     -c          goes on where the last run, which was ended, has left the -r FILE: what it has is
 *                 not graded again
 *
 * Without files, what is neither model nor skeleton is graded in build/small-kit, where large cases
 * are an eighth as large in each dimension, half as large if something is measured in them, or a
 * quarter as large if that is on a timeline, and cases have two sets of inputs at most, those that
 * are shown one: that is most of the time of some 200 gradings. What is scored by its share of the
 * ceiling earns all points there, if it is right.
 * With files, and when recording, in the kit itself: steps for times stand where no usual
 * solution's lies in cases of full size; in small ones the host's part in a call is larger.
 *
 * Model solution (solutions/labN_x/labN.cu): full marks. Skeleton (made from it here): nothing for
 * correctness, no hazard. Other files say in their opening comment what they must get:
 *
 *   // verdict: partial       pass, partial or fail
 *   // loses: hazards time    the items that must lose points; all others must not
 *   // may-lose: small        items that may
 *   // hazard: race 27 31     a hazard of this kind at this line, and with this other line (either
 *                             order; lines optional)
 *   // cases: all             graded in the kit itself (below): it needs what is left out elsewhere
 *   // reason: words          found in a lost item's reason or in a hazard's message, in any case
 *
 * A file whose verdict is pass must have no hazard but warnings. Prints `ok FILE` or `FAIL FILE:
 * why` for each, then `N passed, N failed`; exit status 1 if any failed. The grades and what the
 * grader said stay in build/grades/, with the processor time of each in seconds.tsv.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/lab/lab.h"
#include "grader/lab/metric.h"
#include "grader/run/run.h"
#include "grader/sandbox/inside.h"
#include "harness/base/pages.h"
#include "tests/e2e/lib/expectation.h"

enum kind { MODEL, SKELETON, HEADER };

struct test {
  enum kind kind;
  char lab[16];
  char path[256];   /* what is graded */
  char output[320]; /* build/grades/NAME, without .json or .log */
  bool all_cases;   /* graded in the kit itself */
  pid_t pid;        /* of the grader; 0: not started */
  bool done;
  char *record; /* its line, when recording */
};

struct test_list {
  struct test *tests;
  size_t count;
};

struct settings {
  int jobs;
  char *grader, *backend;
  const char *recorded;        /* file to record into; or NULL */
  bool goes_on;                /* with what it has */
  const struct test_list *all; /* whose records it gets */
  const char *small_kit;       /* or NULL */
};

/* Why a test failed, several reasons joined with "; ". */
struct verdict {
  char why[2048];
};

static void __attribute__((format(printf, 2, 3)))
fail(struct verdict *verdict, const char *format, ...) {
  size_t used = strlen(verdict->why);
  if (used > 0 && used + 3 < sizeof verdict->why) {
    strcpy(verdict->why + used, "; ");
    used += 2;
  }
  va_list list;
  va_start(list, format);
  vsnprintf(verdict->why + used, sizeof verdict->why - used, format, list);
  va_end(list);
}

/* --- reading a grade --- */

static const char *text(const json_t *object, const char *key) {
  const char *value = json_string_value(json_object_get(object, key));
  return value ? value : "";
}
static double number(const json_t *object, const char *key) {
  return json_number_value(json_object_get(object, key));
}
static bool is_lost(const json_t *item) { return number(item, "points") < number(item, "max"); }

static void check_items(const json_t *grade, const struct expectation *expect,
                        struct verdict *verdict) {
  size_t index;
  json_t *item;
  json_array_foreach (json_object_get(grade, "items"), index, item) {
    const char *id = text(item, "id");
    if (expectation_has_word(expect->loses, id) && !is_lost(item)) fail(verdict, "keeps %s", id);
    if (!expectation_has_word(expect->loses, id) && !expectation_has_word(expect->may_lose, id) &&
        is_lost(item))
      fail(verdict, "loses %s (%g of %g: %s)", id, number(item, "points"), number(item, "max"),
           text(item, "reason"));
  }
  char words[256];
  copy_text(words, sizeof words, expect->loses);
  for (char *rest, *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    bool known = false;
    json_array_foreach (json_object_get(grade, "items"), index, item)
      known |= strcmp(text(item, "id"), word) == 0;
    if (!known) fail(verdict, "the lab has no item %s", word);
  }
}

/* wanted is "kind", "kind line" or "kind line other". */
static bool has_hazard(const json_t *grade, const char *wanted) {
  char kind[32];
  int line = 0, other = 0;
  if (sscanf(wanted, "%31s %d %d", kind, &line, &other) < 1) return false;
  size_t index;
  json_t *hazard;
  json_array_foreach (json_object_get(grade, "hazards"), index, hazard) {
    int a = (int)number(hazard, "line"), b = (int)number(hazard, "other_line");
    if (strcmp(text(hazard, "kind"), kind) != 0 || json_is_true(json_object_get(hazard, "warning")))
      continue;
    if (line == 0) return true;
    if (other == 0 ? a == line || b == line
                   : (a == line && b == other) || (a == other && b == line))
      return true;
  }
  return false;
}

static bool has_reason(const json_t *grade, const char *words) {
  size_t index;
  json_t *item;
  json_array_foreach (json_object_get(grade, "items"), index, item)
    if (is_lost(item) && strcasestr(text(item, "reason"), words)) return true;
  json_array_foreach (json_object_get(grade, "hazards"), index, item)
    if (strcasestr(text(item, "message"), words)) return true;
  return false;
}

/* Fails for every hazard that is no warning; the kind "wrong" (elements) is not the simulator's. */
static void check_no_hazard(const json_t *grade, struct verdict *verdict) {
  size_t index;
  json_t *hazard;
  json_array_foreach (json_object_get(grade, "hazards"), index, hazard) {
    if (json_is_true(json_object_get(hazard, "warning")) ||
        strcmp(text(hazard, "kind"), "wrong") == 0)
      continue;
    fail(verdict, "%s at line %g: %s", text(hazard, "kind"), number(hazard, "line"),
         text(hazard, "message"));
  }
}

static void check_verdict(const json_t *grade, const char *expected, int status,
                          struct verdict *verdict) {
  if (strcmp(text(grade, "verdict"), expected) != 0)
    fail(verdict, "verdict %s, not %s", text(grade, "verdict"), expected);
  int code = strcmp(expected, "pass") == 0 ? 0 : 1;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != code)
    fail(verdict, "the grader ended with status %d, not %d",
         WIFEXITED(status) ? WEXITSTATUS(status) : -1, code);
}

static void check_skeleton(const json_t *grade, struct verdict *verdict) {
  size_t index;
  json_t *item;
  json_array_foreach (json_object_get(grade, "items"), index, item)
    if (strcmp(text(item, "class"), "correctness") == 0 && number(item, "points") > 0)
      fail(verdict, "%g points for %s", number(item, "points"), text(item, "id"));
  check_no_hazard(grade, verdict);
}

static void check_header(const json_t *grade, const struct expectation *expect,
                         struct verdict *verdict) {
  check_items(grade, expect, verdict);
  for (int i = 0; i < expect->hazard_count; i++)
    if (!has_hazard(grade, expect->hazards[i])) fail(verdict, "no hazard `%s`", expect->hazards[i]);
  for (int i = 0; i < expect->reason_count; i++)
    if (!has_reason(grade, expect->reasons[i]))
      fail(verdict, "no reason has `%s`", expect->reasons[i]);
  if (expect->hazard_count == 0 && !expect->loses[0]) check_no_hazard(grade, verdict);
}

/* What the kit or the machine did wrong, of a grade with the verdict "error"; else NULL. */
static const char *error_of(const json_t *grade) {
  if (strcmp(text(grade, "verdict"), "error") != 0) return NULL;
  return text(json_array_get(json_object_get(grade, "hazards"), 0), "message");
}

static char *device; /* on which grades that are recorded have been timed; NULL: on none so far */

/* Keeps the grade's line. False: there is none, for the kit's or the machine's fault. */
static bool record(struct test *test) {
  char *path = xprintf("%s.json", test->output), *time = xstrdup("-");
  json_t *grade = json_load_file(path, 0, NULL), *item;
  const char *verdict = text(grade, "verdict");
  bool good = verdict[0] && strcmp(verdict, "error") != 0;
  size_t index;
  json_array_foreach (json_object_get(grade, "items"), index, item) {
    const json_t *value = json_object_get(item, "value");
    if (strcmp(text(item, "class"), "performance") != 0 || !json_is_number(value)) continue;
    char *before = time;
    time = xprintf("%s%s%s=%.3f", before[0] == '-' ? "" : before, before[0] == '-' ? "" : ",",
                   text(item, "id"), json_number_value(value));
    free(before);
  }
  if (good)
    test->record = xprintf("%s\t%s\t%.0f\t%s\t%s", test->lab, test->path, number(grade, "score"),
                           verdict, time);
  if (!device && json_object_get(grade, "timing")) device = xstrdup(text(grade, "device"));
  const char *error = error_of(grade);
  printf("%s %s: %s%s%s\n", good ? "ok" : "FAIL", test->path, verdict[0] ? verdict : "no grade",
         error ? ": " : "", error ? error : "");
  fflush(stdout);
  json_decref(grade);
  free(time);
  free(path);
  return good;
}

static void write_records(const char *path, const struct test *tests, size_t count) {
  FILE *file = fopen(path, "w");
  if (!file) die("%s: %s", path, strerror(errno));
  fprintf(file,
          "# The grade of every file that the kit ships, with cases of full size. times: of the "
          "items that score one, a ratio to the reference's; or percent of a ceiling.\n"
          "# command: tests/gpu/verdicts\n# source: times on %s\n"
          "lab\tfile\tscore\tverdict\ttimes\n",
          device ? device : "the simulator");
  for (size_t i = 0; i < count; i++)
    if (tests[i].record) fprintf(file, "%s\n", tests[i].record);
  if (fclose(file) != 0) die("%s: %s", path, strerror(errno));
}

/* Prints the test's line; returns whether it passed. status is the grader's, from waitpid. */
static bool finish(const struct test *test, int status) {
  static const char *const names[] = {"model solution", "skeleton", ""};
  struct verdict verdict = {""};
  char path[400];
  snprintf(path, sizeof path, "%s.json", test->output);
  json_error_t error;
  json_t *grade = json_load_file(path, 0, &error);
  if (!grade) {
    fail(&verdict, "no grade (status %d, see %s.log): %s",
         WIFEXITED(status) ? WEXITSTATUS(status) : -1, test->output, error.text);
  } else if (error_of(grade)) {
    fail(&verdict, "not graded: %s", error_of(grade));
  } else {
    struct expectation expect = {0};
    if (test->kind == MODEL) copy_text(expect.verdict, sizeof expect.verdict, "pass");
    if (test->kind == SKELETON) copy_text(expect.verdict, sizeof expect.verdict, "fail");
    if (test->kind == HEADER) expectation_read(test->path, &expect);
    /* A pass that may lose an item is a partial one where it does; check_items holds the rest. */
    if (expect.may_lose[0] && strcmp(expect.verdict, "pass") == 0 &&
        strcmp(text(grade, "verdict"), "partial") == 0)
      copy_text(expect.verdict, sizeof expect.verdict, "partial");
    check_verdict(grade, expect.verdict, status, &verdict);
    if (test->kind == SKELETON)
      check_skeleton(grade, &verdict);
    else
      check_header(grade, &expect, &verdict);
    if (test->kind == MODEL && number(grade, "score") != number(grade, "max"))
      fail(&verdict, "%g of %g points", number(grade, "score"), number(grade, "max"));
  }
  json_decref(grade);
  printf("%s %s%s%s%s%s\n", verdict.why[0] ? "FAIL" : "ok", test->path,
         names[test->kind][0] ? " as " : "", names[test->kind], verdict.why[0] ? ": " : "",
         verdict.why);
  fflush(stdout);
  return !verdict.why[0];
}

/* --- running --- */

/* Starts arguments[0], found through PATH, with its standard output and error in files (NULL: the
 * log takes both). */
static pid_t start(char *const arguments[], const char *output, const char *log) {
  fflush(NULL);
  pid_t pid = fork();
  if (pid < 0) die("fork: %s", strerror(errno));
  if (pid > 0) return pid;
  int err = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  int out = output ? open(output, O_WRONLY | O_CREAT | O_TRUNC, 0644) : err;
  if (err < 0 || out < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
    _exit(126);
  execvp(arguments[0], arguments);
  _exit(127);
}

/* Is there a rest.h beside the file, with what it leaves out? */
static bool has_rest(const char *path) {
  char rest[400];
  const char *end = strrchr(path, '/');
  snprintf(rest, sizeof rest, "%.*s/rest.h", end ? (int)(end - path) : 1, end ? path : ".");
  return access(rest, R_OK) == 0;
}

static void start_grader(struct test *test, const struct settings *settings) {
  char json[400], log[400];
  snprintf(json, sizeof json, "%s.json", test->output);
  snprintf(log, sizeof log, "%s.log", test->output);
  unlink(json);
  char file[400];
  snprintf(file, sizeof file, "--file=%s", test->path);
  if (settings->small_kit && test->kind == HEADER && !test->all_cases && !settings->recorded)
    setenv("KIT_ROOT", settings->small_kit, 1);
  else
    unsetenv("KIT_ROOT");
  test->pid = start(
      (char *[]){settings->grader, test->lab, file, "--seed=1", "--backend", settings->backend,
                 "--json", json, has_rest(test->path) ? "--folder" : NULL, NULL},
      NULL, log);
}

/* "solutions/lab1_global/wrong/x.cu" to "lab1": the first "/lab", up to what is no digit. */
static void find_lab(const char *path, char lab[16]) {
  const char *at = strstr(path, "/lab");
  size_t digits = at ? strspn(at + 4, "0123456789") : 0;
  if (digits == 0 || digits > 8)
    die("%s: no labN in its path, or the path does not start in this folder", path);
  snprintf(lab, 16, "%.*s", (int)(3 + digits), at + 1);
}

/* --- the small kit --- */

#define TIMELINE_FACTOR 4 /* of what is measured on a timeline */

/* How many times smaller a case is in each large dimension; 1: it stays. */
static long shrink_factor(const struct conf *conf, const char *name) {
  static const double large = 8e6; /* bytes and operations */
  int index = conf_case(conf, name);
  if (index < 0 || case_work(conf, index) < large) return 1;
  bool is_measured = conf->cases[index].show;
  for (int i = 0; i < conf->item_count; i++)
    is_measured |= conf->items[i].case_name && strcmp(conf->items[i].case_name, name) == 0;
  /* An item's share of a timeline hardly goes by the size; an answer may, and a time reported. */
  if (conf_wants_timeline(conf, &conf->cases[index])) return is_measured ? TIMELINE_FACTOR : 1;
  return is_measured ? 2 : 8;
}

/* "dims = M=720 N=720 K=32" to "dims = M=90 N=90 K=32" by a factor of 8. */
static void shrink_dims(const char *line, long factor, FILE *to) {
  static const long small = 64; /* a dimension that stays: a tile's, a step */
  while (*line) {
    size_t words = strcspn(line, "0123456789");
    fwrite(line, 1, words, to);
    line += words;
    if (!*line) return;
    char *end;
    long value = strtol(line, &end, 10);
    fprintf(to, "%ld", value < small ? value : value / factor);
    line = end;
  }
}

/* Is it the item of a share of the ceiling? A small case does not fill the device. */
static bool is_share(const struct conf *conf, const char *id) {
  int item = conf_item(conf, id);
  const char *metric = item < 0 ? NULL : conf->items[item].metric;
  return metric && metric_find(metric)->of_ceiling;
}

/* "full = >= 0.93": earned by every right kernel, as it also is with full cases by a good
 * one. */
static bool write_share_limit(const char *line, FILE *to) {
  char key[32];
  if (sscanf(line, "%31[a-z_]", key) != 1) return false;
  size_t length = strlen(key);
  bool full = length >= 4 && strcmp(key + length - 4, "full") == 0,
       zero = length >= 4 && strcmp(key + length - 4, "zero") == 0;
  if (full || zero) fprintf(to, "%s = %s\n", key, full ? ">= 0.01" : "<= 0.001");
  return full || zero;
}

/* "zero = >= 4194304" of bytes on a timeline: of a case that is smaller. */
static bool write_byte_limit(const struct conf *conf, const char *id, const char *line, FILE *to) {
  int index = conf_item(conf, id);
  const struct item_conf *item = index < 0 ? NULL : &conf->items[index];
  const struct metric *metric = item && item->metric ? metric_find(item->metric) : NULL;
  if (!metric || !metric->of_overlap || strncmp(metric->unit, "bytes ", 6) != 0) return false;
  char key[32], sign[3];
  long bytes;
  if (sscanf(line, "%31[a-z_] = %2[<>=] %ld", key, sign, &bytes) != 3) return false;
  fprintf(to, "%s = %s %ld\n", key, sign, bytes / shrink_factor(conf, item->case_name));
  return true;
}

static bool is_shown(const struct conf *conf, const char *name) {
  int index = conf_case(conf, name);
  return index >= 0 && conf->cases[index].show;
}

static void shrink_lab(const char *path, const char *copy) {
  struct conf conf;
  char *error, line[1024], name[64] = "", id[64] = "";
  if (conf_read(path, path, &conf, &error) != 0) die("%s", error);
  char *new = xprintf("%s.%d", copy, (int)getpid()); /* others may be reading the last one */
  FILE *from = fopen(path, "r"), *to = fopen(new, "w");
  if (!from || !to) die("%s: %s", new, strerror(errno));
  while (fgets(line, sizeof line, from)) {
    if (line[0] == '[' && sscanf(line, "[case %63[^]]", name) != 1) name[0] = '\0';
    if (line[0] == '[' && sscanf(line, "[item %63[^]]", id) != 1) id[0] = '\0';
    if (id[0] && is_share(&conf, id) && write_share_limit(line, to)) continue;
    if (id[0] && write_byte_limit(&conf, id, line, to)) continue;
    if (name[0] && strncmp(line, "dims", 4) == 0)
      shrink_dims(line, shrink_factor(&conf, name), to);
    else if (!name[0] || strncmp(line, "sets", 4) != 0)
      fputs(line, to);
    else if (!is_shown(&conf, name))
      fputs("sets = 2\n", to);
  }
  fclose(from);
  if (fclose(to) != 0 || rename(new, copy) != 0) die("%s: %s", copy, strerror(errno));
  free(new);
  conf_free(&conf);
}

static void make_folder(const char *path) {
  if (mkdir(path, 0755) != 0 && errno != EEXIST) die("%s: %s", path, strerror(errno));
}

/* build/small-kit: the labs with small cases, and links to all else. Its absolute path. */
static char *make_small_kit(void) {
  static const char *const links[] = {"build", "harness", "solutions", "grader"};
  make_folder("build/small-kit");
  make_folder("build/small-kit/labs");
  char *root = realpath("build/small-kit", NULL);
  for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
    char *at = xprintf("%s/%s", root, links[i]), *target = xprintf("../../%s", links[i]);
    if (symlink(target, at) != 0 && errno != EEXIST) die("%s: %s", at, strerror(errno));
    free(at);
    free(target);
  }
  glob_t found;
  if (glob("labs/lab*_*/lab.conf", 0, NULL, &found) != 0) die("there is no lab");
  for (size_t i = 0; i < found.gl_pathc; i++) {
    char *copy = xprintf("%s/%s", root, found.gl_pathv[i]);
    *strrchr(copy, '/') = '\0';
    make_folder(copy);
    copy[strlen(copy)] = '/';
    shrink_lab(found.gl_pathv[i], copy);
    free(copy);
  }
  globfree(&found);
  return root;
}

static struct test *add_test(struct test_list *list, enum kind kind, const char *path) {
  list->tests = realloc(list->tests, (list->count + 1) * sizeof *list->tests);
  if (!list->tests) die("out of memory");
  struct test *test = &list->tests[list->count++];
  memset(test, 0, sizeof *test);
  test->kind = kind;
  copy_text(test->path, sizeof test->path, path);
  find_lab(path, test->lab);
  snprintf(test->output, sizeof test->output, "build/grades/%s", path);
  for (char *c = test->output + strlen("build/grades/"); *c; c++)
    if (*c == '/') *c = '-';
  if (kind == HEADER) {
    struct expectation expect;
    expectation_read(path, &expect);
    test->all_cases = expect.all_cases;
  }
  return test;
}

static void add_all(struct test_list *list, enum kind kind, const char *pattern) {
  glob_t found;
  if (glob(pattern, 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; i++) add_test(list, kind, found.gl_pathv[i]);
  globfree(&found);
}

static void add_first_of_each_lab(struct test_list *list, const char *pattern) {
  glob_t found;
  char lab[16];
  if (glob(pattern, 0, NULL, &found) != 0) return;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    find_lab(found.gl_pathv[i], lab);
    if (list->count == 0 || strcmp(list->tests[list->count - 1].lab, lab) != 0)
      add_test(list, HEADER, found.gl_pathv[i]);
  }
  globfree(&found);
}

/* Keeps those from the list's test number `from` on that expectation_choose chooses. */
static void keep_chosen(struct test_list *list, size_t from) {
  size_t count = list->count - from;
  struct test *others = list->tests + from;
  const char **paths = xcalloc(count, sizeof *paths), **labs = xcalloc(count, sizeof *labs);
  bool *chosen = xcalloc(count, sizeof *chosen);
  for (size_t i = 0; i < count; i++) {
    paths[i] = others[i].path;
    labs[i] = others[i].lab;
  }
  expectation_choose(paths, labs, count, chosen);
  list->count = from;
  for (size_t i = 0; i < count; i++)
    if (chosen[i]) list->tests[list->count++] = others[i];
  free_all(paths, labs, chosen);
}

/* For every model solution in the list, its skeleton. */
static void add_skeletons(struct test_list *list) {
  size_t count = list->count;
  for (size_t i = 0; i < count; i++) {
    char path[256], solution[256];
    copy_text(solution, sizeof solution, list->tests[i].path);
    snprintf(path, sizeof path, "build/grades/%s.cu", list->tests[i].lab);
    int status;
    pid_t pid =
        start((char *[]){"harness/skeleton", solution, NULL}, path, "build/grades/skeleton.log");
    if (waitpid(pid, &status, 0) != pid || status != 0) die("harness/skeleton %s failed", solution);
    add_test(list, SKELETON, path);
  }
}

static void write_time(FILE *to, const char *path, const struct rusage *usage) {
  double user = (double)usage->ru_utime.tv_sec + (double)usage->ru_utime.tv_usec * 1e-6,
         system = (double)usage->ru_stime.tv_sec + (double)usage->ru_stime.tv_usec * 1e-6;
  fprintf(to, "%.2f\t%s\n", user + system, path);
}

/* Takes the lines that the file has, so that their tests are done. */
static void read_records(const char *path, struct test_list *list) {
  char line[1024];
  FILE *file = fopen(path, "r");
  if (!file) die("%s: %s", path, strerror(errno));
  while (fgets(line, sizeof line, file)) {
    static const char source[] = "# source: times on ";
    line[strcspn(line, "\n")] = '\0';
    if (!device && strncmp(line, source, strlen(source)) == 0)
      device = xstrdup(line + strlen(source));
    for (size_t i = 0; i < list->count; i++) {
      struct test *test = &list->tests[i];
      char *start = xprintf("%s\t%s\t", test->lab, test->path);
      if (!test->record && strncmp(line, start, strlen(start)) == 0) {
        test->record = xprintf("%s", line);
        test->done = true;
      }
      free(start);
    }
  }
  fclose(file);
}

/* Runs all tests, at most jobs at a time, and reports them as they end. Returns how many failed. */
static int run_all(struct test_list *list, const struct settings *settings) {
  int running = 0, failed = 0;
  FILE *times = fopen("build/grades/seconds.tsv", "w");
  for (size_t next = 0; next < list->count || running > 0;) {
    if (next < list->count && list->tests[next].done) {
      next++;
      continue;
    }
    if (next < list->count && running < settings->jobs) {
      start_grader(&list->tests[next++], settings);
      running++;
      continue;
    }
    int status;
    struct rusage usage;
    pid_t pid = wait4(-1, &status, 0, &usage);
    if (pid < 0) die("wait: %s", strerror(errno));
    running--;
    for (size_t i = 0; i < next; i++)
      if (list->tests[i].pid == pid && !list->tests[i].done) {
        list->tests[i].done = true;
        if (times) write_time(times, list->tests[i].path, &usage);
        failed += settings->recorded ? !record(&list->tests[i]) : !finish(&list->tests[i], status);
        if (settings->recorded)
          write_records(settings->recorded, settings->all->tests, settings->all->count);
      }
  }
  if (times) fclose(times);
  return failed;
}

/* Those without a grade once more, one after another: what keeps times from being measured may have
 * been the others. Returns how many still have none. */
static int record_again(struct test_list *list, struct settings settings) {
  int failed = 0;
  settings.jobs = 1;
  for (size_t i = 0; i < list->count; i++) {
    struct test *test = &list->tests[i];
    if (test->record) continue;
    test->done = false;
    failed += run_all(&(struct test_list){test, 1}, &settings);
  }
  return failed;
}

int main(int argc, char **argv) {
  struct settings settings = {.jobs = 2, .grader = "build/grade", .backend = "sim"};
  char *small_kit = NULL;
  bool quick = false, some = false;
  int option;
  while ((option = getopt(argc, argv, "j:g:b:r:caqsk")) != -1) {
    if (option == 'j' && atoi(optarg) > 0)
      settings.jobs = atoi(optarg);
    else if (option == 'g')
      settings.grader = optarg;
    else if (option == 'b')
      settings.backend = optarg;
    else if (option == 'r')
      settings.recorded = optarg;
    else if (option == 'c')
      settings.goes_on = true;
    else if (option == 'q')
      quick = true;
    else if (option == 's')
      some = true;
    else if (option == 'a')
      some = quick = false;
    else if (option == 'k')
      return puts(make_small_kit()) < 0;
    else
      die("usage: build/verdicts [-a | -q | -s | -k] [-j JOBS] [-g GRADER] [-b BACKEND] "
          "[-r FILE [-c]] [FILE.cu...]");
  }
  if (mkdir("build/grades", 0755) != 0 && errno != EEXIST)
    die("build/grades: %s (start me at the top of the kit)", strerror(errno));

  setenv(PAGES_VARIABLE, PAGES_VALUE, 0); /* as ./grade does */
  /* The sandbox that starts faster; other tests use the other. */
  if (strcmp(settings.backend, "sim") == 0 && landlock_version() > 0)
    setenv("KIT_SANDBOX", "landlock", 0);
  struct test_list list = {0};
  if (optind < argc) {
    for (int i = optind; i < argc; i++) add_test(&list, HEADER, argv[i]);
  } else if (quick) {
    settings.small_kit = small_kit = make_small_kit();
    add_first_of_each_lab(&list, "solutions/lab*_*/wrong/*.cu");
  } else {
    settings.small_kit = small_kit = make_small_kit();
    add_all(&list, MODEL, "solutions/lab*_*/lab*.cu");
    add_skeletons(&list);
    size_t own = list.count;
    add_all(&list, HEADER, "solutions/lab*_*/wrong/*.cu");
    add_all(&list, HEADER, "tests/e2e/styles/lab*/*.cu");
    if (some) keep_chosen(&list, own);
  }
  if (settings.jobs > 1) setenv("KIT_SIM_THREADS", "1", 0); /* gradings keep the cores busy */
  settings.all = &list;
  if (settings.recorded && settings.goes_on) read_records(settings.recorded, &list);
  int failed = run_all(&list, &settings);
  if (settings.recorded && failed) failed = record_again(&list, settings);
  if (settings.recorded) write_records(settings.recorded, list.tests, list.count);
  printf("%zu passed, %d failed\n", list.count - (size_t)failed, failed);
  for (size_t i = 0; i < list.count; i++) free(list.tests[i].record);
  free(list.tests);
  free(small_kit);
  return failed > 0;
}
