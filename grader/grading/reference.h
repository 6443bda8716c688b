/* reference.h: what a lab's reference solution counts in a case, to hold a submission against. */
#ifndef KIT_REFERENCE_H
#define KIT_REFERENCE_H

#include "grader/score/score.h"

/* Measures the solution of lab `of_lab` (an id) in those of the grade's cases that need it, into
 * grade->references[of]. Results are kept under build/cache. A copy of the kit without solutions
 * has them in reference_shipped.h's file. work: a folder for the runner. Returns 0, or -1 with
 * *error (caller frees): then the kit is at fault. */
int reference_measure(const struct kit *kit, struct grade *grade, enum item_of of,
                      const char *of_lab, const char *work, char **error);

/* Does the solution of the lab itself come out right in a case? Then a fault of the kit or the
 * machine that a submission's program claims in that case is the submission's own. */
bool reference_is_right(const struct kit *kit, struct grade *grade, int case_index,
                        const char *work);

#endif
