/* work.c: makes and removes the private folder of a grading. */
#include "grader/run/work.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/text.h"

static char *work_folder; /* removed at exit, however that comes */

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *ftw) {
  (void)status, (void)type, (void)ftw;
  return remove(path);
}

void work_remove_folder(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

void work_remove(void) {
  if (work_folder) work_remove_folder(work_folder);
  free(work_folder);
  work_folder = NULL;
}

const char *work_make(const struct kit *kit) {
  const char *tmp = getenv("TMPDIR");
  work_folder = kit_path(kit, "build/grading-XXXXXX");
  if (!mkdtemp(work_folder)) {
    free(work_folder);
    work_folder = xprintf("%s/grading-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(work_folder)) {
      free(work_folder);
      work_folder = NULL;
      die("cannot make a temporary folder: %s", strerror(errno));
    }
  }
  work_folder = real_path(work_folder);
  /* The user of a sandbox has to get at its own folder within. */
  if (geteuid() == 0 && chmod(work_folder, 0711) != 0) die("%s: %s", work_folder, strerror(errno));
  /* Held until this process ends, however that comes: it tells work_sweep that we are at work. */
  int held = open(work_folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (held >= 0) flock(held, LOCK_SH);
  atexit(work_remove);
  return work_folder;
}

void work_sweep(const struct kit *kit) {
  autofree char *pattern = kit_path(kit, "build/grading-*");
  glob_t found = {0};
  glob(pattern, GLOB_NOSORT, NULL, &found);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    struct stat status;
    int fd = open(found.gl_pathv[i], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) continue;
    /* One that was just made may not be held yet. */
    if (fstat(fd, &status) == 0 && status.st_uid == geteuid() &&
        time(NULL) - status.st_mtime > 60 && flock(fd, LOCK_EX | LOCK_NB) == 0)
      work_remove_folder(found.gl_pathv[i]);
    close(fd);
  }
  globfree(&found);
}
