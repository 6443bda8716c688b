// A kernel template, with elements of 1 and of 8 bytes.
// rule: warps
// race: A B shared tile
// fix: __syncthreads
#include "pair.h"

template <class T, int N>
__global__ void reverse(T *data) {
  __shared__ T tile[N];
  tile[threadIdx.x] = data[threadIdx.x]; // [A]
  __syncthreads(); // racy: (nothing)
  data[threadIdx.x] = tile[N - 1 - threadIdx.x] + (T)threadIdx.x; // [B]
}

int main() {
  unsigned char *bytes = make<unsigned char>("bytes", 64);
  double *doubles = make<double>("doubles", 64);
  reverse<unsigned char, 64><<<1, 64>>>(bytes);
  reverse<double, 64><<<1, 64>>>(doubles);
  return differs(bytes, 64, [](int i) { return i; }) + differs(doubles, 64, [](int i) { return i; });
}
