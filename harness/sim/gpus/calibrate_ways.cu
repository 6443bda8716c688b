// calibrate_ways.cu: divisions, reciprocals and square roots whose operands are not ordinary ones:
// around them ptxas puts a branch to a function that takes care of zeros, denormal numbers and
// results near the ends of the range.
//
// "way": what it costs, cycles as in calibrate_functions.cu, with such operands in all lanes or in
// one. "quick division": by which divisors FCHK lets a warp divide without that function, from the
// first to the last of the exponents as they are stored, by the numerator's; 0: by none.
#include "calibrate.cuh"

namespace {

template <class T>
struct operands {
  T x, y;
};

// Lanes of the mask divide by odd.x, odd.y, the others by even.x, even.y. Each result leads to the
// next operand, which is always x: one multiply-add, which is subtracted.
template <class F, class T, int CHAINS>
__global__ void chain(T *out, int turns, operands<T> even, operands<T> odd, unsigned mask, T zero,
                      long long *clocks) {
  bool is_odd = mask >> threadIdx.x % 32 & 1;
  T x = is_odd ? odd.x : even.x, y = is_odd ? odd.y : even.y;
  T v[CHAINS], sum = 0;
  for (int c = 0; c < CHAINS; c++) v[c] = x + out[c] * zero;
  START_CLOCK
#pragma unroll 1
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < 4; k++)
#pragma unroll
      for (int c = 0; c < CHAINS; c++) v[c] = F::of(v[c], y) * zero + x;
  }
  STOP_CLOCK(clocks)
  for (T each : v) sum += each;
  if (sum == (T)1.2345) out[0] = sum;
}

struct nothing_else {
  template <class T>
  static __device__ T of(T x, T) {
    return x;
  }
};
struct quotient {
  template <class T>
  static __device__ T of(T x, T y) {
    return y / x;
  }
};
struct reciprocal {
  template <class T>
  static __device__ T of(T x, T) {
    return 1 / x;
  }
};
struct root {
  static __device__ float of(float x, float) { return sqrtf(x); }
  static __device__ double of(double x, double) { return sqrt(x); }
};
struct root_below {
  static __device__ float of(float x, float) { return rsqrtf(x); }
  static __device__ double of(double x, double) { return rsqrt(x); }
};

struct figures {
  double latency, issue, alone;
};

template <class F, class T>
figures cost(operands<T> even, operands<T> odd, unsigned mask) {
  enum { TURNS = 32, EACH = TURNS * 4 };
  auto *out = (T *)buffer;
  auto *to = cycles_of_block;
  T zero = 0;
  double one =
      cycles([=] { chain<F, T, 1><<<1, 32>>>(out, TURNS, even, odd, mask, zero, to); }) / EACH;
  double all = cycles([=] { chain<F, T, 4><<<1, 1024>>>(out, TURNS, even, odd, mask, zero, to); }) /
               (EACH * 4 * 8);
  double alone = cycles([=] { chain<F, T, 4><<<1, 32>>>(out, TURNS, even, odd, mask, zero, to); }) /
                 (EACH * 4);
  return {one, all, alone};
}

template <class F, class T>
void measure(const char *name, const char *which, double x, double y, double even_y = 0.3) {
  operands<T> ordinary = {(T)1.7, (T)even_y}, odd = {(T)x, (T)y};
  static const auto without = cost<nothing_else, T>(ordinary, ordinary, 0);
  const struct {
    const char *lanes;
    unsigned mask;
  } masks[] = {{"all lanes", ~0u}, {"a lane", 1u << 9}};
  for (auto &m : masks) {
    auto with = cost<F, T>(ordinary, odd, m.mask);
    std::string parameter = text("%s, %s, %s", name, which, m.lanes);
    row("way latency", parameter, std::max(0.0, with.latency - without.latency), "cycle");
    row("way issue", parameter, std::max(0.0, with.issue - without.issue), "cycle");
    row("way alone", parameter, std::max(0.0, with.alone - without.alone), "cycle");
  }
}

// ---- which divisors are quick ----

__device__ __forceinline__ float with_exponent(unsigned e) { return __uint_as_float(e << 23); }

// Each warp of the grid has a pair of exponents of its own: cycles of a chain of four divisions.
__global__ void pairs(float zero, float *out, unsigned *took) {
  float y = with_exponent(blockIdx.x / 256), x = with_exponent(blockIdx.x % 256), v = x;
  unsigned from = (unsigned)clock();
#pragma unroll
  for (int k = 0; k < 4; k++) v = x + (y / v == 1.2345f ? zero : 0);  // whatever the quotient is
  if (v == 1.2345f) out[0] = v;
  unsigned to = (unsigned)clock();
  if (threadIdx.x == 0) took[blockIdx.x] = to - from;
}

void quick_divisions() {
  enum { EXPONENTS = 256, PAIRS = EXPONENTS * EXPONENTS, TURNS = 3 };
  enum { FEW_BLOCKS = 48 << 10 };  // shared memory: no more than a warp for a scheduler
  auto *took = (unsigned *)(buffer + 4096);
  std::vector<unsigned> least(PAIRS, ~0u), now(PAIRS);
  for (int turn = 0; turn < TURNS; turn++) {
    pairs<<<PAIRS, 32, FEW_BLOCKS>>>(0, (float *)buffer, took);
    check(cudaMemcpy(now.data(), took, PAIRS * sizeof *took, cudaMemcpyDeviceToHost), "pairs");
    for (int i = 0; i < PAIRS; i++) least[i] = std::min(least[i], now[i]);
  }
  unsigned quickest = *std::min_element(least.begin(), least.end());
  for (int a = 0; a < EXPONENTS; a++) {
    if (a % 16 && a != 24 && a != 25 && a < 252) continue;
    int first = 0, last = 0;
    for (int b = 0; b < EXPONENTS; b++) {
      if (least[a * EXPONENTS + b] > 2 * quickest) continue;
      if (!last) first = b;
      last = b;
    }
    row("quick division", text("exponent %d, first divisor", a), first, "exponent");
    row("quick division", text("exponent %d, last divisor", a), last, "exponent");
  }
}

}  // namespace

void measure_ways() {
#define MEASURE(which, x, y) measure<quotient, float>("div.f32", which, x, y);
  MEASURE("ordinary", 1.7, 0.3)
  MEASURE("numerator 0", 1.7, 0.0)
  MEASURE("numerator denormal", 1.7, 1e-40)
  MEASURE("numerator small", 1.7, 1e-37)
  MEASURE("numerator large", 1.7, 2e38)
  MEASURE("divisor denormal", 1e-40, 1e-20)
  MEASURE("divisor small", 5e-38, 1e-20)
  MEASURE("divisor large", 2e38, 1e10)
  MEASURE("quotient denormal", 1e20, 1e-20)
  MEASURE("quotient small", 1e19, 3e-19)
  MEASURE("quotient large", 1e-18, 1e20)
  MEASURE("quotient 0", 1e30, 1e-30)
  measure<reciprocal, float>("rcp.f32", "ordinary", 1.7, 0);
  measure<reciprocal, float>("rcp.f32", "denormal", 2e-39, 0);
  measure<reciprocal, float>("rcp.f32", "large", 2e38, 0);
  measure<root, float>("sqrt.f32", "ordinary", 1.7, 0);
  measure<root, float>("sqrt.f32", "0", 0, 0);
  measure<root, float>("sqrt.f32", "denormal", 1e-40, 0);
  measure<root, float>("sqrt.f32", "small", 1e-35, 0);
  measure<root_below, float>("rsqrt.f32", "denormal", 1e-40, 0);
#define MEASURE_WIDE(which, x, y) measure<quotient, double>("div.f64", which, x, y);
  MEASURE_WIDE("ordinary", 1.7, 0.3)
  MEASURE_WIDE("numerator 0", 1.7, 0.0)
  MEASURE_WIDE("numerator denormal", 1.7, 1e-310)
  MEASURE_WIDE("numerator small", 1.7, 1e-300)
  MEASURE_WIDE("divisor denormal", 1e-310, 1e-100)
  MEASURE_WIDE("divisor large", 1e305, 1e10)
  MEASURE_WIDE("quotient denormal", 1e160, 1e-150)
  MEASURE_WIDE("quotient 0", 1e200, 1e-200)
  measure<reciprocal, double>("rcp.f64", "ordinary", 1.7, 0);
  measure<reciprocal, double>("rcp.f64", "denormal", 1e-308, 0);
  measure<reciprocal, double>("rcp.f64", "large", 1e308, 0);
  measure<root, double>("sqrt.f64", "ordinary", 1.7, 0);
  measure<root, double>("sqrt.f64", "0", 0, 0);
  measure<root, double>("sqrt.f64", "denormal", 1e-310, 0);
  measure<root, double>("sqrt.f64", "small", 1e-300, 0);
  measure<root_below, double>("rsqrt.f64", "ordinary", 1.7, 0);
  measure<root_below, double>("rsqrt.f64", "denormal", 1e-310, 0);

  quick_divisions();
}
