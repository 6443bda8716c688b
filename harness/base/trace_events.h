/* trace_events.h: a timeline as events of the trace-event format, which Perfetto
 * (https://ui.perfetto.dev) and chrome://tracing open ("Trace Event Format": complete events,
 * metadata, flows). The simulator writes modelled ones (sim/remote/timeline_trace.h),
 * harness/gpu/activity.c what CUPTI measures.
 *
 *   process 1, "host"      what the program's calls take, and what they wait for
 *   process 2, "streams"   a track for each stream
 *   process 3, "engines"   copies to the device; copies to the host
 *
 * "ts" and "dur" are microseconds. "cat" is what it is ("kernel", "copy in", "copy out", "copy",
 * "fill", "pages in" and "pages out" of managed memory, "host function"; of the host "call" or
 * "wait"). "args" has what is known: "line", "file", "bytes"; of work "stream", "issue" (its number
 * in the order of issue), "issued_us", and "ready_us", when only a resource was missing any more;
 * of a copy "pageable", of a kernel "stored", "fetched" and "mapped" (bytes).
 */
#ifndef KIT_TRACE_EVENTS_H
#define KIT_TRACE_EVENTS_H

#include <jansson.h>
#include <stdbool.h>

enum trace_process { TRACE_HOST = 1, TRACE_STREAMS, TRACE_ENGINES };

/* Where events go: `write` takes the event (NULL: memory ran out). */
struct trace_events {
  void *context;
  void (*write)(void *context, json_t *event);
  unsigned named; /* streams from 0 on that have a name */
};

/* The names of the processes and of their fixed tracks. */
void trace_events_begin(struct trace_events *trace);

/* A call of the host's, or a wait. Here and below: times in ns; takes the arguments. */
void trace_events_host(struct trace_events *trace, const char *name, bool waits, double begin,
                       double end, json_t *arguments);
/* Work of a stream, which the arguments get. A copy over the link, as its category says, is on its
 * engine's track, too. */
void trace_events_work(struct trace_events *trace, unsigned stream, const char *name,
                       const char *category, double begin, double end, json_t *arguments);
/* An arrow from a stream's event to the stream that has waited for it. id: of this arrow only. */
void trace_events_flow(struct trace_events *trace, json_int_t id, unsigned from, double recorded,
                       unsigned to, double seen);

#endif
