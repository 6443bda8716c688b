/* backend_calls.c: the calls of backend.h, for the simulator whose device is another process. */
#include <stdio.h>

#include "harness/base/backend.h"
#include "harness/sim/remote/client.h"
#include "harness/sim/runtime/host_buffers.h"
#include "harness/sim/runtime/managed.h"
#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

bool backend_next_call(json_t **call) {
  static bool ready;
  runtime_device();
  crash_listen(called_crashed);
  if (!ready) {
    registration_load_all();
    called_ready();
    ready = true;
  }
  *call = called_next();
  if (json_is_true(json_object_get(*call, "fresh"))) runtime_renewed();
  return *call != NULL;
}

void backend_returned(int error) {
  const char *function = runtime_failed_function();
  managed_report();
  host_buffers_settle();
  fflush(stdout); /* the grader may end us as soon as it has what it wants */
  called_returned(error, error && function ? function : "");
}
