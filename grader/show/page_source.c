/* page_source.c: the student's file with a margin of counters, and remarks under the lines that
 * need them; see page.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "figures.h"
#include "page.h"

enum {
  ALL_LINES = 3000,  /* a longer file is shown in parts: */
  FIRST_LINES = 200, /* its beginning, */
  NEAR = 10,         /* and this much around every line that something is said about, */
  MOST_LINES = 3000, /* but no more than this */
  LINE_BYTES = 1000, /* of a longer line only the beginning */
};

/* --- which lines --- */

static bool ran(const struct page *page, int line) {
  for (int i = 0; i < page->shown_count; i++) {
    if (page->shown[i].lines[line].value[COUNTER_inst_executed]) return true;
  }
  return false;
}

static void mark_near(bool *visible, int line, int line_count) {
  if (line < 1 || line > line_count) return;
  for (int near = line - NEAR; near <= line + NEAR; near++) {
    if (near >= 1 && near <= line_count) visible[near] = true;
  }
}

void page_choose_lines(struct page *page) {
  const struct grade *grade = page->grade;
  int count = grade->source->line_count;
  page->visible = xcalloc((size_t)count + 1, sizeof *page->visible);
  for (int line = 1; line <= count; line++)
    page->visible[line] = count <= ALL_LINES || line <= FIRST_LINES;
  if (count <= ALL_LINES) return;
  for (int i = 0; i < grade->hazard_count; i++) {
    mark_near(page->visible, grade->hazards[i].line, count);
    mark_near(page->visible, grade->hazards[i].other_line, count);
  }
  for (int line = 1; line <= count; line++) {
    if (ran(page, line)) mark_near(page->visible, line, count);
  }
  for (int line = 1, most = MOST_LINES; line <= count; line++) {
    if (page->visible[line] && most-- <= 0) page->visible[line] = false;
  }
}

/* --- the margin --- */

enum column { INST, LANES, LOADS, STORES, WAVEFRONTS, EXTRA, COLUMNS };

static const struct {
  const char *class, *heading, *label, *term;
} columns[COLUMNS] = {
    [INST] = {"inst", "warp inst.", "inst", "#term-inst"},
    [LANES] = {"lanes", "lanes", "lanes", "#term-lanes"},
    [LOADS] = {"loads", "sectors / load", "sect/ld", "#term-sectors"},
    [STORES] = {"stores", "sectors / store", "sect/st", "#term-sectors"},
    [WAVEFRONTS] = {"waves", "waves / access", "waves", "#term-wavefronts"},
    [EXTRA] = {"extra", "extra", "extra", "#term-extra"},
};

/* One number of the margin. */
struct cell {
  char value[16]; /* "" if there is nothing to say */
  bool bad;
  double share; /* of the case's total, 0 to 1; -1: none */
};

struct margin {
  struct cell cells[COLUMNS];
  int count; /* cases whose figures these are: those of cases[0] */
  int cases[SHOWN_CASES];
};

static double share_of(const struct counters *part, const struct counters *whole, int a, int b) {
  double top = (double)part->value[a] + (b >= 0 ? (double)part->value[b] : 0);
  double bottom = (double)whole->value[a] + (b >= 0 ? (double)whole->value[b] : 0);
  return bottom > 0 ? top / bottom : -1;
}

static void set_ratio(struct cell *cell, double ratio, bool bad, double share) {
  if (isnan(ratio)) return;
  snprintf(cell->value, sizeof cell->value, "%.1f", ratio);
  cell->bad = bad;
  cell->share = share;
}

static void read_margin(const struct shown_case *shown, int line, struct margin *margin) {
  const struct counters *c = &shown->lines[line], *all = &shown->totals;
  struct figures f;
  figures_of(c, &f);
  struct cell *cells = margin->cells;
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
  for (int i = LANES; i < COLUMNS; i++) {
    if (strcmp(a->cells[i].value, b->cells[i].value) != 0) return false;
  }
  return true;
}

/* The figures of a line: one margin a case, cases with the same ratios together. */
static int read_margins(const struct page *page, int line, struct margin *margins) {
  int count = 0;
  for (int i = 0; i < page->shown_count; i++) {
    const struct shown_case *shown = &page->shown[i];
    if (shown->lines[line].value[COUNTER_inst_executed] == 0) continue;
    struct margin margin = {.count = 1, .cases = {i}};
    for (int c = 0; c < COLUMNS; c++) margin.cells[c].share = -1;
    read_margin(shown, line, &margin);
    int same = 0;
    while (same < count && !same_ratios(&margins[same], &margin)) same++;
    if (same < count)
      margins[same].cases[margins[same].count++] = i;
    else
      margins[count++] = margin;
  }
  return count;
}

/* Columns that say something about any line. */
static void find_columns(const struct page *page, bool *used) {
  memset(used, 0, sizeof *used * COLUMNS);
  for (int line = 1; line <= page->grade->source->line_count; line++) {
    struct margin margins[SHOWN_CASES];
    int count = read_margins(page, line, margins);
    for (int m = 0; m < count; m++) {
      for (int c = 0; c < COLUMNS; c++) used[c] |= margins[m].cells[c].value[0] != '\0';
    }
  }
}

static void write_letters(struct html *html, const struct margin *margin) {
  html_open(html, "span", "class", "letters", NULL);
  for (int i = 0; margin && i < margin->count; i++)
    html_element(html, page_letter(margin->cases[i]), "span", "class", "letter", NULL);
  html_close(html, "span");
}

static void write_cell(struct html *html, enum column column, const struct cell *cell) {
  char *classes = xprintf("n %s%s%s", columns[column].class, cell && cell->bad ? " bad" : "",
                          cell && cell->value[0] ? "" : " none");
  char *bar = cell && cell->share >= 0.005 ? xprintf("--share:%.0f%%", 100 * cell->share) : NULL;
  char *title = bar ? xprintf("%.0f %% of the case's", 100 * cell->share) : NULL;
  html_open(html, "span", "class", classes, "style", bar, "title", title, NULL);
  if (cell && cell->value[0]) {
    html_element(html, columns[column].label, "i", NULL);
    html_format(html, "%s%s", cell->bad ? "\u25b2" : "", cell->value);
  }
  html_close(html, "span");
  free(classes);
  free(bar);
  free(title);
}

static void write_margin(struct page *page, const bool *used, const struct margin *margin) {
  struct html *html = &page->html;
  html_open(html, "td", "class", margin ? "margin" : "margin none", NULL);
  if (page->shown_count > 1) write_letters(html, margin);
  for (int c = 0; c < COLUMNS; c++) {
    if (used[c]) write_cell(html, (enum column)c, margin ? &margin->cells[c] : NULL);
  }
  html_close(html, "td");
}

/* --- remarks --- */

static void open_remark(struct html *html, const char *class, int columns_across) {
  char *span = xprintf("%d", columns_across);
  html_open(html, "tr", "class", "remarks", NULL);
  html_open(html, "td", "colspan", span, NULL);
  html_open(html, "p", "class", class, NULL);
  free(span);
}

static void close_remark(struct html *html) {
  html_close(html, "p");
  html_close(html, "td");
  html_close(html, "tr");
  html_raw(html, "\n");
}

static bool is_remarkable(const struct hazard_record *hazard, int line) {
  return strcmp(hazard->kind, "wrong") != 0 && (hazard->line == line || hazard->other_line == line);
}

static void remark_hazards(struct page *page, int line, int across) {
  struct html *html = &page->html;
  for (int i = 0; i < page->grade->hazard_count; i++) {
    const struct hazard_record *hazard = &page->grade->hazards[i];
    if (!is_remarkable(hazard, line)) continue;
    open_remark(html, hazard->warning ? "remark warning" : "remark", across);
    html_open(html, "b", NULL);
    html_format(html, "%s %s", hazard->warning ? "\u26a0" : "\u2717",
                hazard_kind_title(hazard->kind));
    html_close(html, "b");
    if (hazard->line == line) {
      html_text(html, ": ");
      page_words(page, hazard->message);
    } else {
      html_format(html, " with ");
      char *words = xprintf("line %d", hazard->line);
      page_line_link(page, hazard->line, words);
      free(words);
      html_text(html, ": see there.");
    }
    close_remark(html);
  }
}

/* A fault that several cases have in the same words is said once, with their letters. */
static void remark_fault(struct page *page, int line, enum fault fault, int across) {
  struct html *html = &page->html;
  struct text words[SHOWN_CASES] = {0};
  for (int i = 0; i < page->shown_count; i++)
    figures_fault(&page->shown[i].lines[line], fault, &words[i]);
  for (int i = 0; i < page->shown_count; i++) {
    if (words[i].length == 0) continue;
    open_remark(html, fault == FAULT_LOCAL ? "remark warning" : "remark", across);
    html_element(html, "\u25b2", "b", NULL);
    for (int j = i; j < page->shown_count; j++) {
      if (j > i && strcmp(text_get(&words[i]), text_get(&words[j])) != 0) continue;
      if (page->shown_count > 1) {
        html_raw(html, " ");
        html_element(html, page_letter(j), "span", "class", "letter", NULL);
      }
      if (j > i) text_free(&words[j]);
    }
    html_raw(html, " ");
    html_text(html, text_get(&words[i]));
    close_remark(html);
  }
  for (int i = 0; i < page->shown_count; i++) text_free(&words[i]);
}

/* --- lines --- */

static const char *const code_classes[] = {
    [CODE_COMMENT] = "c", [CODE_KEYWORD] = "k", [CODE_CUDA] = "u",
    [CODE_STRING] = "s",  [CODE_NUMBER] = "d",  [CODE_DIRECTIVE] = "k",
};

static void write_code(struct html *html, struct code_state *state, const char *line) {
  size_t length = strlen(line), room = html_cut(line, length, LINE_BYTES);
  bool first = true;
  html_open(html, "code", NULL);
  for (size_t i = 0; i < length;) {
    enum code_kind kind;
    size_t step = code_next(state, line + i, length - i, first, &kind);
    size_t shown = i >= room ? 0 : i + step > room ? room - i : step;
    first = first && strspn(line + i, " \t") >= step;
    if (shown > 0 && kind != CODE_PLAIN) {
      html_open(html, "span", "class", code_classes[kind], NULL);
      html_bytes(html, line + i, shown);
      html_close(html, "span");
    } else if (shown > 0) {
      html_bytes(html, line + i, shown);
    }
    i += step;
  }
  html_close(html, "code");
  if (room == length) return;
  html_open(html, "span", "class", "cut", NULL);
  html_format(html, " \u2026 and %zu more bytes", length - room);
  html_close(html, "span");
}

/* "bad", "hazard" or nothing: what the line is coloured by; remarks say it in words. */
static const char *class_of_line(const struct page *page, int line) {
  bool warned = false;
  for (int i = 0; i < page->grade->hazard_count; i++) {
    const struct hazard_record *hazard = &page->grade->hazards[i];
    if (is_remarkable(hazard, line) && !hazard->warning) return "bad";
    warned |= is_remarkable(hazard, line);
  }
  for (int i = 0; i < page->shown_count; i++) {
    for (int fault = 0; fault < FAULTS; fault++) {
      struct text words = {0};
      bool found = figures_fault(&page->shown[i].lines[line], (enum fault)fault, &words);
      text_free(&words);
      if (found && fault != FAULT_LOCAL) return "bad";
      warned |= found;
    }
  }
  return warned ? "warning" : NULL;
}

static void write_line(struct page *page, struct code_state *state, const bool *used, int line) {
  struct html *html = &page->html;
  struct margin margins[SHOWN_CASES];
  int count = read_margins(page, line, margins);
  const char *class = class_of_line(page, line), *code = page->grade->source->lines[line - 1];
  if (line == 1 && strncmp(code, "\ufeff", 3) == 0) code += 3;
  char *id = xprintf("L%d", line), *url = xprintf("#L%d", line), *number = xprintf("%d", line);
  html_open(html, "tr", "id", id, "class", class, NULL);
  html_open(html, "th", "scope", "row", NULL);
  html_element(html, number, "a", "href", url, NULL);
  html_close(html, "th");
  if (page->shown_count) write_margin(page, used, count ? &margins[0] : NULL);
  html_open(html, "td", "class", "code", NULL);
  write_code(html, state, code);
  html_close(html, "td");
  html_close(html, "tr");
  html_raw(html, "\n");
  for (int m = 1; m < count; m++) {
    html_open(html, "tr", "class", class, NULL);
    html_element(html, "", "th", NULL);
    write_margin(page, used, &margins[m]);
    html_element(html, "", "td", "class", "code", NULL);
    html_close(html, "tr");
    html_raw(html, "\n");
  }
  int across = page->shown_count ? 3 : 2;
  remark_hazards(page, line, across);
  for (int fault = 0; fault < FAULTS; fault++) remark_fault(page, line, (enum fault)fault, across);
  free(id);
  free(url);
  free(number);
}

/* Says that lines from `first` on are left out, up to where they go on; returns the last of them. */
static int write_gap(struct page *page, struct code_state *state, int first) {
  int last = first, count = page->grade->source->line_count;
  while (last < count && !page->visible[last + 1]) last++;
  for (int line = first; line <= last; line++) { /* where it leaves a comment */
    const char *at = page->grade->source->lines[line - 1];
    size_t length = strlen(at);
    enum code_kind kind;
    for (size_t i = 0; i < length;) i += code_next(state, at + i, length - i, false, &kind);
  }
  open_remark(&page->html, "gap", page->shown_count ? 3 : 2);
  html_format(&page->html, "lines %d to %d are not shown", first, last);
  close_remark(&page->html);
  return last;
}

static void write_head(struct page *page, const bool *used) {
  struct html *html = &page->html;
  if (page->shown_count == 0) return;
  html_open(html, "thead", NULL);
  html_open(html, "tr", NULL);
  html_element(html, "line", "th", "scope", "col", NULL);
  html_open(html, "th", "scope", "col", "class", "margin", NULL);
  if (page->shown_count > 1) html_element(html, "", "span", "class", "letters", NULL);
  for (int c = 0; c < COLUMNS; c++) {
    char *classes = xprintf("n %s", columns[c].class);
    if (used[c]) {
      html_element(html, columns[c].heading, "a", "class", classes, "href", columns[c].term, NULL);
    }
    free(classes);
  }
  html_close(html, "th");
  html_element(html, "source", "th", "scope", "col", "class", "code", NULL);
  html_close(html, "tr");
  html_close(html, "thead");
  html_raw(html, "\n");
}

/* Whose figures these are. */
static void write_caption(struct page *page) {
  struct html *html = &page->html;
  const struct conf *conf = &page->grade->lab->conf;
  html_open(html, "p", "class", "dim", NULL);
  html_element(html, page->grade->source->name, "code", NULL);
  if (page->shown_count > 0) html_text(html, " \u00b7 counters of case");
  for (int i = 0; i < page->shown_count; i++) {
    html_raw(html, i ? ", " : " ");
    if (page->shown_count > 1) {
      html_element(html, page_letter(i), "span", "class", "letter", NULL);
      html_raw(html, " ");
    }
    html_text(html, conf->cases[page->shown[i].index].name);
  }
  if (page->shown_count > 0)
    html_text(html, ", all launches of one call; bars: the line's share of all");
  html_close(html, "p");
}

void page_source(struct page *page) {
  struct html *html = &page->html;
  struct code_state state = {0};
  bool used[COLUMNS];
  find_columns(page, used);
  html_open(html, "section", "id", "source", NULL);
  html_element(html, "Source", "h2", NULL);
  write_caption(page);
  html_open(html, "div", "class", "source", "tabindex", "0", "role", "region", "aria-label",
            "source with counters", NULL);
  html_open(html, "table", NULL);
  write_head(page, used);
  html_open(html, "tbody", NULL);
  for (int line = 1; line <= page->grade->source->line_count; line++) {
    if (page->visible[line])
      write_line(page, &state, used, line);
    else
      line = write_gap(page, &state, line);
  }
  html_close(html, "tbody");
  html_close(html, "table");
  html_close(html, "div");
  html_close(html, "section");
  html_raw(html, "\n");
}
