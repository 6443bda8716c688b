/* async.cu: asynchronous copies and the barriers, pipelines and atomics of libcu++, each against
 * what it should leave. Prints a line for each. */
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

enum { N = 256 };
static int *device_in, *device_out;

/* A block as a group, as cooperative groups have it. */
struct Block {
  __device__ unsigned thread_rank() const { return threadIdx.x; }
  __device__ unsigned size() const { return blockDim.x; }
  __device__ void sync() const { __syncthreads(); }
};

/* ---- kernels: out[i] is to be in[i] or what is said ---- */

/* Of every size; of the last piece only some bytes are read. */
__global__ void sizes(const int *in, int *out) {
  __shared__ __align__(16) int tile[N];
  int t = threadIdx.x; /* 64 threads, four words each */
  unsigned at = (unsigned)__cvta_generic_to_shared(&tile[4 * t]);
  const int *from = in + 4 * t;
  if (t < 16)
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;"
                 :
                 : "r"(at), "l"(from)
                 : "memory");
  else if (t < 32)
    asm volatile(
        "cp.async.ca.shared.global [%0], [%1], 8; cp.async.ca.shared.global [%0+8], [%1+8], 8;"
        :
        : "r"(at), "l"(from)
        : "memory");
  else if (t < 48)
    for (int i = 0; i < 4; i++) __pipeline_memcpy_async(&tile[4 * t + i], from + i, 4);
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(at), "l"(from),
                   "r"(t == 63   ? 6
                       : t == 62 ? 0
                       : t == 61 ? 12
                                 : 16)
                 : "memory");
  asm volatile("cp.async.wait_all;" : : : "memory");
  __syncthreads();
  for (int i = t; i < N; i += 64) out[i] = tile[i];
}

__global__ void stages(const int *in, int *out) { /* a pipeline of one thread, two stages */
  __shared__ int tile[2][64];
  int t = threadIdx.x;
  auto pipe = cuda::make_pipeline();
  for (int i = 0; i < 5; i++) {
    pipe.producer_acquire();
    if (i < 4) cuda::memcpy_async(&tile[i % 2][t], in + 64 * i + t, sizeof(int), pipe);
    pipe.producer_commit();
    if (i == 0) continue;
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    out[64 * (i - 1) + t] = tile[(i - 1) % 2][63 - t] + 2 * t - 63; /* as in[j] is j */
    pipe.consumer_release();
    __syncthreads();
  }
}

template <bool roles>
__global__ void shared_stages(const int *in, int *out) { /* of a block, three stages */
  __shared__ __align__(16) int tile[3][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
  Block block;
  int t = threadIdx.x;
  bool produces = !roles || t < 32;
  if (roles) {
    auto pipe = cuda::make_pipeline(
        block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    if (produces) {
      for (int i = 0; i < 4; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&tile[i % 3][2 * t], in + 64 * i + 2 * t, cuda::aligned_size_t<8>(8),
                           pipe);
        pipe.producer_commit();
      }
    } else {
      for (int i = 0; i < 4; i++) {
        pipe.consumer_wait();
        for (int j = t - 32; j < 64; j += 32) out[64 * i + j] = tile[i % 3][63 - j] + 2 * j - 63;
        pipe.consumer_release();
      }
    }
    return;
  }
  auto pipe = cuda::make_pipeline(block, &state);
  for (int i = 0; i < 4; i++) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, tile[i % 3], in + 64 * i, cuda::aligned_size_t<16>(64 * sizeof(int)),
                       pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    out[64 * i + t] = tile[i % 3][63 - t] + 2 * t - 63;
    pipe.consumer_release();
  }
}

__global__ void rounds(const int *in, int *out) { /* a barrier that threads leave */
  __shared__ cuda::barrier<cuda::thread_scope_block> all;
  __shared__ int sum[2];
  int t = threadIdx.x; /* 64 threads; after round i, 16 leave */
  if (t == 0) init(&all, blockDim.x), sum[0] = sum[1] = 0;
  __syncthreads();
  for (int i = 0; i < 4; i++) {
    if (t / 16 < i) {
      if (t / 16 == i - 1) all.arrive_and_drop();
      break;
    }
    atomicAdd(&sum[i % 2], 1);
    all.arrive_and_wait();
    if (t == 63) out[i] = sum[i % 2], sum[i % 2] = 0;
    all.arrive_and_wait();
  }
  (void)in;
}

__global__ void primitives(const int *in, int *out) {
  __shared__ __mbarrier_t full;
  __shared__ int tile[N];
  int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&full, N);
  __syncthreads();
  __pipeline_memcpy_async(&tile[t], in + t, 4);
  __pipeline_arrive_on(&full);
  __mbarrier_token_t token = __mbarrier_arrive(&full);
  while (!__mbarrier_test_wait(&full, token)) {
  }
  out[t] = tile[N - 1 - t] + 2 * t - (N - 1) + (__mbarrier_token_pending_count(token) == 0);
}

__device__ int plain;
__device__ cuda::atomic<unsigned, cuda::thread_scope_device> count(0), turn(0);
__device__ cuda::atomic<unsigned char, cuda::thread_scope_device> bytes[4];
__device__ cuda::atomic<float, cuda::thread_scope_block> largest;
__device__ cuda::atomic<long long> smallest;

__global__ void atomics(const int *in, int *out) { /* 4 blocks of 64 */
  int i = blockIdx.x * 64 + threadIdx.x;
  count.fetch_add(in[i], cuda::memory_order_relaxed);
  bytes[i % 4].fetch_add(1);
  smallest.fetch_min(-i);
  cuda::atomic_ref<int, cuda::thread_scope_device> ref(plain);
  int old = ref.load();
  while (!ref.compare_exchange_weak(old, old ^ i)) {
  }
  if (threadIdx.x == 0) { /* blocks pass on a word, in turn */
    const volatile auto &seen = turn;
    while (seen.load(cuda::memory_order_acquire) != blockIdx.x) {
    }
    out[8] = blockIdx.x ? out[8] * 10 + (int)blockIdx.x : 0;
    turn.store(blockIdx.x + 1, cuda::memory_order_release);
    turn.notify_all();
  }
  if (blockIdx.x == 3) largest.fetch_max((float)i);
}
__global__ void collect(int *out) {
  out[0] = (int)count;
  for (int i = 0; i < 4; i++) out[1 + i] = bytes[i].load();
  out[5] = (int)smallest.load();
  out[6] = plain;
  out[7] = (int)largest.load();
}

/* ---- host ---- */

template <class F>
static void report(const char *name, int count, F wanted) {
  int host[N], wrong = 0;
  cudaError_t error = cudaMemcpy(host, device_out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; i++) wrong += host[i] != wanted(i);
  std::printf("%s: %d wrong, %s\n", name, wrong, cudaGetErrorString(error));
  cudaMemset(device_out, 0x55, sizeof host);
}

int main() {
  int host[N];
  for (int i = 0; i < N; i++) host[i] = i;
  cudaMalloc(&device_in, sizeof host);
  cudaMalloc(&device_out, sizeof host);
  cudaMemcpy(device_in, host, sizeof host, cudaMemcpyHostToDevice);
  auto same = [](int i) { return i; };
  sizes<<<1, 64>>>(device_in, device_out);
  report("sizes", N, [](int i) { return i == 247 || i / 4 == 62 || i > 253 ? 0 : i; });
  stages<<<1, 64>>>(device_in, device_out);
  report("stages of a thread", N, same);
  shared_stages<false><<<1, 64>>>(device_in, device_out);
  report("stages of a block", N, same);
  shared_stages<true><<<1, 64>>>(device_in, device_out);
  report("producers and consumers", N, same);
  rounds<<<1, 64>>>(device_in, device_out);
  report("rounds", 4, [](int i) { return 64 - 16 * i; });
  primitives<<<1, N>>>(device_in, device_out);
  report("primitives", N, same);
  atomics<<<4, 64>>>(device_in, device_out);
  collect<<<1, 1>>>(device_out);
  const int wanted[] = {N * (N - 1) / 2, 64, 64, 64, 64, 1 - N, 0, N - 1, 123};
  report("atomics", 9, [&](int i) { return wanted[i]; });
  static_assert(cuda::std::is_same<int, cuda::std::remove_const<const int>::type>::value, "");
  cuda::atomic<int> here(3);
  int before = here.fetch_add(4);
  std::printf("on the host: %d %d\n", before, here.load());
  cudaFree(device_in);
  cudaFree(device_out);
}
