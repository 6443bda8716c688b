/* record.c: stands between a runner and its device, and writes what the runner says into
 * $KIT_RECORD: a seed for fuzz_wire.
 *
 *     KIT_RECORD=FILE KIT_DEVICE=build/fuzz/record build/sim/lab2 --time=1 M=8
 *
 * Starts build/device itself, and passes on bytes and the descriptor of the first message.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUNNER_FD = 5 };

/* Passes on what has come; 0 at the end. */
static ssize_t pass_on(int from, int to, int record) {
  char bytes[65536], control[CMSG_SPACE(sizeof(int))];
  struct iovec part = {bytes, sizeof bytes};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  ssize_t got = recvmsg(from, &message, 0);
  if (got <= 0) return 0;
  if (record >= 0 && write(record, bytes, (size_t)got) != got) exit(2);
  part.iov_len = (size_t)got;
  if (!message.msg_controllen) message.msg_control = NULL;
  return sendmsg(to, &message, MSG_NOSIGNAL) == got ? got : 0;
}

int main(void) {
  const char *path = getenv("KIT_RECORD");
  int ends[2], record = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : -1;
  if (record < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
    fputs("record: KIT_RECORD names no file that can be written\n", stderr);
    return 2;
  }
  if (fork() == 0) {
    dup2(ends[1], RUNNER_FD);
    close(ends[0]);
    execl("build/device", "device", "--serve", (char *)NULL);
    _exit(2);
  }
  close(ends[1]);
  struct pollfd both[2] = {{RUNNER_FD, POLLIN, 0}, {ends[0], POLLIN, 0}};
  for (bool open = true; open && poll(both, 2, -1) > 0;) {
    if (both[0].revents && !pass_on(RUNNER_FD, ends[0], record)) open = false;
    if (both[1].revents && !pass_on(ends[0], RUNNER_FD, -1)) open = false;
  }
  return 0;
}
