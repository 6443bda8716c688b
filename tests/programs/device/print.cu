// printf in kernels, and with an argument a failed assertion.
#include <cassert>
#include <cstdio>
__global__ void print() {
  printf("%5d|%-8s|%p|%lld|%*d|%.3f|%c|%x|%%|%zu|%hhd|%.*f|%+d|%#o\n", 123, "abc", (void *)16, -5ll,
         7, 42, 1.5, 'c', 255, sizeof(int), (char)3, 2, 3.14159, 5, 8);
  int n = printf(
      "%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d "
      "%d %d %d\n",
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
      27, 28, 29, 30, 31, 32);
  printf("%d\n", n);
}
__global__ void check(int n) {
  int t = blockIdx.x * 4 + threadIdx.x;
  assert(t < n);
}
int main(int argc, char **) {
  print<<<1, 1>>>();
  cudaDeviceSynchronize();
  if (argc == 1) return 0;
  check<<<2, 4>>>(6);
  puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
