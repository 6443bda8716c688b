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
  bool too_long;
  bool own_folder; /* its folder holds nothing but the submission's: it may include from there */
};

/* A submission may be so long. */
enum { SOURCE_BYTES = 4 << 20 };

/* Returns 0, or -1 with errno set. Of a file that is too long only the beginning is read. */
int source_read(const char *path, struct source *source);
void source_free(struct source *source);
/* Line number `line` without its indentation, or "" if there is none. */
const char *source_line(const struct source *source, int line);

#endif
