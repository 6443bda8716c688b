/* class.c: ./grade class, a program of its own (build/class).
 *
 *     ./grade class DIR        ./grade class submissions.zip --roster class.csv --report
 *
 * Theory of operation. What was handed in (entries.c, names.c, unpack.c, submission.c, handed.c)
 * becomes attempts in a gradebook (import.c, gradebook.c) with their files in a state folder. An
 * attempt is of a submitter, by what the platform calls them; which student that is follows from
 * the roster (roster.c, people.c, submitters.c), and is worked out again in every run. Labs are
 * graded by the lab.conf that the gradebook has pinned (pin.c). An engine (local.c, or Slurm) has
 * every pending attempt graded by a process of the ordinary grader (task.c), which leaves a file,
 * files that are the same only once (copies.c); each result is merged in a transaction of its own
 * (collect.c, merge.c). So whatever is killed, and whenever, the next run goes on from what is
 * there. Every change of a grade is kept (history.c); those that a changed lab.conf or kit would
 * make are listed before they are made (preview.c). Reports and exports are made of the gradebook
 * alone.
 *
 * Exit status: 0 everything is graded, 1 something could not be read or graded (listed), 2 the
 * kit's or the machine's fault. */
#include "grader/class/base/class.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/class/base/gradebook.h"
#include "grader/class/book/attempt.h"
#include "grader/class/book/pin.h"
#include "grader/class/book/submitters.h"
#include "grader/class/command.h"
#include "grader/class/engine/engine.h"
#include "grader/class/engine/slurm.h"
#include "grader/class/export/export.h"
#include "grader/class/intake/handed.h"
#include "grader/class/regrade/regrade.h"
#include "grader/class/report/class_report.h"
#include "grader/class/report/similar.h"

/* Everything but what only looks. */
static void run(struct class *class) {
  const struct class_options *options = class->options;
  gradebook_begin(class->book);
  history_record(class->book, "graded"); /* by a run that was stopped */
  gradebook_commit(class->book);
  pins_open(class, "pinned");
  bool preview = options->preview || options->regrade || options->again;
  if (options->accept && !preview) preview_accept(class);
  import_settings(class);
  import_run(class);
  collect_run(class);
  if (preview) {
    preview_run(class, options->again     ? REGRADE_AGAIN
                       : options->regrade ? REGRADE_ALL
                                          : REGRADE_OUTDATED);
    if (options->accept) preview_accept(class);
  }
  collect_report(class);
  submitters_report(class);
  pins_report(class);
  if (options->feedback) feedback_write(class);
  if (options->canvas) export_canvas(class, options->canvas);
  if (options->moodle) export_moodle(class, options->moodle);
  if (options->jsonl) export_jsonl(class, options->jsonl);
  if (options->similar) similar_write(class, options->similar_percent);
  if (options->report) class_report(class);
}

int main(int argc, char **argv) {
  setlocale(LC_CTYPE, "");
  struct class_options options;
  command_parse(argc, argv, false, &options);
  struct class class = {
      .options = &options, .cause = "graded", .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0};
  setlocale(LC_CTYPE, "C.UTF-8"); /* names in archives */
  kit_find(&class.kit);
  class.state = class_state_folder(&options);
  autofree char *path = class_path(&class, "gradebook.sqlite");
  bool looks = options.dump || options.log;
  if (!looks) class_lock(class.state);
  class.book = gradebook_open(path, looks);
  if (options.dump) {
    gradebook_dump(class.book, stdout);
  } else if (options.log) {
    history_print(&class, options.log);
  } else if (options.cancel) {
    if (slurm_cancel(class.state) < 0) class.problems++;
  } else {
    run(&class);
  }
  gradebook_close(class.book);
  free(class.state);
  kit_free(&class.kit);
  if (fflush(stdout) != 0 || ferror(stdout)) die("cannot write to stdout: %s", strerror(errno));
  return class.problems ? 1 : 0;
}
