/* calls.c: makes the calls that the simulator's device asks for when it has a job of the grader's
 * (backend.h). The arrays are on the device and filled; what the calls did the device sees for
 * itself. See calls.h. */
#include "harness/runner/calls.h"

#include <jansson.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "harness/base/backend.h"
#include "harness/runner/call.h"
#include "harness/runner/leftovers.h"

static void take_dims(const json_t *call, long *dims) {
  for (int i = 0; i < kit_problem->dim_count; i++) {
    json_int_t value =
        json_integer_value(json_object_get(json_object_get(call, "dims"), kit_problem->dims[i]));
    if (value < 1 || value > INT_MAX)
      runner_die("the call has no valid dimension %s", kit_problem->dims[i]);
    dims[i] = (int)value;
  }
}

static void take_arrays(const json_t *call, void **arrays) {
  for (int i = 0; i < problem_array_count(kit_problem); i++) {
    const char *name = kit_problem->arrays[i].name;
    const json_t *address = json_object_get(json_object_get(call, "arrays"), name);
    if (!json_is_integer(address)) runner_die("the call has no array %s", name);
    arrays[i] = (void *)(uintptr_t)json_integer_value(address);
  }
}

static void make_call(const json_t *call) {
  const char *name = json_string_value(json_object_get(call, "problem"));
  const char *entry = json_string_value(json_object_get(call, "entry"));
  long dims[PROBLEM_MAX_DIMS];
  void *arrays[PROBLEM_MAX_ARRAYS], *function = entry_find(entry);
  if (!name || strcmp(name, kit_problem->name) != 0)
    runner_die("this runner is for the problem %s", kit_problem->name);
  if (!function) runner_die("this runner has no function %s", entry);
  take_dims(call, dims);
  take_arrays(call, arrays);
  kit_problem->call(function, arrays, dims);
  cudaError_t error = cudaGetLastError();
  cudaError_t finished = cudaDeviceSynchronize();
  leftovers_reset();
  backend_returned(error ? error : finished);
}

int calls_run(void) {
  for (json_t *call; backend_next_call(&call); json_decref(call)) make_call(call);
  return 0;
}
