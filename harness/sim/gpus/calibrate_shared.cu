// calibrate_shared.cu: wide accesses to shared memory and L1, and atomic operations whose lanes
// meet at the same places.
#include "calibrate.cuh"

enum where { IN_SHARED, IN_L1 };

template <class T, int WHERE, bool STORES>
__global__ void wide(T *in, int turns, long long *clocks) {
  __shared__ T own[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) own[i] = in[i];
  unsigned x = 0;
  START_CLOCK
#pragma unroll 1
  for (int i = 0; i < turns; i++) {
    unsigned v[8];
#pragma unroll
    for (int k = 0; k < 8; k++) {
      unsigned at = (threadIdx.x % 32 + k * 32 + x) * sizeof(T);
      if (WHERE == IN_SHARED) {
        unsigned p = (unsigned)__cvta_generic_to_shared((char *)own + at), a, b, c;
        if (STORES && sizeof(T) == 4) asm volatile("st.shared.u32 [%0], %1;" ::"r"(p), "r"(x));
        if (STORES && sizeof(T) == 8)
          asm volatile("st.shared.v2.u32 [%0], {%1, %1};" ::"r"(p), "r"(x));
        if (STORES && sizeof(T) == 16)
          asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(p), "r"(x));
        v[k] = 0;
        if (STORES) continue;
        if (sizeof(T) == 4) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[k]) : "r"(p));
        if (sizeof(T) == 8)
          asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(v[k]), "=r"(a) : "r"(p));
        if (sizeof(T) == 16)
          asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                       : "=r"(v[k]), "=r"(a), "=r"(b), "=r"(c)
                       : "r"(p));
      } else {
        const char *p = (const char *)in + at;
        unsigned a, b, c;
        if (sizeof(T) == 4) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[k]) : "l"(p));
        if (sizeof(T) == 8)
          asm volatile("ld.global.ca.v2.u32 {%0, %1}, [%2];" : "=r"(v[k]), "=r"(a) : "l"(p));
        if (sizeof(T) == 16)
          asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                       : "=r"(v[k]), "=r"(a), "=r"(b), "=r"(c)
                       : "l"(p));
      }
    }
#pragma unroll
    for (int k = 0; k < 8; k++) x |= v[k];
  }
  STOP_CLOCK(clocks)
  if (x == 12345) *(unsigned *)in = x;
}

template <class T>
static void measure_width() {
  enum { TURNS = 128 };
  auto *in = (T *)buffer;
  for (int warps : {1, 32}) {
    double requests = TURNS * 8.0 * warps;
    std::string parameter = text("%zu bytes a lane, %d warps", sizeof(T), warps);
    row("shared load", parameter,
        cycles([=] { wide<T, IN_SHARED, false><<<1, warps * 32>>>(in, TURNS, cycles_of_block); }) /
            requests,
        "cycle");
    row("shared store", parameter,
        cycles([=] { wide<T, IN_SHARED, true><<<1, warps * 32>>>(in, TURNS, cycles_of_block); }) /
            requests,
        "cycle");
    row("L1 load", parameter,
        cycles([=] { wide<T, IN_L1, false><<<1, warps * 32>>>(in, TURNS, cycles_of_block); }) /
            requests,
        "cycle");
  }
}

// `together` lanes of a warp add to the same word.
template <class T>
__global__ void add_shared(T *out, int together, int turns, long long *clocks) {
  __shared__ T sums[1024];
  sums[threadIdx.x] = 0;
  START_CLOCK
  T *place = sums + (threadIdx.x / 32 * 32 + threadIdx.x % 32 / together);
  for (int i = 0; i < turns; i++) atomicAdd(place, (T)(i & 1));
  STOP_CLOCK(clocks)
  if (sums[threadIdx.x] == (T)12345) out[0] = 1;
}
// Each lane adds to any of `words` words.
template <class T>
__global__ void add_shared_anywhere(T *out, int words, int turns, long long *clocks) {
  __shared__ T sums[1024];
  sums[threadIdx.x] = 0;
  unsigned h = threadIdx.x * 747796405u + 1;
  START_CLOCK
  for (int i = 0; i < turns; i++) {
    h = h * 1664525u + 1013904223u;
    atomicAdd(sums + (h >> 10) % words, (T)(i + 1));
  }
  STOP_CLOCK(clocks)
  if (sums[threadIdx.x] == (T)12345) out[0] = 1;
}
// The same with a constant 1, for which ptxas has an instruction of its own: ATOMS.POPC.INC.
__global__ void count_shared(int *out, int together, int turns, long long *clocks) {
  __shared__ int sums[1024];
  sums[threadIdx.x] = 0;
  START_CLOCK
  int *place = sums + (threadIdx.x / 32 * 32 + threadIdx.x % 32 / together);
  for (int i = 0; i < turns; i++) atomicAdd(place, 1);
  STOP_CLOCK(clocks)
  if (sums[threadIdx.x] == 12345) out[0] = 1;
}
// The same in global memory; `apart` words from place to place.
template <class T>
__global__ void add_global(T *out, int together, unsigned apart, unsigned mask, int turns) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < turns; i++)
    atomicAdd(out + ((thread / together + i * 1031u * 32) * apart & mask), (T)(i & 1));
}

template <class T>
static void measure_adds(const char *type) {
  enum { TURNS = 64 };
  auto *out = (T *)buffer;
  for (int words : {256, 1024})
    for (int warps : {1, 8, 32})
      row("shared atomic", text("%s, any of %d words, %d warps", type, words, warps),
          cycles([=] {
            add_shared_anywhere<<<1, warps * 32>>>(out, words, TURNS, cycles_of_block);
          }) / (TURNS * warps),
          "cycle");
  for (int together = 1; together <= 32; together *= 2) {
    for (int warps : {1, 32})
      row("shared atomic", text("%s, %d lanes together, %d warps", type, together, warps),
          cycles([=] { add_shared<<<1, warps * 32>>>(out, together, TURNS, cycles_of_block); }) /
              (TURNS * warps),
          "cycle");
    int blocks = sms * 2;
    for (unsigned apart : {1u, 8u})
      for (unsigned words : {1u << 10, 1u << 22}) {
        unsigned mask = words - 1;
        row("global atomic",
            text("%s, %d lanes together, %u words apart, of %u", type, together, apart, words),
            (double)blocks * 1024 * TURNS / queued_ns_of([=] {
              add_global<<<blocks, 1024>>>(out, together, apart, mask, TURNS);
            }),
            "lane/ns");
      }
  }
}

// Accesses whose predicate is false in all lanes (on: true), 16 in a row.
enum access { SHARED_LOAD, SHARED_STORE, GLOBAL_LOAD, GLOBAL_STORE, NO_ACCESS };
template <access ACCESS>
__global__ void predicated(int *out, int on, int turns, long long *clocks) {
  __shared__ int words[1024];
  words[threadIdx.x] = 0;
  unsigned at = (unsigned)__cvta_generic_to_shared(words + threadIdx.x);
  int *place = out + threadIdx.x, value = 0, sum = 0;
  START_CLOCK
#pragma unroll 1
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < 16; k++) {
#define PREDICATED(...) "{.reg .pred p; setp.ne.s32 p, %1, 0; @p " __VA_ARGS__ "}"
      if (ACCESS == SHARED_LOAD)
        asm volatile(PREDICATED("ld.volatile.shared.s32 %0, [%2];")
                     : "+r"(value)
                     : "r"(on), "r"(at));
      if (ACCESS == SHARED_STORE)
        asm volatile(PREDICATED("st.volatile.shared.s32 [%2], %0;")
                     : "+r"(value)
                     : "r"(on), "r"(at));
      if (ACCESS == GLOBAL_LOAD)
        asm volatile(PREDICATED("ld.global.s32 %0, [%2];") : "+r"(value) : "r"(on), "l"(place));
      if (ACCESS == GLOBAL_STORE)
        asm volatile(PREDICATED("st.global.s32 [%2], %0;") : "+r"(value) : "r"(on), "l"(place));
      if (ACCESS == NO_ACCESS)
        asm volatile(PREDICATED("xor.b32 %0, %0, %2;") : "+r"(value) : "r"(on), "r"(at));
      sum += value;
    }
  }
  STOP_CLOCK(clocks)
  if (sum == 12345) out[0] = 1;
}

template <access ACCESS>
static void measure_predicated(const char *name) {
  enum { TURNS = 16 };
  int *out = (int *)buffer;
  for (int on : {0, 1})
    row("predicated", text("%s, %s", name, on ? "on" : "off"),
        cycles([=] { predicated<ACCESS><<<1, 1024>>>(out, on, TURNS, cycles_of_block); }) /
            (TURNS * 16 * 32),
        "cycle");
}

static void measure_counts() {
  enum { TURNS = 64 };
  int *out = (int *)buffer;
  for (int together = 1; together <= 32; together *= 2)
    for (int warps : {1, 32})
      row("shared count", text("%d lanes together, %d warps", together, warps),
          cycles([=] { count_shared<<<1, warps * 32>>>(out, together, TURNS, cycles_of_block); }) /
              (TURNS * warps),
          "cycle");
}

void measure_shared() {
  measure_width<float>();
  measure_width<float2>();
  measure_width<float4>();
  measure_adds<int>("int");
  measure_adds<float>("float");
  measure_counts();
  measure_predicated<SHARED_LOAD>("shared load");
  measure_predicated<SHARED_STORE>("shared store");
  measure_predicated<GLOBAL_LOAD>("global load");
  measure_predicated<GLOBAL_STORE>("global store");
  measure_predicated<NO_ACCESS>("no access");
}
