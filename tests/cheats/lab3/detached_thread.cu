// A thread that nobody waits for.
// most: refused
// says: detach
#include "slow.h"
#include <thread>

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
  std::thread([] { for (;;) std::this_thread::yield(); }).detach();
}
