/* client.c: device.h for a device in another process: every function is a message and its answer
 * (wire.h).
 *
 * Linked into runners in place of the device. Sticky error and time come with every answer, so that
 * asking for them costs nothing. What can fault, as a copy from or to an address of the
 * submission's may, happens between messages, never inside one: a crash can then still be reported.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/base/exchange.h"
#include "harness/sim/device/device.h"
#include "harness/sim/remote/client.h"
#include "harness/sim/remote/wire.h"

struct device {
  pthread_mutex_t lock; /* one request at a time */
  int socket;           /* -1: not connected */
  bool tracks; /* there are streams, or copies that use host memory: only then does the order of
                  waiting matter */
  uint64_t key, number; /* for seals; number: of the last message */
  bool called;          /* started by the grader for a job: reports do not come here */
  unsigned char *window;
  struct device_info info;
  _Atomic int error;
  double time_ns;
  struct wire_writer out;
  struct wire_inbox in;
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

static pthread_mutex_t *take(pthread_mutex_t *lock) {
  pthread_mutex_lock(lock);
  return lock;
}
static void release(pthread_mutex_t **lock) { pthread_mutex_unlock(*lock); }
#define HOLD(device) \
  __attribute__((cleanup(release), unused)) pthread_mutex_t *held = take(&(device)->lock)

/* The calling thread's number. */
static uint32_t thread_number(void) {
  static _Atomic uint32_t threads;
  static _Thread_local uint32_t number;
  if (!number) number = ++threads;
  return number;
}

/* Sends what is in device->out. 0, or -1 with errno set. */
static int send_out(struct device *device) {
  if (device->out.failed) {
    errno = EMSGSIZE;
    return -1;
  }
  return wire_send_sealed(device->socket, &device->out, device->key, ++device->number,
                          thread_number());
}

/* Waits for the next message of this type or the other. Passes on what kernels print before it. */
static enum wire_type await(struct device *device, enum wire_type type, enum wire_type other,
                            struct wire_reader *values, int *passed) {
  for (;;) {
    errno = 0;
    if (wire_receive(device->socket, &device->in, wire_limit_out, passed) != 1)
      device_lost(errno ? strerror(errno) : "it has ended");
    *values = (struct wire_reader){device->in.payload, device->in.header.bytes, false};
    device->error = wire_get_i32(values);
    device->time_ns = wire_get_f64(values);
    enum wire_type got = device->in.header.type;
    size_t length;
    if (got == type || got == other) return got;
    if (got != WIRE_PRINTED) device_lost("it sent a message that this program does not know");
    const void *text = wire_get_text(values, WIRE_MAX_TEXT_BYTES, &length);
    fwrite(text, 1, length, stdout);
  }
}

/* Sends the request in device->out and waits for its result: returns the code and sets the reader
 * to its values. passed: receives a descriptor that comes along. */
static int ask_for(struct device *device, struct wire_reader *values, int *passed) {
  if (send_out(device) != 0) {
    if (device->out.failed) return cudaErrorInvalidValue; /* no real call is that large */
    device_lost(strerror(errno));
  }
  await(device, WIRE_RESULT, WIRE_RESULT, values, passed);
  return wire_get_i32(values);
}

static int ask(struct device *device, struct wire_reader *values) {
  return ask_for(device, values, NULL);
}

static struct wire_writer *request(struct device *device, enum wire_type type) {
  wire_begin(&device->out, type);
  return &device->out;
}

/* Opening */

static void connect_device(struct device *device) {
  int window;
  uint32_t version = 0;
  device->socket = device->called ? EXCHANGE_DEVICE_FD : device_spawn();
  if (wire_receive(device->socket, &device->in, wire_limit_out, &window) != 1 || window < 0)
    device_lost("it could not be started");
  struct wire_reader values = {device->in.payload, device->in.header.bytes, false};
  device->error = wire_get_i32(&values);
  device->time_ns = wire_get_f64(&values);
  version = wire_get_u32(&values);
  wire_get(&values, &device->info, sizeof device->info);
  device->key = wire_get_u64(&values);
  if (version != WIRE_VERSION || !wire_complete(&values))
    device_lost("it is of another version than this program: run make again");
  device->window = mmap(NULL, WIRE_WINDOW_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, window, 0);
  if (device->window == MAP_FAILED) device_lost("out of memory");
  close(window);
}

struct device *device_open(const struct device_options *options) {
  (void)options; /* the device reads them itself */
  HOLD(&remote);
  if (remote.socket < 0) connect_device(&remote);
  return &remote;
}

void device_close(struct device *device) {
  struct wire_reader values;
  HOLD(device);
  request(device, WIRE_RESET);
  ask(device, &values);
}

void device_get_info(const struct device *device, struct device_info *info) {
  *info = device->info;
}
int device_error(const struct device *device) { return device->error; }
double device_time_ns(const struct device *device) { return device->time_ns; }

/* Memory */

int device_malloc(struct device *device, size_t bytes, struct source_place place,
                  uint64_t *address) {
  struct wire_reader values;
  HOLD(device);
  struct wire_writer *out = request(device, WIRE_MALLOC);
  wire_put_u64(out, bytes);
  wire_put_i32(out, place.line);
  int code = ask(device, &values);
  *address = wire_get_u64(&values);
  return code;
}

int device_malloc_managed(struct device *device, size_t bytes, struct source_place place,
                          uint64_t *address, int *pages) {
  struct wire_reader values;
  HOLD(device);
  struct wire_writer *out = request(device, WIRE_MALLOC_MANAGED);
  wire_put_u64(out, bytes);
  wire_put_i32(out, place.line);
  int code = ask_for(device, &values, pages);
  *address = wire_get_u64(&values);
  if (!code && *pages < 0) device_lost("it sent no memory to share");
  device->tracks = true;
  return code;
}

int device_free(struct device *device, uint64_t address) {
  struct wire_reader values;
  HOLD(device);
  wire_put_u64(request(device, WIRE_FREE), address);
  return ask(device, &values);
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

/* NULL: the host waits for it. */
static void put_issue(struct device *device, const struct device_issue *issue) {
  static const struct device_issue waits = {.host_waits = true};
  if (!issue) issue = &waits;
  wire_put_u32(&device->out, issue->stream);
  wire_put_i32(&device->out, issue->line);
  wire_put_u32(&device->out, (uint32_t)issue->host_waits | (uint32_t)issue->staged << 1);
  wire_put_u64(&device->out, issue->host);
  wire_put_u64(&device->out, issue->host_pitch);
  if (issue->host && !issue->host_waits) device->tracks = true;
}

/* Copies between host and device, a window at a time. */
static int copy_host(struct device *device, struct device_issue *issue, enum wire_type type,
                     uint64_t address, size_t pitch, char *host, size_t host_pitch, size_t width,
                     size_t rows) {
  struct wire_reader values;
  size_t bytes, done = 0;
  int code;
  HOLD(device);
  if (__builtin_mul_overflow(width, rows, &bytes)) return cudaErrorInvalidValue;
  do {
    size_t now = bytes - done < WIRE_WINDOW_BYTES ? bytes - done : WIRE_WINDOW_BYTES;
    if (type == WIRE_WRITE) through_window(device, host, host_pitch, width, done, now, true);
    struct wire_writer *out = request(device, done ? WIRE_MORE : type);
    if (!done) {
      wire_put_u64(out, address);
      wire_put_u64(out, pitch);
      wire_put_u64(out, width);
      wire_put_u64(out, rows);
      put_issue(device, issue);
    }
    code = ask(device, &values);
    if (code) break;
    if (!done && issue) issue->copy = wire_get_u64(&values);
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
  struct wire_reader values;
  HOLD(device);
  struct wire_writer *out = request(device, WIRE_COPY);
  wire_put_u64(out, to);
  wire_put_u64(out, to_pitch);
  wire_put_u64(out, from);
  wire_put_u64(out, from_pitch);
  wire_put_u64(out, width);
  wire_put_u64(out, rows);
  put_issue(device, issue);
  return ask(device, &values);
}

int device_fill_rows(struct device *device, struct device_issue *issue, uint64_t address,
                     size_t pitch, unsigned char value, size_t width, size_t rows) {
  struct wire_reader values;
  HOLD(device);
  struct wire_writer *out = request(device, WIRE_FILL);
  wire_put_u64(out, address);
  wire_put_u64(out, pitch);
  wire_put_u64(out, width);
  wire_put_u64(out, rows);
  wire_put_u32(out, value);
  put_issue(device, issue);
  return ask(device, &values);
}

int device_write(struct device *device, uint64_t to, const void *from, size_t bytes) {
  return device_write_rows(device, NULL, to, bytes, from, bytes, bytes, 1);
}

int device_read(struct device *device, void *to, uint64_t from, size_t bytes) {
  return device_read_rows(device, NULL, to, bytes, from, bytes, bytes, 1);
}

int device_memory_info(struct device *device, size_t *free_bytes, size_t *total_bytes) {
  struct wire_reader values;
  HOLD(device);
  request(device, WIRE_MEMORY);
  int code = ask(device, &values);
  *free_bytes = wire_get_u64(&values);
  *total_bytes = wire_get_u64(&values);
  return code;
}

/* Modules and launches */

int device_load_module(struct device *device, const char *ptx, size_t length, int *module,
                       char *error, size_t error_size) {
  struct wire_reader values;
  HOLD(device);
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
  int code = ask(device, &values);
  *module = wire_get_i32(&values);
  wire_get_string(&values, error, error_size);
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
  struct wire_reader values;
  HOLD(device);
  request_named(device, WIRE_SYMBOL, module, name);
  int code = ask(device, &values);
  *address = wire_get_u64(&values);
  *bytes = wire_get_u64(&values);
  return code;
}

int device_get_kernel(struct device *device, int module, const char *kernel,
                      struct kernel_info *info) {
  struct wire_reader values;
  HOLD(device);
  request_named(device, WIRE_KERNEL, module, kernel);
  int code = ask(device, &values);
  wire_get(&values, info, sizeof *info);
  return code;
}

int device_set_max_shared(struct device *device, int module, const char *kernel, size_t bytes) {
  struct wire_reader values;
  HOLD(device);
  wire_put_u64(request_named(device, WIRE_SHARED, module, kernel), bytes);
  return ask(device, &values);
}

int device_launch(struct device *device, const struct launch *launch) {
  struct wire_reader values;
  HOLD(device);
  struct wire_writer *out = request_named(device, WIRE_LAUNCH, launch->module, launch->kernel);
  for (int i = 0; i < 3; i++) wire_put_u32(out, launch->grid[i]);
  for (int i = 0; i < 3; i++) wire_put_u32(out, launch->block[i]);
  wire_put_u64(out, launch->shared_bytes);
  wire_put_text(out, launch->params, launch->param_bytes);
  wire_put_i32(out, launch->place.line);
  wire_put_u32(out, launch->stream);
  return ask(device, &values);
}

/* Streams and events. Without them, and without copies that use host memory, there is nothing to
 * order. */

static int ask_about(struct device *device, enum wire_type type, uint32_t number) {
  struct wire_reader values;
  HOLD(device);
  if (!device->tracks) return device->error;
  wire_put_u32(request(device, type), number);
  return ask(device, &values);
}

int device_synchronize(struct device *device) {
  struct wire_reader values;
  HOLD(device);
  if (!device->tracks) return device->error;
  request(device, WIRE_SYNC);
  int code = ask(device, &values);
  return code ? code : device->error;
}

int device_stream_create(struct device *device, bool non_blocking, uint32_t *stream) {
  struct wire_reader values;
  HOLD(device);
  device->tracks = true;
  wire_put_u32(request(device, WIRE_STREAM), non_blocking);
  int code = ask(device, &values);
  *stream = wire_get_u32(&values);
  return code;
}

int device_stream_destroy(struct device *device, uint32_t stream) {
  return ask_about(device, WIRE_STREAM_END, stream);
}

int device_stream_synchronize(struct device *device, uint32_t stream) {
  return ask_about(device, WIRE_STREAM_SYNC, stream);
}

int device_stream_wait(struct device *device, uint32_t stream, uint32_t event) {
  struct wire_reader values;
  HOLD(device);
  struct wire_writer *out = request(device, WIRE_STREAM_WAIT);
  wire_put_u32(out, stream);
  wire_put_u32(out, event);
  return ask(device, &values);
}

int device_event_record(struct device *device, uint32_t *event, uint32_t stream) {
  struct wire_reader values;
  HOLD(device);
  if (!device->tracks) return device->error;
  struct wire_writer *out = request(device, WIRE_RECORD);
  wire_put_u32(out, *event);
  wire_put_u32(out, stream);
  int code = ask(device, &values);
  if (!code) *event = wire_get_u32(&values);
  return code;
}

int device_event_destroy(struct device *device, uint32_t event) {
  return ask_about(device, WIRE_EVENT_END, event);
}

int device_event_synchronize(struct device *device, uint32_t event) {
  return ask_about(device, WIRE_EVENT_SYNC, event);
}

bool device_copy_is_done(struct device *device, uint64_t copy) {
  struct wire_reader values;
  HOLD(device);
  wire_put_u64(request(device, WIRE_DONE), copy);
  ask(device, &values);
  return wire_get_u32(&values);
}

void device_report_touch(struct device *device, const struct device_touch *touch) {
  struct wire_reader values;
  HOLD(device);
  struct wire_writer *out = request(device, WIRE_TOUCH);
  wire_put_i32(out, touch->line);
  wire_put_u32(out, (uint32_t)touch->into_device | (uint32_t)touch->writes << 1);
  wire_put_u64(out, touch->offset);
  ask(device, &values);
}

enum array_use device_array_use(struct device *device, uint64_t address) {
  struct wire_reader values;
  HOLD(device);
  wire_put_u64(request(device, WIRE_ARRAY_USE), address);
  ask(device, &values);
  return wire_get_u32(&values);
}

void device_host_access(struct device *device, uint64_t address, bool writes) {
  struct wire_reader values;
  HOLD(device);
  struct wire_writer *out = request(device, WIRE_HOST_ACCESS);
  wire_put_u64(out, address);
  wire_put_u32(out, writes);
  ask(device, &values);
}

/* ---- events from this side, and calls of a job ---- */

/* The device's process reports to the grader, and to nobody if it was started by hand. */
void device_listen(struct device *device, const struct device_listener *listener) {
  (void)device, (void)listener;
}

void device_report_hazard(struct device *device, const struct hazard *hazard) {
  if (device->called) {
    HOLD(device);
    struct wire_writer *out = request(device, WIRE_HAZARD);
    wire_put_u32(out, hazard->kind);
    wire_put_i32(out, hazard->line);
    wire_put_text(out, hazard->message, strlen(hazard->message));
    if (send_out(device) != 0) device_lost(strerror(errno));
  } else if (hazard->kind != HAZARD_call) { /* the program can check its errors itself */
    fprintf(stderr, "%s\n", hazard->message);
  }
}

/* Runs in a signal handler, while this thread or another may be in a request: takes no lock, and
 * sends little enough to stay in one piece. */
void called_crashed(const char *message, const uint64_t *places, int count) {
  struct wire_writer out = {0};
  wire_begin(&out, WIRE_CRASH);
  wire_put_text(&out, message, strlen(message));
  wire_put_text(&out, places, (size_t)count * sizeof *places);
  if (remote.socket >= 0) wire_send_sealed(remote.socket, &out, remote.key, 0, 0);
  wire_free(&out);
}

void called_ready(void) {
  struct device *device = device_open(NULL);
  HOLD(device);
  request(device, WIRE_READY);
  if (device->called && send_out(device) != 0) device_lost(strerror(errno));
}

json_t *called_next(void) {
  struct wire_reader values;
  struct device *device = device_open(NULL);
  HOLD(device);
  if (!device->called || await(device, WIRE_CALL, WIRE_GOODBYE, &values, NULL) == WIRE_GOODBYE)
    return NULL;
  size_t length;
  const char *text = wire_get_text(&values, WIRE_MAX_TEXT_BYTES, &length);
  json_t *call = json_loadb(text, length, 0, NULL);
  if (!call) device_lost("its call cannot be parsed");
  return call;
}

void called_returned(int error, const char *function) {
  struct device *device = device_open(NULL);
  HOLD(device);
  struct wire_writer *out = request(device, WIRE_RETURNED);
  wire_put_i32(out, error);
  wire_put_text(out, function, strlen(function));
  if (send_out(device) != 0) device_lost(strerror(errno));
}
