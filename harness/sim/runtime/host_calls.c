/* host_calls.c: the C library's calls that hand memory to the operating system. Where a copy guards
 * the pages (host_buffers.h), the system does not fault, as host code does, but fails with EFAULT.
 * kcc links with --wrap for each, so that the program's calls come here first. */
#include <stdio.h>
#include <sys/types.h>

#include "harness/sim/runtime/host_buffers.h"

/* clang-format off */
#define CALL(result, name, parameters, arguments, memory, bytes, writes) \
  result __real_##name parameters; \
  result __wrap_##name parameters; \
  result __wrap_##name parameters { \
    host_buffers_passed(memory, bytes, writes); \
    return __real_##name arguments; \
  }
CALL(size_t, fwrite, (const void *from, size_t size, size_t count, FILE *file),
     (from, size, count, file), from, size * count, false)
CALL(size_t, fread, (void *to, size_t size, size_t count, FILE *file),
     (to, size, count, file), to, size * count, true)
CALL(ssize_t, write, (int file, const void *from, size_t bytes), (file, from, bytes), from, bytes,
     false)
CALL(ssize_t, read, (int file, void *to, size_t bytes), (file, to, bytes), to, bytes, true)
CALL(ssize_t, pwrite, (int file, const void *from, size_t bytes, off_t at),
     (file, from, bytes, at), from, bytes, false)
CALL(ssize_t, pread, (int file, void *to, size_t bytes, off_t at), (file, to, bytes, at), to,
     bytes, true)
/* clang-format on */
