/* page.c: what the parts of the page have in common. */
#include "grader/show/page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grader/score/score.h"

/* --- the cases whose figures are shown --- */

static void add_counters(struct counters *to, const struct counters *counters) {
  for (int i = 0; i < COUNTERS; i++) to->value[i] += counters->value[i];
}

static void add_case(struct page *page, int index) {
  const struct report *report = &page->grade->cases[index].report;
  int line_count = page->grade->source->line_count;
  struct shown_case *shown = &page->shown[page->shown_count++];
  const struct case_result *run = &page->grade->cases[index];
  *shown = (struct shown_case){
      .index = index, .time_ns = run->totals.time_ns, .longest = case_longest_launch(run)};
  shown->lines = xcalloc((size_t)line_count + 1, sizeof *shown->lines);
  for (int i = 0; i < report->launch_count; i++) {
    const struct launch_record *launch = &report->launches[i];
    if (launch->set != 0) continue;
    shown->launches += (int)launch->launches;
    add_counters(&shown->totals, &launch->counters);
    for (int l = 0; l < launch->line_count; l++) {
      int line = launch->lines[l].line;
      add_counters(&shown->lines[line <= line_count ? line : 0], &launch->lines[l].counters);
    }
  }
}

static bool has_launches(const struct case_result *result) {
  return result->report.launch_count > 0 && result->report.launches[0].set == 0;
}

/* Those that lab.conf shows; if none of them got as far as a launch, the largest that did. */
static void choose_cases(struct page *page) {
  const struct conf *conf = &page->grade->lab->conf;
  int largest = -1;
  for (int i = 0; i < conf->case_count; i++) {
    if (!has_launches(&page->grade->cases[i]) || hidden_keeps_quiet(page->grade, i)) continue;
    if (conf->cases[i].show && page->shown_count < MAX_SHOWN) add_case(page, i);
    if (largest < 0 || case_work(conf, i) >= case_work(conf, largest)) largest = i;
  }
  if (page->shown_count == 0 && largest >= 0) add_case(page, largest);
}

void page_open(struct page *page, const struct kit *kit, const struct grade *grade,
               const char *folder) {
  *page = (struct page){.kit = kit, .grade = grade, .folder = folder};
  if (grade->cases) choose_cases(page);
  page_choose_lines(page);
  page_find_handouts(page);
}

void page_close(struct page *page) {
  for (int i = 0; i < page->shown_count; i++) free(page->shown[i].lines);
  free(page->visible);
  page_free_handouts(page);
}

const char *page_letter(int i) {
  static const char *const letters[MAX_SHOWN] = {"A", "B", "C"};
  return letters[i];
}

bool page_build_failed(const struct grade *grade) {
  return grade->hazard_count > 0 && strcmp(grade->hazards[0].kind, "build") == 0;
}

void page_dims(struct page *page, int index) {
  const struct conf *conf = &page->grade->lab->conf;
  for (int i = 0; i < conf->family->problem->dim_count; i++)
    html_print(&page->html, "%s%s = %ld", i ? ", " : "", conf->family->problem->dims[i],
               conf->cases[index].dims[i]);
}

/* --- words with links --- */

static void write_link(struct page *page, int line, const char *text) {
  bool there = line >= 1 && line <= page->grade->source->line_count && page->visible[line];
  if (there)
    html_print(&page->html, "<a href='#L%d' class='line'>%s</a>", line, text);
  else
    html_text(&page->html, text);
}

void page_line(struct page *page, const char *before, int line) {
  autofree char *text = xprintf("line %d", line);
  html_text(&page->html, before);
  write_link(page, line, text);
}

/* If a reference to a line starts here ("lab2.cu:15", "line 15"): its length, and the line. */
static size_t reference_at(const struct page *page, const char *words, const char *at, int *line) {
  const char *name = page->grade->source->name;
  size_t prefix = strlen(name);
  if (strncmp(at, name, prefix) == 0 && at[prefix] == ':')
    prefix++;
  else if (strncmp(at, "line ", 5) == 0 && (at == words || !isalpha((unsigned char)at[-1])))
    prefix = 5;
  else
    return 0;
  char *end;
  if (!isdigit((unsigned char)at[prefix])) return 0;
  long number = strtol(at + prefix, &end, 10);
  if (number < 1 || number > page->grade->source->line_count) return 0;
  *line = (int)number;
  return (size_t)(end - at);
}

void page_words(struct page *page, const char *words) {
  const char *plain = words; /* from here to `at` there is no reference */
  for (const char *at = words; *at;) {
    int line;
    size_t length = reference_at(page, words, at, &line);
    if (length == 0) {
      at++;
      continue;
    }
    html_bytes(&page->html, plain, (size_t)(at - plain));
    autofree char *text = xprintf("%.*s", (int)length, at);
    write_link(page, line, text);
    at = plain = at + length;
  }
  html_text(&page->html, plain);
}
