/* once.c: reads --dims, and prints what one run on these sizes did (show.h). */
#include "grader/show/show.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/lab/dims.h"
#include "grader/lab/metric.h"
#include "grader/show/card.h"

/* "M=64,N=64,K=64", in any order, each once. */
static void read_dims(const struct problem *problem, const char *text, long *dims) {
  autofree char *example = dims_example(problem, ","), *copy = xstrdup(text);
  bool given[PROBLEM_MAX_DIMS] = {false};
  char *rest = copy, *word;
  while ((word = strsep(&rest, ", ")) != NULL) {
    int dim = 0;
    autofree char *error = *word ? dims_set(problem, word, dims, &dim) : NULL;
    if (error) die("--dims: %s: %s; write %s", word, error, example);
    if (*word && given[dim]) die("--dims: %s is there twice", problem->dims[dim]);
    given[dim] |= *word != '\0';
  }
  for (int i = 0; i < problem->dim_count; i++)
    if (!given[i]) die("--dims lacks %s; write %s", problem->dims[i], example);
}

/* Arrays that a case may not allocate are not made either. */
static void check_size(const struct conf *conf, const struct case_conf *entry) {
  double bytes = family_bytes(conf_family(conf, entry), entry->dims);
  if (bytes > (double)conf->memory_limit * 0x1p20)
    die("--dims: these arrays take %.0f MiB, and %ld are allowed (memory_limit in lab.conf)",
        bytes * 0x1p-20, conf->memory_limit);
}

struct conf once_conf(const struct conf *conf, const char *text, const char *like,
                      struct case_conf *entry) {
  struct conf once = *conf;
  *entry = (struct case_conf){.sets = 1, .show = true};
  if (like) entry->entry = conf->cases[conf_case(conf, like)].entry;
  const struct problem *problem = conf_family(conf, entry)->problem;
  read_dims(problem, text, entry->dims);
  check_size(conf, entry);
  struct text name = {0};
  for (int i = 0; i < problem->dim_count; i++) {
    autofree char *value = dims_value(problem, i, entry->dims[i]);
    text_add(&name, "%s%s=%s", i ? " " : "", problem->dims[i], value);
  }
  entry->name = name.data;
  once.cases = entry;
  once.case_count = 1;
  once.item_count = 0;
  once.baseline = NULL;
  once.sweep = (struct sweep_conf){0};
  once.series_count = 0;
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
  double ns = metric_value(metric_find("time_ns"), &result->totals);
  if (result->state == CASE_RIGHT && ns > 0) {
    autofree char *time = xprintf("%.2f us modelled", ns / 1000);
    screen_wrap(screen, PLAIN, 2, "time of the call: ", time);
  }
  const char *reason = result->reason ? result->reason : "it does not build";
  if (result->state == CASE_RIGHT)
    screen_wrap(screen, GREEN, 2, "result: ", "right");
  else
    screen_wrap(screen, RED, 2, "result: wrong: ", reason);
  return right ? 0 : 1;
}
