/* test_grader_turn.c: gradings share the device, and one that times has it to itself. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "grader/run/execute.h"

static char path[] = "/tmp/test-turn-XXXXXX";

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* How long a turn has to be waited for while another process has this one for 0.3 s. */
static double wait_beside(enum turn other, enum turn mine) {
  int ready[2];
  char byte;
  assert_int_equal(pipe(ready), 0);
  pid_t pid = fork();
  if (pid == 0) {
    int taken = turn_take(path, other);
    (void)!write(ready[1], "", 1);
    usleep(300000);
    _exit(taken < 0); /* which ends the turn, too */
  }
  assert_int_equal(read(ready[0], &byte, 1), 1);
  double start = now();
  int taken = turn_take(path, mine);
  double waited = now() - start;
  assert_true(taken >= 0);
  turn_end(taken);
  int status;
  waitpid(pid, &status, 0);
  assert_int_equal(status, 0);
  close(ready[0]);
  close(ready[1]);
  return waited;
}

static void test_turns(void **state) {
  (void)state;
  close(mkstemp(path));
  assert_true(wait_beside(TURN_SHARED, TURN_SHARED) < 0.15);
  assert_true(wait_beside(TURN_SHARED, TURN_ALONE) > 0.15);
  assert_true(wait_beside(TURN_ALONE, TURN_SHARED) > 0.15);
  assert_true(wait_beside(TURN_ALONE, TURN_ALONE) > 0.15);
  unlink(path);
}

/* Nothing that cannot be locked stops a grading. */
static void test_no_lock(void **state) {
  (void)state;
  assert_int_equal(turn_take("/nonexistent/lock", TURN_ALONE), -1);
  turn_end(-1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_turns), cmocka_unit_test(test_no_lock)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
