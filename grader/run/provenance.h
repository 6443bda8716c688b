/* provenance.h: did kernels compute a result, from inputs that were on the device?
 *
 * Correct outputs do not show who computed them: the host may have read the inputs back and brought
 * its result to the device by a copy, a parameter, a constant, a module. There are many such ways,
 * and in all of them what the host sends depends on the values that it has read. So a case is run
 * twice, with other values of the same shape, and the logs (harness/base/transfers.h) compared:
 *
 *  - launches, copies and fills, with all their parameters, must be the same;
 *  - each word that the host sends must be the same, too, or one that it was given: the word at the
 *    same place of what came from the device, in both runs. So inputs may be padded, staged and
 *    rearranged on their way back.
 *
 * Then every element of an output must have been written by a kernel, or be a copy of what one has
 * written. And where a problem is to rearrange (nothing is computed, as in a transpose), copies
 * must move runs of neighbours: by elements, they would do the work. */
#ifndef KIT_PROVENANCE_H
#define KIT_PROVENANCE_H

#include "grader/run/transfer_records.h"
#include "harness/problems/family.h"

/* What speaks against it, in words (the caller's), and *line (0: not known); NULL: nothing. first:
 * of the run whose outputs are right; second: of the one with other inputs. */
char *provenance_fault(const struct family *family, const long *dims, const struct transfers *first,
                       const struct transfers *second, int *line);

/* Copies were used in a case whose rows are so short that moving them is all there is to do: other
 * cases must show who does the work. */
bool provenance_undecided(const struct family *family, const long *dims,
                          const struct transfers *first);

/* Is the second run to be one with kernels? Only then can the host's code go on as in the first,
 * where it has read what they wrote. */
bool provenance_needs_kernels(const struct transfers *first);
/* Has the host read anything at all? */
bool provenance_needs_inputs(const struct transfers *first);

#endif
