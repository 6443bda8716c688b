/* ptx_arena.c: an arena that is freed as a whole, and growable arrays. */
#include "harness/sim/ptx/ptx_arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CHUNK = 1 << 14, LARGEST_CHUNK = 1 << 20, ALIGNMENT = 8 };

struct chunk {
  struct chunk *next;
  alignas(ALIGNMENT) char bytes[];
};

struct ptx_arena {
  struct chunk *chunks;
  char *at;         /* the free rest of the newest common chunk */
  size_t left;      /* bytes of it */
  size_t next_size; /* of the next common chunk: doubles, so that a small module stays small */
};

struct ptx_arena *ptx_arena_new(void) {
  struct ptx_arena *arena = calloc(1, sizeof *arena);
  if (arena) arena->next_size = FIRST_CHUNK;
  return arena;
}

void ptx_arena_free(struct ptx_arena *arena) {
  if (!arena) return;
  for (struct chunk *chunk = arena->chunks; chunk;) {
    struct chunk *next = chunk->next;
    free(chunk);
    chunk = next;
  }
  free(arena);
}

/* calloc, not malloc and memset: the pages of a large chunk come zeroed and cost nothing until
 * they are touched. */
static char *add_chunk(struct ptx_arena *arena, size_t bytes) {
  struct chunk *chunk = calloc(1, sizeof *chunk + bytes);
  if (!chunk) return NULL;
  chunk->next = arena->chunks;
  arena->chunks = chunk;
  return chunk->bytes;
}

void *ptx_arena_alloc(struct ptx_arena *arena, size_t bytes) {
  if (bytes > SIZE_MAX / 2) return NULL;
  bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (bytes > arena->left) {
    if (bytes > arena->next_size / 4) return add_chunk(arena, bytes);
    char *chunk = add_chunk(arena, arena->next_size);
    if (!chunk) return NULL;
    arena->at = chunk;
    arena->left = arena->next_size;
    if (arena->next_size < LARGEST_CHUNK) arena->next_size *= 2;
  }
  char *start = arena->at;
  arena->at += bytes;
  arena->left -= bytes;
  return start;
}

void *ptx_array_push(struct ptx_array *array) {
  if (array->count == array->capacity) {
    size_t capacity = array->capacity ? array->capacity * 2 : 64;
    void *items = realloc(array->items, capacity * array->item_size);
    if (!items) return NULL;
    array->items = items;
    array->capacity = capacity;
  }
  char *item = (char *)array->items + array->count++ * array->item_size;
  return memset(item, 0, array->item_size);
}

void ptx_array_free(struct ptx_array *array) {
  free(array->items);
  *array = (struct ptx_array){.item_size = array->item_size};
}
