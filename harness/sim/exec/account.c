/* account.c: a hash table of counts by operation and allocation. */
#include "harness/sim/exec/account.h"

#include <stdlib.h>
#include <string.h>

/* The slot of that account, or a free one for it; there always is one. */
static struct account *find(const struct accounts *accounts, int op, int window) {
  size_t at = ((size_t)(unsigned)op * 0x9e3779b1u) ^ ((size_t)(unsigned)window * 0x85ebca6bu);
  for (;; at++) {
    struct account *account = &accounts->items[at & (accounts->room - 1)];
    if (!account->counts.requests || (account->op == op && account->window == window))
      return account;
  }
}

static bool grow(struct accounts *accounts) {
  struct accounts larger = {.room = accounts->room ? accounts->room * 2 : 64,
                            .count = accounts->count};
  larger.items = calloc(larger.room, sizeof *larger.items);
  if (!larger.items) return false;
  for (size_t i = 0; i < accounts->room; i++) {
    const struct account *account = &accounts->items[i];
    if (account->counts.requests) *find(&larger, account->op, account->window) = *account;
  }
  free(accounts->items);
  *accounts = larger;
  return true;
}

static void add(struct op_counts *to, const struct op_counts *counts) {
  to->requests += counts->requests;
  to->lines += counts->lines;
  to->bytes += counts->bytes;
  to->used += counts->used;
  to->words += counts->words;
  to->wavefronts += counts->wavefronts;
  to->ideal += counts->ideal;
  to->turn_sectors += counts->turn_sectors;
  for (int i = 0; i < SPREADS; i++) {
    to->spread[i].requests += counts->spread[i].requests;
    to->spread[i].sectors += counts->spread[i].sectors;
    to->spread[i].bytes += counts->spread[i].bytes;
  }
}

void accounts_book(struct accounts *accounts, int op, int window, struct op_counts *counts) {
  if (!counts->requests) return;
  if (accounts->out_of_memory || (accounts->count * 4 >= accounts->room * 3 && !grow(accounts))) {
    accounts->out_of_memory = true;
    return;
  }
  struct account *account = find(accounts, op, window);
  accounts->count += !account->counts.requests;
  account->op = op;
  account->window = window;
  add(&account->counts, counts);
  memset(counts, 0, sizeof *counts);
}

void accounts_release(struct accounts *accounts) { free(accounts->items); }
