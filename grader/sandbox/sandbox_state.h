/* sandbox_state.h: what sandbox_open has found, for box.c. */
#ifndef KIT_SANDBOX_STATE_H
#define KIT_SANDBOX_STATE_H

#include <stdbool.h>

#include "grader/sandbox/sandbox.h"

struct sandbox_state {
  enum sandbox_level level;
  char *bwrap, *launch; /* programs; NULL if the level needs none */
  bool landlock;        /* the kernel has it */
};
extern struct sandbox_state sandbox_state;

#endif
