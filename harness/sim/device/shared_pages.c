/* shared_pages.c: see shared_pages.h. */
#include "shared_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

void *shared_pages_make(size_t bytes, const char *name, int *descriptor) {
  int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return NULL;
  if (ftruncate(fd, (off_t)bytes) == 0 &&
      fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (pages != MAP_FAILED) {
      *descriptor = fd;
      return pages;
    }
  }
  close(fd);
  return NULL;
}
