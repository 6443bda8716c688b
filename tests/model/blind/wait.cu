// wait.cu: keeps the GPU busy, for stopwatch.cpp.
__global__ static void wait(long long cycles) {
  long long from = clock64();
  while (clock64() - from < cycles) {
  }
}

void blind_wait(int blocks, long long cycles, cudaStream_t stream) {
  wait<<<blocks, 32, 0, stream>>>(cycles);
}
