/* execute.h: runs a runner and, on the simulator, the device's process; reports how both ended. */
#ifndef KIT_EXECUTE_H
#define KIT_EXECUTE_H

#include "grader/base/profile.h"
#include "grader/sandbox/process.h"

struct runner;

struct execution {
  /* Descriptors: the job down, the report up (exchange.h), what the program prints. */
  int job, report, output;
  double sleep_seconds; /* that both may sleep */
  uint64_t
      memory_bytes; /* of the submission's, on the host, and as much on the device; 0: no limit */
  uint64_t report_bytes;         /* that the report may take, and what the program prints */
  uint64_t log_bytes;            /* that the device may add to the report */
  uint64_t cpu_seconds, threads; /* of the submission's own code; 0: no limit */
  uint64_t device_cpu_seconds;   /* far more than what is left of the budget can take */
  bool confined;                 /* in the sandbox of this machine */
};

/* How both ended. */
struct ends {
  struct process_end runner; /* timed_out: it slept, also if it was the device that noticed */
  struct seconds of_device, of_runner;
  bool host_spent, device_spent; /* the runner or the device used up its processor time */
  bool cut_off; /* the device had nothing more for the runner, which then did not end by itself */
  char *
      device_fault; /* of the kit or of the machine, in words, the caller's; NULL: there was none */
};

/* Starts both, which then wait for the job: it may still be written, up to execute_go. What the
 * grader does until execute_finish goes on beside them. */
struct executing;
struct executing *execute_start(const struct runner *runner, const struct execution *execution);
void execute_go(struct executing *executing);
/* Waits for them. */
void execute_finish(struct executing *executing, struct ends *ends);
/* Ends them: nobody needs what they do. */
void execute_stop(struct executing *executing);

/* --- Whose turn it is on the device, among all gradings of this machine: many may run cases there
 * at a time, but one that times has the device to itself. */

enum turn { TURN_SHARED, TURN_ALONE };

/* The lock that all gradings of a machine share, whoever starts them. */
#define TURN_FILE "/tmp/cuda-lab-kit-gpu.lock"

/* Waits for the turn. Returns what turn_end takes; -1 where this file can have no lock (times are
 * then disturbed by other processes on the device). A turn ends with its process. */
int turn_take(const char *file, enum turn turn);
void turn_end(int taken);

#endif
