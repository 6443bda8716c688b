// verdict: fail
// hazard: wrong
// slow: see kills_everybody.cu
// Into the memory of another process: by ptrace, by its calls, by /proc.
#include "attack.h"
#include <sys/ptrace.h>
#include <sys/uio.h>
static void attack() {
  pid_t pids[] = {getppid(), 1, 2, getpgrp()};
  for (pid_t pid : pids) {
    if (pid <= 0 || pid == getpid()) continue;
    if (ptrace(PTRACE_ATTACH, pid, 0, 0) == 0 || ptrace(PTRACE_SEIZE, pid, 0, 0) == 0) succeed("ptrace");
    char byte;
    iovec here = {&byte, 1}, there = {(void *)attack, 1};
    if (process_vm_readv(pid, &here, 1, &there, 1, 0) == 1) succeed("process_vm_readv");
    const char *const files[] = {"mem", "environ", "maps", "fd", "root/etc/passwd", "cwd/Makefile"};
    for (const char *file : files) {
      char path[64];
      snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
      int fd = open(path, O_RDONLY);
      if (fd >= 0 && read(fd, &byte, 1) == 1) succeed(path);
      DIR *folder = strcmp(file, "fd") ? NULL : opendir(path);
      if (folder && readdir(folder)) succeed(path);
    }
  }
  if (ptrace(PTRACE_TRACEME, 0, 0, 0) == 0) succeed("being traced");
}
