/* program_report.h: what a program that was started by hand (kcc, ./grade run) did with the device:
 * found hazards and launches are kept while it runs and told when it ends: as JSON in the file that
 * $KIT_REPORT names, else the hazards on stderr, those that may be the cause first.
 *
 * {"schema": 1, "device": "simulated NVIDIA H100 80GB HBM3",
 *  "hazards": [as in a grade, with "file", "other_file"],
 *  "launches": [as in a grade, with "file"; with "launches" where it stands for several],
 *  "totals": {"launches", "time_ns", "counters", "traffic"},
 *  "recorded": [the first launch of each kernel, with "accesses"; if KIT_REPORT_ACCESSES is 1]}
 */
#ifndef KIT_PROGRAM_REPORT_H
#define KIT_PROGRAM_REPORT_H

#include "harness/sim/remote/server.h"

struct program;

/* Listens to the server, which is not open yet. NULL if memory runs out. */
struct program *program_open(struct server *server);
/* Tells what was found since the last time; returns how many hazards that are no warnings. */
int program_tell(struct program *program);
void program_close(struct program *program);

#endif
