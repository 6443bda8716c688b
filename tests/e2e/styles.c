/* styles.c: is a file right, without a hazard, and are its launches the same for every number of
 * threads and every instruction set?
 *
 *   build/styles LAB FILE.cu SIZES...     SIZES: M,N,K; exit status 1 and a sentence if not
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grader/lab/lab.h"
#include "grader/run/build.h"
#include "grader/run/run.h"
#include "grader/run/work.h"

/* A machine without AVX2 runs all three on SSE2. */
static const struct {
  const char *isa, *threads;
} ways[] = {{"avx2", "3"}, {"avx2", "1"}, {"sse2", "2"}};
enum { WAYS = sizeof ways / sizeof *ways };

static bool same_launch(const struct launch_record *a, const struct launch_record *b) {
  bool same = strcmp(a->kernel, b->kernel) == 0 && a->line == b->line && a->time_ns == b->time_ns &&
              strcmp(a->bound, b->bound) == 0 && a->launches == b->launches &&
              a->registers == b->registers && a->shared_bytes == b->shared_bytes &&
              a->line_count == b->line_count && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
              memcmp(a->block, b->block, sizeof a->block) == 0 &&
              memcmp(&a->counters, &b->counters, sizeof a->counters) == 0;
  for (int i = 0; same && i < a->line_count; i++)
    same = a->lines[i].line == b->lines[i].line &&
           memcmp(&a->lines[i].counters, &b->lines[i].counters, sizeof a->counters) == 0;
  return same;
}

/* What differs between two runs, or NULL. Warnings are allowed, if all runs have them. */
static const char *difference(const struct report *a, const struct report *b) {
  if (a->launch_count != b->launch_count) return "another number of launches than on the first";
  for (int i = 0; i < a->launch_count; i++)
    if (!same_launch(&a->launches[i], &b->launches[i])) return "a launch differs from the first's";
  if (a->hazard_count != b->hazard_count) return "another number of warnings than on the first";
  for (int i = 0; i < a->hazard_count; i++)
    if (strcmp(a->hazards[i].message, b->hazards[i].message) != 0)
      return "a warning differs from the first's";
  return NULL;
}

/* Prints what is wrong; false if anything is. */
static bool check(const struct runner *runner, const struct conf *conf, const char *sizes) {
  struct case_result results[WAYS];
  bool good = true;
  for (int i = 0; i < WAYS; i++) {
    setenv("KIT_SIM_ISA", ways[i].isa, 1);
    setenv("KIT_SIM_THREADS", ways[i].threads, 1);
    run_case(runner, conf, 0, 1, &results[i]);
    const struct report *report = &results[i].report;
    const char *wrong = results[i].state == CASE_RIGHT ? NULL : results[i].reason;
    for (int h = 0; h < report->hazard_count && !wrong; h++)
      if (!report->hazards[h].warning) wrong = report->hazards[h].message;
    if (!wrong) wrong = difference(report, &results[0].report);
    if (wrong) printf("%s on %s: %s\n", sizes, ways[i].isa, wrong);
    good = good && !wrong;
  }
  for (int i = 0; i < WAYS; i++) case_free(&results[i]);
  return good;
}

int main(int argc, char **argv) {
  if (argc < 4) die("use: build/styles LAB FILE.cu M,N,K...");
  struct kit kit;
  struct lab lab;
  kit_find(&kit);
  lab_open(&kit, argv[1], &lab);
  const char *work = work_make(&kit);
  char *path = xprintf("%s/runner", work), *inside = xprintf("%s/run", work);
  if (mkdir(inside, 0700) != 0) die("%s: there already", inside);
  struct text messages = {0};
  struct build build = {.backend = "sim", .lab = &lab, .source = argv[2], .runner = path};
  int failed = build_runner(&kit, &build, &messages) != BUILD_OK;
  if (failed) printf("%s", text_get(&messages));
  struct runner runner = {.path = path, .device = kit.device, .directory = inside};
  struct conf conf = lab.conf;
  conf.case_count = 1;
  for (int i = 3; i < argc && !failed; i++) {
    struct case_conf one = {.name = argv[i], .sets = 1};
    if (sscanf(argv[i], "%ld,%ld,%ld", &one.dims[0], &one.dims[1], &one.dims[2]) < 2)
      die("%s: not M,N,K", argv[i]);
    conf.cases = &one;
    failed = !check(&runner, &conf, argv[i]);
  }
  text_free(&messages);
  free(path);
  free(inside);
  work_remove();
  lab_free(&lab);
  kit_free(&kit);
  return failed;
}
