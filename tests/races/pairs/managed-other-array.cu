// The host may work on one array while a kernel works on another one, but not on the same.
// rule: managed memory
// race: A - a
// fix: synchronize
#include "pair.h"

__global__ void twice(int *data) { data[threadIdx.x] *= 2; }

int main() {
  int *a = make_managed<int>("a", 64), *b = make_managed<int>("b", 64);
  for (int i = 0; i < 64; i++) a[i] = i;
  twice<<<1, 64>>>(a); // [A]
  int *next = b; // racy: int *next = a;
  for (int i = 0; i < 64; i++) next[i] = 100 + i;
  twice<<<1, 64>>>(next);
  return differs(next, 64, [](int i) { return 200 + 2 * i; });
}
