// Thread 0 draws work for its block; the next item must not be stored before all have read the last one.
// rule: persistent
// race: A B shared item
// fix: __syncthreads
#include "pair.h"

__global__ void work(int *next, int *data) {
  __shared__ int item;
  for (int round = 0; round < 8; round++) {
    if (threadIdx.x == 0) item = atomicAdd(next, 1); // [A]
    __syncthreads();
    int mine = item; // [B]
    __syncthreads(); // racy: (nothing)
    if (mine < 8 && threadIdx.x == 0) data[mine] = mine; // [C]
  }
}

int main() {
  int *next = make<int>("next", 1), *data = make<int>("data", 8);
  work<<<2, 64>>>(next, data);
  return differs(data, 8, [](int i) { return i; });
}
