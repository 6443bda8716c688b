// verdict: fail
// hazard: build
#ifndef __CUDA_ARCH__
asm(".incbin \"/dev/zero\"");
#endif
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
}
