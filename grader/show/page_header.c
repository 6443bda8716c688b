/* page_header.c: verdict and score, the way to the sections, and what to look at first; see
 * page.h. */
#include <stdlib.h>
#include <string.h>

#include "grader/show/html_frame.h"
#include "grader/show/page.h"

/* --- the header --- */

static bool has_accesses(const struct page *page) {
  for (int i = 0; i < page->shown_count; i++)
    if (page->shown[i].longest->access_count > 0) return true;
  return false;
}

static void open_header(struct page *page) {
  const struct grade *grade = page->grade;
  bool built = grade->cases && !page_build_failed(grade);
  autofree char *handout = page_handout_url(page);
  const struct {
    struct html_link link;
    bool there;
  } all[] = {
      {{"#points", "Points"}, grade->items},
      {{"#hazards", built ? "Hazards" : "Compiler"}, true},
      {{"#launches", "Measured"}, page->shown_count},
      {{"#source", "Source"}, true},
      {{"#pictures", "Accesses"}, has_accesses(page)},
      {{"#cases", "Cases"}, built},
      {{handout, "Handout"}, handout},
  };
  struct html_link links[sizeof all / sizeof *all + 1] = {{NULL, NULL}};
  int count = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].there) links[count++] = all[i].link;
  html_header_open(&page->html, grade->lab->id, grade->lab->conf.title, links);
}

static void write_verdict(struct html *html, const struct grade *grade) {
  static const char *const marks[] = {"pass", "\u2713", "partial", "\u25d0",
                                      "fail", "\u2717", "error",   "!"};
  const char *mark = "";
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i += 2)
    if (strcmp(grade->verdict, marks[i]) == 0) mark = marks[i + 1];
  html_print(html, "<p class='verdict %s'><span aria-hidden='true'>%s</span> %s</p>",
             grade->verdict, mark, grade->verdict);
}

void page_header(struct page *page) {
  struct html *html = &page->html;
  const struct grade *grade = page->grade;
  open_header(page);
  write_verdict(html, grade);
  if (grade->error)
    html_print(html, "<p class='score'>no score</p>");
  else
    html_print(html, "<p class='score'><b>%ld</b> / %ld</p>", grade->score,
               grade->lab->conf.max_points);
  html_header_close(html);
  html_print(html, "\n");
}

/* --- what to look at first --- */

static void write_first(struct page *page, struct cause cause) {
  struct html *html = &page->html;
  autofree char *words = cause_words(page->grade);
  bool hazard = cause.hazard >= 0;
  html_print(html, "<p><a href='#%s-%d'>Start here</a> ", hazard ? "hazard" : "item",
             hazard ? cause.hazard : cause.item);
  page_words(page, words);
  html_print(html, "</p>");
}

void page_first(struct page *page) {
  struct html *html = &page->html;
  const struct grade *grade = page->grade;
  struct cause cause = cause_of(grade);
  bool lost = grade->items && (cause.hazard >= 0 || cause.item >= 0);
  if (!grade->error && !lost && !grade->partial) return;
  html_print(html, "<div class='%s'>", grade->error ? "callout error" : "callout");
  if (grade->error)
    html_print(html,
               "<p>%s</p><p>This is the fault of the kit or the machine, not of the file, and "
               "costs no points. ./grade doctor may know more.</p>",
               grade->error);
  else if (lost)
    write_first(page, cause);
  if (grade->partial)
    html_print(html, "<p>Only the cases asked for were run: this is not the lab&#39;s grade.</p>");
  html_print(html, "</div>\n");
}
