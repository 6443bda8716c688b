/* account.h: whose memory an operation's counts are about.
 *
 * An operation usually stays with one array, so a worker keeps its counts in one place
 * (worker->op_counts) and books them only when the operation goes on to another allocation, and at
 * the end: accesses themselves pay nothing for it.
 */
#ifndef KIT_ACCOUNT_H
#define KIT_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/sim/base/report_lists.h"

/* What one worker counts for a memory operation. Requests, sectors and bytes of global accesses are
 * kept apart by sectors per requested byte (traffic_spread), so that efficient accesses do not hide
 * inefficient ones. */
struct op_counts {
  uint64_t requests, lines, bytes, used, words, wavefronts, ideal;
  uint64_t turn_sectors; /* of an atomic, over all its turns (pattern.c) */
  struct {
    uint64_t requests, sectors, bytes;
  } spread[SPREADS];
};

/* What an operation counted in one allocation. */
struct account {
  int op;     /* index among all operations of the module */
  int window; /* of the allocation; NO_WINDOW: shared or local memory */
  struct op_counts counts;
};
enum { NO_WINDOW = -1 };

/* A hash table; all zero: empty. */
struct accounts {
  struct account *items; /* of `room`, a power of two; counts.requests 0: free */
  size_t count, room;
  bool out_of_memory;
};

/* Adds counts unless they have no requests, and resets them. */
void accounts_book(struct accounts *accounts, int op, int window, struct op_counts *counts);
void accounts_release(struct accounts *accounts);

#endif
