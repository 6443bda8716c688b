/* streams.c: orders work by streams, events and host waits with vector clocks, and finds pairs of
 * unordered work that access the same bytes. */
#include "harness/sim/base/streams.h"
#include "harness/sim/base/source_places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"

/* For every stream, how many pieces of its work come before. */
struct vector_clock {
  uint64_t seen[MAX_STREAMS];
};

struct stream {
  int users; /* 0: destroyed and free for reuse; its clock goes on */
  bool non_blocking;
  struct vector_clock clock;
};

struct event {
  bool live;
  uint32_t count; /* streams when it was recorded */
  uint64_t *seen;
};

struct streams {
  struct stream *entries[MAX_STREAMS];
  uint32_t count;
  int users; /* streams besides the default one */
  bool keeps, host_looks;
  struct vector_clock host;
  struct event *events; /* number n is events[n - 1] */
  uint32_t event_count, event_room;
  struct work *works[MAX_WORKS]; /* work that the host has not waited for, in the order of issue */
  int work_count;
  size_t range_count;
  uint64_t last_id;
};

/* ---- clocks ---- */

static void join(struct vector_clock *clock, const uint64_t *seen, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (seen[i] > clock->seen[i]) clock->seen[i] = seen[i];
}

static void join_stream(const struct streams *streams, struct vector_clock *clock,
                        uint32_t stream) {
  join(clock, streams->entries[stream]->clock.seen, streams->count);
}

/* Joins what a stream's next piece of work waits for by the rules of the default stream. Destroyed
 * streams count, too: their work goes on. Work that the host has waited for is dropped. */
static struct vector_clock *catch_up(struct streams *streams, uint32_t stream) {
  struct stream *s = streams->entries[stream];
  if (stream != 0 && !s->non_blocking) join_stream(streams, &s->clock, 0);
  for (uint32_t i = 1; stream == 0 && i < streams->count; i++)
    if (!streams->entries[i]->non_blocking) join_stream(streams, &s->clock, i);
  return &s->clock;
}

/* ---- streams and events ---- */

struct streams *streams_open(void) {
  struct streams *streams = calloc(1, sizeof *streams);
  if (!streams) return NULL;
  streams->entries[0] = calloc(1, sizeof *streams->entries[0]);
  if (!streams->entries[0]) {
    free(streams);
    return NULL;
  }
  streams->entries[0]->users = 1;
  streams->count = 1;
  return streams;
}

void work_forget_accesses(struct work *work) {
  for (int i = 0; i < work->access_count; i++) {
    ranges_free(&work->accesses[i].reads);
    ranges_free(&work->accesses[i].writes);
  }
  work->access_count = 0;
}

void work_free(struct work *work) {
  if (!work) return;
  work_forget_accesses(work);
  free(work->accesses);
  free(work);
}

void streams_close(struct streams *streams) {
  if (!streams) return;
  for (uint32_t i = 0; i < streams->count; i++) free(streams->entries[i]);
  for (uint32_t i = 0; i < streams->event_count; i++) free(streams->events[i].seen);
  for (int i = 0; i < streams->work_count; i++) work_free(streams->works[i]);
  free(streams->events);
  free(streams);
}

static bool has_work(const struct streams *streams, uint32_t stream) {
  for (int i = 0; i < streams->work_count; i++)
    if (streams->works[i]->stream == stream) return true;
  return false;
}

/* A number for a new stream: that of a destroyed stream whose work is done, a new one, or, when
 * there are no more, that of another stream of its kind. */
static uint32_t find_entry(struct streams *streams, bool non_blocking) {
  for (uint32_t i = 1; i < streams->count; i++)
    if (!streams->entries[i]->users && !has_work(streams, i)) return i;
  struct stream *fresh =
      streams->count < MAX_STREAMS ? calloc(1, sizeof *streams->entries[0]) : NULL;
  if (fresh) {
    streams->entries[streams->count] = fresh;
    return streams->count++;
  }
  for (uint32_t i = 1; i < streams->count; i++)
    if (streams->entries[i]->users && streams->entries[i]->non_blocking == non_blocking) return i;
  return 0;
}

uint32_t streams_create(struct streams *streams, bool non_blocking) {
  uint32_t stream = find_entry(streams, non_blocking);
  if (stream == 0) return 0;
  struct stream *s = streams->entries[stream];
  if (s->users++ == 0) {
    uint64_t index = s->clock.seen[stream]; /* which never goes back */
    s->clock = (struct vector_clock){0};
    s->clock.seen[stream] = index;
    s->non_blocking = non_blocking;
  }
  streams->users++;
  streams->keeps = true;
  return stream;
}

bool streams_knows(const struct streams *streams, uint32_t stream) {
  return stream < streams->count && streams->entries[stream]->users > 0;
}

bool streams_is_non_blocking(const struct streams *streams, uint32_t stream) {
  return streams->entries[stream]->non_blocking;
}

bool streams_destroy(struct streams *streams, uint32_t stream) {
  if (stream == 0 || !streams_knows(streams, stream)) return false;
  streams->entries[stream]->users--;
  streams->users--;
  return true;
}

static struct event *find_event(const struct streams *streams, uint32_t event) {
  if (event == 0 || event > streams->event_count) return NULL;
  return streams->events[event - 1].live ? &streams->events[event - 1] : NULL;
}

/* The number of a free event; 0 if there is none. */
static uint32_t add_event(struct streams *streams) {
  for (uint32_t i = 0; i < streams->event_count; i++)
    if (!streams->events[i].live) return i + 1;
  if (streams->event_count == MAX_EVENTS ||
      !ARRAY_RESERVE(streams->events, streams->event_room, streams->event_count + 1))
    return 0;
  streams->events[streams->event_count] = (struct event){0};
  return ++streams->event_count;
}

uint32_t streams_create_event(struct streams *streams) {
  uint32_t event = add_event(streams);
  if (!event) return EVENT_OF_ALL;
  streams->events[event - 1].live = true;
  return event;
}

bool streams_record(struct streams *streams, uint32_t *event, uint32_t stream) {
  if (!streams_knows(streams, stream)) return false;
  if (*event == EVENT_OF_ALL) return true;
  if (*event && !find_event(streams, *event)) return false;
  const struct vector_clock *clock = catch_up(streams, stream);
  uint64_t *seen = malloc(streams->count * sizeof *seen);
  if (!*event) *event = seen ? add_event(streams) : 0;
  if (!seen || !*event) {
    free(seen);
    *event = EVENT_OF_ALL;
    return true;
  }
  memcpy(seen, clock->seen, streams->count * sizeof *seen);
  struct event *e = &streams->events[*event - 1];
  free(e->seen);
  *e = (struct event){true, streams->count, seen};
  return true;
}

bool streams_destroy_event(struct streams *streams, uint32_t event) {
  struct event *e = find_event(streams, event);
  if (!e) return event == EVENT_OF_ALL;
  free(e->seen);
  *e = (struct event){0};
  return true;
}

static void join_all(const struct streams *streams, struct vector_clock *clock) {
  for (uint32_t i = 0; i < streams->count; i++) join_stream(streams, clock, i);
}

bool streams_wait(struct streams *streams, uint32_t stream, uint32_t event) {
  const struct event *e = find_event(streams, event);
  if (!streams_knows(streams, stream) || (!e && event != EVENT_OF_ALL)) return false;
  struct vector_clock *clock = catch_up(streams, stream);
  if (e)
    join(clock, e->seen, e->count);
  else
    join_all(streams, clock);
  return true;
}

/* ---- the host ---- */

size_t work_ranges(const struct work *work) {
  size_t count = 0;
  for (int i = 0; i < work->access_count; i++)
    count += work->accesses[i].reads.count + work->accesses[i].writes.count;
  return count;
}

static void drop(struct streams *streams, struct work *work) {
  streams->range_count -= work_ranges(work);
  work_free(work);
}

/* Drops work that the host has waited for: all later work is ordered after it. */
static void forget_done(struct streams *streams) {
  int kept = 0;
  for (int i = 0; i < streams->work_count; i++) {
    struct work *work = streams->works[i];
    if (work->index <= streams->host.seen[work->stream])
      drop(streams, work);
    else
      streams->works[kept++] = work;
  }
  streams->work_count = kept;
}

void streams_host_waits(struct streams *streams) {
  join_all(streams, &streams->host);
  forget_done(streams);
}

bool streams_host_waits_for(struct streams *streams, uint32_t stream) {
  if (!streams_knows(streams, stream)) return false;
  join(&streams->host, catch_up(streams, stream)->seen, streams->count);
  forget_done(streams);
  return true;
}

bool streams_host_waits_for_event(struct streams *streams, uint32_t event) {
  const struct event *e = find_event(streams, event);
  if (!e && event != EVENT_OF_ALL) return false;
  if (e)
    join(&streams->host, e->seen, e->count);
  else
    join_all(streams, &streams->host);
  forget_done(streams);
  return true;
}

static enum streams_progress query(struct streams *streams, const uint64_t *seen, uint32_t count,
                                   bool is_done) {
  if (!is_done) return STREAMS_BUSY;
  join(&streams->host, seen, count);
  forget_done(streams);
  return STREAMS_DONE;
}

enum streams_progress streams_query(struct streams *streams, uint32_t stream, bool is_done) {
  if (!streams_knows(streams, stream)) return STREAMS_UNKNOWN;
  return query(streams, streams->entries[stream]->clock.seen, streams->count, is_done);
}

enum streams_progress streams_query_event(struct streams *streams, uint32_t event, bool is_done) {
  const struct event *e = find_event(streams, event);
  if (e) return query(streams, e->seen, e->count, is_done);
  if (event != EVENT_OF_ALL) return STREAMS_UNKNOWN;
  struct vector_clock all = {0};
  join_all(streams, &all);
  return query(streams, all.seen, streams->count, is_done);
}

/* ---- work ---- */

bool streams_keep(struct streams *streams) {
  if (streams->users == 0 && streams->work_count == 0) streams->keeps = false;
  return streams->keeps;
}

void streams_show_host(struct streams *streams) { streams->host_looks = true; }

bool streams_keep_work(struct streams *streams) {
  return streams_keep(streams) || streams->host_looks;
}

struct work *streams_begin_work(struct streams *streams, enum work_kind kind, uint32_t stream) {
  struct work *work = streams_knows(streams, stream) ? calloc(1, sizeof *work) : NULL;
  if (!work) return NULL;
  work->kind = kind;
  work->stream = stream;
  work->index = ++catch_up(streams, stream)->seen[stream];
  work->id = ++streams->last_id;
  return work;
}

void streams_pass_work(struct streams *streams, uint32_t stream) {
  catch_up(streams, stream)->seen[stream]++;
}

struct work_access *work_access(struct work *work, uint64_t address) {
  for (int i = 0; i < work->access_count; i++)
    if (work->accesses[i].address == address) return &work->accesses[i];
  if (!ARRAY_RESERVE(work->accesses, work->access_room, work->access_count + 1)) return NULL;
  struct work_access *access = &work->accesses[work->access_count++];
  *access = (struct work_access){.address = address};
  return access;
}

static bool copy_ranges(struct range_list *to, const struct range_list *from) {
  if (!ARRAY_RESERVE(to->items, to->room, from->count)) return false;
  if (from->count) memcpy(to->items, from->items, from->count * sizeof *to->items);
  to->count = from->count;
  return true;
}

bool work_copy_accesses(struct work *work, const struct work *other) {
  work_forget_accesses(work);
  for (int i = 0; i < other->access_count; i++) {
    const struct work_access *from = &other->accesses[i];
    struct work_access *to = work_access(work, from->address);
    if (!to || !copy_ranges(&to->reads, &from->reads) || !copy_ranges(&to->writes, &from->writes))
      return false;
  }
  return true;
}

void streams_end_work(struct streams *streams, struct work *work) {
  if (!work) return;
  int forgotten = 0;
  streams->range_count += work_ranges(work);
  while (forgotten < streams->work_count &&
         (streams->range_count > MAX_WORK_RANGES || streams->work_count - forgotten == MAX_WORKS))
    drop(streams, streams->works[forgotten++]);
  streams->work_count -= forgotten;
  memmove(streams->works, streams->works + forgotten,
          (size_t)streams->work_count * sizeof *streams->works);
  if (streams->range_count > MAX_WORK_RANGES) { /* too large alone */
    drop(streams, work);
    return;
  }
  streams->works[streams->work_count++] = work;
}

bool streams_is_done(const struct streams *streams, uint64_t id) {
  for (int i = 0; i < streams->work_count; i++)
    if (streams->works[i]->id == id) return false;
  return true;
}

void streams_forget(struct streams *streams, uint64_t address) {
  for (int i = 0; i < streams->work_count; i++) {
    struct work *work = streams->works[i];
    for (int k = 0; k < work->access_count; k++) {
      struct work_access *access = &work->accesses[k];
      if (access->address != address) continue;
      streams->range_count -= access->reads.count + access->writes.count;
      ranges_free(&access->reads);
      ranges_free(&access->writes);
    }
  }
}

/* ---- conflicts ---- */

struct search {
  struct work_conflict conflict;
  streams_meet *meet;
  void *context;
};

static void met(void *context, uint64_t from, uint64_t to, const struct byte_range *range,
                const struct byte_range *other) {
  struct search *search = context;
  search->conflict.from = from;
  search->conflict.to = to;
  search->conflict.range = range;
  search->conflict.other_range = other;
  search->meet(search->context, &search->conflict);
}

static void compare(struct search *search, const struct work_access *mine,
                    const struct work_access *other) {
  struct work_conflict *conflict = &search->conflict;
  conflict->address = mine->address;
  conflict->writes = conflict->other_writes = true;
  ranges_intersect(&mine->writes, &other->writes, met, search);
  conflict->writes = false;
  ranges_intersect(&mine->reads, &other->writes, met, search);
  conflict->writes = true;
  conflict->other_writes = false;
  ranges_intersect(&mine->writes, &other->reads, met, search);
}

void streams_find_conflicts(const struct streams *streams, const struct work *work,
                            streams_meet *meet, void *context) {
  const struct vector_clock *clock = &streams->entries[work->stream]->clock;
  for (int i = 0; i < streams->work_count; i++) {
    const struct work *other = streams->works[i];
    if (other->index <= clock->seen[other->stream]) continue;
    struct search search = {{.work = work, .other = other}, meet, context};
    for (int a = 0; a < work->access_count; a++)
      for (int b = 0; b < other->access_count; b++)
        if (work->accesses[a].address == other->accesses[b].address)
          compare(&search, &work->accesses[a], &other->accesses[b]);
  }
}

static const struct byte_range *range_at(const struct range_list *list, uint64_t offset) {
  size_t low = 0, high = list->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (list->items[middle].to <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low < list->count && list->items[low].from <= offset ? &list->items[low] : NULL;
}

void streams_find_touched(const struct streams *streams, uint64_t address, uint64_t offset,
                          bool host_writes, streams_touch *meet, void *context) {
  for (int i = 0; i < streams->work_count; i++) {
    const struct work *work = streams->works[i];
    for (int k = 0; k < work->access_count; k++) {
      const struct work_access *access = &work->accesses[k];
      if (access->address != address) continue;
      const struct byte_range *range = range_at(&access->writes, offset);
      bool writes = range != NULL;
      if (!range && host_writes) range = range_at(&access->reads, offset);
      if (range) meet(context, work, range, writes);
    }
  }
}

bool streams_use(const struct streams *streams, uint64_t address, bool *writes) {
  bool uses = false;
  *writes = false;
  for (int i = 0; i < streams->work_count; i++)
    for (int k = 0; k < streams->works[i]->access_count; k++) {
      const struct work_access *access = &streams->works[i]->accesses[k];
      if (access->address != address) continue;
      uses |= access->writes.count + access->reads.count > 0;
      *writes |= access->writes.count > 0;
    }
  return uses;
}

/* ---- words ---- */

const char *work_text(const struct work *work, char *text, size_t size) {
  char place[80];
  static const char *const names[] = {
      [WORK_COPY_IN] = "the copy to the device",
      [WORK_COPY_OUT] = "the copy to the host",
      [WORK_COPY] = "the copy on the device",
      [WORK_FILL] = "the cudaMemset",
  };
  if (work->kind == WORK_KERNEL)
    snprintf(text, size, "kernel %s", work->kernel);
  else if (work->line)
    snprintf(text, size, "%s at %s", names[work->kind],
             place_words(work->line, place, sizeof place));
  else
    snprintf(text, size, "%s", names[work->kind]);
  return text;
}

const char *streams_advice(const struct streams *streams, const struct work_conflict *conflict) {
  uint32_t a = conflict->work->stream, b = conflict->other->stream;
  bool with_default = (a == 0 && streams_is_non_blocking(streams, b)) ||
                      (b == 0 && streams_is_non_blocking(streams, a));
  if (conflict->other->staged)
    return "cudaMemcpy from pageable memory may return before all bytes have arrived, and a stream "
           "made "
           "with cudaStreamNonBlocking does not wait for it: make the stream without that flag, or "
           "copy "
           "in the stream itself (cudaMemcpyAsync).";
  if (with_default)
    return "The default stream and one made with cudaStreamNonBlocking do not wait for each other: "
           "let the second wait for an event of the first (cudaEventRecord, cudaStreamWaitEvent), "
           "or "
           "make the stream without that flag.";
  return "Nothing orders the two streams: let the second wait for an event after the first "
         "(cudaEventRecord, cudaStreamWaitEvent), call cudaStreamSynchronize between the two, or "
         "put "
         "both into one stream.";
}
