/* turn.c: a lock on a file (flock), shared or exclusive. */
#include "grader/run/execute.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "grader/base/progress.h"
#include "grader/sandbox/process.h"

/* For reading: enough for a lock, also on a file that another user has made. */
static int open_lock(const char *file) {
  int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) fd = open(file, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  return fd;
}

int turn_take(const char *file, enum turn turn) {
  int fd = open_lock(file);
  if (fd < 0) return -1;
  int wanted = (turn == TURN_ALONE ? LOCK_EX : LOCK_SH) | LOCK_NB;
  while (flock(fd, wanted) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      close(fd);
      return -1;
    }
    progress_show("waiting for the GPU, which other gradings are using", "", 0, 0);
    process_pause(0.02);
  }
  return fd;
}

void turn_end(int taken) {
  if (taken >= 0) close(taken);
}
