/* knowledge.c: vector clocks as immutable 64-way trees that share what they have in common. */
#include "harness/sim/exec/knowledge.h"

#include <stdlib.h>

enum { WAYS = 64, WAY_BITS = 6, TOP = 2 };

struct knowledge {
  uint32_t references;
  uint32_t level; /* 0: a leaf */
  union {
    struct knowledge *child[WAYS];
    uint32_t count[WAYS];
  };
};

static struct knowledge *new_node(uint32_t level, int *failed) {
  struct knowledge *node = calloc(1, sizeof *node);
  if (!node) {
    *failed = 1;
    return NULL;
  }
  node->references = 1;
  node->level = level;
  return node;
}

struct knowledge *knowledge_keep(struct knowledge *node) {
  if (node) node->references++;
  return node;
}

void knowledge_drop(struct knowledge *node) {
  if (!node || --node->references) return;
  for (int i = 0; node->level && i < WAYS; i++) knowledge_drop(node->child[i]);
  free(node);
}

uint32_t knowledge_count(const struct knowledge *node, uint32_t slot) {
  for (; node; node = node->child[slot >> (WAY_BITS * node->level) & (WAYS - 1)])
    if (!node->level) return node->count[slot & (WAYS - 1)];
  return 0;
}

static struct knowledge *with(struct knowledge *node, uint32_t level, uint32_t slot, uint32_t count,
                              int *failed) {
  struct knowledge *copy = new_node(level, failed);
  uint32_t way = slot >> (WAY_BITS * level) & (WAYS - 1);
  if (!copy) return NULL;
  if (!level) {
    for (int i = 0; node && i < WAYS; i++) copy->count[i] = node->count[i];
    if (count > copy->count[way]) copy->count[way] = count;
    return copy;
  }
  for (uint32_t i = 0; node && i < WAYS; i++)
    if (i != way) copy->child[i] = knowledge_keep(node->child[i]);
  copy->child[way] = with(node ? node->child[way] : NULL, level - 1, slot, count, failed);
  return copy;
}

struct knowledge *knowledge_with(struct knowledge *node, uint32_t slot, uint32_t count,
                                 int *failed) {
  if (count <= knowledge_count(node, slot)) return knowledge_keep(node);
  return with(node, TOP, slot, count, failed);
}

struct knowledge *knowledge_join(struct knowledge *a, struct knowledge *b, int *failed) {
  if (a == b || !b) return knowledge_keep(a);
  if (!a) return knowledge_keep(b);
  struct knowledge *joined = new_node(a->level, failed);
  if (!joined) return NULL;
  int same_a = 1, same_b = 1;
  for (int i = 0; i < WAYS; i++) {
    if (a->level) {
      joined->child[i] = knowledge_join(a->child[i], b->child[i], failed);
      same_a &= joined->child[i] == a->child[i];
      same_b &= joined->child[i] == b->child[i];
    } else {
      joined->count[i] = a->count[i] > b->count[i] ? a->count[i] : b->count[i];
      same_a &= joined->count[i] == a->count[i];
      same_b &= joined->count[i] == b->count[i];
    }
  }
  if (!same_a && !same_b) return joined;
  knowledge_drop(joined); /* one of them covers the other: share it */
  return knowledge_keep(same_a ? a : b);
}
