/* page_source.c: the student's file, with a margin of counters and remarks where they are needed.
 */
#include "grader/show/page_source.h"

#include <stdlib.h>
#include <string.h>

#include "grader/show/code.h"

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

static void show_around(struct page *page, int line) {
  int count = page->grade->source->line_count;
  if (line < 1 || line > count) return;
  for (int near = line - NEAR; near <= line + NEAR; near++) {
    if (near >= 1 && near <= count) page->visible[near] = true;
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
    show_around(page, grade->hazards[i].line);
    show_around(page, grade->hazards[i].other_line);
  }
  for (int line = 1; line <= count; line++) {
    if (ran(page, line)) show_around(page, line);
  }
  for (int line = 1, left = MOST_LINES; line <= count; line++) {
    if (page->visible[line] && left-- <= 0) page->visible[line] = false;
  }
}

/* --- code --- */

static const char *const code_classes[] = {
    [CODE_COMMENT] = "c", [CODE_KEYWORD] = "k", [CODE_CUDA] = "u",
    [CODE_STRING] = "s",  [CODE_NUMBER] = "d",  [CODE_DIRECTIVE] = "k",
};

static void write_piece(struct html *html, enum code_kind kind, const char *bytes, size_t length) {
  if (length == 0) return;
  if (kind != CODE_PLAIN) html_open(html, "span", "class", code_classes[kind], NULL);
  html_bytes(html, bytes, length);
  if (kind != CODE_PLAIN) html_close(html, "span");
}

/* The line up to byte `shown` goes to html; all of it moves the state on. */
static void read_code(struct html *html, struct code_state *state, const char *line, size_t length,
                      size_t shown) {
  bool first = true;
  for (size_t i = 0; i < length;) {
    enum code_kind kind;
    size_t step = code_next(state, line + i, length - i, first, &kind);
    first = first && strspn(line + i, " \t") >= step;
    if (i < shown) write_piece(html, kind, line + i, i + step > shown ? shown - i : step);
    i += step;
  }
}

static void write_code(struct html *html, struct code_state *state, const char *line) {
  size_t length = strlen(line), shown = html_cut(line, length, LINE_BYTES);
  html_open(html, "td", "class", "code", NULL);
  html_open(html, "code", NULL);
  read_code(html, state, line, length, shown);
  html_close(html, "code");
  if (shown < length) {
    html_open(html, "span", "class", "cut", NULL);
    html_format(html, " \u2026 and %zu more bytes", length - shown);
    html_close(html, "span");
  }
  html_close(html, "td");
}

/* --- lines --- */

static void write_number(struct html *html, int line) {
  char *url = xprintf("#L%d", line), *number = xprintf("%d", line);
  html_open(html, "th", "scope", "row", NULL);
  html_element(html, number, "a", "href", url, NULL);
  html_close(html, "th");
  free(url);
  free(number);
}

/* Figures of further cases, under those of the first. */
static void write_more(struct page *page, const bool *used, const char *class,
                       const struct margin *margin) {
  struct html *html = &page->html;
  html_open(html, "tr", "class", class, NULL);
  html_element(html, "", "th", NULL);
  margin_write(page, used, margin);
  html_element(html, "", "td", "class", "code", NULL);
  html_close(html, "tr");
  html_raw(html, "\n");
}

static void write_line(struct page *page, struct code_state *state, const bool *used, int line) {
  struct html *html = &page->html;
  struct margin margins[MAX_SHOWN];
  int count = margins_read(page, line, margins);
  const char *class = remark_class(page, line), *code = page->grade->source->lines[line - 1];
  if (line == 1 && strncmp(code, "\ufeff", 3) == 0) code += 3; /* a byte order mark */
  char *id = xprintf("L%d", line);
  html_open(html, "tr", "id", id, "class", class, NULL);
  write_number(html, line);
  if (page->shown_count) margin_write(page, used, count ? &margins[0] : NULL);
  write_code(html, state, code);
  html_close(html, "tr");
  html_raw(html, "\n");
  for (int i = 1; i < count; i++) write_more(page, used, class, &margins[i]);
  remarks_write(page, line);
  free(id);
}

/* Says that lines from `first` on are left out; returns the last of them. */
static int write_gap(struct page *page, struct code_state *state, int first) {
  const struct source *source = page->grade->source;
  int last = first;
  while (last < source->line_count && !page->visible[last + 1]) last++;
  for (int line = first; line <= last; line++) {
    const char *code = source->lines[line - 1];
    read_code(&page->html, state, code, strlen(code), 0);
  }
  remark_open(page, "gap");
  html_format(&page->html, "lines %d to %d are not shown", first, last);
  remark_close(page);
  return last;
}

static void write_head(struct page *page, const bool *used) {
  struct html *html = &page->html;
  if (page->shown_count == 0) return;
  html_open(html, "thead", NULL);
  html_open(html, "tr", NULL);
  html_element(html, "line", "th", "scope", "col", NULL);
  margin_write_head(page, used);
  html_element(html, "source", "th", "scope", "col", "class", "code", NULL);
  html_close(html, "tr");
  html_close(html, "thead");
  html_raw(html, "\n");
}

/* Whose figures these are. */
static void write_caption(struct page *page) {
  struct html *html = &page->html;
  const struct grade *grade = page->grade;
  html_open(html, "p", "class", "dim", NULL);
  html_element(html, grade->source->name, "code", NULL);
  if (grade->source->line_count == 1 && !*grade->source->lines[0])
    html_text(html, " \u00b7 the file is empty");
  if (page->shown_count > 0) html_text(html, " \u00b7 counters of case");
  for (int i = 0; i < page->shown_count; i++) {
    html_raw(html, i ? ", " : " ");
    if (page->shown_count > 1) {
      html_element(html, page_letter(i), "span", "class", "letter", NULL);
      html_raw(html, " ");
    }
    html_text(html, grade->lab->conf.cases[page->shown[i].index].name);
  }
  if (page->shown_count > 0)
    html_text(html, ", all launches of one call; a bar is the line's share of the whole");
  html_close(html, "p");
}

/* What follows the last line feed is a line only if there is something in it. */
static int last_line(const struct page *page) {
  int last = page->grade->source->line_count;
  bool blank = last > 1 && !*page->grade->source->lines[last - 1] && !remark_class(page, last);
  return blank ? last - 1 : last;
}

/* How much there is beside the source, for remarks that shall fit under it. */
static char *describe_columns(const struct page *page, const bool *used) {
  int columns = 0;
  for (int c = 0; c < MARGIN_COLUMNS; c++) columns += used[c];
  return xprintf("--columns:%d;--letters:%d", columns,
                 page->shown_count > 1 ? page->shown_count : 0);
}

void page_source(struct page *page) {
  struct html *html = &page->html;
  struct code_state state = {0};
  bool used[MARGIN_COLUMNS];
  margin_find_columns(page, used);
  html_open(html, "section", "id", "source", NULL);
  html_element(html, "Source", "h2", NULL);
  write_caption(page);
  char *columns = describe_columns(page, used);
  html_open(html, "div", "class", "source", "style", columns, "tabindex", "0", "role", "region",
            "aria-label", "source with counters", NULL);
  free(columns);
  html_open(html, "table", NULL);
  write_head(page, used);
  html_open(html, "tbody", NULL);
  for (int line = 1; line <= last_line(page); line++) {
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
