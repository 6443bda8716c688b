// Several predictions for each question.
// most: 92
//
//   by_thread = 1
//   by_thread = 0
//   by_thread = 2
//   by_warp = 0
//   by_warp = 1
//   short = 0
//   short = 1
//   rolled = 32
//   rolled = 31
//   by_4 = 8
//   by_4 = 7
//   unrolled = 0
//   unrolled = 1
#include "rest.h"
