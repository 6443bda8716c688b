/* system.c: one clock, one source of random numbers, one loop around write(). */
#include "grader/base/system.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

double clock_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void random_bytes(void *to, size_t length) {
  if (getrandom(to, length, 0) != (ssize_t)length) die("no random numbers: %s", strerror(errno));
}

uint64_t random_number(void) {
  uint64_t number;
  random_bytes(&number, sizeof number);
  return number;
}

void read_all(int fd, size_t max, struct text *to) {
  char buffer[65536];
  ssize_t got;
  for (size_t at = 0; at < max; at += (size_t)got) {
    size_t room = max - at < sizeof buffer ? max - at : sizeof buffer;
    if ((got = pread(fd, buffer, room, (off_t)at)) <= 0) return;
    text_append(to, buffer, (size_t)got);
  }
}

bool write_all(int fd, const void *bytes, size_t length) {
  const char *at = bytes;
  while (length > 0) {
    ssize_t written = write(fd, at, length);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    at += written;
    length -= (size_t)written;
  }
  return true;
}
