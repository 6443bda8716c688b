/* page_margin.c: the counters beside a line of source. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/show/page_source.h"

static const struct {
  const char *class, *heading, *label, *term;
} columns[MARGIN_COLUMNS] = {
    [INST] = {"inst", "warp inst.", "inst", "#term-inst"},
    [LANES] = {"lanes", "lanes active", "lanes", "#term-lanes"},
    [LOADS] = {"loads", "sectors / load", "sectors/load", "#term-sectors"},
    [STORES] = {"stores", "sectors / store", "sectors/store", "#term-sectors"},
    [WAVEFRONTS] = {"waves", "wavefronts / access", "wavefronts", "#term-wavefronts"},
    [EXTRA] = {"extra", "of these extra", "extra", "#term-extra"},
};

/* Of counter a (and b, unless that is -1). */
static double share_of(const struct counters *part, const struct counters *whole, int a, int b) {
  double top = (double)part->value[a] + (b >= 0 ? (double)part->value[b] : 0);
  double bottom = (double)whole->value[a] + (b >= 0 ? (double)whole->value[b] : 0);
  return bottom > 0 ? top / bottom : -1;
}

static void set_ratio(struct margin_cell *cell, double ratio, bool bad, double share) {
  if (isnan(ratio)) return;
  snprintf(cell->value, sizeof cell->value, "%.1f", ratio);
  cell->bad = bad;
  cell->share = share;
}

static void read_cells(const struct shown_case *shown, int line, struct margin_cell *cells) {
  const struct counters *c = &shown->lines[line], *all = &shown->totals;
  struct figures f;
  figures_of(c, &f);
  for (int i = 0; i < MARGIN_COLUMNS; i++) cells[i] = (struct margin_cell){.share = -1};
  figures_count(c->value[COUNTER_inst_executed], cells[INST].value, sizeof cells[INST].value);
  cells[INST].share = share_of(c, all, COUNTER_inst_executed, -1);
  set_ratio(&cells[LANES], f.lanes, false, -1);
  set_ratio(&cells[LOADS], f.load_sectors, figures_scattered(f.load_sectors),
            share_of(c, all, COUNTER_global_load_sectors, -1));
  set_ratio(&cells[STORES], f.store_sectors, figures_scattered(f.store_sectors),
            share_of(c, all, COUNTER_global_store_sectors, -1));
  set_ratio(&cells[WAVEFRONTS], f.wavefronts, figures_conflicting(f.extra),
            share_of(c, all, COUNTER_shared_load_wavefronts, COUNTER_shared_store_wavefronts));
  set_ratio(&cells[EXTRA], f.extra, figures_conflicting(f.extra), -1);
}

static bool same_ratios(const struct margin *a, const struct margin *b) {
  for (int i = LANES; i < MARGIN_COLUMNS; i++) {
    if (strcmp(a->cells[i].value, b->cells[i].value) != 0) return false;
  }
  return true;
}

int margins_read(const struct page *page, int line, struct margin *margins) {
  int count = 0;
  for (int i = 0; i < page->shown_count; i++) {
    const struct shown_case *shown = &page->shown[i];
    if (shown->lines[line].value[COUNTER_inst_executed] == 0) continue;
    struct margin margin = {.cases = {i}, .count = 1};
    read_cells(shown, line, margin.cells);
    int same = 0;
    while (same < count && !same_ratios(&margins[same], &margin)) same++;
    if (same < count)
      margins[same].cases[margins[same].count++] = i;
    else
      margins[count++] = margin;
  }
  return count;
}

void margin_find_columns(const struct page *page, bool used[MARGIN_COLUMNS]) {
  memset(used, 0, sizeof *used * MARGIN_COLUMNS);
  for (int line = 1; line <= page->grade->source->line_count; line++) {
    struct margin margins[MAX_SHOWN];
    int count = margins_read(page, line, margins);
    for (int m = 0; m < count; m++) {
      for (int c = 0; c < MARGIN_COLUMNS; c++) used[c] |= margins[m].cells[c].value[0] != '\0';
    }
  }
}

void margin_write_head(struct page *page, const bool *used) {
  struct html *html = &page->html;
  html_open(html, "th", "scope", "col", "class", "margin", NULL);
  if (page->shown_count > 1) html_element(html, "", "span", "class", "letters", NULL);
  for (int c = 0; c < MARGIN_COLUMNS; c++) {
    if (used[c])
      html_element(html, columns[c].heading, "a", "class", "n", "href", columns[c].term, NULL);
  }
  html_close(html, "th");
}

static void write_letters(struct html *html, const struct margin *margin) {
  html_open(html, "span", "class", "letters", NULL);
  for (int i = 0; margin && i < margin->count; i++)
    html_element(html, page_letter(margin->cases[i]), "span", "class", "letter", NULL);
  html_close(html, "span");
}

static void write_cell(struct html *html, enum margin_column column,
                       const struct margin_cell *cell) {
  if (!cell || !cell->value[0]) {
    html_element(html, "", "span", "class", "n", NULL);
    return;
  }
  bool bar = cell->share >= 0.005;
  char *part = bar ? xprintf("--part:%.0f%%", 100 * cell->share) : NULL;
  char *title = bar ? xprintf("%.0f %% of all", 100 * cell->share) : NULL;
  html_open(html, "span", "class", cell->bad ? "n bad" : "n", "style", part, "title", title, NULL);
  html_element(html, columns[column].label, "i", NULL);
  html_format(html, " %s%s", cell->bad ? "\u25b2" : "", cell->value);
  html_close(html, "span");
  free(part);
  free(title);
}

void margin_write(struct page *page, const bool *used, const struct margin *margin) {
  struct html *html = &page->html;
  html_open(html, "td", "class", margin ? "margin" : "margin none", NULL);
  if (margin && page->shown_count > 1) write_letters(html, margin);
  for (int c = 0; margin && c < MARGIN_COLUMNS; c++) {
    if (used[c]) write_cell(html, (enum margin_column)c, &margin->cells[c]);
  }
  html_close(html, "td");
}
