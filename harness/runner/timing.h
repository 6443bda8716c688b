/* timing.h: a submission timed beside trusted solutions, in one process and in turn, so that all
 * see the same device in the same state.
 *
 * A round times each function once, as a batch of calls between two events: in one order, and in
 * the next round in the opposite one (ABBA), so that a clock that drifts favours nobody. Before
 * each batch every input is overwritten with other values and every output with NaN, so nothing can
 * be kept from an earlier call; after a batch of the submission's, the reference is run on the same
 * inputs, untimed, and every output compared with its. Before the submission is called for the
 * first time the others are timed alone, so that whatever slows them later is seen.
 *
 * Times follow the rule of tests/model/README.md, as modelled ones do: what two events cost is
 * taken off, and L2 holds when a call begins what calls back to back would leave there. So the sets
 * of inputs and outputs that a batch goes through are no more than L2 keeps, if it keeps one of
 * them, and the reference reads the inputs before the batch begins.
 *
 * A function that waits for its kernels before it returns leaves the device idle until the next
 * launch has come. In some rounds each function is also timed with a wait behind every call, and it
 * is found out which of them wait by themselves; what that takes is then known (stopwatch.c).
 *
 * Works on any backend; on the simulator events read modelled time.
 */
#ifndef KIT_TIMING_H
#define KIT_TIMING_H

#include <jansson.h>
#include <stdint.h>

#include "harness/problems/problem.h"
#include "harness/runner/leftovers.h"

enum { TIMING_MAX = 4 };

struct timing_request {
  const struct problem *problem;
  const long *dims;
  struct {
    const char *name; /* "submission", "baseline", ... */
    void *function;
  } timed[TIMING_MAX]; /* the submission first */
  int count;
  int reference;  /* index of the one that is right */
  double seconds; /* about as long as all of it may take; 0: all rounds, however long */
  int max_rounds;
  uint64_t seed;
  /* Begun before any code of the submission, its constructors included: they must not start threads
   * either. NULL: not checked. */
  const struct leftovers *at_start;
};

/* The result as FRAME_TIMING has it (exchange.h); NULL with *error, a sentence, if a call of CUDA
 * failed, memory ran out, or the submission did what it must not. *blame: index of the function to
 * blame, the submission's once it has been called; -1: the harness. */
json_t *timing_run(const struct timing_request *request, const char **error, int *blame);

#endif
