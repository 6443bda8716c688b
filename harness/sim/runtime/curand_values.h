/* curand_values.h: what cuRAND makes of the numbers of a generator (cuRAND, "Distributions"). */
#ifndef KIT_CURAND_VALUES_H
#define KIT_CURAND_VALUES_H

#include "harness/sim/runtime/curand_sequence.h"

/* A unit is what is made at a time: values, from so many 32-bit numbers. */
struct curand_unit {
  unsigned values, numbers, bytes; /* bytes of a value */
};
union curand_made {
  unsigned integer;
  uint64_t wide;
  float single[2];
  double twice[2];
};

extern const struct curand_unit curand_units[];

/* Two normal values, by Box and Muller, from u in (0, 1] and an angle. */
void curand_polar(float u, float angle, float out[2]);
void curand_polar_double(double u, double turns, double out[2]);
union curand_made curand_make_unit(enum curand_kind kind, const unsigned x[4]);
/* Writes the values of a unit, from value first of it on, at most n. Returns how many. */
size_t curand_put_unit(enum curand_kind kind, const union curand_made *made, void *out,
                       unsigned first, size_t n);
/* A value from one number of 32 bits or of 64: of a normal distribution by its inverse. */
union curand_made curand_make_value(enum curand_kind kind, uint64_t x, bool wide);

#endif
