/* timeline_trace.h: the timeline of a program as a file in the trace-event format, which Perfetto
 * (https://ui.perfetto.dev) and chrome://tracing open ("Trace Event Format", complete events): in
 * the file that $KIT_TIMELINE names, or in memory.
 *
 *   process 1, "host"      what the program's calls take, and what they wait for
 *   process 2, "streams"   a track for each stream
 *   process 3, "engines"   copies to the device; copies to the host
 *
 * A stream that has waited for an event of another has a flow (phases s and f) from that.
 *
 * "ts" and "dur" are microseconds. "cat" is what it is ("kernel", "copy in", "copy out", "copy",
 * "fill", "pages in" and "pages out" of managed memory, "host function"; of the host "call" or
 * "wait"). "args" has what is known: "line", "file", "bytes"; of work "stream", "issue" (its number
 * in the order of issue), "issued_us", and "ready_us", when only a resource was missing any more;
 * of a copy "pageable", of a kernel "stored", "fetched" and "mapped" (bytes, timeline.h).
 */
#ifndef KIT_TIMELINE_TRACE_H
#define KIT_TIMELINE_TRACE_H

#include "harness/sim/timeline/timeline.h"

struct timeline_trace;
/* NULL: nobody asks for one, or the file cannot be written, which is told on stderr. */
struct timeline_trace *timeline_trace_open(void);
/* In memory, up to a limit beyond which nothing is added. NULL: out of memory. */
struct timeline_trace *timeline_trace_open_memory(void);
/* Ends such a one, and closes it. The text is the caller's; NULL: out of memory, or the limit was
 * passed. */
char *timeline_trace_take(struct timeline_trace *trace);
void timeline_trace_add(struct timeline_trace *trace, const struct timeline_span *span);
void timeline_trace_host(struct timeline_trace *trace, const struct timeline_host_span *span);
/* Writes what is left; more may be added after it. */
void timeline_trace_end(struct timeline_trace *trace);
void timeline_trace_close(struct timeline_trace *trace);

#endif
