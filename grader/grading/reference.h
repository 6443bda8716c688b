/* reference.h: what a lab's reference solution counts in a case, to hold a submission against. */
#ifndef KIT_REFERENCE_H
#define KIT_REFERENCE_H

#include "grader/score/score.h"

/* Measures the solution of lab `of_lab` (an id) in those of the grade's cases that need it, into
 * grade->references[of]. Results are kept under build/cache. A copy of the kit without solutions
 * has them in a file. work: a folder for the runner. Returns 0, or -1 with *error (caller frees):
 * then the kit is at fault. */
int reference_measure(const struct kit *kit, struct grade *grade, enum item_of of,
                      const char *of_lab, const char *work, char **error);

/* What it takes in one case of `lab`, which may be none of its lab.conf's: the name, which is part
 * of the cache's file, then says all by which it differs from others. Not from a shipped file. */
int reference_totals(const struct kit *kit, const struct lab *lab, int case_index,
                     const char *of_lab, const char *work, struct totals *totals, char **error);

/* What the measurement of any solution depends on: the harness, the simulator, the compiler. For
 * kit->hash of a program that grades several files: reading all of that takes 12 ms. */
uint64_t reference_hash_kit(const struct kit *kit);

/* Does the solution of the lab itself come out right in a case? Then a fault of the kit or the
 * machine that a submission's program claims in that case is the submission's own. */
bool reference_is_right(const struct kit *kit, const struct lab *lab, int case_index,
                        const char *work);

/* --- What model solutions count, measured where they are and written to
 * labs/labN_name/reference.json, for copies of the kit that have no solutions.
 *
 * {"schema":1, "kit":"0.1", "compiler":"14.0.6", "device":"...",
 *  "measurements":[{"lab":"lab1", "case":"n512", "function":"" (the lab's first) or a name,
 *                   "dims":{"M":512, ...}, "launches":1, "time_ns":123, "counters":{}}]}
 *
 * A measurement holds for a case of that name, function and size, on that simulated GPU, for this
 * version of the kit. Counters also depend on the compiler, by a little from one version of clang
 * to the next: where it is another one the grade has a note. */

/* Writes all that the grade has in its references, which were measured on `device`. Ends the
 * program if it cannot. */
void shipped_write(const struct kit *kit, const struct grade *grade, const char *path);

#endif
