/* request.c: reads ./grade's command line. */
#include "grader/commands/request.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/option.h"
#include "grader/base/output.h"
#include "grader/base/version.h"
#include "grader/grading/grading.h"
#include "grader/show/chart.h"

const char *argp_program_version = "grade " KIT_VERSION;

/* Options that are on, and options that are a word: where they are kept. */
enum {
  OPTION_SOLUTION = 256,
  OPTION_FOLDER,
  OPTION_UNSAFE,
  OPTION_EXPLAIN,
  OPTION_PLOT,
  OPTION_PUBLIC,
  OPTION_SWEEP,
  OPTION_PROFILE,
  OPTION_RESOURCES,
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
  OPTION_PICTURE,
  OPTION_TIMELINE,
  OPTION_ROOFLINE,
  OPTION_GPU
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
    {"timeline", OPTION_TIMELINE, "FILE.json", OPTION_ARG_OPTIONAL,
     "Show when copies and kernels of the shown cases ran, stream by stream; FILE.json: for "
     "https://ui.perfetto.dev, too; --case NAME: of this one",
     0},
    {"resources", OPTION_RESOURCES, NULL, 0,
     "Show what the kernels of the shown cases take of a multiprocessor, registers and shared "
     "memory, how many of their blocks it holds, and what limits that; --case NAME: of this one",
     0},
    {"roofline", OPTION_ROOFLINE, "FILE.svg|png", OPTION_ARG_OPTIONAL,
     "Draw the kernels of the shown cases under the roofs of the GPU: operations a second over "
     "operations per byte; FILE: there, too; --case NAME: of this one",
     0},
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
    {"gpu", OPTION_GPU, "NAME|FILE.ini", 0,
     "Simulate this GPU: t4, rtx3060, ... (./grade gpus lists them; default: h100)", 0},
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
    {"profile", OPTION_PROFILE, NULL, 0,
     "Show what of the grading takes how long: wall and processor seconds, also as JSON", 0},
    {"keep", OPTION_KEEP, "DIR", 0, "Keep each case's job, report and output there", 0},
    {"unsafe", OPTION_UNSAFE, NULL, 0,
     "Where there is no sandbox, build and run the file without one", 0},
    {0},
};

bool request_is_stdout(const char *path) { return path && strcmp(path, "-") == 0; }

/* What cannot be combined. */
static void check_options(const struct request *request, struct argp_state *state) {
  if (request->file && request->solution)
    argp_error(state, "--file and --solution cannot be combined");
  if (request->measure && (!request->solution || request->case_count))
    argp_error(state, "--measure goes with --solution, and with all cases");
  if (request_is_stdout(request->json) && request_is_stdout(request->html))
    argp_error(state, "--json and --html cannot both go to stdout");
  if (request->dims && (request->sweep || request->picture || request->json || request->html ||
                        request->gradescope || request->measure || request->case_count > 1 ||
                        (request->picked && strcmp(request->backend, "sim") != 0)))
    argp_error(state,
               "--dims is one run on the simulator, for the terminal: it goes with --file, "
               "--solution, --seed, --keep and one --case");
  if (request->sizes &&
      (request->sweep || request->picture || request->dims || request->html ||
       request->gradescope || request->measure || request->keep || request->case_count > 1))
    argp_error(state,
               "--sizes goes with --file, --solution, --backend, --times, --seed, --json, --csv, "
               "--plot and one --case");
  if ((request->times || request->csv) && !request->sizes && !request->report)
    argp_error(state, "%s is for --sizes", request->times ? "--times" : "--csv");
  if (request_is_stdout(request->json) && request_is_stdout(request->csv))
    argp_error(state, "--json and --csv cannot both go to stdout");
  if (request->report && (request->sweep || request->picture || request->dims || request->html ||
                          request->json || request->csv || request->gradescope ||
                          request->measure || request->keep || request->case_count))
    argp_error(state, "--report goes with --file, --solution, --backend, --sizes, --times, --seed");
  if (request->timeline && (request->sweep || request->dims || request->sizes || request->report))
    argp_error(state, "--timeline is for grades");
  if (request->roofline && (request->sweep || request->dims || request->sizes || request->report))
    argp_error(state, "--roofline is for grades");
  if (request->resources && (request->sweep || request->dims || request->sizes || request->report))
    argp_error(state, "--resources is for grades");
  if (request->profile && (request->sweep || request->dims || request->sizes || request->report))
    argp_error(state, "--profile is for grades");
  if (request->gpu && request->picked && strcmp(request->backend, "sim") != 0)
    argp_error(state, "--gpu is for the simulator: leave out --backend gpu");
  if (request->html && request->sweep) argp_error(state, "--html is for grades: leave out --sweep");
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  struct request *request = state->input;
  bool *const flags[] = {&request->solution, &request->folder,  &request->unsafe,
                         &request->explain,  &request->plot,    &request->public,
                         &request->sweep,    &request->profile, &request->resources};
  const char **const words[] = {&request->html,       &request->dims,   &request->sizes,
                                &request->csv,        &request->report, &request->measure,
                                &request->gradescope, &request->keep};
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
      request->file = argument;
      break;
    case 'j':
      request->json = argument;
      break;
    case OPTION_PICTURE:
      request->picture = true;
      if (!argument) break;
      request->picture_line = (int)strtol(argument, &end, 10);
      if (end == argument || *end || request->picture_line < 1)
        argp_error(state, "--picture=%s: not the number of a line", argument);
      break;
    case OPTION_TIMELINE:
      request->timeline = true;
      request->trace = argument;
      break;
    case OPTION_ROOFLINE:
      request->roofline = true;
      request->roofline_file = argument;
      if (argument && !chart_format_of(argument, &(enum chart_format){CHART_SVG}))
        argp_error(state, "--roofline=%s: a picture is an .svg or a .png", argument);
      break;
    case OPTION_BACKEND:
      request->backend = option_backend(state, argument);
      request->picked = true;
      break;
    case OPTION_GPU:
      request->gpu = argument;
      break;
    case 's':
      request->seed = option_seed(state, argument);
      request->seeded = true;
      break;
    case OPTION_TIMES:
      request->times = (int)option_whole(state, "--times", argument, 1, MAX_TIMES);
      break;
    case OPTION_CASE:
      if (request->case_count == sizeof request->cases / sizeof *request->cases)
        argp_error(state, "too many --case");
      request->cases[request->case_count++] = argument;
      break;
    case ARGP_KEY_ARG:
      if (request->what)
        argp_error(state, "one lab at a time: '%s' is one argument too many", argument);
      request->what = argument;
      break;
    case ARGP_KEY_END:
      if (request->gpu && strcmp(request->gpu, "list") == 0) request->what = "gpus";
      if (!request->what) argp_usage(state);
      if (request->plot && !request->sweep && !request->sizes && !request->timeline &&
          !request->roofline)
        request->picture = true;
      check_options(request, state);
      break;
    default:
      return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp argp = {
    argp_options, parse_option,
    "LAB\nlist\ngpus\ndoctor\nceiling\nconf LAB\nclass DIR\nrun PROG.cu",
    "Grades a lab: builds the file, runs it on every case, checks, measures and explains."
    "\vLAB is a name such as lab2. `list` shows the labs, `gpus` the GPUs that can be simulated, "
    "`doctor` what is installed and what is "
    "missing, `ceiling` what the device can do at most: how fast it copies and multiplies, `conf` "
    "what is in a lab.conf: ./grade conf --help. "
    "`class` grades what a whole class handed in: ./grade class --help. "
    "`run` runs a CUDA program with a main of its own: ./grade run --help.\n"
    "Exit status: 0 full marks, 1 points lost, 2 the kit's or the machine's fault.",
    .children = NULL};

void request_parse(int argc, char **argv, struct request *request) {
  argp_parse(&argp, argc, argv, 0, NULL, request);
  output_check("--json", request->json);
  output_check("--html", request->html);
  output_check("--csv", request->csv);
  output_check("--timeline", request->trace);
  output_check("--roofline", request->roofline_file);
  output_check("--gradescope", request->gradescope);
}

bool request_may_print(const struct request *request) {
  return !request_is_stdout(request->json) && !request_is_stdout(request->html) &&
         !request_is_stdout(request->csv);
}
