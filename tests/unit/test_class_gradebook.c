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

#include "attempt.h"
#include "dump.h"
#include "feedback.h"
#include "merge.h"
#include "student.h"
#include "text.h"

static char folder[] = "/tmp/test-gradebook-XXXXXX";

static char *fresh_path(void) {
  static int number;
  return xprintf("%s/book%d.sqlite", folder, number++);
}

static struct gradebook *fresh(void) {
  char *path = fresh_path();
  struct gradebook *book = gradebook_open(path, false);
  free(path);
  return book;
}

static char *dump(struct gradebook *book) {
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  dump_print(book, file);
  fclose(file);
  return text;
}

static void add_attempt(struct gradebook *book, const char *id, int number, const char *submitted,
                        const char *status, double score) {
  gradebook_run(book,
                "INSERT INTO attempt(id, student, lab, number, submitted, sha256, status, score) "
                "VALUES(?1, 'ada', 'lab2', ?2, ?3, ?1, ?4, ?5)",
                "sissd", id, number, submitted, status, score);
}

static char *counting(struct gradebook *book, const char *policy) {
  gradebook_set_meta(book, "policy", policy);
  attempts_count(book);
  assert_int_equal(gradebook_number(book, 0, "SELECT sum(counts) FROM attempt", ""), 1);
  return gradebook_string(book, "SELECT id FROM attempt WHERE counts", "");
}

static void check_counts(struct gradebook *book, const char *policy, const char *id) {
  char *found = counting(book, policy);
  assert_string_equal(found, id);
  free(found);
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
  assert_int_equal(gradebook_number(book, -1, "SELECT late FROM attempt WHERE id='b'", ""), 0);
  assert_int_equal(gradebook_number(book, -1, "SELECT late FROM attempt WHERE id='c'", ""), 10);
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
  static const char *const wrong[] = {"",           "tomorrow",          "2026-13-01",
                                      "2026-02-30", "2026-01-31T25:00",  "2026-01-31 soon",
                                      "31.1.2026",  "2026-01-31T10:00+1", "2026-01-31T12:-5",
                                      "-026-01-31"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (attempt_parse_time(wrong[i], &seconds)) fail_msg("'%s' is taken for a time", wrong[i]);
}

static void is_student(struct gradebook *book, const struct student *facts, const char *id) {
  char *found = student_find(book, facts);
  if (id)
    assert_string_equal(found, id);
  else
    assert_null(found);
  free(found);
}

static void test_students(void **state) {
  (void)state;
  struct gradebook *book = fresh();
  free(student_add(
      book,
      &(struct student){
          .id = "u7", .name = "Lovelace, Ada", .email = "Ada.L@x.edu", .also = {"1234", "alo"}}));
  free(student_add(book, &(struct student){
                             .id = "u8", .name = "Sam Lee", .email = "sam@x.edu", .listed = true}));
  free(student_add(book, &(struct student){.id = "u9", .name = "Lee, Sam", .listed = true}));
  is_student(book, &(struct student){.id = "U7"}, "u7");
  is_student(book, &(struct student){.id = "1234", .name = "lovelaceada"}, "u7");
  is_student(book, &(struct student){.id = "98765", .name = "lovelaceada"}, "u7");
  is_student(book, &(struct student){.id = "alo"}, "u7");
  is_student(book, &(struct student){.id = "ada.l"}, "u7");
  is_student(book, &(struct student){.id = "Ada Lovelace"}, "u7");
  is_student(book, &(struct student){.id = "x", .email = "ADA.L@X.EDU"}, "u7");
  is_student(book, &(struct student){.id = "sam"}, "u8");
  is_student(book, &(struct student){.id = "Sam Lee"}, NULL); /* two have the name */
  is_student(book, &(struct student){.id = "7"}, NULL);
  /* What another source adds is kept under the same person. */
  char *id =
      student_add(book, &(struct student){.id = "4321", .name = "Ada Lovelace", .section = "B\n2"});
  assert_string_equal(id, "u7");
  free(id);
  is_student(book, &(struct student){.id = "4321"}, "u7");
  char *section = gradebook_string(book, "SELECT section FROM student WHERE id='u7'", "");
  assert_string_equal(section, "B?2");
  free(section);
  assert_int_equal(gradebook_number(book, 0, "SELECT count(*) FROM student", ""), 3);
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
  json_t *json = json_loads(result, 0, NULL);
  assert_non_null(json);
  assert_null(merge_result(book, "a", json));
  char *once = dump(book);
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
  free(wrong);
  free(twice);
  twice = dump(book);
  assert_string_equal(once, twice);
  /* An error of the machine is no score. */
  merge_failure(book, "a", "the disk burnt");
  assert_int_equal(gradebook_number(book, -1, "SELECT score FROM attempt", ""), -1);
  assert_int_equal(gradebook_number(book, -1, "SELECT count(*) FROM item", ""), 0);
  free(once);
  free(twice);
  json_decref(json);
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
  char *path = fresh_path();
  struct gradebook *book = gradebook_open(path, false);
  char *mode = gradebook_string(book, "PRAGMA journal_mode", "");
  assert_string_equal(mode, "wal");
  free(mode);
  assert_int_equal(gradebook_number(book, 0, "PRAGMA synchronous", ""), 2);
  gradebook_set_meta(book, "seed", "7");
  gradebook_close(book);
  book = gradebook_open(path, true);
  char *seed = gradebook_meta(book, "seed");
  assert_string_equal(seed, "7");
  free(seed);
  gradebook_close(book);
  book = gradebook_open(path, false);
  gradebook_run(book, "PRAGMA user_version=99", "");
  gradebook_close(book);
  assert_int_equal(open_status(path), 2); /* a newer kit's */
  FILE *file = fopen(path, "w");
  fputs("this is no database, it is a letter to somebody who looks after one\n", file);
  fclose(file);
  assert_int_equal(open_status(path), 2);
  free(path);
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
  char *a = feedback_folder("ada"), *b = feedback_folder("../ada"), *c = feedback_folder(".._ada");
  assert_string_equal(a, "ada");
  assert_null(strchr(b, '/'));
  assert_int_not_equal(b[0], '.');
  assert_string_not_equal(b, c);
  free(a);
  free(b);
  free(c);
}

static int make(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int clean(void **state) {
  (void)state;
  char *command = xprintf("rm -rf %s", folder);
  int status = system(command);
  free(command);
  return status;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts),   cmocka_unit_test(test_times),
                                     cmocka_unit_test(test_students), cmocka_unit_test(test_merge),
                                     cmocka_unit_test(test_open),     cmocka_unit_test(test_ids)};
  return cmocka_run_group_tests(tests, make, clean);
}
