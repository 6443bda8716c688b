/* unpack.c: reads an archive into memory, or refuses it. */
#include "grader/class/intake/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grader/base/text.h"
#include "grader/class/people/identity.h"

static const size_t small = 1 << 20; /* below this nobody calls it a bomb */

bool unpack_ends_with(const char *string, const char *end) {
  size_t length = strlen(string), wanted = strlen(end);
  return length > wanted && strcasecmp(string + length - wanted, end) == 0;
}

static bool ends_with_any(const char *path, const char *const *ends) {
  while (*ends && !unpack_ends_with(path, *ends)) ends++;
  return *ends != NULL;
}

bool unpack_is_archive(const char *path) {
  static const char *const ends[] = {".zip",    ".tar", ".tar.gz",  ".tgz", ".tar.bz2", ".tbz2",
                                     ".tar.xz", ".txz", ".tar.zst", ".7z",  NULL};
  return ends_with_any(path, ends);
}

bool unpack_is_header(const char *path) {
  static const char *const ends[] = {".h", ".hh", ".hpp", ".cuh", ".inl", ".inc", NULL};
  return ends_with_any(path, ends);
}

bool unpack_matters(const char *path) {
  return unpack_ends_with(path, ".cu") || unpack_is_header(path) || unpack_is_archive(path);
}

const struct unpack_limits unpack_submission = {.entries = 2000,
                                                .file_bytes = 8 << 20,
                                                .all_bytes = 64 << 20,
                                                .ratio = 200,
                                                .wanted = unpack_matters};

bool unpack_is_clutter(const char *path) {
  static const char *const names[] = {".DS_Store", "Thumbs.db", "desktop.ini", ".localized"};
  if (strncmp(path, "__MACOSX/", 9) == 0 || strstr(path, "/__MACOSX/")) return true;
  const char *name = basename(path);
  if (strncmp(name, "._", 2) == 0) return true; /* resource forks */
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcasecmp(name, names[i]) == 0) return true;
  return false;
}

/* NULL, or why a path is refused. */
static const char *path_fault(const char *path) {
  if (!*path) return "has an entry without a name";
  if (*path == '/' || *path == '\\') return "has an absolute path";
  if (((*path | 32) >= 'a' && (*path | 32) <= 'z') && path[1] == ':') return "has an absolute path";
  for (const char *at = path; *at;) {
    size_t length = strcspn(at, "/\\");
    if (length == 2 && strncmp(at, "..", 2) == 0) return "has a path that leads out of it";
    at += length + (at[length] != '\0');
  }
  return NULL;
}

const char unpack_link_fault[] =
    "it is a symbolic link, which may lead anywhere: put the file itself there";

static const char *type_fault(struct archive_entry *entry) {
  if (archive_entry_hardlink(entry)) return "contains a hard link";
  switch (archive_entry_filetype(entry)) {
    case AE_IFREG:
    case AE_IFDIR:
      return NULL;
    case AE_IFLNK:
      return "contains a symbolic link";
    case AE_IFCHR:
    case AE_IFBLK:
      return "contains a device";
    case AE_IFIFO:
      return "contains a pipe";
    case AE_IFSOCK:
      return "contains a socket";
    default: /* some zips do not have it */
      return archive_entry_symlink(entry) ? "contains a symbolic link" : NULL;
  }
}

struct reading {
  struct archive *archive;
  const struct unpack_limits *limits;
  size_t own_bytes, bytes, entries;
  struct unpacked *to;
};

static void refuse(struct reading *reading, const char *why, const char *path) {
  if (reading->to->reason) return;
  autofree char *shown = path ? identity_clean(path) : NULL;
  reading->to->reason =
      shown ? xprintf("the archive %s: %.200s", why, shown) : xprintf("the archive %s", why);
}

/* What libarchive cannot read. */
static void refuse_damaged(struct reading *reading, const char *path) {
  const char *words = archive_error_string(reading->archive);
  if (words && (strstr(words, "ncrypt") || strcasestr(words, "passphrase"))) {
    refuse(reading, "is encrypted", NULL);
  } else {
    autofree char *why = xprintf("is damaged or cut off (%s)", words ? words : "it cannot be read");
    refuse(reading, why, path);
  }
}

/* Reads an entry's data, into memory if it is kept. */
static void take_data(struct reading *reading, const char *path, bool listed, bool keep,
                      const char *fault, struct archive_entry *entry) {
  struct text data = {0};
  autofree char *buffer = xcalloc(1, 65536);
  la_ssize_t got;
  while ((got = archive_read_data(reading->archive, buffer, 65536)) > 0) {
    reading->bytes += (size_t)got;
    if (reading->bytes > reading->limits->all_bytes ||
        (reading->bytes > small && reading->bytes / reading->limits->ratio > reading->own_bytes)) {
      refuse(reading, "is a bomb: it unpacks to more than anybody's source files need", NULL);
      break;
    }
    if (keep && data.length + (size_t)got > reading->limits->file_bytes) {
      fault = "it is too large";
      keep = false;
      if (reading->limits->of_many) continue;
      refuse(reading, "contains a file that is too large", path);
      break;
    }
    if (keep) text_append(&data, buffer, (size_t)got);
  }
  if (got < 0) refuse_damaged(reading, path);
  if (listed && !reading->to->reason) {
    struct unpacked *to = reading->to;
    *array_add(to->files, to->count) = (struct packed_file){
        .path = xstrdup(path),
        .fault = fault,
        .data = data.data ? data.data : xstrdup(""),
        .length = data.length,
        .modified = archive_entry_mtime_is_set(entry) ? (long long)archive_entry_mtime(entry) : 0};
  } else {
    text_free(&data);
  }
}

static void take_entry(struct reading *reading, struct archive_entry *entry) {
  const char *path = archive_entry_pathname(entry);
  if (!path) path = archive_entry_pathname_utf8(entry);
  if (!path) {
    refuse(reading, "has an entry whose name is not text", NULL);
    return;
  }
  if (++reading->entries > reading->limits->entries) {
    refuse(reading, "has too many entries", NULL);
    return;
  }
  bool link = reading->limits->of_many && archive_entry_filetype(entry) == AE_IFLNK;
  const char *fault = path_fault(path);
  if (!fault && !link) fault = type_fault(entry);
  if (!fault &&
      (archive_entry_is_data_encrypted(entry) || archive_entry_is_metadata_encrypted(entry)))
    fault = "is encrypted";
  if (fault) {
    refuse(reading, fault, path);
    return;
  }
  size_t length = strlen(path);
  bool folder = archive_entry_filetype(entry) == AE_IFDIR || path[length - 1] == '/';
  bool listed = (!folder || (reading->limits->of_many && path[length - 1] == '/')) &&
                !unpack_is_clutter(path);
  bool keep =
      listed && !folder && !link && (!reading->limits->wanted || reading->limits->wanted(path));
  take_data(reading, path, listed, keep, link ? unpack_link_fault : NULL, entry);
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const struct packed_file *)a)->path, ((const struct packed_file *)b)->path);
}

/* In the order of their names, so that nothing depends on the archive's. */
static void sort_files(struct reading *reading) {
  struct unpacked *to = reading->to;
  array_sort(to->files, to->count, by_path);
  for (int i = 1; i < to->count && !to->reason; i++)
    if (strcmp(to->files[i - 1].path, to->files[i].path) == 0)
      refuse(reading, "contains two files of the same name", to->files[i].path);
}

void unpack(const char *data, size_t length, const struct unpack_limits *limits,
            struct unpacked *unpacked) {
  *unpacked = (struct unpacked){0};
  struct reading reading = {
      .archive = archive_read_new(), .limits = limits, .own_bytes = length, .to = unpacked};
  if (!reading.archive) die("out of memory");
  /* By its directory: a zip that is cut off has none. */
  archive_read_support_format_zip_seekable(reading.archive);
  archive_read_support_format_tar(reading.archive);
  archive_read_support_format_7zip(reading.archive);
  archive_read_support_filter_gzip(reading.archive);
  archive_read_support_filter_bzip2(reading.archive);
  archive_read_support_filter_xz(reading.archive);
  archive_read_support_filter_zstd(reading.archive);
  int result = archive_read_open_memory(reading.archive, data, length);
  if (result != ARCHIVE_OK) refuse_damaged(&reading, NULL);
  struct archive_entry *entry;
  while (!unpacked->reason &&
         (result = archive_read_next_header(reading.archive, &entry)) != ARCHIVE_EOF) {
    if (result == ARCHIVE_FATAL || result == ARCHIVE_FAILED)
      refuse_damaged(&reading, NULL);
    else if (result != ARCHIVE_RETRY)
      take_entry(&reading, entry); /* a warning is about a name's characters */
  }
  if (!unpacked->reason && reading.entries == 0)
    refuse(&reading, length == 0 ? "is an empty file" : "is empty", NULL);
  sort_files(&reading);
  archive_read_free(reading.archive);
  if (unpacked->reason) {
    char *reason = unpacked->reason;
    unpacked->reason = NULL;
    unpack_free(unpacked);
    unpacked->reason = reason;
  }
}

void unpack_free(struct unpacked *unpacked) {
  for (int i = 0; i < unpacked->count; i++)
    free_all(unpacked->files[i].path, unpacked->files[i].data);
  free_all(unpacked->files, unpacked->reason);
  *unpacked = (struct unpacked){0};
}
