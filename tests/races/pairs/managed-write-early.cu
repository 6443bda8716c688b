// A kernel still reads what the host overwrites for the next one. Reading it, too, would be no race.
// rule: managed memory
// race: A - input
// says: host code writes; square
// fix: synchronize
#include "pair.h"

__global__ void square(const int *input, int *output) { output[threadIdx.x] = input[threadIdx.x] * input[threadIdx.x]; }

int main() {
  int *input = make_managed<int>("input", 64), *output = make<int>("output", 128), sum = 0;
  for (int i = 0; i < 64; i++) input[i] = i;
  square<<<1, 64>>>(input, output); // [A]
  for (int i = 0; i < 64; i++) sum += input[i];
  cudaStreamSynchronize(0); // racy: (nothing)
  for (int i = 0; i < 64; i++) input[i] = 64 + i;
  square<<<1, 64>>>(input, output + 64);
  return differs(output, 128, [](int i) { return i * i; }) || sum != 63 * 32;
}
