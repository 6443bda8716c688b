// small.cu: a suite of a few launches for tests/e2e/model.sh: three that are right, and larger ones that are not.
#define FAMILIES(family) family(right) family(broken)
#include "../../model/suite.cu"

static __global__ void twice(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

static __global__ void forgets_the_last(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) out[i] = 2 * in[i];
}

static __global__ void runs_over(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i];
}

static void run(const char *name, void (*kernel)(const float *, float *, int), int n) {
  if (!next_launch(name, dim3(cover(n, 256)), dim3(256), "n %d", n)) return;
  const float *in = input(n);
  float *out = output(n);
  launch(kernel, in, out, n);
  expect(
      out, n, [](size_t i) { return 2 * value(i); }, 0);
}

void family_right() {
  for (int n : {200, 1000, 2048}) run("twice", twice, n);
}

void family_broken() {
  run("forgets_the_last", forgets_the_last, 4095);
  run("runs_over", runs_over, 4095);
}
