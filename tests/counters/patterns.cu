// patterns.cu: the launches of patterns.tsv: small kernels that each show one rule of cost. One warp where not said otherwise.
//
// The access kernels take the element that each lane touches from a table, so that no compiler can know the pattern; element -1
// means that the lane is not active. The fusion kernels hold neighbouring accesses that ptxas may merge.
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launches.h"

// ---- one access a lane ----

enum { LANES = 32, ELEMENTS = 1024 };

template <class T> __device__ T element_of(int i);
template <> __device__ unsigned char element_of(int i) { return (unsigned char)i; }
template <> __device__ short element_of(int i) { return (short)i; }
template <> __device__ float element_of(int i) { return i; }
template <> __device__ double element_of(int i) { return i; }
template <> __device__ float2 element_of(int i) { return make_float2(i, i); }
template <> __device__ float4 element_of(int i) { return make_float4(i, i, i, i); }

template <class T> __global__ void shared_load(const int *table, T *out) {
  __shared__ T tile[ELEMENTS];
  for (int i = threadIdx.x; i < ELEMENTS; i += LANES) tile[i] = element_of<T>(i);
  __syncthreads();
  int i = table[threadIdx.x];
  if (i >= 0) out[threadIdx.x] = tile[i];
}

template <class T> __global__ void shared_store(const int *table, T *out) {
  __shared__ T tile[ELEMENTS];
  int i = table[threadIdx.x];
  T value = element_of<T>(threadIdx.x);
  if (i >= 0) tile[i] = value;
  __syncthreads();
  if (i >= 0) out[threadIdx.x] = tile[i];
}

template <class T> __global__ void global_load(const int *table, const T *in, T *out) {
  int i = table[threadIdx.x];
  if (i >= 0) out[threadIdx.x] = in[i];
}

template <class T> __global__ void global_ldg(const int *table, const T *in, T *out) {
  int i = table[threadIdx.x];
  if (i >= 0) out[threadIdx.x] = __ldg(&in[i]);
}

template <class T> __global__ void global_store(const int *table, T *out) {
  int i = table[threadIdx.x];
  if (i >= 0) out[i] = element_of<T>(threadIdx.x);
}

__global__ void global_atomic(const int *table, int *counts, int *out) {
  int i = table[threadIdx.x];
  if (i >= 0) out[threadIdx.x] = atomicAdd(&counts[i], 1 + (int)threadIdx.x);
}
__global__ void global_reduction(const int *table, int *counts) {
  int i = table[threadIdx.x];
  if (i >= 0) atomicAdd(&counts[i], 1 + (int)threadIdx.x);
}
__global__ void global_reduction_float(const int *table, float *sums) {
  int i = table[threadIdx.x];
  if (i >= 0) atomicAdd(&sums[i], 1.0f + threadIdx.x);
}
__global__ void shared_atomic(const int *table, int *out) {
  __shared__ int counts[ELEMENTS];
  for (int i = threadIdx.x; i < ELEMENTS; i += LANES) counts[i] = i;
  __syncthreads();
  int i = table[threadIdx.x];
  if (i >= 0) out[threadIdx.x] = atomicAdd(&counts[i], 1 + (int)threadIdx.x);
}
__global__ void shared_atomic_float(const int *table, float *out) {
  __shared__ float sums[ELEMENTS];
  for (int i = threadIdx.x; i < ELEMENTS; i += LANES) sums[i] = i;
  __syncthreads();
  int i = table[threadIdx.x];
  if (i >= 0) atomicAdd(&sums[i], 1.0f + threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = sums[threadIdx.x];
}
__global__ void local_array(const int *table, int *out) {
  int own[64];
  for (int i = 0; i < 64; i++) own[i] = table[i % LANES] + i;
  int i = table[threadIdx.x];
  if (i >= 0) out[threadIdx.x] = own[i & 63];
}

// Which element each lane touches.
typedef int lane_pattern(int lane);
static uint32_t random_state;
static int random_below(int limit) {
  random_state = random_state * 1664525u + 1013904223u;
  return (int)((random_state >> 8) % (uint32_t)limit);
}
static int permutation[LANES];
static const struct pattern {
  const char *name;
  lane_pattern *element;
  int random;  // 0: none; -1: a permutation of the row; else elements below this
  bool common; // for every kernel and type; the others only for shared memory and 4, 8 and 16 bytes
} patterns[] = {
    {"row", [](int i) { return i; }, 0, true},
    {"uniform", [](int) { return 5; }, 0, true},
    {"pairs", [](int i) { return i / 2; }, 0, true},
    {"quads", [](int i) { return i / 4; }, 0, true},
    {"two", [](int i) { return i / 16; }, 0},
    {"two-far", [](int i) { return i / 16 * 32; }, 0},
    {"alternate", [](int i) { return i % 2; }, 0},
    {"repeat-8", [](int i) { return i % 8; }, 0},
    {"repeat-16", [](int i) { return i % 16; }, 0},
    {"reversed", [](int i) { return 31 - i; }, 0},
    {"offset-1", [](int i) { return i + 1; }, 0, true},
    {"offset-3", [](int i) { return i + 3; }, 0},
    {"stride-2", [](int i) { return i * 2; }, 0, true},
    {"stride-3", [](int i) { return i * 3; }, 0},
    {"stride-4", [](int i) { return i * 4; }, 0},
    {"stride-5", [](int i) { return i * 5; }, 0},
    {"stride-8", [](int i) { return i * 8; }, 0, true},
    {"stride-9", [](int i) { return i * 9; }, 0},
    {"stride-16", [](int i) { return i * 16; }, 0},
    {"stride-17", [](int i) { return i * 17; }, 0},
    {"stride-32", [](int i) { return i * 32; }, 0, true},
    {"stride-33", [](int i) { return i * 31 + i / 2; }, 0},
    {"tile-4x8", [](int i) { return i / 8 * 32 + i % 8; }, 0, true},
    {"tile-8x4", [](int i) { return i / 4 * 32 + i % 4; }, 0},
    {"tile-2x16", [](int i) { return i / 16 * 32 + i % 16; }, 0},
    {"low-half", [](int i) { return i < 16 ? i : -1; }, 0, true},
    {"high-half", [](int i) { return i < 16 ? -1 : i; }, 0},
    {"even-lanes", [](int i) { return i % 2 ? -1 : i; }, 0, true},
    {"even-lanes-stride-32", [](int i) { return i % 2 ? -1 : i * 32; }, 0},
    {"one-lane", [](int i) { return i == 13 ? 7 : -1; }, 0, true},
    {"first-8", [](int i) { return i < 8 ? i : -1; }, 0},
    {"first-24", [](int i) { return i < 24 ? i : -1; }, 0},
    {"quarter-ends", [](int i) { return i % 8 == 0 ? i : -1; }, 0},
    {"low-half-stride-32", [](int i) { return i < 16 ? i * 32 : -1; }, 0},
    {"permuted", nullptr, -1},
    {"random-32", nullptr, 32},
    {"random-48", nullptr, 48},
    {"random-64", nullptr, 64, true},
    {"random-128", nullptr, 128},
    {"random-256", nullptr, 256},
    {"random-1024", nullptr, 1024, true},
    {"random-1024-again", nullptr, 1024},
};

static int *table; // on the device
static void *in, *out;
static char label[64];

// Fills the table with a pattern and names the launch that follows.
static void take(const struct pattern &pattern, const char *type) {
  int host[LANES];
  random_state = (uint32_t)(&pattern - patterns);
  for (int i = 0; i < LANES; i++) permutation[i] = i;
  for (int i = LANES - 1; i > 0; i--) {
    int j = random_below(i + 1), swap = permutation[i];
    permutation[i] = permutation[j];
    permutation[j] = swap;
  }
  for (int i = 0; i < LANES; i++)
    host[i] = !pattern.random ? pattern.element(i) : pattern.random < 0 ? permutation[i] : random_below(pattern.random);
  cudaMemcpy(table, host, sizeof host, cudaMemcpyHostToDevice);
  snprintf(label, sizeof label, "%s%s%s", type, *type ? " " : "", pattern.name);
  next_launch(label);
}

template <class T> static void accesses(const char *type, bool every) {
  for (auto &pattern : patterns) {
    if (!every && !pattern.common) continue;
    take(pattern, type);
    shared_load<T><<<1, LANES>>>(table, (T *)out);
    take(pattern, type);
    shared_store<T><<<1, LANES>>>(table, (T *)out);
    if (!pattern.common) continue;
    take(pattern, type);
    global_load<T><<<1, LANES>>>(table, (const T *)in, (T *)out);
    take(pattern, type);
    global_store<T><<<1, LANES>>>(table, (T *)out);
  }
  take(patterns[0], type);
  global_ldg<T><<<1, LANES>>>(table, (const T *)in, (T *)out);
}

static void atomics() {
  static const char *const names[] = {"row",      "uniform",   "pairs",     "repeat-8", "stride-2", "stride-8",
                                      "stride-32", "even-lanes", "one-lane", "tile-4x8", "random-64"};
  for (auto &pattern : patterns)
    for (const char *name : names) {
      if (strcmp(name, pattern.name) != 0) continue;
      take(pattern, "");
      global_atomic<<<1, LANES>>>(table, (int *)in, (int *)out);
      take(pattern, "");
      global_reduction<<<1, LANES>>>(table, (int *)in);
      take(pattern, "");
      global_reduction_float<<<1, LANES>>>(table, (float *)in);
      take(pattern, "");
      shared_atomic<<<1, LANES>>>(table, (int *)out);
      take(pattern, "");
      shared_atomic_float<<<1, LANES>>>(table, (float *)out);
    }
  take(patterns[0], "");
  local_array<<<1, LANES>>>(table, (int *)out);
}

// ---- neighbouring accesses of one lane ----

// Fills a tile of floats and waits: what every fusion kernel starts with. Each has 4096 bytes or fewer.
#define TILE(type, name, count)                                                         \
  __shared__ type name[count];                                                          \
  for (int fill = threadIdx.x; fill < (count); fill += blockDim.x) name[fill] = (type)fill; \
  __syncthreads()

// Sum of `count` neighbours from `first` on, read by lanes `pitch` elements apart.
template <class T, int pitch, int first, int count> __global__ void neighbours(T *out) {
  TILE(T, tile, 2048);
  T sum = 0;
#pragma unroll
  for (int i = 0; i < count; i++) sum += tile[threadIdx.x * pitch + first + i];
  out[threadIdx.x] = sum;
}
// The same, read from the last to the first.
template <class T, int pitch, int first, int count> __global__ void neighbours_down(T *out) {
  TILE(T, tile, 2048);
  T sum = 0;
#pragma unroll
  for (int i = count - 1; i >= 0; i--) sum += tile[threadIdx.x * pitch + first + i];
  out[threadIdx.x] = sum;
}
// Every second one.
template <int pitch, int step> __global__ void spaced(float *out) {
  TILE(float, tile, 2048);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; i++) sum += tile[threadIdx.x * pitch + i * step];
  out[threadIdx.x] = sum;
}
// The index comes from memory: no alignment is known, unless it is multiplied.
template <int scale> __global__ void by_table(const int *table, float *out) {
  TILE(float, tile, 2048);
  const float *from = tile + table[threadIdx.x] * scale;
  out[threadIdx.x] = from[0] + from[1] * 2 + from[2] * 3 + from[3] * 4;
}
__global__ void store_between(float *out) {
  TILE(float, tile, 1024);
  __shared__ float other[32];
  const float *from = tile + threadIdx.x * 4;
  float a = from[0], b = from[1];
  other[threadIdx.x] = a;
  float c = from[2], d = from[3];
  __syncthreads();
  out[threadIdx.x] = a + b * 2 + c * 3 + d * 4 + other[31 - threadIdx.x];
}
__global__ void syncwarp_between(float *out) {
  TILE(float, tile, 1024);
  const float *from = tile + threadIdx.x * 4;
  float a = from[0], b = from[1];
  __syncwarp();
  float c = from[2], d = from[3];
  out[threadIdx.x] = a + b * 2 + c * 3 + d * 4;
}
__global__ void syncthreads_between(float *out) {
  TILE(float, tile, 1024);
  const float *from = tile + threadIdx.x * 4;
  float a = from[0], b = from[1];
  __syncthreads();
  float c = from[2], d = from[3];
  out[threadIdx.x] = a + b * 2 + c * 3 + d * 4;
}
__global__ void global_store_between(float *out) {
  TILE(float, tile, 1024);
  const float *from = tile + threadIdx.x * 4;
  float a = from[0], b = from[1];
  out[threadIdx.x + 32] = a;
  float c = from[2], d = from[3];
  out[threadIdx.x] = a + b * 2 + c * 3 + d * 4;
}
__global__ void other_loads_between(float *out) {
  TILE(float, tile, 1024);
  TILE(float, other, 1024);
  const float *from = tile + threadIdx.x * 4, *too = other + threadIdx.x * 8;
  out[threadIdx.x] = from[0] * too[0] + from[1] * too[2] + from[2] * too[4] + from[3] * too[6];
}
__global__ void two_bases(float *out) {
  TILE(float, tile, 1024);
  const float *from = tile + threadIdx.x * 4, *too = tile + (threadIdx.x ^ 5) * 4;
  out[threadIdx.x] = from[0] * too[0] + from[1] * too[1] + from[2] * too[2] + from[3] * too[3];
}
__global__ void guarded(const int *table, float *out) {
  TILE(float, tile, 1024);
  const float *from = tile + threadIdx.x * 4;
  float sum = from[0] + from[1] * 2;
  if (table[threadIdx.x] & 1) sum += from[2] * 3 + from[3] * 4;
  out[threadIdx.x] = sum;
}
__global__ void volatile_loads(float *out) {
  TILE(float, tile, 1024);
  const volatile float *from = tile + threadIdx.x * 4;
  out[threadIdx.x] = from[0] + from[1] * 2 + from[2] * 3 + from[3] * 4;
}
__global__ void vector_neighbours(float *out) {
  __shared__ float2 tile[256];
  for (int i = threadIdx.x; i < 256; i += 32) tile[i] = make_float2(i, i);
  __syncthreads();
  float2 a = tile[threadIdx.x * 2], b = tile[threadIdx.x * 2 + 1];
  out[threadIdx.x] = a.x + a.y * 2 + b.x * 3 + b.y * 4;
}
// Stores to neighbours.
template <class T, int pitch, int first, int count> __global__ void neighbour_stores(T *out) {
  __shared__ T tile[2048];
#pragma unroll
  for (int i = 0; i < count; i++) tile[threadIdx.x * pitch + first + i] = (T)(threadIdx.x + i);
  __syncthreads();
  out[threadIdx.x] = tile[(threadIdx.x ^ 3) * pitch + first];
}
// Loads and stores of neighbours in global memory.
template <class T, int count> __global__ void global_neighbours(const T *in, T *out) {
  T sum = 0;
#pragma unroll
  for (int i = 0; i < count; i++) sum += in[threadIdx.x * count + i];
  out[threadIdx.x] = sum;
}
template <class T, int count> __global__ void global_neighbour_stores(T *out) {
#pragma unroll
  for (int i = 0; i < count; i++) out[threadIdx.x * count + i] = (T)(threadIdx.x + i);
}
// A row in a loop that the compiler must unroll itself; the trip count is known or comes as an argument.
template <int columns, int length> __global__ void row_sum(float *out) {
  TILE(float, tile, 32 * columns);
  float sum = 0;
  for (int k = 0; k < length; k++) sum += tile[threadIdx.x / 8 * columns + k];
  out[threadIdx.x] = sum;
}
template <int columns> __global__ void row_sum_of(float *out, int length) {
  TILE(float, tile, 32 * columns);
  float sum = 0;
  for (int k = 0; k < length; k++) sum += tile[threadIdx.x / 8 * columns + k];
  out[threadIdx.x] = sum;
}

// The tiled product with other tiles: T x T elements, rows of T + P.
template <class E, int T, int P> __global__ void product(const E *A, const E *B, E *C, int n) {
  __shared__ E a[T][T + P], b[T][T + P];
  int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
  E s = 0;
  for (int m = 0; m < (n + T - 1) / T; m++) {
    a[ty][tx] = (r < n && m * T + tx < n) ? A[r * n + m * T + tx] : 0;
    b[ty][tx] = (c < n && m * T + ty < n) ? B[(m * T + ty) * n + c] : 0;
    __syncthreads();
    for (int k = 0; k < T; k++) s += a[ty][k] * b[k][tx];
    __syncthreads();
  }
  if (r < n && c < n) C[r * n + c] = s;
}
// The same with the tile of A, or of B, transposed.
template <int T, int P> __global__ void product_at(const float *A, const float *B, float *C, int n) {
  __shared__ float a[T][T + P], b[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
  float s = 0;
  for (int m = 0; m < n / T; m++) {
    a[tx][ty] = A[r * n + m * T + tx];
    b[ty][tx] = B[(m * T + ty) * n + c];
    __syncthreads();
    for (int k = 0; k < T; k++) s += a[k][ty] * b[k][tx];
    __syncthreads();
  }
  C[r * n + c] = s;
}
template <int T, int P> __global__ void product_bt(const float *A, const float *B, float *C, int n) {
  __shared__ float a[T][T], b[T][T + P];
  int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
  float s = 0;
  for (int m = 0; m < n / T; m++) {
    a[ty][tx] = A[r * n + m * T + tx];
    b[tx][ty] = B[(m * T + ty) * n + c];
    __syncthreads();
    for (int k = 0; k < T; k++) s += a[ty][k] * b[tx][k];
    __syncthreads();
  }
  C[r * n + c] = s;
}

#define FUSION(kernel, ...)         \
  do {                              \
    next_launch(#kernel);           \
    kernel<<<1, 32>>>(__VA_ARGS__); \
  } while (0)

template <class T, int pitch, int first, int count> static void near(const char *name) {
  next_launch(name);
  neighbours<T, pitch, first, count><<<1, 32>>>((T *)out);
  next_launch(name);
  neighbours_down<T, pitch, first, count><<<1, 32>>>((T *)out);
  next_launch(name);
  neighbour_stores<T, pitch, first, count><<<1, 32>>>((T *)out);
}
#define NEAR(type, pitch, first, count) near<type, pitch, first, count>(#type " pitch " #pitch " from " #first " count " #count)

static void fusions() {
  float *f = (float *)out;
  NEAR(float, 4, 0, 4);
  NEAR(float, 4, 0, 2);
  NEAR(float, 4, 0, 3);
  NEAR(float, 4, 1, 2);
  NEAR(float, 4, 1, 3);
  NEAR(float, 4, 2, 2);
  NEAR(float, 8, 1, 4);
  NEAR(float, 8, 2, 4);
  NEAR(float, 8, 0, 5);
  NEAR(float, 8, 0, 6);
  NEAR(float, 8, 0, 7);
  NEAR(float, 8, 0, 8);
  NEAR(float, 8, 1, 7);
  NEAR(float, 8, 3, 5);
  NEAR(float, 2, 0, 2);
  NEAR(float, 2, 0, 4);
  NEAR(float, 6, 0, 6);
  NEAR(float, 1, 0, 4);
  NEAR(float, 33, 0, 8);
  NEAR(float, 36, 0, 8);
  NEAR(float, 34, 0, 8);
  NEAR(double, 2, 0, 2);
  NEAR(double, 4, 0, 4);
  NEAR(double, 4, 1, 2);
  NEAR(double, 1, 0, 2);
  NEAR(int, 4, 0, 4);
  NEAR(short, 4, 0, 4);
  NEAR(short, 8, 0, 2);
  NEAR(unsigned char, 4, 0, 4);
  NEAR(unsigned char, 16, 0, 16);
  next_launch("4 step 2");
  spaced<16, 2><<<1, 32>>>(f);
  next_launch("32 step 4");
  spaced<32, 4><<<1, 32>>>(f);
  next_launch("1");
  by_table<1><<<1, 32>>>(table, f);
  next_launch("2");
  by_table<2><<<1, 32>>>(table, f);
  next_launch("4");
  by_table<4><<<1, 32>>>(table, f);
  FUSION(store_between, f);
  FUSION(syncwarp_between, f);
  FUSION(syncthreads_between, f);
  FUSION(global_store_between, f);
  FUSION(other_loads_between, f);
  FUSION(two_bases, f);
  FUSION(guarded, table, f);
  FUSION(volatile_loads, f);
  FUSION(vector_neighbours, f);
  next_launch("float 2");
  global_neighbours<float, 2><<<1, 32>>>((const float *)in, f);
  next_launch("float 4");
  global_neighbours<float, 4><<<1, 32>>>((const float *)in, f);
  next_launch("float 8");
  global_neighbours<float, 8><<<1, 32>>>((const float *)in, f);
  next_launch("char 4");
  global_neighbours<char, 4><<<1, 32>>>((const char *)in, (char *)out);
  next_launch("float 4");
  global_neighbour_stores<float, 4><<<1, 32>>>(f);
  next_launch("char 4");
  global_neighbour_stores<char, 4><<<1, 32>>>((char *)out);
  next_launch("32 of 32");
  row_sum<32, 32><<<1, 32>>>(f);
  next_launch("33 of 33");
  row_sum<33, 32><<<1, 32>>>(f);
  next_launch("32 of 17");
  row_sum<32, 17><<<1, 32>>>(f);
  next_launch("32 of 100");
  row_sum<100, 100><<<1, 32>>>(f);
  next_launch("32 of n = 24");
  row_sum_of<32><<<1, 32>>>(f, 24);
  next_launch("32 of n = 19");
  row_sum_of<32><<<1, 32>>>(f, 19);
}

template <class E, int T, int P> static void one_product(const char *name) {
  next_launch(name);
  product<E, T, P><<<dim3(96 / T, 96 / T), dim3(T, T)>>>((const E *)in, (const E *)in, (E *)out, 96);
}
#define PRODUCT(E, T, P) one_product<E, T, P>(#E " " #T " rows of " #T "+" #P)
#define PRODUCT_OF(kernel, T, P)                                                                                   \
  do {                                                                                                             \
    next_launch(#T " rows of " #T "+" #P);                                                                         \
    kernel<T, P><<<dim3(96 / T, 96 / T), dim3(T, T)>>>((const float *)in, (const float *)in, (float *)out, 96); \
  } while (0)

static void products() {
  PRODUCT(float, 4, 0);
  PRODUCT(float, 8, 0);
  PRODUCT(float, 8, 1);
  PRODUCT(float, 12, 0);
  PRODUCT(float, 16, 0);
  PRODUCT(float, 16, 1);
  PRODUCT(float, 16, 4);
  PRODUCT(float, 24, 0);
  PRODUCT(float, 32, 0);
  PRODUCT(float, 32, 1);
  PRODUCT(float, 32, 2);
  PRODUCT(float, 32, 4);
  PRODUCT(double, 8, 0);
  PRODUCT(double, 16, 0);
  PRODUCT(double, 16, 1);
  PRODUCT(double, 32, 0);
  PRODUCT(double, 32, 1);
  PRODUCT(int, 16, 0);
  PRODUCT(int, 32, 1);
  PRODUCT_OF(product_at, 16, 0);
  PRODUCT_OF(product_at, 32, 0);
  PRODUCT_OF(product_at, 32, 1);
  PRODUCT_OF(product_bt, 16, 0);
  PRODUCT_OF(product_bt, 16, 1);
  PRODUCT_OF(product_bt, 32, 0);
  PRODUCT_OF(product_bt, 32, 1);
  PRODUCT_OF(product_bt, 32, 4);
}

// ---- branches ----

// Something to do that no compiler turns into a predicated instruction or two.
__device__ __noinline__ float work(float x, int rounds) {
#pragma unroll 1
  for (int i = 0; i < rounds; i++) x = x * 1.5f + 0.25f;
  return x;
}
__global__ void branch_half(float *out) {
  float x = threadIdx.x;
  if (threadIdx.x < 16) x = work(x, 3);
  out[threadIdx.x] = x;
}
__global__ void branch_both(float *out) {
  float x = threadIdx.x;
  if (threadIdx.x % 2)
    x = work(x, 3);
  else
    x = work(x + 1, 5);
  out[threadIdx.x] = x;
}
__global__ void branch_loop(float *out) {
  float x = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < (int)threadIdx.x; i++) x = x * 1.5f + 0.25f;
  out[threadIdx.x] = x;
}
__global__ void branch_uniform_loop(float *out, int n) {
  float x = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < n; i++) x = x * 1.5f + 0.25f;
  out[threadIdx.x] = x;
}
__global__ void branch_return(float *out) {
  if (threadIdx.x > 20) return;
  out[threadIdx.x] = work(threadIdx.x, 2);
}
__global__ void branch_select(const int *table, float *out) {
  float x = threadIdx.x;
  if (table[threadIdx.x] & 1) x += 1;
  out[threadIdx.x] = x;
}

static void branches() {
  float *f = (float *)out;
  take(patterns[0], "");
  branch_half<<<1, 32>>>(f);
  FUSION(branch_both, f);
  FUSION(branch_loop, f);
  FUSION(branch_uniform_loop, f, 10);
  FUSION(branch_return, f);
  FUSION(branch_select, table, f);
}

extern "C" void launch_patterns(void) {
  size_t bytes = 1 << 20;
  if (cudaMalloc(&table, LANES * sizeof(int)) || cudaMalloc(&in, bytes) || cudaMalloc(&out, bytes) ||
      cudaMemset(in, 0, bytes) || cudaMemset(out, 0, bytes))
    exit(2);
  accesses<unsigned char>("char", false);
  accesses<short>("short", false);
  accesses<float>("float", true);
  accesses<double>("double", false);
  accesses<float2>("float2", true);
  accesses<float4>("float4", true);
  atomics();
  fusions();
  products();
  branches();
  cudaDeviceSynchronize();
  cudaFree(table);
  cudaFree(in);
  cudaFree(out);
}
