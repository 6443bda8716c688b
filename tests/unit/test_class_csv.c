/* test_class_csv.c: tables as people and platforms write them, and changes to single cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "grader/class/base/csv.h"
#include "grader/class/export/export.h"
#include "grader/class/intake/roster.h"

static void parse(const char *text, struct csv *csv) {
  char *wrong = csv_parse(text, strlen(text), csv);
  if (wrong) fail_msg("%s", wrong);
}

static void test_cells(void **state) {
  (void)state;
  struct csv csv;
  parse(
      "\xef\xbb\xbf"
      "a,\"b \"\"x\"\"\",c\r\n\r\n\"two\nlines\",,\r1,2",
      &csv);
  assert_int_equal(csv.count, 3);
  assert_string_equal(csv_value(&csv, 0, 0), "a");
  assert_string_equal(csv_value(&csv, 0, 1), "b \"x\"");
  assert_string_equal(csv_value(&csv, 1, 0), "two\nlines");
  assert_string_equal(csv_value(&csv, 1, 2), "");
  assert_string_equal(csv_value(&csv, 2, 1), "2");
  assert_string_equal(csv_value(&csv, 2, 7), "");
  csv_free(&csv);
  parse("a;\"b,c\";d\n1;2;3\n", &csv);
  assert_int_equal(csv.rows[0].count, 3);
  csv_free(&csv);
  char *wrong = csv_parse("a,\"b\nc", 6, &csv);
  assert_non_null(strstr(wrong, "line 1"));
  free(wrong);
  wrong = csv_parse("P\0K", 3, &csv);
  assert_non_null(wrong);
  free(wrong);
}

static void test_writing(void **state) {
  (void)state;
  freed_by(text_free) struct text text = {0};
  csv_add(&text, "=1+1", ',');
  text_add(&text, ",");
  csv_add_safe(&text, "=1+1", ',');
  text_add(&text, ",");
  csv_add_safe(&text, "@a \"b\", c", ',');
  text_add(&text, ",");
  csv_add_safe(&text, "-1", ',');
  assert_string_equal(text.data, "=1+1,'=1+1,\"'@a \"\"b\"\", c\",'-1");
}

/* Whatever stands around a cell stays what it was. */
static void test_change(void **state) {
  (void)state;
  struct csv csv;
  parse(
      "\xef\xbb\xbf"
      "h,\"i\" \r\n\"x,1\",\"old\",z\r\nshort\r\n",
      &csv);
  struct export_change changes[] = {{2, 2, "7"}, {1, 1, "new"}};
  struct text text = export_apply(&csv, changes, 2);
  assert_string_equal(text.data,
                      "\xef\xbb\xbf"
                      "h,\"i\" \r\n\"x,1\",new,z\r\nshort,,7\r\n");
  text_free(&text);
  text = export_apply(&csv, NULL, 0);
  assert_int_equal(text.length, csv.length);
  assert_memory_equal(text.data, csv.text, csv.length);
  text_free(&text);
  csv_free(&csv);
}

static const struct class_options no_options;

/* A row of the table must mean this person: "KIND VALUE, ..."; NULL: nobody. */
static void means(const struct csv *csv, int row, const char *name, const char *identities) {
  const struct class class = {.options = &no_options};
  struct roster_columns columns;
  assert_true(roster_find_columns(&class, csv, &columns));
  struct mention mention;
  char *made;
  bool somebody = roster_row(csv, &columns, row, &mention, &made);
  assert_int_equal(somebody, identities != NULL);
  freed_by(text_free) struct text text = {0};
  for (int i = 0; i < mention.count; i++)
    text_add(&text, "%s%s %s", i ? ", " : "", identity_names[mention.identities[i].kind],
             mention.identities[i].value);
  if (identities) {
    assert_string_equal(text_get(&text), identities);
    assert_string_equal(mention.name ? mention.name : "", name);
  }
  mention_free(&mention);
  free(made);
}

static void test_roster(void **state) {
  (void)state;
  struct csv csv;
  parse("Last Name;First name;E-Mail Address;Student_ID;Net ID\nLovelace;Ada;a@x.edu;7;ada\n",
        &csv);
  means(&csv, 1, "Ada Lovelace", "id 7, login ada, email a@x.edu");
  csv_free(&csv);
  parse("Identifier,Full name\nParticipant 123,Ada Lovelace\n,\n", &csv);
  means(&csv, 1, "Ada Lovelace", "moodle 123");
  means(&csv, 2, NULL, NULL);
  csv_free(&csv);
  parse("ID,\"Vollst\u00e4ndiger Name\",Bewertung\nTeilnehmer/in124,Ada Lovelace,\n", &csv);
  means(&csv, 1, "Ada Lovelace", "moodle 124");
  csv_free(&csv);
  parse("identifier,github_username,github_id,name\nu7,ada-l,99,Ada\n", &csv);
  means(&csv, 1, "Ada", "github ada-l, id u7");
  csv_free(&csv);
  parse(
      "Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n\"Student, "
      "Test\",9,,,\n\"Lovelace, Ada\",10,u7,ada,A\n",
      &csv);
  means(&csv, 1, NULL, NULL);
  means(&csv, 2, NULL, NULL);
  means(&csv, 3, "Lovelace, Ada", "canvas 10, id u7, login ada");
  csv_free(&csv);
  parse("LastName,FirstName,ID,SIS Login ID,Section\nLovelace,Ada,10,ada,A\n", &csv);
  means(&csv, 1, "Ada Lovelace", "canvas 10, login ada");
  csv_free(&csv);
  parse("x,y\n1,2\n", &csv);
  struct roster_columns columns;
  assert_false(roster_find_columns(&(struct class){.options = &no_options}, &csv, &columns));
  csv_free(&csv);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cells), cmocka_unit_test(test_writing),
                                     cmocka_unit_test(test_change), cmocka_unit_test(test_roster)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
