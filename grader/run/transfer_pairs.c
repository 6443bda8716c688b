/* transfer_pairs.c: pairs the records of two runs. */
#include "grader/run/transfer_pairs.h"

#include <string.h>

#include "grader/base/text.h"

/* Addresses of the device as harness/sim/base/memory.h has them: allocations of several host
 * threads come in any order, so between threads only the place inside the allocation counts. */
static uint64_t without_window(uint64_t word) {
  const uint64_t device = UINT64_C(0x00d0000000000000), managed = UINT64_C(0x0000200000000000),
                 windows = UINT64_C(1) << 50, inside = (UINT64_C(1) << 36) - 1;
  if (word - device < windows) return device | (word & inside);
  if (word - managed < UINT64_C(768) << 36) return managed | (word & inside);
  return word;
}

static bool same_key(const struct transfer *a, const struct transfer *b, bool loosely) {
  size_t size = a->record.key_bytes;
  if (a->record.kind != b->record.kind || size != b->record.key_bytes ||
      a->record.data_bytes != b->record.data_bytes)
    return false;
  if (!loosely) return memcmp(a->key, b->key, size) == 0;
  for (size_t at = 0; at < size; at += 8) {
    uint64_t x = 0, y = 0;
    size_t bytes = size - at < 8 ? size - at : 8;
    memcpy(&x, a->key + at, bytes);
    memcpy(&y, b->key + at, bytes);
    if (without_window(x) != without_window(y)) return false;
  }
  return true;
}

/* Pairs what is the same in front of the first that is not. True if that is all of both. */
static bool pair_in_order(const struct transfers *first, const struct transfers *second,
                          struct pairs *pairs) {
  size_t i = 0;
  for (; i < first->count && i < second->count; i++) {
    if (!same_key(&first->items[i], &second->items[i], false)) break;
    pairs->items[i] = (struct pair){&first->items[i], &second->items[i]};
  }
  pairs->count = i;
  return i == first->count && i == second->count;
}

/* That thread's next record from i on, or the count. Results are in order for all threads. */
static size_t next_of(const struct transfers *log, size_t i, uint32_t thread) {
  while (i < log->count && log->items[i].record.thread != thread) i++;
  return i;
}

static bool same_thread(const struct transfers *first, uint32_t a, const struct transfers *second,
                        uint32_t b) {
  size_t i = next_of(first, 0, a), j = next_of(second, 0, b);
  while (i < first->count && j < second->count) {
    if (!same_key(&first->items[i], &second->items[j], true)) return false;
    i = next_of(first, i + 1, a);
    j = next_of(second, j + 1, b);
  }
  return i == first->count && j == second->count;
}

/* Host threads ask the device in any order; what each of them asks for has an order. */
static bool pair_by_thread(const struct transfers *first, const struct transfers *second,
                           struct pairs *pairs) {
  enum { MAX_THREADS = 64 };
  uint32_t partner[MAX_THREADS + 1] = {0}, threads = 0;
  size_t at[MAX_THREADS + 1];
  bool taken[MAX_THREADS + 1] = {false};
  for (size_t i = 0; i < first->count; i++)
    if (first->items[i].record.thread > threads) threads = first->items[i].record.thread;
  if (threads < 2 || threads > MAX_THREADS || first->count != second->count) return false;
  for (uint32_t t = 0; t <= threads; t++) {
    uint32_t u = 0;
    while (u <= threads && (taken[u] || !same_thread(first, t, second, u))) u++;
    if (u > threads) return false;
    partner[t] = u;
    taken[u] = true;
    at[t] = next_of(second, 0, u);
  }
  for (size_t i = 0; i < first->count; i++) {
    uint32_t t = first->items[i].record.thread;
    pairs->items[i] = (struct pair){&first->items[i], &second->items[at[t]]};
    at[t] = next_of(second, at[t] + 1, partner[t]);
  }
  pairs->count = first->count;
  return true;
}

bool transfers_pair(const struct transfers *first, const struct transfers *second,
                    struct pairs *pairs) {
  pairs->items = xcalloc(first->count + 1, sizeof *pairs->items);
  return pair_in_order(first, second, pairs) || pair_by_thread(first, second, pairs);
}
