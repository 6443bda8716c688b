/* gpus.h: which GPU is simulated: descriptions in harness/sim/gpus, by name, or any file.
 *
 * All that a grading starts learns of it by KIT_SIM_GPU in its environment, as the path of the
 * description; without, the simulator has the one that is built in (GPU_BUILT_IN). */
#ifndef KIT_GPUS_H
#define KIT_GPUS_H

#include "grader/lab/lab.h"
#include "harness/sim/base/gpu.h"

/* The names of the kit's descriptions ("h100"), sorted, up to NULL. Free with lab_free_ids. */
char **gpus_names(const struct kit *kit);

/* The path of a description, absolute, the caller's: of the kit's of that name, in any case; or a
 * file if `name` ends in .ini. Ends the program with the list of names if there is none, and with
 * what is wrong if it cannot be read. */
char *gpus_path(const struct kit *kit, const char *name);

/* Has that GPU simulated by this process' children from now on. */
void gpus_select(const struct kit *kit, const char *name);

/* The one that is simulated: its name, "h100", or that of its file without .ini. The caller's. */
char *gpus_selected(void);
/* Reads its description; ends the program if that is not possible. */
void gpus_read_selected(struct gpu *gpu);

#endif
