/* cause.c: see cause.h.
 *
 * The order: what makes everything after it meaningless (it does not compile, a value that the compiler sees is never
 * set, a call that failed); wrong indices, where the results are exactly those that they give; hazards, in the order of
 * metric.c; and where there is none of these, the first item that lost points. What the compiler warns of and failed
 * calls are no mistakes as such: they count where results are wrong. */
#include "cause.h"

#include <stdlib.h>
#include <string.h>

#include "build.h"

static bool is_lost(const struct grade *grade, int i) {
  return grade->items[i].points < grade->lab->conf.items[i].points && !grade->items[i].waiting;
}

static bool any_wrong(const struct grade *grade) {
  for (int i = 0; grade->cases && i < grade->lab->conf.case_count; i++)
    if (grade->cases[i].state == CASE_WRONG) return true;
  return false;
}

/* Can it be a cause, and of what rank? */
static bool can_be(const struct hazard_record *hazard, bool wrong, int *rank) {
  *rank = hazard_kind_rank(hazard->kind);
  bool tells = strcmp(hazard->kind, "compiler") == 0 || strcmp(hazard->kind, "call") == 0;
  if (strcmp(hazard->kind, "wrong") == 0)
    return false; /* what, not why: its case's item has more */
  return hazard->warning ? tells && wrong : true;
}

static int first_hazard(const struct grade *grade) {
  int first = -1, lowest = 0, rank;
  bool wrong = any_wrong(grade);
  for (int i = 0; i < grade->hazard_count; i++) {
    if (!can_be(&grade->hazards[i], wrong, &rank) || (first >= 0 && rank >= lowest)) continue;
    first = i;
    lowest = rank;
  }
  return first;
}

struct cause cause_of(const struct grade *grade) {
  struct cause cause = {.hazard = -1, .item = -1};
  if (grade->error) return cause;
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

/* Bytes of a hazard's message before the case that score.c adds: " (case 17)". */
static size_t bare_length(const char *message) {
  const char *place = strrchr(message, '(');
  bool named = place > message &&
               (strncmp(place, "(case ", 6) == 0 || strncmp(place, "(hidden case ", 13) == 0);
  return named ? (size_t)(place - message) - 1 : strlen(message);
}

bool cause_covers(const struct grade *grade, int item) {
  struct cause cause = cause_of(grade);
  const char *reason = grade->items[item].reason;
  if (cause.hazard < 0 || !reason || !is_lost(grade, item)) return false;
  const char *message = grade->hazards[cause.hazard].message;
  return memmem(reason, strlen(reason), message, bare_length(message)) != NULL;
}

const char *cause_hint(const struct grade *grade, int item) {
  const struct item_conf *conf = &grade->lab->conf.items[item];
  const struct item_result *result = &grade->items[item];
  if (!result->hint_helps || result->explains || conf->class == ITEM_HAZARD) return NULL;
  return conf->class == ITEM_CORRECTNESS && cause_of(grade).hazard >= 0 ? NULL : conf->hint;
}
