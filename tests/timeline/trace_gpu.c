/* trace_gpu.c: the timeline of a program on a GPU, for the one that is modelled to be held against:
 * a library that the CUDA driver loads into the program, and that writes down what CUPTI reports.
 *
 *     CUDA_INJECTION64_PATH=trace_gpu.so KIT_TIMELINE=FILE.tsv ./program
 *
 * A line a kernel, copy or fill in the order of issue: kind, stream, bytes, begin and end in ns
 * from the first one's begin, name. Kinds are those of the simulator's timeline (sim/timeline).
 */
#include <cupti.h>
#include <stdio.h>
#include <stdlib.h>

struct span {
  uint32_t issue;
  const char *kind, *name;
  uint32_t stream;
  unsigned long long bytes, begin, end;
};

static struct span *spans;
static size_t count, room;

static void check(CUptiResult result, const char *what) {
  const char *text = "?";
  if (result == CUPTI_SUCCESS) return;
  cuptiGetResultString(result, &text);
  fprintf(stderr, "trace_gpu: %s: %s\n", what, text);
  exit(1);
}

static void add(const struct span *span) {
  if (count == room) spans = realloc(spans, (room = 2 * room + 64) * sizeof *spans);
  if (!spans) abort();
  spans[count++] = *span;
}

static const char *copy_kind(uint8_t kind) {
  return kind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD   ? "copy in"
         : kind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH ? "copy out"
                                                   : "copy";
}

static void take(const CUpti_Activity *record) {
  if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
    const CUpti_ActivityKernel10 *k = (const void *)record;
    add(&(struct span){k->correlationId, "kernel", k->name, k->streamId, 0, k->start, k->end});
  } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
    const CUpti_ActivityMemcpy6 *c = (const void *)record;
    add(&(struct span){c->correlationId, copy_kind(c->copyKind), "", c->streamId, c->bytes,
                       c->start, c->end});
  } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
    const CUpti_ActivityMemset4 *f = (const void *)record;
    add(&(struct span){f->correlationId, "fill", "", f->streamId, f->bytes, f->start, f->end});
  }
}

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *size, size_t *max_records) {
  *size = 1 << 20;
  *buffer = aligned_alloc(8, *size);
  *max_records = 0;
}

static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size,
                                 size_t valid) {
  (void)context, (void)stream, (void)size;
  CUpti_Activity *record = NULL;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) take(record);
  free(buffer);
}

static int by_issue(const void *a, const void *b) {
  const struct span *x = a, *y = b;
  return (x->issue > y->issue) - (x->issue < y->issue);
}

static void write_down(void) {
  cuptiActivityFlushAll(1);
  const char *path = getenv("KIT_TIMELINE");
  FILE *to = path ? fopen(path, "w") : stderr;
  if (!to) {
    fprintf(stderr, "trace_gpu: cannot write %s\n", path);
    return;
  }
  qsort(spans, count, sizeof *spans, by_issue);
  unsigned long long first = ~0ull;
  for (size_t i = 0; i < count; i++)
    if (spans[i].begin < first) first = spans[i].begin;
  for (size_t i = 0; i < count; i++) {
    const struct span *s = &spans[i];
    fprintf(to, "%s\t%u\t%llu\t%llu\t%llu\t%s\n", s->kind, s->stream, s->bytes, s->begin - first,
            s->end - first, s->name);
  }
  if (to != stderr) fclose(to);
}

int InitializeInjection(void); /* called by the driver, by this name */
int InitializeInjection(void) {
  check(cuptiActivityRegisterCallbacks(give_buffer, take_buffer), "cuptiActivityRegisterCallbacks");
  check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "kernels");
  check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY), "copies");
  check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET), "fills");
  atexit(write_down);
  return 1;
}
