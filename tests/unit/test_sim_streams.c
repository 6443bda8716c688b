/* test_sim_streams.c: what streams, events and waits order (streams.h), races between launches,
 * copies and fills that nothing orders, and between them and host code (host_buffers.h, managed.h).
 * Programs in CUDA C++ are tests/races/pairs/streams-*, host-* and managed-*. */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/sim/base/ranges.h"
#include "harness/sim/base/streams.h"
#include "harness/sim/runtime/host_buffers.h"
#include "harness/sim/runtime/listen.h"
#include "harness/sim/runtime/runtime.h"
#include "tests/unit/sim_device.h"
#include <cuda_runtime_api.h>

/* ---- ranges ---- */

struct met {
  uint64_t from[8], to[8];
  int count;
};

static void meet(void *context, uint64_t from, uint64_t to, const struct byte_range *a,
                 const struct byte_range *b) {
  struct met *met = context;
  assert_true(a->from <= from && b->from <= from && to <= a->to && to <= b->to);
  if (met->count < LENGTH(met->from)) met->from[met->count] = from, met->to[met->count] = to;
  met->count++;
}

static void ranges(void **state) {
  (void)state;
  struct range_list a = {0}, b = {0};
  for (uint64_t at = 0; at < 40; at += 4) ranges_add(&a, (struct byte_range){at, at + 4, 7, false});
  assert_int_equal(a.count, 1); /* they follow each other */
  ranges_add(&a, (struct byte_range){40, 44, 8, false});
  ranges_add(&a, (struct byte_range){50, 54, 8, false});
  ranges_add(&a, (struct byte_range){54, 58, 8, true});
  assert_int_equal(a.count, 4);
  struct met met = {0};
  ranges_intersect(&a, &b, meet, &met);
  assert_int_equal(met.count, 0);
  ranges_add(&b, (struct byte_range){2, 3, 1, false});
  ranges_add(&b, (struct byte_range){39, 50, 1, false});
  ranges_add(&b, (struct byte_range){52, 60, 1, true});
  ranges_intersect(&a, &b, meet, &met);
  static const uint64_t from[] = {2, 39, 40, 52},
                        to[] = {3, 40, 44, 54}; /* and not 54: both atomic */
  assert_int_equal(met.count, LENGTH(from));
  assert_memory_equal(met.from, from, sizeof from);
  assert_memory_equal(met.to, to, sizeof to);
  ranges_free(&a);
  ranges_free(&b);
}

/* ---- order ---- */

static void count_conflict(void *context, const struct work_conflict *conflict) {
  (void)conflict;
  ++*(int *)context;
}

/* Work in a stream that writes byte 0 of array 1: with how much earlier work it is unordered. */
static int work_in(struct streams *streams, uint32_t stream) {
  struct work *work = streams_begin_work(streams, WORK_FILL, stream);
  int conflicts = 0;
  assert_non_null(work);
  ranges_add(&work_access(work, 1)->writes, (struct byte_range){0, 1, 0, false});
  streams_find_conflicts(streams, work, count_conflict, &conflicts);
  streams_end_work(streams, work);
  return conflicts;
}

static void events_order(void **state) {
  (void)state;
  struct streams *s = streams_open();
  assert_false(streams_keep(s));
  uint32_t a = streams_create(s, false), b = streams_create(s, false), c = streams_create(s, true);
  uint32_t first = 0, second = 0;
  assert_true(streams_keep(s));
  assert_int_equal(work_in(s, a), 0);
  assert_int_equal(work_in(s, a), 0); /* in one stream */
  assert_true(streams_record(s, &first, a));
  assert_true(streams_wait(s, b, first));
  assert_int_equal(work_in(s, b), 0);
  assert_int_equal(work_in(s, a), 1); /* b's comes after a's, but not the other way round */
  assert_true(streams_record(s, &second, b));
  assert_true(streams_wait(s, c, second));
  assert_int_equal(work_in(s, c),
                   1); /* after b's, and so after what that waited for; not after a's last */
  assert_true(streams_record(s, &first, a)); /* again */
  assert_true(streams_wait(s, c, first));
  assert_int_equal(work_in(s, c), 0);
  assert_true(streams_host_waits_for_event(s, second));
  assert_int_equal(work_in(s, a), 2); /* c's two */
  streams_host_waits(s);
  assert_int_equal(work_in(s, b), 0);
  streams_close(s);
}

static void host_orders(void **state) {
  (void)state;
  struct streams *s = streams_open();
  uint32_t a = streams_create(s, false), b = streams_create(s, true);
  work_in(s, a);
  assert_true(streams_host_waits_for(s, b));
  assert_int_equal(work_in(s, b), 1);
  assert_true(streams_host_waits_for(s, a));
  assert_int_equal(work_in(s, a), 1);
  assert_true(streams_host_waits_for(s, b));
  assert_int_equal(work_in(s, b), 1);
  streams_host_waits(s);
  assert_int_equal(work_in(s, streams_create(s, true)), 0);
  streams_close(s);
}

/* The default stream and those that are not non-blocking wait for each other. */
static void default_stream(void **state) {
  (void)state;
  struct streams *s = streams_open();
  uint32_t a = streams_create(s, false), b = streams_create(s, false),
           free_one = streams_create(s, true);
  uint32_t event = 0;
  assert_int_equal(work_in(s, a), 0);
  assert_int_equal(work_in(s, 0), 0);
  assert_int_equal(work_in(s, b), 0); /* between a and b lies work in the default stream */
  assert_int_equal(work_in(s, a), 1);
  assert_int_equal(work_in(s, free_one), 4);
  assert_int_equal(work_in(s, 0), 1);
  assert_true(streams_record(s, &event, 0)); /* after all blocking streams */
  assert_true(streams_wait(s, free_one, event));
  assert_int_equal(work_in(s, free_one), 0);
  assert_true(streams_host_waits_for(s, 0));
  assert_int_equal(work_in(s, a), 2); /* those of the non-blocking stream */
  assert_true(streams_destroy(s, a)); /* it goes on */
  assert_int_equal(work_in(s, b), 3);
  assert_int_equal(work_in(s, 0), 2);
  streams_close(s);
}

static void streams_come_and_go(void **state) {
  (void)state;
  struct streams *s = streams_open();
  uint32_t a = streams_create(s, true), none = 0;
  assert_false(streams_destroy(s, 0));
  assert_false(streams_knows(s, a + 1));
  assert_null(streams_begin_work(s, WORK_COPY, a + 1));
  assert_false(streams_record(s, &none, a + 1));
  assert_int_equal(none, 0);
  assert_false(streams_wait(s, a, 5));
  work_in(s, a);
  assert_true(streams_destroy(s, a));
  assert_false(streams_knows(s, a));
  assert_true(streams_keep(s)); /* its work is not done */
  uint32_t b = streams_create(s, true);
  assert_true(b != a);
  assert_int_equal(work_in(s, b), 1);
  streams_host_waits(s);
  assert_int_equal(streams_create(s, false), a); /* the number is used again */
  assert_int_equal(work_in(s, a), 0);
  assert_int_equal(work_in(s, b), 1);
  assert_true(streams_destroy(s, a) && streams_destroy(s, b));
  streams_host_waits(s);
  assert_false(streams_keep(s));
  streams_close(s);
}

/* Asking is waiting, if what is asked about is done. */
static void progress(void **state) {
  (void)state;
  struct streams *s = streams_open();
  uint32_t a = streams_create(s, false), b = streams_create(s, true), first = 0,
           never = streams_create_event(s);
  assert_int_equal(streams_query(s, a, false), STREAMS_BUSY);
  assert_int_equal(streams_query(s, 0, true), STREAMS_DONE);
  assert_int_equal(streams_query(s, b + 1, true), STREAMS_UNKNOWN);
  assert_int_equal(streams_query_event(s, never, true), STREAMS_DONE);
  assert_int_equal(streams_query_event(s, never + 1, true), STREAMS_UNKNOWN);
  work_in(s, a);
  assert_true(streams_record(s, &first, a));
  assert_int_equal(streams_query_event(s, first, false), STREAMS_BUSY);
  assert_int_equal(work_in(s, b), 1);
  assert_int_equal(streams_query_event(s, first, true), STREAMS_DONE);
  assert_int_equal(work_in(s, streams_create(s, true)), 1); /* b's */
  assert_int_equal(streams_query(s, b, true), STREAMS_DONE);
  assert_int_equal(work_in(s, streams_create(s, true)), 1);
  assert_int_equal(streams_query_event(s, EVENT_OF_ALL, false), STREAMS_BUSY);
  assert_int_equal(streams_query_event(s, EVENT_OF_ALL, true), STREAMS_DONE);
  assert_int_equal(work_in(s, a), 0);
  streams_close(s);
}

/* Beyond the limits more is ordered than should be, never less. */
static void limits(void **state) {
  (void)state;
  struct streams *s = streams_open();
  uint32_t last = 0, event = 0;
  for (int i = 0; i < MAX_STREAMS + 50; i++) {
    last = streams_create(s, false);
    assert_in_range(last, 1, MAX_STREAMS - 1);
  }
  for (int i = 0; i < MAX_EVENTS; i++) {
    event = 0;
    assert_true(streams_record(s, &event, last));
    assert_int_equal(event, i + 1);
  }
  work_in(s, 1);
  event = 0;
  assert_true(streams_record(s, &event, last));
  assert_true(event == EVENT_OF_ALL && streams_wait(s, 2, event));
  assert_int_equal(work_in(s, 2), 0);
  assert_true(streams_destroy_event(s, 7) && streams_destroy_event(s, event));
  event = 0;
  assert_true(streams_record(s, &event, 3));
  assert_int_equal(event, 7);
  for (int i = 0; i < MAX_WORKS + 10; i++) work_in(s, 1 + (uint32_t)i % 2);
  assert_int_equal(work_in(s, 3), MAX_WORKS); /* the oldest are forgotten */
  streams_forget(s, 1);
  assert_int_equal(work_in(s, 3), 0);
  streams_close(s);
}

/* ---- launches, copies, fills ---- */

/* if (p2 == 0) p0[i] = 1; if (p2 == 1) p1[i] = p0[i]; if (p2 == 2) atomicAdd(&p0[i], 1);
 * if (p2 == 3) ((char *)p0)[4 * i + p3] = 1 */
static const char kernels[] = SIM_KERNEL(
    ".const .align 4 .b8 table[128];\n",
    "add.s64 %rd6, %rd0, %rd4; add.s64 %rd7, %rd1, %rd4; mov.u32 %r9, 1;\n"
    "setp.eq.s64 %p0, %rd2, 0; setp.eq.s64 %p1, %rd2, 1; setp.eq.s64 %p2, %rd2, 2;\n"
    "setp.eq.s64 %p3, %rd2, 3; add.s64 %rd8, %rd6, %rd3;\n" AT(10)
    "@%p0 st.global.u32 [%rd6], %r9;\n" AT(
        11) "@%p1 ld.global.u32 %r10, [%rd6];\n" AT(12) "@%p1 st.global.u32 [%rd7], %r10;\n" AT(
        13) "@%p2 red.global.add.u32 [%rd6], %r9;\n" AT(14) "@%p3 st.global.u8 [%rd8], %r9;\n"
    "setp.eq.s64 %p4, %rd2, 4; mov.u64 %rd9, table; add.s64 %rd9, %rd9, %rd4;\n" AT(
        15) "@%p4 ld.const.u32 %r10, [%rd9];\n" AT(16) "@%p4 st.global.u32 [%rd6], %r10;\n"
    "ret;");
enum { STORE, LOAD, ADD, STORE_BYTE, LOAD_CONSTANT };

/* Two blocks of 16 threads. Returns the number of hazards. */
static int launch_in(struct sim *sim, uint32_t stream, uint64_t p0, uint64_t p1, uint64_t what,
                     uint64_t p3) {
  uint64_t params[4] = {p0, p1, what, p3};
  struct launch launch = {.module = sim->module,
                          .kernel = "k",
                          .grid = {2, 1, 1},
                          .block = {16, 1, 1},
                          .params = params,
                          .param_bytes = sizeof params,
                          .place = {"k.cu", 900},
                          .stream = stream};
  sim->hazard_count = 0;
  assert_int_equal(device_launch(sim->device, &launch), 0);
  return sim->hazard_count;
}

static int fill_in(struct sim *sim, uint32_t stream, uint64_t address, size_t bytes) {
  struct device_issue issue = {.stream = stream, .line = 30};
  sim->hazard_count = 0;
  assert_int_equal(device_fill_rows(sim->device, &issue, address, bytes, 1, bytes, 1), 0);
  return sim->hazard_count;
}

static void assert_race(const struct sim *sim, int line, int other_line, const char *array) {
  assert_int_equal(sim->hazard_count, 1);
  const struct hazard *h = &sim->hazards[0];
  assert_int_equal(h->kind, HAZARD_race);
  assert_int_equal(h->line, line);
  assert_int_equal(h->other_line, other_line);
  assert_string_equal(h->array, array);
}

static void create_streams(struct sim *sim, uint32_t *streams, int count) {
  for (int i = 0; i < count; i++)
    assert_int_equal(device_stream_create(sim->device, &(struct device_stream){0}, &streams[i]), 0);
}

static uint64_t named(struct sim *sim, const char *name) {
  uint64_t address = sim_zeros(sim, 128);
  assert_int_equal(device_name_array(sim->device, address, name, 1, 32, 4, DEVICE_SCRATCH), 0);
  return address;
}

static void launches(void **state) {
  (void)state;
  char first[480] = "";
  for (int threads = 1; threads <= 3; threads++) { /* the same for any number of threads */
    struct sim *sim = sim_open(kernels, threads);
    uint64_t data = named(sim, "data"), out = named(sim, "out");
    uint32_t streams[2];
    create_streams(sim, streams, 2);
    assert_int_equal(launch_in(sim, streams[0], data, out, STORE, 0), 0);
    launch_in(sim, streams[1], data, out, LOAD, 0);
    assert_race(sim, 11, 10, "data");
    assert_int_equal(sim->hazards[0].count, 32);
    assert_string_equal(sim->hazards[0].kernel, "k");
    assert_non_null(strstr(sim->hazards[0].message,
                           "block (0,0) thread (0,0) reads data[0], which "
                           "kernel k writes in another stream"));
    assert_non_null(strstr(sim->hazards[0].message, "cudaStreamWaitEvent"));
    if (threads == 1) snprintf(first, sizeof first, "%s", sim->hazards[0].message);
    assert_string_equal(sim->hazards[0].message, first);
    launch_in(sim, streams[0], out, 0, ADD, 0);
    assert_race(sim, 13, 12, "out");
    device_synchronize(sim->device);
    assert_int_equal(launch_in(sim, streams[0], out, 0, ADD, 0), 0);
    assert_int_equal(launch_in(sim, streams[1], out, 0, ADD, 0), 0); /* both by atomics */
    launch_in(sim, streams[1], out, 0, STORE, 0);
    assert_race(sim, 10, 13, "out");
    sim_close(sim);
  }
}

/* Bytes of one word, and kernels whose tags have granules of different sizes. */
static void bytes_apart(void **state) {
  (void)state;
  struct sim *sim = sim_open(kernels, 1);
  uint64_t data = named(sim, "data");
  uint32_t streams[3];
  create_streams(sim, streams, 3);
  assert_int_equal(launch_in(sim, streams[0], data, 0, STORE_BYTE, 1), 0);
  assert_int_equal(launch_in(sim, streams[1], data, 0, STORE_BYTE, 2), 0);
  assert_int_equal(fill_in(sim, streams[2], data, 1), 0);
  assert_int_equal(fill_in(sim, streams[2], data + 64, 1), 0);
  assert_int_equal(fill_in(sim, streams[2], data + 3, 1), 0);
  fill_in(sim, streams[2], data + 62, 1);
  assert_race(sim, 30, 14, "data");
  assert_int_equal(sim->hazards[0].count, 1);
  assert_non_null(strstr(sim->hazards[0].message, "data[15]"));
  launch_in(sim, streams[1], data, 0, STORE_BYTE, 1);
  assert_race(sim, 14, 14, "data");
  sim_close(sim);
}

static void inputs_and_constants(void **state) {
  (void)state;
  struct sim *sim = sim_open(kernels, 2);
  uint64_t input = named(sim, "input"), out = named(sim, "out"), table;
  size_t bytes;
  uint32_t streams[2];
  create_streams(sim, streams, 2);
  device_name_array(sim->device, input, "input", 1, 32, 4, DEVICE_INPUT);
  assert_int_equal(fill_in(sim, streams[0], input, 128), 0);
  launch_in(sim, streams[1], input, out, LOAD, 0);
  assert_race(sim, 11, 30, "input");
  assert_int_equal(device_get_symbol(sim->device, sim->module, "table", &table, &bytes), 0);
  device_synchronize(sim->device);
  assert_int_equal(launch_in(sim, streams[0], out, 0, LOAD_CONSTANT, 0), 0);
  fill_in(sim, streams[1], table, 4);
  assert_race(sim, 30, 15, "table");
  sim_close(sim);
}

/* Three buffers go round four streams in pieces: each stream fills, computes, and lets the buffer
 * go by an event. */
static void pipeline(struct sim *sim, bool right, int *hazards) {
  enum { PIECES = 12, BUFFERS = 3 };
  uint64_t buffers[BUFFERS], out = named(sim, "out");
  uint32_t streams[4];
  struct device_event done[BUFFERS] = {0}, last = {0};
  create_streams(sim, streams, 4);
  for (int b = 0; b < BUFFERS; b++) buffers[b] = named(sim, "buffer");
  *hazards = 0;
  for (int piece = 0; piece < PIECES; piece++) {
    int b = piece % BUFFERS;
    uint32_t stream = streams[piece % 4];
    if (done[b].number && (right || piece != 7))
      assert_int_equal(device_stream_wait(sim->device, stream, &done[b]), 0);
    *hazards += fill_in(sim, stream, buffers[b], 128);
    if (last.number) assert_int_equal(device_stream_wait(sim->device, stream, &last), 0);
    *hazards += launch_in(sim, stream, buffers[b], out, LOAD, 0);
    assert_int_equal(device_event_record(sim->device, &last, stream), 0);
    assert_int_equal(device_event_record(sim->device, &done[b], stream), 0);
  }
  device_synchronize(sim->device);
}

static void pipelines(void **state) {
  (void)state;
  struct sim *sim = sim_open(kernels, 2);
  int hazards;
  pipeline(sim, true, &hazards);
  assert_int_equal(hazards, 0);
  pipeline(sim, false, &hazards);
  assert_true(hazards > 0);
  sim_close(sim);
}

/* With the default stream and events of it, without a stream, and after cudaMalloc. */
static void silent(void **state) {
  (void)state;
  struct sim *sim = sim_open(kernels, 2);
  uint64_t data = named(sim, "data"), out = named(sim, "out");
  uint32_t streams[2];
  assert_int_equal(fill_in(sim, 0, data, 128), 0);
  assert_int_equal(launch_in(sim, 0, data, out, LOAD, 0), 0);
  create_streams(sim, streams, 2);
  assert_int_equal(launch_in(sim, streams[0], data, 0, STORE, 0), 0);
  assert_int_equal(launch_in(sim, 0, data, 0, STORE, 0), 0);
  assert_int_equal(launch_in(sim, streams[1], data, 0, STORE, 0), 0);
  sim_read(sim, &(int){0}, data, 4); /* by the harness: all is done */
  assert_int_equal(launch_in(sim, streams[0], data, 0, STORE, 0), 0);
  named(sim, "another");
  assert_int_equal(launch_in(sim, streams[1], data, 0, STORE, 0), 0);
  sim_close(sim);
}

/* ---- copies and the host ---- */

static struct sim host_sim; /* what the process's own device reports */

static void on_event(void *context, const char *what, json_t *object) {
  (void)context;
  if (strcmp(what, "hazard") != 0) return;
  struct hazard *h = &host_sim.hazards[host_sim.hazard_count++ % LENGTH(host_sim.hazards)];
  h->line = (int)json_integer_value(json_object_get(object, "line"));
  h->warning = json_is_true(json_object_get(object, "warning"));
  snprintf(h->message, sizeof h->message, "%s",
           json_string_value(json_object_get(object, "message")));
}

struct host_copy {
  char *device, *host;
  cudaStream_t stream, other;
};

static int open_host(void **state) {
  static struct host_copy copy;
  runtime_reset();
  sim_listen(on_event, NULL);
  crash_listen(NULL); /* sanitizers do not let it look at the stack */
  host_sim.hazard_count = 0;
  void *device, *host;
  assert_int_equal(cudaMalloc(&device, 16384), 0);
  assert_int_equal(cudaMemset(device, 1, 16384), 0);
  assert_int_equal(cudaMallocHost(&host, 16384), 0);
  assert_int_equal(cudaStreamCreate(&copy.stream), 0);
  assert_int_equal(cudaStreamCreateWithFlags(&copy.other, cudaStreamNonBlocking), 0);
  copy.device = device;
  copy.host = host;
  cudaDeviceSynchronize();
  *state = &copy;
  return 0;
}

static int close_host(void **state) {
  struct host_copy *copy = *state;
  cudaDeviceSynchronize();
  cudaStreamDestroy(copy->stream);
  cudaStreamDestroy(copy->other);
  cudaFreeHost(copy->host);
  cudaFree(copy->device);
  runtime_reset();
  return 0;
}

/* cmocka catches faults itself from the beginning of each test on. */
static const struct host_copy *begin(void **state) {
  crash_catch();
  return *state;
}

static volatile char seen;

static void download(const struct host_copy *c, int offset, size_t bytes) {
  kit_at(20 + offset / 4096, "k.cu");
  assert_int_equal(cudaMemcpyAsync(c->host + offset, c->device + offset, bytes,
                                   cudaMemcpyDeviceToHost, c->stream),
                   0);
}

static void upload(const struct host_copy *c, int offset, size_t bytes) {
  kit_at(40 + offset / 4096, "k.cu");
  assert_int_equal(cudaMemcpyAsync(c->device + offset, c->host + offset, bytes,
                                   cudaMemcpyHostToDevice, c->stream),
                   0);
}

static void touches(void **state) {
  const struct host_copy *c = begin(state);
  download(c, 0, 4096);
  download(c, 4096, 4096);
  upload(c, 8192, 4096);
  seen = c->host[8192]; /* that it is read does not matter to a copy that reads it */
  seen = c->host[12288];
  c->host[12288] = 1;
  assert_int_equal(c->host[7], 1); /* and goes on */
  seen = c->host[8];
  cudaStreamQuery(c->other); /* another stream's */
  assert_int_equal(host_sim.hazard_count, 1);
  assert_int_equal(host_sim.hazards[0].line, 20);
  assert_non_null(strstr(host_sim.hazards[0].message, "reads byte 7 of the pinned buffer"));
  assert_non_null(strstr(host_sim.hazards[0].message, "cudaStreamSynchronize"));
  c->host[8192 + 5] = 3;
  cudaStreamSynchronize(c->stream);
  assert_int_equal(host_sim.hazard_count, 2);
  assert_int_equal(host_sim.hazards[1].line, 42);
  assert_non_null(strstr(host_sim.hazards[1].message, "writes byte 5"));
  assert_int_equal(c->host[8192 + 5], 3);
  for (int i = 0; i < 16384; i++) c->host[i]++;
  assert_int_equal(c->host[4096], 2);
  cudaDeviceSynchronize();
  assert_int_equal(host_sim.hazard_count, 2);
}

/* Other bytes of a page are the host's, and what comes after them is still seen. */
static void neighbours(void **state) {
  const struct host_copy *c = begin(state);
  download(c, 0, 256);
  c->host[256] = 1;
  c->host[4095] = 2;
  seen = c->host[300];
  cudaStreamQuery(c->other);
  assert_int_equal(host_sim.hazard_count, 0);
  seen = c->host[255];
  cudaStreamSynchronize(c->stream);
  assert_int_equal(host_sim.hazard_count, 1);
  assert_int_equal(c->host[256], 1);
  size_t pitch = 1000; /* rows of 100 bytes */
  assert_int_equal(cudaMemcpy2DAsync(c->host, pitch, c->device, pitch, 100, 8,
                                     cudaMemcpyDeviceToHost, c->stream),
                   0);
  for (int row = 0; row < 7; row++) c->host[1000 * row + 100] = c->host[1000 * row + 999] = 1;
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaEventRecord(event, c->stream);
  assert_int_equal(host_sim.hazard_count, 1);
  cudaEventSynchronize(event);
  cudaEventDestroy(event);
  for (int i = 0; i < 8000; i++) c->host[i]++;
  cudaDeviceSynchronize();
  assert_int_equal(host_sim.hazard_count, 1);
}

/* Memory that the program has registered: its whole pages, and no others. */
static void registered(void **state) {
  const struct host_copy *c = begin(state);
  char *pages = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(pages != MAP_FAILED);
  assert_int_equal(cudaHostRegister(pages + 100, 10000, 0), 0);
  struct host_copy own = {c->device, pages + 100, c->stream, c->other};
  download(&own, 0, 10000);
  pages[0] = pages[99] = pages[10100] = 1;
  assert_int_equal(pages[100], 1); /* of a page that is not all its own: not seen */
  seen = pages[5000];
  cudaStreamSynchronize(c->stream);
  assert_int_equal(host_sim.hazard_count, 1);
  download(&own, 0, 10000);
  assert_int_equal(cudaHostUnregister(pages + 100), 0);
  seen = pages[5000];
  munmap(pages, 16384);
}

/* Two copies with one buffer of the host's; copies whose bytes are elsewhere upon return. */
static void copies_and_copies(void **state) {
  const struct host_copy *c = begin(state);
  char pageable[512];
  download(c, 0, 512);
  upload(c, 0, 512); /* in one stream */
  cudaDeviceSynchronize();
  assert_int_equal(host_sim.hazard_count, 0);
  download(c, 0, 512);
  kit_at(50, "k.cu");
  cudaMemcpyAsync(c->device + 8192, c->host, 512, cudaMemcpyHostToDevice, c->other);
  assert_int_equal(host_sim.hazard_count, 1);
  assert_int_equal(host_sim.hazards[0].line, 50);
  assert_non_null(strstr(host_sim.hazards[0].message, "pinned host memory"));
  cudaMemcpy(c->host + 1024, c->host, 512, cudaMemcpyHostToHost); /* waits for blocking streams */
  cudaDeviceSynchronize();
  assert_int_equal(host_sim.hazard_count, 1);
  cudaMemcpyAsync(pageable, c->device, 512, cudaMemcpyDeviceToHost, c->stream);
  seen = pageable[0];
  cudaMemcpyAsync(c->device, pageable, 512, cudaMemcpyHostToDevice, c->stream);
  pageable[0] = 5;
  cudaDeviceSynchronize();
  assert_int_equal(host_sim.hazard_count, 1);
  cudaMemcpy(c->device, pageable, 512, cudaMemcpyHostToDevice);
  assert_int_equal(cudaMemsetAsync(c->device, 0, 512, c->other),
                   0); /* may be too early: a warning */
  assert_int_equal(host_sim.hazard_count, 2);
  assert_true(host_sim.hazards[1].warning);
  cudaDeviceSynchronize();
}

static void *guard_again(void *context) {
  (void)context;
  host_buffers_guard(); /* as every copy of another thread does */
  return NULL;
}

/* A copy's own accesses are not the host code's, whatever other threads do meanwhile. */
static void copies_of_threads(void **state) {
  const struct host_copy *c = begin(state);
  pthread_t other;
  download(c, 0, 4096);
  host_buffers_lift(c->host, 4096);
  assert_int_equal(pthread_create(&other, NULL, guard_again, NULL), 0);
  pthread_join(other, NULL);
  seen = c->host[0];
  host_buffers_guard();
  cudaDeviceSynchronize();
  assert_int_equal(host_sim.hazard_count, 0);
}

/* In the default stream alone, and freed while a copy uses it. */
static void one_stream(void **state) {
  const struct host_copy *c = begin(state);
  cudaMemcpyAsync(c->host, c->device, 512, cudaMemcpyDeviceToHost, NULL);
  seen = c->host[0];
  cudaDeviceSynchronize();
  assert_int_equal(host_sim.hazard_count, 1);
  cudaMemcpyAsync(c->host, c->device, 512, cudaMemcpyDeviceToHost, NULL);
  cudaMemcpy(&(char){0}, c->device, 1, cudaMemcpyDeviceToHost);
  seen = c->host[0];
  void *other;
  cudaMallocHost(&other, 100);
  cudaMemcpyAsync(other, c->device, 100, cudaMemcpyDeviceToHost, NULL);
  assert_int_equal(cudaFreeHost(other), 0);
  assert_int_equal(cudaFreeHost(other), cudaErrorInvalidValue);
  cudaDeviceSynchronize();
  assert_int_equal(host_sim.hazard_count, 2);
  assert_int_equal(host_sim.hazards[1].kind, HAZARD_call);
  assert_true(host_sim.hazards[1].warning);
  assert_non_null(
      strstr(host_sim.hazards[1].message, "cudaFreeHost returned cudaErrorInvalidValue"));
}

/* Streams and events that there are not. */
static void handles(void **state) {
  const struct host_copy *c = begin(state);
  cudaStream_t gone;
  cudaEvent_t event;
  cudaStreamCreate(&gone);
  assert_int_equal(cudaStreamDestroy(gone), 0);
  assert_int_equal(cudaMemsetAsync(c->device, 0, 4, gone), cudaErrorInvalidResourceHandle);
  assert_int_equal(cudaStreamSynchronize(gone), cudaErrorInvalidResourceHandle);
  assert_int_equal(cudaStreamDestroy(gone), cudaErrorInvalidResourceHandle);
  cudaEventCreate(&event);
  assert_int_equal(cudaStreamWaitEvent(c->stream, event, 0), 0); /* it was never recorded */
  assert_int_equal(cudaEventSynchronize(event), 0);
  assert_int_equal(cudaEventRecord(event, gone), cudaErrorInvalidResourceHandle);
  assert_int_equal(cudaEventRecord(event, cudaStreamPerThread), 0);
  runtime_reset(); /* another device: the stream is made anew on it, the event is of the old one */
  cudaMalloc((void **)&((struct host_copy *)*state)->device, 64);
  assert_int_equal(cudaMemsetAsync(c->device, 0, 64, c->stream), 0);
  assert_int_equal(cudaStreamWaitEvent(c->stream, event, 0), 0);
  assert_int_equal(cudaEventDestroy(event), 0);
}

/* ---- times ---- */

static float elapsed(cudaEvent_t start, cudaEvent_t stop, int line, cudaError_t expected) {
  float milliseconds = -1;
  kit_at(line, "k.cu");
  assert_int_equal(cudaEventElapsedTime(&milliseconds, start, stop), expected);
  if (expected) assert_true(milliseconds == -1);
  /* that something is not ready yet is no error */
  assert_int_equal(cudaGetLastError(), expected == cudaErrorNotReady ? 0 : expected);
  return milliseconds;
}

static const char *last_message(void) {
  return host_sim.hazard_count ? host_sim.hazards[host_sim.hazard_count - 1].message : "";
}

/* The time of an event can be read when the host has waited for it, in one way or another. */
static void times(void **state) {
  const struct host_copy *c = begin(state);
  cudaEvent_t start, stop;
  char pageable[64];
  cudaGetLastError();
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start, NULL);
  cudaEventRecord(stop, NULL);
  cudaMemset(c->device, 1, 12 << 10);
  cudaEventRecord(stop, NULL);
  elapsed(start, stop, 71, cudaErrorNotReady);
  assert_int_equal(host_sim.hazard_count, 1);
  assert_int_equal(host_sim.hazards[0].line, 71);
  assert_true(host_sim.hazards[0].warning);
  assert_non_null(strstr(last_message(), "cudaEventElapsedTime returned cudaErrorNotReady"));
  assert_non_null(strstr(last_message(), "the host has not waited for its second event"));
  assert_non_null(strstr(last_message(), "cudaEventSynchronize(stop)"));
  assert_int_equal(cudaEventSynchronize(stop), cudaSuccess);
  float first = elapsed(start, stop, 72, cudaSuccess);
  assert_in_range(first * 1e6, 2000, 10000); /* ns */
  enum { WAYS = 8 };
  for (int way = 0; way < WAYS; way++) {
    void *array = NULL;
    cudaMalloc(&array, 64);
    cudaEventRecord(start, NULL);
    cudaMemset(c->device, 1, 12 << 10);
    cudaEventRecord(stop, NULL);
    if (way == 0) cudaDeviceSynchronize();
    if (way == 1) cudaStreamSynchronize(NULL);
    if (way == 2) cudaMemcpy(pageable, c->device, 64, cudaMemcpyDeviceToHost);
    if (way == 3) cudaMemcpy(c->device, pageable, 64, cudaMemcpyHostToDevice);
    if (way == 4) cudaMemcpy(c->host, c->device, 64, cudaMemcpyDeviceToHost);
    if (way == 5) cudaFree(array);
    if (way == 6) assert_int_equal(cudaEventQuery(stop), cudaErrorNotReady);
    while (way == 6 && cudaEventQuery(stop) == cudaErrorNotReady) continue;
    if (way == 7) assert_int_equal(cudaStreamQuery(NULL), cudaErrorNotReady);
    while (way == 7 && cudaStreamQuery(NULL) == cudaErrorNotReady) continue;
    cudaGetLastError();
    assert_in_range(elapsed(start, stop, 80 + way, cudaSuccess) * 1e6, 2000, 10000);
  }
  cudaMemcpyAsync(c->host, c->device, 500, cudaMemcpyDeviceToHost, c->other);
  cudaEventRecord(start, c->other);
  cudaDeviceSynchronize();
  cudaMemcpyAsync(c->host, c->device, 500, cudaMemcpyDeviceToHost, c->other);
  cudaEventRecord(stop, c->other);
  cudaStreamSynchronize(c->stream); /* another one */
  elapsed(start, stop, 90, cudaErrorNotReady);
  while (cudaEventQuery(stop) == cudaErrorNotReady) continue; /* whoever asks again has it */
  elapsed(stop, start, 91, cudaSuccess);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}

/* Events whose time cannot be read, and those that are gone. */
static void events_without_time(void **state) {
  begin(state);
  cudaEvent_t never, untimed, gone;
  cudaGetLastError();
  cudaEventCreate(&never);
  cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
  cudaEventRecord(untimed, NULL);
  elapsed(never, never, 101, cudaErrorInvalidResourceHandle);
  assert_non_null(strstr(last_message(), "was never recorded"));
  elapsed(untimed, untimed, 102, cudaErrorInvalidResourceHandle);
  assert_non_null(strstr(last_message(), "cudaEventDisableTiming"));
  assert_int_equal(cudaEventQuery(never), cudaSuccess);
  cudaEventDestroy(never);
  gone = untimed;
  assert_int_equal(cudaEventDestroy(untimed), cudaSuccess);
  assert_int_equal(cudaEventRecord(gone, NULL), cudaErrorInvalidResourceHandle);
  assert_int_equal(cudaEventSynchronize(gone), cudaErrorInvalidResourceHandle);
  assert_int_equal(cudaEventDestroy(gone), cudaErrorInvalidResourceHandle);
  assert_int_equal(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  assert_int_equal(cudaGetLastError(), cudaSuccess); /* it is not sticky */
  elapsed(gone, gone, 103, cudaErrorInvalidResourceHandle);
  assert_non_null(strstr(last_message(), "destroyed before"));
}

/* Managed memory: the host has it at the device's address, and must not touch what is in use. */
static void managed(void **state) {
  const struct host_copy *c = begin(state);
  char *data, *other, host[64] = {7};
  assert_int_equal(cudaMallocManaged((void **)&data, 10000, cudaMemAttachGlobal), 0);
  assert_int_equal(cudaMallocManaged((void **)&other, 10000, cudaMemAttachHost), 0);
  data[0] = 1, data[9999] = 2;
  assert_int_equal(cudaMemcpy(host + 1, data, 1, cudaMemcpyDeviceToHost), 0);
  assert_int_equal(host[1], 1);
  assert_int_equal(cudaMemcpy(c->device, data, 64, cudaMemcpyHostToDevice),
                   0); /* it is on both sides */
  assert_int_equal(cudaMemcpy(data, host, 64, cudaMemcpyDefault), 0);
  assert_int_equal(data[0], 7);
  assert_int_equal(cudaMemset(data, 3, 10000), 0); /* waits, as it does for managed memory */
  data[5] = 4;
  assert_int_equal(host_sim.hazard_count, 0);
  kit_at(60, "k.cu");
  cudaMemsetAsync(data, 5, 100, c->stream);
  data[100] = other[0] = 1; /* other bytes, another array */
  cudaStreamSynchronize(c->other);
  assert_int_equal(host_sim.hazard_count, 0);
  seen = data[99];
  cudaStreamSynchronize(c->stream);
  assert_int_equal(host_sim.hazard_count, 1);
  assert_int_equal(host_sim.hazards[0].line, 60);
  assert_non_null(strstr(host_sim.hazards[0].message, "host code reads byte 99 of"));
  for (int i = 0; i < 10000; i++) data[i]++;
  kit_at(61, "k.cu");
  cudaMemcpyAsync(c->device, data, 4096, cudaMemcpyDefault, c->stream);
  seen = data[9];
  data[9] = 1;
  data[4096] = 1;
  cudaDeviceSynchronize();
  assert_int_equal(host_sim.hazard_count, 2);
  assert_int_equal(host_sim.hazards[1].line, 61);
  assert_non_null(strstr(host_sim.hazards[1].message, "host code writes"));
  struct cudaPointerAttributes attributes;
  assert_int_equal(cudaPointerGetAttributes(&attributes, data), 0);
  assert_int_equal(attributes.type, cudaMemoryTypeManaged);
  assert_ptr_equal(attributes.hostPointer, data);
  assert_int_equal(cudaMemPrefetchAsync(data, 10000, cudaCpuDeviceId, NULL), 0);
  assert_int_equal(cudaMemPrefetchAsync(c->device, 64, 0, NULL), cudaErrorInvalidValue);
  assert_int_equal(cudaMemPrefetchAsync(data, 64, 3, NULL), cudaErrorInvalidDevice);
  assert_int_equal(cudaMemAdvise(data, 64, cudaMemAdviseSetReadMostly, 0), 0);
  assert_int_equal(cudaMallocManaged((void **)&other, 0, cudaMemAttachGlobal), 0);
  assert_int_equal(cudaMallocManaged((void **)&other, 8, 7), cudaErrorInvalidValue);
  cudaMemsetAsync(data, 5, 100, c->stream);
  assert_int_equal(cudaFree(data), 0);
  assert_int_equal(cudaFree(data), cudaErrorInvalidValue);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stderr)) _exit(1);
    data[0] = 1;
    _exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

/* As much as the device has, and never more arrays than there are places for. */
static void managed_limits(void **state) {
  begin(state);
  static char *data[1000];
  assert_int_equal(cudaMallocManaged((void **)&data[0], SIZE_MAX / 2, cudaMemAttachGlobal),
                   cudaErrorMemoryAllocation);
  int count = 0;
  while (count < 1000 && !cudaMallocManaged((void **)&data[count], 16, cudaMemAttachGlobal)) {
    data[count][15] = (char)count;
    count++;
  }
  assert_in_range(count, 500, 999);
  assert_int_equal(cudaGetLastError(), cudaErrorMemoryAllocation);
  for (int i = 0; i < count; i++) {
    assert_int_equal(data[i][15], (char)i);
    assert_int_equal(cudaFree(data[i]), 0);
  }
  assert_int_equal(cudaMallocManaged((void **)&data[0], 16, cudaMemAttachGlobal), 0);
  assert_int_equal(cudaFree(data[0]), 0);
}

/* A fault that is none of the copies' still ends the process, by its signal. */
static void crashes(void **state) {
  const struct host_copy *c = begin(state);
  download(c, 0, 4096);
  char *read_only = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  fflush(NULL);
  for (int i = 0; i < 2; i++) {
    pid_t child = fork();
    if (child == 0) {
      if (!freopen("/dev/null", "w", stderr)) _exit(1);
      seen = c->host[0];
      *(i ? read_only : (char *)16) = 1;
      _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  }
  munmap(read_only, 4096);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges),
      cmocka_unit_test(events_order),
      cmocka_unit_test(host_orders),
      cmocka_unit_test(default_stream),
      cmocka_unit_test(streams_come_and_go),
      cmocka_unit_test(progress),
      cmocka_unit_test(limits),
      cmocka_unit_test(launches),
      cmocka_unit_test(bytes_apart),
      cmocka_unit_test(inputs_and_constants),
      cmocka_unit_test(pipelines),
      cmocka_unit_test(silent),
      cmocka_unit_test_setup_teardown(touches, open_host, close_host),
      cmocka_unit_test_setup_teardown(neighbours, open_host, close_host),
      cmocka_unit_test_setup_teardown(registered, open_host, close_host),
      cmocka_unit_test_setup_teardown(copies_and_copies, open_host, close_host),
      cmocka_unit_test_setup_teardown(copies_of_threads, open_host, close_host),
      cmocka_unit_test_setup_teardown(one_stream, open_host, close_host),
      cmocka_unit_test_setup_teardown(handles, open_host, close_host),
      cmocka_unit_test_setup_teardown(times, open_host, close_host),
      cmocka_unit_test_setup_teardown(events_without_time, open_host, close_host),
      cmocka_unit_test_setup_teardown(managed, open_host, close_host),
      cmocka_unit_test_setup_teardown(managed_limits, open_host, close_host),
      cmocka_unit_test_setup_teardown(crashes, open_host, close_host),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
