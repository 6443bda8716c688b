/* task.h: one attempt of a class, graded as a process of its own: `./grade task STATE ATTEMPT`. */
#ifndef KIT_TASK_H
#define KIT_TASK_H

#include "grader/lab/lab.h"

/* Reads STATE/spool/ATTEMPT.job, JSON:
 *
 *   {"lab":"lab2", "source":"files/ATTEMPT/lab2.cu" (relative to STATE), "seed":7, "backend":"sim",
 *    "confs":"pinned" (a folder in STATE whose lab2/lab.conf stands for the kit's; or left out)}
 *
 * and publishes the grade as STATE/spool/ATTEMPT.json (json.h, with "attempt" and "seconds"): it
 * appears whole, after all of it has reached the disk, or not at all. One that is there is left
 * alone.
 *
 * Returns 0 if a result that tells a score is there, whatever the score; 2 if the kit or the
 * machine failed: there is none, or one of verdict "error". */
int task_run(const struct kit *kit, const char *state, const char *attempt);

#endif
