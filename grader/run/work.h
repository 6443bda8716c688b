/* work.h: the private folder of a grading. */
#ifndef KIT_WORK_H
#define KIT_WORK_H

#include "grader/lab/lab.h"

/* Makes it, for nobody else to look into, in build/, where programs may be executed for sure, else
 * in $TMPDIR or /tmp; it is removed when the program ends, however that comes, or by work_remove.
 * Ends the program if there can be none. Returns its path, good until then. */
const char *work_make(const struct kit *kit);
void work_remove(void);
/* Removes a folder and all that is in it; links in it are not followed. */
void work_remove_folder(const char *path);

/* Removes the folders of gradings that were killed: those under build/ that no process holds. */
void work_sweep(const struct kit *kit);

#endif
