/* slurm_options.c: checks options that are passed to sbatch. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/class/engine/slurm.h"

/* Those that are ours, that do not submit, or that send a job where squeue does not find it. */
static const char *const not_allowed[] = {"array",    "clusters",   "cluster-constraint",
                                          "error",    "help",       "input",
                                          "job-name", "no-requeue", "open-mode",
                                          "output",   "parsable",   "test-only",
                                          "usage",    "version",    "wait",
                                          "wrap"};
static const char letters_not_allowed[] = "aMeiJoWVh";

int slurm_array_limit(const char *word) {
  static const char name[] = "array-limit=";
  if (strncmp(word, name, strlen(name)) != 0) return 0;
  char *end;
  long number = strtol(word + strlen(name), &end, 10);
  return !*end && number >= 1 && number <= 1000000 ? (int)number : -1;
}

char *slurm_option_error(const char *word) {
  int limit = slurm_array_limit(word);
  if (limit) return limit > 0 ? NULL : xprintf("'%s': not a number of tasks", word);
  bool letter = word[0] == '-' && word[1] != '-';
  const char *name = strncmp(word, "--", 2) == 0 ? word + 2 : letter ? word + 1 : word;
  if (!*name || *name == '=' || *name == '-' || strpbrk(name, " \t\n") == name)
    return xprintf(
        "'%s' is not an option: write each of sbatch's options as one word, such as gres=gpu:1",
        word);
  bool taken = letter && strchr(letters_not_allowed, *name);
  size_t length = strcspn(name, "=");
  for (size_t i = 0; i < sizeof not_allowed / sizeof *not_allowed && !letter; i++)
    taken =
        taken || strncmp(not_allowed[i], name, length) == 0; /* sbatch takes shortened ones, too */
  if (taken)
    return xprintf(
        "'%s': the kit sets this option of sbatch itself, or could not find its jobs with it",
        word);
  return NULL;
}
