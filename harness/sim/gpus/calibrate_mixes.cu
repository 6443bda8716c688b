// calibrate_mixes.cu: instructions of two kinds side by side: which of them share a unit of a
// scheduler. Each by itself, and eight of them with so many additions of floating-point numbers, by
// eight warps a scheduler; cycles of a scheduler for an operation. An integer product leaves room
// for floating-point numbers, a sum of three goes to the unit for logic, as does at least one half
// of a sum of 64 bits.
#include "calibrate.cuh"

#include <stdint.h>

enum { ROUNDS = 64, OPS = 32, THREADS = 1024, REGISTERS = 8 };

// What an operation of each kind is, of registers i[k] or wide[k]; ptxas puts them where it likes.
#define INTEGER(name, text)                                                          \
  struct name {                                                                      \
    static __device__ void run(int (&i)[8], int64_t (&)[4], int k) {                 \
      asm volatile(text                                                              \
                   : "+r"(i[k % 8])                                                  \
                   : "r"(i[(k + 1) % 8]), "r"(i[(k + 3) % 8]), "r"(i[(k + 6) % 8])); \
    }                                                                                \
  };
#define WIDE(name, text)                                                             \
  struct name {                                                                      \
    static __device__ void run(int (&i)[8], int64_t (&wide)[4], int k) {             \
      asm volatile(text                                                              \
                   : "+l"(wide[k % 4])                                               \
                   : "l"(wide[(k + 1) % 4]), "l"(wide[(k + 2) % 4]), "r"(i[k % 8])); \
    }                                                                                \
  };
INTEGER(product, "mul.lo.s32 %0, %1, %2;")
INTEGER(product_and_sum, "mad.lo.s32 %0, %1, %2, %3;")
INTEGER(high_product, "mul.hi.u32 %0, %1, %2;")
INTEGER(sum, "add.s32 %0, %1, %2;")
INTEGER(sum_of_three, "{ .reg .s32 t; add.s32 t, %1, %2; add.s32 %0, t, %3; }")
INTEGER(logic_of_three, "lop3.b32 %0, %1, %2, %3, 0x96;")
INTEGER(minimum, "min.s32 %0, %1, %2;")
WIDE(wide_sum, "add.s64 %0, %1, %2;")
WIDE(wide_product, "mad.wide.s32 %0, %3, 12, %1;")

template <typename KIND, int FLOATS>  // FLOATS additions for eight operations
__global__ void mixed(int *out, long long *clocks) {
  int i[REGISTERS];
  int64_t wide[4];
  float f[REGISTERS];
#pragma unroll
  for (int k = 0; k < REGISTERS; k++) {
    i[k] = (int)threadIdx.x * k + 1;
    wide[k / 2] = i[k];
    f[k] = (float)i[k];
  }
  START_CLOCK
#pragma unroll 1
  for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
    for (int k = 0; k < OPS; k++) {
      KIND::run(i, wide, k);
#pragma unroll
      for (int n = k * FLOATS / 8; n < (k + 1) * FLOATS / 8; n++)
        asm volatile("add.rn.f32 %0, %1, %2;"
                     : "+f"(f[n % 8])
                     : "f"(f[(n + 1) % 8]), "f"(f[(n + 3) % 8]));
    }
  }
  STOP_CLOCK(clocks)
  int64_t total = 0;
#pragma unroll
  for (int k = 0; k < REGISTERS; k++) total += i[k] + wide[k / 2] + (int)f[k];
  if (total == 1234567) *out = 1;
}

template <typename KIND, int FLOATS>
static void mix(const char *name) {
  double operations = (double)ROUNDS * OPS * THREADS / 32 / 4;
  row("mix", FLOATS ? text("%s, %d with 8", name, FLOATS) : name,
      cycles([] { mixed<KIND, FLOATS><<<1, THREADS>>>((int *)buffer, cycles_of_block); }) /
          operations,
      "cycle");
}

template <typename KIND>
static void mixes(const char *name) {
  mix<KIND, 0>(name), mix<KIND, 8>(name), mix<KIND, 24>(name);
}

void measure_mixes() {
  mixes<product>("mul.lo.s32"), mixes<product_and_sum>("mad.lo.s32");
  mixes<high_product>("mul.hi.u32"), mixes<sum>("add.s32"), mixes<sum_of_three>("sum of three");
  mixes<logic_of_three>("lop3.b32"), mixes<minimum>("min.s32"), mixes<wide_sum>("add.s64");
  mixes<wide_product>("mad.wide.s32");
}
