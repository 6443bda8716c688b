/* roofline.h: the kernels of shown cases under the roofs of the GPU described: operations a second
 * over operations per byte of DRAM traffic (Williams, Waterman and Patterson, "Roofline: An
 * Insightful Visual Performance Model", CACM 52(4), 2009).
 *
 * Operations are those of fp32 that the simulator counts, an FMA two. DRAM traffic is what a launch
 * with an empty L2 moves (model/model.h). Both are counted, and so the same for a modelled time and
 * for a measured one. */
#ifndef KIT_ROOFLINE_H
#define KIT_ROOFLINE_H

#include <jansson.h>

#include "grader/base/screen.h"
#include "grader/score/score.h"
#include "grader/show/chart.h"
#include "harness/sim/base/gpu.h"

struct roofline_point {
  char *name; /* "n512 matmul_tiled" */
  double flops, dram_bytes, l2_bytes, l1_bytes, time_ns;
  double fp64_ops; /* not among flops */
  bool measured;   /* the time; else it is modelled */
  bool over_link;  /* its time is that of the link to the host, not of its own memory */
};

struct roofline {
  struct gpu gpu;
  struct roofline_point *items;
  int count;
};

/* Operations or bytes a ns: the highest that a point can reach by its traffic with DRAM. */
double roofline_limit(const struct gpu *gpu, const struct roofline_point *point);
/* Of that, the share that it does reach, in percent; for a point without operations, of DRAM's
 * rate.
 */
double roofline_percent(const struct gpu *gpu, const struct roofline_point *point);

/* Empty, with the GPU that the simulator goes by; ends the program if there is no description. */
void roofline_open(struct roofline *roofline);
/* Adds each kernel that a case's first call launches, all its launches together. prefix: of their
 * names, "" or "lab2 "; case_name, the case's. measured_ns: of a call, over 0 where it was measured
 * and the call is one kernel: then a point with that time, too. */
void roofline_add_case(struct roofline *roofline, const char *prefix, const char *case_name,
                       const struct report *report, double measured_ns);
/* The shown cases; of a grading of some cases, theirs. */
void roofline_of_grade(const struct grade *grade, struct roofline *roofline);
void roofline_free(struct roofline *roofline);

void roofline_print(const struct screen *screen, const struct roofline *roofline,
                    const char *device);
/* {"roofs":{"fp32_gflops", "dram_gb_per_s", "l2_gb_per_s", "l1_gb_per_s"}, "points":[{"name",
 *  "time_kind", "time_ns", "fp32_ops", "dram_bytes", "l2_bytes", "l1_bytes", "intensity" (null
 *  without operations), "gflops", "gb_per_s", "percent_of_roof"}]}; the caller's */
json_t *roofline_to_json(const struct roofline *roofline);
/* The table for plots/roofline.gp, without points that are over_link. */
void roofline_chart_table(const struct roofline *roofline, struct text *table);
/* "modelled", "measured" or both, as the source line of a chart has it. */
const char *roofline_kind(const struct roofline *roofline);
/* One chart; none without a point. */
void roofline_chart(const struct roofline *roofline, const char *title, const char *device,
                    const char *name, chart_taker *take, void *context);

#endif
