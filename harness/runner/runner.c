/* runner.c: the program that runs a student's solution: build/sim/lab2.
 *
 *     build/sim/lab2 --calls                     for the grader on the simulator: calls (calls.c)
 *     build/gpu/lab2 --job                       for the grader on a GPU: jobs, reports (jobs.c)
 *     build/gpu/lab2 --time=40 M=64 N=64 K=64    times one function; prints a table of one row
 *     ... --entry transpose_padded               where a file has several functions
 *
 * Exit status: 0, 1 if a timed call failed, 2 for a fault of the kit or of the machine. The
 * student's code runs in this process: whatever it does there can only hurt its own grade.
 */
#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/backend.h"
#include "harness/base/job.h"
#include "harness/base/statistics.h"
#include "harness/problems/problem.h"
#include "harness/runner/calls.h"
#include "harness/runner/timing.h"

struct options {
  int (*run)(void);              /* for the grader; NULL: time it */
  const struct kit_entry *entry; /* of the student's */
  long dims[PROBLEM_MAX_DIMS];
  unsigned long seed;
  int rounds; /* of timing */
};

/* Times the function and prints a table of one row. */
static int time_function(const struct options *options) {
  struct timing_request request = {.problem = options->entry->problem,
                                   .dims = options->dims,
                                   .timed = {{"submission", options->entry->function}},
                                   .count = 1,
                                   .max_rounds = options->rounds,
                                   .seed = options->seed};
  const char *error;
  int blame;
  json_t *result = timing_run(&request, &error, &blame), *value;
  if (!result) {
    printf("result: %s\n", error);
    return 1;
  }
  json_t *events = json_object_get(json_array_get(json_object_get(result, "timed"), 0), "event_ns");
  double *ns = calloc(json_array_size(events) + 1, sizeof *ns), sum = 0, squares = 0;
  size_t i, count = json_array_size(events);
  if (!ns) kit_die("out of memory for the times");
  json_array_foreach (events, i, value) sum += ns[i] = json_number_value(value);
  for (i = 0; i < count; i++)
    squares += (ns[i] - sum / (double)count) * (ns[i] - sum / (double)count);
  struct interval median = median_interval(ns, (int)count);
  puts("median_ns\tdeviation_ns\tlow_ns\thigh_ns\trounds\tcalls_a_round\tdevice");
  printf("%.0f\t%.0f\t%.0f\t%.0f\t%zu\t%d\t%s\n", median.median,
         count > 1 ? sqrt(squares / (double)(count - 1)) : 0, median.low, median.high, count,
         (int)json_integer_value(json_object_get(result, "batch")), backend_device());
  free(ns);
  json_decref(result);
  return 0;
}

/* The value of dimension i, a number or one of its words; -1: it is none. */
static long parse_value(const struct problem *problem, int i, const char *text) {
  for (int word = 0; problem->words[i] && problem->words[i][word]; word++)
    if (strcmp(problem->words[i][word], text) == 0) return word;
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10), least = problem->from_0[i] ? 0 : 1;
  bool good = !problem->words[i] && !errno && end != text && !*end && value >= least &&
              value <= PROBLEM_MAX_DIM;
  return good ? value : -1;
}

/* NAME=VALUE, a dimension of the problem. */
static void parse_dim(const char *text, struct argp_state *state, struct options *options) {
  const struct problem *problem = options->entry->problem;
  const char *equals = strchr(text, '=');
  for (int i = 0; equals && i < problem->dim_count; i++) {
    size_t length = strlen(problem->dims[i]);
    if ((size_t)(equals - text) != length || strncmp(text, problem->dims[i], length) != 0) continue;
    options->dims[i] = parse_value(problem, i, equals + 1);
    if (options->dims[i] < 0)
      argp_error(state, "%s: a dimension is a whole number from 1 to %d, or a word", text,
                 PROBLEM_MAX_DIM);
    return;
  }
  char known[128] = "";
  for (int i = 0; i < problem->dim_count; i++)
    snprintf(known + strlen(known), sizeof known - strlen(known), " %s=..", problem->dims[i]);
  argp_error(state, "%s: not an argument; the dimensions are%s", text, known);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  struct options *options = state->input;
  char *end;
  switch (key) {
    case 'j':
      options->run = jobs_run;
      return 0;
    case 'c':
      options->run = calls_run;
      return 0;
    case 'e':
      options->entry = entry_find(argument);
      if (!options->entry) argp_error(state, "--entry=%s: the file has no such function", argument);
      return 0;
    case 't':
      options->rounds = argument ? atoi(argument) : 20;
      if (options->rounds < 1 || options->rounds > 10000)
        argp_error(state, "--time=%s: not a number of rounds", argument);
      return 0;
    case 's':
      options->seed = strtoul(argument, &end, 10);
      if (end == argument || *end) argp_error(state, "--seed=%s: not a number", argument);
      return 0;
    case ARGP_KEY_ARG:
      parse_dim(argument, state, options);
      return 0;
    case ARGP_KEY_END:
      if (!options->run && !options->rounds)
        argp_error(state, "--time is missing; one run with counters: ./grade LAB --dims");
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

int main(int argc, char **argv) {
  static const struct argp_option list[] = {
      {"job", 'j', NULL, 0, "Run jobs of the grader (descriptors 3 and 4)", 0},
      {"calls", 'c', NULL, 0, "Make the calls that a simulated device asks for (descriptor 5)", 0},
      {"entry", 'e', "NAME", 0, "Call this function of the file (default: the lab's first)", 0},
      {"time", 't', "ROUNDS", OPTION_ARG_OPTIONAL,
       "Time it so many rounds (default 20) and print a table; results are not checked", 0},
      {"seed", 's', "N", 0, "Other inputs for another N (default 1)", 0},
      {0},
  };
  static const struct argp parser = {
      .options = list,
      .parser = parse_option,
      .args_doc = "[DIMENSION=N...]",
      .doc =
          "Times one function of a solution by itself, with inputs made here.\v"
          "Example: --time M=100 N=64 K=17 (what is left out is 64).\n"
          "To grade, use ./grade.",
  };
  struct options options = {.seed = 1, .entry = kit_entries};
  for (int i = 0; i < PROBLEM_MAX_DIMS; i++) options.dims[i] = 64;
  argp_err_exit_status = 2;
  argp_parse(&parser, argc, argv, 0, NULL, &options);
  if (!options.run) return time_function(&options);
  int status = options.run();
  fflush(stdout);
  _exit(status); /* without running any more code of the submission */
}
