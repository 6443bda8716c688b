/* test_sim_fat_binary.c: PTX is found in fat binaries as nvcc 13.0 lays them out, and what has none
 * says why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/sim/runtime/fat_binary.h"

static char image[4096];
static size_t size;

static void begin(void) {
  memset(image, 0, sizeof image);
  memcpy(image, "\x50\xed\x55\xba\1\0\x10", 7);
  size = 16;
}

static void add_part(unsigned kind, unsigned architecture, unsigned compressed, const char *text) {
  uint32_t header = 80, fields[] = {kind, header, (uint32_t)strlen(text) + 8, 0, compressed};
  memcpy(image + size, fields, sizeof fields);
  memcpy(image + size + 28, &architecture, sizeof architecture);
  memcpy(image + size + header, text, strlen(text));
  size += header + fields[2];
  uint64_t parts = size - 16;
  memcpy(image + 8, &parts, sizeof parts);
}

static void expect_ptx(size_t room, const char *expected) {
  char *ptx;
  assert_null(fat_binary_ptx(image, room, &ptx));
  assert_non_null(ptx);
  assert_string_equal(ptx, expected);
  free(ptx);
}

static void expect_reason(const char *bytes, size_t room, const char *words) {
  char *ptx;
  const char *reason = fat_binary_ptx(bytes, room, &ptx);
  assert_null(ptx);
  assert_non_null(reason);
  assert_non_null(strstr(reason, words));
}

static void the_newest_ptx(void **state) {
  (void)state;
  begin();
  add_part(2, 90, 0,
           "\x7f"
           "ELF");
  add_part(1, 80, 0, ".version 7.0 // older");
  add_part(1, 90, 0, ".version 9.0");
  add_part(1, 75, 0, ".version 6.0 // oldest");
  expect_ptx(size, ".version 9.0");
  expect_ptx(SIZE_MAX, ".version 9.0");
}

static void without_ptx(void **state) {
  (void)state;
  begin();
  expect_reason(image, size, "machine code only");
  add_part(2, 90, 0,
           "\x7f"
           "ELF");
  expect_reason(image, size, "machine code only");
  add_part(1, 90, 12, "compressed text");
  expect_reason(image, size, "compressed");
  expect_reason(
      "\x7f"
      "ELF",
      SIZE_MAX, "machine code only");
  expect_reason("", SIZE_MAX, "empty");
  add_part(1, 80, 0, ".version 7.0");
  expect_ptx(size, ".version 7.0");
}

static void damaged(void **state) {
  (void)state;
  begin();
  add_part(1, 90, 0, ".version 9.0");
  for (size_t room = 4; room < size; room++) expect_reason(image, room, "cut off");
  memset(image + 16 + 8, 0xff, 8); /* bytes of the part */
  expect_reason(image, size, "damaged");
  memset(image + 16 + 4, 0, 4); /* of its header */
  expect_reason(image, size, "damaged");
}

static void other_images(void **state) {
  (void)state;
  char *ptx;
  assert_null(fat_binary_ptx(".version 9.0", SIZE_MAX, &ptx));
  assert_null(ptx);
  assert_null(fat_binary_ptx("x", 1, &ptx));
  assert_null(ptx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_newest_ptx),
      cmocka_unit_test(without_ptx),
      cmocka_unit_test(damaged),
      cmocka_unit_test(other_images),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
