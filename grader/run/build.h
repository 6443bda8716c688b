/* build.h: one .cu file into a runner, by harness/compile. */
#ifndef KIT_BUILD_H
#define KIT_BUILD_H

#include "lab.h"
#include "text.h"

enum build_end {
  BUILD_OK,
  BUILD_REFUSED, /* the file does not compile or link: output says why */
  BUILD_FAILED,  /* our or the machine's fault: output says why */
};

/* output gets what the compiler printed. */
enum build_end build_runner(const struct kit *kit, const char *backend, const char *lab,
                            const char *source, const char *runner, struct text *output);

/* The first error in a compiler's output: its line (0: unknown) and its words, without the path.
 * Caller frees. */
char *build_first_error(const char *output, int *line);

#endif
