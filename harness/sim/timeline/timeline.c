/* timeline.c: the host's side of the timeline: calls, streams, events, waiting. */
#include "harness/sim/timeline/timeline.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/array.h"
#include "harness/sim/timeline/timeline_parts.h"

enum { MAX_MARKS = 1 << 20 };
enum { PATIENT = 1000 }; /* questions; a host that asks on and on does so ever more slowly */
/* Of allocations (measured: "cudaMalloc" in gpus/h200.tsv); bytes. */
enum { MOST_SMALL = 1 << 20, SMALL_BLOCK = 2 << 20, SMALL_UNIT = 512 };
enum { MAX_PENDING = 1024 }; /* a further piece of work has to wait in the host's call */

void record_release(struct record *record) {
  if (record && --record->users == 0) free(record);
}

struct timeline *timeline_open(const struct gpu *gpu) {
  struct timeline *t = calloc(1, sizeof *t);
  if (!t) return NULL;
  t->figures = gpu->timeline;
  timeline_watch_records(t);
  t->launch_gap = gpu->model.launch_gap_ns / 2; /* the other half is the start of its blocks */
  if (timeline_add_stream(t, 0, false, 0)) return t;
  free(t);
  return NULL;
}

void timeline_set_connections(struct timeline *t, uint32_t kernels, uint32_t copies) {
  if (kernels) t->figures.connections = kernels;
  if (copies) t->figures.copy_groups = copies;
}

void timeline_close(struct timeline *t) {
  if (!t) return;
  for (uint32_t i = 0; i < t->line_count; i++) {
    for (struct piece *piece = t->lines[i].first, *next; piece; piece = next) {
      next = piece->next;
      record_release(piece->record);
      free(piece);
    }
  }
  for (uint32_t i = 0; i < t->mark_count; i++) record_release(t->marks[i]);
  free(t->lines);
  free(t->marks);
  free(t->runners);
  free(t);
}

void timeline_listen(struct timeline *t, const struct timeline_listener *listener) {
  t->listener = *listener;
}

/* The host's clock goes on to this moment, for this reason. */
static void spend_until(struct timeline *t, double end, const char *name, int line, bool waits) {
  const struct timeline_host_span span = {name, line, waits, t->host, end};
  t->host = end;
  if (t->listener.called && end > span.begin) t->listener.called(t->listener.context, &span);
}

static void settle(struct timeline *t) { engine_run(t, t->host, NULL, NULL); }

static bool is_empty(const struct timeline *t, const void *line) {
  (void)t;
  return !((const struct line *)line)->first;
}

bool timeline_add_stream(struct timeline *t, uint32_t stream, bool non_blocking, int priority) {
  while (t->line_count <= stream) {
    if (!ARRAY_RESERVE(t->lines, t->line_room, t->line_count + 1)) return false;
    t->lines[t->line_count++] = (struct line){0};
  }
  struct line *line = &t->lines[stream];
  /* What is left of the number's last stream keeps its rules: it ends before the new one begins. */
  if (line->first) engine_run(t, INFINITY, is_empty, line);
  line->exists = true;
  line->non_blocking = non_blocking;
  line->priority = priority;
  return true;
}

/* ---- the host waits ---- */

static bool has_ended(const struct timeline *t, const void *id) {
  for (uint32_t i = 0; i < t->line_count; i++)
    if (t->lines[i].first && t->lines[i].first->span.id <= *(const uint64_t *)id) return false;
  return true;
}

/* Until what ended at `end` is known to the host. */
static void return_after(struct timeline *t, double end) {
  double called = t->host + t->figures.synchronize_ns;
  t->asked = 0;
  spend_until(t, end > t->host ? fmax(called, end + t->figures.return_ns) : called, "wait", 0,
              end > t->host);
}

void timeline_finish(struct timeline *t) {
  double end = 0;
  engine_run(t, INFINITY, has_ended, &t->last_id);
  for (uint32_t i = 0; i < t->line_count; i++) end = fmax(end, t->lines[i].last_end);
  return_after(t, end);
}

/* In the legacy default stream, for those that it waits for, too. */
static void wait_for_stream(struct timeline *t, uint32_t stream) {
  if (stream == 0 || !t->lines[stream].non_blocking)
    for (uint32_t i = 0; i < t->line_count; i++)
      if ((stream == 0 && !t->lines[i].non_blocking) || (i == 0 && stream != 0))
        engine_run(t, INFINITY, is_empty, &t->lines[i]);
  engine_run(t, INFINITY, is_empty, &t->lines[stream]);
}

void timeline_finish_stream(struct timeline *t, uint32_t stream) {
  if (stream >= t->line_count) return;
  double end = 0;
  wait_for_stream(t, stream);
  for (uint32_t i = 0; i < t->line_count; i++)
    if (i == stream || (stream == 0 && !t->lines[i].non_blocking))
      end = fmax(end, t->lines[i].last_end);
  return_after(t, end);
}

static struct record *record_of(const struct timeline *t, uint32_t mark) {
  return mark && mark <= t->mark_count ? t->marks[mark - 1] : NULL;
}

static bool has_happened(const struct timeline *t, const void *record) {
  (void)t;
  return ((const struct record *)record)->done;
}

void timeline_finish_mark(struct timeline *t, uint32_t mark) {
  const struct record *record = record_of(t, mark);
  if (record) engine_run(t, INFINITY, has_happened, record);
  return_after(t, record ? record->ns : 0);
}

/* ---- calls ---- */

void timeline_query(struct timeline *t) {
  timeline_spend(t, t->figures.query_ns * (1 + floor(++t->asked / PATIENT)), "query");
}

/* Small allocations share blocks of memory, which the driver gets and gives back whole. Bytes of
 * `change` more are in use: does that change how many blocks there are? */
static bool blocks_change(struct timeline *t, int64_t change) {
  int64_t rounded = (llabs(change) + SMALL_UNIT - 1) / SMALL_UNIT * SMALL_UNIT;
  t->small_bytes += change < 0 ? -rounded : rounded;
  int64_t blocks = (t->small_bytes + SMALL_BLOCK - 1) / SMALL_BLOCK;
  bool changes = change > 0 ? blocks > t->small_blocks : blocks < t->small_blocks;
  if (changes) t->small_blocks = blocks;
  return changes;
}

void timeline_allocate(struct timeline *t, uint64_t bytes) {
  bool whole = bytes > MOST_SMALL || blocks_change(t, (int64_t)bytes);
  timeline_spend(t, whole ? t->figures.allocate_ns : t->figures.small_allocate_ns, "allocate");
}

void timeline_free(struct timeline *t, uint64_t bytes) {
  bool whole = bytes > MOST_SMALL || blocks_change(t, -(int64_t)bytes);
  timeline_finish(t);
  timeline_spend(t, whole ? t->figures.free_ns : t->figures.small_free_ns, "free");
}

void timeline_pin(struct timeline *t, enum timeline_pin what, uint64_t bytes) {
  const struct gpu_timeline *f = &t->figures;
  const struct {
    double ns, per_ns;
    const char *name;
  } costs[] = {[TIMELINE_PIN] = {0, f->pin_per_ns, "allocate pinned memory"},
               [TIMELINE_UNPIN] = {0, f->unpin_per_ns, "free pinned memory"},
               [TIMELINE_REGISTER] = {f->register_ns, f->register_per_ns, "pin memory"},
               [TIMELINE_UNREGISTER] = {f->unregister_ns, f->unregister_per_ns, "unpin memory"}};
  if (what == TIMELINE_UNPIN || what == TIMELINE_UNREGISTER) timeline_finish(t);
  timeline_spend(t, costs[what].ns + (double)bytes / costs[what].per_ns, costs[what].name);
}

void timeline_spend(struct timeline *t, double ns, const char *name) {
  spend_until(t, t->host + ns, name, 0, false);
}

static const char *const call_names[TIMELINE_KINDS] = {
    [TIMELINE_KERNEL] = "launch",
    [TIMELINE_COPY_IN] = "copy to the device",
    [TIMELINE_COPY_OUT] = "copy to the host",
    [TIMELINE_COPY] = "copy on the device",
    [TIMELINE_FILL] = "fill",
    [TIMELINE_FUNCTION] = "host function",
    [TIMELINE_RECORD] = "event record",
    [TIMELINE_WAIT] = "wait for an event, in a stream",
};

static bool has_room(const struct timeline *t, const void *none) {
  (void)none;
  return t->pending < MAX_PENDING;
}

static double issue_ns(const struct timeline *t, const struct timeline_work *work) {
  return work->kind == TIMELINE_KERNEL ? t->figures.kernel_issue_ns
         : work->kind == TIMELINE_COPY_IN || work->kind == TIMELINE_COPY_OUT
             ? t->figures.copy_issue_ns
             : t->figures.issue_ns;
}

/* The host's call has issued a piece of work: it takes effect on the device some time later. */
static struct piece *add(struct timeline *t, const struct timeline_work *work, double call_ns) {
  if (work->stream >= t->line_count) return NULL;
  settle(t);
  if (t->pending >= MAX_PENDING) {
    engine_run(t, INFINITY, has_room, NULL);
    spend_until(t, fmax(t->host, t->now), "wait for room in the queue", work->line, true);
  }
  struct piece *piece = calloc(1, sizeof *piece);
  if (!piece || t->out_of_memory) {
    free(piece);
    return NULL;
  }
  spend_until(t, t->host + call_ns, call_names[work->kind], work->line, false);
  t->asked = 0;
  struct line *line = &t->lines[work->stream];
  piece->span.work = *work;
  piece->span.id = ++t->last_id;
  piece->span.issued = t->host + issue_ns(t, work);
  *(line->last ? &line->last->next : &line->first) = piece;
  line->last = piece;
  t->pending++;
  return piece;
}

static double call_ns(const struct timeline *t, const struct timeline_work *work) {
  const struct gpu_timeline *f = &t->figures;
  switch (work->kind) {
    case TIMELINE_KERNEL:
      return work->of_device ? 0 : f->launch_ns;
    case TIMELINE_COPY_IN:
    case TIMELINE_COPY_OUT:
      return f->copy_call_ns;
    case TIMELINE_COPY:
      return f->copy_on_device_call_ns;
    case TIMELINE_FILL:
      return f->fill_call_ns;
    default:
      return f->function_call_ns;
  }
}

/* A copy to pageable memory ends on the host. One from there the host moves itself, into memory of
 * the driver, which holds so much that it need not wait for the device. */
static bool waits_for_end(const struct timeline *t, const struct timeline_work *work) {
  return work->waits || (work->pageable && (work->kind == TIMELINE_COPY_OUT ||
                                            (double)work->bytes > t->figures.staging_bytes));
}

bool timeline_issue(struct timeline *t, const struct timeline_work *work) {
  struct timeline_work known = *work;
  if (known.follows && !timeline_stream_is_done(t, work->stream))
    timeline_finish_stream(t, work->stream);
  double before = t->host;
  bool staged = work->pageable && work->kind == TIMELINE_COPY_IN &&
                (double)work->bytes <= t->figures.staging_bytes;
  if (known.kind == TIMELINE_KERNEL) {
    if (known.room == 0) known.room = 1;
    if (known.blocks == 0) known.blocks = 1;
  }
  if (staged) {
    known.waits = known.pageable = false;
    known.staged = true;
  }
  struct piece *piece = add(t, &known, call_ns(t, &known));
  if (!piece) return false;
  if (staged) {
    const struct gpu_timeline *f = &t->figures;
    spend_until(t, before + f->pageable_in_ns + (double)work->bytes / f->pageable_near_per_ns,
                "move the bytes of a copy", work->line, false);
    piece->span.issued = t->host + f->copy_issue_ns;
  }
  if (waits_for_end(t, &known)) timeline_finish_stream(t, work->stream);
  return true;
}

/* ---- events ---- */

static uint32_t new_mark(struct timeline *t) {
  for (uint32_t i = 0; i < t->mark_count; i++)
    if (!t->marks[i]) return i + 1;
  if (t->mark_count == MAX_MARKS || !ARRAY_RESERVE(t->marks, t->mark_room, t->mark_count + 1))
    return 0;
  t->marks[t->mark_count] = NULL;
  return ++t->mark_count;
}

bool timeline_record(struct timeline *t, uint32_t *mark, uint32_t stream, bool timed) {
  struct record *record = calloc(1, sizeof *record);
  if (record && !*mark) *mark = new_mark(t);
  struct piece *piece =
      record && *mark ? add(t, &(struct timeline_work){.kind = TIMELINE_RECORD, .stream = stream},
                            timed ? t->figures.record_call_ns : t->figures.wait_call_ns)
                      : NULL;
  if (!piece) {
    free(record);
    return false;
  }
  record_release(t->marks[*mark - 1]);
  record->users = 2;
  t->marks[*mark - 1] = piece->record = record;
  piece->timed = piece->watched = timed;
  return true;
}

void timeline_forget(struct timeline *t, uint32_t mark) {
  if (!record_of(t, mark)) return;
  record_release(t->marks[mark - 1]);
  t->marks[mark - 1] = NULL;
}

bool timeline_wait(struct timeline *t, uint32_t stream, uint32_t mark) {
  struct record *record = record_of(t, mark);
  if (!record) { /* it was never recorded: nothing to wait for */
    spend_until(t, t->host + t->figures.wait_call_ns, call_names[TIMELINE_WAIT], 0, false);
    return true;
  }
  struct piece *piece = add(t, &(struct timeline_work){.kind = TIMELINE_WAIT, .stream = stream},
                            t->figures.wait_call_ns);
  if (!piece) return false;
  record->users++;
  piece->record = record;
  return true;
}

/* ---- questions ---- */

bool timeline_stream_is_done(struct timeline *t, uint32_t stream) {
  settle(t);
  if (stream >= t->line_count || t->lines[stream].first) return false;
  for (uint32_t i = 0; stream == 0 && i < t->line_count; i++)
    if (!t->lines[i].non_blocking && t->lines[i].first) return false;
  return true;
}

bool timeline_mark_is_done(struct timeline *t, uint32_t mark) {
  const struct record *record = record_of(t, mark);
  settle(t);
  return !record || record->done;
}

double timeline_mark_ns(struct timeline *t, uint32_t mark) {
  const struct record *record = record_of(t, mark);
  settle(t);
  return record && record->done ? record->ns : NAN;
}

void timeline_watch_records(struct timeline *t) {
  for (uint32_t i = 0; i < t->line_count; i++)
    for (struct piece *piece = t->lines[i].first; piece; piece = piece->next)
      piece->watched = false;
  t->first_record = INFINITY;
  t->last_record = 0;
}

double timeline_between_records(const struct timeline *t) {
  return t->last_record > t->first_record ? t->last_record - t->first_record : 0;
}

double timeline_host_ns(const struct timeline *t) { return t->host; }
