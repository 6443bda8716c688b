/* places.h: which element of in each element of out is a copy of. */
#ifndef KIT_COPY_PLACES_H
#define KIT_COPY_PLACES_H

#include <stddef.h>

enum { COPY_N, COPY_PATTERN, COPY_STEP }; /* the dimensions of problem_copy */

enum copy_pattern {
  COPY_OFFSET,   /* out[i] = in[i + step] */
  COPY_STRIDE,   /* out[i] = in[i * step] */
  COPY_PERMUTED, /* out[i] = in[i ^ step] */
  COPY_REPEATED, /* out[i] = in[i / step] */
  COPY_PARTIAL   /* out[i] = in[i] in the first `step` lanes of each warp, 0 in the others */
};

/* Where element i of out comes from; NOWHERE: it is 0. */
enum { COPY_NOWHERE = -1 };
static inline long copy_place(const long *dims, long i) {
  enum { WARP = 32 };
  long step = dims[COPY_STEP];
  switch ((enum copy_pattern)dims[COPY_PATTERN]) {
    case COPY_OFFSET:
      return i + step;
    case COPY_STRIDE:
      return i * step;
    case COPY_PERMUTED:
      return i ^ step;
    case COPY_REPEATED:
      return step ? i / step : i;
    case COPY_PARTIAL:
      return i % WARP < step ? i : COPY_NOWHERE;
  }
  return COPY_NOWHERE;
}

#endif
