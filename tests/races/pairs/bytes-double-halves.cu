// A double is read while another thread stores the word that is its upper half.
// rule: bytes
// race: A B data
// fix: __syncthreads
#include "pair.h"

__global__ void patch(double *data, double *out) {
  if (threadIdx.x == 0) ((unsigned *)data)[1] = 0x3ff00000; // [A]
  __syncthreads(); // racy: (nothing)
  if (threadIdx.x == 32) *out = *data; // [B]
}

int main() {
  double *data = make<double>("data", 1), *out = make<double>("out", 1);
  patch<<<1, 64>>>(data, out);
  return differs(out, 1, [](int) { return 1; });
}
