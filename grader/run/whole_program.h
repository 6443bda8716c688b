/* whole_program.h: CUDA programs with a main of their own: compiled by harness/kcc, and run in the
 * sandbox on the simulated GPU. */
#ifndef KIT_WHOLE_PROGRAM_H
#define KIT_WHOLE_PROGRAM_H

#include <stdbool.h>

#include "grader/lab/lab.h"
#include "grader/run/kept_output.h"
#include "grader/sandbox/process.h"

enum { PROGRAM_MAX_WORDS = 200 };
struct program_words {
  const char *list[PROGRAM_MAX_WORDS + 1];
  int count;
};

struct whole_program {
  struct program_words compiler;  /* for kcc: files and options */
  struct program_words arguments; /* for the program */
  const char *folder;             /* in which it starts, reads and writes; NULL: none */
  bool accesses;                  /* the report has where memory accesses went */
  const char *timeline;           /* where its timeline goes; NULL: nowhere */
  struct kept_output *output;     /* NULL: not wanted */
  struct text messages;           /* the compiler's, once it has run */
};

/* Makes the program at `path`, with `work` for temporary files. False: it does not compile, and the
 * compiler has said why on stderr. */
bool whole_program_compile(const struct kit *kit, struct whole_program *program, const char *work,
                           const char *path);

/* Runs it; what it reads and prints is ours, but no terminal to read from. The device's report goes
 * to `report`. */
void whole_program_run(const struct kit *kit, const struct whole_program *program, const char *work,
                       const char *path, const char *report, struct process_end *end);

#endif
