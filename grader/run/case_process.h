/* case_process.h: one process (with its device) that runs cases one after another. */
#ifndef KIT_CASE_PROCESS_H
#define KIT_CASE_PROCESS_H

#include "grader/run/case_job.h"
#include "grader/run/execute.h"

/* One of its cases. */
struct attempt {
  int case_index;
  struct inputs inputs;
  struct case_result result;
};

/* What it was given and what it left. */
struct case_process {
  uint64_t token; /* 0: it is not open */
  int job, report, output;
  uint64_t cpu_seconds; /* that its host code may take */
  struct executing *executing;
  struct ends ends;
};

/* Starts it; it waits for the jobs of these cases. Of the mode only counts whether it is for a
 * rerun, and logs transfers. */
void case_process_open(const struct runner *runner, const struct conf *conf,
                       const struct attempt *attempts, int count, const struct job_mode *mode,
                       struct case_process *process);
/* Has it run these cases, or the first of them; opens it where it is not open. */
void case_process_start(const struct runner *runner, const struct conf *conf,
                        const struct attempt *attempts, int count, const struct job_mode *mode,
                        struct case_process *process);
/* Waits until it has ended; the report can be read from its start on. */
void case_process_finish(struct case_process *process);
/* Ends it if it is under way; does nothing to one that is not open. */
void case_process_close(struct case_process *process);

#endif
