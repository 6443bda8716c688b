/* job.h: the device's part of a graded run: jobs in, reports out, as exchange.h says. */
#ifndef KIT_JOB_H
#define KIT_JOB_H

/* Runs the jobs of EXCHANGE_JOB_FD with the runner at the other end of EXCHANGE_DEVICE_FD. Returns
 * the exit status of the process: 0 if there is nothing to say beyond the report, EXCHANGE_ENDED if
 * moreover the runner is of no more use, 2 for a fault of the kit or of the machine, told on
 * stderr. */
int job_run(void);

#endif
