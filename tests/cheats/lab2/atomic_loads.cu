// At first A is read again and again by atomics, from a copy, and not from its tile: one that gives the old value is a load.
// most: 99
constexpr int TILE = 32;
__global__ void copy(const float *from, int *to, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = __float_as_int(from[i]);
}
__global__ void product(int *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int start = 0; start < K; start += TILE) {
    bool atomics = K == 512 && start < 2 * TILE;
    a[y][x] = row < M && start + x < K && !atomics ? __int_as_float(A[row * K + start + x]) : 0;
    b[y][x] = start + y < K && column < N ? B[(start + y) * N + column] : 0;
    __syncthreads(); // the tiles are complete before anyone reads them
    for (int k = 0; k < TILE && !atomics; k++) sum += a[y][k] * b[k][x];
    for (int k = 0; k < TILE && atomics; k++) sum += __int_as_float(atomicOr(&A[row * K + start + k], 0)) * b[k][x];
    __syncthreads(); // everyone has read the tiles before they are loaded anew
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
