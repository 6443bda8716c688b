/* timeline_trace.h: the modelled timeline of a program in the trace-event format
 * (base/trace_events.h): in the file that $KIT_TIMELINE names, or in memory.
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
