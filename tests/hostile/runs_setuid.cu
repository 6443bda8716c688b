// verdict: fail
// hazard: protocol
// Becomes a program with another user's rights, then a shell.
#include "attack.h"
static void attack() {
  if (geteuid() == 0) succeed("root");
  char *const shell[] = {(char *)"sh", (char *)"-c", (char *)"id -u; echo owned >/tmp/kit-hostile; cat /etc/shadow; exit 0", NULL};
  char *const su[] = {(char *)"su", (char *)"-c", (char *)"id", NULL};
  char *const nothing[] = {NULL};
  if (getenv("KIT_SHELL_FIRST")) execve("/bin/sh", shell, nothing);
  execve("/bin/su", su, nothing);
  execve("/usr/bin/passwd", su, nothing);
  execve("/bin/sh", shell, nothing);
  _exit(0);
}
