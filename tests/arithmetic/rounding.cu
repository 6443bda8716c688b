/* rounding.cu: CUDA's functions with a rounding mode (__fadd_ru, __double2int_rz, ...), each on values from memory and on
 * constants that the compiler sees, against the host's arithmetic in that mode (<fenv.h>). tests/e2e/rounding.sh builds it
 * with each clang that is there and runs it on the simulator; on a GPU:
 *
 *     nvcc -O3 -arch=sm_90 -o rounding tests/arithmetic/rounding.cu && ./rounding
 *
 * Prints a line for each function that is wrong, and at the end how many are right. Exit status 1: one is wrong.
 */
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

/* ---- values ---- */

/* First operand, second, third: where results are ties, overflow, underflow, or differ by the mode. */
#define FLOATS(V)                                                                      \
  V(1.0f, 0x1p-30f, 1.0f)                                                              \
  V(-1.0f, 0x1p-30f, -0x1p-40f)                                                        \
  V(1.0f, 3.0f, 0x1p-60f) V(0.1f, 0.7f, -0.07f)                                        \
      V(0x1.fffffep127f, 0x1.fffffep127f, -0x1.fffffep127f)                            \
          V(0x1.000002p0f, 0x1.000002p0f, -0x1.000004p0f) V(2.5f, -2.5f, 6.25f)        \
              V(-1.5f, 0.3f, 0x1p-149f) V(0x1p-126f, 0x1.8p-24f, 0x1p-149f)            \
                  V(0x1p-149f, 0.5f, 0.0f) V(0.0f, -0.0f, 0.0f)                        \
                      V(2147483648.0f, 4294967296.0f, 1.0f) V(-0x1p63f, 0x1p64f, 3.0f) \
                          V(0.99999994f, 1e-10f, 7.0f)
#define DOUBLES(V)                                                                             \
  V(1.0, 0x1p-60, 1.0)                                                                         \
  V(-1.0, 0x1p-60, -0x1p-90)                                                                   \
  V(1.0, 3.0, 0x1p-120) V(0.1, 0.7, -0.07)                                                     \
      V(0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023)               \
          V(0x1.0000000000001p0, 0x1.0000000000001p0, -0x1.0000000000002p0) V(2.5, -2.5, 6.25) \
              V(-1.5, 0.3, 0x1p-1074) V(0x1p-1022, 0x1.8p-53, 0x1p-1074) V(0.0, -0.0, 0.0)     \
                  V(2147483647.5, 4294967295.5, 1.0) V(-2147483648.5, 0x1p64, 3.0)             \
                      V(0x1.ffffffp127, 1e-310, 7.0) V(0x1.000001p0, 0x1p63, 1.0)              \
                          V(1e-50, 1e50, 1e-100)
#define INTS(V) \
  V(16777217) V(-16777217) V(33554435) V(2147483647) V(-2147483647 - 1) V(0) V(-1) V(7)
#define LONGS(V)       \
  V(9007199254740993)  \
  V(-9007199254740993) \
  V(9223372036854775807) V(-9223372036854775807 - 1) V(16777217) V(-16777219) V(0) V(-1)

template <class T>
static bool same(T x, T y) {
  return std::memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y);
}

/* ---- what the host says ---- */

/* Compilers convert 64 bits without a sign to double in steps that, rounding down, give -0 for 0. */
template <class F, class I>
static F from_integer(I x) {
  if ((I)-1 < 0 || sizeof(I) < 8 || sizeof(F) < 8) return (F)x;
  return (F)(double)(unsigned int)((unsigned long long)x >> 32) * 0x1p32 +
         (F)(double)(unsigned int)x;
}

/* Of x, rounded to an integral value in the current mode: as cvt saturates; NaN gives 0, or the top bit alone if either
 * side has 64 bits. */
template <class I, class F>
static I to_integer(F x) {
  const I top = std::numeric_limits<I>::max(), low = std::numeric_limits<I>::min();
  if (x != x) return sizeof(I) == 8 || sizeof(F) == 8 ? (I)(1ull << (8 * sizeof(I) - 1)) : 0;
  long double whole = nearbyintl((long double)x);
  return whole <= (long double)low ? low : whole >= (long double)top ? top : (I)whole;
}

/* ---- each function ---- */

static int right, wrong;

template <class R, class T>
static void compare(const char *name, const char *how, int count, const R *got, R (*host)(T, T, T),
                    const T *v) {
  int bad = 0;
  for (int i = 0; i < count && !bad; i++) {
    R expected = host(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
    if (same(got[i], expected)) continue;
    std::printf("%s (%s) of %.17g, %.17g, %.17g: %.17g, not %.17g\n", name, how, (double)v[3 * i],
                (double)v[3 * i + 1], (double)v[3 * i + 2], (double)got[i], (double)expected);
    bad = 1;
  }
  (bad ? wrong : right)++;
}

template <class R, class T, int N>
static void test(const char *name, void (*loaded)(const T *, R *), void (*folded)(R *),
                 R (*host)(T, T, T), const T (&v)[N]) {
  const int count = N / 3;
  R got[count], *out;
  T *in;
  cudaMalloc(&in, sizeof v);
  cudaMalloc(&out, sizeof got);
  cudaMemcpy(in, v, sizeof v, cudaMemcpyHostToDevice);
  loaded<<<1, count>>>(in, out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  compare(name, "loaded", count, got, host, v);
  cudaMemset(out, 0x55, sizeof got);
  folded<<<1, 1>>>(out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  compare(name, "constant", count, got, host, v);
  if (cudaDeviceSynchronize() != cudaSuccess)
    std::printf("%s: %s\n", name, cudaGetErrorString(cudaGetLastError())), wrong++;
  cudaFree(in);
  cudaFree(out);
}

#define ARGUMENTS1(x, y, z) x
#define ARGUMENTS2(x, y, z) x, y
#define ARGUMENTS3(x, y, z) x, y, z
#define LIST3(x, y, z) x, y, z,
#define LIST1(x) x, 0, 0,
#define LIST1_INT(x) (unsigned int)(x), 0, 0,
#define LIST1_LONG(x) (unsigned long long)(x), 0, 0,

static const float floats[] = {FLOATS(LIST3)};
static const double doubles[] = {DOUBLES(LIST3)};
static const int ints[] = {INTS(LIST1)};
static const unsigned int unsigneds[] = {INTS(LIST1_INT)};
static const long long longs[] = {LONGS(LIST1)};
static const unsigned long long unsigned_longs[] = {LONGS(LIST1_LONG)};

/* FUNCTION(name, arity, result, operand, values, their array, mode, the host's expression of a, b, c) */
#define FUNCTION(name, arity, R, T, VALUES, array, mode, expression)                \
  static __global__ void loaded_##name(const T *v, R *out) {                        \
    int i = threadIdx.x;                                                            \
    out[i] = name(ARGUMENTS##arity(v[3 * i], v[3 * i + 1], v[3 * i + 2]));          \
  }                                                                                 \
  static __global__ void folded_##name(R *out) {                                    \
    int i = 0;                                                                      \
    auto f = [](T x, T y = 0, T z = 0) { return name(ARGUMENTS##arity(x, y, z)); }; \
    VALUES(FOLD)                                                                    \
  }                                                                                 \
  static R host_##name(T x, T y, T z) {                                             \
    volatile T a = x, b = y, c = z;                                                 \
    (void)a, (void)b, (void)c;                                                      \
    std::fesetround(mode);                                                          \
    volatile R result = expression;                                                 \
    std::fesetround(FE_TONEAREST);                                                  \
    return result;                                                                  \
  }                                                                                 \
  static void test_##name() { test(#name, loaded_##name, folded_##name, host_##name, array); }
#define FOLD(...) out[i++] = f(__VA_ARGS__);

#define EACH_FUNCTION(F, m, mode)                                                                \
  F(__fadd_##m, 2, float, float, FLOATS, floats, mode, a + b)                                    \
  F(__fsub_##m, 2, float, float, FLOATS, floats, mode, a - b)                                    \
  F(__fmul_##m, 2, float, float, FLOATS, floats, mode, a *b)                                     \
  F(__fmaf_##m, 3, float, float, FLOATS, floats, mode, fmaf(a, b, c))                            \
  F(__fmaf_ieee_##m, 3, float, float, FLOATS, floats, mode, fmaf(a, b, c))                       \
  F(__fdiv_##m, 2, float, float, FLOATS, floats, mode, a / b)                                    \
  F(__frcp_##m, 1, float, float, FLOATS, floats, mode, 1 / a)                                    \
  F(__fsqrt_##m, 1, float, float, FLOATS, floats, mode, sqrtf(a))                                \
  F(__dadd_##m, 2, double, double, DOUBLES, doubles, mode, a + b)                                \
  F(__dsub_##m, 2, double, double, DOUBLES, doubles, mode, a - b)                                \
  F(__dmul_##m, 2, double, double, DOUBLES, doubles, mode, a *b)                                 \
  F(__fma_##m, 3, double, double, DOUBLES, doubles, mode, fma(a, b, c))                          \
  F(__ddiv_##m, 2, double, double, DOUBLES, doubles, mode, a / b)                                \
  F(__drcp_##m, 1, double, double, DOUBLES, doubles, mode, 1 / a)                                \
  F(__dsqrt_##m, 1, double, double, DOUBLES, doubles, mode, sqrt(a))                             \
  F(__float2int_##m, 1, int, float, FLOATS, floats, mode, to_integer<int>(a))                    \
  F(__float2uint_##m, 1, unsigned int, float, FLOATS, floats, mode, to_integer<unsigned int>(a)) \
  F(__float2ll_##m, 1, long long, float, FLOATS, floats, mode, to_integer<long long>(a))         \
  F(__float2ull_##m, 1, unsigned long long, float, FLOATS, floats, mode,                         \
    to_integer<unsigned long long>(a))                                                           \
  F(__double2int_##m, 1, int, double, DOUBLES, doubles, mode, to_integer<int>(a))                \
  F(__double2uint_##m, 1, unsigned int, double, DOUBLES, doubles, mode,                          \
    to_integer<unsigned int>(a))                                                                 \
  F(__double2ll_##m, 1, long long, double, DOUBLES, doubles, mode, to_integer<long long>(a))     \
  F(__double2ull_##m, 1, unsigned long long, double, DOUBLES, doubles, mode,                     \
    to_integer<unsigned long long>(a))                                                           \
  F(__double2float_##m, 1, float, double, DOUBLES, doubles, mode, (float)a)                      \
  F(__int2float_##m, 1, float, int, INTS, ints, mode, from_integer<float>(a))                    \
  F(__uint2float_##m, 1, float, unsigned int, INTS, unsigneds, mode, from_integer<float>(a))     \
  F(__ll2float_##m, 1, float, long long, LONGS, longs, mode, from_integer<float>(a))             \
  F(__ull2float_##m, 1, float, unsigned long long, LONGS, unsigned_longs, mode,                  \
    from_integer<float>(a))                                                                      \
  F(__ll2double_##m, 1, double, long long, LONGS, longs, mode, from_integer<double>(a))          \
  F(__ull2double_##m, 1, double, unsigned long long, LONGS, unsigned_longs, mode,                \
    from_integer<double>(a))
#define EACH_MODE(F)                                                \
  EACH_FUNCTION(F, rn, FE_TONEAREST)                                \
  EACH_FUNCTION(F, rz, FE_TOWARDZERO)                               \
  EACH_FUNCTION(F, ru, FE_UPWARD) EACH_FUNCTION(F, rd, FE_DOWNWARD) \
      F(__frsqrt_rn, 1, float, float, FLOATS, floats, FE_TONEAREST, \
        (float)(1 / sqrtl((long double)a)))

EACH_MODE(FUNCTION)

/* ---- fused or not ---- */

/* Unguarded in a function for both sides, as templates of libraries have it: the host never calls it. */
static inline __host__ __device__ double square_plus(double x, double y) {
  return __dadd_rn(__dmul_rn(x, x), y);
}

static __global__ void chains(float x, float y, float z, double a, double b, double c, float *f,
                              double *d) {
  f[0] = __fadd_rn(__fmul_rn(x, y), z);
  f[1] = __fsub_rn(__fmul_rn(x, y), z);
  f[2] = __fmul_rn(x, y) + z;
  f[3] = z - __fmul_rn(x, y);
  f[4] = __fadd_rn(x * y, z);
  f[5] = x * y + z; /* these are fused, as nvcc does by default */
  d[0] = square_plus(a, c);
  d[1] = __dsub_rn(__dmul_rn(a, b), c);
  d[2] = __dmul_rn(a, b) + c;
  d[3] = c - __dmul_rn(a, b);
  d[4] = __dadd_rn(a * b, c);
  d[5] = a * b + c;
}

static void test_chains() {
  /* the products have a bit more than fits, and the sums are nothing else */
  volatile float x = 0x1.000002p0f, z = -0x1.000004p0f, product = x * x;
  volatile double a = 0x1.0000000000001p0, c = -0x1.0000000000002p0, square = a * a;
  const float f[6] = {product + z, product - z, product + z,
                      z - product, product + z, fmaf(x, x, z)};
  const double d[6] = {square + c, square - c, square + c, c - square, square + c, fma(a, a, c)};
  float *f_out, f_got[6];
  double *d_out, d_got[6];
  cudaMalloc(&f_out, sizeof f_got);
  cudaMalloc(&d_out, sizeof d_got);
  chains<<<1, 1>>>(x, x, z, a, a, c, f_out, d_out);
  cudaMemcpy(f_got, f_out, sizeof f_got, cudaMemcpyDeviceToHost);
  cudaMemcpy(d_got, d_out, sizeof d_got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 6; i++) {
    if (!same(f_got[i], f[i])) std::printf("chain %d of floats: %a, not %a\n", i, f_got[i], f[i]);
    if (!same(d_got[i], d[i])) std::printf("chain %d of doubles: %a, not %a\n", i, d_got[i], d[i]);
    (same(f_got[i], f[i]) ? right : wrong)++;
    (same(d_got[i], d[i]) ? right : wrong)++;
  }
}

int main() {
#define TEST(name, ...) test_##name();
  EACH_MODE(TEST)
  test_chains();
  std::printf("%d of %d right\n", right, right + wrong);
  return wrong != 0;
}
