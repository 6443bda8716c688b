// Cooperative groups: a tile of 32 threads moves 8 x 4 elements.
// verdict: pass
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void copy(const float *in, float *out, int rows, int cols) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int column = block.group_index().x * 8 + warp.thread_rank() % 8;
  int row = (block.group_index().y * warp.meta_group_size() + warp.meta_group_rank()) * 4 +
            warp.thread_rank() / 8;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  copy<<<dim3((cols + 7) / 8, (rows + 31) / 32), 256>>>(in, out, rows, cols);
}
