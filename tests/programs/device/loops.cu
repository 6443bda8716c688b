// loops.cu: loops that nvcc 13 unrolls for sm_90, or does not: the comment in front of each kernel
// says which accesses it has then (see vectors.cu; "7 x": four in a turn of the loop, three for
// what is left). Each stores the sum of the same numbers, which the program checks. They are in
// loops of one turn: of a loop by itself nvcc leaves another loop, and clang three turns.
#include <cuda_fp16.h>
#include <cstdio>
#include <cstdlib>

// 7 x ld.global.b32 st.global.b32
__global__ void ones(const float *x, float *to, int n, int one) {
  float sum = 0;
  for (int all = 0; all < one; all++)
    for (int i = 0; i < n; i++) sum += x[i];
  *to = sum;
}

// A step in a register: an int does not overflow. 7 x ld.global.b32 st.global.b32
__global__ void steps(const float *x, float *to, int n, int one) {
  float sum = 0;
  for (int all = 0; all < one; all++)
    for (int i = 0; i < n; i += one) sum += x[i];
  *to = sum;
}

// An unsigned int may: then nobody knows how many turns there are. ld.global.b32 st.global.b32
__global__ void unsigned_steps(const float *x, float *to, int n, int one) {
  float sum = 0;
  for (int all = 0; all < one; all++)
    for (int i = 0; i < n; i += blockDim.x) sum += x[i];
  *to = sum;
}

// Back to int: 7 x ld.global.b32 st.global.b32
__global__ void steps_of_blocks(const float *x, float *to, int n, int one) {
  const int step = blockDim.x * gridDim.x;
  float sum = 0;
  for (int all = 0; all < one; all++)
    for (int i = blockIdx.x; i < n; i += step) sum += x[i];
  *to = sum;
}

// A bound of 64 bits for an int: 7 x ld.global.b32 st.global.b32
__global__ void long_bound(const float *x, float *to, int n, int one) {
  const size_t end = n;
  float sum = 0;
  for (int all = 0; all < one; all++)
    for (int i = 0; i < end; i++) sum += x[i];
  *to = sum;
}

// A negative int is above it: ld.global.b32 st.global.b32
__global__ void negative(const float *x, float *to, int n, int one) {
  const size_t end = n;
  float sum = 0;
  for (int all = 0; all < one; all++)
    for (int i = n - one; i < end; i--) sum += x[i];
  *to = sum;
}

// A condition that leaves the loop: ld.global.b32 st.global.b32
__global__ void left(const float *x, float *to, int n, int one) {
  float sum = 0;
  for (int all = 0; all < one; all++)
    for (int i = 0; i < n; i++) {
      if (x[i] < 0) break;
      sum += x[i];
    }
  *to = sum;
}

// Functions of several instructions: 7 x ld.global.b32 st.global.b32
__global__ void functions(const float *x, float *to, int n, int one) {
  float sum = 0;
  for (int all = 0; all < one; all++)
    for (int i = 0; i < n; i++) sum += roundf(logf(expf(x[i])));
  *to = sum;
}

// One with a loop of its own: ld.global.b32 st.global.b32
__global__ void remainders(const float *x, float *to, int n, int one) {
  float sum = 0;
  for (int all = 0; all < one; all++)
    for (int i = 0; i < n; i++) sum += fmodf(x[i], 1000);
  *to = sum;
}

// Instructions for which C has no operators: 7 x ld.global.b16 st.global.b32
__global__ void halves(const __half *x, float *to, int n, int one) {
  float sum = 0;
  for (int all = 0; all < one; all++)
    for (int i = 0; i < n; i++)
      sum = __fadd_rn(sum, __half2float(__hmul(x[i], __int2half_rn(one))));
  *to = sum;
}

// Those of the program: 7 x ld.global.b32 st.global.b32
__global__ void assembly(const float *x, float *to, int n, int one) {
  float sum = 0;
  for (int all = 0; all < one; all++)
    for (int i = 0; i < n; i++) asm volatile("add.f32 %0, %0, %1;" : "+f"(sum) : "f"(x[i]));
  *to = sum;
}

// A window whose bounds differ by what only run time knows: 7 x ld.global.b32 st.global.b32
__global__ void window(const float *x, float *to, int n, int one) {
  float sum = 0;
  for (int all = 0; all < one; all++)
    for (int i = max(0, one - n); i < min(n, n + one); i++) sum += x[i];
  *to = sum;
}

// Loops around loops are not unrolled: 7 x ld.global.b32 st.global.b32
__global__ void around(const float *x, float *to, int n, int one) {
  float sum = 0;
  for (int i = 0; i < n; i += 10)
    for (int k = i; k < min(i + 10, n); k++) sum += x[k];
  *to = sum;
}

// Nor those around loops of a function: 7 x ld.global.b32 st.global.b32
__device__ float ten(const float *x, int count) {
  float sum = 0;
  for (int i = 0; i < count; i++) sum += x[i];
  return sum;
}
__global__ void around_function(const float *x, float *to, int n, int one) {
  float sum = 0;
  for (int i = 0; i < n; i += 10) sum += ten(x + i, min(10, n - i));
  *to = sum;
}

// Of known turns, as many as divide them: 8 x ld.global.b32 st.global.b32
__global__ void known(const float *x, float *to, int n, int one) {
  float sum = 0;
  for (int i = 0; i < 1000; i++) sum += i < n * one ? x[i * one] : 0;
  *to = sum;
}

// A counter that may be stepped past the largest number: ld.global.b32 st.global.b32
__global__ void past(const float *x, float *to, int n, int one) {
  float sum = 0;
  for (int all = 0; all < one; all++)
    for (int i = all; i <= n - one; i += one) sum += x[i];
  *to = sum;
}

// A function with a loop of its own, though the turns are known: ld.global.b32 st.global.b32
__global__ void known_remainders(const float *x, float *to, int n, int one) {
  float sum = 0;
  for (int i = 0; i < 128; i++) sum += i < n ? fmodf(x[i * one], 1000) : 0;
  *to = sum;
}

// So many instructions that two turns are one: 3 x ld.global.b32 st.global.b32
__global__ void logarithms(const float *x, float *to, int n, int one) {
  float sum = 0;
  for (int all = 0; all < one; all++)
    for (int i = 0; i < n; i++) sum += (float)log2((double)(1 << (int)x[i]));
  *to = sum;
}

// A window around a variable: its turns are known. 5 x ld.global.b32 st.global.b32
__global__ void five(const float *x, float *to, int n, int one) {
  float sum = 0;
  for (int i = 2; i < n + 2 * one; i += 5 * blockDim.x) {
    int middle = i * one;
    for (int j = middle - 2; j <= middle + 2; j++)
      if (j < n) sum += x[j];
  }
  *to = sum;
}

// One up to the next after the variable, of which they are not known: ld.global.b32 st.global.b32
__global__ void three(const float *x, float *to, int n, int one) {
  float sum = 0;
  for (int i = 1; i < n + one; i += 3 * blockDim.x) {
    int middle = i * one;
    for (int j = middle - 1; j <= middle + 1; j++)
      if (j < n) sum += x[j];
  }
  *to = sum;
}

// Of a long they are: 3 x ld.global.b32 st.global.b32
__global__ void three_of_long(const float *x, float *to, int n, int one) {
  float sum = 0;
  for (int i = 1; i < n + one; i += 3 * blockDim.x) {
    long middle = (long)i * one;
    for (long j = middle - 1; j <= middle + 1; j++)
      if (j < n) sum += x[j];
  }
  *to = sum;
}

template <typename T>
void check(const char *name, void (*kernel)(const T *, float *, int, int)) {
  const int count = 103;
  T *x;
  float *to, right = 0;
  cudaMallocManaged(&x, count * sizeof *x);
  cudaMallocManaged(&to, sizeof *to);
  for (int i = 0; i < count; i++) {
    right += (float)(i % 7);
    x[i] = (float)(i % 7);
  }
  kernel<<<1, 1>>>(x, to, count, 1);
  cudaError_t error = cudaDeviceSynchronize();
  if (error) printf("%s: %s\n", name, cudaGetErrorString(error)), exit(1);
  if (*to != right) printf("%s: the sum is %g, not %g\n", name, *to, right), exit(1);
}

int main() {
  check("ones", ones);
  check("steps", steps);
  check("unsigned_steps", unsigned_steps);
  check("steps_of_blocks", steps_of_blocks);
  check("long_bound", long_bound);
  check("negative", negative);
  check("left", left);
  check("functions", functions);
  check("remainders", remainders);
  check("halves", halves);
  check("assembly", assembly);
  check("window", window);
  check("around", around);
  check("around_function", around_function);
  check("known", known);
  check("past", past);
  check("known_remainders", known_remainders);
  check("logarithms", logarithms);
  check("five", five);
  check("three", three);
  check("three_of_long", three_of_long);
}
