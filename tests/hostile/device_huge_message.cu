// verdict: fail
// hazard: protocol
// reason: the device broke off
// Announces a message of 4 GB.
#include <cstdint>
#include <unistd.h>
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  uint32_t module[2] = {41, 0xffffffff};
  (void)!write(5, module, sizeof module);
  sleep(1);
}
