/* shared_pages.h: memory that two processes have mapped, whose size neither can change.
 *
 * Whoever was sent the descriptor may keep the pages for ever. So those that are no longer needed
 * are used again, whatever device they were of, and there is a limit on all that were ever made.
 */
#ifndef KIT_SHARED_PAGES_H
#define KIT_SHARED_PAGES_H

#include <stdbool.h>
#include <stddef.h>

struct shared_pages {
  void *data; /* NULL: none */
  size_t bytes;
  int descriptor; /* what the other process maps */
};

/* Zeroed pages. False, with errno set, on failure. */
bool shared_pages_make(struct shared_pages *pages, size_t bytes, const char *name);
void shared_pages_close(struct shared_pages *pages);

/* At least so many bytes, with undefined contents: from the pool, or new ones if the total ever
 * made stays within the limit. False if there are none. */
bool shared_pages_take(struct shared_pages *pages, size_t bytes, size_t limit);
/* Returns pages to the pool; their memory is freed until they are used again. */
void shared_pages_spare(struct shared_pages *pages);

#endif
