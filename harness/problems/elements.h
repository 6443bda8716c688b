/* elements.h: what checks of vectors have in common, for the grader only. */
#ifndef KIT_ELEMENTS_H
#define KIT_ELEMENTS_H

#include "harness/problems/family.h"

/* Fills values with odd multiples of 2^-23 in (-1, 1): never 0 nor an integer, all 24 bits in use.
 * Other seeds give other values. */
void elements_fill(float *values, size_t count, uint64_t seed);

/* Is each of n floats as expected, to within so many units in its last place? Else fills finding:
 * the first wrong one, how many there are, and what they have in common. */
bool elements_check(const char *name, const float *expected, const float *got, long n, int ulps,
                    struct finding *finding);

#endif
