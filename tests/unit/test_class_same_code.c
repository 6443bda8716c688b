/* test_class_same_code.c: which comments of a file do not count for its grade. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "grader/class/engine/same_code.h"

static void becomes(const char *text, const char *wanted) {
  size_t kept;
  char *code = same_code(text, strlen(text), &kept);
  assert_string_equal(code, wanted);
  assert_int_equal(kept, strlen(wanted));
  free(code);
}

static void stays(const char *text) { becomes(text, text); }

static void test_comments(void **state) {
  (void)state;
  becomes("int a; // one\nint b;\n", "int a;\nint b;");
  becomes("int a; /* one\n two\n */ int b;", "int a;\n\n int b;");
  becomes("int/**/a;", "int a;");
  becomes("a /* // */ b // /* c\nd", "a   b\nd");
  becomes("int a;  \r\n\n// end\n\n", "int a;");
  becomes("// all", "");
  becomes("/* not closed", "");
  becomes("", "");
}

static void test_what_only_looks_like_one(void **state) {
  (void)state;
  becomes("x = \"// no\"; // yes", "x = \"// no\";");
  becomes("x = \"\\\"// no\"; // yes", "x = \"\\\"// no\";");
  becomes("c = '\"'; // yes", "c = '\"';");
  becomes("c = '\\''; // yes", "c = '\\'';");
  becomes("x = a / b; // yes", "x = a / b;");
  becomes("don 't // stays, as it is in quotes\nx // yes",
          "don 't // stays, as it is in quotes\nx");
}

static void test_answers_stay(void **state) {
  (void)state;
  stays("// sectors = 8\nint a;");
  stays("/* one\n * sectors=8 */ int a;");
  becomes("// sectors: 8\nint a;", "\nint a;");
}

static void test_directives_stay(void **state) {
  (void)state;
  stays("#include <a//b.h>\nint a;");
  stays("  # include <a//b.h>");
  stays("/* = */ #include <a//b.h>");
  stays("#define X \\\n  <a//b.h>");
  becomes("#define X 1\nint a; // yes", "#define X 1\nint a;");
}

static void test_unclear_files_stay(void **state) {
  (void)state;
  stays("x = R\"(\n// no\n)\"; // perhaps ");
  stays("int a; // goes on \\\nint b; // ");
  stays("int a; // goes on \\ \t\nint b; // ");
  stays("int a; // goes on \?\?/\nint b; // ");
  stays("/\\\n/ a comment // ");
  stays("/* closed *\\\n/ int a; // */ ");
  stays("%:include <a//b.h>\n// ");
  stays("int a = 1'000; // '");
  size_t kept;
  char *code = same_code("a\0// b", 6, &kept);
  assert_int_equal(kept, 6);
  assert_memory_equal(code, "a\0// b", 6);
  free(code);
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_comments),           cmocka_unit_test(test_what_only_looks_like_one),
      cmocka_unit_test(test_answers_stay),       cmocka_unit_test(test_directives_stay),
      cmocka_unit_test(test_unclear_files_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
