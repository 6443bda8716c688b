// verdict: fail
// hazard: protocol
// reason: the program closed what connects it
// Closes the socket to the device and stays.
#include <unistd.h>
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  close(5);
  pause();
}
