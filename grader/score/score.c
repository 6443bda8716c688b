/* score.c: points and reasons. Points are whole; shares of an item are rounded down. */
#include "grader/score/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/run/build.h"
#include "grader/score/answers.h"
#include "grader/score/overlap.h"

/* --- hazards --- */

/* Of the cases that are the student's work: others may show kernels that come with the lab. */
static bool any_right(const struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  for (int i = 0; i < conf->item_count; i++)
    for (int k = 0; k < conf->items[i].case_count; k++)
      if (grade->cases[conf_case(conf, conf->items[i].cases[k])].state == CASE_RIGHT) return true;
  return false;
}

bool score_any_launch(const struct grade *grade) {
  for (int i = 0; grade->cases && i < grade->lab->conf.case_count; i++)
    if (grade->cases[i].report.launch_count > 0) return true;
  return false;
}

/* Does this hazard cost the item points? Results that are wrong or missing do not: correctness
 * items are for them. */
static bool hazard_counts(const struct item_conf *item, const struct hazard_record *hazard) {
  static const char *const others[] = {"wrong", "host", "unchecked", "unsupported"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (hazard->warning || strcmp(hazard->kind, others[i]) == 0) return false;
  for (int i = 0; i < item->kind_count; i++)
    if (strcmp(item->kinds[i], hazard->kind) == 0) return true;
  return item->kind_count == 0 && hazard_kind_affects_results(hazard->kind);
}

static void score_hazard_item(const struct grade *grade, const struct item_conf *item,
                              struct item_result *result) {
  const struct hazard_record *worst = NULL;
  int others = 0;
  for (int i = 0; i < grade->hazard_count; i++) {
    if (!hazard_counts(item, &grade->hazards[i])) continue;
    if (worst)
      others++;
    else
      worst = &grade->hazards[i];
  }
  if (worst) {
    autofree char *words = cause_hazard_words(grade, worst);
    result->reason =
        others ? xprintf("%s; and %d more of other kinds or at other places", words, others)
               : xstrdup(words);
    result->hazard = worst;
    result->hint_helps = true;
  } else if (!score_any_launch(grade)) {
    result->reason = xstrdup("no kernel was launched: there is nothing to look at yet");
    result->waiting = !any_right(grade);
  } else if (!any_right(grade)) {
    result->reason = xstrdup("no case is right yet; these points need one");
    result->waiting = true;
  } else {
    result->points = item->points;
  }
}

/* --- correctness --- */

static bool ends_sentence(const struct text *words) {
  return words->length && strchr(".?", words->data[words->length - 1]);
}

static void score_correctness(const struct grade *grade, const struct item_conf *item,
                              struct item_result *result) {
  const struct conf *conf = &grade->lab->conf;
  long right = 0;
  int first = -1; /* the case to report: the first wrong one, or the first that is explained */
  for (int i = 0; i < item->case_count; i++) {
    const struct case_result *run = &grade->cases[conf_case(conf, item->cases[i])];
    if (run->state == CASE_RIGHT) right++;
    if (run->state == CASE_RIGHT || run->state == CASE_NOT_RUN) continue;
    if (first < 0 || run->explains > result->explains) {
      first = i;
      result->explains = run->explains;
      result->hint_helps = run->kind && strcmp(run->kind, "wrong") == 0;
    }
  }
  freed_by(text_free) struct text others = {0}, not_run = {0};
  const char *why_not_run = NULL;
  for (int i = 0; i < item->case_count; i++) {
    const struct case_result *run = &grade->cases[conf_case(conf, item->cases[i])];
    if (run->state == CASE_RIGHT || i == first) continue;
    struct text *list = run->state == CASE_NOT_RUN ? &not_run : &others;
    text_add(list, "%s%s", list->length ? ", " : "", item->cases[i]);
    if (run->state == CASE_NOT_RUN && !why_not_run) why_not_run = run->reason;
  }
  result->points = item->points * right / item->case_count;
  if (right < item->case_count) {
    struct text reason = {0};
    if (first >= 0) {
      int index = conf_case(conf, item->cases[first]);
      text_add(&reason, "%s %s: %s", hidden_case_word(conf, index), item->cases[first],
               grade->cases[index].reason);
      result->hazard = score_case_hazard(grade, index);
      for (int h = 0; h < grade->hazard_count && result->explains == EXPLAINS_STRAYS; h++) {
        if (strcmp(grade->hazards[h].kind, "oob") != 0 || !grade->hazards[h].line) continue;
        text_add(&reason, " (hence line %d goes out of bounds)", grade->hazards[h].line);
        break;
      }
    }
    if (others.length)
      text_add(&reason, ends_sentence(&reason) ? " Wrong too: %s" : "; wrong too: %s", others.data);
    if (not_run.length && (first >= 0 || right > 0)) {
      const char *between = ends_sentence(&reason) ? " " : reason.length ? "; " : "";
      text_add(&reason, "%s%s: %s", between, not_run.data, why_not_run);
    } else if (not_run.length) {
      text_add(&reason, "%s", why_not_run);
    }
    result->reason = reason.data;
  }
}

/* --- technique and performance --- */

long score_threshold(long points, struct threshold full, struct threshold zero,
                     enum item_scale scale, double value) {
  if (isnan(value)) return 0;
  if (full.at_least ? value >= full.value : value <= full.value) return points;
  if (!zero.given) return 0;
  double share = scale == SCALE_LOG ? log(value / zero.value) / log(full.value / zero.value)
                                    : (value - zero.value) / (full.value - zero.value);
  if (!(share > 0)) return 0;
  long earned = (long)((double)points * share);
  return earned < points ? earned : points - 1;
}

/* Rounded to three figures, up or down. */
static double three_figures(double value, bool up) {
  double digit = value > 0 ? pow(10, floor(log10(value)) - 2) : 1;
  return (up ? ceil(value / digit - 1e-9) : floor(value / digit + 1e-9)) * digit;
}

double score_value_for(long points, struct threshold full, struct threshold zero,
                       enum item_scale scale, long earned) {
  if (earned >= points) return full.value;
  double share = (double)earned / (double)points;
  double value = scale == SCALE_LOG ? zero.value * pow(full.value / zero.value, share)
                                    : zero.value + share * (full.value - zero.value);
  value = three_figures(value, full.at_least);
  bool beyond = full.at_least ? value > full.value : value < full.value;
  return beyond ? full.value : value;
}

long score_steps(long points, struct threshold full, struct threshold half, double value) {
  if (isnan(value)) return 0;
  if (full.at_least ? value >= full.value : value <= full.value) return points;
  if (half.given && (half.at_least ? value >= half.value : value <= half.value))
    return (points + 1) / 2;
  return 0;
}

static long points_for(const struct item_conf *item, const struct item_limits *limits,
                       double value) {
  return item->class == ITEM_PERFORMANCE && !limits->zero.given
             ? score_steps(item->points, limits->full, limits->half, value)
             : score_threshold(item->points, limits->full, limits->zero, item->scale, value);
}

static double sum_counters(const int *list, const struct counters *counters) {
  double total = 0;
  for (; *list >= 0; list++) total += (double)counters->value[*list];
  return total;
}

/* The source line to blame for a metric: among those worse than the whole, the one that moves most.
 * 0: none stands out. */
static int worst_line(const struct metric *metric, const struct case_result *run, bool at_least,
                      struct counters *worst) {
  bool ratio = metric->bottom[0] >= 0;
  const int *weigh = ratio && at_least ? metric->bottom : metric->top;
  double whole = metric_line_value(metric, &run->totals.counters), max = 0;
  int line = 0;
  for (int i = 0; i < run->report.launch_count; i++) {
    const struct launch_record *launch = &run->report.launches[i];
    for (int l = 0; launch->set == 0 && l < launch->line_count; l++) {
      const struct counters *counters = &launch->lines[l].counters;
      double value = metric_line_value(metric, counters), weight = sum_counters(weigh, counters);
      if (launch->lines[l].line == 0 || isnan(value) || weight <= max) continue;
      if (ratio && (at_least ? value > whole : value < whole)) continue;
      max = weight;
      line = launch->lines[l].line;
      *worst = *counters;
    }
  }
  return line;
}

static void add_lanes_to_blame(bool load, uint64_t sectors, uint64_t requests,
                               struct text *reason) {
  text_add(reason,
           sectors > 30 * requests ? ": neighbouring lanes %s addresses at least 32 bytes apart"
                                   : ": warps of one or two lanes %s it",
           load ? "read" : "write");
}

/* Of a metric of the worst traffic: the line and the array that move most of it. */
static void add_traffic_to_blame(const struct grade *grade, const struct metric *metric,
                                 const struct case_result *run, struct text *reason) {
  const struct traffic *worst;
  traffic_value(&run->totals, metric->loads, metric->stores, &worst);
  if (!worst || !worst->line) return;
  double value = 128 * (double)worst->sectors / (double)worst->bytes;
  text_add(reason, "; %s:%d %s %s with %.3g", grade->source->name, worst->line,
           worst->store ? "writes" : "reads", worst->array, value);
  if (value > 30) add_lanes_to_blame(!worst->store, worst->sectors, worst->requests, reason);
}

static void add_overlap_to_blame(const struct grade *grade, const struct metric *metric,
                                 const struct case_result *run, struct text *reason) {
  autofree char *why = overlap_why(&run->spans, &run->totals, metric, grade->source->name);
  if (why) text_add(reason, "%s", why);
}

static void add_line_to_blame(const struct grade *grade, const struct metric *metric,
                              const struct item_conf *item, const struct case_result *run,
                              struct text *reason) {
  struct counters worst;
  if (metric_is_of_timeline(metric)) add_overlap_to_blame(grade, metric, run, reason);
  if (metric->top[0] < 0) return;
  if (metric->where_it_matters && run->totals.traffic) {
    add_traffic_to_blame(grade, metric, run, reason);
    return;
  }
  int line = worst_line(metric, run, item->full.at_least, &worst);
  if (!line) return;
  double value = metric_line_value(metric, &worst);
  text_add(reason, "; %s:%d", grade->source->name, line);
  if (metric->bottom[0] >= 0 && !(item->full.at_least && value == 0))
    text_add(reason, " has %.3g", value);
  else
    text_add(reason, " does most of it");
  /* A line may both load and store: what the metric counts, and of that what moves more. */
  const int *top = metric->top;
  for (const int *c = metric->top; *c >= 0; c++)
    if (worst.value[*c] > worst.value[*top]) top = c;
  if (!metric->sectors || value <= 30) return;
  bool load = *top == COUNTER_global_load_sectors;
  uint64_t words = worst.value[load ? COUNTER_global_load_words : COUNTER_global_store_words];
  add_lanes_to_blame(load, worst.value[*top], words, reason);
}

/* A line that writes several times what the result has, as `C[..] += x` in a loop does: says so,
 * with what to do instead. */
static bool add_sum_in_memory(const struct grade *grade, int index, struct text *reason) {
  const struct conf *conf = &grade->lab->conf;
  const struct problem *problem = conf_family(conf, &conf->cases[index])->problem;
  const struct case_result *run = &grade->cases[index];
  double elements = 0;
  for (int i = problem->input_count; i < problem_array_count(problem); i++)
    elements += (double)problem_elements(problem, i, conf->cases[index].dims);
  for (int i = 0; i < run->report.launch_count; i++) {
    const struct launch_record *launch = &run->report.launches[i];
    for (int l = 0; launch->set == 0 && l < launch->line_count; l++) {
      const uint64_t *value = launch->lines[l].counters.value;
      double times = (double)value[COUNTER_global_store_bytes] / sizeof(float) / elements;
      if (times < 2 || launch->lines[l].line == 0) continue;
      text_add(reason,
               "; %s:%d writes %.3g times as many elements as the result has: keep the sum in a "
               "register, and write it once, after the loop",
               grade->source->name, launch->lines[l].line, times);
      return true;
    }
  }
  return false;
}

static double score_value(const struct grade *grade, const struct item_conf *item,
                          const struct metric *metric, int index, double *other) {
  double own = metric_value(metric, &grade->cases[index].totals);
  if (item->of == OF_VALUE) return own;
  *other = metric_value(metric, &grade->references[item->of].totals[index]);
  return metric->inverse ? *other / own : own / *other;
}

/* The timed solution that an item's time is compared with; of = value: the submission itself. */
static const struct timed *timed_for(const struct grade *grade, const struct item_conf *item,
                                     const struct metric *metric, int index) {
  if (!metric_is_time(metric) || !grade->timings || !grade->timings[index].measured) return NULL;
  return timing_of(&grade->timings[index], item->of == OF_REFERENCE  ? "reference"
                                           : item->of == OF_BASELINE ? "baseline"
                                                                     : "submission");
}

/* Percent of the case's ceiling that the solution reaches with which the item compares; NaN: not
 * known. */
static double share_of_other(const struct grade *grade, const struct item_conf *item,
                             const struct metric *metric, int index) {
  const struct timed *timed = timed_for(grade, item, metric, index);
  const struct reference *reference = &grade->references[item->of];
  double ns = timed ? timed->ns.median
              : reference->measured && reference->measured[index]
                  ? (double)reference->totals[index].time_ns
                  : 0;
  return metric_ceiling_percent(grade->cases[index].totals.ceiling_ns, ns);
}

/* The submission's; beside another solution it was timed in turn with that one, so that their ratio
 * is more certain than either time. */
static struct interval share_interval(const struct grade *grade, const struct item_conf *item,
                                      const struct metric *metric, int index, double *other) {
  const struct timed *timed = timed_for(grade, item, metric, index);
  double ceiling_ns = grade->cases[index].totals.ceiling_ns;
  struct interval share;
  if (!timed) {
    double value = metric_value(metric, &grade->cases[index].totals);
    share = (struct interval){value, value, value};
  } else if (item->of == OF_VALUE) {
    share = (struct interval){metric_ceiling_percent(ceiling_ns, timed->ns.high),
                              metric_ceiling_percent(ceiling_ns, timed->ns.median),
                              metric_ceiling_percent(ceiling_ns, timed->ns.low)};
  } else {
    double its = metric_ceiling_percent(ceiling_ns, timed->ns.median);
    share = (struct interval){its / timed->ratio.high, its / timed->ratio.median,
                              its / timed->ratio.low};
  }
  if (item->of != OF_VALUE) *other = share_of_other(grade, item, metric, index);
  return share;
}

struct interval score_interval(const struct grade *grade, const struct item_conf *item,
                               const struct metric *metric, int index, double *other) {
  if (metric->of_ceiling) return share_interval(grade, item, metric, index, other);
  const struct timed *timed = timed_for(grade, item, metric, index);
  if (!timed) {
    double value = score_value(grade, item, metric, index, other);
    return (struct interval){value, value, value};
  }
  *other = timed->ns.median;
  if (item->of == OF_VALUE) return timed->ns;
  const struct interval *ratio = &timed->ratio;
  return metric->inverse ? (struct interval){1 / ratio->high, 1 / ratio->median, 1 / ratio->low}
                         : *ratio;
}

/* Points with the benefit of the interval; false if the interval is too wide to grade by. */
static bool points_of_interval(const struct item_conf *item, const struct item_limits *limits,
                               struct interval value, long *points) {
  static const double widest = 0.05; /* of the median */
  long low = points_for(item, limits, value.low), high = points_for(item, limits, value.high);
  *points = low > high ? low : high;
  return low == high || !(value.high - value.low > widest * value.median);
}

/* "; full points at >= 90, 19 of 22 at >= 66.1": what all of them take, and the next one. */
static void add_thresholds(const struct item_conf *item, const struct item_limits *limits,
                           bool whole, long points, struct text *reason) {
  const struct threshold *full = &limits->full;
  const char *sign = full->at_least ? ">=" : "<=";
  text_add(reason, whole ? "; full points at %s %.0f" : "; full points at %s %g", sign,
           full->value);
  if (limits->half.given)
    text_add(reason, ", half at %s %g", limits->half.at_least ? ">=" : "<=", limits->half.value);
  if (item->scale == SCALE_LOG && points + 1 < item->points)
    text_add(reason, ", %ld of %ld at %s %g", points + 1, item->points, sign,
             score_value_for(item->points, *full, limits->zero, item->scale, points + 1));
}

struct item_limits score_limits(const struct grade *grade, const struct item_conf *item) {
  const struct metric *metric = metric_find(item->metric);
  struct item_limits limits = {item->full, item->zero, item->half, 1};
  if (!metric->of_ceiling || item->of == OF_VALUE) return limits;
  int index = conf_case(&grade->lab->conf, item->case_name);
  limits.part = share_of_other(grade, item, metric, index);
  if (isnan(limits.part)) return limits;
  struct threshold *const all[] = {&limits.full, &limits.zero, &limits.half};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    all[i]->value = three_figures(all[i]->value * limits.part, false); /* as they are printed */
  return limits;
}

static void score_measured(const struct grade *grade, const struct item_conf *item,
                           struct item_result *result) {
  const struct conf *conf = &grade->lab->conf;
  const struct metric *metric = metric_find(item->metric);
  int index = conf_case(conf, item->case_name);
  const struct case_result *run = &grade->cases[index];
  const char *word = hidden_case_word(conf, index);
  bool quiet = hidden_keeps_quiet(grade, index);
  if (run->state != CASE_RIGHT) {
    result->reason = xprintf("%s %s is %s, so nothing is measured", word, item->case_name,
                             run->state == CASE_NOT_RUN ? "not run" : "not right yet");
    result->waiting = true;
    return;
  }
  double other = 0, value;
  struct interval interval = score_interval(grade, item, metric, index, &other);
  value = interval.median;
  if (metric->of_ceiling && isnan(value)) {
    const char *why = grade->shares ? grade->shares[index].unknown : NULL;
    result->reason = xprintf("the ceiling of %s %s is not known: %s", word, item->case_name,
                             why ? why : metric->empty);
    result->no_ceiling = true;
    return;
  }
  if (!quiet) result->value = value;
  const struct item_limits limits = score_limits(grade, item);
  result->inconclusive = !points_of_interval(item, &limits, interval, &result->points);
  if (result->points == item->points) return;
  result->hint_helps = true;
  struct text reason = {0};
  if (quiet) {
    text_add(&reason, "%s %s: %s is not within the threshold", word, item->case_name, metric->name);
  } else if (isnan(value)) {
    text_add(&reason, "%s %s: there are %s to measure", word, item->case_name,
             metric->empty ? metric->empty : "no such accesses");
  } else {
    bool whole = strncmp(metric->unit, "bytes", 5) == 0 && !metric->per_operation; /* no 1e+06 */
    text_add(&reason, whole ? "%s %s: %.0f" : "%s %s: %.3g", word, item->case_name, value);
    if (metric->of_ceiling) {
      text_add(&reason, "%% of %s, %s", grade->shares[index].ceiling.name,
               grade->shares[index].ceiling.device ? "measured" : "modelled");
      if (item->of != OF_VALUE)
        text_add(&reason, " (%s: %.3g%%)", grade->references[item->of].name, other);
    } else if (item->of != OF_VALUE && !metric->inverse) {
      bool time = strcmp(metric->unit, "ns") == 0;
      double unit = time ? 1000 : 1;
      text_add(&reason, " times the %s of %s", time ? "time" : metric->name,
               grade->references[item->of].name);
      text_add(&reason, " (%.4g against %.4g%s)", value * other / unit, other / unit,
               time ? " us" : "");
    } else if (item->of != OF_VALUE) {
      text_add(&reason, " %s as %s", metric->unit, grade->references[item->of].name);
    } else {
      text_add(&reason, " %s", metric->unit[0] ? metric->unit : metric->name);
    }
    add_thresholds(item, &limits, whole, result->points, &reason);
    /* Of ratios another line may be to blame. */
    if (!quiet && metric->bottom[0] < 0 && metric->top[0] >= 0 &&
        add_sum_in_memory(grade, index, &reason))
      result->explains = EXPLAINS_RESULTS;
    else
      add_line_to_blame(grade, metric, item, run, &reason);
  }
  result->reason = reason.data;
}

/* --- predictions --- */

static void score_predictions(const struct grade *grade, const struct item_conf *item,
                              struct item_result *result) {
  static const char *const titles[] = {"not what is counted", "not a number", "no answer"};
  enum { WRONG, NO_NUMBER, MISSING, LISTS };
  struct text lists[LISTS] = {{0}}, reason = {0};
  long right = 0;
  for (int i = 0; i < item->answer_count; i++) {
    int answer = conf_answer(&grade->lab->conf, item->answers[i]);
    const char *given = grade->answers ? grade->answers[answer] : NULL;
    double value, number;
    if (given && answer_known(grade, answer, &value) && answer_right(grade, answer, value)) {
      right++;
      continue;
    }
    int list = !given ? MISSING : answer_number(given, &number) ? WRONG : NO_NUMBER;
    text_add(&lists[list], "%s%s", lists[list].length ? ", " : "", item->answers[i]);
    if (given) text_add(&lists[list], " = %.20s", given);
    if (answer_lacks_percent(grade, answer))
      text_add(&lists[list], " (in percent, not a fraction)");
  }
  for (int l = 0; l < LISTS; l++) {
    if (lists[l].length)
      text_add(&reason, "%s%s: %s", reason.length ? "; " : "", titles[l], lists[l].data);
    text_free(&lists[l]);
  }
  result->points = item->points * right / item->answer_count;
  result->hint_helps = right < item->answer_count;
  result->reason = reason.data;
}

/* --- items that need others --- */

/* Does another item need this one? */
static bool is_needed(const struct conf *conf, const struct item_conf *item) {
  for (int i = 0; i < conf->item_count; i++)
    for (int k = 0; k < conf->items[i].need_count; k++)
      if (strcmp(conf->items[i].needs[k], item->id) == 0) return true;
  return false;
}

bool score_needs(const struct grade *grade, enum item_of of, int case_index) {
  const struct conf *conf = &grade->lab->conf;
  const struct case_result *run = &grade->cases[case_index];
  for (int i = 0; i < conf->item_count; i++) {
    const struct item_conf *item = &conf->items[i];
    bool looks =
        item->of == of && item->case_name && conf_case(conf, item->case_name) == case_index;
    if (looks && (run->state == CASE_RIGHT ||
                  (run->state == CASE_WRONG && run->totals.launches && is_needed(conf, item))))
      return true;
  }
  for (int i = 0; i < conf->answer_count && of == OF_REFERENCE; i++)
    if (conf->answers[i].case_name && conf_case(conf, conf->answers[i].case_name) == case_index)
      return true;
  return false;
}

/* The largest case in which kernels were launched, or -1. */
static int launched_case(const struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  int found = -1;
  for (int i = 0; i < conf->case_count; i++)
    if (grade->cases[i].totals.launches &&
        (found < 0 || case_work(conf, i) > case_work(conf, found)))
      found = i;
  return found;
}

/* A measured item whose case is not right, so that it earns nothing: would it by what was counted
 * there, or else in the largest case that launched? It would if that cannot be told. */
static bool would_earn(const struct grade *grade, const struct item_conf *item) {
  const struct conf *conf = &grade->lab->conf;
  int own = conf_case(conf, item->case_name),
      index = grade->cases[own].totals.launches ? own : launched_case(grade);
  const bool *measured = grade->references[item->of].measured;
  double other;
  if (index < 0) return false;
  if (item->of != OF_VALUE && (index != own || !measured || !measured[own])) return true;
  const struct metric *metric = metric_find(item->metric);
  if (index != own && metric_is_time(metric)) return true; /* known of its own case only */
  const struct item_limits limits = score_limits(grade, item);
  return points_for(item, &limits, score_value(grade, item, metric, index, &other)) > 0;
}

static bool needs_are_met(const struct grade *grade, int i);

static bool has_earned(const struct grade *grade, int i) {
  const struct item_conf *item = &grade->lab->conf.items[i];
  const struct item_result *result = &grade->items[i];
  if (!needs_are_met(grade, i)) return false;
  return item->metric && result->waiting ? would_earn(grade, item) : result->points > 0;
}

static bool needs_are_met(const struct grade *grade, int i) {
  const struct conf *conf = &grade->lab->conf;
  const struct item_conf *item = &conf->items[i];
  for (int k = 0; k < item->need_count; k++)
    if (has_earned(grade, conf_item(conf, item->needs[k]))) return true;
  return item->need_count == 0;
}

/* Takes the points of what cannot be right, as it is not there. */
static void take_needy(struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  autofree bool *met = xcalloc((size_t)conf->item_count + 1, sizeof *met);
  for (int i = 0; i < conf->item_count; i++) met[i] = needs_are_met(grade, i);
  for (int i = 0; i < conf->item_count; i++) {
    struct item_result *result = &grade->items[i];
    const struct item_conf *item = &conf->items[i];
    if (met[i] || result->points == 0) continue;
    freed_by(text_free) struct text reason = {0};
    for (int k = 0; k < item->need_count; k++)
      text_add(&reason, "%s\"%s\"", k ? " or " : "",
               conf->items[conf_item(conf, item->needs[k])].title);
    free(result->reason);
    result->reason = xprintf("these points require points for %s first", text_get(&reason));
    result->points = 0;
    result->hint_helps = result->inconclusive = false;
  }
}

bool score_times(const struct conf *conf, int case_index) {
  for (int i = 0; i < conf->item_count; i++) {
    const struct item_conf *item = &conf->items[i];
    if (item->class == ITEM_PERFORMANCE &&
        strcmp(item->case_name, conf->cases[case_index].name) == 0)
      return true;
  }
  return false;
}

/* --- the whole --- */

void score_items(struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  grade->items = xcalloc((size_t)conf->item_count, sizeof *grade->items);
  grade->score = 0;
  for (int i = 0; i < conf->item_count; i++) {
    const struct item_conf *item = &conf->items[i];
    struct item_result *result = &grade->items[i];
    result->value = (double)NAN;
    if (item->class == ITEM_CORRECTNESS)
      score_correctness(grade, item, result);
    else if (item->class == ITEM_HAZARD)
      score_hazard_item(grade, item, result);
    else if (item->class == ITEM_PREDICTION)
      score_predictions(grade, item, result);
    else
      score_measured(grade, item, result);
  }
  take_needy(grade);
  for (int i = 0; i < conf->item_count; i++) {
    const struct item_conf *item = &conf->items[i];
    const struct item_result *result = &grade->items[i];
    grade->score += result->points;
    if (result->no_ceiling && !grade->error)
      grade->error = xprintf("%s; --backend sim grades with modelled times", result->reason);
    if (result->inconclusive && !grade->error)
      grade->error = xprintf(
          "inconclusive: the times of case %s vary too much to grade item %s; run "
          "again, while nothing else uses the device",
          item->case_name, item->id);
  }
  grade->verdict = grade->score == conf->max_points ? "pass"
                   : grade->score > 0               ? "partial"
                                                    : "fail";
}

/* Do two correctness items look at the same function of the file? */
static bool same_entry(const struct conf *conf, const struct item_conf *a,
                       const struct item_conf *b) {
  const char *x = conf->cases[conf_case(conf, a->cases[0])].entry;
  const char *y = conf->cases[conf_case(conf, b->cases[0])].entry;
  return x == y || (x && y && strcmp(x, y) == 0);
}

int score_same_cause(const struct grade *grade, int i) {
  const struct conf *conf = &grade->lab->conf;
  for (int j = 0; j < i && grade->items[i].reason; j++) {
    if (!grade->items[j].reason) continue;
    if (strcmp(grade->items[j].reason, grade->items[i].reason) == 0) return j;
    if (conf->items[i].class == ITEM_CORRECTNESS && conf->items[j].class == ITEM_CORRECTNESS &&
        grade->items[i].hint_helps && grade->items[j].hint_helps &&
        same_entry(conf, &conf->items[i], &conf->items[j]))
      return j;
  }
  return -1;
}

/* --- shares of the ceiling --- */

void share_apply(struct grade *grade, int case_index) {
  const struct case_conf *entry = &grade->lab->conf.cases[case_index];
  grade->cases[case_index].totals.ceiling_ns =
      family_work(conf_family(&grade->lab->conf, entry), entry->dims) /
      grade->shares[case_index].ceiling.per_ns;
}

void share_find(const struct kit *kit, struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  grade->shares = xcalloc((size_t)conf->case_count, sizeof *grade->shares);
  for (int i = 0; i < conf->case_count; i++) {
    const long *dims = conf->cases[i].dims;
    const struct family *family = conf_family(conf, &conf->cases[i]);
    struct share *share = &grade->shares[i];
    if (grade->cases[i].state != CASE_RIGHT || !score_times(conf, i)) continue;
    bool measured = grade->timings && grade->timings[i].measured;
    double ns =
        measured ? grade->timings[i].timed[0].ns.median : (double)grade->cases[i].totals.time_ns;
    if (!(ns > 0)) continue;
    share->per_ns = family_work(family, dims) / ns;
    if (measured)
      ceiling_best(kit, family, dims, grade->device, &share->ceiling, &share->unknown);
    else
      ceiling_described(family->ceiling, &share->ceiling, &share->unknown);
    if (!share->unknown) share_apply(grade, i);
  }
}

void share_free(struct grade *grade) {
  for (int i = 0; i < grade->lab->conf.case_count && grade->shares; i++)
    free_all(grade->shares[i].ceiling.device, grade->shares[i].unknown);
  free(grade->shares);
}
