// divergence.cu: lanes of a warp that go different ways, and kernels that are the same but for warps that do.
#include "../suite.h"

namespace {

__device__ __host__ inline float left(float x, int rounds) {
  for (int k = 0; k < rounds; k++) x = x * 0.5f + 0.25f;
  return x;
}

__device__ __host__ inline float right(float x, int rounds) {
  for (int k = 0; k < rounds; k++) x = x * x * 0.5f + 0.125f;
  return x;
}

// Odd and even lanes, or odd and even warps: `by` is 1 or 32.
__global__ void two_ways(const float *in, float *out, int by, int rounds, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i / by % 2 == 0)
    out[i] = left(in[i], rounds);
  else
    out[i] = right(in[i], rounds);
}

// Eight ways, by a number that is different in each lane or the same in a warp.
__global__ void eight_ways(const float *in, float *out, int by, int rounds, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  switch (i / by % 8) {
    case 0:
      x = left(x, rounds);
      break;
    case 1:
      x = right(x, rounds);
      break;
    case 2:
      x = sqrtf(left(x, rounds));
      break;
    case 3:
      x = 1.0f / (1.0f + right(x, rounds));
      break;
    case 4:
      x = left(right(x, rounds), 2);
      break;
    case 5:
      x = right(left(x, rounds), 2);
      break;
    case 6:
      x = left(x + 1.0f, rounds);
      break;
    default:
      x = right(x - 1.0f, rounds);
      break;
  }
  out[i] = x;
}

// Loops of lengths that nobody knows before.
__device__ __host__ inline int collatz(unsigned x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  return steps;
}

__global__ void collatz_steps(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = collatz(i + 1);
}

// Thread i has i elements to add: the triangle below a matrix's diagonal.
__global__ void triangle(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k <= i; k++) sum += in[(size_t)k * n + i];
  out[i] = sum;
}

// Few elements are kept: each warp finds room for its own with one atomic, behind what the last launch kept; n is a power of two.
__global__ void compact(const float *in, float *out, int *kept, float least, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, first = 0;
  bool keep = i < n && in[i] > least;
  unsigned keepers = __ballot_sync(0xffffffff, keep);
  if (lane == 0 && keepers != 0) first = atomicAdd(kept, __popc(keepers));
  first = __shfl_sync(0xffffffff, first, 0);
  if (keep) out[(first + __popc(keepers & ((1u << lane) - 1))) & (n - 1)] = in[i];
}

// ---- launches ----

using ways = void (*)(const float *, float *, int, int, int);

void run(const char *name, ways kernel, int by, int rounds, int n) {
  if (!next_launch(name, dim3(cover(n, 256)), dim3(256), "by %d, %d x %d", by, n, rounds)) return;
  const float *in = input(n);
  float *out = output(n);
  launch(kernel, in, out, by, rounds, n);
  if (kernel == two_ways)
    expect(out, n, [=](size_t i) {
      return i / by % 2 == 0 ? left(value(i), rounds) : right(value(i), rounds);
    });
  else
    expect(out, n, [=](size_t i) {
      float x = value(i);
      switch (i / by % 8) {
        case 0:
          return left(x, rounds);
        case 1:
          return right(x, rounds);
        case 2:
          return sqrtf(left(x, rounds));
        case 3:
          return 1.0f / (1.0f + right(x, rounds));
        case 4:
          return left(right(x, rounds), 2);
        case 5:
          return right(left(x, rounds), 2);
        case 6:
          return left(x + 1.0f, rounds);
        default:
          return right(x - 1.0f, rounds);
      }
    });
}

}  // namespace

void family_divergence() {
  for (int by : {1, 32}) {
    run("two_ways", two_ways, by, 200, 10000);
    run("two_ways", two_ways, by, 200, 1 << 22);
    run("eight_ways", eight_ways, by, 100, 1 << 20);
  }
  for (int n : {10000, 1 << 20})
    if (next_launch("collatz_steps", dim3(cover(n, 256)), dim3(256), "%d", n)) {
      int *out = output<int>(n);
      launch(collatz_steps, out, n);
      expect(
          out, n, [](size_t i) { return collatz((unsigned)i + 1); }, 0);
    }
  for (int n : {1000, 4096})
    if (next_launch("triangle", dim3(cover(n, 64)), dim3(64), "n %d", n)) {
      const float *in = input((size_t)n * n);
      float *out = output(n);
      launch(triangle, in, out, n);
      expect(out, n, [=](size_t i) {
        double sum = 0;
        for (size_t k = 0; k <= i; k++) sum += value(k * n + i);
        return sum;
      });
    }
  const int n = 1 << 24;
  if (next_launch("compact", dim3(n / 256), dim3(256), "%d, one of 10", n)) {
    const float *in = input(n);
    float *out = output(n);
    int *kept = output<int>(1);
    launch(compact, in, out, kept, 0.9f, n);
    expect(
        kept, 1,
        [](size_t) {
          int count = 0;
          for (int i = 0; i < n; i++) count += value(i) > 0.9f;
          return count;
        },
        0);
  }
}
