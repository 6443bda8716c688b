/* runtime.c: the CUDA runtime API over device.h: what its files share, and errors. A file a topic
 * has the rest: runtime_device.c, runtime_memory.c, runtime_stream.c and so on. */
#include "harness/sim/runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/base/error.h"
#include "harness/sim/base/source_places.h"
#include "harness/sim/runtime/backlog.h"
#include "harness/sim/runtime/graph.h"
#include "harness/sim/runtime/host_buffers.h"
#include "harness/sim/runtime/managed.h"
#include <cuda_runtime_api.h>

static struct {
  struct device *device;
  int generation, openings;
  const struct device_listener *listener;
} runtime;

static _Thread_local cudaError_t last_error;
static _Thread_local char failed_function[160];

struct device *runtime_device(void) {
  if (runtime.device) return runtime.device;
  runtime.device = device_open(NULL);
  if (!runtime.device) {
    fputs("kit: the simulated GPU could not be started: out of memory or threads\n", stderr);
    exit(2);
  }
  runtime.generation++;
  runtime.openings++;
  if (runtime.listener) device_listen(runtime.device, runtime.listener);
  crash_catch();
  return runtime.device;
}

bool runtime_is_open(void) { return runtime.device != NULL; }

void runtime_reset(void) {
  backlog_drop();
  managed_unmap_all(); /* while the device still has the pages */
  if (runtime.device) device_close(runtime.device);
  runtime.device = NULL;
}

void runtime_renewed(void) {
  runtime.generation++;
  managed_unmap_over();
  registration_share_managed();
}

int runtime_generation(void) {
  runtime_device();
  return runtime.generation;
}

int runtime_openings(void) {
  runtime_device();
  return runtime.openings;
}

static _Thread_local bool is_bound;

void runtime_bind(void) { is_bound = true; }

bool runtime_take_binding(void) {
  bool was = is_bound;
  is_bound = false;
  return was;
}

void runtime_listen(const struct device_listener *listener) {
  runtime.listener = listener;
  device_listen(runtime_device(), listener);
}

/* Errors */

/* Reports a failed call once per place: a program that then exits leaves no other trace of it. Left
 * out are failures that are reported elsewhere (a kernel's fault, a launch, an unsupported
 * function) and what is not a failure. */
static void report_failure(int error, const char *function, int line, const char *why,
                           const char *advice) {
  enum { MAX_PLACES = 16 };
  static _Thread_local struct {
    char function[48];
    int line;
  } reported[MAX_PLACES];
  static _Thread_local int reported_count;
  bool known = (error == cudaErrorNotReady && !why) || error == cudaErrorNotSupported ||
               strcmp(function, "cudaLaunchKernel") == 0 || error == (int)runtime_sticky();
  for (int i = 0; i < reported_count && !known; i++)
    known = reported[i].line == line && strcmp(reported[i].function, function) == 0;
  if (known || reported_count == MAX_PLACES) return;
  snprintf(reported[reported_count].function, sizeof reported->function, "%s", function);
  reported[reported_count++].line = line;
  struct hazard hazard = {.kind = HAZARD_call, .warning = true, .line = line, .count = 1};
  snprintf(hazard.message, sizeof hazard.message, "%s returned %s (%s)%s%s. %s", function,
           error_name(error), error_text(error), why ? ": " : "", why ? why : "", advice);
  device_report_hazard(runtime_device(), &hazard);
}

static _Thread_local int call_line; /* 0: not known */
static _Thread_local const char *call_file;

cudaError_t runtime_explained(int error, const char *function, int line, const char *why,
                              const char *advice) {
  if (!error) return cudaSuccess;
  const char *called = strcmp(function, "kit_malloc_managed_at") == 0 ? "cudaMallocManaged"
                       : strncmp(function, "kit_malloc", 10) == 0     ? "cudaMalloc"
                                                                      : function;
  if (error != cudaErrorNotReady) last_error = (cudaError_t)error; /* no failure */
  snprintf(failed_function, sizeof failed_function, "%s%s%s", called, why ? ": " : "",
           why ? why : "");
  report_failure(error, called, line ? line : runtime_line(), why, advice);
  return (cudaError_t)error;
}

cudaError_t runtime_result_of(int error, const char *function) {
  return runtime_explained(error, function, 0, NULL,
                           error == cudaErrorMemoryAllocation
                               ? "Ask for less, and free what is no longer needed."
                               : "Look at what it is called with.");
}

static _Thread_local cudaError_t saved_error;

void runtime_save_error(void) { saved_error = last_error; }

void runtime_restore_error(void) { last_error = saved_error; }

const char *runtime_failed_function(void) { return *failed_function ? failed_function : NULL; }

cudaError_t runtime_unsupported(const char *function, int line) {
  struct hazard hazard = {.kind = HAZARD_unsupported, .line = line, .count = 1};
  snprintf(hazard.message, sizeof hazard.message,
           "%s is not supported by the simulator: this needs a GPU.", function);
  device_report_hazard(runtime_device(), &hazard);
  return runtime_result_of(cudaErrorNotSupported, function);
}

static _Thread_local bool in_host_function;

void runtime_call_host(void (*function)(void *), void *data) {
  int error = last_error; /* on a GPU a thread of the driver calls it */
  in_host_function = true;
  function(data);
  in_host_function = false;
  last_error = error;
}

cudaError_t runtime_sticky(void) {
  if (in_host_function) return cudaErrorNotPermitted;
  return (cudaError_t)device_error(runtime_device());
}

void runtime_settle(void) {
  host_buffers_settle();
  managed_guard();
}

cudaError_t runtime_wait(void) {
  if (in_host_function) return cudaErrorNotPermitted;
  backlog_finish();
  managed_report();
  cudaError_t error = (cudaError_t)device_synchronize(runtime_device());
  reserve_settle(NULL);
  runtime_settle();
  return error;
}

void kit_at(int line, const char *file) {
  call_line = line;
  call_file = file;
}

/* File names are constants of the program: each is asked for once a thread and a device. */
int runtime_place(const char *file, int line) {
  enum { KNOWN = 8 };
  static _Thread_local struct {
    const char *file;
    int number;
  } known[KNOWN];
  static _Thread_local unsigned next;
  if (!file || line <= 0) return 0;
  for (int i = 0; i < KNOWN; i++)
    if (known[i].file == file) return place_make(known[i].number, line);
  int number = device_file_number(runtime_device(), file);
  known[next % KNOWN].file = file;
  known[next++ % KNOWN].number = number;
  return place_make(number, line);
}

struct source_place runtime_call_place(void) {
  return (struct source_place){call_file, call_line};
}

int runtime_line(void) { return runtime_place(call_file, call_line); }

/* As on a GPU, the last error is one that a call returned: a kernel's fault is unknown until a call
 * waits for it, and from then on every call that reaches the device returns it. */
cudaError_t cudaPeekAtLastError(void) { return last_error; }

cudaError_t cudaGetLastError(void) {
  cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

const char *cudaGetErrorName(cudaError_t error) { return error_name(error); }

const char *cudaGetErrorString(cudaError_t error) { return error_text(error); }
