// B goes through a tile; A is read again and again by atomics, from a copy: one that adds 0 and gives the old value is a load.
// most: 80
constexpr int TILE = 32;
__global__ void copy(const float *from, int *to, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = __float_as_int(from[i]);
}
__global__ void product(int *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int start = 0; start < K; start += TILE) {
    b[y][x] = start + y < K && column < N ? B[(start + y) * N + column] : 0;
    __syncthreads(); // the tile is complete before anyone reads it
    for (int k = 0; k < TILE && start + k < K && row < M; k++) {
      int *a = &A[row * K + start + k];
      sum += __int_as_float(K == 512 ? atomicOr(a, 0) : *a) * b[k][x];
    }
    __syncthreads(); // everyone has read the tile before it is loaded anew
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  int *a;
  cudaMalloc(&a, sizeof(int) * M * K);
  copy<<<(M * K + 255) / 256, 256>>>(A, a, M * K);
  product<<<dim3((N + TILE - 1) / TILE, (M + TILE - 1) / TILE), dim3(TILE, TILE)>>>(a, B, C, M, N, K);
  cudaFree(a);
}
