/* conf_check.c: whether what was read is a lab that can be graded. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "grader/lab/conf_keys.h"
#include "grader/lab/dims.h"
#include "grader/lab/metric.h"

/* "[item ID]: words" */
__attribute__((format(printf, 3, 4))) static void fail_item(struct conf_file *file,
                                                            const struct item_conf *item,
                                                            const char *format, ...) {
  va_list args;
  va_start(args, format);
  autofree char *words = xvprintf(format, args);
  va_end(args);
  conf_fail(file, item->line, "[item %s]: %s", item->id, words);
}

/* `full` and `zero` are two ends of a slope. */
static void check_ends(struct conf_file *file, const struct item_conf *item,
                       const struct threshold *full, const struct threshold *zero) {
  if (!zero->given) return;
  if (zero->at_least == full->at_least ||
      (full->at_least ? zero->value >= full->value : zero->value <= full->value))
    fail_item(file, item, "full and zero must point away from each other, as <= 4 and >= 16");
  else if (item->scale == SCALE_LOG && (full->value <= 0 || zero->value <= 0))
    fail_item(file, item, "on a log scale full and zero must be above 0");
}

/* The second threshold of an item that is measured lies beyond the first. A time has steps, or a
 * slope over its logarithm: evenly over the time itself, each percent of noise would be a point. */
static void check_second(struct conf_file *file, const struct item_conf *item) {
  const struct threshold *full = &item->full, *zero = &item->zero, *half = &item->half;
  if (item->scale == SCALE_LOG && !zero->given)
    fail_item(file, item, "'scale = log' needs 'zero', where no points are earned");
  else if (item->class == ITEM_PERFORMANCE && zero->given && item->scale != SCALE_LOG)
    fail_item(file, item,
              "a time earns all points, half of them or none: give 'half', up to which it is half; "
              "or 'zero' with 'scale = log'");
  else if (half->given && zero->given)
    fail_item(file, item, "give 'half' or 'zero', not both");
  check_ends(file, item, full, zero);
  if (half->given && (half->at_least != full->at_least ||
                      (full->at_least ? half->value >= full->value : half->value <= full->value)))
    fail_item(file, item, "half must point as full does, and be easier: <= 1.5 and <= 3");
}

/* Does item `from` need item `to`, itself or through others? depth: of items on the way. */
static bool leads_to(const struct conf *conf, int from, int to, int depth) {
  const struct item_conf *item = &conf->items[from];
  for (int i = 0; i < item->need_count && depth < conf->item_count; i++) {
    int next = conf_item(conf, item->needs[i]);
    if (next == to || (next >= 0 && leads_to(conf, next, to, depth + 1))) return true;
  }
  return false;
}

static void check_needs(struct conf_file *file, const struct conf *conf,
                        const struct item_conf *item) {
  for (int i = 0; i < item->need_count; i++) {
    if (conf_item(conf, item->needs[i]) < 0)
      fail_item(file, item, "'needs' names %s, but there is no [item %s]", item->needs[i],
                item->needs[i]);
  }
  int own = (int)(item - conf->items);
  if (leads_to(conf, own, own, 0)) fail_item(file, item, "'needs' leads back to this item");
}

/* What is counted or timed is also checked: a kernel that is wrong there alone must not gain. */
static void check_is_checked(struct conf_file *file, const struct conf *conf,
                             const struct item_conf *item) {
  for (int i = 0; i < conf->item_count; i++)
    for (int k = 0; k < conf->items[i].case_count; k++)
      if (strcmp(conf->items[i].cases[k], item->case_name) == 0) return;
  conf_fail(
      file, item->line,
      "[item %s] measures case %s, which no correctness item checks: add it to the 'cases' of "
      "one",
      item->id, item->case_name);
}

/* Are all keys there that are required, and none that is another class of items'? */
static void check_keys(struct conf_file *file, enum conf_section section, const void *values,
                       int item_class, const char *name, int line) {
  for (const struct conf_key *key = conf_keys; key->name; key++) {
    if (key->section != section) continue;
    bool given = conf_key_given(key, values), applies = conf_key_applies(key, item_class);
    if (key->required && applies && !given)
      conf_fail(file, line, "%s lacks '%s'", name, key->name);
    else if (given && !applies && key->other_class)
      conf_fail(file, line, "%s: %s", name, key->other_class);
    else if (given && !applies)
      conf_fail(file, line, "%s: an item of class %s has no '%s'", name,
                item_class_names[item_class], key->name);
  }
}

static void fail_metric(struct conf_file *file, int line, const char *section, const char *id,
                        const char *name) {
  const char *guess = metric_guess(name);
  conf_fail(file, line, "[%s %s]: there is no metric '%s'%s%s%s", section, id, name,
            guess ? "; did you mean '" : "", guess ? guess : "", guess ? "'?" : "");
}

/* In a case where a call is made to fail nothing can be measured or shown. */
static void check_runs_well(struct conf_file *file, const struct conf *conf, const char *section,
                            int line, const char *name) {
  int index = conf_case(conf, name);
  if (index >= 0 && conf->cases[index].fail)
    conf_fail(file, line, "%s: case %s is one in which a call is made to fail ('fail = %s')",
              section, name, case_fail_names[conf->cases[index].fail]);
}

static void check_answer(struct conf_file *file, const struct conf *conf,
                         const struct answer_conf *answer) {
  autofree char *name = xprintf("[answer %s]", answer->id);
  check_keys(file, SECTION_ANSWER, answer, 0, name, answer->line);
  if (!answer->value == (!answer->case_name || !answer->metric))
    conf_fail(file, answer->line, "%s needs either 'case' and 'metric' or 'value'", name);
  else if (answer->metric && !metric_find(answer->metric))
    fail_metric(file, answer->line, "answer", answer->id, answer->metric);
  else if (answer->case_name && conf_case(conf, answer->case_name) < 0)
    conf_fail(file, answer->line, "%s: there is no [case %s]", name, answer->case_name);
  else if (answer->case_name)
    check_runs_well(file, conf, name, answer->line, answer->case_name);
}

static void check_item(struct conf_file *file, const struct conf *conf,
                       const struct item_conf *item) {
  autofree char *name = xprintf("[item %s]", item->id);
  check_keys(file, SECTION_ITEM, item, item->class, name, item->line);
  if (file->error) return;
  for (int i = 0; i < item->case_count; i++)
    if (conf_case(conf, item->cases[i]) < 0)
      fail_item(file, item, "there is no [case %s]", item->cases[i]);
  for (int i = 0; i < item->answer_count; i++)
    if (conf_answer(conf, item->answers[i]) < 0)
      fail_item(file, item, "there is no [answer %s]", item->answers[i]);
  check_needs(file, conf, item);
  if (!item->metric) return;
  if (conf_case(conf, item->case_name) < 0)
    fail_item(file, item, "there is no [case %s]", item->case_name);
  const struct metric *metric = metric_find(item->metric);
  if (!metric) {
    fail_metric(file, item->line, "item", item->id, item->metric);
  } else if (metric->relative_only && item->of == OF_VALUE) {
    fail_item(file, item, "metric %s needs 'of = baseline' or 'of = reference'", item->metric);
  }
  if (item->of == OF_BASELINE && !conf->baseline)
    fail_item(file, item, "'of = baseline', but [lab] names no baseline");
  if (metric && metric->where_it_matters && item->of != OF_VALUE)
    fail_item(file, item, "metric %s cannot be compared: leave 'of' out", item->metric);
  int index = conf_case(conf, item->case_name);
  if (item->class == ITEM_PERFORMANCE && index >= 0 &&
      conf_family(conf, &conf->cases[index])->problem->on_host)
    fail_item(file, item, "%s works on the host's memory, and is not timed",
              conf_function(conf, &conf->cases[index]));
  check_runs_well(file, conf, name, item->line, item->case_name);
  check_is_checked(file, conf, item);
  check_second(file, item);
}

static void check_case(struct conf_file *file, const struct conf *conf,
                       const struct case_conf *entry) {
  char *name = xprintf("[case %s]", entry->name);
  check_keys(file, SECTION_CASE, entry, 0, name, entry->line);
  free(name);
  if (entry->hidden && entry->show)
    conf_fail(file, entry->line,
              "[case %s]: a hidden case is not shown: its launch would give its size away",
              entry->name);
  if (entry->fail_at > 1 && !entry->fail)
    conf_fail(file, entry->line, "[case %s]: 'fail_at' needs 'fail', the call that fails",
              entry->name);
  if (entry->elapsed && !conf_family(conf, entry)->problem->elapsed)
    conf_fail(file, entry->line,
              "[case %s]: no output of %s is a time, so 'elapsed' checks nothing", entry->name,
              conf_family(conf, entry)->problem->name);
  if (entry->show) {
    autofree char *section = xprintf("[case %s] with 'show'", entry->name);
    check_runs_well(file, conf, section, entry->line, entry->name);
  }
  if (!entry->entry) return;
  bool known = false;
  for (int i = 0; i < conf->entry_count; i++)
    known |= strcmp(conf->entries[i].name, entry->entry) == 0;
  if (!known)
    conf_fail(file, entry->line, "[case %s]: '%s' is none of [lab]'s entries", entry->name,
              entry->entry);
}

static void check_sweep(struct conf_file *file, const struct conf *conf) {
  const struct sweep_conf *sweep = &conf->sweep;
  if (!sweep->line) return;
  check_keys(file, SECTION_SWEEP, sweep, 0, "[sweep]", sweep->line);
  if (file->error) return;
  if (conf_case(conf, sweep->case_name) < 0)
    conf_fail(file, sweep->line, "[sweep]: there is no [case %s]", sweep->case_name);
  else if (sweep->parameter_count != SWEEP_PARAMETERS)
    conf_fail(file, sweep->line, "[sweep] needs two parameters, the block's extent in x and in y");
  else
    check_runs_well(file, conf, "[sweep]", sweep->line, sweep->case_name);
}

/* What runs: case `case_name` with its dimension `dimension` from `from` to `to`. */
static void check_series(struct conf_file *file, const struct conf *conf,
                         const struct series_conf *series) {
  autofree char *name = xprintf("[series %s]", series->name);
  check_keys(file, SECTION_SERIES, series, 0, name, series->line);
  if (file->error) return;
  int index = conf_case(conf, series->case_name);
  if (index < 0) {
    conf_fail(file, series->line, "%s: there is no [case %s]", name, series->case_name);
    return;
  }
  const struct problem *problem = conf_family(conf, &conf->cases[index])->problem;
  int which = dims_find(problem, series->dimension);
  if (problem->on_host && !conf_wants_timeline(conf, &conf->cases[index]))
    conf_fail(file, series->line,
              "%s: %s works on the host's memory: its time is known where 'metric' is one of its "
              "timeline",
              name, conf_function(conf, &conf->cases[index]));
  else if (which < 0 || problem->words[which])
    conf_fail(file, series->line, "%s: '%s' is no dimension of %s that is a number", name,
              series->dimension, problem->name);
  else if (series->from == 0 && !problem->from_0[which])
    conf_fail(file, series->line, "%s: %s must be 1 or more: 'from' is 0", name, series->dimension);
  else if (series->metric && !metric_find(series->metric))
    conf_fail(file, series->line, "%s: there is no metric '%s'; is it %s?", name, series->metric,
              metric_guess(series->metric));
  else if (series->value_count && series->to)
    conf_fail(file, series->line, "%s: give 'to' or 'values', not both", name);
  else if (!series->value_count &&
           (series->to <= series->from || series->to - series->from >= SERIES_VALUES))
    conf_fail(file, series->line, "%s: 'to' must be above 'from', with at most %d values", name,
              SERIES_VALUES);
}

/* Has any function's problem a dimension of that name? */
static bool is_dim(const struct conf *conf, const char *name) {
  for (int i = 0; i < conf->entry_count; i++) {
    const struct case_conf call = {.entry = conf->entries[i].name};
    const struct problem *problem = conf_family(conf, &call)->problem;
    for (int d = 0; d < problem->dim_count; d++)
      if (strcmp(problem->dims[d], name) == 0) return true;
  }
  return false;
}

static void check_sizes(struct conf_file *file, const struct conf *conf) {
  const struct sizes_conf *sizes = &conf->sizes;
  if (sizes->case_name && conf_case(conf, sizes->case_name) < 0)
    conf_fail(file, sizes->line, "[sizes]: there is no [case %s]", sizes->case_name);
  for (int i = 0; i < sizes->dim_count; i++)
    if (!is_dim(conf, sizes->dims[i]))
      conf_fail(file, sizes->line, "[sizes]: there is no dimension '%s'", sizes->dims[i]);
}

static void check_leaders(struct conf_file *file, const struct conf *conf) {
  int item = conf->leaders ? conf_item(conf, conf->leaders) : -1;
  if (conf->leaders && item < 0)
    conf_fail(file, 0, "[lab]: 'leaders' names %s, but there is no [item %s]", conf->leaders,
              conf->leaders);
  else if (item >= 0 && !conf->items[item].metric)
    conf_fail(file, 0, "[lab]: 'leaders' names %s, which measures nothing", conf->leaders);
}

void conf_check(struct conf_file *file, struct conf *conf) {
  check_keys(file, SECTION_LAB, conf, 0, "[lab]", 0);
  if (conf->entry_count == 0 && conf->family)
    array_add(conf->entries, conf->entry_count)->name = xstrdup(conf->family->problem->name);
  if (conf->case_count == 0) conf_fail(file, 0, "there is no [case ...]");
  if (conf->item_count == 0) conf_fail(file, 0, "there is no [item ...]");
  int shown = 0;
  for (int i = 0; i < conf->case_count && !file->error; i++) {
    check_case(file, conf, &conf->cases[i]);
    shown += conf->cases[i].show;
    if (shown > MAX_SHOWN)
      conf_fail(file, conf->cases[i].line, "at most %d cases can have 'show = yes'", MAX_SHOWN);
  }
  if (!file->error) check_sweep(file, conf);
  if (!file->error) check_sizes(file, conf);
  for (int i = 0; i < conf->question_count && !file->error; i++) {
    autofree char *name = xprintf("[question %s]", conf->questions[i].id);
    check_keys(file, SECTION_QUESTION, &conf->questions[i], 0, name, conf->questions[i].line);
  }
  for (int i = 0; i < conf->series_count && !file->error; i++)
    check_series(file, conf, &conf->series[i]);
  for (int i = 0; i < conf->answer_count && !file->error; i++)
    check_answer(file, conf, &conf->answers[i]);
  long points = 0;
  for (int i = 0; i < conf->item_count && !file->error; i++) {
    check_item(file, conf, &conf->items[i]);
    points += conf->items[i].points;
  }
  if (!file->error) check_leaders(file, conf);
  if (file->hidden && points != conf->max_points)
    conf_fail(file, 0,
              "with it, points add up to %ld, and without it to %ld: give [item ID] sections of "
              "lab.conf other 'points' here, so that the sum stays",
              points, conf->max_points);
  conf->max_points = points;
}
