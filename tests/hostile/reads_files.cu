// verdict: fail
// hazard: wrong
// The machine's secrets, the kit's answers, other people's work.
#include "attack.h"
static void look(const char *path) {
  char byte;
  int fd = open(path, O_RDONLY | O_NONBLOCK);
  if (fd >= 0 && read(fd, &byte, 1) == 1) succeed(path);
}
static void attack() {
  const char *const files[] = {"/etc/shadow", "/etc/passwd", "/etc/hostname", "/root/.bashrc", "/root/.ssh/id_rsa", "/proc/1/environ",
                               "/proc/1/cmdline2", "/var/log/dpkg.log", "/proc/kcore", "/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/sda", "/proc/sysrq-trigger"};
  for (const char *file : files) look(file);
  char path[4096];
  snprintf(path, sizeof path, "/proc/%d/environ", getppid());
  look(path);
  const char *const ours[] = {"solutions/lab1_global/lab1.cu", "labs/lab1_global/lab.conf", "labs/lab1_global/hidden.conf",
                              "labs/lab1_global/lab1.cu", "grades/gradebook.sqlite", "build/grade", "Makefile", "tests/run"};
  const char *const roots[] = {kit(), "/kit", "..", "../..", "../../..", "/source", "/proc/self/cwd/.."};
  for (const char *root : roots)
    for (const char *file : ours) {
      snprintf(path, sizeof path, "%s/%s", root, file);
      look(path);
    }
  look(canary());
}
