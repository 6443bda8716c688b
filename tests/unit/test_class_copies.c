/* test_class_copies.c: files of the same code are graded once in a run, by an engine that grades
 * nothing but notes what it is asked for.
 *
 * Students a to e; the id of each one's attempt is 16 times their letter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "grader/base/file.h"
#include "grader/base/text.h"
#include "grader/class/book/attempt.h"
#include "grader/class/engine/engine.h"

static char root[64];
static struct class_options options = {.engine = "local", .jobs = 1};
static struct class class;

/* What the engine was asked for, a letter each and a blank behind each run of it; of whom there are
 * no results, and of whom the kit's own error, the first time. */
static char asked[64];
static const char *lost, *failed, *messages;

static const char *id_of(char letter, char id[17]) {
  memset(id, letter, 16);
  id[16] = '\0';
  return id;
}

static void publish(const struct engine_run *run, const char *attempt, bool error) {
  autofree char *path = xprintf("%s/spool/%s.json", run->state, attempt),
                *text = xprintf(
                    "{\"attempt\":\"%s\",\"verdict\":\"%s\",\"score\":7,\"max\":9,\"seed\":7,"
                    "\"backend\":\"sim\","
                    "\"messages\":\"%s\","
                    "\"items\":[{\"id\":\"right\",\"points\":7,\"max\":9}],\"cases\":[]}",
                    attempt, error ? "error" : "partial", messages);
  file_write(path, text, strlen(text));
}

/* In place of the one in local.c. */
int engine_local(const struct engine_run *run) {
  int missing = 0;
  for (int i = 0; i < run->count; i++) {
    const char *attempt = run->attempts[i];
    strncat(asked, attempt, 1);
    autofree char *job = xprintf("%s/spool/%s.job", run->state, attempt);
    assert_int_equal(access(job, R_OK), 0);
    if (strchr(lost, *attempt)) {
      run->lost(run->context, attempt, "the task was killed");
      missing++;
      continue;
    }
    publish(run, attempt, strchr(failed, *attempt) != NULL);
    run->arrived(run->context, attempt);
  }
  strcat(asked, " ");
  run->waiting(run->context, 0);
  return missing;
}

static void hand_in(char letter, const char *text, const char *header, const char *sha256,
                    int seed) {
  char id[17];
  autofree char *folder = class_path(&class, "files/%s", id_of(letter, id)),
                *source = xprintf("%s/lab2.cu", folder), *beside = xprintf("%s/a.h", folder);
  folder_make(folder);
  file_write(source, text, strlen(text));
  if (header) file_write(beside, header, strlen(header));
  gradebook_run(class.book,
                "INSERT INTO attempt(id, work, submitter, student, lab, number, sha256, status,"
                " counts, seed, backend) VALUES(?1, ?1, ?2, ?2, 'lab2', 1, ?3, 'pending', 1, ?4,"
                " 'sim')",
                "sssi", id, (char[]){letter, '\0'}, sha256, seed);
}

/* Runs the class; the grades of a to e: their scores, ! for an error, . for no attempt. */
static void grade(const char *wanted) {
  *asked = '\0';
  collect_run(&class);
  char got[6] = "", id[17];
  for (char letter = 'a'; letter <= 'e'; letter++) {
    autofree char *status = gradebook_string(
        class.book,
        "SELECT CASE status WHEN 'graded' THEN score ELSE '!' END FROM attempt WHERE id=?1", "s",
        id_of(letter, id));
    strcat(got, status ? status : ".");
  }
  assert_string_equal(got, wanted);
}

/* With whom somebody was graded: a letter, or - for nobody else. */
static char graded_with(char letter) {
  char id[17];
  autofree char *text = result_read(class.book, id_of(letter, id));
  json_auto_t *json = json_loads(text, 0, NULL);
  assert_string_equal(json_string_value(json_object_get(json, "attempt")), id);
  const char *of = json_string_value(json_object_get(json, "graded_with"));
  return of ? *of : '-';
}

static int set_up(void **state) {
  (void)state;
  strcpy(root, "/tmp/test_class_copies-XXXXXX");
  assert_non_null(mkdtemp(root));
  class = (struct class){.options = &options,
                         .kit = {.root = xstrdup(root), .confs = xprintf("%s/pinned", root)},
                         .state = root,
                         .cause = "graded"};
  autofree char *path = class_path(&class, "gradebook.sqlite");
  class.book = gradebook_open(path, false);
  static const char *const folders[] = {"files", "spool", "pinned"};
  for (int i = 0; i < 3; i++) {
    autofree char *folder = class_path(&class, "%s", folders[i]);
    folder_make(folder);
  }
  lost = failed = messages = "";
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  gradebook_close(class.book);
  kit_free(&class.kit);
  autofree char *command = xprintf("rm -rf '%s'", root);
  return system(command);
}

static void test_same_files_are_graded_once(void **state) {
  (void)state;
  hand_in('a', "one", NULL, "1", 7);
  hand_in('b', "two", NULL, "2", 7);
  hand_in('c', "one", NULL, "1", 7);
  hand_in('d', "two", NULL, "2", 7);
  hand_in('e', "one", NULL, "1", 7);
  grade("77777");
  assert_string_equal(asked, "ab ");
  assert_int_equal(graded_with('a'), '-');
  assert_int_equal(graded_with('b'), '-');
  assert_int_equal(graded_with('c'), 'a');
  assert_int_equal(graded_with('d'), 'b');
  assert_int_equal(graded_with('e'), 'a');
  assert_int_equal(gradebook_number(class.book, "SELECT count(*) FROM item", ""), 5);
  autofree char *left = class_path(&class, "spool/cccccccccccccccc.job");
  assert_int_not_equal(access(left, F_OK), 0);
  grade("77777"); /* there is nothing to do */
  assert_string_equal(asked, "");
}

static void test_comments_do_not_count(void **state) {
  (void)state;
  hand_in('a', "int x; // a", NULL, "1", 7);
  hand_in('b', "int x; /* mine */ \n// b\n", NULL, "2", 7);
  hand_in('c', "int x; // sectors = 8", NULL, "3", 7); /* an answer */
  hand_in('d', "\nint x; // a", NULL, "4", 7);         /* other lines */
  hand_in('e', "int x; // a", NULL, "1", 7);
  grade("77777");
  assert_string_equal(asked, "acd ");
  assert_int_equal(graded_with('b'), 'a');
  assert_int_equal(graded_with('e'), 'a');
}

/* What the compiler said may quote the first one's comments. */
static void test_messages_are_not_shared(void **state) {
  (void)state;
  hand_in('a', "int x; // a", NULL, "1", 7);
  hand_in('b', "int x; // b", NULL, "2", 7);
  hand_in('c', "int x; // a", NULL, "1", 7);
  messages = "lab2.cu:1: unused: int x; // a";
  grade("777..");
  assert_string_equal(asked, "a b ");
  assert_int_equal(graded_with('b'), '-');
  assert_int_equal(graded_with('c'), 'a');
}

/* What the digest cannot tell apart, and what else a grade depends on. */
static void test_other_files_are_not_the_same(void **state) {
  (void)state;
  hand_in('a', "one", "more", "1", 7);
  hand_in('b', "one", "else", "1", 7);
  hand_in('c', "one", NULL, "1", 7);
  hand_in('d', "one", "more", "1", 8);
  hand_in('e', "one", "more", "1", 7);
  grade("77777");
  assert_string_equal(asked, "abcd ");
  assert_int_equal(graded_with('e'), 'a');
}

static void test_no_result_is_not_shared(void **state) {
  (void)state;
  hand_in('a', "one", NULL, "1", 7);
  hand_in('b', "one", NULL, "1", 7);
  hand_in('c', "two", NULL, "2", 7);
  hand_in('d', "two", NULL, "2", 7);
  hand_in('e', "two", NULL, "2", 7);
  lost = "a", failed = "c";
  grade("!7!77");
  assert_string_equal(asked, "ac bde ");
  assert_int_equal(graded_with('b'), '-');
  assert_int_equal(graded_with('e'), '-');
  lost = failed = "";
  grade("77777"); /* the next run tries them again */
  assert_string_equal(asked, "ac ");
}

/* A run that was stopped when b had a result, which nobody had merged. */
static void test_a_run_goes_on(void **state) {
  (void)state;
  hand_in('a', "one", NULL, "1", 7);
  hand_in('b', "one", NULL, "1", 7);
  publish(&(struct engine_run){.state = class.state}, "bbbbbbbbbbbbbbbb", false);
  grade("77...");
  assert_string_equal(asked, "a ");
  assert_int_equal(graded_with('b'), 'a');
  autofree char *left = class_path(&class, "spool/bbbbbbbbbbbbbbbb.json");
  assert_int_not_equal(access(left, F_OK), 0);
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_same_files_are_graded_once, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_comments_do_not_count, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_messages_are_not_shared, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_other_files_are_not_the_same, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_no_result_is_not_shared, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_a_run_goes_on, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
