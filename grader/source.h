/* source.h: the student's file, kept as lines to show beside messages and counters. */
#ifndef KIT_SOURCE_H
#define KIT_SOURCE_H

#include <stdbool.h>

struct source {
  char *name; /* without folders: "lab2.cu" */
  char *path; /* as the compiler gets it */
  char *text;
  char **lines; /* lines[0] is line 1 */
  int line_count;
  bool own_folder; /* its folder holds nothing but the submission's: it may include from there */
};

/* Returns 0, or -1 with errno set. */
int source_read(const char *path, struct source *source);
void source_free(struct source *source);
/* Line number `line` without its indentation, or "" if there is none. */
const char *source_line(const struct source *source, int line);

#endif
