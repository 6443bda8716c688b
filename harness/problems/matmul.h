/* matmul.h: the entry point of the matrix-product labs, which the student writes.
 *
 * C = A B for row-major matrices in device memory: A is M x K, B is K x N, C is M x N. The function
 * launches its kernels; when it returns they need not have finished.
 */
#ifndef KIT_PROBLEM_MATMUL_H
#define KIT_PROBLEM_MATMUL_H

#ifdef __cplusplus
void matmul(const float *A, const float *B, float *C, int M, int N, int K);
#else
/* The runner is C and the student's function C++: its name in the object file is the mangled
 * one. */
void matmul(const float *A, const float *B, float *C, int M, int N,
            int K) __asm__("_Z6matmulPKfS0_Pfiii");
#endif

#endif
