/* call.c: see call.h. */
#include "harness/runner/call.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/backend.h"
#include "harness/runner/leftovers.h"

/* The grader then looks at how the model
 * solution fares: the student's code, which shares this process, may have closed the report. */
_Noreturn void runner_die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fflush(stdout);
  fputs("kit: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(2);
}

void host_arrays_alloc(void **host, const long *dims) {
  for (int i = 0; i < problem_array_count(kit_problem); i++) {
    host[i] = malloc(problem_bytes(kit_problem, i, dims));
    if (!host[i]) runner_die("out of memory for %s", kit_problem->arrays[i].name);
  }
}

void host_arrays_free(void **host) {
  for (int i = 0; i < problem_array_count(kit_problem); i++) free(host[i]);
}

void *entry_find(const char *name) {
  if (!name) return kit_entries[0];
  for (int i = 0; kit_entry_names[i]; i++)
    if (strcmp(kit_entry_names[i], name) == 0) return kit_entries[i];
  return NULL;
}

/* Calls the function between two events, when the inputs have arrived: a stream that does not wait
 * for the default one would start before. */
static void timed_call(void *function, void *const *device, const long *dims,
                       struct call_result *result) {
  cudaEvent_t start = NULL, stop = NULL;
  float milliseconds = 0;
  cudaDeviceSynchronize();
  bool timed = cudaEventCreate(&start) == cudaSuccess && cudaEventCreate(&stop) == cudaSuccess &&
               cudaEventRecord(start, NULL) == cudaSuccess;
  kit_problem->call(function, device, dims);
  cudaError_t error = cudaGetLastError();
  cudaError_t finished = cudaDeviceSynchronize();
  if (!error) error = finished;
  result->error = error;
  result->error_from = backend_failed_function();
  timed = timed && !error && cudaEventRecord(stop, NULL) == cudaSuccess &&
          cudaEventSynchronize(stop) == cudaSuccess &&
          cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess;
  result->time_ns = timed ? (double)milliseconds * 1e6 : 0;
  if (start) cudaEventDestroy(start);
  if (stop) cudaEventDestroy(stop);
  leftovers_reset();
}

struct call_result call_on_host(void *function, void *const *host, const long *dims) {
  struct call_result result = {.error = cudaSuccess};
  void *device[PROBLEM_MAX_ARRAYS] = {NULL};
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < problem_array_count(kit_problem) && !error; i++) {
    const struct problem_array *array = &kit_problem->arrays[i];
    size_t bytes = problem_bytes(kit_problem, i, dims);
    error = cudaMalloc(&device[i], bytes);
    if (error) break;
    if (i < kit_problem->input_count)
      error = cudaMemcpy(device[i], host[i], bytes, cudaMemcpyHostToDevice);
    else
      error = cudaMemset(device[i], 0xff, bytes);
    backend_name_array(device[i], array->name, problem_rows(kit_problem, i, dims),
                       problem_columns(kit_problem, i, dims), array->element_size,
                       i < kit_problem->input_count ? BACKEND_INPUT : BACKEND_OUTPUT);
  }
  result.error = error;
  result.error_from = backend_failed_function();
  if (!error) timed_call(function, device, dims, &result);
  for (int i = kit_problem->input_count; i < problem_array_count(kit_problem); i++) {
    size_t bytes = problem_bytes(kit_problem, i, dims);
    cudaError_t copied = cudaErrorUnknown;
    if (device[i]) copied = cudaMemcpy(host[i], device[i], bytes, cudaMemcpyDeviceToHost);
    if (copied) memset(host[i], 0xff, bytes);
    if (copied && !result.error) {
      result.error = copied;
      result.error_from = "the harness: it cannot read the result back; was its array freed?";
    }
  }
  for (int i = 0; i < problem_array_count(kit_problem); i++)
    if (device[i]) cudaFree(device[i]);
  (void)cudaGetLastError();
  return result;
}

const char *call_error_text(const struct call_result *result) {
  static char text[200];
  snprintf(text, sizeof text, "%s%s%s", cudaGetErrorString(result->error),
           result->error_from ? ", from " : "", result->error_from ? result->error_from : "");
  return text;
}
