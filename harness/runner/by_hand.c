/* by_hand.c: see by_hand.h. */
#include "harness/runner/by_hand.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/backend.h"
#include "harness/base/statistics.h"
#include "harness/runner/call.h"
#include "harness/runner/runner_print.h"
#include "harness/runner/timing.h"

static void print_event(void *context, const char *what, json_t *object) {
  (void)context;
  if (strcmp(what, "launch") == 0)
    print_launch(object);
  else
    print_hazard(object);
}

/* Inputs in [-1, 1), the same for the same seed: splitmix64. */
static void fill_input(float *values, size_t count, uint64_t *state) {
  for (size_t i = 0; i < count; i++) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    values[i] = (float)(z >> 40) / (float)(1 << 23) - 1.0f;
  }
}

static int check_result(void *const *host, const long *dims) {
  enum { MOST_WORK = 300000000 };
  if (kit_problem->work(dims) > MOST_WORK) {
    puts("result: not checked, too large for the plain check (./grade checks any size)");
    return 0;
  }
  size_t at;
  double error = kit_problem->check(host, dims, &at);
  if (error <= 1) {
    puts("result: right");
    return 0;
  }
  for (int i = kit_problem->input_count; i < problem_array_count(kit_problem); i++) {
    const struct problem_array *array = &kit_problem->arrays[i];
    size_t columns = problem_columns(kit_problem, i, dims);
    printf("result: WRONG, worst at %s[%zu][%zu] (row, column), which is %g\n", array->name,
           at / columns, at % columns, (double)((float *)host[i])[at]);
    break;
  }
  return 1;
}

int by_hand_time(const struct by_hand *options) {
  struct timing_request request = {.dims = options->dims,
                                   .timed = {{"submission", options->function}},
                                   .count = 1,
                                   .rounds_most = options->rounds,
                                   .seed = options->seed};
  const char *error;
  int blame;
  json_t *result = timing_run(&request, &error, &blame), *value;
  if (!result) {
    printf("result: %s\n", error);
    return 1;
  }
  json_t *events = json_object_get(json_array_get(json_object_get(result, "timed"), 0), "event_ns");
  double *ns = calloc(json_array_size(events) + 1, sizeof *ns), sum = 0, squares = 0;
  size_t i, count = json_array_size(events);
  if (!ns) runner_die("out of memory for the times");
  json_array_foreach (events, i, value) sum += ns[i] = json_number_value(value);
  for (i = 0; i < count; i++)
    squares += (ns[i] - sum / (double)count) * (ns[i] - sum / (double)count);
  struct interval median = median_interval(ns, (int)count);
  puts("median_ns\tdeviation_ns\tlow_ns\thigh_ns\trounds\tcalls_a_round\tdevice");
  printf("%.0f\t%.0f\t%.0f\t%.0f\t%zu\t%d\t%s\n", median.median,
         count > 1 ? sqrt(squares / (double)(count - 1)) : 0, median.low, median.high, count,
         (int)json_integer_value(json_object_get(result, "batch")), backend_device());
  free(ns);
  json_decref(result);
  return 0;
}

int by_hand_run(const struct by_hand *options) {
  const long *dims = options->dims;
  void *host[PROBLEM_MAX_ARRAYS];
  host_arrays_alloc(host, dims);
  uint64_t state = options->seed;
  for (int i = 0; i < kit_problem->input_count; i++)
    fill_input(host[i], problem_elements(kit_problem, i, dims), &state);
  printf("%s on %s:", kit_problem->name, backend_device());
  for (int i = 0; i < kit_problem->dim_count; i++) printf(" %s=%ld", kit_problem->dims[i], dims[i]);
  putchar('\n');
  fflush(stdout);
  backend_listen(print_event, NULL);
  struct call_result call = call_on_host(options->function, host, dims);
  int status = 1;
  if (call.error)
    printf("result: %s (%s)\n", cudaGetErrorName(call.error), call_error_text(&call));
  else
    status = check_result(host, dims);
  host_arrays_free(host);
  return status;
}
