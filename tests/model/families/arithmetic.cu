// arithmetic.cu: much to compute on each element: chains of multiply-adds, the special functions, integers, double precision.
#include "../suite.h"

namespace {

// A polynomial of degree `degree` in Horner's way at CHAINS places: as many multiply-adds as are independent of each other.
template <class T, int CHAINS>
__global__ void polynomial(const float *in, T *out, int degree, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T x = in[i], sum[CHAINS];
  for (int c = 0; c < CHAINS; c++) sum[c] = c;
  for (int k = 0; k < degree; k += CHAINS)
    for (int c = 0; c < CHAINS; c++) sum[c] = sum[c] * x + (T)0.5;
  T all = 0;
  for (int c = 0; c < CHAINS; c++) all += sum[c];
  out[i] = all;
}

__global__ void special(const float *in, float *out, int rounds, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  for (int k = 0; k < rounds; k++) x = __sinf(x) + __expf(-x);
  out[i] = x;
}

// The same with the accurate functions.
__global__ void accurate(const float *in, float *out, int rounds, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  for (int k = 0; k < rounds; k++) x = sqrtf(x + 1.0f) + expf(-x) / (x + 2.0f);
  out[i] = x;
}

// Black and Scholes: what an option is worth.
__device__ float normal(float x) { return 0.5f * erfcf(-x * 0.70710678f); }

__global__ void options(const float *stock, const float *strike, const float *years, float *call,
                        float *put, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float rate = 0.02f, volatility = 0.3f;
  float S = 5 + 25 * stock[i], X = 1 + 99 * strike[i], T = 0.25f + 9.75f * years[i],
        root = sqrtf(T);
  float d1 = (logf(S / X) + (rate + 0.5f * volatility * volatility) * T) / (volatility * root);
  float d2 = d1 - volatility * root, discounted = X * expf(-rate * T);
  call[i] = S * normal(d1) - discounted * normal(d2);
  put[i] = discounted * normal(-d2) - S * normal(-d1);
}

__device__ __host__ inline unsigned mix(unsigned x) {
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return x ^ x >> 16;
}

__global__ void hash(const unsigned *in, unsigned *out, int rounds, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = in[i];
  for (int k = 0; k < rounds; k++) x = mix(x + k);
  out[i] = x;
}

// Division and remainder by a number that the compiler does not know.
__device__ __host__ inline unsigned greatest_divisor(unsigned a, unsigned b) {
  while (b != 0) {
    unsigned rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

__global__ void divisors(const unsigned *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = greatest_divisor(in[i], in[n - 1 - i] | 1);
}

// How many of `rounds` random points are in the circle, each thread with a generator of its own.
__device__ __host__ inline unsigned points_inside(unsigned seed, int rounds) {
  unsigned inside = 0;
  for (int k = 0; k < rounds; k++) {
    seed = seed * 1664525u + 1013904223u;
    float x = (seed >> 8) * 0x1p-24f;
    seed = seed * 1664525u + 1013904223u;
    float y = (seed >> 8) * 0x1p-24f;
    inside += x * x + y * y < 1.0f;
  }
  return inside;
}

__global__ void monte_carlo(const unsigned *seeds, unsigned *out, int rounds, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = points_inside(seeds[i], rounds);
}

// ---- launches ----

template <class T, int CHAINS>
void run_polynomial(const char *name, int n, int degree, int threads = 256) {
  if (!next_launch(name, dim3(cover(n, threads)), dim3(threads), "%d x %d, block %d", n, degree,
                   threads))
    return;
  const float *in = input(n);
  T *out = output<T>(n);
  launch(polynomial<T, CHAINS>, in, out, degree, n);
  expect(
      out, n,
      [=](size_t i) {
        double all = 0;
        for (int c = 0; c < CHAINS; c++) {
          double sum = c;
          for (int k = 0; k < degree; k += CHAINS) sum = sum * value(i) + 0.5;
          all += sum;
        }
        return all;
      },
      1e-3);
}

void run_functions(const char *name, void (*kernel)(const float *, float *, int, int), int n,
                   int rounds) {
  if (!next_launch(name, dim3(cover(n, 256)), dim3(256), "%d x %d", n, rounds)) return;
  const float *in = input(n);
  float *out = output(n);
  launch(kernel, in, out, rounds, n);
  expect(
      out, n,
      [=](size_t i) {
        double x = value(i);
        for (int k = 0; k < rounds; k++)
          x = kernel == special ? sin(x) + exp(-x) : sqrt(x + 1) + exp(-x) / (x + 2);
        return x;
      },
      1e-3);
}

void run_options(int n) {
  if (!next_launch("options", dim3(cover(n, 128)), dim3(128), "%d", n)) return;
  const float *stock = input(n), *strike = input(n, 3), *years = input(n, 5);
  float *call = output(n), *put = output(n);
  launch(options, stock, strike, years, call, put, n);
  expect(
      call, n,
      [](size_t i) {
        double S = 5 + 25 * value(i), X = 1 + 99 * value(i + 3), T = 0.25 + 9.75 * value(i + 5);
        double d1 = (log(S / X) + (0.02 + 0.045) * T) / (0.3 * sqrt(T)), d2 = d1 - 0.3 * sqrt(T);
        return S * 0.5 * erfc(-d1 * sqrt(0.5)) - X * exp(-0.02 * T) * 0.5 * erfc(-d2 * sqrt(0.5));
      },
      1e-3);
}

// Integers: the host does the same.
template <class F>
void run_integers(const char *name, int n, int rounds, F go) {
  if (!next_launch(name, dim3(cover(n, 256)), dim3(256), "%d x %d", n, rounds)) return;
  std::vector<unsigned> numbers(n);
  for (int i = 0; i < n; i++) numbers[i] = bits(i);
  const unsigned *in = upload(numbers);
  go(numbers, in, output<unsigned>(n));
}

void run_hash(int n, int rounds) {
  run_integers("hash", n, rounds,
               [=](std::vector<unsigned> &numbers, const unsigned *in, unsigned *out) {
                 launch(hash, in, out, rounds, n);
                 expect(
                     out, n,
                     [&](size_t i) {
                       unsigned x = numbers[i];
                       for (int k = 0; k < rounds; k++) x = mix(x + k);
                       return x;
                     },
                     0);
               });
}

void run_divisors(int n) {
  run_integers(
      "divisors", n, 1, [=](std::vector<unsigned> &numbers, const unsigned *in, unsigned *out) {
        launch(divisors, in, out, n);
        expect(
            out, n, [&](size_t i) { return greatest_divisor(numbers[i], numbers[n - 1 - i] | 1); },
            0);
      });
}

// A point on the circle's edge may count on one side only.
void run_monte_carlo(int n, int rounds) {
  run_integers("monte_carlo", n, rounds,
               [=](std::vector<unsigned> &numbers, const unsigned *in, unsigned *out) {
                 launch(monte_carlo, in, out, rounds, n);
                 expect(
                     out, n, [&](size_t i) { return points_inside(numbers[i], rounds); }, 0.02);
               });
}

}  // namespace

void family_arithmetic() {
  for (int n : {10000, 1 << 22}) {
    run_polynomial<float, 1>("polynomial<float, 1>", n, 512);
    run_polynomial<float, 8>("polynomial<float, 8>", n, 512);
  }
  run_polynomial<float, 1>("polynomial<float, 1>", 132 * 128, 4096, 128);
  run_polynomial<float, 4>("polynomial<float, 4>", 132 * 128, 4096, 128);
  run_polynomial<float, 4>("polynomial<float, 4>", 1 << 24, 16);
  for (int n : {10000, 1 << 20}) run_polynomial<double, 4>("polynomial<double, 4>", n, 256);
  for (int n : {10000, 1 << 22}) {
    run_functions("special", special, n, 64);
    run_functions("accurate", accurate, n, 16);
  }
  for (int n : {10000, 1 << 22}) run_options(n);
  run_hash(1 << 20, 100);
  run_hash(1 << 24, 4);
  run_divisors(1 << 20);
  run_monte_carlo(100000, 1000);
}
