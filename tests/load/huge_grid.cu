// More empty blocks than anybody can start.
// kind: budget
__global__ void nothing() {}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) { nothing<<<dim3(2147483647, 65535), 1>>>(); }
