/* page_faults.c: what the compiler refused, hazards with their lines, cases and what the program
 * printed. */
#include <stdlib.h>
#include <string.h>

#include "grader/score/score.h"
#include "grader/show/html_frame.h"
#include "grader/show/page.h"

enum { HAZARDS_SHOWN = 50, OUTPUT_SHOWN = 4096, MESSAGES_SHOWN = 16384, CODE_SHOWN = 200 };

/* --- the compiler --- */

/* All its messages, errors or warnings. */
static void write_messages(struct page *page) {
  struct html *html = &page->html;
  const char *messages = page->grade->messages;
  if (!messages || !*messages) return;
  size_t length = strlen(messages), cut = html_cut(messages, length, MESSAGES_SHOWN);
  char *shown = xprintf("%.*s", (int)cut, messages);
  html_open(html, "details", "class", "fold", "open", page_build_failed(page->grade) ? "" : NULL,
            NULL);
  html_element(html, "Messages of the compiler", "summary", NULL);
  html_open(html, "pre", NULL);
  page_words(page, shown);
  if (cut < length) html_format(html, "\n... and %zu more bytes", length - cut);
  html_close(html, "pre");
  html_close(html, "details");
  free(shown);
}

/* --- hazards --- */

/* A line of the source, with its number, as a link to its place. */
static void write_code_line(struct page *page, int line) {
  struct html *html = &page->html;
  const char *code = source_line(page->grade->source, line);
  if (!*code) return;
  char *url = xprintf("#L%d", line), *number = xprintf("%d", line);
  html_open(html, "a", "class", "quote", "href", url, NULL);
  html_element(html, number, "span", "class", "number", NULL);
  html_open(html, "code", NULL);
  html_bytes(html, code, html_cut(code, strlen(code), CODE_SHOWN));
  html_close(html, "code");
  html_close(html, "a");
  free(url);
  free(number);
}

static void write_place(struct page *page, const struct hazard_record *hazard) {
  struct html *html = &page->html;
  if (hazard->line) {
    char *words = xprintf("line %d", hazard->line);
    html_raw(html, " ");
    page_line_link(page, hazard->line, words);
    free(words);
  }
  if (hazard->other_line && hazard->other_line != hazard->line) {
    char *words = xprintf("line %d", hazard->other_line);
    html_text(html, " and ");
    page_line_link(page, hazard->other_line, words);
    free(words);
  }
  html_open(html, "span", "class", "dim", NULL);
  if (hazard->array[0]) html_format(html, " \u00b7 %s", hazard->array);
  if (hazard->kernel[0]) html_format(html, " \u00b7 in %s", hazard->kernel);
  if (hazard->count > 1)
    html_format(html, " \u00b7 %s%lu times", hazard->more ? "at least " : "", hazard->count);
  html_close(html, "span");
}

static void write_hazard(struct page *page, int i) {
  struct html *html = &page->html;
  const struct hazard_record *hazard = &page->grade->hazards[i];
  char *id = xprintf("hazard-%d", i);
  html_open(html, "article", "class", hazard->warning ? "hazard warning" : "hazard", "id", id,
            NULL);
  html_open(html, "h3", NULL);
  html_element(html, hazard->warning ? "\u26a0 warning" : "\u2717", "span", "class", "mark", NULL);
  html_raw(html, " ");
  html_text(html, hazard_kind_title(hazard->kind));
  write_place(page, hazard);
  html_close(html, "h3");
  html_open(html, "p", NULL);
  page_words(page, hazard->message);
  html_close(html, "p");
  write_code_line(page, hazard->line);
  if (hazard->other_line != hazard->line) write_code_line(page, hazard->other_line);
  bool first = true; /* of its kind */
  for (int j = 0; j < i; j++)
    first = first && strcmp(page->grade->hazards[j].kind, hazard->kind) != 0;
  if (first) page_handout_link(page, hazard->kind);
  html_close(html, "article");
  html_raw(html, "\n");
  free(id);
}

static bool any_launch(const struct grade *grade) {
  for (int i = 0; grade->cases && i < grade->lab->conf.case_count; i++) {
    if (grade->cases[i].report.launch_count > 0) return true;
  }
  return false;
}

void page_hazards(struct page *page) {
  struct html *html = &page->html;
  const struct grade *grade = page->grade;
  int shown = 0, left = 0;
  html_open(html, "section", "id", "hazards", NULL);
  html_element(html, page_build_failed(grade) ? "Compiler" : "Hazards", "h2", NULL);
  for (int i = 0; i < grade->hazard_count; i++) {
    if (strcmp(grade->hazards[i].kind, "wrong") == 0) continue; /* the cases show it */
    if (shown == HAZARDS_SHOWN) {
      left++;
      continue;
    }
    write_hazard(page, i);
    shown++;
  }
  html_open(html, "p", "class", "nothing", NULL);
  if (left > 0)
    html_format(html, "And %d more.", left);
  else if (shown == 0 && any_launch(grade))
    html_text(html,
              "None: in what was run, every access to memory and every barrier was checked for "
              "races, stray or uninitialised accesses, and threads that a barrier waits for.");
  else if (shown == 0)
    html_text(html, "No kernel was launched, so there was nothing to check.");
  html_close(html, "p");
  write_messages(page);
  html_close(html, "section");
  html_raw(html, "\n");
}

/* --- cases --- */

static void write_dims(struct html *html, const struct conf *conf, int index) {
  for (int i = 0; i < conf->family->problem->dim_count; i++) {
    html_format(html, "%s%s = %ld", i ? ", " : "", conf->family->problem->dims[i],
                conf->cases[index].dims[i]);
  }
}

static void write_output(struct html *html, const struct text *output) {
  if (output->length == 0) return;
  size_t cut = html_cut(output->data, output->length, OUTPUT_SHOWN);
  html_open(html, "details", "class", "output", NULL);
  html_element(html, "Printed by the program itself", "summary", NULL);
  html_open(html, "pre", NULL);
  html_bytes(html, output->data, cut);
  html_close(html, "pre");
  if (cut < output->length) {
    html_open(html, "p", "class", "dim", NULL);
    html_format(html, "%zu more bytes are not shown.", output->length - cut);
    html_close(html, "p");
  }
  html_close(html, "details");
}

static void write_case(struct page *page, int index) {
  static const char *const states[] = {"not run", "right", "wrong", "not judged"};
  static const char *const marks[] = {"\u2013", "\u2713", "\u2717", "!"};
  static const char *const classes[] = {"skipped", "right", "wrong", "skipped"};
  struct html *html = &page->html;
  const struct conf *conf = &page->grade->lab->conf;
  const struct case_result *result = &page->grade->cases[index];
  char *id = xprintf("case-%d", index);
  html_open(html, "tr", "id", id, "class", classes[result->state], NULL);
  html_open(html, "th", "scope", "row", NULL);
  html_text(html, conf->cases[index].name);
  html_close(html, "th");
  html_open(html, "td", NULL);
  html_element(html, marks[result->state], "span", "class", "mark", NULL);
  html_format(html, " %s", states[result->state]);
  html_close(html, "td");
  html_open(html, "td", "class", "dims", NULL);
  if (hidden_keeps_quiet(page->grade, index))
    html_element(html, "hidden", "span", "class", "dim", NULL);
  else
    write_dims(html, conf, index);
  html_close(html, "td");
  html_open(html, "td", "class", "why", NULL);
  if (result->reason) page_words(page, result->reason);
  write_output(html, &result->output);
  html_close(html, "td");
  html_close(html, "tr");
  html_raw(html, "\n");
  free(id);
}

void page_cases(struct page *page) {
  struct html *html = &page->html;
  const struct grade *grade = page->grade;
  const struct conf *conf = &grade->lab->conf;
  if (!grade->cases || page_build_failed(grade)) return;
  int right = 0;
  for (int i = 0; i < conf->case_count; i++) right += grade->cases[i].state == CASE_RIGHT;
  html_open(html, "section", "id", "cases", NULL);
  html_element(html, "Cases", "h2", NULL);
  html_open(html, "details", "class", "fold", "open", right < conf->case_count ? "" : NULL, NULL);
  html_open(html, "summary", NULL);
  html_format(html, "%d of %d are right", right, conf->case_count);
  html_close(html, "summary");
  html_open(html, "div", "class", "scroll", NULL);
  static const struct html_column columns[] = {
      {"case", NULL}, {"outputs", NULL}, {"size", NULL}, {"what happened", NULL}};
  html_table_open(html, "cases", columns, 4);
  for (int i = 0; i < conf->case_count; i++) write_case(page, i);
  html_table_close(html);
  html_close(html, "div");
  html_close(html, "details");
  html_close(html, "section");
  html_raw(html, "\n");
}
