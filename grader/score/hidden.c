/* hidden.c: replaces what hidden cases reveal by words that students may read. */
#include "grader/score/score.h"

#include <stdlib.h>
#include <string.h>

bool hidden_keeps_quiet(const struct grade *grade, int index) {
  return grade->lab->conf.cases[index].hidden && !grade->partial;
}

const char *hidden_case_word(const struct conf *conf, int index) {
  return conf->cases[index].hidden ? "hidden case" : "case";
}

static bool call_failed(const struct report *report) {
  for (int i = 0; i < report->set_count; i++)
    if (report->sets[i].error) return true;
  return false;
}

/* Why a case failed, by the kind of the failure alone. */
static char *words_of(const struct case_result *run) {
  static const char *const words[][2] = {
      {"timeout", "it does not end"},
      {"budget", "it used up the budget"},
      {"memory", "it asked for more memory than there is"},
      {"protocol", "the program exited before the call returned, or damaged its report"},
      {"crash", "the program crashed"},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(run->kind, words[i][0]) == 0) return xstrdup(words[i][1]);
  if (call_failed(&run->report)) return xstrdup("the call left a CUDA error");
  if (strcmp(run->kind, "wrong") == 0) return xstrdup("not all of its outputs are right");
  return xstrdup(hazard_kind_title(run->kind));
}

/* The kind stays. A file can choose by the size at which line, in which kernel and on which array
 * it goes wrong. */
static void redact_hazard(struct hazard_record *hazard) {
  free_all(hazard->message, hazard->kernel, hazard->array);
  hazard->message = xstrdup("it happens here; try sizes of your own");
  hazard->kernel = xstrdup("");
  hazard->array = xstrdup("");
  hazard->line = hazard->other_line = 0;
  hazard->count = 1;
  hazard->more = false;
}

void hidden_redact(struct grade *grade) {
  for (int i = 0; i < grade->lab->conf.case_count; i++) {
    struct case_result *run = &grade->cases[i];
    if (!hidden_keeps_quiet(grade, i) || run->state == CASE_ERROR) continue;
    for (int h = 0; h < run->report.hazard_count; h++) redact_hazard(&run->report.hazards[h]);
    run->line = 0;
    text_free(&run->output); /* a program can print what it is called with */
    if (run->state != CASE_WRONG || !run->kind) continue;
    char *words = words_of(run);
    free(run->reason);
    run->reason = words;
    run->quoted = NULL;
    run->explains = EXPLAINS_NOTHING; /* these words do not */
  }
}
