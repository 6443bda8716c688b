/* test_grader_text.c: what reaches a terminal, guesses at mistyped words, a compiler's first error,
 * arrays that grow, bytes written in full. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "grader/base/screen.h"
#include "grader/base/system.h"
#include "grader/base/text.h"
#include "grader/run/build.h"

static void expect_printable(const char *bytes, bool utf8, const char *expected) {
  struct text text = {0};
  text_add_printable(&text, bytes, strlen(bytes), utf8);
  assert_string_equal(text_get(&text), expected);
  text_free(&text);
}

static void test_printable(void **state) {
  (void)state;
  expect_printable("plain \t text", true, "plain    text");
  expect_printable("\033[2Jgone\r\n\007\177", true, "?[2Jgone????");
  expect_printable("Gr\303\266\303\237e", true, "Gr\303\266\303\237e");
  expect_printable("Gr\303\266\303\237e", false, "Gr??e");
  expect_printable("cut \303", true, "cut ?");
  expect_printable("\377\376 \300\200", true, "?? ??");
  expect_printable("csi \302\233 2J", true, "csi ?? 2J"); /* C1 control as UTF-8 */
  expect_printable("rlo \342\200\256", true, "rlo ???");  /* turns the text round */
  expect_printable("\360\237\230\200", true, "\360\237\230\200");
}

static void test_closest(void **state) {
  (void)state;
  static const char *const words[] = {"title", "points", "hint", "case", "cases", "of"};
  assert_string_equal(closest_word("tilte", words, 6), "title");
  assert_string_equal(closest_word("point", words, 6), "points");
  assert_string_equal(closest_word("casse", words, 6), "case");
  assert_null(closest_word("nothing", words, 6));
  assert_null(closest_word("xy", words, 6));
}

static void expect_error(const char *output, int line, const char *words) {
  int got;
  char *error = build_first_error(output, &got);
  assert_string_equal(error, words);
  assert_int_equal(got, line);
  free(error);
}

static void test_first_error(void **state) {
  (void)state;
  expect_error("a b/x.cu:3:1: warning: w\na b/x.cu:12:30: error: no y\n    code\n", 12, "no y");
  expect_error("/a:1/x.cu:7:5: error: odd path\n", 7, "odd path");
  expect_error("x.cu: error: there is no function\n", 0, "there is no function");
  expect_error("", 0, "the compiler refused it");
}

static void test_wrap(void **state) {
  (void)state;
  char *out;
  size_t size;
  FILE *file = open_memstream(&out, &size);
  struct screen screen = {.file = file, .width = 20};
  screen_wrap(&screen, PLAIN, 4, "ab: ", "one two three four five averyveryverylongword six");
  fclose(file);
  assert_string_equal(out,
                      "ab: one two three\n    four five\n    averyveryverylongword\n    six\n");
  free(out);
}

struct pair {
  int number;
  char *word;
};

static void test_array(void **state) {
  (void)state;
  struct pair *pairs = NULL;
  size_t count = 0;
  for (int i = 0; i < 1000; i++) {
    struct pair *pair = array_add(pairs, count);
    assert_int_equal(pair->number, 0);
    assert_null(pair->word);
    *pair = (struct pair){i, "word"};
  }
  assert_int_equal(count, 1000);
  for (int i = 0; i < 1000; i++) assert_int_equal(pairs[i].number, i);
  free(pairs);
}

/* Empties a pipe a little at a time. */
static void *drain(void *user) {
  size_t *total = user, fd = *total;
  char buffer[1000];
  ssize_t got;
  *total = 0;
  while ((got = read((int)fd, buffer, sizeof buffer)) > 0) *total += (size_t)got;
  return NULL;
}

/* More than a pipe takes at once. */
static void test_write_all(void **state) {
  (void)state;
  static const char bytes[1 << 20];
  int ends[2];
  pthread_t reader;
  assert_int_equal(pipe(ends), 0);
  size_t total = (size_t)ends[0];
  assert_int_equal(pthread_create(&reader, NULL, drain, &total), 0);
  assert_true(write_all(ends[1], bytes, sizeof bytes));
  close(ends[1]);
  pthread_join(reader, NULL);
  assert_int_equal(total, sizeof bytes);
  close(ends[0]);
  assert_false(write_all(ends[1], bytes, 1));
}

static void test_clock_and_random(void **state) {
  (void)state;
  double before = clock_seconds();
  usleep(2000);
  double passed = clock_seconds() - before;
  assert_true(passed >= 0.002 && passed < 10);
  uint64_t a = 0, b = 0;
  random_bytes(&a, sizeof a);
  random_bytes(&b, sizeof b);
  assert_int_not_equal(a, b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_printable),
      cmocka_unit_test(test_closest),
      cmocka_unit_test(test_first_error),
      cmocka_unit_test(test_wrap),
      cmocka_unit_test(test_array),
      cmocka_unit_test(test_write_all),
      cmocka_unit_test(test_clock_and_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
