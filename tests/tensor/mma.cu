/* mma.cu: what a tensor core answers to random fragments, and which rule that follows.
 *
 * For every mma.sync and wmma it makes fragments of eleven distributions (values near 1, exponents
 * of all sizes, subnormal numbers, infinities, NaN, cancellation, ties, ...), the same everywhere,
 * and prints a line with their number and hashes of all answers: over the first 1,100 fragments,
 * over all, and over a few hundred more of two other distributions. With
 * --rules it also holds the answers against harness/sim/exec/tensor_rule.h with all values of its
 * parameters and prints which agree, or where the best one fails. With --layout it prints which
 * element of a matrix each lane has in wmma's fragments, whose places PTX leaves open. On a GPU:
 *
 *     nvcc -O3 -std=c++17 -arch=sm_90 -I. -o build/mma tests/tensor/mma.cu
 *     build/mma --rules --layout 100000
 *
 * On the simulator (`harness/kcc -O3 -I. ...`), 1,100 fragments take seconds: tests/e2e/tensor.sh.
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "harness/sim/exec/tensor_rule.h"
#include "tests/tensor/layout.h"

enum Type { F16, BF16, TF32, F32, F64, S8, U8, S4, U4, S32 };
static int bits_of(Type t) {
  return t == F64 ? 64 : t >= S4 && t <= U4 ? 4 : t == S8 || t == U8 ? 8 : t <= BF16 ? 16 : 32;
}
static bool is_integer(Type t) { return t >= S8; }
static tensor_format format_of(Type t) {
  return t == F16 ? tensor_f16 : t == BF16 ? tensor_bf16 : t == TF32 ? tensor_tf32 : tensor_f32;
}

static void check(cudaError_t error, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "mma.cu:%d: %s\n", line, cudaGetErrorString(error));
  std::exit(2);
}
#define CHECK(call) check(call, __LINE__)

/* ---- random matrices ---- */

struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  int below(int n) { return (int)(next() >> 33) % n; }
  int between(int low, int high) { return low + below(high - low + 1); }
};

enum {
  NEAR_ONE,
  ALL_SIZES,
  ALL_BITS,
  SUBNORMAL,
  MIDDLE,
  CANCEL,
  SMALL,
  TIES,
  LARGE,
  SPECIAL,
  ZEROS,
  /* these take turns */ TINY,
  FAR
};
enum { DISTRIBUTIONS = 11, FIRST = 1100, KINDS = 13, MORE = 400 };
static const char *const distribution_names[] = {
    "near_one", "all_sizes", "all_bits", "subnormal", "middle", "cancel", "small",
    "ties",     "large",     "special",  "zeros",     "tiny",   "far"};

/* A number of a format of 1 + exponent + fraction bits; wide: an addend of products, whose
 * exponents have twice the range. */
static uint64_t random_float(Random &r, int kind, int exponent_bits, int places, bool wide) {
  int top = (1 << exponent_bits) - 1, bias = top / 2, range = wide ? 2 : 1;
  uint64_t sign = r.next() >> 63, fraction = r.next() >> (64 - places);
  auto biased = [&](int low, int high) {
    return std::min(std::max(r.between(low, high) + bias, 0), top - 1);
  };
  int e = 0;
  switch (kind) {
    case NEAR_ONE:
      e = biased(-3, 0);
      break;
    case ALL_SIZES:
      e = r.below(top);
      break;
    case ALL_BITS:
      e = r.below(top + 1);
      break;
    case SUBNORMAL:
      e = r.below(4) ? 0 : r.below(3);
      break;
    case MIDDLE:
      e = biased(-12 * range, 12 * range);
      break;
    case CANCEL:
      e = biased(-7 * range, 7 * range);
      break;
    case SMALL: { /* whole numbers up to 8 */
      int n = r.below(9), log = 0;
      if (!n) return sign << (exponent_bits + places);
      while (n >> (log + 1)) log++;
      e = bias + log;
      fraction = (uint64_t)(n - (1 << log)) << (places - log);
      break;
    }
    case TIES:
      e = biased(-13 * range, 13 * range);
      fraction = r.below(2) ? 0 : (uint64_t)1 << r.below(places);
      if (!r.below(8)) fraction = ((uint64_t)1 << places) - 1;
      break;
    case LARGE:
      e = wide ? top - 1 - r.below(3) : (bias * 3 + 1) / 2 + r.between(-1, 1);
      break;
    case SPECIAL: {
      if (r.below(12)) {
        e = biased(-2, 2);
        break;
      }
      int which = r.below(6);
      e = which < 2 ? 0 : which < 4 ? top : top - 1;
      fraction = which == 0 || which == 2 ? 0
                 : which == 1             ? 1
                 : which == 3             ? fraction | 1
                                          : ((uint64_t)1 << places) - 1;
      break;
    }
    case FAR: /* products of subnormal halves, and sums near their last places */
      e = wide ? biased(-60, -20) : r.below(3);
      break;
    case TINY: /* sums that no result can hold */
      e = wide ? 0 : r.below(3) ? r.below(bias / 2) : 0;
      if (wide && r.below(4)) fraction = 0;
      break;
    default: /* ZEROS */
      e = r.below(40) ? 0 : biased(-10 * range, 0);
      if (!e) fraction = 0;
      if (!r.below(8)) sign = 1;
  }
  return sign << (exponent_bits + places) | (uint64_t)e << places | fraction;
}

static uint64_t random_value(Random &r, int kind, Type t, bool wide) {
  switch (t) {
    case F16:
      return random_float(r, kind, 5, 10, wide);
    case BF16:
      return random_float(r, kind, 8, 7, wide);
    case F32:
      return random_float(r, kind, 8, 23, wide);
    case TF32: /* the lower 13 bits are to be ignored */
      return random_float(r, kind, 8, 10, wide) << 13 | (r.next() & 0x1fff);
    case F64:
      return random_float(r, kind, 11, 52, wide);
    case S32: {
      uint32_t v = (uint32_t)r.next();
      return kind == LARGE      ? (v & 0x80000000u ? 0x80000000u | (v & 0xffff) : 0x7fff0000u | v)
             : kind == ALL_BITS ? v
                                : (uint32_t)((int32_t)v >> 14);
    }
    default: { /* integers of 4 and 8 bits */
      int bits = bits_of(t);
      uint32_t v = (uint32_t)(r.next() >> 40), mask = (1u << bits) - 1;
      if (kind == LARGE) v = r.below(2) ? mask >> 1 : mask;
      if (kind == SPECIAL) v = 1u << (bits - 1);
      if (kind == ZEROS && r.below(8)) v = 0;
      return v & mask;
    }
  }
}

/* ---- instructions ---- */

struct Instruction {
  std::string name;
  int m, n, k;
  Type a, b, c, d;
  bool satfinite;
  int a_registers, b_registers, c_registers; /* of mma.sync, a lane */
  void (*launch)(int count, const void *a, const void *b, const void *c, void *d);
  bool wmma; /* operands are matrices, row by row (B: column by column) */
};

/* A lane's registers, 32 bits each, or 64 for double precision. */
template <class I>
__global__ void run_mma(int count, const typename I::Register *a, const typename I::Register *b,
                        const typename I::Register *c, typename I::Register *d) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (warp >= count) return;
  typename I::Register ra[I::A], rb[I::B], rc[I::C], rd[I::C];
  for (int i = 0; i < I::A; i++) ra[i] = a[(warp * 32 + lane) * I::A + i];
  for (int i = 0; i < I::B; i++) rb[i] = b[(warp * 32 + lane) * I::B + i];
  for (int i = 0; i < I::C; i++) rc[i] = c[(warp * 32 + lane) * I::C + i];
  I::run(rd, ra, rb, rc);
  for (int i = 0; i < I::C; i++) d[(warp * 32 + lane) * I::C + i] = rd[i];
}
template <class I>
static void launch_mma(int count, const void *a, const void *b, const void *c, void *d) {
  typedef typename I::Register R;
  run_mma<I><<<(count + 7) / 8, 256>>>(count, (const R *)a, (const R *)b, (const R *)c, (R *)d);
}

#define FORM(id, R, na, nb, nc, ...)                                                      \
  struct id {                                                                             \
    typedef R Register;                                                                   \
    enum { A = na, B = nb, C = nc };                                                      \
    static __device__ void run(R *d, const R *a, const R *b, const R *c) { __VA_ARGS__; } \
  };
#define FORM_211(id, text)                                \
  FORM(id, uint32_t, 1, 1, 2,                             \
       asm volatile(text " {%0,%1}, {%2}, {%3}, {%4,%5};" \
                    : "=r"(d[0]), "=r"(d[1])              \
                    : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1])))
#define FORM_221(id, text)                                   \
  FORM(id, uint32_t, 2, 1, 2,                                \
       asm volatile(text " {%0,%1}, {%2,%3}, {%4}, {%5,%6};" \
                    : "=r"(d[0]), "=r"(d[1])                 \
                    : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1])))
#define FORM_242(id, text)                                                                         \
  FORM(id, uint32_t, 4, 2, 2,                                                                      \
       asm volatile(text " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"                              \
                    : "=r"(d[0]), "=r"(d[1])                                                       \
                    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), \
                      "r"(c[1])))
#define FORM_421(id, text)                                               \
  FORM(                                                                  \
      id, uint32_t, 2, 1, 4,                                             \
      asm volatile(text " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};" \
                   : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])      \
                   : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])))
#define FORM_442(id, text)                                                                         \
  FORM(id, uint32_t, 4, 2, 4,                                                                      \
       asm volatile(text " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"              \
                    : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                               \
                    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), \
                      "r"(c[1]), "r"(c[2]), "r"(c[3])))
#define FORM_DOUBLE_211(id, text)                         \
  FORM(id, double, 1, 1, 2,                               \
       asm volatile(text " {%0,%1}, {%2}, {%3}, {%4,%5};" \
                    : "=d"(d[0]), "=d"(d[1])              \
                    : "d"(a[0]), "d"(b[0]), "d"(c[0]), "d"(c[1])))
#define FORM_DOUBLE_421(id, text)                                        \
  FORM(                                                                  \
      id, double, 2, 1, 4,                                               \
      asm volatile(text " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};" \
                   : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])      \
                   : "d"(a[0]), "d"(a[1]), "d"(b[0]), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3])))
#define FORM_DOUBLE_442(id, text)                                                                  \
  FORM(id, double, 4, 2, 4,                                                                        \
       asm volatile(text " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"              \
                    : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])                               \
                    : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]), "d"(c[0]), \
                      "d"(c[1]), "d"(c[2]), "d"(c[3])))
#define FORM_DOUBLE_484(id, text)                                                                  \
  FORM(id, double, 8, 4, 4,                                                                        \
       asm volatile(text " {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, "        \
                         "{%16,%17,%18,%19};"                                                      \
                    : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])                               \
                    : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), \
                      "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]), "d"(c[0]), "d"(c[1]), \
                      "d"(c[2]), "d"(c[3])))

/* MMA(form by registers of C, A and B; m, k; the types' PTX; types; .satfinite) */
#define EACH_MMA(MMA)                                          \
  MMA(421, 16, 8, "f32.f16.f16.f32", F16, F16, F32, 0)         \
  MMA(221, 16, 8, "f16.f16.f16.f16", F16, F16, F16, 0)         \
  MMA(442, 16, 16, "f32.f16.f16.f32", F16, F16, F32, 0)        \
  MMA(242, 16, 16, "f16.f16.f16.f16", F16, F16, F16, 0)        \
  MMA(421, 16, 8, "f32.bf16.bf16.f32", BF16, BF16, F32, 0)     \
  MMA(442, 16, 16, "f32.bf16.bf16.f32", BF16, BF16, F32, 0)    \
  MMA(421, 16, 4, "f32.tf32.tf32.f32", TF32, TF32, F32, 0)     \
  MMA(442, 16, 8, "f32.tf32.tf32.f32", TF32, TF32, F32, 0)     \
  MMA(DOUBLE_211, 8, 4, "f64.f64.f64.f64", F64, F64, F64, 0)   \
  MMA(DOUBLE_421, 16, 4, "f64.f64.f64.f64", F64, F64, F64, 0)  \
  MMA(DOUBLE_442, 16, 8, "f64.f64.f64.f64", F64, F64, F64, 0)  \
  MMA(DOUBLE_484, 16, 16, "f64.f64.f64.f64", F64, F64, F64, 0) \
  MMA(211, 8, 16, "s32.s8.s8.s32", S8, S8, S32, 0)             \
  MMA(211, 8, 16, "s32.u8.s8.s32", U8, S8, S32, 1)             \
  MMA(421, 16, 16, "s32.s8.s8.s32", S8, S8, S32, 0)            \
  MMA(421, 16, 16, "s32.s8.s8.s32", S8, S8, S32, 1)            \
  MMA(421, 16, 16, "s32.u8.u8.s32", U8, U8, S32, 0)            \
  MMA(442, 16, 32, "s32.s8.s8.s32", S8, S8, S32, 0)            \
  MMA(442, 16, 32, "s32.s8.s8.s32", S8, S8, S32, 1)            \
  MMA(442, 16, 32, "s32.u8.u8.s32", U8, U8, S32, 1)            \
  MMA(442, 16, 32, "s32.s8.u8.s32", S8, U8, S32, 0)            \
  MMA(442, 16, 32, "s32.u8.s8.s32", U8, S8, S32, 0)            \
  MMA(211, 8, 32, "s32.s4.s4.s32", S4, S4, S32, 0)             \
  MMA(421, 16, 32, "s32.s4.s4.s32", S4, S4, S32, 0)            \
  MMA(421, 16, 32, "s32.u4.s4.s32", U4, S4, S32, 1)            \
  MMA(442, 16, 64, "s32.s4.s4.s32", S4, S4, S32, 1)            \
  MMA(442, 16, 64, "s32.u4.u4.s32", U4, U4, S32, 0)

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define MMA_NAME(m, k, types, s) \
  "mma.sync.aligned.m" #m "n8k" #k ".row.col" JOIN(SATFINITE_, s) "." types
#define SATFINITE_0 ""
#define SATFINITE_1 ".satfinite"
#define DEFINE_MMA(form, m, k, types, a, b, c, s) \
  FORM_##form(mma_##m##_##k##_##a##_##b##_##c##_##s, MMA_NAME(m, k, types, s))
EACH_MMA(DEFINE_MMA)

namespace wmma = nvcuda::wmma;
template <Type t>
struct Element;
template <>
struct Element<F16> {
  typedef __half stored, fragment;
};
template <>
struct Element<BF16> {
  typedef __nv_bfloat16 stored, fragment;
};
template <>
struct Element<TF32> {
  typedef float stored;
  typedef wmma::precision::tf32 fragment;
};
template <>
struct Element<F32> {
  typedef float stored, fragment;
};
template <>
struct Element<F64> {
  typedef double stored, fragment;
};
template <>
struct Element<S8> {
  typedef signed char stored, fragment;
};
template <>
struct Element<U8> {
  typedef unsigned char stored, fragment;
};
template <>
struct Element<S32> {
  typedef int stored, fragment;
};

template <int m, int n, int k, Type a_type, Type c_type, Type d_type>
__global__ void run_wmma(int count, const typename Element<a_type>::stored *a,
                         const typename Element<a_type>::stored *b,
                         const typename Element<c_type>::stored *c,
                         typename Element<d_type>::stored *d) {
  typedef typename Element<a_type>::fragment In;

  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (warp >= count) return;
  wmma::fragment<wmma::matrix_a, m, n, k, In, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, m, n, k, In, wmma::col_major> fb;

  wmma::fragment<wmma::accumulator, m, n, k, typename Element<c_type>::fragment> fc;
  wmma::fragment<wmma::accumulator, m, n, k, typename Element<d_type>::fragment> fd;
  wmma::load_matrix_sync(fa, a + warp * m * k, k);
  wmma::load_matrix_sync(fb, b + warp * n * k, k);
  wmma::load_matrix_sync(fc, c + warp * m * n, n, wmma::mem_row_major);
  wmma::mma_sync(fd, fa, fb, fc);
  wmma::store_matrix_sync(d + warp * m * n, fd, n, wmma::mem_row_major);
}
template <int m, int n, int k, Type a_type, Type c_type, Type d_type>
static void launch_wmma(int count, const void *a, const void *b, const void *c, void *d) {
  typedef typename Element<a_type>::stored In;
  typedef typename Element<c_type>::stored Sum;
  typedef typename Element<d_type>::stored Out;
  run_wmma<m, n, k, a_type, c_type, d_type>
      <<<(count + 7) / 8, 256>>>(count, (const In *)a, (const In *)b, (const Sum *)c, (Out *)d);
}

#define EACH_SHAPE(W, ...) \
  W(16, 16, 16, __VA_ARGS__) W(32, 8, 16, __VA_ARGS__) W(8, 32, 16, __VA_ARGS__)
#define EACH_WMMA(W)                                                                    \
  EACH_SHAPE(W, F16, F32, F32)                                                          \
  EACH_SHAPE(W, F16, F16, F16)                                                          \
  EACH_SHAPE(W, F16, F16, F32)                                                          \
  EACH_SHAPE(W, F16, F32, F16)                                                          \
  EACH_SHAPE(W, BF16, F32, F32) EACH_SHAPE(W, S8, S32, S32) EACH_SHAPE(W, U8, S32, S32) \
      W(16, 16, 8, TF32, F32, F32) W(8, 8, 4, F64, F64, F64)

static std::vector<Instruction> all_instructions() {
  std::vector<Instruction> all;
#define ADD_MMA(form, m, k, types, a, b, c, s)                                         \
  {                                                                                    \
    typedef mma_##m##_##k##_##a##_##b##_##c##_##s I;                                   \
    all.push_back({MMA_NAME(m, k, types, s), m, 8, k, a, b, c, c, s, I::A, I::B, I::C, \
                   launch_mma<I>, false});                                             \
  }
#define ADD_WMMA(m, n, k, a, c, d)                                                               \
  all.push_back({"wmma.m" #m "n" #n "k" #k "." #a "." #c + std::string(c == d ? "" : "." #d), m, \
                 n, k, a, a, c, d, false, 0, 0, 0, launch_wmma<m, n, k, a, c, d>, true});
  EACH_MMA(ADD_MMA)
  EACH_WMMA(ADD_WMMA)
  return all;
}

/* ---- fragments ---- */

struct Fragment {
  int kind;
  std::vector<uint64_t> a, b, c, d; /* m x k, k x n, m x n; bits */
};

static Fragment make_fragment(const Instruction &in, int number, int kind) {
  Random r = {0};
  for (char ch : in.name) r.state = (r.state ^ (unsigned char)ch) * 0x100000001b3u;
  r.state += (uint64_t)number << 20;

  Fragment f;
  f.kind = kind;
  f.a.resize(in.m * in.k), f.b.resize(in.k * in.n), f.c.resize(in.m * in.n),
      f.d.resize(in.m * in.n);
  for (uint64_t &v : f.a) v = random_value(r, kind, in.a, false);
  for (uint64_t &v : f.b) v = random_value(r, kind, in.b, false);
  for (uint64_t &v : f.c) v = random_value(r, kind, in.c, true);
  if (kind != CANCEL) return f;
  /* products in pairs that nearly cancel */
  uint64_t sign = (uint64_t)1 << (bits_of(in.a) - 1);
  for (int k = 0; k + 1 < in.k; k += 2) {
    for (int i = 0; i < in.m; i++)
      f.a[i * in.k + k + 1] = f.a[i * in.k + k] ^ sign ^ (r.below(2) ? r.below(4) : 0);
    for (int j = 0; j < in.n; j++) f.b[(k + 1) * in.n + j] = f.b[k * in.n + j];
  }
  return f;
}

static void put(std::vector<unsigned char> &bytes, size_t bit, int bits, uint64_t value) {
  if (bits == 4)
    bytes[bit / 8] |= (unsigned char)(value << (bit % 8));
  else
    std::memcpy(&bytes[bit / 8], &value, bits / 8);
}
static uint64_t get(const std::vector<unsigned char> &bytes, size_t bit, int bits) {
  uint64_t value = 0;
  std::memcpy(&value, &bytes[bit / 8], bits / 8);
  return value;
}

/* Bits of an operand of one fragment in memory, and where its element of a row and column is. */
static size_t operand_bits(const Instruction &in, int which) {
  Type t = which == 0 ? in.a : which == 1 ? in.b : which == 2 ? in.c : in.d;
  int count = which == 0 ? in.m * in.k : which == 1 ? in.k * in.n : in.m * in.n;
  return (size_t)count * bits_of(t);
}
template <class Visit> /* of an index into the matrix, and the bit */
static void each_element(const Instruction &in, int which, Visit visit) {
  Type t = which == 0 ? in.a : which == 1 ? in.b : which == 2 ? in.c : in.d;
  int bits = bits_of(t), width = t == F64 ? 64 : 32, per = width / bits;
  int columns = which == 0 ? in.k : in.n;
  if (in.wmma) {
    int rows = which == 1 ? in.k : in.m;
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < columns; j++)
        visit(i * columns + j, (size_t)(which == 1 ? j * in.k + i : i * columns + j) * bits);
    return;
  }
  int registers = which == 0 ? in.a_registers : which == 1 ? in.b_registers : in.c_registers;
  for (int lane = 0; lane < 32; lane++)
    for (int r = 0; r < registers; r++)
      for (int part = 0; part < per; part++) {
        tensor_place at = which == 0   ? tensor_place_a(in.m, per, lane, r, part)
                          : which == 1 ? tensor_place_b(per, lane, r, part)
                                       : tensor_place_c(lane, r * per + part);
        visit(at.row * columns + at.column,
              (size_t)(lane * registers + r) * width + (size_t)part * bits);
      }
}

static void execute(const Instruction &in, std::vector<Fragment> &fragments) {
  int count = (int)fragments.size();
  std::vector<unsigned char> host[4];
  void *device[4];
  for (int w = 0; w < 4; w++) {
    size_t bits = operand_bits(in, w);
    host[w].assign(bits / 8 * count, 0);
    CHECK(cudaMalloc(&device[w], host[w].size()));
    if (w == 3) continue;
    for (int f = 0; f < count; f++) {
      const std::vector<uint64_t> &v = w == 0   ? fragments[f].a
                                       : w == 1 ? fragments[f].b
                                                : fragments[f].c;
      Type t = w == 0 ? in.a : w == 1 ? in.b : in.c;
      each_element(in, w,
                   [&](int i, size_t bit) { put(host[w], f * bits + bit, bits_of(t), v[i]); });
    }
    CHECK(cudaMemcpy(device[w], host[w].data(), host[w].size(), cudaMemcpyHostToDevice));
  }
  CHECK(cudaMemset(device[3], 0x55, host[3].size()));
  in.launch(count, device[0], device[1], device[2], device[3]);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host[3].data(), device[3], host[3].size(), cudaMemcpyDeviceToHost));
  for (int f = 0; f < count; f++)
    each_element(in, 3, [&](int i, size_t bit) {
      fragments[f].d[i] = get(host[3], f * operand_bits(in, 3) + bit, bits_of(in.d));
    });
  for (void *d : device) CHECK(cudaFree(d));
}

/* ---- rules ---- */

struct Rule {
  tensor_rule tensor = TENSOR_RULE_H100;
  bool descending = false;      /* double precision: from the last product on */
  bool saturates_steps = false; /* integers: after each 16 bytes */
  int nan = 0; /* double precision: 0: of b, else c, else a; 1: 0x7ff8...; 2: as x86 does */
  std::string words(const Instruction &in) const {
    char text[200];
    if (in.c == F64)
      std::snprintf(text, sizeof text, "%s, NaN %d", descending ? "last first" : "first first",
                    nan);
    else if (is_integer(in.c))
      std::snprintf(text, sizeof text, saturates_steps ? "steps saturate" : "exact sum");
    else
      std::snprintf(text, sizeof text,
                    "fraction_bits %d, step_bytes %d, zeros_count %d, normalises %d, saturates %d, "
                    "negative_zero %d, nan %x, lowest %d",
                    tensor.fraction_bits, tensor.step_bytes, tensor.zeros_count, tensor.normalises,
                    tensor.saturates, tensor.negative_zero, tensor.nan, tensor.lowest);
    return text;
  }
};

static std::vector<Rule> all_rules(const Instruction &in) {
  std::vector<Rule> rules(1);
  if (in.c == F64) {
    for (int i = 1; i < 6; i++) {
      rules.emplace_back();
      rules.back().descending = i % 2;
      rules.back().nan = i / 2;
    }
    return rules;
  }
  if (is_integer(in.c)) {
    if (in.satfinite) rules.emplace_back(), rules.back().saturates_steps = true;
    return rules;
  }
  int row_bytes = in.k * bits_of(in.a) / 8;
  for (int fraction = 27; fraction >= 22; fraction--)
    for (int step = row_bytes; step >= 8; step /= 2)
      for (int flags = 0; flags < 64; flags++) {
        if (in.c == F16 && flags & 20) continue; /* saturates, nan: of single precision */
        Rule rule;
        rule.tensor = {fraction,
                       step,
                       (flags & 1) != 0,
                       (flags & 2) != 0,
                       (flags & 4) != 0,
                       (flags & 8) != 0,
                       flags & 16 ? 0x7fc00000u : 0x7fffffffu,
                       flags & 32 ? -10000 : -133};
        rules.push_back(rule);
      }
  return rules;
}

static int64_t integer_of(uint64_t bits, Type t) {
  int shift = 64 - bits_of(t);
  return t == U8 || t == U4 ? (int64_t)bits : (int64_t)(bits << shift) >> shift;
}
static float float_of(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
static uint32_t bits_of_float(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
static __half half_of(uint32_t bits) {
  __half_raw raw;
  raw.x = (unsigned short)bits;
  return raw;
}
static double double_of(uint64_t bits) {
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/* x * y + z. */
static double fused(const Rule &rule, double x, double y, double z) {
  double sum = std::fma(x, y, z);
  if (sum == sum || rule.nan == 2) return sum;
  if (rule.nan == 1) return double_of(0x7ff8000000000000u);
  return y != y ? y + 0 : z != z ? z + 0 : x != x ? x + 0 : sum;
}

/* What D would be by a rule: m x n. */
static std::vector<uint64_t> answer(const Instruction &in, const Fragment &f, const Rule &rule) {
  std::vector<uint64_t> d(in.m * in.n);
  if (in.c == F64) {
    for (int i = 0; i < in.m; i++)
      for (int j = 0; j < in.n; j++) {
        double sum = double_of(f.c[i * in.n + j]);
        for (int step = 0; step < in.k; step++) {
          int k = rule.descending ? in.k - 1 - step : step;
          sum = fused(rule, double_of(f.a[i * in.k + k]), double_of(f.b[k * in.n + j]), sum);
        }
        uint64_t &bits = d[i * in.n + j];
        std::memcpy(&bits, &sum, sizeof sum);
      }
    return d;
  }
  if (is_integer(in.c)) {
    int step = 128 / bits_of(in.a);
    for (int i = 0; i < in.m; i++)
      for (int j = 0; j < in.n; j++) {
        int64_t sum = (int32_t)f.c[i * in.n + j];
        for (int k = 0; k < in.k; k++) {
          sum += integer_of(f.a[i * in.k + k], in.a) * integer_of(f.b[k * in.n + j], in.b);
          bool end = k == in.k - 1 || (rule.saturates_steps && k % step == step - 1);
          if (end && in.satfinite)
            sum = std::min<int64_t>(std::max<int64_t>(sum, INT32_MIN), INT32_MAX);
        }
        d[i * in.n + j] = (uint32_t)sum;
      }
    return d;
  }
  std::vector<tensor_number> a, b;
  for (uint64_t v : f.a)
    a.push_back(tensor_unpack((uint32_t)v, format_of(in.a), rule.tensor.normalises));
  for (uint64_t v : f.b)
    b.push_back(tensor_unpack((uint32_t)v, format_of(in.b), rule.tensor.normalises));
  for (int i = 0; i < in.m; i++)
    for (int j = 0; j < in.n; j++) {
      uint32_t c = (uint32_t)f.c[i * in.n + j];
      bool half = in.c == F16 && in.d == F16;
      if (in.c == F16 && !half) c = bits_of_float(__half2float(half_of(c)));
      uint32_t sum =
          tensor_dot(&rule.tensor, format_of(in.a), &a[i * in.k], 1, &b[j], in.n, in.k, c, half);
      if (in.d == F16 && !half) {
        __half_raw rounded = __float2half(float_of(sum));
        sum = rounded.x;
      }
      d[i * in.n + j] = sum;
    }
  return d;
}

struct Count {
  long wrong[KINDS] = {}, total = 0;
};

static void count_wrong(const Instruction &in, const std::vector<Fragment> &fragments,
                        const std::vector<Rule> &rules, std::vector<Count> &counts) {
  int threads = (int)std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::vector<Count>> parts(threads, std::vector<Count>(rules.size()));
  std::vector<std::thread> running;
  for (int t = 0; t < threads; t++)
    running.emplace_back([&, t] {
      for (size_t f = t; f < fragments.size(); f += threads)
        for (size_t r = 0; r < rules.size(); r++) {
          std::vector<uint64_t> d = answer(in, fragments[f], rules[r]);
          for (size_t i = 0; i < d.size(); i++)
            if (d[i] != fragments[f].d[i]) {
              parts[t][r].wrong[fragments[f].kind]++;
              parts[t][r].total++;
            }
        }
    });
  for (std::thread &t : running) t.join();
  for (const std::vector<Count> &part : parts)
    for (size_t r = 0; r < rules.size(); r++) {
      counts[r].total += part[r].total;
      for (int k = 0; k < KINDS; k++) counts[r].wrong[k] += part[r].wrong[k];
    }
}

static void print_failures(const Instruction &in, const std::vector<Fragment> &fragments,
                           const Rule &rule) {
  int shown[KINDS] = {};
  for (size_t f = 0; f < fragments.size(); f++) {
    std::vector<uint64_t> d = answer(in, fragments[f], rule);
    for (size_t i = 0; i < d.size(); i++) {
      if (d[i] == fragments[f].d[i] || shown[fragments[f].kind]++ >= 3) continue;
      std::printf("#   %s: c %llx, a", distribution_names[fragments[f].kind],
                  (unsigned long long)fragments[f].c[i]);
      for (int k = 0; k < in.k; k++)
        std::printf(" %llx", (unsigned long long)fragments[f].a[i / in.n * in.k + k]);
      std::printf(", b");
      for (int k = 0; k < in.k; k++)
        std::printf(" %llx", (unsigned long long)fragments[f].b[k * in.n + i % in.n]);
      std::printf(": %llx, not %llx\n", (unsigned long long)fragments[f].d[i],
                  (unsigned long long)d[i]);
    }
  }
}

static const uint64_t NO_HASH = 0xcbf29ce484222325u;
static void add_to(uint64_t &hash, uint64_t v) {
  hash = (hash ^ v) * 0x100000001b3u;
  hash ^= hash >> 29;
}

/* Holds the rules against the first fragments, and those that are right against all. */
static void measure(const Instruction &in, int count, bool with_rules) {
  enum { BATCH = 1100 };
  uint64_t all = NO_HASH, first = 0, more = NO_HASH;
  std::vector<Rule> rules;
  std::vector<Count> counts;
  std::vector<Fragment> kept;
  int done = 0;
  if (with_rules) rules = all_rules(in);
  for (int base = 0; base < count; base += BATCH) {
    std::vector<Fragment> fragments;
    for (int f = base; f < std::min(count, base + BATCH); f++)
      fragments.push_back(make_fragment(in, f, f % DISTRIBUTIONS));
    for (int f = 0; !base && f < MORE; f++)
      fragments.push_back(make_fragment(in, -1 - f, f % 2 ? TINY : FAR));
    execute(in, fragments);
    for (const Fragment &f : fragments) {
      for (uint64_t v : f.d) add_to(f.kind < DISTRIBUTIONS ? all : more, v);
      if (++done == FIRST) first = all;
    }
    if (!with_rules) continue;
    counts.resize(rules.size());
    count_wrong(in, fragments, rules, counts);
    if (base) continue;
    kept = fragments;
    std::vector<int> order(rules.size());
    for (size_t r = 0; r < rules.size(); r++) order[r] = (int)r;
    std::stable_sort(order.begin(), order.end(),
                     [&](int x, int y) { return counts[x].total < counts[y].total; });
    std::vector<Rule> best;
    std::vector<Count> their;
    bool some = counts[order[0]].total == 0;
    for (int r : order)
      if (some ? counts[r].total == 0 && best.size() < 16 : best.size() < 5)
        best.push_back(rules[r]), their.push_back(counts[r]);
    rules = best, counts = their;
  }
  std::printf("%s\t%d\t%016llx\t%016llx\t%016llx\n", in.name.c_str(), count,
              (unsigned long long)first, (unsigned long long)all, (unsigned long long)more);
  for (size_t r = 0; r < rules.size(); r++) {
    std::printf("# %s %s: %ld wrong", counts[r].total ? "   " : "ALL", rules[r].words(in).c_str(),
                counts[r].total);
    for (int k = 0; k < KINDS; k++)
      if (counts[r].wrong[k]) std::printf(", %s %ld", distribution_names[k], counts[r].wrong[k]);
    std::printf("\n");
  }
  if (!rules.empty() &&
      std::none_of(counts.begin(), counts.end(), [](const Count &c) { return c.total == 0; }))
    print_failures(in, kept, rules[0]);
  std::fflush(stdout);
}

/* ---- places in wmma's fragments ---- */

template <class F>
__device__ void dump(const F &fragment, int *out) {
  for (int i = 0; i < fragment.num_elements; i++)
    out[threadIdx.x * fragment.num_elements + i] = (int)(float)fragment.x[i];
  if (threadIdx.x == 0) out[32 * 32] = fragment.num_elements;
}
/* Elements have their own numbers, row by row; one byte holds all of 0 to 255. */
template <int m, int n, int k, class In, class Stored, class Layout>
__global__ void dump_a(Stored *memory, int *out) {
  bool row = out[32 * 32 + 1];
  for (int e = threadIdx.x; e < m * k; e += 32)
    memory[row ? e : e % k * m + e / k] = (Stored)(float)e;
  __syncwarp();
  wmma::fragment<wmma::matrix_a, m, n, k, In, Layout> f;
  wmma::load_matrix_sync(f, memory, row ? k : m);
  dump(f, out);
}
template <int m, int n, int k, class In, class Stored, class Layout>
__global__ void dump_b(Stored *memory, int *out) {
  bool row = out[32 * 32 + 1];
  for (int e = threadIdx.x; e < k * n; e += 32)
    memory[row ? e : e % n * k + e / n] = (Stored)(float)e;
  __syncwarp();
  wmma::fragment<wmma::matrix_b, m, n, k, In, Layout> f;
  wmma::load_matrix_sync(f, memory, row ? n : k);
  dump(f, out);
}
template <int m, int n, int k, class Out>
__global__ void dump_c(Out *memory, int *out) {
  bool row = out[32 * 32 + 1];
  for (int e = threadIdx.x; e < m * n; e += 32) memory[row ? e : e % n * m + e / n] = (Out)(float)e;
  __syncwarp();
  wmma::fragment<wmma::accumulator, m, n, k, Out> f;
  wmma::load_matrix_sync(f, memory, row ? n : m, row ? wmma::mem_row_major : wmma::mem_col_major);
  dump(f, out);
}

static void print_layout(const char *name, bool row, void (*launch)(void *, int *)) {
  void *memory;
  static int host[32 * 32 + 2];
  int *out;
  host[32 * 32 + 1] = row;
  CHECK(cudaMalloc(&memory, 8 * 32 * 32));
  CHECK(cudaMalloc(&out, sizeof host));
  CHECK(cudaMemcpy(out, host, sizeof host, cudaMemcpyHostToDevice));
  launch(memory, out);
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(memory));
  CHECK(cudaFree(out));
  int elements = host[32 * 32];
  std::printf("layout %s %s\t%d", name, row ? "row" : "col", elements);
  for (int i = 0; i < 32 * elements; i++) std::printf("%s%d", i % elements ? "," : "\t", host[i]);
  std::printf("\n");
}

static void print_layouts() {
#define LAYOUT_AB(m, n, k, t, which, order)                                                       \
  print_layout(                                                                                   \
      #which " m" #m "n" #n "k" #k " " #t,                                                        \
      sizeof(#order) == sizeof "row_major" && #order[0] == 'r', [](void *memory, int *out) {      \
        typedef Element<t>::stored S;                                                             \
        dump_##which<m, n, k, Element<t>::fragment, S, wmma::order><<<1, 32>>>((S *)memory, out); \
      });
#define LAYOUT_C(m, n, k, t, row)                                               \
  print_layout("c m" #m "n" #n "k" #k " " #t, row, [](void *memory, int *out) { \
    typedef Element<t>::stored S;                                               \
    dump_c<m, n, k, S><<<1, 32>>>((S *)memory, out);                            \
  });
#define LAYOUTS(m, n, k, a_type, c_type)   \
  LAYOUT_AB(m, n, k, a_type, a, row_major) \
  LAYOUT_AB(m, n, k, a_type, a, col_major) \
  LAYOUT_AB(m, n, k, a_type, b, row_major) \
  LAYOUT_AB(m, n, k, a_type, b, col_major) LAYOUT_C(m, n, k, c_type, 1) LAYOUT_C(m, n, k, c_type, 0)
  EACH_SHAPE(LAYOUTS, F16, F32)
  EACH_SHAPE(LAYOUTS, F16, F16)
  EACH_SHAPE(LAYOUTS, BF16, F32)
  EACH_SHAPE(LAYOUTS, U8, S32)
  LAYOUTS(16, 16, 8, TF32, F32)
  LAYOUTS(8, 8, 4, F64, F64)
}

/* ---- rounding to tf32 ---- */

__global__ void round_all(const uint32_t *from, uint32_t *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = __uint_as_float(from[i]);
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(to[i]) : "f"(x));
}

static void print_rounding() {
  enum { COUNT = 1 << 20 };
  std::vector<uint32_t> from(COUNT), to(COUNT);
  Random r = {1};
  for (uint32_t &v : from) v = (uint32_t)(r.next() >> 32);
  for (int i = 0; i < COUNT; i += 8) from[i] = (from[i] & ~0x1fffu) | 0x1000; /* ties */
  for (int i = 0; i < COUNT; i += 16) from[i] |= 0x7f800000u;
  uint32_t *device;
  CHECK(cudaMalloc(&device, 2 * COUNT * sizeof *device));
  CHECK(cudaMemcpy(device, from.data(), COUNT * sizeof *device, cudaMemcpyHostToDevice));
  round_all<<<COUNT / 256, 256>>>(device, device + COUNT);
  CHECK(cudaMemcpy(to.data(), device + COUNT, COUNT * sizeof *device, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device));
  uint64_t hash = NO_HASH;
  int wrong = 0;
  for (int i = 0; i < COUNT; i++) {
    uint32_t size = from[i] & 0x7fffffff, expected = (from[i] + 0x1000) & ~0x1fffu;
    if (size >= 0x7f800000) expected = from[i] & ~0x1fffu; /* NaNs are cut off, too */
    if (to[i] != expected && wrong++ < 4)
      std::printf("#   cvt.rna.tf32.f32 of %x: %x, not %x\n", from[i], to[i], expected);
    add_to(hash, to[i]);
  }
  std::printf("cvt.rna.tf32.f32\t%d\t%016llx\n", COUNT, (unsigned long long)hash);
}

int main(int argc, char **argv) {
  bool with_rules = false, with_layout = false;
  int count = FIRST;
  const char *only = "";
  for (int i = 1; i < argc; i++) {
    if (!std::strcmp(argv[i], "--rules"))
      with_rules = true;
    else if (!std::strcmp(argv[i], "--layout"))
      with_layout = true;
    else if (!std::strcmp(argv[i], "--only") && i + 1 < argc)
      only = argv[++i];
    else
      count = std::atoi(argv[i]);
  }
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("# device: %s\n", properties.name);
  if (with_layout) print_layouts();
  if (!*only) print_rounding();
  for (const Instruction &in : all_instructions())
    if (in.name.find(only) != std::string::npos) measure(in, count, with_rules);
  return 0;
}
