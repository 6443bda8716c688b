/* main.c: the grader's command line.
 *
 *     ./grade lab2                          grade the lab's own file
 *     ./grade lab2 --file F.cu              another one; --solution: the reference
 *     ./grade lab3 --sweep                  every block shape, or every value of a dimension
 *     ./grade lab2 --sizes 100,500,1000     time and speedup over the size
 *     ./grade lab2 --report report/         what the course asks to hand in, with charts of one's
 * own
 *     ./grade lab4 --picture                where the memory accesses of a line go
 *     ./grade lab1 --dims M=64,N=64,K=64    one run on these sizes, for no points
 *     ./grade list | doctor
 *     ./grade conf lab2 --json              what was read of its lab.conf; --keys: what may be
 *     ./grade ceiling                       what the device can do at most
 *     ./grade class DIR                     a whole class: a program of its own, build/class
 *
 * Theory of operation. The grader is trusted, the runner is not. For a lab the grader reads
 * lab.conf (conf.c), has harness/compile make a runner of the student's file in a private folder
 * (build.c), and starts that runner once for every case (run.c), as a process with limits
 * (process.c). It gets inputs and shapes, and hands back outputs, launches and hazards (report.c),
 * all of which are checked; what is right, what is tolerated and what earns points stays here
 * (harness/problems, score.c). A reference solution is measured in the same way where an item is
 * relative to it (reference.c). The grade is then printed for people (card.c, table.c) or programs
 * (json.c). grading.c is the whole of that for one file.
 *
 * Exit status: 0 full marks, 1 points lost, 2 the kit's or the machine's fault. */
#include <argp.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/option.h"
#include "grader/base/system.h"
#include "grader/base/version.h"
#include "grader/commands.h"
#include "grader/grading/grading.h"
#include "grader/grading/reference.h"
#include "grader/handin/handin.h"
#include "grader/sandbox/process.h"
#include "grader/show/card.h"
#include "grader/show/html.h"
#include "grader/show/json.h"
#include "grader/show/picture.h"
#include "grader/show/show.h"

const char *argp_program_version = "grade " KIT_VERSION;

struct options {
  const char *what; /* lab, "list", "doctor" or "ceiling" */
  const char *file, *json, *html, *backend, *keep, *measure, *gradescope, *dims, *sizes, *csv,
      *report;
  bool solution, folder, unsafe, explain, seeded, sweep, picture, plot, public;
  int picture_line; /* 0: the costliest */
  int times;        /* with sizes, on a GPU; 0: not given */
  bool picked;      /* the backend, by the user */
  uint64_t seed;
  const char *cases[64];
  int case_count;
};

/* --- command line --- */

/* Options that are on, and options that are a word: where they are kept. */
enum {
  OPTION_SOLUTION = 256,
  OPTION_FOLDER,
  OPTION_UNSAFE,
  OPTION_EXPLAIN,
  OPTION_PLOT,
  OPTION_PUBLIC,
  OPTION_SWEEP,
  OPTION_HTML,
  OPTION_DIMS,
  OPTION_SIZES,
  OPTION_CSV,
  OPTION_REPORT,
  OPTION_MEASURE,
  OPTION_GRADESCOPE,
  OPTION_KEEP,
  OPTION_BACKEND,
  OPTION_CASE,
  OPTION_TIMES,
  OPTION_PICTURE
};

static const struct argp_option argp_options[] = {
    {"file", 'f', "F.cu", 0, "Grade this file instead of the lab's", 0},
    {"folder", OPTION_FOLDER, NULL, 0,
     "With --file: all that is in its folder belongs to it; it may include headers from there", 0},
    {"solution", OPTION_SOLUTION, NULL, 0, "Grade the reference solution", 0},
    {"json", 'j', "FILE", 0, "Write the grade as JSON, too; -: to stdout, and nothing else", 0},
    {"seed", 's', "N", 0, "Use the same inputs as the grading that printed this seed", 0},
    {"explain", OPTION_EXPLAIN, NULL, 0, "Show the counters of every line", 0},
    {"html", OPTION_HTML, "FILE", 0,
     "Write the grade as a page with the annotated source; -: to stdout, and nothing else", 0},
    {"picture", OPTION_PICTURE, "LINE", OPTION_ARG_OPTIONAL,
     "Draw where the memory accesses of a line go (default: of the costliest)", 0},
    {"plot", OPTION_PLOT, NULL, 0, "Show pictures in the terminal, too", 0},
    {"sweep", OPTION_SWEEP, NULL, 0,
     "Run the file with every block shape, or with every value of a dimension, and compare", 0},
    {"sizes", OPTION_SIZES, "N,N,..", 0,
     "Time the file at these sizes beside model solutions and this machine's CPU: a table and "
     "charts "
     "of time and speedup; --case NAME: by the function that this case calls",
     0},
    {"times", OPTION_TIMES, "N", 0,
     "With --sizes on a GPU: how often to time each, for mean and standard deviation (default 20)",
     0},
    {"report", OPTION_REPORT, "FOLDER", 0,
     "Write what the course asks to hand in, with charts of this file, as Markdown, HTML and PDF; "
     "run again, it keeps what you have written",
     0},
    {"csv", OPTION_CSV, "FILE", 0,
     "With --sizes: write the times as CSV, too; -: to stdout, and "
     "nothing else",
     0},
    {"backend", OPTION_BACKEND, "sim|gpu", 0,
     "Where to measure times (default: gpu where nvcc and a device are, else sim)", 0},
    {"case", OPTION_CASE, "NAME", 0, "Run only this case; may be repeated", 0},
    {"dims", OPTION_DIMS, "M=64,..", 0,
     "Run the file once on these sizes, on the simulator, for no points; --case NAME: by the "
     "function that this case calls",
     0},
    {"public", OPTION_PUBLIC, NULL, 0, "Leave hidden.conf out: grade as a student's copy does", 0},
    {"measure", OPTION_MEASURE, "FILE", 0,
     "With --solution: write what model solutions measure, for copies of the kit without them", 0},
    {"gradescope", OPTION_GRADESCOPE, "FILE", 0,
     "Write the grade as Gradescope's results.json, too", 0},
    {"keep", OPTION_KEEP, "DIR", 0, "Keep each case's job, report and output there", 0},
    {"unsafe", OPTION_UNSAFE, NULL, 0,
     "Where there is no sandbox, build and run the file without one", 0},
    {0},
};

static bool is_stdout(const char *path) { return path && strcmp(path, "-") == 0; }

/* What cannot be combined. */
static void check_options(const struct options *options, struct argp_state *state) {
  if (options->file && options->solution)
    argp_error(state, "--file and --solution cannot be combined");
  if (options->measure && (!options->solution || options->case_count))
    argp_error(state, "--measure goes with --solution, and with all cases");
  if (is_stdout(options->json) && is_stdout(options->html))
    argp_error(state, "--json and --html cannot both go to stdout");
  if (options->dims && (options->sweep || options->picture || options->json || options->html ||
                        options->gradescope || options->measure || options->case_count > 1 ||
                        (options->picked && strcmp(options->backend, "sim") != 0)))
    argp_error(state,
               "--dims is one run on the simulator, for the terminal: it goes with --file, "
               "--solution, --seed, --keep and one --case");
  if (options->sizes &&
      (options->sweep || options->picture || options->dims || options->html ||
       options->gradescope || options->measure || options->keep || options->case_count > 1))
    argp_error(state,
               "--sizes goes with --file, --solution, --backend, --times, --seed, --json, --csv, "
               "--plot and one --case");
  if ((options->times || options->csv) && !options->sizes && !options->report)
    argp_error(state, "%s is for --sizes", options->times ? "--times" : "--csv");
  if (is_stdout(options->json) && is_stdout(options->csv))
    argp_error(state, "--json and --csv cannot both go to stdout");
  if (options->report && (options->sweep || options->picture || options->dims || options->html ||
                          options->json || options->csv || options->gradescope ||
                          options->measure || options->keep || options->case_count))
    argp_error(state, "--report goes with --file, --solution, --backend, --sizes, --times, --seed");
  if (options->html && options->sweep) argp_error(state, "--html is for grades: leave out --sweep");
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  struct options *options = state->input;
  bool *const flags[] = {&options->solution, &options->folder, &options->unsafe, &options->explain,
                         &options->plot,     &options->public, &options->sweep};
  const char **const words[] = {&options->html,       &options->dims,   &options->sizes,
                                &options->csv,        &options->report, &options->measure,
                                &options->gradescope, &options->keep};
  if (key >= OPTION_SOLUTION && key < OPTION_HTML) {
    *flags[key - OPTION_SOLUTION] = true;
    return 0;
  }
  if (key >= OPTION_HTML && key < OPTION_BACKEND) {
    *words[key - OPTION_HTML] = argument;
    return 0;
  }
  char *end;
  switch (key) {
    case 'f':
      options->file = argument;
      break;
    case 'j':
      options->json = argument;
      break;
    case OPTION_PICTURE:
      options->picture = true;
      if (!argument) break;
      options->picture_line = (int)strtol(argument, &end, 10);
      if (end == argument || *end || options->picture_line < 1)
        argp_error(state, "--picture=%s: not the number of a line", argument);
      break;
    case OPTION_BACKEND:
      options->backend = option_backend(state, argument);
      options->picked = true;
      break;
    case 's':
      options->seed = option_seed(state, argument);
      options->seeded = true;
      break;
    case OPTION_TIMES:
      options->times = (int)option_whole(state, "--times", argument, 1, MAX_TIMES);
      break;
    case OPTION_CASE:
      if (options->case_count == sizeof options->cases / sizeof *options->cases)
        argp_error(state, "too many --case");
      options->cases[options->case_count++] = argument;
      break;
    case ARGP_KEY_ARG:
      if (options->what)
        argp_error(state, "one lab at a time: '%s' is one argument too many", argument);
      options->what = argument;
      break;
    case ARGP_KEY_END:
      if (!options->what) argp_usage(state);
      if (options->plot && !options->sweep && !options->sizes) options->picture = true;
      check_options(options, state);
      break;
    default:
      return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp argp = {
    argp_options, parse_option, "LAB\nlist\ndoctor\nceiling\nconf LAB\nclass DIR",
    "Grades a lab: builds the file, runs it on every case, checks, measures and explains."
    "\vLAB is a name such as lab2. `list` shows the labs, `doctor` what is installed and what is "
    "missing, `ceiling` what the device can do at most: how fast it copies and multiplies, `conf` "
    "what is in a lab.conf: ./grade conf --help. "
    "`class` grades what a whole class handed in: ./grade class --help.\n"
    "Exit status: 0 full marks, 1 points lost, 2 the kit's or the machine's fault.",
    .children = NULL};

/* What all that is done with a lab's file needs. */
struct subject {
  struct lab lab;
  struct source source;
  uint64_t seed;
};

static void open_subject(const struct kit *kit, const struct options *options,
                         struct subject *subject) {
  struct lab *lab = &subject->lab;
  lab_open(kit, options->what, lab);
  for (int i = 0; i < options->case_count; i++)
    if (conf_case(&lab->conf, options->cases[i]) < 0)
      die("%s has no case '%s'", lab->id, options->cases[i]);
  if (options->solution && !lab_has_solution(lab))
    die("this copy of the kit has no solutions: --solution needs %s", short_path(lab->solution));
  const char *path =
      options->file ? options->file : short_path(options->solution ? lab->solution : lab->source);
  if (source_read(path, &subject->source) != 0) die("cannot read %s: %s", path, strerror(errno));
  subject->source.own_folder = !options->file || options->folder;
  subject->seed = options->seed;
  if (!options->seeded) {
    uint32_t fresh; /* 32 bits: short enough to type again */
    random_bytes(&fresh, sizeof fresh);
    subject->seed = fresh;
  }
}

static void close_subject(struct subject *subject) {
  source_free(&subject->source);
  lab_free(&subject->lab);
}

static void print_our_fault(const char *error) {
  note("grade: %s", error);
  note(
      "This is the fault of the kit or the machine, not of the file, and costs no points. "
      "./grade doctor may know more.");
}

/* Is stdout free for people? */
static bool may_print(const struct options *options) {
  return !is_stdout(options->json) && !is_stdout(options->html) && !is_stdout(options->csv);
}

static int grade_lab(const struct kit *kit, const struct options *options) {
  double start = clock_seconds();
  struct subject subject;
  open_subject(kit, options, &subject);
  if (options->html) html_check(options->html);
  if (options->keep) folder_make(options->keep);
  struct grade grade = {.lab = &subject.lab,
                        .source = &subject.source,
                        .backend = options->backend,
                        .seed = subject.seed};
  autofree char *nvcc = options->picked ? NULL : program_find("nvcc");
  if (nvcc && strcmp(options->backend, "sim") == 0)
    note("nvcc is installed, but there is no GPU: graded on the simulator.");
  grading_run(kit,
              &(struct grading_options){.work = grading_open(kit, options->unsafe),
                                        .keep = options->keep,
                                        .solution = options->solution,
                                        .accesses = options->picture || options->html,
                                        .cases = options->cases,
                                        .case_count = options->case_count},
              &grade);
  grading_close();

  if (options->json) json_write_grade(&grade, options->json);
  if (options->html) html_write(kit, &grade, options->html);
  if (options->gradescope) gradescope_write(&grade, clock_seconds() - start, options->gradescope);
  if (grade.error) {
    print_our_fault(grade.error);
  } else if (may_print(options)) {
    struct screen screen;
    screen_open(&screen, stdout);
    card_print(
        &screen, &grade,
        &(struct card_options){options->explain, options->solution, options->case_count > 0});
    if (options->picture) picture_show(kit, &grade, options->picture_line, options->plot, &screen);
  }
  if (options->measure && !grade.error) {
    if (strcmp(grade.verdict, "pass") != 0)
      die("%s: the solution does not get full marks, so it cannot serve as a reference",
          subject.lab.id);
    shipped_write(kit, &grade, options->measure);
  }
  int status = grade.error ? 2 : strcmp(grade.verdict, "pass") == 0 ? 0 : 1;
  grade_free(&grade);
  close_subject(&subject);
  return status;
}

/* A file that cannot take part in a sweep, and what to write so that it can. */
static void print_refused(const struct subject *subject, const struct sweep *sweep) {
  char *const *names = subject->lab.conf.sweep.parameters;
  note("%s: %s", subject->source.name, sweep->error);
  if (sweep->own.state != SHAPE_RIGHT || !sweep->own.bound) {
    note("Grade it first: ./grade %s", subject->lab.id);
    return;
  }
  note("A sweep sets %s and %s from outside. So that they can be set, write", names[0], names[1]);
  for (int i = 0; i < SWEEP_PARAMETERS; i++)
    note("    #ifndef %s\n    #define %s %lu\n    #endif", names[i], names[i],
         sweep->own.launched[i]);
  note("and use them for the block, the grid and the kernel's indices.");
}

/* What the --sweep of a lab has: all block shapes, series over dimensions, or both. */
struct swept {
  struct sweep sweep;
  struct series_list series;
};

/* {"schema":1, "lab", "backend", "seed"}, all of sweep_to_json's, and "series":[series_to_json's]:
 * what there is of them. */
static void write_swept(const struct subject *subject, const struct swept *swept,
                        const char *path) {
  const struct conf *conf = &subject->lab.conf;
  json_t *json = json_pack("{s:i, s:s, s:s, s:I}", "schema", 1, "lab", subject->lab.id, "backend",
                           "sim", "seed", (json_int_t)subject->seed);
  if (conf->sweep.line) json_object_update_new(json, sweep_to_json(&swept->sweep));
  if (conf->series_count) json_object_set_new(json, "series", json_array());
  for (int i = 0; i < swept->series.count; i++)
    json_array_append_new(json_object_get(json, "series"), series_to_json(&swept->series.items[i]));
  json_write(json, path, JSON_REAL_PRECISION(6));
}

static void print_swept(const struct kit *kit, const struct options *options,
                        const struct conf *conf, const struct swept *swept) {
  struct screen screen;
  screen_open(&screen, stdout);
  struct chart_showing showing = {kit, options->plot, &screen};
  if (conf->sweep.line) {
    sweep_print(&screen, &swept->sweep, options->explain);
    sweep_charts(&swept->sweep, chart_show, &showing);
  }
  for (int i = 0; i < swept->series.count; i++) {
    series_print(&screen, &swept->series.items[i]);
    series_charts(&swept->series.items[i], chart_show, &showing);
  }
}

/* All that the lab has to sweep; NULL, or why it cannot be (swept's). */
static const char *measure_swept(const struct kit *kit, const struct subject *subject,
                                 const char *work, struct swept *swept) {
  const struct lab *lab = &subject->lab;
  if (lab->conf.sweep.line)
    sweep_measure(kit, lab, &subject->source, subject->seed, work, &swept->sweep);
  if (lab->conf.series_count && !swept->sweep.error)
    series_measure(kit, lab, &subject->source, subject->seed, work, &swept->series);
  return swept->sweep.error ? swept->sweep.error : swept->series.error;
}

/* On the simulator, also where there is a GPU: times are modelled. */
static int sweep_lab(const struct kit *kit, const struct options *options) {
  struct subject subject;
  open_subject(kit, options, &subject);
  const struct lab *lab = &subject.lab;
  if (!lab->conf.sweep.line && !lab->conf.series_count)
    die("%s has no [sweep] and no [series] in its lab.conf: there is nothing to compare", lab->id);
  struct swept swept = {.sweep = {0}};
  struct sweep *sweep = &swept.sweep;
  struct series_list *series = &swept.series;
  measure_swept(kit, &subject, grading_open(kit, options->unsafe), &swept);
  grading_close();
  bool refused = sweep->refused || series->refused, failed = sweep->error || series->error;
  if (sweep->refused) {
    print_refused(&subject, sweep);
  } else if (series->refused) {
    note("%s: %s", subject.source.name, series->error);
    note("Grade it first: ./grade %s", lab->id);
  } else if (failed) {
    print_our_fault(sweep->error ? sweep->error : series->error);
  } else {
    if (options->json) write_swept(&subject, &swept, options->json);
    if (may_print(options)) print_swept(kit, options, &lab->conf, &swept);
  }
  sweep_free(sweep);
  series_free(series);
  close_subject(&subject);
  return !failed ? 0 : refused ? 1 : 2;
}

/* What is to be measured; NULL, or what is wrong with it (the caller's). */
static char *set_sizes(const struct options *options, const struct subject *subject,
                       const char *text, struct sizes *sizes) {
  *sizes = (struct sizes){.lab = &subject->lab,
                          .source = &subject->source,
                          .solution = options->solution,
                          .on_gpu = strcmp(options->backend, "gpu") == 0,
                          .times = options->times ? options->times : DEFAULT_TIMES,
                          .case_index = options->case_count
                                            ? conf_case(&subject->lab.conf, options->cases[0])
                                            : sizes_case(&subject->lab.conf),
                          /* As of references: the blocks that the model of time samples. */
                          .seed = options->seeded ? subject->seed : 1};
  char *wrong = sizes_parse(text, sizes);
  return wrong ? wrong : sizes_check(sizes, sizes_available());
}

static void ask_for_sizes(const struct options *options, const struct subject *subject,
                          struct sizes *sizes) {
  char *wrong = set_sizes(options, subject, options->sizes, sizes);
  if (wrong) die("--sizes %s: %s", options->sizes, wrong);
  if (options->times && !sizes->on_gpu)
    note("--times is for a GPU: on the simulator times are modelled, the same each time.");
}

/* A folder for one of several measurements. */
static char *folder_in(const char *work, const char *name) {
  char *path = xprintf("%s/%s", work, name);
  folder_make(path);
  return path;
}

/* Grades the file, times it over the size and sweeps it, for a report. */
static int report_lab(const struct kit *kit, const struct options *options) {
  struct subject subject;
  open_subject(kit, options, &subject);
  const struct conf *conf = &subject.lab.conf;
  folder_make(options->report);
  struct grade grade = {.lab = &subject.lab,
                        .source = &subject.source,
                        .backend = options->backend,
                        .seed = subject.seed};
  const char *work = grading_open(kit, options->unsafe);
  grading_run(
      kit, &(struct grading_options){.work = work, .solution = options->solution, .accesses = true},
      &grade);
  struct handin handin = {.kit = kit, .grade = &grade, .folder = options->report};
  struct sizes sizes = {0};
  struct swept swept = {.sweep = {0}};
  autofree char *sizes_work = folder_in(work, "sizes"), *swept_work = folder_in(work, "swept"),
                *wrong = NULL;
  bool compiles = !grade.error && !score_is_build_failure(&grade);
  if (compiles) {
    wrong = set_sizes(options, &subject, options->sizes ? options->sizes : "100,500,700,1000,2000",
                      &sizes);
    if (!wrong) sizes_measure(kit, sizes_work, &sizes);
    if (!wrong && !sizes.error) handin.sizes = &sizes;
    handin.no_sizes = wrong ? wrong : sizes.error;
    handin.no_sweep = measure_swept(kit, &subject, swept_work, &swept);
    if (!handin.no_sweep && conf->sweep.line) handin.sweep = &swept.sweep;
    handin.series = swept.series.items;
    handin.series_count = swept.series.error ? 0 : swept.series.count;
  } else {
    handin.no_sizes = "the file does not compile";
  }
  grading_close();
  struct screen screen;
  screen_open(&screen, stdout);
  if (grade.error)
    print_our_fault(grade.error);
  else
    handin_write(&handin, &screen);
  int status = grade.error ? 2 : strcmp(grade.verdict, "pass") == 0 ? 0 : 1;
  sizes_free(&sizes);
  sweep_free(&swept.sweep);
  series_free(&swept.series);
  grade_free(&grade);
  close_subject(&subject);
  return status;
}

static int size_lab(const struct kit *kit, const struct options *options) {
  struct subject subject;
  struct sizes sizes;
  open_subject(kit, options, &subject);
  ask_for_sizes(options, &subject, &sizes);
  int failed = sizes_measure(kit, grading_open(kit, options->unsafe), &sizes);
  grading_close();
  if (failed && sizes.refused) {
    note("%s: %s", subject.source.name, sizes.error);
    note("Grade it first: ./grade %s", subject.lab.id);
  } else if (failed) {
    print_our_fault(sizes.error);
  } else {
    if (options->json) sizes_write_json(&sizes, options->json);
    if (options->csv) sizes_write_csv(&sizes, options->csv);
    if (may_print(options)) {
      struct screen screen;
      screen_open(&screen, stdout);
      sizes_print(&screen, &sizes);
      struct chart_showing showing = {kit, options->plot, &screen};
      sizes_charts(&sizes, chart_show, &showing);
    }
  }
  bool right = true;
  for (int i = 0; i < sizes.count && !failed; i++)
    right = right && sizes.lines[0].points[i].state == POINT_RIGHT;
  sizes_free(&sizes);
  close_subject(&subject);
  return failed ? (sizes.refused ? 1 : 2) : !right;
}

/* Grades a lab that has only this case and no items. */
static int run_once(const struct kit *kit, const struct options *options) {
  struct subject subject;
  struct case_conf entry;
  open_subject(kit, options, &subject);
  struct conf whole = subject.lab.conf;
  subject.lab.conf =
      once_conf(&whole, options->dims, options->case_count ? options->cases[0] : NULL, &entry);
  struct grade grade = {
      .lab = &subject.lab, .source = &subject.source, .backend = "sim", .seed = subject.seed};
  if (options->keep) folder_make(options->keep);
  grading_run(kit,
              &(struct grading_options){.work = grading_open(kit, options->unsafe),
                                        .keep = options->keep,
                                        .solution = options->solution},
              &grade);
  grading_close();
  int status = 2;
  if (grade.error) {
    print_our_fault(grade.error);
  } else {
    struct screen screen;
    screen_open(&screen, stdout);
    status = once_print(&screen, &grade);
  }
  grade_free(&grade);
  free(entry.name);
  subject.lab.conf = whole;
  close_subject(&subject);
  return status;
}

/* The labs as a path: what each teaches, how long it takes, which come first. */
static int list_labs(const struct kit *kit) {
  enum { INDENT = 8 };
  struct screen screen;
  screen_open(&screen, stdout);
  char **ids = lab_ids(kit, NULL);
  for (char **id = ids; *id; id++) {
    struct lab lab;
    lab_open(kit, *id, &lab);
    const struct conf *conf = &lab.conf;
    freed_by(text_free) struct text facts = {0};
    text_add(&facts, "%ld points", conf->max_points);
    if (conf->minutes) text_add(&facts, ", %ld minutes", conf->minutes);
    for (int i = 0; i < conf->after_count; i++)
      text_add(&facts, "%s%s", i ? ", " : ", after ", conf->after[i]);
    screen_line(&screen, BOLD, "%-*s%s", INDENT, lab.id, conf->title);
    if (conf->teaches) screen_wrap(&screen, PLAIN, INDENT, "        ", conf->teaches);
    screen_line(&screen, DIM, "%*s%s: %s", INDENT, "", short_path(lab.source), text_get(&facts));
    lab_free(&lab);
  }
  lab_free_ids(ids);
  return 0;
}

/* A class is graded by a program of its own, which needs libraries that nothing else does. */
static int exec_class(const struct kit *kit, char **argv) {
  char *program = kit_path(kit, "build/class");
  argv[1] = program;
  execv(program, argv + 1);
  die("%s: %s; `make class` builds it", program, strerror(errno));
}

/* gpu where a device and nvcc are; else sim. */
static const char *backend_here(void) {
  autofree char *nvcc = program_find("nvcc");
  bool both = nvcc && access("/dev/nvidiactl", F_OK) == 0;
  return both ? "gpu" : "sim";
}

int main(int argc, char **argv) {
  setlocale(LC_CTYPE, "");
  argp_err_exit_status = 2;
  struct kit kit;
  struct options options = {0};
  const char *command = argc > 1 ? argv[1] : "";
  bool task = argc == 4 && strcmp(command, "task") == 0, conf = strcmp(command, "conf") == 0,
       class = strcmp(command, "class") == 0;
  if (!task && !conf && !class) argp_parse(&argp, argc, argv, 0, NULL, &options);
  kit_find(&kit);
  if (class) return exec_class(&kit, argv);
  if (!options.backend) options.backend = backend_here();
  kit.public = options.public;
  int status = task                                  ? task_run(&kit, argv[2], argv[3])
               : conf                                ? conf_command(&kit, argc - 1, argv + 1)
               : strcmp(options.what, "list") == 0   ? list_labs(&kit)
               : strcmp(options.what, "doctor") == 0 ? doctor(&kit)
               : strcmp(options.what, "ceiling") == 0
                   ? ceiling_show(&kit, options.backend, options.json, is_stdout(options.json))
               : options.dims   ? run_once(&kit, &options)
               : options.sweep  ? sweep_lab(&kit, &options)
               : options.report ? report_lab(&kit, &options)
               : options.sizes  ? size_lab(&kit, &options)
                                : grade_lab(&kit, &options);
  kit_free(&kit);
  if (fflush(stdout) != 0 || ferror(stdout)) die("cannot write to stdout: %s", strerror(errno));
  return status;
}
