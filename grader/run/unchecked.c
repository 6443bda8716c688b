/* unchecked.c: judges a case in which a call of CUDA is made to fail: has the submission noticed?
 * It has if its function returns an error, or the program ends by itself with one: by exit(),
 * abort(), an assertion, an exception. Who goes on without the memory and launches a kernel has not
 * noticed, even if that kernel's fault then is. Results, launches and hazards of such a case say
 * nothing. */
#include <signal.h>
#include <stdlib.h>

#include "grader/run/execute.h"
#include "grader/run/run.h"

static const struct {
  const char *what, *error, *advice;
} failures[CASE_FAILS] = {
    [FAIL_MALLOC] = {"cudaMalloc", "cudaErrorMemoryAllocation",
                     "Check what every call of cudaMalloc returns"},
    [FAIL_PINNED] = {"cudaMallocHost (or cudaHostAlloc)", "cudaErrorMemoryAllocation",
                     "Check what cudaMallocHost, cudaHostAlloc and cudaHostRegister return"},
    [FAIL_COPY] = {"cudaMemcpy", "cudaErrorInvalidValue",
                   "Check what every call of cudaMemcpy returns"},
    [FAIL_LAUNCH] = {"launch", "cudaErrorLaunchOutOfResources",
                     "Look at cudaGetLastError() behind every launch"},
};

/* It went unnoticed in this line. what_then: "matmul returned as if all were well". */
static void fail_unnoticed(const struct case_conf *entry, const struct set_record *record,
                           const char *what_then, struct case_result *result) {
  result->line = record->failed_line;
  autofree char *line = result->line ? xprintf("line %d: ", result->line) : xstrdup("");
  case_fail(result, "unchecked", STOP_NOTHING,
            "%sthis %s was made to fail (%s), and %s. %s, and hand the error on", line,
            failures[entry->fail].what, failures[entry->fail].error, what_then,
            failures[entry->fail].advice);
}

static bool ended_with_error(const struct process_end *end) {
  return end->signal == SIGABRT || (!end->signal && end->exit_code != 0);
}

static void forget_launches_and_hazards(struct report *report) {
  for (int i = 0; i < report->launch_count; i++) launch_record_free(&report->launches[i]);
  for (int i = 0; i < report->hazard_count; i++) hazard_record_free(&report->hazards[i]);
  report->launch_count = report->hazard_count = 0;
}

bool case_judge_failure(const struct conf *conf, const struct case_conf *entry,
                        const struct ends *ends, struct case_result *result) {
  struct report *report = &result->report;
  const char *function = conf_function(conf, entry);
  result->state = CASE_RIGHT;
  for (int i = 0; i < report->set_count && !result->reason; i++) {
    const struct set_record *record = &report->sets[i];
    /* Nothing failed: with managed memory kernels run without a copy, one array may hold what
     * others allocate three for, and who exits before has noticed nothing. A case like any other.
     */
    bool launched = report->launch_count > 0 && (entry->fail != FAIL_LAUNCH || entry->fail_at > 1);
    if (!record->failed && (!record->done || (i == 0 && launched))) return false;
    if (!record->failed && record->done) {
      case_fail(result, "wrong", STOP_NOTHING,
                "%s was to notice that a %s fails, but there was none", function,
                failures[entry->fail].what);
    } else if (record->failed_launched &&
               (entry->fail == FAIL_MALLOC || entry->fail == FAIL_PINNED)) {
      fail_unnoticed(entry, record, "a kernel was launched all the same", result);
    } else if (record->done && !record->returned) {
      autofree char *then = xprintf("%s returned as if all were well", function);
      fail_unnoticed(entry, record, then, result);
    } else if (!record->done) {
      const struct process_end *end = &ends->runner;
      if (!ended_with_error(end))
        fail_unnoticed(entry, record,
                       end->signal ? "the program then crashed"
                                   : "the program then ended with status 0, as if all were well",
                       result);
      break;
    }
  }
  forget_launches_and_hazards(report);
  return true;
}
