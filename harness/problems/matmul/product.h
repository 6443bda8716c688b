/* product.h: a matrix product to be checked, C = A B, and what honest single precision makes of it.
 *
 * A is M x K, B is K x N, C is M x N, row-major floats; C, the submission's, may hold anything.
 */
#ifndef KIT_PRODUCT_H
#define KIT_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/problems/family.h"

struct product {
  const float *a, *b, *c;
  long m, n, k;
};

/* An element of C: its exact value in double precision, the largest error of single precision. */
struct expected {
  double value, tolerance;
};

struct expected product_element(const struct product *p, long row, long column);
/* A row of C: n elements. A column of C: m elements; scratch of k floats. */
void product_row(const struct product *p, long row, struct expected *elements);
void product_column(const struct product *p, long column, struct expected *elements,
                    float *scratch);
/* The tolerance as a multiple of sum |a||b|. */
double product_tolerance(long k);
/* False also for NaN and infinity. */
bool product_right(struct expected expected, float got);

/* One wrong element. */
struct wrong {
  long row, column;
  double expected;
  float got;
};

enum { WRONG_SAMPLES = 256 };

/* The wrong elements of a product. Rows and columns are marked if they hold a wrong element. */
struct wrongs {
  bool *rows, *columns;                /* m and n flags */
  uint64_t count;                      /* of wrong elements */
  bool estimated;                      /* count was scaled up from the rows that were looked at */
  struct wrong first;                  /* the first in row-major order, among the rows looked at */
  struct wrong samples[WRONG_SAMPLES]; /* spread over the wrong elements */
  int sample_count;
};

void wrongs_init(struct wrongs *wrongs, const struct product *p);
void wrongs_free(struct wrongs *wrongs);

/* Both return true if C is right, else name the wrong elements. The first compares all elements. */
bool product_check_all(const struct product *p, struct wrongs *wrongs);
bool product_check_freivalds(const struct product *p, uint64_t seed, struct wrongs *wrongs);

struct pattern;

/* Either of them, by the size of the product. False: fills finding, with words for what the wrong
 * elements have in common (product_pattern.h: misread). */
bool product_check(const struct product *p, const struct pattern *misread, uint64_t seed,
                   struct finding *finding);

#endif
