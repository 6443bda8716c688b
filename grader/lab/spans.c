/* spans.c: see spans.h. */
#include "grader/lab/spans.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

/* As the trace calls them. */
static const char *const names[SPAN_CATEGORIES][3] = {
    [SPAN_KERNEL] = {"kernel"},
    [SPAN_COPY_IN] = {"copy in", "pages in"},
    [SPAN_COPY_OUT] = {"copy out", "pages out"},
    [SPAN_ON_DEVICE] = {"copy", "fill"},
    [SPAN_FUNCTION] = {"host function"},
    [SPAN_CALL] = {"call"},
    [SPAN_WAIT] = {"wait"},
};

static enum span_category category_of(const char *name) {
  for (int c = 0; c < SPAN_CATEGORIES; c++)
    for (int i = 0; i < 3 && names[c][i]; i++)
      if (strcmp(name, names[c][i]) == 0) return (enum span_category)c;
  return SPAN_CATEGORIES;
}

static double number(const json_t *object, const char *key) {
  return json_number_value(json_object_get(object, key));
}

static void find_ends(struct spans *spans) {
  spans->begin = INFINITY;
  spans->end = -INFINITY;
  for (size_t i = 0; i < spans->count; i++) {
    if (spans->items[i].process != SPAN_OF_STREAM) continue;
    spans->begin = fmin(spans->begin, spans->items[i].begin);
    spans->end = fmax(spans->end, spans->items[i].end);
  }
}

/* False: it is none that is looked at. */
static bool read_span(const json_t *event, struct work_span *span) {
  const char *name = json_string_value(json_object_get(event, "cat"));
  enum span_category category = name ? category_of(name) : SPAN_CATEGORIES;
  double process = number(event, "pid"), begin = number(event, "ts"),
         end = begin + number(event, "dur");
  if (category == SPAN_CATEGORIES || process < SPAN_OF_HOST || process > SPAN_OF_STREAM ||
      !(end >= begin))
    return false;
  const json_t *more = json_object_get(event, "args");
  const char *called = json_string_value(json_object_get(event, "name"));
  *span = (struct work_span){
      .process = (enum span_process)process,
      .track = (int)number(event, "tid"),
      .category = category,
      .begin = begin,
      .end = end,
      .issued = number(more, "issued_us"),
      .ready = number(more, "ready_us"),
      .issue = number(more, "issue"),
      .line = (int)number(more, "line"),
      .bytes = number(more, category == SPAN_KERNEL ? "stored" : "bytes"),
      .fetched = number(more, "fetched"),
      .mapped = number(more, "mapped"),
      .pageable = json_is_true(json_object_get(more, "pageable")),
      .pages = strncmp(name, "pages", 5) == 0,
      .name = called ? called : "",
  };
  return true;
}

/* A flow from stream to stream is two events, one behind the other: "s", then "f". */
static void read_wait(const json_t *event, struct spans *spans) {
  const char *phase = json_string_value(json_object_get(event, "ph"));
  if (!phase || (strcmp(phase, "s") != 0 && strcmp(phase, "f") != 0)) return;
  struct span_wait *wait = &spans->waits[spans->wait_count];
  if (*phase == 's') {
    wait->from = (int)number(event, "tid");
    wait->recorded = number(event, "ts");
    return;
  }
  wait->to = (int)number(event, "tid");
  wait->seen = number(event, "ts");
  spans->wait_count++;
}

void spans_read(const json_t *trace, struct spans *spans) {
  const json_t *events = json_object_get(trace, "traceEvents"), *event;
  size_t i, room = json_array_size(events) + 1;
  *spans = (struct spans){.items = xcalloc(room, sizeof *spans->items),
                          .waits = xcalloc(room, sizeof *spans->waits)};
  json_array_foreach (events, i, event) {
    if (read_span(event, &spans->items[spans->count])) spans->count++;
    read_wait(event, spans);
  }
  find_ends(spans);
}

void trace_join(json_t *all, const json_t *trace, const char *name, int number) {
  enum { PROCESSES = 3 };
  size_t i;
  const json_t *event;
  json_array_foreach (json_object_get(trace, "traceEvents"), i, event) {
    json_t *copy = json_deep_copy(event), *more = json_object_get(copy, "args");
    const char *what = json_string_value(json_object_get(copy, "name"));
    json_object_set_new(
        copy, "pid",
        json_integer(json_integer_value(json_object_get(copy, "pid")) + PROCESSES * number));
    if (what && strcmp(what, "process_name") == 0) {
      autofree char *named =
          xprintf("%s: %s", name, json_string_value(json_object_get(more, "name")));
      json_object_set_new(more, "name", json_string(named));
    }
    json_array_append_new(json_object_get(all, "traceEvents"), copy);
  }
}

void spans_free(struct spans *spans) {
  free_all(spans->items, spans->waits);
  *spans = (struct spans){0};
}

enum { PAGEABLE = 1, PAGES = 2 };

json_t *spans_to_json(const struct spans *spans) {
  json_t *json = json_array();
  for (size_t i = 0; i < spans->count; i++) {
    const struct work_span *s = &spans->items[i];
    json_array_append_new(
        json, json_pack("[i, i, i, f, f, f, f, f, i, f, f, f, i]", (int)s->process, s->track,
                        (int)s->category, s->begin, s->end, s->issued, s->ready, s->issue, s->line,
                        s->bytes, s->fetched, s->mapped,
                        (s->pageable ? PAGEABLE : 0) | (s->pages ? PAGES : 0)));
  }
  return json;
}

void spans_from_json(const json_t *json, struct spans *spans) {
  size_t i;
  const json_t *row;
  *spans = (struct spans){.items = xcalloc(json_array_size(json) + 1, sizeof *spans->items)};
  json_array_foreach (json, i, row) {
    double n[13];
    if (json_array_size(row) != sizeof n / sizeof *n) continue;
    for (size_t k = 0; k < sizeof n / sizeof *n; k++)
      n[k] = json_number_value(json_array_get(row, k));
    if (n[0] < SPAN_OF_HOST || n[0] > SPAN_OF_STREAM || n[2] < 0 || n[2] >= SPAN_CATEGORIES ||
        !(n[4] >= n[3]))
      continue;
    spans->items[spans->count++] = (struct work_span){.process = (enum span_process)n[0],
                                                      .track = (int)n[1],
                                                      .category = (enum span_category)n[2],
                                                      .begin = n[3],
                                                      .end = n[4],
                                                      .issued = n[5],
                                                      .ready = n[6],
                                                      .issue = n[7],
                                                      .line = (int)n[8],
                                                      .bytes = n[9],
                                                      .fetched = n[10],
                                                      .mapped = n[11],
                                                      .pageable = (int)n[12] & PAGEABLE,
                                                      .pages = (int)n[12] & PAGES,
                                                      .name = ""};
  }
  find_ends(spans);
}

static int by_issue(const void *a, const void *b) {
  const struct work_span *x = a, *y = b;
  if (x->issue < y->issue || x->issue > y->issue) return x->issue < y->issue ? -1 : 1;
  return x->begin < y->begin ? -1 : x->begin > y->begin;
}

void spans_leave_out_harness(struct spans *spans, int inputs, int outputs) {
  array_sort(spans->items, spans->count, by_issue);
  size_t first = 0, end = spans->count;
  while (first < end && spans->items[first].process == SPAN_OF_HOST) first++;
  size_t calls = first;
  for (; inputs > 0 && first < end && spans->items[first].category == SPAN_COPY_OUT; inputs--)
    first++;
  for (; outputs > 0 && end > first && spans->items[end - 1].category == SPAN_COPY_IN; outputs--)
    end--;
  memmove(spans->items + calls, spans->items + first, (end - first) * sizeof *spans->items);
  spans->count = calls + end - first;
  find_ends(spans);
  /* Of the host what lies beside the work that is left. */
  size_t kept = 0;
  for (size_t i = 0; i < spans->count; i++) {
    const struct work_span *s = &spans->items[i];
    if (s->process == SPAN_OF_STREAM || (s->end > spans->begin && s->begin < spans->end))
      spans->items[kept++] = *s;
  }
  spans->count = kept;
}

/* ---- overlap ---- */

struct boundary {
  double when;
  const struct work_span *span;
  bool begins;
};

static int by_time(const void *a, const void *b) {
  const struct boundary *x = a, *y = b;
  if (x->when < y->when || x->when > y->when) return x->when < y->when ? -1 : 1;
  return (int)x->begins - (int)y->begins;
}

enum { KERNELS_AT_ONCE = 256 }; /* more are not told apart */

/* What has been under way up to a moment. */
struct sweep {
  const struct work_span *kernels[KERNELS_AT_ONCE];
  int kernel_count;
  int now[SPAN_CATEGORIES];             /* how many of a category are, */
  double bytes_per_us[SPAN_CATEGORIES]; /* and the bytes that they move */
  struct overlap *overlap;
};

static double bytes_per_us(const struct work_span *span) {
  return span->bytes / (span->end - span->begin);
}

/* What kernels that are under way store, as far as another one stores as much meanwhile: one that
 * does next to nothing is no company. */
static double stored_together(const struct sweep *sweep) {
  double all = 0, most = 0;
  for (int i = 0; i < sweep->kernel_count; i++) {
    all += bytes_per_us(sweep->kernels[i]);
    most = fmax(most, bytes_per_us(sweep->kernels[i]));
  }
  return fmin(all, 2 * (all - most));
}

static void turn_kernel(struct sweep *sweep, const struct work_span *span, bool begins) {
  if (begins && sweep->kernel_count < KERNELS_AT_ONCE) sweep->kernels[sweep->kernel_count++] = span;
  for (int i = 0; !begins && i < sweep->kernel_count; i++)
    if (sweep->kernels[i] == span) sweep->kernels[i--] = sweep->kernels[--sweep->kernel_count];
}

static void pass(struct sweep *sweep, double us) {
  const int *now = sweep->now;
  struct overlap *o = sweep->overlap;
  int categories = 0, copying = (now[SPAN_COPY_IN] > 0) + (now[SPAN_COPY_OUT] > 0);
  for (int c = 0; c < SPAN_CATEGORIES; c++) {
    if (!now[c]) continue;
    o->busy[c] += us;
    categories++;
  }
  if (categories) o->any += us;
  o->copies += copying * us;
  if (categories > 1) o->hidden += copying * us;
  double stored = sweep->bytes_per_us[SPAN_KERNEL] * us;
  if (now[SPAN_COPY_IN]) o->both_ways += sweep->bytes_per_us[SPAN_COPY_OUT] * us;
  if (copying) o->beside_copies += stored;
  if (copying == 2) o->beside_both += stored;
  if (us > 0) o->most_kernels = fmax(o->most_kernels, now[SPAN_KERNEL]);
  if (now[SPAN_KERNEL] > 1) o->beside_kernels += stored_together(sweep) * us;
}

static void add_bytes(struct overlap *o, const struct work_span *span) {
  bool out = span->category == SPAN_COPY_OUT;
  if (span->ready > 0) o->waited += fmax(0, span->begin - span->ready);
  o->fetched += span->fetched;
  o->mapped += span->mapped;
  if (span->category == SPAN_KERNEL) o->stored += span->bytes;
  if (span->category != SPAN_COPY_IN && !out) return;
  o->copied += span->bytes;
  if (out) o->copied_out += span->bytes;
  if (span->pageable) o->pageable += span->bytes;
}

struct overlap overlap_of(const struct spans *spans) {
  struct overlap overlap = {.total = fmax(0, spans->end - spans->begin)};
  autofree struct boundary *all = xcalloc(2 * spans->count + 1, sizeof *all);
  struct sweep sweep = {.overlap = &overlap};
  size_t count = 0;
  for (size_t i = 0; i < spans->count; i++) {
    const struct work_span *s = &spans->items[i];
    if (s->process != SPAN_OF_STREAM) continue;
    add_bytes(&overlap, s);
    if (!(s->end > s->begin)) continue;
    all[count++] = (struct boundary){s->begin, s, true};
    all[count++] = (struct boundary){s->end, s, false};
  }
  array_sort(all, count, by_time);
  for (size_t i = 0; i < count; i++) {
    const struct work_span *s = all[i].span;
    if (i) pass(&sweep, all[i].when - all[i - 1].when);
    double rate = bytes_per_us(s);
    if (s->category == SPAN_KERNEL) turn_kernel(&sweep, s, all[i].begins);
    sweep.now[s->category] += all[i].begins ? 1 : -1;
    sweep.bytes_per_us[s->category] += all[i].begins ? rate : -rate;
    if (!sweep.now[s->category]) sweep.bytes_per_us[s->category] = 0; /* exactly */
  }
  return overlap;
}
