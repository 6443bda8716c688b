/* build.h: one .cu file into a runner, by harness/compile. */
#ifndef KIT_BUILD_H
#define KIT_BUILD_H

#include <stdbool.h>

#include "grader/base/text.h"
#include "grader/lab/lab.h"

enum build_end {
  BUILD_OK,
  BUILD_REFUSED, /* the file does not compile or link: output has the reason */
  BUILD_FAILED,  /* our or the machine's fault: output has the reason */
};

/* What is to be built. */
struct build {
  const char *backend;
  const struct lab *lab;
  const char *source; /* the .cu file */
  bool own_folder;    /* headers beside it are the submission's, too */
  const char *runner; /* the program to make, in the private folder of a grading */
  bool registers;     /* make no program but a list of what its kernels take (registers.h) */
  /* NULL, or lists of macros, "BLOCK_X=8 BLOCK_Y=32": the runner then has the lab's first function
   * once for each, and they are named "0", "1", ... */
  const char *const *variants;
  int variant_count;
  const char *reference, *baseline; /* labs whose solutions are linked in, to be timed; or NULL */
};

/* Starts a build, beside which others may be under way; then either waits for its end, where output
 * gets what the compiler printed, or gives it up. */
struct building *build_start(const struct kit *kit, const struct build *build);
enum build_end build_finish(struct building *building, struct text *output);
void build_stop(struct building *building);
/* Start and finish. */
enum build_end build_runner(const struct kit *kit, const struct build *build, struct text *output);

/* A compiler's first error: its line (0: unknown) and words, without the path. Caller frees. */
char *build_first_error(const char *output, int *line);

/* The next warning in a compiler's output about the file of that name whose option ends so
 * ("uninitialized]"): the same of it, and *at behind it; NULL if there is none. Caller frees. */
char *build_next_warning(const char **at, const char *name, const char *option, int *line);

#endif
