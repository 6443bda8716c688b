/* program_files.h: the source files of a program, and what the device has seen in each. */
#ifndef KIT_PROGRAM_FILES_H
#define KIT_PROGRAM_FILES_H

#include <jansson.h>

#include "grader/base/source.h"
#include "grader/run/report.h"
#include "grader/show/picture.h"
#include "grader/show/program_found.h"

struct program_file {
  const char *path;              /* as the report has it */
  struct source source;          /* without lines if it is not to be shown, or not there */
  struct hazard_record *hazards; /* in it; those of two files are in both */
  int hazard_count;
  struct counters *lines;         /* lines[n]: of line n, over all launches */
  struct launch_record *launches; /* those that were recorded, each with this file's part */
  int launch_count;
  struct launch_record accesses; /* of all of these; what it points to is theirs */
};

struct program_files {
  struct program_file *list; /* those with hazards first, then those that move most for nothing */
  int count;
};

/* Of a report of program_report.h, which must stay, as `found`. Only files of these folders are
 * shown: a compiler's output may name any. */
void program_files_read(const json_t *report, const struct program_found *found,
                        const char *const *folders, int folder_count, struct program_files *files);
void program_files_free(struct program_files *files);

/* NULL: it has none of that path. */
struct program_file *program_file_find(const struct program_files *files, const char *path);

/* What pictures of this file are of; subject.launches is the caller's to free. */
struct picture_subject program_file_subject(const struct program_file *file, const char *device);

#endif
