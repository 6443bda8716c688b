/* table.c: finds an operation by its PTX spelling: a hash table over the keys of ops_hot.h and
 * ops_cold.h. */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/isa.h"

struct entry {
  const char *key;
  size_t length;
  const struct op_info *info;
};

enum { TABLE_SIZE = 2048 };
struct table {
  struct entry entries[TABLE_SIZE];
};

static uint32_t hash(const char *text, size_t length) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 16777619u;
  return h;
}

static void table_add(struct table *table, const struct op_info *infos, int count) {
  for (int i = 0; i < count; i++)
    for (const char *key = infos[i].keys; *key;) {
      size_t length = strcspn(key, " ");
      uint32_t at = hash(key, length) % TABLE_SIZE;
      while (table->entries[at].key) at = (at + 1) % TABLE_SIZE;
      table->entries[at] = (struct entry){key, length, &infos[i]};
      key += length;
      while (*key == ' ') key++;
    }
}

const struct op_info *table_find(const struct table *table, const char *key) {
  size_t length = strlen(key);
  for (uint32_t at = hash(key, length) % TABLE_SIZE; table->entries[at].key;
       at = (at + 1) % TABLE_SIZE)
    if (table->entries[at].length == length && memcmp(table->entries[at].key, key, length) == 0)
      return table->entries[at].info;
  return NULL;
}

struct table *table_open(const struct isa *isa) {
  struct table *table = calloc(1, sizeof *table);
  if (!table) return NULL;
  table_add(table, isa->hot, isa->hot_count);
  table_add(table, cold_ops, cold_op_count);
  return table;
}

void table_close(struct table *table) { free(table); }
