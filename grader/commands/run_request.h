/* run_request.h: what is asked for on ./grade run's command line, and what is shown of a program
 * beside its summary. Only run_*.c need it. */
#ifndef KIT_RUN_REQUEST_H
#define KIT_RUN_REQUEST_H

#include <jansson.h>

#include "grader/run/whole_program.h"

struct run_request {
  struct whole_program program;
  const char *names[PROGRAM_MAX_WORDS];   /* the source files, */
  int files;                              /* so many */
  const char *folders[PROGRAM_MAX_WORDS]; /* -I */
  int folder_count;
  const char *gpu; /* to simulate: a name, or a file; NULL: as the environment says */
  const char *json, *html, *trace; /* trace: of the timeline */
  bool sanitize, unsafe, explain, picture, plot, timeline, resources;
  const char *picture_file; /* NULL: any; the caller's to free */
  int picture_line;         /* 0: the costliest */
};

/* Reads the command line, whose words must stay, without "grade"; ends the program if it is wrong.
 */
void run_request_parse(int argc, char **argv, struct run_request *request);

/* --- run_pages.c */

/* Writes the page and draws the picture that are asked for. command: the words behind "./grade
 * run", up to NULL; report: of program_report.h, or NULL. */
void run_pages(const struct kit *kit, const struct run_request *request, char *const *command,
               bool compiled, const struct process_end *end, const json_t *report);

#endif
