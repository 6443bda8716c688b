/* test_class_slurm.c: the engine of job arrays, with a stand-in for Slurm (tests/slurm/fake) whose
 * tasks end as a test says. tests/e2e/slurm.sh and tests/slurm/hundred have the real one. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "grader/base/file.h"
#include "grader/base/text.h"
#include "grader/class/engine/engine.h"
#include "grader/class/engine/slurm.h"
#include "grader/class/engine/slurm_command.h"
#include "grader/class/engine/slurm_ledger.h"

enum { MOST = 20 };

static char folder[64]; /* the stand-in's, and state/ in it */
static const char *ids[MOST];

/* --- a class of `count` attempts, and what the engine says of them --- */

static struct {
  int arrived[MOST], lost[MOST];
  char reason[MOST][400];
  struct text said;
} seen;

static int place_of(const char *attempt) {
  for (int i = 0; i < MOST; i++)
    if (strcmp(ids[i], attempt) == 0) return i;
  fail_msg("%s is no attempt", attempt);
  return 0;
}

static void arrived(void *context, const char *attempt) {
  (void)context;
  seen.arrived[place_of(attempt)]++;
}

static void lost(void *context, const char *attempt, const char *reason) {
  (void)context;
  int i = place_of(attempt);
  seen.lost[i]++;
  snprintf(seen.reason[i], sizeof seen.reason[i], "%s", reason);
}

static void waiting(void *context, int running) { (void)context, (void)running; }

static void note_line(void *context, const char *line) {
  (void)context;
  text_add(&seen.said, "%s\n", line);
}

static void put(const char *name, const char *words) {
  autofree char *path = xprintf("%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, "%s%s", words, strchr(words, 10) ? "" : "\n");
  assert_int_equal(fclose(file), 0);
}

static char *get(const char *name) {
  char *path = xprintf("%s/%s", folder, name), *text = file_read(path, NULL);
  free(path);
  return text ? text : xstrdup("");
}

/* Lines of a file of the stand-in's that hold the words. */
static int lines_with(const char *name, const char *words) {
  int count = 0;
  char *text = get(name), *rest = text;
  for (char *line; (line = strsep(&rest, "\n"));) count += *line && strstr(line, words);
  free(text);
  return count;
}

static void ends(int attempt, const char *states) {
  autofree char *name = xprintf("ends.%s", ids[attempt]);
  put(name, states);
}

static int run(int count) {
  memset(seen.arrived, 0, sizeof seen.arrived);
  memset(seen.lost, 0, sizeof seen.lost);
  text_free(&seen.said);
  autofree char *state = xprintf("%s/state", folder);
  struct slurm_options options = {.pace = 0.02};
  int missing = engine_slurm(&(struct engine_run){.root = "/kit",
                                                  .state = state,
                                                  .attempts = ids,
                                                  .count = count,
                                                  .slurm = &options,
                                                  .arrived = arrived,
                                                  .waiting = waiting,
                                                  .lost = lost,
                                                  .note = note_line});
  return missing;
}

/* The same in a process of its own, whose stderr goes to the stand-in's file err. */
static pid_t start(int count) {
  pid_t pid = fork();
  if (pid == 0) {
    char *err = xprintf("%s/err", folder);
    (void)!freopen(err, "w", stderr);
    free(err); /* exit() does not leave the scope */
    exit(run(count) != 0);
  }
  return pid;
}

static int finish(pid_t pid) {
  int status;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void assert_all_arrived(int count) {
  for (int i = 0; i < count; i++) {
    assert_int_equal(seen.arrived[i], 1);
    assert_int_equal(seen.lost[i], 0);
  }
}

static int set_up(void **state) {
  (void)state;
  strcpy(folder,
         access("/dev/shm", W_OK) == 0 ? "/dev/shm/test-slurm-XXXXXX" : "/tmp/test-slurm-XXXXXX");
  if (!mkdtemp(folder)) return -1;
  autofree char *path = xprintf("%s/state", folder);
  mkdir(path, 0777);
  setenv("FAKE_SLURM", folder, 1);
  put("array_size", "1001");
  put("min_job_age", "0");
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  autofree char *command = xprintf("rm -rf %s", folder);
  int status = system(command);
  text_free(&seen.said);
  return status;
}

/* --- runs --- */

static void test_all_arrive(void **state) {
  (void)state;
  assert_int_equal(run(10), 0);
  assert_all_arrived(10);
  assert_int_equal(lines_with("queue", "COMPLETED"), 10);
  assert_int_equal(lines_with("log", "sbatch"), 1);
  /* Nothing is left but results; a second run has nothing to do. */
  autofree char *ledger = get("state/spool/slurm.json");
  assert_non_null(strstr(ledger, "\"arrays\": []"));
  int calls = lines_with("log", "s");
  assert_int_equal(run(10), 0);
  assert_all_arrived(10);
  assert_int_equal(lines_with("log", "s"), calls);
}

static void test_arrays_are_no_larger_than_allowed(void **state) {
  (void)state;
  put("array_size", "4");
  assert_int_equal(run(10), 0);
  assert_all_arrived(10);
  assert_int_equal(lines_with("log", "sbatch"), 4); /* 3 + 3 + 3 + 1 */
}

static void test_full_queue(void **state) {
  (void)state;
  put("limit", "3");
  assert_int_equal(run(10), 0);
  assert_all_arrived(10);
  assert_int_equal(lines_with("queue", "COMPLETED"), 10);
  assert_non_null(strstr(text_get(&seen.said), "QOSMaxSubmitJobPerUserLimit"));
}

static void test_lost_answer_is_not_submitted_twice(void **state) {
  (void)state;
  put("lost_answer", "");
  assert_int_equal(run(10), 0);
  assert_all_arrived(10);
  assert_int_equal(lines_with("queue", "|"), 10);
}

static void test_submission_that_got_lost_is_repeated(void **state) {
  (void)state;
  /* As if the collector had been killed between writing down and asking sbatch. */
  struct slurm_ledger ledger;
  autofree char *path = xprintf("%s/state", folder);
  slurm_ledger_open(&ledger, path);
  slurm_ledger_add(&ledger, ids, 5);
  slurm_ledger_close(&ledger);
  assert_int_equal(run(10), 0);
  assert_all_arrived(10);
  assert_int_equal(lines_with("queue", "|"), 10);
}

static void test_ended_without_result_is_tried_again(void **state) {
  (void)state;
  ends(2, "NODE_FAIL\n");
  ends(3, "TIMEOUT\nFAILED\n");
  ends(4, "GONE\n");
  assert_int_equal(run(10), 0);
  assert_all_arrived(10);
  assert_int_equal(lines_with("queue", ids[3]), 3);
  assert_non_null(strstr(text_get(&seen.said), "NODE_FAIL"));
}

static void test_third_failure_is_the_last(void **state) {
  (void)state;
  ends(2, "FAILED\nFAILED\nOUT_OF_MEMORY\n");
  assert_int_equal(run(10), 1);
  assert_int_equal(seen.lost[2], 1);
  assert_int_equal(seen.arrived[2], 0);
  assert_non_null(strstr(seen.reason[2], "3 times"));
  assert_non_null(strstr(seen.reason[2], "OUT_OF_MEMORY; it printed: OUT_OF_MEMORY"));
  assert_int_equal(lines_with("queue", ids[2]), 3);
  /* The next run begins anew. */
  assert_int_equal(run(10), 0);
  assert_all_arrived(10);
}

static void test_cancelled_is_not_submitted_again(void **state) {
  (void)state;
  ends(7, "CANCELLED\n");
  assert_int_equal(run(10), 1);
  assert_int_equal(seen.lost[7], 1);
  assert_non_null(strstr(seen.reason[7], "scancel"));
  assert_int_equal(lines_with("queue", ids[7]), 1);
  assert_int_equal(run(10), 0);
  assert_all_arrived(10);
}

/* Slurm keeps no record of a task that is cancelled before it began. */
static void test_cancelled_while_pending(void **state) {
  (void)state;
  put("min_job_age", "300");
  ends(7, "GONE\n");
  assert_int_equal(run(10), 1);
  assert_int_equal(seen.lost[7], 1);
  assert_non_null(strstr(seen.reason[7], "scancel"));
  assert_int_equal(lines_with("log", "sbatch"), 1);
}

static void test_controller_is_away(void **state) {
  (void)state;
  put("away", "3");
  assert_int_equal(run(10), 0);
  assert_all_arrived(10);
  const char *said = text_get(&seen.said), *first = strstr(said, "does not answer");
  assert_non_null(first);
  assert_null(strstr(first + 1, "does not answer"));
  assert_non_null(strstr(first, "answers again"));
}

static void test_refusal_ends_the_run(void **state) {
  (void)state;
  put("refuse", "Batch job submission failed: Invalid partition name specified\n");
  assert_int_equal(finish(start(10)), 2);
  assert_int_equal(lines_with("err", "Invalid partition name specified"), 1);
  assert_int_equal(lines_with("queue", "|"), 0);
}

static void test_folder_that_is_not_shared(void **state) {
  (void)state;
  for (int i = 0; i < MOST; i++) ends(i, "MUTE\n");
  assert_int_equal(finish(start(MOST)), 2);
  assert_int_equal(lines_with("err", "file system that they share"), 1);
  assert_in_range(lines_with("queue", "CANCELLED"), 1, MOST - 3); /* what had not run yet */
}

/* Killed at any moment, and started again until it is done: every attempt is submitted once. */
static void test_killed_collector(void **state) {
  (void)state;
  int kills = 0, status;
  do {
    pid_t pid = start(MOST);
    usleep((useconds_t)(5000 + 17000 * (kills * 7 % 11)));
    kill(pid, kills < 12 ? SIGKILL : 0);
    status = finish(pid);
  } while (status == 128 + SIGKILL && ++kills);
  assert_int_equal(status, 0);
  assert_true(kills >= 3);
  for (int i = 0; i < MOST; i++) assert_int_equal(lines_with("queue", ids[i]), 1);
  assert_int_equal(run(MOST), 0);
  assert_all_arrived(MOST);
}

static void test_interrupted_then_cancelled(void **state) {
  (void)state;
  for (int i = 0; i < 10; i++) ends(i, "RUNNING\n");
  pid_t pid = start(10);
  while (lines_with("log", "squeue") < 2) usleep(10000);
  kill(pid, SIGINT);
  assert_int_equal(finish(pid), 128 + SIGINT);
  assert_true(lines_with("queue", "RUNNING") >= 3);
  autofree char *path = xprintf("%s/state", folder);
  int before = lines_with("queue", "PENDING");
  assert_int_equal(slurm_cancel(path), 1);
  assert_int_equal(lines_with("queue", "CANCELLED"), before);
  assert_int_equal(slurm_cancel(path), 0);
}

/* --- words --- */

static void test_options(void **state) {
  (void)state;
  static const char *const good[] = {"gres=gpu:1",      "--gres=gpu:1",  "-n2",
                                     "constraint=a|b",  "array-limit=4", "exclusive",
                                     "wait-all-nodes=1"};
  static const char *const bad[] = {"",
                                    "--",
                                    "-",
                                    "array=1-3",
                                    "--arr=1",
                                    "-a1",
                                    "wrap=rm",
                                    "--job-name=x",
                                    "array-limit=0",
                                    "array-limit=2x",
                                    "output=x",
                                    "-W",
                                    "clusters=all",
                                    "=3",
                                    " gres=gpu"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) assert_null(slurm_option_error(good[i]));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    autofree char *wrong = slurm_option_error(bad[i]);
    assert_non_null(wrong);
  }
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    assert_int_equal(slurm_array_limit(good[i]), strcmp(good[i], "array-limit=4") == 0 ? 4 : 0);
}

static void test_answers_of_sbatch(void **state) {
  (void)state;
  static const struct {
    int status;
    const char *out, *err;
    enum submit answer;
  } rows[] = {
      {0, "123\n", "", SUBMIT_DONE},
      {0, "123;hpc\n", "sbatch: Your project has 3 h left\n", SUBMIT_DONE},
      {0, "Submitted batch job 123\n", "", SUBMIT_UNSURE},
      {0, "", "", SUBMIT_UNSURE},
      {0, "123\nwelcome\n", "", SUBMIT_UNSURE},
      {1, "",
       "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit "
       "limit, ...)",
       SUBMIT_FULL},
      {1, "",
       "sbatch: error: AssocMaxSubmitJobLimit\nsbatch: error: Batch job submission failed: Job "
       "violates "
       "accounting/QOS policy (...)",
       SUBMIT_FULL},
      {1, "",
       "sbatch: error: QOSMaxWallDurationPerJobLimit\nsbatch: error: Batch job submission failed: "
       "Job violates "
       "accounting/QOS policy (...)",
       SUBMIT_REFUSED},
      {1, "",
       "sbatch: error: Batch job submission failed: Invalid account or account/partition "
       "combination specified",
       SUBMIT_REFUSED},
      {1, "",
       "sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect "
       "failure)",
       SUBMIT_AWAY},
      {1, "", "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation",
       SUBMIT_UNSURE},
      {-1, "", "", SUBMIT_REFUSED},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct slurm_output output = {.status = rows[i].status};
    text_add(&output.out, "%s", rows[i].out);
    text_add(&output.err, "%s", rows[i].err);
    long job = 0;
    assert_int_equal(slurm_submit_answer(&output, &job), rows[i].answer);
    assert_int_equal(job, rows[i].answer == SUBMIT_DONE ? 123 : 0);
    slurm_output_free(&output);
  }
}

static void test_rows_of_squeue(void **state) {
  (void)state;
  struct queue queue;
  assert_true(slurm_queue_parse(
      xstrdup("kit-a|12|3|RUNNING|None\nkit-b|13|1|PENDING|a|b\nkit-b|13|2|NEW_STATE|\n"), &queue));
  assert_int_equal(queue.count, 3);
  assert_int_equal(queue.rows[0].job, 12);
  assert_int_equal(queue.rows[0].index, 3);
  assert_int_equal(queue.rows[0].state, QUEUE_RUNNING);
  assert_string_equal(queue.rows[1].reason, "a|b");
  assert_true(slurm_is_alive(
      queue.rows[2].state)); /* nothing is submitted again for a word that is not known */
  slurm_queue_free(&queue);
  static const char *const bad[] = {"hello\n", "kit-a|x|3|RUNNING|None\n",
                                    "kit-a|12|N/A|RUNNING|None\n", "\n", "kit-a|12|3|RUNNING\n"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_false(slurm_queue_parse(xstrdup(bad[i]), &queue));
    slurm_queue_free(&queue);
  }
}

static void test_commands_that_misbehave(void **state) {
  (void)state;
  struct slurm_output output;
  slurm_command((const char *const[]){"sleep", "20", NULL}, 0.1, NULL, &output);
  assert_true(output.cut && output.status == -1);
  char *reason = slurm_output_reason(&output);
  assert_non_null(strstr(reason, "in time"));
  free(reason);
  slurm_output_free(&output);
  slurm_command((const char *const[]){"no-such-program", NULL}, 5, NULL, &output);
  assert_int_equal(output.status, 127);
  reason = slurm_output_reason(&output);
  assert_non_null(strstr(reason, "no-such-program"));
  free(reason);
  slurm_output_free(&output);
  slurm_command(
      (const char *const[]){
          "sh", "-c", "echo x: error: no; echo \"x: error: n\033o\"; echo all >&1; exit 3", NULL},
      5, NULL, &output);
  assert_int_equal(output.status, 3);
  slurm_output_free(&output);
  setenv("SQUEUE_FORMAT", "%i", 1);
  setenv("SBATCH_ACCOUNT", "course", 1);
  slurm_command((const char *const[]){"sh", "-c", "echo $SQUEUE_FORMAT $SBATCH_ACCOUNT", NULL}, 5,
                NULL, &output);
  assert_string_equal(text_get(&output.out), "course\n");
  slurm_output_free(&output);
}

int main(void) {
  for (int i = 0; i < MOST; i++) ids[i] = xprintf("%016x", 0x1234567 * (unsigned)(MOST - i));
  autofree char *fake = realpath("tests/slurm/fake", NULL);
  autofree char *path = xprintf("%s:%s", fake ? fake : "", getenv("PATH"));
  setenv("PATH", path, 1);
#define RUN(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      RUN(test_all_arrive),
      RUN(test_arrays_are_no_larger_than_allowed),
      RUN(test_full_queue),
      RUN(test_lost_answer_is_not_submitted_twice),
      RUN(test_submission_that_got_lost_is_repeated),
      RUN(test_ended_without_result_is_tried_again),
      RUN(test_third_failure_is_the_last),
      RUN(test_cancelled_is_not_submitted_again),
      RUN(test_cancelled_while_pending),
      RUN(test_controller_is_away),
      RUN(test_refusal_ends_the_run),
      RUN(test_folder_that_is_not_shared),
      RUN(test_killed_collector),
      RUN(test_interrupted_then_cancelled),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_answers_of_sbatch),
      cmocka_unit_test(test_rows_of_squeue),
      cmocka_unit_test(test_commands_that_misbehave),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  for (int i = 0; i < MOST; i++) free((void *)ids[i]);
  return failed;
}
