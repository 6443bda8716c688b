// Numbers of eight bits: every code read, and numbers near, on and between all codes rounded, on
// the host and in a kernel, beside a search for the nearest. Ends with 0 if all are right.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_fp8.h>

static int failures;

struct codes {
  unsigned char plain[4], of_half[4], of_bfloat[4];  // E4M3, E5M2; the same saturated
  unsigned short pair;
  unsigned four;
};

__host__ __device__ static void convert(float x, codes &c) {
  for (int k = 0; k < 4; k++) {
    auto kind = k % 2 ? __NV_E5M2 : __NV_E4M3;
    auto saturate = k / 2 ? __NV_SATFINITE : __NV_NOSAT;
    c.plain[k] = __nv_cvt_float_to_fp8(x, saturate, kind);
    c.of_half[k] = __nv_cvt_halfraw_to_fp8(__float2half(x), saturate, kind);
    c.of_bfloat[k] = __nv_cvt_bfloat16raw_to_fp8(__float2bfloat16(x), saturate, kind);
  }
  c.pair = __nv_fp8x2_e4m3(make_float2(x, -x)).__x;
  c.four = __nv_fp8x4_e5m2(make_float4(x, 1, -x, 2)).__x;
}
__global__ void convert_all(const float *x, codes *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) convert(x[i], c[i]);
}
__global__ void read_all(float *values, int *whole) {
  int code = threadIdx.x;
  __nv_fp8_e4m3 a;
  __nv_fp8_e5m2 b;
  a.__x = b.__x = (unsigned char)code;
  values[code] = float(a), values[256 + code] = float(b);
  whole[code] = int(a), whole[256 + code] = int(b);
}

// What the code stands for, by the definition of the formats.
static double value_of(int code, bool e4m3) {
  int digits = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15, exponent = (code & 127) >> digits;
  int mantissa = code & ((1 << digits) - 1);
  double sign = code & 128 ? -1 : 1;
  if (e4m3 && (code & 127) == 127) return NAN;
  if (!e4m3 && exponent == 31) return mantissa ? NAN : sign * INFINITY;
  return sign * (exponent ? std::ldexp(1 + mantissa / double(1 << digits), exponent - bias)
                          : std::ldexp(mantissa / double(1 << digits), 1 - bias));
}

// The nearest finite number, of two the even one, as if there was one more beyond the largest.
static int nearest(double x, bool e4m3, bool saturate) {
  if (std::isnan(x)) return 127;
  int sign = std::signbit(x) ? 128 : 0, last = e4m3 ? 126 : 123, best = 0;
  double size = std::fabs(x), next = e4m3 ? 480 : 65536, largest = value_of(last, e4m3);
  for (int code = 1; code <= last; code++) {
    double here = std::fabs(value_of(code, e4m3) - size),
           there = std::fabs(value_of(best, e4m3) - size);
    if (here < there || (here == there && code % 2 == 0)) best = code;
  }
  double middle = (largest + next) / 2;
  bool over = size > middle || (size == middle && last % 2 != 0);
  return sign | (!over ? best : saturate ? last : e4m3 ? 127 : 124);
}

static void expect(const char *what, double x, int got, int wanted) {
  if (got != wanted && failures++ < 10) printf("%s of %g: %02x, not %02x\n", what, x, got, wanted);
}

static void check(float x, const codes &c) {
  float h = __half2float(__float2half(x)), b = __bfloat162float(__float2bfloat16(x));
  for (int k = 0; k < 4; k++) {
    expect("float", x, c.plain[k], nearest(x, k % 2 == 0, k / 2));
    expect("half", h, c.of_half[k], nearest(h, k % 2 == 0, k / 2));
    expect("bfloat16", b, c.of_bfloat[k], nearest(b, k % 2 == 0, k / 2));
  }
  expect("pair", x, c.pair, nearest(x, true, true) | nearest(-x, true, true) << 8);
  int one = nearest(1, false, true), two = nearest(2, false, true);
  expect("four", x, (int)c.four,
         nearest(x, false, true) | one << 8 | nearest(-x, false, true) << 16 | two << 24);
}

int main() {
  const int n = 1 << 14;
  float *x;
  codes *c;
  cudaMallocManaged(&x, n * sizeof *x);
  cudaMallocManaged(&c, n * sizeof *c);
  int count = 0;
  for (int code = 0; code < 128; code++)
    for (bool e4m3 : {true, false}) {  // on each number, between it and the next, and close to both
      double here = value_of(code, e4m3), next = value_of(code + 1, e4m3);
      if (!std::isfinite(here)) continue;
      if (!std::isfinite(next) || code == 127) next = e4m3 ? 480 : 65536;
      for (double v : {here, (here + next) / 2})
        for (float f : {(float)v, nextafterf((float)v, 0), nextafterf((float)v, 1e30f)})
          x[count++] = f;
    }
  for (float f : {1e-30f, 1e30f, INFINITY, 0x1p-149f, 463.99f, 464.0f, 500.0f, 61439.0f, 61440.0f})
    x[count++] = f;
  for (int i = 0, half = count; i < half; i++) x[count++] = -x[i];
  while (count < n) x[count++] = std::ldexp(rand() / (float)RAND_MAX - 0.5f, rand() % 40 - 22);
  convert_all<<<n / 256, 256>>>(x, c, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) {
    codes host;
    check(x[i], c[i]);
    convert(x[i], host);
    check(x[i], host);
  }
  float *values;
  int *whole;
  cudaMallocManaged(&values, 512 * sizeof *values);
  cudaMallocManaged(&whole, 512 * sizeof *whole);
  read_all<<<1, 256>>>(values, whole);
  cudaDeviceSynchronize();
  for (int i = 0; i < 512; i++) {
    double wanted = value_of(i % 256, i < 256);
    bool same = std::isnan(wanted) ? std::isnan(values[i]) : values[i] == wanted;
    if (!same || std::signbit(wanted) != (std::signbit(values[i]) && !std::isnan(wanted)))
      failures++, printf("code %x: %g, not %g\n", i, values[i], wanted);
    if (std::isfinite(wanted) && whole[i] != (int)wanted)
      failures++, printf("code %x: %d\n", i, whole[i]);
  }
  expect("NaN", NAN, __nv_cvt_float_to_fp8(NAN, __NV_SATFINITE, __NV_E4M3), 127);
  expect("a whole number", 300, __nv_fp8_e4m3(300).__x, nearest(300, true, true));
  expect("a double", 0.3, __nv_fp8_e5m2(0.3).__x, nearest(0.3, false, true));
  return failures != 0;
}
