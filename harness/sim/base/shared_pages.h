/* shared_pages.h: memory that two processes have mapped, whose size neither can change.
 *
 * Whoever was sent the descriptor may keep the pages for ever. So those that are no longer needed
 * are used again, whatever device they were of, and there is a limit on all that the process ever
 * made.
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

/* Zeros. False, with errno set, if there are none. */
bool shared_pages_make(struct shared_pages *pages, size_t bytes, const char *name);
void shared_pages_close(struct shared_pages *pages);

/* At least so many bytes, with anything in them: spare ones, or made now, if all that were ever
 * made so are no more than the limit then. False if there are none. */
bool shared_pages_take(struct shared_pages *pages, size_t bytes, size_t limit);
/* They are spare from now on, and their memory is free until they are used again. */
void shared_pages_spare(struct shared_pages *pages);

#endif
