// calibrate_misses.cu: how long L1 is busy with loads of lines that it has not. "lines missing":
// each lane loads a word of a line of its own, of which so many are new and L2 has them; few SMs,
// so that L2 is no bound. "rows of lanes": each lane walks a row of its own, so many words a step.
// In cycles of the SM for each load of a warp.
#include "calibrate.cuh"

enum { TURNS = 256, UNROLL = 4, SMS = 8, WARPS = 16, WORDS = (16 << 20) / 4, STEPS = 120 };

__device__ float word_at(const float *at) {
  float word;
  asm volatile("ld.global.f32 %0, [%1];" : "=f"(word) : "l"(at));
  return word;
}

// Lanes below `fresh` load of lines that nobody has loaded for long, the others of known ones.
__global__ void load_lines(const float *all, const float *known, int fresh, float *out,
                           long long *to) {
  unsigned lane = threadIdx.x % 32, warps = gridDim.x * WARPS,
           warp = blockIdx.x * WARPS + threadIdx.x / 32, at = (warp * 32 + lane) * 32 + lane;
  float sum = word_at(known + lane * 33);
  START_CLOCK
#pragma unroll 1
  for (int t = 0; t < TURNS; t += UNROLL) {
    float word[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
      word[u] = word_at((int)lane < fresh ? all + at % WORDS : known + lane * 33);
      at += warps * 32 * 32;
    }
#pragma unroll
    for (int u = 0; u < UNROLL; u++) sum += word[u];
  }
  STOP_CLOCK(to)
  if (sum == 1234.5f) *out = sum;
}

__global__ void walk_rows(const float *all, int row, int step, float *out, long long *to) {
  const float *own = all + (size_t)(blockIdx.x * blockDim.x + threadIdx.x) * row;
  float sum = 0;
  START_CLOCK
#pragma unroll 4
  for (int t = 0; t < STEPS; t++) sum += own[t * step];
  STOP_CLOCK(to)
  if (sum == 1234.5f) *out = sum;
}

void measure_misses() {
  const float *all = (float *)buffer, *known = all + ((size_t)64 << 20);
  float *out = (float *)known + (16 << 20);
  for (int fresh : {0, 1, 2, 4, 8, 12, 16, 20, 24, 28, 32})
    row("lines missing", text("%d of 32", fresh),
        cycles([=] { load_lines<<<SMS, WARPS * 32>>>(all, known, fresh, out, cycles_of_block); }) /
            TURNS / WARPS,
        "cycle");
  for (int words : {500, 1000, 1001, 1004, 1023, 1032})
    for (int step : {1, 2, 4, 8})
      row("rows of lanes", text("of %d words, %d a step", words, step),
          cycles([=] { walk_rows<<<SMS, WARPS * 32>>>(all, words, step, out, cycles_of_block); }) /
              STEPS / WARPS,
          "cycle");
}
