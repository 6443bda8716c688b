// The same with the C++ library.
// most: refused
// says: files
#include "slow.h"
#include <fstream>

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
  std::fstream memory("/proc/self/mem");
  memory << 0;
}
