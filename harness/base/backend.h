/* backend.h: what the harness needs beyond the CUDA runtime API. Each backend is a library that
 * provides it together with the runtime: harness/sim/runtime/backend.c for the simulator. The
 * harness itself does not know which one it runs on.
 */
#ifndef KIT_BACKEND_H
#define KIT_BACKEND_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* What the results were obtained on: "simulated NVIDIA H100 80GB HBM3". A static string. */
const char *backend_device(void);

/* A device that is a process of its own, on the grader's side, has the grader's jobs itself: it
 * makes the arrays, asks for a call, and looks at what the call did. Here its side that runs the
 * submission: backend_next_call waits for the next call to make, an object of the caller's:
 *
 *   {"problem":"matmul", "entry":"matmul" or null, "dims":{"M":64,..},
 *    "arrays":{"A":ADDRESS,..}}
 *
 * False: there is none any more. backend_returned reports that the call has returned, with the
 * first error left (a cudaError_t), and whether the function itself returned it. Ends the process
 * on a backend whose device gives no calls. */
bool backend_next_call(json_t **call);
void backend_returned(int error, bool returned);

/* Host code that touches these bytes will crash: words say what it did then. Borrowed until all are
 * forgotten, by bytes 0. A backend that does not explain crashes ignores it. */
void backend_explain_crash(const void *start, size_t bytes, const char *words);

/* Does time pass as on a clock? False: it is modelled, and the same each time. */
bool backend_is_real(void);
/* Puts the device's settings back to those of its first call: limits, cache preferences, how the
 * host waits; and nothing stays in the L2 cache by a persisting access window. */
void backend_reset_device(void);
/* The device's state, {"sm_clock_mhz":1980, "throttle":["power cap"], "other_processes":0}, without
 * what cannot be known; or JSON's null. */
json_t *backend_condition(void);
/* Records what the device does between these two calls, and which calls of the runtime API cause
 * it: the trace (trace_events.h), the caller's; or {"error":"why there is none, and what helps"}.
 * NULL on a backend whose device reports a timeline of its own. It slows the process down, also
 * afterwards. */
void backend_timeline_begin(void);
json_t *backend_timeline_end(void);

#endif
