/* rowsum.h: the functions of the rowsum labs, which the student writes.
 *
 * out[i] = the sum of row i of in, a row-major matrix of rows x cols floats; both are in device
 * memory. The function launches its kernels; when it returns they need not have finished.
 */
#ifndef KIT_PROBLEM_ROWSUM_H
#define KIT_PROBLEM_ROWSUM_H

#define KIT_ENTRY(name) void name(const float *in, float *out, int rows, int cols)

#endif
