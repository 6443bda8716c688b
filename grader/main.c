/* main.c: the grader's command line.
 *
 *     ./grade lab2                grade the lab's own file
 *     ./grade lab2 --file F.cu    another one; --solution: the reference
 *     ./grade list | doctor
 *
 * Theory of operation. The grader is trusted, the runner is not. For a lab the grader reads
 * lab.conf (conf.c), has harness/compile make a runner of the student's file in a private folder
 * (build.c), and starts that runner once for every case (run.c), as a process with limits
 * (process.c). It gets inputs and shapes, and hands back outputs, launches and hazards
 * (report.c), all of which are checked; what is right, what is tolerated and what earns points
 * stays here (problems/, score.c). A reference solution is measured in the same way where an item
 * is relative to it (reference.c). The grade is then printed for people (card.c, table.c) or
 * programs (json.c).
 *
 * Exit status: 0 full marks, 1 points lost, 2 the kit's or the machine's fault. */
#include <argp.h>
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build.h"
#include "card.h"
#include "doctor.h"
#include "json.h"
#include "process.h"
#include "reference.h"
#include "score.h"
#include "version.h"

const char *argp_program_version = "grade " KIT_VERSION;

struct options {
  const char *what; /* lab, "list" or "doctor" */
  const char *file, *json, *backend, *keep;
  bool solution, explain, seeded;
  uint64_t seed;
  const char *cases[64];
  int case_count;
};

/* --- command line --- */

enum { OPTION_SOLUTION = 256, OPTION_BACKEND, OPTION_EXPLAIN, OPTION_CASE, OPTION_KEEP };

static const struct argp_option argp_options[] = {
    {"file", 'f', "F.cu", 0, "Grade this file in place of the lab's", 0},
    {"solution", OPTION_SOLUTION, NULL, 0, "Grade the reference solution", 0},
    {"json", 'j', "FILE", 0, "Write the grade as JSON, too; -: to stdout, and nothing else", 0},
    {"seed", 's', "N", 0, "Make the same inputs as the grading that said this seed", 0},
    {"explain", OPTION_EXPLAIN, NULL, 0, "Show the counters of every line", 0},
    {"backend", OPTION_BACKEND, "sim|gpu", 0, "Where to run (default: sim)", 0},
    {"case", OPTION_CASE, "NAME", 0, "Run only this case; may be repeated", 0},
    {"keep", OPTION_KEEP, "DIR", 0, "Keep each case's job, report and output there", 0},
    {0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  struct options *options = state->input;
  char *end;
  switch (key) {
    case 'f':
      options->file = argument;
      break;
    case 'j':
      options->json = argument;
      break;
    case OPTION_SOLUTION:
      options->solution = true;
      break;
    case OPTION_EXPLAIN:
      options->explain = true;
      break;
    case OPTION_BACKEND:
      options->backend = argument;
      break;
    case OPTION_KEEP:
      options->keep = argument;
      break;
    case 's':
      errno = 0;
      options->seed = strtoull(argument, &end, 10);
      if (end == argument || *end || errno || options->seed > INT64_MAX || *argument == '-') {
        argp_error(state, "--seed: '%s' is not a whole number from 0 to %" PRId64, argument,
                   INT64_MAX);
      }
      options->seeded = true;
      break;
    case OPTION_CASE:
      if (options->case_count == sizeof options->cases / sizeof *options->cases)
        argp_error(state, "too many --case");
      options->cases[options->case_count++] = argument;
      break;
    case ARGP_KEY_ARG:
      if (options->what) argp_error(state, "one lab at a time: '%s' is too much", argument);
      options->what = argument;
      break;
    case ARGP_KEY_END:
      if (!options->what) argp_usage(state);
      if (options->file && options->solution)
        argp_error(state, "--file and --solution exclude each other");
      break;
    default:
      return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp argp = {
    argp_options,
    parse_option,
    "LAB\nlist\ndoctor",
    "Grades a lab: builds the file, runs it on every case, checks, measures and explains."
    "\vLAB is a name such as lab2. `list` shows the labs, `doctor` what is installed and what is "
    "missing.\n"
    "Exit status: 0 full marks, 1 points lost, 2 the kit's or the machine's fault.",
    NULL,
    NULL,
    NULL};

/* --- the private folder --- */

static char *work_folder; /* removed at exit, however that comes */

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *ftw) {
  (void)status, (void)type, (void)ftw;
  return remove(path);
}

static void remove_work_folder(void) {
  if (work_folder) nftw(work_folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  free(work_folder);
  work_folder = NULL;
}

/* In build/, where programs may be executed for sure; else in $TMPDIR or /tmp. */
static void make_work_folder(const struct kit *kit) {
  const char *tmp = getenv("TMPDIR");
  work_folder = kit_path(kit, "build/grading-XXXXXX");
  if (!mkdtemp(work_folder)) {
    free(work_folder);
    work_folder = xprintf("%s/grading-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(work_folder)) {
      free(work_folder);
      work_folder = NULL;
      die("cannot make a temporary folder: %s", strerror(errno));
    }
  }
  atexit(remove_work_folder);
}

/* --- grading --- */

static void show_progress(const char *what, const char *name, int number, int count) {
  const char *term = getenv("TERM");
  if (!isatty(STDERR_FILENO) || !term || strcmp(term, "dumb") == 0) return;
  if (!what)
    fprintf(stderr, "\r\033[K");
  else if (count)
    fprintf(stderr, "\r\033[K%s %s (%d of %d)", what, name, number, count);
  else
    fprintf(stderr, "\r\033[K%s %s", what, name);
  fflush(stderr);
}

static bool is_wanted(const struct options *options, const char *name) {
  for (int i = 0; i < options->case_count; i++) {
    if (strcmp(options->cases[i], name) == 0) return true;
  }
  return options->case_count == 0;
}

static const char *what_happened(const struct case_result *result) {
  if (!result->kind) return "failed";
  if (result->report.damaged[0]) return "damaged its report";
  if (strcmp(result->kind, "crash") == 0) return "crashed";
  if (strcmp(result->kind, "memory") == 0) return "ran out of memory";
  if (strcmp(result->kind, "protocol") == 0) return "ended itself";
  return "hung";
}

/* Runs the cases in order. After a crash the larger ones are left out, after a hang all that
 * follow: they would hang, too. */
static void run_cases(const struct kit *kit, const struct options *options,
                      const struct runner *runner, struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  int stopped_all = -1, stopped_larger = -1;
  for (int i = 0; i < conf->case_count; i++) {
    struct case_result *result = &grade->cases[i];
    int stopped = stopped_all;
    if (stopped < 0 && stopped_larger >= 0 && case_work(conf, i) >= case_work(conf, stopped_larger))
      stopped = stopped_larger;
    if (!is_wanted(options, conf->cases[i].name)) {
      result->reason = xstrdup("not asked for");
      continue;
    }
    if (stopped >= 0) {
      result->reason = xprintf("not run, because the program %s in case %s",
                               what_happened(&grade->cases[stopped]), conf->cases[stopped].name);
      continue;
    }
    show_progress("case", conf->cases[i].name, i + 1, conf->case_count);
    run_case(runner, conf, i, grade->seed, result);
    if (!grade->device && result->report.device) grade->device = xstrdup(result->report.device);
    if (result->claimed && !options->solution && reference_is_right(kit, grade, i, work_folder))
      case_blame_program(result);
    if (result->state == CASE_ERROR) {
      grade->error = xprintf("case %s: %s", conf->cases[i].name, result->reason);
      return;
    }
    if (result->stop == STOP_ALL) stopped_all = i;
    if (result->stop == STOP_LARGER &&
        (stopped_larger < 0 || case_work(conf, i) < case_work(conf, stopped_larger))) {
      stopped_larger = i;
    }
  }
}

static void measure_references(const struct kit *kit, struct grade *grade) {
  for (int of = OF_BASELINE; of < ITEM_OFS && !grade->error; of++) {
    const char *lab = of == OF_BASELINE ? grade->lab->conf.baseline : grade->lab->id;
    if (!lab) continue;
    show_progress("measuring the solution of", lab, 0, 0);
    reference_measure(kit, grade, (enum item_of)of, lab, work_folder, &grade->error);
  }
}

/* What the compiler says quotes the file: nothing in it may steer the terminal. */
static void show_messages(const char *messages) {
  struct screen screen;
  screen_open(&screen, stderr);
  for (const char *at = messages; *at;) {
    size_t length = strcspn(at, "\n");
    struct text line = {0};
    text_add_printable(&line, at, length, screen.utf8);
    fprintf(stderr, "%s\n", text_get(&line));
    text_free(&line);
    at += length + (at[length] == '\n');
  }
}

/* Builds and grades; messages of the compiler go to stderr at once. */
static void grade_file(const struct kit *kit, const struct options *options, struct grade *grade) {
  char *path = xprintf("%s/runner", work_folder), *inside = xprintf("%s/run", work_folder);
  if (mkdir(inside, 0700) != 0) die("%s: %s", inside, strerror(errno));
  struct text messages = {0};
  show_progress("building", grade->source->name, 0, 0);
  enum build_end end =
      build_runner(kit, grade->backend, grade->lab->id, grade->source->path, path, &messages);
  show_progress(NULL, NULL, 0, 0);
  if (end == BUILD_REFUSED && options->solution) end = BUILD_FAILED; /* it is ours */
  if (end == BUILD_FAILED) {
    grade->error = xprintf("building failed: %.*s", (int)strcspn(text_get(&messages), "\n"),
                           text_get(&messages));
    show_messages(text_get(&messages));
  } else if (end == BUILD_REFUSED) {
    show_messages(text_get(&messages));
    score_build_failure(grade, text_get(&messages));
  } else {
    show_messages(text_get(&messages)); /* warnings */
    struct runner runner = {.path = path, .directory = inside, .keep = options->keep};
    run_cases(kit, options, &runner, grade);
    if (!grade->error) measure_references(kit, grade);
    score_hazards(grade);
    if (!grade->error) score_items(grade);
    show_progress(NULL, NULL, 0, 0);
  }
  if (grade->error) grade->verdict = "error";
  text_free(&messages);
  free(path);
  free(inside);
}

static void grade_free(struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  for (int i = 0; i < conf->case_count; i++) case_free(&grade->cases[i]);
  for (int i = 0; i < conf->item_count && grade->items; i++) free(grade->items[i].reason);
  for (int i = 0; i < grade->hazard_count; i++) hazard_record_free(&grade->hazards[i]);
  for (int i = 0; i < ITEM_OFS; i++) {
    free(grade->references[i].name);
    free(grade->references[i].measured);
    free(grade->references[i].totals);
  }
  free(grade->cases);
  free(grade->items);
  free(grade->hazards);
  free(grade->device);
  free(grade->error);
}

static int grade_lab(const struct kit *kit, const struct options *options) {
  struct lab lab;
  lab_open(kit, options->what, &lab);
  for (int i = 0; i < options->case_count; i++) {
    if (conf_case(&lab.conf, options->cases[i]) < 0)
      die("%s has no case '%s'", lab.id, options->cases[i]);
  }
  struct source source;
  const char *path =
      options->file ? options->file : short_path(options->solution ? lab.solution : lab.source);
  if (source_read(path, &source) != 0) die("cannot read %s: %s", path, strerror(errno));
  if (options->keep && mkdir(options->keep, 0777) != 0 && errno != EEXIST)
    die("%s: %s", options->keep, strerror(errno));

  struct grade grade = {.lab = &lab, .source = &source, .backend = "sim", .seed = options->seed};
  grade.cases = xcalloc((size_t)lab.conf.case_count, sizeof *grade.cases);
  if (!options->seeded) {
    uint32_t fresh; /* 32 bits: short enough to type again */
    if (getrandom(&fresh, sizeof fresh, 0) != sizeof fresh)
      die("no random numbers: %s", strerror(errno));
    grade.seed = fresh;
  }
  process_hold_signals();
  make_work_folder(kit);
  grade_file(kit, options, &grade);
  remove_work_folder();
  process_release_signals();

  if (options->json) json_write_grade(&grade, options->json);
  if (grade.error) {
    note("grade: %s", grade.error);
    note(
        "This is the fault of the kit or the machine, not of the file, and costs no points. "
        "./grade doctor may know more.");
  } else if (!options->json || strcmp(options->json, "-") != 0) {
    struct screen screen;
    screen_open(&screen, stdout);
    card_print(&screen, &grade,
               &(struct card_options){options->explain, options->solution, options->case_count > 0,
                                      options->file});
  }
  int status = grade.error ? 2 : strcmp(grade.verdict, "pass") == 0 ? 0 : 1;
  grade_free(&grade);
  source_free(&source);
  lab_free(&lab);
  return status;
}

static int list_labs(const struct kit *kit) {
  char **ids = lab_ids(kit, NULL);
  for (char **id = ids; *id; id++) {
    struct lab lab;
    lab_open(kit, *id, &lab);
    printf("%-6s  %4ld points  %-50s %s\n", lab.id, lab.conf.max_points, lab.conf.title,
           short_path(lab.source));
    lab_free(&lab);
  }
  lab_free_ids(ids);
  return 0;
}

int main(int argc, char **argv) {
  setlocale(LC_CTYPE, "");
  argp_err_exit_status = 2;
  struct options options = {.backend = "sim"};
  argp_parse(&argp, argc, argv, 0, NULL, &options);
  if (strcmp(options.backend, "gpu") == 0)
    die("--backend gpu is not yet in this kit; --backend sim needs no GPU");
  if (strcmp(options.backend, "sim") != 0)
    die("there is no backend '%s'; backends are: sim", options.backend);
  struct kit kit;
  kit_find(&kit);
  int status = strcmp(options.what, "list") == 0     ? list_labs(&kit)
               : strcmp(options.what, "doctor") == 0 ? doctor(&kit)
                                                     : grade_lab(&kit, &options);
  kit_free(&kit);
  if (fflush(stdout) != 0 || ferror(stdout)) die("cannot write to stdout: %s", strerror(errno));
  return status;
}
