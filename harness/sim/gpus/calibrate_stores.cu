// calibrate_stores.cu: stores of a warp that follow one another in the same sectors, as those of a
// structure's members do; and atomic operations whose result is used.
#include "calibrate.cuh"

enum { BYTES = 24 << 20 };

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
  check(cudaMemset(buffer, 0, buffer_bytes), "cudaMemset");
  double lanes_all = sms * 2.0 * 1024 * TURNS;
  row("atomic", "1048576 words, results used",
      lanes_all /
          ns_of([] { count_used<<<sms * 2, 1024>>>((unsigned *)buffer, (1 << 20) - 1, TURNS); }),
      "lane/ns");
}
