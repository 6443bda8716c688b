/* transpose.h: the functions of the transpose labs, which the student writes.
 *
 * out = in transposed, for row-major matrices in device memory: in is rows x cols, out is cols x
 * rows. The function launches its kernels; when it returns they need not have finished.
 */
#ifndef KIT_PROBLEM_TRANSPOSE_H
#define KIT_PROBLEM_TRANSPOSE_H

#define KIT_ENTRY(name) void name(const float *in, float *out, int rows, int cols)

#endif
