/* reservation.c: see reservation.h. */
#include "harness/sim/base/reservation.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Memory of cuMemCreate. */
struct store {
  struct store *next;
  uint64_t handle;
  size_t bytes;
  int held; /* by handles */
  bool mapped;
  unsigned char *data, *initialised; /* while it is not mapped; NULL: nothing was ever written */
};

struct mapping {
  size_t offset, bytes;
  struct store *store; /* NULL: it has been unmapped */
  enum mapping_access access;
};

struct reservation {
  size_t bytes;
  int count, room;
  struct mapping *mappings; /* by offset; they do not overlap */
};

static size_t flag_bytes(size_t bytes) { return bytes / 4 + 1; }

/* Pages that take memory once they are written to. */
static void *lazy_pages(size_t bytes) {
  void *pages =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pages == MAP_FAILED ? NULL : pages;
}

static size_t data_bytes(size_t bytes) { return bytes + 4; /* as memory.c has it */ }

void reservation_drop(struct allocation *a) {
  struct reservation *r = a->reservation;
  if (!r) return;
  if (a->data) munmap(a->data, data_bytes(r->bytes));
  if (a->initialised) munmap(a->initialised, flag_bytes(r->bytes));
  a->data = a->initialised = NULL;
  a->reservation = NULL;
  free(r->mappings);
  free(r);
}

static bool is_whole(size_t bytes) { return bytes && bytes % RESERVATION_UNIT == 0; }

struct allocation *reservation_make(struct memory *memory, size_t bytes) {
  struct reservation *made = calloc(1, sizeof *made);
  struct allocation *a = made ? memory_allocate(memory, 0, false) : NULL;
  if (!a || bytes >= ALLOCATION_MIDDLE) {
    if (a) memory_free(memory, a);
    free(made);
    return NULL;
  }
  free(a->data);
  free(a->initialised);
  made->bytes = bytes;
  a->data = lazy_pages(data_bytes(bytes));
  a->initialised = lazy_pages(flag_bytes(bytes));
  a->reservation = made;
  a->reserved = true;
  a->filled = NOT_FILLED;
  if (a->data && a->initialised) return a;
  memory_free(memory, a);
  return NULL;
}

/* The reservation that has all of a range; NULL: there is none. */
static struct allocation *find(const struct memory *memory, uint64_t address, size_t bytes) {
  struct allocation *a = memory_window(memory, address);
  if (!is_whole(bytes) || !a || !a->live || !a->reservation || address < a->address) return NULL;
  uint64_t offset = address - a->address;
  size_t all = a->reservation->bytes;
  return offset % RESERVATION_UNIT == 0 && offset <= all && bytes <= all - offset ? a : NULL;
}

static bool is_mapped(const struct mapping *m) { return m->store; }

int reservation_free(struct memory *memory, uint64_t address, size_t bytes) {
  struct allocation *a = find(memory, address, bytes);
  if (!a || a->address != address || a->reservation->bytes != bytes) return cudaErrorInvalidValue;
  for (int i = 0; i < a->reservation->count; i++)
    if (is_mapped(&a->reservation->mappings[i])) return cudaErrorInvalidValue;
  memory_free(memory, a);
  return cudaSuccess;
}

/* ---- memory without an address ---- */

static struct store *find_store(const struct memory *memory, uint64_t handle) {
  struct store *store = memory->stores;
  while (store && (store->handle != handle || !store->held)) store = store->next;
  return store;
}

static void free_store(struct store *store) {
  free(store->data);
  free(store->initialised);
  free(store);
}

/* Frees it if nothing holds it any more. */
static void let_go(struct memory *memory, struct store *store) {
  if (store->held || store->mapped) return;
  struct store **at = &memory->stores;
  while (*at != store) at = &(*at)->next;
  *at = store->next;
  memory->bytes_in_use -= store->bytes;
  free_store(store);
}

int reservation_create(struct memory *memory, size_t bytes, uint64_t *handle) {
  if (!is_whole(bytes)) return cudaErrorInvalidValue;
  if (bytes > memory->limit - memory->bytes_in_use) return cudaErrorMemoryAllocation;
  struct store *store = calloc(1, sizeof *store);
  if (!store) return cudaErrorMemoryAllocation;
  *handle = ++memory->handles;
  *store = (struct store){.next = memory->stores, .handle = *handle, .bytes = bytes, .held = 1};
  memory->stores = store;
  memory->bytes_in_use += bytes;
  return cudaSuccess;
}

int reservation_release(struct memory *memory, uint64_t handle) {
  struct store *store = find_store(memory, handle);
  if (!store) return cudaErrorInvalidValue;
  store->held--;
  let_go(memory, store);
  return cudaSuccess;
}

void reservation_close(struct memory *memory) {
  while (memory->stores) {
    struct store *store = memory->stores;
    memory->stores = store->next;
    free_store(store);
  }
}

/* ---- mappings ---- */

/* The first mapping that ends beyond an offset. */
static int mapping_at(const struct reservation *r, size_t offset) {
  int i = 0;
  while (i < r->count && r->mappings[i].offset + r->mappings[i].bytes <= offset) i++;
  return i;
}

/* Removes those in [offset, offset + bytes) that have been unmapped; what lies beyond of one goes
 * with it. False: something is mapped there. */
static bool clear_range(struct reservation *r, size_t offset, size_t bytes) {
  int first = mapping_at(r, offset), end = first;
  while (end < r->count && r->mappings[end].offset < offset + bytes)
    if (is_mapped(&r->mappings[end++])) return false;
  memmove(r->mappings + first, r->mappings + end, (size_t)(r->count - end) * sizeof *r->mappings);
  r->count -= end - first;
  return true;
}

static bool insert(struct reservation *r, struct mapping mapping) {
  if (r->count == r->room) {
    int room = r->room ? 2 * r->room : 8;
    struct mapping *more = realloc(r->mappings, (size_t)room * sizeof *more);
    if (!more) return false;
    r->mappings = more;
    r->room = room;
  }
  int i = mapping_at(r, mapping.offset);
  memmove(r->mappings + i + 1, r->mappings + i, (size_t)(r->count - i) * sizeof *r->mappings);
  r->mappings[i] = mapping;
  r->count++;
  return true;
}

/* Writes down which words are initialised, before the size changes. */
static void settle(struct allocation *a) {
  if (a->all_initialised) memset(a->initialised, 0xf, a->size / 4);
}

/* Its size, and how much of it is initialised: what is not mapped counts as if it were. */
static void measure(struct allocation *a) {
  const struct reservation *r = a->reservation;
  size_t end = 0;
  for (int i = 0; i < r->count; i++)
    if (is_mapped(&r->mappings[i])) end = r->mappings[i].offset + r->mappings[i].bytes;
  memory_forget_accesses(a);
  a->size = end;
  a->changes++;
  a->filled = NOT_FILLED;
  size_t words = end / 4, known = 0;
  while (known < words && a->initialised[known] == 0xf) known++;
  a->initialised_prefix = known * 4;
  a->all_initialised = known == words;
}

int reservation_map(struct memory *memory, uint64_t address, size_t bytes, uint64_t handle) {
  struct allocation *a = find(memory, address, bytes);
  struct store *store = find_store(memory, handle);
  if (!store || bytes > store->bytes) return cudaErrorInvalidValue;
  if (bytes != store->bytes) return cudaErrorNotSupported;
  size_t offset = a ? address - a->address : 0;
  if (!a || !clear_range(a->reservation, offset, bytes)) return cudaErrorInvalidValue;
  if (store->mapped) return cudaErrorNotSupported;
  if (!insert(a->reservation, (struct mapping){offset, bytes, store, MAPPING_NONE}))
    return cudaErrorMemoryAllocation;
  store->mapped = true;
  settle(a);
  if (store->data) {
    memcpy(a->data + offset, store->data, bytes);
    memcpy(a->initialised + offset / 4, store->initialised, bytes / 4);
    free(store->data);
    free(store->initialised);
    store->data = store->initialised = NULL;
  } else {
    memset(a->data + offset, POISON_BYTE, bytes);
    memset(a->initialised + offset / 4, 0, bytes / 4);
  }
  measure(a);
  return cudaSuccess;
}

/* Moves what is mapped back to the store, if anyone may map it again. */
static bool put_back(struct allocation *a, const struct mapping *m) {
  struct store *store = m->store;
  if (store->held) {
    store->data = malloc(m->bytes);
    store->initialised = malloc(m->bytes / 4);
    if (!store->data || !store->initialised) {
      free(store->data);
      free(store->initialised);
      store->data = store->initialised = NULL;
      return false;
    }
    memcpy(store->data, a->data + m->offset, m->bytes);
    memcpy(store->initialised, a->initialised + m->offset / 4, m->bytes / 4);
  }
  madvise(a->data + m->offset, m->bytes, MADV_DONTNEED);
  return true;
}

/* The mappings [*first, *end) that make up a range exactly. False: they do not. */
static bool find_mappings(const struct reservation *r, size_t offset, size_t bytes, int *first,
                          int *end) {
  *first = *end = mapping_at(r, offset);
  size_t at = offset;
  while (at < offset + bytes) {
    if (*end == r->count) return false;
    const struct mapping *m = &r->mappings[(*end)++];
    if (!is_mapped(m) || m->offset != at) return false;
    at += m->bytes;
  }
  return at == offset + bytes;
}

static bool nothing_at(const struct reservation *r, size_t offset, size_t bytes) {
  int i = mapping_at(r, offset);
  while (i < r->count && r->mappings[i].offset < offset + bytes)
    if (is_mapped(&r->mappings[i++])) return false;
  return true;
}

int reservation_unmap(struct memory *memory, uint64_t address, size_t bytes) {
  struct allocation *a = find(memory, address, bytes);
  int first, end;
  if (a && nothing_at(a->reservation, address - a->address, bytes)) return cudaSuccess;
  if (!a || !find_mappings(a->reservation, address - a->address, bytes, &first, &end))
    return cudaErrorInvalidValue;
  settle(a);
  for (int i = first; i < end; i++) {
    struct mapping *m = &a->reservation->mappings[i];
    struct store *store = m->store;
    if (!put_back(a, m)) return cudaErrorMemoryAllocation;
    m->store = NULL;
    store->mapped = false;
    let_go(memory, store);
  }
  for (int i = first; i < end; i++) {
    const struct mapping *m = &a->reservation->mappings[i];
    memset(a->initialised + m->offset / 4, 0xf, m->bytes / 4);
  }
  measure(a);
  return cudaSuccess;
}

int reservation_set_access(struct memory *memory, uint64_t address, size_t bytes,
                           enum mapping_access access) {
  struct allocation *a = find(memory, address, bytes);
  int first, end;
  if (!a || !find_mappings(a->reservation, address - a->address, bytes, &first, &end))
    return cudaErrorInvalidValue;
  for (int i = first; i < end; i++) a->reservation->mappings[i].access = access;
  return cudaSuccess;
}

/* What is mapped at an address; NULL: nothing. */
static const struct mapping *find_mapped(struct memory *memory, uint64_t address) {
  const struct allocation *a = memory_window(memory, address);
  if (!a || !a->live || !a->reservation || address < a->address) return NULL;
  int i = mapping_at(a->reservation, address - a->address);
  const struct mapping *m = &a->reservation->mappings[i];
  bool there = i < a->reservation->count && m->offset <= address - a->address && is_mapped(m);
  return there ? m : NULL;
}

int reservation_get_access(struct memory *memory, uint64_t address, uint64_t *access) {
  const struct mapping *m = find_mapped(memory, address);
  if (!m) return cudaErrorInvalidValue;
  *access = m->access;
  return cudaSuccess;
}

int reservation_retain(struct memory *memory, uint64_t address, uint64_t *handle) {
  const struct mapping *m = find_mapped(memory, address);
  if (!m) return cudaErrorInvalidValue;
  m->store->held++;
  *handle = m->store->handle;
  return cudaSuccess;
}

/* ---- what accesses ask ---- */

static bool has_access(const struct mapping *m, bool writes) {
  return is_mapped(m) && (m->access == MAPPING_WRITES || (!writes && m->access == MAPPING_READS));
}

bool reservation_allows(const struct allocation *a, size_t offset, size_t bytes, bool writes,
                        size_t *from, size_t *to) {
  const struct reservation *r = a->reservation;
  int at = mapping_at(r, offset), first = at, end = at + 1;
  const struct mapping *m = r->mappings;
  if (at == r->count || m[at].offset > offset || !has_access(&m[at], writes)) return false;
  while (first && m[first - 1].offset + m[first - 1].bytes == m[first].offset &&
         has_access(&m[first - 1], writes))
    first--;
  while (end < r->count && m[end - 1].offset + m[end - 1].bytes == m[end].offset &&
         has_access(&m[end], writes))
    end++;
  *from = m[first].offset;
  *to = m[end - 1].offset + m[end - 1].bytes;
  return bytes <= *to - offset;
}

const char *reservation_refusal(const struct allocation *a, size_t offset, bool *stale) {
  const struct reservation *r = a->reservation;
  int at = mapping_at(r, offset);
  const struct mapping *m = at < r->count ? &r->mappings[at] : NULL;
  bool covers = m && m->offset <= offset;
  *stale = covers && !is_mapped(m);
  if (*stale) return "where memory is no longer mapped. Use it before cuMemUnmap, or map it again.";
  if (!covers) return "where nothing is mapped. Map memory there with cuMemMap first.";
  return m->access == MAPPING_NONE
             ? "where memory is mapped, but without access. Give it with cuMemSetAccess."
             : "where memory is mapped to be read only. Give access with "
               "CU_MEM_ACCESS_FLAGS_PROT_READWRITE.";
}
