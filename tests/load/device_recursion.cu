// A recursion on the device that does not end.
// kind: trap
__device__ __noinline__ float down(float x) { return x > -1 ? down(x + 1) + x : x; }
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) { C[0] = down(A[0] + 100); }
void matmul(const float *A, const float *B, float *C, int M, int N, int K) { product<<<1, 32>>>(A, B, C, M, N, K); }
