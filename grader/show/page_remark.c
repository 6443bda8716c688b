/* page_remark.c: what is said under a line of source: its hazards, and what its counters mean; see
 * page_source.h. */
#include <stdlib.h>
#include <string.h>

#include "grader/show/page_source.h"

enum { HAZARDS_A_LINE = 5 };

void remark_open(struct page *page, const char *class) {
  struct html *html = &page->html;
  html_print(html, "<tr class='remarks'><th></th>");
  if (page->shown_count) html_print(html, "<td class='margin none'></td>");
  html_print(html, "<td><p class='%s'>", class);
}

void remark_close(struct page *page) { html_print(&page->html, "</p></td></tr>\n"); }

/* --- hazards --- */

/* Wrong results have no line of their own: the cases show it. */
static bool concerns(const struct hazard_record *hazard, int line) {
  return strcmp(hazard->kind, "wrong") != 0 && (hazard->line == line || hazard->other_line == line);
}

static void write_hazard(struct page *page, const struct hazard_record *hazard, int line) {
  struct html *html = &page->html;
  remark_open(page, hazard->warning ? "remark warning" : "remark");
  html_print(html, "<b>%s %s</b>", hazard->warning ? "\u26a0" : "\u2717",
             hazard_kind_title(hazard->kind));
  if (hazard->line == line) {
    html_print(html, ": ");
    page_words(page, hazard->message);
  } else {
    page_line(page, " with ", hazard->line);
    html_print(html, ": see there.");
  }
  remark_close(page);
}

/* --- counters --- */

/* The letters of the cases from `first` on that have the same words; these words are freed, but for
 * the first's. */
static void write_letters(struct page *page, struct text *words, int first) {
  if (page->shown_count < 2) return;
  for (int i = first; i < page->shown_count; i++) {
    if (i > first && strcmp(text_get(&words[i]), text_get(&words[first])) != 0) continue;
    html_print(&page->html, " <span class='letter'>%s</span>", page_letter(i));
    if (i > first) text_free(&words[i]);
  }
}

/* A fault that several cases have in the same words is shown once. */
static void write_fault(struct page *page, int line, enum fault fault) {
  struct html *html = &page->html;
  struct text words[MAX_SHOWN] = {0};
  for (int i = 0; i < page->shown_count; i++) {
    if (figures_fault(&page->shown[i].lines[line], fault, &words[i]))
      access_words(page->shown[i].longest, line, fault, &words[i]);
  }
  for (int i = 0; i < page->shown_count; i++) {
    if (words[i].length == 0) continue;
    remark_open(page, fault == FAULT_LOCAL ? "remark warning" : "remark");
    html_print(html, "<b>\u25b2</b>");
    write_letters(page, words, i);
    html_print(html, " %s", text_get(&words[i]));
    remark_close(page);
    text_free(&words[i]);
  }
}

void remarks_write(struct page *page, int line) {
  const struct grade *grade = page->grade;
  int hazards = 0;
  for (int i = 0; i < grade->hazard_count; i++) {
    if (concerns(&grade->hazards[i], line) && hazards++ < HAZARDS_A_LINE)
      write_hazard(page, &grade->hazards[i], line);
  }
  if (hazards > HAZARDS_A_LINE) {
    remark_open(page, "remark");
    html_print(&page->html, "and %d more hazards", hazards - HAZARDS_A_LINE);
    remark_close(page);
  }
  for (int fault = 0; fault < FAULTS; fault++) write_fault(page, line, (enum fault)fault);
}

static bool has_fault(const struct page *page, int line, enum fault fault) {
  bool found = false;
  for (int i = 0; i < page->shown_count && !found; i++) {
    freed_by(text_free) struct text words = {0};
    found = figures_fault(&page->shown[i].lines[line], fault, &words);
  }
  return found;
}

const char *remark_class(const struct page *page, int line) {
  bool warned = has_fault(page, line, FAULT_LOCAL);
  for (int i = 0; i < page->grade->hazard_count; i++) {
    const struct hazard_record *hazard = &page->grade->hazards[i];
    if (concerns(hazard, line) && !hazard->warning) return "bad";
    warned |= concerns(hazard, line);
  }
  for (int fault = 0; fault < FAULT_LOCAL; fault++) {
    if (has_fault(page, line, (enum fault)fault)) return "bad";
  }
  return warned ? "warning" : NULL;
}
