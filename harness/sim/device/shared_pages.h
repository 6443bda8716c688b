/* shared_pages.h: memory that two processes have mapped, whose size neither can change. */
#ifndef KIT_SHARED_PAGES_H
#define KIT_SHARED_PAGES_H

#include <stddef.h>

/* Zeros. *descriptor: what the other process maps; the caller's. NULL, with errno set, if there is none. */
void *shared_pages_make(size_t bytes, const char *name, int *descriptor);

#endif
