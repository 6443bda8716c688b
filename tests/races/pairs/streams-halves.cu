// Two streams work on halves of one array, or on halves that overlap by one element.
// rule: streams
// race: A A data
#include "pair.h"

__global__ void fill(int *data, int value) {
  data[threadIdx.x] = value; // [A]
}

int main() {
  int *data = make<int>("data", 64);
  cudaStream_t first, second;
  cudaStreamCreate(&first), cudaStreamCreate(&second);
  fill<<<1, 32, 0, first>>>(data, 1);
  fill<<<1, 32, 0, second>>>(data + 32, 2); // racy: fill<<<1, 32, 0, second>>>(data + 31, 2);
  cudaDeviceSynchronize();
  return differs(data, 64, [](int i) { return i / 32 + 1; });
}
