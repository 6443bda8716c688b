// cuComplex.h on the host and in a kernel, beside <complex> in double precision. Ends with 0 if all
// is as near as the type allows, also where squares would overflow or vanish.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cuComplex.h>

using exact = std::complex<long double>;

static int failures;

template <class Z, class R>
struct results {
  Z sum, difference, product, quotient, conjugate, more;
  R length, re, im;
};

__host__ __device__ void compute(cuFloatComplex x, cuFloatComplex y,
                                 results<cuFloatComplex, float> &r) {
  r = {cuCaddf(x, y),    cuCsubf(x, y), cuCmulf(x, y), cuCdivf(x, y), cuConjf(x),
       cuCfmaf(x, y, x), cuCabsf(x),    cuCrealf(x),   cuCimagf(x)};
}
__host__ __device__ void compute(cuDoubleComplex x, cuDoubleComplex y,
                                 results<cuDoubleComplex, double> &r) {
  r = {cuCadd(x, y),    cuCsub(x, y), cuCmul(x, y), cuCdiv(x, y), cuConj(x),
       cuCfma(x, y, x), cuCabs(x),    cuCreal(x),   cuCimag(x)};
}
template <class Z, class R>
__global__ void on_device(Z x, Z y, results<Z, R> *r) {
  compute(x, y, *r);
}

template <class Z>
static exact wide(Z z) {
  return {(long double)z.x, (long double)z.y};
}

template <class Z>
static void near(const char *what, Z got, exact wanted, long double scale) {
  long double error = std::abs(wide(got) - wanted), allowed = 8 * scale * std::abs(wanted);
  if (!(error <= allowed)) failures++, printf("%s: %Lg off\n", what, error / std::abs(wanted));
}

template <class Z, class R>
static void check(const results<Z, R> &r, Z a, Z b, long double scale) {
  exact x = wide(a), y = wide(b);
  near("sum", r.sum, x + y, scale);
  near("difference", r.difference, x - y, scale);
  near("product", r.product, x * y, scale);
  near("quotient", r.quotient, x / y, scale);
  near("conjugate", r.conjugate, std::conj(x), 0);
  if (std::abs(x * y + x) > std::abs(x) / 4) near("fma", r.more, x * y + x, 4 * scale);
  if (fabsl(r.length - std::abs(x)) > 4 * scale * std::abs(x))
    failures++, printf("absolute value\n");
  if (r.re != a.x || r.im != a.y) failures++, printf("parts\n");
}

template <class Z, class R>
static void try_all(Z (*make)(R, R), R large, long double scale) {
  results<Z, R> host, *device;
  cudaMallocManaged(&device, sizeof *device);
  for (R size : {(R)1, (R)1e-3, (R)1000})
    for (int i = 0; i < 24; i++) {
      Z x = make(size * std::cos(R(0.3) + i), std::sin(R(2) * i + 1)),
        y = make(R(1.25) + i % 3, R(i) / 7 - 1);
      compute(x, y, host);
      check(host, x, y, scale);
      on_device<<<1, 1>>>(x, y, device);
      cudaDeviceSynchronize();
      check(*device, x, y, scale);
    }
  Z far = make(large, large / 2), close = make(1 / large, -2 / large);
  for (Z z : {far, close}) {
    compute(z, z, host);
    near("a quotient of equals", host.quotient, {1, 0}, scale);
    if (!(fabsl(host.length / std::abs(wide(z)) - 1) < 4 * scale))
      failures++, printf("scaled length\n");
  }
  compute(make(0, 0), make(1, 0), host);
  if (host.length != 0) failures++, printf("length of 0\n");
  compute(make(INFINITY, 1), make(1, 0), host);
  if (host.length != INFINITY) failures++, printf("length of infinity\n");
}

int main() {
  try_all<cuFloatComplex, float>(make_cuFloatComplex, 1e30f, 0x1p-23L);
  try_all<cuDoubleComplex, double>(make_cuDoubleComplex, 1e300, 0x1p-52L);
  cuComplex half = make_cuComplex(0.5f, -3);
  cuDoubleComplex same = cuComplexFloatToDouble(half);
  cuFloatComplex again = cuComplexDoubleToFloat(same);
  if (same.x != 0.5 || same.y != -3 || again.x != half.x || again.y != half.y)
    failures++, printf("conversions\n");
  return failures != 0;
}
