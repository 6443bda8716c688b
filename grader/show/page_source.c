/* page_source.c: the student's file, with counters in the margin and remarks where needed. */
#include "grader/show/page_source.h"

#include <string.h>

#include "grader/show/code.h"

enum {
  FIRST_LINES = 200, /* of a file that is shown in parts: its beginning, */
  NEAR = 10,         /* and this much around every line that something is said about, */
  MAX_LINES = 3000,  /* but no more than this */
  LINE_BYTES = 1000, /* of a longer line only the beginning */
};

/* --- which lines --- */

static bool ran(const struct page *page, int line) {
  for (int i = 0; i < page->shown_count; i++)
    if (page->shown[i].lines[line].value[COUNTER_inst_executed]) return true;
  return false;
}

static void show_around(struct page *page, int line) {
  int count = page->source->line_count;
  if (line < 1 || line > count) return;
  for (int near = line - NEAR; near <= line + NEAR; near++)
    if (near >= 1 && near <= count) page->visible[near] = true;
}

void page_choose_lines(struct page *page, int all, bool beginning) {
  int count = page->source->line_count;
  page->visible = xcalloc((size_t)count + 1, sizeof *page->visible);
  for (int line = 1; line <= count; line++)
    page->visible[line] = count <= all || (beginning && line <= FIRST_LINES);
  if (count <= all) return;
  for (int i = 0; i < page->hazard_count; i++) {
    show_around(page, page->hazards[i].line);
    show_around(page, page->hazards[i].other_line);
  }
  for (int line = 1; line <= count; line++)
    if (ran(page, line)) show_around(page, line);
  for (int line = 1, left = MAX_LINES; line <= count; line++)
    if (page->visible[line] && left-- <= 0) page->visible[line] = false;
}

/* --- code --- */

static const char *const code_classes[] = {
    [CODE_COMMENT] = "c", [CODE_KEYWORD] = "k", [CODE_CUDA] = "u",
    [CODE_STRING] = "s",  [CODE_NUMBER] = "d",  [CODE_DIRECTIVE] = "k",
};

static void write_piece(struct html *html, enum code_kind kind, const char *bytes, size_t length) {
  if (length == 0) return;
  if (kind != CODE_PLAIN) html_print(html, "<span class='%s'>", code_classes[kind]);
  html_bytes(html, bytes, length);
  if (kind != CODE_PLAIN) html_print(html, "</span>");
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
  html_print(html, "<td class='code'><code>");
  read_code(html, state, line, length, shown);
  html_print(html, "</code>");
  if (shown < length)
    html_print(html, "<span class='cut'> \u2026 and %zu more bytes</span>", length - shown);
  html_print(html, "</td>");
}

/* --- lines --- */

static void write_line(struct page *page, struct code_state *state, const bool *used, int line) {
  struct html *html = &page->html;
  struct margin margins[MAX_SHOWN];
  int count = margins_read(page, line, margins);
  const char *class = remark_class(page, line), *code = page->source->lines[line - 1];
  if (line == 1 && strncmp(code, "\ufeff", 3) == 0) code += 3; /* a byte order mark */
  html_print(html, "<tr id='%s%d'", page->prefix, line);
  if (class) html_print(html, " class='%s'", class);
  html_print(html, "><th scope='row'><a href='#%s%d'>%d</a></th>", page->prefix, line, line);
  if (page->shown_count) margin_write(page, used, count ? &margins[0] : NULL);
  write_code(html, state, code);
  html_print(html, "</tr>\n");
  for (int i = 1; i < count; i++) { /* figures of further cases, under those of the first */
    html_open(html, "tr", "class", class, NULL);
    html_print(html, "<th></th>");
    margin_write(page, used, &margins[i]);
    html_print(html, "<td class='code'></td>");
    html_close(html, "tr");
    html_print(html, "\n");
  }
  remarks_write(page, line);
}

/* Says that lines from `first` on are left out; returns the last of them. */
static int write_gap(struct page *page, struct code_state *state, int first) {
  const struct source *source = page->source;
  int last = first;
  while (last < source->line_count && !page->visible[last + 1]) last++;
  for (int line = first; line <= last; line++) {
    const char *code = source->lines[line - 1];
    read_code(&page->html, state, code, strlen(code), 0);
  }
  remark_open(page, "gap");
  html_print(&page->html, "lines %d to %d are not shown", first, last);
  remark_close(page);
  return last;
}

static void write_head(struct page *page, const bool *used) {
  struct html *html = &page->html;
  if (page->shown_count == 0) return;
  html_print(html, "<thead><tr><th scope='col'>line</th>");
  margin_write_head(page, used);
  html_print(html, "<th scope='col' class='code'>source</th></tr></thead>\n");
}

/* Whose figures these are. */
static void write_caption(struct page *page) {
  struct html *html = &page->html;
  html_print(html, "<p class='dim'><code>%s</code>", page->source->name);
  if (page->source->line_count == 1 && !*page->source->lines[0])
    html_print(html, " \u00b7 the file is empty");
  if (page->shown_count > 0) html_print(html, " \u00b7 counters of case");
  for (int i = 0; i < page->shown_count; i++) {
    html_print(html, i ? ", " : " ");
    if (page->shown_count > 1) html_print(html, "<span class='letter'>%s</span> ", page_letter(i));
    html_text(html, page->shown[i].name);
  }
  if (page->shown_count > 0)
    html_print(html, ", all launches of one call; a bar is the line&#39;s share of the whole");
  html_print(html, "</p>");
}

/* What follows the last line feed is a line only if there is something in it. */
static int last_line(const struct page *page) {
  int last = page->source->line_count;
  bool blank = last > 1 && !*page->source->lines[last - 1] && !remark_class(page, last);
  return blank ? last - 1 : last;
}

void page_code(struct page *page) {
  struct html *html = &page->html;
  struct code_state state = {0};
  bool used[MARGIN_COLUMNS];
  int columns = margin_find_columns(page, used);
  /* How much there is beside the source: remarks must fit under it. */
  html_print(html,
             "<div class='source' style='--columns:%d;--letters:%d' tabindex='0' role='region' "
             "aria-label='source with counters'><table>",
             columns, page->shown_count > 1 ? page->shown_count : 0);
  write_head(page, used);
  html_print(html, "<tbody>");
  for (int line = 1; line <= last_line(page); line++) {
    if (page->visible[line])
      write_line(page, &state, used, line);
    else
      line = write_gap(page, &state, line);
  }
  html_print(html, "</tbody></table></div>");
}

void page_source(struct page *page) {
  html_print(&page->html, "<section id='source'><h2>Source</h2>");
  write_caption(page);
  page_code(page);
  html_print(&page->html, "</section>\n");
}
