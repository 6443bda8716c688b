/* managed.c: maps managed arrays into the host's address space, and detects host code that touches
 * them while the device works on them.
 *
 * The handler of SIGSEGV reads and writes what is here, too, so its lock spins, and is never held
 * during a request to the device.
 */
#include "harness/sim/runtime/managed.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/sim/runtime/host_buffers.h"
#include "harness/sim/runtime/runtime.h"

enum { PAGE = 4096, MAX_TOUCHES = 1024 /* more add nothing */ };

struct block {
  struct block *next;
  uint64_t first, end; /* the host's pages */
  uint64_t address;    /* on the device, of the first */
  bool over;           /* memory of the host that was there before */
  enum array_use use;  /* as it is guarded */
};

static struct touch {
  uint64_t address;
  bool writes;
} touches[MAX_TOUCHES];
static struct block *blocks;
static int touch_count;
static atomic_flag busy = ATOMIC_FLAG_INIT;

static void lock(void) {
  while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
  }
}
static void unlock(void) { atomic_flag_clear_explicit(&busy, memory_order_release); }

static void protect(uint64_t first, uint64_t end, enum array_use use) {
  static const int rights[] = {[ARRAY_UNUSED] = PROT_READ | PROT_WRITE,
                               [ARRAY_READ] = PROT_READ,
                               [ARRAY_WRITTEN] = PROT_NONE};
  mprotect((void *)(uintptr_t)first, end - first, rights[use]);
}

/* ---- arrays ---- */

static size_t whole_pages(size_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }

static void add_block(struct block *block, uint64_t first, size_t size, uint64_t address,
                      bool over) {
  lock();
  *block = (struct block){blocks, first, first + size, address, over, ARRAY_UNUSED};
  blocks = block;
  unlock();
}

bool managed_map(uint64_t address, size_t bytes, int pages) {
  managed_unmap(address); /* of a device that is no more */
  struct block *block = malloc(sizeof *block);
  size_t size = whole_pages(bytes);
  void *wanted = (void *)(uintptr_t)address;
  void *got =
      block ? mmap(wanted, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, pages, 0)
            : MAP_FAILED;
  if (got != wanted) {
    if (got != MAP_FAILED) munmap(got, size); /* a kernel that does not know MAP_FIXED_NOREPLACE */
    free(block);
    return false;
  }
  add_block(block, address, size, address, false);
  return true;
}

/* Puts a mapping in place of the pages at `host`; what is there stays, from byte `kept` on. */
static bool replace(char *host, size_t size, int flags, int pages, size_t kept) {
  char *fresh = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, pages, 0);
  if (fresh == MAP_FAILED) return false;
  memcpy(fresh + kept, host + kept, size - kept);
  if (mremap(fresh, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, host) == host) return true;
  munmap(fresh, size);
  return false;
}

bool managed_map_over(void *host, uint64_t address, size_t bytes, int pages, bool keeps) {
  managed_unmap(address);
  struct block *block = malloc(sizeof *block);
  size_t size = whole_pages(bytes);
  if (!block || !replace(host, size, MAP_SHARED, pages, keeps ? 0 : bytes)) {
    free(block);
    return false;
  }
  add_block(block, (uint64_t)(uintptr_t)host, size, address, true);
  return true;
}

/* The pages would be the next array's, too. */
static _Noreturn void abandon(void) {
  fputs("kit: out of memory\n", stderr);
  exit(2);
}

void managed_unmap(uint64_t address) {
  lock();
  struct block **at = &blocks, *block;
  while ((block = *at) && block->address != address) at = &block->next;
  if (block) *at = block->next;
  unlock();
  if (!block) return;
  void *first = (void *)(uintptr_t)block->first;
  size_t size = block->end - block->first;
  protect(block->first, block->end, ARRAY_UNUSED);
  if (!block->over)
    munmap(first, size);
  else if (!replace(first, size, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    abandon();
  free(block);
}

void managed_unmap_over(void) {
  for (const struct block *block = blocks; block;) {
    const struct block *next = block->next;
    if (block->over) managed_unmap(block->address);
    block = next;
  }
}

void managed_unmap_all(void) {
  while (blocks) managed_unmap(blocks->address);
}

static struct block *find_block(uint64_t address) { /* the host's */
  struct block *block = blocks;
  while (block && (address < block->first || address >= block->end)) block = block->next;
  return block;
}

static struct block *find_array(uint64_t address) { /* the device's */
  struct block *block = blocks;
  while (block && address - block->address >= block->end - block->first) block = block->next;
  return block;
}

bool managed_bounds(uint64_t address, uint64_t *first, uint64_t *end) {
  lock();
  const struct block *block = find_array(address);
  if (block) {
    *first = block->address;
    *end = block->address + (block->end - block->first);
  }
  unlock();
  return block != NULL;
}

bool managed_any(void) {
  lock();
  bool any = blocks != NULL;
  unlock();
  return any;
}

/* ---- work ---- */

void managed_report(void) {
  for (int i = 0;; i++) {
    lock();
    bool more = i < touch_count;
    struct touch touch = touches[more ? i : 0];
    if (!more) touch_count = 0;
    unlock();
    if (!more) break;
    device_host_access(runtime_device(), touch.address, touch.writes);
  }
}

void managed_guard(void) {
  for (uint64_t after = 0;
       ;) { /* the next array above that address: others may come and go meanwhile */
    uint64_t address = 0;
    lock();
    for (const struct block *block = blocks; block; block = block->next)
      if (block->address > after && (!address || block->address < address))
        address = block->address;
    unlock();
    if (!address) break;
    enum array_use use = device_array_use(runtime_device(), address);
    lock();
    struct block *block = find_array(address);
    if (block && (block->use != use || use != ARRAY_UNUSED)) protect(block->first, block->end, use);
    if (block) block->use = use;
    unlock();
    after = address;
  }
}

bool managed_touched(uintptr_t address, bool writes, bool atomic) {
  int saved = errno;
  lock();
  const struct block *block = find_block(address);
  if (block) {
    uint64_t page = address / PAGE * PAGE;
    if (block->use != ARRAY_UNUSED && touch_count < MAX_TOUCHES && !atomic &&
        !host_buffers_lifted())
      touches[touch_count++] = (struct touch){address - block->first + block->address, writes};
    protect(page, page + PAGE, writes ? ARRAY_UNUSED : ARRAY_READ);
  }
  unlock();
  errno = saved;
  return block != NULL;
}
