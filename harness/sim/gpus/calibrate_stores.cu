// calibrate_stores.cu: stores of a warp that follow one another in the same sectors, as those of a
// structure's members do, and smaller elements; what goes through L1 behind stores; lines that are
// stored to while they are on their way; and atomic operations whose result is used.
#include "calibrate.cuh"

#include <stdint.h>

enum { BYTES = 24 << 20 };
enum : unsigned { OVERTAKEN = 512, NOWHERE = ~0u };

// Each lane has a record of so many words and stores the first few, one by one.
template <int WORDS, int STORED>
__global__ void store_members(float *out, unsigned records) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= records) return;
#pragma unroll
  for (int k = 0; k < STORED; k++)
    asm volatile("st.global.f32 [%0], %1;" ::"l"(out + (size_t)i * WORDS + k), "f"(1.0f + k));
}

template <int WORDS, int STORED>
static void records() {
  unsigned count = BYTES / 4 / WORDS, blocks = (count + 255) / 256;
  row("stores", text("%d of records of %d words", STORED, WORDS),
      count / 32 / queued_ns_of([=] {
        store_members<WORDS, STORED><<<blocks, 256>>>((float *)buffer, count);
      }),
      "warp/ns");
}

// The same of smaller elements, one after the other or in a loop.
template <class T, int COUNT, bool LOOP>
__global__ void store_elements(T *out, unsigned records, int count) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= records) return;
  volatile T *record = out + (size_t)i * COUNT;
  if (LOOP) {
#pragma unroll 1
    for (int k = 0; k < count; k++) record[k] = (T)(i + k);
  } else {
#pragma unroll
    for (int k = 0; k < COUNT; k++) record[k] = (T)(i + k);
  }
}

template <class T, int COUNT>
static void elements() {
  unsigned count = BYTES / sizeof(T) / COUNT, blocks = (count + 255) / 256;
  auto measure = [&](const char *how, auto kernel) {
    row("narrow stores", text("%d of %d bytes%s", COUNT, (int)sizeof(T), how),
        count / 32 / queued_ns_of([=] { kernel<<<blocks, 256>>>((T *)buffer, count, COUNT); }),
        "warp/ns");
  };
  measure("", store_elements<T, COUNT, false>);
  measure(", in a loop", store_elements<T, COUNT, true>);
}

// Each lane goes along a row of its own, word by word: loads, stores or both.
template <bool LOADS, bool STORES>
__global__ void walk_rows(float *rows, int words, int turns) {
  float *row = rows + (size_t)(blockIdx.x * blockDim.x + threadIdx.x) * words, value = 1, sum = 0;
#pragma unroll 1
  for (int i = 0; i < turns; i++) {
    if (LOADS) asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(row + i));
    if (STORES) asm volatile("st.global.f32 [%0], %1;" ::"l"(row + i + words / 2), "f"(value));
    if (!STORES) sum += value;
  }
  if (sum == 1234.5f) *row = sum;
}

template <bool LOADS, bool STORES>
static void behind(const char *what) {
  enum { WORDS = 1536, TURNS = 768, WARPS = 16 };
  double once =
             ns_of([] { walk_rows<LOADS, STORES><<<1, WARPS * 32>>>((float *)buffer, WORDS, 0); }),
         all = ns_of(
             [] { walk_rows<LOADS, STORES><<<1, WARPS * 32>>>((float *)buffer, WORDS, TURNS); });
  row("behind stores", text("%s, a row a lane", what), (all - once) / TURNS / WARPS, "ns/warp");
}

// Word after word, each loaded once the one before is there, and one stored after each load:
// `apart` from it, if `waits` once that is there. Of 32 lanes each line four times, as a whole.
template <bool WAITS>
__global__ void overtake_loads(unsigned *words, unsigned apart, unsigned *out, long long *to) {
  unsigned lane = threadIdx.x, sum = 0, word;
  START_CLOCK
#pragma unroll 1
  for (unsigned t = 0; t < OVERTAKEN; t++) {
    unsigned at = (blockDim.x > 1 ? t / 4 * 32 : t) + lane + sum;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(word) : "l"(words + at));
    if (WAITS) at += word;
    if (apart != NOWHERE)
      asm volatile("st.global.u32 [%0], %1;" ::"l"(words + (at ^ apart)), "r"(0));
    sum += word;
  }
  STOP_CLOCK(to)
  if (sum) *out = sum;
}

template <bool WAITS>
static void overtaken(const char *what, int lanes, unsigned apart) {
  unsigned *words = (unsigned *)buffer;
  row("overtaken", what,
      cycles([=] {
        overtake_loads<WAITS><<<1, lanes>>>(words, apart, words + (1 << 20), cycles_of_block);
      }) / OVERTAKEN,
      "cycle");
}

// Used: the place of the next one depends on it, though all results are 0.
__global__ void count_used(unsigned *bins, unsigned mask, int turns) {
  unsigned h = (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u + 1, sum = 0;
  for (int i = 0; i < turns; i++) {
    h = h * 1664525u + 1013904223u;
    sum += atomicAdd(bins + ((h >> 16 ^ h * 2654435769u >> 7) & mask), 0u);
  }
  if (sum) bins[0] = sum;
}

void measure_stores() {
  enum { TURNS = 64 };
  records<32, 32>(), records<16, 16>(), records<10, 10>(), records<6, 6>(), records<5, 5>();
  records<5, 2>(), records<7, 7>(), records<12, 12>(), records<20, 20>();
  records<8, 1>(), records<8, 2>(), records<8, 4>(), records<8, 8>();
  records<4, 1>(), records<4, 2>(), records<4, 4>();
  records<3, 1>(), records<3, 2>(), records<3, 3>();
  elements<uint8_t, 4>(), elements<uint8_t, 8>(), elements<uint8_t, 16>(), elements<uint8_t, 32>();
  elements<uint16_t, 2>(), elements<uint16_t, 4>(), elements<uint16_t, 8>();
  elements<uint32_t, 2>(), elements<uint32_t, 4>(), elements<uint64_t, 2>();
  behind<true, false>("loads"), behind<false, true>("stores"), behind<true, true>("both");
  check(cudaMemset(buffer, 0, buffer_bytes), "cudaMemset");
  overtaken<false>("words", 1, NOWHERE), overtaken<false>("words, stored elsewhere", 1, 1 << 16);
  overtaken<false>("words, stored to behind", 1, 0);
  overtaken<false>("words, another sector of the line", 1, 8);
  overtaken<true>("words, stored to once there", 1, 0);
  overtaken<false>("lines", 32, NOWHERE), overtaken<false>("lines, stored to behind", 32, 0);
  double lanes_all = sms * 2.0 * 1024 * TURNS;
  row("atomic", "1048576 words, results used",
      lanes_all /
          ns_of([] { count_used<<<sms * 2, 1024>>>((unsigned *)buffer, (1 << 20) - 1, TURNS); }),
      "lane/ns");
}
