// Another GPU for the simulator.
// most: refused
// says: setenv
#include "slow.h"
#include <cstdlib>

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
  setenv("KIT_SIM_GPU", "fast.ini", 1);
}
