// verdict: fail
// hazard: wrong
// Fills whatever can be written to: 16 MiB of a /tmp of its own is all that it gets.
#include "attack.h"
static void attack() {
  static char block[1 << 20];
  static const char *const folders[] = {"/tmp", ".", "/work", "/var/tmp", "/dev/shm", "/run", "/home", "/", "/proc/self/cwd"};
  long long megabytes = 0;
  for (int f = 0; f < 9; f++) {
    for (int n = 0; n < 20; n++) {
      char path[256];
      snprintf(path, sizeof path, "%s/kit-hostile-%d", folders[f], n);
      int fd = open(path, O_WRONLY | O_CREAT, 0644);
      if (fd < 0) break;
      for (int i = 0; i < 40; i++) {
        ssize_t put = write(fd, block, sizeof block);
        if (put <= 0) break;
        megabytes += put >> 20;
      }
      close(fd);
    }
  }
  if (megabytes > 64) succeed("64 MiB of disk");
}
