/* lost.h: what a wrong sum says of the elements that are missing in it, or counted twice. */
#ifndef KIT_SUMMATION_LOST_H
#define KIT_SUMMATION_LOST_H

#include <stdbool.h>
#include <stddef.h>

/* How far the sum of `count` floats, however it was added up, may be from the exact one; check.c
 * derives it. */
double summation_allowed(long count);

/* Writes what `got`, which is no right sum of the n elements x, has in it: "the last 3 elements are
 * missing". False, and an empty text, if nothing is found out. */
bool summation_describe(const float *x, long n, float got, char *text, size_t size);

#endif
