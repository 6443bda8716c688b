// What a first program does, with the mistake that it makes: no bounds check.
#include <cstdio>
#include <vector>

__global__ void add(const float *a, const float *b, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}

int main(int argc, char **argv) {
  int n = 1000;
  std::vector<float> a(n, 1), b(n, 2), c(n);
  float *da, *db, *dc;
  cudaMalloc(&da, n * sizeof(float));
  cudaMalloc(&db, n * sizeof(float));
  cudaMalloc(&dc, n * sizeof(float));
  cudaMemcpy(da, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  add<<<4, 256>>>(da, db, dc);
  cudaMemcpy(c.data(), dc, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %s\n", c[n - 1], argc > 1 ? argv[1] : "-");
  char line[80];
  if (fgets(line, sizeof line, stdin)) printf("read %s", line);
  return 3;
}
