/* jobs.h: a runner that has the grader's jobs itself. */
#ifndef KIT_JOBS_H
#define KIT_JOBS_H

/* Runs the jobs, which were read before any code of the submission's ran, one report after the
 * other, up to and with the first in which a call failed. Returns the process's exit status. */
int jobs_run(void);

#endif
