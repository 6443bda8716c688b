/* curand_sobol.h: Sobol's sequences for the table in curand_sequence.c, and the numbers that they
 * are made of. */
#ifndef KIT_CURAND_SOBOL_H
#define KIT_CURAND_SOBOL_H

#include "harness/sim/runtime/curand_sequence.h"

bool curand_start_sobol(struct curand_sequence *sequence);
size_t curand_next_of_sobol(struct curand_sequence *sequence, enum curand_kind kind, char *out,
                            size_t n);

/* The 64 direction vectors of each of the first dimensions, at most CURAND_MAX_DIMENSIONS of them;
 * those of 32 bits are their upper halves. False: there is no memory. */
bool curand_make_vectors(unsigned dimensions, bool scrambled, uint64_t (*vectors)[64]);
/* The constant that each of them begins with where it is scrambled; of 32 bits: the upper half. */
bool curand_make_constants(unsigned dimensions, uint64_t *constants);

#endif
