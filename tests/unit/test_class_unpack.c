/* test_class_unpack.c: archives that somebody handed in, good ones and hostile ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <archive.h>
#include <archive_entry.h>

#include "grader/base/text.h"
#include "grader/class/intake/unpack.h"

/* An archive in memory, made entry by entry. */
struct packer {
  struct archive *archive;
  char *data;
  size_t used;
};

enum { ROOM = 8 << 20 };

static void begin(struct packer *packer, bool tar) {
  packer->data = calloc(1, ROOM);
  packer->archive = archive_write_new();
  if (tar)
    archive_write_set_format_pax_restricted(packer->archive);
  else
    archive_write_set_format_zip(packer->archive);
  archive_write_open_memory(packer->archive, packer->data, ROOM, &packer->used);
}

static void add(struct packer *packer, const char *path, unsigned type, const char *text,
                size_t length, const char *link, bool hard) {
  struct archive_entry *entry = archive_entry_new();
  archive_entry_set_pathname(entry, path);
  archive_entry_set_filetype(entry, type);
  archive_entry_set_perm(entry, 0644);
  archive_entry_set_mtime(entry, 1700000000, 0);
  if (hard) archive_entry_set_hardlink(entry, link);
  if (link && !hard) archive_entry_set_symlink(entry, link);
  archive_entry_set_size(entry, type == AE_IFREG && !hard ? (la_int64_t)length : 0);
  archive_write_header(packer->archive, entry);
  if (length) archive_write_data(packer->archive, text, length);
  archive_entry_free(entry);
}

static void add_file(struct packer *packer, const char *path, const char *text) {
  add(packer, path, AE_IFREG, text, strlen(text), NULL, false);
}

static void end(struct packer *packer) {
  archive_write_close(packer->archive);
  archive_write_free(packer->archive);
}

/* Ends the archive; it must be refused with these words. */
static void refused(struct packer *packer, const char *words) {
  end(packer);
  struct unpacked unpacked;
  unpack(packer->data, packer->used, &unpack_submission, &unpacked);
  free(packer->data);
  if (!unpacked.reason) fail_msg("not refused: %s", words);
  if (!strstr(unpacked.reason, words))
    fail_msg("refused for '%s', not '%s'", unpacked.reason, words);
  assert_int_equal(unpacked.count, 0);
  unpack_free(&unpacked);
}

static void test_good(void **state) {
  (void)state;
  for (int tar = 0; tar < 2; tar++) {
    struct packer packer;
    begin(&packer, tar);
    add(&packer, "hw/", AE_IFDIR, "", 0, NULL, false);
    add_file(&packer, "hw/lab2.cu", "int x;\n");
    add_file(&packer, "hw/.DS_Store", "junk");
    add_file(&packer, "__MACOSX/hw/._lab2.cu", "junk");
    add_file(&packer, "a.txt", "");
    end(&packer);
    struct unpacked unpacked;
    unpack(packer.data, packer.used, &unpack_submission, &unpacked);
    assert_null(unpacked.reason);
    assert_int_equal(unpacked.count, 2);
    assert_string_equal(unpacked.files[0].path, "a.txt");
    assert_string_equal(unpacked.files[1].path, "hw/lab2.cu");
    assert_string_equal(unpacked.files[1].data, "int x;\n");
    assert_true(unpacked.files[1].modified > 1699900000 && unpacked.files[1].modified < 1700100000);
    unpack_free(&unpacked);
    free(packer.data);
  }
}

static void test_paths(void **state) {
  (void)state;
  static const struct {
    const char *path, *words;
  } paths[] = {{"../lab2.cu", "leads out"},  {"a/../../lab2.cu", "leads out"},
               {"..\\lab2.cu", "leads out"}, {"/etc/lab2.cu", "absolute"},
               {"C:\\lab2.cu", "absolute"},  {"\\lab2.cu", "absolute"}};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    struct packer packer;
    begin(&packer, false);
    add_file(&packer, "good.cu", "int x;");
    add_file(&packer, paths[i].path, "int y;");
    refused(&packer, paths[i].words);
  }
}

static void test_types(void **state) {
  (void)state;
  struct packer packer;
  begin(&packer, true);
  add(&packer, "lab2.cu", AE_IFLNK, "", 0, "/etc/passwd", false);
  refused(&packer, "symbolic link");
  begin(&packer, false);
  add(&packer, "lab2.cu", AE_IFLNK, "/etc/passwd", 11, "/etc/passwd", false);
  refused(&packer, "symbolic link");
  begin(&packer, true);
  add_file(&packer, "a.cu", "int x;");
  add(&packer, "lab2.cu", AE_IFREG, "", 0, "a.cu", true);
  refused(&packer, "hard link");
  begin(&packer, true);
  add(&packer, "lab2.cu", AE_IFCHR, "", 0, NULL, false);
  refused(&packer, "device");
  begin(&packer, true);
  add(&packer, "lab2.cu", AE_IFIFO, "", 0, NULL, false);
  refused(&packer, "pipe");
}

static void test_bombs(void **state) {
  (void)state;
  struct packer packer;
  size_t size = 40 << 20;
  autofree char *zeros = calloc(1, size);
  begin(&packer, false);
  add(&packer, "x.bin", AE_IFREG, zeros, size, NULL, false);
  refused(&packer, "bomb");
  begin(&packer, false);
  autofree char *noise = malloc(9 << 20);
  for (size_t i = 0; i < 9 << 20; i++)
    noise[i] = (char)(i * 2654435761u >> 13 & (i % 5 ? 15 : 255));
  add(&packer, "x.cu", AE_IFREG, noise, 9 << 20, NULL, false);
  refused(&packer, "too large");
  begin(&packer, false);
  for (int i = 0; i < 2100; i++) {
    char name[32];
    snprintf(name, sizeof name, "f%d", i);
    add_file(&packer, name, "");
  }
  refused(&packer, "too many entries");
  begin(&packer, false);
  add_file(&packer, "lab2.cu", "int x;");
  add_file(&packer, "lab2.cu", "int y;");
  refused(&packer, "same name");
  begin(&packer, false);
  refused(&packer, "");
}

/* A zip's central directory may contradict its entries; encrypted ones set bit 0 of the flags. */
static void test_damaged(void **state) {
  (void)state;
  struct packer packer;
  begin(&packer, false);
  add_file(&packer, "lab2.cu", "int x; int y; int z;");
  end(&packer);
  struct unpacked unpacked;
  for (size_t length = 0; length < packer.used; length += 7) {
    unpack(packer.data, length, &unpack_submission, &unpacked);
    assert_non_null(unpacked.reason);
    unpack_free(&unpacked);
  }
  for (size_t i = 0; i + 10 < packer.used; i++) {
    if (memcmp(packer.data + i, "PK\1\2", 4) == 0) packer.data[i + 8] |= 1;
    if (memcmp(packer.data + i, "PK\3\4", 4) == 0) packer.data[i + 6] |= 1;
  }
  unpack(packer.data, packer.used, &unpack_submission, &unpacked);
  assert_non_null(unpacked.reason);
  assert_non_null(strstr(unpacked.reason, "encrypted"));
  unpack_free(&unpacked);
  free(packer.data);
}

/* Random bytes changed: any verdict, no crash (sanitizers look on). */
static void test_noise(void **state) {
  (void)state;
  struct packer packer;
  begin(&packer, false);
  add_file(&packer, "lab2.cu", "int x; int y; int z;");
  add_file(&packer, "b/lab1.cu", "int x; int y; int z;");
  end(&packer);
  autofree char *copy = malloc(packer.used);
  unsigned random = 1;
  for (int round = 0; round < 500; round++) {
    memcpy(copy, packer.data, packer.used);
    for (int i = 0; i < 1 + round % 5; i++) {
      random = random * 1664525 + 1013904223;
      copy[(random >> 8) % packer.used] = (char)(random >> 3);
    }
    struct unpacked unpacked;
    unpack(copy, packer.used, &unpack_submission, &unpacked);
    assert_true(!unpacked.reason || unpacked.count == 0);
    unpack_free(&unpacked);
  }
  free(packer.data);
}

static void test_names(void **state) {
  (void)state;
  assert_true(unpack_is_archive("a/b.ZIP"));
  assert_true(unpack_is_archive("b.tar.gz"));
  assert_false(unpack_is_archive("zip"));
  assert_true(unpack_is_clutter("a/.DS_Store"));
  assert_true(unpack_is_clutter("__MACOSX/a/lab2.cu"));
  assert_false(unpack_is_clutter("a/lab2.cu"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_good),    cmocka_unit_test(test_paths),
                                     cmocka_unit_test(test_types),   cmocka_unit_test(test_bombs),
                                     cmocka_unit_test(test_damaged), cmocka_unit_test(test_noise),
                                     cmocka_unit_test(test_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
