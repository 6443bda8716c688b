/* test_sim_remote.c: the device's process as a client sees it: messages through a socket, whole,
 * cut, and hostile ones. The server runs in a thread of this test. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

#include "harness/sim/remote/server.h"

static const char ptx[] =
    ".version 7.5\n.target sm_70\n.address_size 64\n"
    ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<3>;\n.reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd3, %rd2, %rd3;\nst.global.u32 [%rd3], %r1;\nret;\n}\n";

/* A server with a client's end of its socket, past the welcome. */
struct link {
  int socket;
  pthread_t thread;
  struct server server;
  enum server_end end; /* once it is joined */
  unsigned char *window;
  struct wire_writer out;
  struct wire_inbox in;
  struct wire_reader values; /* of the last answer */
  int events;                /* launches and hazards reported */
  uint64_t number;           /* of the last seal */
};

static void *serve(void *context) {
  struct link *link = context;
  link->end = server_serve(&link->server, link->server.job);
  close(link->server.socket);
  return NULL;
}

static void on_launch(void *context, const struct launch_report *report) {
  (void)report;
  ++*(int *)context;
}

static void on_hazard(void *context, json_t *hazard) {
  (void)hazard;
  ++*(int *)context;
}

static void open_link_of(struct link *link, struct device_options options, bool in_job) {
  int ends[2], window;
  char error[200];
  memset(link, 0, sizeof *link);
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  link->socket = ends[0];
  link->server.socket = ends[1];
  link->server.options = options;
  link->server.options.threads = 1;
  link->server.options.memory_limit = 64 << 20;
  link->server.job = in_job;
  link->server.listener = (struct server_listener){&link->events, on_launch, on_hazard};
  assert_true(server_open(&link->server, error, sizeof error));
  assert_int_equal(wire_receive(link->socket, &link->in, wire_limit_out, &window), 1);
  assert_int_equal(link->in.header.type, WIRE_WELCOME);
  assert_true(window >= 0);
  assert_int_equal(ftruncate(window, 0), -1); /* its size is sealed */
  assert_int_equal(ftruncate(window, WIRE_WINDOW_BYTES * 2), -1);
  link->window = mmap(NULL, WIRE_WINDOW_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, window, 0);
  assert_true(link->window != MAP_FAILED);
  close(window);
  assert_int_equal(pthread_create(&link->thread, NULL, serve, link), 0);
}

static void open_link(struct link *link, bool in_job) {
  open_link_of(link, (struct device_options){0}, in_job);
}

/* Hangs up; how the conversation ended. */
static enum server_end close_link(struct link *link) {
  close(link->socket);
  pthread_join(link->thread, NULL);
  munmap(link->window, WIRE_WINDOW_BYTES);
  server_close(&link->server);
  wire_free(&link->out);
  wire_inbox_free(&link->in);
  return link->end;
}

static struct wire_writer *request(struct link *link, enum wire_type type) {
  wire_begin(&link->out, type);
  return &link->out;
}

static void send_request(struct link *link) {
  assert_int_equal(wire_send_sealed(link->socket, &link->out, link->server.key, ++link->number, 1),
                   0);
}

/* Sends the request; the code of its result. */
static int ask(struct link *link) {
  send_request(link);
  assert_int_equal(wire_receive(link->socket, &link->in, wire_limit_out, NULL), 1);
  link->values = (struct wire_reader){link->in.payload, link->in.header.bytes, false};
  wire_get_i32(&link->values);
  assert_int_equal(link->in.header.type, WIRE_RESULT);
  return wire_get_i32(&link->values);
}

static uint64_t allocate(struct link *link, uint64_t bytes) {
  struct wire_writer *out = request(link, WIRE_MALLOC);
  wire_put_u64(out, bytes);
  wire_put_i32(out, 7);
  assert_int_equal(ask(link), 0);
  return wire_get_u64(&link->values);
}

static void put_issue(struct wire_writer *out, struct device_issue issue) {
  wire_put_u32(out, issue.stream);
  wire_put_i32(out, issue.line);
  wire_put_u32(out, (uint32_t)issue.host_waits | (uint32_t)issue.staged << 1);
  wire_put_u64(out, issue.host);
  wire_put_u64(out, issue.host_pitch);
}

static int copy(struct link *link, enum wire_type type, uint64_t address, uint64_t pitch,
                uint64_t width, uint64_t rows) {
  struct wire_writer *out = request(link, type);
  wire_put_u64(out, address);
  wire_put_u64(out, pitch);
  wire_put_u64(out, width);
  wire_put_u64(out, rows);
  put_issue(out, (struct device_issue){.host_waits = true});
  return ask(link);
}

static void test_values(void **state) {
  (void)state;
  struct wire_writer out = {0};
  char text[8];
  size_t length;
  wire_begin(&out, WIRE_FREE);
  wire_put_u64(&out, 5);
  wire_put_f64(&out, 0.5);
  wire_put_text(&out, "abc", 3);
  wire_put_text(&out, "a\0c", 3);
  wire_put_u32(&out, 4000000000u); /* a text's length that is a lie */
  struct wire_reader in = {out.data + sizeof(struct wire_header),
                           out.length - sizeof(struct wire_header), false};
  assert_int_equal(wire_get_u64(&in), 5);
  assert_true(wire_get_f64(&in) == 0.5);
  struct wire_reader again = in;
  wire_get_string(&in, text, sizeof text);
  assert_string_equal(text, "abc");
  wire_get_string(&again, text, 3); /* too long for it */
  assert_true(again.bad && !*text);
  again = in;
  wire_get_string(&again, text, sizeof text); /* a NUL inside */
  assert_true(again.bad);
  wire_get_text(&in, 10, &length);
  assert_true(!in.bad && length == 3 && !wire_complete(&in));
  wire_get_text(&in, SIZE_MAX, &length);
  assert_true(in.bad && length == 0 && wire_get_u64(&in) == 0);
  wire_free(&out);
}

/* Through the window: more than it holds, rows apart, and ranges that are not inside an array. */
static void test_copies(void **state) {
  (void)state;
  struct link link;
  open_link(&link, false);
  enum { WIDTH = 700, PITCH = 1024, ROWS = 3000 };
  uint64_t a = allocate(&link, (uint64_t)PITCH * ROWS);
  size_t bytes = (size_t)WIDTH * ROWS;
  for (size_t done = 0; done < bytes; done += WIRE_WINDOW_BYTES) {
    for (size_t i = 0; i < WIRE_WINDOW_BYTES; i++)
      link.window[i] = (unsigned char)((done + i) % 251);
    if (done) request(&link, WIRE_MORE);
    assert_int_equal(done ? ask(&link) : copy(&link, WIRE_WRITE, a, PITCH, WIDTH, ROWS), 0);
  }
  memset(link.window, 0, WIRE_WINDOW_BYTES);
  assert_int_equal(copy(&link, WIRE_READ, a + 5 * PITCH, WIDTH, WIDTH, 1), 0);
  for (size_t i = 0; i < WIDTH; i++) assert_int_equal(link.window[i], (5 * WIDTH + i) % 251);
  assert_int_equal(copy(&link, WIRE_WRITE, a, PITCH, PITCH, ROWS + 1), 1);
  assert_int_equal(copy(&link, WIRE_WRITE, a + 1, PITCH, PITCH, ROWS), 1);
  assert_int_equal(copy(&link, WIRE_WRITE, 0x1000, 8, 8, 1), 1);
  assert_int_equal(copy(&link, WIRE_WRITE, a, 4, 8, 1), 12);
  assert_int_equal(copy(&link, WIRE_READ, a, UINT64_MAX, 8, UINT64_MAX / 8), 1);
  request(&link, WIRE_MORE); /* of no copy */
  send_request(&link);
  assert_int_equal(wire_receive(link.socket, &link.in, wire_limit_out, NULL), 0);
  assert_int_equal(close_link(&link), SERVER_REFUSED);
}

static int load(struct link *link, const char *text, size_t length, char error[512]) {
  wire_put_text(request(link, WIRE_MODULE), text, length);
  int code = ask(link), module = wire_get_i32(&link->values);
  wire_get_string(&link->values, error, 512);
  return code ? -code : module;
}

static int launch_in(struct link *link, uint32_t stream, int module, const char *kernel,
                     const void *params, size_t bytes) {
  struct wire_writer *out = request(link, WIRE_LAUNCH);
  wire_put_i32(out, module);
  wire_put_text(out, kernel, strlen(kernel));
  for (int i = 0; i < 6; i++) wire_put_u32(out, i == 3 ? 16 : 1);
  wire_put_u64(out, 0);
  wire_put_text(out, params, bytes);
  wire_put_i32(out, 42);
  wire_put_u32(out, stream);
  wire_put_u32(out, 0);
  return ask(link);
}

static int launch(struct link *link, int module, const char *kernel, const void *params,
                  size_t bytes) {
  return launch_in(link, 0, module, kernel, params, bytes);
}

static void test_launch(void **state) {
  (void)state;
  struct link link;
  char error[512];
  open_link(&link, false);
  uint64_t a = allocate(&link, 64);
  int module = load(&link, ptx, sizeof ptx - 1, error);
  assert_int_equal(module, 0);
  assert_int_equal(launch(&link, module, "k", &a, 8), 0);
  assert_int_equal(link.events, 1); /* its report, before the result */
  assert_int_equal(launch(&link, module, "k", &a, 4), 1);
  assert_int_equal(launch(&link, module, "nothing", &a, 8), 98);
  assert_int_equal(launch(&link, 5, "k", &a, 8), 98);
  assert_int_equal(copy(&link, WIRE_READ, a, 64, 64, 1), 0);
  for (uint32_t i = 0; i < 16; i++) assert_memory_equal(link.window + 4 * i, &i, 4);
  assert_int_equal(load(&link, "garbage", 7, error), -218);
  assert_non_null(strstr(error, "PTX line 1"));
  request(&link, WIRE_RESET); /* the module is gone with the device */
  assert_int_equal(ask(&link), 0);
  assert_int_equal(launch(&link, module, "k", &a, 8), 98);
  assert_int_equal(close_link(&link), SERVER_CLOSED);
}

static void test_memory_limit(void **state) {
  (void)state;
  struct link link;
  open_link(&link, false);
  allocate(&link, 60 << 20);
  struct wire_writer *out = request(&link, WIRE_MALLOC);
  wire_put_u64(out, 5 << 20);
  wire_put_i32(out, 0);
  assert_int_equal(ask(&link), 2);
  close_link(&link);
}

/* In a job: names are the device's, a call may return, and hazards go to the report. */
static void test_job(void **state) {
  (void)state;
  struct link link;
  open_link(&link, true);
  struct wire_writer *out = request(&link, WIRE_HAZARD);
  wire_put_u32(out, HAZARD_unsupported);
  wire_put_i32(out, -5);
  wire_put_text(out, "a\033[2Jb", 6);
  send_request(&link);
  out = request(&link, WIRE_RETURNED);
  wire_put_i32(out, 700);
  wire_put_u32(out, 1);
  wire_put_text(out, "cudaMemcpy", 10);
  send_request(&link);
  assert_int_equal(close_link(&link), SERVER_RETURNED);
  assert_int_equal(link.server.returned_error, 700);
  assert_true(link.server.returned_itself);
  assert_string_equal(link.server.returned_function, "cudaMemcpy");
  assert_int_equal(link.events, 1);

  open_link(&link, true);
  out = request(&link, WIRE_HAZARD);
  wire_put_u32(out, HAZARD_race); /* only the device finds races */
  wire_put_i32(out, 5);
  wire_put_text(out, "m", 1);
  send_request(&link);
  assert_int_equal(close_link(&link), SERVER_REFUSED);
}

static uint32_t new_stream(struct link *link) {
  struct wire_writer *out = request(link, WIRE_STREAM);
  wire_put_u32(out, 0);
  wire_put_i32(out, 0);
  wire_put_i32(out, 12);
  assert_int_equal(ask(link), 0);
  return wire_get_u32(&link->values);
}

static int about_stream(struct link *link, enum wire_type type, uint32_t stream) {
  wire_put_u32(request(link, type), stream);
  return ask(link);
}

static void put_event(struct link *link, struct device_event event) {
  wire_put_u32(&link->out, event.number);
  wire_put_u32(&link->out, event.mark);
}

static int about_event(struct link *link, enum wire_type type, struct device_event event) {
  request(link, type);
  put_event(link, event);
  return ask(link);
}

static int record(struct link *link, uint32_t stream, struct device_event *event) {
  wire_put_u32(request(link, WIRE_RECORD), stream);
  put_event(link, *event);
  wire_put_u32(&link->out, 1);
  int code = ask(link);
  event->number = wire_get_u32(&link->values);
  event->mark = wire_get_u32(&link->values);
  return code;
}

static int wait_for(struct link *link, uint32_t stream, struct device_event event) {
  wire_put_u32(request(link, WIRE_STREAM_WAIT), stream);
  put_event(link, event);
  return ask(link);
}

static int elapsed(struct link *link, struct device_event start, struct device_event stop) {
  request(link, WIRE_ELAPSED);
  put_event(link, start);
  put_event(link, stop);
  return ask(link);
}

/* An asynchronous copy from pinned memory of the host; its number. */
static uint64_t copy_async(struct link *link, uint32_t stream, uint64_t to, uint64_t host) {
  struct wire_writer *out = request(link, WIRE_WRITE);
  for (int i = 0; i < 4; i++) wire_put_u64(out, i == 0 ? to : i == 3 ? 1 : 64);
  put_issue(out,
            (struct device_issue){.stream = stream, .line = 9, .host = host, .host_pitch = 64});
  assert_int_equal(ask(link), 0);
  return wire_get_u64(&link->values);
}

static bool is_done(struct link *link, uint64_t number) {
  wire_put_u64(request(link, WIRE_DONE), number);
  assert_int_equal(ask(link), 0);
  return wire_get_u32(&link->values);
}

/* Streams, events and waits arrive: a launch and a copy race until an event orders them. */
static void test_streams(void **state) {
  (void)state;
  struct link link;
  char error[512];
  open_link(&link, false);
  uint64_t a = allocate(&link, 64);
  int module = load(&link, ptx, sizeof ptx - 1, error);
  uint32_t one = new_stream(&link), two = new_stream(&link);
  assert_true(one != two && one && two);
  assert_int_equal(launch_in(&link, one, module, "k", &a, 8), 0);
  assert_int_equal(link.events, 1);
  uint64_t number = copy_async(&link, two, a, 4096);
  assert_int_equal(link.events, 2); /* a race */
  assert_false(is_done(&link, number));
  struct device_event event = {0};
  assert_int_equal(record(&link, two, &event), 0);
  assert_true(event.number != 0 && event.mark != 0);
  assert_int_equal(wait_for(&link, one, event), 0);
  copy_async(&link, one, a, 8192);
  assert_int_equal(link.events, 2);
  assert_int_equal(about_event(&link, WIRE_EVENT_QUERY, event), 600);
  assert_int_equal(about_stream(&link, WIRE_STREAM_QUERY, one), 600);
  assert_false(is_done(&link, number));
  assert_int_equal(about_event(&link, WIRE_EVENT_SYNC, event), 0);
  assert_int_equal(about_event(&link, WIRE_EVENT_QUERY, event), 0);
  wire_put_i32(request(&link, WIRE_EVENT), 13);
  assert_int_equal(ask(&link), 0);
  struct device_event never = {.number = wire_get_u32(&link.values)};
  assert_true(never.number != 0 && never.number != event.number);
  assert_int_equal(elapsed(&link, event, never), 600);
  assert_int_equal(elapsed(&link, event, event), 0);
  assert_true(wire_get_f64(&link.values) == 0);
  assert_int_equal(about_event(&link, WIRE_EVENT_QUERY, never), 0);
  assert_int_equal(about_event(&link, WIRE_EVENT_END, never), 0);
  assert_true(is_done(&link, number));
  number = copy_async(&link, one, a, 8192);
  assert_int_equal(about_stream(&link, WIRE_STREAM_SYNC, two), 0);
  assert_false(is_done(&link, number));
  assert_int_equal(about_stream(&link, WIRE_STREAM_SYNC, one), 0);
  assert_true(is_done(&link, number));
  number = copy_async(&link, two, a, 8192);
  request(&link, WIRE_SYNC);
  assert_int_equal(ask(&link), 0);
  assert_true(is_done(&link, number));
  struct wire_writer *out = request(&link, WIRE_TOUCH);
  wire_put_i32(out, 9);
  wire_put_u32(out, 1);
  wire_put_u64(out, 12);
  assert_int_equal(ask(&link), 0);
  assert_int_equal(link.events, 3);
  assert_int_equal(about_event(&link, WIRE_EVENT_END, event), 0);
  assert_int_equal(about_event(&link, WIRE_EVENT_END, event), 400);
  assert_int_equal(about_event(&link, WIRE_EVENT_SYNC, event), 400);
  assert_int_equal(about_event(&link, WIRE_EVENT_QUERY, event), 400);
  assert_int_equal(about_stream(&link, WIRE_STREAM_QUERY, 77), 400);
  assert_int_equal(wait_for(&link, one, (struct device_event){77, 77, false}), 400);
  assert_int_equal(record(&link, one, &(struct device_event){77, 77, false}), 400);
  assert_int_equal(about_stream(&link, WIRE_HOST_FUNCTION, two), 0);
  assert_int_equal(about_stream(&link, WIRE_HOST_FUNCTION, 77), 400);
  assert_int_equal(about_stream(&link, WIRE_STREAM_END, two), 0);
  assert_int_equal(about_stream(&link, WIRE_STREAM_SYNC, two), 400);
  assert_int_equal(about_stream(&link, WIRE_STREAM_END, 0), 400);
  assert_int_equal(launch_in(&link, two, module, "k", &a, 8), 400);
  assert_int_equal(launch_in(&link, UINT32_MAX, module, "k", &a, 8), 400);
  out = request(&link, WIRE_WRITE); /* the host's rows overlap, or run out of any memory */
  for (int i = 0; i < 4; i++) wire_put_u64(out, i == 0 ? a : i == 3 ? 4 : 16);
  put_issue(out, (struct device_issue){.host = 4096, .host_pitch = UINT64_MAX / 4});
  send_request(&link);
  assert_int_equal(close_link(&link), SERVER_REFUSED);
}

/* Bytes that are no message, a message cut anywhere, one too large: refused, never waited for. */
static void test_garbage(void **state) {
  (void)state;
  static const uint32_t headers[][2] = {{0, 0},
                                        {99, 4},
                                        {WIRE_RESULT, 0},
                                        {WIRE_RETURNED, 0},
                                        {WIRE_MALLOC, 11},
                                        {WIRE_MODULE, UINT32_MAX},
                                        {WIRE_MALLOC, WIRE_MAX_BYTES + 1}};
  struct link link;
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
    open_link(&link, false);
    struct wire_seal seal = {wire_tag(link.server.key, 1, headers[i][0], headers[i][1]), 1, 0};
    /* In one piece: the server may close its end after any part. */
    unsigned char all[sizeof seal + 8 + 16] = {0};
    size_t bytes = sizeof seal + 8 + (headers[i][1] < 16 ? headers[i][1] : 16);
    memcpy(all, &seal, sizeof seal);
    memcpy(all + sizeof seal, headers[i], 8);
    assert_int_equal(write(link.socket, all, bytes), bytes);
    assert_int_equal(close_link(&link), SERVER_REFUSED);
  }
  struct wire_writer out = {0};
  wire_begin(&out, WIRE_MALLOC);
  wire_put_u64(&out, 64);
  wire_put_i32(&out, 1);
  ((struct wire_header *)(void *)out.data)->bytes = 12;
  for (size_t cut = 0; cut < out.length; cut++) { /* the client closes in the middle */
    open_link(&link, false);
    if (cut) assert_int_equal(write(link.socket, out.data, cut), cut);
    assert_int_equal(close_link(&link), cut ? SERVER_REFUSED : SERVER_CLOSED);
  }
  wire_free(&out);
}

/* What anything but the runtime's library writes: it lacks the key, or repeats what was there. */
static void test_seals(void **state) {
  (void)state;
  struct link link;
  for (int number = 0; number < 3; number++) {
    open_link(&link, true);
    wire_put_u64(request(&link, WIRE_FREE), 0);
    wire_send_sealed(link.socket, &link.out, link.server.key + (number == 2), (uint64_t)number, 1);
    shutdown(link.socket, SHUT_WR);
    assert_int_equal(close_link(&link), number == 1 ? SERVER_CLOSED : SERVER_REFUSED);
    if (number != 1) assert_non_null(strstr(link.server.refused, "something other than"));
  }
  open_link(&link, true); /* the same message twice */
  wire_put_u64(request(&link, WIRE_FREE), 0);
  wire_send_sealed(link.socket, &link.out, link.server.key, 1, 1);
  wire_send_sealed(link.socket, &link.out, link.server.key, 1, 1);
  assert_int_equal(wire_receive(link.socket, &link.in, wire_limit_out, NULL), 1);
  assert_int_equal(close_link(&link), SERVER_REFUSED);
}

/* In a job the device stays, and what kernels there are is known before the first call. */
static void test_no_reset_in_job(void **state) {
  (void)state;
  static const char module[] =
      ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry none()\n{\nret;\n}\n";
  struct link link;
  open_link(&link, true);
  wire_put_text(request(&link, WIRE_MODULE), module, strlen(module));
  assert_int_equal(ask(&link), 0);
  request(&link, WIRE_RESET);
  send_request(&link);
  assert_int_equal(close_link(&link), SERVER_REFUSED);
  assert_non_null(strstr(link.server.refused, "reset the device"));

  open_link(&link, true);
  link.server.ready = true; /* as after READY */
  wire_put_text(request(&link, WIRE_MODULE), module, strlen(module));
  send_request(&link);
  assert_int_equal(close_link(&link), SERVER_REFUSED);
  assert_non_null(strstr(link.server.refused, "registered kernels"));

  open_link(&link, true);
  request(&link, WIRE_READY);
  send_request(&link);
  assert_int_equal(close_link(&link), SERVER_READY);
}

static uint64_t symbol(struct link *link, int module, const char *name) {
  struct wire_writer *out = request(link, WIRE_SYMBOL);
  wire_put_i32(out, module);
  wire_put_text(out, name, strlen(name));
  assert_int_equal(ask(link), 0);
  return wire_get_u64(&link->values);
}

/* A variable in managed memory comes with its pages, which both sides then have; no other does. */
static void test_variable_pages(void **state) {
  (void)state;
  static const char variables[] =
      ".version 7.5\n.target sm_70\n.address_size 64\n"
      ".visible .global .attribute(.managed) .align 4 .u32 v = 7;\n"
      ".visible .global .align 4 .u32 w = 8;\n";
  struct link link;
  char error[512];
  int pages;
  open_link(&link, false);
  int module = load(&link, variables, sizeof variables - 1, error);
  uint64_t v = symbol(&link, module, "v"), w = symbol(&link, module, "w");
  wire_put_u64(request(&link, WIRE_VARIABLE_PAGES), v);
  send_request(&link);
  assert_int_equal(wire_receive(link.socket, &link.in, wire_limit_out, &pages), 1);
  assert_true(pages >= 0);
  uint32_t *shared = mmap(NULL, 4, PROT_READ | PROT_WRITE, MAP_SHARED, pages, 0);
  assert_true(shared != MAP_FAILED);
  assert_int_equal(*shared, 7);
  close(pages);
  wire_put_u64(request(&link, WIRE_VARIABLE_PAGES), v + 1);
  assert_int_equal(ask(&link), 1);
  wire_put_u64(request(&link, WIRE_VARIABLE_PAGES), w);
  assert_int_equal(ask(&link), 1);
  wire_put_u64(request(&link, WIRE_VARIABLE_PAGES), 0);
  assert_int_equal(ask(&link), 1);
  munmap(shared, 4);
  close_link(&link);
}

/* Of streams with the device, of kernels and of copies: by hand, up to 32; a graded submission
 * cannot choose them. */
static void test_connections(void **state) {
  static const struct {
    uint32_t kernels, copies;
    int code;
  } asked[] = {{1, 1, 0},
               {32, 0, 0},
               {0, 32, 0},
               {33, 1, cudaErrorInvalidValue},
               {1, 33, cudaErrorInvalidValue}};
  struct link link;
  (void)state;
  open_link(&link, false);
  for (int i = 0; i < (int)(sizeof asked / sizeof *asked); i++) {
    wire_put_u32(request(&link, WIRE_CONNECTIONS), asked[i].kernels);
    wire_put_u32(&link.out, asked[i].copies);
    assert_int_equal(ask(&link), asked[i].code);
  }
  close_link(&link);
  open_link(&link, true);
  wire_put_u32(request(&link, WIRE_CONNECTIONS), 1);
  wire_put_u32(&link.out, 1);
  send_request(&link);
  assert_int_equal(close_link(&link), SERVER_REFUSED);
}

static void put_library_call(struct link *link, uint64_t address, uint64_t pitch, uint32_t flags) {
  struct wire_writer *out = request(link, WIRE_LIBRARY);
  wire_put_text(out, "sum", 3);
  wire_put_i32(out, 7);
  wire_put_u32(out, 0);
  wire_put_u32(out, 0);
  wire_put_f64(out, 1000);
  wire_put_f64(out, 80);
  wire_put_u32(out, 1);
  wire_put_text(out, "x", 1);
  wire_put_u64(out, address);
  wire_put_u64(out, pitch);
  wire_put_u64(out, 8);  /* width */
  wire_put_u64(out, 10); /* rows */
  wire_put_u64(out, 4);
  wire_put_u32(out, flags);
}

static bool library_runs(struct link *link, uint64_t address, uint64_t pitch, int code) {
  put_library_call(link, address, pitch, 2);
  assert_int_equal(ask(link), code);
  return wire_get_u32(&link->values);
}

/* A call of a library takes time and reports what is wrong with its operands. By hand only: in a
 * job the host must not compute what kernels should. */
static void test_library(void **state) {
  (void)state;
  struct link link;
  open_link(&link, false);
  uint64_t array = allocate(&link, 100);
  assert_true(library_runs(&link, array, 10, 0));
  double time = device_time_ns(link.server.device);
  assert_true(time > 0);
  assert_false(library_runs(&link, array, 4, 1)); /* rows that overlap */
  assert_int_equal(link.events, 1);
  assert_false(library_runs(&link, array + 8, 10, 0));
  assert_int_equal(link.events, 2);                      /* a launch and a hazard */
  assert_int_equal(device_error(link.server.device), 0); /* that page is mapped */
  assert_false(library_runs(&link, array - 8, 10, 0));
  assert_int_equal(link.events, 3);
  assert_int_equal(device_error(link.server.device), 700);
  assert_false(library_runs(&link, array, 10, 700));
  put_library_call(&link, array, 10, 4);
  send_request(&link);
  assert_int_equal(close_link(&link), SERVER_REFUSED);

  open_link(&link, true);
  array = allocate(&link, 100);
  put_library_call(&link, array, 10, 2);
  send_request(&link);
  assert_int_equal(close_link(&link), SERVER_REFUSED);

  open_link(&link, true);
  array = allocate(&link, 100);
  struct wire_writer *out = request(&link, WIRE_WRITE);
  for (int i = 0; i < 4; i++) wire_put_u64(out, i ? i < 3 ? 8 : 1 : array);
  wire_put_u32(out, 0);
  wire_put_i32(out, 7);
  wire_put_u32(out, 4); /* a copy that nobody accounts for */
  wire_put_u64(out, 0);
  wire_put_u64(out, 0);
  send_request(&link);
  assert_int_equal(close_link(&link), SERVER_REFUSED);
}

/* A launch that waits for others is answered, and goes on by the host's requests or without any. By
 * hand only. */
static int go_on(struct link *link, uint32_t patience, uint32_t *moved) {
  wire_put_u32(request(link, WIRE_GO_ON), patience);
  assert_int_equal(ask(link), 0);
  *moved = wire_get_u32(&link->values);
  uint32_t count = wire_get_u32(&link->values);
  for (uint32_t i = 0; i < count; i++) assert_int_equal(wire_get_u32(&link->values), 0);
  assert_true(wire_complete(&link->values));
  return (int)count;
}

static void test_waiting(void **state) {
  (void)state;
  struct link link;
  static const char spins[] =
      ".version 7.5\n.target sm_70\n.address_size 64\n"
      ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<3>;\n"
      ".reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\nL: ld.volatile.global.u32 %r1, [%rd1];\n"
      "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\nret;\n}\n";
  char error[512];
  uint32_t moved;
  open_link_of(&link, (struct device_options){.waits = true}, false);
  int module = load(&link, spins, sizeof spins - 1, error);
  assert_int_equal(module, 0);
  uint64_t flag = allocate(&link, 4);
  memset(link.window, 0, 4);
  assert_int_equal(copy(&link, WIRE_WRITE, flag, 4, 4, 1), 0);
  assert_int_equal(launch(&link, module, "k", &flag, sizeof flag), 0);
  assert_int_equal(wire_get_u32(&link.values), 1);
  assert_int_equal(go_on(&link, DEVICE_WAITS, &moved), 1);
  assert_int_equal(moved, 0);
  assert_int_equal(link.events, 0);
  memset(link.window, 1, 4);
  assert_int_equal(copy(&link, WIRE_WRITE, flag, 4, 4, 1), 0);
  while (go_on(&link, DEVICE_WAITS, &moved)) continue; /* perhaps it has gone on without */
  assert_int_equal(link.events, 1);
  assert_int_equal(launch(&link, module, "k", &flag, sizeof flag), 0);
  assert_int_equal(wire_get_u32(&link.values), 0);
  memset(link.window, 0, 4);
  assert_int_equal(copy(&link, WIRE_WRITE, flag, 4, 4, 1), 0);
  assert_int_equal(launch(&link, module, "k", &flag, sizeof flag), 0);
  assert_int_equal(go_on(&link, DEVICE_GIVES_UP, &moved), 0);
  assert_int_equal(link.events, 4); /* a launch and a deadlock */
  assert_int_equal(device_error(link.server.device), cudaErrorLaunchTimeout);
  wire_put_u32(request(&link, WIRE_GO_ON), DEVICE_ENDS); /* for END only */
  send_request(&link);
  assert_int_equal(close_link(&link), SERVER_REFUSED);

  open_link(&link, true);
  wire_put_u32(request(&link, WIRE_GO_ON), DEVICE_WAITS);
  send_request(&link);
  assert_int_equal(close_link(&link), SERVER_REFUSED);
}

/* What could not be noted for lack of memory would go unseen: a job ends there. That cudaMalloc
 * fails is told. */
static void test_shortage(void **state) {
  (void)state;
  struct link link;
  open_link(&link, true);
  struct wire_writer *out = request(&link, WIRE_MALLOC);
  shortage_note();
  wire_put_u64(out, (uint64_t)1 << 40);
  wire_put_i32(out, 7);
  assert_int_equal(ask(&link), 2);
  assert_false(shortage_is_noted());
  allocate(&link, 1000);
  int events = link.events;
  shortage_note();
  request(&link, WIRE_MEMORY); /* it may have ended already, behind the allocation */
  wire_send_sealed(link.socket, &link.out, link.server.key, ++link.number, 1);
  assert_int_equal(close_link(&link), SERVER_SPENT);
  assert_int_equal(link.events, events + 1); /* the hazard */
  shortage_forgive();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),          cmocka_unit_test(test_copies),
      cmocka_unit_test(test_launch),          cmocka_unit_test(test_memory_limit),
      cmocka_unit_test(test_streams),         cmocka_unit_test(test_job),
      cmocka_unit_test(test_garbage),         cmocka_unit_test(test_seals),
      cmocka_unit_test(test_no_reset_in_job), cmocka_unit_test(test_shortage),
      cmocka_unit_test(test_variable_pages),  cmocka_unit_test(test_connections),
      cmocka_unit_test(test_library),         cmocka_unit_test(test_waiting),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
