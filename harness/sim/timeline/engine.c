/* engine.c: the device's side of the timeline: what begins and ends, and when.
 *
 * Only the first piece of work of a stream can run. Of those that are ready, each engine takes the
 * one that has been ready longest. Blocks of kernels go to the SMs in the order in which the
 * kernels began, those of higher priority first: one whose blocks do not all fit is in the way of
 * all behind it. Streams share a few connections to the device, in which kernels begin in the order
 * of issue (CUDA_DEVICE_MAX_CONNECTIONS).
 *
 * Blocks that are dispatched together end together: alone, a kernel whose grid fits the device n
 * times has n such waves. */
#include <math.h>
#include <stdlib.h>

#include "harness/base/array.h"
#include "harness/sim/timeline/timeline_parts.h"

enum { MAX_WAVES = 64 };         /* more blocks are taken together */
static const double soon = 1e-3; /* ns: the same moment */

static bool is_on_sms(enum timeline_kind kind) {
  return kind == TIMELINE_KERNEL || kind == TIMELINE_FILL || kind == TIMELINE_COPY;
}

static bool is_over_link(enum timeline_kind kind) {
  return kind == TIMELINE_COPY_IN || kind == TIMELINE_COPY_OUT;
}

/* Small copies to the device travel with the commands. */
static bool is_inline(const struct timeline *t, const struct timeline_work *work) {
  return work->kind == TIMELINE_COPY_IN && (double)work->bytes <= t->figures.inline_bytes;
}

static bool takes_engine(const struct timeline *t, const struct timeline_work *work) {
  return is_over_link(work->kind) && !is_inline(t, work);
}

/* ---- readiness ---- */

/* ns from the end of one to the start of the other, where that waits for it. */
static double gap_between(const struct timeline *t, enum timeline_kind before,
                          const struct timeline_work *work) {
  if (work->kind >= TIMELINE_FUNCTION || before >= TIMELINE_FUNCTION) return 0;
  if (before == TIMELINE_KERNEL && work->kind == TIMELINE_KERNEL) return t->launch_gap;
  bool over = takes_engine(t, work);
  if (is_on_sms(before)) return over ? t->figures.engine_switch_ns : 0;
  if (!over) return is_inline(t, work) ? 0 : t->figures.engine_switch_ns;
  return before == work->kind ? 0 : t->figures.copy_switch_ns;
}

static double after_line(const struct timeline *t, const struct line *line,
                         const struct timeline_work *work) {
  return line->last_end + (line->last_end > 0 ? gap_between(t, line->last_kind, work) : 0);
}

/* Is nothing left in the line that was issued before? */
static bool has_passed(const struct line *line, uint64_t id) {
  return !line->first || line->first->span.id > id;
}

/* When the first piece of a line may begin, as far as other work is concerned; INFINITY: not known
 * yet. */
static double ready_time(const struct timeline *t, const struct line *line) {
  const struct piece *piece = line->first;
  const struct timeline_work *work = &piece->span.work;
  double ready = fmax(piece->span.issued, after_line(t, line, work));
  if (work->kind == TIMELINE_WAIT)
    return piece->record->done ? fmax(ready, piece->record->ns) : INFINITY;
  if (line->non_blocking) return ready;
  if (line != t->lines)
    return has_passed(t->lines, piece->span.id) ? fmax(ready, after_line(t, t->lines, work))
                                                : INFINITY;
  for (uint32_t i = 1; i < t->line_count; i++) {
    const struct line *other = &t->lines[i];
    if (!other->exists || other->non_blocking) continue;
    if (!has_passed(other, piece->span.id)) return INFINITY;
    ready = fmax(ready, after_line(t, other, work));
  }
  return ready;
}

/* Does the same kind of work of another stream come first in the connection that they share? There
 * are so many connections. */
static bool is_behind(const struct timeline *t, uint32_t stream, uint32_t connections) {
  const struct timeline_span *own = &t->lines[stream].first->span;
  for (uint32_t i = stream % connections; i < t->line_count; i += connections) {
    const struct piece *piece = i == stream ? NULL : t->lines[i].first;
    while (piece && (piece->begun || piece->span.work.kind != own->work.kind ||
                     (is_over_link(own->work.kind) && !takes_engine(t, &piece->span.work))))
      piece = piece->next;
    if (piece && piece->span.id < own->id) return true;
  }
  return false;
}

/* ---- beginning ---- */

static void add_runner(struct timeline *t, struct piece *piece, double ns, uint64_t blocks) {
  if (!ARRAY_RESERVE(t->runners, t->runner_room, t->runner_count + 1)) {
    t->out_of_memory = true;
    return;
  }
  t->runners[t->runner_count++] = (struct runner){piece, ns, blocks};
}

/* What a piece of work other than a kernel takes at full speed. */
static double duration(const struct timeline *t, const struct piece *piece) {
  const struct gpu_timeline *f = &t->figures;
  const struct timeline_work *work = &piece->span.work;
  double bytes = (double)work->bytes;
  if (work->pages) {
    double rate = work->kind == TIMELINE_COPY_IN ? f->fetch_in_per_ns : f->fetch_out_per_ns;
    return bytes > 0 ? f->fetch_ns + bytes / rate : 0;
  }
  switch (work->kind) {
    case TIMELINE_COPY_IN:
      if (work->pageable)
        return f->pageable_in_ns + fmin(bytes, f->pageable_near_bytes) / f->pageable_near_per_ns +
               fmax(0, bytes - f->pageable_near_bytes) / f->pageable_far_per_ns;
      return f->copy_in_ns + bytes / f->link_bytes_per_ns;
    case TIMELINE_COPY_OUT:
      if (work->pageable)
        return f->pageable_out_ns + bytes / f->pageable_out_per_ns +
               fmin(bytes / f->pageable_near_per_ns, f->pageable_out_start_ns);
      return f->copy_out_ns + bytes / f->link_bytes_per_ns;
    case TIMELINE_COPY:
      return f->copy_on_device_ns + bytes / f->copy_on_device_per_ns;
    case TIMELINE_FILL:
      return f->fill_ns + bytes / f->fill_per_ns;
    case TIMELINE_FUNCTION:
      return f->function_ns;
    case TIMELINE_RECORD:
      return piece->timed ? f->record_ns : 0;
    default:
      return 0;
  }
}

/* The kernel begins: its blocks wait for room. */
static void begin_kernel(struct timeline *t, struct piece *piece) {
  struct timeline_work *work = &piece->span.work;
  double waves = ceil((double)work->blocks / (double)work->room);
  if (waves > MAX_WAVES) {
    work->blocks = (uint64_t)ceil((double)work->blocks * MAX_WAVES / waves);
    waves = ceil((double)work->blocks / (double)work->room);
  }
  piece->undispatched = work->blocks;
  piece->block_ns = fmax(work->ns - t->launch_gap, 0) / waves;
  t->kernels++;
  t->front_free = t->now + t->figures.stagger_ns;
}

static void begin(struct timeline *t, struct piece *piece) {
  piece->begun = true;
  piece->begun_at = piece->span.begin = t->now;
  if (piece->span.work.kind == TIMELINE_KERNEL)
    begin_kernel(t, piece);
  else
    add_runner(t, piece, duration(t, piece), 0);
}

/* Of the kernels that have begun and have blocks left, the one that is dispatched from. */
static struct piece *dispatches(const struct timeline *t, int *priority) {
  struct piece *first = NULL;
  for (uint32_t i = 0; i < t->line_count; i++) {
    struct piece *piece = t->lines[i].first;
    if (!piece || !piece->begun || !piece->undispatched) continue;
    int own = t->lines[i].priority;
    if (first && (own > *priority || (own == *priority && piece->begun_at >= first->begun_at)))
      continue;
    first = piece;
    *priority = own;
  }
  return first;
}

static void dispatch(struct timeline *t) {
  int priority = 0;
  for (struct piece *piece; (piece = dispatches(t, &priority)) != NULL;) {
    double room = (double)piece->span.work.room;
    uint64_t fit = (uint64_t)fmax(0, floor((1 - t->occupied) * room + 1e-6));
    uint64_t blocks = fit < piece->undispatched ? fit : piece->undispatched;
    if (blocks) {
      if (piece->undispatched == piece->span.work.blocks) piece->span.begin = t->now;
      piece->undispatched -= blocks;
      piece->in_flight += blocks;
      t->occupied += (double)blocks / room;
      add_runner(t, piece, piece->block_ns, blocks);
    }
    if (piece->undispatched || t->out_of_memory) return;
  }
}

/* When the engine can begin with a stream's copy: it takes time to turn to another stream. */
static double engine_free(const struct timeline *t, const struct timeline_work *work) {
  int engine = work->kind == TIMELINE_COPY_OUT;
  double end = t->engines[engine].end;
  return end > 0 && t->engines[engine].stream != work->stream ? end + t->figures.copy_switch_ns
                                                              : end;
}

static bool engine_is_busy(const struct timeline *t, enum timeline_kind kind) {
  for (int i = 0; i < t->runner_count; i++) {
    const struct timeline_work *work = &t->runners[i].piece->span.work;
    if (work->kind == kind && takes_engine(t, work)) return true;
  }
  return false;
}

/* Could it begin now, but for those that have been ready longer? */
static bool may_begin(const struct timeline *t, uint32_t stream) {
  const struct timeline_work *work = &t->lines[stream].first->span.work;
  int priority = 0;
  if (takes_engine(t, work))
    return !engine_is_busy(t, work->kind) && engine_free(t, work) <= t->now + soon &&
           !is_behind(t, stream, (uint32_t)t->figures.copy_groups);
  if (work->kind != TIMELINE_KERNEL) return true;
  if (t->front_free > t->now + soon || t->kernels >= (int)t->figures.kernels ||
      is_behind(t, stream, (uint32_t)t->figures.connections))
    return false;
  const struct piece *other = dispatches(t, &priority);
  return !other || priority > t->lines[stream].priority;
}

/* A copy engine turns to the next copy when the one under way has a third of its time to go, and to
 * another group if its own has none left then: what comes to that later has missed its turn. (In
 * tests/timeline/recorded: of 1 MiB, copies that come 14 us after the begin of one of 22 us go on
 * in its group, those that come after 18 us do not; of 4 MiB, 47 and 63 of 85 us.) */
static const double looks_ahead = 2 / 3.0;

static bool is_late(const struct timeline *t, const struct timeline_span *span) {
  return span->ready > t->engines[span->work.kind == TIMELINE_COPY_OUT].looked;
}

/* How many groups of streams a copy engine passes over to come to this copy's: it serves one group
 * as long as that has copies, then the next; one that was idle takes the first that comes. So an
 * H100 does, with streams in the order in which they were made ("16 MiB in each of 8 streams" in
 * gpus/h100.tsv). */
static uint32_t groups_away(const struct timeline *t, const struct timeline_work *work) {
  uint32_t groups = (uint32_t)t->figures.copy_groups, engine = work->kind == TIMELINE_COPY_OUT;
  bool idle = t->now > t->engines[engine].end + 2 * t->figures.copy_switch_ns;
  if (!takes_engine(t, work) || idle) return 0;
  return (work->stream + groups - t->engines[engine].stream % groups) % groups;
}

/* Does a stream's work begin before another's, if both can begin now? */
static bool goes_first(const struct timeline *t, uint32_t stream, uint32_t other) {
  const struct line *a = &t->lines[stream], *b = &t->lines[other];
  const struct timeline_span *x = &a->first->span, *y = &b->first->span;
  if (x->work.kind == y->work.kind) {
    if (x->work.kind == TIMELINE_KERNEL && a->priority != b->priority)
      return a->priority < b->priority;
    bool copies = takes_engine(t, &x->work) && takes_engine(t, &y->work);
    if (copies && is_late(t, x) != is_late(t, y)) return is_late(t, y);
    uint32_t away = groups_away(t, &x->work), others = groups_away(t, &y->work);
    if (away != others && !(copies && is_late(t, x))) return away < others;
  }
  return x->ready != y->ready ? x->ready < y->ready : x->id < y->id;
}

/* The stream of the piece that begins next at this moment; -1: none does. */
static int64_t choose(struct timeline *t) {
  int64_t chosen = -1;
  for (uint32_t i = 0; i < t->line_count; i++) {
    struct piece *piece = t->lines[i].first;
    if (!piece || piece->begun) continue;
    if (!piece->is_ready) {
      piece->span.ready = ready_time(t, &t->lines[i]);
      piece->is_ready = piece->span.ready < INFINITY;
    }
    if (piece->span.ready > t->now + soon || !may_begin(t, i)) continue;
    if (chosen < 0 || goes_first(t, i, (uint32_t)chosen)) chosen = i;
  }
  return chosen;
}

/* ---- ending ---- */

static void end(struct timeline *t, struct piece *piece) {
  struct line *line = &t->lines[piece->span.work.stream];
  enum timeline_kind kind = piece->span.work.kind;
  piece->span.end = t->now;
  if (takes_engine(t, &piece->span.work)) {
    int engine = kind == TIMELINE_COPY_OUT;
    t->engines[engine].stream = piece->span.work.stream;
    t->engines[engine].end = t->now;
    t->engines[engine].looked = piece->begun_at + looks_ahead * (t->now - piece->begun_at);
  }
  if (kind == TIMELINE_KERNEL) t->kernels--;
  if (kind == TIMELINE_RECORD) {
    piece->record->done = true;
    piece->record->ns = t->now;
    piece->record->stream = piece->span.work.stream;
    piece->record->kind = line->last_kind;
    if (piece->watched) {
      t->first_record = fmin(t->first_record, t->now);
      t->last_record = fmax(t->last_record, t->now);
    }
  } else if (kind == TIMELINE_WAIT) {
    double seen = piece->record->ns + t->figures.event_hop_ns;
    piece->span.recorded_in = piece->record->stream;
    piece->span.recorded = piece->record->ns;
    if (seen > line->last_end) {
      line->last_end = seen;
      line->last_kind = piece->record->kind;
    }
  } else {
    line->last_kind = is_inline(t, &piece->span.work) ? TIMELINE_FILL : kind;
  }
  if (kind != TIMELINE_WAIT && t->now > line->last_end) line->last_end = t->now;
  line->first = piece->next;
  if (!line->first) line->last = NULL;
  t->pending--;
  if (t->listener.ended) t->listener.ended(t->listener.context, &piece->span);
  record_release(piece->record);
  free(piece);
}

/* How fast each kind goes on now: copies both ways share the link, kernels what limits them. A
 * kernel that uses mapped memory leaves copies little of the link. */
struct speeds {
  double copies, on_sms;
  double beside_copy; /* of a kernel's speed, in proportion to its use of the link */
};

/* How much of its time a kernel uses the link to mapped memory, 0 to 1. */
static double use_of_link(const struct timeline *t, const struct timeline_work *work) {
  if (work->kind != TIMELINE_KERNEL || !work->mapped || work->ns <= 0) return 0;
  return fmin(1, (double)work->mapped / t->figures.mapped_per_ns / work->ns);
}

static struct speeds speeds_now(const struct timeline *t) {
  const struct gpu_timeline *f = &t->figures;
  double demand = 0, mapped = 0;
  bool in = engine_is_busy(t, TIMELINE_COPY_IN), out = engine_is_busy(t, TIMELINE_COPY_OUT);
  for (int i = 0; i < t->runner_count; i++) {
    const struct timeline_work *work = &t->runners[i].piece->span.work;
    if (is_on_sms(work->kind) && work->kind != TIMELINE_KERNEL) demand += 1; /* of DRAM */
    if (work->kind != TIMELINE_KERNEL) continue;
    mapped = fmax(mapped, use_of_link(t, work));
    uint64_t most = work->blocks < work->room ? work->blocks : work->room;
    demand += work->demand * (double)t->runners[i].blocks / (double)most;
  }
  double copies = in && out ? f->link_both_per_ns / (2 * f->link_bytes_per_ns) : 1;
  return (struct speeds){.copies = copies * (1 - mapped * (1 - f->copy_beside_mapped)),
                         .on_sms = 1 / fmax(demand, 1),
                         .beside_copy = in || out ? f->mapped_beside_copy : 1};
}

static double speed_of(const struct timeline *t, const struct speeds *speeds,
                       const struct piece *piece) {
  const struct timeline_work *work = &piece->span.work;
  if (is_over_link(work->kind)) return speeds->copies;
  if (!is_on_sms(work->kind)) return 1;
  return speeds->on_sms * (1 - use_of_link(t, work) * (1 - speeds->beside_copy));
}

/* When something begins or ends next; INFINITY: never, as it is. */
static double next_moment(const struct timeline *t, const struct speeds *speeds) {
  double next = INFINITY;
  for (int i = 0; i < t->runner_count; i++)
    next = fmin(next, t->now + t->runners[i].left / speed_of(t, speeds, t->runners[i].piece));
  for (uint32_t i = 0; i < t->line_count; i++) {
    const struct piece *piece = t->lines[i].first;
    if (!piece || piece->begun || !piece->is_ready) continue;
    double ready = piece->span.ready;
    if (piece->span.work.kind == TIMELINE_KERNEL) ready = fmax(ready, t->front_free);
    if (takes_engine(t, &piece->span.work)) ready = fmax(ready, engine_free(t, &piece->span.work));
    if (ready > t->now + soon) next = fmin(next, ready);
  }
  return next;
}

static void go_to(struct timeline *t, double moment, const struct speeds *speeds) {
  double passed = moment - t->now;
  int kept = 0;
  for (int i = 0; i < t->runner_count; i++)
    t->runners[i].left -= passed * speed_of(t, speeds, t->runners[i].piece);
  t->now = moment;
  for (int i = 0; i < t->runner_count; i++) {
    struct runner runner = t->runners[i];
    struct piece *piece = runner.piece;
    if (runner.left > soon) {
      t->runners[kept++] = runner;
      continue;
    }
    if (piece->span.work.kind == TIMELINE_KERNEL) {
      piece->in_flight -= runner.blocks;
      t->occupied -= (double)runner.blocks / (double)piece->span.work.room;
      if (piece->in_flight || piece->undispatched) continue;
    }
    end(t, piece);
  }
  t->runner_count = kept;
  if (!t->runner_count) t->occupied = 0;
}

void engine_run(struct timeline *t, double horizon, timeline_until *until, const void *what) {
  while (!t->out_of_memory && (!until || !until(t, what))) {
    dispatch(t);
    for (int64_t stream; (stream = choose(t)) >= 0; dispatch(t)) begin(t, t->lines[stream].first);
    struct speeds speeds = speeds_now(t);
    double next = next_moment(t, &speeds);
    if (next > horizon || next == INFINITY) return;
    go_to(t, next, &speeds);
  }
}
