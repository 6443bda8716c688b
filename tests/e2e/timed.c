/* timed.c: times a submission on the simulator beside its lab's solution, as the grader does on a
 * GPU: the checks of a measurement need none.
 *
 *   build/timed LAB FILE.cu N        every dimension is N; prints `measured`, or what is wrong
 *   build/timed LAB FILE.cu N alone  without the solution beside it, four rounds: prints them
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/lab/lab.h"
#include "grader/run/build.h"
#include "grader/run/stopwatch.h"

int main(int argc, char **argv) {
  setenv("KIT_NO_AS_LIMIT", "1",
         1); /* unconfined: a runner that nobody gives a device starts one */
  bool alone = argc == 5 && strcmp(argv[4], "alone") == 0;
  if (argc != 4 + alone) die("usage: build/timed LAB FILE.cu N [alone]");
  struct kit kit = {.root = realpath(".", NULL)};
  struct lab lab;
  lab_open(&kit, argv[1], &lab);
  char *runner = xprintf("%s/build/timed-%d", kit.root, (int)getpid());
  struct text messages = {0};
  struct build build = {.backend = "sim",
                        .lab = &lab,
                        .source = argv[2],
                        .own_folder = true,
                        .runner = runner,
                        .reference = alone ? NULL : lab.id};
  if (build_runner(&kit, &build, &messages) != BUILD_OK) die("%s", text_get(&messages));
  for (int i = 0; i < lab.conf.family->problem->dim_count; i++)
    lab.conf.cases[0].dims[i] = atol(argv[3]);
  struct timing timing;
  stopwatch_run(&(struct runner){.path = runner, .directory = "."}, &lab.conf, 0,
                &(struct stopwatch){.alone = alone, .rounds = alone ? 4 : 0, .seconds = 0.01},
                &timing);
  unlink(runner);
  double tolerance = family_tolerance(lab.conf.family, lab.conf.cases[0].dims);
  if (timing.error)
    printf("%s\n", timing.error);
  else if (alone)
    printf("%d timed in %d rounds\n", timing.count, timing.rounds);
  else if (timing.timed[0].worst > tolerance)
    printf("wrong, off by %g\n", timing.timed[0].worst);
  else
    printf("measured\n");
  timing_free(&timing);
  lab_free(&lab);
  return 0;
}
