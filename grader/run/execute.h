/* execute.h: runs a runner and, on the simulator, the device's process beside it, and says how both ended. */
#ifndef KIT_EXECUTE_H
#define KIT_EXECUTE_H

#include "process.h"

struct runner;

struct execution {
  /* Descriptors: the job down, the report up (exchange.h), what the program prints. */
  int job, report, output;
  double wall_seconds;
  uint64_t memory_bytes;  /* of the submission's, on the host, and as much on the device; 0: no limit */
  uint64_t report_bytes;  /* that the report may take */
  uint64_t cpu_seconds, threads; /* of the submission's; 0: no limit */
  bool confined; /* in the sandbox of this machine */
};

struct ends {
  struct process_end runner; /* timed_out also if the device was busy until the time was up */
  bool cut_off;        /* the device had nothing more for the runner, which then did not end by itself */
  char *device_fault;  /* of the kit or of the machine, in words, the caller's; NULL: there was none */
};

void execute(const struct runner *runner, const struct execution *execution, struct ends *ends);

#endif
