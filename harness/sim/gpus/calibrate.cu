// calibrate.cu: measures what the model of time needs to know about a GPU, and writes its
// description.
//
//     make calibrate                         on a machine with nvcc and a GPU: build/gpu.ini and
//     build/calibration.tsv
//
//     calibrate ROWS.tsv >DESCRIPTION.ini    ROWS: every measurement behind it: what, parameter,
//     value, unit
//
// Each figure of the model has a measurement made for it, and nothing else goes into it: no kernel
// of a lab, no fit. What is the SM's own is read off its clock, with one block; what the SMs share,
// off events around launches that fill the chip. All figures are medians of five. calibrate_*.cu
// measure more; where a program's host might not keep up, keys come from launches that are queued.
#include "calibrate.cuh"

// ---- launches and blocks ----

__global__ void takes_shared(float *out,
                             int k) {  // with so much dynamic shared memory that an SM holds few
  extern __shared__ char own[];
  if (k < 0) out[threadIdx.x] = own[threadIdx.x];
}

static void launches() {
  enum { LONG = 16000 };
  row("launch", "interval", ns_of([] { nothing<<<1, 32>>>(); }), "ns");
  row("launch", "gap", ns_of([] { spin<<<sms, 256>>>(LONG); }) - LONG / ghz, "ns");
  for (int threads = 32; threads <= 1024; threads *= 2)
    row("dispatch", text("%d threads", threads),
        (1 << 20) / ns_of([=] { nothing<<<1 << 20, threads>>>(); }), "block/ns");
  int most = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  cudaFuncSetAttribute(takes_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
  double few = ns_of([=] { takes_shared<<<sms * 64, 32, most>>>((float *)buffer, 1); });
  double many = ns_of([=] { takes_shared<<<sms * 512, 32, most>>>((float *)buffer, 1); });
  row("block", "turn", (many - few) / (512 - 64) * ghz, "cycle");
}

// ---- branches and barriers ----

template <int CHAIN>
__global__ void loop(float *out, int turns, float y, long long *clocks) {
  float x = out[0];
  START_CLOCK
#pragma unroll 1
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < CHAIN; k++) x = fmaf(x, y, 0.25f);
  }
  STOP_CLOCK(clocks)
  if (x == 1.2345f) out[0] = x;
}
__global__ void barriers(int turns, long long *clocks) {
  START_CLOCK
#pragma unroll 1
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < 8; k++) __syncthreads();
  }
  STOP_CLOCK(clocks)
}

static void control() {
  enum { TURNS = 1000 };
  auto *out = (float *)buffer;
  row("loop", "1 fma",
      cycles([=] { loop<1><<<1, 32>>>(out, TURNS, 1.5f, cycles_of_block); }) / TURNS, "cycle");
  row("loop", "16 fma",
      cycles([=] { loop<16><<<1, 32>>>(out, TURNS, 1.5f, cycles_of_block); }) / TURNS, "cycle");
  row("loop", "64 fma",
      cycles([=] { loop<64><<<1, 32>>>(out, TURNS, 1.5f, cycles_of_block); }) / TURNS, "cycle");
  for (int warps = 1; warps <= 32; warps *= 2)
    row("barrier", text("%d warps", warps),
        cycles([=] { barriers<<<1, 32 * warps>>>(TURNS, cycles_of_block); }) / (8 * TURNS),
        "cycle");
}

// ---- arithmetic ----

// Operation OP of x, y and z, which keeps x an ordinary number.
template <int OP>
__device__ __forceinline__ float step(float x, float y, float z) {
  int r, a = __float_as_int(x), b = __float_as_int(y), c = __float_as_int(z);
  float f;
  switch (OP) {
    case 0:
      return fmaf(x, y, z);
    case 1:
      asm volatile("mad.lo.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
      return __int_as_float(r);
    case 2:
      asm volatile("mul.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
      return __int_as_float(r);
    case 3:
      asm volatile("{.reg .pred p; setp.lt.s32 p, %1, %2; selp.b32 %0, %2, %3, p;}"
                   : "=r"(r)
                   : "r"(a), "r"(b), "r"(c));
      return __int_as_float(r);
    case 4:
      asm volatile("min.f32 %0, %1, %2;" : "=f"(f) : "f"(x), "f"(y));
      return f;
    case 5:
      asm volatile("popc.b32 %0, %1;" : "=r"(r) : "r"(a));
      return __int_as_float(r);
    case 6:
      asm volatile("cvt.rn.f32.s32 %0, %1;" : "=f"(f) : "r"(a));
      return f;
    case 7:
      return __int_as_float(__float2int_rn(x));
    case 8:
      asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(f) : "f"(x));
      return f;
    case 9:
      asm volatile("rsqrt.approx.f32 %0, %1;" : "=f"(f) : "f"(x));
      return f;
    case 10:
      return y / x;
    case 11:
      return sqrtf(x);
    case 12:
      return __int_as_float(b / a);
    case 13:
      return __int_as_float((int)((unsigned)b % (unsigned)a | 3u));
    case 14:
      return __shfl_xor_sync(0xffffffffu, x, 1);
    case 15:
      return expf(x);
    case 16:
      return sinf(x);
    case 17:
      return logf(x);
    case 18:
      return powf(x, y);
    case 19:
      return tanhf(x);
    case 20:
      asm volatile("ex2.approx.f32 %0, %1;" : "=f"(f) : "f"(-x)); /* else nothing is scaled */
      return f;
    case 21:
      asm volatile("lg2.approx.f32 %0, %1;" : "=f"(f) : "f"(x));
      return f;
    case 22:
      asm volatile("rcp.approx.f32 %0, %1;" : "=f"(f) : "f"(x));
      return f;
    case 23:
      asm volatile("sqrt.approx.f32 %0, %1;" : "=f"(f) : "f"(x));
      return f;
    case 24:
      asm volatile("sin.approx.f32 %0, %1;" : "=f"(f) : "f"(x));
      return f;
    case 25:
      asm volatile("div.approx.f32 %0, %1, %2;" : "=f"(f) : "f"(y), "f"(x));
      return f;
    default:
      return x;
  }
}
static const char *const step_names[] = {
    "fma.f32",     "mad.s32",     "mul.hi.u32", "setp, selp", "min.f32",    "popc",
    "cvt.f32.s32", "cvt.s32.f32", "ex2.ftz",    "rsqrt",      "div.rn.f32", "sqrt.rn.f32",
    "div.s32",     "rem.u32",     "shfl",       "expf",       "sinf",       "logf",
    "powf",        "tanhf",       "ex2",        "lg2",        "rcp.approx", "sqrt.approx",
    "sin.approx",  "div.approx"};
enum { STEPS = sizeof step_names / sizeof *step_names };
template <int OP>
__device__ __forceinline__ double step(double x, double y, double z) {
  long long r, a = __double_as_longlong(x), b = __double_as_longlong(y);
  switch (OP) {
    case 0:
      return fma(x, y, z);
    case 1:
      return y / x;
    case 2:
      return sqrt(x);
    case 3:
      asm volatile("mul.lo.s64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
      return __longlong_as_double(r);
    case 4:
      asm volatile("add.s64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
      return __longlong_as_double(r);
    case 5:
      return __longlong_as_double(b / a);
    default:
      return x;
  }
}
static const char *const double_names[] = {"fma.f64", "div.f64", "sqrt.f64",
                                           "mul.s64", "add.s64", "div.s64"};

template <class T, int OP, int CHAINS>
__global__ void arithmetic(T *out, int turns, T y, T z, long long *clocks) {
  T x[CHAINS], sum = 0;
  for (int i = 0; i < CHAINS; i++) x[i] = out[i] + (T)(threadIdx.x + 1);
  START_CLOCK
#pragma unroll 1
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < 16; k++)
#pragma unroll
      for (int c = 0; c < CHAINS; c++) x[c] = step<OP>(x[c], y, z);
  }
  STOP_CLOCK(clocks)
  for (T v : x) sum += v;
  if (sum == (T)1.2345) out[0] = sum;
}

// Latency: one warp, each operation waits for the last. Issue: cycles of a scheduler for an
// operation of a warp.
template <class T, int OP, int OPS>
static void arithmetics(const char *const *names) {
  enum { TURNS = 32 };
  auto *out = (T *)buffer;
  double one = cycles(
      [=] { arithmetic<T, OP, 1><<<1, 32>>>(out, TURNS, (T)1.5, (T)0.25, cycles_of_block); });
  double all = cycles(
      [=] { arithmetic<T, OP, 4><<<1, 1024>>>(out, TURNS, (T)1.5, (T)0.25, cycles_of_block); });
  row("alu latency", names[OP], one / (TURNS * 16), "cycle");
  row("alu issue", names[OP], all / (TURNS * 16 * 4 * 8), "cycle");
  if constexpr (OP + 1 < OPS) arithmetics<T, OP + 1, OPS>(names);
}

// ---- latencies: chains of pointers, in an order that nothing can foresee ----

__global__ void chase(void **at, int warm_up, int steps, bool cached, void **out,
                      long long *clocks) {
  auto next = [=](void **p) {
    return (void **)(cached ? __ldca((unsigned long long *)p) : __ldcg((unsigned long long *)p));
  };
  for (int i = 0; i < warm_up; i++) at = next(at);
  long long from = clock64();
  for (int i = 0; i < steps; i++) at = next(at);
  *clocks = clock64() - from;
  *out = at;
}
__global__ void chase_shared(int steps, unsigned *out, long long *clocks) {
  __shared__ unsigned next[64];
  for (int i = 0; i < 64; i++) next[i] = (unsigned)__cvta_generic_to_shared(next + (i + 33) % 64);
  unsigned at = next[0];
  long long from = clock64();
  for (int i = 0; i < steps; i++) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
  *clocks = clock64() - from;
  *out = at;
}

// The same, of random addresses in DRAM, with a look at the clock at every step: sums of a step's
// cycles and of their squares. Steps that took longer than any of DRAM does (a page that the TLB
// lacks) are left out.
__global__ void chase_spread(void **at, int steps, double *sums) {
  double count = 0, sum = 0, squares = 0;
  for (int i = 0; i < steps; i++) {
    long long begin = clock64();
    asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at)::"memory");
    if (!at) count = 1;
    double took = (double)(clock64() - begin);
    if (took > 1500) continue;
    count++, sum += took, squares += took * took;
  }
  sums[0] = count, sums[1] = sum, sums[2] = squares;
}

static void latencies() {
  static const struct {
    const char *name;
    size_t bytes;
    bool cached;
  } places[] = {{"L1", 8 << 10, true}, {"L2", 2 << 20, false}, {"DRAM", (size_t)1 << 30, false}};
  enum { STEPS = 20000 };
  void **out;
  check(cudaMalloc(&out, sizeof *out), "cudaMalloc");
  for (auto &place : places) {
    size_t lines = place.bytes / 128;
    std::vector<size_t> order(lines);
    std::vector<char> image(place.bytes);
    for (size_t i = 0; i < lines; i++) order[i] = i;
    for (size_t i = lines - 1; i > 0; i--)
      std::swap(order[i], order[((size_t)rand() << 16 ^ (size_t)rand()) % i]);  // one cycle
    for (size_t i = 0; i < lines; i++) *(char **)&image[i * 128] = buffer + order[i] * 128;
    cudaMemcpy(buffer, image.data(), place.bytes, cudaMemcpyHostToDevice);
    int warm_up = place.bytes > ((size_t)1 << 26) ? 0 : (int)lines;
    if (!warm_up)
      cudaMemset(buffer + place.bytes, 0, (size_t)1 << 30);  // nothing of it stays in L2
    row("latency", place.name,
        cycles([&] {
          chase<<<1, 1>>>((void **)(buffer + (warm_up ? 0 : rand() % lines * 128)), warm_up, STEPS,
                          place.cached, out, cycles_of_block);
        }) / STEPS,
        "cycle");
    if (!warm_up) {
      double *sums, read[3];
      check(cudaMalloc(&sums, sizeof read), "cudaMalloc");
      chase_spread<<<1, 1>>>((void **)(buffer + rand() % lines * 128), STEPS, sums);
      check(cudaMemcpy(read, sums, sizeof read, cudaMemcpyDeviceToHost), "chase_spread");
      double mean = read[1] / read[0];
      row("latency", "DRAM, standard deviation", std::sqrt(read[2] / read[0] - mean * mean),
          "cycle");
      cudaFree(sums);
    }
    cudaMemset(buffer, 0, place.bytes);
  }
  row("latency", "shared",
      cycles([=] { chase_shared<<<1, 1>>>(STEPS, (unsigned *)out, cycles_of_block); }) / STEPS,
      "cycle");
  cudaFree(out);
}

// ---- throughput of memory ----

enum access { LOAD_L1, LOAD, STORE, LOAD_SHARED };
struct lanes {
  int offset[32];  // bytes
};

static lanes apart(int bytes) {
  lanes l;
  for (int i = 0; i < 32; i++) l.offset[i] = i * bytes;
  return l;
}
// `lines` lines of a request, 128 bytes apart, `sectors` sectors of each; lanes share them evenly,
// side by side.
static lanes in_lines(int lines, int sectors) {
  lanes l;
  int places = lines * sectors, each = 32 / places;
  for (int i = 0; i < 32; i++) {
    int place = i / each;
    l.offset[i] = place / sectors * 128 + place % sectors * 32 + i % each * 4;
  }
  return l;
}

template <int ACCESS>
__device__ __forceinline__ unsigned touch(char *p) {
  unsigned v = 0;
  if (ACCESS == LOAD_L1) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  if (ACCESS == LOAD) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  if (ACCESS == STORE) asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
  if (ACCESS == LOAD_SHARED)
    asm volatile("ld.shared.u32 %0, [%1];"
                 : "=r"(v)
                 : "r"((unsigned)__cvta_generic_to_shared(p))
                 : "memory");
  return v;
}

// The same places again and again, in L1 or shared memory: cycles a request.
template <int ACCESS>
__global__ void again(char *in, lanes l, int turns, long long *clocks) {
  extern __shared__ char own[];
  for (int i = threadIdx.x; i < 40 << 8; i += blockDim.x) ((int *)own)[i] = 0;
  unsigned x = 0;
  char *base = ACCESS == LOAD_SHARED ? own : in;
  START_CLOCK
#pragma unroll 1
  for (int i = 0; i < turns; i++) {
    unsigned v[8];
    char *p = base + l.offset[threadIdx.x % 32] + x;  // x is 0, but who knows
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = touch<ACCESS>(p + k * 512);
#pragma unroll
    for (int k = 0; k < 8; k++) x ^= v[k];
  }
  STOP_CLOCK(clocks)
  if (x == 12345) in[0] = 1;
}

// Warp w's request i is (w + i * warps) * span from the start of a buffer, a power of two.
template <int ACCESS, int IN_FLIGHT>
__global__ void stream(char *base, lanes l, unsigned span, size_t mask, int turns) {
  unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, warps = gridDim.x * blockDim.x / 32,
           x = 0;
  size_t at = (size_t)warp * span + l.offset[threadIdx.x % 32], all = (size_t)warps * span;
#pragma unroll 1
  for (int i = 0; i < turns; i += IN_FLIGHT) {
    unsigned v[IN_FLIGHT];
#pragma unroll
    for (int k = 0; k < IN_FLIGHT; k++) v[k] = touch<ACCESS>(base + (at + k * all & mask));
    at += IN_FLIGHT * all;
#pragma unroll
    for (int k = 0; k < IN_FLIGHT; k++) x ^= v[k];
  }
  if (x == 12345) base[0] = 1;
}
template <int ACCESS, int IN_FLIGHT>
static double requests_per_ns(lanes l, unsigned span, size_t bytes, int blocks, int threads,
                              int turns) {
  double ns = ns_of(
      [=] { stream<ACCESS, IN_FLIGHT><<<blocks, threads>>>(buffer, l, span, bytes - 1, turns); });
  return (double)blocks * threads / 32 * turns / ns;
}

// The same with 8 or 16 bytes a lane.
template <class T>
__global__ void again_wide(const char *in, lanes l, int turns, unsigned *out, long long *clocks) {
  unsigned x = 0;
  START_CLOCK
#pragma unroll 1
  for (int i = 0; i < turns; i++) {
    T v[8];
    const char *p = in + l.offset[threadIdx.x % 32] + x;  // x is 0, but who knows
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = __ldg((const T *)(p + k * 512));
#pragma unroll
    for (int k = 0; k < 8; k++) x ^= v[k].x ^ v[k].y;
  }
  STOP_CLOCK(clocks)
  if (x == 12345) out[0] = 1;
}

// In each part of a warp that moves 128 bytes, and of parts to one another.
template <class T>
static void wide_lanes() {
  enum { TURNS = 64, BYTES = sizeof(T), PART = 128 / BYTES, LINE = 128 };
  auto measure = [](const char *how, auto offset) {
    lanes l;
    for (int i = 0; i < 32; i++) l.offset[i] = offset(i);
    row("L1 wide", text("%d bytes, %s", BYTES, how),
        cycles([=] {
          again_wide<T>
              <<<1, 1024>>>(buffer, l, TURNS, (unsigned *)(buffer + (1 << 20)), cycles_of_block);
        }) / (TURNS * 8 * 32),
        "cycle");
  };
  measure("one place", [](int) { return 0; });
  measure("side by side", [](int i) { return i * BYTES; });
  measure("two places apart", [](int i) { return i * 2 * BYTES; });
  measure("a line apart", [](int i) { return i * LINE; });
  measure("a line and a place apart", [](int i) { return i * (LINE + BYTES); });
  measure("parts alike, a line apart", [](int i) { return i % PART * LINE; });
  measure("parts alike, side by side", [](int i) { return i % PART * BYTES; });
  measure("parts side by side, lanes a line apart",
          [](int i) { return i % PART * LINE + i / PART * BYTES; });
  measure("pairs side by side, a line apart", [](int i) { return i / 2 * LINE + i % 2 * BYTES; });
  measure("pairs alike, a line apart", [](int i) { return i / 2 * LINE; });
  measure("fours alike, a line apart", [](int i) { return i / 4 * LINE; });
}

static void caches() {
  wide_lanes<uint2>();
  wide_lanes<uint4>();
  enum { TURNS = 64, REQUESTS = TURNS * 8 * 32, L2_BYTES = 16 << 20 };
  for (int words :
       {0, 1, 2, 3, 4, 5, 8, 16, 17, 31, 32, 33, 36, 40, 63, 64, 65, 100, 128, 129, 250, 1000}) {
    row("L1 stride", text("%d words", words),
        cycles([=] {
          again<LOAD_L1><<<1, 1024, 40 << 10>>>(buffer, apart(words * 4), TURNS, cycles_of_block);
        }) / REQUESTS,
        "cycle");
    if (words <= 250)
      row("shared stride", text("%d words", words),
          cycles([=] {
            again<LOAD_SHARED>
                <<<1, 1024, 40 << 10>>>(buffer, apart(words * 4), TURNS, cycles_of_block);
          }) / REQUESTS,
          "cycle");
  }
  static const int shapes[][2] = {{1, 4}, {4, 4}, {8, 4}, {8, 3}, {16, 2}, {8, 1}, {32, 1}};
  for (auto &s : shapes)
    for (int blocks : {1, sms * 2}) {
      std::string parameter =
          text("%s, %d lines of %d sectors", blocks == 1 ? "one SM" : "all SMs", s[0], s[1]);
      int turns = 4096 / s[0];
      row("L2 load", parameter,
          s[0] * requests_per_ns<LOAD, 8>(in_lines(s[0], s[1]), s[0] * 128, L2_BYTES, blocks, 1024,
                                          turns),
          "line/ns");
      row("L2 store", parameter,
          s[0] * requests_per_ns<STORE, 8>(in_lines(s[0], s[1]), s[0] * 128, L2_BYTES, blocks, 1024,
                                           turns),
          "line/ns");
    }
}

// As a transpose of 1024 x 1024 stores: a few words of each of many lines, and the next warp the
// words beside them.
static void columns() {
  for (int words : {1, 2, 4}) {
    lanes l;
    for (int i = 0; i < 32; i++) l.offset[i] = i / words * 4096 + i % words * 4;
    row("L2 store", text("columns, %d words", words),
        32 / words * requests_per_ns<STORE, 8>(l, words * 4, 16 << 20, sms * 2, 1024, 256),
        "line/ns");
  }
}

__global__ void count(unsigned *bins, unsigned mask, int turns) {
  unsigned h = (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u + 1;
  for (int i = 0; i < turns; i++) {
    h = h * 1664525u + 1013904223u;
    atomicAdd(bins + ((h >> 16 ^ h * 2654435769u >> 7) & mask), 1u);
  }
}
// Each lane a word of its own in one line: a request of four sectors.
__global__ void count_row(unsigned *bins, int turns) {
  for (int i = 0; i < turns; i++) atomicAdd(bins + threadIdx.x % 32, 1u + (unsigned)i);
}
__global__ void random_loads(const float *in, float *out, unsigned mask, int turns) {
  unsigned h = (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u + 1;
  float sum = 0;
  for (int i = 0; i < turns; i += 4) {
    float v[4];
    for (float &x : v) {
      h = h * 1664525u + 1013904223u;
      x = in[(h >> 16 ^ h * 2654435769u >> 2) & mask];
    }
    for (float x : v) sum += x;
  }
  if (sum == 1.2345f) *out = sum;
}
__global__ void random_stores(float *out, unsigned mask, int turns) {
  unsigned h = (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u + 1;
  for (int i = 0; i < turns; i++) {
    h = h * 1664525u + 1013904223u;
    out[(h >> 16 ^ h * 2654435769u >> 2) & mask] = i;
  }
}

static void random_places() {
  enum { TURNS = 64 };
  int blocks = sms * 2;
  double lanes_all = (double)blocks * 1024 * TURNS;
  auto *p = (unsigned *)buffer;
  for (unsigned words : {1u, 2u, 4u, 16u, 64u, 256u, 1024u, 65536u, 1u << 20})
    row("atomic", text("%u words", words),
        lanes_all / ns_of([=] { count<<<blocks, 1024>>>(p, words - 1, TURNS); }), "lane/ns");
  row("atomic", "a row of 32 words",
      lanes_all / ns_of([=] { count_row<<<blocks, 1024>>>(p, TURNS); }), "lane/ns");
  for (size_t mib : {16, 64, 256, 1024}) {
    unsigned mask = (unsigned)((mib << 20) / 4 - 1);
    row("random load", text("%zu MiB", mib),
        lanes_all / ns_of([=] {
          random_loads<<<blocks, 1024>>>((float *)buffer, (float *)buffer, mask, TURNS);
        }),
        "lane/ns");
    row("random store", text("%zu MiB", mib),
        lanes_all / ns_of([=] { random_stores<<<blocks, 1024>>>((float *)buffer, mask, TURNS); }),
        "lane/ns");
  }
}

// ---- DRAM, and what L2 keeps ----

__global__ void copy(const float4 *in, float4 *out) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
// Every warp copies lines, one after the other: as many loads are under way as there are warps.
__global__ void copy_loop(const char *in, char *out, int turns) {
  size_t at = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 4,
         all = (size_t)gridDim.x * blockDim.x * 4;
  for (int i = 0; i < turns; i++, at += all)
    *(float *)(out + at) = __ldcg((const float *)(in + at));
}

static const int copied_mib[] = {8,  12, 16, 20, 24, 28,  32,  36,  40,
                                 44, 48, 56, 64, 96, 128, 256, 1024};

static void memory() {
  enum { TURNS = 256 };
  const size_t half = buffer_bytes / 2;
  for (int mib : copied_mib) {
    size_t count = ((size_t)mib << 20) / 2 / sizeof(float4);
    double ns = ns_of([=] {
      copy<<<(unsigned)(count / 256), 256>>>((float4 *)buffer, (float4 *)(buffer + half));
    });
    row("copy", text("%d MiB", mib),
        (double)(count * 2 * sizeof(float4)) / (ns - value("launch", "gap")), "byte/ns");
  }
  for (int warps : {4, 16, 32, 64}) {
    int blocks = warps > 32 ? sms * 2 : sms, threads = std::min(1024, warps * 32);
    double lines = (double)sms * warps * TURNS;
    row("load loop", text("%d warps an SM", warps),
        requests_per_ns<LOAD, 1>(apart(4), 128, half, blocks, threads, TURNS), "line/ns");
    row("copy loop", text("%d warps an SM", warps),
        lines / ns_of([=] { copy_loop<<<blocks, threads>>>(buffer, buffer + half, TURNS); }),
        "line/ns");
  }
  row("load loop", "most",
      4 * requests_per_ns<LOAD, 8>(in_lines(4, 4), 512, half, sms * 2, 1024, TURNS), "line/ns");
}

// ---- the description ----

// The latency of DRAM that a loop shows with so many warps an SM, ns.
static double loop_latency(const char *what, int warps) {
  return sms * warps / value(what, text("%d warps an SM", warps));
}

// By how much DRAM's latency grows if it is half busy: latency = base + this * busy / (1 - busy).
static double queue(const char *what, double most) {
  double busy = value(what, "64 warps an SM") / most, few = value(what, "16 warps an SM") / most;
  return (loop_latency(what, 64) - loop_latency(what, 16)) / (busy / (1 - busy) - few / (1 - few));
}

// Of a mix of reads and writes, MiB up to which launches find nearly all in L2, and from which on
// nearly all comes from DRAM.
static double traffic_rate(const char *mix, int mib) {
  double bytes = (double)mib * (1 << 20);
  return bytes / (bytes / value("traffic", text("%s, %d MiB", mix, mib)) -
                  value("launch beyond its blocks", "queued, 5 us"));
}
static int traffic_kept(const char *mix) {
  double best = 0;
  int kept = 0;
  for (int mib : mixed_mib) best = std::max(best, traffic_rate(mix, mib));
  for (int mib : mixed_mib)
    if (traffic_rate(mix, mib) >= 0.85 * best) kept = mib;
  return kept;
}
static int traffic_lost(const char *mix) {
  double dram = value("traffic", text("%s, 2048 MiB", mix));
  int lost = 0;
  for (int mib : mixed_mib)
    if (!lost && mib > traffic_kept(mix) && traffic_rate(mix, mib) <= 1.1 * dram) lost = mib;
  return lost;
}

static void describe(const cudaDeviceProp &p) {
  int memory_khz = 0, blocks = 0;
  cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, 0);
  cudaDeviceGetAttribute(&blocks, cudaDevAttrMaxBlocksPerMultiprocessor, 0);
  printf(
      "; %s: cudaGetDeviceProperties, and what gpus/calibrate.cu measured (make "
      "calibrate).\n[gpu]\n",
      p.name);
  printf("name = %s\ncompute_major = %d\ncompute_minor = %d\nsm_count = %d\nclock_khz = %.0f\n",
         p.name, p.major, p.minor, p.multiProcessorCount, ghz * 1e6);
  printf("memory_clock_khz = %d\nmemory_bus_bits = %d\nmemory_mib = %zu\nl2_mib = %d\n", memory_khz,
         p.memoryBusWidth, p.totalGlobalMem >> 20, p.l2CacheSize >> 20);
  printf("max_threads_per_block = %d\nmax_threads_per_sm = %d\nmax_blocks_per_sm = %d\n",
         p.maxThreadsPerBlock, p.maxThreadsPerMultiProcessor, blocks);
  printf("registers_per_block = %d\nregisters_per_sm = %d\n", p.regsPerBlock,
         p.regsPerMultiprocessor);
  printf("shared_per_block = %zu\nshared_per_block_optin = %zu\nshared_per_sm = %zu\n[model]\n",
         p.sharedMemPerBlock, p.sharedMemPerBlockOptin, p.sharedMemPerMultiprocessor);

  auto line = [](const char *why, const char *key, double v) {
    printf("; %s\n%s = %.4g\n", why, key, v);
  };
  line("ns from one small launch to the next; ns that a launch takes beyond its blocks",
       "launch_interval_ns", value("empty launch", "queued, 1 blocks"));
  printf("launch_gap_ns = %.4g\n", value("launch beyond its blocks", "queued, 5 us"));
  line(
      "blocks started a ns; cycles from the end of a block to the start of the next one in its "
      "place",
      "blocks_per_ns", value("dispatch", "128 threads"));
  printf("block_turn_cycles = %.4g\n", value("block", "turn") - 20);  // of its own instructions
  auto more = [](const char *what, const char *most, const char *least, double steps) {
    return (value(what, most) - value(what, least)) / steps;
  };
  line("cycles from the start of a warp to that of the next one of its block", "block_warp_cycles",
       more("block turn", "1024 threads, 1 an SM", "32 threads, 1 an SM", 31));
  double fma = (value("loop", "64 fma") - value("loop", "16 fma")) / 48,
         turn = value("loop", "16 fma") - 15 * fma - 1;
  line("cycles of a branch that is taken; and from a comparison to the branch", "branch_cycles",
       turn);
  printf("predicate_cycles = %.4g\n", value("loop", "1 fma") - 2 * fma - turn);
  auto longer = [](std::initializer_list<const char *> ways) {
    double sum = 0;
    for (const char *way : ways) sum += value("register reads", way);
    return sum / (double)ways.size() - value("register reads", "none");
  };
  line(
      "cycles more of an instruction with three operands, of which it must read two from the "
      "register file; three",
      "two_reads_cycles",
      longer({"two of three, 4 x 4", "two of three, 4 x 4, otherwise", "two of three, 6 x 6",
              "two of three, 6 x 6, otherwise", "two of three, 8 x 8",
              "two of three, 8 x 8, otherwise"}));
  printf("three_reads_cycles = %.4g\n", longer({"three, 8", "three, 16", "three, 32"}));
  double warp = (value("barrier", "32 warps") - value("barrier", "1 warps")) / 31;
  line("cycles of a barrier: once all warps are there; for each warp", "barrier_cycles",
       value("barrier", "1 warps") - warp - 1);
  printf("barrier_warp_cycles = %.4g\n", warp);
  line(
      "atomics on shared memory, cycles for each lane at one address: of integers; of floats, "
      "which "
      "are loops, and how long one takes",
      "shared_add_cycles",
      more("shared atomic", "int, 32 lanes together, 32 warps", "int, 1 lanes together, 32 warps",
           31));
  printf("shared_loop_cycles = %.4g\nshared_loop_latency = %.4g\n",
         more("shared atomic", "float, 32 lanes together, 32 warps",
              "float, 1 lanes together, 32 warps", 31),
         more("shared atomic", "float, 32 lanes together, 1 warps",
              "float, 1 lanes together, 1 warps", 31));
  line("cycles of L1 for a load of a line: between those of two loops", "l1_line_cycles",
       (value("L1 stride", "1 words") + value("L1 load", "4 bytes a lane, 32 warps")) / 2);
  line("latencies of a load, cycles", "shared_latency", value("latency", "shared"));
  printf("l1_latency = %.4g\nl2_latency = %.4g\n", value("latency", "L1"), value("latency", "L2"));
  line("DRAM's: of lines, not words, that two warps of each SM ask for: what it takes beyond L2",
       "dram_latency",
       value("latency", "L2") + ghz * 2 * sms *
                                    (1 / value("loads in flight", "DRAM, 2 warps an SM, 1 each") -
                                     1 / value("loads in flight", "L2, 2 warps an SM, 1 each")));
  line("cycles of an SM's way to L2: for a line; for a sector that comes; for a unit of a store",
       "sm_line_cycles", ghz / value("L2 load", "one SM, 32 lines of 1 sectors"));
  printf("sm_sector_cycles = %.4g\nsm_store_cycles = %.4g\n",
         ghz / value("L2 load", "one SM, 8 lines of 4 sectors") / 4,
         ghz / value("L2 store", "one SM, 1 lines of 4 sectors") / 4);
  line("L2, all SMs: lines a ns at most; sectors a ns; units of stores, one a sector",
       "l2_lines_per_ns", value("L2 load", "all SMs, 32 lines of 1 sectors"));
  double units = 4 * value("L2 store", "all SMs, 1 lines of 4 sectors");
  printf("l2_sectors_per_ns = %.4g\nl2_store_units_per_ns = %.4g\n",
         4 * value("L2 load", "all SMs, 8 lines of 4 sectors"), units);
  double each = 0;  // a line of one sector takes a unit, and so much for each of the 7 or 6 words
                    // that it leaves out
  for (int words : {1, 2})
    each += (units / value("L2 store", text("columns, %d words", words)) - 1) / (8 - words) / 2;
  line("units more for each word that a store leaves out of a sector", "l2_missing_word", each);
  line("atomic operations: sectors a ns; if their results are used; ns of each at one address",
       "l2_atomics_per_ns", value("atomic", "1048576 words"));
  printf("l2_returning_atomics_per_ns = %.4g\n", value("atomic", "1048576 words, results used"));
  double one = 1 / value("atomic", "1 words");
  printf("l2_atomic_ns = %.4g\n", one);
  line("ns of each further sector of a request, and of sectors of which no word is left out",
       "l2_atomic_next_ns", (32 / value("atomic", "a row of 32 words") - one) / 3);
  line("ns until a floating-point number can be added to the same word again", "l2_atomic_sum_ns",
       value("atomic random", "f32, 1 words") / 32);
  double l2 = p.l2CacheSize >> 20;
  line("of L2's size: what stays there from launch to launch; from where nothing does", "l2_keeps",
       traffic_kept("1 reads, 1 writes") / l2);
  printf("l2_loses = %.4g\n", traffic_lost("1 reads, 1 writes") / l2);
  line("the same of launches that only read", "l2_keeps_reads",
       traffic_kept("1 reads, 0 writes") / l2);
  printf("l2_loses_reads = %.4g\n", traffic_lost("1 reads, 0 writes") / l2);
  double dram = value("traffic", "1 reads, 1 writes, 2048 MiB");
  line("DRAM, bytes a ns: as many read as written; all read, all written", "dram_bytes_per_ns",
       dram);
  printf("dram_reads_per_ns = %.4g\ndram_writes_per_ns = %.4g\n",
         value("traffic", "1 reads, 0 writes, 2048 MiB"),
         value("traffic", "0 reads, 1 writes, 2048 MiB"));
  puts("; sectors a ns that lie anywhere, loaded and stored in part");
  printf("dram_random_loads_per_ns = %.4g\ndram_random_stores_per_ns = %.4g\n",
         value("random load", "1024 MiB"), value("random store", "1024 MiB"));
  double reads = queue("load loop", value("load loop", "most")),
         mixed = queue("copy loop", dram / 256);
  line("ns by which its latency grows if it is half busy: with loads; more with as many stores",
       "dram_queue_ns", reads);
  printf("dram_mixed_queue_ns = %.4g\n", std::max(1.0, mixed - reads));
  line(
      "cycles of its latency that differ from line to line, on average: an Erlang distribution of "
      "two steps",
      "dram_spread_cycles", std::sqrt(2) * value("latency", "DRAM, standard deviation"));
}

int main(int argc, char **argv) {
  if (argc != 2 || !(rows = fopen(argv[1], "w"))) {
    fprintf(stderr, "use: calibrate ROWS.tsv >DESCRIPTION.ini\n");
    return 2;
  }
  cudaDeviceProp p;
  int khz = 0;
  check(cudaGetDeviceProperties(&p, 0), "no GPU");
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0);
  sms = p.multiProcessorCount;
  ghz = khz * 1e-6;
  fprintf(rows, "# %s, %d SMs, %d MHz: gpus/calibrate.cu\nwhat\tparameter\tvalue\tunit\n", p.name,
          sms, khz / 1000);
  check(cudaMalloc(&buffer, buffer_bytes), "8 GiB of device memory");
  check(cudaMemset(buffer, 0, buffer_bytes), "cudaMemset");
  check(cudaMalloc(&cycles_of_block, sizeof *cycles_of_block), "cudaMalloc");
  for (int i = 0; i < 3000; i++) nothing<<<1 << 16, 128>>>();  // until the clocks are up
  check(cudaDeviceSynchronize(), "warming up");
  launches();
  control();
  arithmetics<float, 0, STEPS>(step_names);
  arithmetics<double, 0, 6>(double_names);
  latencies();
  caches();
  columns();
  random_places();
  memory();
  for (auto measure :
       {measure_launches, measure_reads,     measure_mixes,  measure_waves,  measure_traffic,
        measure_pieces,   measure_local,     measure_stores, measure_bursts, measure_shared,
        measure_atomics,  measure_pairs,     measure_warps,  measure_misses, measure_functions,
        measure_ways,     measure_constants, measure_code,   measure_host,   measure_link}) {
    check(cudaMemset(buffer, 0, buffer_bytes), "cudaMemset");
    measure();
  }
  describe(p);
  describe_timeline();
  return fclose(rows) ? 1 : 0;
}
