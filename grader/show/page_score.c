/* page_score.c: every item with its points, its reason, its hint and what it looks at; see
 * page.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/score/cause.h"
#include "grader/show/page.h"

enum earned { NONE, PART, FULL };

static enum earned share_of(long points, long max) {
  return points == max ? FULL : points > 0 ? PART : NONE;
}

/* A mark, a class for the colour, words for whoever sees neither. */
static const char *const share_marks[] = {"\u2717", "\u25d0", "\u2713"};
static const char *const share_classes[] = {"lost", "part", "full"};
static const char *const share_words[] = {"no points", "part of the points", "full points"};

static void write_mark(struct html *html, enum earned share) {
  html_element(html, share_marks[share], "span", "class", "mark", "role", "img", "aria-label",
               share_words[share], NULL);
}

/* --- what an item looks at --- */

static void write_cases(struct page *page, const struct item_conf *item) {
  static const char *const classes[] = {"case skipped", "case right", "case wrong", "case skipped"};
  static const char *const marks[] = {"\u2013", "\u2713", "\u2717", "!"};
  static const char *const words[] = {"not run", "right", "wrong", "not judged"};
  struct html *html = &page->html;
  const struct conf *conf = &page->grade->lab->conf;
  html_open(html, "p", "class", "about", NULL);
  html_text(html, "Cases:");
  for (int i = 0; i < item->case_count; i++) {
    int index = conf_case(conf, item->cases[i]);
    enum case_state state = page->grade->cases[index].state;
    char *url = page_build_failed(page->grade) ? NULL : xprintf("#case-%d", index);
    html_raw(html, " ");
    html_open(html, "a", "class", classes[state], "href", url, "title", words[state], NULL);
    html_format(html, "%s %s%s", marks[state], item->cases[i],
                conf->cases[index].hidden ? " (hidden)" : "");
    html_close(html, "a");
    free(url);
  }
  html_close(html, "p");
}

static void write_kinds(struct html *html, const struct item_conf *item) {
  html_open(html, "p", "class", "about", NULL);
  html_text(html, "Looked for in every access and barrier of every case: ");
  for (int i = 0; i < item->kind_count; i++)
    html_format(html, "%s%s", i ? ", " : "", hazard_kind_title(item->kinds[i]));
  html_text(html, item->kind_count ? "." : "all that the simulator checks.");
  html_close(html, "p");
}

static void write_threshold(struct html *html, const char *words, const struct threshold *limit) {
  if (limit->given)
    html_format(html, "%s %s %g", words, limit->at_least ? "\u2265" : "\u2264", limit->value);
}

/* The figure itself, where there is one: not before the case is right. */
static void write_value(struct page *page, const struct item_conf *item,
                        const struct metric *metric) {
  const struct grade *grade = page->grade;
  int index = conf_case(&grade->lab->conf, item->case_name);
  if (!grade->cases || grade->cases[index].state != CASE_RIGHT) return;
  if (item->of != OF_VALUE &&
      !(grade->references[item->of].measured && grade->references[item->of].measured[index]))
    return;
  double other, value = score_interval(grade, item, metric, index, &other).median;
  if (isnan(value)) return;
  html_text(&page->html, " Here: ");
  html_open(&page->html, "b", NULL);
  html_format(&page->html, "%.3g", value);
  html_close(&page->html, "b");
  html_text(&page->html, ".");
}

static void write_measure(struct page *page, const struct item_conf *item) {
  struct html *html = &page->html;
  const struct metric *metric = metric_find(item->metric);
  html_open(html, "p", "class", "about", NULL);
  html_format(html, "Case %s: ", item->case_name);
  html_element(html, item->metric, "code", NULL);
  if (item->of == OF_BASELINE)
    html_format(html, ", beside that of %s's solution", page->grade->lab->conf.baseline);
  else if (item->of == OF_REFERENCE)
    html_text(html, ", beside that of the model solution");
  if (metric->sentence[0]) html_format(html, " (%s)", metric->sentence);
  write_threshold(html, "; full points at", &item->full);
  write_threshold(html, ", half of them at", &item->half);
  write_threshold(html, ", none at", &item->zero);
  html_text(html, ".");
  write_value(page, item, metric);
  html_close(html, "p");
}

static void write_about(struct page *page, const struct item_conf *item) {
  if (item->class == ITEM_CORRECTNESS)
    write_cases(page, item);
  else if (item->class == ITEM_HAZARD)
    write_kinds(&page->html, item);
  else
    write_measure(page, item);
}

/* --- items --- */

static void write_reason(struct page *page, int i) {
  struct html *html = &page->html;
  const struct item_result *result = &page->grade->items[i];
  if (!result->reason) return;
  html_open(html, "p", "class", "reason", NULL);
  page_words(page, result->reason);
  html_close(html, "p");
  const char *hint = cause_hint(page->grade, i);
  if (!hint) return;
  html_open(html, "p", "class", "hint", NULL);
  html_element(html, "Try", "b", NULL);
  html_raw(html, " ");
  html_text(html, hint);
  html_close(html, "p");
}

/* Why an item that was lost is not looked at. */
static void write_note(struct html *html, const char *why, const char *what, const char *how) {
  html_open(html, "span", "class", "dim", NULL);
  html_format(html, " (%s %s%s)", why, what, how);
  html_close(html, "span");
}

static void write_item(struct page *page, int i) {
  struct html *html = &page->html;
  const struct item_conf *item = &page->grade->lab->conf.items[i];
  const struct item_result *result = &page->grade->items[i];
  enum earned share = share_of(result->points, item->points);
  int same = share == FULL || result->waiting ? -1 : score_same_cause(page->grade, i);
  bool open = share != FULL && !result->waiting && same < 0 && !page_build_failed(page->grade);
  char *id = xprintf("item-%d", i), *classes = xprintf("item %s", share_classes[share]);
  html_open(html, "details", "class", classes, "id", id, "open", open ? "" : NULL, NULL);
  html_open(html, "summary", NULL);
  write_mark(html, share);
  html_open(html, "span", "class", "title", NULL);
  html_text(html, item->title);
  html_element(html, item->id, "code", NULL);
  if (item->hidden) html_element(html, " (hidden)", "span", "class", "dim", NULL);
  if (same >= 0) write_note(html, "as for", page->grade->lab->conf.items[same].id, "");
  if (result->waiting)
    write_note(html, "needs", item->case_name ? item->case_name : "a case", " right");
  html_close(html, "span");
  html_open(html, "span", "class", "points", NULL);
  html_open(html, "b", NULL);
  html_format(html, "%ld", result->points);
  html_close(html, "b");
  html_format(html, " / %ld", item->points);
  html_close(html, "span");
  html_close(html, "summary");
  html_open(html, "div", "class", "body", NULL);
  write_reason(page, i);
  if (item->metric && share != FULL) page_handout_link(page, item->metric);
  write_about(page, item);
  html_close(html, "div");
  html_close(html, "details");
  html_raw(html, "\n");
  free(id);
  free(classes);
}

static const char *const class_titles[ITEM_CLASSES] = {
    [ITEM_CORRECTNESS] = "Correctness",
    [ITEM_HAZARD] = "Hazards",
    [ITEM_TECHNIQUE] = "Technique",
    [ITEM_PERFORMANCE] = "Performance",
};

static void write_class(struct page *page, int class) {
  struct html *html = &page->html;
  const struct conf *conf = &page->grade->lab->conf;
  long points = 0, max = 0;
  for (int i = 0; i < conf->item_count; i++) {
    if (conf->items[i].class != class) continue;
    points += page->grade->items[i].points;
    max += conf->items[i].points;
  }
  if (max == 0) return;
  html_open(html, "div", "class", "group", NULL);
  html_open(html, "h3", NULL);
  html_text(html, class_titles[class]);
  html_open(html, "span", "class", "points", NULL);
  html_format(html, "%ld / %ld", points, max);
  html_close(html, "span");
  html_close(html, "h3");
  html_open(html, "div", "class", "items", NULL);
  for (int i = 0; i < conf->item_count; i++) {
    if (conf->items[i].class == class) write_item(page, i);
  }
  html_close(html, "div");
  html_close(html, "div");
}

/* All points as one bar: a piece an item, as wide as its points, filled as far as they were got. */
static void write_bar(struct page *page) {
  struct html *html = &page->html;
  const struct conf *conf = &page->grade->lab->conf;
  html_open(html, "div", "class", "bar", "role", "group", "aria-label", "points by item", NULL);
  for (int i = 0; i < conf->item_count; i++) {
    long points = page->grade->items[i].points, max = conf->items[i].points;
    char *url = xprintf("#item-%d", i), *width = xprintf("flex-grow:%ld", max);
    char *title = xprintf("%s: %ld / %ld", conf->items[i].title, points, max);
    char *fill = xprintf("width:%ld%%", max ? 100 * points / max : 0);
    html_open(html, "a", "href", url, "style", width, "title", title, NULL);
    html_element(html, "", "i", "style", fill, NULL);
    html_close(html, "a");
    free(url);
    free(width);
    free(title);
    free(fill);
  }
  html_close(html, "div");
}

void page_score(struct page *page) {
  struct html *html = &page->html;
  if (!page->grade->items) return;
  html_open(html, "section", "id", "points", NULL);
  html_element(html, "Points", "h2", NULL);
  write_bar(page);
  html_open(html, "div", "class", "groups", NULL);
  for (int i = 0; i < ITEM_CLASSES; i++) write_class(page, i);
  html_close(html, "div");
  html_close(html, "section");
  html_raw(html, "\n");
}
