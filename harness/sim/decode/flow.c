/* flow.c: where divergent paths of a function meet: the immediate post-dominators of its blocks, by
 * the ways that do not lead out of a loop sideways; and by all of them.
 *
 * The algorithm is that of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001),
 * on the reversed graph with one virtual exit. Blocks from which no path leads to the end (endless
 * loops) get an edge to that exit, so all have a place in the tree.
 */
#include <stdlib.h>

#include "harness/sim/decode/draft.h"

enum { NONE = -1, NOT_REACHED = -1, ON_STACK = -2, EDGES = 3 };

struct node {
  int successors[EDGES], next_in[EDGES]; /* next_in: the next edge into the same successor */
  int first_in;                          /* an edge is EDGES * node + slot */
  int order;                             /* postorder number on the reversed graph */
  int parent;                            /* immediate post-dominator */
};

struct graph {
  int count;          /* blocks; the virtual exit has number count */
  struct node *nodes; /* blocks and exit */
  int *by_order;
  int numbered;
  struct visit {
    int node, edge; /* edge: the next one */
  } * stack;
  int64_t steps; /* left */
};

static void add_edge(struct graph *g, int slot, int from, int to) {
  g->nodes[from].successors[slot] = to;
  g->nodes[from].next_in[slot] = g->nodes[to].first_in;
  g->nodes[to].first_in = EDGES * from + slot;
}

/* Depth-first from root over predecessors, numbering in postorder. */
static void number_from(struct graph *g, int root) {
  int depth = 1;
  g->stack[0] = (struct visit){root, g->nodes[root].first_in};
  g->nodes[root].order = ON_STACK;
  while (depth > 0) {
    struct visit *top = &g->stack[depth - 1];
    if (top->edge == NONE) {
      g->nodes[top->node].order = g->numbered;
      g->by_order[g->numbered++] = top->node;
      depth--;
      continue;
    }
    int from = top->edge / EDGES;
    top->edge = g->nodes[from].next_in[top->edge % EDGES];
    if (g->nodes[from].order != NOT_REACHED) continue;
    g->nodes[from].order = ON_STACK;
    g->stack[depth++] = (struct visit){from, g->nodes[from].first_in};
  }
}

/* Also counts the steps; the result is of no use once none are left. */
static int meet(struct graph *g, int a, int b) {
  const struct node *nodes = g->nodes;
  while (a != b && g->steps > 0) {
    for (; nodes[a].order < nodes[b].order; g->steps--) a = nodes[a].parent;
    for (; nodes[b].order < nodes[a].order; g->steps--) b = nodes[b].parent;
  }
  return a;
}

static void find_parents(struct graph *g) {
  g->nodes[g->count].parent = g->count;
  for (bool changed = true; changed && g->steps > 0;) {
    changed = false;
    g->steps -= g->numbered;
    for (int n = g->numbered - 1; n >= 0; n--) {
      int b = g->by_order[n], best = NONE;
      if (b == g->count) continue;
      for (int i = 0; i < EDGES; i++) {
        int s = g->nodes[b].successors[i];
        if (s != NONE && g->nodes[s].parent != NONE) best = best == NONE ? s : meet(g, s, best);
      }
      changed |= best != NONE && g->nodes[b].parent != best;
      if (best != NONE) g->nodes[b].parent = best;
    }
  }
}

/* Adds the edges of all blocks and numbers the nodes. */
static void build(struct graph *g, const struct draft *draft, bool all) {
  int n = g->count;
  g->numbered = 0;
  for (int b = 0; b <= n; b++)
    g->nodes[b] = (struct node){
        .successors = {NONE, NONE, NONE}, .first_in = NONE, .order = NOT_REACHED, .parent = NONE};
  for (int b = 0; b < n; b++) {
    int to[2];
    block_successors(&draft->blocks[b].end, to);
    for (int i = 0; i < 2; i++)
      if (to[i] != NO_BLOCK && (all || to[i] != draft->blocks[b].end.leaves))
        add_edge(g, i, b, to[i]);
    if (to[0] == NO_BLOCK && to[1] == NO_BLOCK) add_edge(g, 0, b, n);
  }
  number_from(g, n);
  bool endless = false;
  for (int b = n - 1; b >= 0; b--) {
    if (g->nodes[b].order != NOT_REACHED) continue;
    add_edge(g, 2, b, n); /* leads nowhere: give it a way out */
    number_from(g, b);
    endless = true;
  }
  if (!endless) return;
  for (int b = 0; b <= n; b++) g->nodes[b].order = NOT_REACHED;
  g->numbered = 0;
  number_from(g, n); /* once more, now that all are reached from the exit */
}

bool flow_find_reconvergence(struct draft *draft) {
  enum { MAX_STEPS = 1 << 30 }; /* a thousand times what a large kernel takes */
  size_t nodes = (size_t)draft->block_count + 1;
  struct graph g = {.count = draft->block_count,
                    .nodes = malloc(nodes * sizeof *g.nodes),
                    .by_order = malloc(nodes * sizeof *g.by_order),
                    .stack = malloc(nodes * sizeof *g.stack),
                    .steps = MAX_STEPS};
  bool ok = g.nodes && g.by_order && g.stack;
  bool leaves = false;
  for (int b = 0; b < g.count; b++) leaves |= draft->blocks[b].end.leaves != NO_BLOCK;
  for (int all = leaves; ok && all >= 0; all--) {
    build(&g, draft, all || !leaves);
    find_parents(&g);
    for (int b = 0; b < g.count; b++) {
      struct basic_block *end = &draft->blocks[b].end;
      int meet = g.nodes[b].parent == g.count ? NO_BLOCK : g.nodes[b].parent;
      if (all || !leaves) end->beyond = meet;
      end->reconverge = meet == NO_BLOCK ? end->beyond : meet;
    }
  }
  free(g.nodes);
  free(g.by_order);
  free(g.stack);
  if (g.steps <= 0)
    draft_fail(draft, 0, "a function whose branches are that entangled is not supported");
  return ok && g.steps > 0;
}
