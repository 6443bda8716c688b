/* conf_check.c: is what was read a lab that can be graded? See conf_parser.h. */
#include <string.h>

#include "grader/lab/conf_parser.h"
#include "grader/lab/metric.h"

/* The second threshold of an item that is measured: which one there may be, and where it lies. */
static void check_second(struct parser *parser, const struct item_conf *item) {
  const struct threshold *full = &item->full, *zero = &item->zero, *half = &item->half;
  if (item->class == ITEM_PERFORMANCE && zero->given) {
    conf_fail(
        parser, item->line,
        "[item %s]: 'zero' is for what is counted; a time earns all points, half of them or none: "
        "give 'half', up to which it is half",
        item->id);
  } else if (item->class == ITEM_TECHNIQUE && half->given) {
    conf_fail(
        parser, item->line,
        "[item %s]: 'half' is for times; what is counted has 'zero', towards which points fall",
        item->id);
  } else if (zero->given &&
             (zero->at_least == full->at_least ||
              (full->at_least ? zero->value >= full->value : zero->value <= full->value))) {
    conf_fail(parser, item->line,
              "[item %s]: full and zero must point away from each other, as <= 4 and >= 16",
              item->id);
  } else if (half->given &&
             (half->at_least != full->at_least ||
              (full->at_least ? half->value >= full->value : half->value <= full->value))) {
    conf_fail(parser, item->line,
              "[item %s]: half must point as full does, and be easier: <= 1.5 and <= 3", item->id);
  }
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

static void check_needs(struct parser *parser, const struct item_conf *item) {
  const struct conf *conf = parser->conf;
  for (int i = 0; i < item->need_count; i++) {
    if (conf_item(conf, item->needs[i]) < 0)
      conf_fail(parser, item->line, "[item %s]: 'needs' names %s, but there is no [item %s]",
                item->id, item->needs[i], item->needs[i]);
  }
  int own = (int)(item - conf->items);
  if (leads_to(conf, own, own, 0))
    conf_fail(parser, item->line, "[item %s]: 'needs' leads back to this item", item->id);
}

/* What is counted or timed is also checked: a kernel that is wrong there alone must not gain. */
static void check_is_checked(struct parser *parser, const struct item_conf *item) {
  const struct conf *conf = parser->conf;
  for (int i = 0; i < conf->item_count; i++) {
    for (int k = 0; k < conf->items[i].case_count; k++)
      if (strcmp(conf->items[i].cases[k], item->case_name) == 0) return;
  }
  conf_fail(
      parser, item->line,
      "[item %s] measures case %s, which no correctness item checks: add it to the 'cases' of "
      "one",
      item->id, item->case_name);
}

static void check_item(struct parser *parser, const struct item_conf *item) {
  const struct conf *conf = parser->conf;
  const char *lacks = item->class < 0 ? "class"
                      : !item->title  ? "title"
                      : !item->points ? "points"
                                      : NULL;
  bool measured = item->class == ITEM_TECHNIQUE || item->class == ITEM_PERFORMANCE;
  if (!lacks && measured)
    lacks = !item->case_name    ? "case"
            : !item->metric     ? "metric"
            : !item->full.given ? "full"
                                : NULL;
  if (!lacks && item->class == ITEM_CORRECTNESS && item->case_count == 0) lacks = "cases";
  if (lacks) {
    conf_fail(parser, item->line, "[item %s] lacks '%s'", item->id, lacks);
    return;
  }
  for (int i = 0; i < item->case_count; i++) {
    if (conf_case(conf, item->cases[i]) < 0)
      conf_fail(parser, item->line, "[item %s]: there is no [case %s]", item->id, item->cases[i]);
  }
  check_needs(parser, item);
  if (!measured) {
    if (item->full.given || item->zero.given || item->half.given || item->metric) {
      conf_fail(parser, item->line, "[item %s]: an item of class %s has no metric", item->id,
                item_class_names[item->class]);
    }
    return;
  }
  if (conf_case(conf, item->case_name) < 0)
    conf_fail(parser, item->line, "[item %s]: there is no [case %s]", item->id, item->case_name);
  const struct metric *metric = metric_find(item->metric);
  if (!metric) {
    const char *guess = metric_guess(item->metric);
    conf_fail(parser, item->line, "[item %s]: there is no metric '%s'%s%s%s", item->id,
              item->metric, guess ? "; did you mean '" : "", guess ? guess : "", guess ? "'?" : "");
  } else if (metric->relative_only && item->of == OF_VALUE) {
    conf_fail(parser, item->line, "[item %s]: metric %s needs 'of = baseline' or 'of = reference'",
              item->id, item->metric);
  }
  if (item->of == OF_BASELINE && !conf->baseline) {
    conf_fail(parser, item->line, "[item %s]: 'of = baseline', but [lab] names no baseline",
              item->id);
  }
  if (metric && metric->where_it_matters && item->of != OF_VALUE) {
    conf_fail(parser, item->line, "[item %s]: metric %s cannot be compared: leave 'of' out",
              item->id, item->metric);
  }
  check_is_checked(parser, item);
  check_second(parser, item);
}

static void check_case(struct parser *parser, const struct case_conf *entry) {
  const struct conf *conf = parser->conf;
  if (entry->dims[0] == 0) conf_fail(parser, entry->line, "[case %s] lacks 'dims'", entry->name);
  if (!entry->entry) return;
  bool known = conf->entry_count == 0 && strcmp(entry->entry, conf->family->problem->name) == 0;
  for (int i = 0; i < conf->entry_count; i++) known |= strcmp(conf->entries[i], entry->entry) == 0;
  if (!known)
    conf_fail(parser, entry->line, "[case %s]: '%s' is none of [lab]'s entries", entry->name,
              entry->entry);
}

static void check_sweep(struct parser *parser, const struct sweep_conf *sweep) {
  if (!sweep->line) return;
  const char *lacks = !sweep->case_name         ? "case"
                      : !sweep->parameter_count ? "parameters"
                      : !sweep->value_count     ? "values"
                      : !sweep->most            ? "most"
                                                : NULL;
  if (lacks)
    conf_fail(parser, sweep->line, "[sweep] lacks '%s'", lacks);
  else if (conf_case(parser->conf, sweep->case_name) < 0)
    conf_fail(parser, sweep->line, "[sweep]: there is no [case %s]", sweep->case_name);
  else if (sweep->parameter_count != SWEEP_PARAMETERS)
    conf_fail(parser, sweep->line,
              "[sweep] needs two parameters, the block's extent in x and in y");
}

void conf_check(struct parser *parser) {
  struct conf *conf = parser->conf;
  if (!conf->title) conf_fail(parser, 0, "[lab] lacks 'title'");
  if (!conf->family) conf_fail(parser, 0, "[lab] lacks 'problem'");
  if (conf->case_count == 0) conf_fail(parser, 0, "there is no [case ...]");
  if (conf->item_count == 0) conf_fail(parser, 0, "there is no [item ...]");
  int shown = 0;
  for (int i = 0; i < conf->case_count && !parser->error; i++) {
    check_case(parser, &conf->cases[i]);
    shown += conf->cases[i].show;
    if (shown > MAX_SHOWN)
      conf_fail(parser, conf->cases[i].line, "at most %d cases can have 'show = yes'", MAX_SHOWN);
  }
  if (!parser->error) check_sweep(parser, &conf->sweep);
  long points = 0;
  for (int i = 0; i < conf->item_count && !parser->error; i++) {
    check_item(parser, &conf->items[i]);
    points += conf->items[i].points;
  }
  if (parser->hidden && points != conf->max_points)
    conf_fail(parser, 0,
              "with it, points add up to %ld, and without it to %ld: give [item ID] sections of "
              "lab.conf other 'points' here, so that the sum stays",
              points, conf->max_points);
  conf->max_points = points;
}
