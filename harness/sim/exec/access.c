/* access.c: checks bounds and alignment of a warp's access to memory and reports what is wrong. Its
 * cost is in pattern.c; race and initialisation checks on shadow memory are in race.c. */
#include "harness/sim/exec/access.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/sim/base/hazard.h"
#include "harness/sim/base/reservation.h"
#include "harness/sim/exec/pattern.h"
#include "harness/sim/exec/planes.h"
#include "harness/sim/exec/slice.h"

enum { SHARED_SLACK = 1 << 20 }; /* farther out, an access ends the launch */

/* ---- hazards ---- */

/* The launch runs again, without lockstep. */
static void run_again(struct warp *warp) {
  struct launch_state *launch = warp->worker->launch;
  launch->memory->surprised = launch->warps_mattered = true;
  warp->stop = true;
}

/* May what is found go by the order of warps that have run in lockstep? A race may be with what
 * another one has done too early or too late; the rest is noted in order where each runs alone. */
static bool goes_by_order(const struct warp *warp, enum hazard_kind kind) {
  const struct block *block = warp->block;
  switch (kind) {
    case HAZARD_race:
      return block->together == block->span.interval;
    case HAZARD_timeout:
    case HAZARD_budget:
    case HAZARD_deadlock:
      return true;
    default:
      return block->lockstep && block->warps[0].affine == block->lockstep;
  }
}

struct hazard *access_note(struct warp *warp, enum hazard_kind kind, int line, int other_line,
                           const char *array, uint64_t count, bool *fresh) {
  struct launch_state *launch = warp->worker->launch;
  if (warp->stop) return NULL; /* the launch is over; later hazards are only consequences */
  if (!launch->canonical) {
    atomic_store_explicit(&launch->conflict, true, memory_order_relaxed);
    warp->stop = true;
    return NULL;
  }
  if (launch->together && goes_by_order(warp, kind)) {
    run_again(warp);
    return NULL;
  }
  launch->noted[kind] += count;
  slice_charge(warp, HAZARD_INSTRUCTIONS);
  return hazard_note(launch->hazards, kind, line, other_line, array, count, fresh);
}

struct hazard *access_hazard(struct warp *warp, enum hazard_kind kind, int line, int other_line,
                             const char *array, uint64_t count) {
  bool fresh = false;
  struct hazard *h = access_note(warp, kind, line, other_line, array, count, &fresh);
  return fresh ? h : NULL;
}

void access_describe(struct hazard *hazard, const struct warp *warp, int thread, const char *format,
                     ...) {
  if (!hazard) return;
  size_t size = sizeof hazard->message;
  int length = snprintf(hazard->message, size, "%s ",
                        access_thread(warp->worker->launch, warp->block->linear, thread).text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(hazard->message + length, size - (size_t)length, format, arguments);
  va_end(arguments);
}

void access_stop(struct warp *warp, enum cudaError error) {
  struct launch_state *launch = warp->worker->launch;
  warp->stop = true;
  if (!launch->canonical) {
    atomic_store_explicit(&launch->conflict, true, memory_order_relaxed);
    return;
  }
  if (launch->together && warp->block->together == warp->block->span.interval) {
    run_again(warp); /* others have gone further than they would have come */
    return;
  }
  if (!launch->stopped) launch->error = error;
  launch->stopped = true;
}

struct thread_text access_thread(const struct launch_state *launch, uint64_t block, int thread) {
  const uint32_t *g = launch->grid, *d = launch->dim;
  unsigned t = (unsigned)thread, x = (unsigned)(block % g[0]), y = (unsigned)(block / g[0] % g[1]);
  struct thread_text who;
  if (d[2] > 1 || g[2] > 1)
    snprintf(who.text, sizeof who.text, "block (%u,%u,%u) thread (%u,%u,%u)", x, y,
             (unsigned)(block / g[0] / g[1]), t % d[0], t / d[0] % d[1], t / d[0] / d[1]);
  else
    snprintf(who.text, sizeof who.text, "block (%u,%u) thread (%u,%u)", x, y, t % d[0], t / d[0]);
  return who;
}

/* ---- bounds and alignment ---- */

static const char *verb(enum access access) {
  return access == ACCESS_LOAD ? "reads" : access == ACCESS_STORE ? "writes" : "atomically updates";
}

const char *access_element_text(const struct allocation *a, int64_t offset, int fallback_size,
                                char *text, size_t size) {
  int64_t element = (int64_t)(a->element ? a->element : (size_t)fallback_size);
  long long index = offset / element - (offset % element < 0);
  if (a->element && a->columns > 1 && a->rows > 1 && offset >= 0 && (uint64_t)offset < a->size)
    snprintf(text, size, "%s[%lld] (row %lld, column %lld)", a->name, index,
             index / (long long)a->columns, index % (long long)a->columns);
  else if (!a->named)
    snprintf(text, size, "element %lld of %s", index, a->name);
  else
    snprintf(text, size, "%s[%lld]", a->name, index);
  return text;
}

static void allocation_shape(const struct allocation *a, int fallback_size, char *text,
                             size_t size) {
  size_t element = a->element ? a->element : (size_t)fallback_size;
  if (a->element && a->rows > 1 && a->columns > 1)
    snprintf(text, size, "%s has %zu elements (%zu x %zu)", a->name, a->size / element, a->rows,
             a->columns);
  else if (a->size < element)
    snprintf(text, size, "%s has %zu byte%s in all", a->name, a->size, a->size == 1 ? "" : "s");
  else
    snprintf(text, size, "%s has %zu element%s of %zu bytes", a->name, a->size / element,
             a->size / element == 1 ? "" : "s", element);
}

static void note_global_bounds(struct warp *warp, const struct op *op, struct allocation *a,
                               uint64_t address, int thread, enum access access) {
  struct hazard *h = access_hazard(warp, HAZARD_oob, op->line, 0, a->name, 1);
  if (!h) return;
  char what[150], shape[150];
  int64_t offset = (int64_t)(address - a->address);
  access_element_text(a, offset, op->size, what, sizeof what);
  allocation_shape(a, op->size, shape, sizeof shape);
  access_describe(
      h, warp, thread, "%s %s, but %s. %s", verb(access), what, shape,
      offset < 0  ? "The index is negative: check how it is computed."
      : !a->named ? "Compare the index with the size before the access; and cudaMalloc counts "
                    "bytes, not elements."
      : a->rows > 1 || a->columns == 1 /* else it is a vector */
          ? "Compare its row and its column with the matrix's before the access, or end the "
            "loop one earlier."
          : "Compare the index with the array's size before the access, or end the loop one "
            "earlier.");
}

/* An address that belongs to no live allocation: null, host, freed or wild. */
static void note_wild(struct warp *warp, const struct op *op, uint64_t address, int thread,
                      enum access access) {
  const struct allocation *a = memory_window(warp->worker->launch->memory, address);
  unsigned long long at = address;
  if (a && !a->live)
    access_describe(access_hazard(warp, HAZARD_use_after_free, op->line, 0, a->name, 1), warp,
                    thread, "%s %s after %s. Free it only when no kernel needs it any more.",
                    verb(access), a->name, a->reserved ? "cuMemAddressFree" : "cudaFree");
  else if (address < 1 << 16 || address > ~UINT64_C(0) - (1 << 16))
    access_describe(access_hazard(warp, HAZARD_null, op->line, 0, "", 1), warp, thread,
                    "%s through a null pointer (address 0x%llx). Was the memory allocated, and the "
                    "pointer passed to the kernel?",
                    verb(access), at);
  else if (address < UINT64_C(1) << 47)
    access_describe(access_hazard(warp, HAZARD_host_pointer, op->line, 0, "", 1), warp, thread,
                    "%s host memory: the kernel was given a pointer from malloc, new or &variable. "
                    "Allocate with cudaMalloc and copy with cudaMemcpy.",
                    verb(access));
  else
    access_describe(
        access_hazard(warp, HAZARD_oob, op->line, 0, "", 1), warp, thread,
        "%s address 0x%llx, which belongs to no array. Check how the index is computed.",
        verb(access), at);
}

/* Checks the alignment of one lane; a wrong one ends the launch. */
static bool check_alignment(struct warp *warp, const struct op *op, const char *array,
                            uint64_t address, int thread, enum access access) {
  int bytes = op_width(op);
  unsigned long long past = address & (uint64_t)(bytes - 1);
  if (!past) return true;
  access_describe(
      access_hazard(warp, HAZARD_misaligned, op->line, 0, array, 1), warp, thread,
      "%s %d bytes at once at an address that is no multiple of %d (%llu past one)%s%s. %s",
      verb(access), bytes, bytes, past, array[0] ? ", in " : ", in no array", array,
      bytes > 4 ? "A float2 needs 8-byte and a float4 16-byte alignment: use it only where the "
                  "index is a multiple of its length."
                : "Check how the pointer is computed or cast.");
  access_stop(warp, cudaErrorMisalignedAddress);
  return false;
}

static void note_input_write(struct warp *warp, const struct op *op, const struct allocation *a,
                             uint64_t address, int thread, uint64_t count) {
  struct hazard *h = access_hazard(warp, HAZARD_input_write, op->line, 0, a->name, count);
  char what[160];
  if (h)
    access_describe(
        h, warp, thread,
        "writes %s, which is an input and must stay as it is. The write was ignored; write to the "
        "output or to memory of your own.",
        access_element_text(a, (int64_t)(address - a->address), op->size, what, sizeof what));
}

/* An address in a reservation that this access may not use. */
static void note_unmapped(struct warp *warp, const struct op *op, const struct allocation *a,
                          uint64_t address, int thread, enum access access) {
  bool stale;
  const char *why = reservation_refusal(a, address - a->address, &stale);
  access_describe(
      access_hazard(warp, stale ? HAZARD_use_after_free : HAZARD_oob, op->line, 0, a->name, 1),
      warp, thread, "%s byte %llu of %s, %s", verb(access),
      (unsigned long long)(address - a->address), a->name, why);
}

/* May an access to this array be made? Of one that is reserved, *from and *to become the offsets
 * around it that are mapped. */
static bool may_access(const struct allocation *a, size_t offset, size_t bytes, enum access access,
                       size_t *from, size_t *to) {
  if (access != ACCESS_LOAD && (a->read_only || a->constant)) return false;
  *from = 0;
  *to = a->size;
  return !a->reservation || reservation_allows(a, offset, bytes, access != ACCESS_LOAD, from, to);
}

/* Checks one lane of a global access. True: it may proceed. */
static bool resolve_global_lane(struct warp *warp, const struct op *op, uint64_t address,
                                int thread, enum access access) {
  const struct memory *memory = warp->worker->launch->memory;
  struct allocation *a = memory_find(memory, address, (size_t)op->size * op->count);
  if (!check_alignment(warp, op, a ? a->name : "", address, thread, access)) return false;
  if (a && access != ACCESS_LOAD && (a->read_only || a->constant)) {
    note_input_write(warp, op, a, address, thread, 1);
    return false;
  }
  size_t from, to;
  if (a && may_access(a, address - a->address, (size_t)op->size * op->count, access, &from, &to))
    return true;
  a = memory_window(memory, address);
  if (!a || !a->live || (a->reservation && address >= a->address)) {
    if (a && a->live)
      note_unmapped(warp, op, a, address, thread, access);
    else
      note_wild(warp, op, address, thread, access);
    access_stop(warp, cudaErrorIllegalAddress);
    return false;
  }
  note_global_bounds(warp, op, a, address, thread, access);
  int64_t offset = (int64_t)(address - a->address);
  if (offset < -MAPPED_SLACK || offset > (int64_t)a->size + MAPPED_SLACK)
    access_stop(warp, cudaErrorIllegalAddress);
  return false;
}

static const struct shared_array *nearest_array(const struct launch_state *launch, int64_t offset) {
  const struct shared_array *best = NULL;
  int64_t best_distance = INT64_MAX;
  for (int i = 0; i < launch->array_count; i++) {
    const struct shared_array *array = &launch->arrays[i];
    int64_t end = (int64_t)array->start + array->size;
    int64_t distance = offset < array->start ? array->start - offset
                       : offset >= end       ? offset - end
                                             : -1;
    if (distance < best_distance) {
      best_distance = distance;
      best = array;
    }
  }
  return best;
}

/* The offset in the array, in bytes, of the first element of this access that lies outside it. */
static int64_t first_outside(const struct shared_array *array, const struct op *op,
                             int64_t offset) {
  int64_t at = offset - array->start;
  for (int e = 1; e < op->count && at >= 0 && at + op->size <= (int64_t)array->size; e++)
    at += op->size;
  return at;
}

/* Reports `count` lanes of an access, of which `thread` is the first. array: the nearest one; NULL:
 * there is none. */
static void note_shared_bounds(struct warp *warp, const struct op *op,
                               const struct shared_array *array, uint64_t offset, int thread,
                               uint64_t count, enum access access) {
  struct hazard *h = access_hazard(warp, HAZARD_oob, op->line, 0, array ? array->name : "", count);
  if (!array)
    access_describe(h, warp, thread,
                    "%s shared memory, but this launch has none. Give its size as the third launch "
                    "parameter: <<<grid, block, bytes>>>.",
                    verb(access));
  else
    access_describe(h, warp, thread,
                    "%s shared element %s[%lld], but %s has %u elements of %d bytes. Check the "
                    "array's size%s, the index, and where loops end.",
                    verb(access), array->name,
                    (long long)(first_outside(array, op, (int64_t)offset) / op->size), array->name,
                    array->size / op->size, op->size,
                    array->dynamic ? " (the third launch parameter, in bytes)" : "");
  if (offset > warp->worker->launch->shared_span + SHARED_SLACK)
    access_stop(warp, cudaErrorIllegalAddress);
}

static bool resolve_shared_lane(struct warp *warp, const struct op *op, uint64_t offset, int thread,
                                enum access access) {
  const struct shared_array *array = nearest_array(warp->worker->launch, (int64_t)offset);
  if (!check_alignment(warp, op, array ? array->name : "", offset, thread, access)) return false;
  uint64_t bytes = (uint64_t)op->size * op->count;
  if (array && offset >= array->start && offset - array->start <= array->size &&
      bytes <= array->size - (offset - array->start))
    return true;
  note_shared_bounds(warp, op, array, offset, thread, 1, access);
  return false;
}

static void resolve_local_lane(struct warp *warp, const struct op *op, uint64_t offset, int thread,
                               enum access access) {
  if (!check_alignment(warp, op, "", offset, thread, access)) return;
  access_describe(access_hazard(warp, HAZARD_oob, op->line, 0, "local array", 1), warp, thread,
                  "%s outside its own local variables. Check the index into the local array.",
                  verb(access));
  access_stop(warp, cudaErrorIllegalAddress);
}

/* Reports a store whose lanes all lie in one input at once: some kernels do little else. */
static bool refuse_input(struct warp *warp, const struct op *op, const struct memo *memo,
                         uint64_t base, uint32_t mask) {
  uint64_t low = base + (uint64_t)memo->low;
  const struct allocation *a =
      memory_find(warp->worker->launch->memory, low, (uint64_t)(memo->high - memo->low));
  if (!a || !(a->read_only || a->constant) || !memo->aligned || memo->far ||
      (low & (uint64_t)(op_width(op) - 1)))
    return false;
  note_input_write(warp, op, a, base, first_thread(warp, mask), (uint64_t)__builtin_popcount(mask));
  return true;
}

/* Reports an access whose lanes all lie past the last shared array, or that has none, at once: a
 * kernel launched without its dynamic shared memory does little else. */
static bool refuse_shared(struct warp *warp, const struct op *op, const struct memo *memo,
                          uint64_t base, uint32_t mask, enum access access) {
  const struct launch_state *launch = warp->worker->launch;
  uint64_t low = base + (uint64_t)memo->low, high = base + (uint64_t)memo->high;
  if (!memo->aligned || memo->far || high < low || high > launch->shared_span + SHARED_SLACK ||
      (low & (uint64_t)(op_width(op) - 1)))
    return false;
  for (int i = 0; i < launch->array_count; i++)
    if (low < (uint64_t)launch->arrays[i].start + launch->arrays[i].size) return false;
  const struct shared_array *nearest = nearest_array(launch, (int64_t)low);
  note_shared_bounds(warp, op, nearest, base, first_thread(warp, mask),
                     (uint64_t)__builtin_popcount(mask), access);
  return true;
}

/* If [low, high) lies in one array that this access may use, stores the array's bounds in the memo
 * for the fast path. */
static bool vouch(struct warp *warp, const struct op *op, struct memo *memo, uint64_t low,
                  uint64_t high, enum ptx_space space, enum access access) {
  const struct launch_state *launch = warp->worker->launch;
  if (!memo->aligned || high < low || (low & (uint64_t)(op_width(op) - 1))) return false;
  if (space == PTX_SHARED) {
    for (int i = 0; i < launch->array_count; i++) {
      const struct shared_array *array = &launch->arrays[i];
      if (low < array->start || high > (uint64_t)array->start + array->size) continue;
      if (memo->counted) pattern_book(warp->worker, op, memo, NULL);
      memo->array = i;
      memo->from = array->start;
      memo->to = (uint64_t)array->start + array->size;
      return true;
    }
    return false;
  }
  struct allocation *a = memory_find(launch->memory, low, high - low);
  size_t from, to;
  if (!a || !may_access(a, low - a->address, high - low, access, &from, &to)) return false;
  if (!memory_touch(launch->memory, a, access != ACCESS_LOAD, access == ACCESS_ATOMIC)) {
    access_stop(warp, cudaErrorMemoryAllocation);
    return false;
  }
  if (launch->memory->surprised) { /* only where it can be undone */
    atomic_store_explicit(&warp->worker->launch->conflict, true, memory_order_relaxed);
    warp->stop = true;
    return false;
  }
  if (memo->counted != a) pattern_book(warp->worker, op, memo, a);
  memo->from = a->address + from;
  memo->to = a->address + to;
  memo->allocation = a;
  return true;
}

/* What lies at an address that was checked: an array, or what is mapped in one around there. */
static const void *part_of(const struct memory *memory, uint64_t address, enum access access) {
  const struct allocation *a = memory_window(memory, address);
  size_t from, to;
  bool mapped = a->reservation && may_access(a, address - a->address, 1, access, &from, &to);
  return mapped ? (const void *)(a->data + from) : a;
}

/* The lanes near the one with the lowest address: a memo's granules are 32-bit offsets. */
static uint32_t near_lanes(const struct memo *memo, const uint64_t *addresses, uint32_t mask) {
  enum { REACH = INT32_MAX - 16 };
  uint64_t lowest = addresses[__builtin_ctz(mask)] + (uint64_t)memo->low;
  uint32_t near = 0;
  EACH_ACTIVE (i, mask)
    if (addresses[i] - lowest <= REACH) near |= 1u << i;
  return near;
}

uint32_t access_resolve(struct warp *warp, const struct op *op, struct memo *memo,
                        const uint64_t *addresses, uint64_t base, uint32_t mask,
                        enum ptx_space space, enum access access, uint32_t *later) {
  *later = 0;
  if (space == PTX_LOCAL) {
    resolve_local_lane(warp, op, base, first_thread(warp, mask), access);
    return 0;
  }
  uint64_t shift = base - addresses[__builtin_ctz(mask)];
  if (memo->far) {
    *later = mask & ~near_lanes(memo, addresses, mask);
    mask &= ~*later;
  } else if (vouch(warp, op, memo, base + (uint64_t)memo->low, base + (uint64_t)memo->high, space,
                   access))
    return mask;
  if (warp->stop) return 0;
  if (space == PTX_GLOBAL && access != ACCESS_LOAD && refuse_input(warp, op, memo, base, mask))
    return 0;
  if (space == PTX_SHARED && refuse_shared(warp, op, memo, base, mask, access)) return 0;
  const struct launch_state *launch = warp->worker->launch;
  uint32_t passed = 0;
  const void *array =
      NULL; /* of the first lane that passed; lanes in another array take another turn */
  EACH_ACTIVE (i, mask) {
    uint64_t address = addresses[i] + shift;
    int thread = warp->index * LANES + i;
    bool ok = space == PTX_SHARED ? resolve_shared_lane(warp, op, address, thread, access)
                                  : resolve_global_lane(warp, op, address, thread, access);
    if (warp->stop) return 0;
    if (!ok) continue;
    const void *own = space == PTX_SHARED ? (const void *)nearest_array(launch, (int64_t)address)
                                          : part_of(launch->memory, address, access);
    if (!passed) array = own;
    if (own == array)
      passed |= 1u << i;
    else
      *later |= 1u << i;
  }
  return passed;
}

bool access_peek(struct warp *warp, int lane, uint64_t address, void *to, size_t bytes) {
  struct worker *worker = warp->worker;
  const struct launch_state *launch = worker->launch;
  uint64_t window = address & WINDOW_MASK, offset = address - window;
  if (window == LOCAL_WINDOW) {
    if (offset > worker->local_bytes || bytes > worker->local_bytes - offset) return false;
    planes_get(warp->block->local + (size_t)warp->index * LANES * worker->local_bytes, offset, lane,
               to, bytes);
    return true;
  }
  if (window == SHARED_WINDOW) {
    if (offset > launch->shared_span || bytes > launch->shared_span - offset) return false;
    memcpy(to, warp->block->shared + offset, bytes);
    return true;
  }
  struct allocation *a = memory_find(launch->memory, address, bytes);
  if (a) memcpy(to, a->data + (address - a->address), bytes);
  return a != NULL;
}
