/* exchange.c: writes and reads the frames of the grader's jobs and reports on a file descriptor. */
#include "harness/base/exchange.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int write_all(int fd, const void *data, size_t bytes) {
  const char *at = data;
  while (bytes > 0) {
    ssize_t n = write(fd, at, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return -1;
    at += n;
    bytes -= (size_t)n;
  }
  return 0;
}

/* Returns the bytes read: less than asked only at the end of the file or after an error. */
static size_t read_all(int fd, void *data, size_t bytes) {
  size_t got = 0;
  while (got < bytes) {
    ssize_t n = read(fd, (char *)data + got, bytes - got);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    got += (size_t)n;
  }
  return got;
}

void exchange_wait(void) {
  char byte;
  read_all(EXCHANGE_START_FD, &byte, 1);
  close(EXCHANGE_START_FD);
}

int frame_write(int fd, enum frame_type type, uint64_t token, const void *payload, size_t bytes) {
  struct frame_header header = {{'K', 'I', 'T', '1'}, type, token, bytes};
  if (write_all(fd, &header, sizeof header) != 0) return -1;
  return write_all(fd, payload, bytes);
}

int frame_read(int fd, struct frame_header *header, void **payload, size_t limit) {
  *payload = NULL;
  size_t got = read_all(fd, header, sizeof *header);
  if (got == 0) return 0;
  if (got < sizeof *header || memcmp(header->magic, "KIT1", 4) != 0 || header->bytes > limit)
    return -1;
  char *data = malloc(header->bytes + 1);
  if (!data) return -1;
  if (read_all(fd, data, header->bytes) < header->bytes) {
    free(data);
    return -1;
  }
  data[header->bytes] = '\0';
  *payload = data;
  return 1;
}
