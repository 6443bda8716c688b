// calibrate_local.cu: local memory: whether its stores write through, what it takes once L1 and L2
// are too small for it.
#include "calibrate.cuh"

enum mode { STORE, LOAD, BOTH };

// Each thread goes through an array of its own. The buffer holds zeros.
template <int WORDS, int MODE>
__global__ void local(unsigned *out, int turns, long long *clocks) {
  unsigned own[WORDS], x = *out;
  for (int i = 0; i < WORDS; i++) own[i] = x;
  asm volatile("" ::"l"(own) : "memory");
  START_CLOCK
#pragma unroll 1
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < 8; k++) {
      unsigned at = ((unsigned)i * 8 + k + x) % WORDS;
      if (MODE == STORE) own[at] = i;
      if (MODE == BOTH && k % 2) own[at] = x;
      if (MODE == LOAD || (MODE == BOTH && k % 2 == 0)) x += own[at];
    }
    asm volatile("" ::"l"(own) : "memory");
  }
  STOP_CLOCK(clocks)
  if (x) *out = x;
}

template <int WORDS, int MODE>
static void measure_array() {
  static const char *const names[] = {"store", "load", "both"};
  enum { TURNS = 64 };
  auto *out = (unsigned *)buffer;
  for (int warps : {1, 8, 32})
    row("local memory", text("%s, %d words, %d warps, one SM", names[MODE], WORDS, warps),
        cycles([=] { local<WORDS, MODE><<<1, warps * 32>>>(out, TURNS, cycles_of_block); }) /
            (TURNS * 8 * warps),
        "cycle");
  for (int warps :
       {8, 32, 64}) {  // the difference: without what a launch and the first stores take
    int blocks = warps > 32 ? sms * 2 : sms, threads = std::min(32, warps) * 32;
    auto ns = [=](int turns) {
      return queued_ns_of(
          [=] { local<WORDS, MODE><<<blocks, threads>>>(out, turns, cycles_of_block); });
    };
    row("local memory", text("%s, %d words, %d warps, all SMs", names[MODE], WORDS, warps),
        (ns(TURNS * 3) - ns(TURNS)) * ghz / (TURNS * 2 * 8 * warps), "cycle");
  }
}

template <int WORDS>
static void measure_words() {
  measure_array<WORDS, STORE>();
  measure_array<WORDS, LOAD>();
  measure_array<WORDS, BOTH>();
}

void measure_local() {
  measure_words<8>();
  measure_words<32>();
  measure_words<64>();
  measure_words<128>();
  measure_words<256>();
}
