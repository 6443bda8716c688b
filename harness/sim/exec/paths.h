/* paths.h: lanes of a warp that go ahead of others (independent thread scheduling, since Volta).
 *
 * Lanes that part at a branch meet again where paths do, and those who are there first wait. That
 * is fast, and wrong where the others wait for something that the first would do next: release the
 * lock that they spin on. So when a warp polls, the lanes that wait in its stack become a path of
 * their own, with a stack of their own, and go on. Of several paths the one that is farthest behind
 * runs; paths that come to one place become one again.
 */
#ifndef KIT_PATHS_H
#define KIT_PATHS_H

#include "harness/sim/exec/machine.h"

struct path {
  struct stack_entry *stack;
  int size;
  bool polls; /* it polls, and nothing has changed yet */
  bool at_barrier;
  uint64_t stores; /* the worker's stores when it last polled */
};

/* The running path polls: switches to other lanes of the warp, if any can run. */
bool paths_give_way(struct warp *warp);
/* At the start of a basic block, if the warp has several paths in this function: chooses the one to
 * run. False: all of them wait. */
bool paths_choose(struct warp *warp);
/* The running path has reached a barrier. True: another one runs. False: all of them are there. */
bool paths_reach_barrier(struct warp *warp);
/* All lanes of the running path have returned or exited. False: it was the last one. */
bool paths_end(struct warp *warp);
/* At a new turn of the warp, or after a barrier was released: polling paths may poll again. */
void paths_wake(struct warp *warp, bool released);
void paths_close(struct warp *warp);

static inline bool paths_several(const struct warp *warp) {
  return warp->path_count && warp->path_depth == warp->call_depth;
}

#endif
