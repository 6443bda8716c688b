/* commands.h: what ./grade does beside grading a lab's file, each in a file of its own. */
#ifndef KIT_COMMANDS_H
#define KIT_COMMANDS_H

#include "grader/lab/lab.h"

/* ./grade doctor: prints what is installed, what is missing, and the command that installs it.
 * Returns 0, or 2 if something that is needed is missing. */
int doctor(const struct kit *kit);

/* ./grade conf: the keys of lab.conf, or what was read of a lab's. argv[0] is "conf". Ends the
 * program with status 2 if the arguments are wrong or the file is. */
int conf_command(struct kit *kit, int argc, char **argv);

/* ./grade task STATE ATTEMPT: grades one attempt of a class, as a process of its own.
 *
 * Reads STATE/spool/ATTEMPT.job, JSON:
 *
 *   {"lab":"lab2", "source":"files/ATTEMPT/lab2.cu" (relative to STATE), "seed":7, "backend":"sim",
 *    "confs":"pinned" (a folder in STATE whose lab2/lab.conf stands for the kit's; or left out)}
 *
 * and publishes the grade as STATE/spool/ATTEMPT.json (json.h, with "attempt" and "seconds"): it
 * appears whole, after all of it has reached the disk, or not at all. One that is there stays.
 *
 * Returns 0 if a result with a score is there, whatever the score; 2 if the kit or the machine
 * failed: there is none, or one of verdict "error". */
int task_run(const struct kit *kit, const char *state, const char *attempt);

#endif
