/* streams.h: what streams, events and waits of the host order, and what work there is that nothing
 * orders before what comes next.
 *
 * All work runs when it is issued; these are the orders that a GPU would keep. Each stream has a
 * vector clock: how many pieces of work of every stream its next one comes after. An event is a
 * copy of such a clock, and the host has one, too. (CUDA C++ Programming Guide, "Streams",
 * "Events"; CUDA Runtime API, "Stream synchronization behavior".)
 *
 * Stream 0 is the legacy default stream: it waits for all streams that are not non-blocking, and
 * they for it.
 */
#ifndef KIT_STREAMS_H
#define KIT_STREAMS_H

#include "harness/sim/base/ranges.h"

enum {
  MAX_STREAMS = 256,         /* further streams share a clock */
  MAX_EVENTS = 1 << 14,      /* a further event stands for all work so far */
  MAX_WORKS = 1 << 10,       /* whose accesses are kept; then the oldest are dropped */
  MAX_WORK_RANGES = 1 << 21, /* of all of them */
};
#define EVENT_OF_ALL UINT32_MAX

enum work_kind { WORK_KERNEL, WORK_COPY_IN, WORK_COPY_OUT, WORK_COPY, WORK_FILL };

/* What a piece of work accesses in one array. */
struct work_access {
  uint64_t
      address; /* of the array, from which ranges count; 0: host memory, ranges are addresses */
  struct range_list reads, writes;
};

/* A piece of work: a launch, a copy, a fill. */
struct work {
  enum work_kind kind;
  uint32_t stream;
  uint64_t index; /* in its stream, from 1 on */
  uint64_t id;    /* from 1 on */
  bool signals;   /* a launch that may exchange flags with the host while it runs */
  bool staged;    /* a cudaMemcpy from pageable memory: normally complete when the call returns */
  int line;
  char kernel[128];
  struct work_access *accesses;
  int access_count, access_room;
};

struct streams;
struct streams *streams_open(void);
void streams_close(struct streams *streams);

/* Returns the new stream's number. Here and below, false: there is no such stream or event. */
uint32_t streams_create(struct streams *streams, bool non_blocking);
bool streams_destroy(struct streams *streams, uint32_t stream);
bool streams_knows(const struct streams *streams, uint32_t stream);
bool streams_is_non_blocking(const struct streams *streams, uint32_t stream);

/* An event that nothing is behind yet. */
uint32_t streams_create_event(struct streams *streams);
/* *event 0: creates one and stores its number. */
bool streams_record(struct streams *streams, uint32_t *event, uint32_t stream);
bool streams_destroy_event(struct streams *streams, uint32_t event);
bool streams_wait(struct streams *streams, uint32_t stream, uint32_t event);

/* The host waits: what it waits for is ordered before everything issued later, and is dropped. */
void streams_host_waits(struct streams *streams);
bool streams_host_waits_for(struct streams *streams, uint32_t stream);
bool streams_host_waits_for_event(struct streams *streams, uint32_t event);

/* Does the host know that all work in a stream, or before an event, is done? If it is when it asks,
 * then this counts as waiting. */
enum streams_progress { STREAMS_UNKNOWN, STREAMS_BUSY, STREAMS_DONE };
enum streams_progress streams_query(struct streams *streams, uint32_t stream, bool is_done);
enum streams_progress streams_query_event(struct streams *streams, uint32_t event, bool is_done);

/* Are there streams besides the default one, so that accesses of unordered work must be kept? */
bool streams_keep(struct streams *streams);

/* From now on the host can access what work accesses, so accesses must be kept for that, too. */
void streams_show_host(struct streams *streams);
bool streams_keep_work(struct streams *streams); /* for one of the two reasons */

/* Begins a piece of work, the caller's until streams_end_work. NULL: no such stream, no memory. */
struct work *streams_begin_work(struct streams *streams, enum work_kind kind, uint32_t stream);
/* A piece of work whose accesses are not kept. */
void streams_pass_work(struct streams *streams, uint32_t stream);
/* Its accesses to an array; NULL if memory runs out. Valid until the next call. */
struct work_access *work_access(struct work *work, uint64_t address);
/* Of one that is not among the streams: how many ranges it accesses; makes them those of another
 * one (false: memory ran out), or none; frees it. */
size_t work_ranges(const struct work *work);
bool work_copy_accesses(struct work *work, const struct work *other);
void work_forget_accesses(struct work *work);
void work_free(struct work *work);
/* Ends it; the streams own it from now on. */
void streams_end_work(struct streams *streams, struct work *work);
/* Has the host waited for a piece of work, or was it dropped? */
bool streams_is_done(const struct streams *streams, uint64_t id);
/* An array is gone. */
void streams_forget(struct streams *streams, uint64_t address);

/* Calls `meet` for all bytes that this work and an earlier, unordered one both access, at least one
 * of them writing, not both atomically. */
struct work_conflict {
  const struct work *work, *other;
  uint64_t address; /* as in work_access */
  uint64_t from, to;
  bool writes, other_writes;
  const struct byte_range *range, *other_range;
};
typedef void streams_meet(void *context, const struct work_conflict *conflict);
void streams_find_conflicts(const struct streams *streams, const struct work *work,
                            streams_meet *meet, void *context);

/* Calls `meet` for each piece of work that the host has not waited for and that accesses this byte
 * of an array, if the host's access or that one is a write. */
typedef void streams_touch(void *context, const struct work *work, const struct byte_range *range,
                           bool work_writes);
void streams_find_touched(const struct streams *streams, uint64_t address, uint64_t offset,
                          bool host_writes, streams_touch *meet, void *context);
/* Does such work access the array, and does it write there? */
bool streams_use(const struct streams *streams, uint64_t address, bool *writes);

/* "the copy to the device at line 20", "kernel fill" into text. */
const char *work_text(const struct work *work, char *text, size_t size);
/* What would order the two. */
const char *streams_advice(const struct streams *streams, const struct work_conflict *conflict);

#endif
