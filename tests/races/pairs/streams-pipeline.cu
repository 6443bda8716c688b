// Pieces of an array go through copy, kernel and copy in streams of their own; with one buffer for all, pieces overwrite each other.
// rule: streams
// race: A A buffer | A B buffer | B B buffer
// fix: event
#include "pair.h"

__global__ void add(int *piece) {
  piece[threadIdx.x] += 1; // [B]
}

int main() {
  int *buffer = make<int>("buffer", 128), *in = nullptr, *out = nullptr;
  cudaMallocHost(&in, 512), cudaMallocHost(&out, 512);
  for (int i = 0; i < 128; i++) in[i] = i, out[i] = 0;
  cudaStream_t streams[2];
  for (int s = 0; s < 2; s++) {
    cudaStreamCreate(&streams[s]);
    int *piece = buffer + s * 64; // racy: int *piece = buffer;
    cudaMemcpyAsync(piece, in + s * 64, 256, cudaMemcpyHostToDevice, streams[s]); // [A]
    add<<<1, 64, 0, streams[s]>>>(piece);
    cudaMemcpyAsync(out + s * 64, piece, 256, cudaMemcpyDeviceToHost, streams[s]); // [C]
  }
  cudaDeviceSynchronize();
  for (int i = 0; i < 128; i++)
    if (out[i] != i + 1) return 1;
  return 0;
}
