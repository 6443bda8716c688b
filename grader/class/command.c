/* command.c: the options of ./grade class, and their help. */
#include "grader/class/command.h"

#include <argp.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/option.h"
#include "grader/base/text.h"
#include "grader/base/version.h"
#include "grader/class/engine/slurm.h"

const char *argp_program_version = "grade class " KIT_VERSION;

/* Keys of the options that only set a string, or a flag, of struct class_options. */
enum { STRINGS = 0x1000, FLAGS = 0x2000 };
#define STRING(field) (STRINGS + (int)offsetof(struct class_options, field))
#define FLAG(field) (FLAGS + (int)offsetof(struct class_options, field))
enum { OPTION_COLUMNS = 256, OPTION_SIMILAR, OPTION_SLURM, OPTION_GPU };

static const struct argp_option argp_options[] = {
    {NULL, 0, NULL, 0, "Reading"},
    {"lab", 'l', "LAB", 0, "The lab of files whose names do not show it"},
    {"roster", 'r', "FILE.csv", 0,
     "Who is in the class: columns id, login, name, email, section, in any common spelling"},
    {"columns", OPTION_COLUMNS, "WHAT=HEADING", 0,
     "Which column of the roster, or of a table to fill, is meant where its heading is not "
     "recognised; WHAT: id, sis, login, email, github, canvas, moodle, name, first, last, section, "
     "submitted, grade, max, feedback"},
    {"format", STRING(format), "FORMAT", 0,
     "folder, canvas, moodle or gradescope (default: recognised by the names of files)"},
    {"policy", STRING(policy), "last|best", 0, "Which of several attempts counts (default: last)"},
    {"due", STRING(due), "TIME", 0,
     "Later submissions are late: 2026-01-31, 2026-01-31T23:59 (local time) or with Z (UTC)"},
    {NULL, 0, NULL, 0, "Grading"},
    {"jobs", 'j', "N", 0,
     "Gradings at a time (default: 5 for every 4 cores, as each has to wait at times)"},
    {"seed", 's', "N", 0, "Make everybody's inputs from this number; kept for later runs"},
    {"backend", STRING(backend), "sim|gpu", 0, "Where to measure times (default: sim)"},
    {"gpu", OPTION_GPU, "NAME", OPTION_HIDDEN, NULL, 0},
    {"engine", STRING(engine), "local|slurm", 0,
     "Grade on this machine, or on a cluster's nodes through sbatch: docs/slurm.md"},
    {"slurm", OPTION_SLURM, "OPTION", 0,
     "Pass an option to sbatch: --slurm partition=gpu --slurm gres=gpu:1; array-limit=N: at most N "
     "tasks at a time"},
    {"cancel", FLAG(cancel), NULL, 0,
     "Remove from Slurm's queue what an earlier run left there; grades nothing"},
    {"preview", FLAG(preview), NULL, 0,
     "List the grades that a changed lab.conf or kit would change, and why; changes none"},
    {"accept", FLAG(accept), NULL, 0, "Make the changes that the preview listed"},
    {"regrade", FLAG(regrade), NULL, 0,
     "Preview with everything scored again from what was measured"},
    {"again", FLAG(again), NULL, 0,
     "Preview with everything run again that another lab.conf or kit graded"},
    {"unsafe", FLAG(unsafe), NULL, 0, "Grade even where nothing confines submissions"},
    {NULL, 0, NULL, 0, "Writing"},
    {"state", STRING(state), "DIR", 0,
     "Where gradebook, report and feedback are kept (default: DIR/grades, ZIP.grades)"},
    {"report", FLAG(report), NULL, 0, "Write a page about the class, with charts"},
    {"names", FLAG(names), NULL, 0, "Show names instead of pseudonyms on that page"},
    {"feedback", FLAG(feedback), NULL, 0, "Write a page and a text for every student"},
    {"similar", OPTION_SIMILAR, "PERCENT", OPTION_ARG_OPTIONAL,
     "List submissions that a person should compare: pairs of kernels that are at least PERCENT "
     "alike (default: 90), both ways"},
    {"canvas", STRING(canvas), "FILE.csv", 0,
     "Fill a column of a Canvas gradebook export, into FILE.graded.csv"},
    {"column", STRING(column), "NAME", 0,
     "Which column that is (default: the one named after the lab)"},
    {"decimal", STRING(decimal), "comma|point", 0,
     "The decimal sign of these tables, where their numbers do not show it"},
    {"moodle", STRING(moodle), "FILE.csv", 0,
     "Fill a Moodle grading worksheet, into FILE.graded.csv; or make one"},
    {"jsonl", STRING(jsonl), "FILE", 0, "Write a line of JSON for every attempt; -: to stdout"},
    {"dump", FLAG(dump), NULL, 0,
     "Print the gradebook as text, without clock times, to compare two; grades nothing"},
    {"log", STRING(log), "STUDENT", 0,
     "Print every change of a student's grades: when, why, and what it was; grades nothing"},
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

/* The argument, which is one of an option's words, if it takes only some. */
static const char *check_word(int key, const char *argument, struct argp_state *state) {
  static const struct {
    int key;
    const char *option, *words[5];
  } choices[] = {{STRING(format), "--format", {"folder", "canvas", "moodle", "gradescope"}},
                 {STRING(policy), "--policy", {"last", "best"}},
                 {STRING(backend), "--backend", {"sim", "gpu"}},
                 {STRING(engine), "--engine", {"local", "slurm"}},
                 {STRING(decimal), "--decimal", {"comma", "point"}}};
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
    if (choices[i].key == key) option_word(state, choices[i].option, argument, choices[i].words);
  return argument;
}

/* Grades of a class must not differ by the GPU that somebody had chosen that day. */
static const char one_gpu[] =
    "%s is for gradings of one's own: a class is graded on one simulated GPU, an H100";

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  struct class_options *options = state->input;
  if (key >= FLAGS && key < FLAGS + (int)sizeof *options) {
    *(bool *)((char *)options + key - FLAGS) = true;
    return 0;
  }
  if (key >= STRINGS && key < STRINGS + (int)sizeof *options) {
    *(const char **)((char *)options + key - STRINGS) = check_word(key, argument, state);
    return 0;
  }
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
    case OPTION_SIMILAR:
      options->similar = true;
      options->similar_percent =
          argument ? (int)option_whole(state, "--similar", argument, 1, 100) : 90;
      break;
    case OPTION_COLUMNS:
      add_columns(options, argument, state);
      break;
    case OPTION_SLURM:
      add_slurm(options, argument, state);
      break;
    case OPTION_GPU:
      argp_error(state, one_gpu, "--gpu");
      break;
    case ARGP_KEY_ARG:
      if (options->from)
        argp_error(state, "one folder or zip at a time: '%s' is one too many", argument);
      options->from = argument;
      break;
    case ARGP_KEY_END:
      if (!options->from) argp_usage(state);
      if (getenv("KIT_SIM_GPU")) argp_error(state, one_gpu, "KIT_SIM_GPU");
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
  /* A grading waits for a fifth of its time, while the kernel makes and clears away sandboxes. */
  int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
  *options = (struct class_options){
      .backend = "sim", .engine = "local", .jobs = cores > 0 ? cores + (cores + 3) / 4 : 1};
  argp_err_exit_status = 2;
  char name[] = "./grade class";
  argv[0] = name;
  struct argp parser = argp;
  if (incomplete) parser.doc = xprintf("%s\n%s", argp.doc, command_incomplete);
  argp_parse(&parser, argc, argv, 0, NULL, options);
}
