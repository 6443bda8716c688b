/* report_words.c: puts the figures of a class into sentences. */
#include "grader/class/report/report_words.h"

#include <math.h>
#include <stdlib.h>

#include "grader/base/text.h"

int words_graded(const struct summary *summary) { return summary->states[STANDING_GRADED]; }

char *words_number(double value) { return xprintf("%.10g", round(value * 10) / 10); }

char *words_students(int count) { return xprintf("%d student%s", count, count == 1 ? "" : "s"); }

char *words_item(const struct item_summary *item, int graded) {
  int missed = item_missed(item);
  if (missed == 0) return xprintf("nobody misses \"%s\"", item->title);
  struct text words = {0};
  text_add(&words, "%d%% miss \"%s\"", summary_percent(missed, graded), item->title);
  const char *before = " (";
  if (item->part > 0 && item->none > 0) {
    text_add(&words, "%s%d%% get none of its points", before, summary_percent(item->none, graded));
    before = "; ";
  }
  if (item->unjudged > 0)
    text_add(&words, "%snot judged yet: %d%%", before, summary_percent(item->unjudged, graded));
  if (item->unjudged > 0 || (item->part > 0 && item->none > 0)) text_add(&words, ")");
  return words.data;
}

char *words_handed_in(const struct summary *summary) {
  const int *states = summary->states;
  if (summary->count == 0) return xstrdup("There is nobody in the gradebook yet.");
  struct text words = {0};
  autofree char *students = words_students(summary->count);
  int missing = states[STANDING_MISSING];
  if (missing == 0)
    text_add(&words,
             summary->count == 1   ? "The only student handed in"
             : summary->count == 2 ? "Both students handed in"
                                   : "All %s handed in",
             students);
  else
    text_add(&words, "%d of %s handed in", summary->count - missing, students);
  if (summary->late > 0) text_add(&words, ", %d of them late", summary->late);
  text_add(&words, ".");
  if (states[STANDING_REFUSED] > 0)
    text_add(&words, " %d handed in nothing that can be graded.", states[STANDING_REFUSED]);
  if (states[STANDING_ERROR] > 0)
    text_add(&words, " %d could not be graded because of a fault in the kit or the machine.",
             states[STANDING_ERROR]);
  if (states[STANDING_PENDING] > 0)
    text_add(&words, " %d are not graded yet: run ./grade class again.", states[STANDING_PENDING]);
  return words.data;
}

char *words_scores(const struct summary *summary) {
  const struct spread *scores = &summary->scores;
  if (scores->count == 0) return xstrdup("No score yet: nothing is graded.");
  struct text words = {0};
  autofree char *median = words_number(scores->median), *lower = words_number(scores->quartile),
                *upper = words_number(scores->upper);
  if (scores->count == 1) {
    text_add(&words, "One score: %s of %ld points.", median, summary->max);
  } else if (summary->full_marks == scores->count) {
    text_add(&words, "All %d have full marks.", scores->count);
  } else {
    text_add(&words, "The median is %s of %ld", median, summary->max);
    if (scores->count >= 4) /* of fewer, quartiles mean nothing */
      text_add(&words, "; the middle half of the class is between %s and %s", lower, upper);
    text_add(&words, ".");
    if (summary->full_marks > 0)
      text_add(&words, " %d%% (%d) have full marks.",
               summary_percent(summary->full_marks, scores->count), summary->full_marks);
    else
      text_add(&words, " Nobody has full marks.");
  }
  return words.data;
}

char *words_times(const struct summary *summary) {
  if (!summary->device) return xstrdup("no times");
  return xprintf("%s; device: %s", summary->time_kind,
                 summary->device[0] ? summary->device : "not known");
}

char *words_time(double ns) {
  if (!(ns > 0)) return xstrdup("-");
  if (ns < 999.5e3) return xprintf("%.3g us", ns / 1e3);
  return ns < 999.5e6 ? xprintf("%.3g ms", ns / 1e6) : xprintf("%.3g s", ns / 1e9);
}

char *words_shape(const struct shape_summary *shape) {
  if (shape->z == 1) return xprintf("%ld \u00d7 %ld", shape->x, shape->y);
  return xprintf("%ld \u00d7 %ld \u00d7 %ld", shape->x, shape->y, shape->z);
}

char *words_source(const struct summary *summary, bool times) {
  struct text words = {0};
  text_add(&words, "%s, %d of %d students graded", summary->lab, words_graded(summary),
           summary->count);
  if (summary->device) {
    autofree char *how = words_times(summary);
    text_add(&words, times ? "; times %s" : "; counted and %s", how);
  }
  if (times && summary->other_times > 0)
    text_add(&words, "; without %d of another device or kind of time", summary->other_times);
  return words.data;
}

const char *words_student(const struct standing *standing, bool names) {
  if (names) return standing->name && standing->name[0] ? standing->name : standing->student;
  return standing->pseudonym && standing->pseudonym[0] ? standing->pseudonym : "(no pseudonym)";
}

char *words_ratio(const struct summary *summary, const struct standing *standing) {
  if (isnan(standing->ratio)) return xstrdup("");
  return xprintf("%.2f x the reference's time, %s", standing->ratio, summary->time_kind);
}

char *words_leader(const struct summary *summary, const struct standing *standing) {
  if (!summary->leaders.title) return words_ratio(summary, standing);
  if (isnan(standing->value)) return xstrdup("");
  return xprintf("%.3g %s, %s", standing->value, summary->leaders.unit, summary->time_kind);
}
