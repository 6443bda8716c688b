// Stores past the end of a shared array that nobody reads: optimised code has no such store.
__global__ void store() {
  __shared__ int s[4];
  s[threadIdx.x] = 1;
}

int main() {
  store<<<1, 32>>>();
  return cudaDeviceSynchronize();
}
