// grid.sync() orders all threads of a cooperative launch; the sync() of the block does not.
// alone
// rule: grid barrier
// race: A B data
// fix: second kernel
#include "pair.h"

namespace cg = cooperative_groups;

__global__ void exchange(int *data, int *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  data[i] = i; // [A]
  cg::this_grid().sync(); // racy: cg::this_thread_block().sync();
  out[i] = data[255 - i]; // [B]
}

int main() {
  int *data = make<int>("data", 256), *out = make<int>("out", 256);
  void *arguments[] = {&data, &out};
  if (cudaLaunchCooperativeKernel((void *)exchange, dim3(4), dim3(64), arguments, 0, 0)) return 1;
  return differs(data, 256, [](int i) { return i; });
}
