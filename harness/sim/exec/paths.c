/* paths.c: see paths.h. */
#include "paths.h"

#include <stdlib.h>
#include <string.h>

#include "cold.h"

static int base_of(const struct warp *warp) { return warp->calls[warp->call_depth].stack_base; }

static uint32_t here(const struct warp *warp) {
  return warp->live & ~warp->calls[warp->call_depth].returned;
}

/* ---- parking ---- */

static struct path *add_path(struct warp *warp) {
  struct path *paths = realloc(warp->paths, ((size_t)warp->path_count + 1) * sizeof *paths);
  if (!paths) return NULL;
  warp->paths = paths;
  paths[warp->path_count] = (struct path){0};
  return &paths[warp->path_count++];
}

static void drop_path(struct warp *warp, int i) {
  free(warp->paths[i].stack);
  warp->paths[i] = warp->paths[--warp->path_count];
}

/* Keeps the path that runs among the others. */
static bool park(struct warp *warp, bool polls, bool at_barrier) {
  int base = base_of(warp), size = warp->stack_size - base;
  struct stack_entry *stack = malloc((size_t)size * sizeof *stack);
  struct path *path = stack ? add_path(warp) : NULL;
  if (!path) {
    free(stack);
    return false;
  }
  memcpy(stack, warp->stack + base, (size_t)size * sizeof *stack);
  *path = (struct path){stack, size, polls, at_barrier, warp->worker->stores};
  warp->path_depth = warp->call_depth;
  warp->stack_size = base;
  return true;
}

static void resume(struct warp *warp, int i) {
  int base = base_of(warp);
  struct path *path = &warp->paths[i];
  memcpy(warp->stack + base, path->stack, (size_t)path->size * sizeof *path->stack);
  warp->stack_size = base + path->size;
  drop_path(warp, i);
}

void paths_close(struct warp *warp) {
  while (warp->path_count) drop_path(warp, 0);
  free(warp->paths);
  warp->paths = NULL;
}

/* ---- choosing ---- */

/* Where a path goes on: the top of its stack that has lanes and somewhere to go. NO_BLOCK: it is empty. */
static int next_block(struct warp *warp, struct stack_entry *stack, int *size) {
  while (*size) {
    struct stack_entry *top = &stack[*size - 1];
    if (top->mask & here(warp) && top->block != top->reconverge) return top->block;
    --*size;
  }
  return NO_BLOCK;
}

static bool same_place(const struct stack_entry *a, const struct stack_entry *b, int size) {
  for (int i = 0; i < size; i++)
    if (a[i].block != b[i].block || a[i].reconverge != b[i].reconverge) return false;
  return true;
}

/* Paths at the same place, with the same places to meet before them, become one. */
static void join(struct warp *warp) {
  for (int i = 0; i < warp->path_count; i++)
    for (int j = warp->path_count - 1; j > i; j--) {
      struct path *a = &warp->paths[i], *b = &warp->paths[j];
      if (a->size != b->size || a->at_barrier != b->at_barrier ||
          !same_place(a->stack, b->stack, a->size))
        continue;
      for (int k = 0; k < a->size; k++) a->stack[k].mask |= b->stack[k].mask;
      a->polls = a->polls && b->polls;
      drop_path(warp, j);
    }
}

/* Lanes that a path is about to meet, at a __syncwarp, a shuffle or a vote, and that are elsewhere. */
static uint32_t missing(const struct warp *warp, const struct path *path, int block) {
  const struct frame_record *call = &warp->calls[warp->call_depth];
  const struct basic_block *at = &call->program->blocks[block];
  const struct op *op = &call->program->ops[at->first];
  int members = op->body == cold_warp_sync ? 0 : op->body == cold_vote ? 2 : 5;
  bool names = op->body == cold_warp_sync || op->offset == NAMES_MEMBERS;
  if (!at->gathers || !at->count || !names) return 0;
  uint32_t lanes = path->stack[path->size - 1].mask & here(warp);
  const uint32_t *masks = (const uint32_t *)(const void *)(call->frame + op->slot[members]);
  return masks[__builtin_ctz(lanes)] & here(warp) & ~lanes;
}

/* Lanes of paths that may still come to where others are to meet them. */
static uint32_t coming(const struct warp *warp) {
  uint32_t lanes = 0;
  for (int i = 0; i < warp->path_count; i++)
    for (int k = 0; k < warp->paths[i].size && !warp->paths[i].at_barrier; k++)
      lanes |= warp->paths[i].stack[k].mask;
  return lanes;
}

/* The path to run: the farthest behind, but who polls only if something has been stored since, and who is
 * to meet others only when they are there. -1: none; they all wait for other warps. */
static int choose(struct warp *warp) {
  int best = -1, best_block = 0, gathering = -1;
  bool others = false; /* some path may go on later */
  for (int i = warp->path_count - 1; i >= 0; i--)
    if (next_block(warp, warp->paths[i].stack, &warp->paths[i].size) == NO_BLOCK)
      drop_path(warp, i);
  uint32_t may_come = coming(warp);
  for (int i = 0; i < warp->path_count; i++) {
    struct path *path = &warp->paths[i];
    int block = path->stack[path->size - 1].block;
    if (path->at_barrier) continue;
    if (missing(warp, path, block) & may_come) {
      gathering = i;
      continue;
    }
    others = true;
    if (path->polls && path->stores == warp->worker->stores) continue;
    if (best >= 0 && block >= best_block) continue;
    best = i;
    best_block = block;
  }
  return best < 0 && !others ? gathering : best;
}

bool paths_choose(struct warp *warp) {
  if (!park(warp, warp->yields, false)) return true; /* no memory: it goes on alone */
  join(warp);
  int next = choose(warp);
  if (!warp->path_count) return true; /* all lanes have returned */
  if (next < 0) {                     /* somebody has to be the one that runs */
    for (int i = 0; i < warp->path_count; i++)
      if (!warp->paths[i].at_barrier) next = i;
    if (next < 0) next = 0;
    bool waits = warp->paths[next].at_barrier;
    resume(warp, next);
    if (waits) warp->state = WARP_WAITING;
    return false;
  }
  warp->yields = false;
  resume(warp, next);
  return true;
}

/* The lanes of the stack that wait for those at its top get a stack of their own. */
static bool split(struct warp *warp) {
  int base = base_of(warp);
  uint32_t above = warp->stack[warp->stack_size - 1].mask;
  for (int k = warp->stack_size - 2; k >= base; k--) {
    uint32_t lanes = warp->stack[k].mask & here(warp) & ~above;
    above |= warp->stack[k].mask;
    if (!lanes) continue;
    int size = k + 1 - base;
    struct stack_entry *stack = malloc((size_t)size * sizeof *stack);
    struct path *path = stack ? add_path(warp) : NULL;
    if (!path) {
      free(stack);
      return false;
    }
    for (int i = 0; i < size; i++) {
      stack[i] = warp->stack[base + i];
      stack[i].mask &= lanes;
      warp->stack[base + i].mask &= ~lanes;
    }
    *path = (struct path){.stack = stack, .size = size};
    warp->path_depth = warp->call_depth;
    return true;
  }
  return false;
}

bool paths_give_way(struct warp *warp) {
  if (warp->path_count && warp->path_depth != warp->call_depth) return false;
  if (warp->stack_size == base_of(warp)) return false;
  split(warp);
  return warp->path_count && paths_choose(warp);
}

bool paths_reach_barrier(struct warp *warp) {
  if (!park(warp, false, true)) return false;
  int next = choose(warp);
  if (next >= 0) {
    resume(warp, next);
    return true;
  }
  int polling = -1;
  for (int i = 0; i < warp->path_count; i++)
    if (!warp->paths[i].at_barrier) polling = i;
  resume(warp, polling >= 0 ? polling : 0);
  warp->yields = polling >= 0;
  return polling >= 0;
}

bool paths_end(struct warp *warp) {
  int next = choose(warp);
  if (next < 0 && warp->path_count) { /* all wait: the first that does not do so at a barrier */
    next = 0;
    for (int i = 0; i < warp->path_count; i++)
      if (!warp->paths[i].at_barrier) next = i;
    warp->yields = true;
    if (warp->paths[next].at_barrier) warp->state = WARP_WAITING;
  }
  if (next < 0) return false;
  resume(warp, next);
  return true;
}

void paths_wake(struct warp *warp, bool released) {
  for (int i = 0; i < warp->path_count; i++) {
    warp->paths[i].polls = false;
    if (released) warp->paths[i].at_barrier = false;
  }
  if (released) join(warp);
}
