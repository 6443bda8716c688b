/* file.c: reads and replaces whole files. */
#include "grader/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/text.h"

char *file_read(const char *path, size_t *length) {
  FILE *file = fopen(path, "rbe");
  if (!file) return NULL;
  struct text text = {0};
  char buffer[65536];
  size_t got;
  while ((got = fread(buffer, 1, sizeof buffer, file)) > 0) text_append(&text, buffer, got);
  int error = ferror(file) ? (errno ? errno : EIO) : 0; /* a directory opens, but does not read */
  fclose(file);
  if (error) {
    text_free(&text);
    errno = error;
    return NULL;
  }
  text_append(&text, "", 0);
  if (length) *length = text.length;
  return text.data;
}

bool file_create(struct new_file *file, const char *path) {
  const char *name = basename(path);
  *file = (struct new_file){.path = xstrdup(path)};
  file->temporary = xprintf("%.*s.%s.XXXXXX", (int)(name - path), path, name);
  int fd = mkostemp(file->temporary, O_CLOEXEC);
  if (fd >= 0 && (file->stream = fdopen(fd, "w"))) return true;
  int why = errno;
  if (fd >= 0) {
    unlink(file->temporary);
    close(fd);
  }
  free_all(file->temporary, file->path);
  errno = why;
  return false;
}

bool file_commit(struct new_file *file) {
  int fd = fileno(file->stream), why = 0;
  mode_t mask = umask(0);
  umask(mask);
  errno = 0;
  if (fflush(file->stream) != 0 || ferror(file->stream) || fchmod(fd, 0666 & ~mask) != 0 ||
      fsync(fd) != 0)
    why = errno ? errno : EIO;
  if (fclose(file->stream) != 0 && !why) why = errno;
  if (!why && rename(file->temporary, file->path) != 0) why = errno;
  if (why) unlink(file->temporary);
  free_all(file->temporary, file->path);
  errno = why;
  return why == 0;
}

bool file_try_write(const char *path, const char *bytes, size_t length) {
  struct new_file file;
  if (!file_create(&file, path)) return false;
  fwrite(bytes, 1, length, file.stream);
  return file_commit(&file);
}

void file_write(const char *path, const char *bytes, size_t length) {
  if (!file_try_write(path, bytes, length)) die("%s: %s", path, strerror(errno));
}

uint64_t hash_file(uint64_t hash, const char *path) {
  size_t length = 0;
  autofree char *bytes = path ? file_read(path, &length) : NULL;
  hash = hash_bytes(hash, &length, sizeof length);
  return bytes ? hash_bytes(hash, bytes, length) : hash;
}

void folder_make(const char *path) {
  if (mkdir(path, 0777) != 0 && errno != EEXIST) die("%s: %s", path, strerror(errno));
}

char *real_path(char *path) {
  char *real = realpath(path, NULL);
  if (!real) return path;
  free(path);
  return real;
}
