/* server.c: answers the requests of a client: one function per message of wire.h. */
#include "harness/sim/remote/server.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "harness/base/array.h"
#include "harness/sim/base/source_places.h"
#include "harness/sim/device/report_json.h"
#include "harness/sim/remote/program_report.h"
#include "harness/sim/remote/timeline_trace.h"

enum { MAX_FINDINGS = 100 }; /* findings of a client's own; more add nothing */

static atomic_bool short_of_memory; /* threads of launches allocate, too */

void shortage_note(void) { short_of_memory = true; }
bool shortage_is_noted(void) { return short_of_memory; }
void shortage_forgive(void) { short_of_memory = false; }

/* Answers */

/* Every message begins with the device's state. */
static struct wire_writer *begin(struct server *server, enum wire_type type) {
  wire_begin(&server->out, type);
  wire_put_i32(&server->out, device_error(server->device));
  return &server->out;
}

/* passed: a descriptor that goes along, or -1. */
static bool send_passing(struct server *server, int passed) {
  if (server->socket >= 0 && wire_send(server->socket, &server->out, passed) != 0)
    server->broken = true;
  return !server->broken;
}

static bool send_out(struct server *server) { return send_passing(server, -1); }

static struct wire_writer *begin_result(struct server *server, int code) {
  struct wire_writer *out = begin(server, WIRE_RESULT);
  wire_put_i32(out, code);
  return out;
}

/* Events of the device */

/* Takes the object. */
static void report_hazard(struct server *server, json_t *hazard) {
  if (hazard && server->listener.hazard) server->listener.hazard(server->listener.context, hazard);
  json_decref(hazard);
}

static void launched(void *context, const struct launch_report *report) {
  const struct server_listener *listener = &((struct server *)context)->listener;
  if (listener->launched) listener->launched(listener->context, report);
}

static void runs(void *context, const char *kernel) {
  struct server *server = context;
  if (kernel)
    progress_line_begin(server->progress, kernel);
  else
    progress_line_end(server->progress);
}

static void hazard_found(void *context, const struct hazard *hazard) {
  report_hazard(context, hazard_to_json(hazard));
}

static void printed(void *context, const char *text, size_t length) {
  struct server *server = context;
  wire_put_text(begin(server, WIRE_PRINTED), text, length);
  send_out(server);
}

/* A managed array is like memory that is copied over before and after each piece of work. */
static void shared(void *context, const struct shared_contents *contents) {
  struct server *server = context;
  transfer_log_rows(&server->log, contents->by_host ? TRANSFER_IN : TRANSFER_OUT, 0,
                    &(struct transfer_rows){contents->address, contents->bytes, contents->bytes, 1},
                    contents->origins);
  transfer_log_data(&server->log, contents->data, contents->bytes);
}

static void work_ended(void *context, const struct timeline_span *span) {
  const struct server *server = context;
  if (server->trace) timeline_trace_add(server->trace, span);
}

static void host_called(void *context, const struct timeline_host_span *span) {
  const struct server *server = context;
  if (server->trace) timeline_trace_host(server->trace, span);
}

static void listen_to_device(struct server *server) {
  struct timeline_listener timeline = {0};
  if (server->trace || server->job)
    timeline = (struct timeline_listener){server, work_ended, host_called};
  device_listen(server->device, &(struct device_listener){.context = server,
                                                          .launched = launched,
                                                          .hazard = hazard_found,
                                                          .printed = printed,
                                                          .wants_accesses = server->accesses,
                                                          .runs = server->progress ? runs : NULL,
                                                          .shared = server->log.on ? shared : NULL,
                                                          .timeline = timeline});
}

/* Opening and closing */

static void welcome(struct server *server) {
  struct device_info info;
  memset(&info, 0, sizeof info);
  device_get_info(server->device, &info);
  struct wire_writer *out = begin(server, WIRE_WELCOME);
  wire_put_u32(out, WIRE_VERSION);
  wire_put(out, &info, sizeof info);
  wire_put_u64(out, server->key);
  send_passing(server, server->window.descriptor);
}

bool server_open(struct server *server, char *error, size_t size) {
  server->device = device_open(&server->options);
  if (!server->device) {
    snprintf(error, size, "out of memory or threads");
    return false;
  }
  listen_to_device(server);
  if (!shared_pages_make(&server->window, WIRE_WINDOW_BYTES, "window")) {
    snprintf(error, size, "no memory to share: %s", strerror(errno));
    return false;
  }
  if (getrandom(&server->key, sizeof server->key, 0) != sizeof server->key) {
    snprintf(error, size, "no random numbers: %s", strerror(errno));
    return false;
  }
  welcome(server); /* if the client is gone already, serving will notice */
  return true;
}

static void forget_modules(struct server *server) {
  for (int i = 0; i < server->module_count; i++) free(server->modules[i].text);
  free(server->modules);
  server->modules = NULL;
  server->module_count = server->module_room = 0;
}

void server_close(struct server *server) {
  if (server->device) device_close(server->device);
  shared_pages_close(&server->window);
  forget_modules(server);
  transfer_log_free(&server->log);
  wire_free(&server->out);
  wire_inbox_free(&server->in);
}

bool server_renew(struct server *server) {
  server->options.used = device_used(server->device);
  struct device *fresh = device_open(&server->options);
  if (!fresh) return false;
  device_close(server->device);
  server->device = fresh;
  server->copy.bytes = 0;
  listen_to_device(server);
  if (!server->job) forget_modules(server);
  bool ok = true;
  for (int i = 0; i < server->module_count && ok; i++) {
    const struct server_module *module = &server->modules[i];
    char error[512];
    int number;
    ok = device_load_module(fresh, module->text, module->length, &number, error, sizeof error) == 0;
  }
  return ok;
}

/* Requests. Each takes its values, and answers only if they are all there. */

static bool send_code(struct server *server, int code) {
  begin_result(server, code);
  return send_out(server);
}

static bool send_u32(struct server *server, int code, uint32_t value) {
  wire_put_u32(begin_result(server, code), value);
  return send_out(server);
}

static bool send_u64(struct server *server, int code, uint64_t value) {
  wire_put_u64(begin_result(server, code), value);
  return send_out(server);
}

/* A place (source_places.h) of a file that is known. */
static int check_line(int line) {
  return line > 0 && (!place_file(line) || *place_path(place_file(line))) ? line : 0;
}

static bool allocate(struct server *server, struct wire_reader *in, bool managed) {
  uint64_t bytes = wire_get_u64(in), address = 0;
  struct source_place place = {NULL, wire_get_i32(in)};
  int pages = -1;
  if (!wire_complete(in)) return false;
  int code = cudaErrorMemoryAllocation;
  if (machine_has_room(server, bytes, check_line(place.line), managed))
    code = managed ? device_malloc_managed(server->device, bytes, place, &address, &pages)
                   : device_malloc(server->device, bytes, place, &address);
  if (code)
    shortage_forgive();
  else
    code = device_spend_bytes(server->device, place.line, bytes, 1);
  wire_put_u64(begin_result(server, code), address);
  bool sent = send_passing(server, pages);
  if (pages >= 0) close(pages);
  return sent;
}

static bool do_malloc(struct server *server, struct wire_reader *in) {
  return allocate(server, in, false);
}

static bool do_malloc_managed(struct server *server, struct wire_reader *in) {
  return allocate(server, in, true);
}

static bool do_variable_pages(struct server *server, struct wire_reader *in) {
  uint64_t address = wire_get_u64(in);
  int pages = -1;
  if (!wire_complete(in)) return false;
  begin_result(server, device_variable_pages(server->device, address, &pages));
  bool sent = send_passing(server, pages);
  if (pages >= 0) close(pages);
  return sent;
}

static bool do_free(struct server *server, struct wire_reader *in) {
  uint64_t address = wire_get_u64(in);
  return wire_complete(in) && send_code(server, device_free(server->device, address));
}

/* The next bytes of the copy under way, as many as the window holds. */
static int copy_on(struct server *server) {
  struct server_copy *copy = &server->copy;
  const struct transfer_rows *rows = &copy->rows;
  unsigned char *window = server->window.data, *end = window + WIRE_WINDOW_BYTES;
  int code = 0;
  while (copy->done < copy->bytes && window < end && !code) {
    size_t column = copy->done % rows->width, bytes = rows->width - column;
    uint64_t address = rows->address + copy->done / rows->width * rows->pitch + column;
    if (bytes > (size_t)(end - window)) bytes = (size_t)(end - window);
    code = copy->to_device ? device_write_piece(server->device, address, window, bytes)
                           : device_read_piece(server->device, window, address, bytes);
    if (!code) transfer_log_data(&server->log, window, bytes);
    copy->done += bytes;
    window += bytes;
  }
  if (code || copy->done == copy->bytes) copy->bytes = 0;
  return code;
}

static int get_line(struct wire_reader *in) { return check_line(wire_get_i32(in)); }

static struct transfer_rows get_rows(struct wire_reader *in) {
  struct transfer_rows rows;
  rows.address = wire_get_u64(in);
  rows.pitch = wire_get_u64(in);
  rows.width = wire_get_u64(in);
  rows.rows = wire_get_u64(in);
  return rows;
}

/* How a copy of such rows was asked for; in->bad if its memory on the host is none. */
static struct device_issue get_issue(const struct server *server, struct wire_reader *in,
                                     const struct transfer_rows *rows) {
  struct device_issue issue = {.stream = wire_get_u32(in), .line = get_line(in)};
  uint32_t flags = wire_get_u32(in);
  issue.host_waits = flags & 1;
  issue.staged = flags & 2;
  issue.of_library = flags & 4;
  issue.pageable = flags & 8;
  issue.host = wire_get_u64(in);
  issue.host_pitch = wire_get_u64(in);
  uint64_t end;
  if (flags & ~(server->job ? 11u : 15u) ||
      (issue.host &&
       (issue.host_pitch < rows->width || issue.host > UINT64_MAX / 2 ||
        __builtin_mul_overflow(issue.host_pitch, rows->rows, &end) || end > UINT64_MAX / 4)))
    in->bad = true;
  return issue;
}

static void log_rows(struct server *server, bool to_device, int line,
                     const struct transfer_rows *rows) {
  struct transfer_runs origins = {0};
  if (!server->log.on) return;
  for (uint64_t row = 0; row < rows->rows && !to_device; row++)
    if (!device_origins(server->device, rows->address + row * rows->pitch, rows->width, &origins))
      server->log.failed = true;
  transfer_log_rows(&server->log, to_device ? TRANSFER_IN : TRANSFER_OUT, line, rows, &origins);
  free(origins.items);
}

static bool do_copy_host(struct server *server, struct wire_reader *in, bool to_device) {
  struct transfer_rows rows = get_rows(in);
  struct device_issue issue = get_issue(server, in, &rows);
  uint64_t bytes;
  if (!wire_complete(in) || __builtin_mul_overflow(rows.width, rows.rows, &bytes)) return false;
  int code = device_begin_copy(server->device, &issue, to_device, rows.address, rows.pitch,
                               rows.width, rows.rows);
  if (!code && bytes > 0) log_rows(server, to_device, issue.line, &rows);
  server->copy = (struct server_copy){to_device, rows, 0, code ? 0 : bytes};
  if (!code) code = copy_on(server);
  return send_u64(server, code, issue.copy);
}

static bool do_write(struct server *server, struct wire_reader *in) {
  return do_copy_host(server, in, true);
}

static bool do_read(struct server *server, struct wire_reader *in) {
  return do_copy_host(server, in, false);
}

static bool do_more(struct server *server, struct wire_reader *in) {
  return wire_complete(in) && server->copy.bytes > 0 && send_code(server, copy_on(server));
}

static bool do_copy(struct server *server, struct wire_reader *in) {
  struct transfer_rows to = {.address = wire_get_u64(in)}, from;
  to.pitch = wire_get_u64(in);
  from = get_rows(in);
  to.width = from.width;
  to.rows = from.rows;
  struct device_issue issue = get_issue(server, in, &from);
  if (!wire_complete(in)) return false;
  int code = device_copy_rows(server->device, &issue, to.address, to.pitch, from.address,
                              from.pitch, from.width, from.rows);
  if (!code) transfer_log_copy(&server->log, issue.line, &to, &from);
  return send_code(server, code);
}

static bool do_fill(struct server *server, struct wire_reader *in) {
  struct transfer_rows rows = get_rows(in);
  unsigned char value = (unsigned char)wire_get_u32(in);
  struct device_issue issue = get_issue(server, in, &rows);
  if (!wire_complete(in)) return false;
  int code = device_fill_rows(server->device, &issue, rows.address, rows.pitch, value, rows.width,
                              rows.rows);
  if (!code) transfer_log_fill(&server->log, issue.line, &rows, value);
  return send_code(server, code);
}

static bool do_heap(struct server *server, struct wire_reader *in) {
  uint64_t bytes = wire_get_u64(in);
  if (!wire_complete(in)) return false;
  return send_code(server, device_set_heap(server->device, bytes));
}

static bool do_pending(struct server *server, struct wire_reader *in) {
  uint64_t launches = wire_get_u64(in);
  if (!wire_complete(in)) return false;
  return send_code(server, device_set_pending(server->device, launches));
}

static bool do_connections(struct server *server, struct wire_reader *in) {
  uint32_t kernels = wire_get_u32(in), copies = wire_get_u32(in);
  if (!wire_complete(in) || server->job) return false;
  return send_code(server, device_set_connections(server->device, kernels, copies));
}

static bool do_mapping(struct server *server, struct wire_reader *in) {
  struct mapping_request request = {.call = wire_get_u32(in)};
  uint64_t stored = 0;
  request.access = (int)wire_get_u32(in);
  request.address = wire_get_u64(in);
  request.bytes = wire_get_u64(in);
  request.handle = wire_get_u64(in);
  request.line = check_line(wire_get_i32(in));
  if (!wire_complete(in) || server->job || request.call >= MAPPING_CALLS) return false;
  int code = cudaErrorMemoryAllocation;
  if (request.call != MAPPING_CREATE ||
      machine_has_room(server, request.bytes, request.line, false))
    code = device_mapping(server->device, &request, &stored);
  if (code) shortage_forgive();
  return send_u64(server, code, stored);
}

/* The bytes count, and the machine must have room, when they are allocated. */
static bool do_graph_memory(struct server *server, struct wire_reader *in) {
  uint32_t call = wire_get_u32(in);
  uint64_t bytes = wire_get_u64(in), address = wire_get_u64(in);
  int line = wire_get_i32(in);
  if (!wire_complete(in) || call >= GRAPH_MEMORY_CALLS) return false;
  int code = cudaErrorMemoryAllocation;
  if (call == GRAPH_MEMORY_FORGET || machine_has_room(server, bytes, check_line(line), false))
    code = device_graph_memory(server->device, (enum graph_memory_call)call, bytes,
                               check_line(line), &address);
  if (code)
    shortage_forgive();
  else if (call != GRAPH_MEMORY_FORGET)
    code = device_spend_bytes(server->device, check_line(line), bytes, 1);
  return send_u64(server, code, address);
}

static bool do_find_array(struct server *server, struct wire_reader *in) {
  uint64_t address = wire_get_u64(in), start, bytes;
  if (!wire_complete(in)) return false;
  int code = device_find_array(server->device, address, &start, &bytes);
  struct wire_writer *out = begin_result(server, code);
  wire_put_u64(out, start);
  wire_put_u64(out, bytes);
  return send_out(server);
}

static bool do_memory(struct server *server, struct wire_reader *in) {
  size_t free_bytes, total;
  if (!wire_complete(in)) return false;
  int code = device_memory_info(server->device, &free_bytes, &total);
  struct wire_writer *out = begin_result(server, code);
  wire_put_u64(out, free_bytes);
  wire_put_u64(out, total);
  return send_out(server);
}

/* Keeps it for the next device of a job. */
static bool keep_module(struct server *server, const char *text, size_t length) {
  if (!ARRAY_RESERVE(server->modules, server->module_room, server->module_count + 1)) return false;
  char *copy = malloc(length + 1);
  if (!copy) return false;
  memcpy(copy, text, length);
  server->modules[server->module_count++] = (struct server_module){copy, length};
  return true;
}

static bool do_module(struct server *server, struct wire_reader *in) {
  size_t length;
  char error[512] = "";
  int module = -1;
  const char *text = wire_get_text(in, WIRE_MAX_TEXT_BYTES, &length);
  if (!wire_complete(in)) return false;
  if (server->ready) {
    server->refused =
        "it registered kernels after the program had begun; they must be part of the file";
    return false;
  }
  int code = device_load_module(server->device, text, length, &module, error, sizeof error);
  if (code) shortage_forgive();
  if (!code && !keep_module(server, text, length)) return false;
  struct wire_writer *out = begin_result(server, code);
  wire_put_i32(out, code ? -1 : module);
  wire_put_text(out, error, strlen(error));
  return send_out(server);
}

/* The name of a kernel or a variable; in->bad if it is too long. */
static int get_named(struct wire_reader *in, char name[WIRE_MAX_NAME]) {
  int module = wire_get_i32(in);
  wire_get_string(in, name, WIRE_MAX_NAME);
  return module;
}

static bool do_symbol(struct server *server, struct wire_reader *in) {
  char name[WIRE_MAX_NAME];
  uint64_t address = 0;
  size_t bytes = 0;
  int module = get_named(in, name);
  if (!wire_complete(in)) return false;
  int code = device_get_symbol(server->device, module, name, &address, &bytes);
  struct wire_writer *out = begin_result(server, code);
  wire_put_u64(out, address);
  wire_put_u64(out, bytes);
  return send_out(server);
}

static bool do_kernel(struct server *server, struct wire_reader *in) {
  char name[WIRE_MAX_NAME];
  struct kernel_info info;
  memset(&info, 0, sizeof info);
  int module = get_named(in, name);
  if (!wire_complete(in)) return false;
  int code = device_get_kernel(server->device, module, name, &info);
  wire_put(begin_result(server, code), &info, sizeof info);
  return send_out(server);
}

static bool do_shared(struct server *server, struct wire_reader *in) {
  char name[WIRE_MAX_NAME];
  int module = get_named(in, name);
  uint64_t bytes = wire_get_u64(in);
  if (!wire_complete(in)) return false;
  int code = device_set_max_shared(server->device, module, name, bytes);
  if (!code) {
    char text[WIRE_MAX_NAME + 64];
    snprintf(text, sizeof text, "%s shared %llu", name, (unsigned long long)bytes);
    transfer_log_setting(&server->log, text);
  }
  return send_code(server, code);
}

static bool do_launch(struct server *server, struct wire_reader *in) {
  char name[WIRE_MAX_NAME];
  _Alignas(16) unsigned char params[WIRE_MAX_BYTES]; /* in the message they are unaligned */
  struct launch launch = {.module = get_named(in, name), .kernel = name};
  for (int i = 0; i < 3; i++) launch.grid[i] = wire_get_u32(in);
  for (int i = 0; i < 3; i++) launch.block[i] = wire_get_u32(in);
  launch.shared_bytes = wire_get_u64(in);
  const void *sent = wire_get_text(in, sizeof params, &launch.param_bytes);
  launch.place.line = wire_get_i32(in);
  launch.stream = wire_get_u32(in);
  uint32_t flags = wire_get_u32(in);
  if (!wire_complete(in) || flags > 3) return false;
  launch.cooperative = flags & 1;
  launch.beside_host = flags >> 1;
  memcpy(params, sent, launch.param_bytes);
  launch.params = params;
  transfer_log_launch(&server->log, server->device, &launch);
  int code = device_launch(server->device, &launch);
  return send_u32(server, code, device_waits(server->device)); /* after the events of the launch */
}

/* Launches that wait for others */

static bool do_go_on(struct server *server, struct wire_reader *in) {
  struct device_waiting left;
  uint32_t patience = wire_get_u32(in);
  if (!wire_complete(in) || server->job || patience > DEVICE_GIVES_UP) return false;
  device_go_on(server->device, patience, &left);
  struct wire_writer *out = begin_result(server, cudaSuccess);
  wire_put_u32(out, left.moved);
  wire_put_u32(out, (uint32_t)left.count);
  for (int i = 0; i < left.count; i++) wire_put_u32(out, left.streams[i]);
  return send_out(server);
}

/* They get their turns while no message comes: the host may store to memory, or poll it, without a
 * call. */
static void go_on_until_asked(struct server *server) {
  enum { SHORT = 20, LONG = 1000 }; /* microseconds between two looks */
  struct pollfd asked = {.fd = server->socket, .events = POLLIN};
  struct device_waiting left;
  for (long pause = SHORT; device_waits(server->device); pause *= 2) {
    device_go_on(server->device, DEVICE_WAITS, &left);
    if (left.moved) pause = SHORT;
    if (pause > LONG) pause = LONG;
    const struct timespec time = {0, left.moved ? 0 : pause * 1000};
    if (ppoll(&asked, 1, &time, NULL) != 0) return;
  }
}

static void end_waiting(struct server *server) {
  struct device_waiting left;
  while (device_waits(server->device)) device_go_on(server->device, DEVICE_ENDS, &left);
}

/* Streams and events */

static bool do_stream(struct server *server, struct wire_reader *in) {
  uint32_t non_blocking = wire_get_u32(in), stream = 0;
  struct device_stream made = {.non_blocking = non_blocking, .priority = wire_get_i32(in)};
  made.line = wire_get_i32(in);
  if (!wire_complete(in) || non_blocking > 1) return false;
  if (made.line != LINE_OF_RUNTIME) made.line = check_line(made.line);
  int code = device_stream_create(server->device, &made, &stream);
  return send_u32(server, code, stream);
}

typedef int numbered_function(struct device *device, uint32_t number);

/* Requests whose only value is the number of a stream. */
static bool do_numbered(struct server *server, struct wire_reader *in, numbered_function *act) {
  uint32_t number = wire_get_u32(in);
  return wire_complete(in) && send_code(server, act(server->device, number));
}

static struct device_event get_event(struct wire_reader *in) {
  struct device_event event = {.number = wire_get_u32(in)};
  event.mark = wire_get_u32(in);
  return event;
}

typedef int event_function(struct device *device, const struct device_event *event);

static bool do_about_event(struct server *server, struct wire_reader *in, event_function *act) {
  struct device_event event = get_event(in);
  return wire_complete(in) && send_code(server, act(server->device, &event));
}

static bool do_stream_wait(struct server *server, struct wire_reader *in) {
  uint32_t stream = wire_get_u32(in);
  struct device_event event = get_event(in);
  return wire_complete(in) && send_code(server, device_stream_wait(server->device, stream, &event));
}

static bool do_event(struct server *server, struct wire_reader *in) {
  int line = get_line(in);
  struct device_event event = {.number = 0};
  if (!wire_complete(in)) return false;
  int code = device_event_create(server->device, line, &event);
  return send_u32(server, code, event.number);
}

static bool do_record(struct server *server, struct wire_reader *in) {
  uint32_t stream = wire_get_u32(in);
  struct device_event event = get_event(in);
  event.timed = wire_get_u32(in);
  if (!wire_complete(in)) return false;
  int code = device_event_record(server->device, &event, stream);
  struct wire_writer *out = begin_result(server, code);
  wire_put_u32(out, event.number);
  wire_put_u32(out, event.mark);
  return send_out(server);
}

static bool do_elapsed(struct server *server, struct wire_reader *in) {
  struct device_event start = get_event(in), stop = get_event(in);
  double ns;
  if (!wire_complete(in)) return false;
  int code = device_event_elapsed(server->device, &start, &stop, &ns);
  wire_put_f64(begin_result(server, code), ns);
  return send_out(server);
}

static bool do_prefetch(struct server *server, struct wire_reader *in) {
  uint64_t address = wire_get_u64(in), bytes = wire_get_u64(in);
  uint32_t to_device = wire_get_u32(in);
  struct device_issue issue = {.stream = wire_get_u32(in)};
  issue.line = get_line(in);
  if (!wire_complete(in) || to_device > 1) return false;
  return send_code(server, device_prefetch(server->device, &issue, address, bytes, to_device));
}

static bool do_pin(struct server *server, struct wire_reader *in) {
  int line = get_line(in);
  uint32_t what = wire_get_u32(in);
  uint64_t bytes = wire_get_u64(in);
  if (!wire_complete(in) || what > TIMELINE_UNREGISTER) return false;
  return send_code(server, device_pin(server->device, line, what, bytes));
}

static bool do_sync(struct server *server, struct wire_reader *in) {
  return wire_complete(in) && send_code(server, device_synchronize(server->device));
}

static bool do_done(struct server *server, struct wire_reader *in) {
  uint64_t copy = wire_get_u64(in);
  return wire_complete(in) &&
         send_u32(server, cudaSuccess, device_copy_is_done(server->device, copy));
}

static bool do_touch(struct server *server, struct wire_reader *in) {
  struct device_touch touch = {.line = get_line(in)};
  uint32_t flags = wire_get_u32(in);
  touch.into_device = flags & 1;
  touch.writes = flags & 2;
  touch.offset = wire_get_u64(in);
  if (!wire_complete(in) || flags > 3) return false;
  if (server->findings++ < MAX_FINDINGS) device_report_touch(server->device, &touch);
  return send_code(server, cudaSuccess);
}

static bool do_array_use(struct server *server, struct wire_reader *in) {
  uint64_t address = wire_get_u64(in);
  return wire_complete(in) &&
         send_u32(server, cudaSuccess, device_array_use(server->device, address));
}

static bool do_host_access(struct server *server, struct wire_reader *in) {
  uint64_t address = wire_get_u64(in);
  uint32_t writes = wire_get_u32(in);
  if (!wire_complete(in) || writes > 1) return false;
  if (server->findings++ < MAX_FINDINGS) device_host_access(server->device, address, writes);
  return send_code(server, cudaSuccess);
}

static bool do_file(struct server *server, struct wire_reader *in) {
  char path[WIRE_MAX_NAME];
  wire_get_string(in, path, sizeof path);
  if (!wire_complete(in)) return false;
  return send_u32(server, cudaSuccess, (uint32_t)device_file_number(server->device, path));
}

static bool do_end(struct server *server, struct wire_reader *in) {
  if (!wire_complete(in) || !server->program) return false;
  end_waiting(server);
  device_synchronize(server->device);
  timeline_trace_end(server->trace);
  return send_u32(server, cudaSuccess, (uint32_t)program_tell(server->program));
}

static bool do_reset(struct server *server, struct wire_reader *in) {
  if (!wire_complete(in)) return false;
  if (server->job) {
    server->refused = "it reset the device, and with it what the grader has there";
    return false;
  }
  return server_renew(server) && send_code(server, cudaSuccess);
}

/* ---- what only the runner can see: it can only harm the submission itself ---- */

/* A message for people: unprintable characters become '?'. */
static void get_message(struct wire_reader *in, char *to, size_t room) {
  wire_get_string(in, to, room);
  for (unsigned char *at = (unsigned char *)to; *at; at++)
    if (*at < ' ' || *at > '~') *at = '?';
}

static bool do_hazard(struct server *server, struct wire_reader *in) {
  struct hazard hazard = {.count = 1};
  uint32_t kind = wire_get_u32(in);
  hazard.line = get_line(in);
  get_message(in, hazard.message, sizeof hazard.message);
  bool known = kind == HAZARD_unsupported || kind == HAZARD_launch || kind == HAZARD_call ||
               kind == HAZARD_leak;
  if (!wire_complete(in) || !known) return false;
  hazard.kind = kind;
  hazard.warning =
      kind == HAZARD_call; /* unless the lab asks for calls, only what follows counts */
  if (kind == HAZARD_leak && !server->options.leaks) return true;
  if (server->findings++ < MAX_FINDINGS) report_hazard(server, hazard_to_json(&hazard));
  return true;
}

static bool do_crash(struct server *server, struct wire_reader *in) {
  enum { MAX_PLACES = 16 };
  char message[480];
  uint64_t places[MAX_PLACES];
  size_t bytes;
  get_message(in, message, sizeof message);
  const void *text = wire_get_text(in, sizeof places, &bytes);
  if (!wire_complete(in)) return false;
  memcpy(places, text, bytes);
  if (server->findings++ < MAX_FINDINGS)
    report_hazard(server, crash_to_json(message, places, (int)(bytes / sizeof *places)));
  return true;
}

static bool do_returned(struct server *server, struct wire_reader *in) {
  server->returned_error = wire_get_i32(in);
  server->returned_itself = wire_get_u32(in);
  get_message(in, server->returned_function, sizeof server->returned_function);
  return wire_complete(in);
}

/* Libraries compute on the host what kernels would: not in a job, where only kernels may. */
static bool do_library(struct server *server, struct wire_reader *in) {
  struct library_operand operands[MAX_LIBRARY_OPERANDS];
  struct library_call call = {.operands = operands};
  bool runs;
  wire_get_string(in, call.function, sizeof call.function);
  call.line = get_line(in);
  call.stream = wire_get_u32(in);
  uint32_t how = wire_get_u32(in);
  call.goes_on = how & 1;
  call.on_tensor_cores = how & 2;
  call.operations = wire_get_f64(in);
  call.bytes = wire_get_f64(in);
  uint32_t count = wire_get_u32(in);
  if (in->bad || server->job || count > MAX_LIBRARY_OPERANDS || how > 3 ||
      !(call.operations >= 0) || !(call.bytes >= 0))
    return false;
  call.operand_count = (int)count;
  for (struct library_operand *o = operands; o < operands + count; o++) {
    wire_get_string(in, o->name, sizeof o->name);
    struct transfer_rows rows = get_rows(in);
    o->address = rows.address, o->pitch = rows.pitch, o->width = rows.width, o->rows = rows.rows;
    o->element = wire_get_u64(in);
    uint32_t flags = wire_get_u32(in);
    o->reads = flags & 1, o->writes = flags & 2;
    if (flags > 3 || o->element == 0 || o->element > 16) in->bad = true;
  }
  if (!wire_complete(in)) return false;
  int code = device_library_call(server->device, &call, &runs);
  return send_u32(server, code, runs);
}

typedef bool request_function(struct server *server, struct wire_reader *in);
static request_function *const requests[] = {
    [WIRE_MALLOC] = do_malloc,
    [WIRE_MALLOC_MANAGED] = do_malloc_managed,
    [WIRE_FREE] = do_free,
    [WIRE_WRITE] = do_write,
    [WIRE_READ] = do_read,
    [WIRE_MORE] = do_more,
    [WIRE_COPY] = do_copy,
    [WIRE_FILL] = do_fill,
    [WIRE_MEMORY] = do_memory,
    [WIRE_HEAP] = do_heap,
    [WIRE_PENDING] = do_pending,
    [WIRE_CONNECTIONS] = do_connections,
    [WIRE_MODULE] = do_module,
    [WIRE_SYMBOL] = do_symbol,
    [WIRE_KERNEL] = do_kernel,
    [WIRE_SHARED] = do_shared,
    [WIRE_LAUNCH] = do_launch,
    [WIRE_STREAM] = do_stream,
    [WIRE_STREAM_WAIT] = do_stream_wait,
    [WIRE_RECORD] = do_record,
    [WIRE_SYNC] = do_sync,
    [WIRE_DONE] = do_done,
    [WIRE_TOUCH] = do_touch,
    [WIRE_ARRAY_USE] = do_array_use,
    [WIRE_HOST_ACCESS] = do_host_access,
    [WIRE_RESET] = do_reset,
    [WIRE_HAZARD] = do_hazard,
    [WIRE_CRASH] = do_crash,
    [WIRE_EVENT] = do_event,
    [WIRE_ELAPSED] = do_elapsed,
    [WIRE_PREFETCH] = do_prefetch,
    [WIRE_PIN] = do_pin,
    [WIRE_FILE] = do_file,
    [WIRE_END] = do_end,
    [WIRE_VARIABLE_PAGES] = do_variable_pages,
    [WIRE_LIBRARY] = do_library,
    [WIRE_MAPPING] = do_mapping,
    [WIRE_GRAPH_MEMORY] = do_graph_memory,
    [WIRE_FIND_ARRAY] = do_find_array,
    [WIRE_GO_ON] = do_go_on,
};
static numbered_function *const numbered_requests[] = {
    [WIRE_STREAM_END] = device_stream_destroy,
    [WIRE_STREAM_SYNC] = device_stream_synchronize,
    [WIRE_STREAM_QUERY] = device_stream_query,
    [WIRE_HOST_FUNCTION] = device_host_function,
};
static event_function *const event_requests[] = {
    [WIRE_EVENT_END] = device_event_destroy,
    [WIRE_EVENT_SYNC] = device_event_synchronize,
    [WIRE_EVENT_QUERY] = device_event_query,
};
#define FIND(table, type) ((type) < sizeof(table) / sizeof *(table) ? (table)[type] : NULL)

enum server_end server_handle(struct server *server, uint32_t type, const void *payload,
                              size_t bytes, bool in_call) {
  struct wire_reader in = {payload, bytes, false};
  bool ok = false;
  request_function *request = FIND(requests, type);
  numbered_function *numbered = FIND(numbered_requests, type);
  event_function *about_event = FIND(event_requests, type);
  device_count_call(server->device);
  if (type != WIRE_GO_ON) device_has_news(server->device);
  if (request) ok = request(server, &in);
  if (numbered) ok = do_numbered(server, &in, numbered);
  if (about_event) ok = do_about_event(server, &in, about_event);
  if (type == WIRE_READY && server->job && !server->ready && wire_complete(&in)) {
    server->ready = true;
    return SERVER_READY;
  }
  if (type == WIRE_RETURNED && in_call && do_returned(server, &in)) return SERVER_RETURNED;
  if (server->job && shortage_is_noted()) device_run_short(server->device);
  if (server->job && device_is_over_budget(server->device)) return SERVER_SPENT;
  if (server->broken) return SERVER_CLOSED;
  return ok ? SERVER_GOES_ON : SERVER_REFUSED;
}

/* Was the received message sent by the client's library? */
static bool is_sealed(struct server *server, const struct wire_seal *seal) {
  const struct wire_header *header = &server->in.header;
  bool crash = header->type == WIRE_CRASH;
  if (!crash) server->number++;
  server->log.thread = seal->thread;
  return seal->tag ==
         wire_tag(server->key, crash ? 0 : server->number, header->type, header->bytes);
}

enum server_end server_serve(struct server *server, bool in_call) {
  for (;;) {
    if (server->broken) return SERVER_CLOSED;
    go_on_until_asked(server);
    struct wire_seal seal;
    int got = wire_receive_seal(server->socket, &seal);
    if (got > 0) got = wire_receive_header(server->socket, &server->in, NULL) == 1 ? 1 : -1;
    if (got == 0 || (got < 0 && errno == ECONNRESET)) {
      end_waiting(server);
      return SERVER_CLOSED;
    }
    if (got < 0 || !is_sealed(server, &seal)) {
      server->refused =
          "something other than the CUDA runtime wrote to its connection; a submission must not "
          "close, "
          "write or replace descriptors that it has not opened";
      return SERVER_REFUSED;
    }
    if (wire_receive_payload(server->socket, &server->in, wire_limit_in) != 1)
      return SERVER_REFUSED;
    enum server_end end = server_handle(server, server->in.header.type, server->in.payload,
                                        server->in.header.bytes, in_call);
    if (end != SERVER_GOES_ON) return end;
  }
}

bool server_call(struct server *server, const char *call) {
  wire_put_text(begin(server, WIRE_CALL), call, strlen(call));
  return send_out(server);
}

bool server_goodbye(struct server *server) {
  begin(server, WIRE_GOODBYE);
  return send_out(server);
}
