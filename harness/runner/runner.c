/* runner.c: the program that runs a student's solution: build/sim/lab2.
 *
 *     build/sim/lab2 M=64 N=64 K=64    by hand: makes inputs, calls the student, tells (by_hand.c)
 *     build/sim/lab4 --entry transpose_padded       where a file has several functions
 *     build/sim/lab2 --calls           for the grader on the simulator, whose device has the jobs
 * (calls.c) build/gpu/lab2 --job             for the grader on a GPU: jobs in, reports out (jobs.c)
 *
 * Exit status: 0, 1 if by hand the result is wrong or a call failed, 2 for a fault of the kit or of
 * the machine. The student's code runs in this process: nothing it does to it can hurt more than
 * its own grade.
 */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/problems/problem.h"
#include "harness/runner/by_hand.h"
#include "harness/runner/call.h"
#include "harness/runner/calls.h"
#include "harness/runner/jobs.h"

/* NAME=VALUE, a dimension of the problem. */
static void parse_dim(const char *text, struct argp_state *state, struct by_hand *options) {
  const char *equals = strchr(text, '=');
  for (int i = 0; equals && i < kit_problem->dim_count; i++) {
    size_t length = strlen(kit_problem->dims[i]);
    if ((size_t)(equals - text) != length || strncmp(text, kit_problem->dims[i], length) != 0)
      continue;
    char *end;
    errno = 0;
    long value = strtol(equals + 1, &end, 10);
    if (errno || end == equals + 1 || *end || value < 1 || value > 65536)
      argp_error(state, "%s: a dimension is a whole number from 1 to 65536", text);
    options->dims[i] = (int)value;
    return;
  }
  char known[128] = "";
  for (int i = 0; i < kit_problem->dim_count; i++)
    snprintf(known + strlen(known), sizeof known - strlen(known), " %s=..", kit_problem->dims[i]);
  argp_error(state, "%s: not an argument; the dimensions are%s", text, known);
}

struct arguments {
  int (*run)(void); /* for the grader; NULL: by hand */
  struct by_hand by_hand;
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  struct arguments *arguments = state->input;
  struct by_hand *options = &arguments->by_hand;
  char *end;
  switch (key) {
    case 'j':
      arguments->run = jobs_run;
      return 0;
    case 'c':
      arguments->run = calls_run;
      return 0;
    case 'e':
      options->function = entry_find(argument);
      if (!options->function)
        argp_error(state, "--entry=%s: the file has no such function", argument);
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
          "Runs one solution by hand: makes inputs, calls it once, prints every launch with its "
          "counters, what the checks found, and whether the result is right.\v"
          "Example: M=100 N=64 K=17 (what is left out is 64).\n"
          "To grade, use ./grade.",
  };
  struct arguments arguments = {.by_hand = {.seed = 1, .function = kit_entries[0]}};
  struct by_hand *by_hand = &arguments.by_hand;
  for (int i = 0; i < PROBLEM_MAX_DIMS; i++) by_hand->dims[i] = 64;
  argp_err_exit_status = 2;
  argp_parse(&parser, argc, argv, 0, NULL, &arguments);
  if (!arguments.run) return by_hand->rounds ? by_hand_time(by_hand) : by_hand_run(by_hand);
  int status = arguments.run();
  fflush(stdout);
  _exit(status); /* nothing more is wanted: nothing of the submission's runs now */
}
