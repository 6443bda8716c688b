/* gram.h: the functions of the labs on C = A times A transposed, which the student writes.
 *
 * Row-major matrices in device memory: A is M x K, C is M x M. The function launches its kernels;
 * when it returns they need not have finished.
 */
#ifndef KIT_PROBLEM_GRAM_H
#define KIT_PROBLEM_GRAM_H

#define KIT_ENTRY(name) void name(const float *A, float *C, int M, int K)

#endif
