/* hidden.c: see hidden.h. */
#include "hidden.h"

#include <stdlib.h>
#include <string.h>

bool hidden_keeps_quiet(const struct grade *grade, int index) {
  return grade->lab->conf.cases[index].hidden && !grade->partial;
}

const char *hidden_case_word(const struct conf *conf, int index) {
  return conf->cases[index].hidden ? "hidden case" : "case";
}

/* The first error that a call left, or NULL. */
static const char *call_error(const struct report *report) {
  for (int i = 0; i < report->set_count; i++)
    if (report->sets[i].error) return report->sets[i].error;
  return NULL;
}

static int crash_line(const struct report *report) {
  for (int i = 0; i < report->hazard_count; i++)
    if (strcmp(report->hazards[i].kind, "crash") == 0) return report->hazards[i].line;
  return 0;
}

/* Why a case failed, by the kind of the failure alone. */
static char *words_of(const struct case_result *run) {
  static const char *const words[][2] = {
      {"timeout", "it did not finish in time"},
      {"memory", "it asked for more memory than there is"},
      {"protocol", "the program ended itself before the call came back, or damaged its report"},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(run->kind, words[i][0]) == 0) return xstrdup(words[i][1]);
  if (strcmp(run->kind, "crash") == 0) {
    int line = crash_line(&run->report);
    return line ? xprintf("line %d: the program crashed", line) : xstrdup("the program crashed");
  }
  const char *error = call_error(&run->report);
  if (error) return xprintf("the call left %s", error);
  if (strcmp(run->kind, "wrong") == 0) return xstrdup("not all of its outputs are right");
  return xstrdup(hazard_kind_title(run->kind));
}

/* The line stays, and the array and the other line, which are the file's own. */
static void redact_hazard(struct hazard_record *hazard) {
  struct text words = {0};
  text_add(&words, "it happens here");
  if (hazard->array[0]) text_add(&words, ", on %s", hazard->array);
  if (hazard->other_line && hazard->other_line != hazard->line)
    text_add(&words, ", with line %d", hazard->other_line);
  free(hazard->message);
  hazard->message = words.data;
  hazard->count = 1; /* how often tells the size */
  hazard->more = false;
}

void hidden_redact(struct grade *grade) {
  for (int i = 0; i < grade->lab->conf.case_count; i++) {
    struct case_result *run = &grade->cases[i];
    if (!hidden_keeps_quiet(grade, i) || run->state == CASE_ERROR) continue;
    for (int h = 0; h < run->report.hazard_count; h++) redact_hazard(&run->report.hazards[h]);
    text_free(&run->output); /* a program can print what it is called with */
    if (run->state != CASE_WRONG || !run->kind) continue;
    char *words = words_of(run);
    free(run->reason);
    run->reason = words;
    run->explains = EXPLAINS_NOTHING; /* these words do not */
  }
}
