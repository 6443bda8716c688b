/* statistics.c: the median of a sample with a confidence interval from order statistics. */
#include "harness/base/statistics.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

struct interval median_interval(double *values, int count) {
  if (count == 0) return (struct interval){NAN, NAN, NAN};
  qsort(values, (size_t)count, sizeof *values, ascending);
  int middle = count / 2;
  double median = count % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  /* The largest `outside` with P(fewer than outside values lie below the median) <= 2.5%. */
  double term = pow(0.5, count), sum = term;
  int outside = 0;
  while (outside < middle && sum <= 0.025) {
    outside++;
    term *= (double)(count - outside + 1) / outside;
    sum += term;
  }
  int low = outside > 0 ? outside - 1 : 0;
  return (struct interval){values[low], median, values[count - 1 - low]};
}
