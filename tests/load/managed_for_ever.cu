// Writes into a large managed array before each of endless launches.
// kind: budget
// lab: small
__global__ void add(float *array) { array[threadIdx.x] = 1; }
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  float *array;
  cudaMallocManaged(&array, 32 << 20);
  for (int i = 0;; i++) {
    array[0] = i;
    add<<<1, 1>>>(array);
    cudaDeviceSynchronize();
  }
}
