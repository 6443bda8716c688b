/* activity.h: what the device does when, as CUPTI's activity API measures it ("CUPTI
 * Documentation", "CUPTI Activity API"): kernels, copies, fills, pages of managed memory, calls of
 * the runtime API.
 *
 * CUPTI is part of the CUDA Toolkit. Its header must be there when the kit is built, its library is
 * opened when somebody asks for a timeline: a process that has opened it runs more slowly.
 */
#ifndef KIT_ACTIVITY_H
#define KIT_ACTIVITY_H

#include <jansson.h>

/* Begins to record, with the device idle. NULL, or why nothing will be recorded, and what helps: a
 * static string. */
const char *activity_begin(void);
/* Waits for the device and ends it. The trace (base/trace_events.h), the caller's; NULL: out of
 * memory, or there was more than a trace may hold. */
json_t *activity_end(void);

#endif
