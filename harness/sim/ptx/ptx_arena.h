/* ptx_arena.h: memory of the PTX parser: an arena that is freed as a whole, and growable arrays
 * for what is still being counted.
 */
#ifndef KIT_PTX_ARENA_H
#define KIT_PTX_ARENA_H

#include <stddef.h>

struct ptx_arena;

/* Returns NULL if memory runs out. */
struct ptx_arena *ptx_arena_new(void);
void ptx_arena_free(struct ptx_arena *arena);

/* Zeroed bytes, aligned to 8, that live as long as the arena; NULL if memory runs out. */
void *ptx_arena_alloc(struct ptx_arena *arena, size_t bytes);

/* A growable array of items of item_size bytes; set item_size, leave the rest zero. Items move
 * when it grows. */
struct ptx_array {
  size_t item_size;
  void *items;
  size_t count, capacity;
};

/* Appends a zeroed item and returns it; NULL if memory runs out. */
void *ptx_array_push(struct ptx_array *array);
void ptx_array_free(struct ptx_array *array);

#endif
