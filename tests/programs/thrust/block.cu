// CUB in a kernel of one's own: what a block and a warp do together. Called with a word: temporary
// storage is used again without a barrier between, which is a race.
#include <cub/cub.cuh>

#include <algorithm>
#include <numeric>

#include "check.h"

enum { THREADS = 128, ITEMS = 4, TILE = THREADS * ITEMS, BLOCKS = 3, COUNT = TILE * BLOCKS };

struct outputs {
  int *sum, *maximum, *scanned, *sorted, *heads, *histogram, *warp_sum, *warp_scan;
};

__global__ void work(const int *in, outputs out) {
  using Load = cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Store = cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_TRANSPOSE>;
  using Reduce = cub::BlockReduce<int, THREADS, cub::BLOCK_REDUCE_RAKING>;
  using Scan = cub::BlockScan<int, THREADS>;
  using Sort = cub::BlockRadixSort<int, THREADS, ITEMS>;
  using Heads = cub::BlockDiscontinuity<int, THREADS>;
  using Histogram = cub::BlockHistogram<unsigned char, THREADS, ITEMS, 16>;
  __shared__ union {
    Load::TempStorage load;
    Store::TempStorage store;
    Reduce::TempStorage reduce;
    Scan::TempStorage scan;
    Sort::TempStorage sort;
    Heads::TempStorage heads;
    Histogram::TempStorage histogram;
  } temp;
  __shared__ int counts[16];
  int items[ITEMS], other[ITEMS], first = blockIdx.x * TILE;
  Load(temp.load).Load(in + first, items);
  __syncthreads();
  int sum = Reduce(temp.reduce).Sum(items);
  if (threadIdx.x == 0) out.sum[blockIdx.x] = sum;
  __syncthreads();
  int maximum = Reduce(temp.reduce).Reduce(items, cub::Max());
  if (threadIdx.x == 0) out.maximum[blockIdx.x] = maximum;
  __syncthreads();
  Scan(temp.scan).ExclusiveSum(items, other);
  __syncthreads();
  Store(temp.store).Store(out.scanned + first, other);
  __syncthreads();
  unsigned char small[ITEMS];
  for (int i = 0; i < ITEMS; i++) small[i] = items[i] & 15;
  Histogram(temp.histogram).Histogram(small, counts);
  __syncthreads();
  if (threadIdx.x < 16) out.histogram[blockIdx.x * 16 + threadIdx.x] = counts[threadIdx.x];
  Sort(temp.sort).Sort(items);
  __syncthreads();
  Heads(temp.heads).FlagHeads(other, items, cub::Inequality());
  __syncthreads();
  Store(temp.store).Store(out.sorted + first, items);  // which exchanges the items, too
  __syncthreads();
  Store(temp.store).Store(out.heads + first, other);
}

__global__ void warps(const int *in, outputs out) {
  using Reduce = cub::WarpReduce<int>;
  using Scan = cub::WarpScan<int>;
  __shared__ Reduce::TempStorage reduce[THREADS / 32];
  __shared__ Scan::TempStorage scan[THREADS / 32];
  int i = blockIdx.x * THREADS + threadIdx.x, warp = threadIdx.x / 32, mine = in[i], before;
  int sum = Reduce(reduce[warp]).Sum(mine);
  if (threadIdx.x % 32 == 0) out.warp_sum[i / 32] = sum;
  Scan(scan[warp]).ExclusiveSum(mine, before);
  out.warp_scan[i] = before;
}

__global__ void unsynced(const int *in, int *out) {
  using Reduce = cub::BlockReduce<int, THREADS>;
  __shared__ Reduce::TempStorage temp;
  int sum = Reduce(temp).Sum(in[threadIdx.x]);
  int maximum = Reduce(temp).Reduce(in[threadIdx.x], cub::Max());
  if (threadIdx.x == 0) out[0] = sum, out[1] = maximum;
}

int main(int argc, char **) {
  std::vector<int> in(COUNT);
  for (int i = 0; i < COUNT; i++) in[i] = i * 7919 % 97 - 20;
  int *device = to_device(in);
  if (argc > 1) {
    unsynced<<<1, THREADS>>>(device, room<int>(2));
    return cudaDeviceSynchronize() != cudaSuccess;
  }
  outputs out = {room<int>(BLOCKS),     room<int>(BLOCKS), room<int>(COUNT),
                 room<int>(COUNT),      room<int>(COUNT),  room<int>(16 * BLOCKS),
                 room<int>(COUNT / 32), room<int>(COUNT)};
  work<<<BLOCKS, THREADS>>>(device, out);
  warps<<<COUNT / THREADS, THREADS>>>(device, out);
  CUDA(cudaDeviceSynchronize());

  std::vector<int> sum, maximum, scanned(COUNT), sorted = in, heads(COUNT), histogram(16 * BLOCKS);
  for (int b = 0; b < BLOCKS; b++) {
    auto from = in.begin() + b * TILE, to = from + TILE, s = sorted.begin() + b * TILE;
    sum.push_back(std::accumulate(from, to, 0));
    maximum.push_back(*std::max_element(from, to));
    std::sort(s, s + TILE);
    for (int i = 0; i < TILE; i++) {
      scanned[b * TILE + i] = std::accumulate(from, from + i, 0);
      heads[b * TILE + i] = i == 0 || s[i] != s[i - 1];
      histogram[b * 16 + (from[i] & 15)]++;
    }
  }
  std::vector<int> warp_sum(COUNT / 32), warp_scan(COUNT);
  for (int i = 0; i < COUNT; i++) warp_scan[i] = warp_sum[i / 32], warp_sum[i / 32] += in[i];
  check("BlockLoad, BlockReduce::Sum", holds(out.sum, sum));
  check("BlockReduce::Reduce", holds(out.maximum, maximum));
  check("BlockScan, BlockStore", holds(out.scanned, scanned));
  check("BlockHistogram", holds(out.histogram, histogram));
  check("BlockRadixSort", holds(out.sorted, sorted));
  check("BlockDiscontinuity", holds(out.heads, heads));
  check("WarpReduce", holds(out.warp_sum, warp_sum));
  check("WarpScan", holds(out.warp_scan, warp_scan));
  return report();
}
