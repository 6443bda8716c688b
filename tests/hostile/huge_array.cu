// verdict: fail
// hazard: build
// An object of 20 GiB.
char array[20ll << 30] = {1};
#ifndef __CUDA_ARCH__
asm(".data\n.fill 0x200000000, 8, 1\n.text");
#endif
void matmul(const float *A, const float *B, float *C, int M, int N, int K) { C[0] = array[M]; }
