/* host_arrays.h: calls a function that wants its arrays on the host (problem.on_host). */
#ifndef KIT_HOST_ARRAYS_H
#define KIT_HOST_ARRAYS_H

#include "harness/runner/calls.h"

/* Copies the inputs to the host, calls the function, and copies the outputs to the device, where
 * the job has its arrays: so that it shows in the log of transfers (harness/base/transfers.h) what
 * the host was given and what it returns. Returns what the function returned (problem.call); other
 * errors are left in CUDA's runtime. */
int host_call(const struct call *call);

#endif
