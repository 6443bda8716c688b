/* output.c: see output.h. */
#include "grader/base/output.h"

#include <errno.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/system.h"
#include "grader/base/text.h"

static bool is_stdout(const char *path) { return strcmp(path, "-") == 0; }

/* Where to write: the file itself, and whether it is one that a new file can take the place of
 * (a device or a pipe is written to). */
struct target {
  char *path;   /* symbolic links followed */
  char *folder; /* that it is in */
  bool replace;
};

/* Returns 0, or -1 with errno set. */
static int target_find(const char *path, struct target *target) {
  struct stat status;
  bool there = stat(path, &status) == 0;
  if (there && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    return -1;
  }
  if (!*path || path[strlen(path) - 1] == '/') {
    errno = *path ? EISDIR : ENOENT;
    return -1;
  }
  char *copy = xstrdup(path), *folder = realpath(dirname(copy), NULL);
  free(copy);
  if (!folder) return -1;
  copy = xstrdup(path);
  char *real = there ? realpath(path, NULL) : xprintf("%s/%s", folder, basename(copy));
  free(copy);
  if (there && real) {
    free(folder);
    copy = xstrdup(real);
    folder = xstrdup(dirname(copy));
    free(copy);
  }
  *target = (struct target){real ? real : xstrdup(path), folder, !there || S_ISREG(status.st_mode)};
  return 0;
}

static void target_free(struct target *target) { free_all(target->path, target->folder); }

void output_check(const char *option, const char *path) {
  struct target target;
  if (!path || is_stdout(path)) return;
  if (target_find(path, &target) != 0 ||
      access(target.replace ? target.folder : target.path, W_OK) != 0)
    die("%s %s: %s", option, path, strerror(errno));
  target_free(&target);
}

static bool write_to(const struct target *target, const char *bytes, size_t length) {
  if (target->replace) return file_try_write(target->path, bytes, length);
  FILE *file = fopen(target->path, "we");
  if (!file) return false;
  bool written = fwrite(bytes, 1, length, file) == length;
  return fclose(file) == 0 && written;
}

void output_write(const char *option, const char *path, const char *bytes, size_t length) {
  struct target target = {0};
  if (is_stdout(path)) {
    fwrite(bytes, 1, length, stdout);
    if (fflush(stdout) != 0 || ferror(stdout))
      die("%s: cannot write to stdout: %s", option, strerror(errno));
  } else if (target_find(path, &target) != 0 || !write_to(&target, bytes, length)) {
    die("%s %s: %s", option, path, strerror(errno));
  }
  target_free(&target);
}

char *output_folder(const char *path) {
  struct target target = {0};
  if (is_stdout(path) || target_find(path, &target) != 0) return NULL;
  char *folder = target.folder;
  free(target.path);
  return folder;
}
