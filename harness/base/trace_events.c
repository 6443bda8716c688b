/* trace_events.c: see trace_events.h. */
#include "harness/base/trace_events.h"

#include <stdio.h>
#include <string.h>

enum { NO_ENGINE, ENGINE_IN, ENGINE_OUT };

static void write_event(struct trace_events *trace, json_t *event) {
  trace->write(trace->context, event);
}

static void name_track(struct trace_events *trace, const char *what, int process, int track,
                       const char *name) {
  write_event(trace, json_pack("{s:s, s:s, s:i, s:i, s:{s:s}}", "name", what, "ph", "M", "pid",
                               process, "tid", track, "args", "name", name));
}

void trace_events_begin(struct trace_events *trace) {
  name_track(trace, "process_name", TRACE_HOST, 0, "host");
  name_track(trace, "thread_name", TRACE_HOST, 0, "calls");
  name_track(trace, "process_name", TRACE_STREAMS, 0, "streams");
  name_track(trace, "process_name", TRACE_ENGINES, 0, "engines");
  name_track(trace, "thread_name", TRACE_ENGINES, ENGINE_IN, "copies to the device");
  name_track(trace, "thread_name", TRACE_ENGINES, ENGINE_OUT, "copies to the host");
}

static void write_span(struct trace_events *trace, int process, int track, const char *name,
                       const char *category, double begin, double end, json_t *arguments) {
  write_event(trace, json_pack("{s:s, s:s, s:s, s:i, s:i, s:f, s:f, s:o}", "name", name, "cat",
                               category, "ph", "X", "pid", process, "tid", track, "ts", begin / 1e3,
                               "dur", (end - begin) / 1e3, "args", arguments));
}

void trace_events_host(struct trace_events *trace, const char *name, bool waits, double begin,
                       double end, json_t *arguments) {
  write_span(trace, TRACE_HOST, 0, name, waits ? "wait" : "call", begin, end, arguments);
}

static int engine_of(const char *category) {
  if (strcmp(category, "copy in") == 0 || strcmp(category, "pages in") == 0) return ENGINE_IN;
  return strcmp(category, "copy out") == 0 || strcmp(category, "pages out") == 0 ? ENGINE_OUT
                                                                                 : NO_ENGINE;
}

void trace_events_work(struct trace_events *trace, unsigned stream, const char *name,
                       const char *category, double begin, double end, json_t *arguments) {
  char text[40];
  for (; trace->named <= stream; trace->named++) {
    snprintf(text, sizeof text, trace->named ? "stream %u" : "default stream", trace->named);
    name_track(trace, "thread_name", TRACE_STREAMS, (int)trace->named, text);
  }
  int engine = engine_of(category);
  json_object_set_new(arguments, "stream", json_integer(stream));
  if (engine)
    write_span(trace, TRACE_ENGINES, engine, name, category, begin, end, json_deep_copy(arguments));
  write_span(trace, TRACE_STREAMS, (int)stream, name, category, begin, end, arguments);
}

void trace_events_flow(struct trace_events *trace, json_int_t id, unsigned from, double recorded,
                       unsigned to, double seen) {
  for (int end = 0; end < 2; end++)
    write_event(trace, json_pack("{s:s, s:s, s:s, s:I, s:i, s:i, s:f, s:s*}", "name", "event",
                                 "cat", "event", "ph", end ? "f" : "s", "id", id, "pid",
                                 TRACE_STREAMS, "tid", (int)(end ? to : from), "ts",
                                 (end ? seen : recorded) / 1e3, "bp", end ? "e" : NULL));
}
