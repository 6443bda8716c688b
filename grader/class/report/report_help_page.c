/* report_help_page.c: who needs help, by name, and the list of labs, as pages. */
#include <stdlib.h>

#include "grader/class/report/class_report.h"
#include "grader/class/report/report_words.h"

static void write_need(struct html *html, const struct summary *summary, const struct need *need) {
  const struct standing *standing = &summary->standings[need->standing];
  html_open(html, "tr", NULL);
  html_open(html, "td", "class", "name", NULL);
  report_html_name(html, words_student(standing, true));
  html_open(html, "span", "class", "id", NULL);
  report_html_name(html, standing->student);
  if (standing->section && standing->section[0]) {
    html_text(html, " \u00b7 section ");
    report_html_name(html, standing->section);
  }
  html_close(html, "span");
  html_close(html, "td");
  report_html_cell(html, "why", need->reason);
  if (need->kind == NEED_MISSING)
    html_element(html, "", "td", NULL);
  else
    report_html_number(html, "attempts", "%d%s", standing->attempts,
                       standing->late > 0 ? ", late" : "");
  if (need->first)
    report_html_cell(html, "first", need->first);
  else
    html_element(html, "", "td", NULL);
  report_html_close(html, "tr", NULL);
}

/* The students of one kind, as a table. */
static void write_kind(struct html *html, const struct class_lab *lab, enum need_kind kind) {
  static const char *const about[NEEDS] = {
      "Three attempts or more, and the last two gained nothing.",
      "Less than half of the points.",
      "Nothing in it could be graded.",
      "The kit or the machine failed; nobody loses points for it.",
      "Handed in, and still to be graded.",
      "On the roster, but handed in nothing."};
  static const struct html_column columns[] = {
      {"Student", NULL}, {"Why", NULL}, {"Attempts", NULL}, {"Look at first", NULL}};
  if (lab->needs.kinds[kind] == 0) return;
  html_open(html, "section", NULL);
  html_open(html, "h3", NULL);
  html_format(html, "%s: ", lab->summary.lab);
  html_format(html, "%s (%d)", need_title(kind), lab->needs.kinds[kind]);
  html_close(html, "h3");
  report_html_paragraph(html, "about", about[kind]);
  html_open(html, "div", "class", "card", NULL);
  html_table_open(html, "people stack", columns, 4);
  for (int i = 0; i < lab->needs.count; i++)
    if (lab->needs.items[i].kind == kind) write_need(html, &lab->summary, &lab->needs.items[i]);
  html_table_close(html);
  report_html_close(html, "div", "section", NULL);
}

struct text report_help_page(const struct class_lab *labs, int count) {
  struct html html = {0};
  const struct html_link index[] = {{"./index.html", "All labs"}, {NULL, NULL}},
                         *links = count > 1 ? index : index + 1;
  report_html_begin(&html, NULL, "Who needs help", NULL, NULL, links);
  html_open(&html, "div", "class", "callout", NULL);
  report_html_paragraph(&html, NULL,
                        "For the instructor: this page names students. The labs' own pages do "
                        "not, and can be shown.");
  for (int i = 0; i < count; i++) {
    autofree char *words = labs[i].needs.count == 0
                               ? xprintf("%s: nobody.", labs[i].summary.lab)
                               : xprintf("%s: %d of %d.", labs[i].summary.lab, labs[i].needs.count,
                                         labs[i].summary.count);
    report_html_paragraph(&html, NULL, words);
  }
  if (count == 0) report_html_paragraph(&html, NULL, "Nothing has been handed in yet.");
  html_close(&html, "div");
  for (int i = 0; i < count; i++)
    for (int kind = 0; kind < NEEDS; kind++) write_kind(&html, &labs[i], kind);
  const char *const end[] = {
      "Low: less than half of the points. Stuck: three graded attempts or "
      "more, less than 90% of the points, and the last two no better than "
      "the best before them.",
      NULL};
  report_html_end(&html, end);
  return html.text;
}

struct text report_index_page(const struct class_lab *labs, int count) {
  struct html html = {0};
  const struct html_link links[] = {{NULL, NULL}};
  report_html_begin(&html, NULL, "The class", NULL, NULL, links);
  if (count == 0) {
    html_open(&html, "div", "class", "callout", NULL);
    report_html_paragraph(&html, NULL, "Nothing has been handed in yet: there is nothing to show.");
    html_close(&html, "div");
  }
  html_open(&html, "section", "class", "labs", NULL);
  for (int i = 0; i < count; i++) {
    const struct summary *summary = &labs[i].summary;
    freed_by(text_free) struct text url = {0};
    autofree char *name = xprintf("%s.html", summary->lab), *handed_in = words_handed_in(summary),
                  *scores = words_scores(summary);
    html_path(&url, name);
    html_open(&html, "div", "class", "card", NULL);
    html_open(&html, "h2", NULL);
    html_open(&html, "a", "href", text_get(&url), NULL);
    html_format(&html, "%s%s%s", summary->lab, summary->title ? ": " : "",
                summary->title ? summary->title : "");
    html_close(&html, "a");
    html_close(&html, "h2");
    report_html_paragraph(&html, NULL, handed_in);
    report_html_paragraph(&html, NULL, scores);
    html_close(&html, "div");
  }
  html_close(&html, "section");
  const char *const end[] = {NULL};
  report_html_end(&html, end);
  return html.text;
}
