/* timeline_parts.h: what timeline.c and engine.c share. */
#ifndef KIT_TIMELINE_PARTS_H
#define KIT_TIMELINE_PARTS_H

#include "harness/sim/timeline/timeline.h"

/* A record of an event, which those that wait for it share. */
struct record {
  int users;
  bool done;
  uint32_t stream;
  double ns;               /* when it happened */
  enum timeline_kind kind; /* of the work before it */
};

struct piece {
  struct piece *next; /* in its stream */
  struct timeline_span span;
  struct record *record; /* that is made, or waited for */
  bool timed, watched;   /* a record that takes time; one that timeline_between_records counts */
  bool is_ready, begun;
  double begun_at;       /* a kernel: its turn to have blocks dispatched */
  uint64_t undispatched; /* blocks that wait for room */
  uint64_t in_flight;
  double block_ns;
};

struct line { /* of a stream */
  bool exists, non_blocking;
  int priority;
  struct piece *first, *last;
  double last_end; /* of what has ended there, */
  enum timeline_kind last_kind;
};

/* What runs: a piece of work, or blocks of a kernel that were dispatched together. */
struct runner {
  struct piece *piece;
  double left; /* ns, at full speed */
  uint64_t blocks;
};

struct timeline {
  struct gpu_timeline figures;
  double launch_gap; /* ns from the end of a kernel to the start of the next in its stream */
  double host, now;  /* clocks: of the host; of the last thing that began or ended on the device */
  double front_free; /* when the next kernel may begin */
  struct line *lines;
  uint32_t line_count, line_room;
  struct record **marks; /* number n is marks[n - 1]; NULL: free */
  uint32_t mark_count, mark_room;
  struct runner *runners;
  int runner_count, runner_room;
  int kernels;     /* that have begun */
  double occupied; /* share of the device */
  struct {
    uint32_t stream; /* whose copy was last, */
    double end;      /* and until when; 0: there was none */
    double looked;   /* when it turned to the next */
  } engines[2];      /* in, out */
  uint64_t last_id;
  double first_record, last_record;  /* watched; the first is INFINITY before it happens */
  int64_t small_bytes, small_blocks; /* allocations: see timeline_allocate */
  double asked;                      /* questions of the host, one after the other */
  int pending;                       /* pieces */
  struct timeline_listener listener;
  bool out_of_memory;
};

/* engine.c: lets the device work up to this moment, and until `until` is true (NULL: no more than
 * that). Stops where nothing more can begin or end. */
typedef bool timeline_until(const struct timeline *timeline, const void *what);
void engine_run(struct timeline *timeline, double horizon, timeline_until *until, const void *what);

void record_release(struct record *record);

#endif
