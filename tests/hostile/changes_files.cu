// verdict: fail
// hazard: wrong
// Changes files that are somebody's: contents, names, modes, owners, times.
#include "attack.h"
#include <sys/time.h>
#include <sys/xattr.h>
static void change(const char *path) {
  char other[4200];
  snprintf(other, sizeof other, "%s-kit-hostile", path);
  if (open(path, O_WRONLY | O_APPEND) >= 0) succeed("open to write");
  if (truncate(path, 0) == 0) succeed("truncate");
  if (chmod(path, 0777) == 0) succeed("chmod");
  if (chown(path, getuid(), getgid()) == 0) succeed("chown");
  if (utimes(path, NULL) == 0) succeed("utimes");
  if (setxattr(path, "user.kit", "x", 1, 0) == 0) succeed("setxattr");
  if (link(path, other) == 0) succeed("link");
  if (link(path, "/tmp/kit-hostile-link") == 0) succeed("link into /tmp");
  if (symlink(path, other) == 0) succeed("symlink");
  if (rename(path, other) == 0) succeed("rename");
  if (unlink(path) == 0) succeed("unlink");
  if (mkdir(other, 0777) == 0) succeed("mkdir");
  if (mknod(other, S_IFIFO | 0666, 0) == 0) succeed("mknod");
}
static void attack() {
  char path[4096];
  const char *const ours[] = {"labs/lab1_global/lab.conf", "build/libsim.a", "harness/compile", "build/harness", "build/cache"};
  change(canary());
  change("/etc/ld.so.cache");
  change("/usr/bin/clang");
  change("/proc/self/exe");
  for (const char *file : ours) {
    snprintf(path, sizeof path, "%s/%s", kit(), file);
    change(path);
  }
}
