/* map.h: a hash table of items of one size, each found by two numbers. */
#ifndef KIT_MAP_H
#define KIT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_key { /* the first member of each item */
  uint64_t first, second;
  bool used;
};

/* Set item_size, leave the rest zero; release with map_free. */
struct map {
  size_t item_size, count, room; /* room: a power of two */
  char *items;
};

/* The item with that key. If there is none: NULL or, if `add`, a new one, zeroed but for its key;
 * NULL if memory runs out. Items move when one is added. */
void *map_find(struct map *map, uint64_t first, uint64_t second, bool add);
/* The item in a place below map->room, or NULL. */
void *map_at(const struct map *map, size_t place);
void map_free(struct map *map);

#endif
