/* dims.h: a problem's dimensions as people write and read them. */
#ifndef KIT_DIMS_H
#define KIT_DIMS_H

#include "grader/base/text.h"
#include "harness/problems/problem.h"

/* "M=17" or "PATTERN=stride" into dims[i]; *which: i. Returns NULL, or what is wrong with it, the
 * caller's. */
char *dims_set(const struct problem *problem, const char *text, long *dims, int *which);
/* The index of the dimension of that name, or -1. */
int dims_find(const struct problem *problem, const char *name);
/* The value of dimension i: "17", "stride". The caller's. */
char *dims_value(const struct problem *problem, int i, long value);
/* "M=64,N=64,K=64", with smallest values: how they are written. The caller's. */
char *dims_example(const struct problem *problem, const char *between);

#endif
