/* test_class_decimal.c: numbers with decimal points and commas, and which of them a column has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "grader/base/text.h"
#include "grader/class/base/decimal.h"

static const struct decimal_format with_point = {'.'}, with_comma = {','};

/* --- single cells --- */

/* A cell's value with a decimal point and with a decimal comma; NONE: no number. */
#define NONE 1e99
static const struct {
  const char *cell;
  double point, comma;
} cells[] = {
    {"100", 100, 100},
    {"-7", -7, -7},
    {"0", 0, 0},
    {"007", 7, 7},
    {"  42\t", 42, 42},
    {"\xc2\xa0"
     "42\xe2\x80\xaf",
     42, 42},
    {"12.50", 12.5, NONE},
    {"12,50", NONE, 12.5},
    {"12.5", 12.5, NONE},
    {".5", 0.5, NONE},
    {",5", NONE, 0.5},
    {"-,25", NONE, -0.25},
    {"\xe2\x88\x92"
     "1,5",
     NONE, -1.5},
    {"87.30000000000001", 87.30000000000001, NONE},
    {"33,333333333333336", NONE, 33.333333333333336},
    /* three digits after the only sign */
    {"1.000", 1, 1000},
    {"100,000", 100000, 100},
    {"-999.999", -999.999, -999999},
    {"0.500", 0.5, NONE},
    {"0,000", NONE, 0},
    {"012.500", 12.5, NONE},
    {"1234,567", NONE, 1234.567},
    {".125", 0.125, NONE},
    /* grouped */
    {"1.234,50", NONE, 1234.5},
    {"1,234.50", 1234.5, NONE},
    {"1.234,567", NONE, 1234.567},
    {"1,234,567.8", 1234567.8, NONE},
    {"1.000.000", NONE, 1000000},
    {"1,000,000", 1000000, NONE},
    {"1 000", 1000, 1000},
    {"1 000,5", NONE, 1000.5},
    {"1 000,500", NONE, 1000.5},
    {"1'000.50", 1000.5, NONE},
    {"1'000'000", 1000000, 1000000},
    {"1\xe2\x80\x99"
     "000.5",
     1000.5, NONE},
    {"1\xc2\xa0"
     "000,5",
     NONE, 1000.5},
    {"12\xe2\x80\xaf"
     "000\xe2\x80\xaf"
     "000",
     12000000, 12000000},
    {"1\xe2\x80\x89"
     "000.25",
     1000.25, NONE},
    /* neither */
    {"", NONE, NONE},
    {"-", NONE, NONE},
    {".", NONE, NONE},
    {",", NONE, NONE},
    {"-.", NONE, NONE},
    {"5.", NONE, NONE},
    {"5,", NONE, NONE},
    {"--5", NONE, NONE},
    {"- 5", NONE, NONE},
    {"+5", NONE, NONE},
    {"5-", NONE, NONE},
    {"12.50%", NONE, NONE},
    {"80 %", NONE, NONE},
    {"EX", NONE, NONE},
    {"12a", NONE, NONE},
    {"A12", NONE, NONE},
    {"1e3", NONE, NONE},
    {"0x10", NONE, NONE},
    {"inf", NONE, NONE},
    {"-nan", NONE, NONE},
    {"1..5", NONE, NONE},
    {"1.5,5", NONE, NONE},
    {"1,00,000", NONE, NONE},
    {"1.2.3", NONE, NONE},
    {"12.50.00", NONE, NONE},
    {"1,234.500.000", NONE, NONE},
    {"1.234'567,8", NONE, NONE},
    {"1 234.567 890", NONE, NONE},
    {"1  000", NONE, NONE},
    {"1234 567", NONE, NONE},
    {"12 34", NONE, NONE},
    {"0 500", NONE, NONE},
    {"' 5", NONE, NONE},
    {"1.5\n2.5", NONE, NONE},
    {"\xd9\xa1\xd9\xa2", NONE, NONE}, /* Arabic digits */
};

static void check_cell(const struct decimal_format *format, const char *cell, double expected) {
  double value = 12345;
  bool is_number = decimal_read(format, cell, &value);
  if (is_number != (expected != NONE) || (is_number ? value != expected : value != 12345))
    fail_msg("'%s' with '%c': %d, %.17g", cell, format->sign, is_number, value);
}

static void test_cells(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
    check_cell(&with_point, cells[i].cell, cells[i].point);
    check_cell(&with_comma, cells[i].cell, cells[i].comma);
  }
  assert_true(decimal_is_empty(""));
  assert_true(decimal_is_empty(" \xc2\xa0\t"));
  assert_true(decimal_is_empty(" - "));
  assert_false(decimal_is_empty("--"));
  assert_false(decimal_is_empty("0"));
}

/* As many digits as anybody likes never overflow a buffer or a double. */
static void test_endless_cells(void **state) {
  (void)state;
  double value;
  char cell[5000];
  for (size_t length = 1; length < sizeof cell; length++) {
    memset(cell, '9', length);
    cell[length] = '\0';
    assert_int_equal(decimal_read(&with_point, cell, &value), length < 64);
    cell[length / 2] = ',';
    decimal_read(&with_comma, cell, &value);
  }
  for (size_t i = 0; i < sizeof cell - 1; i++) cell[i] = i % 4 == 3 ? '.' : '1';
  cell[sizeof cell - 2] = '\0';
  assert_false(decimal_read(&with_comma, cell, &value));
  memset(cell, ' ', sizeof cell - 2);
  cell[0] = '7';
  assert_true(decimal_read(&with_comma, cell, &value));
}

/* --- columns --- */

/* A column, a cell in each line from 2 on; `sign` is what is decided, or `error` what is wrong. */
static const struct {
  const char *cells[6];
  char separator, forced, sign;
  const char *error;
} columns[] = {
    /* one cell shows it, wherever it is */
    {{"12,50"}, ',', 0, ','},
    {{"100", "", "8.5"}, ';', 0, '.'},
    {{"-", "1.000", "8,5"}, ',', 0, ','},
    {{"1.000", "8.5"}, ';', 0, '.'},
    {{"100,000", "8,5"}, ',', 0, ','},
    {{"100,000", "8.5"}, ';', 0, '.'},
    {{"100,000", "0,500"}, '\t', 0, ','},
    {{"1 000", "1'000,5", "1.000"}, ',', 0, ','},
    {{"1.234,50", "1.234"}, ',', 0, ','},
    {{"1.000.000", "1.000"}, ',', 0, ','},
    /* nothing shows it */
    {{NULL}, ',', 0, '.'},
    {{NULL}, ';', 0, ','},
    {{"100", "7", "-", ""}, ',', 0, '.'},
    {{"100", "7", "1 000"}, '\t', 0, '.'},
    {{"100", "7"}, ';', 0, ','},
    {{"100.000", "5"}, ',', 0, '.'},
    {{"100.000", "5"}, '\t', 0, '.'},
    {{"100.000", "5"}, ';', 0, ','},
    {{"100,000", "5"}, ';', 0, ','},
    {{"100.000", "1,000"}, ';', 0, ','},
    {{"5", " 100,000\xc2\xa0"},
     ',',
     0,
     0,
     "line 3 has 100,000, which may be 100 or 100000: say which with --decimal comma or --decimal "
     "point"},
    {{"100.000", "-1,250"},
     '\t',
     0,
     0,
     "line 3 has -1,250, which may be -1.25 or -1250: say which with --decimal comma or --decimal "
     "point"},
    /* the user says it */
    {{"100,000", "5"}, ',', '.', '.'},
    {{"100,000", "5"}, ',', ',', ','},
    {{"1.000"}, ',', ',', ','},
    {{"100"}, ';', '.', '.'},
    {{"5", "12,50"}, ',', '.', 0, "line 3 has 12,50, which is not a number with a decimal point"},
    {{"5", "12.50", "1,5"},
     ',',
     ',',
     0,
     "line 3 has 12.50, which is not a number with a decimal comma"},
    /* contradictions */
    {{"7", "12,50", "9,5", "12.50", "9.5"},
     ',',
     0,
     0,
     "line 3 has 12,50, line 5 has 12.50: it is not clear which is the decimal sign"},
    {{"1.5", "1,5"},
     ';',
     0,
     0,
     "line 2 has 1.5, line 3 has 1,5: it is not clear which is the decimal sign"},
    {{"1.000.000", "1,000,000"},
     ',',
     0,
     0,
     "line 2 has 1.000.000, line 3 has 1,000,000: it is not clear which is the decimal sign"},
    /* what is not a number shows nothing */
    {{"12,50%", "8.5", "EX", "1,5,5"}, ',', 0, '.'},
    {{"1e5,5", "0x1,8", "8,5 points", "\xff,5"}, ',', 0, '.'},
};

static void check_column(int c) {
  struct decimal_evidence evidence = {.forced = columns[c].forced};
  struct decimal_format format = {0};
  bool taken[6];
  for (int i = 0; i < 6 && columns[c].cells[i]; i++)
    taken[i] = decimal_see(&evidence, columns[c].cells[i], 2 + i);
  char *wrong = decimal_decide(&evidence, columns[c].separator, &format);
  if (columns[c].error) {
    assert_non_null(wrong);
    assert_string_equal(wrong, columns[c].error);
    free(wrong);
    return;
  }
  if (wrong || format.sign != columns[c].sign)
    fail_msg("column %d, %s: '%c', %s", c, columns[c].cells[0], format.sign, wrong ? wrong : "");
  for (int i = 0; i < 6 && columns[c].cells[i]; i++) {
    double value;
    const char *cell = columns[c].cells[i];
    assert_int_equal(taken[i], decimal_read(&format, cell, &value) || decimal_is_empty(cell));
  }
}

static void test_columns(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) check_column((int)i);
}

/* --- writing --- */

static void check_written(const struct decimal_format *format, double value, const char *expected) {
  autofree char *text = decimal_write(format, value);
  assert_string_equal(text, expected);
}

static void test_writing(void **state) {
  (void)state;
  check_written(&with_comma, 8.8, "8,8");
  check_written(&with_point, 8.8, "8.8");
  check_written(&with_comma, 100, "100");
  check_written(&with_comma, 87.125, "87,12");
  check_written(&with_comma, 33.3333, "33,33");
  check_written(&with_point, 99.999, "100");
  check_written(&with_point, 0.05, "0.05");
  check_written(&with_comma, -0.25, "-0,25");
  check_written(&with_comma, -0.001, "0");
  check_written(&with_comma, 0, "0");
  check_written(&with_comma, 1234567.5, "1234567,5");
}

/* Whatever is written is read as the same number, in the format that the file then shows. */
static void test_round_trip(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    const struct decimal_format *format = i ? &with_comma : &with_point;
    for (int hundredths = -20000; hundredths <= 1200000; hundredths += 7) {
      double value = hundredths / 100.0, back;
      autofree char *text = decimal_write(format, value);
      assert_true(decimal_read(format, text, &back));
      assert_true(back == value);
      struct decimal_evidence evidence = {0};
      struct decimal_format seen;
      assert_true(decimal_see(&evidence, text, 1));
      assert_null(decimal_decide(&evidence, i ? ';' : ',', &seen));
      assert_int_equal(seen.sign, format->sign);
      if (hundredths % 100) { /* whatever the separator */
        assert_null(decimal_decide(&evidence, i ? ',' : ';', &seen));
        assert_int_equal(seen.sign, format->sign);
      }
    }
  }
}

/* What is seen as a number in a column that is decided can be read, whatever its cells are. */
static void test_random_columns(void **state) {
  (void)state;
  static const char *const pieces[] = {"0", "1", "23", "456", "7890", ".",       ",",
                                       " ", "'", "-",  "%",   "e",    "\xc2\xa0"};
  srand(1);
  int decided = 0;
  for (int round = 0; round < 20000; round++) {
    char column[3][40];
    struct decimal_evidence evidence = {.forced = "\0\0\0.,"[rand() % 5]};
    struct decimal_format format;
    bool taken[3];
    for (int i = 0; i < 3; i++) {
      column[i][0] = '\0';
      for (int n = rand() % 7; n > 0; n--)
        strcat(column[i], pieces[(size_t)rand() % (sizeof pieces / sizeof *pieces)]);
      taken[i] = decimal_see(&evidence, column[i], i);
    }
    autofree char *wrong = decimal_decide(&evidence, ",;\t"[rand() % 3], &format);
    for (int i = 0; i < 3 && !wrong; i++) {
      double value;
      if (taken[i] != (decimal_read(&format, column[i], &value) || decimal_is_empty(column[i])))
        fail_msg("'%s' with '%c'", column[i], format.sign);
    }
    decided += !wrong;
  }
  assert_in_range(decided, 1000, 19999);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cells),      cmocka_unit_test(test_endless_cells),
      cmocka_unit_test(test_columns),    cmocka_unit_test(test_writing),
      cmocka_unit_test(test_round_trip), cmocka_unit_test(test_random_columns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
