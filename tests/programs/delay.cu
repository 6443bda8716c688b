// Kernels that wait by the clock, as is done to give streams something to do. They must end soon,
// wait at least so long and an eighth longer at most, and take that time. A clock that is looked at
// between pieces of work goes on by what these take.
#include <cstdio>

__global__ void delay(long long ticks, long long *waited) {
  long long start = clock64(), passed = 0;
  while (passed < ticks) passed = clock64() - start;
  if (threadIdx.x == 0 && blockIdx.x == 0) *waited = passed;
}

__global__ void measure(int *data, long long *longest) {
  long long most = 0;
  for (int i = 0; i < 1000; i++) {
    long long before = clock64();
    data[threadIdx.x] += i;
    long long took = clock64() - before;
    if (took > most) most = took;
  }
  *longest = most;
}

int main() {
  const long long ticks = 1LL << 32;  // seconds: more than anybody would execute
  long long *device, waited, longest;
  int *data, rate;
  float ms;
  cudaEvent_t start, stop;
  cudaMalloc(&device, sizeof *device);
  cudaMalloc(&data, 32 * sizeof *data);
  cudaMemset(data, 0, 32 * sizeof *data);
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaDeviceGetAttribute(&rate, cudaDevAttrClockRate, 0);
  cudaEventRecord(start);
  delay<<<2, 64>>>(ticks, device);
  cudaEventRecord(stop);
  cudaMemcpy(&waited, device, sizeof waited, cudaMemcpyDeviceToHost);
  cudaEventElapsedTime(&ms, start, stop);
  measure<<<1, 32>>>(data, device);
  cudaMemcpy(&longest, device, sizeof longest, cudaMemcpyDeviceToHost);
  double wanted = (double)ticks / rate;
  bool waits = waited >= ticks && waited < ticks * 9 / 8 + 100,
       takes = ms > wanted * 0.99 && ms < wanted * 1.15, works = longest < 100;
  printf("waited %s, took %s, work %s\n", waits ? "right" : "wrong", takes ? "right" : "wrong",
         works ? "right" : "wrong");
}
