// verdict: fail
// hazard: wrong
// Parts of the kernel that no lab needs, many of which have let programs out before.
#include "attack.h"
#include <sched.h>
#include <sys/mount.h>
static void attack() {
  char zeros[256] = {0};
  const int flags[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS};
  for (int flag : flags)
    if (unshare(flag) == 0) succeed("unshare");
  if (setns(0, 0) == 0) succeed("setns");
  if (mount("none", "/tmp", "tmpfs", 0, NULL) == 0 || umount2("/proc", MNT_DETACH) == 0) succeed("mount");
  if (chroot("/tmp") == 0) succeed("chroot");
  const struct {
    const char *name;
    int number;
  } calls[] = {{"io_uring_setup", 425}, {"bpf", SYS_bpf}, {"userfaultfd", SYS_userfaultfd}, {"perf_event_open", SYS_perf_event_open},
               {"add_key", SYS_add_key}, {"keyctl", SYS_keyctl}, {"fsopen", 430}, {"fanotify_init", SYS_fanotify_init},
               {"open_by_handle_at", SYS_open_by_handle_at}, {"init_module", SYS_init_module}, {"kexec_load", 246}};
  for (auto &one : calls) {
    errno = 0;
    long result = syscall(one.number, 1L, zeros, sizeof zeros, 0L, 0L);
    if (result >= 0 || (errno != EPERM && errno != ENOSYS)) succeed(one.name);
  }
  if (syscall(SYS_personality, 0x0040000L) >= 0) succeed("personality");
  if (setuid(0) == 0 && getuid() == 0) succeed("root");
  if (nice(-5) >= 0 && errno == 0) succeed("nice");
}
