/* test_class_gradebook.c: the gradebook, who is who in it, and which attempt counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/text.h"
#include "grader/class/base/gradebook.h"
#include "grader/class/book/attempt.h"
#include "grader/class/book/submitters.h"
#include "grader/class/export/export.h"

static char folder[] = "/tmp/test-gradebook-XXXXXX";

static char *fresh_path(void) {
  static int number;
  return xprintf("%s/book%d.sqlite", folder, number++);
}

static struct gradebook *fresh(void) {
  autofree char *path = fresh_path();
  return gradebook_open(path, false);
}

static char *dump(struct gradebook *book) {
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  gradebook_dump(book, file);
  fclose(file);
  return text;
}

static void add_attempt(struct gradebook *book, const char *id, int number, const char *submitted,
                        const char *status, double score) {
  gradebook_run(book,
                "INSERT INTO attempt(id, student, submitter, work, lab, number, submitted, sha256,"
                " status, score) VALUES(?1, 'ada', 'folder:ada', ?1, 'lab2', ?2, ?3, ?1, ?4, ?5)",
                "sissd", id, number, submitted, status, score);
}

static char *counting(struct gradebook *book, const char *policy) {
  gradebook_set_meta(book, "policy", policy);
  attempts_count(book);
  assert_int_equal(gradebook_number(book, "SELECT sum(counts) FROM attempt", ""), 1);
  return gradebook_string(book, "SELECT id FROM attempt WHERE counts", "");
}

static void check_counts(struct gradebook *book, const char *policy, const char *id) {
  autofree char *found = counting(book, policy);
  assert_string_equal(found, id);
}

static void test_counts(void **state) {
  (void)state;
  struct gradebook *book = fresh();
  add_attempt(book, "a", 1, "2026-01-30T12:00:00Z", "graded", 70);
  add_attempt(book, "b", 2, "2026-01-31T12:00:00Z", "graded", 90);
  add_attempt(book, "c", 3, "2026-02-01T00:00:10Z", "graded", 80);
  add_attempt(book, "d", 4, "2026-02-02T12:00:00Z", "refused", (double)__builtin_nanf(""));
  check_counts(book, "last", "c");
  check_counts(book, "best", "b");
  gradebook_set_meta(book, "due", "2026-02-01T00:00:00Z");
  attempts_count(book);
  assert_int_equal(gradebook_number(book, "SELECT late=0 FROM attempt WHERE id='b'", ""), 1);
  assert_int_equal(gradebook_number(book, "SELECT late FROM attempt WHERE id='c'", ""), 10);
  /* A new one that is not graded yet is the last; the best is known only of graded ones. */
  add_attempt(book, "e", 5, NULL, "pending", (double)__builtin_nanf(""));
  check_counts(book, "last", "e");
  check_counts(book, "best", "b");
  gradebook_run(book, "DELETE FROM attempt WHERE id<>'d'", "");
  check_counts(book, "last", "d");
  gradebook_close(book);
}

static void test_times(void **state) {
  (void)state;
  setenv("TZ", "UTC-2", 1);
  long long seconds;
  assert_true(attempt_parse_time("2026-01-31T23:59Z", &seconds));
  assert_int_equal(seconds, 1769903940);
  assert_true(attempt_parse_time("2026-01-31T23:59", &seconds));
  assert_int_equal(seconds, 1769903940 - 7200);
  assert_true(attempt_parse_time("2026-01-31", &seconds));
  assert_int_equal(seconds, 1769903940 - 7200 + 59);
  char *time = gradebook_time(seconds);
  assert_string_equal(time, "2026-01-31T21:59:59Z");
  free(time);
  static const char *const wrong[] = {"",           "tomorrow",           "2026-13-01",
                                      "2026-02-30", "2026-01-31T25:00",   "2026-01-31 soon",
                                      "31.1.2026",  "2026-01-31T10:00+1", "2026-01-31T12:-5",
                                      "-026-01-31"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (attempt_parse_time(wrong[i], &seconds)) fail_msg("'%s' is taken for a time", wrong[i]);
}

/* --- who handed in, and which student that is --- */

static void add_listed(struct gradebook *book, const char *id, const char *name, const char *kind,
                       const char *value) {
  gradebook_run(book,
                "INSERT INTO student(id, name, listed) VALUES(?1, ?2, 1)"
                " ON CONFLICT(id) DO UPDATE SET name=?2, listed=1",
                "ss", id, name);
  gradebook_run(book, "INSERT INTO identifier VALUES(?1, ?2, ?3)", "sss", kind, value, id);
}

static void add_submitter(struct gradebook *book, enum identity_kind kind, const char *value,
                          const char *name) {
  free(submitter_add(
      book, &(struct submitter){.kind = kind, .value = (char *)value, .name = (char *)name}));
}

/* An attempt of theirs, number `number` of the student whom they are now. */
static void add_attempt_of(struct gradebook *book, const char *key, const char *id, int number) {
  gradebook_run(book,
                "INSERT INTO attempt(id, student, submitter, work, lab, number, status)"
                " SELECT ?2, student, key, ?2, 'lab2', ?3, 'graded' FROM submitter WHERE key=?1",
                "ssi", key, id, number);
}

static void check_student(struct gradebook *book, const char *key, const char *id) {
  autofree char *student =
      gradebook_string(book, "SELECT student FROM submitter WHERE key=?1", "s", key);
  if (!student) fail_msg("there is no %s", key);
  assert_string_equal(student, id);
}

static void test_submitters(void **state) {
  (void)state;
  struct gradebook *book = fresh();
  add_submitter(book, IDENTITY_CANVAS, "1001", "lovelaceada");
  add_submitter(book, IDENTITY_FOLDER, "lab2-ada", NULL);
  submitters_resolve(book);
  check_student(book, "canvas:1001", "1001"); /* students of their own */
  check_student(book, "folder:lab2-ada", "lab2-ada");
  add_attempt_of(book, "canvas:1001", "a", 1);
  add_attempt_of(book, "canvas:1001", "b", 2);
  add_listed(book, "u7", "Ada Lovelace", "canvas", "1001");
  add_listed(book, "u8", "Bob Ray", "canvas", "1002");
  submitters_resolve(book);
  check_student(book, "canvas:1001", "u7");
  assert_int_equal(gradebook_number(book, "SELECT count(*) FROM attempt WHERE student='u7'", ""),
                   2);
  /* Numbers that the roster had exchanged: attempts go where they belong, in their order. */
  gradebook_run(book, "UPDATE identifier SET value=iif(value='1001', '1002', '1001')", "");
  submitters_resolve(book);
  check_student(book, "canvas:1001", "u8");
  gradebook_run(book, "UPDATE identifier SET value=iif(value='1001', '1002', '1001')", "");
  submitters_resolve(book);
  check_student(book, "canvas:1001", "u7");
  assert_int_equal(gradebook_number(book, "SELECT number FROM attempt WHERE id='b'", ""), 2);
  assert_int_equal(gradebook_number(book, "SELECT count(*) FROM student WHERE id='1001'", ""), 0);
  gradebook_close(book);
}

/* A participant's number in one assignment may be a group's in another. */
static void test_groups(void **state) {
  (void)state;
  struct gradebook *book = fresh();
  add_submitter(book, IDENTITY_MOODLE, "17", "Ada Lovelace");
  add_submitter(book, IDENTITY_MOODLE, "17", "Team 5");
  add_submitter(book, IDENTITY_MOODLE, "17", "LOVELACE, ADA");
  submitters_resolve(book);
  assert_int_equal(gradebook_number(book, "SELECT count(*) FROM submitter", ""), 2);
  check_student(book, "moodle:17:5 team", "17");
  check_student(book, "moodle:17:ada lovelace", "moodle 17");
  gradebook_close(book);
}

static const char result[] =
    "{\"schema\":1,\"attempt\":\"a\",\"verdict\":\"partial\",\"score\":5,\"max\":10,\"seed\":1,"
    "\"backend\":\"sim\",\"kit_version\":\"0.1\",\"conf_hash\":\"c\",\"seconds\":2.5,"
    "\"items\":[{\"id\":\"i\",\"title\":\"I\",\"class\":\"hazard\",\"points\":5,\"max\":10,"
    "\"value\":null,\"reason\":\"r\",\"hint\":null}],"
    "\"hazards\":[{\"kind\":\"race\",\"warning\":false,\"line\":3,\"other_line\":4,\"kernel\":"
    "\"k\","
    "\"array\":\"s\",\"message\":\"m\",\"count\":2}],"
    "\"cases\":[{\"case\":\"n\",\"of\":\"submission\",\"name\":\"x.cu\",\"state\":\"right\","
    "\"kind\":null,\"reason\":null,\"launches\":1,\"time_ns\":7,"
    "\"counters\":{\"branches\":3,\"barriers\":0}}],"
    "\"launches\":[{\"case\":\"n\",\"kernel\":\"k\",\"grid\":[1,2,3],\"block\":[4,5,6],"
    "\"shared_bytes\":1,\"registers\":2,\"time_ns\":7,\"time_kind\":\"modelled\",\"bound\":\"b\","
    "\"line\":9}],"
    "\"shares\":[{\"case\":\"n\",\"unit\":\"u\",\"reached\":1.5,\"ceiling\":null,\"of\":null,"
    "\"percent\":null}]}";

/* Twice is once; what is no grade of the attempt changes nothing. */
static void test_merge(void **state) {
  (void)state;
  struct gradebook *book = fresh();
  add_attempt(book, "a", 1, NULL, "pending", (double)__builtin_nanf(""));
  json_auto_t *json = json_loads(result, 0, NULL);
  assert_non_null(json);
  assert_null(merge_result(book, "a", json));
  autofree char *once = dump(book);
  assert_null(merge_result(book, "a", json));
  char *twice = dump(book);
  assert_string_equal(once, twice);
  assert_non_null(
      strstr(once, "\nlaunch\ta\t0\tn\tk\t1\t2\t3\t4\t5\t6\t1\t2\t7\tmodelled\tb\t9\n"));
  assert_non_null(strstr(once, "\ncounter\ta\tn\tsubmission\tbranches\t3\n"));
  assert_null(strstr(once, "barriers\t0"));
  assert_non_null(strstr(once, "\nhazard\ta\t0\trace\t0\t3\t4\tk\ts\tm\t2\n"));
  assert_null(strstr(once, "2.5")); /* seconds are clock time */
  char *wrong = merge_result(book, "b", json);
  assert_non_null(wrong);
  free(wrong);
  json_object_del(json, "items");
  wrong = merge_result(book, "a", json);
  assert_non_null(wrong);
  free_all(wrong, twice);
  twice = dump(book);
  assert_string_equal(once, twice);
  /* An error of the machine is no score. */
  merge_failure(book, "a", "the disk burnt");
  assert_int_equal(gradebook_number(book, "SELECT score IS NULL FROM attempt", ""), 1);
  assert_int_equal(gradebook_number(book, "SELECT count(*)=0 FROM item", ""), 1);
  free(twice);
  gradebook_close(book);
}

/* The exit status of opening a gradebook, in a process of its own. */
static int open_status(const char *path) {
  pid_t pid = fork();
  if (pid == 0) {
    int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, 2);
    gradebook_open(path, false);
    _exit(0);
  }
  int status;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_open(void **state) {
  (void)state;
  autofree char *path = fresh_path();
  struct gradebook *book = gradebook_open(path, false);
  autofree char *mode = gradebook_string(book, "PRAGMA journal_mode", "");
  assert_string_equal(mode, "wal");
  assert_int_equal(gradebook_number(book, "PRAGMA synchronous", ""), 2);
  gradebook_set_meta(book, "seed", "7");
  gradebook_close(book);
  book = gradebook_open(path, true);
  autofree char *seed = gradebook_meta(book, "seed");
  assert_string_equal(seed, "7");
  gradebook_close(book);
  book = gradebook_open(path, false);
  gradebook_run(book, "PRAGMA user_version=99", "");
  gradebook_close(book);
  assert_int_equal(open_status(path), 2); /* a newer kit's */
  FILE *file = fopen(path, "w");
  fputs("this is no database, it is a letter to somebody who looks after one\n", file);
  fclose(file);
  assert_int_equal(open_status(path), 2);
}

static void test_ids(void **state) {
  (void)state;
  struct attempt_facts facts = {"ada", "lab2", "s", "c", "0.1", "sim", 7};
  char one[17], two[17];
  attempt_id(&facts, one);
  attempt_id(&facts, two);
  assert_string_equal(one, two);
  assert_int_equal(strspn(one, "0123456789abcdef"), 16);
  facts.seed = 8;
  attempt_id(&facts, two);
  assert_string_not_equal(one, two);
  autofree char *a = feedback_folder("ada"), *b = feedback_folder("../ada"),
                *c = feedback_folder(".._ada");
  assert_string_equal(a, "ada");
  assert_null(strchr(b, '/'));
  assert_int_not_equal(b[0], '.');
  assert_string_not_equal(b, c);
}

static int make(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int clean(void **state) {
  (void)state;
  autofree char *command = xprintf("rm -rf %s", folder);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counts),     cmocka_unit_test(test_times),
      cmocka_unit_test(test_submitters), cmocka_unit_test(test_groups),
      cmocka_unit_test(test_merge),      cmocka_unit_test(test_open),
      cmocka_unit_test(test_ids)};
  return cmocka_run_group_tests(tests, make, clean);
}
