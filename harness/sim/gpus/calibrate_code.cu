// calibrate_code.cu: what a warp takes for an instruction of a kernel that is longer than the
// instruction caches: of multiply-adds that do not wait for each other, again and again ("code"),
// and once ("code, once"), where each launch finds the code where the one before has left it.
#include "calibrate.cuh"

namespace {

// KI * 1024 instructions of 16 bytes.
template <int KI>
__global__ void straight(float *out, int turns, float y, long long *clocks) {
  float v[8];
  for (int c = 0; c < 8; c++) v[c] = out[c];
  START_CLOCK
#pragma unroll 1
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < KI * 128; k++)
#pragma unroll
      for (int c = 0; c < 8; c++) v[c] = fmaf(v[c], y, v[c]);
  }
  STOP_CLOCK(clocks)
  float sum = 0;
  for (float each : v) sum += each;
  if (sum == 1.2345f) out[0] = sum;
}

template <int KI>
void measure() {
  auto *out = (float *)buffer;
  for (int warps : {1, 4, 8, 16, 32}) {
    auto run = [=](int blocks, int turns) {
      return cycles(
          [=] { straight<KI><<<blocks, warps * 32>>>(out, turns, 0.5f, cycles_of_block); });
    };
    double each = KI * 1024.0, once = run(1, 1), more = run(1, 5);
    row("code", text("%d KiB, %d warps", KI * 16, warps), (more - once) / 4 / each, "cycle");
    row("code, once", text("%d KiB, %d warps", KI * 16, warps), once / each, "cycle");
    once = run(sms, 1), more = run(sms, 5);
    row("code", text("%d KiB, %d warps, all", KI * 16, warps), (more - once) / 4 / each, "cycle");
    row("code, once", text("%d KiB, %d warps, all", KI * 16, warps), once / each, "cycle");
  }
}

}  // namespace

void measure_code() {
  measure<1>(), measure<2>(), measure<4>(), measure<6>(), measure<8>(), measure<12>(),
      measure<16>();
}
