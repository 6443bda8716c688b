/* leave.c: which branches leave a loop sideways: past the code that follows it in the loop around
 * it, or to the function's end where others go on. A compiler has the lanes that stay meet behind
 * the loop all the same (BSSY, BSYNC), and takes out those that leave (BREAK). Only in functions
 * whose lanes do not need each other: shuffles, barriers and such count on lanes that meet as soon
 * as they can.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/draft.h"

enum { NONE = -1, MAX_LOOPS = 1 << 12, MAX_STEPS = 1 << 26 };

struct loop {
  int header, size, parent; /* parent: the smallest loop around it, or NONE */
  bool *body;               /* by block */
};

struct loops {
  const struct draft *draft;
  struct loop *loops;
  int count, room;
  int *inner; /* by block: the smallest loop that it is in, or NONE */
  long steps; /* left */
  bool failed;
};

static void successors_of(const struct loops *l, int block, int to[2]) {
  block_successors(&l->draft->blocks[block].end, to);
}

/* Adds what leads to a latch without passing the header to the header's loop. */
static void add_latch(struct loops *l, int header, int latch, int *stack) {
  int n = l->draft->block_count, depth = 0;
  struct loop *loop = NULL;
  for (int i = 0; i < l->count && !loop; i++)
    if (l->loops[i].header == header) loop = &l->loops[i];
  if (!loop) {
    if (l->count == MAX_LOOPS || !ARRAY_RESERVE(l->loops, l->room, l->count + 1)) {
      l->failed = true;
      return;
    }
    loop = &l->loops[l->count++];
    *loop = (struct loop){.header = header, .size = 1, .parent = NONE};
    loop->body = calloc((size_t)n, sizeof *loop->body);
    if (!loop->body) {
      l->failed = true;
      return;
    }
    loop->body[header] = true;
  }
  if (!loop->body[latch]) {
    loop->body[latch] = true;
    loop->size++;
    stack[depth++] = latch;
  }
  while (depth > 0 && l->steps > 0) {
    int to = stack[--depth];
    l->steps -= n;
    for (int b = 0; b < n; b++) {
      int next[2];
      successors_of(l, b, next);
      if ((next[0] != to && next[1] != to) || loop->body[b]) continue;
      loop->body[b] = true;
      loop->size++;
      stack[depth++] = b;
    }
  }
}

/* Finds the loops, depth first: a branch back to a block that leads to it. */
static void find_loops(struct loops *l, int *stack, int *next, uint8_t *seen) {
  enum { ON_PATH = 1, DONE = 2 };
  int n = l->draft->block_count, depth = 0;
  int *free_stack = stack + n;
  memset(next, 0, (size_t)n * sizeof *next);
  stack[depth++] = 0;
  seen[0] = ON_PATH;
  while (depth > 0 && !l->failed) {
    int b = stack[depth - 1], to[2];
    if (next[b] == 2) {
      seen[b] = DONE;
      depth--;
      continue;
    }
    successors_of(l, b, to);
    int s = to[next[b]++];
    if (s == NO_BLOCK) continue;
    if (seen[s] == ON_PATH) add_latch(l, s, b, free_stack);
    if (seen[s]) continue;
    seen[s] = ON_PATH;
    stack[depth++] = s;
  }
}

static int by_size(const void *a, const void *b) {
  const struct loop *x = a, *y = b;
  return x->size != y->size ? (x->size < y->size) - (x->size > y->size)
                            : (x->header > y->header) - (x->header < y->header);
}

/* Which loop is in which, and blocks in which. */
static void nest(struct loops *l) {
  int n = l->draft->block_count;
  if (l->count) qsort(l->loops, (size_t)l->count, sizeof *l->loops, by_size);
  for (int i = 0; i < l->count; i++) {
    l->loops[i].parent = l->inner[l->loops[i].header];
    for (int b = 0; b < n; b++)
      if (l->loops[i].body[b]) l->inner[b] = i;
  }
}

/* Does it lead straight to the function's end? */
static bool is_short(const struct loops *l, int block) {
  enum { BLOCKS = 8 };
  for (int i = 0; i < BLOCKS; i++) {
    const struct basic_block *end = &l->draft->blocks[block].end;
    if (end->end == END_RETURN || end->end == END_EXIT) return true;
    if (end->end != END_NEXT && end->end != END_JUMP) return false;
    block = end->end == END_NEXT ? end->next : end->target;
    if (block == NO_BLOCK) return false;
  }
  return false;
}

static bool leads_to(const struct loops *l, int block, int to) {
  int next[2];
  successors_of(l, block, next);
  return next[0] == to || next[1] == to;
}

/* Is it where the loop ends when its turns are counted out: at its beginning, or its end? */
static bool is_test(const struct loops *l, const struct loop *loop, int block) {
  return block == loop->header || leads_to(l, block, loop->header);
}

/* How the loop is left: on into the loop around it, or to what follows it; at its own test;
 * elsewhere in it. */
struct ways {
  bool on, at_test, elsewhere;
};

static struct ways ways_of(const struct loops *l, const struct loop *loop) {
  struct ways ways = {false};
  const struct loop *around = loop->parent == NONE ? NULL : &l->loops[loop->parent];
  for (int b = 0; b < l->draft->block_count; b++) {
    if (!loop->body[b]) continue;
    int to[2];
    successors_of(l, b, to);
    for (int i = 0; i < 2; i++) {
      if (to[i] == NO_BLOCK || loop->body[to[i]]) continue;
      bool ends = around ? !around->body[to[i]] : is_short(l, to[i]);
      ways.on |= !ends;
      ways.at_test |= is_test(l, loop, b);
      ways.elsewhere |= !is_test(l, loop, b);
    }
  }
  return ways;
}

static bool leaves_sideways(const struct loops *l, const struct loop *loop, const struct ways *ways,
                            int from, int to) {
  if (to == NO_BLOCK || loop->body[to]) return false;
  bool around = loop->parent != NONE,
       ends = around ? !l->loops[loop->parent].body[to] : is_short(l, to);
  if (ways->on) return ends;
  return !around && ways->at_test && ways->elsewhere && !is_test(l, loop, from);
}

/* May it matter to what is computed, and not only to how often, which lanes are together? */
static bool lanes_need_each_other(const struct draft *draft) {
  bool need = false;
  for (int b = 0; b < draft->block_count; b++) {
    const struct basic_block *end = &draft->blocks[b].end;
    need |= end->end == END_BARRIER || end->end == END_CALL || end->gathers;
  }
  for (int i = 0; i < draft->op_count; i++) {
    const struct op *op = &draft->ops[i].op;
    need |= op->kind == OP_SHUFFLE || op->kind == OP_VOTE || op->kind == OP_MATCH ||
            op->kind == OP_REDUX || op->kind == OP_TENSOR || op->has_members || op->polls ||
            op->is_volatile || op->acquires || op->releases || op->body == cold_active_mask ||
            op->body == cold_fence;
  }
  return need;
}

bool flow_find_leaving(struct draft *draft) {
  size_t n = (size_t)draft->block_count;
  struct loops l = {.draft = draft, .steps = MAX_STEPS, .inner = malloc((n + 1) * sizeof(int))};
  int *stack = malloc((2 * n + 1) * sizeof *stack), *next = malloc((n + 1) * sizeof *next);
  uint8_t *seen = calloc(n + 1, 1);
  bool ok = l.inner && stack && next && seen, apart = !lanes_need_each_other(draft);
  for (size_t b = 0; b < n; b++) draft->blocks[b].end.leaves = NO_BLOCK;
  if (ok && n && apart) {
    for (size_t b = 0; b < n; b++) l.inner[b] = NONE;
    find_loops(&l, stack, next, seen);
    nest(&l);
  }
  for (int i = 0; ok && !l.failed && l.steps > 0 && i < l.count; i++) {
    struct ways ways = ways_of(&l, &l.loops[i]);
    for (size_t b = 0; b < n; b++) {
      struct basic_block *end = &draft->blocks[b].end;
      if (l.inner[b] != i || end->end != END_BRANCH || end->target == end->next) continue;
      bool target = leaves_sideways(&l, &l.loops[i], &ways, (int)b, end->target),
           other = leaves_sideways(&l, &l.loops[i], &ways, (int)b, end->next);
      if (target != other) end->leaves = target ? end->target : end->next;
    }
  }
  for (int i = 0; i < l.count; i++) free(l.loops[i].body);
  free(l.loops);
  free(l.inner);
  free(stack);
  free(next);
  free(seen);
  return ok;
}
