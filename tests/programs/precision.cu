// precision.cu: what -ftz, -prec-div, -prec-sqrt, -fmad and -use_fast_math change: which of these
// results are zero or lose bits.
#include <cstdio>

__global__ void compute(float tiny, float third, const float *in, float *out) {
  float one = in[0], two = in[1];
  out[0] = tiny * one;                      // a denormal operand
  out[1] = 2e-38f * third;                  // a denormal result
  out[2] = fminf(tiny, two);                // a comparison
  out[3] = tiny > 0 ? 1 : 0;                // another
  out[4] = (float)((double)third * 3e-38);  // a conversion
  out[5] = sinf(tiny);                      // a function
  out[6] = __fadd_rz(tiny, tiny);           // an intrinsic
  out[7] = third * third - in[2];           // zero where the product is rounded
  out[8] = __sinf(two) == sinf(two);        // the same function?
  out[9] = 1024 * one / in[3];              // by 2^127: zero where the divisor must be less
  out[10] = sqrtf(tiny);
}

int main() {
  const float third = 1 / 3.0f, in[] = {1, 2, third * third, 0x1p127f};
  float *from, *to, out[11];
  cudaMalloc(&from, sizeof in);
  cudaMalloc(&to, sizeof out);
  cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice);
  compute<<<1, 1>>>(1e-39f, third, from, to);
  if (cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  for (float x : out) putchar(x == 0 ? '0' : '1');
  putchar('\n');
}
