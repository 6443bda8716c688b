// Blocks of 128 threads in every step.
// verdict: pass
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
constexpr int BLOCK = 128;
#define OWN_BLOCK
#include "rest.h"
