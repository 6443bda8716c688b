/* once.c: reads --dims, and prints what one run on these sizes did (show.h). */
#include "grader/show/show.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/show/card.h"

enum { MAX_DIM = 65536 };

/* "M=64,N=64,K=64", in any order, each once. */
static void read_dims(const struct problem *problem, const char *text, long *dims) {
  freed_by(text_free) struct text example = {0};
  for (int i = 0; i < problem->dim_count; i++)
    text_add(&example, "%s%s=64", i ? "," : "", problem->dims[i]);
  char *copy = xstrdup(text), *rest = copy, *word;
  while ((word = strsep(&rest, ", ")) != NULL) {
    if (!*word) continue;
    char *number = strchr(word, '='), *end = NULL;
    if (number) *number++ = '\0';
    int dim = 0;
    while (dim < problem->dim_count && strcmp(problem->dims[dim], word) != 0) dim++;
    if (!number || dim == problem->dim_count)
      die("--dims: '%s' is no dimension of %s; write %s", word, problem->name, text_get(&example));
    if (dims[dim]) die("--dims: %s is there twice", word);
    errno = 0;
    dims[dim] = strtol(number, &end, 10);
    if (errno || end == number || *end || dims[dim] < 1 || dims[dim] > MAX_DIM)
      die("--dims: %s=%s: a dimension is a whole number from 1 to %d", word, number, MAX_DIM);
  }
  for (int i = 0; i < problem->dim_count; i++)
    if (!dims[i]) die("--dims lacks %s; write %s", problem->dims[i], text_get(&example));
  free(copy);
}

struct conf once_conf(const struct conf *conf, const char *text, const char *like,
                      struct case_conf *entry) {
  struct conf once = *conf;
  *entry = (struct case_conf){.sets = 1, .show = true};
  if (like) entry->entry = conf->cases[conf_case(conf, like)].entry;
  const struct problem *problem = conf_family(conf, entry)->problem;
  read_dims(problem, text, entry->dims);
  struct text name = {0};
  for (int i = 0; i < problem->dim_count; i++)
    text_add(&name, "%s%s=%ld", i ? " " : "", problem->dims[i], entry->dims[i]);
  entry->name = name.data;
  once.cases = entry;
  once.case_count = 1;
  once.item_count = 0;
  once.baseline = NULL;
  once.sweep = (struct sweep_conf){0};
  return once;
}

int once_print(const struct screen *screen, const struct grade *grade) {
  const struct case_result *result = &grade->cases[0];
  bool right = result->state == CASE_RIGHT;
  screen_line(screen, BOLD, "%s, %s%s%s", grade->source->name, grade->lab->conf.cases[0].name,
              grade->device ? " on " : "", grade->device ? grade->device : "");
  table_print(screen, grade, true);
  for (int i = 0; i < grade->hazard_count; i++) {
    const struct hazard_record *hazard = &grade->hazards[i];
    if (strcmp(hazard->kind, "wrong") == 0) continue; /* the result shows it */
    autofree char *words = cause_hazard_words(grade, hazard);
    screen_wrap(screen, hazard->warning ? PLAIN : YELLOW, 2,
                hazard->warning ? "warning: " : "hazard: ", words);
    right = right && hazard->warning;
  }
  const char *reason = result->reason ? result->reason : "it does not build";
  if (result->state == CASE_RIGHT)
    screen_wrap(screen, GREEN, 2, "result: ", "right");
  else
    screen_wrap(screen, RED, 2, "result: wrong: ", reason);
  return right ? 0 : 1;
}
