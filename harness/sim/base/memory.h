/* memory.h: device memory: allocations in an address space of their own, with shadow for
 * initialisation and races.
 *
 * Every allocation owns a window of 64 GiB of addresses and starts in its middle, so an index that
 * runs off an array, even by gigabytes, still names that array. Addresses lie outside what user
 * space can map (below 2^47), so host code that dereferences one faults, and a host pointer in a
 * kernel is recognised.
 */
#ifndef KIT_MEMORY_H
#define KIT_MEMORY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/sim/base/launches.h"
#include "harness/sim/base/shadow.h"
#include "harness/sim/base/shared_pages.h"

#define DEVICE_WINDOW UINT64_C(0x00d0000000000000)
/* Generic addresses: the windows of shared and local memory. */
#define SHARED_WINDOW UINT64_C(0x00e0000000000000)
#define LOCAL_WINDOW UINT64_C(0x00e8000000000000)
#define WINDOW_MASK UINT64_C(0xfff8000000000000)
enum { ALLOCATION_SHIFT = 36, MAX_ALLOCATIONS = 1 << 14 };
/* Managed memory is where a host can have it, too: its windows begin here, and only the first so
 * many numbers can be such. */
#define MANAGED_WINDOW UINT64_C(0x0000200000000000)
enum { MAX_MANAGED = 768 };
#define ALLOCATION_MIDDLE (UINT64_C(1) << (ALLOCATION_SHIFT - 1))

/* Past an end of an allocation a GPU usually still has memory mapped (it maps pages of 2 MiB), so
 * the kernel goes on there; farther away it faults. */
enum { MAPPED_SLACK = 2 << 20 };

/* What an access that finds no value reads: a finite float that spoils any result it reaches, and
 * as an int an index far out of bounds. */
enum { POISON_BYTE = 0x7e };

/* What the workers of a launch that keeps tags say they did to an allocation's granules. */
struct tag_counts {
  uint64_t written,
      read;        /* granules that a worker tagged first, by writes or atomics, and by reads */
  uint64_t shared; /* tags to which one has added TAG_BLOCKS */
};

struct allocation {
  uint64_t address;
  int window;
  size_t size;
  unsigned char *data;
  bool live, read_only, constant, managed;
  struct shared_pages pages; /* managed: what the host sees of it (device_managed.c) */
  bool rewritten;            /* by a copy or a fill, as an input */
  bool all_initialised;
  uint8_t *initialised; /* a byte for every 4-byte word: bit i says that byte i was written */
  struct shadow shadow; /* race tags, from the first launch on that keeps some */
  struct origins
      *origins;     /* origin.h: of words that copies and fills wrote; NULL: there are none */
  access_tag given; /* what is there since then was no kernel's; 0: it began empty */
  uint64_t launch;  /* the last launch that touched it */
  bool tracked;     /* in that launch: tags are kept */
  bool written;     /* in that launch, perhaps: else there are no writes that a read could meet */
  unsigned char *saved, *saved_initialised; /* for undoing an optimistic launch */
  char name[96];
  bool named; /* by the harness or in the source; else the name says where it was allocated */
  size_t rows, columns, element; /* shape for messages; element 0: not known */
  struct source_place place;
};

struct memory {
  struct allocation
      *allocations[MAX_ALLOCATIONS]; /* by window; freed ones stay until the window is used again */
  int next_window, next_managed;
  int window_count;                        /* windows from window_count on were never used */
  size_t bytes_in_use, bytes_total, limit; /* limit: on bytes_in_use */
  size_t copied_to_constants;              /* bytes, in all, into __constant__ variables */
  uint64_t launch;                         /* number of the launch that runs */
  access_tag clock;                        /* a tag of now: later than all in use */
  int granule_shift;
  bool tracks, undoable, reports;
  bool origins; /* where words came from is kept (origin.h) */
  bool
      tracks_inputs; /* keeps tags of what kernels may only read, too, if other work may write it */
  pthread_mutex_t touching;
};

struct memory *memory_open(size_t bytes_total, size_t limit);
void memory_close(struct memory *memory);
/* NULL if there is no room. Contents are POISON_BYTE, not initialised. */
struct allocation *memory_allocate(struct memory *memory, size_t bytes);
/* The same for managed memory, whose pages the host maps at its address. */
struct allocation *memory_allocate_managed(struct memory *memory, size_t bytes);
void memory_free(struct memory *memory, struct allocation *allocation);
static inline bool address_is_managed(uint64_t address) {
  return (address - MANAGED_WINDOW) >> ALLOCATION_SHIFT < MAX_MANAGED;
}
/* The allocation in whose window the address lies, live or freed; NULL if there is none. */
static inline struct allocation *memory_window(const struct memory *memory, uint64_t address) {
  bool managed = address_is_managed(address);
  uint64_t window = (address - (managed ? MANAGED_WINDOW : DEVICE_WINDOW)) >> ALLOCATION_SHIFT;
  struct allocation *a = window < MAX_ALLOCATIONS ? memory->allocations[window] : NULL;
  return a && a->managed == managed ? a : NULL;
}
/* The live allocation that holds all of [address, address + bytes), or NULL. */
struct allocation *memory_find(const struct memory *memory, uint64_t address, size_t bytes);
void memory_mark_initialised(struct allocation *allocation, size_t offset, size_t bytes);
/* Loads from __constant__ variables count once more has been copied there than sizes, flags and
 * pointers take: then they are another way to matrices. */
static inline bool memory_constants_carry_data(const struct memory *memory) {
  enum { MAX_CONSTANTS = 1024 };
  return memory->copied_to_constants > MAX_CONSTANTS;
}
/* Forgets that anything was written: an output before its kernel runs. */
void memory_mark_written_never(struct allocation *allocation);
/* A launch begins: race tags are for granules of 1 << granule_shift bytes, and kept only if it
 * tracks. undoable: memory_restore may take back what it does. reports: tags name operations. */
void memory_begin_launch(struct memory *memory, int granule_shift, bool tracks, bool undoable,
                         bool reports);
/* Before a worker's first access to an allocation in a launch, and before its first store: prepares
 * tags and, if the launch is undoable, keeps a copy. False: there is no memory for that, and the
 * launch must end. */
bool memory_touch(struct memory *memory, struct allocation *allocation, bool writes, bool atomics);
/* After an optimistic launch whose tags are from `begin` on: do they prove that no two blocks met?
 * counts: of all workers together, window_count by window. */
bool memory_tags_are_sound(const struct memory *memory, access_tag begin,
                           const struct tag_counts *counts);
void memory_restore(struct memory *memory);
void memory_drop_saved(struct memory *memory);

#endif
