// Blocks of 1024 threads in every step, twice as many as fit the GPU.
// verdict: pass
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
constexpr int BLOCK = 1024;
#define OWN_BLOCK
#include "rest.h"
