/* summation.h: the sum of a vector, which the student writes.
 *
 * in is a vector of n floats in device memory, out is one float there: the sum of them all, in any
 * order. n is at most 2^24 in the labs. The function launches its kernels; when it returns they
 * need not have finished. What out holds before is no number.
 */
#ifndef KIT_PROBLEM_SUMMATION_H
#define KIT_PROBLEM_SUMMATION_H

#define KIT_ENTRY(name) void name(const float *in, float *out, int n)

#endif
