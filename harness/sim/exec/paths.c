/* paths.c: independent thread scheduling: splits the lanes of a warp that polls into paths, and
 * joins them again. */
#include "harness/sim/exec/paths.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/sim/decode/cold.h"

static int base_of(const struct warp *warp) { return warp->calls[warp->call_depth].stack_base; }

static uint32_t here(const struct warp *warp) {
  return warp->live & ~warp->calls[warp->call_depth].returned;
}

/* ---- parking ---- */

/* A path with room for a stack of that size, in the function at hand; NULL: no memory. */
static struct path *add_path(struct warp *warp, int size) {
  struct stack_entry *stack = malloc((size_t)size * sizeof *stack);
  if (!stack || !ARRAY_RESERVE(warp->paths, warp->path_room, warp->path_count + 1)) {
    free(stack);
    return NULL;
  }
  warp->path_depth = warp->call_depth;
  warp->paths[warp->path_count] = (struct path){.stack = stack, .size = size};
  return &warp->paths[warp->path_count++];
}

static void drop_path(struct warp *warp, int i) {
  free(warp->paths[i].stack);
  warp->paths[i] = warp->paths[--warp->path_count];
}

/* Parks the running path with the others. */
static bool park(struct warp *warp, bool polls, bool at_barrier) {
  int base = base_of(warp);
  struct path *path = add_path(warp, warp->stack_size - base);
  if (!path) return false;
  memcpy(path->stack, warp->stack + base, (size_t)path->size * sizeof *path->stack);
  path->polls = polls;
  path->at_barrier = at_barrier;
  path->stores = warp->worker->stores;
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
  warp->path_room = 0;
}

/* ---- parting ---- */

/* Moves the lanes of a stack entry that are not at the top into a path of their own. */
static bool part(struct warp *warp, int k, uint32_t lanes) {
  int base = base_of(warp);
  struct path *path = add_path(warp, k + 1 - base);
  for (int i = 0; path && i < path->size; i++) {
    path->stack[i] = warp->stack[base + i];
    path->stack[i].mask &= lanes;
    warp->stack[base + i].mask &= ~lanes;
  }
  return path != NULL;
}

/* Splits off the lanes that wait in the stack for those at its top. */
static bool split(struct warp *warp) {
  uint32_t above = warp->stack[warp->stack_size - 1].mask;
  for (int k = warp->stack_size - 2; k >= base_of(warp); k--) {
    uint32_t lanes = warp->stack[k].mask & here(warp) & ~above;
    above |= warp->stack[k].mask;
    if (lanes) return part(warp, k, lanes);
  }
  return false;
}

/* The same for lanes that took the other side of a branch and have not begun: the rest of the stack
 * are their reconvergence points. */
static bool split_sides(struct warp *warp) {
  uint32_t above = warp->stack[warp->stack_size - 1].mask;
  for (int k = warp->stack_size - 2; k >= base_of(warp); k--) {
    struct stack_entry *at = &warp->stack[k];
    uint32_t lanes = at->mask & here(warp) & ~above;
    above |= at->mask;
    if (at->reconverge != at[1].reconverge) continue;
    if (lanes && !part(warp, k, lanes)) return false;
    memmove(at, at + 1, (size_t)(--warp->stack_size - k) * sizeof *at);
  }
  return true;
}

/* ---- choosing ---- */

/* The block where a path goes on: the topmost stack entry with lanes left. NO_BLOCK: none. */
static int next_block(struct warp *warp, struct stack_entry *stack, int *size) {
  while (*size) {
    struct stack_entry *top = &stack[*size - 1];
    if (top->mask & here(warp) && top->block != top->reconverge) return top->block;
    --*size;
  }
  return NO_BLOCK;
}

/* Drops the paths that have ended. */
static void tidy(struct warp *warp) {
  for (int i = warp->path_count - 1; i >= 0; i--)
    if (next_block(warp, warp->paths[i].stack, &warp->paths[i].size) == NO_BLOCK)
      drop_path(warp, i);
}

/* Are two paths at the same place, with the same reconvergence points ahead? Lanes that came there
 * without diverging have no stack entries for points that they pass all the same, so one stack may
 * have more entries than the other. joins: moves lanes of the path with fewer into the other. */
static bool same_place(const struct path *few, struct path *many, bool joins) {
  int j = 0;
  for (int i = 0; i < few->size; i++) {
    const struct stack_entry *entry = &few->stack[i];
    if (j == many->size || many->stack[j].reconverge != entry->reconverge) return false;
    for (;; j++) {
      struct stack_entry *at = &many->stack[j];
      if (joins) at->mask |= entry->mask;
      if (at->block == entry->block) break;
      if (j + 1 == many->size || at[1].reconverge != at->block) return false;
    }
    j++;
  }
  return j == many->size;
}

/* Merges paths at the same place. */
static void join(struct warp *warp) {
  for (int i = 0; i < warp->path_count; i++)
    for (int j = warp->path_count - 1; j > i; j--) {
      struct path *a = &warp->paths[i], *b = &warp->paths[j];
      struct path *few = a->size < b->size ? a : b, *many = few == a ? b : a;
      if (a->at_barrier != b->at_barrier || !same_place(few, many, false)) continue;
      same_place(few, many, true);
      many->polls = a->polls && b->polls;
      if (many == b) {
        struct path swap = *a;
        *a = *b;
        *b = swap;
      }
      drop_path(warp, j);
    }
}

/* Lanes named by the __syncwarp, shuffle or vote at which a path stands, and that are elsewhere. */
static uint32_t missing(const struct warp *warp, const struct path *path, int block) {
  const struct frame_record *call = &warp->calls[warp->call_depth];
  const struct basic_block *at = &call->program->blocks[block];
  const struct op *op = &call->program->ops[at->first];
  if (!at->gathers || !at->count || !op->has_members) return 0;
  uint32_t lanes = path->stack[path->size - 1].mask & here(warp);
  const uint32_t *masks = (const uint32_t *)(const void *)(call->frame + op->slot[MEMBERS_SLOT]);
  return masks[__builtin_ctz(lanes)] & here(warp) & ~lanes;
}

/* Lanes of paths that may still arrive at a meeting point. */
static uint32_t coming(const struct warp *warp) {
  uint32_t lanes = 0;
  for (int i = 0; i < warp->path_count; i++)
    for (int k = 0; k < warp->paths[i].size && !warp->paths[i].at_barrier; k++)
      lanes |= warp->paths[i].stack[k].mask;
  return lanes;
}

/* The path to run: the one farthest behind. A polling path runs only if something was stored since,
 * and one at a meeting point only when the others are there. -1: none; all wait for other warps. */
static int choose(struct warp *warp) {
  int best = -1, best_block = 0, gathering = -1;
  bool others = false; /* some path may go on later */
  tidy(warp);
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

/* A path that is not at a barrier, -1: all are. */
static int not_at_barrier(const struct warp *warp) {
  int i = warp->path_count - 1;
  while (i >= 0 && warp->paths[i].at_barrier) i--;
  return i;
}

bool paths_choose(struct warp *warp) {
  if (warp->stack_size > base_of(warp) && !split_sides(warp))
    return true; /* no memory: it goes on alone */
  if (!park(warp, warp->yields, false)) return true;
  tidy(warp);
  join(warp);
  int next = choose(warp);
  if (!warp->path_count) return true; /* all lanes have returned */
  if (next < 0) {                     /* one of them must run */
    next = not_at_barrier(warp);
    if (next < 0) warp->state = WARP_WAITING;
    resume(warp, next < 0 ? 0 : next);
    return false;
  }
  warp->yields = false;
  resume(warp, next);
  return true;
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
  int polling = not_at_barrier(warp);
  resume(warp, polling >= 0 ? polling : 0);
  warp->yields = polling >= 0;
  return polling >= 0;
}

bool paths_end(struct warp *warp) {
  int next = choose(warp);
  if (!warp->path_count) return false;
  if (next < 0) { /* all wait */
    next = not_at_barrier(warp);
    warp->yields = true;
    if (next < 0) warp->state = WARP_WAITING;
  }
  resume(warp, next < 0 ? 0 : next);
  return true;
}

void paths_wake(struct warp *warp, bool released) {
  for (int i = 0; i < warp->path_count; i++) {
    warp->paths[i].polls = false;
    if (released) warp->paths[i].at_barrier = false;
  }
  if (!released || !paths_several(warp)) return;
  tidy(warp);
  join(warp);
}
