/* overlap.c: see overlap.h. */
#include "grader/score/overlap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

static bool is_copy(const struct work_span *span) {
  return span->category == SPAN_COPY_IN || span->category == SPAN_COPY_OUT;
}

/* The longest span that is one of these; NULL: there is none. */
typedef bool is_one(const struct work_span *span);
static const struct work_span *longest(const struct spans *spans, is_one *one) {
  const struct work_span *found = NULL;
  for (size_t i = 0; i < spans->count; i++) {
    const struct work_span *s = &spans->items[i];
    if (one(s) && (!found || s->end - s->begin > found->end - found->begin)) found = s;
  }
  return found;
}

static bool is_pageable_copy(const struct work_span *span) {
  return is_copy(span) && span->pageable;
}

static bool is_fetching_kernel(const struct work_span *span) {
  return span->category == SPAN_KERNEL && span->fetched > 0;
}

static bool is_in_default_stream(const struct work_span *span) {
  return span->process == SPAN_OF_STREAM && span->track == 0 && span->category <= SPAN_FUNCTION;
}

static bool is_any_copy(const struct work_span *span) { return is_copy(span) && !span->pages; }

static int streams_with_work(const struct spans *spans) {
  int first = -1, count = 0;
  for (size_t i = 0; i < spans->count; i++) {
    const struct work_span *s = &spans->items[i];
    if (s->process != SPAN_OF_STREAM || s->track == first) continue;
    first = s->track;
    if (++count > 1) return count;
  }
  return count;
}

/* us that the host has waited before it issued more; *after: what it issued last before the longest
 * such wait. */
static double waited_between(const struct spans *spans, const struct work_span **after) {
  double last_issued = -INFINITY, waited = 0, most = 0;
  for (size_t i = 0; i < spans->count; i++)
    if (spans->items[i].process == SPAN_OF_STREAM)
      last_issued = fmax(last_issued, spans->items[i].issued);
  for (size_t i = 0; i < spans->count; i++) {
    const struct work_span *wait = &spans->items[i], *before = NULL;
    if (wait->category != SPAN_WAIT || wait->end > last_issued) continue;
    for (size_t k = 0; k < spans->count; k++) {
      const struct work_span *s = &spans->items[k];
      if (s->process == SPAN_OF_STREAM && s->issued <= wait->end &&
          (!before || s->issue > before->issue))
        before = s;
    }
    waited += wait->end - wait->begin;
    if (before && wait->end - wait->begin > most) {
      most = wait->end - wait->begin;
      *after = before;
    }
  }
  return waited;
}

/* "; lab6.cu:31"; "; work" if the line is not known. */
static void add_place(const char *file, const struct work_span *span, struct text *words) {
  if (span->line)
    text_add(words, "; %s:%d", file, span->line);
  else
    text_add(words, "; a call");
}

/* Why pieces of work do not run beside one another. */
static void add_serial(const struct spans *spans, const struct overlap *o, const char *file,
                       struct text *words) {
  const struct work_span *pageable = longest(spans, is_pageable_copy), *after = NULL,
                         *in_default = longest(spans, is_in_default_stream);
  double waited = waited_between(spans, &after);
  if (pageable && o->pageable > o->copied / 4) {
    add_place(file, pageable, words);
    text_add(words,
             " copies %s pageable memory: the host moves it piece by piece, and the call returns "
             "only then",
             pageable->category == SPAN_COPY_IN ? "from" : "to");
  } else if (streams_with_work(spans) == 1) {
    text_add(words, "; all work is in %s, which does one thing after another",
             in_default ? "the default stream" : "one stream");
  } else if (waited > o->total / 10 && after) {
    add_place(file, after, words);
    text_add(words,
             " is followed by a wait of the host (%.0f%% of the time in all), before it "
             "issues more: by a synchronisation, or a cudaMemcpy, cudaMalloc or cudaFree",
             100 * waited / o->total);
  } else if (in_default) {
    add_place(file, in_default, words);
    text_add(words,
             " is in the default stream, which waits for the other streams, and they for it");
  }
}

static bool is_share(const struct metric *metric) {
  return strcmp(metric->unit, "% of the result") == 0;
}

char *overlap_why(const struct spans *spans, const struct totals *totals,
                  const struct metric *metric, const char *file) {
  const struct overlap *o = &totals->overlap;
  struct text words = {0};
  double needed = totals->textbook_load_bytes + totals->textbook_store_bytes;
  if (spans->count == 0) return NULL;
  const struct work_span *kernel = longest(spans, is_fetching_kernel),
                         *pageable = longest(spans, is_pageable_copy),
                         *copy = longest(spans, is_any_copy);
  if (is_share(metric)) {
    if (o->copied > 1.2 * needed)
      text_add(&words, "; %.3g times the bytes are copied that have to be", o->copied / needed);
    add_serial(spans, o, file, &words);
  } else if (strcmp(metric->name, "unprefetched_bytes") == 0) {
    if (kernel) {
      add_place(file, kernel, &words);
      text_add(&words, " launches a kernel that finds pages on the host, and waits for each");
    }
    if (o->copied_out + o->mapped < o->result)
      text_add(&words, "; nothing brings the result back to the host before the host reads it");
  } else if (strcmp(metric->name, "pageable_bytes") == 0 && pageable) {
    add_place(file, pageable, &words);
    text_add(&words, " copies %s pageable memory",
             pageable->category == SPAN_COPY_IN ? "from" : "to");
  } else if (strcmp(metric->name, "mapped_bytes") == 0 && copy) {
    add_place(file, copy, &words);
    text_add(&words, " copies, so that the kernel does not access the host's memory itself");
  }
  return text_take(&words);
}
