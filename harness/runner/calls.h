/* calls.h: calls of the student's functions, as the grader asks for them. */
#ifndef KIT_CALLS_H
#define KIT_CALLS_H

#include <cuda_runtime_api.h>
#include <jansson.h>
#include <stdbool.h>

#include "harness/problems/problem.h"

/* The function of that name, the student's first if name is NULL; NULL if there is none. */
const struct kit_entry *entry_find(const char *name);

struct call {
  const struct kit_entry *entry;
  void *arrays[PROBLEM_MAX_ARRAYS]; /* on the device */
  long dims[PROBLEM_MAX_DIMS];
};
/* From the JSON object of backend_next_call; without "arrays" there are none. */
void call_read(const json_t *json, struct call *call);
/* Calls the function and waits for the device. The first error left; *returned: it is what the
 * function itself returned. */
cudaError_t call_make(const struct call *call, bool *returned);

/* Makes the calls that a device in another process asks for. Returns the process's exit status. */
int calls_run(void);
/* jobs.c: runs the jobs on a device of this process's own. The same. */
int jobs_run(void);

#endif
