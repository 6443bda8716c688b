/* sim_random.h: the random numbers of the simulator's tests and fuzzers. */
#ifndef KIT_TESTS_SIM_RANDOM_H
#define KIT_TESTS_SIM_RANDOM_H

#include <stdint.h>

/* Numbers that are the same on every machine (splitmix64). */
struct sim_random {
  uint64_t state;
};

static inline uint64_t sim_next(struct sim_random *random) {
  uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static inline unsigned sim_below(struct sim_random *random, unsigned limit) {
  return (unsigned)(sim_next(random) >> 32) % limit;
}

#endif
