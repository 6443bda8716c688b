// verdict: fail
// hazard: wrong
// slow: see reads_files.cu
// The names of files: of homes, of temporary files, of the grader's folder.
#include "attack.h"
static void attack() {
  char here[4096];
  snprintf(here, sizeof here, "%s/build", kit());
  const char *const folders[] = {"/home", "/root", "/var", "/etc/ssh", "/run", "/srv", "/mnt", kit(), here, "/proc/1/fd", "/proc/1/cwd", "/dev/shm"};
  for (const char *folder : folders) {
    DIR *open = *folder ? opendir(folder) : NULL;
    for (dirent *entry; open && (entry = readdir(open)) != NULL;)
      if (entry->d_name[0] != '.') succeed(folder);
  }
}
