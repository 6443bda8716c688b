/* statistics.h: the median of noisy ratios, and how well it is known; for runner and grader. */
#ifndef KIT_STATISTICS_H
#define KIT_STATISTICS_H

struct interval {
  double low, median, high;
};

/* Median of count values (which are sorted in place), with an interval that holds the true median
 * with at least 95% probability: order statistics, so nothing is assumed of the noise but that the
 * values are independent and of one distribution. Of the count + 1 gaps between sorted values, the
 * true median lies in gap k with binomial probability C(count, k) / 2^count (David and Nagaraja,
 * Order Statistics, section 7.1). Below 6 values, low and high are the extremes; of none, NaN. */
struct interval median_interval(double *values, int count);

#endif
