// calibrate_pairs.cu: how long an instruction waits for another kind's result. "pair": cycles of
// one warp for each of a row of such pairs, in which each instruction waits for the one before.
#include "calibrate.cuh"

namespace {

enum { EACH = 16, TURNS = 64 };

// Two instructions on a register, which is also a predicate's source or an address in a list.
#define PAIRS(X)                                                                            \
  X(product_product, "mad.lo.u32 %0, %0, %1, %2; mad.lo.u32 %0, %0, %1, %2;")               \
  X(integer_integer, "min.u32 %0, %0, %1; shf.l.wrap.b32 %0, %0, %0, %2;")                  \
  X(product_integer, "mad.lo.u32 %0, %0, %1, %2; shf.l.wrap.b32 %0, %0, %0, %1;")           \
  X(lower_upper, "{.reg .u32 l; add.cc.u32 l, %0, %1; addc.u32 %0, %0, %2;}")               \
  X(comparison_selection, "{.reg .pred p; setp.lt.u32 p, %0, %1; selp.b32 %0, %2, %0, p;}") \
  X(comparison_guarded,                                                                     \
    "{.reg .pred p; setp.ne.u32 p, %0, %2; @p shf.l.wrap.b32 %0, %0, %0, "                  \
    "%1;}")

#define KERNEL(name, pair)                                                         \
  __global__ void name(unsigned a, unsigned b, unsigned *out, long long *clocks) { \
    unsigned x = a;                                                                \
    START_CLOCK                                                                    \
    _Pragma("unroll 1") for (int i = 0; i < TURNS; i++) {                          \
      _Pragma("unroll") for (int k = 0; k < EACH;                                  \
                             k++) asm volatile(pair : "+r"(x) : "r"(a), "r"(b));   \
    }                                                                              \
    STOP_CLOCK(clocks)                                                             \
    if (x == 12345) *out = x;                                                      \
  }
PAIRS(KERNEL)

// Each element is the index of the next: of 32 bits, whose address is one instruction, or of 64,
// which takes two.
template <class T>
__global__ void follow(const T *list, T *out, long long *clocks) {
  T at = 0;
  START_CLOCK
#pragma unroll 1
  for (int i = 0; i < TURNS; i++) {
#pragma unroll
    for (int k = 0; k < EACH; k++) at = list[at];
  }
  STOP_CLOCK(clocks)
  if (at == 12345) *out = at;
}

}  // namespace

void measure_pairs() {
  auto *to = (unsigned *)buffer;
  double each = (double)TURNS * EACH;
#define ROW(name, pair) \
  row("pair", #name, cycles([=] { name<<<1, 32>>>(3, 5, to, cycles_of_block); }) / each, "cycle");
  PAIRS(ROW)
  auto follows = [=](const char *what, auto *list) {
    row("pair", what, cycles([=] { follow<<<1, 32>>>(list, list, cycles_of_block); }) / each,
        "cycle");
  };
  follows("index_load", (int *)buffer);
  follows("wide_index_load", (long long *)buffer);
}
