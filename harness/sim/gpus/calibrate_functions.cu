// calibrate_functions.cu: what a warp's execution of a function of the math library takes, or of an
// operation that is a row of instructions: "function latency" and "function issue", cycles as in
// calibrate.cu's "alu"; "function alone": of four that do not wait for each other, of one warp: as
// long as one if they branch, so that the warp does not go on before. Some take longer for some
// arguments (a large angle, a wide quotient), so those are measured at several.
#include "calibrate.cuh"

namespace {

// Each result leads to the next argument, which is always x: one multiply-add, which is subtracted.
template <class F, class T, int CHAINS>
__global__ void chain(T *out, int turns, T x, T y, T zero, long long *clocks) {
  T v[CHAINS], sum = 0;
  for (int c = 0; c < CHAINS; c++) v[c] = x + out[c] + (T)(threadIdx.x % 32) * zero;
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

struct figures {
  double latency, issue, alone;
};

template <class F, class T>
figures cost(T x, T y) {
  enum { TURNS = 32, EACH = TURNS * 4 };
  auto *out = (T *)buffer;
  auto *to = cycles_of_block;
  double one = cycles([=] { chain<F, T, 1><<<1, 32>>>(out, TURNS, x, y, (T)0, to); }) / EACH;
  double all =
      cycles([=] { chain<F, T, 4><<<1, 1024>>>(out, TURNS, x, y, (T)0, to); }) / (EACH * 4 * 8);
  double alone =
      cycles([=] { chain<F, T, 4><<<1, 32>>>(out, TURNS, x, y, (T)0, to); }) / (EACH * 4);
  return {one, all, alone};
}

template <class F>
void measure(const std::string &name, double x, double y) {
  using T = typename F::type;
  static const auto without = cost<nothing_else, T>((T)1.5, (T)0.5);
  auto with = cost<F, T>((T)x, (T)y);
  row("function latency", name, std::max(0.0, with.latency - without.latency), "cycle");
  row("function issue", name, std::max(0.0, with.issue - without.issue), "cycle");
  row("function alone", name, std::max(0.0, with.alone - without.alone), "cycle");
}

// A function of x and y.
#define DEFINE(id, T, expression)                         \
  struct id {                                             \
    using type = T;                                       \
    static __device__ __forceinline__ type of(T x, T y) { \
      (void)x, (void)y;                                   \
      return (T)(expression);                             \
    }                                                     \
  };

// clang-format off
// name(x) and namef(x), and at which x.
#define UNARY(X) \
  X(asin, 0.7) X(acos, 0.7) X(atan, 0.7) X(sinh, 1.3) X(cosh, 1.3) X(tanh, 1.3) X(asinh, 1.3) \
  X(acosh, 1.3) X(atanh, 0.6) X(sinpi, 0.3) X(cospi, 0.3) X(exp, 1.3) X(exp2, 1.3) \
  X(exp10, 1.3) X(expm1, 1.3) X(log, 1.7) X(log2, 1.7) X(log10, 1.7) X(log1p, 1.7) X(sqrt, 1.7) \
  X(rsqrt, 1.7) X(cbrt, 1.7) X(rcbrt, 1.7) X(erf, 0.7) X(erfc, 0.7) X(erfcx, 0.7) \
  X(erfinv, 0.7) X(erfcinv, 0.7) X(normcdf, 0.7) X(normcdfinv, 0.7) X(lgamma, 3.7) \
  X(tgamma, 3.7) X(j0, 1.7) X(j1, 1.7) X(y0, 1.7) X(y1, 1.7) X(cyl_bessel_i0, 1.7) \
  X(cyl_bessel_i1, 1.7) X(floor, 1.7) X(trunc, 1.7) X(rint, 1.7) X(round, 1.7) X(fabs, 1.7) \
  X(logb, 1.7) X(ilogb, 1.7)
// name(x, y) and namef(x, y).
#define BINARY(X) \
  X(atan2, 0.7, 0.4) X(pow, 1.7, 0.3) X(hypot, 1.7, 0.3) X(rhypot, 1.7, 0.3) X(fmod, 7.7, 1.3) \
  X(remainder, 7.7, 1.3) X(fdim, 1.7, 0.3) X(fmin, 1.7, 0.3) X(fmax, 1.7, 0.3) \
  X(copysign, 1.7, 0.3) X(nextafter, 1.7, 0.3)
// An angle: small, large, and beyond what is reduced by a few multiplications.
#define ANGLES(X) X(sin) X(cos) X(tan)
// Others: id, type, name, expression, x, y.
#define OTHERS(X) \
  X(norm3_single, float, "norm3df", norm3df(x, y, x), 1.7, 0.3) \
  X(norm3_double, double, "norm3d", norm3d(x, y, x), 1.7, 0.3) \
  X(rnorm3_single, float, "rnorm3df", rnorm3df(x, y, x), 1.7, 0.3) \
  X(rnorm3_double, double, "rnorm3d", rnorm3d(x, y, x), 1.7, 0.3) \
  X(div_single, float, "div.f32", y / x, 1.7, 0.3) \
  X(div_double, double, "div.f64", y / x, 1.7, 0.3) \
  X(rcp_single, float, "rcp.f32", 1 / x, 1.7, 0.3) \
  X(rcp_double, double, "rcp.f64", 1 / x, 1.7, 0.3) \
  X(fast_divide, float, "__fdividef", __fdividef(y, x), 1.7, 0.3) \
  X(fast_sin, float, "__sinf", __sinf(x), 1.7, 0.3) \
  X(fast_exp, float, "__expf", __expf(x), 1.7, 0.3) \
  X(fast_log, float, "__logf", __logf(x), 1.7, 0.3) \
  X(fast_pow, float, "__powf", __powf(x, y), 1.7, 0.3) \
  X(square_single, float, "powf(x, 2)", powf(x, 2.0f), 1.7, 0) \
  X(three_halves_single, float, "powf(x, 1.5)", powf(x, 1.5f), 1.7, 0) \
  X(power_of_single, float, "powf(0.9, x)", powf(0.9f, x), 1.7, 0) \
  X(square_double, double, "pow(x, 2)", pow(x, 2.0), 1.7, 0) \
  X(three_halves_double, double, "pow(x, 1.5)", pow(x, 1.5), 1.7, 0) \
  X(power_of_double, double, "pow(0.9, x)", pow(0.9, x), 1.7, 0) \
  X(ldexp_single, float, "ldexpf", ldexpf(x, (int)y), 1.7, 3) \
  X(ldexp_double, double, "ldexp", ldexp(x, (int)y), 1.7, 3) \
  X(through_double, float, "cvt f32 f64 f32", (double)x *(double)y, 1.7, 0.3) \
  X(int_single, float, "cvt f32 s32 f32", (int)x, 1.7, 0.3) \
  X(long_single, float, "cvt f32 s64 f32", (long long)x, 1.7, 0.3) \
  X(byte_single, float, "cvt f32 u8 f32", (unsigned char)x, 1.7, 0.3) \
  X(through_single, double, "cvt f64 f32 f64", (float)x, 1.7, 0.3) \
  X(int_double, double, "cvt f64 s32 f64", (int)x, 1.7, 0.3) \
  X(long_double, double, "cvt f64 s64 f64", (long long)x, 1.7, 0.3) \
  X(unsigned_double, double, "cvt f64 u64 f64", (unsigned long long)x, 1.7, 0.3) \
  X(less_double, double, "setp, selp f64", x < y ? y : x, 1.7, 0.3) \
  X(ones, unsigned, "popc.b32", __popc(x), 12345, 17) \
  X(ones_wide, unsigned long long, "popc.b64", __popcll(x), 12345, 17) \
  X(leading, unsigned, "clz.b32", __clz((int)x), 12345, 17) \
  X(leading_wide, unsigned long long, "clz.b64", __clzll((long long)x), 12345, 17) \
  X(first_set, unsigned, "ffs", __ffs((int)x), 12345, 17) \
  X(first_set_wide, unsigned long long, "ffsll", __ffsll((long long)x), 12345, 17) \
  X(reversed, unsigned, "brev.b32", __brev(x), 12345, 17) \
  X(reversed_wide, unsigned long long, "brev.b64", __brevll(x), 12345, 17) \
  X(permuted, unsigned, "prmt", __byte_perm(x, y, y), 12345, 17) \
  X(funnel, unsigned, "shf", __funnelshift_l(x, y, y), 12345, 17) \
  X(high_32, unsigned, "mul.hi.u32", __umulhi(x, y), 12345, 17) \
  X(high_64, unsigned long long, "mul.hi.u64", __umul64hi(x, y), 12345, 17) \
  X(wide, unsigned long long, "mul.wide.u32", x *(unsigned long long)(unsigned)y, 12345, 17) \
  X(narrow, unsigned, "mul24", __umul24(x, y), 12345, 17) \
  X(absolute_sum, unsigned, "sad", __usad(x, y, x), 12345, 17) \
  X(dots, unsigned, "dp4a", __dp4a(x, y, x), 12345, 17) \
  X(add_bytes, unsigned, "vadd4", __vadd4(x, y), 12345, 17) \
  X(difference_bytes, unsigned, "vabsdiffu4", __vabsdiffu4(x, y), 12345, 17)
// Of integers of each type.
#define INTEGERS(X) \
  X(quotient, "div", x / y) \
  X(rest, "rem", x % y) \
  X(both, "div, rem", x / y + x % y) \
  X(product, "mul", x *(x | y)) \
  X(left, "shl", x << (y & 15)) \
  X(right, "shr", x >> (y & 15)) \
  X(differ, "xor", x ^ y) \
  X(least, "min", x < y ? x : y)

// clang-format on
#define DEFINE_1(name, at) \
  DEFINE(name##_single, float, name##f(x)) DEFINE(name##_double, double, name(x))
#define DEFINE_2(name, a, b) \
  DEFINE(name##_single, float, name##f(x, y)) DEFINE(name##_double, double, name(x, y))
#define DEFINE_ANGLE(name) DEFINE_1(name, )
#define DEFINE_OTHER(id, type, name, expression, a, b) DEFINE(id, type, expression)
UNARY(DEFINE_1)
BINARY(DEFINE_2)
ANGLES(DEFINE_ANGLE)
OTHERS(DEFINE_OTHER)
struct sincos_single {
  using type = float;
  static __device__ __forceinline__ float of(float x, float) {
    float s, c;
    sincosf(x, &s, &c);
    return s + c;
  }
};
struct sincos_double {
  using type = double;
  static __device__ __forceinline__ double of(double x, double) {
    double s, c;
    sincos(x, &s, &c);
    return s + c;
  }
};
#define DEFINE_INTEGER(id, name, expression) \
  template <class T>                         \
  DEFINE(id, T, expression)
INTEGERS(DEFINE_INTEGER)

template <class T>
void integers(const char *type) {
  double large = sizeof(T) == 8 ? 1e15 : sizeof(T) == 4 ? 1e9 : 100;
#define MEASURE_INTEGER(id, name, expression) measure<id<T>>(text(name ".%s", type), large, 17);
  INTEGERS(MEASURE_INTEGER)
  if (sizeof(T) < 8) return;
  measure<quotient<T>>(text("div.%s, 32 bits", type), 1e6, 17);
  measure<rest<T>>(text("rem.%s, 32 bits", type), 1e6, 17);
  measure<quotient<T>>(text("div.%s, wide divisor", type), 1e15, 1e11);
}

}  // namespace

void measure_functions() {
#define MEASURE_1(name, at)                 \
  measure<name##_single>(#name "f", at, 0); \
  measure<name##_double>(#name, at, 0);
#define MEASURE_2(name, a, b)              \
  measure<name##_single>(#name "f", a, b); \
  measure<name##_double>(#name, a, b);
#define MEASURE_ANGLE(name)                       \
  measure<name##_single>(#name "f", 1.1, 0);      \
  measure<name##_single>(#name "f, 1e5", 1e5, 0); \
  measure<name##_single>(#name "f, 1e6", 1e6, 0); \
  measure<name##_double>(#name, 1.1, 0);          \
  measure<name##_double>(#name ", 1e6", 1e6, 0);  \
  measure<name##_double>(#name ", 1e12", 1e12, 0);
#define MEASURE_OTHER(id, type, name, expression, a, b) measure<id>(name, a, b);
  ANGLES(MEASURE_ANGLE)
  MEASURE_ANGLE(sincos)
  UNARY(MEASURE_1)
  BINARY(MEASURE_2)
  OTHERS(MEASURE_OTHER)
  integers<unsigned char>("u8");
  integers<short>("s16");
  integers<int>("s32");
  integers<unsigned>("u32");
  integers<long long>("s64");
  integers<unsigned long long>("u64");
}
