/* branches.h: one of two computations for every element, which the student writes.
 *
 * in and out are vectors of n floats in device memory. out[i] is what becomes of x = in[i] in so
 * many rounds: of x = 0.9375 x + 0.03125 if i is even, of x = 0.96875 x if it is odd. The function
 * launches its kernel; when it returns that need not have finished.
 */
#ifndef KIT_PROBLEM_BRANCHES_H
#define KIT_PROBLEM_BRANCHES_H

#define KIT_ENTRY(name) void name(const float *in, float *out, int n, int rounds)

#endif
