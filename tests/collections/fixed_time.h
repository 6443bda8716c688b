/* fixed_time.h: for programs that take the time of day as the seed of their random numbers, so that
 * two runs can be compared: `-include %here/fixed_time.h` in the list. */
#include <time.h>

static inline time_t fixed_time(time_t *to) {
  if (to) *to = 1000000000;
  return 1000000000;
}
#define time fixed_time
