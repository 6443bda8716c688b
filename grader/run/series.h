/* series.h: one file in the cases of its lab's [series], with each value of a dimension. */
#ifndef KIT_SERIES_H
#define KIT_SERIES_H

#include "grader/base/source.h"
#include "grader/lab/metric.h"
#include "grader/run/build.h"

/* The case with one value of the dimension. */
struct series_point {
  long value;
  char *reason;         /* why it is wrong; NULL: it is right */
  struct totals totals; /* without traffic */
};

struct series {
  const struct lab *lab;
  const struct series_conf *conf;
  char *device;
  bool modelled; /* the times */
  struct series_point *points;
  int point_count, right_count;
};

/* All of a lab. */
struct series_list {
  struct series *items;
  int count;
  bool refused; /* the submission is at fault: error says how */
  char *error;  /* NULL: all went well */
};

/* Builds `source` and runs it on the simulator; work: a private folder. The lab has a [series].
 * Returns 0, or -1 with list->error, where refused says whose fault it is; then nothing else is of
 * use. */
int series_measure(const struct kit *kit, const struct lab *lab, const struct source *source,
                   uint64_t seed, const char *work, struct series_list *list);
void series_free(struct series_list *list);

/* In GB/s: the bytes that the textbook's kernel loads and stores (family.h), over the time. */
double series_bandwidth(const struct series_point *point);

#endif
