/* timeline_trace.c: see timeline_trace.h. Events are written as they come. */
#include "harness/sim/remote/timeline_trace.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/trace_events.h"
#include "harness/sim/base/source_places.h"

enum { MAX_TEXT = 3 << 20 }; /* bytes, in memory */

struct timeline_trace {
  FILE *file;
  char *text; /* in memory; NULL: it is a file */
  size_t size;
  bool any, is_full;
  struct trace_events events;
};

static const char *const kind_names[TIMELINE_KINDS] = {
    [TIMELINE_KERNEL] = "kernel",       [TIMELINE_COPY_IN] = "copy in",
    [TIMELINE_COPY_OUT] = "copy out",   [TIMELINE_COPY] = "copy",
    [TIMELINE_FILL] = "fill",           [TIMELINE_FUNCTION] = "host function",
    [TIMELINE_RECORD] = "event record", [TIMELINE_WAIT] = "wait for an event",
};

static void write_event(void *context, json_t *event) {
  struct timeline_trace *trace = context;
  if (!event) return;
  if (trace->text && ftell(trace->file) > MAX_TEXT) trace->is_full = true;
  if (trace->is_full) {
    json_decref(event);
    return;
  }
  fputs(trace->any ? ",\n" : "\n", trace->file);
  json_dumpf(event, trace->file, JSON_COMPACT | JSON_REAL_PRECISION(12));
  trace->any = true;
  json_decref(event);
}

static void begin(struct timeline_trace *trace) {
  fputs("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [", trace->file);
  trace->events = (struct trace_events){.context = trace, .write = write_event};
  trace_events_begin(&trace->events);
}

struct timeline_trace *timeline_trace_open(void) {
  const char *path = getenv("KIT_TIMELINE");
  if (!path || !*path) return NULL;
  struct timeline_trace *trace = calloc(1, sizeof *trace);
  if (trace) trace->file = fopen(path, "we");
  if (!trace || !trace->file) {
    fprintf(stderr, "kit: the timeline cannot be written to %s: %s\n", path, strerror(errno));
    free(trace);
    return NULL;
  }
  begin(trace);
  return trace;
}

struct timeline_trace *timeline_trace_open_memory(void) {
  struct timeline_trace *trace = calloc(1, sizeof *trace);
  if (trace) trace->file = open_memstream(&trace->text, &trace->size);
  if (!trace || !trace->file) {
    free(trace);
    return NULL;
  }
  fflush(trace->file); /* which allocates the text */
  begin(trace);
  return trace;
}

static void set_bytes(json_t *arguments, const char *key, uint64_t bytes) {
  if (bytes) json_object_set_new(arguments, key, json_integer((json_int_t)bytes));
}

static json_t *arguments_of(int line, uint64_t bytes) {
  json_t *arguments = json_object();
  const char *file = place_path(place_file(line));
  if (line) json_object_set_new(arguments, "line", json_integer(place_line(line)));
  if (*file) json_object_set_new(arguments, "file", json_string(file));
  set_bytes(arguments, "bytes", bytes);
  return arguments;
}

void timeline_trace_add(struct timeline_trace *trace, const struct timeline_span *span) {
  const struct timeline_work *work = &span->work;
  /* Nothing of a wait for what had happened already. */
  if (work->kind == TIMELINE_WAIT && span->recorded_in != work->stream &&
      span->recorded > span->issued)
    trace_events_flow(&trace->events, (json_int_t)span->id, span->recorded_in, span->recorded,
                      work->stream, span->end);
  if (work->kind >= TIMELINE_RECORD) return; /* they take no time that anybody sees */
  json_t *arguments = arguments_of(work->line, work->bytes);
  json_object_set_new(arguments, "issued_us", json_real(span->issued / 1e3));
  json_object_set_new(arguments, "ready_us", json_real(span->ready / 1e3));
  const char *kind = kind_names[work->kind];
  if (work->pages) kind = work->kind == TIMELINE_COPY_IN ? "pages in" : "pages out";
  json_object_set_new(arguments, "issue", json_integer((json_int_t)span->id));
  if (work->pageable || work->staged) json_object_set_new(arguments, "pageable", json_true());
  set_bytes(arguments, "stored", work->stored);
  set_bytes(arguments, "fetched", work->fetched);
  set_bytes(arguments, "mapped", work->mapped);
  trace_events_work(&trace->events, work->stream, work->name[0] ? work->name : kind, kind,
                    span->begin, span->end, arguments);
}

void timeline_trace_host(struct timeline_trace *trace, const struct timeline_host_span *span) {
  trace_events_host(&trace->events, span->name, span->waits, span->begin, span->end,
                    arguments_of(span->line, 0));
}

void timeline_trace_end(struct timeline_trace *trace) {
  if (!trace || trace->text) return;
  long at = ftell(trace->file);
  fputs("\n]}\n", trace->file);
  fflush(trace->file);
  fseek(trace->file, at, SEEK_SET);
}

void timeline_trace_close(struct timeline_trace *trace) {
  if (!trace) return;
  timeline_trace_end(trace);
  fclose(trace->file);
  free(trace);
}

char *timeline_trace_take(struct timeline_trace *trace) {
  if (!trace) return NULL;
  fputs("\n]}\n", trace->file);
  bool is_whole = fclose(trace->file) == 0 && !trace->is_full;
  char *text = is_whole ? trace->text : NULL;
  if (!is_whole) free(trace->text);
  free(trace);
  return text;
}
