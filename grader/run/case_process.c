/* case_process.c: the files, limits and jobs of a process that runs cases. */
#include "grader/run/case_process.h"

#include <stdlib.h>
#include <unistd.h>

#include "grader/base/system.h"
#include "grader/sandbox/process.h"

static const uint64_t spare_file_bytes = 64 << 20; /* for launches and hazards beside the arrays */

/* Processor time of the device that no budget comes near: it takes 5 to 60 ns for an instruction,
 * under 1 ns for a byte and 100 us for a call. */
static uint64_t backstop_seconds(const struct conf *conf) {
  struct budget budget = conf_budget(conf);
  return 60 + (uint64_t)((double)budget.instructions * 300e-9 + (double)budget.bytes * 5e-9 +
                         (double)budget.calls * 500e-6);
}

/* Room for what the device may log of transfers (remote/transfer_log.c) with its origins. */
static const uint64_t log_file_bytes = (uint64_t)1 << 30;

/* Whole seconds of processor time that host code still has; at least 1. */
static uint64_t cpu_seconds_left(const struct runner *runner, const struct conf *conf,
                                 const struct job_mode *mode) {
  double left = (double)conf->cpu_limit;
  if (runner->spending && !mode->rerun) left -= runner->spending->cpu_seconds;
  return left > 1 ? (uint64_t)left : 1;
}

void case_process_open(const struct runner *runner, const struct conf *conf,
                       const struct attempt *attempts, int count, const struct job_mode *mode,
                       struct case_process *process) {
  uint64_t file_bytes = spare_file_bytes + ((uint64_t)conf->output_limit << 20);
  *process = (struct case_process){.token = random_number(),
                                   .job = memory_file("job"),
                                   .report = memory_file("report"),
                                   .output = memory_file("output")};
  for (int i = 0; i < count; i++) {
    const struct case_conf *entry = &conf->cases[attempts[i].case_index];
    file_bytes += (uint64_t)(family_output_bytes(conf_family(conf, entry), entry->dims) *
                             (double)entry->sets);
  }
  process->cpu_seconds = cpu_seconds_left(runner, conf, mode);
  bool unlimited = getenv("KIT_NO_AS_LIMIT") != NULL;
  struct execution execution = {
      .job = process->job,
      .report = process->report,
      .output = process->output,
      .sleep_seconds = (double)conf->sleep_limit,
      .memory_bytes = unlimited || runner->on_gpu ? 0 : (uint64_t)conf->memory_limit << 20,
      .report_bytes = file_bytes,
      .log_bytes = mode->transfers ? log_file_bytes : 0,
      .cpu_seconds = process->cpu_seconds,
      .device_cpu_seconds = backstop_seconds(conf),
      .threads = (uint64_t)conf->thread_limit,
      .confined = !unlimited,
  };
  process->executing = execute_start(runner, &execution);
}

void case_process_start(const struct runner *runner, const struct conf *conf,
                        const struct attempt *attempts, int count, const struct job_mode *mode,
                        struct case_process *process) {
  if (process->token && process->cpu_seconds != cpu_seconds_left(runner, conf, mode))
    case_process_close(process); /* others have spent since it was opened */
  if (!process->token) case_process_open(runner, conf, attempts, count, mode, process);
  for (int i = 0; i < count; i++)
    job_write(process->job, process->token, runner, conf, &conf->cases[attempts[i].case_index],
              mode, &attempts[i].inputs);
  lseek(process->job, 0, SEEK_SET);
  execute_go(process->executing);
}

void case_process_finish(struct case_process *process) {
  execute_finish(process->executing, &process->ends);
  process->executing = NULL;
  lseek(process->report, 0, SEEK_SET);
}

void case_process_close(struct case_process *process) {
  if (!process->token) return;
  if (process->executing) execute_stop(process->executing);
  free(process->ends.device_fault);
  close(process->job);
  close(process->report);
  close(process->output);
  *process = (struct case_process){0};
}
