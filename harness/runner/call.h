/* call.h: one call of a function of the student's, on arrays of the host. See jobs.c. */
#ifndef KIT_CALL_H
#define KIT_CALL_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "harness/problems/problem.h"

/* Our or the machine's fault, told as the grader expects it: ends the process with status 2. */
_Noreturn void runner_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Host memory for all of the problem's arrays. */
void host_arrays_alloc(void **host, const long *dims);
void host_arrays_free(void **host);

/* The student's function of that name, the first if name is NULL; NULL if there is none. */
void *entry_find(const char *name);

/* What is known of a call: the first error, of the kit's own calls or of the student's, and who
 * returned it: an API function that the student called, or, in words, the harness; NULL: not known.
 */
struct call_result {
  cudaError_t error;
  const char *error_from;
  double time_ns; /* device time of all that it did, kernels, copies, fills; 0: cannot be told */
};

/* One call on host arrays, each as large as its shape says: inputs are read, outputs written (with
 * NaN bytes where nothing came back). */
struct call_result call_on_host(void *function, void *const *host, const long *dims);

/* "invalid argument, from cudaMemcpy"; a static string. */
const char *call_error_text(const struct call_result *result);

#endif
