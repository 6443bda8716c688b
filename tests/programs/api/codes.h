// codes.h: each table of codes is a program that prints, for a call, the code that it returned and,
// where cudaGetLastError then returns another, that one; and for other expressions their value.
//
// NAME.txt is what NAME.cu has to print. It goes by an H100 with CUDA 13.0, on which nearly all of
// these calls were tried one by one, but for what is the simulator's own: memory of the host has
// another address on the device, a pointer that was freed still counts as the device's, and a
// device can be used again after a fault once it was reset.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

static inline void print_code(const char *call, cudaError_t code) {
  cudaError_t last = cudaGetLastError();
  printf("%s: %s", call, cudaGetErrorName(code));
  if (last != code) printf(", then %s", cudaGetErrorName(last));
  printf("\n");
  fflush(stdout);
}
#define CODE(...) print_code(#__VA_ARGS__, (__VA_ARGS__))
#define VALUE(...) (printf("%s = %lld\n", #__VA_ARGS__, (long long)(__VA_ARGS__)), fflush(stdout))
