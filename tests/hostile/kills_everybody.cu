// verdict: fail
// hazard: wrong
// Signals to every process but itself, by every call that sends them.
#include "attack.h"
static void attack() {
  pid_t self = getpid();
  for (pid_t pid = -1; pid < 40000; pid++) {
    if (pid == self || pid == 0 || pid == -self) continue;
    if (kill(pid, 0) == 0 || kill(pid, SIGKILL) == 0) succeed("kill");
    if (syscall(SYS_tgkill, pid, pid, SIGKILL) == 0 || syscall(SYS_tkill, pid, SIGKILL) == 0) succeed("tkill");
  }
  int fd = (int)syscall(SYS_pidfd_open, getppid() ? getppid() : 1, 0);
  if (fd >= 0) succeed("pidfd_open");
  if (fcntl(0, F_SETOWN, 1) == 0 && fcntl(0, F_SETFL, O_ASYNC) == 0 && getppid() != 1 && kill(getppid(), 0) == 0) succeed("F_SETOWN");
}
