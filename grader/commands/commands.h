/* commands.h: what ./grade does, each in a file of its own. Those of a lab return its exit
 * status: 0 full marks, 1 points lost, 2 the kit's or the machine's fault. */
#ifndef KIT_COMMANDS_H
#define KIT_COMMANDS_H

#include "grader/commands/request.h"
#include "grader/lab/lab.h"

/* ./grade LAB: grades its file, and shows or writes what else was asked for. */
int grade_lab(const struct kit *kit, const struct request *request);

/* ./grade LAB --dims M=64,..: one run on these sizes, on the simulator. */
int run_once(const struct kit *kit, const struct request *request);

/* ./grade LAB --sweep: every block shape, every value of a dimension. On the simulator, also where
 * there is a GPU: times are modelled. 0, or 1 if the file cannot be swept. */
int sweep_lab(const struct kit *kit, const struct request *request);

/* ./grade LAB --sizes N,..: times over the size. 1 if a result is wrong. */
int size_lab(const struct kit *kit, const struct request *request);

/* ./grade LAB --report FOLDER: grades the file, times it over the size and sweeps it. */
int report_lab(const struct kit *kit, const struct request *request);

/* ./grade list: the labs as a path: what each teaches, how long it takes, which come first. */
int list_labs(const struct kit *kit);

/* ./grade gpus: those that can be simulated. */
int list_gpus(const struct kit *kit);
/* --gpu: has that one simulated from now on; ends the program if there is none of that name. */
void use_gpu(const struct kit *kit, const char *name);

/* ./grade doctor: prints what is installed, what is missing, and the command that installs it.
 * Returns 0, or 2 if something that is needed is missing. */
int doctor(const struct kit *kit);

/* ./grade run PROG.cu: a program with a main of its own. argv[0] is "run". Returns the program's
 * exit status, 128 and the signal that ended it, or 1 if it does not compile. */
int run_program(const struct kit *kit, int argc, char **argv);

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

/* ./grade task STATE -: grades attempts as they are named on stdin, a line each, in a process each.
 *
 * When one has ended, however it did, a line on stdout says so: its name and its status as of
 * wait(). Everything else goes to stderr. Returns 0 at the end of stdin. */
int task_work(const struct kit *kit, const char *state);

#endif
