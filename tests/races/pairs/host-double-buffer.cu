// Two pinned buffers in turn: each must be waited for before it is filled again, the first one for the third piece already.
// rule: host
// race: A B | A -
// fix: synchronize
#include "pair.h"

int main() {
  int *data = make<int>("data", 256), *host[2];
  cudaEvent_t copied[2];
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int b = 0; b < 2; b++) cudaMallocHost(&host[b], 256), cudaEventCreate(&copied[b]);
  for (int piece = 0; piece < 4; piece++) {
    int b = piece % 2;
    if (piece >= 2) cudaEventSynchronize(copied[b]); // racy: if (piece >= 3) cudaEventSynchronize(copied[b]);
    for (int i = 0; i < 64; i++) host[b][i] = piece * 64 + i; // [B]
    cudaMemcpyAsync(data + piece * 64, host[b], 256, cudaMemcpyHostToDevice, stream); // [A]
    cudaEventRecord(copied[b], stream);
  }
  return differs(data, 256, [](int i) { return i; });
}
