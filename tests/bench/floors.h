/* floors.h: the least work that executing a kernel on one core can be: its arithmetic, its copies,
 * its bounds checks and counts, compiled, with nothing to decode or look up. */
#ifndef KIT_BENCH_FLOORS_H
#define KIT_BENCH_FLOORS_H

/* Each makes c = a b, n x n floats, n a multiple of 32. */
void floor_tiled(int n, const float *a, const float *b, float *c); /* as 32 x 32 tiles do */
void floor_naive(int n, const float *a, const float *b, float *c); /* as from global memory */

#endif
