/* dims.c: see dims.h. */
#include "grader/lab/dims.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int dims_find(const struct problem *problem, const char *name) {
  for (int i = 0; i < problem->dim_count; i++)
    if (strcmp(problem->dims[i], name) == 0) return i;
  return -1;
}

char *dims_value(const struct problem *problem, int i, long value) {
  const char *const *words = problem->words[i];
  return words ? xstrdup(words[value]) : xprintf("%ld", value);
}

char *dims_example(const struct problem *problem, const char *between) {
  struct text text = {0};
  for (int i = 0; i < problem->dim_count; i++)
    text_add(&text, "%s%s=%s", i ? between : "", problem->dims[i],
             problem->words[i] ? problem->words[i][0] : "64");
  return text_take(&text);
}

static char *set_word(const char *const *words, const char *value, long *to) {
  freed_by(text_free) struct text list = {0};
  for (int i = 0; words[i]; i++) {
    *to = i;
    if (strcmp(words[i], value) == 0) return NULL;
    text_add(&list, "%s%s", i ? ", " : "", words[i]);
  }
  return xprintf("'%s' is none of: %s", value, text_get(&list));
}

static char *set_number(long min, const char *value, long *to) {
  char *end;
  errno = 0;
  long number = strtol(value, &end, 10);
  *to = number;
  if (errno == 0 && end != value && !*end && number >= min && number <= PROBLEM_MAX_DIM)
    return NULL;
  return xprintf("'%s' is not a whole number from %ld to %d", value, min, PROBLEM_MAX_DIM);
}

char *dims_set(const struct problem *problem, const char *text, long *dims, int *which) {
  size_t length = strcspn(text, "=");
  for (int i = 0; i < problem->dim_count && text[length]; i++) {
    if (strncmp(problem->dims[i], text, length) != 0 || problem->dims[i][length]) continue;
    const char *value = text + length + 1;
    *which = i;
    return problem->words[i] ? set_word(problem->words[i], value, &dims[i])
                             : set_number(problem->from_0[i] ? 0 : 1, value, &dims[i]);
  }
  return xprintf("'%.*s' is not a dimension of %s, written as %s=17", (int)length, text,
                 problem->name, problem->dims[0]);
}
