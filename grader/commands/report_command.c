/* report_command.c: ./grade LAB --report. */
#include <string.h>

#include "grader/base/file.h"
#include "grader/commands/commands.h"
#include "grader/commands/measured.h"
#include "grader/handin/handin.h"
#include "grader/show/show.h"

/* A folder for one of several measurements. */
static char *folder_in(const char *work, const char *name) {
  char *path = xprintf("%s/%s", work, name);
  folder_make(path);
  return path;
}

int report_lab(const struct kit *kit, const struct request *request) {
  struct subject subject;
  subject_open(kit, request, &subject);
  const struct conf *conf = &subject.lab.conf;
  folder_make(request->report);
  struct grade grade = {.lab = &subject.lab,
                        .source = &subject.source,
                        .backend = request->backend,
                        .seed = subject.seed};
  const char *work = grading_open(kit, request->unsafe);
  grading_run(
      kit, &(struct grading_options){.work = work, .solution = request->solution, .accesses = true},
      &grade);
  struct handin handin = {.kit = kit, .grade = &grade, .folder = request->report};
  struct sizes sizes = {0};
  struct swept swept = {.sweep = {0}};
  autofree char *sizes_work = folder_in(work, "sizes"), *swept_work = folder_in(work, "swept"),
                *wrong = NULL;
  bool compiles = !grade.error && !score_is_build_failure(&grade);
  if (compiles) {
    wrong = sizes_asked(request, &subject,
                        request->sizes ? request->sizes : "100,500,700,1000,2000", &sizes);
    if (!wrong) sizes_measure(kit, sizes_work, &sizes);
    if (!wrong && !sizes.error) handin.sizes = &sizes;
    handin.no_sizes = wrong ? wrong : sizes.error;
    handin.no_sweep = swept_measure(kit, &subject, swept_work, &swept);
    if (!handin.no_sweep && conf->sweep.line) handin.sweep = &swept.sweep;
    handin.series = swept.series.items;
    handin.series_count = swept.series.error ? 0 : swept.series.count;
  } else {
    handin.no_sizes = "the file does not compile";
  }
  grading_close();
  struct screen screen;
  screen_open(&screen, stdout);
  if (grade.error)
    print_our_fault(grade.error);
  else
    handin_write(&handin, &screen);
  int status = grade.error ? 2 : strcmp(grade.verdict, "pass") == 0 ? 0 : 1;
  sizes_free(&sizes);
  swept_free(&swept);
  grade_free(&grade);
  subject_close(&subject);
  return status;
}
