// Two buffers in turn: a piece may go into one only when the kernel in another stream has read the piece before it.
// rule: streams
// race: A B in
// fix: event
#include "pair.h"

__global__ void twice(const int *in, int *out) {
  out[threadIdx.x] = 2 * in[threadIdx.x]; // [B]
}

int main() {
  int *in[2] = {make<int>("in", 64), make<int>("in", 64)}, *out = make<int>("out", 256), *host = nullptr;
  cudaMallocHost(&host, 1024);
  for (int i = 0; i < 256; i++) host[i] = i;
  cudaStream_t upload, compute;
  cudaEvent_t uploaded[2], used[2];
  cudaStreamCreate(&upload), cudaStreamCreate(&compute);
  for (int b = 0; b < 2; b++) cudaEventCreate(&uploaded[b]), cudaEventCreate(&used[b]);
  for (int piece = 0; piece < 4; piece++) {
    int b = piece % 2;
    if (piece >= 2) cudaStreamWaitEvent(upload, used[b], 0); // racy: (nothing)
    cudaMemcpyAsync(in[b], host + piece * 64, 256, cudaMemcpyHostToDevice, upload); // [A]
    cudaEventRecord(uploaded[b], upload);
    cudaStreamWaitEvent(compute, uploaded[b], 0);
    twice<<<1, 64, 0, compute>>>(in[b], out + piece * 64);
    cudaEventRecord(used[b], compute);
  }
  cudaDeviceSynchronize();
  return differs(out, 256, [](int i) { return 2 * i; });
}
