/* test_grader_blocks.c: a report that is written again keeps every word of the student's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "grader/handin/blocks.h"

/* `old` with blocks a and b that hold "A2\n" and "B2\n" must become this; NULL: be refused, with
 * these words. */
static void expect(const char *old, const char *expected, const char *words) {
  struct block blocks[] = {{.name = "a"}, {.name = "b"}};
  text_add(&blocks[0].text, "A2\n");
  text_add(&blocks[1].text, "B2\n");
  char *error, *text = blocks_replace(old, blocks, 2, &error);
  if (expected && (!text || strcmp(text, expected) != 0))
    fail_msg("'%s' became '%s' (%s)", old, text ? text : "", error ? error : "");
  if (!expected && (text || strcmp(error, words) != 0))
    fail_msg("'%s' became '%s', error '%s'", old, text ? text : "", error ? error : "");
  free(text);
  free(error);
  for (int i = 0; i < 2; i++) text_free(&blocks[i].text);
}

static void test_replace(void **state) {
  (void)state;
  expect("mine\n<!-- kit: a -->\nA1\nA1\n<!-- kit: end -->\nmine, too",
         "mine\n<!-- kit: a -->\nA2\n<!-- kit: end -->\nmine, too", NULL);
  expect("<!-- kit: b -->\n<!-- kit: end -->\n\nx\n<!-- kit: a -->\n<!-- kit: end -->\n",
         "<!-- kit: b -->\nB2\n<!-- kit: end -->\n\nx\n<!-- kit: a -->\nA2\n<!-- kit: end -->\n",
         NULL);
  /* Blocks that are gone stay away, those of another kit stay as they are. */
  expect("only mine\n", "only mine\n", NULL);
  expect("<!-- kit: c -->\nC1\n<!-- kit: end -->\n", "<!-- kit: c -->\nC1\n<!-- kit: end -->\n",
         NULL);
  /* Line ends of Windows, and blanks behind a mark. */
  expect("<!-- kit: a -->\r\nA1\r\n<!-- kit: end --> \r\nmine\r\n",
         "<!-- kit: a -->\r\nA2\n<!-- kit: end --> \r\nmine\r\n", NULL);
  expect("", "", NULL);
}

static void test_refuse(void **state) {
  (void)state;
  expect("<!-- kit: a -->\nmine?\n", NULL, "line 2: block a has no end: <!-- kit: end -->");
  expect("x\n<!-- kit: end -->\n", NULL, "line 2: a block ends here that has not begun");
  expect("<!-- kit: a -->\n<!-- kit: b -->\n<!-- kit: end -->\n", NULL,
         "line 2: block b begins before a has ended");
  expect("<!-- kit: a -->\n<!-- kit: end -->\n<!-- kit: a -->\n<!-- kit: end -->\n", NULL,
         "line 3: there is a second block a");
}

static void test_again(void **state) {
  (void)state;
  struct block block = {.name = "a"};
  struct text first = {0};
  char *error;
  text_add(&block.text, "| a | table |\n");
  text_add(&first, "# Mine\n\n");
  block_add(&block, &first);
  text_add(&first, "\nMy words.\n");
  char *again = blocks_replace(text_get(&first), &block, 1, &error);
  assert_string_equal(again, text_get(&first));
  assert_true(block.there);
  free(again);
  text_free(&first);
  text_free(&block.text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_replace), cmocka_unit_test(test_refuse),
                                     cmocka_unit_test(test_again)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
