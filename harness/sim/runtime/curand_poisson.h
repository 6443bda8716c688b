/* curand_poisson.h: Poisson's distribution for cuRAND's host API: a value from one number. */
#ifndef KIT_CURAND_POISSON_TABLE_H
#define KIT_CURAND_POISSON_TABLE_H

#include "harness/sim/runtime/curand_sequence.h"

enum { CURAND_MAX_MEAN = 400000 };

struct curand_poisson; /* what values are looked up in, for a generator and a mean */

/* mean: above 0, at most CURAND_MAX_MEAN. NULL: there is no memory. curand_poisson_free gives it
 * back. */
struct curand_poisson *curand_poisson_make(const struct curand_method *method, double mean);
void curand_poisson_free(struct curand_poisson *poisson);
/* Which values of the generator it takes. */
enum curand_kind curand_poisson_kind(const struct curand_poisson *poisson);
/* n values from as many of that kind. */
void curand_poisson_values(const struct curand_poisson *poisson, const void *from, size_t n,
                           unsigned *out);

#endif
