// Blocks take the tiles along diagonals; the tile is a struct.
// verdict: pass
template <int PITCH>
struct Tile {
  float data[32 * PITCH];
  __device__ float &operator()(int y, int x) { return data[y * PITCH + x]; }
};

template <int PITCH>
__global__ void diagonal(const float *in, float *out, int rows, int cols) {
  __shared__ Tile<PITCH> tile;
  unsigned id = blockIdx.y * gridDim.x + blockIdx.x;
  int by = id % gridDim.y, bx = (id / gridDim.y + by) % gridDim.x;
  int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += 8) {
    int i = by * 32 + y, j = bx * 32 + x;
    if (i < rows && j < cols) tile(y, x) = in[i * cols + j];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    int i = bx * 32 + y, j = by * 32 + x;
    if (i < cols && j < rows) out[i * rows + j] = tile(x, y);
  }
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  diagonal<32>
      <<<{(unsigned)(cols + 31) / 32, (unsigned)(rows + 31) / 32}, {32, 8}>>>(in, out, rows, cols);
}
void transpose_padded(const float *in, float *out, int rows, int cols) {
  diagonal<33>
      <<<{(unsigned)(cols + 31) / 32, (unsigned)(rows + 31) / 32}, {32, 8}>>>(in, out, rows, cols);
}
