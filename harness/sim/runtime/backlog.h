/* backlog.h: work that comes after a launch that waits.
 *
 * A call that issues work has it run at once. But a launch may wait for what others store while it
 * runs (device/device_wait.c): the call returns all the same, and what its stream orders after it
 * comes here. It is issued when that launch has ended: in the host's next call that asks or waits,
 * or by a thread that looks after it, for a host that makes none.
 *
 * Where the host waits for such work it is here that it waits. If nothing moves any more, and this
 * process has no other thread that could change that, the launches that wait are deadlocks.
 */
#ifndef KIT_BACKLOG_H
#define KIT_BACKLOG_H

#include <stdbool.h>

#include "harness/sim/runtime/graph.h"

/* A launch was issued there, which may wait now. */
void backlog_launched(cudaStream_t stream);
/* Is there anything before the next work in this stream? Then the work comes here. */
bool backlog_defers(cudaStream_t stream);
/* Takes over the work, a copy of what it reads from pageable memory included. made: what came of
 * making it. */
cudaError_t backlog_add(cudaStream_t stream, struct graph_work *work, cudaError_t made);
/* An event is recorded, or a stream waits for one. False: there is nothing before that. */
bool backlog_record(cudaEvent_t event, cudaStream_t stream);
bool backlog_wait(cudaStream_t stream, cudaEvent_t event);
/* Is it still to be recorded? */
bool backlog_has_event(cudaEvent_t event);
/* It was destroyed. */
void backlog_forget_event(cudaEvent_t event);

/* The host waits: for what is in a stream, or before an event; for everything. */
void backlog_finish_stream(cudaStream_t stream);
void backlog_finish_event(cudaEvent_t event);
void backlog_finish(void);
/* The device is gone. */
void backlog_drop(void);

/* runtime_graph_exec.c: issues the work. */
cudaError_t work_run(const struct graph_work *work, cudaStream_t stream);

#endif
