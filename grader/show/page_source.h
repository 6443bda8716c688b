/* page_source.h: what stands around a line of source: the margin beside it, remarks under it. Only
 * page_source.c, page_margin.c and page_remark.c need it. */
#ifndef KIT_PAGE_SOURCE_H
#define KIT_PAGE_SOURCE_H

#include "grader/show/figures.h"
#include "grader/show/page.h"

/* --- page_margin.c --- */

enum margin_column { INST, LANES, LOADS, STORES, WAVEFRONTS, EXTRA, MARGIN_COLUMNS };

/* One number of the margin. */
struct margin_cell {
  char value[16]; /* "" if there is nothing to say */
  bool bad;
  double share; /* of the case's total, 0 to 1; -1: none */
};

/* The figures of a line in one case, or in several that differ in nothing but the count of
 * instructions, which is the first one's. */
struct margin {
  struct margin_cell cells[MARGIN_COLUMNS];
  int cases[MAX_SHOWN], count;
};

/* Fills at most MAX_SHOWN of them; returns how many. */
int margins_read(const struct page *page, int line, struct margin *margins);
/* Columns in which any line has a value; returns how many. */
int margin_find_columns(const struct page *page, bool used[MARGIN_COLUMNS]);
void margin_write_head(struct page *page, const bool *used);
/* margin: NULL for a line that did not run. */
void margin_write(struct page *page, const bool *used, const struct margin *margin);

/* --- page_remark.c --- */

/* How a line is coloured: "bad", "warning" or NULL. Its remarks say why in words. */
const char *remark_class(const struct page *page, int line);
void remarks_write(struct page *page, int line);
/* A row of its own with the paragraph that is written between the two. */
void remark_open(struct page *page, const char *class);
void remark_close(struct page *page);

/* Adds a sentence about the costliest recorded access of that line and kind: how far neighbouring
 * lanes are apart, which bank they meet in. Nothing if none was recorded. */
void access_words(const struct launch_record *launch, int line, enum fault fault,
                  struct text *words);

#endif
