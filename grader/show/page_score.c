/* page_score.c: every item with its points, its reason, its hint and what it looks at (page.h). */
#include <math.h>
#include <string.h>

#include "grader/show/page.h"

enum earned { NONE, PART, FULL };

static enum earned share_of(long points, long max) {
  return points == max ? FULL : points > 0 ? PART : NONE;
}

/* A mark, a class for the colour, words for whoever sees neither. */
static const char *const share_marks[] = {"\u2717", "\u25d0", "\u2713"};
static const char *const share_classes[] = {"lost", "part", "full"};
static const char *const share_words[] = {"no points", "part of the points", "full points"};

/* --- what an item looks at --- */

static void write_cases(struct page *page, const struct item_conf *item) {
  static const char *const classes[] = {"case skipped", "case right", "case wrong", "case skipped"};
  static const char *const marks[] = {"\u2013", "\u2713", "\u2717", "!"};
  static const char *const words[] = {"not run", "right", "wrong", "not judged"};
  struct html *html = &page->html;
  const struct conf *conf = &page->grade->lab->conf;
  html_print(html, "<p class='about'>Cases:");
  for (int i = 0; i < item->case_count; i++) {
    int index = conf_case(conf, item->cases[i]);
    enum case_state state = page->grade->cases[index].state;
    html_print(html, " <a class='%s'", classes[state]);
    if (!score_is_build_failure(page->grade)) html_print(html, " href='#case-%d'", index);
    html_print(html, " title='%s'>%s %s%s</a>", words[state], marks[state], item->cases[i],
               conf->cases[index].hidden ? " (hidden)" : "");
  }
  html_print(html, "</p>");
}

static void write_kinds(struct html *html, const struct item_conf *item) {
  html_print(html, "<p class='about'>Looked for in every access and barrier of every case: ");
  for (int i = 0; i < item->kind_count; i++)
    html_print(html, "%s%s", i ? ", " : "", hazard_kind_title(item->kinds[i]));
  html_print(html, "%s</p>", item->kind_count ? "." : "all that the simulator checks.");
}

static void write_threshold(struct html *html, const char *words, const struct threshold *limit) {
  if (limit->given)
    html_print(html, "%s %s %g", words, limit->at_least ? "\u2265" : "\u2264", limit->value);
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
  if (!isnan(value)) html_print(&page->html, " Here: <b>%.3g</b>.", value);
}

static void write_measure(struct page *page, const struct item_conf *item) {
  struct html *html = &page->html;
  const struct metric *metric = metric_find(item->metric);
  html_print(html, "<p class='about'>Case %s: <code>%s</code>", item->case_name, item->metric);
  if (item->of == OF_BASELINE)
    html_print(html, ", beside that of %s&#39;s solution", page->grade->lab->conf.baseline);
  else if (item->of == OF_REFERENCE)
    html_print(html, ", beside that of the model solution");
  if (metric->sentence[0]) html_print(html, " (%s)", metric->sentence);
  const struct item_limits limits = score_limits(page->grade, item);
  write_threshold(html, "; full points at", &limits.full);
  write_threshold(html, ", half of them at", &limits.half);
  write_threshold(html, ", none at", &limits.zero);
  html_print(html, item->scale == SCALE_LOG ? ", between them evenly over the logarithm." : ".");
  if (isnan(limits.part)) html_print(html, " These are parts of what the model solution reaches.");
  write_value(page, item, metric);
  html_print(html, "</p>");
}

/* What was asked and what the file answers; what is counted stays for the student to find. */
static void write_answers(struct page *page, const struct item_conf *item) {
  struct html *html = &page->html;
  const struct grade *grade = page->grade;
  const struct conf *conf = &grade->lab->conf;
  for (int i = 0; i < item->answer_count; i++) {
    int index = conf_answer(conf, item->answers[i]);
    const char *given = grade->answers ? grade->answers[index] : NULL;
    html_print(html, "<p class='about'>%s: <code>%s", conf->answers[index].question,
               conf->answers[index].id);
    if (given) {
      html_print(html, " = ");
      html_text(html, given);
      html_print(html, "</code></p>");
    } else {
      html_print(html, "</code> has no answer.</p>");
    }
  }
}

static void write_about(struct page *page, const struct item_conf *item) {
  if (item->class == ITEM_CORRECTNESS)
    write_cases(page, item);
  else if (item->class == ITEM_HAZARD)
    write_kinds(&page->html, item);
  else if (item->class == ITEM_PREDICTION)
    write_answers(page, item);
  else
    write_measure(page, item);
}

/* --- items --- */

static void write_reason(struct page *page, int i) {
  struct html *html = &page->html;
  const struct item_result *result = &page->grade->items[i];
  if (!result->reason) return;
  html_print(html, "<p class='reason'>");
  page_words(page, result->reason);
  html_print(html, "</p>");
  const char *hint = cause_hint(page->grade, i);
  if (hint) html_print(html, "<p class='hint'><b>Try</b> %s</p>", hint);
}

static void write_item(struct page *page, int i) {
  struct html *html = &page->html;
  const struct item_conf *item = &page->grade->lab->conf.items[i];
  const struct item_result *result = &page->grade->items[i];
  enum earned share = share_of(result->points, item->points);
  int same = share == FULL || result->waiting ? -1 : score_same_cause(page->grade, i);
  bool open = share != FULL && !result->waiting && same < 0 && !score_is_build_failure(page->grade);
  html_print(html, "<details class='item %s' id='item-%d'", share_classes[share], i);
  html_print(html, open ? " open=''>" : ">");
  html_print(html,
             "<summary><span class='mark' role='img' aria-label='%s'>%s</span>"
             "<span class='title'>%s<code>%s</code>",
             share_words[share], share_marks[share], item->title, item->id);
  if (item->hidden) html_print(html, "<span class='dim'> (hidden)</span>");
  if (same >= 0)
    html_print(html, "<span class='dim'> (as for %s)</span>",
               page->grade->lab->conf.items[same].id);
  if (result->waiting)
    html_print(html, "<span class='dim'> (needs %s right)</span>",
               item->case_name ? item->case_name : "a case");
  html_print(html,
             "</span><span class='points'><b>%ld</b> / %ld</span></summary><div class='body'>",
             result->points, item->points);
  write_reason(page, i);
  if (item->metric && share != FULL) page_handout_link(page, item->metric);
  write_about(page, item);
  html_print(html, "</div></details>\n");
}

static const char *const class_titles[ITEM_CLASSES] = {
    [ITEM_CORRECTNESS] = "Correctness", [ITEM_HAZARD] = "Hazards",
    [ITEM_TECHNIQUE] = "Technique",     [ITEM_PERFORMANCE] = "Performance",
    [ITEM_PREDICTION] = "Predictions",
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
  html_print(html,
             "<div class='group'><h3>%s<span class='points'>%ld / %ld</span></h3>"
             "<div class='items'>",
             class_titles[class], points, max);
  for (int i = 0; i < conf->item_count; i++)
    if (conf->items[i].class == class) write_item(page, i);
  html_print(html, "</div></div>");
}

/* All points as one bar: a piece an item, as wide as its points, filled as far as they were got. */
static void write_bar(struct page *page) {
  struct html *html = &page->html;
  const struct conf *conf = &page->grade->lab->conf;
  html_print(html, "<div class='bar' role='group' aria-label='points by item'>");
  for (int i = 0; i < conf->item_count; i++) {
    long points = page->grade->items[i].points, max = conf->items[i].points;
    html_print(html,
               "<a href='#item-%d' style='flex-grow:%ld' title='%s: %ld / %ld'>"
               "<i style='width:%ld%%'></i></a>",
               i, max, conf->items[i].title, points, max, max ? 100 * points / max : 0);
  }
  html_print(html, "</div>");
}

void page_score(struct page *page) {
  struct html *html = &page->html;
  if (!page->grade->items) return;
  html_print(html, "<section id='points'><h2>Points</h2>");
  write_bar(page);
  html_print(html, "<div class='groups'>");
  for (int i = 0; i < ITEM_CLASSES; i++) write_class(page, i);
  html_print(html, "</div></section>\n");
}
