// calibrate_reads.cu: what reading registers costs. A scheduler's register file has two banks, and
// an instruction whose operands lie in one must wait; operands that the instruction before it has
// read too need not be read again (model/plan_reads.c). Multiply-adds of three operands each, of
// which none is read again (sums of products of columns), one (an outer product, row by row), or
// two (a chain with constant factors), by two warps a scheduler.
#include "calibrate.cuh"

enum { ROUNDS = 500, THREADS = 256, WARPS_EACH = THREADS / 32 / 4 };

template <int EDGE>
__device__ void fill(float (&to)[EDGE], float from) {
  for (int i = 0; i < EDGE; i++) to[i] = from * (float)(threadIdx.x + i);
}
template <int EDGE>
__device__ void fill_otherwise(float (&to)[EDGE], float from) {
  for (int i = 0; i < EDGE; i++) to[i] = from + (float)((int)threadIdx.x * i);
}

template <int TURNS>
__global__ void __launch_bounds__(THREADS) chains(float *out, float y, long long *clocks) {
  float sums[8];
  fill(sums, y);
  START_CLOCK
#pragma unroll 1
  for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
    for (int i = 0; i < 8 * TURNS; i++) sums[i % 8] = fmaf(sums[i % 8], y, 0.25f);
  }
  STOP_CLOCK(clocks)
  for (float sum : sums)
    if (sum == 1.2345f) out[0] = sum;
}

template <int EDGE, int TURNS, bool OTHER>
__global__ void __launch_bounds__(THREADS) outer(float *out, float y, long long *clocks) {
  float rows[EDGE], columns[EDGE], sums[EDGE][EDGE] = {};
  fill(rows, y);
  if (OTHER)
    fill_otherwise(columns, y);
  else
    fill(columns, 1 / y);
  START_CLOCK
#pragma unroll 1
  for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
    for (int turn = 0; turn < TURNS; turn++)
#pragma unroll
      for (int i = 0; i < EDGE; i++)
#pragma unroll
        for (int j = 0; j < EDGE; j++) sums[i][j] = fmaf(rows[i], columns[j], sums[i][j]);
  }
  STOP_CLOCK(clocks)
  float total = 0;
  for (int i = 0; i < EDGE; i++)
    for (int j = 0; j < EDGE; j++)
      total = OTHER ? total + sums[i][j] * (float)(i + 3 * j + 1) : total * y + sums[i][j];
  if (total == 1.2345f) out[0] = total;
}

template <int COUNT, int TURNS>
__global__ void __launch_bounds__(THREADS) columns(float *out, float y, long long *clocks) {
  float a[COUNT], b[COUNT], sums[COUNT];
  fill(a, y);
  fill(b, 1 / y);
  fill(sums, y);
  START_CLOCK
#pragma unroll 1
  for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
    for (int turn = 0; turn < TURNS; turn++)
#pragma unroll
      for (int i = 0; i < COUNT; i++)
        sums[i] = fmaf(a[(i + 3 * turn) % COUNT], b[(i + 5 * turn) % COUNT], sums[i]);
  }
  STOP_CLOCK(clocks)
  float total = 0;
  for (float sum : sums) total = total * y + sum;
  if (total == 1.2345f) out[0] = total;
}

// Three additions in single precision beside each in double precision.
__global__ void __launch_bounds__(THREADS) beside_double(float *out, float y, long long *clocks) {
  float sums[6];
  double wide[2] = {y, 1 / y};
  fill(sums, y);
  START_CLOCK
#pragma unroll 1
  for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
    for (int turn = 0; turn < 32; turn++)
      asm volatile(
          "add.f64 %6, %6, %9;\n add.f32 %0, %0, %8;\n add.f32 %1, %1, %8;\n add.f32 %2, %2, %8;\n"
          "add.f64 %7, %7, %9;\n add.f32 %3, %3, %8;\n add.f32 %4, %4, %8;\n add.f32 %5, %5, %8;\n"
          : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3]), "+f"(sums[4]),
            "+f"(sums[5]), "+d"(wide[0]), "+d"(wide[1])
          : "f"(y), "d"((double)y));
  }
  STOP_CLOCK(clocks)
  float total = (float)(wide[0] + wide[1]);
  for (float sum : sums) total = total * y + sum;
  if (total == 1.2345f) out[0] = total;
}

void measure_reads() {
  auto *out = (float *)buffer;
  auto each = [](int instructions, const std::function<void()> &launch) {
    return cycles(launch) / (ROUNDS * (double)instructions * WARPS_EACH);
  };
  row("register reads", "none",
      each(256, [=] { chains<32><<<1, THREADS>>>(out, 1.5f, cycles_of_block); }), "cycle");
  row("register reads", "two of three, 4 x 4",
      each(64, [=] { outer<4, 4, false><<<1, THREADS>>>(out, 1.5f, cycles_of_block); }), "cycle");
  row("register reads", "two of three, 4 x 4, otherwise",
      each(64, [=] { outer<4, 4, true><<<1, THREADS>>>(out, 1.5f, cycles_of_block); }), "cycle");
  row("register reads", "two of three, 6 x 6",
      each(288, [=] { outer<6, 8, false><<<1, THREADS>>>(out, 1.5f, cycles_of_block); }), "cycle");
  row("register reads", "two of three, 6 x 6, otherwise",
      each(288, [=] { outer<6, 8, true><<<1, THREADS>>>(out, 1.5f, cycles_of_block); }), "cycle");
  row("register reads", "two of three, 8 x 8",
      each(256, [=] { outer<8, 4, false><<<1, THREADS>>>(out, 1.5f, cycles_of_block); }), "cycle");
  row("register reads", "two of three, 8 x 8, otherwise",
      each(256, [=] { outer<8, 4, true><<<1, THREADS>>>(out, 1.5f, cycles_of_block); }), "cycle");
  row("register reads", "three, 8",
      each(128, [=] { columns<8, 16><<<1, THREADS>>>(out, 1.5f, cycles_of_block); }), "cycle");
  row("register reads", "three, 16",
      each(64, [=] { columns<16, 4><<<1, THREADS>>>(out, 1.5f, cycles_of_block); }), "cycle");
  row("register reads", "three, 32",
      each(256, [=] { columns<32, 8><<<1, THREADS>>>(out, 1.5f, cycles_of_block); }), "cycle");
  row("beside fp64", "three add.f32 and an add.f64",
      each(64, [=] { beside_double<<<1, THREADS>>>(out, 1.5f, cycles_of_block); }), "cycle");
}
