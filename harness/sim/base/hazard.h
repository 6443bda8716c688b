/* hazard.h: the faults that the simulator finds in a submission, as facts; words for people are
 * made here too.
 *
 * A hazard is one kind of fault at one place (kernel, line, other line, array). Its first
 * occurrence, in the order of blocks and warps, gives the details; the rest are counted.
 */
#ifndef KIT_HAZARD_H
#define KIT_HAZARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of causes: an earlier kind explains a later one in the same file more often than the
 * other way round. A failed call comes before what kernels then did; stray accesses come before
 * races, and both before reads of what they overwrote or left out; then the launch's end. A leak
 * explains nothing. Each with the tool of compute-sanitizer that looks for it; "-": none does. */
/* clang-format off */
#define KIT_HAZARDS(X) \
  X(call,        "CUDA call that failed", "memcheck") \
  X(launch,      "launch refused", "memcheck") \
  X(host_pointer,"host pointer in a kernel", "memcheck") \
  X(null,        "null pointer", "memcheck") \
  X(use_after_free, "use after cudaFree", "memcheck") \
  X(misaligned,  "misaligned address", "memcheck") \
  X(oob,         "out of bounds", "memcheck") \
  X(barrier,     "barrier not reached by all threads", "synccheck") \
  X(input_write, "write to an input", "-") \
  X(race,        "race", "racecheck (shared memory)") \
  X(uninit,      "uninitialised read", "initcheck (global memory)") \
  X(trap,        "trap or failed assertion", "memcheck") \
  X(deadlock,    "threads that wait for each other", "-") \
  X(timeout,     "code that never ends", "-") \
  X(budget,      "over the budget", "-") \
  X(unsupported, "not supported by the simulator", "-") \
  X(leak,        "leak", "memcheck --leak-check full")
/* clang-format on */

enum hazard_kind {
#define X(name, title, tool) HAZARD_##name,
  KIT_HAZARDS(X)
#undef X
      HAZARD_KINDS
};

extern const char *const hazard_names[HAZARD_KINDS];  /* "race": the kind in JSON */
extern const char *const hazard_titles[HAZARD_KINDS]; /* "race", for people */
extern const char *const hazard_tools[HAZARD_KINDS];  /* "racecheck" */

struct hazard {
  enum hazard_kind kind;
  bool warning;   /* reported, but costs no points (e.g. threads racing to store the same value) */
  int line;       /* in the student's file; 0: unknown */
  int other_line; /* the other side of a race; 0: none */
  char kernel[128];
  char array[96];
  char message[480]; /* a sentence or two: what happened where (block, thread, element); advice */
  uint64_t count;    /* occurrences, at least 1 */
  bool more;         /* counting stopped: there were too many */
  int weight; /* of a race, how far apart its threads are: 1 in one warp, 2 in different warps */
};

/* Hazards of a launch, merged by kind and place as found. Only the canonical run adds to it. */
struct hazard_list {
  struct hazard *items;
  int count, room;
  int last;           /* found */
  const char *kernel; /* put into each */
};

/* Finds the hazard of this kind, lines and array and adds count to it, or adds one with an empty
 * message; *fresh says which. A kind has at most 64 entries: once full, a new place replaces a
 * warning, or else adds its count to the last entry. NULL then, and if memory runs out. */
struct hazard *hazard_note(struct hazard_list *list, enum hazard_kind kind, int line,
                           int other_line, const char *array, uint64_t count, bool *fresh);
void hazard_list_clear(struct hazard_list *list);

#endif
