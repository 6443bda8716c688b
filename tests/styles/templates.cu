// Template parameters for tile size, element type and bounds checks; explicit dispatch on the host.
#include <type_traits>

template <typename T, int TILE, bool CHECKED>
struct TileLoader {
  static __device__ __forceinline__ T load(const T *p, int row, int column, int rows, int columns) {
    if (CHECKED && (row >= rows || column >= columns)) return T(0);
    return p[row * columns + column];
  }
};

template <typename T, int TILE, bool CHECKED>
__global__ void __launch_bounds__(TILE *TILE) product(const T *A, const T *B, T *C, int M, int N, int K) {
  static_assert(std::is_floating_point<T>::value, "floating point only");
  using Loader = TileLoader<T, TILE, CHECKED>;
  __shared__ T a[TILE][TILE + 1], b[TILE][TILE + 1];
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  T sum{};
  for (int k = 0; k < K; k += TILE) {
    a[threadIdx.y][threadIdx.x] = Loader::load(A, row, k + threadIdx.x, M, K);
    b[threadIdx.y][threadIdx.x] = Loader::load(B, k + threadIdx.y, column, K, N);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; ++i) sum += a[threadIdx.y][i] * b[i][threadIdx.x];
    __syncthreads();
  }
  if (!CHECKED || (row < M && column < N)) C[row * N + column] = sum;
}

template <int TILE>
static void launch(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(TILE, TILE), grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
  if (M % TILE == 0 && N % TILE == 0 && K % TILE == 0)
    product<float, TILE, false><<<grid, block>>>(A, B, C, M, N, K);
  else
    product<float, TILE, true><<<grid, block>>>(A, B, C, M, N, K);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  if (M >= 256 && N >= 256)
    launch<32>(A, B, C, M, N, K);
  else if (M > 8)
    launch<16>(A, B, C, M, N, K);
  else
    launch<8>(A, B, C, M, N, K);
}
