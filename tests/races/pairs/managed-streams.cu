// Two kernels in two streams write one managed array.
// rule: managed memory
// race: A A data
// fix: event
#include "pair.h"

__global__ void add(int *data, int value) { data[threadIdx.x] += value; } // [A]

int main() {
  int *data = make_managed<int>("data", 64);
  for (int i = 0; i < 64; i++) data[i] = 0;
  cudaStream_t a, b;
  cudaEvent_t done;
  cudaStreamCreate(&a), cudaStreamCreate(&b), cudaEventCreate(&done);
  add<<<1, 64, 0, a>>>(data, 1);
  cudaEventRecord(done, a);
  cudaStreamWaitEvent(b, done, 0); // racy: (nothing)
  add<<<1, 64, 0, b>>>(data, 2);
  return differs(data, 64, [](int) { return 3; });
}
