/* test_grader_cause.c: what to fix first, for grades of one case and two items: the order of
 * causes, what they cover, and where a general hint is left out; what the compiler warns of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "grader/run/build.h"
#include "grader/score/score.h"

extern const struct family family_matmul;

static struct case_conf cases[] = {{.name = "17", .dims = {17, 17, 17}, .sets = 1}};
static char *all[] = {(char *)"17"};
static struct item_conf items[] = {
    {.id = (char *)"right",
     .title = (char *)"Right",
     .class = ITEM_CORRECTNESS,
     .points = 80,
     .cases = all,
     .case_count = 1,
     .hint = (char *)"look at the edges"},
    {.id = (char *)"clean",
     .title = (char *)"Clean",
     .class = ITEM_HAZARD,
     .points = 20,
     .hint = (char *)"be clean"},
};
static struct lab lab = {.id = (char *)"labx"};
static struct source source = {.name = (char *)"x.cu", .path = (char *)"/tmp/x.cu"};

static void add_hazard(struct case_result *run, const char *kind, bool warning, int line) {
  struct report *report = &run->report;
  report->hazards =
      realloc(report->hazards, sizeof *report->hazards * (size_t)(report->hazard_count + 1));
  report->hazards[report->hazard_count++] = (struct hazard_record){.kind = strdup(kind),
                                                                   .kernel = strdup(""),
                                                                   .array = strdup(""),
                                                                   .message = strdup(kind),
                                                                   .warning = warning,
                                                                   .line = line,
                                                                   .count = 1};
}

static struct grade begin(enum case_state state, const char *reason) {
  lab.conf = (struct conf){.case_count = 1,
                           .cases = cases,
                           .items = items,
                           .item_count = 2,
                           .max_points = 100,
                           .family = &family_matmul};
  struct grade grade = {.lab = &lab, .source = &source, .backend = "sim"};
  grade.cases = calloc(1, sizeof *grade.cases);
  grade.cases->state = state;
  grade.cases->kind = state == CASE_WRONG ? "wrong" : NULL;
  grade.cases->reason = reason ? strdup(reason) : NULL;
  grade.cases->report.launches = calloc(1, sizeof *grade.cases->report.launches);
  grade.cases->report.launch_count = 1;
  return grade;
}

static void finish(struct grade *grade) {
  score_hazards(grade);
  score_items(grade);
}

static void end(struct grade *grade) {
  case_free(grade->cases);
  for (int i = 0; i < 2; i++) free(grade->items[i].reason);
  for (int i = 0; i < grade->hazard_count; i++) hazard_record_free(&grade->hazards[i]);
  free(grade->cases);
  free(grade->items);
  free(grade->hazards);
}

static void expect_cause(const struct grade *grade, const char *wanted) {
  char *words = cause_words(grade);
  if (!words || !wanted)
    assert_ptr_equal(words, wanted);
  else
    assert_string_equal(words, wanted);
  free(words);
}

static void test_nothing_lost(void **state) {
  (void)state;
  struct grade grade = begin(CASE_RIGHT, NULL);
  add_hazard(grade.cases, "call", true, 3); /* a failed call that did no harm */
  add_hazard(grade.cases, "race", true, 4);
  grade.messages = (char *)"/tmp/x.cu:5:1: warning: 'a' is uninitialized [-Wuninitialized]\n";
  finish(&grade);
  assert_int_equal(grade.score, 100);
  expect_cause(&grade, NULL);
  end(&grade);
}

static void test_no_cause_known(void **state) {
  (void)state;
  struct grade grade = begin(CASE_WRONG, "C[0][0]: expected 1, got 2");
  finish(&grade);
  expect_cause(&grade, "case 17: C[0][0]: expected 1, got 2");
  assert_false(cause_of(&grade).above); /* it is the first reason as it is */
  assert_string_equal(cause_hint(&grade, 0), "look at the edges");
  end(&grade);
}

/* A leak costs points only where it is listed, and is no cause of anything. */
static void test_leak(void **state) {
  (void)state;
  struct grade grade = begin(CASE_WRONG, "C[0][0]: expected 1, got 2");
  add_hazard(grade.cases, "leak", false, 3);
  finish(&grade);
  expect_cause(&grade, "case 17: C[0][0]: expected 1, got 2");
  end(&grade);
  grade = begin(CASE_RIGHT, NULL);
  assert_false(conf_lists_kind(&lab.conf, "leak"));
  add_hazard(grade.cases, "leak", false, 3);
  finish(&grade);
  assert_int_equal(grade.score, 100);
  end(&grade);
  static char *kinds[] = {(char *)"leak"};
  items[1].kinds = kinds, items[1].kind_count = 1;
  grade = begin(CASE_RIGHT, NULL);
  assert_true(conf_lists_kind(&lab.conf, "leak"));
  add_hazard(grade.cases, "leak", false, 3);
  finish(&grade);
  assert_int_equal(grade.score, 80);
  expect_cause(&grade, "x.cu:3: leak: leak (case 17)");
  items[1].kind_count = 0;
  end(&grade);
}

static void test_hazard_before_results(void **state) {
  (void)state;
  struct grade grade = begin(CASE_WRONG, "C[0][0]: expected 1, got 2");
  add_hazard(grade.cases, "uninit", false, 9);
  add_hazard(grade.cases, "race", false, 7);
  finish(&grade);
  expect_cause(&grade, "x.cu:7: race: race (case 17)");
  assert_true(cause_of(&grade).above);
  assert_null(cause_hint(&grade, 0)); /* the cause is known */
  assert_false(cause_covers(&grade, 0));
  assert_true(cause_covers(&grade, 1)); /* its reason is the race */
  end(&grade);
}

static void test_failed_call(void **state) {
  (void)state;
  struct grade grade = begin(CASE_WRONG, "line 3: CUDA call that failed: call The program ended.");
  add_hazard(grade.cases, "oob", false, 7);
  add_hazard(grade.cases, "call", true, 3);
  grade.cases->quoted = &grade.cases->report.hazards[1];
  finish(&grade);
  expect_cause(&grade, "x.cu:3: CUDA call that failed: call (case 17)");
  assert_true(cause_covers(&grade, 0));
  end(&grade);
}

static void test_compiler_warning(void **state) {
  (void)state;
  struct grade grade = begin(CASE_WRONG, "C[0][0]: expected 1, got 2");
  add_hazard(grade.cases, "race", false, 7);
  grade.messages = (char *)"/tmp/y.cu:8:1: warning: 'b' is uninitialized [-Wuninitialized]\n"
                           "/tmp/x.cu:6:1: warning: what is it [-Wunused]\n"
                           "/tmp/x.cu:5:1: warning: "
                           "'a' is uninitialized [-Wsometimes-uninitialized]\n";
  finish(&grade);
  expect_cause(&grade,
               "x.cu:5: compiler warning: 'a' is uninitialized. Give it a first value where "
               "it is declared; a sum starts at 0.");
  assert_int_equal(grade.hazard_count, 3); /* the race, the warning, the wrong result */
  end(&grade);
}

/* Wrong indices, where results are just theirs, explain stray accesses, but no refused launch. */
static void test_wrong_indices(void **state) {
  (void)state;
  for (int refused = 0; refused < 2; refused++) {
    struct grade grade = begin(CASE_WRONG, "B has rows of N elements");
    grade.cases->explains = EXPLAINS_STRAYS;
    add_hazard(grade.cases, refused ? "launch" : "oob", false, 7);
    finish(&grade);
    expect_cause(&grade,
                 refused ? "x.cu:7: launch refused: launch (case 17)"
                         : "case 17: B has rows of N elements (hence line 7 goes out of bounds)");
    assert_null(cause_hint(&grade, 0));
    end(&grade);
  }
}

static void test_build_failure(void **state) {
  (void)state;
  struct grade grade = begin(CASE_NOT_RUN, "not run");
  score_build_failure(&grade, "/tmp/x.cu:3:1: error: no such thing\n");
  expect_cause(&grade, "x.cu:3: does not compile: no such thing");
  end(&grade);
}

static void test_warnings(void **state) {
  (void)state;
  const char *at =
      "In file included from z:\n/a/x.cu:12:31: warning: variable 'sum' is uninitialized when "
      "used here [-Wuninitialized]\n  sum += 1;\n/a/x.cu:11:12: note: initialize it\n"
      "/a/xx.cu:1:1: warning: other [-Wuninitialized]\n/a/x.cu:2:1: warning: no option\n";
  int line;
  char *words = build_next_warning(&at, "x.cu", "uninitialized]", &line);
  assert_string_equal(words, "variable 'sum' is uninitialized when used here");
  assert_int_equal(line, 12);
  free(words);
  assert_null(build_next_warning(&at, "x.cu", "uninitialized]", &line));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nothing_lost),  cmocka_unit_test(test_no_cause_known),
      cmocka_unit_test(test_leak),          cmocka_unit_test(test_hazard_before_results),
      cmocka_unit_test(test_failed_call),   cmocka_unit_test(test_compiler_warning),
      cmocka_unit_test(test_wrong_indices), cmocka_unit_test(test_build_failure),
      cmocka_unit_test(test_warnings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
