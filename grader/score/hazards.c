/* hazards.c: the hazards of all cases, each once: those that were reported, what the compiler
 * warned of, and what the grader itself found. */
#include "grader/score/score.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/run/build.h"

bool score_same_place(const struct hazard_record *a, const struct hazard_record *b) {
  return a->line == b->line && a->other_line == b->other_line && a->warning == b->warning &&
         strcmp(a->kind, b->kind) == 0 && strcmp(a->array, b->array) == 0;
}

/* A call that failed is a warning, as what follows from it counts, unless an item lists calls. */
static bool is_warning(const struct grade *grade, const struct hazard_record *hazard) {
  return hazard->warning &&
         !(strcmp(hazard->kind, "call") == 0 && conf_lists_kind(&grade->lab->conf, "call"));
}

static struct hazard_record *find_hazard(const struct grade *grade,
                                         const struct hazard_record *hazard) {
  struct hazard_record wanted = *hazard;
  wanted.warning = is_warning(grade, hazard);
  for (int i = 0; i < grade->hazard_count; i++) {
    struct hazard_record *known = &grade->hazards[i];
    if (score_same_place(known, &wanted) && strcmp(known->kernel, hazard->kernel) == 0)
      return known;
  }
  return NULL;
}

static void add_hazard(struct grade *grade, const struct hazard_record *hazard, const char *place) {
  struct hazard_record *known = find_hazard(grade, hazard);
  if (known) {
    known->count += hazard->count;
    known->more |= hazard->more;
    return;
  }
  *array_add(grade->hazards, grade->hazard_count) = (struct hazard_record){
      .kind = xstrdup(hazard->kind),
      .kernel = xstrdup(hazard->kernel),
      .array = xstrdup(hazard->array),
      .message = place ? xprintf("%s (%s)", hazard->message, place) : xstrdup(hazard->message),
      .warning = is_warning(grade, hazard),
      .line = hazard->line,
      .other_line = hazard->other_line,
      .count = hazard->count,
      .more = hazard->more,
      .weight = hazard->weight,
  };
}

static int by_severity(const void *a, const void *b) {
  const struct hazard_record *x = a, *y = b;
  if (x->warning != y->warning) return x->warning - y->warning;
  int ranks = hazard_kind_rank(x->kind) - hazard_kind_rank(y->kind);
  if (ranks) return ranks;
  if (x->weight != y->weight) return y->weight - x->weight;
  if (x->line != y->line) return x->line - y->line;
  if (x->other_line != y->other_line) return x->other_line - y->other_line;
  int kernels = strcmp(x->kernel, y->kernel);
  return kernels ? kernels : strcmp(x->array, y->array);
}

/* What the compiler sees that a kernel or a function uses before it has a value. */
static void add_compiler_warnings(struct grade *grade) {
  int line;
  const char *at = grade->messages ? grade->messages : "", *name = grade->source->name;
  for (char *words; (words = build_next_warning(&at, name, "uninitialized]", &line)); free(words)) {
    freed_by(text_free) struct text message = {0}; /* it quotes the file */
    text_add_printable(&message, words, strlen(words), true);
    const char *source =
        line > 0 && line <= grade->source->line_count ? grade->source->lines[line - 1] : "";
    text_add(&message,
             strstr(source, "cudaMalloc")
                 ? ". cudaMalloc writes the pointer: give it the pointer's address, with an &."
                 : ". Give it a first value where it is declared; a sum starts at 0.");
    struct hazard_record own = {.kind = "compiler",
                                .kernel = "",
                                .array = "",
                                .message = message.data,
                                .warning = true,
                                .line = line,
                                .count = 1};
    add_hazard(grade, &own, NULL);
  }
}

/* The reason without the line that it begins with, which a hazard has apart. */
static const char *without_line(const struct case_result *result) {
  char place[40];
  snprintf(place, sizeof place, "line %d: ", result->line);
  bool there = result->line && strncmp(result->reason, place, strlen(place)) == 0;
  return result->reason + (there ? strlen(place) : 0);
}

/* What is wrong with a case, as a hazard of the grader's own; false: nothing is, or the report has
 * such a hazard. Its strings are the case's. */
static bool own_hazard(const struct case_result *result, struct hazard_record *own) {
  if (result->state != CASE_WRONG || !result->kind || result->quoted) return false;
  for (int h = 0; h < result->report.hazard_count; h++)
    if (strcmp(result->report.hazards[h].kind, result->kind) == 0) return false;
  *own = (struct hazard_record){.kind = (char *)result->kind,
                                .kernel = "",
                                .array = "",
                                .message = (char *)without_line(result),
                                .line = result->line,
                                .count = 1};
  return true;
}

const struct hazard_record *score_case_hazard(const struct grade *grade, int case_index) {
  const struct case_result *result = &grade->cases[case_index];
  struct hazard_record own;
  if (result->quoted) return find_hazard(grade, result->quoted);
  return own_hazard(result, &own) ? find_hazard(grade, &own) : NULL;
}

void score_hazards(struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  add_compiler_warnings(grade);
  for (int i = 0; i < conf->case_count; i++) {
    const struct case_result *result = &grade->cases[i];
    autofree char *place = xprintf("%s %s", hidden_case_word(conf, i), conf->cases[i].name);
    for (int h = 0; h < result->report.hazard_count; h++)
      add_hazard(grade, &result->report.hazards[h], place);
    struct hazard_record own;
    if (own_hazard(result, &own)) add_hazard(grade, &own, place);
    if (result->report.forged) {
      own = (struct hazard_record){
          .kind = "protocol",
          .kernel = "",
          .array = "",
          .count = (uint64_t)result->report.forged,
          .message = "the program wrote frames of its own into the report; they were ignored"};
      add_hazard(grade, &own, place);
    }
  }
  if (grade->hazard_count > 0)
    qsort(grade->hazards, (size_t)grade->hazard_count, sizeof *grade->hazards, by_severity);
}

bool score_is_build_failure(const struct grade *grade) {
  return grade->hazard_count > 0 && strcmp(grade->hazards[0].kind, "build") == 0;
}

void score_build_failure(struct grade *grade, const char *compiler_output) {
  const struct conf *conf = &grade->lab->conf;
  int line;
  autofree char *words = build_first_error(compiler_output, &line);
  struct hazard_record hazard = {
      .kind = "build", .kernel = "", .array = "", .message = words, .line = line, .count = 1};
  add_hazard(grade, &hazard, NULL);
  grade->items = xcalloc((size_t)conf->item_count, sizeof *grade->items);
  for (int i = 0; i < conf->item_count; i++)
    grade->items[i] =
        (struct item_result){.value = (double)NAN, .reason = xstrdup("the file does not compile")};
  grade->score = 0;
  grade->verdict = "fail";
}
