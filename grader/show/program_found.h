/* program_found.h: what the device has seen of a program (./grade run), put together: launches by
 * kernel and shape, counters by line. The terminal and the page show it. */
#ifndef KIT_PROGRAM_FOUND_H
#define KIT_PROGRAM_FOUND_H

#include <jansson.h>
#include <stdbool.h>

#include "harness/sim/base/counters.h"

/* Launches of one kernel, grid and block. */
struct program_kernel {
  const json_t *first;
  const char *name, *bound; /* bound: of the first */
  double launches, time_ns;
  bool timed;
  struct counters counters;
};

/* A line of a source file, over all launches. */
struct program_line {
  const char *file; /* "": not known */
  int line;
  struct counters counters;
};

struct program_found {
  struct program_kernel *kernels; /* those that take longest first */
  struct program_line *lines;     /* those that move most for nothing first */
  int kernel_count, line_count;
  struct counters totals;
};

/* report: harness/sim/remote/program_report.h, and must stay; NULL: the program never used the
 * device. */
void program_found_read(const json_t *report, struct program_found *found);
void program_found_free(struct program_found *found);

/* What a line moves for nothing, in sectors: a wavefront more than needed counts as one, too. */
double program_line_waste(const struct program_line *line);
/* "loads: 8 sectors per request, 50% of their bytes are used"; "" for a line that accesses no
 * memory. The caller's. */
char *program_line_words(const struct program_line *line);

/* "32 x 16"; extents of 1 at the end are left out. "-": a library's kernel. The caller's. */
char *program_extent(const struct program_kernel *kernel, const char *key, const char *times);
/* "12.3 us"; "-" without a time. The caller's. */
char *program_time(const struct program_kernel *kernel);

/* What the JSON object has under a key; "" and 0 if there is nothing. */
const char *program_text(const json_t *object, const char *key);
double program_number(const json_t *object, const char *key);

#endif
