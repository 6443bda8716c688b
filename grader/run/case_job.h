/* case_job.h: a case as the device's side gets it: a job with its inputs (exchange.h). */
#ifndef KIT_RUN_JOB_H
#define KIT_RUN_JOB_H

#include "grader/run/run.h"

/* The inputs of all sets: data[set * arrays + array]. */
struct inputs {
  int sets, arrays;
  void **data;
};

/* seed: of the grading; the case's name makes other data of it. */
void inputs_make(const struct conf *conf, const struct case_conf *entry, uint64_t seed,
                 struct inputs *inputs);
void inputs_free(struct inputs *inputs);

/* What a process is to do with its jobs. */
struct job_mode {
  uint64_t seed;      /* of the grading */
  uint64_t transfers; /* key of the log of transfers; 0: none is wanted */
  const char *rerun;  /* "dry" or "full": only for that log; or NULL */
  bool empty;         /* without inputs */
};

/* Appends the job of a case to a file. What is left of the budget is the runner's, just now. Ends
 * the program if the file cannot be written. */
void job_write(int fd, uint64_t token, const struct runner *runner, const struct conf *conf,
               const struct case_conf *entry, const struct job_mode *mode,
               const struct inputs *inputs);

#endif
