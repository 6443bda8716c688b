/* calls.c: calls the student's functions. When the simulator's device has a job of the grader's, it
 * asks for the calls (backend.h); on a GPU jobs.c does. */
#include "harness/runner/calls.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "harness/base/backend.h"
#include "harness/base/job.h"
#include "harness/runner/host_arrays.h"
#include "harness/runner/leftovers.h"

const struct kit_entry *entry_find(const char *name) {
  for (const struct kit_entry *entry = kit_entries; entry->name; entry++)
    if (!name || strcmp(entry->name, name) == 0) return entry;
  return NULL;
}

void call_read(const json_t *json, struct call *call) {
  const char *problem = json_string_value(json_object_get(json, "problem")),
             *entry = json_string_value(json_object_get(json, "entry"));
  const json_t *dims = json_object_get(json, "dims"), *arrays = json_object_get(json, "arrays");
  *call = (struct call){.entry = entry_find(entry)};
  if (!call->entry) kit_die("this runner has no function %s", entry ? entry : "");
  const struct problem *own = call->entry->problem;
  if (!problem || strcmp(problem, own->name) != 0)
    kit_die("this runner's %s is for the problem %s", call->entry->name, own->name);
  for (int i = 0; i < own->dim_count; i++) {
    call->dims[i] = (long)job_count(dims, own->dims[i], INT_MAX);
    if (!call->dims[i] && !own->from_0[i] && !own->words[i])
      kit_die("the call has no valid dimension %s", own->dims[i]);
  }
  for (int i = 0; i < problem_array_count(own); i++)
    call->arrays[i] =
        (void *)(uintptr_t)json_integer_value(json_object_get(arrays, own->arrays[i].name));
}

cudaError_t call_make(const struct call *call, bool *returned) {
  const struct problem *problem = call->entry->problem;
  cudaError_t own = (cudaError_t)(problem->on_host ? host_call(call)
                                                   : problem->call(call->entry->function,
                                                                   call->arrays, call->dims));
  cudaError_t error = cudaGetLastError(), finished = cudaDeviceSynchronize();
  *returned = own != cudaSuccess;
  if (own) return own;
  if (error == cudaErrorNotReady) error = cudaSuccess; /* an answer to a question, no failure */
  if (problem->on_host) error = cudaSuccess; /* its results are there, whatever it left unasked */
  return error ? error : finished;
}

int calls_run(void) {
  struct call call;
  for (json_t *json; backend_next_call(&json); json_decref(json)) {
    call_read(json, &call);
    bool returned;
    cudaError_t error = call_make(&call, &returned);
    leftovers_reset();
    backend_returned(error, returned);
  }
  return 0;
}
