// calibrate_bursts.cu: DRAM asked for by bursts. "blocks": an element a thread, by blocks of so
// many, whose loads come all at once and which end when the last one is there; how far SMs are in
// step, and what stores do to the loads of other blocks, shows here. "loop": warps that go through
// lines, so many at a time, by themselves or with a barrier in each turn: with one, a block waits
// for the slowest of its lines.
#include "calibrate.cuh"

static const size_t half = (size_t)512 << 20;  // bytes, from loads to stores

__device__ bool unlikely(float x) { return x == 1234.5f; }
__device__ bool unlikely(float2 x) { return x.x == 1234.5f; }
__device__ bool unlikely(float4 x) { return x.x == 1234.5f; }

template <typename T, bool LOADS, bool STORES>
__global__ void move_elements(T *elements, size_t apart) {
  T *own = elements + (size_t)blockIdx.x * blockDim.x + threadIdx.x, value = {};
  if (LOADS) value = __ldcg(own);
  if (STORES || unlikely(value)) own[apart] = value;
}

template <typename T, bool LOADS, bool STORES>
static void blocks_of(const char *what, size_t apart) {
  for (int threads = 256; threads <= 1024; threads *= 2) {
    unsigned blocks = (unsigned)(half / sizeof(T) / threads);
    row("blocks", text("%s of %zu bytes, %d threads", what, sizeof(T), threads),
        blocks / ns_of([=] {
          move_elements<T, LOADS, STORES><<<blocks, threads>>>((T *)buffer, apart / sizeof(T));
        }),
        "block/ns");
  }
}

template <typename T>
static void blocks_that_move() {
  blocks_of<T, true, false>("loads", half), blocks_of<T, false, true>("stores", half);
  blocks_of<T, true, true>("both", half), blocks_of<T, true, true>("both in place", 0);
}

template <int EACH, bool STORES, bool BARRIER>
__global__ void go_through(const float *in, float *out, int turns) {
  size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x, all = (size_t)gridDim.x * blockDim.x;
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < turns; i++, at += all * EACH) {
    float x[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++) x[k] = __ldcg(in + at + k * all);
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      if (STORES)
        out[at + k * all] = x[k];
      else
        sum += x[k];
    }
    if (BARRIER) __syncthreads();
  }
  if (sum == 1234.5f) out[0] = sum;
}

template <int EACH, bool STORES, bool BARRIER>
static void loop() {
  for (int warps = 8; warps <= 64; warps *= 2) {
    int blocks = warps > 32 ? sms * 2 : sms, threads = std::min(1024, warps * 32),
        turns = (int)(half / 4 / ((size_t)blocks * threads * EACH));
    row("loop",
        text("%s%s, %d warps an SM, %d each", STORES ? "both" : "loads",
             BARRIER ? " and a barrier" : "", warps, EACH),
        ns_of([=] {
          go_through<EACH, STORES, BARRIER>
              <<<blocks, threads>>>((const float *)buffer, (float *)(buffer + half), turns);
        }) / turns,
        "ns/turn");
  }
}

template <bool STORES, bool BARRIER>
static void loops() {
  loop<1, STORES, BARRIER>(), loop<2, STORES, BARRIER>(), loop<4, STORES, BARRIER>();
  loop<8, STORES, BARRIER>();
}

void measure_bursts() {
  blocks_that_move<float>(), blocks_that_move<float2>(), blocks_that_move<float4>();
  loops<false, false>(), loops<true, false>(), loops<false, true>(), loops<true, true>();
}
