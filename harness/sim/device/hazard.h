/* hazard.h: the faults that the simulator finds in a submission, as facts; words for people are
 * made here too.
 *
 * A hazard is one kind of fault at one place (kernel, line, other line, array). Its first
 * occurrence, in the order of blocks and warps, gives the details; the rest are counted.
 */
#ifndef KIT_HAZARD_H
#define KIT_HAZARD_H

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
#define KIT_HAZARDS(X) \
  X(oob,         "out of bounds") \
  X(misaligned,  "misaligned address") \
  X(null,        "null pointer") \
  X(host_pointer,"host pointer in a kernel") \
  X(use_after_free, "use after cudaFree") \
  X(uninit,      "uninitialised read") \
  X(barrier,     "barrier not reached by all threads") \
  X(race,        "race") \
  X(input_write, "write to an input") \
  X(launch,      "launch refused") \
  X(timeout,     "kernel that never ends") \
  X(budget,      "over the budget") \
  X(deadlock,    "threads that wait for each other") \
  X(unsupported, "not supported by the simulator") \
  X(trap,        "trap or failed assertion")
/* clang-format on */

enum hazard_kind {
#define X(name, title) HAZARD_##name,
  KIT_HAZARDS(X)
#undef X
      HAZARD_KINDS
};

extern const char *const hazard_names[HAZARD_KINDS];  /* "race": the kind in JSON */
extern const char *const hazard_titles[HAZARD_KINDS]; /* "race", for people */

struct hazard {
  enum hazard_kind kind;
  bool warning;   /* worth saying, costs no points (e.g. threads racing to store the same value) */
  int line;       /* in the student's file; 0: not known */
  int other_line; /* the other side of a race; 0: none */
  char kernel[128];
  char array[96];
  char message[480]; /* one or two sentences: what happened where (block, thread, element), and what
                        to do */
  uint64_t count;    /* occurrences, at least 1 */
  bool more;         /* it is not known how many more: the launch had enough to stop counting */
  int weight;        /* of a race, how far apart the message's threads are: 1 lanes of a warp, 2 more */
};

#endif
