/* kernel_work.c: see kernel_work.h.
 *
 * A right result says nothing of who computed it: the host may have, beside a kernel that is there to
 * be counted. So the kernels must have read as much as the inputs hold, written as much as the
 * outputs hold, and computed at least half of what the textbook does (Strassen's method multiplies
 * less). Where nothing is computed, as in a transpose, the host may do the work and a kernel copy
 * what it handed over: as much as the output holds. */
#include "kernel_work.h"

#include "text.h"

static double of(const struct case_result *result, enum counter counter) {
  return (double)result->totals.counters.value[counter];
}

char *kernel_work_missing(const struct problem *problem, const long *dims,
                          const struct case_result *result) {
  if (result->totals.launches == 0) return NULL; /* said elsewhere */
  double in = 0, out = 0, least = problem->least_operations(dims) / 2;
  for (int i = 0; i < problem->input_count; i++) in += (double)problem->input_bytes(dims, i);
  for (int i = 0; i < problem->output_count; i++) out += (double)problem->output_bytes(dims, i);
  double atomics = of(result, COUNTER_global_atomic_bytes);
  double loaded = metric_line_value(metric_find("loaded_bytes"), &result->totals.counters),
         stored = of(result, COUNTER_global_store_bytes) + atomics;
  double operations = of(result, COUNTER_fp32_ops) + of(result, COUNTER_fp64_ops) + atomics / 4;
  double handed = result->report.set_count > 0 ? (double)result->report.sets[0].copied_in_bytes : 0;
  if (loaded < in)
    return xprintf("the kernels read %.3g bytes of inputs of %.3g: they do not do the work", loaded,
                   in);
  if (stored < out)
    return xprintf("the kernels wrote %.3g bytes of a result of %.3g: they do not do the work",
                   stored, out);
  if (operations < least)
    return xprintf(
        "the kernels did %.3g operations, and the result takes %.3g: they do not do the "
        "work",
        operations, 2 * least);
  if (least == 0 && handed >= out)
    return xprintf(
        "the host handed %.3g bytes to the device, as many as the result has: kernels "
        "must do the work",
        handed);
  return NULL;
}
