/* work.c: see work.h. */
#include "work.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

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
  if (geteuid() == 0 && chmod(work_folder, 0711) != 0)
    die("%s: %s", work_folder, strerror(errno));
  atexit(work_remove);
  return work_folder;
}
