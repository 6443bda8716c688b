/* timeline_trace.c: see timeline_trace.h. Events are written as they come. */
#include "harness/sim/remote/timeline_trace.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/base/source_places.h"

enum { HOST = 1, STREAMS, ENGINES };
enum { MAX_TEXT = 3 << 20 }; /* bytes, in memory */

struct timeline_trace {
  FILE *file;
  char *text; /* in memory; NULL: it is a file */
  size_t size;
  bool any, is_full;
  uint32_t named; /* streams from 0 on that have a name */
};

static const char *const kind_names[TIMELINE_KINDS] = {
    [TIMELINE_KERNEL] = "kernel",       [TIMELINE_COPY_IN] = "copy in",
    [TIMELINE_COPY_OUT] = "copy out",   [TIMELINE_COPY] = "copy",
    [TIMELINE_FILL] = "fill",           [TIMELINE_FUNCTION] = "host function",
    [TIMELINE_RECORD] = "event record", [TIMELINE_WAIT] = "wait for an event",
};

/* Takes the event. */
static void write_event(struct timeline_trace *trace, json_t *event) {
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

static void name_track(struct timeline_trace *trace, const char *what, int process, int track,
                       const char *name) {
  write_event(trace, json_pack("{s:s, s:s, s:i, s:i, s:{s:s}}", "name", what, "ph", "M", "pid",
                               process, "tid", track, "args", "name", name));
}

static void begin(struct timeline_trace *trace) {
  fputs("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [", trace->file);
  name_track(trace, "process_name", HOST, 0, "host");
  name_track(trace, "thread_name", HOST, 0, "calls");
  name_track(trace, "process_name", STREAMS, 0, "streams");
  name_track(trace, "process_name", ENGINES, 0, "engines");
  name_track(trace, "thread_name", ENGINES, TIMELINE_COPY_IN, "copies to the device");
  name_track(trace, "thread_name", ENGINES, TIMELINE_COPY_OUT, "copies to the host");
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

/* Takes the arguments. */
static void write_span(struct timeline_trace *trace, int process, int track, const char *name,
                       const char *category, double begin, double end, json_t *arguments) {
  write_event(trace, json_pack("{s:s, s:s, s:s, s:i, s:i, s:f, s:f, s:o}", "name", name, "cat",
                               category, "ph", "X", "pid", process, "tid", track, "ts", begin / 1e3,
                               "dur", (end - begin) / 1e3, "args", arguments));
}

/* From the event to the stream that has waited for it: an arrow between the two tracks. Nothing if
 * it had not to wait. */
static void write_wait(struct timeline_trace *trace, const struct timeline_span *span) {
  if (span->recorded_in == span->work.stream || !(span->recorded > span->issued)) return;
  for (int end = 0; end < 2; end++)
    write_event(
        trace, json_pack("{s:s, s:s, s:s, s:I, s:i, s:i, s:f, s:s*}", "name", "event", "cat",
                         "event", "ph", end ? "f" : "s", "id", (json_int_t)span->id, "pid", STREAMS,
                         "tid", (int)(end ? span->work.stream : span->recorded_in), "ts",
                         (end ? span->end : span->recorded) / 1e3, "bp", end ? "e" : NULL));
}

void timeline_trace_add(struct timeline_trace *trace, const struct timeline_span *span) {
  const struct timeline_work *work = &span->work;
  char name[40];
  if (work->kind == TIMELINE_WAIT) write_wait(trace, span);
  if (work->kind >= TIMELINE_RECORD) return; /* they take no time that anybody sees */
  for (; trace->named <= work->stream; trace->named++) {
    snprintf(name, sizeof name, trace->named ? "stream %u" : "default stream", trace->named);
    name_track(trace, "thread_name", STREAMS, (int)trace->named, name);
  }
  json_t *arguments = arguments_of(work->line, work->bytes);
  json_object_set_new(arguments, "stream", json_integer(work->stream));
  json_object_set_new(arguments, "issued_us", json_real(span->issued / 1e3));
  json_object_set_new(arguments, "ready_us", json_real(span->ready / 1e3));
  const char *kind = kind_names[work->kind];
  if (work->pages) kind = work->kind == TIMELINE_COPY_IN ? "pages in" : "pages out";
  const char *called = work->name[0] ? work->name : kind;
  json_object_set_new(arguments, "issue", json_integer((json_int_t)span->id));
  bool copies = work->kind == TIMELINE_COPY_IN || work->kind == TIMELINE_COPY_OUT;
  if (work->pageable || work->staged) json_object_set_new(arguments, "pageable", json_true());
  set_bytes(arguments, "stored", work->stored);
  set_bytes(arguments, "fetched", work->fetched);
  set_bytes(arguments, "mapped", work->mapped);
  if (copies)
    write_span(trace, ENGINES, work->kind, called, kind, span->begin, span->end,
               json_deep_copy(arguments));
  write_span(trace, STREAMS, (int)work->stream, called, kind, span->begin, span->end, arguments);
}

void timeline_trace_host(struct timeline_trace *trace, const struct timeline_host_span *span) {
  write_span(trace, HOST, 0, span->name, span->waits ? "wait" : "call", span->begin, span->end,
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
