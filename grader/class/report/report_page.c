/* report_page.c: the page about one lab, to be shown to the class. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/class/report/class_report.h"
#include "grader/class/report/report_words.h"
#include "grader/lab/metric.h"

enum { LEADERS = 25, WORST_ITEMS = 3, HAZARDS = 8 };

struct page {
  struct html html;
  const struct class_lab *lab;
  const struct summary *summary;
  const char *no_charts;
  bool names;
};

/* --- charts --- */

static bool has(const struct page *page, const char *id) {
  return report_charts_find(&page->lab->charts, id) != NULL;
}

static void write_file_link(struct page *page, const char *id, const char *format,
                            const char *words) {
  freed_by(text_free) struct text url = {0};
  autofree char *name = xprintf("%s-%s.%s", page->summary->lab, id, format);
  html_path(&url, name);
  html_element(&page->html, words, "a", "href", text_get(&url), NULL);
}

/* The chart, if there is one of that id. */
static void write_chart(struct page *page, const char *id) {
  struct html *html = &page->html;
  const struct report_chart *chart = report_charts_find(&page->lab->charts, id);
  if (!chart || chart->svg.length == 0) return;
  autofree char *prefix = xprintf("%s-", id);
  html_open(html, "figure", NULL);
  html_open(html, "div", "role", "img", "aria-label", chart->alt, NULL);
  chart_element(chart->svg.data, prefix, &html->text);
  html_close(html, "div");
  html_open(html, "figcaption", NULL);
  write_file_link(page, id, "svg", "SVG");
  html_raw(html, " ");
  write_file_link(page, id, "png", "PNG for slides");
  html_raw(html, " ");
  write_file_link(page, id, "tsv", "Table");
  report_html_close(html, "figcaption", "figure", NULL);
}

static void begin_panel(struct page *page, const char *id, const char *title) {
  html_open(&page->html, "section", "id", id, "class", "panel", NULL);
  html_element(&page->html, title, "h2", NULL);
  html_open(&page->html, "div", "class", "words", NULL);
}

/* After the words: the charts of these ids. */
static void end_panel(struct page *page, const char *first, const char *second, const char *third) {
  struct html *html = &page->html;
  const char *const ids[] = {first, second, third};
  html_close(html, "div");
  html_open(html, "div", "class", "charts", NULL);
  for (int i = 0; i < 3; i++)
    if (ids[i]) write_chart(page, ids[i]);
  report_html_close(html, "div", "section", NULL);
}

static void write_words(struct page *page, char *words) {
  report_html_paragraph(&page->html, NULL, words);
  free(words);
}

/* --- the beginning --- */

static void write_fact(struct html *html, const char *term, double value) {
  html_open(html, "div", NULL);
  html_element(html, term, "dt", NULL);
  html_open(html, "dd", NULL);
  autofree char *number = isnan(value) ? xstrdup("\u2013") : words_number(value);
  html_text(html, number);
  html_close(html, "dd");
  html_close(html, "div");
}

static void write_facts(struct page *page) {
  struct html *html = &page->html;
  const struct summary *summary = page->summary;
  int faults = summary->states[STANDING_ERROR] + summary->states[STANDING_REFUSED];
  html_open(html, "dl", "class", "facts", NULL);
  write_fact(html, "students", summary->count);
  write_fact(html, "handed in", summary->count - summary->states[STANDING_MISSING]);
  write_fact(html, "late", summary->late);
  if (faults > 0) write_fact(html, "not readable, or errors", faults);
  if (summary->states[STANDING_PENDING] > 0)
    write_fact(html, "not graded yet", summary->states[STANDING_PENDING]);
  write_fact(html, "lower quartile", summary->scores.quartile);
  write_fact(html, "median", summary->scores.median);
  write_fact(html, "upper quartile", summary->scores.upper);
  write_fact(html, "full marks", summary->full_marks);
  report_html_close(html, "dl", NULL);
}

static void write_lead(struct page *page) {
  struct html *html = &page->html;
  const struct summary *summary = page->summary;
  int graded = words_graded(summary), shown = 0;
  html_open(html, "div", "class", "callout", NULL);
  html_open(html, "div", "class", "lead", NULL);
  write_words(page, words_handed_in(summary));
  write_words(page, words_scores(summary));
  if (summary->item_count > 0 && item_missed(&summary->items[0]) > 0) {
    html_open(html, "ul", NULL);
    for (int i = 0; i < summary->item_count && shown < WORST_ITEMS; i++) {
      if (item_missed(&summary->items[i]) == 0) continue;
      autofree char *words = words_item(&summary->items[i], graded);
      html_element(html, words, "li", NULL);
      shown++;
    }
    html_close(html, "ul");
  }
  report_html_close(html, "div", "div", NULL);
  write_facts(page);
  if (page->no_charts) {
    html_open(html, "p", "class", "dim", NULL);
    html_format(html, "Charts are missing here: %s.", page->no_charts);
    html_close(html, "p");
  }
}

/* --- sections --- */

static void write_scores(struct page *page) {
  begin_panel(page, "scores", "Scores");
  report_html_paragraph(&page->html, NULL,
                        "A blue bar counts the students from one score to the next; the green one "
                        "at the right counts those with full marks. The dashed line is the median: "
                        "half of the class has more, half less.");
  end_panel(page, "scores", NULL, NULL);
}

static void write_item_row(struct page *page, const struct item_summary *item, int graded) {
  struct html *html = &page->html;
  int missed = item_missed(item);
  html_open(html, "tr", NULL);
  html_open(html, "td", "class", "wide", NULL);
  html_element(html, item->title ? item->title : item->id, "b", NULL);
  if (missed > 0 && item->hint) html_element(html, item->hint, "span", "class", "hint", NULL);
  html_close(html, "td");
  const struct {
    const char *title;
    int count;
    const char *unit;
  } cells[] = {{"miss it", summary_percent(missed, graded), "%"},
               {"no points", item->none, ""},
               {"some", item->part, ""},
               {"not judged", item->unjudged, ""},
               {"all points", item->full, ""}};
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
    report_html_number(html, cells[i].title, "%d%s", cells[i].count, cells[i].unit);
  report_html_close(html, "tr", NULL);
}

static void write_items(struct page *page) {
  struct html *html = &page->html;
  const struct summary *summary = page->summary;
  static const struct html_column columns[] = {{"Item", NULL},      {"miss it", "n"},
                                               {"no points", "n"},  {"some", "n"},
                                               {"not judged", "n"}, {"all points", "n"}};
  begin_panel(page, "items", "What loses points");
  report_html_paragraph(html, NULL,
                        "Shares of the students whose work is graded. Missing an item means "
                        "getting less than all of its points. Points are not judged while the "
                        "results of the code in question are not right yet.");
  end_panel(page, "items", NULL, NULL);
  html_open(html, "section", NULL);
  html_open(html, "div", "class", "card", NULL);
  html_table_open(html, "people stack", columns, (int)(sizeof columns / sizeof *columns));
  for (int i = 0; i < summary->item_count; i++)
    write_item_row(page, &summary->items[i], words_graded(summary));
  html_table_close(html);
  report_html_close(html, "div", "section", NULL);
}

static void write_hazards(struct page *page) {
  struct html *html = &page->html;
  const struct summary *summary = page->summary;
  begin_panel(page, "hazards", "Hazards");
  if (summary->hazard_count == 0) {
    report_html_paragraph(html, NULL,
                          "None: every access and every barrier of all graded work was checked.");
  } else {
    report_html_paragraph(html, NULL,
                          "Students are counted, not occurrences: one file may have a race at ten "
                          "places. Most often:");
    html_open(html, "ul", NULL);
    for (int i = 0; i < summary->hazard_count && i < HAZARDS; i++) {
      const struct hazard_summary *hazard = &summary->hazards[i];
      html_open(html, "li", NULL);
      html_format(html, "%s: %d", hazard_kind_title(hazard->kind), hazard->students);
      if (hazard->warned > 0)
        html_format(html, "%s%d as a warning", hazard->students ? ", and " : " + ", hazard->warned);
      html_close(html, "li");
    }
    html_close(html, "ul");
  }
  end_panel(page, "hazards", NULL, NULL);
}

static void write_case_words(struct page *page, const struct case_summary *shown) {
  autofree double *times = xcalloc((size_t)shown->count, sizeof *times);
  for (int i = 0; i < shown->count; i++) times[i] = shown->points[i].time_ns;
  struct spread spread = spread_of(times, shown->count);
  autofree char *median = words_time(spread.median), *reference = words_time(shown->reference_ns);
  freed_by(text_free) struct text words = {0};
  if (shown->count == 0) {
    text_add(&words, "Case %s: nobody's results are right yet.", shown->name);
  } else {
    text_add(&words, "Case %s: right for %d, median time %s %s; the reference solution takes %s",
             shown->name, shown->count, median, page->summary->time_kind, reference);
    if (shown->baseline_ns > 0) {
      autofree char *baseline = words_time(shown->baseline_ns);
      text_add(&words, ", the baseline %s", baseline);
    }
    text_add(&words, ".");
  }
  report_html_paragraph(&page->html, NULL, text_get(&words));
}

static void write_speed(struct page *page) {
  const struct summary *summary = page->summary;
  autofree char *how = words_times(summary);
  begin_panel(page, "speed", "Speed");
  for (int i = 0; i < summary->case_count; i++) write_case_words(page, &summary->cases[i]);
  write_words(page, xprintf("Times are %s.", how));
  if (strcmp(summary->time_kind, "modelled") == 0)
    report_html_paragraph(&page->html, "dim",
                          "Modelled times rank kernels; they are not what a stopwatch would show.");
  if (summary->other_times > 0) {
    autofree char *students = words_students(summary->other_times);
    write_words(page, xprintf("%s with times of another device or kind are left out.", students));
  }
  end_panel(page, "speed", "ceiling", NULL);
}

static void write_traffic(struct page *page) {
  begin_panel(page, "traffic", "Traffic and time");
  report_html_paragraph(&page->html, NULL,
                        "Both axes are logarithmic. A kernel low and to the left moves little and "
                        "is fast. At the same traffic, a slower one loses time elsewhere: bank "
                        "conflicts, idle lanes, too few warps.");
  end_panel(page, "traffic", "traffic-2", "traffic-3");
}

static void write_blocks(struct page *page) {
  const struct summary *summary = page->summary;
  const struct shape_summary *first = &summary->shapes[0], *best = NULL;
  for (int i = 0; i < summary->shape_count; i++) {
    const struct shape_summary *shape = &summary->shapes[i];
    if (shape->students > first->students) first = shape;
    if (shape->time_ns > 0 && (!best || shape->time_ns < best->time_ns)) best = shape;
  }
  begin_panel(page, "blocks", "Block shapes");
  autofree char *frequent = words_shape(first);
  write_words(page,
              xprintf("The class uses %d shape%s; most often %s, by %d.", summary->shape_count,
                      summary->shape_count == 1 ? "" : "s", frequent, first->students));
  if (best) {
    autofree char *fastest = words_shape(best), *time = words_time(best->time_ns);
    write_words(page, xprintf("Fastest among the right ones: %s, %s %s.", fastest, time,
                              summary->time_kind));
  }
  end_panel(page, "blocks", NULL, NULL);
}

static void write_progress(struct page *page) {
  const struct summary *summary = page->summary;
  int again = 0, better = 0;
  for (int i = 0; i < summary->count; i++) {
    const struct standing *standing = &summary->standings[i];
    if (standing->score_count < 2) continue;
    again++;
    better += standing->scores[standing->score_count - 1].score > standing->scores[0].score;
  }
  begin_panel(page, "progress", "Progress over attempts");
  if (again == 0) {
    report_html_paragraph(&page->html, NULL, "Everybody has one graded attempt.");
  } else {
    write_words(page, xprintf("%d of %d tried more than once; the last attempt of %d of them is "
                              "better than the first.",
                              again, words_graded(summary), better));
  }
  end_panel(page, "progress", NULL, NULL);
}

static void write_leader(struct page *page, int rank, const struct standing *standing) {
  struct html *html = &page->html;
  autofree char *ratio = words_leader(page->summary, standing);
  html_open(html, "tr", NULL);
  report_html_number(html, NULL, "%d", rank);
  html_open(html, "td", "class", "name", NULL);
  report_html_name(html, words_student(standing, page->names));
  html_close(html, "td");
  report_html_number(html, NULL, "%ld / %ld", standing->score, standing->max);
  html_element(html, ratio[0] ? ratio : "\u2013", "td", NULL);
  report_html_close(html, "tr", NULL);
}

static void write_leaders(struct page *page) {
  struct html *html = &page->html;
  const struct summary *summary = page->summary;
  int count;
  autofree int *places = summary_ranking(summary, &count);
  begin_panel(page, "leaders", "Leaderboard");
  if (summary->leaders.title)
    write_words(page,
                xprintf("By \"%s\", %s, of files without a fault; the others follow by score.",
                        summary->leaders.title, summary->time_kind));
  else
    report_html_paragraph(html, NULL,
                          "By score; equal scores by time, relative to the reference's.");
  if (!page->names)
    report_html_paragraph(html, NULL, "Names are pseudonyms that stay the same from lab to lab.");
  end_panel(page, "leaders", NULL, NULL);
  html_open(html, "section", NULL);
  html_open(html, "details", "class", "fold", NULL);
  html_open(html, "summary", NULL);
  html_format(html, "The top %d of %d as a table", count < LEADERS ? count : LEADERS, count);
  html_close(html, "summary");
  html_open(html, "div", "class", "scroll", NULL);
  html_table_open(html, "people", NULL, 0);
  for (int i = 0; i < count && i < LEADERS; i++)
    write_leader(page, summary_rank(summary, places, i), &summary->standings[places[i]]);
  html_table_close(html);
  report_html_close(html, "div", "details", "section", NULL);
}

/* --- the whole --- */

static void write_end(struct page *page) {
  const struct summary *summary = page->summary;
  autofree char *how = words_times(summary);
  autofree char *origin = xprintf("Counters and hazards come from the simulator; times: %s.", how);
  autofree char *seeds =
      xprintf("CUDA lab kit %s \u00b7 seed %s \u00b7 last graded %s",
              summary->kits[0] ? summary->kits : "?", summary->seeds[0] ? summary->seeds : "?",
              summary->graded_at[0] ? summary->graded_at : "?");
  const char *paragraphs[] = {
      origin, seeds, page->names ? "This page names students: it is for the instructor." : NULL,
      NULL};
  report_html_end(&page->html, paragraphs);
}

struct text report_page(const struct class_lab *lab, bool names, const char *no_charts,
                        bool other_labs) {
  struct page page = {.lab = lab, .summary = &lab->summary, .no_charts = no_charts, .names = names};
  const struct summary *summary = &lab->summary;
  bool graded = words_graded(summary) > 0,
       traffic = has(&page, "traffic") || has(&page, "traffic-2") || has(&page, "traffic-3");
  const struct {
    const char *url, *title;
    bool there;
    void (*write)(struct page *page);
  } parts[] = {{"./index.html", "All labs", other_labs, NULL},
               {"#scores", "Scores", graded, write_scores},
               {"#items", "Items", summary->item_count > 0, write_items},
               {"#hazards", "Hazards", graded, write_hazards},
               {"#speed", "Speed", summary->device && summary->case_count > 0, write_speed},
               {"#traffic", "Traffic", traffic, write_traffic},
               {"#blocks", "Blocks", has(&page, "blocks"), write_blocks},
               {"#progress", "Progress", graded, write_progress},
               {"#leaders", "Leaders", graded, write_leaders}};
  enum { PARTS = sizeof parts / sizeof *parts };
  struct html_link links[PARTS + 1] = {{NULL, NULL}};
  for (int i = 0, count = 0; i < PARTS; i++)
    if (parts[i].there) links[count++] = (struct html_link){parts[i].url, parts[i].title};
  autofree char *median = graded ? words_number(summary->scores.median) : NULL,
                *max = xprintf("%ld", summary->max);
  report_html_begin(&page.html, summary->lab, summary->title ? summary->title : "the whole class",
                    median, max, links);
  write_lead(&page);
  for (int i = 0; i < PARTS && graded; i++)
    if (parts[i].there && parts[i].write) parts[i].write(&page);
  write_end(&page);
  return page.html.text;
}
