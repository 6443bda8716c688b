/* build_files.c: copies the submission and the headers beside it, and nothing else. */
#include "grader/run/build.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/system.h"
#include "grader/base/text.h"

enum { MAX_HEADERS = 64, HEADER_BYTES = 1 << 20 };

/* Copies a plain file of at most `max` bytes. Returns 0 or an errno. */
static int copy(int from, const char *path, uint64_t max) {
  struct stat status;
  if (fstat(from, &status) != 0) return errno;
  if (!S_ISREG(status.st_mode)) return EINVAL;
  if ((uint64_t)status.st_size > max) return EFBIG;
  int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0444);
  if (to < 0) return errno;
  fchmod(to, 0444); /* also for the user of a sandbox, whatever the umask */
  char buffer[65536];
  ssize_t got;
  int error = 0;
  while (!error && (got = read(from, buffer, sizeof buffer)) != 0)
    if (got < 0 || !write_all(to, buffer, (size_t)got)) error = errno;
  close(to);
  return error;
}

static bool is_header(const char *name) {
  static const char *const endings[] = {".h", ".hh", ".hpp", ".cuh", ".inl", ".inc"};
  const char *dot = strrchr(name, '.');
  for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
    if (strcmp(dot, endings[i]) == 0) return true;
  return false;
}

static void copy_headers(const char *beside, const char *folder) {
  DIR *entries = opendir(beside);
  if (!entries) return;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(entries)) != NULL && count < MAX_HEADERS;) {
    if (entry->d_name[0] == '.' || !is_header(entry->d_name)) continue;
    int from =
        openat(dirfd(entries), entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (from < 0) continue;
    autofree char *path = xprintf("%s/%s", folder, entry->d_name);
    if (copy(from, path, HEADER_BYTES) == 0) count++;
    close(from);
  }
  closedir(entries);
}

char *build_files_copy(const char *source, bool headers_too, const char *folder) {
  const char *slash = strrchr(source, '/');
  char *name = xstrdup(slash ? slash + 1 : source);
  for (char *c = name; *c; c++)
    if ((unsigned char)*c < ' ' || strchr("\"'\\\177", *c)) *c = '_';
  autofree char *path = xprintf("%s/%s", folder, name);
  int from = open(source, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  int error = from < 0 ? errno : copy(from, path, UINT64_MAX);
  if (error) die("%s: %s", source, strerror(error));
  close(from);
  if (headers_too) {
    autofree char *beside =
        slash ? xprintf("%.*s", (int)(slash - source) + 1, source) : xstrdup(".");
    copy_headers(beside, folder);
  }
  return name;
}
