// The second kernel has no padding: element [y][x] lies at [y][x ^ y], each bank once a column.
// verdict: pass
constexpr int T = 32;

template <bool SWIZZLED>
__device__ __forceinline__ int at(int y, int x) {
  return y * T + (SWIZZLED ? x ^ y : x);
}

template <bool SWIZZLED>
__global__ void through_tile(const float *__restrict__ in, float *__restrict__ out, int rows,
                             int cols) {
  __shared__ float tile[T * T];
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < T; y += blockDim.y) {
    int r = blockIdx.y * T + y, c = blockIdx.x * T + x;
    if (r < rows && c < cols) tile[at<SWIZZLED>(y, x)] = __ldg(in + r * cols + c);
  }
  __syncthreads();
  for (int y = threadIdx.y; y < T; y += blockDim.y) {
    int r = blockIdx.x * T + y, c = blockIdx.y * T + x;
    if (r < cols && c < rows) out[r * rows + c] = tile[at<SWIZZLED>(x, y)];
  }
}

static dim3 tiles(int rows, int cols) { return dim3((cols + T - 1) / T, (rows + T - 1) / T); }

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  through_tile<false><<<tiles(rows, cols), dim3(T, 16)>>>(in, out, rows, cols);
}
void transpose_padded(const float *in, float *out, int rows, int cols) {
  through_tile<true><<<tiles(rows, cols), dim3(T, 16)>>>(in, out, rows, cols);
}
