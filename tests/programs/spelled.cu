// How older programs and formatters spell launches.
#include <cstdio>
#include <vector>

__global__ void add(int *p, int n) { atomicAdd(p, n); }

int main() {
  int *p, got = 0;
  cudaMalloc(&p, sizeof got);
  cudaMemset(p, 0, sizeof got);
  std::vector<std::vector<std::vector<int>> > nested;
  add << <1, 2>> > (p, 1);
  add<< < 1, dim3(4) >> >(p, 1 << 4 >> 1);
  cudaMemcpy(&got, p, sizeof got, cudaMemcpyDeviceToHost);
  printf("%d\n", got + (int)nested.size());
}
