/* cause.c: chooses the fault to fix first.
 *
 * The order: what makes everything after it meaningless (it does not compile, a value that the
 * compiler sees is never set, a call that failed); wrong indices, where the results are exactly
 * those that they give; hazards, in the order of metric.c; and where there is none of these, the
 * first item that lost points. Only what happened in the first wrong case explains it: a crash at a
 * larger size does not. What the compiler warns of and failed calls are no mistakes as such: they
 * count where results are wrong. */
#include "grader/score/score.h"

#include <string.h>

#include "grader/run/build.h"

static bool is_lost(const struct grade *grade, int i) {
  return grade->items[i].points < grade->lab->conf.items[i].points && !grade->items[i].waiting;
}

/* That copies did a case's work, or that a failure was not noticed, explains less than what is
 * wrong in another. */
static const struct case_result *first_wrong(const struct grade *grade) {
  const struct case_result *apart = NULL;
  for (int i = 0; grade->cases && i < grade->lab->conf.case_count; i++) {
    const struct case_result *result = &grade->cases[i];
    if (result->state != CASE_WRONG) continue;
    const char *kind = result->kind ? result->kind : "";
    if (strcmp(kind, "host") != 0 && strcmp(kind, "unchecked") != 0) return result;
    if (!apart) apart = result;
  }
  return apart;
}

static bool is_kind(const struct hazard_record *hazard, const char *kind) {
  return strcmp(hazard->kind, kind) == 0;
}

static bool occurs_in(const struct case_result *run, const struct hazard_record *hazard) {
  if (is_kind(hazard, "compiler") || is_kind(hazard, "build")) return true;
  for (int i = 0; i < run->report.hazard_count; i++) {
    const struct hazard_record *own = &run->report.hazards[i];
    if (is_kind(hazard, own->kind) && own->line == hazard->line &&
        own->other_line == hazard->other_line && strcmp(own->array, hazard->array) == 0)
      return true;
  }
  return (run->kind && is_kind(hazard, run->kind)) ||
         (run->report.forged && is_kind(hazard, "protocol"));
}

/* wrong: the first case that is; only what happened there explains it. */
static bool can_be_cause(const struct hazard_record *hazard, const struct case_result *wrong) {
  if (is_kind(hazard, "wrong")) return false; /* what, not why: its case's item has more */
  if (!wrong) return !hazard->warning;
  if (!hazard_kind_affects_results(hazard->kind)) return false;
  bool explains = is_kind(hazard, "compiler") || is_kind(hazard, "call");
  return (explains || !hazard->warning) && occurs_in(wrong, hazard);
}

static int first_hazard(const struct grade *grade) {
  const struct case_result *wrong = first_wrong(grade);
  int first = -1;
  for (int i = 0; i < grade->hazard_count; i++) {
    const struct hazard_record *hazard = &grade->hazards[i];
    if (can_be_cause(hazard, wrong) &&
        (first < 0 ||
         hazard_kind_rank(hazard->kind) < hazard_kind_rank(grade->hazards[first].kind)))
      first = i;
  }
  return first;
}

struct cause cause_of(const struct grade *grade) {
  struct cause cause = {.hazard = -1, .item = -1};
  if (grade->error || (grade->items && grade->score == grade->lab->conf.max_points)) return cause;
  cause.hazard = first_hazard(grade);
  int lost = -1, indices = -1;
  for (int i = grade->items ? grade->lab->conf.item_count - 1 : -1; i >= 0; i--) {
    if (!is_lost(grade, i)) continue;
    lost = i;
    if (grade->items[i].explains == EXPLAINS_STRAYS) indices = i;
  }
  bool stray = cause.hazard >= 0 && hazard_kind_rank(grade->hazards[cause.hazard].kind) >
                                        hazard_kind_rank("use_after_free");
  if (indices >= 0 && (cause.hazard < 0 || stray))
    cause = (struct cause){.hazard = -1, .item = indices};
  else if (cause.hazard < 0)
    cause.item = lost;
  cause.above = cause.item != lost || cause.hazard >= 0;
  return cause;
}

char *cause_hazard_words(const struct grade *grade, const struct hazard_record *hazard) {
  struct text words = {0};
  if (hazard->line) text_add(&words, "%s:%d: ", grade->source->name, hazard->line);
  text_add(&words, "%s: %s", hazard_kind_title(hazard->kind), hazard->message);
  if (hazard->count > 1)
    text_add(&words, "; %s%lu times", hazard->more ? "at least " : "", hazard->count);
  return words.data;
}

char *cause_words(const struct grade *grade) {
  struct cause cause = cause_of(grade);
  if (cause.hazard >= 0) return cause_hazard_words(grade, &grade->hazards[cause.hazard]);
  if (cause.item < 0) return NULL;
  const char *reason = grade->items[cause.item].reason;
  return xstrdup(reason ? reason : grade->lab->conf.items[cause.item].title);
}

bool cause_covers(const struct grade *grade, int item) {
  struct cause cause = cause_of(grade);
  const struct hazard_record *own = grade->items[item].hazard;
  return cause.hazard >= 0 && own && is_lost(grade, item) &&
         score_same_place(own, &grade->hazards[cause.hazard]);
}

const char *cause_hint(const struct grade *grade, int item) {
  const struct item_conf *conf = &grade->lab->conf.items[item];
  const struct item_result *result = &grade->items[item];
  if (!result->hint_helps || result->explains || conf->class == ITEM_HAZARD) return NULL;
  return conf->class == ITEM_CORRECTNESS && cause_of(grade).hazard >= 0 ? NULL : conf->hint;
}
