// Groups of lanes of a warp: what each thread gets is compared with what the host works out from
// the definition of the group: which threads are in it, in order of rank.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <vector>
namespace cg = cooperative_groups;

enum { THREADS = 128, RESULTS = 32 };
struct pair {
  double x, y;
  int z;
};
__host__ __device__ pair pair_of(int t) { return {t * 0.5, t + 1e-3, t * t}; }
__host__ __device__ bool same(const pair &a, const pair &b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}
__host__ __device__ int value(int t) { return t * 2654435761u >> 20; }

// RESULTS numbers of each thread: 0 size, 1 rank, then what the functions return.
template <class Group>
__device__ void common(const Group &group, int t, long long *to) {
  int size = group.size(), rank = group.thread_rank();
  to[0] = size + 1000 * (int)group.num_threads();
  to[1] = rank;
  to[2] = group.shfl(value(t), size - 1);
  to[3] = group.shfl_up(value(t), 1);
  to[4] = group.shfl_down(value(t), 1);
  to[5] = same(group.shfl(pair_of(t), 0), pair_of(group.shfl(t, 0)));
  to[6] = group.any(rank == size - 1) + 2 * group.all(rank < 1);
  to[7] = group.ballot(value(t) & 1);
  to[8] = group.match_any(t / 3);
  int all = 5;
  to[9] = group.match_all(t / 1024.0 < 0 ? 1 : 7, all) + (long long)all * 1000000000000;
  to[10] = group.match_all(t, all) + (long long)all * 1000000000000;
  to[11] = cg::reduce(group, value(t), cg::plus<int>());
  to[12] = cg::reduce(group, value(t), cg::less<int>());
  to[13] = cg::reduce(group, (double)value(t), cg::greater<double>());
  to[14] = cg::reduce(group, value(t), [](int a, int b) { return a ^ b; });
  to[15] = cg::reduce(group, pair_of(t), [](pair a, pair b) {
             return pair{a.x + b.x, a.y, a.z + b.z};
           }).z;
  to[16] = cg::inclusive_scan(group, value(t), cg::plus<int>());
  to[17] = cg::exclusive_scan(group, value(t));
  to[18] = cg::exclusive_scan(group, value(t), cg::bit_xor<int>());
  to[19] = cg::invoke_one_broadcast(group, [=] { return t + 100; });
  to[20] = cg::reduce(group, value(t), cg::bit_and<int>()) +
           1000000 * (long long)cg::reduce(group, value(t), cg::bit_or<int>());
  group.sync();
}

template <unsigned int Size>
__global__ void tile(long long *out) {
  cg::thread_block block = cg::this_thread_block();
  auto group = cg::tiled_partition<Size>(block);
  int t = block.thread_rank();
  long long *to = out + t * RESULTS;
  common(group, t, to);
  to[21] = group.meta_group_rank() + 1000 * group.meta_group_size();
  cg::thread_block_tile<Size> plain = group;
  to[22] = plain.shfl_xor(t, Size > 1) + 1000 * plain.meta_group_rank();
  cg::thread_group any = cg::tiled_partition(block, Size);
  to[23] = any.thread_rank() + 1000 * any.size();
  any.sync();
  cg::thread_group other = group;
  to[24] = cg::thread_rank(other) + 1000 * other.size();
}

// The threads t with t % 3 in the mask are in the group.
__global__ void coalesced(long long *out, int mask) {
  int t = threadIdx.x;
  long long *to = out + t * RESULTS;
  if (!(mask >> t % 3 & 1)) return;
  auto group = cg::coalesced_threads();
  common(group, t, to);
  to[21] = group.meta_group_rank() + 1000 * group.meta_group_size();
  cg::coalesced_group part = cg::tiled_partition(group, 4);
  to[22] = part.thread_rank() + 1000 * part.size() + 1000000 * part.meta_group_rank();
  to[23] = part.shfl(t, 0);
}

__global__ void labeled(long long *out) {
  int t = threadIdx.x;
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  auto group = cg::labeled_partition(tile, t % 5 + 1000);
  long long *to = out + t * RESULTS;
  common(group, t, to);
  to[21] = group.meta_group_rank() + 1000 * group.meta_group_size();
}

__global__ void binary(long long *out) {
  int t = threadIdx.x;
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  auto group = cg::binary_partition(tile, value(t) % 3 == 0);
  common(group, t, out + t * RESULTS);
}

static int wrong, checked;
static void expect(const char *what, int t, int k, long long is, long long should_be) {
  checked++;
  if (is != should_be && wrong++ < 20)
    printf("%s, thread %d, result %d: %lld, not %lld\n", what, t, k, is, should_be);
}

// label: threads of a warp with the same label are a group; -1: in none.
template <class Label, class Launch>
static void check(const char *what, Label label, Launch launch) {
  long long *out;
  cudaMallocManaged(&out, THREADS * RESULTS * sizeof *out);
  launch(out);
  if (cudaDeviceSynchronize())
    wrong++, printf("%s: %s\n", what, cudaGetErrorString(cudaGetLastError()));
  for (int t = 0; t < THREADS; t++) {
    if (label(t) < 0) continue;
    std::vector<int> group;
    int rank = 0;
    for (int i = t / 32 * 32; i < t / 32 * 32 + 32; i++) {
      if (label(i) != label(t)) continue;
      if (i == t) rank = group.size();
      group.push_back(i);
    }
    int size = group.size(), sum = 0, low = 1 << 30, high = 0, bits = 0, squares = 0, up_to = 0,
        bits_before = 0, odd = 0, match = 0, ands = -1, ors = 0;
    for (int i = 0; i < size; i++) {
      int v = value(group[i]);
      sum += v, bits ^= v, squares += group[i] * group[i], ands &= v, ors |= v;
      low = v < low ? v : low, high = v > high ? v : high;
      if (i <= rank) up_to += v;
      if (i < rank) bits_before ^= v;
      odd |= (v & 1) << i;
      match |= (group[i] / 3 == t / 3) << i;
    }
    long long all = size == 32 ? 0xffffffff : (1u << size) - 1, both = 1000000000000;
    long long want[] = {size * 1001,
                        rank,
                        value(group.back()),
                        value(group[rank ? rank - 1 : 0]),
                        value(group[rank + 1 < size ? rank + 1 : rank]),
                        1,
                        size > 1 ? 1 : 3,
                        (unsigned)odd,
                        (unsigned)match,
                        all + both,
                        size == 1 ? all + both : 0,
                        sum,
                        low,
                        high,
                        bits,
                        squares,
                        up_to,
                        up_to - value(t),
                        bits_before,
                        group[0] + 100,
                        ands + 1000000ll * ors};
    for (int k = 0; k < 21; k++) expect(what, t, k, out[t * RESULTS + k], want[k]);
  }
  launch(out);
  cudaDeviceSynchronize();
}

template <unsigned int Size>
static void check_tile() {
  check(
      "tile", [](int t) { return t / (int)Size; },
      [](long long *out) {
        tile<Size><<<1, THREADS>>>(out);
        cudaDeviceSynchronize();
        for (int t = 0; t < THREADS; t++) {
          long long *to = out + t * RESULTS, rank = t % Size, tile = t / Size;
          expect("tile", t, 21, to[21], tile + 1000 * (THREADS / Size));
          expect("tile", t, 22, to[22], (Size > 1 ? t ^ 1 : t) + 1000 * tile);
          expect("tile", t, 23, to[23], rank + 1000 * Size);
          expect("tile", t, 24, to[24], rank + 1000 * Size);
        }
      });
}

int main() {
  check_tile<1>();
  check_tile<2>();
  check_tile<4>();
  check_tile<8>();
  check_tile<16>();
  check_tile<32>();
  for (int mask = 1; mask < 8; mask++)
    check(
        "coalesced", [=](int t) { return mask >> t % 3 & 1 ? 0 : -1; },
        [=](long long *out) {
          coalesced<<<1, THREADS>>>(out, mask);
          cudaDeviceSynchronize();
          for (int t = 0; t < THREADS; t++) {
            if (!(mask >> t % 3 & 1)) continue;
            std::vector<int> group;
            int rank = 0;
            for (int i = t / 32 * 32; i < t / 32 * 32 + 32; i++)
              if (mask >> i % 3 & 1) rank = i == t ? group.size() : rank, group.push_back(i);
            int first = rank / 4 * 4, left = group.size() - first;
            expect("coalesced", t, 21, out[t * RESULTS + 21], 1000);
            expect("part", t, 22, out[t * RESULTS + 22],
                   rank % 4 + 1000 * (left < 4 ? left : 4) + 1000000 * (rank / 4));
            expect("part", t, 23, out[t * RESULTS + 23], group[first]);
          }
        });
  check(
      "labeled", [](int t) { return t % 5; },
      [](long long *out) {
        labeled<<<1, THREADS>>>(out);
        cudaDeviceSynchronize();
        for (int t = 0; t < THREADS; t++)
          expect("labeled", t, 21, out[t * RESULTS + 21], (t % 5 + 5 - t / 32 * 32 % 5) % 5 + 5000);
      });
  check(
      "binary", [](int t) { return t / 16 * 2 + (value(t) % 3 == 0); },
      [](long long *out) { binary<<<1, THREADS>>>(out); });
  printf("%d of %d wrong\n", wrong, checked);
  return wrong > 0;
}
