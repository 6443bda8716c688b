/* test_class_names.c: who handed in what, by the names that platforms give files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "grader/class/intake/gradescope.h"
#include "grader/class/people/names.h"

static void check(enum class_format format, const char *path, const char *value, const char *name,
                  const char *file, bool late) {
  static const enum identity_kind kinds[] = {[FORMAT_FOLDER] = IDENTITY_FOLDER,
                                             [FORMAT_CANVAS] = IDENTITY_CANVAS,
                                             [FORMAT_MOODLE] = IDENTITY_MOODLE,
                                             [FORMAT_GRADESCOPE] = IDENTITY_KINDS};
  struct handed_name handed;
  if (!names_parse(format, path, &handed)) fail_msg("%s is not recognised", path);
  assert_int_equal(handed.kind, kinds[format]);
  assert_string_equal(handed.value, value);
  if (name)
    assert_string_equal(handed.name, name);
  else
    assert_null(handed.name);
  assert_string_equal(handed.file, file);
  assert_int_equal(handed.late, late);
  handed_name_free(&handed);
}

/* A path of a platform that has no number of anybody. */
static void nobody(enum class_format format, const char *path, const char *value,
                   const char *file) {
  struct handed_name handed;
  assert_true(names_parse(format, path, &handed));
  assert_int_equal(handed.kind, IDENTITY_FOLDER);
  assert_string_equal(handed.value, value);
  assert_string_equal(handed.file, file);
  handed_name_free(&handed);
}

static void refuse(enum class_format format, const char *path) {
  struct handed_name handed;
  if (names_parse(format, path, &handed)) fail_msg("%s is taken for %s", path, handed.value);
}

static void test_canvas(void **state) {
  (void)state;
  check(FORMAT_CANVAS, "lovelaceada_1234_56789_lab2.cu", "1234", "lovelaceada", "lab2.cu", false);
  check(FORMAT_CANVAS, "lovelaceada_LATE_1234_56789_lab2-1.cu", "1234", "lovelaceada", "lab2-1.cu",
        true);
  check(FORMAT_CANVAS, "o_brien2_12_3_my_lab_2_3_x.zip", "12", "o_brien2", "my_lab_2_3_x.zip",
        false);
  check(FORMAT_CANVAS, "anon_a1B2c_56_lab2.cu", "anon_a1B2c", NULL, "lab2.cu", false);
  nobody(FORMAT_CANVAS, "ada1234_question_7_56789_lab2.cu", "ada1234", "lab2.cu");
  check(FORMAT_CANVAS, "LATE_anon_a1B2c_56_lab2.cu", "anon_a1B2c", NULL, "lab2.cu", true);
  check(FORMAT_CANVAS, "lateada_7_8_lab2.cu", "7", "lateada", "lab2.cu", false);
  refuse(FORMAT_CANVAS, "lovelaceada_1234_lab2.cu");
  refuse(FORMAT_CANVAS, "lovelaceada_1234_56789_");
  refuse(FORMAT_CANVAS, "ada/x_1_2_lab2.cu");
}

static void test_moodle(void **state) {
  (void)state;
  check(FORMAT_MOODLE, "Ada Lovelace_1234567_assignsubmission_file_/lab2.cu", "1234567",
        "Ada Lovelace", "lab2.cu", false);
  check(FORMAT_MOODLE, "Ada Lovelace_1234567_assignsubmission_file/lab2.cu", "1234567",
        "Ada Lovelace", "lab2.cu", false);
  check(FORMAT_MOODLE, "Ada_Mary Lovelace_12_assignsubmission_file_lab2.cu", "12",
        "Ada_Mary Lovelace", "lab2.cu", false);
  check(FORMAT_MOODLE, "Ada Lovelace_12_assignsubmission_onlinetext_/onlinetext.html", "12",
        "Ada Lovelace", "onlinetext.html", false);
  check(FORMAT_MOODLE, "Teilnehmer_12_assignsubmission_file_/lab2.cu", "12", NULL, "lab2.cu",
        false);
  /* Who is in no group where groups hand in. */
  nobody(FORMAT_MOODLE, "Default group_assignsubmission_file_/lab2.cu", "Default group", "lab2.cu");
}

static void test_folder(void **state) {
  (void)state;
  check(FORMAT_FOLDER, "ada/lab2.cu", "ada", NULL, "lab2.cu", false);
  check(FORMAT_FOLDER, "ada.zip", "ada", NULL, "ada.zip", false);
  check(FORMAT_FOLDER, "ada.tar.gz", "ada", NULL, "ada.tar.gz", false);
  check(FORMAT_FOLDER, "ada_lab2.cu", "ada", NULL, "ada_lab2.cu", false);
  check(FORMAT_FOLDER, "Lab2-ada.cu", "ada", NULL, "Lab2-ada.cu", false);
  check(FORMAT_FOLDER, "labrador.cu", "labrador", NULL, "labrador.cu", false);
}

static enum class_format recognise(const char *a, const char *b, const char *c) {
  const char *paths[] = {a, b, c};
  char *why;
  enum class_format format = names_recognise(paths, 3, &why);
  assert_true(strlen(why) > 0);
  free(why);
  return format;
}

static void test_recognise(void **state) {
  (void)state;
  assert_int_equal(recognise("a_1_2_lab2.cu", "b_3_4_lab2.cu", "readme.txt"), FORMAT_CANVAS);
  assert_int_equal(
      recognise("A B_1_assignsubmission_file_/x.cu", "C_2_assignsubmission_file_x.cu", "notes.txt"),
      FORMAT_MOODLE);
  assert_int_equal(recognise("submission_1/a.cu", "submission_2/a.cu", "submission_metadata.yml"),
                   FORMAT_GRADESCOPE);
  assert_int_equal(recognise("ada/lab2.cu", "bob/lab2.cu", "carl.zip"), FORMAT_FOLDER);
}

static void test_labs(void **state) {
  (void)state;
  char *const labs[] = {"lab1", "lab2", "lab12", NULL};
  assert_string_equal(names_lab("ada/lab2.cu", labs), "lab2");
  assert_string_equal(names_lab("ada/Lab 2 (1).cu", labs), "lab2");
  assert_string_equal(names_lab("lab12_final.cu", labs), "lab12");
  assert_string_equal(names_lab("lab1/main.cu", labs), "lab1");
  assert_string_equal(names_lab("lab1/lab2.cu", labs), "lab2");
  assert_string_equal(names_lab("my-lab-1.cu", labs), "lab1");
  assert_null(names_lab("main.cu", labs));
  assert_null(names_lab("lab3.cu", labs));
  assert_null(names_lab("collab2.cu", labs));
  assert_int_equal(names_resubmission("lab2-3.cu"), 3);
  assert_int_equal(names_resubmission("a/lab2 (4).cu"), 4);
  assert_int_equal(names_resubmission("lab2.cu"), 0);
}

static void check_clone(const char *path, bool clone, const char *account) {
  struct handed_name handed;
  assert_true(names_parse(FORMAT_FOLDER, path, &handed));
  assert_int_equal(handed.clone, clone);
  assert_string_equal(names_account(handed.value), account);
  handed_name_free(&handed);
}

static void test_clones(void **state) {
  (void)state;
  check_clone("lab2-ada-lovelace/lab2.cu", true, "ada-lovelace");
  check_clone("Lab2_ada/lab2.cu", true, "ada");
  check_clone("labrador/lab2.cu", false, "labrador");
  check_clone("hpc-lab2-ada/lab2.cu", false, "hpc-lab2-ada");
}

static void test_gradescope(void **state) {
  (void)state;
  static const char text[] =
      "submission_1:\n  :submitters:\n  - :name: \"O'Brien, \\tAda\"\n    :sid: '007'\n"
      "    :email: a@x.edu\n  - :name: Bob\n  :created_at: 2026-01-31 10:00:00.5 Z\n"
      "  :history:\n  - :created_at: 2026-01-30 10:00:00 Z\nsubmission_2:\n  :submitters: []\n";
  struct gradescope_metadata metadata;
  assert_null(gradescope_read(text, strlen(text), &metadata));
  const struct gradescope_submission *one = gradescope_find(&metadata, "submission_1");
  assert_non_null(one);
  assert_int_equal(one->person_count, 2);
  assert_string_equal(one->people[0].name, "O'Brien,   Ada");
  assert_string_equal(one->people[0].sid, "007");
  assert_null(one->people[1].email);
  assert_string_equal(one->created_at, "2026-01-31 10:00:00.5 Z");
  assert_null(gradescope_find(&metadata, "submission_3"));
  gradescope_free(&metadata);
  char *wrong = gradescope_read("a: [", 4, &metadata);
  assert_non_null(wrong);
  free(wrong);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_canvas),    cmocka_unit_test(test_moodle),
      cmocka_unit_test(test_folder),    cmocka_unit_test(test_recognise),
      cmocka_unit_test(test_labs),      cmocka_unit_test(test_clones),
      cmocka_unit_test(test_gradescope)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
