/* map.c: a hash table with open addressing, never more than half full. */
#include "harness/sim/exec/map.h"

#include <stdlib.h>
#include <string.h>

/* The item with that key, or the free place for it. */
static struct map_key *find(const struct map *map, uint64_t first, uint64_t second) {
  uint64_t hash = (first * UINT64_C(0xff51afd7ed558ccd) ^ second) * UINT64_C(0x9e3779b97f4a7c15);
  for (size_t at = (size_t)(hash >> 20);; at++) {
    struct map_key *key = (void *)(map->items + (at & (map->room - 1)) * map->item_size);
    if (!key->used || (key->first == first && key->second == second)) return key;
  }
}

static bool make_room(struct map *map) {
  if (map->count * 2 < map->room) return true;
  struct map larger = *map;
  larger.room = map->room ? map->room * 2 : 64;
  larger.items = calloc(larger.room, map->item_size);
  if (!larger.items) return false;
  for (size_t i = 0; i < map->room; i++) {
    const struct map_key *item = map_at(map, i);
    if (item) memcpy(find(&larger, item->first, item->second), item, map->item_size);
  }
  free(map->items);
  *map = larger;
  return true;
}

void *map_find(struct map *map, uint64_t first, uint64_t second, bool add) {
  if (add ? !make_room(map) : !map->room) return NULL;
  struct map_key *item = find(map, first, second);
  if (item->used || !add) return item->used ? item : NULL;
  *item = (struct map_key){first, second, true};
  map->count++;
  return item;
}

void *map_at(const struct map *map, size_t place) {
  struct map_key *item = (void *)(map->items + place * map->item_size);
  return item->used ? item : NULL;
}

void map_free(struct map *map) { free(map->items); }
