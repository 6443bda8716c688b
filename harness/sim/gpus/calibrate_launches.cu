// calibrate_launches.cu: what a launch costs: alone between two events, back to back, queued; how a
// kernel that hardly does anything adds to it; code that is executed once.
#include "calibrate.cuh"

__global__ static void other() {}

// A chain of loads from L2, each of which waits for the last; the buffer holds zeros.
__global__ static void chain(const unsigned *in, unsigned *out, int loads, bool stores) {
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x, v = 0;
  for (int i = 0; i < loads; i++) v = __ldcg(in + ((at + i * 32 + v) & 0xfffff));
  if (stores || v) out[at] = v;
}

// As long a row of instructions as N says, without a loop.
template <int N>
__global__ void straight(float *out, float y) {
  float x[4] = {out[0], out[1], out[2], out[3]};
#pragma unroll
  for (int i = 0; i < N / 4; i++) {
    x[0] = fmaf(x[0], y, 0.25f), x[1] = fmaf(x[1], y, 0.5f);
    x[2] = fmaf(x[2], y, 0.75f), x[3] = fmaf(x[3], y, 1.25f);
  }
  if (x[0] + x[1] + x[2] + x[3] == 1.2345f) out[0] = x[0];
}

template <int N>
static void measure_code() {
  for (int warps : {1, 8, 32})
    row("straight code", text("%d instructions, %d warps an SM", N, warps),
        queued_ns_of([=] { straight<N><<<sms, warps * 32>>>((float *)buffer, 1.5f); }), "ns");
}

static double single(const std::function<void()> &launch) {
  std::vector<double> all;
  for (int i = 0; i < 51; i++) all.push_back(time_launches(launch, 1, false));
  return median(all);
}

void measure_launches() {
  row("event", "nothing between two", single([] {}), "ns");
  row("single launch", "empty", single([] { nothing<<<1, 32>>>(); }), "ns");
  for (int us : {5, 20, 100}) {
    auto clocks = (long long)(us * 1e3 * ghz);
    auto launch = [=] { spin<<<sms, 256>>>(clocks); };
    row("launch beyond its blocks", text("single, %d us", us), single(launch) - us * 1e3, "ns");
    row("launch beyond its blocks", text("back to back, %d us", us), ns_of(launch) - us * 1e3,
        "ns");
    row("launch beyond its blocks", text("queued, %d us", us), queued_ns_of(launch) - us * 1e3,
        "ns");
  }
  for (int blocks : {1, sms, sms * 8, sms * 64}) {
    auto launch = [=] { nothing<<<blocks, 256>>>(); };
    row("empty launch", text("back to back, %d blocks", blocks), ns_of(launch), "ns");
    row("empty launch", text("queued, %d blocks", blocks), queued_ns_of(launch), "ns");
  }
  row("empty launch", "queued, two kernels in turn", queued_ns_of([] {
                                                       nothing<<<1, 256>>>();
                                                       other<<<1, 256>>>();
                                                     }) / 2,
      "ns");
  auto *in = (const unsigned *)buffer;
  auto *out = (unsigned *)(buffer + (64 << 20));
  for (int blocks : {1, sms, sms * 8})
    for (int loads : {0, 1, 2, 4, 8, 16, 32})
      for (bool stores : {false, true})
        row("chain of loads",
            text("%d, %d blocks%s", loads, blocks, stores ? ", then a store" : ""),
            queued_ns_of([=] { chain<<<blocks, 256>>>(in, out, loads, stores); }), "ns");
  measure_code<256>();
  measure_code<1024>();
  measure_code<4096>();
  measure_code<16384>();
}
