/* option.c: values of command-line options, with a message that says what would be right. */
#include "grader/base/option.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

long option_whole(struct argp_state *state, const char *option, const char *argument, long min,
                  long max) {
  char *end;
  errno = 0;
  long value = strtol(argument, &end, 10);
  if (end == argument || *end || errno || value < min || value > max)
    argp_error(state, "%s: '%s' is not a whole number from %ld to %ld", option, argument, min, max);
  return value;
}

const char *option_word(struct argp_state *state, const char *option, const char *argument,
                        const char *const *words) {
  struct text list = {0};
  for (const char *const *word = words; *word; word++) {
    if (strcmp(argument, *word) == 0) {
      text_free(&list);
      return argument;
    }
    text_add(&list, "%s%s", list.length ? ", " : "", *word);
  }
  argp_error(state, "%s=%s: it is one of %s", option, argument, text_get(&list));
  return NULL; /* never: argp_error() ends the program */
}

uint64_t option_seed(struct argp_state *state, const char *argument) {
  return (uint64_t)option_whole(state, "--seed", argument, 0, INT64_MAX);
}

const char *option_backend(struct argp_state *state, const char *argument) {
  static const char *const backends[] = {"sim", "gpu", NULL};
  return option_word(state, "--backend", argument, backends);
}
