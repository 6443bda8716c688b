/* page_faults.c: what the compiler refused, hazards with lines, cases, the program's output. */
#include <stdlib.h>
#include <string.h>

#include "grader/score/score.h"
#include "grader/show/page.h"

enum { HAZARDS_SHOWN = 50, OUTPUT_SHOWN = 4096, MESSAGES_SHOWN = 16384, CODE_SHOWN = 200 };

/* --- the compiler --- */

/* All its messages, errors or warnings. */
static void write_messages(struct page *page) {
  struct html *html = &page->html;
  const char *messages = page->grade->messages;
  if (!messages || !*messages) return;
  size_t length = strlen(messages), cut = html_cut(messages, length, MESSAGES_SHOWN);
  autofree char *shown = xprintf("%.*s", (int)cut, messages);
  html_print(html, score_is_build_failure(page->grade) ? "<details class='fold' open=''>"
                                                       : "<details class='fold'>");
  html_print(html, "<summary>Messages of the compiler</summary><pre>");
  page_words(page, shown);
  if (cut < length) html_print(html, "\n... and %zu more bytes", length - cut);
  html_print(html, "</pre></details>");
}

/* --- hazards --- */

void page_quote(struct page *page, int line) {
  struct html *html = &page->html;
  const char *code = source_line(page->source, line);
  if (!*code) return;
  if (page->visible[line])
    html_print(html, "<a class='quote' href='#%s%d'>", page->prefix, line);
  else
    html_print(html, "<a class='quote'>");
  html_print(html, "<span class='number'>%d</span><code>", line);
  html_bytes(html, code, html_cut(code, strlen(code), CODE_SHOWN));
  html_print(html, "</code></a>");
}

static void write_place(struct page *page, const struct hazard_record *hazard) {
  struct html *html = &page->html;
  if (hazard->line) page_line(page, " ", hazard->line);
  if (hazard->other_line && hazard->other_line != hazard->line)
    page_line(page, " and ", hazard->other_line);
  html_print(html, "<span class='dim'>");
  if (hazard->array[0]) html_print(html, " \u00b7 %s", hazard->array);
  if (hazard->kernel[0]) html_print(html, " \u00b7 in %s", hazard->kernel);
  if (hazard->count > 1)
    html_print(html, " \u00b7 %s%lu times", hazard->more ? "at least " : "", hazard->count);
  html_print(html, "</span>");
}

void page_hazard_open(struct page *page, const struct hazard_record *hazard, const char *id) {
  struct html *html = &page->html;
  html_print(html, "<article class='%s' id='%s'><h3><span class='mark'>%s</span> %s",
             hazard->warning ? "hazard warning" : "hazard", id,
             hazard->warning ? "\u26a0 warning" : "\u2717", hazard_kind_title(hazard->kind));
  write_place(page, hazard);
  html_print(html, "</h3><p>");
  page_words(page, hazard->message);
  html_print(html, "</p>");
  page_quote(page, hazard->line);
  if (hazard->other_line != hazard->line) page_quote(page, hazard->other_line);
}

void page_hazard_close(struct page *page) { html_print(&page->html, "</article>\n"); }

static void write_hazard(struct page *page, int index) {
  const struct hazard_record *hazard = &page->hazards[index];
  autofree char *id = xprintf("hazard-%d", index);
  page_hazard_open(page, hazard, id);
  bool first = true; /* of its kind */
  for (int i = 0; i < index; i++) first = first && strcmp(page->hazards[i].kind, hazard->kind) != 0;
  if (first) page_handout_link(page, hazard->kind);
  page_hazard_close(page);
}

void page_hazards(struct page *page) {
  struct html *html = &page->html;
  const struct grade *grade = page->grade;
  int shown = 0, left = 0;
  html_print(html, "<section id='hazards'><h2>%s</h2>",
             score_is_build_failure(grade) ? "Compiler" : "Hazards");
  for (int i = 0; i < grade->hazard_count; i++) {
    if (strcmp(grade->hazards[i].kind, "wrong") == 0) continue; /* the cases show it */
    if (shown == HAZARDS_SHOWN) {
      left++;
      continue;
    }
    write_hazard(page, i);
    shown++;
  }
  html_print(html, "<p class='nothing'>");
  if (left > 0)
    html_print(html, "And %d more.", left);
  else if (shown == 0 && score_any_launch(grade))
    html_print(html,
               "None: in what was run, every access to memory and every barrier was checked for "
               "races, stray or uninitialised accesses, and threads that a barrier waits for.");
  else if (shown == 0)
    html_print(html, "No kernel was launched, so there was nothing to check.");
  html_print(html, "</p>");
  write_messages(page);
  html_print(html, "</section>\n");
}

/* --- cases --- */

static void write_output(struct html *html, const struct text *output) {
  if (output->length == 0) return;
  size_t cut = html_cut(output->data, output->length, OUTPUT_SHOWN);
  html_print(html, "<details class='output'><summary>Printed by the program itself</summary><pre>");
  html_bytes(html, output->data, cut);
  html_print(html, "</pre>");
  if (cut < output->length)
    html_print(html, "<p class='dim'>%zu more bytes are not shown.</p>", output->length - cut);
  html_print(html, "</details>");
}

static void write_case(struct page *page, int index) {
  static const char *const states[] = {"not run", "right", "wrong", "not judged"};
  static const char *const marks[] = {"\u2013", "\u2713", "\u2717", "!"};
  static const char *const classes[] = {"skipped", "right", "wrong", "skipped"};
  struct html *html = &page->html;
  const struct conf *conf = &page->grade->lab->conf;
  const struct case_result *result = &page->grade->cases[index];
  html_print(html,
             "<tr id='case-%d' class='%s'><th scope='row'>%s</th>"
             "<td><span class='mark'>%s</span> %s</td><td class='dims'>",
             index, classes[result->state], conf->cases[index].name, marks[result->state],
             states[result->state]);
  if (hidden_keeps_quiet(page->grade, index))
    html_print(html, "<span class='dim'>hidden</span>");
  else
    page_dims(page, index);
  html_print(html, "</td><td class='why'>");
  if (result->reason) page_words(page, result->reason);
  write_output(html, &result->output);
  html_print(html, "</td></tr>\n");
}

void page_cases(struct page *page) {
  struct html *html = &page->html;
  const struct grade *grade = page->grade;
  const struct conf *conf = &grade->lab->conf;
  if (!grade->cases || score_is_build_failure(grade)) return;
  int right = 0;
  for (int i = 0; i < conf->case_count; i++) right += grade->cases[i].state == CASE_RIGHT;
  html_print(html, "<section id='cases'><h2>Cases</h2>");
  html_print(
      html, right < conf->case_count ? "<details class='fold' open=''>" : "<details class='fold'>");
  html_print(html, "<summary>%d of %d are right</summary><div class='scroll'>", right,
             conf->case_count);
  static const struct html_column columns[] = {
      {"case", NULL}, {"outputs", NULL}, {"size", NULL}, {"what happened", NULL}};
  html_table_open(html, "cases", columns, 4);
  for (int i = 0; i < conf->case_count; i++) write_case(page, i);
  html_table_close(html);
  html_print(html, "</div></details></section>\n");
}
