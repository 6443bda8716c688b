/* report_charts.c: the tables that gnuplot draws charts of a class from. */
#include "grader/class/report/report_charts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/class/report/report_words.h"
#include "grader/lab/metric.h"

enum {
  BINS = 20,
  LEADERS = 15,
  LABEL_PIXELS = 296, /* beside a bar */
  LABEL_LINES = 2,
  NAME_PIXELS = 246,
  NOTE_LINES = 3,
};

/* --- lists --- */

/* A line of the table that gnuplot passes over. */
static void add_comment(struct text *data, const char *words) {
  text_add(data, "# ");
  text_add_printable(data, words, strlen(words), true);
  text_add(data, "\n");
}

struct report_chart *report_chart_add(struct report_charts *charts, const struct summary *summary,
                                      const char *id, const char *plot, const char *columns,
                                      char *title, bool times) {
  if (charts->count == MAX_REPORT_CHARTS) die("too many charts");
  struct report_chart *chart = &charts->items[charts->count++];
  char *source = words_source(summary, times);
  *chart = (struct report_chart){
      .id = xstrdup(id),
      .plot = plot,
      .title = report_lines(title, REPORT_LARGE, REPORT_PIXELS, 1),
      .source = report_lines(source, REPORT_SMALL, REPORT_PIXELS, REPORT_SOURCE_LINES)};
  add_comment(&chart->data, title);
  add_comment(&chart->data, source);
  text_add(&chart->data, "%s", columns);
  free_all(source, title);
  return chart;
}

void report_charts_free(struct report_charts *charts) {
  for (int i = 0; i < charts->count; i++) {
    struct report_chart *chart = &charts->items[i];
    free_all(chart->id, chart->title, chart->source, chart->alt);
    for (int m = 0; m < CHART_MORE; m++) free(chart->more[m]);
    text_free(&chart->data);
    text_free(&chart->svg);
  }
  charts->count = 0;
}

const struct report_chart *report_charts_find(const struct report_charts *charts, const char *id) {
  for (int i = 0; i < charts->count; i++)
    if (strcmp(charts->items[i].id, id) == 0) return &charts->items[i];
  return NULL;
}

struct chart report_chart_for(const struct report_chart *chart) {
  struct chart drawn = {.name = chart->plot,
                        .data = text_get(&chart->data),
                        .title = chart->title,
                        .source = chart->source};
  for (int i = 0; i < CHART_MORE; i++) drawn.more[i] = chart->more[i];
  return drawn;
}

void report_chart_cell(struct text *data, const char *words, double pixels, int max_lines) {
  freed_by(text_free) struct text clean = {0};
  text_add_printable(&clean, words, strlen(words), true);
  autofree char *lines = report_lines(text_get(&clean), REPORT_LETTERS, pixels, max_lines);
  for (const char *at = lines; *at; at++) {
    if (*at == '\n')
      text_add(data, "\\n");
    else if (*at == '\\')
      text_add(data, "\\\\");
    else
      text_add(data, "%c", *at == '"' ? '\'' : *at);
  }
}

char *report_chart_note(const char *words) {
  return report_lines(words, REPORT_LETTERS, REPORT_PIXELS, NOTE_LINES);
}

/* --- scores, items, hazards --- */

static void add_scores(struct report_charts *charts, const struct summary *summary) {
  long max = summary->max > 0 ? summary->max : 1;
  int bins = max < BINS ? (int)max : BINS, counts[BINS] = {0}, full = 0;
  for (int i = 0; i < summary->count; i++) {
    const struct standing *standing = &summary->standings[i];
    if (standing->state != STANDING_GRADED) continue;
    int bin = (int)(standing->score * bins / max);
    if (standing->score >= max)
      full++;
    else
      counts[bin < 0 ? 0 : bin]++;
  }
  autofree char *words = words_scores(summary);
  struct report_chart *chart = report_chart_add(charts, summary, "scores", "class/scores",
                                                "# bin\tfrom\tto\tstudents\n"
                                                "# full\tfrom\tto\tstudents\n"
                                                "# median\tscore\twords\tstudents\n",
                                                xprintf("%s: scores", summary->lab), false);
  double wide = (double)max / bins;
  for (int i = 0; i < bins; i++)
    text_add(&chart->data, "bin\t%g\t%g\t%d\n", i * wide, (i + 1) * wide, counts[i]);
  text_add(&chart->data, "full\t%ld\t%g\t%d\n", max, (double)max + wide, full);
  autofree char *median = words_number(summary->scores.median);
  text_add(&chart->data, "median\t%g\tmedian %s\t0\n", summary->scores.median, median);
  chart->more[0] = xprintf("%ld", max);
  chart->more[1] = report_chart_note(words);
  chart->alt = xprintf("Histogram of scores. %s", words);
}

static void add_items(struct report_charts *charts, const struct summary *summary) {
  if (summary->item_count == 0) return;
  int graded = words_graded(summary);
  struct report_chart *chart = report_chart_add(
      charts, summary, "items", "class/items",
      "# item\ttitle\tno points, %\tsome, %\tnot judged, %\tall points, %\twords\n",
      xprintf("%s: what loses points, the most often missed first", summary->lab), false);
  for (int i = 0; i < summary->item_count; i++) {
    const struct item_summary *item = &summary->items[i];
    double whole = graded / 100.0;
    text_add(&chart->data, "item\t");
    report_chart_cell(&chart->data, item->title ? item->title : item->id, LABEL_PIXELS,
                      LABEL_LINES);
    text_add(&chart->data, "\t%g\t%g\t%g\t%g\t", item->none / whole, item->part / whole,
             item->unjudged / whole, item->full / whole);
    int missed = item_missed(item);
    if (missed > 0)
      text_add(&chart->data, "%d%% miss it (%d)\n", summary_percent(missed, graded), missed);
    else
      text_add(&chart->data, "%s\n", item->unjudged ? "nobody misses it" : "all have it");
  }
  chart->more[0] = xprintf("%d", summary->item_count);
  autofree char *worst = words_item(&summary->items[0], graded);
  chart->alt = xprintf(
      "Bars: shares of the class with all, some and none of each item's points. "
      "First: %s.",
      worst);
}

static void add_hazards(struct report_charts *charts, const struct summary *summary) {
  if (summary->hazard_count == 0) return;
  int graded = words_graded(summary), max = 1;
  struct report_chart *chart =
      report_chart_add(charts, summary, "hazards", "class/hazards",
                       "# hazard\ttitle\tstudents\twarned only\twords\n",
                       xprintf("%s: hazards, by students", summary->lab), false);
  for (int i = 0; i < summary->hazard_count; i++) {
    const struct hazard_summary *hazard = &summary->hazards[i];
    int all = hazard->students + hazard->warned;
    text_add(&chart->data, "hazard\t");
    report_chart_cell(&chart->data, hazard_kind_title(hazard->kind), LABEL_PIXELS, LABEL_LINES);
    text_add(&chart->data, "\t%d\t%d\t%d (%d%%)\n", hazard->students, hazard->warned, all,
             summary_percent(all, graded));
    if (all > max) max = all;
  }
  chart->more[0] = xprintf("%d", summary->hazard_count);
  chart->more[1] = xprintf("%d", max);
  chart->alt =
      xprintf("Bars: students that each kind of hazard was found in; the most frequent is %s.",
              hazard_kind_title(summary->hazards[0].kind));
}

/* --- progress, leaders --- */

static void add_progress(struct report_charts *charts, const struct summary *summary) {
  if (summary->max_attempts < 2) return;
  struct report_chart *chart =
      report_chart_add(charts, summary, "progress", "class/progress",
                       "# student\tattempt\tscore (a blank line between students)\n"
                       "# median\tattempts\tscore\n",
                       xprintf("%s: scores over attempts", summary->lab), false);
  for (int i = 0; i < summary->count; i++) {
    const struct standing *standing = &summary->standings[i];
    for (int a = 0; a < standing->score_count; a++)
      text_add(&chart->data, "student\t%d\t%g\n", standing->scores[a].number,
               standing->scores[a].score);
    if (standing->score_count > 0) text_add(&chart->data, "\n");
  }
  text_add(&chart->data, "\n");
  for (int i = 0; i < summary->max_attempts; i++)
    text_add(&chart->data, "median\t%d\t%g\n", i + 1, summary->median_after[i]);
  chart->more[0] = xprintf("%d", summary->max_attempts);
  chart->more[1] = xprintf("%ld", summary->max > 0 ? summary->max : 1);
  chart->more[2] = xstrdup(
      "Thin: a student. Bold: the class's median after that many attempts.\nStudents who stopped "
      "earlier count with their last score.");
  chart->alt =
      xprintf("Lines: each student's score by attempt; the class's median goes from %g to %g.",
              summary->median_after[0], summary->median_after[summary->max_attempts - 1]);
}

static double largest_value(const struct summary *summary) {
  double largest = 0;
  for (int i = 0; i < summary->count; i++)
    if (summary->standings[i].value > largest) largest = summary->standings[i].value;
  return largest > 0 ? largest : 1;
}

static void add_leaders(struct report_charts *charts, const struct summary *summary, bool names) {
  int count;
  autofree int *places = summary_ranking(summary, &count);
  int shown = count < LEADERS ? count : LEADERS;
  struct report_chart *chart =
      report_chart_add(charts, summary, "leaders", "class/leaders",
                       summary->leaders.title ? "# leader\trank\tname\tvalue\twords\n"
                                              : "# leader\trank\tname\tscore\twords\n",
                       xprintf("%s: leaderboard", summary->lab), true);
  double max = summary->max > 0 ? (double)summary->max : 1;
  if (summary->leaders.title) max = largest_value(summary);
  for (int i = 0; i < shown; i++) {
    const struct standing *standing = &summary->standings[places[i]];
    if (summary->leaders.title && isnan(standing->value)) shown = i; /* the known ones come first */
    if (i == shown) break;
    text_add(&chart->data, "leader\t%d\t", summary_rank(summary, places, i));
    report_chart_cell(&chart->data, words_student(standing, names), NAME_PIXELS, 1);
    if (summary->leaders.title)
      text_add(&chart->data, "\t%.3g\t%ld points\n", standing->value, standing->score);
    else if (isnan(standing->ratio))
      text_add(&chart->data, "\t%ld\t-\n", standing->score);
    else
      text_add(&chart->data, "\t%ld\t%.2f x the reference's time\n", standing->score,
               standing->ratio);
  }
  chart->more[0] = xprintf("%d", shown);
  chart->more[1] = xprintf("%.3g", max);
  const char *kind = summary->time_kind ? summary->time_kind : "none known",
             *pseudonyms = names ? "" : ". Names are pseudonyms";
  autofree char *note =
      summary->leaders.title
          ? xprintf("\"%s\", in %s (%s), of files without a fault%s.", summary->leaders.title,
                    summary->leaders.unit, kind, pseudonyms)
          : xprintf("By score, then by time relative to the reference's (%s)%s.", kind, pseudonyms);
  chart->more[2] = summary->leaders.title ? report_chart_note(note) : xstrdup(note);
  chart->alt = xprintf("The leaders' %s, as bars.", summary->leaders.title ? "values" : "scores");
}

void report_charts_make(const struct summary *summary, bool names, struct report_charts *charts) {
  *charts = (struct report_charts){.count = 0};
  if (words_graded(summary) == 0) return;
  add_scores(charts, summary);
  add_items(charts, summary);
  add_hazards(charts, summary);
  report_charts_of_times(charts, summary);
  add_progress(charts, summary);
  add_leaders(charts, summary, names);
}
