/* activity.c: see activity.h. CUPTI fills buffers of ours with records; at the end they become a
 * trace.
 *
 * CUPTI numbers streams as they are made, its own and the driver's among them: here the default
 * stream is 0, and others are 1, 2, ... in the order in which they were made, as the simulator has
 * them. Work is tied to the call that issued it by CUPTI's correlation number, which goes up from
 * call to call. */
#include "harness/gpu/activity.h"

#if __has_include(<cupti.h>)

#include <cuda_runtime_api.h>
#include <cupti.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/base/trace_events.h"

/* Where the library lay when the kit was built (mk/gpu.mk). */
#ifndef KIT_CUPTI
#define KIT_CUPTI ""
#endif

/* Records are those of the header: a library of the same CUDA reports no others. */
#if CUPTI_API_VERSION >= 130000
typedef CUpti_ActivityKernel10 kernel_record;
typedef CUpti_ActivityMemcpy6 copy_record;
typedef CUpti_ActivityUnifiedMemoryCounter3 pages_record;
#else
typedef CUpti_ActivityKernel9 kernel_record;
typedef CUpti_ActivityMemcpy5 copy_record;
typedef CUpti_ActivityUnifiedMemoryCounter2 pages_record;
#endif
typedef CUpti_ActivityMemset4 fill_record;
typedef CUpti_ActivityAPI call_record;

/* The trace of so many records stays below what a report's frame may hold (grader/run/report.c):
 * a copy is two events of some 230 bytes. */
enum { BUFFER_BYTES = 1 << 20, MAX_BUFFERS = 64, MAX_RECORDS = 8000 };

static struct {
  void *library;
#define FUNCTION(name) __typeof__(cupti##name) *name;
#include "harness/gpu/cupti_functions.h"
} cupti;

static const CUpti_ActivityKind kinds[] = {
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET,
    CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER};
enum { KINDS = sizeof kinds / sizeof *kinds, NEEDED_KINDS = KINDS - 1 };

/* Buffers that CUPTI has given back, from a thread of its own. */
static struct {
  pthread_mutex_t lock;
  struct buffer {
    uint8_t *bytes;
    size_t used;
  } filled[MAX_BUFFERS];
  int count, asked;
  uint64_t begun; /* CUPTI's clock, ns */
} recording = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void give_buffer(uint8_t **buffer, size_t *size, size_t *max_records) {
  pthread_mutex_lock(&recording.lock);
  *buffer = recording.asked < MAX_BUFFERS ? aligned_alloc(64, BUFFER_BYTES) : NULL;
  *size = *buffer ? BUFFER_BYTES : 0; /* without one CUPTI drops what it has */
  *max_records = 0;
  recording.asked++;
  pthread_mutex_unlock(&recording.lock);
}

static void take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size,
                        size_t used) {
  (void)context, (void)stream, (void)size;
  if (!buffer) return;
  pthread_mutex_lock(&recording.lock);
  if (used > 0 && recording.count < MAX_BUFFERS)
    recording.filled[recording.count++] = (struct buffer){buffer, used};
  else
    free(buffer);
  pthread_mutex_unlock(&recording.lock);
}

static void drop_buffers(void) {
  for (int i = 0; i < recording.count; i++) free(recording.filled[i].bytes);
  recording.count = recording.asked = 0;
}

/* ---- the library ---- */

static const char *open_library(void) {
  static char words[400];
  static const char *const names[] = {KIT_CUPTI, "libcupti.so.13", "libcupti.so.12", "libcupti.so"};
  for (size_t i = 0; i < sizeof names / sizeof *names && !cupti.library; i++)
    if (*names[i]) cupti.library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!cupti.library) {
    snprintf(words, sizeof words,
             "CUPTI's library cannot be opened (%s): install the CUDA Toolkit's part cuda-cupti",
             dlerror());
    return words;
  }
#define FUNCTION(name)                                         \
  *(void **)&cupti.name = dlsym(cupti.library, "cupti" #name); \
  if (!cupti.name) return "CUPTI's library lacks cupti" #name ": it is too old";
#include "harness/gpu/cupti_functions.h"
  uint32_t version = 0;
  cupti.GetVersion(&version);
  /* Before CUDA 13 versions were counted, since then they are CUDA's. */
  bool same = CUPTI_API_VERSION < 130000 ? version == CUPTI_API_VERSION
                                         : version / 10000 == CUPTI_API_VERSION / 10000;
  if (same) return NULL;
  snprintf(words, sizeof words,
           "CUPTI's library has version %u, but the kit was built with the header of version %u: "
           "build it again (make clean)",
           version, (unsigned)CUPTI_API_VERSION);
  return words;
}

/* Bytes of managed memory that move. Not every system has these records; without them the trace
 * lacks only that. */
static void ask_for_pages(void) {
  CUpti_ActivityUnifiedMemoryCounterConfig ways[] = {
      {.scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE,
       .kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
       .enable = 1},
      {.scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE,
       .kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
       .enable = 1}};
  cupti.ActivityConfigureUnifiedMemoryCounter(ways, sizeof ways / sizeof *ways);
}

static void stop(int enabled) {
  for (int i = 0; i < enabled; i++) cupti.ActivityDisable(kinds[i]);
}

const char *activity_begin(void) {
  static char words[200];
  static const char *unusable;
  if (!cupti.library) unusable = open_library();
  if (unusable) return unusable;
  cudaDeviceSynchronize();
  drop_buffers();
  CUptiResult result = cupti.ActivityRegisterCallbacks(give_buffer, take_buffer);
  if (result == CUPTI_SUCCESS) ask_for_pages();
  for (int i = 0; i < KINDS && result == CUPTI_SUCCESS; i++) {
    CUptiResult enabled = cupti.ActivityEnable(kinds[i]);
    if (i < NEEDED_KINDS) result = enabled;
    if (result != CUPTI_SUCCESS) stop(i);
  }
  if (result == CUPTI_SUCCESS) result = cupti.GetTimestamp(&recording.begun);
  if (result == CUPTI_SUCCESS) return NULL;
  snprintf(words, sizeof words, "CUPTI does not record (CUptiResult %d)%s", (int)result,
           result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
               ? ": a profiler or debugger is at work on this process"
               : "");
  return words;
}

/* ---- records ---- */

struct records {
  const CUpti_Activity **items;
  size_t count, room;
  const call_record **calls; /* by correlation number */
  size_t call_count, call_room;
  uint32_t *streams; /* CUPTI's numbers, in order; the first is the default stream's */
  size_t stream_count, stream_room;
};

/* The stream of work; NULL: it is none. */
static const uint32_t *stream_of(const CUpti_Activity *record) {
  switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case CUPTI_ACTIVITY_KIND_KERNEL:
      return &((const kernel_record *)record)->streamId;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return &((const copy_record *)record)->streamId;
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return &((const fill_record *)record)->streamId;
    default:
      return NULL;
  }
}

static bool add_stream(struct records *records, uint32_t stream) {
  size_t at = 1;
  if (records->stream_count > 0 && stream == records->streams[0]) return true;
  if (!ARRAY_RESERVE(records->streams, records->stream_room, records->stream_count + 2))
    return false;
  if (records->stream_count == 0) {
    records->streams[records->stream_count++] = stream;
    return true;
  }
  while (at < records->stream_count && records->streams[at] < stream) at++;
  if (at < records->stream_count && records->streams[at] == stream) return true;
  memmove(&records->streams[at + 1], &records->streams[at],
          (records->stream_count - at) * sizeof *records->streams);
  records->streams[at] = stream;
  records->stream_count++;
  return true;
}

static bool add_record(struct records *records, const CUpti_Activity *record) {
  const uint32_t *stream = stream_of(record);
  if (stream && !add_stream(records, *stream)) return false;
  if (!ARRAY_RESERVE(records->items, records->room, records->count + 1)) return false;
  records->items[records->count++] = record;
  if (record->kind != CUPTI_ACTIVITY_KIND_RUNTIME) return true;
  if (!ARRAY_RESERVE(records->calls, records->call_room, records->call_count + 1)) return false;
  records->calls[records->call_count++] = (const call_record *)record;
  return true;
}

static int by_correlation(const void *a, const void *b) {
  const call_record *x = *(const call_record *const *)a, *y = *(const call_record *const *)b;
  return (x->correlationId > y->correlationId) - (x->correlationId < y->correlationId);
}

static bool read_buffers(struct records *records) {
  uint32_t own = 0;
  if (cupti.GetStreamIdEx(NULL, NULL, 0, &own) == CUPTI_SUCCESS && !add_stream(records, own))
    return false;
  for (int i = 0; i < recording.count; i++) {
    CUpti_Activity *record = NULL;
    while (cupti.ActivityGetNextRecord(recording.filled[i].bytes, recording.filled[i].used,
                                       &record) == CUPTI_SUCCESS)
      if (!add_record(records, record)) return false;
  }
  if (records->call_count)
    qsort(records->calls, records->call_count, sizeof *records->calls, by_correlation);
  return true;
}

static void records_free(struct records *records) {
  free(records->items);
  free(records->calls);
  free(records->streams);
}

/* ---- the trace ---- */

struct writer {
  struct trace_events trace;
  struct records records;
  json_t *events;
  bool failed;
};

static void write_event(void *context, json_t *event) {
  struct writer *writer = context;
  if (json_array_append_new(writer->events, event) != 0) writer->failed = true;
}

static double since_begin(uint64_t ns) { return (double)ns - (double)recording.begun; }

static unsigned stream_number(const struct records *records, uint32_t stream) {
  for (size_t i = 0; i < records->stream_count; i++)
    if (records->streams[i] == stream) return (unsigned)i;
  return 0;
}

static const call_record *call_of(const struct records *records, uint32_t correlation) {
  const call_record key = {.correlationId = correlation}, *wanted = &key;
  const call_record **found = records->call_count
                                  ? bsearch(&wanted, records->calls, records->call_count,
                                            sizeof *records->calls, by_correlation)
                                  : NULL;
  return found ? *found : NULL;
}

char *__cxa_demangle(const char *symbol, char *buffer, size_t *length, int *status);

/* "void tile<16>(float*)" is tile; the caller's. */
static char *kernel_name(const char *symbol) {
  int status = -1;
  char *text = symbol ? __cxa_demangle(symbol, NULL, NULL, &status) : NULL;
  if (!text) text = strdup(symbol ? symbol : "kernel");
  if (!text) return NULL;
  if (strncmp(text, "void ", 5) == 0) memmove(text, text + 5, strlen(text + 5) + 1);
  text[strcspn(text, "<(")] = '\0';
  return text;
}

static void write_work(struct writer *writer, const char *name, const char *category,
                       unsigned stream, uint32_t correlation, uint64_t begin, uint64_t end,
                       json_t *arguments) {
  const call_record *call = call_of(&writer->records, correlation);
  double from = since_begin(begin),
         issued = call && call->end < begin ? since_begin(call->end) : from;
  if (correlation) json_object_set_new(arguments, "issue", json_integer(correlation));
  json_object_set_new(arguments, "issued_us", json_real(issued / 1e3));
  json_object_set_new(arguments, "ready_us", json_real(from / 1e3)); /* nobody measures when */
  trace_events_work(&writer->trace, stream, name, category, from, since_begin(end), arguments);
}

static void write_kernel(struct writer *writer, const kernel_record *record) {
  char *name = kernel_name(record->name);
  write_work(writer, name ? name : "kernel", "kernel",
             stream_number(&writer->records, record->streamId), record->correlationId,
             record->start, record->end, json_object());
  free(name);
}

static const char *copy_category(const copy_record *record) {
  switch (record->copyKind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
      return "copy in";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
      return "copy out";
    default:
      return "copy";
  }
}

static void write_copy(struct writer *writer, const copy_record *record) {
  const char *category = copy_category(record);
  json_t *arguments = json_pack("{s:I}", "bytes", (json_int_t)record->bytes);
  if (record->srcKind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE ||
      record->dstKind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE)
    json_object_set_new(arguments, "pageable", json_true());
  write_work(writer, category, category, stream_number(&writer->records, record->streamId),
             record->correlationId, record->start, record->end, arguments);
}

static void write_pages(struct writer *writer, const pages_record *record) {
  bool in = record->counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD;
  const char *category = in ? "pages in" : "pages out";
  if (!in && record->counterKind != CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH)
    return;
  write_work(writer, category, category, stream_number(&writer->records, record->streamId), 0,
             record->start, record->end, json_pack("{s:I}", "bytes", (json_int_t)record->value));
}

/* "cudaMemcpyAsync_v3020" is cudaMemcpyAsync. */
static void write_call(struct writer *writer, const call_record *record) {
  const char *called = NULL;
  char name[80];
  if (cupti.GetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, record->cbid, &called) != CUPTI_SUCCESS ||
      !called)
    called = "call";
  snprintf(name, sizeof name, "%s", called);
  char *version = strstr(name, "_v");
  if (version) *version = '\0';
  trace_events_host(&writer->trace, name, strstr(name, "Synchronize") != NULL,
                    since_begin(record->start), since_begin(record->end), json_object());
}

static void write_record(struct writer *writer, const CUpti_Activity *record) {
  switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case CUPTI_ACTIVITY_KIND_KERNEL:
      write_kernel(writer, (const kernel_record *)record);
      break;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      write_copy(writer, (const copy_record *)record);
      break;
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const fill_record *fill = (const fill_record *)record;
      write_work(writer, "fill", "fill", stream_number(&writer->records, fill->streamId),
                 fill->correlationId, fill->start, fill->end,
                 json_pack("{s:I}", "bytes", (json_int_t)fill->bytes));
      break;
    }
    case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER:
      write_pages(writer, (const pages_record *)record);
      break;
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      write_call(writer, (const call_record *)record);
      break;
    default:
      break;
  }
}

/* The recording goes on: the process is there for it alone, and cuptiActivityDisable of CUDA 13.0
 * crashed in runners on an H100. */
json_t *activity_end(void) {
  cudaDeviceSynchronize();
  cupti.ActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  struct writer writer = {.events = json_array()};
  writer.trace = (struct trace_events){.context = &writer, .write = write_event};
  bool whole = recording.asked <= MAX_BUFFERS && read_buffers(&writer.records) &&
               writer.records.count <= MAX_RECORDS;
  trace_events_begin(&writer.trace);
  for (size_t i = 0; i < writer.records.count && whole; i++)
    write_record(&writer, writer.records.items[i]);
  records_free(&writer.records);
  drop_buffers();
  json_t *trace = whole && !writer.failed ? json_pack("{s:s, s:O}", "displayTimeUnit", "ns",
                                                      "traceEvents", writer.events)
                                          : NULL;
  json_decref(writer.events);
  return trace;
}

#else

const char *activity_begin(void) {
  return "the kit was built without CUPTI: install the CUDA Toolkit's part cuda-cupti-dev, which "
         "has cupti.h, and build it again (make clean)";
}

json_t *activity_end(void) { return NULL; }

#endif
