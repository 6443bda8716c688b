/* measured.c: measured times of the cases that were timed on a GPU, and how near the device's
 * ceiling each timed case comes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/show/card.h"

static void print_timed(const struct screen *screen, const struct timing *timing, int index) {
  const struct timed *timed = &timing->timed[index];
  autofree char *interval = xprintf("%.2f to %.2f", timed->ns.low / 1000, timed->ns.high / 1000);
  screen_print(screen, PLAIN, "  %-11s %9.2f %8.2f   %-18s", timed->name, timed->ns.median / 1000,
               timed->deviation_ns / 1000, interval);
  if (isnan(timed->cold_ns.median))
    screen_print(screen, PLAIN, "%9s", "-");
  else
    screen_print(screen, PLAIN, "%9.2f", timed->cold_ns.median / 1000);
  if (index > 0)
    screen_print(screen, PLAIN, "   %.3f (%.3f to %.3f)", timed->ratio.median, timed->ratio.low,
                 timed->ratio.high);
  screen_newline(screen);
}

void measured_print(const struct screen *screen, const struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  if (grade->not_measured) screen_wrap(screen, PLAIN, 2, "", grade->not_measured);
  if (grade->reference_note) screen_wrap(screen, PLAIN, 2, "", grade->reference_note);
  for (int i = 0; i < conf->case_count && grade->timings; i++) {
    const struct timing *timing = &grade->timings[i];
    if (!timing->measured) continue;
    autofree char *title =
        xprintf("case %s, measured on %s: %d rounds of %d calls%s%s", conf->cases[i].name,
                grade->device ? grade->device : "the GPU", timing->rounds, timing->batch,
                timing->condition[0] ? "; " : "", timing->condition);
    screen_wrap(screen, BOLD, 2, "", title);
    screen_line(
        screen, DIM,
        "  us a call      median  std dev   median, 95%%        cold L2   submission / this");
    for (int t = 0; t < timing->count; t++) print_timed(screen, timing, t);
  }
}

void shares_print(const struct screen *screen, const struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  enum ceiling_kind kind = conf->family->ceiling;
  for (int i = 0; i < conf->case_count && grade->shares; i++) {
    const struct share *share = &grade->shares[i];
    if (!(share->per_ns > 0)) continue;
    freed_by(text_free) struct text line = {0};
    bool measured = grade->timings && grade->timings[i].measured;
    text_add(&line, "Ceiling: case %s reaches %.4g %s%s", conf->cases[i].name,
             ceiling_in_unit(kind, share->per_ns), ceiling_unit(kind), measured ? "" : " modelled");
    if (share->unknown)
      text_add(&line, "; its ceiling is not known: %s", share->unknown);
    else
      text_add(&line, ", %.3g%% of %s%s (%.4g)", 100 * share->per_ns / share->ceiling.per_ns,
               share->ceiling.name, share->ceiling.device ? " at this size" : "",
               ceiling_in_unit(kind, share->ceiling.per_ns));
    screen_wrap(screen, PLAIN, 2, "", text_get(&line));
  }
}
