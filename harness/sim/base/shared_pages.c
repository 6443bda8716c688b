/* shared_pages.c: shared memory of fixed size (memfd with seals), with a pool of pages to reuse. */
#include "harness/sim/base/shared_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/sim/base/hold.h"

bool shared_pages_make(struct shared_pages *pages, size_t bytes, const char *name) {
  int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  *pages = (struct shared_pages){0};
  if (fd < 0) return false;
  if (ftruncate(fd, (off_t)bytes) == 0 &&
      fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
    void *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (data != MAP_FAILED) {
      *pages = (struct shared_pages){data, bytes, fd};
      return true;
    }
  }
  close(fd);
  return false;
}

void shared_pages_close(struct shared_pages *pages) {
  if (!pages->data) return;
  munmap(pages->data, pages->bytes);
  close(pages->descriptor);
  *pages = (struct shared_pages){0};
}

/* ---- spare ones ---- */

enum { MAX_SPARE = 128 };
static struct shared_pages spare[MAX_SPARE];
static int spare_count;
static size_t bytes_made;
static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;

bool shared_pages_take(struct shared_pages *pages, size_t bytes, size_t limit) {
  enum { LITTLE = 1 << 16 };
  HOLD(&spare_lock);
  struct shared_pages *best = NULL;
  for (int i = 0; i < spare_count; i++)
    if (spare[i].bytes >= bytes && (!best || spare[i].bytes < best->bytes)) best = &spare[i];
  bool fits = best && (best->bytes <= LITTLE || best->bytes / 2 <= bytes);
  bool room = bytes_made < limit && bytes <= limit - bytes_made;
  if (!fits && room && shared_pages_make(pages, bytes, "managed")) {
    bytes_made += bytes;
    return true;
  }
  if (!best) return false;
  *pages = *best;
  *best = spare[--spare_count];
  return true;
}

void shared_pages_spare(struct shared_pages *pages) {
  if (!pages->data) return;
  madvise(pages->data, pages->bytes, MADV_REMOVE);
  HOLD(&spare_lock);
  if (spare_count < MAX_SPARE) {
    spare[spare_count++] = *pages;
    *pages = (struct shared_pages){0};
  } else {
    shared_pages_close(pages);
  }
}
