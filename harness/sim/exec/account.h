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

/* What one worker counts of a memory operation. Requests, sectors and bytes of global accesses are
 * kept apart by how many sectors an access moves for the bytes that its lanes ask for
 * (traffic_spread): in one sum, good accesses would hide bad ones. */
struct op_counts {
  uint64_t requests, lines, bytes, used, words, wavefronts, ideal;
  uint64_t turn_sectors; /* an atomic's, of all turns (pattern.c) */
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

/* Adds counts, of which nothing is kept if they have no request, and sets them to 0. */
void accounts_book(struct accounts *accounts, int op, int window, struct op_counts *counts);
void accounts_release(struct accounts *accounts);

#endif
