/* first_results.c: what is known of the cases while others still run, on the progress line: of each
 * item for correct results how many of its cases are right.
 *
 *     \u2713 small 3/3  \u2713 shapes 5/5  sizes 2/5  case 700 (12 of 13)
 */
#include <stdlib.h>
#include <string.h>

#include "grader/base/screen.h"
#include "grader/grading/grading.h"

/* A wrong case marks the item at once. Cases that nobody asked for do not count. */
static void describe(const struct screen *screen, const struct grade *grade,
                     const struct item_conf *item, struct progress_words *words) {
  const char *marks[] = {screen->utf8 ? "\u2713 " : "+ ", screen->utf8 ? "\u2717 " : "- "};
  int right = 0, wrong = 0, all = 0;
  for (int i = 0; i < item->case_count; i++) {
    const struct case_result *run = &grade->cases[conf_case(&grade->lab->conf, item->cases[i])];
    right += run->state == CASE_RIGHT;
    wrong += run->state == CASE_WRONG;
    all += run->state != CASE_NOT_RUN || !run->reason;
  }
  words->colour = wrong ? RED : right == all ? GREEN : PLAIN;
  if (right + wrong > 0)
    words->words = xprintf("%s%s %d/%d",
                           wrong          ? marks[1]
                           : right == all ? marks[0]
                                          : "",
                           item->id, right, all);
}

void first_results_show(const struct grade *grade, const char *what, const char *name, int number,
                        int count) {
  const struct conf *conf = &grade->lab->conf;
  autofree struct progress_words *words = xcalloc((size_t)conf->item_count + 1, sizeof *words);
  struct screen screen;
  int shown = 0;
  screen_open(&screen, stderr);
  for (int i = 0; i < conf->item_count; i++) {
    if (conf->items[i].class != ITEM_CORRECTNESS) continue;
    describe(&screen, grade, &conf->items[i], &words[shown]);
    shown += words[shown].words != NULL;
  }
  words[shown++] =
      (struct progress_words){PLAIN, number ? xprintf("%s %s (%d of %d)", what, name, number, count)
                                            : xprintf("%s %s", what, name)};
  progress_show_words(words, shown);
  for (int i = 0; i < shown; i++) free(words[i].words);
}
