/* client.c: device.h for a device in another process: a message and its answer each (wire.h).
 *
 * Linked into runners in place of the device. Sticky error and time come with every answer, so that
 * asking for them costs nothing. What can fault, as a copy from or to an address of the
 * submission's may, happens between messages, never inside one, so that a crash can be reported.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/base/backend.h"
#include "harness/base/exchange.h"
#include "harness/base/job.h"
#include "harness/sim/base/hold.h"
#include "harness/sim/device/device.h"
#include "harness/sim/remote/device_process.h"
#include "harness/sim/remote/wire.h"
#include "harness/sim/runtime/backlog.h"
#include "harness/sim/runtime/host_buffers.h"
#include "harness/sim/runtime/managed.h"
#include "harness/sim/runtime/runtime.h"

struct device {
  pthread_mutex_t lock; /* one request at a time */
  int socket;           /* -1: not connected */
  uint64_t key, number; /* for seals; number: of the last message */
  bool called;          /* started by the grader for a job: reports do not come here */
  unsigned char *window;
  struct device_info info;
  _Atomic int error;
  struct wire_writer out;
  struct wire_inbox in;
  struct wire_reader values; /* of the last message received, behind the device's state */
  int passed;                /* the descriptor that came with it, or -1 */
  _Atomic bool waits;        /* a launch waits for others (device_waits) */
};

static struct device remote = {.lock = PTHREAD_MUTEX_INITIALIZER, .socket = -1};

/* Runs before any code of the submission: has the grader started a device? */
static void look_at_arguments(int argc, char **argv, char **environment) {
  (void)environment;
  remote.called = argc >= 2 && strcmp(argv[1], "--calls") == 0;
}
__attribute__((section(".preinit_array"), used)) static void (*first)(int, char **,
                                                                      char **) = look_at_arguments;

/* Exits without running any code of the submission, which could call the device again. In a job the
 * grader knows why. */
static _Noreturn void device_lost(const char *why) {
  fflush(NULL);
  if (!remote.called) fprintf(stderr, "kit: the simulated device is gone: %s\n", why);
  _exit(2);
}

/* The socket failed, or the device has closed its end. */
static _Noreturn void connection_lost(void) {
  bool closed = !errno || errno == ECONNRESET || errno == EPIPE;
  device_lost(closed ? device_process_end() : strerror(errno));
}

/* The calling thread's number. */
static uint32_t thread_number(void) {
  static _Atomic uint32_t threads;
  static _Thread_local uint32_t number;
  if (!number) number = ++threads;
  return number;
}

static struct wire_writer *request(struct device *device, enum wire_type type) {
  wire_begin(&device->out, type);
  return &device->out;
}

/* Sends the request under construction, which takes no more room than a message has. */
static void send_out(struct device *device) {
  if (wire_send_sealed(device->socket, &device->out, device->key, ++device->number,
                       thread_number()) != 0)
    connection_lost();
}

static bool receive(struct device *device) {
  errno = 0;
  if (wire_receive(device->socket, &device->in, wire_limit_out, &device->passed) != 1) return false;
  device->values = (struct wire_reader){device->in.payload, device->in.header.bytes, false};
  device->error = wire_get_i32(&device->values);
  return true;
}

/* Waits for the next message of this type or the other. Passes on what kernels print before it. */
static enum wire_type await(struct device *device, enum wire_type type, enum wire_type other) {
  for (;;) {
    if (!receive(device)) connection_lost();
    enum wire_type got = device->in.header.type;
    size_t length;
    if (got == type || got == other) return got;
    if (got != WIRE_PRINTED) device_lost("it sent a message that this program does not know");
    const void *text = wire_get_text(&device->values, WIRE_MAX_TEXT_BYTES, &length);
    fwrite(text, 1, length, stdout);
  }
}

/* Sends the request and waits for its result: returns the code, behind which device->values are. */
static int ask(struct device *device) {
  if (device->out.failed) { /* no real call is that large */
    device->values = (struct wire_reader){.bad = true};
    return cudaErrorInvalidValue;
  }
  send_out(device);
  await(device, WIRE_RESULT, WIRE_RESULT);
  return wire_get_i32(&device->values);
}

/* Opening */

/* ./grade run has started a device, too. */
static bool has_device(void) { return getenv("KIT_DEVICE_OPEN") != NULL; }

static void crashed(const char *message, const uint64_t *places, int count);

static void connect_device(struct device *device) {
  crash_listen(crashed);
  device->socket = device->called || has_device() ? EXCHANGE_DEVICE_FD : device_process_start();
  if (!receive(device) || device->passed < 0) device_lost("it could not be started");
  uint32_t version = wire_get_u32(&device->values);
  wire_get(&device->values, &device->info, sizeof device->info);
  device->key = wire_get_u64(&device->values);
  if (version != WIRE_VERSION || !wire_complete(&device->values))
    device_lost("it is of another version than this program: run make again");
  device->window =
      mmap(NULL, WIRE_WINDOW_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, device->passed, 0);
  if (device->window == MAP_FAILED) device_lost("out of memory");
  close(device->passed);
}

/* 0: none, or no number that CUDA takes. */
static uint32_t connections_wished(const char *variable) {
  const char *wish = getenv(variable);
  char *end;
  unsigned long connections = wish ? strtoul(wish, &end, 10) : 0;
  return !wish || end == wish || *end || connections > MAX_CONNECTIONS ? 0 : (uint32_t)connections;
}

/* By hand CUDA would start now, and look at the environment of the program, which may have set this
 * itself. In a grading it has started before. */
static void tell_connections(struct device *device) {
  uint32_t kernels = connections_wished("CUDA_DEVICE_MAX_CONNECTIONS"),
           copies = connections_wished("CUDA_DEVICE_MAX_COPY_CONNECTIONS");
  if (device->called || (!kernels && !copies)) return;
  struct wire_writer *said = request(device, WIRE_CONNECTIONS);
  wire_put_u32(said, kernels);
  wire_put_u32(said, copies ? copies : kernels);
  ask(device);
}

struct device *device_open(const struct device_options *options) {
  (void)options; /* the device reads them itself */
  HOLD(&remote.lock);
  if (remote.socket < 0) {
    connect_device(&remote);
    tell_connections(&remote);
  }
  return &remote;
}

void device_close(struct device *device) {
  HOLD(&device->lock);
  request(device, WIRE_RESET);
  ask(device);
  tell_connections(device);
  device->waits = false;
}

/* After main, and after everything else that may use the device: what was found is told before the
 * program ends. $KIT_STRICT=1: if there were faults, it ends with status 1. */
__attribute__((destructor(101))) static void end_program(void) {
  struct device *device = &remote;
  if (device->socket < 0 || device->called) return;
  backlog_drop();
  HOLD(&device->lock);
  fflush(NULL);
  request(device, WIRE_END);
  const char *strict = getenv("KIT_STRICT");
  bool found = ask(device) == cudaSuccess && wire_get_u32(&device->values) > 0;
  if (found && strict && strcmp(strict, "1") == 0) _exit(1);
}

void device_get_info(const struct device *device, struct device_info *info) {
  *info = device->info;
}
int device_error(const struct device *device) { return device->error; }

int device_file_number(struct device *device, const char *path) {
  HOLD(&device->lock);
  if (device->called) return 0;
  wire_put_text(request(device, WIRE_FILE), path, strlen(path));
  return ask(device) == cudaSuccess ? (int)wire_get_u32(&device->values) : 0;
}

/* Memory */

static int allocate(struct device *device, enum wire_type type, size_t bytes, int line,
                    uint64_t *address) {
  struct wire_writer *out = request(device, type);
  wire_put_u64(out, bytes);
  wire_put_i32(out, line);
  int code = ask(device);
  *address = wire_get_u64(&device->values);
  return code;
}

int device_malloc(struct device *device, size_t bytes, struct source_place place,
                  uint64_t *address) {
  HOLD(&device->lock);
  return allocate(device, WIRE_MALLOC, bytes, place.line, address);
}

int device_malloc_managed(struct device *device, size_t bytes, struct source_place place,
                          uint64_t *address, int *pages) {
  HOLD(&device->lock);
  int code = allocate(device, WIRE_MALLOC_MANAGED, bytes, place.line, address);
  *pages = device->passed;
  if (!code && *pages < 0) device_lost("it sent no memory to share");
  return code;
}

int device_variable_pages(struct device *device, uint64_t address, int *pages) {
  HOLD(&device->lock);
  wire_put_u64(request(device, WIRE_VARIABLE_PAGES), address);
  int code = ask(device);
  *pages = device->passed;
  return code || *pages >= 0 ? code : (int)cudaErrorMemoryAllocation;
}

int device_free(struct device *device, uint64_t address) {
  HOLD(&device->lock);
  wire_put_u64(request(device, WIRE_FREE), address);
  return ask(device);
}

/* Copies `bytes` bytes of the rows, from byte `done` on, to or from the window. */
static void through_window(struct device *device, char *host, size_t pitch, size_t width,
                           size_t done, size_t bytes, bool to_window) {
  unsigned char *window = device->window;
  while (bytes > 0) {
    size_t column = done % width, now = width - column < bytes ? width - column : bytes;
    char *at = host + done / width * pitch + column;
    if (to_window)
      memcpy(window, at, now);
    else
      memcpy(at, window, now);
    window += now;
    done += now;
    bytes -= now;
  }
}

static void put_issue(struct device *device, const struct device_issue *issue) {
  struct wire_writer *out = &device->out;
  wire_put_u32(out, issue->stream);
  wire_put_i32(out, issue->line);
  wire_put_u32(out, (uint32_t)issue->host_waits | (uint32_t)issue->staged << 1 |
                        (uint32_t)issue->of_library << 2 | (uint32_t)issue->pageable << 3);
  wire_put_u64(out, issue->host);
  wire_put_u64(out, issue->host_pitch);
}

static void put_rows(struct wire_writer *out, uint64_t address, size_t pitch, size_t width,
                     size_t rows) {
  wire_put_u64(out, address);
  wire_put_u64(out, pitch);
  wire_put_u64(out, width);
  wire_put_u64(out, rows);
}

/* Copies between host and device, a window at a time. */
static int copy_host(struct device *device, struct device_issue *issue, enum wire_type type,
                     uint64_t address, size_t pitch, char *host, size_t host_pitch, size_t width,
                     size_t rows) {
  size_t bytes, done = 0;
  int code;
  HOLD(&device->lock);
  if (__builtin_mul_overflow(width, rows, &bytes)) return cudaErrorInvalidValue;
  do {
    size_t now = bytes - done < WIRE_WINDOW_BYTES ? bytes - done : WIRE_WINDOW_BYTES;
    if (type == WIRE_WRITE) through_window(device, host, host_pitch, width, done, now, true);
    struct wire_writer *out = request(device, done ? WIRE_MORE : type);
    if (!done) {
      put_rows(out, address, pitch, width, rows);
      put_issue(device, issue);
    }
    code = ask(device);
    if (code) break;
    if (!done) issue->copy = wire_get_u64(&device->values);
    if (type == WIRE_READ) through_window(device, host, host_pitch, width, done, now, false);
    done += now;
  } while (done < bytes);
  return code;
}

int device_write_rows(struct device *device, struct device_issue *issue, uint64_t to,
                      size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                      size_t rows) {
  return copy_host(device, issue, WIRE_WRITE, to, to_pitch, (char *)(uintptr_t)from, from_pitch,
                   width, rows);
}

int device_read_rows(struct device *device, struct device_issue *issue, void *to, size_t to_pitch,
                     uint64_t from, size_t from_pitch, size_t width, size_t rows) {
  return copy_host(device, issue, WIRE_READ, from, from_pitch, to, to_pitch, width, rows);
}

int device_copy_rows(struct device *device, struct device_issue *issue, uint64_t to,
                     size_t to_pitch, uint64_t from, size_t from_pitch, size_t width, size_t rows) {
  HOLD(&device->lock);
  struct wire_writer *out = request(device, WIRE_COPY);
  wire_put_u64(out, to);
  wire_put_u64(out, to_pitch);
  put_rows(out, from, from_pitch, width, rows);
  put_issue(device, issue);
  return ask(device);
}

int device_fill_rows(struct device *device, struct device_issue *issue, uint64_t address,
                     size_t pitch, unsigned char value, size_t width, size_t rows) {
  HOLD(&device->lock);
  struct wire_writer *out = request(device, WIRE_FILL);
  put_rows(out, address, pitch, width, rows);
  wire_put_u32(out, value);
  put_issue(device, issue);
  return ask(device);
}

int device_set_heap(struct device *device, size_t bytes) {
  HOLD(&device->lock);
  wire_put_u64(request(device, WIRE_HEAP), bytes);
  return ask(device);
}

int device_set_pending(struct device *device, size_t launches) {
  HOLD(&device->lock);
  wire_put_u64(request(device, WIRE_PENDING), launches);
  return ask(device);
}

int device_mapping(struct device *device, const struct mapping_request *r, uint64_t *stored) {
  HOLD(&device->lock);
  struct wire_writer *out = request(device, WIRE_MAPPING);
  wire_put_u32(out, r->call);
  wire_put_u32(out, (uint32_t)r->access);
  wire_put_u64(out, r->address);
  wire_put_u64(out, r->bytes);
  wire_put_u64(out, r->handle);
  wire_put_i32(out, r->line);
  int code = ask(device);
  *stored = wire_get_u64(&device->values);
  return code;
}

int device_graph_memory(struct device *device, enum graph_memory_call call, size_t bytes, int line,
                        uint64_t *address) {
  HOLD(&device->lock);
  struct wire_writer *out = request(device, WIRE_GRAPH_MEMORY);
  wire_put_u32(out, call);
  wire_put_u64(out, bytes);
  wire_put_u64(out, *address);
  wire_put_i32(out, line);
  int code = ask(device);
  *address = wire_get_u64(&device->values);
  return code;
}

int device_find_array(struct device *device, uint64_t address, uint64_t *start, uint64_t *bytes) {
  HOLD(&device->lock);
  wire_put_u64(request(device, WIRE_FIND_ARRAY), address);
  int code = ask(device);
  *start = wire_get_u64(&device->values);
  *bytes = wire_get_u64(&device->values);
  return code;
}

int device_memory_info(struct device *device, size_t *free_bytes, size_t *total_bytes) {
  HOLD(&device->lock);
  request(device, WIRE_MEMORY);
  int code = ask(device);
  *free_bytes = wire_get_u64(&device->values);
  *total_bytes = wire_get_u64(&device->values);
  return code;
}

/* Modules and launches */

int device_load_module(struct device *device, const char *ptx, size_t length, int *module,
                       char *error, size_t error_size) {
  HOLD(&device->lock);
  *module = -1;
  if (length > WIRE_MAX_TEXT_BYTES - 64) {
    snprintf(
        error, error_size,
        "what the compiler made of this file's kernels and variables is longer than %d MiB. Do "
        "not give large arrays their values in the file: fill them when the program runs",
        WIRE_MAX_TEXT_BYTES >> 20);
    return cudaErrorInvalidKernelImage;
  }
  wire_put_text(request(device, WIRE_MODULE), ptx, length);
  int code = ask(device);
  *module = wire_get_i32(&device->values);
  wire_get_string(&device->values, error, error_size);
  return code;
}

static struct wire_writer *request_named(struct device *device, enum wire_type type, int module,
                                         const char *name) {
  struct wire_writer *out = request(device, type);
  wire_put_i32(out, module);
  wire_put_text(out, name, strlen(name));
  return out;
}

int device_get_symbol(struct device *device, int module, const char *name, uint64_t *address,
                      size_t *bytes) {
  HOLD(&device->lock);
  request_named(device, WIRE_SYMBOL, module, name);
  int code = ask(device);
  *address = wire_get_u64(&device->values);
  *bytes = wire_get_u64(&device->values);
  return code;
}

int device_get_kernel(struct device *device, int module, const char *kernel,
                      struct kernel_info *info) {
  HOLD(&device->lock);
  request_named(device, WIRE_KERNEL, module, kernel);
  int code = ask(device);
  wire_get(&device->values, info, sizeof *info);
  return code;
}

int device_set_max_shared(struct device *device, int module, const char *kernel, size_t bytes) {
  HOLD(&device->lock);
  wire_put_u64(request_named(device, WIRE_SHARED, module, kernel), bytes);
  return ask(device);
}

int device_launch(struct device *device, const struct launch *launch) {
  HOLD(&device->lock);
  struct wire_writer *out = request_named(device, WIRE_LAUNCH, launch->module, launch->kernel);
  for (int i = 0; i < 3; i++) wire_put_u32(out, launch->grid[i]);
  for (int i = 0; i < 3; i++) wire_put_u32(out, launch->block[i]);
  wire_put_u64(out, launch->shared_bytes);
  wire_put_text(out, launch->params, launch->param_bytes);
  wire_put_i32(out, launch->place.line);
  wire_put_u32(out, launch->stream);
  wire_put_u32(out, (uint32_t)launch->cooperative | (uint32_t)launch->beside_host << 1);
  int code = ask(device);
  if (wire_get_u32(&device->values)) device->waits = true;
  return code;
}

bool device_waits(struct device *device) { return device->waits; }

/* Its process sees that itself. */
void device_has_news(struct device *device) { (void)device; }

void device_go_on(struct device *device, enum device_patience patience,
                  struct device_waiting *left) {
  HOLD(&device->lock);
  wire_put_u32(request(device, WIRE_GO_ON), patience);
  ask(device);
  left->moved = wire_get_u32(&device->values);
  uint32_t count = wire_get_u32(&device->values);
  left->count = count < MAX_WAITING ? (int)count : MAX_WAITING;
  for (int i = 0; i < left->count; i++) left->streams[i] = wire_get_u32(&device->values);
  device->waits = count > 0;
}

int device_library_call(struct device *device, const struct library_call *call, bool *runs) {
  HOLD(&device->lock);
  struct wire_writer *out = request(device, WIRE_LIBRARY);
  wire_put_text(out, call->function, strlen(call->function));
  wire_put_i32(out, call->line);
  wire_put_u32(out, call->stream);
  wire_put_u32(out, (uint32_t)call->goes_on | (uint32_t)call->on_tensor_cores << 1);
  wire_put_f64(out, call->operations);
  wire_put_f64(out, call->bytes);
  wire_put_u32(out, (uint32_t)call->operand_count);
  for (int i = 0; i < call->operand_count; i++) {
    const struct library_operand *o = &call->operands[i];
    wire_put_text(out, o->name, strlen(o->name));
    put_rows(out, o->address, o->pitch, o->width, o->rows);
    wire_put_u64(out, o->element);
    wire_put_u32(out, (uint32_t)o->reads | (uint32_t)o->writes << 1);
  }
  int code = ask(device);
  *runs = wire_get_u32(&device->values);
  return code;
}

/* Streams and events */

static int ask_about(struct device *device, enum wire_type type, uint32_t number) {
  HOLD(&device->lock);
  wire_put_u32(request(device, type), number);
  return ask(device);
}

int device_synchronize(struct device *device) {
  HOLD(&device->lock);
  request(device, WIRE_SYNC);
  int code = ask(device);
  return code ? code : device->error;
}

int device_stream_create(struct device *device, const struct device_stream *made,
                         uint32_t *stream) {
  HOLD(&device->lock);
  struct wire_writer *out = request(device, WIRE_STREAM);
  wire_put_u32(out, made->non_blocking);
  wire_put_i32(out, made->priority);
  wire_put_i32(out, made->line);
  int code = ask(device);
  *stream = wire_get_u32(&device->values);
  return code;
}

int device_stream_destroy(struct device *device, uint32_t stream) {
  return ask_about(device, WIRE_STREAM_END, stream);
}

int device_stream_synchronize(struct device *device, uint32_t stream) {
  return ask_about(device, WIRE_STREAM_SYNC, stream);
}

int device_stream_query(struct device *device, uint32_t stream) {
  return ask_about(device, WIRE_STREAM_QUERY, stream);
}

int device_host_function(struct device *device, uint32_t stream) {
  return ask_about(device, WIRE_HOST_FUNCTION, stream);
}

static void put_event(struct device *device, const struct device_event *event) {
  wire_put_u32(&device->out, event->number);
  wire_put_u32(&device->out, event->mark);
}

static int ask_about_event(struct device *device, enum wire_type type,
                           const struct device_event *event) {
  HOLD(&device->lock);
  request(device, type);
  put_event(device, event);
  return ask(device);
}

int device_stream_wait(struct device *device, uint32_t stream, const struct device_event *event) {
  HOLD(&device->lock);
  wire_put_u32(request(device, WIRE_STREAM_WAIT), stream);
  put_event(device, event);
  return ask(device);
}

int device_event_create(struct device *device, int line, struct device_event *event) {
  HOLD(&device->lock);
  wire_put_i32(request(device, WIRE_EVENT), line);
  int code = ask(device);
  event->number = wire_get_u32(&device->values);
  event->mark = 0;
  return code;
}

int device_event_record(struct device *device, struct device_event *event, uint32_t stream) {
  HOLD(&device->lock);
  wire_put_u32(request(device, WIRE_RECORD), stream);
  put_event(device, event);
  wire_put_u32(&device->out, event->timed);
  int code = ask(device);
  if (code) return code;
  event->number = wire_get_u32(&device->values);
  event->mark = wire_get_u32(&device->values);
  return cudaSuccess;
}

int device_event_destroy(struct device *device, const struct device_event *event) {
  return ask_about_event(device, WIRE_EVENT_END, event);
}

int device_event_synchronize(struct device *device, const struct device_event *event) {
  return ask_about_event(device, WIRE_EVENT_SYNC, event);
}

int device_event_query(struct device *device, const struct device_event *event) {
  return ask_about_event(device, WIRE_EVENT_QUERY, event);
}

int device_event_elapsed(struct device *device, const struct device_event *start,
                         const struct device_event *stop, double *ns) {
  HOLD(&device->lock);
  request(device, WIRE_ELAPSED);
  put_event(device, start);
  put_event(device, stop);
  int code = ask(device);
  *ns = wire_get_f64(&device->values);
  return code;
}

bool device_copy_is_done(struct device *device, uint64_t copy) {
  HOLD(&device->lock);
  wire_put_u64(request(device, WIRE_DONE), copy);
  ask(device);
  return wire_get_u32(&device->values);
}

void device_report_touch(struct device *device, const struct device_touch *touch) {
  HOLD(&device->lock);
  struct wire_writer *out = request(device, WIRE_TOUCH);
  wire_put_i32(out, touch->line);
  wire_put_u32(out, (uint32_t)touch->into_device | (uint32_t)touch->writes << 1);
  wire_put_u64(out, touch->offset);
  ask(device);
}

enum array_use device_array_use(struct device *device, uint64_t address) {
  HOLD(&device->lock);
  wire_put_u64(request(device, WIRE_ARRAY_USE), address);
  ask(device);
  return wire_get_u32(&device->values);
}

void device_host_access(struct device *device, uint64_t address, bool writes) {
  HOLD(&device->lock);
  struct wire_writer *out = request(device, WIRE_HOST_ACCESS);
  wire_put_u64(out, address);
  wire_put_u32(out, writes);
  ask(device);
}

int device_prefetch(struct device *device, const struct device_issue *issue, uint64_t address,
                    size_t bytes, bool to_device) {
  HOLD(&device->lock);
  struct wire_writer *out = request(device, WIRE_PREFETCH);
  wire_put_u64(out, address);
  wire_put_u64(out, bytes);
  wire_put_u32(out, to_device);
  wire_put_u32(out, issue->stream);
  wire_put_i32(out, issue->line);
  return ask(device);
}

int device_pin(struct device *device, int line, enum timeline_pin what, size_t bytes) {
  HOLD(&device->lock);
  struct wire_writer *out = request(device, WIRE_PIN);
  wire_put_i32(out, line);
  wire_put_u32(out, what);
  wire_put_u64(out, bytes);
  return ask(device);
}

/* Events from this side */

/* The device's process reports to the grader, and to nobody if it was started by hand. */
void device_listen(struct device *device, const struct device_listener *listener) {
  (void)device, (void)listener;
}

void device_report_hazard(struct device *device, const struct hazard *hazard) {
  HOLD(&device->lock);
  struct wire_writer *out = request(device, WIRE_HAZARD);
  wire_put_u32(out, hazard->kind);
  wire_put_i32(out, hazard->line);
  wire_put_text(out, hazard->message, strlen(hazard->message));
  send_out(device);
}

/* Host code crashed. Runs in a signal handler, while this thread or another may be in a request:
 * takes no lock, and sends little enough to stay in one piece. */
static void crashed(const char *message, const uint64_t *places, int count) {
  struct wire_writer out = {0};
  wire_begin(&out, WIRE_CRASH);
  wire_put_text(&out, message, strlen(message));
  wire_put_text(&out, places, (size_t)count * sizeof *places);
  if (remote.socket >= 0) wire_send_sealed(remote.socket, &out, remote.key, 0, 0);
  wire_free(&out);
  if (remote.called || remote.socket < 0) return;
  /* By hand: when we are gone, so is the device. It tells what was found, and closes its end. */
  char byte;
  shutdown(remote.socket, SHUT_WR);
  while (read(remote.socket, &byte, 1) > 0) continue;
}

/* The calls of a job, for backend.h */

/* The kernels are registered: the first call may come. */
static void begin_calls(struct device *device) {
  registration_load_all();
  HOLD(&device->lock);
  request(device, WIRE_READY);
  if (device->called) send_out(device);
}

static json_t *receive_call(struct device *device) {
  HOLD(&device->lock);
  if (!device->called || await(device, WIRE_CALL, WIRE_GOODBYE) == WIRE_GOODBYE) return NULL;
  size_t length;
  const char *text = wire_get_text(&device->values, WIRE_MAX_TEXT_BYTES, &length);
  json_t *call = json_loadb(text, length, 0, NULL);
  if (!call) device_lost("its call cannot be parsed");
  return call;
}

bool backend_next_call(json_t **call) {
  static bool ready;
  struct device *device = runtime_device();
  if (!ready) begin_calls(device);
  ready = true;
  *call = receive_call(device);
  if (json_is_true(json_object_get(*call, "fresh"))) runtime_renewed();
  return *call != NULL;
}

void backend_returned(int error, bool returned) {
  const char *function = error ? runtime_failed_function() : NULL;
  struct device *device = runtime_device();
  if (!function) function = "";
  managed_report();
  host_buffers_settle();
  if (!returned) host_buffers_call_ends();
  fflush(stdout); /* the grader may end us as soon as it has what it wants */
  HOLD(&device->lock);
  struct wire_writer *out = request(device, WIRE_RETURNED);
  wire_put_i32(out, error);
  wire_put_u32(out, returned);
  wire_put_text(out, function, strlen(function));
  send_out(device);
}
