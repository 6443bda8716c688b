// latency.cu: launches too small to fill a GPU, and chains in which each step waits for the one before.
#include "../suite.h"

namespace {

__global__ void nothing() {}

// Each load says where the next one goes.
__global__ void chase(const int *next, int *out, int steps) {
  int at = threadIdx.x;
  for (int i = 0; i < steps; i++) at = next[at];
  out[threadIdx.x] = at;
}

__global__ void chase_shared(const int *next, int *out, int size, int steps) {
  __shared__ int own[1024];  // thread x writes [x], [x + blockDim.x], ...
  for (int i = threadIdx.x; i < size; i += blockDim.x) own[i] = next[i];
  __syncthreads();  // read after write: all of the chain
  int at = threadIdx.x;
  for (int i = 0; i < steps; i++) at = own[at];
  out[threadIdx.x] = at;
}

// One block adds up all.
__global__ void one_block_sum(const float *in, float *out, int count) {
  __shared__ float sums[1024];  // thread x writes [x]
  float sum = 0;
  for (int i = threadIdx.x; i < count; i += blockDim.x) sum += in[i];
  sums[threadIdx.x] = sum;
  __syncthreads();  // read after write: the others' sums
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];
    __syncthreads();  // read after write: the sums of this step
  }
  if (threadIdx.x == 0) out[0] = sums[0];
}

// One thread does it all.
__global__ void one_thread_sum(const float *in, float *out, int count) {
  float sum = 0;
  for (int i = 0; i < count; i++) sum += in[i];
  *out = sum;
}

// One barrier after the other.
__global__ void barriers(int *out, int rounds) {
  __shared__ int turn[1024];  // thread x writes [x]
  turn[threadIdx.x] = threadIdx.x;
  for (int i = 0; i < rounds; i++) {
    __syncthreads();  // read after write: the neighbour's number
    int next = turn[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();  // write after read: the neighbour has read mine
    turn[threadIdx.x] = next;
  }
  out[threadIdx.x] = turn[threadIdx.x];
}

// Floyd and Warshall's step over node k: a small matrix, again and again.
__global__ void shortest(const int *in, int *out, int k, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) out[i * n + j] = min(in[i * n + j], in[i * n + k] + in[k * n + j]);
}

// ---- launches ----

// One ring through all of `size` places, `apart` ints from one to the next.
std::vector<int> ring(int size, int apart) {
  std::vector<int> order = permutation(size), next((size_t)size * apart);
  for (int i = 0; i < size; i++) next[(size_t)order[i] * apart] = order[(i + 1) % size] * apart;
  return next;
}

int walk(const std::vector<int> &next, int at, int steps) {
  while (steps-- > 0) at = next[at];
  return at;
}

void run_chase(int size, int apart, int threads, int steps) {
  if (!next_launch("chase", dim3(1), dim3(threads), "%d places %d apart, %d threads", size, apart,
                   threads))
    return;
  std::vector<int> host = ring(size, apart);
  const int *next = upload(host);
  int *out = output<int>(threads);
  launch(chase, next, out, steps);
  expect(
      out, threads, [&](size_t i) { return walk(host, (int)i, steps); }, 0);
}

void run_chase_shared(int size, int threads, int steps) {
  if (!next_launch("chase_shared", dim3(1), dim3(threads), "%d places, %d threads", size, threads))
    return;
  std::vector<int> host = ring(size, 1);
  const int *next = upload(host);
  int *out = output<int>(threads);
  launch(chase_shared, next, out, size, steps);
  expect(
      out, threads, [&](size_t i) { return walk(host, (int)i, steps); }, 0);
}

void run_sum(const char *name, void (*kernel)(const float *, float *, int), int count,
             int threads) {
  if (!next_launch(name, dim3(1), dim3(threads), "%d floats, %d threads", count, threads)) return;
  const float *in = input(count);
  float *out = output(1);
  launch(kernel, in, out, count);
  expect(
      out, 1,
      [=](size_t) {
        double sum = 0;
        for (int i = 0; i < count; i++) sum += value(i);
        return sum;
      },
      1e-3);
}

void run_barriers(int threads, int rounds) {
  if (!next_launch("barriers", dim3(1), dim3(threads), "%d rounds, %d threads", rounds, threads))
    return;
  int *out = output<int>(threads);
  launch(barriers, out, rounds);
  expect(
      out, threads, [=](size_t i) { return (i + rounds) % threads; }, 0);
}

void run_shortest(int n) {
  if (!next_launch("shortest", dim3(cover(n, 16), cover(n, 16)), dim3(16, 16), "n %d", n)) return;
  std::vector<int> length((size_t)n * n);
  for (size_t i = 0; i < length.size(); i++) length[i] = (int)(bits(i) % 1000);
  const int *in = upload(length);
  int *out = output<int>(length.size()), k = n / 3;
  launch(shortest, in, out, k, n);
  expect(
      out, length.size(),
      [&](size_t i) {
        return std::min(length[i], length[i / n * n + k] + length[(size_t)k * n + i % n]);
      },
      0);
}

}  // namespace

void family_latency() {
  for (int grid : {1, 1000, 100000})
    if (next_launch("nothing", dim3(grid), dim3(128), "%d blocks", grid)) launch(nothing);
  run_chase(128, 32, 1, 4096);       // 16 KiB: in L1
  run_chase(1 << 15, 32, 1, 4096);   // of 4 MiB
  run_chase(1 << 22, 32, 1, 4096);   // of 512 MiB the same 4096 lines in each launch: in L2, too
  run_chase(1 << 20, 1, 256, 1024);  // each lane its own way
  run_chase_shared(1000, 1, 4096);
  run_chase_shared(1000, 256, 4096);
  for (int count : {1000, 100000}) run_sum("one_block_sum", one_block_sum, count, 1024);
  run_sum("one_block_sum", one_block_sum, 10000, 64);
  run_sum("one_thread_sum", one_thread_sum, 2000, 1);
  for (int threads : {64, 1024}) run_barriers(threads, 500);
  for (int n : {100, 1000}) run_shortest(n);
}
