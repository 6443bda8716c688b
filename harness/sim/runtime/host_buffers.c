/* host_buffers.c: protects pinned buffers while asynchronous copies use them, and reports host code
 * that touches them.
 *
 * The list of uses is also read by the handler of SIGSEGV, so its lock spins, and is held only
 * while nothing can fault and never during a request to the device.
 */
#include "harness/sim/runtime/host_buffers.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/sim/runtime/runtime.h"

enum { PAGE = 4096, MAX_USES = 1024 /* more are not guarded */ };

struct block {
  struct block *next;
  uint64_t from, to;   /* what was asked for */
  uint64_t first, end; /* its pages, which hold nothing else */
  bool registered;
  bool reported; /* as left behind by a call */
  unsigned flags;
  int line; /* where it was made */
};

struct use {
  struct host_use rows;
  uint64_t first, end; /* pages */
  bool guards;         /* the pages are protected for it */
  bool lifted;         /* ... and will be again with host_buffers_guard */
  bool touched;
  struct device_touch touch;
};

static struct block *blocks;
static struct use uses[MAX_USES];
static int use_count;
static bool any_lifted;
static atomic_flag busy = ATOMIC_FLAG_INIT;
/* This thread is copying: its accesses are the runtime's own, although another thread may have
 * protected the pages again. */
static _Thread_local bool copying;

static void lock(void) {
  while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
  }
}
static void unlock(void) { atomic_flag_clear_explicit(&busy, memory_order_release); }

static uint64_t page_down(uint64_t address) { return address / PAGE * PAGE; }
static uint64_t page_up(uint64_t address) { return page_down(address + PAGE - 1); }

static void protect(uint64_t first, uint64_t end, int rights) {
  if (first < end) mprotect((void *)(uintptr_t)first, end - first, rights);
}

/* Protects pages as the uses that guard them need it. */
static void protect_again(uint64_t first, uint64_t end) {
  protect(first, end, PROT_READ | PROT_WRITE);
  for (int writes = 0; writes < 2;
       writes++) /* copies that write the buffer are stricter: they come last */
    for (int i = 0; i < use_count; i++) {
      const struct use *use = &uses[i];
      if (!use->guards || use->lifted || use->rows.into_device == (writes == 1)) continue;
      protect(use->first > first ? use->first : first, use->end < end ? use->end : end,
              writes ? PROT_NONE : PROT_READ);
    }
}

/* ---- pinned memory ---- */

static bool add_block(struct block added) {
  struct block *block = malloc(sizeof *block);
  if (!block) return false;
  lock();
  added.next = blocks;
  *block = added;
  blocks = block;
  unlock();
  return true;
}

void *host_buffers_allocate(size_t bytes, unsigned flags, int line) {
  size_t size = bytes > SIZE_MAX - PAGE ? 0 : page_up(bytes ? bytes : 1);
  if (size == 0) return NULL;
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  uint64_t from = (uint64_t)(uintptr_t)memory;
  if (add_block((struct block){.from = from,
                               .to = from + bytes,
                               .first = from,
                               .end = from + size,
                               .flags = flags,
                               .line = line}))
    return memory;
  munmap(memory, size);
  return NULL;
}

bool host_buffers_register(void *memory, size_t bytes, unsigned flags, int line) {
  uint64_t from = (uint64_t)(uintptr_t)memory, first = page_up(from), end = page_down(from + bytes);
  return add_block((struct block){.from = from,
                                  .to = from + bytes,
                                  .first = first,
                                  .end = end > first ? end : first,
                                  .registered = true,
                                  .flags = flags,
                                  .line = line});
}

static void drop_uses(uint64_t first, uint64_t end) {
  int kept = 0;
  for (int i = 0; i < use_count; i++)
    if (uses[i].touched || uses[i].end <= first || uses[i].first >= end) uses[kept++] = uses[i];
  use_count = kept;
  protect_again(first, end);
}

/* The pages of the last blocks that were freed: in no order, {0, 0} if there were fewer. */
enum { FREED = 64 };
static struct pages { uint64_t first, end; } freed[FREED];
static int freed_next;

static void note_freed(const struct block *block) {
  freed[freed_next] = (struct pages){block->first, block->end};
  freed_next = (freed_next + 1) % FREED;
}

bool host_buffers_was_freed(uintptr_t address) {
  for (int i = 0; i < FREED; i++)
    if (address >= freed[i].first && address < freed[i].end) return true;
  return false;
}

static bool remove_block(void *memory, bool registered) {
  lock();
  struct block **at = &blocks, *block;
  while ((block = *at) &&
         (block->from != (uint64_t)(uintptr_t)memory || block->registered != registered))
    at = &block->next;
  if (block) {
    *at = block->next;
    drop_uses(block->first, block->end);
    if (!registered) note_freed(block);
  }
  unlock();
  if (block && !registered) munmap(memory, block->end - block->first);
  free(block);
  return block != NULL;
}

bool host_buffers_free(void *memory) { return remove_block(memory, false); }
bool host_buffers_unregister(void *memory) { return remove_block(memory, true); }

/* The next block that no call has reported; it is a copy. */
static bool next_unreported(struct block *found) {
  lock();
  struct block *block = blocks;
  while (block && block->reported) block = block->next;
  if (block) {
    block->reported = true;
    *found = *block;
  }
  unlock();
  return block != NULL;
}

void host_buffers_call_ends(void) {
  struct block block;
  while (next_unreported(&block)) {
    struct hazard hazard = {.kind = HAZARD_leak, .line = block.line, .count = 1};
    snprintf(hazard.message, sizeof hazard.message,
             block.registered
                 ? "the %zu bytes registered here stay so: each call leaves as much behind. Call "
                   "cudaHostUnregister before the function returns."
                 : "the %zu bytes of pinned memory made here are never freed: each call leaves as "
                   "much behind. Pass the pointer to cudaFreeHost before the function returns.",
             (size_t)(block.to - block.from));
    device_report_hazard(runtime_device(), &hazard);
  }
}

static const struct block *find_block(uint64_t from, uint64_t to) {
  const struct block *block = blocks;
  while (block && (from < block->from || to > block->to)) block = block->next;
  return block;
}

bool host_buffers_pinned(const void *start, size_t bytes) {
  uint64_t from = (uint64_t)(uintptr_t)start;
  lock();
  bool pinned = find_block(from, from + bytes) != NULL;
  unlock();
  return pinned;
}

bool host_buffers_find(uint64_t address, struct host_block *found) {
  lock();
  const struct block *block = find_block(address, address + 1);
  if (block) *found = (struct host_block){block->from, block->to, block->flags, block->line};
  unlock();
  return block != NULL;
}

bool host_buffers_overlap(const void *start, size_t bytes) {
  uint64_t from = (uint64_t)(uintptr_t)start;
  lock();
  const struct block *block = blocks;
  /* What a call has left behind may be other memory by now: the harness frees its arrays. */
  while (block && (block->reported || from >= block->to || from + bytes <= block->from))
    block = block->next;
  unlock();
  return block != NULL;
}

/* ---- copies that use it ---- */

void host_buffers_lift(const void *start, size_t bytes) {
  uint64_t from = (uint64_t)(uintptr_t)start, to = from + bytes;
  copying = true;
  lock();
  for (int i = 0; i < use_count; i++) {
    struct use *use = &uses[i];
    if (!use->guards || use->lifted || use->end <= from || use->first >= to) continue;
    use->lifted = any_lifted = true;
    protect_again(use->first, use->end);
  }
  unlock();
}

void host_buffers_guard(void) {
  copying = false;
  lock();
  for (int i = 0; i < use_count && any_lifted; i++) {
    if (!uses[i].lifted) continue;
    uses[i].lifted = false;
    protect_again(uses[i].first, uses[i].end);
  }
  any_lifted = false;
  unlock();
}

bool host_buffers_lifted(void) { return copying; }

void host_buffers_use(const struct host_use *rows) {
  uint64_t to = rows->start + rows->pitch * (rows->rows - 1) + rows->width;
  lock();
  const struct block *block = find_block(rows->start, to);
  uint64_t first = page_down(rows->start), end = page_up(to);
  if (block && use_count < MAX_USES) {
    if (first < block->first) first = block->first;
    if (end > block->end) end = block->end;
    if (first < end) {
      uses[use_count++] = (struct use){.rows = *rows, .first = first, .end = end, .guards = true};
      protect_again(first, end);
    }
  }
  unlock();
}

/* Finds a use again, or NULL: uses move when others are dropped. */
static struct use *find_use(uint64_t copy, const struct use *like) {
  for (int i = 0; i < use_count; i++)
    if (uses[i].rows.copy == copy && uses[i].first == like->first) return &uses[i];
  return NULL;
}

static void let_go(struct use *use) {
  uint64_t first = use->first, end = use->end;
  memmove(use, use + 1, (size_t)(&uses[use_count] - (use + 1)) * sizeof *use);
  use_count--;
  protect_again(first, end);
}

void host_buffers_settle(void) {
  for (int i = 0;; i++) {
    lock();
    if (i >= use_count) {
      unlock();
      break;
    }
    struct use seen = uses[i];
    unlock();
    bool done = seen.touched || device_copy_is_done(runtime_device(), seen.rows.copy);
    if (!done) continue;
    lock();
    struct use *use = find_use(seen.rows.copy, &seen);
    if (use) {
      seen = *use;
      let_go(use);
      i--;
    }
    unlock();
    if (use && seen.touched) device_report_touch(runtime_device(), &seen.touch);
  }
  host_buffers_guard();
}

/* ---- faults ---- */

static bool holds(const struct host_use *rows, uint64_t address) {
  if (address < rows->start) return false;
  uint64_t offset = address - rows->start;
  return offset / rows->pitch < rows->rows && offset % rows->pitch < rows->width;
}

/* Host code accesses this byte, if a copy uses it, else another one of its pages. */
static void meet(struct use *use, bool used, uint64_t address, bool writes) {
  if (!copying && used && (writes || !use->rows.into_device)) {
    use->guards = false;
    use->touched = true;
    use->touch = (struct device_touch){.line = use->rows.line,
                                       .into_device = use->rows.into_device,
                                       .writes = writes,
                                       .offset = address - use->rows.start};
  } else {
    use->lifted = any_lifted = true;
  }
  protect_again(use->first, use->end);
}

/* If a copy uses the byte, that copy stops guarding its pages. If it is another byte of them, they
 * are unguarded until the runtime is next called, as the host may go on to neighbouring bytes. */
bool host_buffers_touched(uintptr_t address, bool writes) {
  int saved = errno;
  lock();
  const struct block *block = blocks; /* another thread may have faulted on the same page before */
  while (block && (address < block->first || address >= block->end)) block = block->next;
  bool ours = block != NULL;
  if (ours) protect_again(page_down(address), page_down(address) + PAGE);
  for (int i = 0; i < use_count; i++) {
    struct use *use = &uses[i];
    if (!use->guards || use->lifted || address < use->first || address >= use->end) continue;
    meet(use, holds(&use->rows, address), address, writes);
  }
  unlock();
  errno = saved;
  return ours;
}

/* The first byte of [from, to) that the copy uses; `to`: it uses none. */
static uint64_t first_used(const struct host_use *rows, uint64_t from, uint64_t to) {
  if (from < rows->start) from = rows->start;
  uint64_t row = (from - rows->start) / rows->pitch;
  if ((from - rows->start) % rows->pitch >= rows->width) from = rows->start + ++row * rows->pitch;
  return row < rows->rows && from < to ? from : to;
}

void host_buffers_passed(const void *start, size_t bytes, bool writes) {
  uint64_t from = (uint64_t)(uintptr_t)start, to = from + bytes;
  lock();
  for (int i = 0; i < use_count && bytes; i++) {
    struct use *use = &uses[i];
    if (!use->guards || use->lifted || to <= use->first || from >= use->end) continue;
    uint64_t used = first_used(&use->rows, from, to);
    meet(use, used < to, used, writes);
  }
  unlock();
}
