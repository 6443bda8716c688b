/* sandbox.h: which sandbox this machine has for programs that may mean harm, and what such a
 * program may see in it. process.h runs programs in it. sandbox.c explains the levels. */
#ifndef KIT_SANDBOX_H
#define KIT_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "grader/lab/lab.h"
#include "grader/sandbox/inside.h"

enum sandbox_level { SANDBOX_NONE, SANDBOX_LANDLOCK, SANDBOX_BUBBLEWRAP, SANDBOX_LEVELS };
extern const char *const sandbox_level_names[SANDBOX_LEVELS]; /* "none", "landlock", "bubblewrap" */

/* Takes the best level that this machine has the parts for; $KIT_SANDBOX names the one to take, for
 * tests. If there is none the program ends with a message, unless unsafe. What was found stays, for
 * this program and for what it forks: a second call does nothing. */
void sandbox_open(const struct kit *kit, bool unsafe);
/* A program could not be started in the sandbox. If none ever was, tries the levels, the best
 * first, and settles for the first that works, or ends the program as above. */
void sandbox_doubt(const struct kit *kit);
/* The level in use: SANDBOX_NONE until sandbox_open. */
enum sandbox_level sandbox_level(void);

/* Tries one level. NULL: it works, and is the one in use from now on; else why it does not, in a
 * sentence, the caller's. */
char *sandbox_try(const struct kit *kit, enum sandbox_level level);

/* Something of ours, and where it is within the sandbox if that has files of its own (bubblewrap);
 * else it is where it is. */
struct sandbox_path {
  const char *path, *inside;
};

/* What a program gets beside the system's programs and libraries. */
struct sandbox {
  enum confinement confinement;
  const struct sandbox_path *paths; /* to read and execute; missing ones are left out */
  int path_count;
  struct sandbox_path folder; /* to write in: memory of the sandbox's own at .inside, or our empty
                                 folder at .path; NULLs: none */
  const char *shared;    /* a folder of the user's, in which it may read and write; NULL: none */
  uint64_t folder_bytes; /* at most, where the sandbox has a folder of its own */
  uint64_t processes;    /* and threads; 0: any number */
  const char *product;   /* a file that it is to make in that folder; NULL: none */
  int product_fd;        /* where that is copied to if the program ends well */
};

/* Where a program in the sandbox finds one of its paths. */
const char *sandbox_inside(const struct sandbox_path *path);

#endif
