/* share.c: divides each timed case's rate by its ceiling. */
#include "grader/score/score.h"

#include <stdlib.h>

void share_find(const struct kit *kit, struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  grade->shares = xcalloc((size_t)conf->case_count, sizeof *grade->shares);
  for (int i = 0; i < conf->case_count; i++) {
    const long *dims = conf->cases[i].dims;
    struct share *share = &grade->shares[i];
    if (grade->cases[i].state != CASE_RIGHT || !score_times(conf, i)) continue;
    bool measured = grade->timings && grade->timings[i].measured;
    double ns =
        measured ? grade->timings[i].timed[0].ns.median : (double)grade->cases[i].totals.time_ns;
    if (!(ns > 0)) continue;
    share->per_ns = family_work(conf->family, dims) / ns;
    if (measured)
      ceiling_best(kit, conf->family, dims, grade->device, &share->ceiling, &share->unknown);
    else
      ceiling_described(conf->family->ceiling, &share->ceiling, &share->unknown);
  }
}

void share_free(struct grade *grade) {
  for (int i = 0; i < grade->lab->conf.case_count && grade->shares; i++) {
    free_all(grade->shares[i].ceiling.device, grade->shares[i].unknown);
  }
  free(grade->shares);
}
