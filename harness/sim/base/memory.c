/* memory.c: allocates device memory in windows of addresses and keeps its shadow: what is
 * initialised, race tags, and the copy that undoes a launch. */
#include "harness/sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

#include "harness/sim/base/claims.h"
#include "harness/sim/base/heap.h"
#include "harness/sim/base/origin.h"
#include "harness/sim/base/reservation.h"

struct memory *memory_open(size_t bytes_total, size_t limit) {
  struct memory *memory = calloc(1, sizeof *memory);
  if (!memory) return NULL;
  memory->bytes_total = bytes_total;
  memory->limit = limit && limit < bytes_total ? limit : bytes_total;
  memory->clock = TAG_TICK;
  pthread_mutex_init(&memory->touching, NULL);
  return memory;
}

static void free_tags(struct allocation *a) {
  origin_settle(a);
  free(a->shadow.writes);
  free(a->shadow.reads);
  free(a->shadow.atomics);
  free(a->shadow.writers);
  free(a->shadow.readers);
  free(a->shadow.updaters);
  free(a->shadow.rows);
  a->shadow = (struct shadow){0};
}

static void drop_saved(struct allocation *a) {
  free(a->saved);
  free(a->saved_initialised);
  a->saved = a->saved_initialised = NULL;
  a->kept = false;
}

static size_t words(size_t bytes) { return bytes / 4 + (bytes % 4 != 0); }

/* The size of an allocation's data: rounded up to whole words, plus one that may be read. */
static size_t data_bytes(size_t bytes) { return words(bytes) * 4 + 4; }

void memory_forget_accesses(struct allocation *a) {
  free_tags(a);
  free(a->origins);
  free(a->claims);
  a->claims = NULL;
  a->claim_count = 0;
  a->claimed_at = 0;
  a->origins = NULL;
  a->given = 0;
  touched_release(&a->touched);
}

static void free_contents(struct allocation *a) {
  if (a->managed) shared_pages_spare(&a->pages);
  memory_forget_accesses(a);
  reservation_drop(a);
  free(a->data);
  free(a->agreed);
  free(a->residency);
  a->residency = NULL;
  free(a->initialised);
  a->data = a->agreed = a->initialised = NULL;
}

static void allocation_release(struct allocation *a) {
  if (!a) return;
  free_contents(a);
  drop_saved(a);
  free(a);
}

void memory_close(struct memory *memory) {
  if (!memory) return;
  for (int i = 0; i < memory->window_count; i++) allocation_release(memory->allocations[i]);
  heap_close(memory);
  reservation_close(memory);
  pthread_mutex_destroy(&memory->touching);
  free(memory);
}

/* A window below `count` that was never used, else the one freed longest ago, so that use after
 * free is recognised for as long as possible. */
static int find_window(struct memory *memory, int count) {
  int *next = count < MAX_ALLOCATIONS ? &memory->next_managed : &memory->next_window;
  for (int tried = 0; tried < count; tried++) {
    int window = (*next + tried) % count;
    struct allocation *a = memory->allocations[window];
    if (a && (a->live || a->promised)) continue;
    *next = (window + 1) % count;
    return window;
  }
  return -1;
}

void memory_prefer(struct memory *memory, uint64_t address) { memory->preferred = address; }

/* The window of the address that is preferred, or -1; the wish is granted once. */
static int preferred_window(struct memory *memory) {
  struct allocation *a = memory->preferred ? memory_window(memory, memory->preferred) : NULL;
  bool good = a && a->address == memory->preferred && !a->live && !a->promised && !a->managed;
  memory->preferred = 0;
  return good ? a->window : -1;
}

/* An allocation without contents in a window, -1: any. Its contents are `data`, of
 * data_bytes(bytes), if it succeeds. */
static struct allocation *make_allocation(struct memory *memory, int window, unsigned char *data,
                                          size_t bytes, bool managed) {
  if (window < 0 && !managed) window = preferred_window(memory);
  if (window < 0) window = find_window(memory, managed ? MAX_MANAGED : MAX_ALLOCATIONS);
  if (window < 0) return NULL;
  struct allocation *a = calloc(1, sizeof *a);
  if (!a) return NULL;
  a->size = bytes;
  a->managed = managed;
  a->initialised = calloc(words(bytes) + 1, 1);
  bool shares = managed && shared_pages_take(&a->pages, data_bytes(bytes), memory->limit);
  if (!a->initialised || shares != managed) {
    allocation_release(a);
    return NULL;
  }
  a->data = data;
  a->window = window;
  a->address = (managed ? MANAGED_WINDOW : DEVICE_WINDOW) + ((uint64_t)window << ALLOCATION_SHIFT) +
               ALLOCATION_MIDDLE;
  a->first_line = ((uint32_t)window + 1) * UINT32_C(0x9e3779b8);
  a->live = true;
  allocation_release(memory->allocations[window]);
  memory->allocations[window] = a;
  if (window >= memory->window_count) memory->window_count = window + 1;
  memory->bytes_in_use += bytes;
  return a;
}

static bool has_room(const struct memory *memory, size_t bytes) {
  return bytes < ALLOCATION_MIDDLE && bytes <= memory->limit - memory->bytes_in_use;
}

static struct allocation *allocate(struct memory *memory, int window, size_t bytes, bool managed) {
  unsigned char *data = has_room(memory, bytes) ? malloc(data_bytes(bytes)) : NULL;
  struct allocation *a = data ? make_allocation(memory, window, data, bytes, managed) : NULL;
  if (!a) {
    free(data);
    return NULL;
  }
  memset(a->data, POISON_BYTE, data_bytes(bytes));
  a->filled = POISON_BYTE;
  if (managed) memset(a->pages.data, POISON_BYTE, data_bytes(bytes));
  return a;
}

struct allocation *memory_allocate(struct memory *memory, size_t bytes, bool managed) {
  return allocate(memory, -1, bytes, managed);
}

struct allocation *memory_allocate_again(struct memory *memory, struct allocation *freed) {
  struct source_place place = freed->place;
  char name[sizeof freed->name];
  memcpy(name, freed->name, sizeof name);
  struct allocation *a = allocate(memory, freed->window, freed->size, false);
  if (!a) return NULL;
  a->promised = true;
  a->place = place;
  memcpy(a->name, name, sizeof name);
  return a;
}

struct allocation *memory_adopt(struct memory *memory, void *contents, size_t bytes) {
  struct allocation *a =
      has_room(memory, bytes) ? make_allocation(memory, -1, contents, bytes, false) : NULL;
  unsigned char *data = a ? realloc(contents, data_bytes(bytes)) : NULL;
  if (!data) {
    if (a) {
      a->data = NULL;
      memory_free(memory, a);
    }
    return NULL;
  }
  memset(data + bytes, POISON_BYTE, data_bytes(bytes) - bytes);
  a->data = data;
  a->filled = NOT_FILLED;
  return a;
}

/* Lines that an array takes where small ones lie one behind the other. */
static uint32_t packed_lines(const struct allocation *a) {
  enum { UNIT = 512, LINE = 128 };
  return (uint32_t)((a->size + UNIT - 1) / UNIT * (UNIT / LINE));
}

void memory_pack(struct memory *memory, struct allocation *a) {
  enum { SMALL = 1 << 20 };
  if (a->size >= SMALL) return;
  struct allocation **place = &memory->packed;
  uint32_t line = 0, lines = packed_lines(a);
  for (; *place && (*place)->first_line < line + lines; place = &(*place)->next_packed)
    line = (*place)->first_line + packed_lines(*place);
  a->first_line = line;
  a->next_packed = *place;
  *place = a;
}

static void unpack(struct memory *memory, const struct allocation *a) {
  struct allocation **place = &memory->packed;
  while (*place && *place != a) place = &(*place)->next_packed;
  if (*place) *place = a->next_packed;
}

void memory_free(struct memory *memory, struct allocation *a) {
  if (!a->reserved) memory->bytes_in_use -= a->size;
  unpack(memory, a);
  memory->frees++;
  a->live = false;
  free_contents(a);
}

struct allocation *memory_find(const struct memory *memory, uint64_t address, size_t bytes) {
  struct allocation *a = memory_window(memory, address);
  if (!a || !a->live || address < a->address) return NULL;
  uint64_t offset = address - a->address;
  size_t from, to;
  if (offset > a->size || bytes > a->size - offset) return NULL;
  return !a->reservation || reservation_allows(a, offset, bytes, false, &from, &to) ? a : NULL;
}

void memory_mark_initialised(struct allocation *a, size_t offset, size_t bytes) {
  if (bytes == 0) return;
  size_t end = offset + bytes;
  a->filled = NOT_FILLED;
  a->changes++;
  if (a->all_initialised) return;
  if (offset <= a->initialised_prefix && end > a->initialised_prefix) a->initialised_prefix = end;
  if (a->initialised_prefix == a->size) {
    a->all_initialised = true;
    return;
  }
  for (; offset < end && offset % 4 != 0; offset++)
    a->initialised[offset / 4] |= 1u << (offset % 4);
  size_t whole = (end - offset) / 4;
  memset(a->initialised + offset / 4, 0xf, whole);
  for (offset += whole * 4; offset < end; offset++)
    a->initialised[offset / 4] |= 1u << (offset % 4);
}

/* Is all of it, as far as a look at whole words tells? */
static bool range_initialised(const struct allocation *a, size_t offset, size_t bytes) {
  if (a->all_initialised || offset + bytes <= a->initialised_prefix) return true;
  for (size_t word = offset / 4; word < words(offset + bytes); word++)
    if (a->initialised[word] != 0xf) return false;
  return true;
}

/* Writes down which words are initialised, before some no longer are. */
static void spell_out_initialised(struct allocation *a) {
  if (!a->all_initialised) return;
  memset(a->initialised, 0xf, words(a->size));
  a->all_initialised = false;
  a->initialised_prefix = a->size;
}

void memory_copy_initialised(struct allocation *to, size_t to_offset, const struct allocation *from,
                             size_t from_offset, size_t bytes) {
  if (bytes == 0 || range_initialised(from, from_offset, bytes)) {
    memory_mark_initialised(to, to_offset, bytes);
    return;
  }
  to->filled = NOT_FILLED;
  to->changes++;
  spell_out_initialised(to);
  if (to->initialised_prefix > to_offset) to->initialised_prefix = to_offset;
  if (to_offset % 4 == 0 && from_offset % 4 == 0 && bytes % 4 == 0) {
    memmove(to->initialised + to_offset / 4, from->initialised + from_offset / 4, bytes / 4);
    return;
  }
  bool backwards = to == from && to_offset > from_offset;
  for (size_t i = 0; i < bytes; i++) {
    size_t byte = backwards ? bytes - 1 - i : i, source = from_offset + byte,
           target = to_offset + byte;
    unsigned bit = 1u << target % 4;
    if (from->initialised[source / 4] >> source % 4 & 1)
      to->initialised[target / 4] |= bit;
    else
      to->initialised[target / 4] &= ~bit;
  }
}

void memory_mark_unwritten(struct allocation *a) {
  memset(a->initialised, 0, words(a->size));
  a->all_initialised = false;
  a->initialised_prefix = 0;
  a->changes++;
}

void memory_mark_part_unwritten(struct allocation *a, size_t offset, size_t bytes) {
  a->filled = NOT_FILLED;
  a->changes++;
  memset(a->data + offset, POISON_BYTE, bytes);
  memset(a->initialised + offset / 4, 0, bytes / 4);
  if (a->initialised_prefix > offset) a->initialised_prefix = offset;
}

void memory_begin_launch(struct memory *memory, int granule_shift, bool tracks, bool undoable,
                         bool reports) {
  memory->launch++;
  memory->stamp = memory->marks_lines ? touched_stamp(memory->launch) : 0;
  memory->granule_shift = granule_shift;
  memory->tracks = tracks;
  memory->undoable = undoable;
  memory->reports = reports;
}

/* Allocates race tags and, for a launch that reports, the operations behind them. If memory runs
 * out there are none. Tags of earlier launches stay: they are older than this launch. */
static void prepare_tags(struct memory *memory, struct allocation *a, bool atomics) {
  struct shadow *shadow = &a->shadow;
  size_t count = (a->size >> memory->granule_shift) + 1;
  if (shadow->count != count) free_tags(a);
  shadow->count = count;
  if (!shadow->writes) shadow->writes = calloc(count, sizeof *shadow->writes);
  if (!shadow->reads) shadow->reads = calloc(count, sizeof *shadow->reads);
  if (!shadow->atomics && atomics) shadow->atomics = calloc(count, sizeof *shadow->atomics);
  if (!shadow->rows && !memory->reports)
    shadow->rows = calloc((count >> ROW_SHIFT) + 1, sizeof *shadow->rows);
  bool ok = shadow->writes && shadow->reads && (shadow->atomics || !atomics) &&
            (shadow->rows || memory->reports);
  if (memory->reports) {
    if (!shadow->writers) shadow->writers = calloc(count, sizeof *shadow->writers);
    if (!shadow->readers) shadow->readers = calloc(count, sizeof *shadow->readers);
    if (!shadow->updaters && atomics) shadow->updaters = calloc(count, sizeof *shadow->updaters);
    ok = ok && shadow->writers && shadow->readers && (shadow->updaters || !atomics);
  }
  if (!ok) free_tags(a);
}

/* Keeps what restore() needs: of memory that is filled with one byte, nothing but that byte. */
static void save(struct allocation *a) {
  a->kept_fill = a->filled;
  a->kept_all_initialised = a->all_initialised;
  a->kept_prefix = a->initialised_prefix;
  a->kept = a->filled != NOT_FILLED;
  if (a->kept) return;
  a->saved = malloc(a->size);
  a->saved_initialised = malloc(words(a->size));
  if (a->saved && a->saved_initialised) {
    memcpy(a->saved, a->data, a->size);
    memcpy(a->saved_initialised, a->initialised, words(a->size));
    a->kept = true;
  } else {
    drop_saved(a);
  }
}

/* Kernels mark what they write word by word: is it all by now? */
static void find_initialised(struct allocation *a) {
  if (a->all_initialised) return;
  size_t count = words(a->size), i = 0;
  while (i < count && a->initialised[i] == 0xf) i++;
  a->all_initialised = i == count;
}

/* Another launch is about to use the array: who wrote its words is in its tags from now on, or, if
 * those are for other granules, with the origins. */
static void keep_claims(struct memory *memory, struct allocation *a) {
  if (memory->origins && a->claim_shift == memory->granule_shift) {
    prepare_tags(memory, a, false);
    if (a->shadow.writes) claims_leave_tags(a);
  } else if (memory->origins) {
    origin_settle(a);
  }
  a->claimed_at = 0;
}

/* Needs no tags for races. */
static bool touch_presumed(struct memory *memory, struct allocation *a, enum presumption presumed,
                           bool first, bool writes, bool atomics) {
  bool stores = presumed == ONLY_STORES;
  a->only_read = !stores && memory->tracks && memory->names_reads;
  if (first && a->only_read) prepare_tags(memory, a, false);
  a->tracked = a->only_read && a->shadow.writes;
  if (stores ? !writes || atomics : writes) memory->surprised = true;
  if (a->only_read && !a->tracked) return false;
  if (!first || !stores || memory->surprised) return true;
  if (!claims_begin(a, memory->granule_shift)) return false;
  save(a);
  a->filled = NOT_FILLED;
  a->claimed = a->written = true;
  return a->kept;
}

/* Any worker's first access to it in this launch prepares its lines. */
static void prepare_lines(struct memory *memory, struct allocation *a) {
  pthread_mutex_lock(&memory->touching);
  if (a->touched.launch != memory->launch) touched_begin(&a->touched, a->size, memory->launch);
  pthread_mutex_unlock(&memory->touching);
}

bool memory_touch(struct memory *memory, struct allocation *a, bool writes, bool atomics) {
  if (memory->stamp) prepare_lines(memory, a);
  if ((a->read_only || a->constant) && !(memory->tracks_inputs && (a->constant || a->rewritten))) {
    if (a->tracked) a->tracked = false; /* in a launch before */
    return true;
  }
  pthread_mutex_lock(&memory->touching);
  bool first = a->launch != memory->launch;
  if (first) {
    a->launch = memory->launch;
    a->written = a->was_read = a->claimed = a->mattered = a->only_read = false;
    find_initialised(a);
    if (a->claimed_at) keep_claims(memory, a);
  }
  a->mattered |= !writes || atomics;
  a->changes += writes;
  enum presumption presumed =
      memory->presumed ? (enum presumption)memory->presumed[a->window] : MAY_DO_ANYTHING;
  if (presumed != MAY_DO_ANYTHING) {
    bool ok = touch_presumed(memory, a, presumed, first, writes, atomics);
    pthread_mutex_unlock(&memory->touching);
    return ok;
  }
  bool lacks = atomics && (!a->shadow.atomics || (memory->reports && !a->shadow.updaters));
  if (memory->tracks && (first || lacks)) prepare_tags(memory, a, atomics);
  if (first || lacks) a->tracked = memory->tracks && a->shadow.writes;
  a->written |= writes;
  a->was_read |= !writes;
  if (memory->undoable && writes && !a->kept) save(a);
  if (writes) a->filled = NOT_FILLED;
  bool ok = (!memory->tracks || a->tracked) && (!memory->undoable || !writes || a->kept);
  pthread_mutex_unlock(&memory->touching);
  return ok;
}

/* Two workers that tag a granule at the same time may both count it as untouched; then more
 * granules were counted as first touched than carry a tag. The same holds for tags with TAG_BLOCKS.
 * A lost reader matters only if there was also a writer. A reader and a writer that missed each
 * other have both left their tags. */
static bool tags_are_sound(const struct allocation *a, access_tag begin, struct tag_counts left) {
  const struct shadow *shadow = &a->shadow;
  uint64_t met = 0, both = 0;
  for (size_t row = 0; row << ROW_SHIFT < shadow->count; row++) {
    const struct row_tags *tags = &shadow->rows[row];
    size_t end = (row + 1) << ROW_SHIFT;
    if (tags->loose < begin && !a->was_read) {
      if (tags->first >= begin) left.written -= ROW_GRANULES;
      continue;
    }
    for (size_t g = row << ROW_SHIFT; g < end && g < shadow->count; g++) {
      access_tag w = shadow_last_write(shadow, g), r = shadow->reads[g];
      bool wrote = w >= begin, did_read = r >= begin;
      left.written -= wrote;
      left.read -= did_read;
      left.shared -= did_read & ((r & TAG_BLOCKS) != 0);
      both |= wrote & did_read;
      met |= (wrote & did_read) & (((w ^ r) & (TAG_WORKER | TAG_BLOCKS)) != 0);
    }
  }
  for (size_t g = 0; shadow->atomics && g < shadow->count; g++) {
    access_tag u = shadow->atomics[g], w, r = shadow->reads[g];
    if (u < begin) continue;
    w = shadow_last_write(shadow, g);
    left.written--;
    left.shared -= (u & TAG_BLOCKS) != 0;
    both |= (w >= begin) | (r >= begin);
    met |= (w >= begin) & (((u ^ w) & TAG_WORKER) != 0 || (u & TAG_BLOCKS) != 0);
    met |= (r >= begin) & (((u ^ r) & TAG_WORKER) != 0 || ((u | r) & TAG_BLOCKS) != 0);
  }
  return !met && left.written == 0 && (!both || (left.read == 0 && left.shared == 0));
}

bool memory_tags_are_sound(const struct memory *memory, access_tag begin,
                           const struct tag_counts *counts) {
  for (int i = 0; i < memory->window_count; i++) {
    const struct allocation *a = memory->allocations[i];
    if (!a || !a->live || a->launch != memory->launch) continue;
    if (a->tracked && !tags_are_sound(a, begin, counts[i])) return false;
    if (a->claimed && !claims_are_sound(a, counts[i].written)) return false;
  }
  return true;
}

void memory_settle_claims(struct memory *memory, access_tag begin) {
  for (int i = 0; i < memory->window_count; i++) {
    struct allocation *a = memory->allocations[i];
    if (a && a->live && a->launch == memory->launch && a->claimed) claims_settle(a, begin);
  }
}

void memory_restore(struct memory *memory) {
  heap_restore(memory);
  for (int i = 0; i < memory->window_count; i++) {
    struct allocation *a = memory->allocations[i];
    if (!a || !a->kept) continue;
    a->changes++;
    a->filled = a->kept_fill;
    a->all_initialised = a->kept_all_initialised;
    a->initialised_prefix = a->kept_prefix;
    if (a->filled != NOT_FILLED) {
      memset(a->data, a->filled, a->size);
      memset(a->initialised, 0, words(a->size)); /* all_initialised has the rest */
      continue;
    }
    memcpy(a->data, a->saved, a->size);
    memcpy(a->initialised, a->saved_initialised, words(a->size));
  }
}

void memory_drop_saved(struct memory *memory) {
  for (int i = 0; i < memory->window_count; i++)
    if (memory->allocations[i]) drop_saved(memory->allocations[i]);
}
