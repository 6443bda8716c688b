/* program_page.h: a program and what was found in it as one page (./grade run --html): its output
 * and end, hazards, kernels, its sources with counters, pictures of its accesses. */
#ifndef KIT_PROGRAM_PAGE_H
#define KIT_PROGRAM_PAGE_H

#include <jansson.h>

#include "grader/run/whole_program.h"
#include "grader/show/program_files.h"

struct program_page {
  const struct whole_program *program;
  const char *title;    /* its first file */
  char *const *command; /* behind "./grade run", up to NULL */
  bool compiled;        /* if not, the rest is empty */
  const struct process_end *end;
  const struct kept_output *output;
  const json_t *report; /* of program_report.h; NULL: it never used the device */
  const struct program_found *found;
  const struct program_files *files;
};

/* The caller's. */
struct text program_page(const struct kit *kit, const struct program_page *of);

#endif
