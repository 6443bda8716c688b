// Cooperative groups for the barrier and for the row of the tile that a warp takes.
// verdict: pass
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int TILE = 32;

template <int WIDTH>
__global__ void through_tile(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][WIDTH];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int lane = warp.thread_rank(), top = block.group_index().y * TILE,
      left = block.group_index().x * TILE;
  for (int j = warp.meta_group_rank(); j < TILE; j += warp.meta_group_size())
    if (top + j < rows && left + lane < cols) tile[j][lane] = in[(top + j) * cols + left + lane];
  block.sync();
  for (int j = warp.meta_group_rank(); j < TILE; j += warp.meta_group_size())
    if (left + j < cols && top + lane < rows) out[(left + j) * rows + top + lane] = tile[lane][j];
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  through_tile<TILE><<<grid, 256>>>(in, out, rows, cols);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  through_tile<TILE + 1><<<grid, 256>>>(in, out, rows, cols);
}
