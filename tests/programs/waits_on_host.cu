// Stores out of bounds, then never ends on the host.

__global__ void fill(int *p, int n) {
  int i = threadIdx.x + 1;
  if (i <= n) p[i] = i;
}

int main() {
  int *p;
  cudaMalloc(&p, 32 * sizeof(int));
  fill<<<1, 32>>>(p, 32);
  cudaDeviceSynchronize();
  for (volatile int i = 0;;) i = 1;
}
