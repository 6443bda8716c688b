/* test_grader_hidden.c: hidden.conf adds to lab.conf and names its own faults; what a grade tells
 * of hidden cases holds no sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "grader/score/score.h"

static const char lab_conf[] =
    "[lab]\n"
    "title = A lab\n"
    "problem = matmul\n"
    "baseline = lab1\n"
    "[case 17]\n"
    "dims = M=17 N=18 K=19\n"
    "[item right]\n"
    "class = correctness\n"
    "title = Right\n"
    "points = 30\n"
    "cases = 17\n"
    "[item loads]\n"
    "class = technique\n"
    "title = Loads\n"
    "points = 20\n"
    "case = 17\n"
    "metric = global_load_bytes\n"
    "full = <= 4\n"
    "zero = >= 8\n";

static const char hidden_conf[] =
    "[lab]\n"
    "sleep_limit = 7\n"
    "[case secret]\n"
    "dims = M=123 N=45 K=67\n"
    "[item right]\n"
    "points = 20\n"
    "cases = 17 secret\n"
    "[item loads]\n"
    "full = <= 5\n"
    "[item odd]\n"
    "class = correctness\n"
    "title = Odd sizes\n"
    "points = 10\n"
    "cases = secret\n";

static void write_file(char *path, const char *text) {
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), strlen(text));
  close(fd);
}

/* Both files; returns the error of hidden.conf (the caller's to free), NULL if there is none. */
static char *read_both(const char *hidden, struct conf *conf) {
  char path[] = "/tmp/test-lab-XXXXXX", hidden_path[] = "/tmp/test-hidden-XXXXXX", *error;
  write_file(path, lab_conf);
  write_file(hidden_path, hidden);
  assert_int_equal(conf_read(path, "lab.conf", conf, &error), 0);
  assert_false(conf->has_hidden);
  int result = conf_read_hidden(hidden_path, "hidden.conf", conf, &error);
  assert_int_equal(result, error ? -1 : 0);
  assert_true(conf->has_hidden);
  unlink(path);
  unlink(hidden_path);
  return error;
}

static void test_added_and_replaced(void **state) {
  (void)state;
  struct conf conf;
  assert_null(read_both(hidden_conf, &conf));
  assert_int_equal(conf.sleep_limit, 7);
  assert_string_equal(conf.title, "A lab");
  assert_int_equal(conf.case_count, 2);
  assert_false(conf.cases[0].hidden);
  assert_true(conf.cases[1].hidden);
  assert_int_equal(conf.cases[1].dims[0], 123);
  assert_int_equal(conf.item_count, 3);
  const struct item_conf *right = &conf.items[0], *loads = &conf.items[1], *odd = &conf.items[2];
  assert_int_equal(right->points, 20);
  assert_string_equal(right->title, "Right");
  assert_int_equal(right->case_count, 2); /* the list is replaced, not continued */
  assert_string_equal(right->cases[1], "secret");
  assert_true(right->changed);
  assert_false(right->hidden);
  assert_true(loads->full.value == 5);
  assert_true(loads->zero.value == 8);
  assert_int_equal(loads->points, 20);
  assert_true(odd->hidden);
  assert_int_equal(conf.max_points, 50);
  conf_free(&conf);
}

/* hidden.conf with `from` replaced by `to` must give this error. */
static void expect(const char *from, const char *to, const char *expected) {
  const char *at = strstr(hidden_conf, from);
  assert_non_null(at);
  char text[sizeof hidden_conf + 500];
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - hidden_conf), hidden_conf, to,
           at + strlen(from));
  struct conf conf;
  char *error = read_both(text, &conf);
  if (!error || strcmp(error, expected) != 0)
    fail_msg("got '%s', expected '%s'", error ? error : "no error", expected);
  free(error);
  conf_free(&conf);
}

static void test_errors(void **state) {
  (void)state;
  expect("points = 20", "pionts = 20",
         "hidden.conf:6: unknown key 'pionts' in [item right]; did you mean 'points'?");
  expect("[case secret]", "[case 17]",
         "hidden.conf:3: [case 17] is in lab.conf, which students know: give a hidden case another "
         "name");
  expect("cases = 17 secret", "cases = 17 secrte",
         "hidden.conf:5: [item right]: there is no [case secrte]");
  expect("[item loads]\nfull = <= 5", "[item loads]\nfull = <= 9",
         "hidden.conf:8: [item loads]: full and zero must point away from each other, as <= 4 and "
         ">= 16");
  expect("title = Odd sizes\n", "", "hidden.conf:10: [item odd] lacks 'title'");
  expect("[item odd]", "[item right]", "hidden.conf:10: [item right] is given twice");
  expect("[item odd]", "[case secret]", "hidden.conf:10: [case secret] is given twice");
  expect("sleep_limit = 7", "problem = transpose",
         "hidden.conf:2: 'problem' is for lab.conf alone");
  expect("dims = M=123 N=45 K=67", "dims = M=123 N=45 K=67\nshow = yes",
         "hidden.conf:3: [case secret]: a hidden case is not shown: its launch would give its size "
         "away");
  expect("points = 10", "points = 15",
         "hidden.conf: with it, points add up to 55, and without it to 50: give [item ID] sections "
         "of lab.conf other 'points' here, so that the sum stays");
  expect("sleep_limit = 7", "sleep_limit = seven",
         "hidden.conf:2: 'seven' is not a whole number from 1 to 3600");
}

/* A grade whose two cases both went wrong, told with all sizes. */
struct graded {
  struct lab lab;
  struct grade grade;
  struct source source;
  struct case_result cases[2];
  struct hazard_record hazards[2];
};

static void grade_both(struct graded *graded, bool partial) {
  *graded = (struct graded){.source.name = "lab2.cu"};
  assert_null(read_both(hidden_conf, &graded->lab.conf));
  for (int i = 0; i < 2; i++) {
    graded->hazards[i] =
        (struct hazard_record){.kind = xstrdup("oob"),
                               .kernel = xstrdup("product"),
                               .array = xstrdup("A"),
                               .message = xstrdup("reads element 8241 of 8241 (123 x 67)"),
                               .line = 20 + i,
                               .count = 123};
    graded->cases[i] =
        (struct case_result){.state = CASE_WRONG,
                             .kind = "wrong",
                             .reason = xstrdup("row 123 of 123 is never written"),
                             .report = {.hazards = &graded->hazards[i], .hazard_count = 1}};
    text_add(&graded->cases[i].output, "M = 123\n");
  }
  graded->grade = (struct grade){
      .lab = &graded->lab, .source = &graded->source, .cases = graded->cases, .partial = partial};
  hidden_redact(&graded->grade);
  score_hazards(&graded->grade);
  score_items(&graded->grade);
}

static void free_graded(struct graded *graded) {
  for (int i = 0; i < 2; i++) {
    free(graded->hazards[i].kind);
    free(graded->hazards[i].kernel);
    free(graded->hazards[i].array);
    free(graded->hazards[i].message);
    free(graded->cases[i].reason);
    text_free(&graded->cases[i].output);
  }
  for (int i = 0; i < graded->lab.conf.item_count; i++) free(graded->grade.items[i].reason);
  free(graded->grade.items);
  for (int i = 0; i < graded->grade.hazard_count; i++)
    hazard_record_free(&graded->grade.hazards[i]);
  free(graded->grade.hazards);
  conf_free(&graded->lab.conf);
}

static void test_no_sizes(void **state) {
  (void)state;
  struct graded graded;
  grade_both(&graded, false);
  assert_string_equal(graded.cases[0].reason, "row 123 of 123 is never written");
  assert_string_equal(graded.cases[1].reason, "not all of its outputs are right");
  assert_string_equal(graded.grade.items[2].reason,
                      "hidden case secret: not all of its outputs are right");
  assert_string_equal(text_get(&graded.cases[1].output), "");
  assert_string_equal(text_get(&graded.cases[0].output), "M = 123\n");
  int found = 0;
  for (int i = 0; i < graded.grade.hazard_count; i++) {
    const struct hazard_record *hazard = &graded.grade.hazards[i];
    if (!strstr(hazard->message, "hidden case secret")) continue;
    found++;
    assert_null(strstr(hazard->message, "123"));
    assert_null(strstr(hazard->message, "8241"));
    assert_int_equal(hazard->count, 1);
    assert_int_equal(hazard->line, 0);
  }
  assert_int_equal(found, 1); /* that outputs are wrong is one with the other case */
  free_graded(&graded);
}

static void test_instructor_sees_all(void **state) {
  (void)state;
  struct graded graded;
  grade_both(&graded, true);
  assert_string_equal(graded.cases[1].reason, "row 123 of 123 is never written");
  assert_string_equal(text_get(&graded.cases[1].output), "M = 123\n");
  free_graded(&graded);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_added_and_replaced),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_no_sizes),
      cmocka_unit_test(test_instructor_sees_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
