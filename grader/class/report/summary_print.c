/* summary_print.c: prints a summary of the class on the terminal. */
#include <stdlib.h>

#include "grader/base/screen.h"
#include "grader/class/report/class_report.h"
#include "grader/class/report/report_words.h"
#include "grader/lab/metric.h"

enum { BINS = 10, ITEMS = 5, HAZARDS = 5, BAR = 40, PEOPLE = 6 };

static void print_heading(const struct screen *screen, const struct summary *summary) {
  autofree char *median = words_number(summary->scores.median),
                *left =
                    xprintf("%s  %s", summary->lab, summary->title ? summary->title : "the class"),
                *right = summary->scores.count > 0
                             ? xprintf("median   %s / %ld", median, summary->max)
                             : xstrdup("no score yet");
  int gap = screen->width - screen_columns(left) - screen_columns(right);
  screen_print(screen, BOLD, "%s", left);
  if (gap < 2) { /* too narrow for both */
    screen_newline(screen);
    gap = screen->width - screen_columns(right);
  }
  screen_print(screen, PLAIN, "%*s%s", gap, "", right);
  screen_newline(screen);
  screen_rule(screen);
}

static void print_words(const struct screen *screen, char *words) {
  screen_wrap(screen, PLAIN, 2, "", words);
  free(words);
}

/* A line for every tenth of the points, one for full marks. */
static void print_histogram(const struct screen *screen, const struct summary *summary) {
  int counts[BINS + 1] = {0}, tallest = 1;
  long max = summary->max > 0 ? summary->max : 1;
  for (int i = 0; i < summary->count; i++) {
    const struct standing *standing = &summary->standings[i];
    if (standing->state != STANDING_GRADED) continue;
    long bin = standing->score >= max ? BINS : standing->score * BINS / max;
    counts[bin < 0 ? 0 : bin]++;
  }
  for (int i = 0; i <= BINS; i++) tallest = counts[i] > tallest ? counts[i] : tallest;
  int room = screen->width - 24 < BAR ? screen->width - 24 : BAR;
  for (int i = BINS; i >= 0; i--) {
    autofree char *label = i == BINS
                               ? xprintf("%ld", max)
                               : xprintf("%g-%g", (double)i * (double)max / BINS,
                                         (double)(i + 1) * (double)max / BINS - (max % BINS   ? 0
                                                                                 : max > BINS ? 1
                                                                                              : 0));
    int length = (counts[i] * room + tallest - 1) / tallest;
    freed_by(text_free) struct text bar = {0};
    for (int b = 0; b < length; b++) text_add(&bar, "%s", screen->utf8 ? "\u2588" : "#");
    screen_print(screen, DIM, "  %9s ", label);
    screen_print(screen, i == BINS ? GREEN : PLAIN, "%s", text_get(&bar));
    if (counts[i] > 0) screen_print(screen, PLAIN, " %d", counts[i]);
    screen_newline(screen);
  }
}

static void print_items(const struct screen *screen, const struct summary *summary) {
  int graded = words_graded(summary), shown = 0;
  for (int i = 0; i < summary->item_count && shown < ITEMS; i++) {
    if (item_missed(&summary->items[i]) == 0) continue;
    if (shown++ == 0) {
      screen_print(screen, BOLD, "Most often missed");
      screen_newline(screen);
    }
    autofree char *words = words_item(&summary->items[i], graded);
    screen_wrap(screen, PLAIN, 4, "  ", words);
  }
}

static void print_hazards(const struct screen *screen, const struct summary *summary) {
  if (summary->hazard_count == 0) return;
  freed_by(text_free) struct text words = {0};
  for (int i = 0; i < summary->hazard_count && i < HAZARDS; i++) {
    const struct hazard_summary *hazard = &summary->hazards[i];
    text_add(&words, "%s%s %d", i ? ", " : "", hazard_kind_title(hazard->kind), hazard->students);
    if (hazard->warned > 0) text_add(&words, " (and %d warned)", hazard->warned);
  }
  if (summary->hazard_count > HAZARDS) text_add(&words, ", ...");
  screen_print(screen, BOLD, "Hazards, by students");
  screen_newline(screen);
  screen_wrap(screen, PLAIN, 4, "  ", text_get(&words));
}

static void print_needs(const struct screen *screen, const struct class_lab *lab, bool names) {
  const struct needs *needs = &lab->needs;
  if (needs->count == 0) return;
  freed_by(text_free) struct text words = {0};
  for (int kind = 0; kind < NEEDS; kind++) {
    if (needs->kinds[kind] > 0)
      text_add(&words, "%s%s %d", words.length ? ", " : "", need_title(kind), needs->kinds[kind]);
  }
  autofree char *label = xprintf("Need help: %d", needs->count);
  screen_print(screen, BOLD, "%s", label);
  screen_newline(screen);
  screen_wrap(screen, PLAIN, 4, "  ", text_get(&words));
  for (int i = 0; i < needs->count && i < PEOPLE; i++) {
    const struct need *need = &needs->items[i];
    const struct standing *standing = &lab->summary.standings[need->standing];
    if (need->kind == NEED_MISSING) break;
    autofree char *line = xprintf("%s: %s", words_student(standing, names), need->reason);
    screen_wrap(screen, PLAIN, 4, "  ", line);
  }
}

static void print_lab(const struct screen *screen, const struct class *class,
                      const struct class_lab *lab) {
  const struct summary *summary = &lab->summary;
  print_heading(screen, summary);
  print_words(screen, words_handed_in(summary));
  print_words(screen, words_scores(summary));
  if (words_graded(summary) > 0) {
    print_histogram(screen, summary);
    print_items(screen, summary);
    print_hazards(screen, summary);
  }
  print_needs(screen, lab, class->options->names);
  if (summary->device) {
    autofree char *how = words_times(summary),
                  *left = summary->other_times > 0 ? words_students(summary->other_times) : NULL,
                  *words =
                      left ? xprintf("Times: %s; %s with another device or kind of time left out.",
                                     how, left)
                           : xprintf("Times: %s.", how);
    screen_wrap(screen, DIM, 2, "", words);
  }
}

static void print_pages(const struct screen *screen, const struct class *class,
                        const struct class_lab *labs, int count) {
  char *folder = class_path(class, "report"), *page = NULL;
  int chosen = 0;
  for (int i = 0; i < count; i++) {
    if (!labs[i].chosen) continue;
    free(page);
    page = xprintf("%s/%s.html", short_path(folder), labs[i].summary.lab);
    chosen++;
  }
  if (chosen != 1 && count != 1) {
    free(page);
    page = xprintf("%s/index.html", short_path(folder));
  }
  autofree char *words =
      page ? xprintf("Pages: %s to show, %s/help.html with names for you", page, short_path(folder))
           : xprintf("Page: %s/help.html with names for you", short_path(folder));
  screen_wrap(screen, BOLD, 2, "", words);
  free_all(page, folder);
}

void summary_print(const struct class *class, const struct class_lab *labs, int count) {
  struct screen screen;
  screen_open(&screen, stdout);
  screen.utf8 = class->utf8;
  int printed = 0;
  for (int i = 0; i < count; i++) {
    if (!labs[i].chosen) continue;
    if (printed++) screen_newline(&screen);
    print_lab(&screen, class, &labs[i]);
  }
  if (printed == 0) {
    screen_wrap(&screen, PLAIN, 0, "",
                class->options->lab ? "There is no attempt at this lab in the gradebook yet."
                                    : "There is no attempt in the gradebook yet.");
  }
  screen_rule(&screen);
  print_pages(&screen, class, labs, count);
}
