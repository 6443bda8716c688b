// The sizes are in __constant__ memory, and read there in every step: no channel.
// least: 100
__constant__ int sizes[3];

constexpr int TILE = 32;
__global__ void product(const float *A, const float *B, float *C) {
  const volatile int *size = sizes;
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int start = 0; start < size[2]; start += TILE) {
    a[y][x] = row < size[0] && start + x < size[2] ? A[row * size[2] + start + x] : 0;
    b[y][x] = start + y < size[2] && column < size[1] ? B[(start + y) * size[1] + column] : 0;
    __syncthreads(); // the tiles are complete before anyone reads them
    for (int k = 0; k < TILE; k++) sum += a[y][k] * b[k][x];
    __syncthreads(); // everyone has read the tiles before they are loaded anew
  }
  if (row < size[0] && column < size[1]) C[row * size[1] + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  int host[3] = {M, N, K};
  cudaMemcpyToSymbol(sizes, host, sizeof host);
  product<<<dim3((N + TILE - 1) / TILE, (M + TILE - 1) / TILE), dim3(TILE, TILE)>>>(A, B, C);
}
