// calibrate_constants.cu: constant memory. "constant chain": cycles of a load of which each leads
// to the next, over bytes that are gone through again and again; "constant load": of loads that do
// not wait for each other, cycles an SM takes for each of a warp; of lanes that ask for different
// words.
#include "calibrate.cuh"

namespace {

__constant__ unsigned words[1 << 14];  // 64 KiB

// The lanes' address in bytes is the same for all; the next one is in the word there.
__global__ void chase(unsigned warm_up, int steps, const unsigned *zeros, unsigned *out,
                      long long *clocks) {
  unsigned at = zeros[threadIdx.x];
  for (unsigned i = 0; i < warm_up; i++) at = *(const unsigned *)((const char *)words + at);
  START_CLOCK
#pragma unroll 4
  for (int i = 0; i < steps; i++) at = *(const unsigned *)((const char *)words + at);
  STOP_CLOCK(clocks)
  out[threadIdx.x] = at;
}

// Loads of addresses that advance by a step and wrap around; each warp begins elsewhere.
template <int SPREAD>
__global__ void walk(int turns, unsigned step, unsigned mask, unsigned lane_step, unsigned *out,
                     long long *clocks) {
  unsigned at = ((threadIdx.x / 32 * 5 + 1) * step) & mask, sum = 0;
  unsigned lane = threadIdx.x % 32 % SPREAD * lane_step;
  for (int i = 0; i < 1024; i++)
    sum += *(const unsigned *)((const char *)words + ((at + (unsigned)i * step + lane) & mask));
  START_CLOCK
#pragma unroll 1
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < 8; k++) {
      sum += *(const unsigned *)((const char *)words + ((at + lane) & mask));
      at += step;
    }
  }
  STOP_CLOCK(clocks)
  out[threadIdx.x] = sum;
}

void chains() {
  for (int bytes = 512; bytes <= 64 << 10; bytes *= 2)
    for (int line : {32, 64, 256}) {
      if (bytes <= line) continue;
      int lines = bytes / line;
      std::vector<unsigned> image(1 << 14), order((size_t)lines);
      for (int i = 0; i < lines; i++) order[(size_t)i] = (unsigned)i;
      for (size_t i = (size_t)lines - 1; i > 0; i--)
        std::swap(order[i], order[(size_t)rand() % i]);  // one cycle
      for (int i = 0; i < lines; i++)
        image[(size_t)i * (size_t)line / 4] = order[(size_t)i] * (unsigned)line;
      check(cudaMemcpyToSymbol(words, image.data(), sizeof words), "cudaMemcpyToSymbol");
      auto *zeros = (const unsigned *)buffer;
      auto *out = (unsigned *)(buffer + 4096);
      enum { STEPS = 4096 };
      for (int warps : {1, 8, 32}) {
        if (warps > 1 && line != 64) continue;
        double all = cycles(
            [=] { chase<<<1, 32 * warps>>>((unsigned)lines, STEPS, zeros, out, cycles_of_block); });
        row("constant chain", text("%d bytes, lines of %d, %d warps", bytes, line, warps),
            all / STEPS, "cycle");
      }
    }
}

template <int SPREAD>
void walks(const char *name, unsigned lane_step) {
  enum { TURNS = 512 };
  auto *out = (unsigned *)(buffer + 4096);
  for (unsigned bytes : {1u << 10, 4u << 10, 16u << 10, 64u << 10})
    for (unsigned step : {4u, 64u, 256u})
      for (int warps : {1, 8, 32})
        for (int blocks : {1, sms}) {
          if (blocks > 1 && warps < 32) continue;
          double c = cycles([=] {
            walk<SPREAD>
                <<<blocks, warps * 32>>>(TURNS, step, bytes - 1, lane_step, out, cycles_of_block);
          });
          row("constant load",
              text("%s, %u bytes, step %u, %d warps%s", name, bytes, step, warps,
                   blocks > 1 ? ", all SMs" : ""),
              c / (TURNS * 8 * warps), "cycle");
        }
}

}  // namespace

void measure_constants() {
  chains();
  walks<1>("one word", 0);
  walks<2>("2 words of a line", 4);
  walks<8>("8 words of a line", 4);
  walks<32>("32 words of two lines", 4);
  walks<2>("2 words of 2 lines", 512);
  walks<8>("8 words of 8 lines", 512);
}
