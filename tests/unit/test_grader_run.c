/* test_grader_run.c: runners that misbehave, each with its verdict, and damaged or forged reports.
 * The program is its own runner: started with --job it acts as told by KIT_FAKE (fake_runner.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <cmocka.h>

#include "grader/run/run.h"
#include "grader/sandbox/process.h"
#include "tests/unit/fake_runner.h"

extern const struct family family_matmul;

static struct conf conf; /* one case, two sets, one second of sleep */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Runs the case with a behaviour; whatever it is, the grader gets its answer in time. */
static struct case_result run(const char *behaviour) {
  struct case_result result;
  double start = now();
  setenv("KIT_FAKE", behaviour, 1);
  run_case(&(struct runner){.path = "/proc/self/exe", .directory = "/"}, &conf, 0, 5, &result);
  assert_true(now() - start < (double)conf.sleep_limit + 3);
  return result;
}

static void expect(const char *behaviour, enum case_state state, const char *kind,
                   enum case_stop stop, const char *words) {
  struct case_result result = run(behaviour);
  if (result.state != state)
    fail_msg("%s: state %d, expected %d (%s)", behaviour, result.state, state, result.reason);
  if ((result.kind || kind) && (!result.kind || !kind || strcmp(result.kind, kind) != 0)) {
    fail_msg("%s: kind %s, expected %s", behaviour, result.kind ? result.kind : "none",
             kind ? kind : "none");
  }
  assert_int_equal(result.stop, stop);
  if (words && (!result.reason || !strstr(result.reason, words))) {
    fail_msg("%s: '%s' does not say '%s'", behaviour, result.reason ? result.reason : "", words);
  }
  case_free(&result);
}

static void test_right(void **state) {
  (void)state;
  struct case_result result = run("right");
  assert_int_equal(result.state, CASE_RIGHT);
  assert_null(result.reason);
  assert_string_equal(result.report.device, "fake device");
  assert_int_equal(result.report.launch_count, 2);
  assert_int_equal(result.totals.launches, 1); /* of the first set only */
  assert_int_equal(result.totals.time_ns, 500);
  assert_int_equal(result.totals.counters.value[COUNTER_global_load_sectors], 400);
  assert_int_equal(result.report.launches[0].lines[0].line, 7);
  case_free(&result);
}

static void test_wrong(void **state) {
  (void)state;
  expect("zeros", CASE_WRONG, "wrong", STOP_NOTHING, "C[0][0]: expected ");
  expect("zeros", CASE_WRONG, "wrong", STOP_NOTHING, "every element is 0");
  expect("replay", CASE_WRONG, "wrong", STOP_NOTHING,
         "(call 2 of 2); it is the result of the previous call");
  expect("cuda_error", CASE_WRONG, "wrong", STOP_NOTHING, "the call left cudaErrorIllegalAddress");
  expect("notices", CASE_WRONG, "wrong", STOP_NOTHING,
         "the function returned cudaErrorIllegalAddress");
}

static void test_ends(void **state) {
  (void)state;
  expect("exit", CASE_WRONG, "protocol", STOP_LARGER, "the program exited (status 0)");
  expect("refused", CASE_WRONG, "protocol", STOP_LARGER,
         "line 7: launch refused: 1225 threads. The program then exited.");
  expect("close", CASE_WRONG, "protocol", STOP_LARGER, "close descriptors");
  expect("crash", CASE_WRONG, "crash", STOP_LARGER, "segmentation fault");
  expect("late_crash", CASE_WRONG, "crash", STOP_LARGER, "abort");
  expect("flood", CASE_WRONG, "crash", STOP_LARGER, "far too much output");
  expect("hang", CASE_WRONG, "timeout", STOP_ALL, "slept for 1 s");
  expect("hang_ignoring", CASE_WRONG, "timeout", STOP_ALL, "slept for 1 s");
  if (!getenv("KIT_NO_AS_LIMIT"))
    expect("memory", CASE_WRONG, "memory", STOP_LARGER, "more memory");
}

/* A case in which each call's first cudaMalloc fails: right is who notices, whatever the outputs.
 */
static void test_failure(void **state) {
  (void)state;
  static const char unnoticed[] =
      "line 31: this cudaMalloc was made to fail (cudaErrorMemoryAllocation), and matmul returned "
      "as "
      "if all were well. Check";
  conf.cases[0].fail = FAIL_MALLOC;
  expect("notices", CASE_RIGHT, NULL, STOP_NOTHING, NULL);
  expect("checks", CASE_RIGHT, NULL, STOP_NOTHING, NULL);
  expect("checks_late", CASE_WRONG, "unchecked", STOP_NOTHING,
         "(cudaErrorMemoryAllocation), and a kernel was launched all the same. Check");
  expect("right", CASE_WRONG, "unchecked", STOP_NOTHING, unnoticed);
  expect("race", CASE_WRONG, "unchecked", STOP_NOTHING, unnoticed);
  expect("cuda_error", CASE_WRONG, "unchecked", STOP_NOTHING, unnoticed); /* left, not returned */
  expect("notices_once", CASE_WRONG, "unchecked", STOP_NOTHING, unnoticed);
  expect("calls_nothing", CASE_RIGHT, NULL, STOP_NOTHING, NULL); /* but it launches, and is right */
  conf.cases[0].fail = FAIL_LAUNCH;
  expect("calls_nothing", CASE_WRONG, "wrong", STOP_NOTHING,
         "matmul was to notice that a launch fails, but there was none");
  conf.cases[0].fail_at = 2; /* it launches once */
  expect("calls_nothing", CASE_RIGHT, NULL, STOP_NOTHING, NULL);
  conf.cases[0].fail_at = 1;
  conf.cases[0].fail = FAIL_MALLOC;
  expect("exit", CASE_WRONG, "protocol", STOP_LARGER, "the program exited (status 0)");
  expect("hang", CASE_WRONG, "timeout", STOP_ALL, "slept for 1 s");
  expect("kit", CASE_ERROR, NULL, STOP_LARGER, "the simulator is broken");
  struct case_result result = run("race"); /* what happens then is held against nobody */
  assert_int_equal(result.line, 31);
  assert_int_equal(result.report.hazard_count + result.report.launch_count, 0);
  case_free(&result);
  struct case_conf cases[] = {{.name = "a"}, {.name = "b", .fail = FAIL_COPY}, {.name = "c"}};
  for (int i = 0; i < 3; i++) memcpy(cases[i].dims, (long[]){1, 1, 1}, sizeof(long[3]));
  const struct conf three = {.family = &family_matmul, .cases = cases, .case_count = 3};
  assert_int_equal(run_group(&three, (const int[]){0, 2, 1}, 3), 2);
  assert_int_equal(run_group(&three, (const int[]){1, 0}, 2), 1);
  conf.cases[0].fail = FAIL_NOTHING;
}

/* Children in other sessions are gone when run_case returns. */
static void test_orphans(void **state) {
  (void)state;
  expect("orphans", CASE_WRONG, "timeout", STOP_ALL, NULL);
  char path[64], children[256] = "";
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE *file = fopen(path, "r");
  if (file) {
    assert_null(fgets(children, sizeof children, file));
    fclose(file);
  }
}

static void test_our_fault(void **state) {
  (void)state;
  expect("kit", CASE_ERROR, NULL, STOP_LARGER, "the simulator is broken");
  expect("unsupported", CASE_RIGHT, NULL, STOP_NOTHING,
         NULL); /* what it left is right nevertheless */
  struct case_result result;
  run_case(&(struct runner){.path = "/nonexistent/runner", .directory = "/"}, &conf, 0, 5, &result);
  assert_int_equal(result.state, CASE_ERROR);
  assert_non_null(strstr(result.reason, "No such file"));
  case_free(&result);
}

/* What the runner says of itself counts for nothing once the model solution does well. */
static void test_claimed(void **state) {
  (void)state;
  struct case_result result = run("kit");
  assert_true(result.claimed);
  case_blame_program(&result);
  assert_int_equal(result.state, CASE_WRONG);
  assert_string_equal(result.kind, "protocol");
  assert_non_null(strstr(result.reason, "the simulator is broken"));
  case_free(&result);
}

static void test_damaged(void **state) {
  (void)state;
  expect("garbage_report", CASE_WRONG, "protocol", STOP_LARGER,
         "report is damaged: a frame is cut or was overwritten");
  expect("early_done", CASE_WRONG, "protocol", STOP_LARGER, "it ends too early");
  expect("bad_counter", CASE_WRONG, "protocol", STOP_LARGER, "a counter that is not a count");
  expect("bad_time", CASE_WRONG, "protocol", STOP_LARGER,
         "not JSON"); /* 1e400: jansson refuses it */
  expect("bad_kind", CASE_WRONG, "protocol", STOP_LARGER, "a hazard lacks something");
  expect("not_json", CASE_WRONG, "protocol", STOP_LARGER, "not JSON");
  expect("short_array", CASE_WRONG, "protocol", STOP_LARGER, "wrong size");
}

static void test_forged(void **state) {
  (void)state;
  struct case_result result = run("forged");
  assert_int_equal(result.state, CASE_RIGHT);
  assert_int_equal(result.report.forged, 1);
  assert_string_equal(result.report.device, "fake device");
  case_free(&result);
}

static void test_output_kept(void **state) {
  (void)state;
  struct case_result result = run("garbage_output");
  assert_int_equal(result.state, CASE_RIGHT);
  struct text clean = {0};
  text_add_printable(&clean, result.output.data, result.output.length, true);
  assert_string_equal(clean.data, "?[2J?]0;owned?score 100 / 100?");
  text_free(&clean);
  case_free(&result);
}

/* The report file itself, cut at every byte and with bytes changed: there is always an answer. */
static void test_mutated(void **state) {
  (void)state;
  const struct problem *problem = conf.family->problem;
  const long *dims = conf.cases[0].dims;
  int whole = memory_file("whole");
  float *c = calloc(1, problem_bytes(problem, 2, dims));
  const char *const frames[] = {
      FAKE_LAUNCH("400", "500"), "{\"kind\":\"race\",\"message\":\"m\",\"line\":3,\"count\":1}",
      "{\"set\":0,\"error\":null,\"message\":\"m\"}", "{\"backend\":\"sim\",\"device\":\"d\"}"};
  frame_write(whole, FRAME_LAUNCH, 77, frames[0], strlen(frames[0]));
  frame_write(whole, FRAME_HAZARD, 77, frames[1], strlen(frames[1]));
  frame_write(whole, FRAME_STATUS, 77, frames[2], strlen(frames[2]));
  frame_write(whole, FRAME_ARRAY, 77, c, problem_bytes(problem, 2, dims));
  frame_write(whole, FRAME_DONE, 77, frames[3], strlen(frames[3]));
  size_t size = (size_t)lseek(whole, 0, SEEK_END);
  char *bytes = malloc(size);
  assert_int_equal(pread(whole, bytes, size, 0), size);
  struct report report;
  lseek(whole, 0, SEEK_SET);
  report_read(whole, 77, problem, dims, 1, &report);
  assert_true(report.done && !report.damaged[0] && report.launch_count == 1 &&
              report.hazard_count == 1);
  report_free(&report);

  uint64_t random = 1;
  for (size_t i = 0; i < 1200; i++) {
    int fd = memory_file("mutated");
    size_t at = random_next(&random) % size;
    char before = bytes[at];
    bool cut = i % 2;
    if (!cut) bytes[at] ^= (char)(1 << random_next(&random) % 8);
    assert_true(write(fd, bytes, cut ? at : size) >= 0);
    lseek(fd, 0, SEEK_SET);
    report_read(fd, 77, problem, dims, 1, &report);
    if (cut) assert_true(!report.done);
    report_free(&report);
    bytes[at] = before;
    close(fd);
  }
  free(bytes);
  free(c);
  close(whole);
}

/* --- several cases in a process --- */

static int count_lines(const char *path) {
  int lines = 0;
  FILE *file = fopen(path, "r");
  for (int c; (c = fgetc(file)) != EOF;) lines += c == '\n';
  fclose(file);
  return lines;
}

/* Four cases of 8, 12, 9 and 10 rows: their states must be these letters (Right, Wrong, Not run),
 * after so many processes. */
static void together(const char *behaviour, const char *states, int processes, const char *words) {
  static const long rows[] = {8, 12, 9, 10};
  static const char letters[] = {
      [CASE_NOT_RUN] = 'N', [CASE_RIGHT] = 'R', [CASE_WRONG] = 'W', [CASE_ERROR] = 'E'};
  char log[] = "/tmp/test-run-XXXXXX", names[4][4];
  close(mkstemp(log));
  struct case_conf cases[4];
  struct conf four = conf;
  for (int i = 0; i < 4; i++) {
    snprintf(names[i], sizeof names[i], "%ld", rows[i]);
    cases[i] = (struct case_conf){.name = names[i], .dims = {rows[i], 5, 5}, .sets = 2};
  }
  four.cases = cases;
  four.case_count = 4;
  struct case_result results[4] = {0};
  setenv("KIT_FAKE", behaviour, 1);
  setenv("KIT_FAKE_LOG", log, 1);
  for (int list[] = {0, 1, 2, 3}, count = 4; count > 0;) {
    int judged = run_some(&(struct runner){.path = "/proc/self/exe", .directory = "/"}, &four, list,
                          count, 5, results);
    count = cases_left(&four, list, count, judged, results);
  }
  unsetenv("KIT_FAKE_LOG");
  for (int i = 0; i < 4; i++) {
    if (letters[results[i].state] != states[i])
      fail_msg("%s: case %d is %c (%s)", behaviour, i, letters[results[i].state],
               results[i].reason ? results[i].reason : "");
    if (states[i] == 'W' && !strstr(results[i].reason, words))
      fail_msg("'%s' does not say '%s'", results[i].reason, words);
    case_free(&results[i]);
  }
  assert_int_equal(count_lines(log), processes);
  unlink(log);
}

static struct run *prepare(const struct runner *runner) {
  return run_prepare(runner, &conf, (const int[]){0}, 1, 5);
}

/* A run that was opened while another one went on begins with what that has left of the budget, and
 * its limit of processor time; one that is dropped, wherever it is, leaves nothing behind. */
static void test_ahead(void **state) {
  (void)state;
  struct spending spending = {0};
  const struct runner runner = {.path = "/proc/self/exe", .directory = "/", .spending = &spending};
  struct case_result result = {0};
  setenv("KIT_FAKE", "right", 1);
  struct run *run = prepare(&runner), *ahead = prepare(&runner);
  assert_true(run_is_of(ahead, (const int[]){0, 1}, 1));
  assert_false(run_is_of(ahead, (const int[]){0, 1}, 2));
  assert_false(run_is_of(ahead, (const int[]){1}, 1));
  run_start(run);
  run_open(ahead);
  run_wait(run);
  spending.cpu_seconds += 2;
  run_start(ahead);
  assert_int_equal(run_judge(run, &result), 1);
  assert_int_equal(result.state, CASE_RIGHT);
  case_free(&result);
  run_wait(ahead);
  assert_int_equal(run_judge(ahead, &result), 1);
  assert_int_equal(result.state, CASE_RIGHT);
  case_free(&result);
  for (int steps = 0; steps < 4; steps++) {
    run = prepare(&runner);
    if (steps > 0) run_open(run);
    if (steps > 1) run_start(run);
    if (steps > 2) run_wait(run);
    run_drop(run);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  }
}

static void test_together(void **state) {
  (void)state;
  together("right", "RRRR", 1, "");
  together("crash_at_12", "RWRR", 3, "signal 6"); /* all, the one alone, the two left */
  together("tires", "RRRR", 4, "");               /* wrong in company, right alone */
  together("zeros", "WWWW", 4, "every element is 0");
  together("late_crash", "RRRW", 2, "signal 6"); /* the last answers for the end */
}

/* After a crash larger cases of the same function are left out, and none of another. */
static void test_functions_apart(void **state) {
  (void)state;
  static const char *const functions[] = {"one", "two", "one", "one"};
  static const long rows[] = {12, 20, 14, 5};
  struct case_conf cases[4];
  struct conf four = conf;
  for (int i = 0; i < 4; i++)
    cases[i] = (struct case_conf){
        .name = (char *)"case", .dims = {rows[i], 5, 5}, .sets = 1, .entry = (char *)functions[i]};
  four.cases = cases;
  four.case_count = 4;
  struct case_result results[4] = {{.state = CASE_WRONG, .stop = STOP_LARGER}};
  int list[] = {0, 1, 2, 3};
  assert_int_equal(cases_left(&four, list, 4, 1, results), 2);
  assert_true(list[0] == 1 && list[1] == 3);
  assert_string_equal(results[2].reason, "not run, because the program failed in case case");
  free(results[2].reason);
  results[0].stop = STOP_ALL;
  assert_int_equal(cases_left(&four, list, 2, 0, results), 0);
  for (int i = 0; i < 4; i++) free(i == 2 ? NULL : results[i].reason);
}

/* What one process leaves behind is killed, another that is under way is not. */
static void test_under_way(void **state) {
  (void)state;
  char *none[] = {NULL};
  int output = memory_file("output");
  struct process slow = {.argv = (const char *const[]){"/bin/sh", "-c", "sleep 0.2; exit 7", NULL},
                         .environment = none,
                         .output_fd = output,
                         .wall_seconds = 5};
  struct process leaves = slow;
  leaves.argv = (const char *const[]){"/bin/sh", "-c", "(sleep 60 & echo $!); exit 3", NULL};
  struct process_under_way under_way;
  struct process_end end;
  process_start(&slow, &under_way);
  process_run(&leaves, &end);
  assert_int_equal(end.exit_code, 3);
  char pid[32] = "";
  assert_true(pread(output, pid, sizeof pid - 1, 0) > 0);
  assert_int_equal(kill((pid_t)atol(pid), 0), -1);
  process_finish(&under_way, &end);
  assert_true(end.exit_code == 7 && !end.signal && !end.timed_out);
  process_start(&slow, &under_way);
  process_stop(&under_way, NULL);
  assert_int_equal(kill(under_way.pid, 0), -1);
  close(output);
}

/* A program that somebody still has open, to write it, is started once it is closed. */
static void test_written_just_now(void **state) {
  (void)state;
  char *none[] = {NULL}, path[] = "/tmp/kit-program-XXXXXX";
  int output = memory_file("output"), program = mkstemp(path), ready[2];
  assert_true(program >= 0 && fchmod(program, 0700) == 0 && pipe(ready) == 0);
  assert_true(dprintf(program, "#!/bin/sh\nexit 7\n") > 0);
  pid_t writer = fork();
  if (!writer) {
    (void)!write(ready[1], "", 1);
    usleep(100000);
    _exit(0);
  }
  char byte;
  close(program);
  assert_int_equal(read(ready[0], &byte, 1), 1);
  struct process process = {.argv = (const char *const[]){path, NULL},
                            .environment = none,
                            .output_fd = output,
                            .wall_seconds = 5};
  struct process_end end;
  process_run(&process, &end);
  assert_int_equal(end.start_error, 0);
  assert_int_equal(end.exit_code, 7);
  close(ready[0]), close(ready[1]), close(output), unlink(path);
}

/* Who computes does not sleep, however long it takes; who only naps does, although it always has a
 * little to do. */
static void test_sleep(void **state) {
  (void)state;
  char *none[] = {(char *)"PATH=/usr/bin:/bin", NULL};
  int output = memory_file("output");
  struct process_end end;
  struct process process = {.environment = none, .output_fd = output, .sleep_seconds = 1};
  process.argv = (const char *const[]){
      "/bin/sh", "-c", "i=0; while [ $i -lt 2000000 ]; do i=$((i + 1)); done; exit 5", NULL};
  process_run(&process, &end);
  assert_true(!end.timed_out && end.exit_code == 5);
  assert_true(end.cpu_seconds > 0.1);
  process.argv = (const char *const[]){"/bin/sh", "-c", "while :; do sleep 0.1; done", NULL};
  process_run(&process, &end);
  assert_true(end.timed_out);
  process.argv = (const char *const[]){"/bin/sh", "-c", "while :; do :; done", NULL};
  process.cpu_seconds = 1;
  process_run(&process, &end);
  assert_true(!end.timed_out && end.signal == SIGXCPU);
  close(output);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--job") == 0) return fake_runner();
#ifdef __SANITIZE_ADDRESS__
  setenv("KIT_NO_AS_LIMIT", "1", 1); /* its shadow needs terabytes of addresses */
  setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
#endif
  static struct case_conf only = {.name = "33", .dims = {33, 20, 17}, .sets = 2};
  conf = (struct conf){.family = &family_matmul,
                       .cases = &only,
                       .case_count = 1,
                       .sleep_limit = 1,
                       .cpu_limit = 5,
                       .call_budget = 100000,
                       .memory_limit = 200};
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_right),       cmocka_unit_test(test_wrong),
      cmocka_unit_test(test_ends),        cmocka_unit_test(test_orphans),
      cmocka_unit_test(test_our_fault),   cmocka_unit_test(test_claimed),
      cmocka_unit_test(test_damaged),     cmocka_unit_test(test_forged),
      cmocka_unit_test(test_output_kept), cmocka_unit_test(test_mutated),
      cmocka_unit_test(test_together),    cmocka_unit_test(test_functions_apart),
      cmocka_unit_test(test_under_way),   cmocka_unit_test(test_written_just_now),
      cmocka_unit_test(test_sleep),       cmocka_unit_test(test_failure),
      cmocka_unit_test(test_ahead),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
