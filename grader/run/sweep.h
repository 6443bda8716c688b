/* sweep.h: one file with every block shape that its lab's [sweep] allows, measured in one case. */
#ifndef KIT_SWEEP_H
#define KIT_SWEEP_H

#include "grader/base/source.h"
#include "grader/lab/metric.h"
#include "grader/run/build.h"

enum shape_state {
  SHAPE_RIGHT,
  SHAPE_WRONG,   /* reason says why */
  SHAPE_IGNORED, /* the launch had another shape than the one asked for: launched */
};

struct shape {
  long extent[SWEEP_PARAMETERS]; /* of the block, in x and in y */
  enum shape_state state;
  char *reason;
  uint64_t launched[3];
  struct totals totals;
  double load_sectors, store_sectors; /* a request; NaN without such accesses */
  char *bound;                        /* of the longest launch; "" if not known */
};

struct sweep {
  const struct lab *lab;
  const char *case_name;
  char *device;
  bool modelled; /* the times */
  struct shape *shapes;
  int shape_count;
  struct shape own; /* the file as it is: state SHAPE_RIGHT or SHAPE_WRONG */
  int own_index;    /* its shape among the others, or -1 */
  int best;         /* index of the fastest right one, or -1 */
  bool refused;     /* the submission is at fault: error says how */
  char *error;      /* NULL: all went well */
};

/* Builds and runs `source` on the simulator; work: a private folder. The lab has a [sweep]. Returns
 * 0, or -1 with sweep->error, where refused says whose fault it is; then nothing else is of use. */
int sweep_measure(const struct kit *kit, const struct lab *lab, const struct source *source,
                  uint64_t seed, const char *work, struct sweep *sweep);
void sweep_free(struct sweep *sweep);

#endif
