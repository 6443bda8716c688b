/* resources.h: what the kernels of a grading take of a multiprocessor, and how many of their blocks
 * it holds for that: on the terminal, as JSON, on the page. Names are those of Nsight Compute's
 * section Occupancy. */
#ifndef KIT_RESOURCES_H
#define KIT_RESOURCES_H

#include <jansson.h>

#include "grader/base/screen.h"
#include "grader/run/registers.h"
#include "grader/score/score.h"
#include "harness/sim/base/gpu.h"

/* A kernel as one case launches it; of grids that differ the largest. */
struct kernel_resources {
  const char *case_name; /* NULL: of a program */
  const char *kernel;
  uint64_t grid[3], block[3];
  int threads, registers;
  uint64_t static_bytes, dynamic_bytes; /* of shared memory, a block's */
  uint64_t spilled_bytes;               /* with counted registers */
  bool counted;                         /* the registers, by NVIDIA's assembler; else estimated */
  struct occupancy limits;
  int warps;      /* that an SM holds */
  double percent; /* of what it could hold: the theoretical occupancy */
  double waves;   /* how often the blocks that all SMs hold fit into the grid */
};

struct resources {
  struct gpu gpu;
  struct kernel_resources *items;
  int count;
};

/* Of the shown cases; of a grading of some cases, theirs. Hidden cases stay hidden. The kernels'
 * registers are those of the list, as far as it has them. Names are borrowed from the grade. */
void resources_of_grade(const struct grade *grade, struct resources *resources);
/* One kernel's: all but the name of its case, from what a launch of it says. */
struct kernel_resources resources_of_launch(const struct gpu *gpu,
                                            const struct launch_record *launch,
                                            const struct register_list *list);
/* Is it one kernel? Several together, where there are too many launches, are not. */
bool resources_is_kernel(const struct launch_record *launch);
/* Reads the GPU's description that the simulator goes by; ends the program if there is none. */
void resources_read_gpu(struct gpu *gpu);
void resources_free(struct resources *resources);

/* "registers and warps": all that hold it at so many blocks. The caller's. */
char *resources_limit(const struct kernel_resources *kernel);
/* What would let more warps in, or a sentence on lanes, blocks or a grid that leave something idle;
 * NULL: nothing is to be gained. The caller's. */
char *resources_advice(const struct gpu *gpu, const struct kernel_resources *kernel);
/* "registers by nvcc 13.0, sm_90", or estimated, and how they would not be; list NULL: they always
 * are, as in the next two. The caller's. */
char *resources_source(const struct register_list *list);

void resources_print(const struct screen *screen, const struct resources *resources,
                     const struct register_list *list);
/* [{"case", "kernel", "grid":[3], "block":[3], "registers", "registers_by":"nvcc 13.0, sm_90" or
 *   null (estimated), "spilled_bytes", "static_shared_bytes", "dynamic_shared_bytes",
 *   "limits":{"registers", "shared_memory", "warps", "blocks"}, "blocks_per_sm", "warps_per_sm",
 *   "occupancy_percent", "limited_by", "waves", "advice"}]; the caller's */
json_t *resources_to_json(const struct resources *resources, const struct register_list *list);

#endif
