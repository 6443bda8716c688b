/* test_class_pseudonym.c: pseudonyms: they stay, nobody shares one, the key decides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "grader/base/text.h"
#include "grader/class/base/gradebook.h"

/* A gradebook in a folder of its own; to be given to drop_book. */
static struct gradebook *fresh_book(void) {
  char folder[] = "/tmp/pseudonym-XXXXXX";
  assert_non_null(mkdtemp(folder));
  autofree char *path = xprintf("%s/gradebook.sqlite", folder);
  return gradebook_open(path, false);
}

static void drop_book(struct gradebook *book) {
  autofree char *path = xstrdup(book->path);
  gradebook_close(book); /* which removes SQLite's own files beside it */
  unlink(path);
  *strrchr(path, '/') = '\0';
  assert_int_equal(rmdir(path), 0);
}

/* Gradebooks and pages that are there have been made with these words. */
static void test_kept(void **state) {
  (void)state;
  const uint8_t key[SIPHASH_KEY] = {0xc0, 0xff, 0xee, [15] = 0x42};
  autofree char *ada = pseudonym_make(key, "ada", 0),
                *olafur = pseudonym_make(key, "Ólafur Þórsson", 3);
  assert_string_equal(ada, "Crimson Kingfisher");
  assert_string_equal(olafur, "Velvet Robin");
}

static void test_made(void **state) {
  (void)state;
  const uint8_t key[SIPHASH_KEY] = {1}, other[SIPHASH_KEY] = {2};
  char *first = pseudonym_make(key, "ada", 0), *again = pseudonym_make(key, "ada", 0),
       *next = pseudonym_make(key, "ada", 1), *keyed = pseudonym_make(other, "ada", 0),
       *late = pseudonym_make(key, "ada", 64);
  assert_string_equal(first, again);
  assert_string_not_equal(first, next);
  assert_string_not_equal(first, keyed);
  assert_non_null(strstr(late, " 2")); /* words alone were taken too often */
  char *const all[] = {first, again, next, keyed, late};
  for (int i = 0; i < 5; i++) {
    assert_true(strlen(all[i]) >= 7 && strlen(all[i]) <= 26);
    assert_non_null(strchr(all[i], ' '));
    assert_null(strstr(all[i], "ada"));
    free(all[i]);
  }
}

static void add(struct gradebook *book, int from, int to) {
  gradebook_begin(book);
  for (int i = from; i < to; i++) {
    autofree char *id = xprintf("s%05d", i);
    gradebook_run(book, "INSERT INTO student(id, name) VALUES(?1, 'N')", "s", id);
  }
  gradebook_commit(book);
}

/* 3000 students share 12,000 pairs of words: some choices meet, and none is given twice. */
static void test_assigned(void **state) {
  (void)state;
  struct gradebook *book = fresh_book();
  add(book, 0, 2000);
  pseudonym_assign(book);
  autofree char *before = gradebook_string(
      book, "SELECT group_concat(pseudonym, ',') FROM (SELECT * FROM student ORDER BY id)", "");
  add(book, 2000, 3000);
  pseudonym_assign(book);
  assert_int_equal(gradebook_number(book, "SELECT count(DISTINCT pseudonym) FROM student", ""),
                   3000);
  assert_int_equal(
      gradebook_number(book, "SELECT count(*) FROM student WHERE pseudonym GLOB '*[0-9]*'", ""), 0);
  autofree char *after = gradebook_string(
      book,
      "SELECT group_concat(pseudonym, ',') FROM (SELECT * FROM student WHERE id < 's02000'"
      " ORDER BY id)",
      "");
  assert_string_equal(before, after); /* newcomers change nobody's */
  drop_book(book);
}

/* Two gradebooks of the same students have different ones: the key is drawn. */
static void test_keyed(void **state) {
  (void)state;
  char *lists[2];
  for (int i = 0; i < 2; i++) {
    struct gradebook *book = fresh_book();
    add(book, 0, 20);
    pseudonym_assign(book);
    lists[i] = gradebook_string(book, "SELECT group_concat(pseudonym, ',') FROM student", "");
    autofree char *key = gradebook_meta(book, "pseudonym_key");
    assert_int_equal(strlen(key), 2 * SIPHASH_KEY);
    drop_book(book);
  }
  assert_string_not_equal(lists[0], lists[1]);
  free_all(lists[0], lists[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kept),
      cmocka_unit_test(test_made),
      cmocka_unit_test(test_assigned),
      cmocka_unit_test(test_keyed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
