/* job.h: runs the grader's jobs (exchange.h): the arrays onto a device, a call of the submission
 * for each set of inputs, the report.
 *
 * The device is either the simulator's, in a process of its own, which has a runner call the
 * submission (harness/sim/remote/job.c), or that of the CUDA runtime in the runner itself
 * (harness/runner/jobs.c). What the outputs are when the call has returned is what counts.
 */
#ifndef KIT_JOB_H
#define KIT_JOB_H

#include <jansson.h>
#include <stdbool.h>

#include "harness/base/exchange.h"

enum { JOB_MAX_ARRAYS = 8 };

struct job_array {
  char name[32];
  bool output;
  size_t rows, columns, element_size, bytes;
  uint64_t address; /* on the device; 0: not allocated */
  uint64_t again;   /* where it lay in the call before, and shall lie again; 0: anywhere */
};

/* Errors are those of CUDA, 0 if all is well. from: the API function that returned the error; NULL
 * or "": not known. returned: the submission's function itself returned it. time_ns: device time;
 * 0: not known. */
struct job_result {
  int error;
  const char *from;
  double time_ns;
  bool returned;
};

struct job {
  const struct job_device *device;
  void *context;  /* the device's */
  int report_fd;  /* where the report goes */
  uint64_t token; /* of the jobs */
  json_t *json;   /* FRAME_JOB */
  const json_t *options;
  struct job_array arrays[JOB_MAX_ARRAYS];
  int array_count, sets;
  int set;    /* whose call is under way */
  bool rerun; /* neither results nor statuses are reported */
};

struct job_device {
  /* The next frame of the jobs, as frame_read returns it. */
  int (*read_frame)(struct frame_header *header, void **payload, size_t limit);
  /* A job has been read. */
  void (*begin)(struct job *job); /* or NULL */
  /* Allocates an array and fills it, with the input unless that is NULL. The input is malloc'ed:
   * who sets it to NULL has taken it over. */
  struct job_result (*place)(struct job *job, struct job_array *array, void **input);
  /* Calls the submission:
   *   {"problem":"matmul", "entry":"matmul" or null, "dims":{"M":64,..},
   *    "arrays":{"A":ADDRESS,..}} */
  struct job_result (*call)(struct job *job, json_t *call);
  /* Reports what comes before the status of a call, and adds to the status; or NULL. */
  void (*finish_call)(struct job *job, json_t *status);
  int (*read)(struct job *job, const struct job_array *array, void *to);
  /* Where the array's bytes lie, if they need not be read; or NULL, also as the whole function. */
  const void *(*view)(struct job *job, const struct job_array *array);
  void (*free)(struct job *job, const struct job_array *array);
  const char *(*error_name)(int error), *(*error_text)(int error);
  /* Times the submission instead of calling it once for each set: FRAME_TIMING. NULL: it cannot. */
  json_t *(*time)(struct job *job, const json_t *timing);
  const char *(*describe)(struct job *job); /* "simulated NVIDIA H100 80GB HBM3" */
};

/* Runs the jobs one after the other, up to and with the first in which a call failed. Faults of the
 * kit or the machine end the process. */
void job_run_all(struct job *job);

/* A positive number that is at most max; else 0. */
size_t job_count(const json_t *object, const char *key, size_t max);

void job_send(const struct job *job, enum frame_type type, const void *payload, size_t bytes);
/* Takes the object (NULL: memory ran out). Returns the bytes sent. */
size_t job_send_json(const struct job *job, enum frame_type type, json_t *object);

/* The kit's or the machine's fault, in words that the grader finds in the output: ends the process
 * with status 2. */
_Noreturn void kit_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
