/* page.h: the parts of the HTML page, from top to bottom, and what they have in common. Only page.c
 * and page_*.c need it. */
#ifndef KIT_PAGE_H
#define KIT_PAGE_H

#include "grader/score/score.h"
#include "grader/show/chart.h"
#include "grader/show/html_text.h"

/* A case whose figures stand in the margin of the source; of a program: its whole run. */
struct shown_case {
  int index;                           /* in lab.conf */
  const char *name;                    /* of the case */
  const struct launch_record *longest; /* of the first call's launches */
  int launches;                        /* of the first call */
  uint64_t time_ns;                    /* of all of these */
  struct counters totals;              /* of all of these, as are the following */
  struct counters *lines;              /* lines[n]: of source line n; lines[0]: of no line */
};

/* A handout's page in HTML, as it lies in build/. */
struct handout {
  char *path, *text;
};
enum {
  MAX_HANDOUTS = 32,
  PAGE_ALL_LINES = 3000, /* a longer file is shown in parts */
};

/* The page of a grade, or of a program, whose files take their turns as the source. */
struct page {
  struct html html;
  const struct kit *kit;
  const struct grade *grade; /* NULL: of a program (program_page.h) */
  const struct source *source;
  const char *prefix;                  /* of the ids of its lines: "L" */
  const struct hazard_record *hazards; /* in it */
  int hazard_count;
  const char *folder; /* that the page will lie in; NULL: not known */
  struct shown_case shown[MAX_SHOWN];
  int shown_count;
  struct handout handouts[MAX_HANDOUTS];
  int handout_count;
  bool *visible; /* visible[n]: source line n is on the page */
};

/* page_score.c */
void page_score(struct page *page);
/* page_faults.c */
void page_hazards(struct page *page);
/* One of page->hazards as an article with this id, in which others may add a quote. */
void page_hazard_open(struct page *page, const struct hazard_record *hazard, const char *id);
void page_hazard_close(struct page *page);
/* A line of the source, with its number, as a link to its place. */
void page_quote(struct page *page, int line);
void page_cases(struct page *page);
/* page_launch.c */
void page_launches(struct page *page);
/* page_source.c */
/* Of a file with more lines than `all` its beginning, if `beginning`, and what something is said
 * about. */
void page_choose_lines(struct page *page, int all, bool beginning);
/* Its lines with figures and remarks. */
void page_code(struct page *page);
void page_source(struct page *page);
/* page_handout.c */
void page_find_handouts(struct page *page);
void page_free_handouts(struct page *page);
/* Of the lab's own handout; NULL if there is none. The caller's to free. */
char *page_handout_url(const struct page *page);
/* A paragraph with a link to the section on a metric or a kind of hazard, if there is one. */
void page_handout_link(struct page *page, const char *subject);
/* page_picture.c */
void page_pictures(struct page *page);
/* A chart_taker: the chart as a figure. */
struct page_figure {
  struct page *page;
  const char *title, *sentence; /* sentence: what it shows, for who cannot see it */
};
void page_figure(const struct chart *chart, const char *name, void *figure);
/* page_roofline.c: the shown cases' kernels under the roofs of the GPU. */
void page_roofline(struct page *page);
bool page_has_roofline(const struct page *page);
/* page_timeline.c: what copies and kernels of the shown cases did when. */
void page_timelines(struct page *page);
bool page_has_timeline(const struct page *page, int i); /* of the i-th shown case */
/* The pictures of the lines of page->source that waste most. */
struct picture_subject;
void page_draw(struct page *page, const struct picture_subject *subject);
/* page_terms.c */
/* The counters, and what launches are bound by, each name once. */
void page_terms(struct page *page, const char *const *bounds, int count);
void page_footer(struct page *page);
/* As a shell reads it: in quotes if it needs any, behind a blank. */
void page_add_word(struct text *command, const char *word);

/* --- in common (page.c) --- */

/* Letter of shown case i: "A". */
const char *page_letter(int i);
/* Text in which "lab2.cu:15" and "line 15" are links to that line. */
void page_words(struct page *page, const char *words);
/* What stands before it, and "line 17" (of a program, with its files: "prog.cu:17") as a link to
 * that line, where there is one. */
void page_line(struct page *page, const char *before, int line);
/* A number that is a sum of a counter, and a ratio of them; marked if it is bad. */
void page_count(struct html *html, uint64_t count);
void page_ratio(struct html *html, double ratio, bool bad);
/* What a launch is bound by, with a link to the term. */
void page_bound(struct html *html, const char *bound);
/* "M = 64, N = 64": the size of a case. */
void page_dims(struct page *page, int index);

#endif
