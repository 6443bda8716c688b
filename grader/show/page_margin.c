/* page_margin.c: the counters beside a line of source. */
#include <math.h>
#include <stdio.h>
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
  struct figures f = figures_of(c);
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
  for (int i = LANES; i < MARGIN_COLUMNS; i++)
    if (strcmp(a->cells[i].value, b->cells[i].value) != 0) return false;
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

int margin_find_columns(const struct page *page, bool used[MARGIN_COLUMNS]) {
  int count_used = 0;
  memset(used, 0, sizeof *used * MARGIN_COLUMNS);
  for (int line = 1; line <= page->source->line_count; line++) {
    struct margin margins[MAX_SHOWN];
    int count = margins_read(page, line, margins);
    for (int m = 0; m < count; m++)
      for (int c = 0; c < MARGIN_COLUMNS; c++) used[c] |= margins[m].cells[c].value[0] != '\0';
  }
  for (int c = 0; c < MARGIN_COLUMNS; c++) count_used += used[c];
  return count_used;
}

void margin_write_head(struct page *page, const bool *used) {
  struct html *html = &page->html;
  html_print(html, "<th scope='col' class='margin'>");
  if (page->shown_count > 1) html_print(html, "<span class='letters'></span>");
  for (int c = 0; c < MARGIN_COLUMNS; c++)
    if (used[c])
      html_print(html, "<a class='n' href='%s'>%s</a>", columns[c].term, columns[c].heading);
  html_print(html, "</th>");
}

static void write_letters(struct html *html, const struct margin *margin) {
  html_print(html, "<span class='letters'>");
  for (int i = 0; i < margin->count; i++)
    html_print(html, "<span class='letter'>%s</span>", page_letter(margin->cases[i]));
  html_print(html, "</span>");
}

static void write_cell(struct html *html, enum margin_column column,
                       const struct margin_cell *cell) {
  if (!cell->value[0]) {
    html_print(html, "<span class='n'></span>");
    return;
  }
  double percent = 100 * cell->share;
  html_print(html, "<span class='%s'", cell->bad ? "n bad" : "n");
  if (percent >= 0.5)
    html_print(html, " style='--part:%.0f%%' title='%.0f %% of all'", percent, percent);
  html_print(html, "><i>%s</i> %s%s</span>", columns[column].label, cell->bad ? "\u25b2" : "",
             cell->value);
}

void margin_write(struct page *page, const bool *used, const struct margin *margin) {
  struct html *html = &page->html;
  html_print(html, "<td class='%s'>", margin ? "margin" : "margin none");
  if (margin && page->shown_count > 1) write_letters(html, margin);
  for (int c = 0; margin && c < MARGIN_COLUMNS; c++)
    if (used[c]) write_cell(html, (enum margin_column)c, &margin->cells[c]);
  html_print(html, "</td>");
}
