/* timeline.h: when the work of streams begins and ends on the GPU described, and what the host
 * waits for: a discrete-event simulation.
 *
 * The host has a clock. Each of its calls takes a fixed time of it, whatever the machine that runs
 * the simulator; what host code does between its calls takes none. A call issues work to a stream.
 * From there on the work waits for
 *
 *   the stream         what was issued to it before; of the legacy default stream and those that
 * are not non-blocking, what was issued to the other before events             that the stream was
 * told to wait for a resource         the engine for copies to the device, or that for copies to
 * the host, each for one copy at a time; room on the SMs for a kernel's blocks
 *
 * and while it runs it may share the link with a copy the other way, or the memory with kernels
 * beside it. timeline.c has the host's side: calls, streams, events, waiting. engine.c has the
 * device's: it goes from one moment at which something begins or ends to the next, as far as the
 * host's clock, or until what the host waits for has ended. What the host issues later cannot begin
 * before its clock, so what lies before is settled.
 *
 * Times are in ns from timeline_open on. All figures are those of the GPU's description
 * (gpu_timeline in base/gpu.h).
 */
#ifndef KIT_TIMELINE_H
#define KIT_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/sim/base/gpu.h"

enum timeline_kind {
  TIMELINE_KERNEL,
  TIMELINE_COPY_IN,  /* to the device */
  TIMELINE_COPY_OUT, /* to the host */
  TIMELINE_COPY,     /* on the device */
  TIMELINE_FILL,
  TIMELINE_FUNCTION, /* of the host, in a stream */
  TIMELINE_RECORD,   /* of an event */
  TIMELINE_WAIT,     /* for one, in a stream */
  TIMELINE_KINDS
};

/* What is issued; kinds from TIMELINE_RECORD on have functions of their own. */
struct timeline_work {
  enum timeline_kind kind;
  uint32_t stream;
  uint64_t bytes; /* of a copy or a fill */
  bool pages;     /* a copy: pages of managed memory */
  bool pageable;  /* a copy from or to pageable memory: the host moves it, piece by piece */
  bool staged;    /* such a copy: the host has moved it all before the device begins */
  bool waits;     /* the host waits until it is done, */
  bool follows;   /* or, before the copy, until all that comes before it is */
  bool of_device; /* a kernel that a kernel has launched */
  /* A kernel: what it takes with the device for itself, from one such launch to the next; its
   * blocks, and how many of them the device holds at once; the share of what limits it that it
   * then takes, 0 to 1. */
  double ns;
  uint64_t blocks, room;
  double demand;
  /* Bytes that a kernel stores to global memory, that it fetches in pages of managed memory, and
   * that it moves over the link to and from mapped memory. */
  uint64_t stored, fetched, mapped;
  char name[64]; /* for people */
  int line;      /* of the call; 0: not known */
};

/* Work that has ended. */
struct timeline_span {
  struct timeline_work work;
  uint64_t id; /* in the order of issue, from 1 on */
  /* ready: nothing but a resource was missing any more; begin: of a kernel's first blocks */
  double issued, ready, begin, end;
  /* Of a TIMELINE_WAIT: where and when the event happened. */
  uint32_t recorded_in;
  double recorded;
};

/* What a call of the host took, or waited for. */
struct timeline_host_span {
  const char *name; /* "launch add", "wait" */
  int line;         /* 0: not known */
  bool waits;
  double begin, end;
};

struct timeline;
/* NULL if memory runs out. */
struct timeline *timeline_open(const struct gpu *gpu);
void timeline_close(struct timeline *timeline);

/* Calls `ended` for each piece of work that ends, in the order of their ends, and `called` for the
 * host's calls and waits. Both may be NULL. */
struct timeline_listener {
  void *context;
  void (*ended)(void *context, const struct timeline_span *span);
  void (*called)(void *context, const struct timeline_host_span *span);
};
void timeline_listen(struct timeline *timeline, const struct timeline_listener *listener);

/* Streams share so many connections from now on: of kernels, and of copies, in as many groups as a
 * copy engine serves; 0: as it is. Default: the GPU's. */
void timeline_set_connections(struct timeline *timeline, uint32_t kernels, uint32_t copies);

/* Stream 0, the legacy default stream, is there. A number that was used before stands for a new
 * stream from now on; its work goes on. priority: a lower number goes first. Here and below, false:
 * out of memory. */
bool timeline_add_stream(struct timeline *timeline, uint32_t stream, bool non_blocking,
                         int priority);

/* Calls that take time of the host and issue nothing: a question about a stream or an event; memory
 * of the device, allocated and freed, which waits for all work, too. */
void timeline_query(struct timeline *timeline);
void timeline_allocate(struct timeline *timeline, uint64_t bytes);
/* Of no allocation that timeline_allocate was told of: UINT64_MAX. */
void timeline_free(struct timeline *timeline, uint64_t bytes);
/* Pinned memory of the host: allocated, freed, registered, unregistered. What gives it back waits
 * for all work. */
enum timeline_pin { TIMELINE_PIN, TIMELINE_UNPIN, TIMELINE_REGISTER, TIMELINE_UNREGISTER };
void timeline_pin(struct timeline *timeline, enum timeline_pin what, uint64_t bytes);
/* The host is at work for so long, with this. */
void timeline_spend(struct timeline *timeline, double ns, const char *name);

bool timeline_issue(struct timeline *timeline, const struct timeline_work *work);

/* An event is recorded in a stream. *mark: its number here; 0: it gets one. timed: its time will be
 * read. */
bool timeline_record(struct timeline *timeline, uint32_t *mark, uint32_t stream, bool timed);
void timeline_forget(struct timeline *timeline, uint32_t mark);
/* The stream's next work waits for the event as it was recorded last. */
bool timeline_wait(struct timeline *timeline, uint32_t stream, uint32_t mark);

/* The host waits: for all work, for what is in a stream, for an event. */
void timeline_finish(struct timeline *timeline);
void timeline_finish_stream(struct timeline *timeline, uint32_t stream);
void timeline_finish_mark(struct timeline *timeline, uint32_t mark);

/* Is it done by the host's clock? */
bool timeline_stream_is_done(struct timeline *timeline, uint32_t stream);
bool timeline_mark_is_done(struct timeline *timeline, uint32_t mark);

/* When the event happens; the host does not wait for that. */
double timeline_mark_ns(struct timeline *timeline, uint32_t mark);
double timeline_host_ns(const struct timeline *timeline);
/* From the first record of a timed event that has happened since to the last; 0: there are none. */
void timeline_watch_records(struct timeline *timeline);
double timeline_between_records(const struct timeline *timeline);

#endif
