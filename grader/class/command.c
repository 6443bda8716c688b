/* command.c: the options of ./grade class, and their help. */
#include "grader/class/command.h"

#include <argp.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/option.h"
#include "grader/base/text.h"
#include "grader/base/version.h"
#include "grader/class/engine/slurm.h"

const char *argp_program_version = "grade class " KIT_VERSION;

enum {
  OPTION_STATE = 256,
  OPTION_FORMAT,
  OPTION_POLICY,
  OPTION_DUE,
  OPTION_BACKEND,
  OPTION_ENGINE,
  OPTION_PREVIEW,
  OPTION_ACCEPT,
  OPTION_REGRADE,
  OPTION_AGAIN,
  OPTION_UNSAFE,
  OPTION_REPORT,
  OPTION_NAMES,
  OPTION_SIMILAR,
  OPTION_FEEDBACK,
  OPTION_DUMP,
  OPTION_LOG,
  OPTION_CANVAS,
  OPTION_COLUMN,
  OPTION_COLUMNS,
  OPTION_DECIMAL,
  OPTION_MOODLE,
  OPTION_JSONL,
  OPTION_SLURM,
  OPTION_CANCEL,
};

static const struct argp_option argp_options[] = {
    {NULL, 0, NULL, 0, "Reading", 1},
    {"lab", 'l', "LAB", 0, "The lab of files whose names do not show it", 1},
    {"roster", 'r', "FILE.csv", 0,
     "Who is in the class: columns id, login, name, email, section, in any common spelling", 1},
    {"columns", OPTION_COLUMNS, "WHAT=HEADING", 0,
     "Which column of the roster, or of a table to fill, is meant where its heading is not "
     "recognised; WHAT: id, sis, login, email, github, canvas, moodle, name, first, last, section, "
     "submitted, grade, max, feedback",
     1},
    {"format", OPTION_FORMAT, "FORMAT", 0,
     "folder, canvas, moodle or gradescope (default: recognised by the names of files)", 1},
    {"policy", OPTION_POLICY, "last|best", 0, "Which of several attempts counts (default: last)",
     1},
    {"due", OPTION_DUE, "TIME", 0,
     "Later submissions are late: 2026-01-31, 2026-01-31T23:59 (local time) or with Z (UTC)", 1},
    {NULL, 0, NULL, 0, "Grading", 2},
    {"jobs", 'j', "N", 0, "Gradings at a time (default: one per core)", 2},
    {"seed", 's', "N", 0, "Make everybody's inputs from this number; kept for later runs", 2},
    {"backend", OPTION_BACKEND, "sim|gpu", 0, "Where to measure times (default: sim)", 2},
    {"engine", OPTION_ENGINE, "local|slurm", 0,
     "Grade on this machine, or on a cluster's nodes through sbatch: docs/slurm.md", 2},
    {"slurm", OPTION_SLURM, "OPTION", 0,
     "Pass an option to sbatch: --slurm partition=gpu --slurm gres=gpu:1; array-limit=N: at most N "
     "tasks at a time",
     2},
    {"cancel", OPTION_CANCEL, NULL, 0,
     "Remove from Slurm's queue what an earlier run left there; grades nothing", 2},
    {"preview", OPTION_PREVIEW, NULL, 0,
     "List the grades that a changed lab.conf or kit would change, and why; changes none", 2},
    {"accept", OPTION_ACCEPT, NULL, 0, "Make the changes that the preview listed", 2},
    {"regrade", OPTION_REGRADE, NULL, 0,
     "Preview with everything scored again from what was measured", 2},
    {"again", OPTION_AGAIN, NULL, 0,
     "Preview with everything run again that another lab.conf or kit graded", 2},
    {"unsafe", OPTION_UNSAFE, NULL, 0, "Grade even where nothing confines submissions", 2},
    {NULL, 0, NULL, 0, "Writing", 3},
    {"state", OPTION_STATE, "DIR", 0,
     "Where gradebook, report and feedback are kept (default: DIR/grades, ZIP.grades)", 3},
    {"report", OPTION_REPORT, NULL, 0, "Write a page about the class, with charts", 3},
    {"names", OPTION_NAMES, NULL, 0, "Show names instead of pseudonyms on that page", 3},
    {"feedback", OPTION_FEEDBACK, NULL, 0, "Write a page and a text for every student", 3},
    {"similar", OPTION_SIMILAR, "PERCENT", OPTION_ARG_OPTIONAL,
     "List submissions that a person should compare: pairs of kernels that are at least PERCENT "
     "alike (default: 90), both ways",
     3},
    {"canvas", OPTION_CANVAS, "FILE.csv", 0,
     "Fill a column of a Canvas gradebook export, into FILE.graded.csv", 3},
    {"column", OPTION_COLUMN, "NAME", 0,
     "Which column that is (default: the one named after the lab)", 3},
    {"decimal", OPTION_DECIMAL, "comma|point", 0,
     "The decimal sign of these tables, where their numbers do not show it", 3},
    {"moodle", OPTION_MOODLE, "FILE.csv", 0,
     "Fill a Moodle grading worksheet, into FILE.graded.csv; or make one", 3},
    {"jsonl", OPTION_JSONL, "FILE", 0, "Write a line of JSON for every attempt; -: to stdout", 3},
    {"dump", OPTION_DUMP, NULL, 0,
     "Print the gradebook as text, without clock times, to compare two; grades nothing", 3},
    {"log", OPTION_LOG, "STUDENT", 0,
     "Print every change of a student's grades: when, why, and what it was; grades nothing", 3},
    {0},
};

static void add_slurm(struct class_options *options, const char *word, struct argp_state *state) {
  char *wrong = slurm_option_error(word);
  if (wrong) argp_error(state, "--slurm %s", wrong);
  if (options->slurm_count == sizeof options->slurm / sizeof *options->slurm)
    argp_error(state, "too many --slurm");
  options->slurm[options->slurm_count++] = word;
}

static void add_columns(struct class_options *options, const char *word, struct argp_state *state) {
  static const char *const keys[] = {"id",      "sis",       "login", "email", "github",
                                     "canvas",  "moodle",    "name",  "first", "last",
                                     "section", "submitted", "grade", "max",   "feedback"};
  size_t length = strcspn(word, "="), count = sizeof keys / sizeof *keys, i = 0;
  while (i < count && !(strlen(keys[i]) == length && strncmp(keys[i], word, length) == 0)) i++;
  if (i == count || !word[length] || !word[length + 1])
    argp_error(state, "--columns %s: write WHAT=HEADING, as in name='Full name'", word);
  if (options->columns_count == sizeof options->columns / sizeof *options->columns)
    argp_error(state, "too many --columns");
  options->columns[options->columns_count++] = word;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  static const char *const formats[] = {"folder", "canvas", "moodle", "gradescope", NULL};
  static const char *const policies[] = {"last", "best", NULL};
  static const char *const engines[] = {"local", "slurm", NULL};
  static const char *const decimals[] = {"comma", "point", NULL};
  struct class_options *options = state->input;
  switch (key) {
    case 'l':
      options->lab = argument;
      break;
    case 'r':
      options->roster = argument;
      break;
    case 'j':
      options->jobs = (int)option_whole(state, "--jobs", argument, 1, INT_MAX);
      break;
    case 's':
      options->seed = option_seed(state, argument);
      options->seeded = true;
      break;
    case OPTION_FORMAT:
      options->format = option_word(state, "--format", argument, formats);
      break;
    case OPTION_POLICY:
      options->policy = option_word(state, "--policy", argument, policies);
      break;
    case OPTION_BACKEND:
      options->backend = option_backend(state, argument);
      break;
    case OPTION_ENGINE:
      options->engine = option_word(state, "--engine", argument, engines);
      break;
    case OPTION_STATE:
      options->state = argument;
      break;
    case OPTION_DUE:
      options->due = argument;
      break;
    case OPTION_PREVIEW:
      options->preview = true;
      break;
    case OPTION_ACCEPT:
      options->accept = true;
      break;
    case OPTION_LOG:
      options->log = argument;
      break;
    case OPTION_REGRADE:
      options->regrade = true;
      break;
    case OPTION_AGAIN:
      options->again = true;
      break;
    case OPTION_UNSAFE:
      options->unsafe = true;
      break;
    case OPTION_REPORT:
      options->report = true;
      break;
    case OPTION_NAMES:
      options->names = true;
      break;
    case OPTION_SIMILAR:
      options->similar = true;
      options->similar_percent =
          argument ? (int)option_whole(state, "--similar", argument, 1, 100) : 90;
      break;
    case OPTION_FEEDBACK:
      options->feedback = true;
      break;
    case OPTION_DUMP:
      options->dump = true;
      break;
    case OPTION_CANVAS:
      options->canvas = argument;
      break;
    case OPTION_COLUMN:
      options->column = argument;
      break;
    case OPTION_COLUMNS:
      add_columns(options, argument, state);
      break;
    case OPTION_DECIMAL:
      options->decimal = option_word(state, "--decimal", argument, decimals);
      break;
    case OPTION_MOODLE:
      options->moodle = argument;
      break;
    case OPTION_JSONL:
      options->jsonl = argument;
      break;
    case OPTION_SLURM:
      add_slurm(options, argument, state);
      break;
    case OPTION_CANCEL:
      options->cancel = true;
      break;
    case ARGP_KEY_ARG:
      if (options->from)
        argp_error(state, "one folder or zip at a time: '%s' is one too many", argument);
      options->from = argument;
      break;
    case ARGP_KEY_END:
      if (!options->from) argp_usage(state);
      if (options->regrade && options->again)
        argp_error(state, "--regrade and --again cannot be combined");
      if (options->column && !options->canvas) argp_error(state, "--column is for --canvas");
      break;
    default:
      return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp argp = {
    argp_options,
    parse_option,
    "DIR|FILE.zip",
    "Grades what a whole class handed in: a folder with a folder, file or zip for every student, "
    "or the zip that Canvas, Moodle or Gradescope offers for download.\vRun again, the same "
    "command continues where it stopped, and grades what is new. An archive that looks hostile is "
    "never extracted, only reported.\nExit status: 0 everything is graded, 1 something could not "
    "be read or graded (listed), 2 the kit's or the machine's fault.",
    NULL,
    NULL,
    NULL};

const char command_incomplete[] =
    "./grade class needs more packages: run ./setup --class to install them.";

void command_parse(int argc, char **argv, bool incomplete, struct class_options *options) {
  *options = (struct class_options){0};
  argp_err_exit_status = 2;
  char name[] = "./grade class";
  argv[0] = name;
  struct argp parser = argp;
  if (incomplete) parser.doc = xprintf("%s\n%s", argp.doc, command_incomplete);
  argp_parse(&parser, argc, argv, 0, NULL, options);
  if (!options->backend) options->backend = "sim";
  if (!options->engine) options->engine = "local";
  if (!options->jobs) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    options->jobs = cores > 0 ? (int)cores : 1;
  }
}
