/* exchange.h: the protocol between the grader and the device's side: jobs down, reports up, both as
 * files of frames.
 *
 * The grader starts a program with a file open as EXCHANGE_JOB_FD, and writes one or more jobs into
 * it. Until then that program waits for the end of EXCHANGE_START_FD: so it can be started before
 * the jobs are known. It (job.c) writes a report for each job to EXCHANGE_REPORT_FD, and ends after
 * one in which a call failed. On the simulator this program is the device's process, which asks the
 * runner for the calls (remote/wire.h): the runner sees neither file. On a GPU it is the runner,
 * which also runs the student's code, so the grader trusts nothing in a report that does not carry
 * the jobs' token, and checks everything in it.
 *
 * A job: FRAME_JOB, then for every set the input arrays in the problem's order, each FRAME_ARRAY.
 *
 * A report: FRAME_LAUNCH and FRAME_HAZARD as they happen; for every set, after its call,
 * FRAME_STATUS and the output arrays in the problem's order, one FRAME_ARRAY each; FRAME_DONE at
 * the end. A job with the option "timing" has no sets; its report is FRAME_TIMING and FRAME_DONE.
 *
 *   FRAME_JOB        {"problem":"matmul", "case":"n512", "entry":"matmul", "sets":2,
 *                    "dims":{"M":512, "N":512, "K":512}, "arrays":[{"name":"A", "output":false,
 *                    "rows":512, "columns":512, "element_size":4}], "memory_bytes":4294967296,
 *                    "seed":1, "budget":{"limit":{"instructions":1, "bytes":1, "calls":1},
 *                    "used":{...}}, "options":{"accesses":true}}
 *     entry          the function to call; default: the first
 *     arrays         in the problem's order
 *     memory_bytes   that may be allocated on the device at a time
 *     seed           chooses the blocks that the model of time samples; default: 0
 *     budget         of the whole grading, and what was used before this process (budget.h)
 *     accesses       launches report the addresses of their accesses
 *     leaks          reports what a call has made and not given back: memory, events, streams
 *     fail           "malloc", "pinned", "copy" or "launch": in each call one such call of CUDA
 * fails fail_at        which of them, from 1 on; default: 1 profile        statuses have one
 *     timeline       reports what the first call's work did when
 *     times          of so many sets, the first, launches and calls have times; default: of none
 *     transfers      over 0: write the log of transfers; the key of its hashes
 *     rerun          "dry" or "full": only for that log, without or with running kernels
 *     empty          no inputs follow: arrays are 0
 *   FRAME_ARRAY      the raw elements (little-endian, row-major)
 *   FRAME_LAUNCH     one launch, as in the grade's "launches" without "case"; or, with
 *                    "launches":n, the sum of n launches
 *   FRAME_HAZARD     one hazard, as in the grade's "hazards"; a crash may have "addresses" in the
 *                    program, from which the grader finds its line
 *   FRAME_STATUS     {"set":0, "error":"cudaErrorIllegalAddress", "message":"...",
 *                    "time_ns":6599.0, "returned":false}
 *     error          null if the call went well
 *     returned       the function itself returned the error
 *     time_ns        device time of all that the call did, kernels, copies and fills; 0: unknown
 *     events_ns      from the simulator: from the first cudaEventRecord to the last
 *     totals         from the simulator: of all launches of the call (remote/call_totals.h),
 *                    however many were reported one by one
 *     profile        from the simulator, if it is asked for: {"kernels":[wall, processor seconds],
 *                    "model":[..]} that the job's launches have taken so far
 *   FRAME_TIMING     {"rounds":40, "batch":8, "event_cost_ns":4100.0 (taken off the times between
 *                    events), "before":{}, "after":{} (backend_condition),
 *                    "timed":[{"name":"submission", "waits":false, "alone_ns":0.0,
 *                    "alone_waited_ns":0.0, "event_ns":[one a round], "sync_ns":[],
 *                    "wall_ns":[], "cold_ns":[], "waited_ns":[], "worst_difference":0.0}]}, as
 *                    timing.c measures them; or {"error":"...", "blame":"submission"} ("" if no
 *                    timed function is to blame)
 *   FRAME_DONE       {"device":"..."}
 *   FRAME_TRANSFERS  more of the log of transfers (transfers.h), before the status of their call
 *   FRAME_USED       {"instructions":0, "bytes":0, "calls":0}: of the budget so far; after each
 *                    call, also one that did not return
 *   FRAME_FAILED     {"line":31, "launched":false}: what the option "fail" asks for has failed in
 *                    this line; launched: a kernel was launched all the same. Before the status of
 *                    the call, also of one that did not return
 *   FRAME_TIMELINE   the call's work as a trace (trace_events.h), before its status; none if it is
 * too long. From a GPU {"error":"why there is none, and what helps"} instead FRAME_BROKEN
 * {"message":"..."}: the last: the device broke off for what the runner sent
 */
#ifndef KIT_EXCHANGE_H
#define KIT_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
  EXCHANGE_JOB_FD = 3,
  EXCHANGE_REPORT_FD = 4,
  EXCHANGE_DEVICE_FD = 5, /* the socket between a runner and the simulated device (remote/wire.h) */
  EXCHANGE_START_FD = 6,  /* a pipe, closed as soon as the jobs are there */
};

/* Exit status of the device's process: it ended the job itself; the runner may go on for ever. */
enum { EXCHANGE_ENDED = 3 };

enum frame_type {
  FRAME_JOB = 1,
  FRAME_ARRAY,
  FRAME_LAUNCH,
  FRAME_HAZARD,
  FRAME_STATUS,
  FRAME_TIMING,
  FRAME_DONE,
  FRAME_BROKEN,
  FRAME_TRANSFERS,
  FRAME_USED,
  FRAME_FAILED,
  FRAME_TIMELINE,
};

struct frame_header {
  char magic[4]; /* "KIT1" */
  uint32_t type;
  uint64_t token; /* the jobs' secret, fresh for every process */
  uint64_t bytes; /* of payload, which follows */
};

/* Returns as soon as the jobs are there: they are where nothing is open to wait for. */
void exchange_wait(void);

/* Writes one frame to fd. Returns 0, or -1 with errno set. */
int frame_write(int fd, enum frame_type type, uint64_t token, const void *payload, size_t bytes);

/* Reads the next frame from fd; *payload is malloc'ed (NUL-terminated past its end) and the
 * caller's. limit is the largest payload taken, in bytes. Returns 1, 0 at a clean end of file, -1
 * if the frame is cut, has no magic or is over the limit. */
int frame_read(int fd, struct frame_header *header, void **payload, size_t limit);

#endif
