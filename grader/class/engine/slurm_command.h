/* slurm_command.h: runs one of Slurm's programs and takes up what it prints. No shell
 * is involved. */
#ifndef KIT_SLURM_COMMAND_H
#define KIT_SLURM_COMMAND_H

#include <stdbool.h>

#include "grader/base/text.h"

struct slurm_output {
  int status; /* exit status; -1: it did not end by itself, or could not be started */
  bool cut;   /* it was ended because of `limit`, `enough` or a signal for us: what it did is not
                 known */
  struct text out, err;
};

/* argv[0] is looked up in PATH. It is ended after `limit` seconds, when `enough` (may be NULL)
 * appears on its stderr, or some seconds after one of the held signals came (slurm_hold_signals).
 */
void slurm_command(const char *const *argv, double limit, const char *enough,
                   struct slurm_output *output);
void slurm_output_free(struct slurm_output *output);

/* Why it failed, in Slurm's words: one line, fit for a terminal. The caller's. */
char *slurm_output_reason(const struct slurm_output *output);

/* SIGINT, SIGTERM and SIGHUP wait until they are asked for. */
void slurm_hold_signals(void);
/* Sleeps; returns the signal that ended the sleep early, or 0. */
int slurm_pause(double seconds);
/* Lets the signal do what it does to a program that knows nothing of it. */
void slurm_release_signals(int signal);

#endif
