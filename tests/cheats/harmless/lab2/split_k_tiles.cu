// Tiles, with each sum shared by two blocks: a counter, taken by one thread of a block, says who adds last.
// least: 90
__device__ int taken;

constexpr int TILE = 32;
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  int half = (K / 2 + TILE - 1) / TILE * TILE, end = blockIdx.z ? K : half < K ? half : K;
  for (int start = blockIdx.z ? half : 0; start < end; start += TILE) {
    a[y][x] = row < M && start + x < end ? A[row * K + start + x] : 0;
    b[y][x] = start + y < end && column < N ? B[(start + y) * N + column] : 0;
    __syncthreads(); // the tiles are complete before anyone reads them
    for (int k = 0; k < TILE; k++) sum += a[y][k] * b[k][x];
    __syncthreads(); // everyone has read the tiles before they are loaded anew
  }
  if (x == 0 && y == 0) atomicAdd(&taken, 1);
  if (row < M && column < N) atomicAdd(&C[row * N + column], sum);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  cudaMemset(C, 0, sizeof(float) * M * N);
  product<<<dim3((N + TILE - 1) / TILE, (M + TILE - 1) / TILE, 2), dim3(TILE, TILE)>>>(A, B, C, M, N, K);
}
