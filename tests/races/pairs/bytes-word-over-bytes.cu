// One thread stores a word, another one of its four bytes.
// rule: bytes
// race: A B shared data
#include "pair.h"

__global__ void write(int *out) {
  __shared__ union {
    unsigned words[2];
    unsigned char bytes[8];
  } data;
  if (threadIdx.x == 0) data.words[0] = 0x01020304; // [A]
  int byte = 7; // racy: int byte = 3;
  if (threadIdx.x == 32) data.bytes[byte] = 9; // [B]
  __syncthreads();
  if (threadIdx.x == 0) out[0] = data.words[0];
}

int main() {
  int *out = make<int>("out", 1);
  write<<<1, 64>>>(out);
  return differs(out, 1, [](int) { return 0x01020304; });
}
