/* page.c: what the parts of the page have in common. */
#include "grader/show/page.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/output.h"
#include "grader/lab/dims.h"
#include "grader/score/score.h"
#include "grader/show/html.h"
#include "grader/show/show.h"

/* --- the cases whose figures are shown --- */

static void add_counters(struct counters *to, const struct counters *counters) {
  for (int i = 0; i < COUNTERS; i++) to->value[i] += counters->value[i];
}

static void add_case(struct page *page, int index) {
  const struct report *report = &page->grade->cases[index].report;
  int line_count = page->source->line_count;
  struct shown_case *shown = &page->shown[page->shown_count++];
  const struct case_result *run = &page->grade->cases[index];
  *shown = (struct shown_case){.index = index,
                               .name = page->grade->lab->conf.cases[index].name,
                               .time_ns = run->totals.time_ns,
                               .longest = case_longest_launch(run)};
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

static void page_open(struct page *page, const struct kit *kit, const struct grade *grade,
                      const char *folder) {
  *page = (struct page){.kit = kit,
                        .grade = grade,
                        .source = grade->source,
                        .prefix = "L",
                        .hazards = grade->hazards,
                        .hazard_count = grade->hazard_count,
                        .folder = folder};
  if (grade->cases) choose_cases(page);
  page_choose_lines(page, PAGE_ALL_LINES, true);
  page_find_handouts(page);
}

static void page_close(struct page *page) {
  for (int i = 0; i < page->shown_count; i++) free(page->shown[i].lines);
  free(page->visible);
  page_free_handouts(page);
}

const char *page_letter(int i) {
  static const char *const letters[MAX_SHOWN] = {"A", "B", "C", "D", "E", "F"};
  return letters[i];
}

void page_dims(struct page *page, int index) {
  const struct conf *conf = &page->grade->lab->conf;
  const struct case_conf *entry = &conf->cases[index];
  const struct problem *problem = conf_family(conf, entry)->problem;
  for (int i = 0; i < problem->dim_count; i++) {
    autofree char *value = dims_value(problem, i, entry->dims[i]);
    html_print(&page->html, "%s%s = %s", i ? ", " : "", problem->dims[i], value);
  }
}

/* --- words with links --- */

static void write_link(struct page *page, int line, const char *text) {
  bool there = line >= 1 && line <= page->source->line_count && page->visible[line];
  if (there)
    html_print(&page->html, "<a href='#%s%d' class='line'>%s</a>", page->prefix, line, text);
  else
    html_text(&page->html, text);
}

void page_line(struct page *page, const char *before, int line) {
  autofree char *text =
      page->grade ? xprintf("line %d", line) : xprintf("%s:%d", page->source->name, line);
  html_text(&page->html, before);
  write_link(page, line, text);
}

/* If a reference to a line starts here ("lab2.cu:15", "line 15"): its length, and the line. */
static size_t reference_at(const struct page *page, const char *words, const char *at, int *line) {
  const char *name = page->source->name;
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
  if (number < 1 || number > page->source->line_count) return 0;
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

/* --- the header, and what to look at first --- */

/* --- the header --- */

static bool has_accesses(const struct page *page) {
  for (int i = 0; i < page->shown_count; i++)
    if (page->shown[i].longest->access_count > 0) return true;
  return false;
}

static bool has_timelines(const struct page *page) {
  for (int i = 0; i < page->shown_count; i++)
    if (page_has_timeline(page, i)) return true;
  return false;
}

static void open_header(struct page *page) {
  const struct grade *grade = page->grade;
  bool built = grade->cases && !score_is_build_failure(grade);
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
      {{"#roofline", "Roofline"}, page_has_roofline(page)},
      {{"#timelines", "Timeline"}, has_timelines(page)},
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

static void page_header(struct page *page) {
  struct html *html = &page->html;
  const struct grade *grade = page->grade;
  open_header(page);
  write_verdict(html, grade);
  if (grade->error)
    html_print(html, "<p class='score'>no score</p>");
  else
    html_print(html, "<p class='score'><b>%ld</b> / %ld</p>", grade->score,
               grade->lab->conf.max_points);
  autofree char *simulated = simulated_words(grade);
  if (simulated) html_print(html, "<p class='simulated'>%s</p>", simulated);
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

static void page_first(struct page *page) {
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

/* --- the whole page, and its file --- */

static void open_frame(struct html *html, const struct grade *grade) {
  freed_by(text_free) struct text title = {0};
  text_add(&title, "%s: %s", grade->lab->id, grade->verdict);
  if (!grade->error) text_add(&title, ", %ld / %ld", grade->score, grade->lab->conf.max_points);
  text_add(&title, " \u00b7 %s", grade->source->name);
  html_frame_open(html, text_get(&title), NULL);
}

struct text html_page(const struct kit *kit, const struct grade *grade, const char *folder) {
  struct page page;
  page_open(&page, kit, grade, folder);
  struct html *html = &page.html;
  open_frame(html, grade);
  page_header(&page);
  html_print(html, "<main>");
  page_first(&page);
  if (score_is_build_failure(grade)) page_hazards(&page);
  page_score(&page);
  if (!score_is_build_failure(grade)) page_hazards(&page);
  page_launches(&page);
  page_source(&page);
  page_pictures(&page);
  page_roofline(&page);
  page_timelines(&page);
  page_cases(&page);
  const char *bounds[MAX_SHOWN];
  for (int i = 0; i < page.shown_count; i++) bounds[i] = page.shown[i].longest->bound;
  if (page.shown_count) page_terms(&page, bounds, page.shown_count);
  html_print(html, "</main>");
  page_footer(&page);
  html_frame_close(html);
  struct text text = html->text;
  page_close(&page);
  return text;
}

void html_write_text(const struct text *text, const char *path) {
  output_write("--html", path, text->data, text->length);
}

void html_write(const struct kit *kit, const struct grade *grade, const char *path) {
  autofree char *folder = output_folder(path);
  freed_by(text_free) struct text text = html_page(kit, grade, folder);
  html_write_text(&text, path);
}
