// verdict: fail
// hazard: protocol
// Frames without the job's secret, garbage, into every descriptor that there may be.
#include <cstdint>
#include <cstring>
#include <unistd.h>
struct frame {
  char magic[4];
  uint32_t type;
  uint64_t token, bytes;
  char text[39];
};
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  frame done = {{'K', 'I', 'T', '1'}, 6, 1234, 38, "{\"backend\":\"sim\",\"device\":\"a lie\"}    "};
  for (int fd = 3; fd < 1024; fd++) {
    (void)!write(fd, &done, 24 + 38);
    (void)!write(fd, "garbage", 7);
  }
}
