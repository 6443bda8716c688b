/* host_buffers.h: pinned host memory, and the asynchronous copies that use it.
 *
 * Between such a copy and the moment when the host has waited for it the buffer's pages are
 * protected: one that the copy writes must not be touched, one that it reads must not be written.
 * Host code that does so faults, which is recorded as a race, and goes on.
 */
#ifndef KIT_HOST_BUFFERS_H
#define KIT_HOST_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Allocates pinned memory in pages of its own; NULL if memory runs out. flags: as cudaHostGetFlags
 * returns them; line: of the call. */
void *host_buffers_allocate(size_t bytes, unsigned flags, int line);
/* False if it was not allocated so. */
bool host_buffers_free(void *memory);
/* Pins memory of the program: its whole pages. False if memory runs out. */
bool host_buffers_register(void *memory, size_t bytes, unsigned flags, int line);
/* False if it was not registered so. */
bool host_buffers_unregister(void *memory);
/* A call of the submission ends: reports what has been pinned since the last one, and still is. */
void host_buffers_call_ends(void);

/* Was it pinned memory until one of the last calls that freed some? For the signal handler. */
bool host_buffers_was_freed(uintptr_t address);

/* The pinned memory that has this address. False: there is none. */
struct host_block {
  uint64_t from, to; /* addresses: what was allocated or registered */
  unsigned flags;
  int line; /* of the call */
};
bool host_buffers_find(uint64_t address, struct host_block *found);
/* Is any of it pinned? */
bool host_buffers_overlap(const void *start, size_t bytes);
/* Is all of it pinned? */
bool host_buffers_pinned(const void *start, size_t bytes);

/* Before and after the runtime itself accesses memory of the host. */
void host_buffers_lift(const void *start, size_t bytes);
void host_buffers_guard(void);
/* Is this thread between the two? */
bool host_buffers_lifted(void);

/* An asynchronous copy uses rows of pinned memory. */
struct host_use {
  uint64_t start; /* address */
  size_t pitch, width, rows;
  bool into_device; /* it reads the buffer; else it writes it */
  int line;         /* of the copy */
  uint64_t copy;    /* the device's number for it */
};
void host_buffers_use(const struct host_use *use);
/* To be called after the host has waited: completed copies release their buffers, and early
 * accesses by host code are reported. */
void host_buffers_settle(void);

/* Called by the signal handler for a fault at this address. False: not in pinned memory. */
bool host_buffers_touched(uintptr_t address, bool writes);
/* Host code is about to pass memory to the operating system, for which guarded pages do not fault:
 * the same as if it accessed all of it. */
void host_buffers_passed(const void *start, size_t bytes, bool writes);

#endif
