/* product_pattern.h: what the wrong elements of a product have in common, in words.
 *
 * A recogniser looks at the samples and either knows the pattern, with a sentence for it, or does
 * not. Those of any product are in pattern.c; how A and B can be misread is the family's.
 */
#ifndef KIT_PRODUCT_PATTERN_H
#define KIT_PRODUCT_PATTERN_H

#include <math.h>

#include "harness/problems/matmul/product.h"

typedef bool recogniser(const struct product *p, const struct wrongs *w, char *text, size_t size);

struct pattern {
  recogniser *is; /* NULL ends a list */
  enum explains explains;
};

extern const struct pattern matmul_misread[]; /* of C = A B: misread.c */

/* Writes into text what is recognised (an empty string if nothing is) and returns what these words
 * explain. misread: what the family adds. */
enum explains pattern_describe(const struct product *p, const struct wrongs *wrongs,
                               const struct pattern *misread, char *text, size_t size);

/* Tiles that are right, but read with their indices exchanged. */
enum turned { TURNED_NONE, TURNED_A, TURNED_B, TURNED_BOTH };
enum turned pattern_turned_tiles(const struct product *p, const struct wrongs *wrongs);

enum { PROBES = 12 }; /* elements for which other values are computed */

static inline int probe_count(const struct wrongs *w) {
  return w->sample_count < PROBES ? w->sample_count : PROBES;
}
/* The i-th of probe_count samples, spread over all. */
static inline const struct wrong *probe(const struct wrongs *w, int i) {
  return &w->samples[(long)i * w->sample_count / probe_count(w)];
}

/* A looser comparison than the check's: the pattern may cost a rounding or two more. */
static inline bool is_near(double expected, float got, double scale) {
  return fabs((double)got - expected) <= 1e-5 * scale + 1e-6;
}

#endif
