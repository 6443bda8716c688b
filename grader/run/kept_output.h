/* kept_output.h: what a program prints goes on to our stdout and stderr as it comes, and is kept:
 * its beginning and its end, however long it is. */
#ifndef KIT_KEPT_OUTPUT_H
#define KIT_KEPT_OUTPUT_H

#include <stdint.h>

#include "grader/base/text.h"

struct kept_output {
  struct text head, tail; /* stdout and stderr, in the order in which they came */
  uint64_t left_out;      /* bytes between the two */
};
void kept_output_free(struct kept_output *kept);

/* In this order: open; start the program with the two ends to write to; begin, which closes them
 * here; wait for the program; finish, which returns when all has been passed on. A reader that goes
 * away ends the program as it would without us: by SIGPIPE. */
struct output_keeper;
struct output_keeper *output_keeper_open(struct kept_output *kept, int *stdout_end,
                                         int *stderr_end);
void output_keeper_begin(struct output_keeper *keeper);
void output_keeper_finish(struct output_keeper *keeper);

#endif
