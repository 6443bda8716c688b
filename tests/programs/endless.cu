__global__ void spin(int *p) {
  for (;;) atomicAdd(p, 1);
}

int main() {
  int *p;
  cudaMalloc(&p, sizeof(int));
  spin<<<1, 1>>>(p);
  return cudaDeviceSynchronize();
}
