// cudaMemset runs in the default stream and the host does not wait for it, nor does a non-blocking stream.
// rule: streams
// race: A B data
// fix: event
#include "pair.h"

__global__ void add(int *data) {
  data[threadIdx.x] += 1; // [B]
}

int main() {
  int *data = make<int>("data", 64);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemset(data, 1, 256); // [A]
  cudaStreamSynchronize(0); // racy: (nothing)
  add<<<1, 64, 0, stream>>>(data);
  cudaStreamSynchronize(stream);
  return differs(data, 64, [](int) { return 0x01010102; });
}
