/* fuse.c: merges neighbouring accesses to shared memory into 8- and 16-byte ones, as ptxas does.
 *
 * Accesses of one basic block whose addresses differ by constants, and which fill an aligned group
 * of 16 (or 8) bytes, become one, if the rest of the address is known to be aligned and nothing
 * between them prevents it: for loads, what may write shared memory or synchronises; for stores,
 * any other access to shared memory too. Compared with an H100 by tests/counters: executed shared
 * loads and stores of tiled products equal Nsight Compute's.
 *
 * ptxas also loads three of four words by one 16-byte load. Not done here: the fourth word may be
 * another thread's to write.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/linear.h"

enum { MAX_ELEMENTS = 4 };

struct address {
  struct linear linear;
  bool known;
};

struct fuse {
  struct draft *draft;
  struct linear_facts facts;
  struct address *addresses; /* by operation: of candidates, once needed */
  int64_t steps;             /* left to spend; then nothing more is merged */
};

static bool is_store(const struct draft_op *d) { return d->op.kind == OP_STORE; }

/* 4 or 8 bytes an element; ptxas merges 2-byte ones too, but only stores. */
static bool is_candidate(const struct draft_op *d) {
  bool store = is_store(d);
  return !d->dead && (store || d->op.kind == OP_LOAD) && d->op.space == PTX_SHARED &&
         !d->op.guarded && !d->op.apart && !d->op.is_volatile && d->op.wide == (d->op.size == 8) &&
         d->op.count != 3 && (store ? d->op.size >= 2 : d->op.size >= 4) &&
         d->op.size * d->op.count < 16;
}

/* Does the operation prevent moving accesses across it? */
static bool is_fence(const struct draft_op *d, bool moved_are_stores) {
  bool stores = is_store(d);
  if (!stores && d->op.kind != OP_LOAD) return d->op.orders_shared;
  if (d->op.orders_shared) return true;
  return (stores || moved_are_stores) && (d->op.space == PTX_SHARED || d->op.space == PTX_GENERIC);
}

static bool uses(const struct draft_op *d, vreg r) {
  for (int k = 0; k < d->used; k++)
    if (d->reg[k] == r) return true;
  return false;
}

/* Address of a candidate, its offset included. */
static const struct linear *address_of(struct fuse *fuse, int i) {
  struct address *address = &fuse->addresses[i];
  if (!address->known) {
    const struct draft_op *d = &fuse->draft->ops[i];
    address->linear = linear_of(&fuse->facts, d->reg[0], i);
    address->linear.constant += (uint32_t)d->op.access.offset;
    address->known = true;
  }
  return &address->linear;
}

/* Members of a group, by element. */
struct group {
  int op[MAX_ELEMENTS];    /* the member that has it; -1: none */
  vreg data[MAX_ELEMENTS]; /* its register */
  int first, last;         /* members */
};

/* May member i join? Loads move up to the group's first member, stored values wait for the last. */
static bool may_join(const struct draft *draft, const struct group *group, int i, bool store) {
  const struct draft_op *d = &draft->ops[i];
  if (!store) {
    for (int j = group->first; j < i; j++)
      for (int k = 1; k <= d->op.count; k++)
        if (uses(&draft->ops[j], d->reg[k])) return false;
    return true;
  }
  for (int e = 0; e < MAX_ELEMENTS; e++)
    for (int j = group->op[e] + 1; group->op[e] >= 0 && j < i; j++)
      if (draft_defines(&draft->ops[j], group->data[e])) return false;
  return true;
}

/* Merges the aligned group of `bytes` bytes that operation `first` belongs to, if all its elements
 * are found before `end`. */
static bool try_group(struct fuse *fuse, int first, int end, int bytes) {
  struct draft *draft = fuse->draft;
  const struct draft_op *head = &draft->ops[first];
  const struct linear *base = address_of(fuse, first);
  int size = head->op.size, elements = bytes / size;
  bool store = is_store(head);
  uint32_t start =
      base->constant - (linear_residue(&fuse->facts, base).residue & (uint32_t)(bytes - 1));
  struct group group = {.op = {-1, -1, -1, -1}, .first = first, .last = first};
  if (elements > MAX_ELEMENTS || elements <= head->op.count) return false;
  int missing = elements;
  for (int i = first; i < end && missing; i++) {
    if (fuse->steps-- < 0) return false;
    const struct draft_op *d = &draft->ops[i];
    bool other = is_store(d) != store || d->op.size != size || !is_candidate(d);
    if (i > first && store && is_fence(d, true) && other) break;
    if (other) continue;
    const struct linear *address = address_of(fuse, i);
    bool related = linear_same_terms(base, address);
    uint32_t at = address->constant - start;
    bool inside = related && at < (uint32_t)bytes &&
                  at + (uint32_t)(size * d->op.count) <= (uint32_t)bytes &&
                  at % (uint32_t)size == 0;
    if (!inside) {
      if (store && !related) break; /* it may write the same words */
      if (related && at < (uint32_t)bytes) break;
      continue;
    }
    int element = (int)at / size;
    for (int k = 0; k < d->op.count; k++)
      if (group.op[element + k] >= 0) return false; /* the same word twice */
    fuse->steps -= i - first;
    if (!may_join(draft, &group, i, store)) return false;
    for (int k = 0; k < d->op.count; k++, missing--) {
      group.op[element + k] = i;
      group.data[element + k] = d->reg[1 + k];
    }
    group.last = i;
  }
  if (missing) return false;
  int keep = store ? group.last : group.first;
  for (int e = 0; e < elements; e++)
    if (group.op[e] != keep) draft->ops[group.op[e]].dead = true;
  struct draft_op *merged = &draft->ops[keep];
  struct linear *address = &fuse->addresses[keep].linear;
  merged->op.access.offset -= (int64_t)(address->constant - start);
  address->constant = start;
  merged->op.count = (uint8_t)elements;
  for (int e = 0; e < elements; e++) {
    merged->reg[1 + e] = group.data[e];
    if (!store) merged->writes |= (uint16_t)(1u << (1 + e));
  }
  merged->used = (uint8_t)(1 + elements);
  return true;
}

/* The end of the stretch after operation i in which accesses may be merged with it. */
static int stretch_end(struct fuse *fuse, int i, int stop) {
  const struct draft *draft = fuse->draft;
  const struct linear *address = address_of(fuse, i);
  bool store = is_store(&draft->ops[i]);
  int end = i + 1;
  for (; end < stop; end++) {
    const struct draft_op *d = &draft->ops[end];
    if (store ? d->op.orders_shared : is_fence(d, false)) break;
    bool changes = false;
    for (int t = 0; t < address->count && !changes; t++)
      changes = draft_defines(d, address->term[t]);
    if (changes || draft_defines(d, draft->ops[i].reg[0])) break;
  }
  return end;
}

static void fuse_block(struct fuse *fuse, int begin, int stop) {
  struct draft *draft = fuse->draft;
  for (int i = begin; i < stop; i++) {
    if (!is_candidate(&draft->ops[i])) continue;
    int bits = linear_residue(&fuse->facts, address_of(fuse, i)).bits, end = 0;
    if (bits < 2) continue;
    end = stretch_end(fuse, i, stop);
    for (bits = bits < 4 ? bits : 4; bits >= 2 && !try_group(fuse, i, end, 1 << bits); bits--) {
    }
  }
}

bool fuse_shared_accesses(struct draft *draft) {
  enum { MAX_STEPS = 1 << 28 }; /* a thousand times what a large kernel takes */
  struct fuse fuse = {.draft = draft, .steps = MAX_STEPS};
  bool any = false;
  for (int i = 0; i < draft->op_count && !any; i++) any = is_candidate(&draft->ops[i]);
  if (!any) return true;
  fuse.addresses = calloc((size_t)draft->op_count, sizeof *fuse.addresses);
  bool ok = linear_find(&fuse.facts, draft) && fuse.addresses;
  for (int b = 0; b < draft->block_count && ok; b++)
    fuse_block(&fuse, draft->blocks[b].first, draft->blocks[b].first + draft->blocks[b].count);
  linear_free(&fuse.facts);
  free(fuse.addresses);
  return ok;
}
