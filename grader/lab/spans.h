/* spans.h: what a program's work did when, read from its timeline
 * (harness/sim/remote/timeline_trace.h), and how much of it overlapped. */
#ifndef KIT_SPANS_H
#define KIT_SPANS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum span_process { SPAN_OF_HOST = 1, SPAN_OF_STREAM };
enum span_category {
  SPAN_KERNEL,
  SPAN_COPY_IN,  /* to the device, pages of managed memory among them */
  SPAN_COPY_OUT, /* to the host */
  SPAN_ON_DEVICE,
  SPAN_FUNCTION, /* of the host, in a stream */
  SPAN_CALL,     /* of the host */
  SPAN_WAIT,     /* of the host */
  SPAN_CATEGORIES
};

struct work_span {
  enum span_process process;
  int track; /* the stream's number */
  enum span_category category;
  double begin, end;
  double issued, ready;   /* us, of work; ready: only an engine or room was missing any more */
  double issue;           /* its number in the order of issue; 0: none */
  int line;               /* 0: not known */
  double bytes;           /* of a copy; of a kernel those that it stores */
  double fetched, mapped; /* bytes, of a kernel (timeline.h) */
  bool pageable, pages;   /* of a copy; pages: of managed memory */
  const char *name;       /* the trace's */
};

/* A stream has waited for an event of another. */
struct span_wait {
  int from, to;          /* streams */
  double recorded, seen; /* us: when the event happened; when the stream went on */
};

struct spans {
  struct work_span *items;
  size_t count;
  struct span_wait *waits;
  size_t wait_count;
  double begin, end; /* of the work of streams, us; without any, end is below begin */
};

/* Reads a trace, which must outlive the spans. What is malformed in it is left out. */
void spans_read(const json_t *trace, struct spans *spans);
void spans_free(struct spans *spans);
/* Adds a trace to another, so that both are seen: its processes get numbers of their own, and the
 * name in front of theirs. number: how many were added before. */
void trace_join(json_t *all, const json_t *trace, const char *name, int number);
/* As classes keep them, without names: a list of lists of numbers. What is malformed is left out.
 */
json_t *spans_to_json(const struct spans *spans);
void spans_from_json(const json_t *json, struct spans *spans);
/* Leaves out the harness's own copies around a call that works on the host's memory: the first
 * `inputs` copies to the host and the last `outputs` to the device. */
void spans_leave_out_harness(struct spans *spans, int inputs, int outputs);

/* us in which at least one of a category is under way; `copies` and of these `hidden` beside other
 * work, the sums over both directions; `any`: something is. */
struct overlap {
  double busy[SPAN_CATEGORIES], copies, hidden, any;
  double total;  /* us from the beginning of the first piece of work to the end of the last */
  double waited; /* us in which work was ready and an engine or room was missing, the sum */
  /* Bytes: copied either way, and to the host; of these from or to pageable memory; stored by
   * kernels; fetched and mapped as in timeline.h. */
  double copied, copied_out, pageable, stored, fetched, mapped;
  /* Bytes copied to the host while a copy to the device was under way; stored by kernels while a
   * copy was, while copies both ways were, and while another kernel
   * was that stored as much. */
  double both_ways, beside_copies, beside_both, beside_kernels;
  double most_kernels; /* that were under way at once */
  double result;       /* bytes that any solution stores and copies to the host; 0: not known */
};
struct overlap overlap_of(const struct spans *spans);

#endif
