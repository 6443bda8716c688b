/* replay_times.c: how long the parts of build/class-replay take, and how much memory the program
 * has had by then.
 *
 * With KIT_REPLAY_TIMES=FILE each part, as it ends, is a line of FILE: its name, seconds, MB at
 * most so far. The linker leads calls of these functions here (--wrap, in the Makefile). Reading is
 * part of importing. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "grader/base/system.h"
#include "grader/class/book/attempt.h"
#include "grader/class/book/submitters.h"
#include "grader/class/engine/engine.h"
#include "grader/class/export/export.h"
#include "grader/class/intake/entries.h"
#include "grader/class/intake/handed.h"
#include "grader/class/report/class_report.h"

static void record(const char *part, double start) {
  const char *path = getenv("KIT_REPLAY_TIMES");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (!file) return;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  fprintf(file, "%s\t%.3f\t%.0f\n", part, clock_seconds() - start, (double)usage.ru_maxrss / 1024);
  fclose(file);
}

/* clang-format off */
#define TIMED(part, name, parameters, arguments) \
  void __real_##name parameters;                 \
  void __wrap_##name parameters;                 \
  void __wrap_##name parameters {                \
    double start = clock_seconds();                        \
    __real_##name arguments;                     \
    record(part, start);                           \
  }

TIMED("read", entries_read, (struct class *class, struct entries *entries), (class, entries))
TIMED("read", handed_read, (struct class *class, struct entries *entries, enum class_format format,
       const struct gradescope_metadata *metadata, char *const *labs, struct handed_list *handed),
      (class, entries, format, metadata, labs, handed))
TIMED("import", import_run, (struct class *class), (class))
TIMED("history", history_record, (struct gradebook * book, const char *cause), (book, cause))
TIMED("merge", collect_run, (struct class *class), (class))
TIMED("notes", collect_report, (struct class *class), (class))
TIMED("notes", submitters_report, (struct class *class), (class))
TIMED("canvas", export_canvas, (struct class *class, const char *path), (class, path))
TIMED("moodle", export_moodle, (struct class *class, const char *path), (class, path))
TIMED("jsonl", export_jsonl, (struct class *class, const char *path), (class, path))
TIMED("report", class_report, (struct class *class), (class))
