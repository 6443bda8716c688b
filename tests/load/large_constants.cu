// 8 MB of constant memory, where a GPU has 64 KiB.
// kind: launch
// says: 65536
__constant__ float table[2 << 20];
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) { C[0] = table[M]; }
void matmul(const float *A, const float *B, float *C, int M, int N, int K) { product<<<1, 32>>>(A, B, C, M, N, K); }
