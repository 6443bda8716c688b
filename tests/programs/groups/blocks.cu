// Groups of several warps: tiles of a block, the block, the grid; copies by a group.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cstring>
namespace cg = cooperative_groups;

enum { THREADS = 512, RESULTS = 12 };
__host__ __device__ int value(int t) { return t * 2654435761u >> 20; }

template <unsigned int Size>
__global__ void wide(int *out) {
  __shared__ int seen[THREADS];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<Size>(block);
  int t = block.thread_rank(), *to = out + t * RESULTS;
  seen[t] = t;
  tile.sync();
  to[0] = seen[t ^ (Size - 1)];
  to[1] = tile.thread_rank() + 1000 * tile.size();
  to[2] = tile.meta_group_rank() + 1000 * tile.meta_group_size();
  to[3] = tile.shfl(t, 37);
  to[4] = tile.any(t == 100) + 2 * tile.all(t >= (int)Size);
  to[5] = cg::reduce(tile, value(t), cg::plus<int>());
  to[6] = cg::reduce(tile, value(t), cg::greater<int>());
  to[7] = cg::inclusive_scan(tile, value(t), cg::plus<int>());
  to[8] = cg::exclusive_scan(tile, value(t));
  to[9] = cg::exclusive_scan(tile, value(t), [](int a, int b) { return a > b ? a : b; });
  auto part = cg::tiled_partition<32>(tile);
  to[10] = part.meta_group_rank() + 1000 * part.meta_group_size();
  block.barrier_wait(block.barrier_arrive());
  to[11] = cg::invoke_one_broadcast(
      part, [](int a) { return a + 1; }, seen[t ^ 256]);
}

__global__ void copies(const double *in, double *out, int n) {
  extern __shared__ double stage[];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, stage, in, sizeof(double) * n);
  cg::wait(block);
  if (block.thread_rank() == 0)
    for (int i = 0; i < n; i++) out[i] = stage[n - 1 - i];
  cg::sync(block);
  auto tile = cg::tiled_partition<32>(block);
  if (tile.meta_group_rank() > 0) return;
  cg::memcpy_async(tile, stage, n, in, n - 3);
  cg::wait_prior<0>(tile);
  if (block.thread_rank() == 0) out[n] = stage[n - 4] + stage[n - 1];
}

// Each round every block adds up what all blocks had after the last one.
__global__ void rounds(int *cells, int n) {
  cg::grid_group grid = cg::this_grid();
  int blocks = grid.num_blocks(), me = grid.block_rank();
  for (int r = 0; r < n; r++) {
    const int *from = cells + r % 2 * blocks;
    int sum = 1;
    if (threadIdx.x == 0) {
      for (int b = 0; b < blocks; b++) sum += from[b];
      cells[(r + 1) % 2 * blocks + me] = sum % 9973;
    }
    if (r % 2)
      grid.barrier_wait(grid.barrier_arrive());
    else
      grid.sync();
  }
}
__global__ void valid(int *out) { *out = cg::this_grid().is_valid(); }

static int wrong, checked;
static void expect(const char *what, int t, int k, int is, int should_be) {
  checked++;
  if (is != should_be && wrong++ < 20)
    printf("%s, thread %d, result %d: %d, not %d\n", what, t, k, is, should_be);
}

template <unsigned int Size>
static void check_wide() {
  int *out, n = Size;
  cudaMallocManaged(&out, THREADS * RESULTS * sizeof *out);
  wide<Size><<<1, THREADS>>>(out);
  expect("wide", 0, -1, cudaDeviceSynchronize(), 0);
  for (int t = 0; t < THREADS; t++) {
    int first = t / n * n, sum = 0, up_to = 0, high = 0, high_before = 0;
    for (int i = first; i < first + n; i++) {
      int v = value(i);
      if (i < t) high_before = v > high_before ? v : high_before;
      if (i <= t) up_to += v;
      sum += v, high = v > high ? v : high;
    }
    int want[RESULTS] = {t ^ (n - 1),
                         t % n + 1000 * n,
                         t / n + 1000 * (THREADS / n),
                         first + 37,
                         (first <= 100 && 100 < first + n) + 2 * (first >= n),
                         sum,
                         high,
                         up_to,
                         up_to - value(t),
                         high_before,
                         t % n / 32 + 1000 * (n / 32),
                         (t / 32 * 32 ^ 256) + 1};
    for (int k = 0; k < RESULTS; k++) expect("wide", t, k, out[t * RESULTS + k], want[k]);
  }
  cudaFree(out);
}

int main() {
  check_wide<64>();
  check_wide<128>();
  check_wide<256>();
  check_wide<512>();

  enum { N = 1000, BLOCKS = 20, ROUNDS = 5 };
  double *in, *out;
  cudaMallocManaged(&in, N * sizeof *in);
  cudaMallocManaged(&out, (N + 1) * sizeof *out);
  for (int i = 0; i < N; i++) in[i] = i;
  copies<<<1, 96, N * sizeof *in>>>(in, out, N);
  expect("copies", 0, -1, cudaDeviceSynchronize(), 0);
  for (int i = 0; i < N; i++) expect("copies", i, 0, out[i], N - 1 - i);
  expect("copies", N, 0, out[N], N - 4 + N - 1);

  int *cells, want[2][BLOCKS] = {}, n = ROUNDS;
  cudaMallocManaged(&cells, 2 * BLOCKS * sizeof *cells);
  memset(cells, 0, 2 * BLOCKS * sizeof *cells);
  void *arguments[] = {&cells, &n};
  expect("rounds", 0, -1, cudaLaunchCooperativeKernel(rounds, BLOCKS, 64, arguments, 0, 0), 0);
  expect("rounds", 0, -2, cudaDeviceSynchronize(), 0);
  for (int r = 0; r < ROUNDS; r++) {
    int sum = 1;
    for (int b = 0; b < BLOCKS; b++) sum += want[r % 2][b];
    for (int b = 0; b < BLOCKS; b++) want[(r + 1) % 2][b] = sum % 9973;
  }
  for (int b = 0; b < BLOCKS; b++)
    expect("rounds", b, 0, cells[ROUNDS % 2 * BLOCKS + b], want[ROUNDS % 2][b]);
  expect("too large", 0, 0, cudaLaunchCooperativeKernel(rounds, 100000, 64, arguments, 0, 0),
         cudaErrorCooperativeLaunchTooLarge);
  cudaGetLastError();
  void *to[] = {&cells};
  valid<<<1, 1>>>(cells);
  cudaDeviceSynchronize();
  expect("valid", 0, 0, *cells, 0);
  cudaLaunchCooperativeKernel(valid, 1, 1, to, 0, 0);
  cudaDeviceSynchronize();
  expect("valid", 0, 1, *cells, 1);
  printf("%d of %d wrong\n", wrong, checked);
  rounds<<<2, 32>>>(cells, 1);
  printf("grid.sync() in a normal launch: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return wrong > 0;
}
