/* card.c: the score card: items, reasons, hints, the launch that matters, what to do next. */
#include "grader/show/card.h"

#include <stdlib.h>
#include <string.h>

#include "grader/show/show.h"

enum { OUTPUT_LINES = 5, HAZARDS_SHOWN = 3 };

static enum colour points_colour(long points, long max) {
  return points == max ? GREEN : points > 0 ? YELLOW : RED;
}

static void print_title(const struct screen *screen, const struct grade *grade,
                        const struct card_options *options) {
  const struct conf *conf = &grade->lab->conf;
  autofree char *score = xprintf("%s   %ld / %ld", grade->verdict, grade->score, conf->max_points);
  autofree char *left = xprintf("%s  %s%s", grade->lab->id, conf->title,
                                options->solution ? " (reference solution)" : "");
  int gap = screen->width - screen_columns(left) - screen_columns(score);
  screen_print(screen, BOLD, "%s", left);
  screen_print(screen, PLAIN, "%*s", gap > 2 ? gap : 2, "");
  screen_line(screen, points_colour(grade->score, conf->max_points), "%s", score);
  screen_rule(screen);
}

/* The cause, unless it is the first reason that the items have anyway. */
static void print_cause(const struct screen *screen, const struct grade *grade) {
  autofree char *words = cause_of(grade).above ? cause_words(grade) : NULL;
  if (!words) return;
  screen_wrap(screen, BOLD, 4, "  Start here: ", words);
}

/* Was a case run that this item looks at? Others say nothing where only some were asked for. */
static bool was_asked(const struct grade *grade, const struct item_conf *item) {
  const struct conf *conf = &grade->lab->conf;
  if (!grade->partial || (!item->case_name && !item->case_count)) return true;
  if (item->case_name) return grade->cases[conf_case(conf, item->case_name)].state != CASE_NOT_RUN;
  for (int i = 0; i < item->case_count; i++)
    if (grade->cases[conf_case(conf, item->cases[i])].state != CASE_NOT_RUN) return true;
  return false;
}

static void print_not_asked(const struct screen *screen, const struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  freed_by(text_free) struct text ids = {0};
  for (int i = 0; i < conf->item_count; i++)
    if (!was_asked(grade, &conf->items[i]))
      text_add(&ids, "%s%s", ids.length ? ", " : "", conf->items[i].id);
  if (!ids.length) return;
  autofree char *line = xprintf("Not looked at: %s", ids.data);
  screen_wrap(screen, DIM, 4, "  ", line);
}

/* One line an item; under it why points are lost and what to try, once for each cause. */
static void print_items(const struct screen *screen, const struct grade *grade, bool explain) {
  const struct conf *conf = &grade->lab->conf;
  bool hinted[ITEM_CLASSES] = {false};
  for (int i = 0; i < conf->item_count; i++) {
    const struct item_conf *item = &conf->items[i];
    const struct item_result *result = &grade->items[i];
    if (!was_asked(grade, item)) continue;
    bool full = result->points == item->points;
    autofree char *score = xprintf("%ld / %ld", result->points, item->points);
    const char *mark = full ? (screen->utf8 ? "\u2713" : "+") : (screen->utf8 ? "\u2717" : "-");
    int same =
        !full && result->reason && !result->waiting && !explain ? score_same_cause(grade, i) : -1;
    bool covered = !full && !explain && cause_covers(grade, i);
    freed_by(text_free) struct text suffix = {0};
    if (item->hidden) text_add(&suffix, " (hidden)");
    if (covered)
      text_add(&suffix, " (see above)");
    else if (same >= 0)
      text_add(&suffix, " (as for %s)", conf->items[same].id);
    else if (result->waiting && item->case_name)
      text_add(&suffix, " (needs %s right)", item->case_name);
    else if (result->waiting)
      text_add(&suffix, " (needs a right case)");
    int gap = screen->width - 17 - screen_columns(item->title) - screen_columns(text_get(&suffix)) -
              screen_columns(score);
    screen_print(screen, points_colour(result->points, item->points), "  %s", mark);
    screen_print(screen, PLAIN, " %-12s %s", item->id, item->title);
    screen_print(screen, DIM, "%s%*s", text_get(&suffix), gap > 1 ? gap : 1, "");
    screen_line(screen, points_colour(result->points, item->points), "%s", score);
    if (full || same >= 0 || covered || result->waiting || !result->reason) continue;
    screen_wrap(screen, PLAIN, 6, "      ", result->reason);
    const char *hint = cause_hint(grade, i);
    if (hint && (explain || !hinted[item->class])) {
      screen_wrap(screen, DIM, 11, "      try: ", hint);
      hinted[item->class] = true;
      if (item->class == ITEM_TECHNIQUE) hinted[ITEM_PERFORMANCE] = true; /* follows from it */
    }
  }
  print_not_asked(screen, grade);
}

/* Without what to do about it. */
static char *brief_words(const struct grade *grade, const struct hazard_record *hazard) {
  struct text words = {0};
  if (hazard->line) text_add(&words, "%s:%d: ", grade->source->name, hazard->line);
  text_add(&words, "%s%s%s", hazard_kind_title(hazard->kind), hazard->array[0] ? " on " : "",
           hazard->array);
  if (hazard->other_line) text_add(&words, ", with line %d", hazard->other_line);
  if (hazard->count > 1)
    text_add(&words, "; %s%lu times", hazard->more ? "at least " : "", hazard->count);
  return words.data;
}

/* Warnings, and faults that no item's reason shows. */
static void print_hazards(const struct screen *screen, const struct grade *grade, bool explain) {
  const struct conf *conf = &grade->lab->conf;
  int shown = 0, left = 0;
  for (int i = 0; i < grade->hazard_count; i++) {
    const struct hazard_record *hazard = &grade->hazards[i];
    bool covered = strcmp(hazard->kind, "build") == 0 || i == cause_of(grade).hazard;
    for (int j = 0; j < conf->item_count; j++)
      covered |= conf->items[j].class == ITEM_HAZARD && grade->items[j].hazard == hazard;
    if (strcmp(hazard->kind, "wrong") == 0) continue;      /* the correctness items show it */
    for (int c = 0; c < conf->case_count && !covered; c++) /* the reason of that case shows it */
      covered = score_case_hazard(grade, c) == hazard && grade->cases[c].kind &&
                strcmp(hazard->kind, grade->cases[c].kind) == 0;
    for (int j = 0; j < i && !covered; j++) covered = score_same_place(hazard, &grade->hazards[j]);
    if (covered) continue;
    if (shown == HAZARDS_SHOWN) {
      left++;
      continue;
    }
    shown++;
    bool known = false; /* one of this kind is shown in full above */
    for (int j = 0; j < i; j++) known |= strcmp(grade->hazards[j].kind, hazard->kind) == 0;
    autofree char *words =
        known && !explain ? brief_words(grade, hazard) : cause_hazard_words(grade, hazard);
    screen_wrap(screen, hazard->warning ? PLAIN : YELLOW, 6,
                hazard->warning ? "  warning: " : "  also: ", words);
  }
  if (left > 0) screen_line(screen, PLAIN, "  and %d more: --html FILE lists them all", left);
}

/* The first lines that the program printed itself, from the first case where it did. That a call
 * failed, where it was to print just that, is no news. */
static void print_output(const struct screen *screen, const struct grade *grade) {
  for (int i = 0; i < grade->lab->conf.case_count; i++) {
    const struct case_conf *entry = &grade->lab->conf.cases[i];
    const struct case_result *result = &grade->cases[i];
    const struct text *output = &result->output;
    if (output->length == 0 || (entry->fail && result->state == CASE_RIGHT)) continue;
    screen_newline(screen);
    if (result->output_since)
      screen_line(screen, BOLD,
                  "Printed by the program itself in cases %s to %s:", result->output_since,
                  entry->name);
    else
      screen_line(screen, BOLD, "Printed by the program itself in case %s:", entry->name);
    const char *at = output->data, *end = output->data + output->length;
    for (int line = 0; line < OUTPUT_LINES && at < end; line++) {
      const char *stop = memchr(at, '\n', (size_t)(end - at));
      if (!stop) stop = end;
      freed_by(text_free) struct text clean = {0};
      size_t length = (size_t)(stop - at), room = (size_t)screen->width - 4;
      text_add_printable(&clean, at, length > room ? room : length, screen->utf8);
      screen_line(screen, PLAIN, "  | %s", text_get(&clean));
      at = stop + 1;
    }
    if (at < end) screen_line(screen, DIM, "  | ... and more");
    return;
  }
}

/* What the lab allows, and what of it was used. Hidden cases have a part in both, so that it would
 * tell their sizes. */
static void print_budget(const struct screen *screen, const struct grade *grade) {
  const struct budget limit = conf_budget(&grade->lab->conf), *used = &grade->spending.used;
  const uint64_t numbers[][2] = {{used->instructions, limit.instructions},
                                 {used->bytes, limit.bytes},
                                 {used->calls, limit.calls}};
  static const char *const names[] = {"warp instructions", "bytes copied or filled",
                                      "calls to the device"};
  if (!used->calls || grade->lab->conf.has_hidden) return;
  freed_by(text_free) struct text words = {0};
  text_add(&words, "Budget of all cases: ");
  for (int i = 0; i < 3; i++) {
    char of[40], all[40];
    text_add(&words, "%s%s of %s %s", i ? ", " : "", budget_text(numbers[i][0], of, sizeof of),
             budget_text(numbers[i][1], all, sizeof all), names[i]);
  }
  text_add(&words, " used; host code may take %ld s of processor time", grade->lab->conf.cpu_limit);
  screen_wrap(screen, PLAIN, 2, "", text_get(&words));
}

static void print_next(const struct screen *screen, const struct grade *grade,
                       const struct card_options *options) {
  const char *id = grade->lab->id;
  char *line;
  if (options->partial) {
    line = xprintf("Only the cases asked for were run: this is not the lab's grade.");
  } else if (options->solution) {
    line = xprintf("Your own file is %s: edit it, then   make %s && ./grade %s",
                   short_path(grade->lab->source), id, id);
  } else if (strcmp(grade->verdict, "pass") == 0) {
    line = xprintf("Full marks. Other labs: ./grade list");
  } else {
    line = xprintf("Next: %s; more: --explain; same inputs: --seed %lu",
                   cause_of(grade).hazard >= 0 || grade->score == 0 ? "the first reason above"
                                                                    : "the lost points above",
                   grade->seed);
  }
  screen_wrap(screen, BOLD, 2, "", line);
  free(line);
}

/* Times of a GPU that nobody has measured say so. */
static void print_simulated(const struct screen *screen, const struct grade *grade) {
  autofree char *words = simulated_words(grade);
  if (words) screen_wrap(screen, PLAIN, 2, "", words);
}

void card_print(const struct screen *screen, const struct grade *grade,
                const struct card_options *options) {
  print_title(screen, grade, options);
  if (score_is_build_failure(grade)) {
    freed_by(text_free) struct text words = {0};
    if (grade->hazards[0].line)
      text_add(&words, "%s:%d: ", grade->source->name, grade->hazards[0].line);
    text_add(&words, "it does not compile: %s", grade->hazards[0].message);
    screen_wrap(screen, RED, 4, "  ", text_get(&words));
    screen_wrap(screen, PLAIN, 2, "", "Next: the first error of the compiler, above.");
    return;
  }
  print_cause(screen, grade);
  print_items(screen, grade, options->explain);
  print_hazards(screen, grade, options->explain);
  screen_rule(screen);
  print_simulated(screen, grade);
  measured_print(screen, grade);
  compare_print(screen, grade);
  table_print(screen, grade, options->explain);
  shares_print(screen, grade);
  if (options->explain) print_budget(screen, grade);
  print_next(screen, grade, options);
  print_output(screen, grade);
}
