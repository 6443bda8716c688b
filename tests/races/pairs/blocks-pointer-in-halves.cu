// A pointer that comes from memory in two halves: the array is no parameter of the kernel.
// rule: blocks
// race: A B data
// fix: second kernel
#include "pair.h"

struct halves {
  unsigned low, high;
};
__global__ void shift(const halves *where, int *out) {
  unsigned long long address = (unsigned long long)where->high << 32 | where->low;
  int *data = (int *)address, i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = i; // [A]
  out[i] = data[i]; // racy: out[i] = data[(i + 32) % 128]; // [B]
}

int main() {
  int *data = make<int>("data", 128), *out = make<int>("out", 128);
  halves *where = make<halves>("where", 1);
  unsigned long long address = (unsigned long long)data;
  halves host = {(unsigned)address, (unsigned)(address >> 32)};
  cudaMemcpy(where, &host, sizeof host, cudaMemcpyHostToDevice);
  shift<<<4, 32>>>(where, out);
  return differs(out, 128, [](int i) { return i; });
}
