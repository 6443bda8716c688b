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
#include "harness/sim/base/touched.h"

#define DEVICE_WINDOW UINT64_C(0x00d0000000000000)
/* Generic addresses: the windows of shared and local memory. */
#define SHARED_WINDOW UINT64_C(0x00e0000000000000)
#define LOCAL_WINDOW UINT64_C(0x00e8000000000000)
#define WINDOW_MASK UINT64_C(0xfff8000000000000)
enum { ALLOCATION_SHIFT = 36, MAX_ALLOCATIONS = 1 << 14 };
/* Managed memory lies where the host can map it, too: its windows begin here, and only the first
 * MAX_MANAGED numbers are for it. */
#define MANAGED_WINDOW UINT64_C(0x0000200000000000)
enum { MAX_MANAGED = 768 };
#define ALLOCATION_MIDDLE (UINT64_C(1) << (ALLOCATION_SHIFT - 1))

/* A GPU maps pages of 2 MiB, so an access just outside an allocation does not fault there, and the
 * kernel goes on; farther away it faults. */
enum { MAPPED_SLACK = 2 << 20 };

/* What a load without a valid value returns: as a float, finite and large enough to spoil any
 * result; as an int, an index far out of bounds. */
enum { POISON_BYTE = 0x7e };

enum { NOT_FILLED = -1 };

/* What a worker counts about the race tags of an allocation. */
struct tag_counts {
  uint64_t written,
      read;        /* granules that it was the first to tag, by writes or atomics, and by reads */
  uint64_t shared; /* tags to which it added TAG_BLOCKS */
};

/* What a kernel is presumed to do with an allocation, so that no race is possible and no tags are
 * needed: only to read it; only to store to it, each word once at most (claims.h). */
enum presumption { MAY_DO_ANYTHING, ONLY_READS, ONLY_STORES };

struct allocation {
  uint64_t address;
  int window;
  uint32_t first_line; /* its number in traces: consecutive within an array, scattered between
                        * arrays but for those that memory_pack has put behind each other, */
  struct allocation *next_packed; /* of which this is the next one */
  size_t size;
  unsigned char *data;
  bool live, read_only, constant, managed;
  bool mapped;        /* managed: the host's own memory, which kernels access over the link */
  uint8_t *residency; /* managed: where its pages are (device/residency.c); NULL: on the host */
  bool timed;         /* the timeline has counted it (timeline_allocate) */
  bool promised;      /* its address is kept for it also while it is not live */
  bool reserved;      /* by cuMemAddressReserve, */
  struct reservation *reservation; /* as reservation.h has it; NULL: once that is freed */
  bool variable;                   /* that code can name, without a parameter */
  struct shared_pages pages;       /* of managed memory: the host's copy (device_managed.c) */
  unsigned char *agreed; /* what both copies held when they last agreed (exec/mirror.h); NULL:
                            nobody has asked for that */
  bool rewritten;        /* by a copy or a fill, as an input */
  bool all_initialised;
  size_t initialised_prefix; /* so many bytes from the start are */
  uint8_t *initialised;      /* one byte per 4-byte word: bit i is set if byte i was written */
  struct shadow shadow;      /* race tags; allocated by the first launch that tracks */
  struct origins *
      origins; /* origin.h: where the words come from that copies and fills wrote; NULL: none yet */
  access_tag given; /* when the harness filled it; 0: it did not */
  uint64_t launch;  /* the last launch that touched it */
  bool tracked;     /* in that launch: race tags are kept */
  bool only_read;   /* in that launch: its tags say who was first to read, and no more */
  bool claimed;     /* in that launch: stores leave claims instead (claims.h) */
  uint8_t *claims;  /* by granule: 0 or CLAIMED */
  size_t claim_count;
  int claim_shift;       /* log2 of their granule */
  access_tag claimed_at; /* when the launch ran that they are of; 0: they are void */
  bool written;          /* in that launch: it may have been written, so reads must be checked */
  bool was_read; /* in that launch: it may have been read, so writes must be held against that */
  bool mattered; /* in that launch: it may have been read or atomically updated */
  uint64_t changes, content, numbered_at; /* content.h: how often it may have changed; its number */
  struct touched touched; /* its lines that launches touch, where memory.marks_lines */
  int filled; /* all bytes have this value, and all or none are initialised; or NOT_FILLED */
  bool kept;  /* for undoing an optimistic launch: what was filled, or else a copy */
  int kept_fill;
  bool kept_all_initialised;
  size_t kept_prefix;
  unsigned char *saved, *saved_initialised;
  char name[96];
  bool named; /* by the harness or in the source; else it goes by its allocation's place */
  size_t rows, columns, element; /* shape for messages; element 0: unknown */
  struct source_place place;
};

struct memory {
  struct allocation
      *allocations[MAX_ALLOCATIONS]; /* by window; a freed one stays until its window is reused */
  int next_window, next_managed;
  uint64_t preferred;                      /* where the next array is to begin; 0: anywhere */
  int window_count;                        /* windows from window_count on were never used */
  size_t bytes_in_use, bytes_total, limit; /* limit: on bytes_in_use */
  struct allocation *packed;               /* live arrays that memory_pack has put somewhere */
  size_t copied_to_constants;              /* bytes, in all, into __constant__ variables */
  uint64_t launch;                         /* number of the launch that runs */
  access_tag clock;                        /* the current time: later than all tags in use */
  int granule_shift;
  bool tracks, undoable, reports;
  bool origins;            /* where words came from is kept (origin.h) */
  const uint8_t *presumed; /* by window: enum presumption; NULL: nothing is presumed */
  bool surprised;          /* a presumption was wrong */
  bool names_reads;        /* what is presumed to be only read has tags for who reads it */
  uint64_t frees;          /* so far */
  bool marks_lines;        /* launches mark the lines that they touch (touched.h), */
  uint8_t stamp;           /* with this; 0: the one at hand does not */
  struct store *stores;    /* of cuMemCreate (reservation.h), */
  uint64_t handles;        /* which have the numbers from 1 to this */
  struct heap *heap;       /* heap.h; NULL: no kernel has taken memory yet */
  bool tracks_inputs;      /* keeps tags also for read-only memory, if other work may write it */
  pthread_mutex_t touching;
};

struct memory *memory_open(size_t bytes_total, size_t limit);
void memory_close(struct memory *memory);
/* NULL if there is no room. Contents are POISON_BYTE, not initialised. managed: the host maps its
 * pages at its address. */
struct allocation *memory_allocate(struct memory *memory, size_t bytes, bool managed);
/* The same with malloc'ed contents, which it takes over. NULL: it has not. */
struct allocation *memory_adopt(struct memory *memory, void *contents, size_t bytes);
/* Says where an array that was allocated just now would begin on a GPU, whose driver puts those of
 * less than 1 MiB one behind the other, at multiples of 512 bytes, where there is room first
 * (seen with driver 580 on an H100). */
void memory_pack(struct memory *memory, struct allocation *allocation);
/* The next array, if it is not managed, begins at this address, unless one lives there. */
void memory_prefer(struct memory *memory, uint64_t address);
void memory_free(struct memory *memory, struct allocation *allocation);
/* Allocates again what was freed and is promised, in its place; NULL if there is no room. */
struct allocation *memory_allocate_again(struct memory *memory, struct allocation *freed);
/* Does the address lie in the range that managed memory uses, or that device memory of either kind
 * does, live or not? */
static inline bool address_is_managed(uint64_t address) {
  return (address - MANAGED_WINDOW) >> ALLOCATION_SHIFT < MAX_MANAGED;
}
static inline bool address_is_device(uint64_t address) {
  return (address - DEVICE_WINDOW) >> ALLOCATION_SHIFT < MAX_ALLOCATIONS ||
         address_is_managed(address);
}
/* The allocation in whose window the address lies, live or freed; NULL if there is none. */
static inline struct allocation *memory_window(const struct memory *memory, uint64_t address) {
  bool managed = address_is_managed(address);
  uint64_t window = (address - (managed ? MANAGED_WINDOW : DEVICE_WINDOW)) >> ALLOCATION_SHIFT;
  struct allocation *a = window < MAX_ALLOCATIONS ? memory->allocations[window] : NULL;
  return a && a->managed == managed ? a : NULL;
}
/* Drops what is noted of accesses to it: its size changes. */
void memory_forget_accesses(struct allocation *allocation);
/* The live allocation that holds all of [address, address + bytes), where it may be read; or NULL.
 */
struct allocation *memory_find(const struct memory *memory, uint64_t address, size_t bytes);
void memory_mark_initialised(struct allocation *allocation, size_t offset, size_t bytes);
/* Marks what a copy between arrays, or inside of one, has written: bytes that nothing had written
 * remain so. */
void memory_copy_initialised(struct allocation *to, size_t to_offset, const struct allocation *from,
                             size_t from_offset, size_t bytes);
/* Loads from __constant__ variables count as traffic only once more bytes have been copied there
 * than sizes, flags and pointers take: they may then carry matrices. */
static inline bool memory_constants_carry_data(const struct memory *memory) {
  enum { MAX_CONSTANTS = 1024 };
  return memory->copied_to_constants > MAX_CONSTANTS;
}
/* Marks all of it as never written: an output before its kernel runs. */
void memory_mark_unwritten(struct allocation *allocation);
/* The same for a part, of multiples of 4 bytes, of what only kernels write. */
void memory_mark_part_unwritten(struct allocation *allocation, size_t offset, size_t bytes);
/* Begins a launch. tracks: race tags are kept, for granules of 1 << granule_shift bytes. undoable:
 * memory_restore can take back what it does. reports: tags name operations. */
void memory_begin_launch(struct memory *memory, int granule_shift, bool tracks, bool undoable,
                         bool reports);
/* To be called before a worker's first access to an allocation in a launch, and before its first
 * store: prepares tags and, if the launch is undoable, saves a copy. False: out of memory, and the
 * launch must end. */
bool memory_touch(struct memory *memory, struct allocation *allocation, bool writes, bool atomics);
/* After an optimistic launch that began at `begin`: do the tags and claims prove that no two blocks
 * touched the same granule? counts: of all workers together, by window. */
bool memory_tags_are_sound(const struct memory *memory, access_tag begin,
                           const struct tag_counts *counts);
/* They do: what was claimed has been written. */
void memory_settle_claims(struct memory *memory, access_tag begin);
void memory_restore(struct memory *memory);
void memory_drop_saved(struct memory *memory);

#endif
