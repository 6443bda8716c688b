/* result.c: stores grades as JSON, packed by gzip (through libarchive, which is there anyway). */
#include "grader/class/base/gradebook.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

static _Noreturn void fail(struct archive *archive) {
  die("a result cannot be packed or unpacked: %s", archive_error_string(archive));
}

/* The caller's; *length bytes. */
static char *pack(const char *json, size_t *length) {
  size_t size = strlen(json), room = size + size / 8 + 1024;
  char *packed = xcalloc(1, room);
  struct archive *archive = archive_write_new();
  struct archive_entry *entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_pathname(entry, "json");
  /* Without its time, so that the same grade is the same bytes. */
  if (archive_write_add_filter_gzip(archive) != ARCHIVE_OK ||
      archive_write_set_format_raw(archive) != ARCHIVE_OK ||
      archive_write_set_options(archive, "compression-level=1,!timestamp") != ARCHIVE_OK ||
      archive_write_set_bytes_in_last_block(archive, 1) != ARCHIVE_OK ||
      archive_write_open_memory(archive, packed, room, length) != ARCHIVE_OK ||
      archive_write_header(archive, entry) != ARCHIVE_OK ||
      archive_write_data(archive, json, size) != (la_ssize_t)size ||
      archive_write_close(archive) != ARCHIVE_OK)
    fail(archive);
  archive_write_free(archive);
  archive_entry_free(entry);
  return packed;
}

static char *unpack(const void *packed, size_t length) {
  struct archive *archive = archive_read_new();
  struct archive_entry *entry;
  struct text json = {0};
  char buffer[65536];
  la_ssize_t got;
  if (archive_read_support_filter_gzip(archive) != ARCHIVE_OK ||
      archive_read_support_format_raw(archive) != ARCHIVE_OK ||
      archive_read_open_memory(archive, packed, length) != ARCHIVE_OK ||
      archive_read_next_header(archive, &entry) != ARCHIVE_OK)
    fail(archive);
  while ((got = archive_read_data(archive, buffer, sizeof buffer)) > 0)
    text_append(&json, buffer, (size_t)got);
  if (got < 0) fail(archive);
  archive_read_free(archive);
  return json.data ? json.data : xstrdup("");
}

void result_store(struct gradebook *book, const char *work, const char *json) {
  size_t length;
  autofree char *packed = pack(json, &length);
  gradebook_run(book, "INSERT OR REPLACE INTO result VALUES(?1, ?2)", "sb", work, packed, length);
}

char *result_column(sqlite3_stmt *rows, int column) {
  switch (sqlite3_column_type(rows, column)) {
    case SQLITE_NULL:
      return NULL;
    case SQLITE_BLOB: {
      const void *packed = sqlite3_column_blob(rows, column);
      return unpack(packed, (size_t)sqlite3_column_bytes(rows, column));
    }
    default:
      return row_copy(rows, column);
  }
}

char *result_read(struct gradebook *book, const char *work) {
  sqlite3_stmt *rows = gradebook_query(book, "SELECT json FROM result WHERE work=?1", "s", work);
  char *json = NULL;
  while (row_next(rows)) json = result_column(rows, 0);
  return json;
}
