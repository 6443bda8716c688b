/* allocations.c: malloc and its kin as build/device has them: the C library's, and whether they
 * failed (server.h). The program is linked with --wrap for each of them (Makefile). */
#include <stddef.h>
#include <stdlib.h>

#include "harness/sim/remote/server.h"

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);

static void *noted(void *made) {
  if (!made) shortage_note();
  return made;
}

void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes) { return noted(__real_malloc(bytes)); }

void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes) { return noted(__real_calloc(count, bytes)); }

void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes) {
  void *made = __real_realloc(old, bytes);
  return bytes ? noted(made) : made;
}
