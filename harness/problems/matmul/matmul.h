/* matmul.h: the functions of the matrix-product labs, which the student writes.
 *
 * C = A B for row-major matrices in device memory: A is M x K, B is K x N, C is M x N. The function
 * launches its kernels; when it returns they need not have finished.
 */
#ifndef KIT_PROBLEM_MATMUL_H
#define KIT_PROBLEM_MATMUL_H

#define KIT_ENTRY(name) void name(const float *A, const float *B, float *C, int M, int N, int K)

#endif
