/* device_library.c: calls of libraries whose kernels are not simulated: their operands are checked
 * as a kernel's accesses would be, and they take the time of the GPU's ceiling. */
#include <math.h>
#include <stdio.h>

#include "harness/sim/base/source_places.h"
#include "harness/sim/device/state.h"
#include "harness/sim/exec/access.h"

/* Starts a hazard about an operand; NULL: it is known already. */
static struct hazard *note(struct hazard_list *list, enum hazard_kind kind,
                           const struct library_call *call, const char *array) {
  bool fresh;
  struct hazard *h = hazard_note(list, kind, call->line, 0, array, 1, &fresh);
  return h && fresh ? h : NULL;
}

static const char *verb(const struct library_operand *o) { return o->writes ? "writes" : "reads"; }

/* Where the operand is no device memory. Such an access is one to a page that is not mapped. */
static int note_wild(struct hazard_list *list, const struct library_call *call,
                     const struct library_operand *o) {
  bool device = address_is_device(o->address);
  enum hazard_kind kind = !o->address ? HAZARD_null
                          : device    ? HAZARD_use_after_free
                                      : HAZARD_host_pointer;
  struct hazard *h = note(list, kind, call, o->name);
  if (h)
    snprintf(h->message, sizeof h->message, "%s %s its operand %s, but that pointer %s",
             call->function, verb(o), o->name,
             !o->address ? "is null. Allocate the array with cudaMalloc first."
             : device    ? "is to memory that cudaFree has freed, or that was never allocated."
                         : "is not to device memory. Allocate the array with cudaMalloc, and copy "
                           "what it holds with cudaMemcpy.");
  return cudaErrorIllegalAddress;
}

/* Where it leaves its array by so many bytes; far away no page is mapped. */
static int note_bounds(struct hazard_list *list, const struct library_call *call,
                       const struct library_operand *o, const struct allocation *a, size_t bytes) {
  struct hazard *h = note(list, HAZARD_oob, call, a->name);
  bool before = o->address < a->address;
  size_t start = o->address - a->address;
  long long first = before ? -(long long)((a->address - o->address) / o->element)
                           : (long long)(start / o->element);
  if (h)
    snprintf(h->message, sizeof h->message,
             "%s %s elements %lld to %lld of %s (its operand %s), but that has %zu elements of %zu "
             "bytes. Compare the dimensions, the leading dimension (or increment) and the size of "
             "the array. The call has done nothing.",
             call->function, verb(o), first, first + (long long)(bytes / o->element) - 1, a->name,
             o->name, a->size / o->element, o->element);
  return before || start + bytes > a->size + MAPPED_SLACK ? cudaErrorIllegalAddress : cudaSuccess;
}

/* Finds the array of an operand; *runs becomes false if it is in none. Returns a sticky error. */
static int find_operand(struct device *device, const struct library_call *call,
                        const struct library_operand *o, struct hazard_list *list,
                        struct allocation **found, bool *runs) {
  size_t bytes;
  if (o->rows == 0 || o->width == 0 || o->pitch < o->width ||
      __builtin_mul_overflow(o->pitch, o->rows - 1, &bytes) ||
      __builtin_add_overflow(bytes, o->width, &bytes))
    return cudaErrorInvalidValue;
  *found = memory_find(device->memory, o->address, bytes);
  if (*found) return cudaSuccess;
  *runs = false;
  const struct allocation *a = memory_window(device->memory, o->address);
  return a && a->live ? note_bounds(list, call, o, a, bytes) : note_wild(list, call, o);
}

static bool is_written(const struct allocation *a, size_t byte) {
  return a->initialised[byte / 4] >> byte % 4 & 1;
}

static void check_written(const struct library_call *call, const struct library_operand *o,
                          const struct allocation *a, struct hazard_list *list) {
  if (!o->reads || a->all_initialised) return;
  uint64_t elements = 0;
  size_t first = 0;
  for (size_t row = 0; row < o->rows; row++) {
    size_t start = o->address - a->address + row * o->pitch;
    for (size_t at = start; at < start + o->width; at += o->element)
      if (!is_written(a, at) && elements++ == 0) first = at;
  }
  struct hazard *h = elements ? note(list, HAZARD_uninit, call, a->name) : NULL;
  if (!h) return;
  char what[160];
  h->count = elements;
  snprintf(h->message, sizeof h->message,
           "%s reads %s (operand %s), which nothing has written. Copy or compute it first; where "
           "beta is 0, the result is not read.",
           call->function,
           access_element_text(a, (int64_t)first, (int)o->element, what, sizeof what), o->name);
}

/* The longer of computing and moving, and what every launch takes; as a launch without counters. */
static void account_for(struct device *device, const struct library_call *call) {
  const struct gpu *gpu = &device->gpu;
  double computing = call->operations / gpu_fp32_per_ns(gpu),
         moving = call->bytes / gpu_bytes_per_ns(gpu), ns = fmax(computing, moving);
  struct launch_report report = {
      .timed = !device->untimed,
      .time_ns = fmax(gpu->model.launch_interval_ns, gpu->model.launch_gap_ns + ns),
      .place = {NULL, call->line}};
  device->time_ns += report.time_ns;
  struct timeline_work work = {.kind = TIMELINE_KERNEL,
                               .stream = call->stream,
                               .ns = report.time_ns,
                               .demand = ns > 0 ? 1 : 0,
                               .line = call->line};
  snprintf(work.name, sizeof work.name, "%s", call->function);
  timeline_issue(device->timeline, &work);
  snprintf(report.kernel, sizeof report.kernel, "%s", call->function);
  snprintf(report.bound, sizeof report.bound, "%s",
           ns < gpu->model.launch_gap_ns ? "launch"
           : moving > computing          ? "DRAM"
           : call->on_tensor_cores       ? "tensor cores"
                                         : "fp32 arithmetic");
  if (device->listener.launched) device->listener.launched(device->listener.context, &report);
}

int device_library_call(struct device *device, const struct library_call *call, bool *runs) {
  HOLD(&device->lock);
  struct allocation *allocations[MAX_LIBRARY_OPERANDS] = {0};
  struct hazard_list list = {.kernel = call->function};
  int error = device->error;
  *runs = false;
  if (error) return error;
  if (!streams_knows(device->streams, call->stream)) return cudaErrorInvalidResourceHandle;
  error = managed_import(device, call->line);
  if (error) return error;
  *runs = true;
  for (int i = 0; i < call->operand_count; i++) {
    int fault = find_operand(device, call, &call->operands[i], &list, &allocations[i], runs);
    if (fault && !error) error = fault;
  }
  if (error) *runs = false;
  if (error == cudaErrorIllegalAddress) device->error = error; /* known to who waits for it */
  if (*runs) {
    for (int i = 0; i < call->operand_count; i++)
      check_written(call, &call->operands[i], allocations[i], &list);
    error = library_race_check(device, call, allocations);
  }
  if (*runs && !call->goes_on) account_for(device, call);
  device_report_hazards(device, &list);
  return error == cudaErrorIllegalAddress ? cudaSuccess : error;
}
