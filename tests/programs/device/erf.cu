// CUDA's functions around erf on host and device: each inverse, put into libm's erf or erfc, gives
// back what it was called with, and both sides give the same.
#include <cmath>
#include <cstdio>

enum { COUNT = 1000 };

// y: 0 to 1.
__host__ __device__ void compute(double y, double *out) {
  out[0] = erfinv(2 * y - 1);
  out[1] = erfcinv(2 * y);
  out[2] = normcdfinv(y);
  out[3] = normcdf(8 * y - 4);
  out[4] = erfcx(30 * y - 3);
  out[5] = erfcinvf((float)y);
}
__global__ void kernel(double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < COUNT) compute((i + 0.5) / COUNT, out + 6 * i);
}

static int near(double a, double b, double ulps) {
  return fabs(a - b) <= ulps * 2.3e-16 * fabs(b) || fabs(a - b) < 1e-18;
}

int main() {
  static double out[6 * COUNT];
  double *device, host[6];
  cudaMalloc(&device, sizeof out);
  kernel<<<4, 256>>>(device);
  cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < COUNT; i++) {
    double y = (i + 0.5) / COUNT, *d = out + 6 * i, x = 30 * y - 3;
    compute(y, host);
    for (int k = 0; k < 6; k++) wrong += !near(d[k], host[k], k == 4 ? 100 : 8);
    wrong += !near(erf(d[0]), 2 * y - 1, 4) || !near(erfc(d[1]), 2 * y, 2 + 2 * d[1] * d[1]);
    wrong += !near(0.5 * erfc(-d[2] / sqrt(2.0)), y, 4 + 4 * d[2] * d[2]);
    wrong += !near(d[3], 0.5 * erfc((4 - 8 * y) / sqrt(2.0)), 64);
    wrong += x < 9 && !near(d[4], exp(x * x) * erfc(x), 200);
    wrong += fabs(erfc(d[5]) - (float)y) > 2e-7 * (1 + d[5] * d[5]) * y;
  }
  wrong += !near(erfc(erfcinv(1e-300)), 1e-300, 2000) || erfinv(1.0) != INFINITY;
  wrong += !isnan(erfcinv(2.5)) || normcdfinv(0.5) != 0 || !isnan(erfinv(-1.5));
  wrong += !near(erfcx(1e3), 5.6418930e-4, 1e9);
  printf("%d wrong\n", wrong);
  cudaFree(device);
  return wrong != 0;
}
