/* filter.h: linear filtering of textures, bit for bit as an H100 does it (tests/textures). */
#ifndef KIT_FILTER_H
#define KIT_FILTER_H

#include <stdbool.h>
#include <stdint.h>

enum { AXES = 3, TEXELS = 1 << AXES };

/* Where a coordinate lies on an axis of `size` texels: the texel before it, and the weight of the
 * next one, of 256. Without filtering: the texel that it is in, and 0. */
int64_t filter_place(float coordinate, bool normalized, uint32_t size, bool linear, int *weight);

/* The weight of each texel, of 256, given that of the second one on each axis. Bit a of a texel's
 * number is set if it is the second one on axis a. */
void filter_weights(int axes, const int second[], int weight[TEXELS]);

/* Of a texel's channel: what to add to the sum for each part of its weight. A fraction is a
 * multiple of 1/units; 0: it is any float. */
double filter_term(float value, int units);
float filter_result(double sum, int units);

#endif
