/* flow.c: where divergent paths of a function meet again: the immediate post-dominator of every
 * block.
 *
 * The algorithm is that of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001),
 * on the reversed graph with one virtual exit. Blocks from which no path leads to the end (endless
 * loops) get an edge to that exit, so all have a place in the tree.
 */
#include <stdlib.h>

#include "harness/sim/decode/draft.h"

struct graph {
  int count; /* blocks; the virtual exit has number count */
  int (*successors)[3];
  int *order;                        /* postorder number on the reversed graph, -1: not reached */
  int *by_order;                     /* the inverse */
  int *parent;                       /* immediate post-dominator */
  int *first_in, *next_in, *in_from; /* predecessor lists */
  int edges, numbered;
  int64_t steps; /* left */
};

static void add_edge(struct graph *g, int slot, int from, int to) {
  g->successors[from][slot] = to;
  g->in_from[g->edges] = from;
  g->next_in[g->edges] = g->first_in[to];
  g->first_in[to] = g->edges++;
}

static void add_block_edges(struct graph *g, int b, const struct basic_block *end) {
  for (int i = 0; i < 3; i++) g->successors[b][i] = -1;
  switch (end->end) {
    case END_JUMP:
      add_edge(g, 0, b, end->target);
      break;
    case END_BRANCH:
      add_edge(g, 0, b, end->target);
      add_edge(g, 1, b, end->next);
      break;
    case END_RETURN:
    case END_EXIT:
    case END_TRAP:
      add_edge(g, 0, b, g->count);
      break;
    default:
      add_edge(g, 0, b, end->next);
  }
}

/* Depth-first from `root` over predecessors, numbering in postorder; stack holds (node, next edge)
 * pairs. */
static void number_from(struct graph *g, int root, int *stack) {
  int depth = 0;
  stack[0] = root;
  stack[1] = g->first_in[root];
  g->order[root] = -2;
  depth = 1;
  while (depth > 0) {
    int *top = stack + 2 * (depth - 1), edge = top[1];
    if (edge < 0) {
      g->order[top[0]] = g->numbered;
      g->by_order[g->numbered++] = top[0];
      depth--;
      continue;
    }
    top[1] = g->next_in[edge];
    int from = g->in_from[edge];
    if (g->order[from] != -1) continue;
    g->order[from] = -2;
    stack[2 * depth] = from;
    stack[2 * depth + 1] = g->first_in[from];
    depth++;
  }
}

/* Also counts the steps; there is no use in the result once none are left. */
static int meet(struct graph *g, int a, int b) {
  while (a != b && g->steps > 0) {
    for (; g->order[a] < g->order[b]; g->steps--) a = g->parent[a];
    for (; g->order[b] < g->order[a]; g->steps--) b = g->parent[b];
  }
  return a;
}

static void find_parents(struct graph *g) {
  int exit = g->count;
  for (int b = 0; b <= g->count; b++) g->parent[b] = -1;
  g->parent[exit] = exit;
  for (bool changed = true; changed && g->steps > 0;) {
    changed = false;
    g->steps -= g->numbered;
    for (int n = g->numbered - 1; n >= 0; n--) {
      int b = g->by_order[n], best = -1;
      if (b == exit) continue;
      for (int i = 0; i < 3; i++) {
        int s = g->successors[b][i];
        if (s < 0 || g->parent[s] < 0) continue;
        best = best < 0 ? s : meet(g, s, best);
      }
      if (best >= 0 && g->parent[b] != best) {
        g->parent[b] = best;
        changed = true;
      }
    }
  }
}

bool flow_find_reconvergence(struct draft *draft) {
  int n = draft->block_count;
  enum { MAX_STEPS = 1 << 30 }; /* some thousand times what a large kernel takes */
  struct graph g = {.count = n, .steps = MAX_STEPS};
  size_t nodes = (size_t)n + 1;
  int *memory = malloc((nodes * 3 + nodes * 4 + nodes * 6 + nodes * 2) * sizeof *memory);
  if (!memory) return false;
  int *at = memory;
  g.successors = (int(*)[3])at, at += nodes * 3;
  g.order = at, at += nodes;
  g.by_order = at, at += nodes;
  g.parent = at, at += nodes;
  g.first_in = at, at += nodes;
  g.next_in = at, at += nodes * 3;
  g.in_from = at, at += nodes * 3;
  int *stack = at; /* nodes * 2 */
  for (int b = 0; b <= n; b++) {
    g.first_in[b] = -1;
    g.order[b] = -1;
    for (int i = 0; i < 3; i++) g.successors[b][i] = -1;
  }
  for (int b = 0; b < n; b++) add_block_edges(&g, b, &draft->blocks[b].end);
  number_from(&g, n, stack);
  bool endless = false;
  for (int b = n - 1; b >= 0; b--) {
    if (g.order[b] != -1) continue;
    add_edge(&g, 2, b, n); /* leads nowhere: give it a way out */
    endless = true;
    int before = g.numbered;
    number_from(&g, b, stack);
    (void)before;
  }
  if (endless) { /* number once more, now that all are reached from the exit */
    for (int b = 0; b <= n; b++) g.order[b] = -1;
    g.numbered = 0;
    number_from(&g, n, stack);
  }
  find_parents(&g);
  for (int b = 0; b < n; b++) {
    int parent = g.parent[b];
    draft->blocks[b].end.reconverge = parent == n || parent < 0 ? NO_BLOCK : parent;
  }
  free(memory);
  if (g.steps <= 0)
    draft_fail(draft, 0, "a function whose branches are that entangled is not supported");
  return g.steps > 0;
}
