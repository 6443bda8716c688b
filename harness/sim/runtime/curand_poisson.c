/* curand_poisson.c: Poisson's distribution for cuRAND's host API, as NVIDIA's library has it: which
 * way a value is found goes by the generator and the mean, which shows in its values
 * (tests/curand/README.md). */
#include "harness/sim/runtime/curand_poisson.h"

#include <math.h>
#include <stdlib.h>

#include "harness/sim/runtime/curand_values.h"

enum way { HISTOGRAM, SEARCH, INVERSION, NORMAL };

struct curand_poisson {
  double mean;
  enum way way;
  bool wide;             /* numbers have 64 bits */
  bool single;           /* a normal value is scaled as a float */
  unsigned first, count; /* the values that a double's probability is not 0 of */
  unsigned *other;       /* of a histogram */
  double bound[];        /* of a histogram, or the distribution function */
};

static enum way way_of(curandRngType_t type, double mean) {
  switch (type) {
    case CURAND_RNG_PSEUDO_MTGP32:
      return mean < 32 ? HISTOGRAM : mean <= 8000 ? SEARCH : NORMAL;
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
      return mean < 10 ? HISTOGRAM : mean <= 8000 ? SEARCH : NORMAL;
    case CURAND_RNG_QUASI_SOBOL64:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
      return mean < 2 ? INVERSION : mean < 2000 ? SEARCH : NORMAL;
    default:
      return mean < 2000 ? HISTOGRAM : NORMAL;
  }
}

static double probability(double mean, unsigned k) {
  return exp(k * log(mean) - mean - lgamma(k + 1.0));
}

/* A square histogram (G. Marsaglia, W. W. Tsang, J. Wang, Fast generation of discrete random
 * variables, J. Stat. Softw. 11(3), 2004): columns of the same width, each filled up from one other
 * value. Columns that lack something are filled in turn from the last that has too much, until none
 * lacks anything. p becomes the bound within each column. */
static void square(struct curand_poisson *poisson, double *p) {
  unsigned n = poisson->count, giver = n;
  double width = 1.0 / n;
  char *full = calloc(n, 1);
  if (!full) return;
  for (unsigned i = 0; i < n; i++) {
    poisson->other[i] = i;
    poisson->bound[i] = (i + 1) * width;
  }
  for (bool filled = true; filled;) {
    filled = false;
    for (unsigned i = 0; i < n; i++) {
      if (full[i] || p[i] >= width) continue;
      while (giver > 0 && (giver == n || full[giver] || p[giver] < width)) giver--;
      if (p[giver] < width || giver == i) break;
      poisson->other[i] = giver;
      poisson->bound[i] = i * width + p[i];
      p[giver] -= width - p[i];
      full[i] = 1;
      filled = true;
    }
  }
  free(full);
}

static void sum_up(struct curand_poisson *poisson, const double *p) {
  double sum = 0;
  for (unsigned i = 0; i < poisson->count; i++) poisson->bound[i] = sum += p[i];
}

struct curand_poisson *curand_poisson_make(const struct curand_method *method, double mean) {
  enum way way = way_of(method->type, mean);
  unsigned first = 0, count = 0;
  if (way == HISTOGRAM || way == SEARCH) {
    while (probability(mean, first) == 0) first++;
    while (probability(mean, first + count) != 0) count++;
  }
  struct curand_poisson *poisson = malloc(sizeof *poisson + count * sizeof *poisson->bound);
  double *p = malloc((count + 1) * sizeof *p);
  unsigned *other = malloc((count + 1) * sizeof *other);
  if (!poisson || !p || !other) {
    free(poisson);
    free(p);
    free(other);
    return NULL;
  }
  *poisson = (struct curand_poisson){
      .mean = mean,
      .way = way,
      .wide = method->kinds >> CURAND_LONG_LONG & 1,
      .single = method->type == CURAND_RNG_PSEUDO_MT19937,
      .first = first,
      .count = count,
      .other = other,
  };
  for (unsigned i = 0; i < count; i++) p[i] = probability(mean, first + i);
  if (way == HISTOGRAM) square(poisson, p);
  if (way == SEARCH) sum_up(poisson, p);
  free(p);
  return poisson;
}

void curand_poisson_free(struct curand_poisson *poisson) {
  if (poisson) free(poisson->other);
  free(poisson);
}

/* Adds probabilities until they reach u; for means below 2. */
static unsigned invert(double u, double mean) {
  double term = exp(-mean), sum = term;
  unsigned k = 0;
  while (u > sum) {
    term *= mean / ++k;
    sum += term;
  }
  return k;
}

static unsigned search(const struct curand_poisson *poisson, double u) {
  unsigned low = 0, high = poisson->count - 1;
  while (low < high) {
    unsigned middle = (low + high) / 2;
    if (u <= poisson->bound[middle])
      high = middle;
    else
      low = middle + 1;
  }
  return poisson->first + low;
}

static unsigned rounded(const struct curand_poisson *poisson, float normal) {
  double mean = poisson->mean;
  if (poisson->single) return (unsigned)(fmaf((float)sqrt(mean), normal, (float)mean) + 0.5f);
  return (unsigned)(sqrt(mean) * normal + mean + 0.5);
}

static unsigned value_of(const struct curand_poisson *poisson, uint64_t x) {
  double u = curand_make_value(CURAND_UNIFORM_DOUBLE, x, poisson->wide).twice[0];
  unsigned column = (unsigned)(poisson->count * u);
  switch (poisson->way) {
    case HISTOGRAM:
      if (column == poisson->count) column--; /* u is 1 */
      return poisson->first + (u < poisson->bound[column] ? column : poisson->other[column]);
    case SEARCH:
      return search(poisson, u);
    default:
      return invert((double)(x >> 11) * 0x1p-53 + 0x1p-55, poisson->mean);
  }
}

enum curand_kind curand_poisson_kind(const struct curand_poisson *poisson) {
  if (poisson->way == NORMAL) return CURAND_NORMAL_ALONE;
  return poisson->wide ? CURAND_LONG_LONG : CURAND_INTEGER;
}

void curand_poisson_values(const struct curand_poisson *poisson, const void *from, size_t n,
                           unsigned *out) {
  const unsigned *numbers = from;
  const uint64_t *wide = from;
  const float *normal = from;
  for (size_t i = 0; i < n; i++)
    out[i] = poisson->way == NORMAL ? rounded(poisson, normal[i])
                                    : value_of(poisson, poisson->wide ? wide[i] : numbers[i]);
}
