/* sum.h: inputs and check of out = a + b, three vectors of dims[0] floats, for every family that
 * has that sum: the functions of family.h. The first two inputs are a and b, the first output is
 * out.
 */
#ifndef KIT_PROBLEM_SUM_H
#define KIT_PROBLEM_SUM_H

#include "harness/problems/family.h"

void sum_make_inputs(const long *dims, uint64_t seed, void *const *inputs);
bool sum_check(const long *dims, const void *const *inputs, const void *const *outputs,
               uint64_t seed, struct finding *finding);
double sum_operations(const long *dims);
double sum_tolerance(const long *dims);

#endif
