/* functions.cu: how far CUDA's math functions are off, on the simulator or on a GPU.
 *
 *     harness/kcc tests/functions/functions.cu -o functions && ./functions
 *     nvcc -O3 -arch=native tests/functions/functions.cu -o functions && ./functions
 *
 * A line per function, with tabs: its name; the maximum error that the CUDA C++ Programming Guide
 * states ("Mathematical Functions", standard functions); the largest error that was seen, and for
 * which argument; how many of 1,000 results are the correctly rounded ones; a digest of all. Errors
 * are differences from the correctly rounded result in units of its last place, as in that guide.
 * tests/e2e/functions.sh holds them against the bounds, and against functions-h100.tsv.
 *
 * Exact values are the host's, in long double: 11 bits more than a double has. */
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

typedef long double wide;

enum { COUNT = 1 << 16, BLOCK = 256 };
static const wide PI = 3.14159265358979323846264338327950288L;

/* ---- arguments ---- */

/* One is between `low` and `high`, in equal steps, or in equal steps of its exponent and
 * fraction. */
struct range {
  double low, high;
};

static uint64_t random_bits(uint64_t *state) { /* splitmix64 */
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static double linear(struct range r, uint64_t *state) {
  return r.low + (r.high - r.low) * ((double)(random_bits(state) >> 11) * 0x1p-53);
}

/* Any exponent that the range has, down to that of the smallest normal float. */
static double logarithmic(struct range r, uint64_t *state) {
  double most = fmax(fabs(r.low), fabs(r.high)), least = r.low > 0 ? r.low : FLT_MIN;
  double x = exp2(linear({log2(least), log2(most)}, state));
  if (r.low < 0 && (r.high <= 0 || random_bits(state) & 1)) x = -x;
  return x < r.low ? r.low : x > r.high ? r.high : x;
}

template <class T>
static void choose(struct range r, uint64_t seed, T *x) {
  for (int i = 0; i < COUNT; i++) x[i] = (T)(i % 2 ? linear(r, &seed) : logarithmic(r, &seed));
}

/* ---- exact values ---- */

static wide exact_rsqrt(wide x) { return 1 / sqrtl(x); }
static wide exact_rcbrt(wide x) { return 1 / cbrtl(x); }
static wide exact_exp10(wide x) { return powl(10, x); }
static wide exact_sinpi(wide x) {
  wide turns = rintl(x), rest = x - turns;
  return fmodl(turns, 2) != 0 ? -sinl(PI * rest) : sinl(PI * rest);
}
static wide exact_cospi(wide x) {
  wide turns = rintl(x), rest = x - turns;
  if (fabsl(rest) == 0.5L) return 0;
  wide c = fabsl(rest) > 0.25L ? sinl(PI * (0.5L - fabsl(rest))) : cosl(PI * rest);
  return fmodl(turns, 2) != 0 ? -c : c;
}
static wide exact_normcdf(wide x) { return erfcl(-x / sqrtl(2)) / 2; }
static wide exact_erfcx(wide x) {
  if (x < 20) return expl(x * x) * erfcl(x);
  wide sum = 1, term = 1; /* its asymptotic series */
  for (int i = 1; i < 30; i++) {
    wide next = -term * (wide)(2 * i - 1) / (2 * x * x);
    if (fabsl(next) >= fabsl(term)) break;
    sum += term = next;
  }
  return sum / (x * sqrtl(PI));
}

/* y in (0, 1): the x with erfc(x) = y, by Newton's method on log(erfc(x)). */
static wide small_erfcinv(wide y) {
  wide x = sqrtl(-logl(y)) / 1.1L;
  for (int i = 0; i < 60; i++) {
    wide value = erfcl(x), slope = -2 / sqrtl(PI) * expl(-x * x),
         step = (logl(value) - logl(y)) * value / slope;
    x -= step;
    if (fabsl(step) <= 1e-19L * fabsl(x)) break;
  }
  return x;
}
/* y in (-1, 1): the x with erf(x) = y. */
static wide exact_erfinv(wide y) {
  if (fabsl(y) > 0.5L) return copysignl(small_erfcinv(1 - fabsl(y)), y);
  wide x = y * sqrtl(PI) / 2;
  for (int i = 0; i < 60; i++) {
    wide step = (erfl(x) - y) / (2 / sqrtl(PI) * expl(-x * x));
    x -= step;
    if (fabsl(step) <= 1e-19L * fabsl(x)) break;
  }
  return x;
}
static wide exact_erfcinv(wide y) {
  return y < 0.5L ? small_erfcinv(y) : y > 1.5L ? -small_erfcinv(2 - y) : exact_erfinv(1 - y);
}
static wide exact_normcdfinv(wide y) { return -sqrtl(2) * exact_erfcinv(2 * y); }
static wide exact_rhypot(wide x, wide y) { return 1 / hypotl(x, y); }

static wide exact_norm3d(wide x, wide y) { return sqrtl(x * x + y * y + 9); }
static wide exact_i0(wide x) {
  wide sum = 1, term = 1;
  for (int k = 1; term > sum * 1e-21L; k++) sum += term *= x * x / 4 / ((wide)k * k);
  return sum;
}
static wide exact_i1(wide x) {
  wide sum = x / 2, term = x / 2;
  for (int k = 1; fabsl(term) > fabsl(sum) * 1e-21L; k++)
    sum += term *= x * x / 4 / ((wide)k * (k + 1));
  return sum;
}

/* ---- errors ---- */

static wide unit(wide exact, int digits, int least) {
  int e;
  frexpl(exact, &e);
  return ldexpl(1, (e > least ? e : least) - digits);
}
static wide unit_of(wide exact, float) { return unit(exact, FLT_MANT_DIG, FLT_MIN_EXP); }
static wide unit_of(wide exact, double) { return unit(exact, DBL_MANT_DIG, DBL_MIN_EXP); }

/* An exact value in the middle between two, as far as it is known, has two rounded ones. */
template <class T>
static double error_of(T got, wide exact) {
  const wide known = 0x1p-9L;
  T rounded = (T)exact;
  if (got == rounded || (std::isnan(got) && std::isnan(rounded))) return 0;
  if (!std::isfinite(got) || !std::isfinite(rounded)) return INFINITY;
  wide off = fabsl((wide)got - exact) / unit_of(exact, got) - 0.5L - known;
  return off < 0 ? 0 : (double)ceill(off);
}

template <class T>
static void report(const char *name, int bound, const T *x, const T *y, const T *got,
                   wide (*exact1)(wide), wide (*exact2)(wide, wide)) {
  double worst = 0;
  int right = 0, at = 0;
  uint64_t digest = 0xcbf29ce484222325u; /* FNV-1a */
  for (int i = 0; i < COUNT; i++) {
    double error = error_of(got[i], exact2 ? exact2(x[i], y[i]) : exact1(x[i]));
    right += error == 0;
    if (error > worst) worst = error, at = i;
    unsigned char bytes[sizeof(T)];
    memcpy(bytes, &got[i], sizeof bytes);
    for (unsigned char byte : bytes) digest = (digest ^ byte) * 0x100000001b3u;
  }
  printf("%s\t%d\t%.0f\t%.17g", name, bound, worst, (double)x[at]);
  if (exact2) printf(" %.17g", (double)y[at]);
  printf("\t%d\t%016llx\n", (int)(1000LL * right / COUNT), (unsigned long long)digest);
}

/* ---- functions ---- */

template <class T>
struct arrays {
  T *x, *y, *got;
  explicit arrays() {
    for (T **array : {&x, &y, &got}) cudaMallocManaged(array, COUNT * sizeof(T));
  }
  ~arrays() {
    for (T *array : {x, y, got}) cudaFree(array);
  }
};

template <class F, class T>
__global__ void call1(F f, const T *x, T *got) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  got[i] = f(x[i]);
}
template <class F, class T>
__global__ void call2(F f, const T *x, const T *y, T *got) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  got[i] = f(x[i], y[i]);
}

template <class T, class F>
static void measure1(const char *name, int bound, struct range r, F f, wide (*exact)(wide)) {
  arrays<T> a;
  choose(r, 1, a.x);
  call1<<<COUNT / BLOCK, BLOCK>>>(f, a.x, a.got);
  cudaDeviceSynchronize();
  report<T>(name, bound, a.x, a.x, a.got, exact, NULL);
}
template <class T, class F>
static void measure2(const char *name, int bound, struct range r, struct range s, F f,
                     wide (*exact)(wide, wide)) {
  arrays<T> a;
  choose(r, 1, a.x);
  choose(s, 2, a.y);
  call2<<<COUNT / BLOCK, BLOCK>>>(f, a.x, a.y, a.got);
  cudaDeviceSynchronize();
  report<T>(name, bound, a.x, a.y, a.got, NULL, exact);
}

/* name(x) with the bounds of the float and of the double version, and their ranges. */
#define ONE(name, boundf, bound, lowf, highf, low, high, exact)               \
  struct of_##name##f {                                                       \
    __device__ float operator()(float x) const { return name##f(x); }         \
  };                                                                          \
  struct of_##name {                                                          \
    __device__ double operator()(double x) const { return name(x); }          \
  };                                                                          \
  static void measure_##name() {                                              \
    measure1<float>(#name "f", boundf, {lowf, highf}, of_##name##f(), exact); \
    measure1<double>(#name, bound, {low, high}, of_##name(), exact);          \
  }
#define TWO(name, boundf, bound, low, high, low2, high2, exact)                            \
  struct of_##name##f {                                                                    \
    __device__ float operator()(float x, float y) const { return name##f(x, y); }          \
  };                                                                                       \
  struct of_##name {                                                                       \
    __device__ double operator()(double x, double y) const { return name(x, y); }          \
  };                                                                                       \
  static void measure_##name() {                                                           \
    measure2<float>(#name "f", boundf, {low, high}, {low2, high2}, of_##name##f(), exact); \
    measure2<double>(#name, bound, {low, high}, {low2, high2}, of_##name(), exact);        \
  }

/* Bounds: CUDA C++ Programming Guide 13.0, tables of standard functions. */
ONE(sqrt, 0, 0, 0, 1e30, 0, 1e300, sqrtl)
ONE(rsqrt, 2, 1, 1e-30, 1e30, 1e-300, 1e300, exact_rsqrt)
ONE(cbrt, 1, 1, -1e30, 1e30, -1e300, 1e300, cbrtl)
ONE(rcbrt, 1, 1, 1e-30, 1e30, 1e-300, 1e300, exact_rcbrt)
ONE(exp, 2, 1, -87, 88, -708, 709, expl)
ONE(exp2, 2, 1, -126, 127, -1022, 1023, exp2l)
ONE(exp10, 2, 1, -37, 38, -307, 308, exact_exp10)
ONE(expm1, 1, 1, -87, 88, -708, 709, expm1l)
ONE(log, 1, 1, 1e-37, 1e37, 1e-300, 1e300, logl)
ONE(log2, 1, 1, 1e-37, 1e37, 1e-300, 1e300, log2l)
ONE(log10, 2, 1, 1e-37, 1e37, 1e-300, 1e300, log10l)
ONE(log1p, 1, 1, -0.999, 1e37, -0.999, 1e300, log1pl)
ONE(sin, 2, 2, -1e5, 1e5, -1e5, 1e5, sinl)
ONE(cos, 2, 2, -1e5, 1e5, -1e5, 1e5, cosl)
ONE(tan, 4, 2, -1e5, 1e5, -1e5, 1e5, tanl)
ONE(sinpi, 1, 2, -100, 100, -100, 100, exact_sinpi)
ONE(cospi, 1, 2, -100, 100, -100, 100, exact_cospi)
ONE(asin, 2, 2, -1, 1, -1, 1, asinl)
ONE(acos, 2, 2, -1, 1, -1, 1, acosl)
ONE(atan, 2, 2, -1e10, 1e10, -1e10, 1e10, atanl)
ONE(sinh, 3, 2, -88, 88, -700, 700, sinhl)
ONE(cosh, 2, 1, -88, 88, -700, 700, coshl)
ONE(tanh, 2, 1, -20, 20, -20, 20, tanhl)
ONE(asinh, 3, 3, -1e30, 1e30, -1e300, 1e300, asinhl)
ONE(acosh, 4, 3, 1, 1e30, 1, 1e300, acoshl)
ONE(atanh, 3, 2, -1, 1, -1, 1, atanhl)
ONE(erf, 2, 2, -6, 6, -6, 6, erfl)
ONE(erfc, 4, 5, -4, 9, -6, 26, erfcl)
ONE(erfinv, 2, 5, -0.999999, 0.999999, -0.9999999999, 0.9999999999, exact_erfinv)
ONE(erfcinv, 4, 6, 1e-37, 1.9999, 1e-300, 1.999999999, exact_erfcinv)
ONE(erfcx, 4, 4, -9, 1e10, -26, 1e10, exact_erfcx)
ONE(normcdf, 5, 5, -12, 6, -37, 8, exact_normcdf)
ONE(normcdfinv, 5, 8, 1e-37, 0.9999, 1e-300, 0.9999999, exact_normcdfinv)
ONE(lgamma, 6, 4, -2.2, 1e30, -2.2, 1e300, lgammal)
ONE(tgamma, 5, 10, 0.01, 34, 0.01, 170, tgammal)
ONE(cyl_bessel_i0, 6, 6, -80, 80, -700, 700, exact_i0)
ONE(cyl_bessel_i1, 6, 6, -80, 80, -700, 700, exact_i1)
TWO(hypot, 3, 2, -1e18, 1e18, -1e18, 1e18, hypotl)
TWO(rhypot, 2, 1, -1e18, 1e18, -1e18, 1e18, exact_rhypot)
TWO(atan2, 3, 2, -1e18, 1e18, -1e18, 1e18, atan2l)
TWO(pow, 4, 2, 1e-10, 100, -18, 18, powl)
TWO(fmod, 0, 0, -1e5, 1e5, 1e-3, 1e5, fmodl)
TWO(remainder, 0, 0, -1e5, 1e5, 1e-3, 1e5, remainderl)

__device__ static float norm3d3f(float x, float y) { return norm3df(x, y, 3); }
__device__ static double norm3d3(double x, double y) { return norm3d(x, y, 3); }
TWO(norm3d3, 3, 2, -1e15, 1e15, -1e15, 1e15, exact_norm3d)

int main() {
  measure_sqrt(), measure_rsqrt(), measure_cbrt(), measure_rcbrt(), measure_hypot();
  measure_rhypot(), measure_exp(), measure_exp2(), measure_exp10(), measure_expm1();
  measure_log(), measure_log2(), measure_log10(), measure_log1p(), measure_pow();
  measure_sin(), measure_cos(), measure_tan(), measure_sinpi(), measure_cospi();
  measure_asin(), measure_acos(), measure_atan(), measure_atan2();
  measure_sinh(), measure_cosh(), measure_tanh(), measure_asinh(), measure_acosh();
  measure_atanh(), measure_erf(), measure_erfc(), measure_erfinv(), measure_erfcinv();
  measure_erfcx(), measure_normcdf(), measure_normcdfinv(), measure_lgamma(), measure_tgamma();
  measure_fmod(), measure_remainder(), measure_cyl_bessel_i0(), measure_cyl_bessel_i1();
  measure_norm3d3();
  return cudaGetLastError() != cudaSuccess;
}
