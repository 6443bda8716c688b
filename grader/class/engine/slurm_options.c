/* slurm_options.c: checks options that are passed to sbatch. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/class/engine/slurm.h"

static const char ARRAY_LIMIT[] = "array-limit=";

/* Those that are ours, that do not submit, or that send a job where squeue does not find it. */
static const char *const not_allowed[] = {"array",    "clusters",   "cluster-constraint",
                                          "error",    "help",       "input",
                                          "job-name", "no-requeue", "open-mode",
                                          "output",   "parsable",   "test-only",
                                          "usage",    "version",    "wait",
                                          "wrap"};
static const char letters_not_allowed[] = "aMeiJoWVh";

/* Or -1. */
static int array_limit(const char *word) {
  char *end;
  long number = strtol(word + strlen(ARRAY_LIMIT), &end, 10);
  return !*end && number >= 1 && number <= 1000000 ? (int)number : -1;
}

static bool is_array_limit(const char *word) {
  return strncmp(word, ARRAY_LIMIT, strlen(ARRAY_LIMIT)) == 0;
}

char *slurm_option_error(const char *word) {
  if (is_array_limit(word))
    return array_limit(word) > 0 ? NULL : xprintf("'%s': not a number of tasks", word);
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

struct slurm_options *slurm_options_make(const char *const *words, int count) {
  struct slurm_options *options = xcalloc(1, sizeof *options);
  const char **kept = xcalloc((size_t)count + 1, sizeof *kept);
  for (int i = 0; i < count; i++) {
    char *wrong = slurm_option_error(words[i]);
    if (wrong) die("an option for Slurm: %s", wrong);
    if (is_array_limit(words[i])) {
      options->at_once = array_limit(words[i]);
    } else {
      kept[options->count++] = words[i];
    }
  }
  options->words = kept;
  return options;
}

void slurm_options_free(struct slurm_options *options) {
  if (options) free((void *)options->words);
  free(options);
}
