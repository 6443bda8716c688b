/* kernel_work.h: was it the kernels that did a case's work? */
#ifndef KIT_KERNEL_WORK_H
#define KIT_KERNEL_WORK_H

#include "run.h"

/* A sentence on what the launches of the case's first call have left to others, the caller's; NULL:
 * nothing. Only for cases whose launches the simulator counted. */
char *kernel_work_missing(const struct problem *problem, const long *dims,
                          const struct case_result *result);

#endif
